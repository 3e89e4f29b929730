//! The tax calculator (section 2).

use bordereau_money::{Rate, Usd};
use serde::{Deserialize, Deserializer, Serialize};

use crate::{AnswerLoss, MunicipalTaxSetting, ReadAnswer, SharedPart, TaxRule};

fn is_zero(flag: &u8) -> bool {
    *flag == 0
}

/// Body of the calculator call [pub; agency_fee, inspection_fee and admitted spec].
///
/// An endorsement submits the difference, a credit the positive difference \[spec].
#[serde_with::apply(
    Option => #[serde(skip_serializing_if = "Option::is_none")],
    Option<Usd> => #[serde(with = "bordereau_money::json_number_option")],
    Usd => #[serde(with = "bordereau_money::json_number")],
    u8 => #[cfg_attr(feature = "schema", schema(maximum = 1))] #[serde(skip_serializing_if = "is_zero")],
)]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct CalculateRequest {
    /// Two letters of the state of the risk; required.
    #[cfg_attr(feature = "schema", schema(required, value_type = crate::Jurisdiction))]
    pub physical_state: String,
    /// Transaction type code; required.
    #[cfg_attr(feature = "schema", schema(required, value_type = crate::TransactionType))]
    pub transaction_type: String,
    /// Line codes joined by a vertical bar; required.
    #[cfg_attr(feature = "schema", schema(required))]
    pub transaction_line_of_business_list: String,
    /// Premium of each line in USD, same order, same separator; required.
    #[cfg_attr(feature = "schema", schema(required))]
    pub transaction_line_of_business_coverage: String,
    /// All fees that are not the carrier's, USD; 0 if absent.
    pub agency_fee: Usd,
    /// The carrier's or underwriting fees, USD; 0 if absent.
    pub inspection_fee: Usd,
    /// Legacy single-line form: the line's code.
    pub line_of_business: Option<String>,
    /// Legacy single-line form: its premium, USD.
    pub premium: Option<Usd>,
    /// Risk purchasing group, 0 or 1.
    pub rpg: u8,
    /// `yyyy-mm-dd`; decides which rules apply; today if absent.
    #[cfg_attr(feature = "schema", schema(format = Date))]
    pub policy_effective_date: Option<String>,
    /// `yyyy-mm-dd`; the endorsement's date; today if absent.
    #[cfg_attr(feature = "schema", schema(format = Date))]
    pub transaction_effective_date: Option<String>,
    /// Entity type code; `commercial` if absent.
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::EntityType>))]
    pub mailing_entity_type: Option<String>,
    /// New Hampshire only: if 1, no policy fee may be charged.
    pub commission_received: u8,
    /// 1 only for Kentucky.
    pub admitted: u8,
    /// Kentucky only.
    pub physical_address: Option<String>,
    /// Kentucky only; here also the name of the taxing jurisdiction when given alone.
    pub physical_city: Option<String>,
    /// Kentucky only.
    pub physical_zip_code: Option<String>,
    /// Kentucky only \[ours]: the municipality or county whose local tax applies, when the person knows it.
    pub municipality_name: Option<String>,
    /// `B` or `DC`.
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::WrittenAs>))]
    pub account_written_as: Option<String>,
    /// Tax exempt insured, 0 or 1.
    pub tax_exempt: u8,
    /// Exempt commercial purchaser, 0 or 1.
    pub ecp: u8,
    /// On the state's export list, 0 or 1.
    pub export_list: u8,
    /// Who charges the agency fee \[ours].
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::FeeChargedBy>))]
    pub agency_fee_charged_by: Option<String>,
    /// How the insured holds the dwelling \[ours].
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::Occupancy>))]
    pub occupancy: Option<String>,
    /// A fraction \[ours]: the present rate of an assessment that the rules have none for.
    #[serde(with = "bordereau_money::json_rate_option")]
    pub assessment_rate: Option<Rate>,
}

/// A line of business as answered. `code` is the state's own; `fm_tax_percentage` is a fraction: 0.01 is 1 %.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct LineOfBusiness {
    pub generic_code: String,
    pub code: Option<String>,
    pub id: u32,
    #[serde(with = "bordereau_money::json_number_option")]
    pub fm_tax_percentage: Option<Usd>,
    pub fm_tax_title: Option<String>,
    pub empa_tax_title: Option<String>,
}

/// Stamp wording of a state. The text is HTML from outside: sanitize before showing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct StateProperties {
    pub state_stamp_wording_text: Option<String>,
    pub state_stamp_wording_instructions: Option<String>,
    /// Points.
    pub state_stamp_wording_font_size: Option<u32>,
    pub state_stamp_wording_font_bold: Option<bool>,
    pub state_stamp_wording_font_italics: Option<bool>,
    pub state_stamp_wording_font_color: Option<String>,
    /// `wording` or `template`.
    pub state_stamp_wording_type: Option<String>,
    pub state_stamp_wording_updated_at: Option<String>,
}

/// `municipal_tax_settings`: a list, or one object for Kentucky admitted (section 2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum MunicipalSettings {
    /// The usual form.
    Many(Vec<MunicipalSettingEntry>),
    /// Kentucky admitted.
    One(MunicipalSettingEntry),
}

impl<'de> Deserialize<'de> for MunicipalSettings {
    /// As a list, for which the reader of answers takes one object too. An untagged enumeration is made of a copy, in
    /// which the reader would not see members in other spellings.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(MunicipalSettings::Many)
    }
}

impl Default for MunicipalSettings {
    fn default() -> Self {
        MunicipalSettings::Many(Vec::new())
    }
}

impl MunicipalSettings {
    /// The settings, however they came.
    pub fn iter(&self) -> impl Iterator<Item = &MunicipalTaxSetting> {
        match self {
            MunicipalSettings::Many(entries) => entries.as_slice(),
            MunicipalSettings::One(entry) => std::slice::from_ref(entry),
        }
        .iter()
        .map(|entry| &entry.municipal_tax_setting)
    }
}

/// One entry of `municipal_tax_settings`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct MunicipalSettingEntry {
    /// The setting itself.
    pub municipal_tax_setting: MunicipalTaxSetting,
}

/// Answer of the calculator \[pub]. Amounts in USD; a credit's amounts are negative. Fees are adjusted where the
/// state restricts them.
///
/// The premium must be there. A charge may be absent, as may a fee that nobody asked for; it is `None` then, which is
/// not the same as zero.
#[serde_with::apply(
    Option<Usd> => #[serde(default, with = "bordereau_money::json_number_option")],
    Usd => #[serde(with = "bordereau_money::json_number")],
    u8 => #[serde(default)],
)]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CalculateResponse {
    #[serde(default)]
    pub line_of_business_list: Vec<LineOfBusiness>,
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = StateProperties))]
    pub state_properties: SharedPart<StateProperties>,
    pub mailing_state_properties: Option<StateProperties>,
    pub account_written_as: Option<String>,
    pub line_of_business: Option<String>,
    pub transaction_type: Option<String>,
    pub physical_state: Option<String>,
    pub physical_address: Option<String>,
    pub physical_city: Option<String>,
    pub physical_zip_code: Option<String>,
    pub premium: Usd,
    pub agency_fee: Option<Usd>,
    pub inspection_fee: Option<Usd>,
    pub sl_tax: Option<Usd>,
    pub stamping_fee: Option<Usd>,
    pub sl_service_charge: Option<Usd>,
    pub municipal_fee: Option<Usd>,
    pub county_fee: Option<Usd>,
    pub fm_tax: Option<Usd>,
    pub empa_tax: Option<Usd>,
    pub collection_fee: Option<Usd>,
    /// Kentucky admitted only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub premium_tax: Option<Usd>,
    /// Kentucky admitted only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub premium_tax_life: Option<Usd>,
    pub rpg: u8,
    pub tax_exempt: u8,
    pub export_list: u8,
    pub commission_received: u8,
    pub continuous_coverage: u8,
    #[serde(default)]
    pub tax_rule: TaxRule,
    #[serde(default)]
    pub municipal_tax_settings: MunicipalSettings,
    #[serde(default)]
    pub county_tax_settings: Vec<MunicipalSettingEntry>,
    /// The service's own total as it came: only compared with the sum of the amounts \[ours].
    #[cfg_attr(feature = "schema", schema(ignore))]
    #[serde(default, skip_serializing, alias = "total_due", alias = "grand_total")]
    pub total: String,
    /// Charges under names that are not known, with their amounts in USD.
    #[serde(skip)]
    pub unknown_charges: Vec<(String, Usd)>,
    /// What could not be read.
    #[serde(skip)]
    pub losses: Vec<AnswerLoss>,
}

impl CalculateResponse {
    /// The answer as it was read, with the charges among the members that are not known.
    pub fn of_read(read: ReadAnswer<CalculateResponse>) -> CalculateResponse {
        let charge = |(name, text): (String, String)| {
            let amount = is_charge_name(&name).then(|| Usd::parse_typed(&text).ok()).flatten()?;
            (!amount.is_zero()).then_some((name, amount))
        };
        let unknown_charges = read.unknown.into_iter().filter_map(charge).collect();
        CalculateResponse { unknown_charges, losses: read.losses, ..read.value }
    }
}

/// Whether a name is that of an amount that is charged, such as `fire_tax` or `windstormFee`, and not of a flag.
fn is_charge_name(name: &str) -> bool {
    let is_flag = ["is", "has"].iter().any(|word| {
        name.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_lowercase()))
    });
    let name = name.to_ascii_lowercase();
    // A sum over charges is none of them.
    let is_sum = ["total", "sum", "sub"].iter().any(|word| name.starts_with(word));
    !is_flag && !is_sum && ["tax", "fee", "charge"].iter().any(|end| name.ends_with(end))
}
