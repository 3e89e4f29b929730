//! The days of a policy that are left from a day, and the part of a premium that is for them.
//!
//! The part is multiplied out and rounded once, to the cent.

use bordereau_api::FieldError;
use bordereau_contract::format_long_day;
use bordereau_money::{Rate, Rounding, Usd};
use chrono::{Months, NaiveDate};

use crate::read_request::read_date;

/// Decimals of the factor: in printed tables, and as it is shown otherwise.
const TABLE_PLACES: u32 = 3;
const SHOWN_PLACES: u32 = 6;

/// A day as typed: its field, and of what it is the day.
pub(crate) struct TypedDay<'t> {
    pub(crate) text: &'t str,
    pub(crate) pointer: &'static str,
    pub(crate) name: &'static str,
}

/// A policy and a day within it.
#[derive(Debug)]
pub(crate) struct PolicyDays {
    pub(crate) effective: NaiveDate,
    pub(crate) expires: NaiveDate,
    pub(crate) day: NaiveDate,
    /// The factor has three decimals, as in printed tables.
    pub(crate) three_decimals: bool,
}

impl PolicyDays {
    /// Where the policy's last day isn't typed, it is a year later.
    pub(crate) fn read(
        expires: &str,
        effective: NaiveDate,
        typed: &TypedDay<'_>,
        three_decimals: bool,
        faults: &mut Vec<FieldError>,
    ) -> PolicyDays {
        let expires = match expires.trim() {
            "" => effective.checked_add_months(Months::new(12)),
            typed => read_date(typed),
        };
        let expires = expires.filter(|day| *day > effective).unwrap_or_else(|| {
            let message =
                format!("Enter the day on which the policy ends, after {}.", format_long_day(effective));
            faults.push(FieldError::at_pointer("/sheet/policy_expires", message));
            effective
        });
        let within = |day: &NaiveDate| (effective..=expires).contains(day);
        let day = read_date(typed.text.trim()).filter(within).unwrap_or_else(|| {
            let (from, until) = (format_long_day(effective), format_long_day(expires));
            let message = format!("Enter the day of the {}, from {from} to {until}.", typed.name);
            faults.push(FieldError::at_pointer(typed.pointer, message));
            effective
        });
        PolicyDays { effective, expires, day, three_decimals }
    }

    /// All days are left.
    pub(crate) fn is_first(&self) -> bool {
        self.day == self.effective
    }

    /// The days that are left, and all.
    pub(crate) fn count(&self) -> (i64, i64) {
        let until_end = |from: NaiveDate| (self.expires - from).num_days();
        (until_end(self.day), until_end(self.effective))
    }

    /// A share of the part of an amount that is for the days left: by a factor of three decimals, or by all of its
    /// decimals. On the first day it is the whole amount.
    pub(crate) fn part_of(&self, amount: Usd, share: Rate) -> Option<Usd> {
        if self.is_first() {
            return Some(amount);
        }
        if self.three_decimals {
            let (part, whole) = self.factor(share, TABLE_PLACES)?;
            return Some(amount.checked_share(part, whole)?.round(Rounding::Cent));
        }
        let (left, days) = self.count();
        let by_days = amount.checked_share(Usd::from_cents(left), Usd::from_cents(days))?;
        Some(by_days.checked_mul(share)?.round(Rounding::Cent))
    }

    /// The factor as so many of a power of ten.
    fn factor(&self, share: Rate, places: u32) -> Option<(Usd, Usd)> {
        let whole = Usd::from_cents(100 * 10_i64.checked_pow(places)?);
        let (left, days) = self.count();
        let part = whole.checked_share(Usd::from_cents(left), Usd::from_cents(days))?;
        let share = if self.is_first() { Rate::ONE } else { share };
        Some((part.checked_mul(share)?.round(Rounding::Dollar), whole))
    }

    /// `0.748`
    pub(crate) fn factor_text(&self, share: Rate) -> Option<String> {
        let places = if self.three_decimals { TABLE_PLACES } else { SHOWN_PLACES };
        let (part, whole) = self.factor(share, places)?;
        let (part, whole) = (part.to_cents()? / 100, whole.to_cents()? / 100);
        let width = places as usize;
        Some(format!("{}.{:0width$}", part / whole, part % whole))
    }
}
