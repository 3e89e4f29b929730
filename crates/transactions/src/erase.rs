//! Erases an insured or a year from this computer, and says what still has it.

use bordereau_api::to_u32;
use bordereau_api::*;
use bordereau_session::Context;
use bordereau_session::backup::copies_of_store;
use bordereau_session::profile::profile_list;
use bordereau_store::erase::{EraseScope, IndexedTransactions, erase, erase_typed_quote, preview_erasure};
use bordereau_store::open_database::empty_log;
use bordereau_transaction_index::erase::{find_erasable, remove_records};

use crate::index::ProfileIndex;
use crate::transaction_indexes::{TransactionIndexes, open_index};

const NOT_SEEN: &str = "Not looked at: what other computers of the office have of their own (a quote being typed, transactions that were searched, backups), and the data that this computer had before it used the office database. Erase it there, too.";
const YEARS: std::ops::RangeInclusive<u32> = 1990..=2100;

/// What would be erased.
///
/// # Errors
/// [`ErrorCode::Validation`] where neither an insured nor a year is named; [`ErrorCode::Storage`].
pub async fn data_erase_preview(ctx: &Context, request: EraseRequest) -> Result<EraseView, BoundaryError> {
    let scope = erase_scope(&request)?;
    let found = find_indexed(ctx, &scope).await?;
    let indexed: Vec<IndexedTransactions> = found.into_iter().map(|(_, indexed)| indexed).collect();
    let transactions = indexed.iter().map(|of| of.ids.len()).sum::<usize>();
    let of = scope.clone();
    let view = ctx.store().with_connection(move |db| preview_erasure(db, &of, &indexed)).await?;
    let transactions = to_u32(transactions);
    let view = EraseView { transactions, copies: copies_of_store(ctx), ..view };
    add_own_part(ctx, scope, view).await
}

/// Erases it.
///
/// # Errors
/// [`ErrorCode::Validation`] where neither is named, or some of it is still being sent; [`ErrorCode::DiskFull`],
/// [`ErrorCode::Storage`].
pub async fn data_erase(ctx: &Context, request: EraseRequest) -> Result<EraseView, BoundaryError> {
    let scope = erase_scope(&request)?;
    let found = find_indexed(ctx, &scope).await?;
    let (indexes, indexed): (Vec<ProfileIndex>, Vec<IndexedTransactions>) = found.into_iter().unzip();
    let (now, proof, of) = (ctx.now_stamp(), fresh_proof(ctx).await?, indexed.clone());
    let asked = scope.clone();
    let view = ctx.store().run_durably(move |db| erase(db, &asked, &of, &proof, &now)).await?;
    if view.sending > 0 {
        let message = format!(
            "Nothing was erased: {} of its rows or documents are still being sent. Wait until they are done, or cancel them.",
            view.sending
        );
        return Err(BoundaryError::with_code(ErrorCode::Validation, message));
    }
    for (index, of) in indexes.iter().zip(indexed).filter(|(_, of)| !of.ids.is_empty()) {
        index.file.write(move |db| remove_records(db, &of.ids)).await?;
        index.file.read(empty_log).await?;
    }
    add_own_part(ctx, scope, EraseView { copies: copies_of_store(ctx), ..view }).await
}

/// In an office the quote being typed is in this computer's own data file, and what other computers have isn't seen.
async fn add_own_part(ctx: &Context, scope: EraseScope, view: EraseView) -> Result<EraseView, BoundaryError> {
    if ctx.store().office().is_none() {
        return Ok(view);
    }
    let is_removed = !view.proof.is_empty();
    let typed = ctx.store().with_own_connection(move |db| erase_typed_quote(db, &scope, is_removed)).await?;
    Ok(EraseView { quotes: view.quotes + typed, unseen: NOT_SEEN.to_owned(), ..view })
}

fn erase_scope(request: &EraseRequest) -> Result<EraseScope, BoundaryError> {
    let refused = |pointer: &str, message: &str| Err(BoundaryError::invalid_field(pointer, message));
    match (request.insured.trim(), request.year) {
        ("", 0) => refused("/insured", "Name an insured or a year."),
        ("", year) if YEARS.contains(&year) => Ok(EraseScope::Year(year)),
        ("", _) => refused("/year", "This isn't a year. Write it with four digits."),
        (name, 0) => Ok(EraseScope::Insured(name.to_owned())),
        _ => refused("/year", "Name an insured or a year, not both."),
    }
}

async fn find_indexed(
    ctx: &Context,
    scope: &EraseScope,
) -> Result<Vec<(ProfileIndex, IndexedTransactions)>, BoundaryError> {
    let mut found = Vec::new();
    for view in profile_list(ctx, Nothing {}).await?.profiles {
        if !TransactionIndexes::from_context(ctx).has_index(&view.profile.id) {
            continue;
        }
        let (id, scope) = (view.profile.id.clone(), scope.clone());
        let index = open_index(ctx, view.profile).await?;
        let indexed = index.file.read(move |db| find_erasable(db, &id, &scope)).await?;
        found.push((index, indexed));
    }
    Ok(found)
}

async fn fresh_proof(ctx: &Context) -> Result<String, BoundaryError> {
    Ok(ctx.store().with_connection(|db| bordereau_store::fresh_id(db)).await?)
}
