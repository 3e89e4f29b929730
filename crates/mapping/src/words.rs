//! Codes as people write them: which word means which code.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use bordereau_contract::{
    EntityType, FeeChargedBy, Jurisdiction, Occupancy, POLICY_TYPE_TITLES, POLICY_TYPES, TransactionType,
    WrittenAs,
};
use serde::Deserialize;

use crate::field::{Field, ValueKind};

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct CodeWords {
    stands_for: BTreeMap<String, String>,
    same: BTreeMap<String, String>,
}

fn word_tables() -> &'static BTreeMap<String, CodeWords> {
    static TABLES: OnceLock<BTreeMap<String, CodeWords>> = OnceLock::new();
    TABLES.get_or_init(|| toml::from_str(include_str!("../data/words.toml")).expect("the words are tested"))
}

/// What a word is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordMeaning {
    /// The code, or another way to write it.
    Code(&'static str),
    /// Mapped to a code; the person is warned.
    StandsFor(&'static str),
    /// Neither.
    Unknown,
}

/// What a cell of a code field means. The text is not empty.
pub fn find_meaning(field: Field, text: &str) -> WordMeaning {
    let text = text.trim();
    if let Some(code) = exact_code(field, text) {
        return WordMeaning::Code(code);
    }
    let upper = text.to_ascii_uppercase();
    if let Some(code) = exact_code(field, &upper).or_else(|| exact_code(field, &text.to_ascii_lowercase())) {
        return WordMeaning::Code(code);
    }
    if let Some(code) = titled_code(field, text) {
        return WordMeaning::Code(code);
    }
    let word = text.to_lowercase();
    let Some(words) = word_tables().get(field.name()) else { return WordMeaning::Unknown };
    words.stands_for.get(&word).map_or(WordMeaning::Unknown, |code| WordMeaning::StandsFor(code))
}

/// Yes or no of a cell that is not empty.
pub fn parse_flag(text: &str) -> Option<bool> {
    match text {
        "0" => Some(false),
        "1" => Some(true),
        _ => word_tables().get("flag")?.same.get(&text.trim().to_lowercase()).map(|code| code == "1"),
    }
}

fn exact_code(field: Field, text: &str) -> Option<&'static str> {
    match field {
        Field::TransactionType => text.parse().ok().map(TransactionType::code),
        Field::PhysicalState | Field::MailingState if text.len() == 2 => {
            text.parse().ok().map(Jurisdiction::code)
        }
        Field::AccountWrittenAs => text.parse().ok().map(WrittenAs::code),
        Field::InsuredEntity => text.parse().ok().map(EntityType::code),
        Field::AgencyFeeChargedBy => text.parse().ok().map(FeeChargedBy::code),
        Field::Occupancy => text.parse().ok().map(Occupancy::code),
        Field::PolicyType => POLICY_TYPES.iter().copied().find(|code| *code == text),
        _ => None,
    }
}

/// The code whose exact title a text is, in whatever case. Titles of types and of how an account was written are among
/// the words that stand for a code, with a warning.
fn titled_code(field: Field, text: &str) -> Option<&'static str> {
    match field {
        Field::PhysicalState | Field::MailingState => {
            Jurisdiction::ALL.iter().find(|s| s.title().eq_ignore_ascii_case(text)).map(|s| s.code())
        }
        Field::InsuredEntity => EntityType::from_name(text).map(EntityType::code),
        Field::AgencyFeeChargedBy => FeeChargedBy::from_name(text).map(FeeChargedBy::code),
        Field::Occupancy => Occupancy::from_name(text).map(Occupancy::code),
        Field::PolicyType => {
            let titles = || POLICY_TYPE_TITLES.iter();
            titles().find(|(_, title)| title.eq_ignore_ascii_case(text)).map(|(code, _)| *code)
        }
        _ => None,
    }
}

/// Codes of a field with their titles.
pub fn titles_of(field: Field) -> Vec<(String, String)> {
    let named = |code: &str, title: &str| (code.to_owned(), title.to_owned());
    match field {
        Field::TransactionType => TransactionType::ALL.iter().map(|c| named(c.code(), c.title())).collect(),
        Field::PhysicalState | Field::MailingState => {
            Jurisdiction::ALL.iter().map(|c| named(c.code(), c.title())).collect()
        }
        Field::AccountWrittenAs => WrittenAs::ALL.iter().map(|c| named(c.code(), c.title())).collect(),
        Field::InsuredEntity => EntityType::ALL.iter().map(|c| named(c.code(), c.title())).collect(),
        Field::AgencyFeeChargedBy => FeeChargedBy::ALL.iter().map(|c| named(c.code(), c.title())).collect(),
        Field::Occupancy => Occupancy::ALL.iter().map(|c| named(c.code(), c.title())).collect(),
        Field::PolicyType => POLICY_TYPE_TITLES.iter().map(|(code, title)| named(code, title)).collect(),
        _ if field.kind() == ValueKind::Flag => vec![named("1", "Yes"), named("0", "No")],
        _ => Vec::new(),
    }
}

/// The codes a field takes, for messages and choices.
pub fn codes_of(field: Field) -> Vec<&'static str> {
    match field {
        Field::TransactionType => TransactionType::ALL.iter().map(|c| c.code()).collect(),
        Field::PhysicalState | Field::MailingState => Jurisdiction::ALL.iter().map(|c| c.code()).collect(),
        Field::AccountWrittenAs => WrittenAs::ALL.iter().map(|c| c.code()).collect(),
        Field::InsuredEntity => EntityType::ALL.iter().map(|c| c.code()).collect(),
        Field::AgencyFeeChargedBy => FeeChargedBy::ALL.iter().map(|c| c.code()).collect(),
        Field::Occupancy => Occupancy::ALL.iter().map(|c| c.code()).collect(),
        Field::PolicyType => POLICY_TYPES.to_vec(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A code or its exact title is taken; what it only usually means is left for a person to say.
    #[test]
    fn titles_are_taken_and_interpretations_are_not() {
        use Field as F;
        for (field, text, code) in [
            (F::InsuredEntity, "COMMERCIAL", Some("commercial")),
            (F::InsuredEntity, "Federal government", Some("federal")),
            (F::InsuredEntity, "hospital alliance", Some("hospital_alliance")),
            (F::InsuredEntity, "LLC", None),
            (F::InsuredEntity, "Company", None),
            (F::InsuredEntity, "Tribe", None),
            (F::AgencyFeeChargedBy, "Retail agent", Some("retail_agent")),
            (F::AgencyFeeChargedBy, "Surplus Lines Licensee", Some("surplus_lines_licensee")),
            (F::AgencyFeeChargedBy, "Broker", None),
            (F::AgencyFeeChargedBy, "Wholesaler", None),
            (F::Occupancy, "Tenant's policy", Some("tenant")),
            (F::Occupancy, "Dwelling of more than four units", Some("larger_building")),
            (F::Occupancy, "Condo", None),
            (F::PolicyType, "Certificate", Some("cert")),
            (F::PolicyType, "Reporting form", Some("reporting_form")),
            (F::PolicyType, "Std", None),
            (F::PhysicalState, "texas", Some("TX")),
        ] {
            let expected = code.map_or(WordMeaning::Unknown, WordMeaning::Code);
            assert_eq!(find_meaning(field, text), expected, "{text}");
        }
        // The abbreviations of an office are mapped with a warning, to what they mean there.
        assert_eq!(find_meaning(F::TransactionType, "RP"), WordMeaning::StandsFor("PR"));
        assert_eq!(find_meaning(F::TransactionType, "Direct"), WordMeaning::Unknown);
        assert_eq!(find_meaning(F::AccountWrittenAs, "Direct"), WordMeaning::StandsFor("DC"));
    }
}
