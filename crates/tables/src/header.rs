//! Which row holds the headers, and which headers are the same.

use std::collections::{BTreeMap, BTreeSet};

use crate::detection::DetectedValue;
use crate::table::{CellKind, Table, trim_blanks};

/// Rows looked at from the top: exports put titles, dates and blank rows above their headers.
pub(crate) const ROWS_LOOKED_AT: usize = 30;

/// What headers name; which fields there are is not known here.
#[derive(Clone, Copy)]
pub struct HeaderFields {
    /// The number of the field that a header names.
    pub of_header: fn(&str) -> Option<usize>,
    /// The label that a group's heading has without saying it: "State" for "Texas".
    pub of_heading: fn(&str) -> Option<&'static str>,
}

impl HeaderFields {
    /// Those that headers name, where no heading has a label of its own.
    #[cfg(test)]
    pub(crate) const fn of_headers(of_header: fn(&str) -> Option<usize>) -> HeaderFields {
        HeaderFields { of_header, of_heading: |_| None }
    }

    pub(crate) fn number(self, header: &str) -> Option<usize> {
        (self.of_header)(header)
    }
}

/// The header row: the one with the most known names; without any, the first row of texts as wide as the table. A row of
/// texts with half as many names counts more than one with amounts or days below it, which names its charges.
pub(crate) fn detect_header(table: &Table, fields: HeaderFields) -> DetectedValue<Option<u32>> {
    let rows = 0..table.row_count().min(ROWS_LOOKED_AT);
    let all: Vec<Option<u32>> =
        rows.clone().filter_map(|r| u32::try_from(r).ok()).map(Some).chain([None]).collect();
    let best = rows
        .clone()
        .map(|row| (count_known_names(table, row, fields), row))
        .max_by_key(|(n, row)| (*n, std::cmp::Reverse(*row)));
    let texts_above = |best: (usize, usize)| {
        let mut above = (0..best.1).map(|row| (count_known_names(table, row, fields), row));
        above.find(|(n, row)| *n >= 2 && n * 2 >= best.0 && only_texts(table, *row))
    };
    let best = best.filter(|(n, _)| *n >= 2);
    let best =
        best.map(|best| if has_figures(table, best.1) { texts_above(best).unwrap_or(best) } else { best });
    if let Some((count, row)) = best {
        // "Policy" above "Number" are a header in two rows; with the row above it the better one was found already.
        let joined = |rows: [usize; 2]| HeaderRows::new(table, rows, fields).count_names();
        let with_above = row.checked_sub(1).and_then(|above| joined([above, row]));
        let with_below = joined([row, row + 1]).filter(|count| with_above.is_none_or(|above| *count > above));
        let (row, evidence) =
            match with_below.map(|count| (row + 1, count)).or(with_above.map(|count| (row, count))) {
                Some((row, count)) => {
                    let lines = (table.line(row - 1), table.line(row));
                    (row, format!("rows {} and {} have {count} names of fields together", lines.0, lines.1))
                }
                None => (row, format!("row {} has {count} names of fields", table.line(row))),
            };
        return DetectedValue::new(u32::try_from(row).ok(), evidence, &all);
    }
    let widest = rows.clone().map(|r| table.row_len(r)).max().unwrap_or(0);
    let texts = rows.into_iter().find(|row| table.row_len(*row) * 2 > widest && only_texts(table, *row));
    match texts {
        Some(row) => {
            let evidence = format!("row {} is the first with a text in every cell", table.line(row));
            DetectedValue::new(u32::try_from(row).ok(), evidence, &all)
        }
        None => DetectedValue::new(None, "no row looks like headers".to_owned(), &all),
    }
}

/// Whether a row near the top has known names.
pub(crate) fn has_header(table: &Table, fields: HeaderFields) -> bool {
    (0..table.row_count().min(ROWS_LOOKED_AT)).any(|row| count_known_names(table, row, fields) >= 2)
}

/// The fields that the headers near a table's top name, and whether there are rows under them.
pub(crate) struct HeaderNames {
    names: BTreeSet<usize>,
    has_rows: bool,
}

impl HeaderNames {
    pub(crate) fn of_table(table: &Table, fields: HeaderFields) -> HeaderNames {
        let Some(row) = detect_header(table, fields).value.map(|row| row as usize) else {
            return HeaderNames { names: BTreeSet::new(), has_rows: false };
        };
        let names =
            (0..table.row_len(row)).filter_map(|column| fields.number(table.text_at(row, column))).collect();
        HeaderNames { names, has_rows: (row + 1..table.row_count()).any(|row| !table.is_blank(row)) }
    }

    /// Whether another table has rows with most of the same fields.
    pub(crate) fn are_those_of(&self, other: &HeaderNames) -> bool {
        let common = self.names.intersection(&other.names).count();
        common >= 2 && common * 4 >= self.names.len() * 3 && other.has_rows
    }

    /// Whether another table has so many more fields that this one is a summary of it.
    pub(crate) fn are_summary_of(&self, other: &HeaderNames) -> bool {
        other.has_rows && other.names.len() >= 2 * self.names.len().max(3)
    }
}

/// How many fields the cells of a row name; each counts once.
fn count_known_names(table: &Table, row: usize, fields: HeaderFields) -> usize {
    (0..table.row_len(row))
        .filter_map(|c| fields.number(table.text_at(row, c)))
        .collect::<BTreeSet<_>>()
        .len()
}

/// Whether a row has words alone, and none that begins as a number or a day does.
fn only_texts(table: &Table, row: usize) -> bool {
    let cells = || (0..table.row_len(row)).map(|c| table.cell(row, c));
    let texts = cells().filter(|c| !c.text.trim().is_empty()).collect::<Vec<_>>();
    !texts.is_empty()
        && texts.iter().all(|c| c.kind == CellKind::Text && c.text.chars().any(char::is_alphabetic))
        && texts.iter().all(|c| !c.text.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether a cell of the row is an amount, a day or a number, without a letter in it.
fn has_figures(table: &Table, row: usize) -> bool {
    let is_figure = |text: &str| !text.chars().any(char::is_alphabetic) && text.chars().any(char::is_numeric);
    (0..table.row_len(row)).any(|column| is_figure(table.text_at(row, column)))
}

/// Columns whose name is in both rows, at least: one may be chance.
const JOINED_MIN: usize = 2;

/// Two rows whose words may be the headers together.
pub(crate) struct HeaderRows<'t> {
    table: &'t Table,
    rows: [usize; 2],
    fields: HeaderFields,
    /// Whether each word of the row above is over several columns, as "Location" is over city, state and ZIP code.
    has_groups: bool,
}

impl<'t> HeaderRows<'t> {
    pub(crate) fn new(table: &'t Table, rows: [usize; 2], fields: HeaderFields) -> HeaderRows<'t> {
        let is_filled = |row: usize, column: usize| !trim_blanks(table.text_at(row, column)).is_empty();
        let width = table.row_len(rows[0]).max(table.row_len(rows[1]));
        let words: Vec<usize> = (0..width).filter(|column| is_filled(rows[0], *column)).collect();
        let ends = words.iter().skip(1).copied().chain([width]);
        let has_groups = words.len() >= 2
            && words.iter().zip(ends).all(|(first, end)| end - first >= 2)
            && (0..width).all(|column| is_filled(rows[1], column));
        HeaderRows { table, rows, fields, has_groups }
    }

    /// How many fields the rows name together, where some names are in both of them and neither row alone names more;
    /// `None` where each is for itself.
    pub(crate) fn count_names(&self) -> Option<usize> {
        let HeaderRows { table, rows, fields, .. } = *self;
        let are_texts = rows.iter().all(|row| *row < table.row_count() && only_texts(table, *row));
        if !are_texts {
            return None;
        }
        let known =
            (0..self.width()).filter_map(|column| Some((column, fields.number(&self.header(column))?)));
        let known: Vec<(usize, usize)> = known.collect();
        let of_both = known.iter().filter(|(column, _)| self.joined_name(*column).is_some()).count();
        // As of one row, each field counts once.
        let joined = known.iter().map(|(_, field)| field).collect::<BTreeSet<_>>().len();
        let alone = rows.map(|row| count_known_names(table, row, fields)).into_iter().max()?;
        (joined >= alone && of_both >= JOINED_MIN).then_some(joined)
    }

    pub(crate) fn width(&self) -> usize {
        self.rows.map(|row| self.table.row_len(row)).into_iter().max().unwrap_or(0)
    }

    /// The word over a column, and what is below it.
    fn words(&self, column: usize) -> [&'t str; 2] {
        let word = |column: usize| trim_blanks(self.table.text_at(self.rows[0], column));
        let group = || (0..column).rev().map(word).find(|word| !word.is_empty()).unwrap_or("");
        let above = Some(word(column)).filter(|word| !word.is_empty() || !self.has_groups);
        [above.unwrap_or_else(group), trim_blanks(self.table.text_at(self.rows[1], column))]
    }

    /// The name of a field that has a word in each of the rows: `State` below `Tax` is the state's tax, and `Number` below
    /// `Policy info` the policy's.
    fn joined_name(&self, column: usize) -> Option<String> {
        let [above, below] = self.words(column);
        if above.is_empty() || below.is_empty() {
            return None;
        }
        let (subject, last) = above.rsplit_once(' ').unwrap_or((above, ""));
        let says_nothing = ["data", "details", "info", "information"].contains(&last.to_lowercase().as_str());
        let above = if says_nothing { subject } else { above };
        let names = [format!("{above} {below}"), format!("{below} {above}")];
        names.into_iter().find(|name| self.fields.number(name).is_some())
    }

    /// The header of a column; below "State Taxes" over several columns "SL Tax" says it all.
    pub(crate) fn header(&self, column: usize) -> String {
        let [above, below] = self.rows.map(|row| trim_blanks(self.table.text_at(row, column)));
        // "Terrorism" is above one column, and its premium isn't the premium.
        let is_blank = |row: usize| trim_blanks(self.table.text_at(row, column + 1)).is_empty();
        let is_over_several = is_blank(self.rows[0]) && !is_blank(self.rows[1]);
        let alone = || {
            Some(below)
                .filter(|name| is_over_several && self.fields.number(name).is_some())
                .map(str::to_owned)
        };
        let both = || format!("{above} {below}").trim().to_owned();
        self.joined_name(column).or_else(alone).unwrap_or_else(both)
    }
}

/// Lower case, letters and digits, one blank between words.
pub fn normalize_header(header: &str) -> String {
    let mut text = String::with_capacity(header.len());
    for c in header.chars() {
        if c.is_alphanumeric() {
            text.extend(c.to_lowercase());
        } else if !c.is_whitespace() && matches!(c, '\'' | '’' | '.') {
            // "Insured's", "No." and "S.L." are words without their marks.
        } else if !text.is_empty() && !text.ends_with(' ') {
            text.push(' ');
        }
    }
    text.truncate(text.trim_end().len());
    text
}

/// Each header as [`normalize_header`] gives it, with how many equal ones stand before it.
pub fn count_occurrences(headers: &[String]) -> Vec<(String, u16)> {
    let mut seen = BTreeMap::<String, u16>::new();
    let of = |header: &String| {
        let normal = normalize_header(header);
        let next = seen.entry(normal.clone()).or_default();
        let nth = *next;
        *next = nth.saturating_add(1);
        (normal, nth)
    };
    headers.iter().map(of).collect()
}
