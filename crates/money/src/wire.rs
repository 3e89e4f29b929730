//! Amounts as JSON numbers on the service's wire, read and written digit by digit.
//!
//! A JSON number is never turned into a float on the way: its text is taken from the body unchanged
//! (`RawValue`) and parsed as a decimal. Some providers quote numbers; those are read too, also as people write them
//! (`"$1,234.50"`), and an amount of US dollars in an object (`{"amount": "1234.50", "currency": "USD"}`). An empty text
//! is absent, and so is what means none (`"-"`, `"n/a"`).

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use rust_decimal::{Decimal, RoundingStrategy};
use serde_json::value::RawValue;

use crate::Usd;

/// Characters of a number: the smallest float written in full has 1,077.
const DIGITS_MAX: usize = 1_100;
/// Powers of ten that are followed: down to the smallest float, and up to more than an amount can be.
const EXPONENTS: RangeInclusive<i32> = -400..=12;
/// Decimals of an amount that say something; behind them is what a float's last bits leave.
const DECIMALS: u32 = 8;

/// `#[serde(with = "bordereau_money::json_number")]` for an amount that must be there.
pub mod json_number {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _, ser::Error as _};
    use serde_json::value::RawValue;

    use crate::Usd;

    /// Writes the amount as a bare JSON number.
    pub fn serialize<S: Serializer>(amount: &Usd, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(amount.to_string()).map_err(S::Error::custom)?.serialize(serializer)
    }

    /// Reads a JSON number, or a number in quotes.
    ///
    /// # Errors
    /// When it is neither, or too large.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Usd, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        super::read(&raw)
            .map_err(D::Error::custom)?
            .ok_or_else(|| D::Error::custom(format_args!("a number is expected, found {raw}")))
    }
}

/// `#[serde(with = "bordereau_money::json_number_option")]` for an amount that may be null or absent
/// (add `default` for absent).
pub mod json_number_option {
    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};
    use serde_json::value::RawValue;

    use crate::Usd;

    /// Writes a bare JSON number or null.
    pub fn serialize<S: Serializer>(amount: &Option<Usd>, serializer: S) -> Result<S::Ok, S::Error> {
        match amount {
            Some(amount) => super::json_number::serialize(amount, serializer),
            None => serializer.serialize_none(),
        }
    }

    /// Reads a JSON number, a number in quotes, or null.
    ///
    /// # Errors
    /// When it is none of these, or too large.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Usd>, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        super::read(&raw).map_err(D::Error::custom)
    }
}

/// `#[serde(with = "bordereau_money::json_percent_option")]` for an amount or a percentage that may be null or absent
/// (add `default` for absent): the same, and `"4.85%"` is 4.85.
pub mod json_percent_option {
    use serde::{Deserialize, Deserializer, de::Error as _};
    use serde_json::value::RawValue;

    pub use super::json_number_option::serialize;
    use crate::Usd;

    /// Reads a JSON number, a number in quotes with or without a percent sign, or null.
    ///
    /// # Errors
    /// When it is none of these, or too large.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Usd>, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        super::read(&raw).or_else(|reason| {
            let text: String = serde_json::from_str(raw.get()).unwrap_or_default();
            let percent =
                text.trim().strip_suffix('%').and_then(|digits| Usd::parse_typed(digits.trim()).ok());
            percent.map(Some).ok_or_else(|| D::Error::custom(reason))
        })
    }
}

/// `#[serde(with = "bordereau_money::json_rate_option")]` for a rate as a fraction that may be null or absent
/// (add `default` for absent).
pub mod json_rate_option {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _, ser::Error as _};
    use serde_json::value::RawValue;

    use crate::Rate;

    /// Writes a bare JSON number or null.
    pub fn serialize<S: Serializer>(rate: &Option<Rate>, serializer: S) -> Result<S::Ok, S::Error> {
        match rate {
            Some(rate) => {
                RawValue::from_string(rate.to_string()).map_err(S::Error::custom)?.serialize(serializer)
            }
            None => serializer.serialize_none(),
        }
    }

    /// Reads a JSON number, a number in quotes, or null.
    ///
    /// # Errors
    /// When it is none of these, or no fraction from 0 to 1.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Rate>, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let Some(value) = super::read_number(&raw).map_err(D::Error::custom)? else { return Ok(None) };
        let outside = || D::Error::custom(format!("a fraction from 0 to 1 is expected, found {value}"));
        Rate::check_bounds(value).map(Some).ok_or_else(outside)
    }
}

fn read(raw: &RawValue) -> Result<Option<Usd>, String> {
    let bounded = |value: Decimal| {
        Usd::check_bounds(value.round_dp_with_strategy(DECIMALS, RoundingStrategy::MidpointAwayFromZero))
            .map_err(|error| error.to_string())
    };
    let number = read_number(raw).and_then(|value| value.map(bounded).transpose());
    number.or_else(|reason| {
        let inner = dollars_inside(raw).and_then(|inner| read(inner).ok().flatten());
        inner.or_else(|| written_amount(raw)).map(Some).ok_or(reason)
    })
}

/// Whether a text means none, as in a column of amounts: it is absent, and no zero.
#[must_use]
pub fn means_none(text: &str) -> bool {
    let text = text.trim();
    text.chars().all(|c| matches!(c, '-' | '\u{2013}' | '\u{2014}'))
        || ["n/a", "na", "nan", "none", "null", "nil"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// The amount of an object that has nothing but it and that it is in US dollars. A whole number may be of cents, and is
/// not read.
fn dollars_inside(raw: &RawValue) -> Option<&RawValue> {
    let members: BTreeMap<String, &RawValue> = serde_json::from_str(raw.get()).ok()?;
    let named = |names: [&str; 2]| names.iter().find_map(|name| members.get(*name).copied());
    let currency: String =
        serde_json::from_str(named(["currency", "currencyCode"])?.get()).unwrap_or_default();
    let amount = named(["amount", "value"])?;
    let digits = amount.get().trim_matches('"');
    let is_in_dollars = currency.eq_ignore_ascii_case("usd") && (digits == "0" || digits.contains('.'));
    (members.len() == 2 && is_in_dollars).then_some(amount)
}

/// An amount in quotes as people write it.
fn written_amount(raw: &RawValue) -> Option<Usd> {
    let text: String = serde_json::from_str(raw.get()).ok()?;
    Usd::parse_typed(&text).ok()
}

fn read_number(raw: &RawValue) -> Result<Option<Decimal>, String> {
    let text = raw.get().trim();
    if text == "null" {
        return Ok(None);
    }
    let quoted: Option<String> =
        if text.starts_with('"') { serde_json::from_str(text).map_err(|e| e.to_string())? } else { None };
    let digits = quoted.as_deref().unwrap_or(text).trim();
    if quoted.is_some() && means_none(digits) {
        return Ok(None);
    }
    plain_or_exponent(digits).map(Some).ok_or_else(|| {
        let found: String = text.chars().take(40).collect();
        format!("a number is expected, found {found}")
    })
}

/// Digits with or without an exponent (`1e3` is a JSON number too), as a float may be written in full: what is smaller
/// than the 28th decimal is rounded.
fn plain_or_exponent(digits: &str) -> Option<Decimal> {
    if digits.len() > DIGITS_MAX || !digits.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
        return None;
    }
    let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
    let (mut value, mut exponent) = (mantissa.parse::<Decimal>().ok()?, exponent.parse::<i32>().ok()?);
    if !EXPONENTS.contains(&exponent) {
        return None;
    }
    while exponent < 0 {
        let places = exponent.unsigned_abs().min(28);
        value = value.checked_div(Decimal::from_i128_with_scale(10_i128.pow(places), 0))?;
        exponent += places.cast_signed();
    }
    value.checked_mul(Decimal::from_i128_with_scale(10_i128.pow(exponent.unsigned_abs()), 0))
}
