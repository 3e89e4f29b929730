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
mod premium_search;
mod rate_list;
mod rates_page;
mod rule_changes;
mod rulebook;
mod rules;
mod trace;
mod worked_examples;

pub use answer::{
    Confidence, ConfidenceNote, CountyOrCity, FieldTitles, LineResult, NoteLevel, Quote, QuoteAmounts,
    QuoteNote, RuleSource, RuleText, StampWording,
};
pub use calculate::TaxCalculation;
pub use csv::TableProblem;
pub use documents::ApplicableDocuments;
pub use explanation::{ChargeExplanation, WaiverReason};
pub use input::{FeeChargedBy, InputProblem, LineInput, Occupancy, QuoteInput, RiskDetails, RiskLocation};
pub use kentucky::{KentuckyTable, LocalRate, Municipality, TaxCategory};
pub use lines::{BusinessLine, Class, LineNames, LinesTable, UnknownClass};
pub use notes::QuoteNotes;
pub use premium_search::{PremiumForTotal, PricedPremium};
pub use rate_list::{RateLine, RateRemark, RateTime, StateRates};
pub use rates_page::rates_page;
pub use rule_changes::{BUILTIN_CHANGES, RuleChange, rule_changes};
pub use rulebook::{LocalTables, RuleBook, StateSummary};
pub use rules::{RuleProblem, SeriesProblem, parse as check_rule_file};
pub use trace::{ChargeBasis, ChargeRule, ChargeTrace, ChargedLines};
pub use worked_examples::{BUILTIN_EXAMPLES, check_worked_examples};
