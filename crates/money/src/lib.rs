//! Amounts in US dollars and rates as exact decimals.
//!
//! Nothing here touches a float, a clock or the outside world. An amount is parsed from text or from
//! the digits of a JSON number, arithmetic is checked, and rounding always names its unit.

mod amount;
mod amount_text;
mod rate;
mod rounding;
#[cfg(feature = "schema")]
mod schema;
mod wire;

pub use amount::{AmountError, Usd};
pub use amount_text::{group_digits, strip_sign};
pub use rate::{PercentError, Rate, RateError};
pub use rounding::Rounding;
pub use wire::{json_number, json_number_option, json_percent_option, json_rate_option, means_none};
