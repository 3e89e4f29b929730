//! The fields of an imported transaction as columns, with what may stand in them.

use bordereau_contract::Charge;
use serde::{Deserialize, Serialize};

/// What kind of value a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ValueKind {
    /// An identifier: text whose every character counts.
    Identifier,
    /// Text.
    Text,
    /// A calendar date.
    Date,
    /// An amount in USD.
    Amount,
    /// Yes or no.
    Flag,
    /// One of a list of codes.
    Code,
    /// Several entries in a cell, separated by a vertical bar.
    List,
    /// Amounts or percents in the order of a list.
    Shares,
    /// A percent from 0 to 100.
    Percent,
}

macro_rules! fields {
    ($($variant:ident = $name:literal, $kind:ident, $max:literal, $title:expr, $short:literal, $example:literal;)+) => {
        /// A field of an imported transaction (contract, section 3), in the template's order.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[repr(u8)]
        pub enum Field { $(#[doc = concat!("The column `", $name, "`.")] #[serde(rename = $name)] $variant,)+ }

        impl Field {
            /// Every field, in the template's order.
            pub const ALL: &'static [Field] = &[$(Field::$variant,)+];

            /// The contract's name: the template's header.
            pub const fn name(self) -> &'static str {
                match self { $(Field::$variant => $name,)+ }
            }

            /// As people read it.
            pub const fn title(self) -> &'static str {
                match self { $(Field::$variant => $title,)+ }
            }

            /// The heading of a narrow column.
            pub const fn short_title(self) -> &'static str {
                match self { $(Field::$variant => $short,)+ }
            }

            /// What kind of value it takes.
            pub const fn kind(self) -> ValueKind {
                match self { $(Field::$variant => ValueKind::$kind,)+ }
            }

            /// The most characters it takes.
            pub const fn chars_max(self) -> usize {
                match self { $(Field::$variant => $max,)+ }
            }

            /// A value as the template shows it.
            pub const fn example(self) -> &'static str {
                match self { $(Field::$variant => $example,)+ }
            }
        }
    };
}

// Lengths of id and policy numbers [pub]; the others [ours]. A new field goes to the end: stored drafts know a field
// without a column by its place.
fields! {
    Id = "id", Identifier, 255, "Transaction ID", "ID", "INV-10001-1";
    AgentId = "agent_id", Identifier, 255, "Agent ID", "Agent", "A-17";
    PolicyNumber = "policy_number", Identifier, 50, "Policy number", "Policy", "0012345678";
    PolicyEffectiveDate = "policy_effective_date", Date, 40, "Policy effective date", "Effective", "02/23/2026";
    PolicyExpirationDate = "policy_expiration_date", Date, 40, "Policy expiration date", "Expires", "02/23/2027";
    TransactionEffectiveDate = "transaction_effective_date", Date, 40, "Transaction effective date", "Transaction", "02/23/2026";
    ExpiringPolicyNumber = "expiring_policy_number", Identifier, 50, "Expiring policy number", "Expiring policy", "";
    InvoiceDate = "invoice_date", Date, 40, "Invoice date", "Invoiced", "02/25/2026";
    InvoiceNumber = "invoice_number", Identifier, 100, "Invoice number", "Invoice", "10001";
    TransactionType = "transaction_type", Code, 40, "Transaction type", "Type", "PN";
    PolicyType = "policy_type", Code, 40, "Policy type", "Policy type", "standard";
    AccountWrittenAs = "account_written_as", Code, 40, "Account written as", "Written as", "B";
    Rpg = "rpg", Flag, 10, "Risk purchasing group", "RPG", "0";
    LayeredRisk = "layered_risk", Flag, 10, "Layered risk", "Layered", "0";
    BrokerOfRecord = "broker_of_record", Flag, 10, "Broker of record", "Of record", "0";
    RiskRetentionGroup = "risk_retention_group", Flag, 10, "Risk retention group", "RRG", "0";
    PurchasingGroupName = "purchasing_group_name", Text, 255, "Purchasing group name", "Group", "";
    RiskDescription = "risk_description", Text, 1000, "Risk description", "Risk", "Restaurant";
    Ecp = "ecp", Flag, 10, "Exempt commercial purchaser", "ECP", "0";
    Exempt = "exempt", Flag, 10, "Tax exempt", "Exempt", "0";
    MultiState = "multi_state", Flag, 10, "Multi-state", "Multi-state", "0";
    PolicyLimit = "policy_limit", Amount, 40, "Policy limit", "Limit", "1000000";
    PropertyLimit = "property_limit", Amount, 40, "Property limit", "Property limit", "";
    LineOfBusiness = "line_of_business_list", List, 2000, "Lines of business", "Line", "GEN-1002";
    LinePremium = "line_of_business_coverage", Shares, 2000, "Premium of each line", "Line premium", "9521.00";
    InsuranceCompany = "insurance_company_list", List, 2000, "Insurers", "Insurer", "AA-1120337 | 10899";
    InsurerShare = "insurance_company_coverage", Shares, 2000, "Percent of each insurer", "Insurer %", "60 | 40";
    Syndicate = "syndicate_list", List, 2000, "Syndicates", "Syndicate", "";
    SyndicateShare = "syndicate_coverage", Shares, 2000, "Percent of each syndicate", "Syndicate %", "";
    Premium = "premium", Amount, 40, "Premium", "Premium", "9521.00";
    AgencyFee = "agency_fee", Amount, 40, Charge::AgencyFee.title(), "Agency fee", "400.00";
    InspectionFee = "inspection_fee", Amount, 40, Charge::InspectionFee.title(), "Inspection", "150.42";
    CollectionFee = "collection_fee", Amount, 40, Charge::CollectionFee.title(), "Collection", "";
    SlTax = "sl_tax", Amount, 40, Charge::SlTax.title(), "SL tax", "";
    StampingFee = "stamping_fee", Amount, 40, Charge::StampingFee.title(), "Stamping", "";
    SlServiceCharge = "sl_service_charge", Amount, 40, Charge::SlServiceCharge.title(), "Service", "";
    MunicipalFee = "municipal_fee", Amount, 40, Charge::MunicipalFee.title(), "Municipal", "";
    CountyFee = "county_fee", Amount, 40, Charge::CountyFee.title(), "County", "";
    FmTax = "fm_tax", Amount, 40, Charge::FmTax.title(), "Fire marshal", "";
    EmpaTax = "empa_tax", Amount, 40, Charge::EmpaTax.title(), "EMPA", "";
    Total = "total", Amount, 40, "Total", "Total", "";
    CommissionReceived = "commission_received", Flag, 10, "Commission received", "Commission", "";
    InsuredName = "mailing_insured_name", Text, 255, "Insured", "Insured", "Example Diner LLC";
    MailingAddress = "mailing_address", Text, 255, "Mailing address", "Mailing address", "1 Main Street";
    MailingCity = "mailing_city", Text, 100, "Mailing city", "Mailing city", "Austin";
    MailingZip = "mailing_zip_code", Identifier, 10, "Mailing ZIP code", "Mailing ZIP", "78701";
    MailingState = "mailing_state_code", Code, 40, "Mailing state", "Mailing state", "TX";
    InsuredEntity = "insured_entity", Code, 40, "Kind of insured", "Kind", "commercial";
    InsuredEmail = "insured_email", Text, 255, "Insured’s email", "Email", "";
    InsuredPhone = "insured_phone", Identifier, 40, "Insured’s phone", "Phone", "";
    PhysicalAddress = "physical_address", Text, 255, "Address of the risk", "Address", "1 Main Street";
    PhysicalCity = "physical_city", Text, 100, "City of the risk", "City", "Austin";
    PhysicalZip = "physical_zip_code", Identifier, 10, "ZIP code of the risk", "ZIP", "78701";
    PhysicalState = "physical_state", Code, 40, "State of the risk", "State", "TX";
    RetailProducer = "retail_producer", Text, 255, "Retail producer", "Producer", "Example Agency";
    Documents = "documents", List, 2000, "Documents", "Documents", "";
    AgencyFeeChargedBy = "agency_fee_charged_by", Code, 40, "Agency fee charged by", "Fee by", "";
    Occupancy = "occupancy", Code, 40, "Dwelling", "Dwelling", "";
    AssessmentRate = "assessment_rate", Percent, 20, "Assessment rate", "Assessment", "";
}

/// How many fields there are.
pub const FIELD_COUNT: usize = Field::ALL.len();

/// The fields of a kind, in the table's order: a typed row has their values at these places.
const fn fields_of<const N: usize>(kind: ValueKind) -> [Field; N] {
    let mut fields = [Field::Id; N];
    let (mut at, mut count) = (0, 0);
    while at < FIELD_COUNT {
        if Field::ALL[at].kind() as u8 == kind as u8 {
            fields[count] = Field::ALL[at];
            count += 1;
        }
        at += 1;
    }
    assert!(count == N, "the number of fields of the kind");
    fields
}

/// The fields with a date.
pub const DATES: [Field; 4] = fields_of(ValueKind::Date);
/// The fields with an amount.
pub const AMOUNTS: [Field; 14] = fields_of(ValueKind::Amount);
/// The fields with yes or no.
pub const FLAGS: [Field; 8] = fields_of(ValueKind::Flag);

/// The column of each charge that a file may have.
pub const CHARGE_FIELDS: [(Charge, Field); 10] = [
    (Charge::AgencyFee, Field::AgencyFee),
    (Charge::InspectionFee, Field::InspectionFee),
    (Charge::CollectionFee, Field::CollectionFee),
    (Charge::SlTax, Field::SlTax),
    (Charge::StampingFee, Field::StampingFee),
    (Charge::SlServiceCharge, Field::SlServiceCharge),
    (Charge::MunicipalFee, Field::MunicipalFee),
    (Charge::CountyFee, Field::CountyFee),
    (Charge::FmTax, Field::FmTax),
    (Charge::EmpaTax, Field::EmpaTax),
];

impl Field {
    /// The field of a contract name.
    pub fn by_name(name: &str) -> Option<Field> {
        Field::ALL.iter().copied().find(|f| f.name() == name)
    }

    /// By the key a service's message has: `slTax`, `lineOfBusiness` (contract, section 3), or the contract's name, in any
    /// case, whatever separates its words, and behind a path such as `transactions[3].`.
    pub fn by_message_key(key: &str) -> Option<Field> {
        let plain = |name: &str| {
            let letters = name.chars().filter(char::is_ascii_alphanumeric);
            letters.map(|letter| letter.to_ascii_lowercase()).collect::<String>()
        };
        let is_word = |step: &&str| step.chars().any(char::is_alphabetic);
        let key = plain(key.rsplit(['.', '/']).find(is_word).unwrap_or_default());
        let named = |wanted: &str| Field::ALL.iter().copied().find(|field| plain(field.name()) == wanted);
        named(&key).or_else(|| named(&format!("{key}list")))
    }

    /// Its place among [`Field::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The field of shares that goes with a list.
    pub const fn shares_field(self) -> Option<Field> {
        match self {
            Field::LineOfBusiness => Some(Field::LinePremium),
            Field::InsuranceCompany => Some(Field::InsurerShare),
            Field::Syndicate => Some(Field::SyndicateShare),
            _ => None,
        }
    }
}

impl Field {
    /// Whether several columns may belong to it: entries and shares follow one another, amounts are added,
    /// texts are joined.
    pub const fn is_repeatable(self) -> bool {
        matches!(self.kind(), ValueKind::List | ValueKind::Shares | ValueKind::Amount | ValueKind::Text)
            && !matches!(self, Field::Premium | Field::Total | Field::PolicyLimit | Field::PropertyLimit)
    }

    /// Its place among the amounts, dates or flags of a typed row; `None` where it is not of that kind.
    #[inline]
    pub fn typed_index(self, kind: ValueKind) -> Option<usize> {
        let place = PLACES[self.index()];
        (place != NO_PLACE && self.kind() == kind).then_some(usize::from(place))
    }
}

const NO_PLACE: u8 = u8::MAX;

/// The place of each field among its kind, looked up some thirty times for every row.
const PLACES: [u8; FIELD_COUNT] = {
    let mut places = [NO_PLACE; FIELD_COUNT];
    let mut at = 0u8;
    while (at as usize) < AMOUNTS.len() {
        places[AMOUNTS[at as usize].index()] = at;
        at += 1;
    }
    at = 0;
    while (at as usize) < DATES.len() {
        places[DATES[at as usize].index()] = at;
        at += 1;
    }
    at = 0;
    while (at as usize) < FLAGS.len() {
        places[FLAGS[at as usize].index()] = at;
        at += 1;
    }
    places
};
