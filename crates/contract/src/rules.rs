//! The rules that come with a calculator answer (section 2): `tax_rule`, notes, documents.

use bordereau_money::Usd;
use serde::{Deserialize, Serialize};

use crate::SharedPart;

/// `notification_type_data.id` of a note that informs.
pub const NOTE_INFO: u32 = 1;
/// `notification_type_data.id` of a note that warns.
pub const NOTE_WARNING: u32 = 3;

/// The rule of the state as the service applies it. Percentages are in percent (4.85).
///
/// `X_amount_type` is 1 for percent and 2 for a fixed amount in USD. Whether a charge is active, fees are limited, or
/// something is rounded may be missing: that is not the same as no.
#[serde_with::apply(Option<Usd> => #[serde(with = "bordereau_money::json_percent_option")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct TaxRule {
    pub is_sl_tax_active: Option<bool>,
    pub sl_tax_amount_type: u8,
    pub sl_tax_amount: Option<Usd>,
    pub is_sl_tax_input_manual: bool,
    pub sl_tax_title: String,
    pub is_stamping_fee_active: Option<bool>,
    pub stamping_fee_amount_type: u8,
    pub stamping_fee_amount: Option<Usd>,
    pub is_stamping_fee_input_manual: bool,
    pub stamping_fee_title: String,
    pub is_sl_service_charge_active: Option<bool>,
    pub sl_service_charge_amount_type: u8,
    pub sl_service_charge_amount: Option<Usd>,
    pub is_sl_service_charge_input_manual: bool,
    pub sl_service_charge_title: String,
    pub is_municipal_fee_active: Option<bool>,
    pub municipal_fee_amount_type: u8,
    pub municipal_fee_amount: Option<Usd>,
    pub is_municipal_fee_input_manual: bool,
    pub municipal_fee_title: String,
    pub exclude_stamping_fee_when_negative_premium: Option<bool>,
    pub fee_restrictions: Option<bool>,
    pub fee_restriction_amount_fixed: Option<Usd>,
    pub fee_restriction_amount_fixed_active: bool,
    pub fee_restriction_amount_percentage: Option<Usd>,
    pub fee_restriction_amount_percentage_active: bool,
    pub max_fee: Option<bool>,
    pub max_fee_amount_type: Option<u8>,
    pub max_fee_amount: Option<Usd>,
    pub fee_restriction_apply_to: Vec<u32>,
    pub fee_restriction_apply_from: Vec<u32>,
    pub both_fees_allowed: Option<bool>,
    pub ask_if_commission_received: bool,
    pub zero_agency_fee_if_commission_received: Option<bool>,
    pub round_taxes_to_the_nearest_dollar: Option<bool>,
    pub round_premium_to_the_nearest_dollar: Option<bool>,
    pub round_fees_to_the_nearest_dollar: Option<bool>,
    pub round_up_taxes_to_the_nearest_dollar: Option<bool>,
    pub round_up_premium_to_the_nearest_dollar: Option<bool>,
    pub round_up_fees_to_the_nearest_dollar: Option<bool>,
    #[cfg_attr(feature = "schema", schema(value_type = Vec<StateNote>))]
    pub state_notes: Vec<SharedPart<StateNote>>,
    pub state_documents: Vec<StateDocument>,
}

/// A numbered label.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct LabeledId {
    /// The number.
    pub id: u32,
    /// What it means.
    pub label: String,
}

/// A note of the state. `note` is HTML from outside: sanitize before showing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct StateNote {
    /// What the note is about.
    pub note_type_data: LabeledId,
    /// 1 Info, 3 Warning.
    pub notification_type_data: LabeledId,
    /// The number of `note_type_data` once more.
    pub note_type: u32,
    /// The text, HTML. A service may also answer it alone instead of the note.
    #[serde(alias = "text", alias = "message", alias = "description", alias = "body")]
    pub note: String,
    /// What kind of note it is in a word, as some services write it.
    #[cfg_attr(feature = "schema", schema(ignore))]
    #[serde(
        skip_serializing,
        rename = "type",
        alias = "severity",
        alias = "level",
        alias = "notification_type"
    )]
    pub kind: String,
    /// How to use it.
    pub instructions: Option<String>,
    /// Points.
    pub font_size: Option<u32>,
    /// A CSS color name or value.
    pub color: Option<String>,
    pub bold: bool,
    pub italic: bool,
}

impl StateNote {
    /// Whether it warns, by its number or by the word for it.
    pub fn is_warning(&self) -> bool {
        let number = NOTE_WARNING.to_string();
        let is_word = |word: &str| word.trim().eq_ignore_ascii_case("warning") || word.trim() == number;
        let notification = &self.notification_type_data;
        notification.id == NOTE_WARNING || is_word(&notification.label) || is_word(&self.kind)
    }
}

/// A transaction type a document applies to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct ApplicableTransaction {
    pub name: String,
    /// Code such as `PN`.
    pub short_code: String,
}

/// A document the state asks for. `rpg`, `ecp`, `exempt`, `export_list`: 0 no, 1 yes, 2 both; missing, nothing is said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct StateDocument {
    pub name: String,
    pub code: String,
    pub document_note: Option<String>,
    /// One-time address, good for one minute: fetch when the person asks, never store it.
    pub document_download_link: Option<String>,
    pub upload_required: bool,
    #[cfg_attr(feature = "schema", schema(value_type = Vec<ApplicableTransaction>))]
    pub transaction_types: SharedPart<Vec<ApplicableTransaction>>,
    pub last_edited_at: Option<String>,
    #[serde(deserialize_with = "crate::day::deserialize_date")]
    pub date_active_from: Option<String>,
    #[serde(deserialize_with = "crate::day::deserialize_date")]
    pub date_active_to: Option<String>,
    pub document_group: String,
    pub rpg: Option<u8>,
    pub ecp: Option<u8>,
    pub exempt: Option<u8>,
    pub export_list: Option<u8>,
    pub required_for_filing: bool,
    pub required_for_binding: bool,
    pub include_with_policy: bool,
    pub include_in_diligent_effort: bool,
    pub keep_on_hand: bool,
    pub signature_requirements: Option<String>,
}

/// A municipality with its category of lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct MunicipalTaxSetting {
    /// Name of the city, county or urban-county.
    pub municipality_name: String,
    /// Category, such as `casualty_liability_only`.
    pub line_category: String,
}
