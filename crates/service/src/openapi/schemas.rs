//! Schemas of the wire types, as tables; a test compares their fields with the types themselves.

use bordereau_contract::{EntityType, FeeChargedBy, Jurisdiction, Occupancy, TransactionType, WrittenAs};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, OneOfBuilder, SchemaType, Type};
use utoipa::openapi::{KnownFormat, Ref, RefOr, Schema, SchemaFormat};

/// What a field holds.
#[derive(Clone, Copy)]
pub(super) enum Holds {
    Text,
    Date,
    /// A JSON number, exact decimal.
    Amount,
    Integer,
    /// 0 or 1.
    Flag,
    Bool,
    Integers,
    One(&'static str),
    Many(&'static str),
    States,
    Transactions,
    Entities,
    Written,
    Chargers,
    Occupancies,
    Municipal,
    /// An object: texts keyed by field.
    Keyed,
    /// An array of texts.
    Texts,
}
use Holds::{
    Amount, Bool, Chargers, Date, Entities, Flag, Integer, Integers, Keyed, Many, Municipal, Occupancies,
    One, States, Text, Texts, Transactions, Written,
};

/// Whether it must be there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    Required,
    Optional,
    /// There, but perhaps null.
    Nullable,
}
use Need::{Nullable, Optional, Required};

pub(super) type Row = (&'static str, Holds, Need, &'static str);

const TOKEN_REQUEST: &[Row] = &[
    ("grant_type", Text, Required, "password or refresh_token"),
    ("username", Text, Optional, "with password"),
    ("password", Text, Optional, "with password"),
    ("refresh_token", Text, Optional, "with refresh_token"),
];

const TOKEN_RESPONSE: &[Row] = &[
    ("access_token", Text, Required, "for Authorization: Bearer"),
    ("refresh_token", Text, Optional, "absent after a refresh: the old one stays good"),
    ("expires_in", Integer, Required, "seconds"),
];

const TOKEN_ERROR: &[Row] = &[
    ("error", Text, Required, "invalid_grant, invalid_request or unsupported_grant_type"),
    ("error_description", Text, Required, "a sentence"),
    ("errors", Many("FieldProblem"), Optional, "the fields at fault, with 400"),
];

const CALCULATE_REQUEST: &[Row] = &[
    ("physical_state", States, Required, "state of the risk"),
    ("transaction_type", Transactions, Required, ""),
    ("transaction_line_of_business_list", Text, Required, "codes joined by |"),
    ("transaction_line_of_business_coverage", Text, Required, "premiums in USD joined by |, same order"),
    ("agency_fee", Amount, Optional, "USD; all fees that are not the carrier's; 0 if absent"),
    ("inspection_fee", Amount, Optional, "USD; the carrier's or underwriting fees; 0 if absent"),
    ("line_of_business", Text, Optional, "legacy single-line form"),
    ("premium", Amount, Optional, "USD; legacy single-line form"),
    ("rpg", Flag, Optional, "risk purchasing group"),
    ("policy_effective_date", Date, Optional, "decides which rules apply; today if absent"),
    ("transaction_effective_date", Date, Optional, "the policy's for PN, PR and BD; today if absent"),
    ("mailing_entity_type", Entities, Optional, "commercial if absent"),
    ("commission_received", Flag, Optional, "New Hampshire"),
    ("admitted", Flag, Optional, "Kentucky only"),
    ("physical_address", Text, Optional, "Kentucky"),
    ("physical_city", Text, Optional, "Kentucky"),
    ("physical_zip_code", Text, Optional, "Kentucky"),
    ("municipality_name", Text, Optional, "Kentucky: the taxing city or county, where known"),
    ("account_written_as", Written, Optional, "B through a retail agent, DC direct"),
    ("tax_exempt", Flag, Optional, ""),
    ("ecp", Flag, Optional, "exempt commercial purchaser"),
    ("export_list", Flag, Optional, ""),
    ("agency_fee_charged_by", Chargers, Optional, ""),
    ("occupancy", Occupancies, Optional, "how the insured holds the dwelling"),
    ("assessment_rate", Amount, Optional, "a fraction: 0.06 is 6 %; where the rules have no present rate"),
];

const CALCULATE_RESPONSE: &[Row] = &[
    ("line_of_business_list", Many("LineOfBusiness"), Required, ""),
    ("state_properties", One("StateProperties"), Required, "stamp wording, HTML"),
    ("mailing_state_properties", One("StateProperties"), Nullable, ""),
    ("account_written_as", Text, Nullable, ""),
    ("line_of_business", Text, Nullable, ""),
    ("transaction_type", Text, Required, ""),
    ("physical_state", Text, Required, ""),
    ("physical_address", Text, Nullable, ""),
    ("physical_city", Text, Nullable, ""),
    ("physical_zip_code", Text, Nullable, ""),
    ("premium", Amount, Required, "USD; negative for a credit, as are all amounts"),
    ("agency_fee", Amount, Required, "USD, adjusted where the state restricts fees"),
    ("inspection_fee", Amount, Required, "USD, adjusted where the state restricts fees"),
    ("sl_tax", Amount, Required, "USD"),
    ("stamping_fee", Amount, Required, "USD"),
    ("sl_service_charge", Amount, Required, "USD"),
    ("municipal_fee", Amount, Nullable, "USD"),
    ("county_fee", Amount, Nullable, "USD"),
    ("fm_tax", Amount, Required, "USD"),
    ("empa_tax", Amount, Required, "USD"),
    ("collection_fee", Amount, Required, "USD"),
    ("premium_tax", Amount, Optional, "USD; Kentucky admitted"),
    ("premium_tax_life", Amount, Optional, "USD; Kentucky admitted"),
    ("rpg", Flag, Required, ""),
    ("tax_exempt", Flag, Required, ""),
    ("export_list", Flag, Required, ""),
    ("commission_received", Flag, Required, ""),
    ("continuous_coverage", Flag, Required, ""),
    ("tax_rule", One("TaxRule"), Required, ""),
    ("municipal_tax_settings", Municipal, Required, "one object for Kentucky admitted"),
    ("county_tax_settings", Many("MunicipalSettingEntry"), Required, ""),
];

const LINE_OF_BUSINESS: &[Row] = &[
    ("generic_code", Text, Required, ""),
    ("code", Text, Nullable, "the state's own"),
    ("id", Integer, Required, ""),
    ("fm_tax_percentage", Amount, Nullable, "a fraction: 0.01 is 1 %"),
    ("fm_tax_title", Text, Nullable, ""),
    ("empa_tax_title", Text, Nullable, ""),
];

const STATE_PROPERTIES: &[Row] = &[
    ("state_stamp_wording_text", Text, Nullable, "HTML"),
    ("state_stamp_wording_instructions", Text, Nullable, ""),
    ("state_stamp_wording_font_size", Integer, Nullable, "points"),
    ("state_stamp_wording_font_bold", Bool, Nullable, ""),
    ("state_stamp_wording_font_italics", Bool, Nullable, ""),
    ("state_stamp_wording_font_color", Text, Nullable, ""),
    ("state_stamp_wording_type", Text, Nullable, "wording or template"),
    ("state_stamp_wording_updated_at", Text, Nullable, ""),
];

const TAX_RULE: &[Row] = &[
    ("is_sl_tax_active", Bool, Required, ""),
    ("sl_tax_amount_type", Integer, Required, "1 percent, 2 fixed"),
    ("sl_tax_amount", Amount, Required, "4.85 is 4.85 %"),
    ("is_sl_tax_input_manual", Bool, Required, ""),
    ("sl_tax_title", Text, Required, ""),
    ("is_stamping_fee_active", Bool, Required, ""),
    ("stamping_fee_amount_type", Integer, Required, "1 percent, 2 fixed"),
    ("stamping_fee_amount", Amount, Required, ""),
    ("is_stamping_fee_input_manual", Bool, Required, ""),
    ("stamping_fee_title", Text, Required, ""),
    ("is_sl_service_charge_active", Bool, Required, ""),
    ("sl_service_charge_amount_type", Integer, Required, "1 percent, 2 fixed"),
    ("sl_service_charge_amount", Amount, Required, ""),
    ("is_sl_service_charge_input_manual", Bool, Required, ""),
    ("sl_service_charge_title", Text, Required, ""),
    ("is_municipal_fee_active", Bool, Required, ""),
    ("municipal_fee_amount_type", Integer, Required, "1 percent, 2 fixed"),
    ("municipal_fee_amount", Amount, Required, ""),
    ("is_municipal_fee_input_manual", Bool, Required, ""),
    ("municipal_fee_title", Text, Required, ""),
    ("exclude_stamping_fee_when_negative_premium", Bool, Required, ""),
    ("fee_restrictions", Bool, Required, ""),
    ("fee_restriction_amount_fixed", Amount, Nullable, "USD"),
    ("fee_restriction_amount_fixed_active", Bool, Required, ""),
    ("fee_restriction_amount_percentage", Amount, Nullable, "percent"),
    ("fee_restriction_amount_percentage_active", Bool, Required, ""),
    ("max_fee", Bool, Required, ""),
    ("max_fee_amount_type", Integer, Nullable, "1 percent, 2 fixed"),
    ("max_fee_amount", Amount, Nullable, ""),
    ("fee_restriction_apply_to", Integers, Required, ""),
    ("fee_restriction_apply_from", Integers, Required, ""),
    ("both_fees_allowed", Bool, Required, ""),
    ("ask_if_commission_received", Bool, Required, ""),
    ("zero_agency_fee_if_commission_received", Bool, Required, ""),
    ("round_taxes_to_the_nearest_dollar", Bool, Required, ""),
    ("round_premium_to_the_nearest_dollar", Bool, Required, ""),
    ("round_fees_to_the_nearest_dollar", Bool, Required, ""),
    ("round_up_taxes_to_the_nearest_dollar", Bool, Required, ""),
    ("round_up_premium_to_the_nearest_dollar", Bool, Required, ""),
    ("round_up_fees_to_the_nearest_dollar", Bool, Required, ""),
    ("state_notes", Many("StateNote"), Required, ""),
    ("state_documents", Many("StateDocument"), Required, ""),
];

const LABELLED_ID: &[Row] = &[("id", Integer, Required, ""), ("label", Text, Required, "")];

const STATE_NOTE: &[Row] = &[
    ("note_type_data", One("LabelledId"), Required, ""),
    ("notification_type_data", One("LabelledId"), Required, "1 Info, 3 Warning"),
    ("note_type", Integer, Required, ""),
    ("note", Text, Required, "HTML"),
    ("instructions", Text, Nullable, ""),
    ("font_size", Integer, Nullable, "points"),
    ("color", Text, Nullable, ""),
    ("bold", Bool, Required, ""),
    ("italic", Bool, Required, ""),
];

const STATE_DOCUMENT: &[Row] = &[
    ("name", Text, Required, ""),
    ("code", Text, Required, ""),
    ("document_note", Text, Nullable, ""),
    ("document_download_link", Text, Nullable, "one-time address, good for one minute"),
    ("upload_required", Bool, Required, ""),
    ("transaction_types", Many("ApplicableTransaction"), Required, ""),
    ("last_edited_at", Text, Nullable, ""),
    ("date_active_from", Text, Nullable, ""),
    ("date_active_to", Text, Nullable, ""),
    ("document_group", Text, Required, ""),
    ("rpg", Integer, Required, "0 no, 1 yes, 2 both"),
    ("ecp", Integer, Required, "0 no, 1 yes, 2 both"),
    ("exempt", Integer, Required, "0 no, 1 yes, 2 both"),
    ("export_list", Integer, Required, "0 no, 1 yes, 2 both"),
    ("required_for_filing", Bool, Required, ""),
    ("required_for_binding", Bool, Required, ""),
    ("include_with_policy", Bool, Required, ""),
    ("include_in_diligent_effort", Bool, Required, ""),
    ("keep_on_hand", Bool, Required, ""),
    ("signature_requirements", Text, Nullable, ""),
];

const APPLICABLE_TRANSACTION: &[Row] = &[("name", Text, Required, ""), ("short_code", Text, Required, "")];

const MUNICIPAL_SETTING_ENTRY: &[Row] =
    &[("municipal_tax_setting", One("MunicipalTaxSetting"), Required, "")];

const MUNICIPAL_TAX_SETTING: &[Row] =
    &[("municipality_name", Text, Required, ""), ("line_category", Text, Required, "")];

const PROBLEM: &[Row] = &[
    ("type", Text, Required, "such as urn:bordereau:problem:validation"),
    ("title", Text, Required, ""),
    ("status", Integer, Required, ""),
    ("detail", Text, Required, "a sentence"),
    ("errors", Many("FieldProblem"), Optional, ""),
];

const FIELD_PROBLEM: &[Row] = &[
    ("pointer", Text, Required, "JSON pointer (RFC 6901)"),
    ("detail", Text, Required, "what was found, what was expected"),
];

/// Every schema, by name.
pub(super) fn all() -> Vec<(&'static str, Schema)> {
    [
        ("TokenRequest", TOKEN_REQUEST),
        ("TokenResponse", TOKEN_RESPONSE),
        ("TokenError", TOKEN_ERROR),
        ("CalculateRequest", CALCULATE_REQUEST),
        ("CalculateResponse", CALCULATE_RESPONSE),
        ("LineOfBusiness", LINE_OF_BUSINESS),
        ("StateProperties", STATE_PROPERTIES),
        ("TaxRule", TAX_RULE),
        ("LabelledId", LABELLED_ID),
        ("StateNote", STATE_NOTE),
        ("StateDocument", STATE_DOCUMENT),
        ("ApplicableTransaction", APPLICABLE_TRANSACTION),
        ("MunicipalSettingEntry", MUNICIPAL_SETTING_ENTRY),
        ("MunicipalTaxSetting", MUNICIPAL_TAX_SETTING),
        ("Problem", PROBLEM),
        ("FieldProblem", FIELD_PROBLEM),
    ]
    .map(|(name, rows)| (name, table(rows)))
    .into()
}

pub(super) fn table(rows: &[Row]) -> Schema {
    let mut object = ObjectBuilder::new();
    for (name, holds, need, description) in rows {
        object = object.property(*name, field(*holds, *need == Nullable, description));
        if *need != Optional {
            object = object.required(*name);
        }
    }
    object.build().into()
}

fn field(holds: Holds, nullable: bool, description: &str) -> RefOr<Schema> {
    let description = Some(description).filter(|text| !text.is_empty());
    let plain = |kind: Type| {
        let kind = if nullable { SchemaType::from_iter([kind, Type::Null]) } else { SchemaType::new(kind) };
        ObjectBuilder::new().schema_type(kind).description(description)
    };
    let codes = |codes: Vec<&'static str>| plain(Type::String).enum_values(Some(codes));
    let schema: Schema = match holds {
        Text => plain(Type::String).build().into(),
        Date => plain(Type::String).format(Some(SchemaFormat::KnownFormat(KnownFormat::Date))).build().into(),
        Amount => plain(Type::Number).build().into(),
        Integer => plain(Type::Integer).build().into(),
        Flag => plain(Type::Integer).enum_values(Some([0, 1])).build().into(),
        Bool => plain(Type::Boolean).build().into(),
        Keyed => ObjectBuilder::new()
            .additional_properties(Some(ObjectBuilder::new().schema_type(Type::String)))
            .description(description)
            .build()
            .into(),
        Texts => ArrayBuilder::new()
            .items(ObjectBuilder::new().schema_type(Type::String))
            .description(description)
            .build()
            .into(),
        Integers => ArrayBuilder::new()
            .items(ObjectBuilder::new().schema_type(Type::Integer))
            .description(description)
            .build()
            .into(),
        One(name) if nullable => OneOfBuilder::new()
            .item(ObjectBuilder::new().schema_type(Type::Null).build())
            .item(Ref::from_schema_name(name))
            .build()
            .into(),
        One(name) => return Ref::from_schema_name(name).into(),
        Many(name) => {
            ArrayBuilder::new().items(Ref::from_schema_name(name)).description(description).build().into()
        }
        States => codes(Jurisdiction::ALL.iter().map(|code| code.code()).collect()).build().into(),
        Transactions => codes(TransactionType::ALL.iter().map(|code| code.code()).collect()).build().into(),
        Entities => codes(EntityType::ALL.iter().map(|code| code.code()).collect()).build().into(),
        Chargers => codes(FeeChargedBy::ALL.iter().map(|code| code.code()).collect()).build().into(),
        Occupancies => codes(Occupancy::ALL.iter().map(|code| code.code()).collect()).build().into(),
        Written => codes(WrittenAs::ALL.iter().map(|code| code.code()).collect()).build().into(),
        Municipal => OneOfBuilder::new()
            .item(ArrayBuilder::new().items(Ref::from_schema_name("MunicipalSettingEntry")))
            .item(Ref::from_schema_name("MunicipalSettingEntry"))
            .description(description)
            .build()
            .into(),
    };
    schema.into()
}

/// A whole number.
pub(super) fn integer() -> Schema {
    ObjectBuilder::new().schema_type(Type::Integer).build().into()
}

/// A string.
pub(super) fn text() -> Schema {
    ObjectBuilder::new().schema_type(Type::String).build().into()
}

/// Bytes.
pub(super) fn binary() -> Schema {
    let format = SchemaFormat::KnownFormat(KnownFormat::Binary);
    ObjectBuilder::new().schema_type(Type::String).format(Some(format)).build().into()
}
