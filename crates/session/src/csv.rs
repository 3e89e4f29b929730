//! Writes a CSV line that spreadsheet programs open without running formulas.

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

/// A spreadsheet program must not run a cell as a formula; reading the file removes what this adds.
pub fn harmless(cell: &str) -> String {
    bordereau_spreadsheets::escape_formula(cell)
}
