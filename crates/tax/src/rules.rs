//! Rule files: one per jurisdiction, read and checked once.

mod accompanying;
mod dated;
mod file;
mod load;
mod model;
mod wire_form;

pub use dated::SeriesProblem;
pub use load::{RuleProblem, parse};

pub(crate) use load::read;

pub(crate) use dated::{DatedRate, Lookup, Value};
pub(crate) use model::{
    AgencyFee, Cap, CapAlternative, Credit, Exemption, FeeRule, RatedCharge, Scope, Selection, StateRules,
};
