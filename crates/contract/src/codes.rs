//! Codes: transaction types, entity types, jurisdictions.

use std::fmt;
use std::str::FromStr;

use serde::de;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::lenient::normalize_name;

/// Separates several lines of business and their premiums, blanks around it allowed (section 2).
pub const LINE_SEPARATOR: char = '|';

/// Splits `GEN-1010 | GEN-2000` into its trimmed parts. An empty text has no parts.
pub fn split_list(text: &str) -> Vec<&str> {
    if text.trim().is_empty() { Vec::new() } else { text.split(LINE_SEPARATOR).map(str::trim).collect() }
}

/// A code that is not one of those the contract lists.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{found}\" is not {expected}")]
pub struct CodeError {
    /// What was found, at most 40 characters of it.
    pub found: String,
    /// What was expected.
    pub expected: &'static str,
}

impl CodeError {
    fn new(found: &str, expected: &'static str) -> Self {
        CodeError { found: found.chars().take(40).collect(), expected }
    }
}

macro_rules! codes {
    ($(#[$doc:meta])* $name:ident, $expected:literal { $($(#[$vdoc:meta])* $variant:ident = $code:literal, $title:literal;)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        pub enum $name { $(#[doc = $title] $(#[$vdoc])* #[serde(rename = $code)] $variant,)+ }

        impl $name {
            /// Every code, in the contract's order.
            pub const ALL: &'static [$name] = &[$($name::$variant,)+];

            /// The code as it travels.
            pub const fn code(self) -> &'static str {
                match self { $($name::$variant => $code,)+ }
            }

            /// The name as people read it.
            pub const fn title(self) -> &'static str {
                match self { $($name::$variant => $title,)+ }
            }

            /// The code that a text is, or whose name it is, in whatever case: `New Policy`, `new_policy`.
            pub fn from_name(text: &str) -> Option<Self> {
                if let Ok(code) = text.parse() {
                    return Some(code);
                }
                let name = normalize_name(text);
                $name::ALL.iter().copied().find(|c| normalize_name(c.code()) == name || normalize_name(c.title()) == name)
            }
        }

        impl FromStr for $name {
            type Err = CodeError;
            fn from_str(text: &str) -> Result<Self, CodeError> {
                $name::ALL.iter().copied().find(|c| c.code() == text).ok_or_else(|| CodeError::new(text, $expected))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.code())
            }
        }
    };
}

codes! {
    /// Transaction type [pub, section 2].
    TransactionType, "a transaction type (PN, PR, APE, RPE, AE, FC, ZPE, PC, XE, ARE, RI, BO or BD)" {
        New = "PN", "New policy";
        Renewal = "PR", "Renewal";
        AdditionalPremium = "APE", "Additional premium endorsement";
        /// Return premium endorsement: a credit.
        ReturnPremium = "RPE", "Return premium endorsement";
        Audit = "AE", "Audit";
        /// Flat cancellation: a credit.
        FlatCancellation = "FC", "Flat cancellation";
        ZeroPremium = "ZPE", "Zero premium endorsement";
        /// Pro rata cancellation: a credit.
        ProRataCancellation = "PC", "Pro rata cancellation";
        Extension = "XE", "Extension endorsement";
        /// Audit return endorsement: a credit.
        AuditReturn = "ARE", "Audit return endorsement";
        Reinstatement = "RI", "Reinstatement";
        /// Back-out or reversal: a credit.
        BackOut = "BO", "Back-out or reversal";
        Binder = "BD", "Binder";
    }
}

/// The type of a record as its code, also where the service writes its name; any other word as it came.
pub(crate) fn deserialize_type<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    code_text(deserializer, |text| TransactionType::from_name(text).map(TransactionType::code))
}

/// The same of a state.
pub(crate) fn deserialize_state<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    code_text(deserializer, |text| Jurisdiction::from_name(text).map(Jurisdiction::code))
}

fn code_text<'de, D: Deserializer<'de>>(
    deserializer: D,
    code: fn(&str) -> Option<&'static str>,
) -> Result<Option<String>, D::Error> {
    let texts =
        Option::<CodedText>::deserialize(deserializer)?.map(|CodedText(texts)| texts).unwrap_or_default();
    let known = texts.iter().find_map(|text| code(text)).map(str::to_owned);
    // The number of a table is no code.
    let word = || texts.iter().find(|text| text.parse::<i64>().is_err()).or(texts.first()).cloned();
    Ok(known.or_else(word))
}

/// A code as it came, or what an object says of it: `{"code": "TX", "name": "Texas"}`. Codes first, then titles.
pub(crate) struct CodedText(pub(crate) Vec<String>);

impl CodedText {
    pub(crate) fn of_object(object: &Map<String, Value>) -> CodedText {
        const NAMES: [&str; 9] =
            ["code", "shortcode", "abbreviation", "value", "id", "name", "label", "title", "text"];
        let text = |value: &Value| match value {
            Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        let of = |name: &&str| {
            object.iter().find_map(|(key, value)| text(value).filter(|_| normalize_name(key) == **name))
        };
        CodedText(NAMES.iter().filter_map(of).collect())
    }
}

impl<'de> Deserialize<'de> for CodedText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CodedText, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Object(object) => Ok(CodedText::of_object(&object)),
            Value::Null => Ok(CodedText(Vec::new())),
            Value::String(text) => Ok(CodedText(vec![text])),
            Value::Array(_) => Err(de::Error::custom("a text is expected")),
            other => Ok(CodedText(vec![other.to_string()])),
        }
    }
}

impl TransactionType {
    /// Whether the positive difference submitted is applied as a credit (RPE \[spec]; ARE, FC, PC, BO \[ours]).
    pub const fn is_credit(self) -> bool {
        use TransactionType as T;
        matches!(
            self,
            T::ReturnPremium | T::AuditReturn | T::FlatCancellation | T::ProRataCancellation | T::BackOut
        )
    }

    /// Whether it starts a policy term: its transaction date equals the policy date (section 2).
    pub const fn starts_policy(self) -> bool {
        matches!(self, TransactionType::New | TransactionType::Renewal | TransactionType::Binder)
    }
}

codes! {
    /// The insured's kind, which some states exempt [pub, section 2].
    EntityType, "an entity type (individual, commercial, governmental, federal, tribal or hospital_alliance)" {
        /// A natural person.
        Individual = "individual", "Individual";
        /// A business; the default.
        Commercial = "commercial", "Commercial";
        /// A state, county, city or other public body.
        Governmental = "governmental", "Governmental";
        Federal = "federal", "Federal government";
        /// A tribe.
        Tribal = "tribal", "Tribal";
        HospitalAlliance = "hospital_alliance", "Hospital alliance";
    }
}

codes! {
    /// How the account was written [pub, section 2].
    WrittenAs, "B (through a retail agent) or DC (direct)" {
        Broker = "B", "Through a retail agent";
        /// Direct to the insured.
        Direct = "DC", "Direct";
    }
}

codes! {
    /// Who charges the agency fee \[ours]: states tax the two differently, and the wire has one field for both.
    FeeChargedBy, "retail_agent or surplus_lines_licensee" {
        /// The retail agent (producing broker) who places the business with the surplus lines licensee.
        RetailAgent = "retail_agent", "Retail agent";
        /// The surplus lines licensee who files the transaction.
        SurplusLinesLicensee = "surplus_lines_licensee", "Surplus lines licensee";
    }
}

codes! {
    /// How the insured holds the dwelling \[ours], where a state's charge depends on it.
    Occupancy, "owned_dwelling, condominium, mobile_home, tenant or larger_building" {
        OwnedDwelling = "owned_dwelling", "Owned dwelling, one to four units";
        /// A condominium or another common interest unit.
        Condominium = "condominium", "Condominium";
        /// A mobile or manufactured home.
        MobileHome = "mobile_home", "Mobile home";
        /// A tenant's policy: contents of a rented home.
        Tenant = "tenant", "Tenant's policy";
        LargerBuilding = "larger_building", "Dwelling of more than four units";
    }
}

codes! {
    /// The 53 jurisdictions: 50 states, the District of Columbia, Puerto Rico, the U.S. Virgin Islands.
    Jurisdiction, "the two letters of a state, DC, PR or VI" {
        Al = "AL", "Alabama";
        Ak = "AK", "Alaska";
        Az = "AZ", "Arizona";
        Ar = "AR", "Arkansas";
        Ca = "CA", "California";
        Co = "CO", "Colorado";
        Ct = "CT", "Connecticut";
        De = "DE", "Delaware";
        Dc = "DC", "District of Columbia";
        Fl = "FL", "Florida";
        Ga = "GA", "Georgia";
        Hi = "HI", "Hawaii";
        Id = "ID", "Idaho";
        Il = "IL", "Illinois";
        In = "IN", "Indiana";
        Ia = "IA", "Iowa";
        Ks = "KS", "Kansas";
        Ky = "KY", "Kentucky";
        La = "LA", "Louisiana";
        Me = "ME", "Maine";
        Md = "MD", "Maryland";
        Ma = "MA", "Massachusetts";
        Mi = "MI", "Michigan";
        Mn = "MN", "Minnesota";
        Ms = "MS", "Mississippi";
        Mo = "MO", "Missouri";
        Mt = "MT", "Montana";
        Ne = "NE", "Nebraska";
        Nv = "NV", "Nevada";
        Nh = "NH", "New Hampshire";
        Nj = "NJ", "New Jersey";
        Nm = "NM", "New Mexico";
        Ny = "NY", "New York";
        Nc = "NC", "North Carolina";
        Nd = "ND", "North Dakota";
        Oh = "OH", "Ohio";
        Ok = "OK", "Oklahoma";
        Or = "OR", "Oregon";
        Pa = "PA", "Pennsylvania";
        Pr = "PR", "Puerto Rico";
        Ri = "RI", "Rhode Island";
        Sc = "SC", "South Carolina";
        Sd = "SD", "South Dakota";
        Tn = "TN", "Tennessee";
        Tx = "TX", "Texas";
        Ut = "UT", "Utah";
        Vt = "VT", "Vermont";
        Va = "VA", "Virginia";
        Vi = "VI", "U.S. Virgin Islands";
        Wa = "WA", "Washington";
        Wv = "WV", "West Virginia";
        Wi = "WI", "Wisconsin";
        Wy = "WY", "Wyoming";
    }
}
