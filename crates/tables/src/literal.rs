//! `="00123"`: a formula that is nothing but a text. Exports write it so that a spreadsheet keeps leading zeros.

use crate::table::Table;

/// Rows looked at: who writes one column so does it in every row.
const ROWS_LOOKED_AT: usize = 200;

/// Takes such cells for their texts.
pub(crate) fn unwrap_literals(table: &mut Table) {
    let looked_at = literal_cells(table, table.row_count().min(ROWS_LOOKED_AT));
    if !looked_at.into_iter().any(|(row, column)| is_literal(table.text_at(row, column))) {
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

fn literal_cells(table: &Table, rows: usize) -> impl Iterator<Item = (usize, usize)> + use<'_> {
    (0..rows).flat_map(|row| (0..table.row_len(row)).map(move |column| (row, column)))
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
}
