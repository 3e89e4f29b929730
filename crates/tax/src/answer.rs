//! What the calculator answers: amounts on the contract's fields, and the trace of every charge.

use std::ops::Deref;
use std::sync::Arc;

pub use bordereau_contract::Confidence;
use bordereau_contract::{Charge, ChargeAmounts, TaxRule};
use bordereau_money::{Rate, Usd};
use serde::Deserialize;

use crate::{ApplicableDocuments, ChargeTrace, LineNames, QuoteNotes};

/// Text of a rule file: shared with the rule, so that an answer copies no text.
pub type RuleText = Arc<str>;

/// How sure a value is, and the words for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfidenceNote {
    /// The grade.
    pub level: Confidence,
    /// In words, such as `confirmed 2026; 2 sources`.
    pub text: RuleText,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSource {
    /// Statute, bulletin or page.
    pub title: RuleText,
    /// Its address; empty for a private source, which has none.
    pub url: RuleText,
}

/// Severity of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteLevel {
    /// For information.
    Info,
    /// To be looked at before filing.
    Warning,
}

/// A note on the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuoteNote {
    /// Severity.
    pub level: NoteLevel,
    /// A stable code, such as `outside_kept_years` or `rate_conflicting`.
    pub code: RuleText,
    /// Plain text.
    pub text: RuleText,
    /// Where it comes from.
    pub source: Option<RuleSource>,
}

impl QuoteNote {
    pub(crate) fn new(
        level: NoteLevel,
        code: &str,
        text: &str,
        source: Option<&RuleSource>,
    ) -> Arc<QuoteNote> {
        QuoteNote::new_shared(level, code.into(), text.into(), source)
    }

    pub(crate) fn new_shared(
        level: NoteLevel,
        code: RuleText,
        text: RuleText,
        source: Option<&RuleSource>,
    ) -> Arc<QuoteNote> {
        Arc::new(QuoteNote { level, code, text, source: source.cloned() })
    }
}

/// Stamp wording of a state. `text` is plain text, paragraphs separated by a blank line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract's own names, section 2")]
pub struct StampWording {
    pub text: String,
    pub instructions: Option<String>,
    pub font_size: Option<u32>,
    pub bold: bool,
    pub italics: bool,
    pub color: Option<String>,
    /// `wording` or `template`.
    pub kind: String,
    pub updated_at: Option<String>,
    pub source: Option<RuleSource>,
    pub checked: ConfidenceNote,
}

/// What a line of business resolved to; its names are read through [`Deref`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineResult {
    /// Its names in this state.
    pub names: Arc<LineNames>,
    /// Premium, USD; negative for a credit.
    pub premium: Usd,
    /// Fire marshal rate of the line as a fraction, portion included; `None` where there is none.
    pub fm_tax: Option<Rate>,
}

impl Deref for LineResult {
    type Target = LineNames;

    fn deref(&self) -> &LineNames {
        &self.names
    }
}

/// Whether a local jurisdiction is a city or a county.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CountyOrCity {
    /// A city or urban-county.
    City,
    /// A county.
    County,
}

/// The titles of the charges in this state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldTitles(pub(crate) [String; Charge::COUNT]);

impl FieldTitles {
    /// The title of a charge.
    pub fn of(&self, charge: Charge) -> &str {
        &self.0[charge as usize]
    }
}

/// Premium and charges, USD; negative for a credit. A charge that only some states have is `None` elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuoteAmounts {
    /// Premium, USD.
    pub premium: Usd,
    /// Every charge.
    pub charges: ChargeAmounts,
}

impl Default for QuoteAmounts {
    fn default() -> QuoteAmounts {
        let mut charges = ChargeAmounts::default();
        for charge in Charge::ALL.into_iter().filter(|charge| !charge.is_optional()) {
            charges.set(charge, Usd::ZERO);
        }
        QuoteAmounts { premium: Usd::ZERO, charges }
    }
}

impl QuoteAmounts {
    /// The amount of a charge, USD; zero where the state has no such charge.
    pub fn of(&self, charge: Charge) -> Usd {
        self.charges.get(charge).unwrap_or_default()
    }
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// Amounts on the contract's fields.
    pub amounts: QuoteAmounts,
    /// Premium, fees and all charges: the sum of what is shown.
    pub total: Usd,
    /// Every charge, in the order it is shown.
    pub charges: Vec<ChargeTrace>,
    /// The lines as resolved.
    pub lines: Arc<[LineResult]>,
    /// Titles of the fields.
    pub titles: Arc<FieldTitles>,
    /// Whether the agency fee is taxed in the state; `None` when that was not found.
    pub agency_fee_taxable: Option<bool>,
    /// The same for the inspection fee.
    pub inspection_fee_taxable: Option<bool>,
    /// Notes: state facts, warnings, what is not sure.
    pub notes: QuoteNotes,
    /// Stamp wordings; the first applies, others are alternatives.
    pub stamps: Arc<[StampWording]>,
    /// Documents that apply to this transaction.
    pub documents: ApplicableDocuments,
    /// The rule in the contract's form (notes and documents left empty here; the service fills them).
    pub tax_rule: Arc<TaxRule>,
    /// Local jurisdictions matched: name, category, city or county.
    pub local: Vec<(RuleText, &'static str, CountyOrCity)>,
}
