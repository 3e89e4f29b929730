//! Codes as people write them: which word means which code.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use bordereau_contract::{
    EntityType, FeeChargedBy, Jurisdiction, Occupancy, POLICY_TYPES, TransactionType, WrittenAs,
};
use serde::Deserialize;

use crate::field::Field;

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
pub(crate) enum WordMeaning {
    /// The code, or another way to write it.
    Code(&'static str),
    /// Mapped to a code; the person is warned.
    StandsFor(&'static str),
    Unknown,
}

/// What a cell of a code field means. The text is not empty.
pub(crate) fn find_meaning(field: Field, text: &str) -> WordMeaning {
    let text = text.trim();
    if let Some(code) = exact_code(field, text) {
        return WordMeaning::Code(code);
    }
    let upper = text.to_ascii_uppercase();
    if let Some(code) = exact_code(field, &upper).or_else(|| exact_code(field, &text.to_ascii_lowercase())) {
        return WordMeaning::Code(code);
    }
    if matches!(field, Field::PhysicalState | Field::MailingState)
        && let Some(state) = Jurisdiction::ALL.iter().find(|state| state.title().eq_ignore_ascii_case(text))
    {
        return WordMeaning::Code(state.code());
    }
    let word = text.to_lowercase();
    let Some(words) = word_tables().get(field.name()) else { return WordMeaning::Unknown };
    if let Some(code) = words.same.get(&word) {
        return WordMeaning::Code(code);
    }
    words.stands_for.get(&word).map_or(WordMeaning::Unknown, |code| WordMeaning::StandsFor(code))
}

/// Yes or no of a cell that is not empty.
pub(crate) fn parse_flag(text: &str) -> Option<bool> {
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

/// Codes of a field under their own names.
pub(crate) fn names_of(field: Field) -> Vec<(String, String)> {
    codes_of(field).into_iter().map(|code| (code.to_owned(), code.to_owned())).collect()
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
