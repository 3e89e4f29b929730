//! How an amount is rounded: the unit and the mode are always said together.

use rust_decimal::RoundingStrategy;
use serde::{Deserialize, Serialize};

/// The unit an amount is rounded to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoundingUnit {
    /// One cent, 0.01 USD.
    Cent,
    /// One dollar.
    Dollar,
}

/// What happens between two units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoundingMode {
    /// Half away from zero, so that a credit is the exact negative of its charge.
    HalfUp,
    /// Away from zero, whatever the remainder (the contract's `round_up_...` flags).
    Up,
}

/// A rounding rule: unit and mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Rounding {
    /// The unit rounded to.
    pub unit: RoundingUnit,
    /// What happens between two units.
    pub mode: RoundingMode,
}

impl Rounding {
    /// To the cent, half up: the rule wherever a state says nothing else.
    pub const CENT: Rounding = Rounding { unit: RoundingUnit::Cent, mode: RoundingMode::HalfUp };
    /// To the whole dollar, half up (Illinois).
    pub const DOLLAR: Rounding = Rounding { unit: RoundingUnit::Dollar, mode: RoundingMode::HalfUp };
    /// To the next whole dollar.
    pub const DOLLAR_UP: Rounding = Rounding { unit: RoundingUnit::Dollar, mode: RoundingMode::Up };

    pub(crate) const fn decimal_places(self) -> u32 {
        match self.unit {
            RoundingUnit::Cent => 2,
            RoundingUnit::Dollar => 0,
        }
    }

    pub(crate) const fn decimal_strategy(self) -> RoundingStrategy {
        match self.mode {
            RoundingMode::HalfUp => RoundingStrategy::MidpointAwayFromZero,
            RoundingMode::Up => RoundingStrategy::AwayFromZero,
        }
    }
}
