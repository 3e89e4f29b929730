//! Which days were fetched, and which have to be asked for.
//!
//! A transaction may still be entered for a day that is past, so a day is settled only when it was fetched long
//! after it. What is younger is asked for at each refresh.

use bordereau_transaction_index::fetched_days::Days;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

/// Days after which nothing new is expected for a day \[ours]: past the longest filing periods of the states.
const SETTLED_DAYS: i64 = 90;
/// Days asked for at once: what is fetched is noted after each.
const CHUNK_DAYS: i64 = 92;

/// The days that nothing settled covers, in parts of at most a quarter; `settled` in any order.
pub(super) fn missing_days(asked: Days, settled: &[Days]) -> Vec<Days> {
    let mut settled = settled.to_vec();
    settled.sort_unstable();
    let (mut from, last) = asked;
    let mut gaps = Vec::new();
    for (first, end) in settled {
        if first > from {
            gaps.push((from, day_before(first).min(last)));
        }
        from = from.max(day_after(end));
        if from > last {
            break;
        }
    }
    if from <= last {
        gaps.push((from, last));
    }
    gaps.into_iter().filter(|(from, to)| from <= to).flat_map(split_quarters).collect()
}

fn split_quarters((from, to): Days) -> Vec<Days> {
    let mut parts = Vec::new();
    let mut first = from;
    while first <= to {
        let end = add_days(first, CHUNK_DAYS - 1).min(to);
        parts.push((first, end));
        first = day_after(end);
    }
    parts
}

/// Days in order, near ones together, so that few questions cover them.
pub(super) fn join_days(days: &[NaiveDate], gap: i64) -> Vec<Days> {
    let ranges = bordereau_contract::join_days(days, gap, CHUNK_DAYS).into_iter();
    ranges.map(|range| (range.from, range.to)).collect()
}

fn add_days(date: NaiveDate, days: i64) -> NaiveDate {
    TimeDelta::try_days(days).and_then(|days| date.checked_add_signed(days)).unwrap_or(date)
}

fn day_after(date: NaiveDate) -> NaiveDate {
    date.succ_opt().unwrap_or(date)
}

fn day_before(date: NaiveDate) -> NaiveDate {
    date.pred_opt().unwrap_or(date)
}

/// Days of earlier fetches that need not be asked for again.
pub(super) fn settled_days(fetches: Vec<(Days, DateTime<Utc>)>) -> Vec<Days> {
    let settled = |((first, last), at): (Days, DateTime<Utc>)| {
        (first, last.min(add_days(at.date_naive(), -SETTLED_DAYS)))
    };
    fetches.into_iter().map(settled).filter(|(first, last)| first <= last).collect()
}

#[cfg(test)]
mod tests {
    use bordereau_contract::parse_calendar_day;

    use super::*;

    fn days(text: &str) -> Vec<Days> {
        let day = |text: &str| parse_calendar_day(text).unwrap();
        text.split_whitespace()
            .map(|range| range.split_once("..").map(|(from, to)| (day(from), day(to))).unwrap())
            .collect()
    }

    #[test]
    fn only_what_is_not_settled_is_asked_for() {
        let cases = [
            ("2026-01-01..2026-01-31", "", "2026-01-01..2026-01-31"),
            ("2026-01-01..2026-01-31", "2025-12-01..2026-02-01", ""),
            (
                "2026-01-01..2026-01-31",
                "2026-01-10..2026-01-12",
                "2026-01-01..2026-01-09 2026-01-13..2026-01-31",
            ),
            (
                "2026-01-01..2026-01-31",
                "2026-01-20..2026-02-28 2025-12-01..2026-01-05",
                "2026-01-06..2026-01-19",
            ),
            (
                "2026-01-01..2026-07-05",
                "",
                "2026-01-01..2026-04-02 2026-04-03..2026-07-03 2026-07-04..2026-07-05",
            ),
            ("2026-01-01..2026-01-02", "2026-03-01..2026-03-02", "2026-01-01..2026-01-02"),
        ];
        for (asked, settled, expected) in cases {
            assert_eq!(
                missing_days(days(asked)[0], &days(settled)),
                days(expected),
                "{asked} without {settled}"
            );
        }
    }

    #[test]
    fn near_days_are_asked_for_together() {
        let found: Vec<NaiveDate> = ["2026-03-09", "2026-03-01", "2026-03-04", "2026-06-01"]
            .into_iter()
            .filter_map(parse_calendar_day)
            .collect();
        let found = join_days(&found, 4);
        assert_eq!(found, days("2026-03-01..2026-03-04 2026-03-09..2026-03-09 2026-06-01..2026-06-01"));
    }
}
