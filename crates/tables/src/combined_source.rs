//! Several files or sheets as one table: columns of the same title are one column, and the last column says which file
//! and sheet each row is from.

use std::collections::BTreeMap;

use crate::detection::{DetectedValue, SourceDetection};
use crate::header::{HeaderFields, count_occurrences};
use crate::limits::{CELLS_MAX, COLUMNS_MAX, ROWS_MAX, TEXT_BYTES_MAX};
use crate::note::{CellNote, NoteKind};
use crate::refusal::ImportRefusal;
use crate::source::{ExcludedFile, ImportSource, SourceFormat, SourcePart, source_headers};
use crate::table::{CellKind, Table, trim_blanks};

/// The header of the column that says where a row is from.
pub const SOURCE_COLUMN: &str = "Source file";

/// Puts sources into one table; those that do not belong to the others are skipped and named.
pub(crate) fn combine_sources(
    file: &str,
    sources: Vec<(String, ImportSource)>,
    fields: HeaderFields,
) -> Result<ImportSource, ImportRefusal> {
    let (mut sources, mut left_out) = keep_alike(sources, fields);
    if sources.len() == 1
        && let Some((_, mut only)) = sources.pop()
    {
        only.left_out.append(&mut left_out);
        return Ok(only);
    }
    for (name, source) in &mut sources {
        let in_file = |sheet: ExcludedFile| ExcludedFile { name: format!("{name}, {}", sheet.name), ..sheet };
        left_out.extend(std::mem::take(&mut source.left_out).into_iter().map(in_file));
    }
    let mut columns = UnionColumns::new(fields);
    let mut places = Vec::with_capacity(sources.len());
    let mut differences = Vec::with_capacity(sources.len());
    for (_, source) in &sources {
        let before = columns.headers.clone();
        let own = columns.add_source(source);
        differences.push(describe_difference(&before, &columns.headers, &own));
        places.push(own);
    }
    let mut filling = CombinedTable { headers: columns.headers, ..CombinedTable::default() };
    filling.headers.push(SOURCE_COLUMN.to_owned());
    if filling.headers.len() > COLUMNS_MAX {
        return Err(ImportRefusal::TooManyColumns { row: 1 });
    }
    for ((_, source), own) in sources.iter().zip(&places) {
        for row in 0..source.header_row().unwrap_or(0) {
            filling.add_row(source, row, own, "")?;
        }
    }
    let header = filling.table.row_count();
    let first = &sources[0].1;
    filling.add_header(first.header_row().map_or(1, |row| first.table.line(row)));
    let counts_from_1904 = first.table.counts_from_1904();
    let mut parts = Vec::with_capacity(sources.len());
    let mut group_headings = Vec::new();
    // Each is let go once its rows are in the table: two of everything would be held at once.
    for (((name, source), own), difference) in sources.into_iter().zip(&places).zip(differences) {
        let first_row = filling.table.row_count();
        let begin = source.header_row().map_or(0, |row| row + 1);
        let moved = |row: &u32| u32::try_from(*row as usize - begin + first_row).unwrap_or(u32::MAX);
        group_headings.extend(source.group_headings.iter().map(moved));
        let rows = filling.add_data(&source, own, &name)?;
        parts.push(SourcePart { name, first_row, rows, difference });
    }
    if counts_from_1904 {
        filling.table.count_from_1904();
    }
    let value = u32::try_from(header).ok();
    Ok(ImportSource {
        file: file.to_owned(),
        format: SourceFormat::Several,
        sheets: Vec::new(),
        sheet: None,
        parts,
        left_out,
        detection: SourceDetection {
            encoding: None,
            delimiter: None,
            header: DetectedValue::new(value, "those of each file".to_owned(), &[value]),
        },
        table: filling.table.trim_blank_rows(),
        group_headings,
        notes: filling.notes,
    })
}

/// Those that have columns in common, beginning with the one whose headers name the most fields; and why others have not.
fn keep_alike(
    sources: Vec<(String, ImportSource)>,
    fields: HeaderFields,
) -> (Vec<(String, ImportSource)>, Vec<ExcludedFile>) {
    let named =
        |source: &ImportSource| source_headers(source).iter().filter(|h| fields.number(h).is_some()).count();
    let best = (0..sources.len()).max_by_key(|at| (named(&sources[*at].1), std::cmp::Reverse(*at)));
    let Some((first, basis)) =
        best.and_then(|at| sources.get(at)).map(|(name, source)| (name.clone(), source))
    else {
        return (sources, Vec::new());
    };
    let counts_from_1904 = basis.table.counts_from_1904();
    let mut columns = UnionColumns::new(fields);
    columns.add_source(basis);
    let (mut kept, mut left_out) = (Vec::with_capacity(sources.len()), Vec::new());
    for (name, source) in sources {
        let why = if !columns.has_column_of(&source) {
            ImportRefusal::NotTogether { first: first.clone() }
        } else if source.table.counts_from_1904() != counts_from_1904 {
            ImportRefusal::OtherEpoch
        } else {
            columns.add_source(&source);
            kept.push((name, source));
            continue;
        };
        left_out.push(ExcludedFile { name, why });
    }
    (kept, left_out)
}

/// Whether two sources have a column of the same title, or one of the same field.
pub(crate) fn have_common_column(one: &ImportSource, other: &ImportSource, fields: HeaderFields) -> bool {
    let mut columns = UnionColumns::new(fields);
    columns.add_source(one);
    columns.has_column_of(other)
}

/// The columns of all sources, by title; a title that is another name of the same field is the same column.
#[derive(Clone)]
struct UnionColumns {
    named: HeaderFields,
    headers: Vec<String>,
    known: BTreeMap<(String, u16), usize>,
    fields: BTreeMap<usize, usize>,
}

impl UnionColumns {
    fn new(named: HeaderFields) -> UnionColumns {
        UnionColumns { named, headers: Vec::new(), known: BTreeMap::new(), fields: BTreeMap::new() }
    }

    fn has_column_of(&self, source: &ImportSource) -> bool {
        let places = self.clone().add_source(source);
        places.iter().any(|place| self.headers.get(*place).is_some_and(|header| !header.is_empty()))
    }

    /// The place of each column of a source.
    fn add_source(&mut self, source: &ImportSource) -> Vec<usize> {
        let headers = source_headers(source);
        let titles = count_occurrences(&headers);
        let mut own: Vec<Option<usize>> = titles.iter().map(|title| self.known.get(title).copied()).collect();
        for (at, header) in headers.iter().enumerate() {
            if own[at].is_some() || header.is_empty() {
                continue;
            }
            let same = self.named.number(header).and_then(|field| self.fields.get(&field)).copied();
            own[at] = same.filter(|place| !own.contains(&Some(*place)));
        }
        let place = |(at, known): (usize, Option<usize>)| {
            known.unwrap_or_else(|| {
                let place = self.headers.len();
                self.known.insert(titles[at].clone(), place);
                if let Some(field) = self.named.number(&headers[at]) {
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
    notes: Vec<CellNote>,
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
        let header = source.header_row();
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
                self.notes.push(CellNote::new(NoteKind::ExtraCells, at, own[column]));
            }
        }
        let is_below = |note: &&CellNote| note.row as usize >= begin || note.kind == NoteKind::ColumnHidden;
        for note in source.notes.iter().filter(is_below) {
            if let Some(column) = own.get(note.column as usize) {
                let row = (note.row as usize).saturating_sub(begin) + offset;
                self.notes.push(CellNote::new(note.kind, row, *column));
            }
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
            match column {
                Some(column) => copy_cell(&source.table, row, column, &mut self.table),
                None => self.table.push_cell("", CellKind::Text),
            }
        }
        self.table.push_cell(name, CellKind::Text);
        self.table.end_row(first, source.table.line(row));
        let is_too_large = self.table.cell_count() > CELLS_MAX || self.table.text_len() > TEXT_BYTES_MAX;
        if is_too_large { Err(ImportRefusal::TooManyCells) } else { Ok(()) }
    }
}

/// Adds a cell to another table, a number with both its texts.
pub(crate) fn copy_cell(from: &Table, row: usize, column: usize, to: &mut Table) {
    match from.formatted_number(row, column) {
        Some(number) => to.push_formatted(number.stored, number.shown),
        None => {
            let cell = from.original_cell(row, column);
            to.push_cell(cell.text, cell.kind);
        }
    }
}

/// Whether a row has the headers once more, as each page of a report has.
pub(crate) fn repeats_header(source: &ImportSource, row: usize, header: usize) -> bool {
    let (table, width) = (&source.table, source.table.row_len(header));
    let same = |column| trim_blanks(table.text_at(row, column)) == trim_blanks(table.text_at(header, column));
    width > 0 && table.row_len(row) == width && (0..width).all(same)
}
