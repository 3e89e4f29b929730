//! Weekends and federal holidays (5 U.S.C. 6103), observed days included.

use chrono::{Datelike, NaiveDate, Weekday};

/// Year from which Juneteenth is a federal holiday.
const JUNETEENTH_SINCE: i32 = 2021;
/// Year from which Martin Luther King's birthday is one.
const KING_SINCE: i32 = 1986;

/// The federal holiday observed on this day: a holiday on a Saturday is observed the Friday before, one on a
/// Sunday the Monday after. A weekend day is none.
pub fn federal_holiday(day: NaiveDate) -> Option<&'static str> {
    if is_weekend(day) {
        return None;
    }
    if let Some(name) = fixed_holiday(day).or_else(|| moving_holiday(day)) {
        return Some(name);
    }
    let kept_for = match day.weekday() {
        Weekday::Fri => day.succ_opt(),
        Weekday::Mon => day.pred_opt(),
        _ => return None,
    };
    kept_for.and_then(fixed_holiday)
}

/// Holidays by day of the month.
fn fixed_holiday(day: NaiveDate) -> Option<&'static str> {
    match (day.month(), day.day()) {
        (1, 1) => Some("New Year's Day"),
        (6, 19) if day.year() >= JUNETEENTH_SINCE => Some("Juneteenth National Independence Day"),
        (7, 4) => Some("Independence Day"),
        (11, 11) => Some("Veterans Day"),
        (12, 25) => Some("Christmas Day"),
        _ => None,
    }
}

/// Holidays by weekday of the month.
fn moving_holiday(day: NaiveDate) -> Option<&'static str> {
    let turn = day.day0() / 7 + 1;
    let is_last = day.day() + 7 > u32::from(day.num_days_in_month());
    match (day.month(), day.weekday(), turn) {
        (1, Weekday::Mon, 3) if day.year() >= KING_SINCE => Some("Birthday of Martin Luther King, Jr."),
        (2, Weekday::Mon, 3) => Some("Washington's Birthday"),
        (5, Weekday::Mon, _) if is_last => Some("Memorial Day"),
        (9, Weekday::Mon, 1) => Some("Labor Day"),
        (10, Weekday::Mon, 2) => Some("Columbus Day"),
        (11, Weekday::Thu, 4) => Some("Thanksgiving Day"),
        _ => None,
    }
}

fn is_weekend(day: NaiveDate) -> bool {
    matches!(day.weekday(), Weekday::Sat | Weekday::Sun)
}

/// Neither a weekend day nor a federal holiday.
pub fn is_business_day(day: NaiveDate) -> bool {
    !is_weekend(day) && federal_holiday(day).is_none()
}

/// The day itself, or the first business day after it.
pub fn next_business_day(day: NaiveDate) -> NaiveDate {
    seek_business_day(day, |day| day.succ_opt())
}

/// The day itself, or the last business day before it.
pub fn previous_business_day(day: NaiveDate) -> NaiveDate {
    seek_business_day(day, |day| day.pred_opt())
}

fn seek_business_day(from: NaiveDate, step: impl Fn(NaiveDate) -> Option<NaiveDate>) -> NaiveDate {
    let mut day = from;
    while !is_business_day(day) {
        match step(day) {
            Some(next) => day = next,
            // The end of the calendar: there is no other day.
            None => return from,
        }
    }
    day
}

/// The last day of the month, from its first.
pub(crate) fn month_day(first: NaiveDate, day: u32) -> Option<NaiveDate> {
    first.with_day(day.clamp(1, u32::from(first.num_days_in_month())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(year: i32, month: u32, day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(year, month, day).unwrap()
    }

    #[test]
    fn holidays_are_where_the_calendar_has_them() {
        for (day, expected) in [
            (date(2026, 1, 1), Some("New Year's Day")),
            (date(2021, 12, 31), Some("New Year's Day")),
            (date(2023, 1, 2), Some("New Year's Day")),
            (date(2026, 1, 19), Some("Birthday of Martin Luther King, Jr.")),
            (date(2026, 2, 16), Some("Washington's Birthday")),
            (date(2026, 5, 25), Some("Memorial Day")),
            (date(2027, 5, 31), Some("Memorial Day")),
            (date(2026, 6, 19), Some("Juneteenth National Independence Day")),
            (date(2020, 6, 19), None),
            (date(2026, 7, 3), Some("Independence Day")),
            (date(2021, 7, 5), Some("Independence Day")),
            (date(2026, 7, 4), None),
            (date(2026, 9, 7), Some("Labor Day")),
            (date(2026, 10, 12), Some("Columbus Day")),
            (date(2026, 11, 11), Some("Veterans Day")),
            (date(2026, 11, 26), Some("Thanksgiving Day")),
            (date(2026, 11, 27), None),
            (date(2026, 12, 25), Some("Christmas Day")),
            (date(1985, 1, 21), None),
        ] {
            assert_eq!(federal_holiday(day), expected, "{day}");
        }
    }

    #[test]
    fn a_long_weekend_is_passed_over() {
        assert_eq!(next_business_day(date(2026, 2, 14)), date(2026, 2, 17));
        assert_eq!(previous_business_day(date(2026, 2, 16)), date(2026, 2, 13));
        assert_eq!(next_business_day(date(2021, 12, 31)), date(2022, 1, 3));
        assert_eq!(next_business_day(NaiveDate::MAX), NaiveDate::MAX);
    }
}
