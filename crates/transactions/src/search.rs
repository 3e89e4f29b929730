//! Searching the index: windows of rows, what all come to, sums of a selection.

use std::time::Instant;

use bordereau_contract::parse_calendar_day;

use super::found::{Asked, found};
use super::index::Index;
use super::{row, sent, summary};
use crate::index;
use bordereau_api::*;
use bordereau_session::Context;

/// Rows of a window.
const WINDOW_MAX: u32 = 500;
/// Bounds of what can be asked [ours].
const TEXT_MAX: usize = 400;
const CHOICES_MAX: usize = 200;

/// A window of the transactions that match, from the desk's own index: nothing is asked of the service.
///
/// # Errors
/// [`ErrorCode::Validation`] names a date that is none; [`ErrorCode::Storage`].
pub async fn transactions_search(
    ctx: &Context,
    request: TransactionsSearch,
) -> Result<TransactionsPage, BoundaryError> {
    let asked = asked(ctx, &request)?;
    let (profile, index) = index(ctx).await?;
    let today = asked.today.clone();
    let (from, count) = (request.from as usize, request.count.min(WINDOW_MAX) as usize);
    let window = move |db: &rusqlite::Connection, inner: &super::index::Inner| {
        let began = Instant::now();
        let (ids, revision) = found(db, inner, &asked)?;
        let ids_here: Vec<i64> = ids.iter().skip(from).take(count).copied().collect();
        let held = row::all_held(db, &ids_here)?;
        let rows: Vec<TransactionRow> =
            held.iter().map(|held| row::row(held, inner.status_word, &today)).collect();
        let took_us = u32::try_from(began.elapsed().as_micros()).unwrap_or(u32::MAX);
        Ok(TransactionsPage { total: u32::try_from(ids.len()).unwrap_or(u32::MAX), rows, took_us, revision })
    };
    let mut page = index.read(window).await?;
    let (mut rows, id) = (std::mem::take(&mut page.rows), profile.id);
    page.rows = ctx
        .store()
        .run(move |db| {
            sent::mark(db, &id, &mut rows)?;
            Ok(rows)
        })
        .await?;
    Ok(page)
}

/// Totals, facets and chart sums of all that match.
///
/// # Errors
/// As [`transactions_search`].
pub async fn transactions_summary(
    ctx: &Context,
    request: TransactionsFilter,
) -> Result<TransactionsSummary, BoundaryError> {
    let asked = asked(ctx, &TransactionsSearch { filter: request, ..TransactionsSearch::default() })?;
    let (_, index) = index(ctx).await?;
    Ok(index.read(move |db, inner| summary::summary(db, inner, &asked.filter, &asked.today)).await?)
}

/// Sums of some rows of a search, as selected in the table.
///
/// # Errors
/// As [`transactions_search`].
pub async fn transactions_sum(
    ctx: &Context,
    request: TransactionsSum,
) -> Result<TransactionTotals, BoundaryError> {
    let asked = asked(ctx, &request.search)?;
    let (_, index) = index(ctx).await?;
    let (from, to) = (request.from.min(request.to) as usize, request.from.max(request.to) as usize);
    let sum = move |db: &rusqlite::Connection, inner: &super::index::Inner| {
        let (ids, _) = found(db, inner, &asked)?;
        let mut facts = db.prepare_cached("SELECT premium, fees, taxes FROM facts WHERE id = ?1")?;
        let mut sum = summary::Sum::default();
        for id in ids.iter().skip(from).take(to - from + 1) {
            let (premium, fees, taxes) =
                facts.query_row([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            sum.add(premium, fees, taxes);
        }
        Ok(sum.view())
    };
    Ok(index.read(sum).await?)
}

/// The question with its bounds checked.
pub(super) fn asked(ctx: &Context, request: &TransactionsSearch) -> Result<Asked, BoundaryError> {
    let mut faults = Vec::new();
    let mut filter = request.filter.clone();
    let ranges = [
        ("filed", &mut filter.filed),
        ("policy_effective", &mut filter.policy_effective),
        ("transaction_effective", &mut filter.transaction_effective),
    ];
    for (name, range) in ranges {
        tidy(&format!("/filter/{name}"), range, &mut faults);
    }
    if filter.text.chars().count() > TEXT_MAX {
        faults.push(FieldError::at(
            "/filter/text",
            format!("At most {TEXT_MAX} characters can be searched for."),
        ));
    }
    let lists = [&filter.states, &filter.types, &filter.documents, &filter.paid, &filter.due, &filter.months];
    if lists.iter().any(|list| list.len() > CHOICES_MAX) || filter.statuses.len() > CHOICES_MAX {
        faults.push(FieldError::at(
            "/filter",
            format!("At most {CHOICES_MAX} choices of a facet are possible."),
        ));
    }
    if !faults.is_empty() {
        return Err(BoundaryError::fields(faults));
    }
    let today = ctx.ports().clock.today().to_string();
    Ok(Asked { filter, sort: request.sort, ascending: request.ascending, today })
}

/// Dates as the index has them, the earlier one first.
pub(super) fn tidy(pointer: &str, range: &mut DayRange, faults: &mut Vec<FieldError>) {
    // One day that is none is told once.
    let is_one_day = range.from == range.to;
    for (end, text) in [("from", &mut range.from), ("to", &mut range.to)] {
        let typed = text.trim().to_owned();
        match parse_calendar_day(&typed) {
            Some(date) => *text = date.to_string(),
            None if typed.is_empty() => text.clear(),
            None if is_one_day && end == "to" => {}
            None => faults.push(FieldError::at(
                format!("{pointer}/{end}"),
                format!("\"{}\" is not a date. Write it as yyyy-mm-dd, such as 2026-02-23.", short(&typed)),
            )),
        }
    }
    if !range.from.is_empty() && !range.to.is_empty() && range.from > range.to {
        std::mem::swap(&mut range.from, &mut range.to);
    }
}

fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

impl Index {
    /// How many records there are, and how many of them may still change.
    pub(super) async fn counts(&self) -> Result<(u32, u32), BoundaryError> {
        let count = |db: &rusqlite::Connection, _: &super::index::Inner| {
            Ok(db.query_row("SELECT count(*), coalesce(sum(open), 0) FROM facts", [], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?)
        };
        Ok(self.read(count).await?)
    }
}
