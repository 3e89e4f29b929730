//! How an amount is rounded: the unit and the mode are always said together.

use rust_decimal::RoundingStrategy;
use serde::{Deserialize, Serialize};

/// The unit an amount is rounded to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// One cent, 0.01 USD.
    Cent,
    /// One dollar.
    Dollar,
}

/// What happens between two units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Half away from zero, so that a credit is the exact negative of its charge.
    HalfUp,
    /// Away from zero, whatever the remainder (the contract's `round_up_...` flags).
    Up,
}

/// A rounding rule: unit and mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Rounding {
    /// The unit rounded to.
    pub unit: Unit,
    /// What happens between two units.
    pub mode: Mode,
}

impl Rounding {
    /// To the cent, half up: the rule wherever a state says nothing else.
    pub const CENT: Rounding = Rounding { unit: Unit::Cent, mode: Mode::HalfUp };
    /// To the whole dollar, half up (Illinois).
    pub const DOLLAR: Rounding = Rounding { unit: Unit::Dollar, mode: Mode::HalfUp };
    /// To the next whole dollar.
    pub const DOLLAR_UP: Rounding = Rounding { unit: Unit::Dollar, mode: Mode::Up };

    pub(crate) const fn places(self) -> u32 {
        match self.unit {
            Unit::Cent => 2,
            Unit::Dollar => 0,
        }
    }

    pub(crate) const fn strategy(self) -> RoundingStrategy {
        match self.mode {
            Mode::HalfUp => RoundingStrategy::MidpointAwayFromZero,
            Mode::Up => RoundingStrategy::AwayFromZero,
        }
    }
}
