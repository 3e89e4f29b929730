//! Rule files: one per jurisdiction, read and checked once.

mod file;
mod load;
mod model;
mod rate_series;
mod stamps_and_documents;
mod values;
mod wire_form;

pub use load::parse;
pub use rate_series::SeriesProblem;
pub use values::RuleProblem;

pub(crate) use load::read;

pub(crate) use model::{
    AgencyFee, CapAlternative, CapScope, CreditRule, Exemption, FeeCap, FeeRule, LineSelection, RatedCharge,
    StateRules,
};
pub(crate) use rate_series::{DatedRate, RateLookup, RateValue};
