//! The shape of a rule file, as it is written in TOML. Every struct refuses keys it does not know.

use std::collections::BTreeMap;

use bordereau_contract::{Charge, EntityType, Jurisdiction, TransactionType};
use bordereau_money::{Rate, Rounding, Usd};
use serde::Deserialize;

use super::model::{CapScope, CreditRule};
use crate::answer::{Confidence, NoteLevel};
use crate::{FeeChargedBy, Occupancy};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RuleFile {
    pub state: Jurisdiction,
    /// The day the sources were last looked at.
    pub checked_on: String,
    #[serde(default)]
    pub titles: BTreeMap<Charge, String>,
    /// Premium of each line is rounded to this unit before anything is computed.
    pub premium_rounding: Option<Rounding>,
    /// The service's own flag for the state.
    #[serde(default)]
    pub fee_restrictions: bool,
    #[serde(default)]
    pub fee_restriction_apply_to: Vec<u32>,
    #[serde(default)]
    pub fee_restriction_apply_from: Vec<u32>,
    /// No agency fee beside a commission.
    #[serde(default)]
    pub no_fee_with_commission: bool,
    /// The state has city and county taxes that come from a table.
    #[serde(default)]
    pub local_tax: bool,
    pub fees: FeesText,
    #[serde(default)]
    pub fee_cap: Vec<CapText>,
    #[serde(default)]
    pub exempt: Vec<ExemptText>,
    /// What the state says of insureds that are marked tax exempt.
    pub tax_exempt_insured: Option<TaxExemptText>,
    pub charge: Vec<ChargeText>,
    /// Values no one is charged here, so that no one adds them by mistake.
    #[serde(default)]
    pub recorded: Vec<RecordedText>,
    #[serde(default)]
    pub note: Vec<NoteText>,
    /// Said only where one of these lines is asked.
    #[serde(default)]
    pub line_note: Vec<LineNoteText>,
    #[serde(default)]
    pub stamp: Vec<StampText>,
    #[serde(default)]
    pub document: Vec<DocumentText>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckedText {
    pub level: Confidence,
    pub text: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SourceText {
    pub title: String,
    pub url: Option<String>,
    /// A table or a file that is not public: it has no address.
    #[serde(default)]
    pub private: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FeesText {
    /// The agency fee, where it does not matter who charges it.
    pub agency: Option<FeeText>,
    /// The fee of the retail agent, where the state treats it by itself.
    pub retail: Option<FeeText>,
    /// The fee of the surplus lines licensee, likewise.
    pub licensee: Option<FeeText>,
    /// Who is taken to charge the agency fee when it was not said.
    pub assumed: Option<FeeChargedBy>,
    pub inspection: FeeText,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FeeText {
    /// What the calculator does.
    pub taxed: bool,
    pub text: String,
    pub checked: CheckedText,
    pub source: Vec<SourceText>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CapText {
    /// Which lines it is about.
    pub lines: CapScope,
    /// For policies effective from this day; absent when the start was not found.
    pub from: Option<String>,
    /// For policies effective until this day, inclusive. A limit that changed is written twice.
    pub until: Option<String>,
    /// The largest of these is the limit.
    pub alternative: Vec<AlternativeText>,
    /// Whether a higher fee is lowered to the limit; otherwise it is only told.
    pub enforced: bool,
    pub text: String,
    pub checked: CheckedText,
    pub source: Vec<SourceText>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AlternativeText {
    pub flat: Option<Usd>,
    pub percent: Option<Rate>,
    pub at_most: Option<Usd>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExemptText {
    pub entities: Vec<EntityType>,
    /// Kinds of the charges that are not due.
    pub charges: Vec<String>,
    /// Only on lines of these classes, or of the generic codes in `lines`; absent: on every line.
    #[serde(default)]
    pub classes: Vec<String>,
    /// Generic codes, beside the classes.
    #[serde(default)]
    pub lines: Vec<String>,
    /// For policies effective from this day.
    pub from: Option<String>,
    /// How it is told; absent: for information, and as a warning where no charge is spared.
    pub level: Option<NoteLevel>,
    pub text: String,
    pub checked: CheckedText,
    pub source: Vec<SourceText>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TaxExemptText {
    /// Whether the taxes stay: the state exempts no insured for being tax exempt.
    pub charged: bool,
    pub text: String,
    pub checked: CheckedText,
    pub source: Vec<SourceText>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum BasisOf {
    /// Premium only.
    Premium,
    /// Premium and those fees that the state taxes.
    PremiumAndTaxableFees,
    /// Premium and the insurer's fees, where the state taxes them.
    PremiumAndInspectionFee,
    /// Premium and both fees, whatever the state taxes else.
    PremiumAndBothFees,
    /// A fixed amount: nothing is computed on.
    Flat,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChargeText {
    pub kind: String,
    pub field: Charge,
    pub title: Option<String>,
    /// Whether a tax exempt insured is spared; absent: where the field's charge is a tax.
    pub is_tax: Option<bool>,
    pub basis: BasisOf,
    /// The basis in the words of the source.
    pub basis_text: String,
    /// Only lines of these classes, or of the generic codes in `lines`.
    #[serde(default)]
    pub classes: Vec<String>,
    /// Generic codes, beside the classes.
    #[serde(default)]
    pub lines: Vec<String>,
    /// All lines but these classes.
    #[serde(default)]
    pub except_classes: Vec<String>,
    /// Nor these generic codes.
    #[serde(default)]
    pub except_lines: Vec<String>,
    /// Only personal lines, or only others.
    pub personal: Option<bool>,
    /// Only where the insured holds the dwelling so.
    #[serde(default)]
    pub occupancy: Vec<Occupancy>,
    /// Only lines with these codes of the state.
    #[serde(default)]
    pub state_codes: Vec<String>,
    /// What part of a line's premium counts: the first that has the line.
    #[serde(default)]
    pub portion: Vec<PortionText>,
    /// What to enter for a property line whose part or code is not known.
    pub portion_advice: Option<String>,
    /// A rate that the person may enter: the present one was not found.
    #[serde(default)]
    pub rate_entered: bool,
    /// What is said on a day without a known rate.
    pub unknown_text: Option<String>,
    /// On new and renewal policies only.
    #[serde(default)]
    pub once_per_policy: bool,
    /// When a return gives it back; not there where no source says it.
    pub credit: Option<CreditRule>,
    /// Due again when the policy is reinstated, although a cancellation doesn't give it back.
    #[serde(default)]
    pub reinstatement_charged: bool,
    /// Not on policies of risk purchasing groups.
    #[serde(default)]
    pub except_purchasing_groups: bool,
    pub rounding: Option<Rounding>,
    /// Whether an extension takes the rate of its own date.
    #[serde(default)]
    pub extension_by_own_date: bool,
    /// Which date counts and why.
    pub dated_by: String,
    /// Whether the charge is known not to have existed before its first rate.
    #[serde(default)]
    pub begins: bool,
    /// Whether the charge is known not to exist after its last rate.
    #[serde(default)]
    pub ends: bool,
    /// For admitted business only.
    #[serde(default)]
    pub admitted: bool,
    /// A class that rides on this rule without a list of the state: the trace says so.
    pub unsure_lines: Option<String>,
    pub payee: Option<String>,
    pub rate: Vec<RateText>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PortionText {
    #[serde(default)]
    pub state_codes: Vec<String>,
    #[serde(default)]
    pub classes: Vec<String>,
    #[serde(default)]
    pub lines: Vec<String>,
    #[serde(default)]
    pub except_lines: Vec<String>,
    /// For policies effective from this day.
    pub from: Option<String>,
    pub portion: Rate,
    pub name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StatusText {
    Enacted,
    Announced,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RateText {
    /// Inclusive; absent when the start was not found.
    pub from: Option<String>,
    /// The first day a source shows it, where the start itself was not found.
    pub known_from: Option<String>,
    /// Inclusive.
    pub until: Option<String>,
    /// It ended before the next rate began, on a day that was not found.
    #[serde(default)]
    pub end_not_found: bool,
    /// Nothing is known between its end and the next start.
    #[serde(default)]
    pub gap_after: bool,
    /// As a fraction.
    pub rate: Option<Rate>,
    /// USD.
    pub flat: Option<Usd>,
    /// The most that a policy is charged at this rate, USD.
    pub at_most: Option<Usd>,
    pub status: StatusText,
    pub checked: CheckedText,
    pub source: Vec<SourceText>,
    pub note: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordedText {
    pub kind: String,
    /// Why it is not charged.
    pub why: String,
    /// The value in words.
    pub value: String,
    pub text: String,
    pub checked: CheckedText,
    pub source: Vec<SourceText>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoteText {
    pub level: NoteLevel,
    pub code: String,
    pub text: String,
    /// Said only where a fee is entered.
    #[serde(default)]
    pub only_with_fees: bool,
    pub source: Option<SourceText>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LineNoteText {
    #[serde(default)]
    pub classes: Vec<String>,
    #[serde(default)]
    pub lines: Vec<String>,
    pub level: NoteLevel,
    pub code: String,
    pub text: String,
    pub source: SourceText,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StampText {
    pub text: String,
    pub instructions: Option<String>,
    pub font_size: Option<u32>,
    #[serde(default)]
    pub bold: bool,
    #[serde(default)]
    pub italics: bool,
    pub color: Option<String>,
    pub kind: String,
    pub updated_at: Option<String>,
    /// In use for policies effective from this day.
    pub from: Option<String>,
    pub checked: CheckedText,
    pub source: Option<SourceText>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DocumentText {
    pub name: String,
    pub code: String,
    pub document_group: String,
    pub transaction_types: Vec<TransactionType>,
    pub note: Option<String>,
    pub from: Option<String>,
    pub until: Option<String>,
    pub rpg: u8,
    pub ecp: u8,
    pub exempt: u8,
    pub export_list: u8,
    pub required_for_filing: bool,
    pub required_for_binding: bool,
    pub include_with_policy: bool,
    pub keep_on_hand: bool,
    pub upload_required: bool,
    pub signature_requirements: Option<String>,
}
