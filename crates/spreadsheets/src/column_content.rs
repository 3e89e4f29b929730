//! What a column is by its cells, where its header says nothing.

use std::collections::BTreeSet;

use bordereau_mapping::{
    Field,
    words::{self, WordMeaning},
};
use bordereau_tables::ImportSource;

use crate::column_fit::is_known_word;
use crate::message::shorten_text;
use crate::proposed_column::{FieldSuggestion, MappingReason, ProposedColumn, sample_column};

/// A column of which half the cells are words that the trade has for lines or types of transactions, or names of
/// insurers.
pub(crate) fn suggest_by_words(
    source: &ImportSource,
    column: usize,
    taken: &[Field],
) -> Option<FieldSuggestion> {
    // Pages of a report repeat the headers.
    let header = source.header_row().map_or("", |row| source.table.text_at(row, column).trim());
    let texts: Vec<&str> = sample_column(source, column).filter(|text| *text != header).take(50).collect();
    // "N" is no more often than new, and "A" agency bill as often as an audit: all letters have to be types.
    let single: BTreeSet<&str> = texts.iter().copied().filter(|text| text.len() == 1).collect();
    let are_letters_types = single.len() > 1
        && single.iter().all(|text| is_known_word(Field::TransactionType, text))
        && single.iter().any(|text| matches!(*text, "N" | "n" | "R" | "r"));
    let is_word = |field: Field, text: &str| match field {
        Field::InsuranceCompany => is_insurer_name(text),
        _ => is_known_word(field, text) && (text.len() > 1 || are_letters_types),
    };
    let fields = [
        (Field::LineOfBusiness, "words for lines of business"),
        (Field::TransactionType, "words for transaction types"),
        (Field::InsuranceCompany, "names of insurers"),
    ];
    fields.into_iter().filter(|(field, _)| !taken.contains(field)).find_map(|(field, what)| {
        let mut known = texts.iter().filter(|text| is_word(field, text));
        let example = known.next()?;
        // One short word may be anything: a file of one row has no second that says the same.
        let is_clear = texts.len() > 1 || example.chars().count() > 3;
        let is_half = is_clear && (known.count() + 1) * 2 >= texts.len();
        let reason = format!("Its cells are {what}, such as \"{}\".", shorten_text(example));
        is_half.then_some(FieldSuggestion { field: Some(field), reason })
    })
}

/// "Kinsale Insurance Company", "Evanston Ins. Co.", "Underwriters at Lloyd's": agencies call themselves otherwise.
fn is_insurer_name(text: &str) -> bool {
    let plain = text.to_lowercase().replace(['.', ',', '\'', '’'], "");
    let has = |names: &[&str]| names.iter().any(|name| plain.contains(name));
    has(&["insurance co", "ins co", "assurance co", "indemnity co", "casualty co", "surety co", "lloyds"])
        && !has(&["agency", "broker"])
}

/// Columns without a usual name whose cells say what they are.
pub(crate) fn match_by_content(source: &ImportSource, columns: &mut [ProposedColumn]) {
    let taken: Vec<Field> = columns.iter().filter_map(|c| c.field).collect();
    for column in columns.iter_mut().filter(|c| c.reason == MappingReason::Unknown && c.field.is_none()) {
        let texts: Vec<&str> = sample_column(source, column.column).take(50).collect();
        if texts.len() < 2 {
            continue;
        }
        if let Some(field) = guess_field(&texts).filter(|f| !taken.contains(f)) {
            column.field = Some(field);
            column.reason = MappingReason::Content;
        }
    }
}

fn guess_field(texts: &[&str]) -> Option<Field> {
    let all = |test: &dyn Fn(&str) -> bool| texts.iter().all(|text| test(text));
    let is_line = |text: &str| text.starts_with("GEN-") && text.len() >= 8;
    if all(&is_line) {
        return Some(Field::LineOfBusiness);
    }
    if all(&|t| t.contains('@') && t.contains('.') && !t.contains(' ')) {
        return Some(Field::InsuredEmail);
    }
    if all(&|t| t.len() == 2 && words::find_meaning(Field::PhysicalState, t) != WordMeaning::Unknown) {
        // PR is a state and a transaction type: only a column with others can be told apart.
        let types = all(&|t| words::find_meaning(Field::TransactionType, t) != WordMeaning::Unknown);
        return if types { None } else { Some(Field::PhysicalState) };
    }
    if all(&|t| words::find_meaning(Field::TransactionType, t) != WordMeaning::Unknown) {
        return Some(Field::TransactionType);
    }
    None
}
