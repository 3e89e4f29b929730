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

/// Escapes a cell that a spreadsheet program would run as a formula; reading the file undoes it.
pub fn escape_formula(cell: &str) -> String {
    bordereau_spreadsheets::escape_formula(cell)
}
