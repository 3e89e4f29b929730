//! The surplus lines tax calculator: dated, cited rules as data, and an answer that explains itself.
//!
//! Pure: no IO, no clock, no environment, no randomness, no floats. The caller says what day it is.

mod answer;
mod calculate;
mod csv;
mod documents;
mod explanation;
mod input;
mod kentucky;
mod lines;
mod notes;
mod rates_page;
mod rule_changes;
mod rulebook;
mod rules;
mod trace;

pub use answer::{
    Amounts, Checked, Confidence, CountyOrCity, LineResult, Note, NoteLevel, Quote, Source, StampWording,
    Text, Titles,
};
pub use calculate::Reckoning;
pub use csv::TableProblem;
pub use documents::Documents;
pub use explanation::{Explanation, Waived};
pub use input::{FeeChargedBy, Input, InputProblem, LineInput, Location, Occupancy, RiskDetails};
pub use kentucky::{Category, KentuckyTable, LocalRate, Municipality};
pub use lines::{Class, Line, LineNames, LinesTable, UnknownClass};
pub use notes::Notes;
pub use rates_page::rates_page;
pub use rule_changes::{RuleChange, rule_changes};
pub use rulebook::{Local, RuleBook, StateSummary};
pub use rules::{RuleProblem, SeriesProblem, parse as check_rule_file};
pub use trace::{Basis, ChargeRule, ChargeTrace, ChargedLines};
