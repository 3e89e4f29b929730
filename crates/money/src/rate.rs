//! A rate as a fraction: 0.0485 is 4.85%.

use std::fmt;
use std::str::FromStr;

use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A rate as a decimal fraction between 0 and 1: `0.0485` is 4.85%.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(Decimal);

/// Why a text is not a rate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a rate; a fraction between 0 and 1 is expected, such as 0.0485")]
pub struct RateError(String);

/// Why a text is not a percent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a percent; a number from 0 to 100 is expected, such as 6 or 6.25%")]
pub struct PercentError(String);

impl Rate {
    /// No charge at all.
    pub const ZERO: Rate = Rate(Decimal::ZERO);
    /// The whole: 100%.
    pub const ONE: Rate = Rate(Decimal::ONE);

    /// Reads a fraction between 0 and 1.
    ///
    /// # Errors
    /// [`RateError`] for anything else; a percent such as `4.85` is refused rather than guessed at.
    pub fn parse(text: &str) -> Result<Rate, RateError> {
        let error = || RateError(text.chars().take(40).collect());
        let value = Decimal::from_str_exact(text).map_err(|_| error())?;
        Rate::bounded(value).ok_or_else(error)
    }

    /// A fraction from 0 to 1 with at most eight decimals.
    pub(crate) fn bounded(value: Decimal) -> Option<Rate> {
        let is_rate = value >= Decimal::ZERO && value <= Decimal::ONE && value.normalize().scale() <= 8;
        is_rate.then_some(Rate(value))
    }

    /// Reads a percent as people type it: `6`, `6%`, `6.25%`. Nothing is rounded, and `0.06` is 0.06%.
    ///
    /// # Errors
    /// [`PercentError`] for anything else.
    pub fn parse_percent(text: &str) -> Result<Rate, PercentError> {
        let error = || PercentError(text.trim().chars().take(40).collect());
        let digits = text.trim().trim_end_matches('%').trim_end();
        if digits.len() > 12 || !digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
            return Err(error());
        }
        let percent = Decimal::from_str_exact(digits).map_err(|_| error())?;
        percent.checked_div(Decimal::ONE_HUNDRED).and_then(Rate::bounded).ok_or_else(error)
    }

    /// Millionths of a percent: `6_250_000` is 6.25%. `None` beyond 100%.
    #[must_use]
    pub fn from_percent_millionths(millionths: u32) -> Option<Rate> {
        Rate::bounded(Decimal::new(i64::from(millionths), 8))
    }

    /// Whole percents, at most 100: `percents(15)` is 0.15.
    #[must_use]
    pub fn percents(percents: u8) -> Rate {
        Rate(Decimal::new(i64::from(percents.min(100)), 2))
    }

    /// Whether it is the whole: 100%.
    #[must_use]
    pub fn is_whole(self) -> bool {
        self == Rate::ONE
    }

    /// The fraction.
    #[must_use]
    pub fn as_decimal(self) -> Decimal {
        self.0
    }

    /// The same rate in percent: 0.0485 gives 4.85.
    #[must_use]
    pub fn percent(self) -> Decimal {
        (self.0 * Decimal::ONE_HUNDRED).normalize()
    }

    /// The difference, zero where the other is larger.
    #[must_use]
    pub fn saturating_sub(self, other: Rate) -> Rate {
        if other.0 >= self.0 { Rate::ZERO } else { Rate(self.0 - other.0) }
    }

    /// The product of two rates, for a rate on a portion of a premium.
    #[must_use]
    pub fn checked_mul(self, other: Rate) -> Option<Rate> {
        self.0.checked_mul(other.0).map(Rate)
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.normalize())
    }
}

impl fmt::Debug for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.percent())
    }
}

impl FromStr for Rate {
    type Err = RateError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Rate::parse(text)
    }
}

impl Serialize for Rate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Rate::parse(&text).map_err(serde::de::Error::custom)
    }
}
