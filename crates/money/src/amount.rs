//! An amount in US dollars.

use std::fmt;
use std::str::FromStr;

use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::rounding::HALF_UP;
use crate::{Rate, Rounding, amount_text};

/// An amount in US dollars: an exact decimal of at most [`Usd::MAX`] in size.
///
/// It serialises as text (`"1250.50"`), which is how amounts travel between the core and the UI; the
/// wire of the service uses JSON numbers, see [`crate::json_number`].
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Usd(Decimal);

/// [`Usd::MAX`] in cents.
const CENTS_MAX: u128 = Usd::MAX.0.mantissa().unsigned_abs();

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
            return Err(AmountError::NotAnAmount(message_excerpt(text)));
        }
        let value = Decimal::from_str_exact(text).map_err(|_| AmountError::TooLarge)?;
        Usd::check_bounds(value)
    }

    /// Reads an amount as a person types it in the United States: `1,250.50`, `$900`, `(42.10)`,
    /// ` 900 USD`, see [`crate::strip_sign`]. At most two decimals; separators must stand at thousands.
    ///
    /// # Errors
    /// [`AmountError`] when the text is not such an amount; it is never guessed at.
    pub fn parse_typed(text: &str) -> Result<Usd, AmountError> {
        amount_text::parse(text)
    }

    pub(crate) fn check_bounds(value: Decimal) -> Result<Usd, AmountError> {
        // So many cents are within the bound, and fractions of a cent are fewer.
        let is_small = value.scale() >= 2 && value.mantissa().unsigned_abs() <= CENTS_MAX;
        if is_small || value.abs() <= Usd::MAX.0 { Ok(Usd(value)) } else { Err(AmountError::TooLarge) }
    }

    /// The exact decimal behind the amount.
    #[must_use]
    pub fn as_decimal(self) -> Decimal {
        self.0
    }

    /// The sum, or `None` beyond [`Usd::MAX`].
    #[must_use]
    pub fn checked_add(self, other: Usd) -> Option<Usd> {
        // Of what is added up, most is zero: a state has few of the charges.
        if other.is_zero() || self.is_zero() {
            return Some(if other.is_zero() { self } else { other });
        }
        self.0.checked_add(other.0).and_then(|sum| Usd::check_bounds(sum).ok())
    }

    /// The difference, or `None` beyond [`Usd::MAX`].
    #[must_use]
    pub fn checked_sub(self, other: Usd) -> Option<Usd> {
        self.0.checked_sub(other.0).and_then(|difference| Usd::check_bounds(difference).ok())
    }

    /// The product with a rate, not rounded; `None` when it no longer fits.
    #[must_use]
    pub fn checked_mul(self, rate: Rate) -> Option<Usd> {
        self.0.checked_mul(rate.as_decimal()).and_then(|product| Usd::check_bounds(product).ok())
    }

    /// The part of it that `part` is of `whole`, not rounded; `None` when `whole` is zero or it does not fit.
    #[must_use]
    pub fn checked_share(self, part: Usd, whole: Usd) -> Option<Usd> {
        let product = self.0.checked_mul(part.0)?;
        product.checked_div(whole.0).and_then(|v| Usd::check_bounds(v).ok())
    }

    /// The sum of all, or `None` beyond [`Usd::MAX`].
    pub fn checked_sum(amounts: impl IntoIterator<Item = Usd>) -> Option<Usd> {
        amounts.into_iter().try_fold(Usd::ZERO, Usd::checked_add)
    }

    /// Rounded by the named rule.
    #[must_use]
    pub fn round(self, rounding: Rounding) -> Usd {
        Usd(self.0.round_dp_with_strategy(rounding.decimal_places(), HALF_UP))
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

    /// In cents; `None` where a part of a cent is in it.
    #[must_use]
    pub fn to_cents(self) -> Option<i64> {
        if self.0.scale() == 2 {
            return i64::try_from(self.0.mantissa()).ok();
        }
        let cents = self.0.checked_mul(Decimal::ONE_HUNDRED)?.normalize();
        (cents.scale() == 0).then(|| i64::try_from(cents.mantissa()).ok()).flatten()
    }

    /// With thousands separators and two decimals, as people read it: `1,250.50`.
    #[must_use]
    pub fn to_grouped(self) -> String {
        amount_text::add_separators(&self.to_string())
    }
}

/// At most 40 characters of what was found, for a message.
pub(crate) fn message_excerpt(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}

impl fmt::Display for Usd {
    /// Always at least two decimals, more only where the amount has more.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Nearly all amounts are of cents.
        if self.0.scale() == 2 && !self.0.is_zero() {
            let (sign, cents) = (if self.is_negative() { "-" } else { "" }, self.0.mantissa().unsigned_abs());
            return write!(f, "{sign}{}.{:02}", cents / 100, cents % 100);
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
