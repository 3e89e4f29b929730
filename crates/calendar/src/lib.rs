//! What is to be filed and paid by when.
//!
//! Rules are data: one file per jurisdiction (`rules/*.toml`), every duty with its source and how sure it is.
//! The engine is pure: the same transaction always has the same dates. Where no date was found none is
//! given, and a date is moved off a weekend or holiday only where the state is known to allow it.

mod book;
mod due_dates;
mod duty;
mod file;
mod load;
mod rest_day;
mod rule;

pub use book::Calendar;
pub use duty::{Duty, DutySubject};
pub use load::CalendarProblem;
pub use rest_day::{federal_holiday, is_business_day, next_business_day, previous_business_day};
pub use rule::{
    BillingWindow, CountedFrom, DueRule, DutyPeriod, DutyRule, PenaltyRule, PeriodBy, PeriodLength,
    StateCalendar,
};
