//! The unit that an amount is rounded to.

use rust_decimal::RoundingStrategy;
use serde::Deserialize;

/// Half away from zero, so that a credit is the exact negative of its charge.
pub(crate) const HALF_UP: RoundingStrategy = RoundingStrategy::MidpointAwayFromZero;

/// The unit that an amount is rounded to, half up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rounding {
    /// To the cent: the rule wherever a state says nothing else.
    Cent,
    /// To the whole dollar (Illinois).
    Dollar,
}

impl Rounding {
    pub(crate) const fn decimal_places(self) -> u32 {
        match self {
            Rounding::Cent => 2,
            Rounding::Dollar => 0,
        }
    }
}
