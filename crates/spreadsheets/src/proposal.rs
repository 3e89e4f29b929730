//! Proposing a mapping: the template's names, else what is remembered, else names and content.

use serde::{Deserialize, Serialize};

use crate::field::Field;
use crate::mapping::{Choices, ColumnChoice, Mapping, occurrences};
use crate::source::Source;
use crate::table::Table;
use crate::words::{self, Meaning};
use crate::{limits, synonyms};

/// Why a column was given its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The header is the template's.
    Template,
    /// A remembered mapping says so.
    Remembered,
    /// The header is a usual name of the field.
    Name,
    /// The cells look like it.
    Content,
    /// No field was found.
    Unknown,
}

/// A column with its header, some of its cells and why it was given its field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposedColumn {
    /// Column of the table.
    pub column: usize,
    /// Header as found; empty without a header row.
    pub header: String,
    /// The field proposed.
    pub field: Option<Field>,
    /// Why.
    pub reason: Reason,
    /// The first texts that are not empty.
    pub examples: Vec<String>,
}

/// A proposed mapping.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// To be confirmed, changed, remembered.
    pub mapping: Mapping,
    /// Column by column.
    pub columns: Vec<ProposedColumn>,
    /// All headers are the template's: nothing has to be asked.
    pub is_template: bool,
    /// Name of the remembered mapping it comes from.
    pub remembered: Option<String>,
}

/// Proposes a mapping. `remembered` in the order of preference: the person's own first, then the profile's.
#[must_use]
pub fn propose(source: &Source, remembered: &[Mapping]) -> Proposal {
    let headers = headers(source);
    let is_template = source.detection.header.value.is_some()
        && headers.iter().all(|h| h.is_empty() || synonyms::is_template(h).is_some())
        && headers.iter().any(|h| !h.is_empty());
    let known = if is_template { None } else { fitting(&headers, remembered) };
    let places = occurrences(&headers);
    let choices = known.map(Mapping::choices);
    let mut columns: Vec<ProposedColumn> = headers
        .iter()
        .zip(&places)
        .enumerate()
        .map(|(column, (header, place))| {
            let (field, reason) = of_header(header, place, choices.as_ref());
            ProposedColumn {
                column,
                header: header.clone(),
                field,
                reason,
                examples: examples(source, column),
            }
        })
        .collect();
    dwellings_only(source, &mut columns);
    by_content(source, &mut columns);
    premiums_of_lines(&mut columns);
    each_once(&mut columns);
    let choices = columns.iter().map(|c| ColumnChoice {
        header: c.header.clone(),
        occurrence: places[c.column].1,
        field: c.field,
    });
    let base = known.cloned().unwrap_or_default();
    let mapping = Mapping { version: 1, columns: choices.collect(), ..base };
    Proposal { mapping, columns, is_template, remembered: known.map(|m| m.name.clone()) }
}

/// The headers as found, one per column. Without a header row the column's letters stand for it.
#[must_use]
pub fn headers(source: &Source) -> Vec<String> {
    (0..source.table.width())
        .map(|column| match source.detection.header.value {
            Some(row) => source.table.text_at(row as usize, column).trim().to_owned(),
            None => format!("Column {}", crate::workbook::column_letters(column)),
        })
        .collect()
}

/// The first mapping that knows every header it names itself; it may be of a source with fewer columns.
fn fitting<'m>(headers: &[String], remembered: &'m [Mapping]) -> Option<&'m Mapping> {
    let there: std::collections::BTreeSet<String> = headers.iter().map(|h| synonyms::normal(h)).collect();
    remembered.iter().find(|mapping| {
        let mut named = mapping.columns.iter().filter(|c| c.field.is_some()).peekable();
        named.peek().is_some() && named.all(|c| there.contains(&synonyms::normal(&c.header)))
    })
}

fn of_header(
    header: &str,
    (normal, nth): &(String, u16),
    known: Option<&Choices>,
) -> (Option<Field>, Reason) {
    if header.is_empty() {
        return (None, Reason::Unknown);
    }
    if let Some(choice) = known.and_then(|choices| choices.of(normal, *nth)) {
        return (choice, Reason::Remembered);
    }
    if let Some(field) = synonyms::is_template(header) {
        return (Some(field), Reason::Template);
    }
    match synonyms::field(header) {
        Some(field) => (Some(field), Reason::Name),
        None => (None, Reason::Unknown),
    }
}

/// `Line 1, Premium 1, Line 2, Premium 2`: several premiums beside several lines are the lines' own.
fn premiums_of_lines(columns: &mut [ProposedColumn]) {
    let count = |field| columns.iter().filter(|c| c.field == Some(field)).count();
    if count(Field::LineOfBusiness) > 1 && count(Field::Premium) == count(Field::LineOfBusiness) {
        for column in columns.iter_mut().filter(|c| c.field == Some(Field::Premium)) {
            column.field = Some(Field::LinePremium);
        }
    }
}

/// A field that takes one column only keeps the one with the better reason, the first of equals. Columns of the same
/// header stay together: were the second ignored silently, its values would be lost where the two differ.
fn each_once(columns: &mut [ProposedColumn]) {
    let rank = |reason: Reason| match reason {
        Reason::Remembered => 0,
        Reason::Template => 1,
        Reason::Name => 2,
        Reason::Content => 3,
        Reason::Unknown => 4,
    };
    for field in Field::ALL.iter().copied().filter(|f| !f.repeats()) {
        let mut taking: Vec<usize> =
            (0..columns.len()).filter(|c| columns[*c].field == Some(field)).collect();
        taking.sort_by_key(|c| (rank(columns[*c].reason), synonyms::is_reference(&columns[*c].header)));
        let Some((kept, others)) = taking.split_first() else { continue };
        let header = synonyms::normal(&columns[*kept].header);
        for column in others {
            let column = *column;
            if columns[column].reason == Reason::Remembered
                || (!header.is_empty() && synonyms::normal(&columns[column].header) == header)
            {
                continue;
            }
            columns[column].field = None;
            columns[column].reason = Reason::Unknown;
        }
    }
}

fn examples(source: &Source, column: usize) -> Vec<String> {
    sample(source, column).take(3).map(|text| text.chars().take(60).collect()).collect()
}

fn sample(source: &Source, column: usize) -> impl Iterator<Item = &str> {
    let first = source.detection.header.value.map_or(0, |row| row as usize + 1);
    let table: &Table = &source.table;
    (first..table.row_count().min(first + limits::SAMPLE_ROWS / 10))
        .map(move |row| table.text_at(row, column).trim())
        .filter(|text| !text.is_empty())
}

/// "Occupancy" is also what schedules call the use of a building: it is a dwelling's where a cell says how one is held.
fn dwellings_only(source: &Source, columns: &mut [ProposedColumn]) {
    let is_named = |c: &&mut ProposedColumn| c.field == Some(Field::Occupancy) && c.reason == Reason::Name;
    for column in columns.iter_mut().filter(is_named) {
        let mut texts = sample(source, column.column).take(50);
        if texts.all(|text| words::meaning(Field::Occupancy, text) == Meaning::Unknown) {
            column.field = None;
            column.reason = Reason::Unknown;
        }
    }
}

/// Columns without a usual name whose cells say what they are.
fn by_content(source: &Source, columns: &mut [ProposedColumn]) {
    let taken: Vec<Field> = columns.iter().filter_map(|c| c.field).collect();
    for column in columns.iter_mut().filter(|c| c.reason == Reason::Unknown && c.field.is_none()) {
        let texts: Vec<&str> = sample(source, column.column).take(50).collect();
        if texts.len() < 2 {
            continue;
        }
        if let Some(field) = content(&texts).filter(|f| !taken.contains(f)) {
            column.field = Some(field);
            column.reason = Reason::Content;
        }
    }
}

fn content(texts: &[&str]) -> Option<Field> {
    let all = |test: &dyn Fn(&str) -> bool| texts.iter().all(|text| test(text));
    let is_line = |text: &str| text.starts_with("GEN-") && text.len() >= 8;
    if all(&is_line) {
        return Some(Field::LineOfBusiness);
    }
    if all(&|t| t.contains('@') && t.contains('.') && !t.contains(' ')) {
        return Some(Field::InsuredEmail);
    }
    if all(&|t| t.len() == 2 && words::meaning(Field::PhysicalState, t) != Meaning::Unknown) {
        // PR is a state and a transaction type: only a column with others can be told apart.
        let types = all(&|t| words::meaning(Field::TransactionType, t) != Meaning::Unknown);
        return if types { None } else { Some(Field::PhysicalState) };
    }
    if all(&|t| words::meaning(Field::TransactionType, t) != Meaning::Unknown) {
        return Some(Field::TransactionType);
    }
    None
}
