//! A transaction as the service knows it (section 8).

use bordereau_money::Usd;
use serde::{Deserialize, Serialize};

use crate::{ServiceStatus, day};

/// A document of a transaction \[spec].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct RecordDocument {
    /// Name, such as `Policy`.
    pub name: String,
    /// Code of section 4, such as `POLIC`.
    pub code: String,
    /// Where it can be fetched.
    pub download_url: String,
}

/// A transaction record \[spec]. Dates are `yyyy-mm-dd`, amounts USD; any of the nullable ones may be null.
#[serde_with::apply(Option<Usd> => #[serde(default, with = "bordereau_money::json_number_option")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TransactionRecord {
    /// The service's own number, above zero: what has none is no record.
    #[serde(deserialize_with = "crate::lenient::real_number")]
    pub id: i64,
    #[serde(default, deserialize_with = "crate::codes::deserialize_type")]
    pub transaction_type: Option<String>,
    /// As it came, as providers differ; at the practice service 0 Saved, 1 Submitted, 2 Ready to file, 3 Sent
    /// to state, 4 Filed (see [`crate::TransactionStatus`]).
    #[cfg_attr(feature = "schema", schema(value_type = i64))]
    #[serde(default)]
    pub transaction_status: ServiceStatus,
    pub policy_number: Option<String>,
    #[cfg_attr(feature = "schema", schema(format = Date))]
    #[serde(default, deserialize_with = "day::deserialize_date")]
    pub policy_effective_date: Option<String>,
    #[cfg_attr(feature = "schema", schema(format = Date))]
    #[serde(default, deserialize_with = "day::deserialize_date")]
    pub transaction_effective_date: Option<String>,
    #[cfg_attr(feature = "schema", schema(format = Date))]
    #[serde(default, deserialize_with = "day::deserialize_date")]
    pub policy_expiration_date: Option<String>,
    #[cfg_attr(feature = "schema", schema(format = Date))]
    #[serde(default, deserialize_with = "day::deserialize_date")]
    pub date_filed: Option<String>,
    #[cfg_attr(feature = "schema", schema(format = Date))]
    #[serde(default, deserialize_with = "day::deserialize_date")]
    pub date_ready_to_file: Option<String>,
    pub premium: Option<Usd>,
    pub agency_fee: Option<Usd>,
    pub inspection_fee: Option<Usd>,
    pub sl_tax: Option<Usd>,
    pub stamping_fee: Option<Usd>,
    pub sl_service_charge: Option<Usd>,
    pub municipal_fee: Option<Usd>,
    pub fm_tax: Option<Usd>,
    pub empa_tax: Option<Usd>,
    pub collection_fee: Option<Usd>,
    pub county_fee: Option<Usd>,
    pub filed_under_license_name: Option<String>,
    pub filed_under_license_number: Option<String>,
    pub mailing_insured_name: Option<String>,
    #[serde(default, deserialize_with = "crate::codes::deserialize_state")]
    pub physical_state: Option<String>,
    /// The practice service puts the invoice number here \[ours].
    pub extra_invoice_number: Option<String>,
    pub created_by: Option<String>,
    /// `yyyy-mm-dd hh:mm:ss` followed by a time zone name.
    #[serde(default, alias = "created_at", deserialize_with = "day::deserialize_created")]
    pub created_date: Option<String>,
    #[serde(default)]
    pub transaction_documents: Vec<RecordDocument>,
    pub municipal_name: Option<String>,
    pub municipal_category: Option<String>,
    #[serde(default, deserialize_with = "day::deserialize_date")]
    pub sl_tax_paid_date: Option<String>,
    #[serde(default, deserialize_with = "day::deserialize_date")]
    pub stamping_fee_paid_date: Option<String>,
    #[serde(default, deserialize_with = "day::deserialize_date")]
    pub other_taxes_paid_date: Option<String>,
    #[serde(default, deserialize_with = "crate::lenient::optional_text")]
    pub sl_tax_invoice_id: Option<String>,
    #[serde(default, deserialize_with = "crate::lenient::optional_text")]
    pub stamping_fee_invoice_id: Option<String>,
    /// The practice service puts the caller's own id here \[ours].
    pub unique_id: Option<String>,
    #[serde(default, deserialize_with = "day::deserialize_date")]
    pub gl_moved_date: Option<String>,
    /// The state's own number.
    #[serde(default, deserialize_with = "crate::lenient::optional_text")]
    pub transaction_id_number: Option<String>,
}

impl TransactionRecord {
    /// The date of its filing, as it came; none where it is no date: a word is no proof that it was filed.
    #[must_use]
    pub fn filed_date(&self) -> Option<&str> {
        self.date_filed.as_deref().map(str::trim).filter(|date| day::leading_day(date).is_some())
    }
}
