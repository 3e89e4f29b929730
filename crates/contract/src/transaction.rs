//! An imported transaction (section 3): what a batch is made of.

use bordereau_money::{Rate, Usd};
use serde::{Deserialize, Serialize};

/// One entry of `line_of_business_list`, `insurance_company_list` or `syndicate_list` \[pub].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct CoverageItem {
    /// Line code, NAIC or AA number, syndicate number.
    pub item: String,
    /// Premium in USD for a line of business; percent (60 is 60%) for an insurer or a syndicate.
    #[serde(with = "bordereau_money::json_number_option")]
    pub coverage: Option<Usd>,
}

/// A document that travels along with a transaction \[ours].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct ImportDocument {
    /// Name, such as `Policy`.
    pub name: String,
    /// Code of section 4, such as `POLIC`.
    pub code: String,
    /// File name.
    pub file_name: String,
    /// The file, base64 (RFC 4648, with padding).
    pub content: String,
}

/// A transaction as it is imported [pub; the physical address, retail_producer, agency_fee_charged_by, occupancy,
/// assessment_rate and documents ours].
///
/// Dates are `yyyy-mm-dd`, flags 0 or 1, amounts USD. What is absent was not given: never zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
#[allow(missing_docs, reason = "the fields carry the contract's own names, described in section 3")]
pub struct ImportTransaction {
    /// The caller's own, up to 255 characters.
    #[cfg_attr(feature = "schema", schema(required))]
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// Up to 50 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy_number: Option<String>,
    #[cfg_attr(feature = "schema", schema(format = Date))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy_effective_date: Option<String>,
    /// Effective date plus 12 months if absent.
    #[cfg_attr(feature = "schema", schema(format = Date))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy_expiration_date: Option<String>,
    /// Of an endorsement.
    #[cfg_attr(feature = "schema", schema(format = Date))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transaction_effective_date: Option<String>,
    /// Of a renewal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiring_policy_number: Option<String>,
    #[cfg_attr(feature = "schema", schema(format = Date))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invoice_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invoice_number: Option<String>,
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::TransactionType>))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transaction_type: Option<String>,
    /// `standard`, `master`, `cert` or `reporting_form`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy_type: Option<String>,
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::WrittenAs>))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_written_as: Option<String>,
    #[cfg_attr(feature = "schema", schema(maximum = 1))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rpg: Option<u8>,
    #[cfg_attr(feature = "schema", schema(maximum = 1))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layered_risk: Option<u8>,
    #[cfg_attr(feature = "schema", schema(maximum = 1))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broker_of_record: Option<u8>,
    #[cfg_attr(feature = "schema", schema(maximum = 1))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk_retention_group: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purchasing_group_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk_description: Option<String>,
    #[cfg_attr(feature = "schema", schema(maximum = 1))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ecp: Option<u8>,
    #[cfg_attr(feature = "schema", schema(maximum = 1))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exempt: Option<u8>,
    #[cfg_attr(feature = "schema", schema(maximum = 1))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multi_state: Option<u8>,
    #[serde(with = "bordereau_money::json_number_option", skip_serializing_if = "Option::is_none")]
    pub policy_limit: Option<Usd>,
    #[serde(with = "bordereau_money::json_number_option", skip_serializing_if = "Option::is_none")]
    pub property_limit: Option<Usd>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub line_of_business_list: Vec<CoverageItem>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub insurance_company_list: Vec<CoverageItem>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub syndicate_list: Vec<CoverageItem>,
    #[serde(with = "bordereau_money::json_number_option", skip_serializing_if = "Option::is_none")]
    pub premium: Option<Usd>,
    #[serde(with = "bordereau_money::json_number_option", skip_serializing_if = "Option::is_none")]
    pub agency_fee: Option<Usd>,
    #[serde(with = "bordereau_money::json_number_option", skip_serializing_if = "Option::is_none")]
    pub inspection_fee: Option<Usd>,
    #[serde(with = "bordereau_money::json_number_option", skip_serializing_if = "Option::is_none")]
    pub collection_fee: Option<Usd>,
    #[serde(with = "bordereau_money::json_number_option", skip_serializing_if = "Option::is_none")]
    pub sl_tax: Option<Usd>,
    #[serde(with = "bordereau_money::json_number_option", skip_serializing_if = "Option::is_none")]
    pub stamping_fee: Option<Usd>,
    #[serde(with = "bordereau_money::json_number_option", skip_serializing_if = "Option::is_none")]
    pub sl_service_charge: Option<Usd>,
    #[serde(with = "bordereau_money::json_number_option", skip_serializing_if = "Option::is_none")]
    pub municipal_fee: Option<Usd>,
    #[serde(with = "bordereau_money::json_number_option", skip_serializing_if = "Option::is_none")]
    pub county_fee: Option<Usd>,
    #[serde(with = "bordereau_money::json_number_option", skip_serializing_if = "Option::is_none")]
    pub fm_tax: Option<Usd>,
    #[serde(with = "bordereau_money::json_number_option", skip_serializing_if = "Option::is_none")]
    pub empa_tax: Option<Usd>,
    #[serde(with = "bordereau_money::json_number_option", skip_serializing_if = "Option::is_none")]
    pub total: Option<Usd>,
    #[cfg_attr(feature = "schema", schema(maximum = 1))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commission_received: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mailing_insured_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mailing_address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mailing_city: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mailing_zip_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mailing_state_code: Option<String>,
    /// The insured's kind, an entity type code.
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::EntityType>))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub insured_entity: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub insured_email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub insured_phone: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub physical_address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub physical_city: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub physical_zip_code: Option<String>,
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::Jurisdiction>))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub physical_state: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retail_producer: Option<String>,
    /// Who charges the agency fee.
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::FeeChargedBy>))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agency_fee_charged_by: Option<String>,
    /// How the insured holds the dwelling.
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::Occupancy>))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub occupancy: Option<String>,
    /// A fraction: the present rate of an assessment that the rules have none for.
    #[serde(with = "bordereau_money::json_rate_option", skip_serializing_if = "Option::is_none")]
    pub assessment_rate: Option<Rate>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<ImportDocument>,
}
