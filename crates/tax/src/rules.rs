//! Rule files: one per jurisdiction, read and checked once.

mod stamps_and_documents;
mod rate_series;
mod file;
mod load;
mod model;
mod wire_form;

pub use rate_series::SeriesProblem;
pub use load::{RuleProblem, parse};

pub(crate) use load::read;

pub(crate) use rate_series::{DatedRate, RateLookup, RateValue};
pub(crate) use model::{
    AgencyFee, FeeCap, CapAlternative, CreditRule, Exemption, FeeRule, RatedCharge, CapScope, LineSelection, StateRules,
};
