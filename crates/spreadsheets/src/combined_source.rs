//! Several files or sheets as one table: columns of the same title are one column, and the last column says which file
//! and sheet each row is from.

use std::collections::BTreeMap;

use crate::detection::{DetectedValue, SourceDetection};
use crate::field::Field;
use crate::issue::{Code, Finding};
use crate::limits::{CELLS_MAX, COLUMNS_MAX, ROWS_MAX, TEXT_BYTES_MAX};
use crate::mapping::count_occurrences;
use crate::proposal::source_headers;
use crate::refusal::ImportRefusal;
use crate::source::{ImportSource, SourceFormat};
use crate::synonyms;
use crate::table::{CellKind, Table, trim_blanks};

/// The header of the column that says where a row is from.
pub const SOURCE_COLUMN: &str = "Source file";

/// A file or sheet of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePart {
    /// The file, and its sheet where that is not its only one.
    pub name: String,
    /// The first of its rows in the table.
    pub first_row: usize,
    /// Rows below its headers.
    pub rows: usize,
    /// What it has otherwise than those before it; empty where it is the same.
    pub difference: String,
}

/// Puts sources into one table.
pub(crate) fn combine_sources(
    file: &str,
    sources: &[(String, ImportSource)],
) -> Result<ImportSource, ImportRefusal> {
    let mut columns = UnionColumns::default();
    let mut places = Vec::with_capacity(sources.len());
    let mut differences = Vec::with_capacity(sources.len());
    for (name, source) in sources {
        let before = columns.headers.clone();
        let own = columns.add_source(source);
        if !before.is_empty() && !own.iter().any(|column| before.get(*column).is_some_and(|h| !h.is_empty()))
        {
            return Err(ImportRefusal::NotTogether { file: name.clone(), first: sources[0].0.clone() });
        }
        differences.push(describe_difference(&before, &columns.headers, &own));
        places.push(own);
    }
    let is_from_1904 = |(_, source): &(String, ImportSource)| source.table.counts_from_1904();
    if let Some((name, _)) = sources.iter().find(|each| is_from_1904(each) != is_from_1904(&sources[0])) {
        return Err(ImportRefusal::OtherEpoch { file: name.clone() });
    }
    let mut filling = CombinedTable { headers: columns.headers, ..CombinedTable::default() };
    filling.headers.push(SOURCE_COLUMN.to_owned());
    if filling.headers.len() > COLUMNS_MAX {
        return Err(ImportRefusal::TooManyColumns { row: 1 });
    }
    for ((_, source), own) in sources.iter().zip(&places) {
        for row in 0..source.detection.header.value.map_or(0, |row| row as usize) {
            filling.add_row(source, row, own, "")?;
        }
    }
    let header = filling.table.row_count();
    let line = sources[0].1.detection.header.value.map_or(1, |row| sources[0].1.table.line(row as usize));
    filling.add_header(line);
    let mut parts = Vec::with_capacity(sources.len());
    for (((name, source), own), difference) in sources.iter().zip(&places).zip(differences) {
        let part =
            SourcePart { name: name.clone(), first_row: filling.table.row_count(), rows: 0, difference };
        let rows = filling.add_data(source, own, name)?;
        parts.push(SourcePart { rows, ..part });
    }
    if sources.iter().any(is_from_1904) {
        filling.table.count_from_1904();
    }
    let value = u32::try_from(header).ok();
    Ok(ImportSource {
        file: file.to_owned(),
        format: SourceFormat::Several,
        sheets: Vec::new(),
        sheet: None,
        parts,
        detection: SourceDetection {
            encoding: None,
            delimiter: None,
            header: DetectedValue::new(value, "those of each file".to_owned(), &[value]),
        },
        table: filling.table.trim_blank_rows(),
        findings: filling.findings,
    })
}

/// Whether two sources have a column of the same title, or one of the same field.
pub(crate) fn have_common_column(one: &ImportSource, other: &ImportSource) -> bool {
    let mut columns = UnionColumns::default();
    columns.add_source(one);
    let known = columns.headers.clone();
    columns.add_source(other).iter().any(|column| known.get(*column).is_some_and(|header| !header.is_empty()))
}

/// The columns of all sources, by title; a title that is another name of the same field is the same column.
#[derive(Default)]
struct UnionColumns {
    headers: Vec<String>,
    known: BTreeMap<(String, u16), usize>,
    fields: BTreeMap<Field, usize>,
}

impl UnionColumns {
    /// The place of each column of a source.
    fn add_source(&mut self, source: &ImportSource) -> Vec<usize> {
        let headers = source_headers(source);
        let titles = count_occurrences(&headers);
        let mut own: Vec<Option<usize>> = titles.iter().map(|title| self.known.get(title).copied()).collect();
        for (at, header) in headers.iter().enumerate() {
            if own[at].is_some() || header.is_empty() {
                continue;
            }
            let same = synonyms::field_named(header).and_then(|field| self.fields.get(&field)).copied();
            own[at] = same.filter(|place| !own.contains(&Some(*place)));
        }
        let place = |(at, known): (usize, Option<usize>)| {
            known.unwrap_or_else(|| {
                let place = self.headers.len();
                self.known.insert(titles[at].clone(), place);
                if let Some(field) = synonyms::field_named(&headers[at]) {
                    self.fields.entry(field).or_insert(place);
                }
                self.headers.push(headers[at].clone());
                place
            })
        };
        own.into_iter().enumerate().map(place).collect()
    }
}

/// `without Fee; with Broker`.
fn describe_difference(before: &[String], all: &[String], own: &[usize]) -> String {
    if before.is_empty() {
        return String::new();
    }
    let named = |column: &usize| Some(all[*column].as_str()).filter(|header| !header.is_empty());
    let lacks: Vec<&str> =
        (0..before.len()).filter(|at| !own.contains(at)).filter_map(|at| named(&at)).collect();
    let adds: Vec<&str> = (before.len()..all.len()).filter_map(|at| named(&at)).collect();
    let said = [("without", lacks), ("with", adds)];
    let said = said.iter().filter(|(_, names)| !names.is_empty());
    said.map(|(word, names)| format!("{word} {}", names.join(", "))).collect::<Vec<_>>().join("; ")
}

#[derive(Default)]
struct CombinedTable {
    table: Table,
    headers: Vec<String>,
    findings: Vec<Finding>,
}

impl CombinedTable {
    fn add_header(&mut self, line: u32) {
        let first = self.table.cell_count();
        for header in &self.headers {
            self.table.push_cell(header, CellKind::Text);
        }
        self.table.end_row(first, line);
    }

    /// The rows below the headers; gives their number.
    fn add_data(&mut self, source: &ImportSource, own: &[usize], name: &str) -> Result<usize, ImportRefusal> {
        let header = source.detection.header.value.map(|row| row as usize);
        let begin = header.map_or(0, |row| row + 1);
        let width = header.map_or(usize::MAX, |row| source.table.row_len(row));
        let offset = self.table.row_count();
        for row in begin..source.table.row_count() {
            if header.is_some_and(|header| repeats_header(source, row, header)) {
                self.add_header(source.table.line(row));
                continue;
            }
            let at = self.table.row_count();
            let is_blank = source.table.is_blank(row);
            self.add_row(source, row, own, if is_blank { "" } else { name })?;
            let mut beyond = width..source.table.row_len(row);
            if let Some(column) = beyond.find(|column| !source.table.text_at(row, *column).trim().is_empty())
            {
                self.findings.push(Finding::at_cell(Code::ExtraCells, at, own[column]));
            }
        }
        for finding in source.findings.iter().filter(|finding| finding.row() >= begin) {
            let column = finding.column().and_then(|column| own.get(column)).copied();
            let row = finding.row() - begin + offset;
            self.findings.push(Finding::at_cell(finding.code(), row, column.unwrap_or(usize::MAX)));
        }
        Ok(self.table.row_count() - offset)
    }

    fn add_row(
        &mut self,
        source: &ImportSource,
        row: usize,
        own: &[usize],
        name: &str,
    ) -> Result<(), ImportRefusal> {
        if self.table.row_count() >= ROWS_MAX {
            return Err(ImportRefusal::TooManyRows);
        }
        let mut columns: Vec<Option<usize>> = vec![None; self.headers.len() - 1];
        for (column, place) in own.iter().enumerate().take(source.table.row_len(row)) {
            columns[*place] = Some(column);
        }
        let first = self.table.cell_count();
        for column in columns {
            let number = column.and_then(|column| source.table.formatted_number(row, column));
            match (number, column) {
                (Some(number), _) => self.table.push_formatted(number.stored, number.shown),
                (None, Some(column)) => {
                    let cell = source.table.original_cell(row, column);
                    self.table.push_cell(cell.text, cell.kind);
                }
                (None, None) => self.table.push_cell("", CellKind::Text),
            }
        }
        self.table.push_cell(name, CellKind::Text);
        self.table.end_row(first, source.table.line(row));
        let is_too_large = self.table.cell_count() > CELLS_MAX || self.table.text_len() > TEXT_BYTES_MAX;
        if is_too_large { Err(ImportRefusal::TooManyCells) } else { Ok(()) }
    }
}

fn repeats_header(source: &ImportSource, row: usize, header: usize) -> bool {
    let (table, width) = (&source.table, source.table.row_len(header));
    let same = |column| trim_blanks(table.text_at(row, column)) == trim_blanks(table.text_at(header, column));
    width > 0 && table.row_len(row) == width && (0..width).all(same)
}
