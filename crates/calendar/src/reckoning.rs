//! From a rule and a date to a date. Month ends and leap years are the calendar's own business (jiff).

use jiff::civil::{Date, date};
use jiff::{Span, ToSpan};

use crate::rest_day::month_day;
use crate::rule::{Billing, CountedFrom, Period, PeriodDue, PeriodLength};

/// A date that many days later; `None` beyond the calendar's end.
fn days_later(day: Date, days: u16) -> Option<Date> {
    day.checked_add(i64::from(days).days()).ok()
}

/// First and last day of the period a day falls into.
pub(crate) fn bounds(length: PeriodLength, day: Date) -> Option<(Date, Date)> {
    let months = length.months();
    let first = date(day.year(), (day.month() - 1) / months * months + 1, 1);
    let last = first.checked_add(Span::new().months(months)).and_then(Date::yesterday).ok()?;
    Some((first, last))
}

/// The day from which days are counted.
pub(crate) fn counted_from(from: CountedFrom, effective: Date, issued: Option<Date>) -> Option<Date> {
    match from {
        CountedFrom::Effective | CountedFrom::Procured => Some(effective),
        CountedFrom::LaterOfEffectiveAndIssue => {
            Some(issued.map_or(effective, |issued| issued.max(effective)))
        }
        CountedFrom::EndOfMonth => bounds(PeriodLength::Month, effective).map(|(_, last)| last),
        CountedFrom::EndOfQuarter => bounds(PeriodLength::Quarter, effective).map(|(_, last)| last),
    }
}

/// So many days after a date.
pub(crate) fn after(days: u16, from: CountedFrom, effective: Date, issued: Option<Date>) -> Option<Date> {
    days_later(counted_from(from, effective, issued)?, days)
}

/// When a period that ends on `last` is due.
pub(crate) fn period_due(period: &Period, last: Date) -> Option<Date> {
    match &period.due {
        PeriodDue::DaysAfter(days) => days_later(last, *days),
        PeriodDue::DayOfMonth(months, day) => day_of_month(last, *months, *day),
        PeriodDue::Days(days) => {
            let turn = usize::try_from((last.month() - 1) / period.length.months()).ok()?;
            let (month, day) = *days.get(turn)?;
            let this_year = Date::new(last.year(), month, day).ok()?;
            if this_year > last { Some(this_year) } else { Date::new(last.year() + 1, month, day).ok() }
        }
    }
}

/// A day of the month that comes so many months after `last`'s; the last day where the month is shorter.
fn day_of_month(last: Date, months: u8, day: i8) -> Option<Date> {
    let first = date(last.year(), last.month(), 1);
    let first = first.checked_add(Span::new().months(i64::from(months))).ok()?;
    Some(month_day(first, day))
}

/// First and last day of the bill.
pub(crate) fn billed(billing: Billing, last: Date) -> Option<(Date, Date)> {
    let day = |day| day_of_month(last, billing.months_after, day);
    Some((day(billing.from)?, day(billing.until)?))
}
