//! Small CSV tables that people replace: comma, semicolon or tab, quotes as in RFC 4180.

/// What is wrong with a row of a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("row {row}: {message}")]
pub struct TableProblem {
    /// Row in the file, from 1; the header is row 1.
    pub row: usize,
    /// What was found, what was expected, what to do.
    pub message: String,
}

impl TableProblem {
    pub(crate) fn new(row: usize, message: impl Into<String>) -> TableProblem {
        TableProblem { row, message: message.into() }
    }
}

/// A table with a header. Names of columns are compared in lower case without blanks around them.
pub(crate) struct CsvTable {
    header: Vec<String>,
    /// Row in the file and its cells.
    pub(crate) rows: Vec<(usize, Vec<String>)>,
}

impl CsvTable {
    /// Reads the text; the separator is the one the header uses most.
    pub(crate) fn read(text: &str) -> Result<CsvTable, Vec<TableProblem>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let first = text.lines().next().unwrap_or_default();
        let separator = [',', ';', '\t']
            .into_iter()
            .max_by_key(|s| (first.matches(*s).count(), *s == ','))
            .unwrap_or(',');
        let mut rows = split_rows(text, separator)
            .map_err(|row| vec![TableProblem::new(row, "a quotation mark is opened and never closed")])?;
        if rows.is_empty() {
            return Err(vec![TableProblem::new(1, "the file is empty; a header row is expected")]);
        }
        let header = rows.remove(0).1.iter().map(|name| name.trim().to_lowercase()).collect();
        Ok(CsvTable { header, rows })
    }

    /// The position of a column.
    pub(crate) fn find_column(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|have| have == name)
    }

    /// The position of a column that must be there.
    pub(crate) fn required_column(&self, name: &str) -> Result<usize, Vec<TableProblem>> {
        self.find_column(name).ok_or_else(|| {
            vec![TableProblem::new(
                1,
                format!("column \"{name}\" is missing; found: {}", self.header.join(", ")),
            )]
        })
    }

    /// Names of all columns, as found in lower case.
    pub(crate) fn column_names(&self) -> impl Iterator<Item = (usize, &str)> {
        self.header.iter().map(String::as_str).enumerate()
    }
}

/// The trimmed cell, empty when the row is shorter.
pub(crate) fn trimmed_cell(cells: &[String], column: usize) -> &str {
    cells.get(column).map_or("", |text| text.trim())
}

/// Rows that are not blank, with their row number; the row at fault when a quotation mark stays open.
fn split_rows(text: &str, separator: char) -> Result<Vec<(usize, Vec<String>)>, usize> {
    let mut rows = Vec::new();
    let (mut row, mut started) = (1, 1);
    let (mut cells, mut current, mut quoted) = (Vec::new(), String::new(), false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                current.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if current.trim().is_empty() => {
                current.clear();
                quoted = true;
            }
            '\n' => {
                row += 1;
                if quoted {
                    current.push(c);
                    continue;
                }
                cells.push(std::mem::take(&mut current));
                push_row(&mut rows, started, std::mem::take(&mut cells));
                started = row;
            }
            '\r' if !quoted => {}
            c if c == separator && !quoted => cells.push(std::mem::take(&mut current)),
            c => current.push(c),
        }
    }
    if quoted {
        return Err(started);
    }
    cells.push(current);
    push_row(&mut rows, started, cells);
    Ok(rows)
}

fn push_row(rows: &mut Vec<(usize, Vec<String>)>, started: usize, cells: Vec<String>) {
    if cells.iter().any(|cell| !cell.trim().is_empty()) {
        rows.push((started, cells));
    }
}
