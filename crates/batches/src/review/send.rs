//! What would be sent: totals, and the transactions themselves.

use std::collections::BTreeMap;

use bordereau_contract::{Charge, ImportTransaction};
use bordereau_money::Usd;
use bordereau_spreadsheets::{Field, TypedRow};

use super::documents::Attached;
use super::open::Open;
use super::operations::{Kept, with};
use super::reading::blocking;
use crate::review::operations::change;
use crate::review::operations::slot_with_rows;
use crate::review::reading::bench;
use bordereau_api::{BoundaryError, ErrorCode, KeptWarning, ReviewTotals, SendScope};
use bordereau_session::Context;
use bordereau_store::batches::keeping::PreparedKept;
use bordereau_store::totals::{Amounts, by_state};

/// A transaction ready to be stored for sending.
#[derive(Clone, Debug)]
pub struct PreparedRow {
    /// Its first row of the table.
    pub row: u32,
    /// That row as the file counts it.
    pub line: u32,
    /// As it travels, documents left out.
    pub transaction: ImportTransaction,
    /// It has an error.
    pub has_error: bool,
    /// Files that go along.
    pub documents: Vec<Attached>,
    /// The key by which it is recognised when it comes again.
    pub key: Option<bordereau_spreadsheets::SameTransaction>,
    /// Warnings kept with a reason.
    pub kept: Vec<KeptWarning>,
}

/// What a send takes out of a review.
#[derive(Clone, Debug)]
pub struct PreparedSend {
    /// Name of the review.
    pub name: String,
    /// The batch that is corrected.
    pub corrects: Option<String>,
    /// Transactions in the order of rows.
    pub transactions: Vec<PreparedRow>,
    /// Of a correction: those that stay as they are.
    pub kept_back: Vec<PreparedKept>,
}

fn chosen(open: &Open, scope: SendScope) -> impl Iterator<Item = usize> {
    let transactions = open.review().transactions();
    (0..transactions.count()).filter(move |transaction| {
        let row = transactions.rows(*transaction)[0];
        // Of a correction only what was changed is sent again.
        // A row of which the service said nothing was never taken: it is sent as it is.
        let is_due = open.body.batch.is_none()
            || is_changed(open, *transaction)
            || !transactions.rows(*transaction).iter().any(|row| open.body.messages.contains_key(row));
        let is_in = match scope {
            SendScope::Valid => open.index.is_ready(row),
            SendScope::All => !open.review().is_excluded(row as usize),
        };
        is_in && is_due
    })
}

fn is_changed(open: &Open, transaction: usize) -> bool {
    let rows = open.review().transactions().rows(transaction);
    rows.iter().any(|row| open.index.changed.binary_search(row).is_ok())
}

fn amounts(typed: &TypedRow) -> Amounts {
    let amount = |field| typed.amount(field).unwrap_or(Usd::ZERO);
    Amounts {
        premium: amount(Field::Premium),
        taxes: Charge::sum_taxes(|charge| typed.charge(charge)).unwrap_or(Usd::MAX),
        stamping: amount(Field::StampingFee),
    }
}

/// Totals of what a send would take; credits count negative.
pub fn totals(open: &Open, scope: SendScope) -> ReviewTotals {
    by_state(chosen(open, scope).map(|transaction| {
        let typed = open.review().typed(transaction);
        (typed.transaction_type, typed.state.map_or("", |state| state.code()), amounts(typed))
    }))
}

/// Transactions of a correction that stay as they are, because every warning on them is kept with a reason.
fn kept_back(open: &Open) -> Vec<PreparedKept> {
    if open.body.batch.is_none() {
        return Vec::new();
    }
    let transactions = open.review().transactions();
    let of = |transaction: usize| {
        let rows = transactions.rows(transaction);
        let row = rows[0] as usize;
        let is_left = open.review().is_excluded(row) || is_changed(open, transaction);
        let told =
            || rows.iter().flat_map(|row| open.messages(*row as usize).map(|told| (*row as usize, told)));
        let is_kept = !is_left
            && told().next().is_some()
            && told().all(|(row, (column, message))| open.kept_message(row, column, message).is_some());
        is_kept.then(|| PreparedKept {
            own_id: open.review().wire(transaction).id,
            line: open.line(row),
            kept: kept(open, transaction),
        })
    };
    (0..transactions.count()).filter_map(of).collect()
}

fn kept(open: &Open, transaction: usize) -> Vec<KeptWarning> {
    let rows = open.review().transactions().rows(transaction);
    rows.iter().flat_map(|row| open.kept_of_row(*row as usize)).collect()
}

/// The transactions a send would take.
pub fn prepare(open: &Open, scope: SendScope) -> PreparedSend {
    let review = open.review();
    let mut documents: BTreeMap<u32, Vec<Attached>> = BTreeMap::new();
    for document in &open.body.documents {
        documents.entry(document.row).or_default().push(document.clone());
    }
    let row = |transaction: usize| {
        let row = review.transactions().rows(transaction)[0];
        PreparedRow {
            row,
            line: open.line(row as usize),
            transaction: review.wire(transaction),
            has_error: !open.index.is_ready(row),
            documents: documents.get(&row).cloned().unwrap_or_default(),
            key: review.key(transaction),
            kept: kept(open, transaction),
        }
    };
    let transactions: Vec<PreparedRow> = chosen(open, scope).map(row).collect();
    let corrects = open.body.batch.clone();
    PreparedSend { name: open.name.clone(), corrects, transactions, kept_back: kept_back(open) }
}

/// The transactions a send of this review would take, with what has to be confirmed.
///
/// # Errors
/// [`ErrorCode::NotFound`]; [`ErrorCode::Validation`] while it is read or a question is open.
pub async fn review_transactions(
    ctx: &Context,
    id: &str,
    scope: SendScope,
) -> Result<PreparedSend, BoundaryError> {
    let slot = slot_with_rows(ctx, id).await?;
    let prepared = blocking(move || {
        with(&slot, |open| {
            if !open.body.matched {
                return Err(BoundaryError::of(
                    ErrorCode::Validation,
                    "Columns are not matched yet. Answer the open questions first.",
                ));
            }
            Ok(prepare(open, scope))
        })
    });
    prepared.await?
}

/// Checks an open review again against what was sent before, the profile's tables and the day.
///
/// # Errors
/// [`ErrorCode::NotFound`], [`ErrorCode::Storage`].
pub async fn review_refresh(ctx: &Context, id: &str) -> Result<(), BoundaryError> {
    let slot = slot_with_rows(ctx, id).await?;
    let batch = blocking(move || with(&slot, |open| Ok(open.body.own_batch().map(str::to_owned)))).await??;
    let bench = bench(ctx, batch.as_deref()).await?;
    change(ctx, id, move |open| {
        open.bench = bench;
        open.check_again();
        Ok((Kept::State, ()))
    })
    .await
}
