//! Searches the index: windows of rows, totals of all matches, sums of a selection.

use bordereau_api::to_u32;
use bordereau_contract::{FOUND_CHARS, shorten_text};
use bordereau_quotes::read_date;

use super::record_reading::RecordReading;
use super::row::table_row;
use super::summary::{TotalSum, summarize};
use crate::transaction_indexes::active_index;
use bordereau_api::*;
use bordereau_session::Context;
use bordereau_session::profile::ServiceWords;
use bordereau_store::batches::sent_rows::mark_sent_rows;
use bordereau_transaction_index::records::find_records;
use bordereau_transaction_index::search::{SearchKey, find_ids, list_amounts};

/// Rows of a window.
const WINDOW_MAX: u32 = 500;
/// Bounds of what can be asked \[ours].
const TEXT_MAX: usize = 400;
const CHOICES_MAX: usize = 200;

/// A window of the transactions that match, from the local index: nothing is asked of the service.
///
/// # Errors
/// [`ErrorCode::Validation`] names a date that is none; [`ErrorCode::Storage`].
pub async fn transactions_search(
    ctx: &Context,
    request: TransactionsSearch,
) -> Result<TransactionsPage, BoundaryError> {
    let key = search_key(ctx, &request)?;
    let (profile, index) = active_index(ctx).await?;
    let (cache, reading) = (index.file.cache(), RecordReading::for_profile(ctx, &profile));
    let (from, count) = (request.from as usize, request.count.min(WINDOW_MAX) as usize);
    let window = index.file.read(move |db| {
        let (ids, revision) = find_ids(db, &cache, &key)?;
        let ids_here: Vec<i64> = ids.iter().skip(from).take(count).copied().collect();
        let records = find_records(db, &ids_here)?;
        let rows = records.iter().map(|stored| table_row(stored, &reading, &key.today)).collect();
        Ok(TransactionsPage { total: to_u32(ids.len()), rows, revision })
    });
    let mut page = window.await?;
    let marked = ctx.store().with_connection(move |db| {
        mark_sent_rows(db, &profile.id, &mut page.rows)?;
        Ok(page)
    });
    Ok(marked.await?)
}

/// Totals, facets and chart sums of all that match.
pub async fn transactions_summary(
    ctx: &Context,
    request: TransactionsFilter,
) -> Result<TransactionsSummary, BoundaryError> {
    let search = TransactionsSearch { filter: request, ..TransactionsSearch::default() };
    let SearchKey { filter, today, .. } = search_key(ctx, &search)?;
    let (profile, index) = active_index(ctx).await?;
    let words = ServiceWords::from_profile(&profile);
    Ok(index.file.read(move |db| summarize(db, &words, &filter, &today)).await?)
}

/// Sums of some rows of a search, as selected in the table.
pub async fn transactions_sum(
    ctx: &Context,
    request: TransactionsSum,
) -> Result<TransactionTotals, BoundaryError> {
    let key = search_key(ctx, &request.search)?;
    let (_, index) = active_index(ctx).await?;
    let cache = index.file.cache();
    let (from, to) = (request.from.min(request.to) as usize, request.from.max(request.to) as usize);
    let sum = index.file.read(move |db| {
        let (ids, _) = find_ids(db, &cache, &key)?;
        let selected: Vec<i64> = ids.iter().skip(from).take(to - from + 1).copied().collect();
        let mut sum = TotalSum::default();
        list_amounts(db, &selected)?.into_iter().for_each(|amounts| sum.add(amounts));
        Ok(sum.view())
    });
    Ok(sum.await?)
}

/// The question with its bounds checked.
pub(super) fn search_key(ctx: &Context, request: &TransactionsSearch) -> Result<SearchKey, BoundaryError> {
    let mut faults = Vec::new();
    let mut filter = request.filter.clone();
    let ranges = [
        ("filed", &mut filter.filed),
        ("policy_effective", &mut filter.policy_effective),
        ("transaction_effective", &mut filter.transaction_effective),
    ];
    for (name, range) in ranges {
        tidy_range(&format!("/filter/{name}"), range, &mut faults);
    }
    if filter.text.chars().count() > TEXT_MAX {
        faults.push(FieldError::at_pointer(
            "/filter/text",
            format!("At most {TEXT_MAX} characters can be searched for."),
        ));
    }
    let TransactionsFilter { states, types, statuses, documents, paid, due, months, .. } = &filter;
    let lists = [states, types, statuses, documents, paid, due, months];
    if lists.iter().any(|list| list.len() > CHOICES_MAX) {
        faults.push(FieldError::at_pointer(
            "/filter",
            format!("At most {CHOICES_MAX} choices of a facet are possible."),
        ));
    }
    if !faults.is_empty() {
        return Err(BoundaryError::invalid_fields(faults));
    }
    let today = ctx.ports().clock.today().to_string();
    Ok(SearchKey { filter, sort: request.sort, ascending: request.ascending, today })
}

/// Dates as the index has them, the earlier one first.
pub(super) fn tidy_range(pointer: &str, range: &mut DayRange, faults: &mut Vec<FieldError>) {
    // A day that is not valid is reported once.
    let is_one_day = range.from == range.to;
    for (end, text) in [("from", &mut range.from), ("to", &mut range.to)] {
        let typed = text.trim().to_owned();
        match read_date(&typed) {
            Some(date) => *text = date.to_string(),
            None if typed.is_empty() => text.clear(),
            None if is_one_day && end == "to" => {}
            None => faults.push(FieldError::at_pointer(
                format!("{pointer}/{end}"),
                format!(
                    "\"{}\" is not a date. Enter it as 02/23/2026 or 2026-02-23.",
                    shorten_text(&typed, FOUND_CHARS)
                ),
            )),
        }
    }
    if !range.from.is_empty() && !range.to.is_empty() && range.from > range.to {
        std::mem::swap(&mut range.from, &mut range.to);
    }
}
