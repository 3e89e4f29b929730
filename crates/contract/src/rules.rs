//! The rules that come with a calculator answer (section 2): `tax_rule`, notes, documents.

use bordereau_money::Usd;
use serde::{Deserialize, Serialize};

use crate::tolerant;

/// `notification_type_data.id` of a note that informs.
pub const NOTE_INFO: u32 = 1;
/// `notification_type_data.id` of a note that warns.
pub const NOTE_WARNING: u32 = 3;

/// The rule of the state as the service applies it. Percentages are in percent (4.85).
///
/// `X_amount_type` is 1 for percent and 2 for a fixed amount in USD.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
#[allow(missing_docs, reason = "the fields carry the contract's own names, described in section 2")]
pub struct TaxRule {
    #[serde(deserialize_with = "tolerant::truth")]
    pub is_sl_tax_active: bool,
    #[serde(deserialize_with = "tolerant::small")]
    pub sl_tax_amount_type: u8,
    #[serde(with = "tolerant::shown_amount")]
    pub sl_tax_amount: Usd,
    #[serde(deserialize_with = "tolerant::truth")]
    pub is_sl_tax_input_manual: bool,
    #[serde(deserialize_with = "tolerant::null_as_default")]
    pub sl_tax_title: String,
    #[serde(deserialize_with = "tolerant::truth")]
    pub is_stamping_fee_active: bool,
    #[serde(deserialize_with = "tolerant::small")]
    pub stamping_fee_amount_type: u8,
    #[serde(with = "tolerant::shown_amount")]
    pub stamping_fee_amount: Usd,
    #[serde(deserialize_with = "tolerant::truth")]
    pub is_stamping_fee_input_manual: bool,
    #[serde(deserialize_with = "tolerant::null_as_default")]
    pub stamping_fee_title: String,
    #[serde(deserialize_with = "tolerant::truth")]
    pub is_sl_service_charge_active: bool,
    #[serde(deserialize_with = "tolerant::small")]
    pub sl_service_charge_amount_type: u8,
    #[serde(with = "tolerant::shown_amount")]
    pub sl_service_charge_amount: Usd,
    #[serde(deserialize_with = "tolerant::truth")]
    pub is_sl_service_charge_input_manual: bool,
    #[serde(deserialize_with = "tolerant::null_as_default")]
    pub sl_service_charge_title: String,
    #[serde(deserialize_with = "tolerant::truth")]
    pub is_municipal_fee_active: bool,
    #[serde(deserialize_with = "tolerant::small")]
    pub municipal_fee_amount_type: u8,
    #[serde(with = "tolerant::shown_amount")]
    pub municipal_fee_amount: Usd,
    #[serde(deserialize_with = "tolerant::truth")]
    pub is_municipal_fee_input_manual: bool,
    #[serde(deserialize_with = "tolerant::null_as_default")]
    pub municipal_fee_title: String,
    #[serde(deserialize_with = "tolerant::truth")]
    pub exclude_stamping_fee_when_negative_premium: bool,
    #[serde(deserialize_with = "tolerant::truth")]
    pub fee_restrictions: bool,
    #[serde(with = "bordereau_money::json_number_option")]
    pub fee_restriction_amount_fixed: Option<Usd>,
    #[serde(deserialize_with = "tolerant::truth")]
    pub fee_restriction_amount_fixed_active: bool,
    #[serde(with = "bordereau_money::json_number_option")]
    pub fee_restriction_amount_percentage: Option<Usd>,
    #[serde(deserialize_with = "tolerant::truth")]
    pub fee_restriction_amount_percentage_active: bool,
    #[serde(deserialize_with = "tolerant::truth")]
    pub max_fee: bool,
    pub max_fee_amount_type: Option<u8>,
    #[serde(with = "bordereau_money::json_number_option")]
    pub max_fee_amount: Option<Usd>,
    #[serde(deserialize_with = "tolerant::null_as_default")]
    pub fee_restriction_apply_to: Vec<u32>,
    #[serde(deserialize_with = "tolerant::null_as_default")]
    pub fee_restriction_apply_from: Vec<u32>,
    #[serde(deserialize_with = "tolerant::truth")]
    pub both_fees_allowed: bool,
    #[serde(deserialize_with = "tolerant::truth")]
    pub ask_if_commission_received: bool,
    #[serde(deserialize_with = "tolerant::truth")]
    pub zero_agency_fee_if_commission_received: bool,
    #[serde(deserialize_with = "tolerant::truth")]
    pub round_taxes_to_the_nearest_dollar: bool,
    #[serde(deserialize_with = "tolerant::truth")]
    pub round_premium_to_the_nearest_dollar: bool,
    #[serde(deserialize_with = "tolerant::truth")]
    pub round_fees_to_the_nearest_dollar: bool,
    #[serde(deserialize_with = "tolerant::truth")]
    pub round_up_taxes_to_the_nearest_dollar: bool,
    #[serde(deserialize_with = "tolerant::truth")]
    pub round_up_premium_to_the_nearest_dollar: bool,
    #[serde(deserialize_with = "tolerant::truth")]
    pub round_up_fees_to_the_nearest_dollar: bool,
    #[serde(deserialize_with = "tolerant::null_as_default")]
    pub state_notes: Vec<StateNote>,
    #[serde(deserialize_with = "tolerant::null_as_default")]
    pub state_documents: Vec<StateDocument>,
}

/// A numbered label.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct LabelledId {
    /// The number.
    #[serde(deserialize_with = "tolerant::number")]
    pub id: u32,
    /// What it means.
    #[serde(deserialize_with = "tolerant::null_as_default")]
    pub label: String,
}

/// A note of the state. `note` is HTML from outside: sanitise before showing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct StateNote {
    /// What the note is about.
    #[serde(deserialize_with = "tolerant::null_as_default")]
    pub note_type_data: LabelledId,
    /// 1 Info, 3 Warning.
    #[serde(deserialize_with = "tolerant::null_as_default")]
    pub notification_type_data: LabelledId,
    /// The number of `note_type_data` once more.
    #[serde(deserialize_with = "tolerant::number")]
    pub note_type: u32,
    /// The text, HTML.
    #[serde(deserialize_with = "tolerant::null_as_default")]
    pub note: String,
    /// How to use it.
    pub instructions: Option<String>,
    /// Points.
    #[serde(deserialize_with = "tolerant::optional_count")]
    pub font_size: Option<u32>,
    /// A CSS colour name or value.
    pub color: Option<String>,
    /// Bold.
    #[serde(deserialize_with = "tolerant::truth")]
    pub bold: bool,
    /// Italic.
    #[serde(deserialize_with = "tolerant::truth")]
    pub italic: bool,
}

/// A transaction type a document applies to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct ApplicableTransaction {
    /// Name.
    #[serde(deserialize_with = "tolerant::null_as_default")]
    pub name: String,
    /// Code such as `PN`.
    #[serde(deserialize_with = "tolerant::null_as_default")]
    pub short_code: String,
}

/// A document the state asks for. `rpg`, `ecp`, `exempt`, `export_list`: 0 no, 1 yes, 2 both.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
#[allow(missing_docs, reason = "the fields carry the contract's own names, described in section 2")]
pub struct StateDocument {
    #[serde(deserialize_with = "tolerant::null_as_default")]
    pub name: String,
    #[serde(deserialize_with = "tolerant::null_as_default")]
    pub code: String,
    pub document_note: Option<String>,
    /// One-time address, good for one minute: fetch when the person asks, never store it.
    pub document_download_link: Option<String>,
    #[serde(deserialize_with = "tolerant::truth")]
    pub upload_required: bool,
    #[serde(deserialize_with = "tolerant::null_as_default")]
    pub transaction_types: Vec<ApplicableTransaction>,
    pub last_edited_at: Option<String>,
    pub date_active_from: Option<String>,
    pub date_active_to: Option<String>,
    #[serde(deserialize_with = "tolerant::null_as_default")]
    pub document_group: String,
    #[serde(deserialize_with = "tolerant::small")]
    pub rpg: u8,
    #[serde(deserialize_with = "tolerant::small")]
    pub ecp: u8,
    #[serde(deserialize_with = "tolerant::small")]
    pub exempt: u8,
    #[serde(deserialize_with = "tolerant::small")]
    pub export_list: u8,
    #[serde(deserialize_with = "tolerant::truth")]
    pub required_for_filing: bool,
    #[serde(deserialize_with = "tolerant::truth")]
    pub required_for_binding: bool,
    #[serde(deserialize_with = "tolerant::truth")]
    pub include_with_policy: bool,
    #[serde(deserialize_with = "tolerant::truth")]
    pub include_in_diligent_effort: bool,
    #[serde(deserialize_with = "tolerant::truth")]
    pub keep_on_hand: bool,
    pub signature_requirements: Option<String>,
}

/// A municipality with its category of lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct MunicipalTaxSetting {
    /// Name of the city, county or urban-county.
    #[serde(deserialize_with = "tolerant::null_as_default")]
    pub municipality_name: String,
    /// Category, such as `casualty_liability_only`.
    #[serde(deserialize_with = "tolerant::null_as_default")]
    pub line_category: String,
}
