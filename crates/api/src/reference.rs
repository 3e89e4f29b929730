//! Reference data that the forms load before anything is typed.

use bordereau_contract::{Confidence, EventKind, SourceRef};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NamedCode {
    /// Code as it travels.
    pub code: String,
    /// Name as people read it.
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TransactionTypeInfo {
    /// Code such as `PN`.
    pub code: String,
    pub name: String,
    /// The amounts come back negative.
    pub credit: bool,
    /// Needs a transaction date of its own (everything but PN, PR and BD).
    pub needs_transaction_date: bool,
}

/// A line of business.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LineInfo {
    /// Generic code such as `GEN-1002`.
    pub code: String,
    pub name: String,
    /// Class such as `General liability`.
    pub class: String,
    /// What the trade calls it too, in lower case words without marks: `gl`, `d and o`.
    pub trade_words: Vec<String>,
}

/// A state, and what its form asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StateInfo {
    /// State code of two letters, such as `TX`.
    pub code: String,
    pub name: String,
    /// Asks for the address and municipality (Kentucky).
    pub asks_location: bool,
    /// Asks whether a commission is received (New Hampshire).
    pub asks_commission: bool,
    /// Has admitted business (Kentucky).
    pub asks_admitted: bool,
    /// Taxes the retail agent's fee and the surplus lines licensee's fee differently.
    pub asks_fee_charged_by: bool,
    /// Lines on which it matters how the insured holds the dwelling, by generic code.
    pub asks_occupancy_on: Vec<String>,
    /// Title of an assessment whose present rate was not found and may be entered, or null.
    pub assessment_title: Option<String>,
    /// Lines that the assessment is on, by generic code.
    pub asks_assessment_on: Vec<String>,
    /// Something in its rules is not sure: number of values that are not confirmed.
    pub unsure: u32,
    /// Taxing jurisdictions known for the municipality field (Kentucky), by name.
    pub municipalities: Vec<String>,
}

/// A field of an imported transaction: what a column of a file can be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ImportField {
    /// The contract's name.
    pub field: String,
    pub title: String,
    /// The heading of a narrow column.
    pub short_title: String,
    /// What kind of value it takes.
    #[ts(
        type = "'identifier' | 'text' | 'date' | 'amount' | 'flag' | 'code' | 'list' | 'shares' | 'percent'"
    )]
    pub kind: String,
    /// The most characters it takes.
    pub chars_max: u32,
    /// A value as the template shows it; empty where it shows none.
    pub example: String,
    /// The codes it takes, by name; empty where it takes any text.
    pub choices: Vec<FieldChoice>,
}

/// A code that a field takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FieldChoice {
    pub code: String,
    pub name: String,
    /// What the trade calls it too, in lower case words without marks.
    pub trade_words: Vec<String>,
}

/// Everything the forms need; asked once at start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReferenceData {
    /// Version of the application.
    pub version: String,
    /// Today in the person's time zone, `yyyy-mm-dd`.
    pub today: String,
    /// Day the rules in use were checked, `yyyy-mm-dd`.
    pub rules_checked: String,
    /// Their version: the day of the newest change and how many changes that day has, `2026-11-22.34`.
    pub rules_version: String,
    /// Whether they come from a rules pack; else they are the built-in ones.
    pub rules_from_pack: bool,
    /// The 53 jurisdictions by name.
    pub states: Vec<StateInfo>,
    /// Transaction types in the contract's order.
    pub transaction_types: Vec<TransactionTypeInfo>,
    pub entity_types: Vec<NamedCode>,
    /// Who may charge the agency fee.
    pub fee_chargers: Vec<NamedCode>,
    /// How a dwelling may be held.
    pub occupancies: Vec<NamedCode>,
    /// Who charges the agency fee where a quote does not say, as the active profile remembers; empty for nobody.
    pub fee_charged_by: String,
    /// Lines of business: built in, or the profile's own table.
    pub lines: Vec<LineInfo>,
    /// Fields of an imported transaction, in the template's order.
    pub import_fields: Vec<ImportField>,
    /// Endings of the names of files with transactions, in lower case.
    pub table_endings: Vec<String>,
    /// Into how many fields a column can be split at most.
    pub column_parts_max: u32,
    /// Where the lines come from: `built in` or the file's name.
    pub lines_source: String,
    /// Kinds of events in the contract's order; all others last.
    pub event_kinds: Vec<EventKindInfo>,
    /// Paths of the service where a profile names no others: the contract's own.
    pub service_paths: DefaultPaths,
}

/// The contract's paths, each by the name of its setting in a profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DefaultPaths {
    pub token_path: String,
    pub calculator_path: String,
    pub import_path: String,
    pub results_path: String,
    pub search_path: String,
    pub status_path: String,
    pub documents_path: String,
    pub forms_path: String,
    pub single_path: String,
    pub webhooks_path: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EventKindInfo {
    pub kind: EventKind,
    /// As it travels; empty for other events.
    pub identifier: String,
    /// For people.
    pub title: String,
}

/// One change of the tax rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RuleChangeView {
    /// Day it was published, `yyyy-mm-dd`.
    pub published: String,
    /// Two letters of each state concerned.
    pub states: Vec<String>,
    /// First day of the policies or transactions concerned; none for no first day.
    pub from: Option<String>,
    /// Last day; none for no last day.
    pub until: Option<String>,
    /// What changed, in plain text.
    pub text: String,
}

/// The changes of the tax rules, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RuleChanges {
    pub changes: Vec<RuleChangeView>,
}

/// Rates of the rules in use, seen from a day.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct RatesRequest {
    /// Two letters; empty for all states.
    pub state: String,
    /// `yyyy-mm-dd` or as people write it; empty for today.
    pub on: String,
}

/// Where a value is in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RatePeriod {
    /// It no longer holds.
    Past,
    /// It holds on the day.
    Current,
    /// It begins later.
    Coming,
}

/// One value of a charge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RateView {
    /// Title of the charge.
    pub charge: String,
    /// `4.85%` or `$2.00`.
    pub rate: String,
    /// What it falls on, and how.
    pub basis: String,
    /// Where it is in time.
    pub standing: RatePeriod,
    /// First day, `yyyy-mm-dd`; null where the start was not found.
    pub from: Option<String>,
    /// The first day a source shows it, where its start was not found.
    pub known_from: Option<String>,
    /// Last day; null where no end is known.
    pub until: Option<String>,
    /// Which day of a transaction it is looked up by.
    pub dated_by: String,
    /// Remark on the value; empty for none.
    pub note: String,
    pub sureness: Confidence,
    /// How sure it is, in words.
    pub checked: String,
    /// Where it is from.
    pub sources: Vec<SourceRef>,
}

/// A rule beside the rates: which fees are taxed, limits, exemptions, what is not charged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RateRemarkView {
    /// What it is about.
    pub title: String,
    /// The rule in words.
    pub text: String,
    pub sureness: Confidence,
    /// How sure it is, in words.
    pub checked: String,
    /// Where it is from.
    pub sources: Vec<SourceRef>,
}

/// What a state charges.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StateRatesView {
    /// Two letters.
    pub state: String,
    pub name: String,
    /// Day its rules were checked, `yyyy-mm-dd`.
    pub checked_on: String,
    /// Values charge by charge, oldest first.
    pub rates: Vec<RateView>,
    /// The other rules.
    pub remarks: Vec<RateRemarkView>,
}

/// Rates of the rules in use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RateList {
    /// The day they are seen from, `yyyy-mm-dd`.
    pub on: String,
    pub rules_version: String,
    /// Whether they come from a rules pack; else they are the built-in ones.
    pub rules_from_pack: bool,
    /// The states, by name.
    pub states: Vec<StateRatesView>,
}
