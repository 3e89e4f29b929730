//! What the calculator answers: amounts on the contract's fields, and the trace of every charge.

use std::sync::Arc;

use bordereau_contract::{StateDocument, TaxRule};
use bordereau_money::{Rate, Rounding, Usd};
use jiff::civil::Date;
use serde::{Serialize, Serializer};

use crate::Explanation;
use crate::explanation::cents;

/// Text of a rule file: shared with the rule, so that an answer copies no text.
pub type Text = Arc<str>;

/// Writes shared text as the text it is.
pub(crate) fn plain<S: Serializer>(text: &Text, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text)
}

fn plain_list<S: Serializer>(texts: &Arc<[Text]>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(texts.iter().map(|text| &**text))
}

fn sources_list<S: Serializer>(sources: &Arc<[Source]>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(sources.iter())
}

fn plain_option<S: Serializer>(text: &Option<Text>, serializer: S) -> Result<S::Ok, S::Error> {
    text.as_deref().serialize(serializer)
}

/// The contract's field a charge falls on (section 2; the mapping is ours, see `docs/contract.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the contract's own names")]
pub enum Field {
    SlTax,
    StampingFee,
    SlServiceCharge,
    FmTax,
    EmpaTax,
    MunicipalFee,
    CountyFee,
    CollectionFee,
    PremiumTax,
    PremiumTaxLife,
}

/// How sure a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Confirmed by a page of the current or the previous year.
    Confirmed,
    /// Announced, not yet in force when checked.
    Announced,
    /// Only an older page was found.
    Older,
    /// Sources disagree.
    Conflicting,
    /// Looked for and not found: nothing is charged on a guess.
    NotFound,
}

/// How sure a value is, and the words for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// The grade.
    pub level: Confidence,
    /// In words, such as `confirmed 2026`.
    #[serde(serialize_with = "plain")]
    pub text: Text,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Source {
    /// Statute, bulletin or page.
    #[serde(serialize_with = "plain")]
    pub title: Text,
    /// Its address.
    #[serde(serialize_with = "plain")]
    pub url: Text,
}

/// What a charge is computed on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Basis {
    /// The premium in it, USD.
    pub premium: Usd,
    /// The agency fee in it, USD; zero where it is not taxable.
    pub agency_fee: Usd,
    /// The inspection fee in it, USD; zero where it is not taxable.
    pub inspection_fee: Usd,
    /// The portion of the premium that counts; 1 for the whole.
    pub portion: Rate,
    /// What the rate is applied to, USD: portion of premium, plus fees.
    pub total: Usd,
    /// In words, such as `premium and both fees`.
    #[serde(serialize_with = "plain")]
    pub text: Text,
}

impl Basis {
    /// In few words, for a table: `premium 2,800.00`, `40 % of premium 2,000.00`,
    /// `10,071.42 = premium + taxable fees`. The parts in figures stand in the charge's explanation.
    #[must_use]
    pub fn brief(&self) -> String {
        let portion = (self.portion != Rate::ONE).then(|| format!("{} % of ", self.portion.percent()));
        let portion = portion.unwrap_or_default();
        let (premium, agency, inspection) =
            (!self.premium.is_zero(), !self.agency_fee.is_zero(), !self.inspection_fee.is_zero());
        let fees = match (agency, inspection) {
            (true, true) => "taxable fees",
            (true, false) => "agency fee",
            (false, true) => "inspection fee",
            (false, false) => "",
        };
        match (premium, fees, agency && inspection) {
            (false, "", _) => self.text.to_string(),
            (true, "", _) => format!("{portion}premium {}", cents(self.premium)),
            (true, fees, _) => format!("{} = {portion}premium + {fees}", cents(self.total)),
            (false, fees, true) => format!("{} = {fees}", cents(self.total)),
            (false, fees, false) => format!("{fees} {}", cents(self.total)),
        }
    }

    /// Premium and fees, where more than one of them is in it.
    pub(crate) fn sum(&self) -> Option<(Usd, Usd, Usd)> {
        let parts = [self.premium, self.agency_fee, self.inspection_fee];
        let several = parts.iter().filter(|part| !part.is_zero()).count() > 1;
        (several && self.portion == Rate::ONE).then_some(parts.into())
    }
}

/// One charge with everything that explains it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChargeTrace {
    /// Kind as in the rule file, such as `premium_tax`.
    #[serde(serialize_with = "plain")]
    pub kind: Text,
    /// The contract's field it falls on.
    pub field: Field,
    /// The state's title, or the plain English one.
    #[serde(serialize_with = "plain")]
    pub title: Text,
    /// Codes of the lines it is charged on.
    #[serde(serialize_with = "plain_list")]
    pub lines: Arc<[Text]>,
    /// What it is computed on.
    pub basis: Basis,
    /// Rate as a fraction, for a percentage.
    pub rate: Option<Rate>,
    /// Amount in USD, for a flat charge.
    pub flat: Option<Usd>,
    /// Rounding applied.
    pub rounding: Rounding,
    /// Before rounding, USD; negative for a credit.
    pub unrounded: Usd,
    /// The charge, USD; negative for a credit.
    pub amount: Usd,
    /// In force from this day; `None` when the start was not found.
    pub from: Option<Date>,
    /// In force until this day, inclusive; `None` without a known end.
    pub until: Option<Date>,
    /// The date the rate was looked up by.
    pub dated: Date,
    /// Which date that is and why, such as `policy effective date; an endorsement keeps its policy's rate`.
    #[serde(serialize_with = "plain")]
    pub dated_by: Text,
    /// Where it comes from.
    #[serde(serialize_with = "sources_list")]
    pub sources: Arc<[Source]>,
    /// How sure it is.
    pub checked: Checked,
    /// One line that recomputes it: `2,800.00 × 3.5 % = 98.00, to the dollar, half up`.
    pub explanation: Explanation,
    /// A remark of the rule file.
    #[serde(serialize_with = "plain_option")]
    pub note: Option<Text>,
}

/// Severity of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteLevel {
    /// For information.
    Info,
    /// To be looked at before filing.
    Warning,
}

/// A note on the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    /// Severity.
    pub level: NoteLevel,
    /// A stable code, such as `outside_kept_years` or `rate_conflicting`.
    #[serde(serialize_with = "plain")]
    pub code: Text,
    /// Plain text.
    #[serde(serialize_with = "plain")]
    pub text: Text,
    /// Where it comes from.
    pub source: Option<Source>,
}

impl Note {
    pub(crate) fn new(level: NoteLevel, code: &str, text: &str, source: Option<&Source>) -> Arc<Note> {
        Arc::new(Note { level, code: code.into(), text: text.into(), source: source.cloned() })
    }
}

/// Stamp wording of a state. `text` is plain text, paragraphs separated by a blank line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
    pub source: Option<Source>,
    pub checked: Checked,
}

/// What a line of business resolved to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineResult {
    /// Generic code.
    #[serde(serialize_with = "plain")]
    pub generic_code: Text,
    /// Name.
    #[serde(serialize_with = "plain")]
    pub name: Text,
    /// The state's own code, where known.
    #[serde(serialize_with = "plain_option")]
    pub state_code: Option<Text>,
    /// Premium, USD; negative for a credit.
    pub premium: Usd,
    /// Fire marshal rate of the line as a fraction, portion included; `None` where there is none.
    pub fm_tax: Option<Rate>,
}

/// Whether a local jurisdiction is a city or a county.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CountyOrCity {
    /// A city or urban-county.
    City,
    /// A county.
    County,
}

/// The titles of the contract's fields in this state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "one per field of the contract")]
pub struct Titles {
    pub sl_tax: String,
    pub stamping_fee: String,
    pub sl_service_charge: String,
    pub fm_tax: String,
    pub empa_tax: String,
    pub municipal_fee: String,
    pub county_fee: String,
    pub collection_fee: String,
    pub premium_tax: String,
    pub premium_tax_life: String,
}

/// Amounts on the contract's fields, USD; negative for a credit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the contract's own names, section 2")]
pub struct Amounts {
    pub premium: Usd,
    pub agency_fee: Usd,
    pub inspection_fee: Usd,
    pub sl_tax: Usd,
    pub stamping_fee: Usd,
    pub sl_service_charge: Usd,
    pub fm_tax: Usd,
    pub empa_tax: Usd,
    /// `None` where the state has no local tax, or none was matched.
    pub municipal_fee: Option<Usd>,
    pub county_fee: Option<Usd>,
    pub collection_fee: Usd,
    /// Kentucky admitted only.
    pub premium_tax: Option<Usd>,
    /// Kentucky admitted only; not part of the total (it applies to life business instead of `premium_tax`).
    pub premium_tax_life: Option<Usd>,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// Amounts on the contract's fields.
    pub amounts: Amounts,
    /// Premium, fees and all charges: the sum of what is shown.
    pub total: Usd,
    /// Every charge, in the order it is shown.
    pub charges: Vec<ChargeTrace>,
    /// The lines as resolved.
    pub lines: Vec<LineResult>,
    /// Titles of the fields.
    pub titles: Arc<Titles>,
    /// Whether the agency fee is taxed in the state; `None` when that was not found.
    pub agency_fee_taxable: Option<bool>,
    /// The same for the inspection fee.
    pub inspection_fee_taxable: Option<bool>,
    /// Notes: state facts, warnings, what is not sure.
    pub notes: Vec<Arc<Note>>,
    /// Stamp wordings; the first applies, others are alternatives.
    pub stamps: Arc<[StampWording]>,
    /// Documents that apply to this transaction.
    pub documents: Vec<Arc<StateDocument>>,
    /// The rule in the contract's form (notes and documents left empty here; the service fills them).
    pub tax_rule: Arc<TaxRule>,
    /// Local jurisdictions matched: name, category, city or county.
    pub local: Vec<(Text, &'static str, CountyOrCity)>,
}
