//! An amount in US dollars.

use std::fmt;
use std::str::FromStr;

use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Rate, Rounding, typed, written};

/// An amount in US dollars: an exact decimal of at most [`Usd::MAX`] in size.
///
/// It serialises as text (`"1250.50"`), which is how amounts travel between the core and the UI; the
/// wire of the service uses JSON numbers, see [`crate::json_number`].
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Usd(Decimal);

/// Why a text is not an amount.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AmountError {
    /// There was nothing, or nothing but blanks.
    #[error("no amount was given")]
    Empty,
    /// The text cannot be read as an amount; it is never taken for zero.
    #[error("\"{0}\" is not an amount; write it like 1250.50 or 1,250.50")]
    NotAnAmount(String),
    /// More than two decimals where an amount of money is expected.
    #[error("\"{0}\" has more than two decimals")]
    TooPrecise(String),
    /// Larger than [`Usd::MAX`].
    #[error("the amount is larger than 999,999,999,999.99")]
    TooLarge,
}

impl Usd {
    /// Zero dollars.
    pub const ZERO: Usd = Usd(Decimal::ZERO);
    /// The largest amount accepted, 999,999,999,999.99 USD.
    pub const MAX: Usd = Usd(Decimal::from_parts(276_447_231, 23_283, 0, false, 2));

    /// An amount of whole cents.
    #[must_use]
    pub fn from_cents(cents: i64) -> Usd {
        Usd(Decimal::new(cents, 2))
    }

    /// Reads the canonical form: an optional minus, digits, optionally a point and digits.
    ///
    /// # Errors
    /// [`AmountError`] for anything else, exponents and separators included.
    pub fn parse(text: &str) -> Result<Usd, AmountError> {
        if text.is_empty() {
            return Err(AmountError::Empty);
        }
        let digits = text.strip_prefix('-').unwrap_or(text);
        let mut parts = digits.splitn(2, '.');
        let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let shape =
            text.len() <= 40 && parts.next().is_some_and(all_digits) && parts.next().is_none_or(all_digits);
        if !shape {
            return Err(AmountError::NotAnAmount(excerpt(text)));
        }
        let value = Decimal::from_str_exact(text).map_err(|_| AmountError::TooLarge)?;
        Usd::bounded(value)
    }

    /// Reads an amount as a person types it in the United States: `1,250.50`, `$900`, `(42.10)`,
    /// ` 900 USD`, see [`crate::unsigned`]. At most two decimals; separators must stand at thousands.
    ///
    /// # Errors
    /// [`AmountError`] when the text is not such an amount; it is never guessed at.
    pub fn parse_typed(text: &str) -> Result<Usd, AmountError> {
        typed::parse(text)
    }

    pub(crate) fn bounded(value: Decimal) -> Result<Usd, AmountError> {
        if is_bounded(value.mantissa(), value.scale()) { Ok(Usd(value)) } else { Err(AmountError::TooLarge) }
    }

    /// Units of ten to the minus `scale`, or `None` beyond [`Usd::MAX`].
    fn of_units(units: i64, scale: u32) -> Option<Usd> {
        let value = decimal(units, scale);
        // Whatever its scale, a number with so few digits is small enough: nearly all are.
        if units.unsigned_abs() <= FEW_DIGITS { Some(Usd(value)) } else { Usd::bounded(value).ok() }
    }

    /// The exact decimal behind the amount.
    #[must_use]
    pub fn as_decimal(self) -> Decimal {
        self.0
    }

    /// The sum, or `None` beyond [`Usd::MAX`].
    #[must_use]
    pub fn checked_add(self, other: Usd) -> Option<Usd> {
        // Most fees and charges are zero.
        if other.is_zero() {
            return Some(self);
        }
        if self.is_zero() {
            return Some(other);
        }
        let (a, b) = (self.0.scale(), other.0.scale());
        if let (Some(x), Some(y)) = (with_scale(self.0, a.max(b)), with_scale(other.0, a.max(b))) {
            return Usd::of_units(x + y, a.max(b));
        }
        self.add_slowly(other)
    }

    /// Any decimals: apart, so that the usual way stays short. A share of a fee has up to 28 of them.
    #[cold]
    #[inline(never)]
    fn add_slowly(self, other: Usd) -> Option<Usd> {
        let scale = self.0.scale().max(other.0.scale());
        if let (Some(a), Some(b)) = (wide_with_scale(self.0, scale), wide_with_scale(other.0, scale))
            && let Some(sum) = a.checked_add(b).filter(|sum| sum.unsigned_abs() < 1 << 96)
        {
            return is_bounded(sum, scale).then(|| Usd(Decimal::from_i128_with_scale(sum, scale)));
        }
        self.0.checked_add(other.0).and_then(|v| Usd::bounded(v).ok())
    }

    /// The difference, or `None` beyond [`Usd::MAX`].
    #[must_use]
    pub fn checked_sub(self, other: Usd) -> Option<Usd> {
        self.0.checked_sub(other.0).and_then(|v| Usd::bounded(v).ok())
    }

    /// The product with a rate, not rounded; `None` when it no longer fits.
    #[must_use]
    pub fn checked_mul(self, rate: Rate) -> Option<Usd> {
        let scale = self.0.scale() + rate.as_decimal().scale();
        if let (Some(amount), Some(fraction)) = (small(self.0), small(rate.as_decimal()))
            && let (Some(product), true) = (amount.checked_mul(fraction), scale <= 18)
        {
            return Usd::of_units(product, scale);
        }
        self.mul_slowly(rate)
    }

    #[cold]
    #[inline(never)]
    fn mul_slowly(self, rate: Rate) -> Option<Usd> {
        self.0.checked_mul(rate.as_decimal()).and_then(|v| Usd::bounded(v).ok())
    }

    /// The part of it that `part` is of `whole`, not rounded; `None` when `whole` is zero or it does not fit.
    #[must_use]
    pub fn checked_share(self, part: Usd, whole: Usd) -> Option<Usd> {
        let product = self.0.checked_mul(part.0)?;
        product.checked_div(whole.0).and_then(|v| Usd::bounded(v).ok())
    }

    /// The sum of all, or `None` beyond [`Usd::MAX`].
    pub fn checked_sum(amounts: impl IntoIterator<Item = Usd>) -> Option<Usd> {
        amounts.into_iter().try_fold(Usd::ZERO, Usd::checked_add)
    }

    /// Rounded by the named rule.
    #[must_use]
    pub fn round(self, rounding: Rounding) -> Usd {
        let (scale, places) = (self.0.scale(), rounding.places());
        if scale <= places {
            return self;
        }
        if let (Some(units), Some(unit)) = (small(self.0), TENS.get((scale - places) as usize)) {
            let (whole, rest) = (units / unit, units % unit);
            return Usd(decimal(whole + rounding.step(rest, *unit), places));
        }
        self.round_slowly(rounding)
    }

    #[cold]
    #[inline(never)]
    fn round_slowly(self, rounding: Rounding) -> Usd {
        let places = rounding.places();
        let Some(unit) = WIDE_TENS.get((self.0.scale() - places) as usize) else {
            return Usd(self.0.round_dp_with_strategy(places, rounding.strategy()));
        };
        let units = self.0.mantissa();
        let (whole, rest) = (units / unit, units % unit);
        Usd(Decimal::from_i128_with_scale(whole + rounding.wide_step(rest, *unit), places))
    }

    /// The same size with the other sign.
    #[must_use]
    pub fn negated(self) -> Usd {
        if self.0.is_zero() { Usd::ZERO } else { Usd(-self.0) }
    }

    /// The size without the sign.
    #[must_use]
    pub fn abs(self) -> Usd {
        Usd(self.0.abs())
    }

    /// Whether it is exactly zero.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.0.is_zero()
    }

    /// Whether it is below zero.
    #[must_use]
    pub fn is_negative(self) -> bool {
        self.0.is_sign_negative() && !self.0.is_zero()
    }

    /// Whether it is a whole number of cents.
    #[must_use]
    pub fn is_whole_cents(self) -> bool {
        self.0.scale() <= 2 || self.0.normalize().scale() <= 2
    }

    /// With thousands separators and two decimals, as people read it: `1,250.50`.
    #[must_use]
    pub fn to_grouped(self) -> String {
        match written::quick(self.0, true) {
            Some(text) => text.as_str().to_owned(),
            None => typed::group(&self.to_string()),
        }
    }
}

/// The largest number that is no more than [`Usd::MAX`] whatever its scale.
const FEW_DIGITS: u64 = 999_999_999_999;

/// The powers of ten that fit.
const TENS: [i64; 19] = {
    let mut tens = [1; 19];
    let mut at = 1;
    while at < 19 {
        tens[at] = tens[at - 1] * 10;
        at += 1;
    }
    tens
};

/// [`Usd::MAX`] in cents.
const MAX_CENTS: i128 = 99_999_999_999_999;

/// The powers of ten of a decimal's scales.
const WIDE_TENS: [i128; 29] = {
    let mut tens = [1; 29];
    let mut at = 1;
    while at < 29 {
        tens[at] = tens[at - 1] * 10;
        at += 1;
    }
    tens
};

/// Whether `units` of ten to the minus `scale`, of 96 bits at most, are no more than [`Usd::MAX`] in size.
fn is_bounded(units: i128, scale: u32) -> bool {
    if units.unsigned_abs() <= u128::from(FEW_DIGITS) {
        return true;
    }
    let Some(more) = scale.checked_sub(2) else {
        let cents = units.abs() * if scale == 0 { 100 } else { 10 };
        return cents <= MAX_CENTS;
    };
    // Where the largest amount has no place among so many decimals, every number is below it.
    let most = WIDE_TENS.get(more as usize).and_then(|unit| unit.checked_mul(MAX_CENTS));
    most.is_none_or(|most| units.abs() <= most)
}

/// The digits of a number with so many decimals, which are at least its own.
fn wide_with_scale(value: Decimal, scale: u32) -> Option<i128> {
    value.mantissa().checked_mul(*WIDE_TENS.get((scale - value.scale()) as usize)?)
}

/// The digits of a number as an integer below 2^61, where the plain arithmetic of the processor is enough: sums
/// of two never overflow. It is exact, and what nearly every amount needs.
#[inline]
pub(crate) fn small(value: Decimal) -> Option<i64> {
    let digits = value.unpack();
    if digits.hi != 0 || digits.mid >= 1 << 29 {
        return None;
    }
    let units = i64::from(digits.mid) << 32 | i64::from(digits.lo);
    Some(if digits.negative { -units } else { units })
}

/// The same of a number with so many decimals, which are at least its own.
#[inline]
fn with_scale(value: Decimal, scale: u32) -> Option<i64> {
    let units = small(value)?;
    let more = scale - value.scale();
    if more == 0 {
        return Some(units);
    }
    let units = units.checked_mul(*TENS.get(more as usize)?)?;
    (units.unsigned_abs() < 1 << 61).then_some(units)
}

/// `units` with so many decimals, which are at most those of a [`Decimal`].
#[inline]
fn decimal(units: i64, scale: u32) -> Decimal {
    let size = units.unsigned_abs();
    let (low, high) = (size & u64::from(u32::MAX), size >> 32);
    Decimal::from_parts(low as u32, high as u32, 0, units < 0, scale)
}

/// At most 40 characters of what was found, for a message.
pub(crate) fn excerpt(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}

impl fmt::Display for Usd {
    /// Always at least two decimals, more only where the amount has more.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(text) = written::quick(self.0, false) {
            return f.write_str(text.as_str());
        }
        let mut value = self.0.normalize();
        if value.is_zero() {
            value = Decimal::ZERO;
        }
        if value.scale() < 2 {
            value.rescale(2);
        }
        write!(f, "{value}")
    }
}

impl fmt::Debug for Usd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} USD")
    }
}

impl FromStr for Usd {
    type Err = AmountError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Usd::parse(text)
    }
}

impl Serialize for Usd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Usd {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Usd::parse(&text).map_err(serde::de::Error::custom)
    }
}
