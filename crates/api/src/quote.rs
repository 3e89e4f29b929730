//! Quotes: the question as typed, the answer with its explanation.

use bordereau_contract::{Confidence, SourceRef};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::FormPage;

/// A line as typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct QuoteLine {
    pub code: String,
    /// Premium as typed: `1,250.50`, `$900`.
    pub premium: String,
}

/// A quote's question, as typed. Empty text means not given; amounts are read as people type them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct QuoteRequest {
    /// State code of two letters, such as `TX`.
    pub state: String,
    /// Transaction type code.
    pub transaction_type: String,
    /// Lines of business with premiums.
    pub lines: Vec<QuoteLine>,
    /// Broker or agency fee as typed; empty is none.
    pub agency_fee: String,
    /// Carrier or inspection fee as typed; empty is none.
    pub inspection_fee: String,
    /// `yyyy-mm-dd`; empty is today.
    pub policy_effective: String,
    /// `yyyy-mm-dd`; empty is the policy date (PN, PR, BD).
    pub transaction_effective: String,
    /// Entity type code; empty is commercial.
    pub entity: String,
    /// Risk purchasing group.
    pub rpg: bool,
    /// Exempt commercial purchaser.
    pub ecp: bool,
    /// Tax exempt insured.
    pub tax_exempt: bool,
    pub export_list: bool,
    /// New Hampshire: commission received.
    pub commission_received: bool,
    /// Kentucky: admitted business.
    pub admitted: bool,
    /// `B`, `DC` or empty.
    pub written_as: String,
    /// Kentucky: street address.
    pub address: String,
    /// Kentucky: city.
    pub city: String,
    /// Kentucky: ZIP code.
    pub zip: String,
    /// Kentucky: taxing city or county.
    pub municipality: String,
    /// Who charges the agency fee: `retail_agent`, `surplus_lines_licensee`, or empty for what the profile remembers.
    pub fee_charged_by: String,
    /// How the insured holds the dwelling, such as `owned_dwelling` or `mobile_home`; empty is not given.
    pub occupancy: String,
    /// The assessment's present rate as typed, in percent: `6`, `6.25%`; empty is not given.
    pub assessment_rate: String,
    /// Name of the insured, for the printed quote; not sent to the calculator.
    pub insured: String,
    /// What else the client's sheet says; not sent to the calculator.
    pub sheet: SheetDetails,
}

/// What the client's sheet says beside the taxes, as typed; what is empty is not printed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct SheetDetails {
    /// The insured's address; lines.
    pub insured_address: String,
    pub carrier: String,
    /// The agency's number of the quote.
    pub quote_number: String,
    /// Last day of the policy.
    pub policy_expires: String,
    /// Last day the quote is valid.
    pub valid_until: String,
    /// What the quote is subject to; lines.
    pub subject_to: String,
    /// What is earned at least, such as `25%`.
    pub minimum_earned: String,
    /// Number of installments after the down payment; empty is payment at once.
    pub installments: String,
    /// Percent paid first, such as `25%`; empty is none.
    pub down_payment: String,
    /// Taxes and fees are paid with the down payment; else they are spread with the premium.
    pub taxes_first: bool,
    /// Fee of each installment, USD.
    pub installment_fee: String,
    /// Day of the first installment; empty is a month after the policy begins.
    pub first_installment: String,
    /// Name of the sheet's template; empty is the one that was chosen last.
    pub template: String,
}

/// The client's sheet as the window shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct QuoteSheet {
    /// The pages as they are printed.
    pub pages: Vec<FormPage>,
}

/// The template of the client's sheet: what is on it, from top to bottom. Its TOML has the same names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SheetTemplate {
    pub title: String,
    /// The sections in their order.
    pub section: Vec<SheetSection>,
}

/// One section of the client's sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SheetSection {
    pub show: SheetSectionKind,
    /// Its heading; empty for none.
    #[serde(default)]
    pub title: String,
    /// The text of a text section.
    #[serde(default)]
    pub text: String,
}

/// What a section of the client's sheet shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SheetSectionKind {
    Policy,
    Lines,
    Amounts,
    Installments,
    SubjectTo,
    Stamp,
    Documents,
    Notes,
    Explanations,
    Text,
}

/// The templates of the client's sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SheetTemplateList {
    /// The standard one first, the others by name.
    pub templates: Vec<NamedSheetTemplate>,
    /// The one that was chosen last, for a sheet that names none.
    pub chosen: String,
}

/// A template of the client's sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NamedSheetTemplate {
    pub name: String,
    /// Its TOML.
    pub text: String,
    /// It is the one that comes with the program, as it came.
    pub built_in: bool,
    /// Changes with each change of it.
    pub revision: String,
}

/// The name of the template that is always there: it can be changed, not renamed or deleted.
pub const STANDARD_TEMPLATE: &str = "Standard";

/// A template to be saved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct SheetTemplateSave {
    /// Its name from now on.
    pub name: String,
    /// Its name until now; empty for a new one.
    pub previous: String,
    /// What is on it.
    pub draft: SheetTemplateDraft,
}

/// A template by its name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SheetTemplateName {
    pub name: String,
}

/// A template as it is being changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct SheetTemplateDraft {
    /// Its TOML. Empty, without sections: the built-in one.
    pub text: String,
    /// Its sections, where these were changed: the TOML is then made from them.
    pub template: Option<SheetTemplate>,
    /// The revision that was changed; null replaces whatever is there.
    #[ts(optional = nullable)]
    pub revision: Option<String>,
}

/// A template in both its forms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SheetTemplateView {
    /// Its TOML.
    pub text: String,
    pub template: SheetTemplate,
    /// What could be on it and isn't, with the usual headings.
    pub left_out: Vec<SheetSection>,
    /// The sheet of a made-up quote with it.
    pub pages: Vec<FormPage>,
}

/// What became of an e-mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EmailOutcome {
    /// The sheet was saved and the mail program opened; false when the person canceled.
    pub opened: bool,
    /// Name of the file the sheet was saved as.
    pub file_name: String,
    /// The mail program was given the sheet; otherwise the person attaches the file.
    pub attached: bool,
}

/// States in one comparison.
pub const COMPARED_STATES_MAX: usize = 6;

/// "Why this number": one charge explained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChargeView {
    /// The contract's field, such as `sl_tax`.
    pub field: String,
    /// Kind as in the rule file.
    pub kind: String,
    /// Title as the service gives it, else as the rules do.
    pub title: String,
    /// What it is on: `premium $2,800.00`, `40% of premium $2,000.00`.
    pub on: String,
    /// `3.5%` or `flat`.
    pub rate: String,
    /// Amount in USD, such as `48.50`.
    pub amount: String,
    /// One line that recomputes the amount.
    pub explanation: String,
    /// In force since, `yyyy-mm-dd`, or null when not found.
    pub from: Option<String>,
    /// In force until, or null.
    pub until: Option<String>,
    /// Which date decided.
    pub dated_by: String,
    /// Line codes it is on.
    pub lines: Vec<String>,
    pub sources: Vec<SourceRef>,
    /// How reliable the source is.
    pub sureness: Confidence,
    /// How reliable the source is, as a sentence.
    pub checked: String,
    /// Remark of the rule.
    pub note: Option<String>,
}

/// One amount of the answer, on the contract's field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FieldAmount {
    /// The contract's field.
    pub field: String,
    /// Title that came.
    pub title: String,
    /// The plain title, the same in every state.
    #[serde(default)]
    pub plain_title: String,
    /// Amount in USD, such as `48.50`.
    pub amount: String,
    /// Whether it is zero and the state has no such charge: may be omitted from a short view.
    pub idle: bool,
}

/// A difference between the offline estimate and the service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Difference {
    /// The contract's field.
    pub field: String,
    pub title: String,
    /// USD, our estimate.
    pub estimate: String,
    /// USD, the service's answer; none where it gave no amount.
    pub service: Option<String>,
    /// USD, service minus estimate; no amount counts as zero.
    pub difference: String,
}

/// A rate, limit or rounding that the service says it applies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RuleRow {
    /// The contract's field of a charge; empty for what belongs to none.
    pub field: String,
    /// Title, as the service gives it.
    pub title: String,
    /// What the service says: `4.85%`, `$20.00`, `to the nearest dollar`, `none`.
    pub service: String,
    /// The same of the built-in rules; null where they could not be used.
    pub builtin: Option<String>,
    pub differs: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum NoteSeverity {
    Info,
    Warning,
}

/// A note. `html` is already sanitized in the core to a few inline tags; the UI sanitizes once more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NoteView {
    pub severity: NoteSeverity,
    /// What it is about.
    pub topic: String,
    /// HTML from outside: sanitize.
    pub html: String,
    /// Source, where known.
    pub source: Option<SourceRef>,
}

/// Stamp wording. `html` is from outside: sanitize.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StampView {
    /// The wording as HTML.
    pub html: String,
    /// The wording as plain text.
    pub text: String,
    /// Where and how to put it.
    pub instructions: Option<String>,
    /// Font size in points.
    pub font_size: Option<u32>,
    pub bold: bool,
    pub italic: bool,
    pub color: Option<String>,
    /// `12 pt bold black`.
    pub format: String,
}

/// A document the state asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DocumentView {
    /// Key of this document in this answer, for the download.
    pub key: String,
    pub name: String,
    /// Code such as `POLIC`.
    pub code: String,
    pub group: String,
    /// Remark.
    pub note: Option<String>,
    /// Before binding.
    pub required_for_binding: bool,
    pub required_for_filing: bool,
    pub keep_on_hand: bool,
    /// Goes with the policy.
    pub include_with_policy: bool,
    /// Must be uploaded.
    pub upload_required: bool,
    /// `None`, `Producer`, ...
    pub signature: Option<String>,
    /// A template can be downloaded.
    pub downloadable: bool,
    /// Part of the diligent effort.
    #[serde(default)]
    pub include_in_diligent_effort: bool,
    /// Transaction type codes it is for; none means all.
    #[serde(default)]
    pub transaction_types: Vec<String>,
    /// In force since, `yyyy-mm-dd`, or null.
    pub active_from: Option<String>,
    /// In force until, or null.
    pub active_until: Option<String>,
    /// When it was last changed, as the service writes it, or null.
    pub edited_at: Option<String>,
    /// Which business it is for, such as `Risk purchasing groups only`; none means all.
    #[serde(default)]
    pub conditions: Vec<String>,
    /// Why it does not apply to this transaction; null where it does.
    pub left_out: Option<String>,
}

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum AnsweredBy {
    /// The built-in rules, offline: an estimate.
    Estimate,
    Service,
}

/// What was taken of the questions that only some states ask; empty where the state does not ask or nobody answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct QuoteDetails {
    /// `retail_agent` or `surplus_lines_licensee`.
    pub fee_charged_by: String,
    /// `owned_dwelling`, `condominium`, `mobile_home`, `tenant` or `larger_building`.
    pub occupancy: String,
    /// Percent: `6.25`.
    pub assessment_rate: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct QuoteAnswer {
    pub by: AnsweredBy,
    /// When, RFC 3339 UTC.
    pub at: String,
    /// Name of the profile that answered; empty for an estimate.
    pub profile: String,
    /// State code.
    pub state: String,
    pub state_name: String,
    /// Transaction type code.
    pub transaction_type: String,
    /// Premium in USD, such as `1250.50`.
    pub premium: String,
    /// USD, as adjusted by the service where a state restricts fees.
    pub agency_fee: String,
    /// Inspection fee in USD.
    pub inspection_fee: String,
    /// Whether the agency fee is taxed; null when that is not known.
    pub agency_fee_taxed: Option<bool>,
    /// Whether the inspection fee is taxed.
    pub inspection_fee_taxed: Option<bool>,
    /// What was taken of the questions that only some states ask.
    #[serde(default)]
    pub details: QuoteDetails,
    /// The contract's fields with titles, in the order shown.
    pub fields: Vec<FieldAmount>,
    /// Taxes and state fees together, USD.
    pub taxes: String,
    /// Premium, fees and taxes, USD.
    pub total: String,
    /// Titles of charges that the total is without: the service gave no amount, or none could be calculated.
    #[serde(default)]
    pub missing_amounts: Vec<String>,
    /// Every charge explained; from the built-in rules also beside a service answer.
    pub charges: Vec<ChargeView>,
    /// Where estimate and service differ; empty when they agree or for an estimate.
    pub differences: Vec<Difference>,
    /// The service's own rates, limits and rounding beside the built-in ones; empty for an estimate.
    #[serde(default)]
    pub rules: Vec<RuleRow>,
    /// Notes, warnings first.
    pub notes: Vec<NoteView>,
    /// Stamp wordings.
    pub stamps: Vec<StampView>,
    pub documents: Vec<DocumentView>,
    /// Milliseconds the service took; null for an estimate.
    pub took_ms: Option<u32>,
    /// Identifies this answer for downloads until the next answer of the same window.
    pub answer_id: String,
    /// Version of the rules that the estimate and the explanations are from, `2026-11-22.34`; empty where a version of
    /// Bordereau saved it that did not note it.
    #[serde(default)]
    pub rules_version: String,
    /// Whether they are from a rules pack; else they are the built-in ones.
    #[serde(default)]
    pub rules_from_pack: bool,
}

impl QuoteAnswer {
    /// The rules that its estimate and explanations are from, in words.
    #[must_use]
    pub fn rules_name(&self) -> String {
        rules_name(self.rules_from_pack, &self.rules_version)
    }
}

/// `the built-in rules`, or `the rules pack 2026-11-23.1`.
#[must_use]
pub fn rules_name(is_from_pack: bool, version: &str) -> String {
    if is_from_pack { format!("the rules pack {version}") } else { "the built-in rules".to_owned() }
}

/// Compare up to six states.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CompareRequest {
    /// The question; its own state is ignored.
    pub request: QuoteRequest,
    /// Two letters each, at most six.
    pub states: Vec<String>,
    /// From the rules, without the service.
    pub offline: bool,
}

/// One column of a comparison: an answer or what went wrong for this state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CompareColumn {
    /// State code of two letters, such as `TX`.
    pub state: String,
    pub answer: Option<QuoteAnswer>,
    pub error: Option<super::BoundaryError>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Comparison {
    /// In the order asked.
    pub columns: Vec<CompareColumn>,
}

/// Save a quote as PDF through the save dialog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct QuotePdfRequest {
    /// The question, as typed.
    pub request: QuoteRequest,
    /// The answer as shown.
    pub answer: QuoteAnswer,
}

/// Download a state document through the save dialog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DocumentDownload {
    /// The question; asked again for a fresh one-minute link.
    pub request: QuoteRequest,
    /// Key of the document in the answer.
    pub key: String,
}
