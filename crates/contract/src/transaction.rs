//! An imported transaction (section 3): what a batch is made of.

use bordereau_money::{Rate, Usd};
use serde::{Deserialize, Deserializer, Serialize};

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
    pub file_name: String,
    /// The file, base64 (RFC 4648, with padding).
    pub content: String,
}

/// A list; null is absent.
fn null_as_empty<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// A transaction as it is imported [pub; the physical address, retail_producer, agency_fee_charged_by, occupancy,
/// assessment_rate and documents ours].
///
/// Dates are `yyyy-mm-dd`, flags 0 or 1, amounts USD. What is absent was not given: never zero.
#[serde_with::apply(
    Option => #[serde(skip_serializing_if = "Option::is_none")],
    Option<Usd> => #[serde(with = "bordereau_money::json_number_option")],
    Option<u8> => #[cfg_attr(feature = "schema", schema(maximum = 1))],
    Vec => #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "null_as_empty")],
)]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct ImportTransaction {
    /// The caller's own, up to 255 characters.
    #[cfg_attr(feature = "schema", schema(required))]
    pub id: String,
    pub agent_id: Option<String>,
    /// Up to 50 characters.
    pub policy_number: Option<String>,
    #[cfg_attr(feature = "schema", schema(format = Date))]
    pub policy_effective_date: Option<String>,
    /// Effective date plus 12 months if absent.
    #[cfg_attr(feature = "schema", schema(format = Date))]
    pub policy_expiration_date: Option<String>,
    /// Of an endorsement.
    #[cfg_attr(feature = "schema", schema(format = Date))]
    pub transaction_effective_date: Option<String>,
    /// Of a renewal.
    pub expiring_policy_number: Option<String>,
    #[cfg_attr(feature = "schema", schema(format = Date))]
    pub invoice_date: Option<String>,
    pub invoice_number: Option<String>,
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::TransactionType>))]
    pub transaction_type: Option<String>,
    /// `standard`, `master`, `cert` or `reporting_form`.
    pub policy_type: Option<String>,
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::WrittenAs>))]
    pub account_written_as: Option<String>,
    pub rpg: Option<u8>,
    pub layered_risk: Option<u8>,
    pub broker_of_record: Option<u8>,
    pub risk_retention_group: Option<u8>,
    pub purchasing_group_name: Option<String>,
    pub risk_description: Option<String>,
    pub ecp: Option<u8>,
    pub exempt: Option<u8>,
    pub multi_state: Option<u8>,
    pub policy_limit: Option<Usd>,
    pub property_limit: Option<Usd>,
    pub line_of_business_list: Vec<CoverageItem>,
    pub insurance_company_list: Vec<CoverageItem>,
    pub syndicate_list: Vec<CoverageItem>,
    pub premium: Option<Usd>,
    pub agency_fee: Option<Usd>,
    pub inspection_fee: Option<Usd>,
    pub collection_fee: Option<Usd>,
    pub sl_tax: Option<Usd>,
    pub stamping_fee: Option<Usd>,
    pub sl_service_charge: Option<Usd>,
    pub municipal_fee: Option<Usd>,
    pub county_fee: Option<Usd>,
    pub fm_tax: Option<Usd>,
    pub empa_tax: Option<Usd>,
    pub total: Option<Usd>,
    pub commission_received: Option<u8>,
    pub mailing_insured_name: Option<String>,
    pub mailing_address: Option<String>,
    pub mailing_city: Option<String>,
    pub mailing_zip_code: Option<String>,
    pub mailing_state_code: Option<String>,
    /// The insured's kind, an entity type code.
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::EntityType>))]
    pub insured_entity: Option<String>,
    pub insured_email: Option<String>,
    pub insured_phone: Option<String>,
    pub physical_address: Option<String>,
    pub physical_city: Option<String>,
    pub physical_zip_code: Option<String>,
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::Jurisdiction>))]
    pub physical_state: Option<String>,
    pub retail_producer: Option<String>,
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::FeeChargedBy>))]
    pub agency_fee_charged_by: Option<String>,
    /// How the insured holds the dwelling.
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::Occupancy>))]
    pub occupancy: Option<String>,
    /// A fraction: the present rate of an assessment that the rules have none for.
    #[serde(with = "bordereau_money::json_rate_option")]
    pub assessment_rate: Option<Rate>,
    pub documents: Vec<ImportDocument>,
}
