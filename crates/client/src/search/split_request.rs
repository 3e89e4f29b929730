//! Parts of a search that has too many pages: by the days of one of its dates.

use bordereau_contract::{DateRange, SearchRequest};
use chrono::{Days, NaiveDate};

/// Days of a search that names none.
const FIRST_DAY: NaiveDate = NaiveDate::from_ymd_opt(1900, 1, 1).unwrap();
const LAST_DAY: NaiveDate = NaiveDate::from_ymd_opt(2199, 12, 31).unwrap();
/// Parts of one split: days are rarely even, and what is still too large is split again.
const PARTS_MAX: u64 = 16;

/// The same search with the earlier end of each date first.
pub(super) fn in_order(request: &SearchRequest) -> SearchRequest {
    SearchRequest {
        date_filed: request.date_filed.map(DateRange::in_order),
        policy_effective_date: request.policy_effective_date.map(DateRange::in_order),
        transaction_effective_date: request.transaction_effective_date.map(DateRange::in_order),
    }
}

/// Whether it names no date at all.
pub(super) fn is_open(request: &SearchRequest) -> bool {
    *request == SearchRequest::default()
}

/// Parts that together find the same, from the earliest day on; none where every date is a single day.
pub(super) fn split_request(
    request: &SearchRequest,
    pages: u64,
    pages_max: u64,
) -> Option<Vec<SearchRequest>> {
    let mut whole = request.clone();
    if is_open(request) {
        whole.policy_effective_date = Some(DateRange { from: FIRST_DAY, to: LAST_DAY });
    }
    let widest = [&whole.date_filed, &whole.policy_effective_date, &whole.transaction_effective_date]
        .into_iter()
        .flatten()
        .map(|range| day_count(*range))
        .max()
        .filter(|days| *days > 1)?;
    // A little smaller than possible, so that an uneven spread does not split everything once more.
    let wanted = pages.div_ceil((pages_max * 4 / 5).max(1)).clamp(2, PARTS_MAX).min(widest);
    let of = |member: fn(&mut SearchRequest) -> &mut Option<DateRange>| -> Option<Vec<SearchRequest>> {
        let mut part = whole.clone();
        let range = member(&mut part).filter(|range| day_count(*range) == widest)?;
        let ranges = split_range(range, widest, wanted)?;
        Some(
            ranges
                .into_iter()
                .map(|range| {
                    *member(&mut part) = Some(range);
                    part.clone()
                })
                .collect(),
        )
    };
    of(|request| &mut request.date_filed)
        .or_else(|| of(|request| &mut request.policy_effective_date))
        .or_else(|| of(|request| &mut request.transaction_effective_date))
}

/// Days in a range, both ends included.
fn day_count(range: DateRange) -> u64 {
    range.to.signed_duration_since(range.from).num_days().unsigned_abs() + 1
}

fn split_range(whole: DateRange, days: u64, parts: u64) -> Option<Vec<DateRange>> {
    let day = |number: u64| whole.from.checked_add_days(Days::new(number));
    (0..parts)
        .map(|part| {
            Some(DateRange { from: day(part * days / parts)?, to: day((part + 1) * days / parts - 1)? })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(year: i32, month: u32, day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(year, month, day).expect("a date")
    }

    fn between(from: NaiveDate, to: NaiveDate) -> Option<DateRange> {
        Some(DateRange { from, to })
    }

    #[test]
    fn parts_cover_every_day_once() {
        for (from, to, pages) in [
            (date(2026, 1, 1), date(2026, 1, 2), 51),
            (date(2026, 1, 1), date(2026, 1, 7), 9_000),
            (date(2023, 12, 30), date(2024, 3, 1), 120),
            (FIRST_DAY, LAST_DAY, 700),
        ] {
            let request = SearchRequest { date_filed: between(from, to), ..SearchRequest::default() };
            let parts = split_request(&request, pages, 50).expect("more than a day");
            assert!(parts.len() >= 2 && parts.len() as u64 <= PARTS_MAX, "{from} {to}");
            let mut next = from;
            for part in &parts {
                let range = part.date_filed.expect("the date that was given");
                assert_eq!(range.from, next);
                assert!(range.from <= range.to);
                next = range.to.succ_opt().expect("a day");
            }
            assert_eq!(next, to.succ_opt().expect("a day"));
        }
    }

    #[test]
    fn the_widest_date_is_split_and_the_others_stay() {
        let (day, month) = (date(2026, 2, 1), date(2026, 2, 28));
        let request = SearchRequest {
            date_filed: between(day, day),
            policy_effective_date: None,
            transaction_effective_date: between(day, month),
        };
        let parts = split_request(&request, 60, 50).expect("a month can be split");
        assert!(parts.iter().all(|part| part.date_filed == request.date_filed));
        assert!(parts.iter().all(|part| part.policy_effective_date.is_none()));
        let single = SearchRequest { transaction_effective_date: between(day, day), ..request };
        assert_eq!(split_request(&single, 60, 50), None);
    }

    #[test]
    fn a_search_without_dates_is_split_by_the_policys() {
        let parts = split_request(&SearchRequest::default(), 51, 50).expect("parts");
        assert_eq!(parts[0].policy_effective_date.map(|range| range.from), Some(FIRST_DAY));
        assert!(is_open(&SearchRequest::default()) && !is_open(&parts[0]));
    }

    #[test]
    fn the_earlier_end_comes_first() {
        let (early, late) = (date(2026, 2, 1), date(2026, 2, 28));
        let request = SearchRequest { date_filed: between(late, early), ..SearchRequest::default() };
        assert_eq!(in_order(&request).date_filed, between(early, late));
    }
}
