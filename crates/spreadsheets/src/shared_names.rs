//! Columns whose headers name the same field: which of them is read, and what the others are.

use std::collections::BTreeMap;

use bordereau_mapping::{Field, line_named, synonyms};
use bordereau_tables::{ImportSource, normalize_header};

use crate::insurer_number::has_number_shape;
use crate::proposed_column::{FieldSuggestion, MappingReason, ProposedColumn, sample_column};

/// `Carrier, NAIC`: names of insurers beside their numbers are no further insurers.
pub(crate) fn names_beside_numbers(source: &ImportSource, columns: &mut [ProposedColumn]) {
    let has_number = |column: &ProposedColumn| sample_column(source, column.column).any(has_number_shape);
    let is_by_name =
        |c: &&ProposedColumn| c.field == Some(Field::InsuranceCompany) && c.reason == MappingReason::Name;
    let (numbers, names): (Vec<_>, Vec<_>) = columns.iter().filter(is_by_name).partition(|c| has_number(c));
    // "Carrier 1, Carrier 2" are two insurers; "Writing company, Company name" are one.
    let mut of_stem = BTreeMap::<String, usize>::new();
    names.iter().for_each(|name| *of_stem.entry(header_stem(name)).or_default() += 1);
    let insurers = of_stem.into_values().max().unwrap_or_default();
    let Some(numbered) = numbers.first().filter(|_| numbers.len() >= insurers) else { return };
    let reason = format!("Names of insurers. Their numbers are in column \"{}\".", numbered.header);
    let names: Vec<usize> = names.iter().filter(|c| !c.examples.is_empty()).map(|c| c.column).collect();
    for column in names {
        columns[column].field = None;
        columns[column].reason = MappingReason::Unknown;
        columns[column].suggestion = Some(FieldSuggestion { field: None, reason: reason.clone() });
    }
}

/// A header without the number of a repeated column.
fn header_stem(column: &ProposedColumn) -> String {
    let normal = normalize_header(&column.header);
    normal.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end().to_owned()
}

/// `LOB, LOB description`: a code and its words are one line of business. The column with the most words that are known
/// is read.
pub(crate) fn lines_once(source: &ImportSource, columns: &mut [ProposedColumn]) {
    let is_by_name =
        |c: &&ProposedColumn| c.field == Some(Field::LineOfBusiness) && c.reason == MappingReason::Name;
    let known = |column: &ProposedColumn| {
        sample_column(source, column.column)
            .take(50)
            .filter(|text| text.starts_with("GEN-") || line_named(text).is_some())
            .count()
    };
    let named: Vec<&ProposedColumn> = columns.iter().filter(is_by_name).collect();
    // The first of equals.
    let Some(kept) = named.iter().rev().max_by_key(|column| known(column)) else { return };
    let (stem, header) = (header_stem(kept), kept.header.clone());
    for column in columns.iter_mut().filter(|c| is_by_name(&&**c) && header_stem(c) != stem) {
        column.field = None;
        column.reason = MappingReason::Unknown;
        let reason = format!("The lines of business are in column \"{header}\".");
        column.suggestion = Some(FieldSuggestion { field: None, reason });
    }
}

/// `Line 1, Premium 1, Line 2, Premium 2`: several premiums beside several lines are the lines' own.
pub(crate) fn premiums_of_lines(columns: &mut [ProposedColumn]) {
    let count = |field| columns.iter().filter(|c| c.field == Some(field)).count();
    if count(Field::LineOfBusiness) > 1 && count(Field::Premium) == count(Field::LineOfBusiness) {
        for column in columns.iter_mut().filter(|c| c.field == Some(Field::Premium)) {
            column.field = Some(Field::LinePremium);
        }
    }
}

/// Words of headers of where the risk is.
const RISK_WORDS: [&str; 8] =
    ["loc", "location", "physical", "premise", "premises", "property", "risk", "site"];

/// `City, ST, Zip` beside `Risk ST`: a state that doesn't say whose it is is the mailing address's.
pub(crate) fn states_beside_the_risks(columns: &mut [ProposedColumn]) {
    let is_state =
        |c: &ProposedColumn| c.field == Some(Field::PhysicalState) && c.reason == MappingReason::Name;
    let is_of_risk =
        |c: &ProposedColumn| normalize_header(&c.header).split(' ').any(|word| RISK_WORDS.contains(&word));
    if !columns.iter().any(|c| is_state(c) && is_of_risk(c)) {
        return;
    }
    let has_mailing = columns.iter().any(|c| c.field == Some(Field::MailingState));
    let is_bare =
        |c: &ProposedColumn| matches!(normalize_header(&c.header).as_str(), "state" | "st" | "state code");
    for column in columns.iter_mut().filter(|c| is_state(c) && is_bare(c)) {
        column.field = Some(Field::MailingState).filter(|_| !has_mailing);
        column.reason = column.field.map_or(MappingReason::Unknown, |_| MappingReason::Name);
    }
}

/// Words of headers of the state that taxes a policy as a whole [15 U.S.C. 8201]: beside them "State" may be any other.
const HOME_STATE_WORDS: [&str; 5] = ["controlling", "filing", "governing", "home", "tax"];

fn is_home_state(header: &str) -> bool {
    normalize_header(header).split(' ').any(|word| HOME_STATE_WORDS.contains(&word))
}

/// A field that takes one column only keeps the one with the better reason, then the one with its whole title, the first
/// of equals. Columns of the same
/// header stay together: were the second ignored silently, its values would be lost where the two differ.
pub(crate) fn each_once(columns: &mut [ProposedColumn]) {
    let rank = |reason: MappingReason| match reason {
        MappingReason::Remembered => 0,
        MappingReason::Template => 1,
        MappingReason::Name => 2,
        MappingReason::Content => 3,
        MappingReason::Unknown => 4,
    };
    for field in Field::ALL.iter().copied().filter(|f| !f.is_repeatable()) {
        let mut taking: Vec<usize> =
            (0..columns.len()).filter(|c| columns[*c].field == Some(field)).collect();
        let title = normalize_header(field.title());
        taking.sort_by_key(|c| {
            let ProposedColumn { header, reason, .. } = &columns[*c];
            let says_less = match field {
                Field::PhysicalState => !is_home_state(header),
                _ => normalize_header(header) != title,
            };
            (rank(*reason), synonyms::is_reference(header), says_less)
        });
        let Some((kept, others)) = taking.split_first() else { continue };
        let header = normalize_header(&columns[*kept].header);
        for column in others {
            let column = *column;
            if columns[column].reason == MappingReason::Remembered
                || (!header.is_empty() && normalize_header(&columns[column].header) == header)
            {
                continue;
            }
            columns[column].field = None;
            columns[column].reason = MappingReason::Unknown;
        }
    }
}
