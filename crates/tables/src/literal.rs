//! `="00123"` and `'00123`: how exports write a text so that a spreadsheet keeps its leading zeros.

use crate::source::ImportSource;
use crate::table::Table;

/// Rows looked at: who writes one column so does it in every row.
const ROWS_LOOKED_AT: usize = 200;

/// Removes the apostrophes before every cell of a column below the headers, and those behind where every cell has one.
/// A name such as "'Neath" has its own.
pub(crate) fn remove_apostrophes(source: &mut ImportSource) {
    let Some(first) = source.detection.header.value.map(|row| row as usize + 1) else { return };
    let table = &mut source.table;
    if !begins_with_such_cell(table, first, |text| text.starts_with('\'')) {
        return;
    }
    for column in apostrophe_columns(table, first) {
        let is_closed = |row: usize| matches!(table.text_at(row, column).as_bytes(), [] | [_, .., b'\'']);
        let behind = u16::from((first..table.row_count()).all(is_closed));
        for row in first..table.row_count() {
            table.narrow_cell(row, column, 1, behind);
        }
    }
}

/// The columns in which every cell below the headers has an apostrophe before its text. Row by row, as cells lie in
/// memory.
fn apostrophe_columns(table: &Table, first: usize) -> Vec<usize> {
    let has_one = |text: &str| {
        let mut rest = text.strip_prefix('\'').unwrap_or_default().chars();
        rest.next().is_some_and(char::is_alphanumeric)
    };
    let mut possible: Vec<usize> = (0..table.width()).collect();
    let mut has_text = vec![false; table.width()];
    for row in first..table.row_count() {
        let within = possible.partition_point(|column| *column < table.row_len(row));
        let is_other = |column: &mut usize| {
            let text = table.text_at(row, *column);
            has_text[*column] |= !text.is_empty();
            !text.is_empty() && !has_one(text)
        };
        possible.extract_if(..within, is_other).for_each(drop);
        if possible.is_empty() {
            break;
        }
    }
    possible.retain(|column| has_text[*column]);
    possible
}

/// Takes formulas that are nothing but a text for the text.
pub(crate) fn unwrap_literals(table: &mut Table) {
    if !begins_with_such_cell(table, 0, is_literal) {
        return;
    }
    for row in 0..table.row_count() {
        for column in 0..table.row_len(row) {
            if is_literal(table.text_at(row, column)) {
                table.narrow_cell(row, column, 2, 1);
            }
        }
    }
}

/// Whether any cell of the first rows is such a one.
fn begins_with_such_cell(table: &Table, first: usize, is_such: impl Fn(&str) -> bool) -> bool {
    let mut rows = (first..table.row_count()).take(ROWS_LOOKED_AT);
    rows.any(|row| (0..table.row_len(row)).any(|column| is_such(table.text_at(row, column))))
}

fn is_literal(text: &str) -> bool {
    let inner = text.strip_prefix("=\"").and_then(|rest| rest.strip_suffix('"'));
    inner.is_some_and(|inner| !inner.contains('"'))
}

#[cfg(test)]
mod tests {
    use crate::read_text;

    #[test]
    fn a_text_written_as_a_formula_is_that_text() {
        let text = "id,policy_number\n=\"001\",\"=\"\"00123\"\"\"\n2,\"=\"\"a\"\"&\"\"b\"\"\"\n=\"\",=1+1\n";
        let source = read_text(text.as_bytes());
        let row = |row| [0, 1].map(|column| source.table.text_at(row, column));
        assert_eq!(row(1), ["001", "00123"]);
        assert_eq!(row(2), ["2", "=\"a\"&\"b\""], "a real formula stays what it is");
        assert_eq!(row(3), ["", "=1+1"]);
    }

    #[test]
    fn apostrophes_before_every_cell_of_a_column_are_none_of_its_text() {
        let text = "'id','insured',policy_number,premium,zip\n\
                    '001,'Neath LLC,'0012','5.00',\n\
                    ,O'Neil's Bar,'AB-13','6.50','78701\n\
                    '003,'',,,\n";
        let source = read_text(text.as_bytes());
        let row = |row| [0, 1, 2, 3, 4].map(|column| source.table.text_at(row, column));
        assert_eq!(row(1), ["001", "'Neath LLC", "0012", "5.00", ""]);
        assert_eq!(row(2), ["", "O'Neil's Bar", "AB-13", "6.50", "78701"]);
        assert_eq!(row(3), ["003", "''", "", "", ""]);
    }
}
