//! Cells that a spreadsheet program would run as formulas, and a file of rejected rows that comes back.
//!
//! A CSV file has no types: a cell that begins with `=` is run when the file is opened. So an apostrophe is put
//! before it when rows are written, and taken away again when the file is read. Both are here, because one has
//! to be the exact reverse of the other: a cell that has such an apostrophe of its own gets another one.

use crate::source::ImportSource;

/// The columns added to rejected rows. By them such a file is known when it comes back.
pub const REJECT_COLUMNS: [&str; 2] = ["Error", "Original row"];

/// The cell as it is written into a CSV file: never run as a formula. A negative amount is none and stays.
pub fn escape_formula(cell: &str) -> String {
    if is_formula(cell.trim_start_matches('\'')) { format!("'{cell}") } else { cell.to_owned() }
}

/// A line of a CSV file.
pub fn csv_line<'c>(cells: impl Iterator<Item = &'c str>) -> String {
    let mut line = String::new();
    for (at, cell) in cells.enumerate() {
        if at > 0 {
            line.push(',');
        }
        let is_plain = !cell.contains(['"', ',', '\n', '\r', ';', '\t']) && cell.trim() == cell;
        if is_plain {
            line.push_str(cell);
        } else {
            line.push('"');
            line.push_str(&cell.replace('"', "\"\""));
            line.push('"');
        }
    }
    line + "\r\n"
}

/// Whether a cell of a file of rejected rows has an apostrophe that was put before it.
fn is_escaped(cell: &str) -> bool {
    cell.starts_with('\'') && is_formula(cell.trim_start_matches('\''))
}

fn is_formula(cell: &str) -> bool {
    match cell.chars().next() {
        // The wide forms are read as the narrow ones where East Asian languages are set up.
        Some('=' | '@' | '\t' | '\r' | '\n' | '\u{ff1d}' | '\u{ff20}' | '\u{ff0b}' | '\u{ff0d}') => true,
        Some('+' | '-') => {
            !cell[1..].chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '$' | ' '))
        }
        _ => false,
    }
}

/// Whether this is a file of rejected rows.
pub(crate) fn is_of_rejects(source: &ImportSource) -> bool {
    let Some(header) = source.detection.header.value.map(|row| row as usize) else { return false };
    let width = source.table.row_len(header);
    let Some(first) = width.checked_sub(REJECT_COLUMNS.len()) else { return false };
    (first..width).map(|column| source.table.text_at(header, column)).eq(REJECT_COLUMNS)
}

/// Takes the apostrophes away that were put before cells of a file of rejected rows.
pub(crate) fn unescape_formulas(source: &mut ImportSource) {
    let header = source.detection.header.value.map_or(0, |row| row as usize);
    let table = &mut source.table;
    // Headers came from a file too.
    for row in header..table.row_count() {
        for column in 0..table.row_len(row) {
            if is_escaped(table.text_at(row, column)) {
                table.narrow_cell(row, column, 1, 0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::escape_formula;
    use crate::read_text;

    fn come_back(cells: &[String]) -> Vec<String> {
        let mut text = String::from("a,b,Error,Original row\r\n");
        for cell in cells {
            let cell = escape_formula(cell).replace('"', "\"\"");
            text.push_str(&format!("\"{cell}\",x,\"'-5\",7\r\n"));
        }
        let source = read_text(text.as_bytes());
        assert_eq!(source.detection.header.value, Some(0));
        (0..cells.len()).map(|row| source.table.text_at(row + 1, 0).to_owned()).collect()
    }

    #[test]
    fn what_was_added_is_taken_away_and_nothing_else() {
        let cells = [
            "=1+1",
            "@x",
            "+1 (555) 010",
            "-42.10",
            "-Diner",
            "'=quoted",
            "'plain",
            "O'Neill",
            "''",
            "'",
            "''=x",
            "\t=x",
            "\u{ff1d}1+1",
            "\n=x",
        ];
        let cells = cells.map(str::to_owned);
        assert_eq!(come_back(&cells), cells);
        assert_eq!(escape_formula("=1+1"), "'=1+1");
        assert_eq!(escape_formula("-42.10"), "-42.10");
        // A header is a cell like any other.
        let headers = escape_formula("=cmd|' /C calc'!A0");
        let text = format!("\"{headers}\",b,Error,Original row\r\nx,y,z,7\r\n");
        let ours = read_text(text.as_bytes());
        assert_eq!(ours.table.text_at(0, 0), "=cmd|' /C calc'!A0");
        // A file that is not ours keeps its apostrophes.
        let other = read_text(b"id,premium\n'=x,1\n");
        assert_eq!(other.table.text_at(1, 0), "'=x");
    }

    proptest! {
        #[test]
        fn any_cell_comes_back(cells in prop::collection::vec("['=+@a1 \t\"-]{0,6}", 1..6)) {
            prop_assert_eq!(come_back(&cells), cells);
        }
    }
}
