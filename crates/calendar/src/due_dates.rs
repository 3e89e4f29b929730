//! From a rule and a date to a date. Month ends and leap years are the calendar's own business (chrono).

use bordereau_contract::is_writable;
use chrono::{Datelike, Days, Months, NaiveDate};

use crate::rest_day::month_day;
use crate::rule::{BillingWindow, CountedFrom, DutyPeriod, PeriodDue, PeriodLength};

/// A date that many days later; `None` beyond the calendar's end.
fn days_later(day: NaiveDate, days: u16) -> Option<NaiveDate> {
    day.checked_add_days(Days::new(u64::from(days))).filter(is_writable)
}

/// First and last day of the period a day falls into.
pub(crate) fn period_bounds(length: PeriodLength, day: NaiveDate) -> Option<(NaiveDate, NaiveDate)> {
    let months = length.month_count();
    let first = NaiveDate::from_ymd_opt(day.year(), day.month0() / months * months + 1, 1)?;
    let last = first.checked_add_months(Months::new(months))?.pred_opt()?;
    Some((first, last))
}

/// The day from which days are counted.
pub(crate) fn counted_from(
    from: CountedFrom,
    effective: NaiveDate,
    issued: Option<NaiveDate>,
) -> Option<NaiveDate> {
    match from {
        CountedFrom::Effective | CountedFrom::Procured => Some(effective),
        CountedFrom::LaterOfEffectiveAndIssue => {
            Some(issued.map_or(effective, |issued| issued.max(effective)))
        }
        CountedFrom::EndOfMonth => period_bounds(PeriodLength::Month, effective).map(|(_, last)| last),
        CountedFrom::EndOfQuarter => period_bounds(PeriodLength::Quarter, effective).map(|(_, last)| last),
    }
}

/// So many days after a date.
pub(crate) fn add_days(
    days: u16,
    from: CountedFrom,
    effective: NaiveDate,
    issued: Option<NaiveDate>,
) -> Option<NaiveDate> {
    days_later(counted_from(from, effective, issued)?, days)
}

/// When a period that ends on `last` is due.
pub(crate) fn period_due(period: &DutyPeriod, last: NaiveDate) -> Option<NaiveDate> {
    match &period.due {
        PeriodDue::DaysAfter(days) => days_later(last, *days),
        PeriodDue::DayOfMonth(months, day) => day_of_month(last, *months, *day),
        PeriodDue::Days(days) => {
            let turn = usize::try_from(last.month0() / period.length.month_count()).ok()?;
            let (month, day) = *days.get(turn)?;
            let this_year = NaiveDate::from_ymd_opt(last.year(), month, day)?;
            if this_year > last {
                Some(this_year)
            } else {
                NaiveDate::from_ymd_opt(last.year() + 1, month, day)
            }
        }
    }
}

/// A day of the month that comes so many months after `last`'s; the last day where the month is shorter.
fn day_of_month(last: NaiveDate, months: u8, day: u32) -> Option<NaiveDate> {
    let first = last.with_day(1)?.checked_add_months(Months::new(u32::from(months)))?;
    month_day(first, day).filter(is_writable)
}

/// First and last day of the bill.
pub(crate) fn billing_dates(billing: BillingWindow, last: NaiveDate) -> Option<(NaiveDate, NaiveDate)> {
    let day = |day| day_of_month(last, billing.months_after, day);
    Some((day(billing.from)?, day(billing.until)?))
}
