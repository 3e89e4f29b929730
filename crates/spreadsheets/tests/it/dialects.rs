//! Delimited text of every dialect, held to the `csv` crate on well-formed input.

use bordereau_spreadsheets::{ImportSource, ReadOptions, read, read_paste};
use proptest::prelude::*;

fn rows(source: &ImportSource) -> Vec<Vec<String>> {
    let table = &source.table;
    let row = |r: usize| (0..table.row_len(r)).map(|c| table.text_at(r, c).to_owned()).collect();
    (0..table.row_count()).map(row).collect()
}

fn options(delimiter: char) -> ReadOptions {
    ReadOptions {
        delimiter: Some(delimiter),
        header: Some(None),
        encoding: Some("UTF-8".into()),
        ..Default::default()
    }
}

/// Without the empty cells at the ends of rows and the blank rows at the end, which are not kept.
pub(crate) fn trimmed(mut rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    for row in &mut rows {
        while row.last().is_some_and(String::is_empty) {
            row.pop();
        }
    }
    while rows.last().is_some_and(Vec::is_empty) {
        rows.pop();
    }
    rows
}

fn written(rows: &[Vec<String>], delimiter: u8, crlf: bool) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new()
        .delimiter(delimiter)
        .flexible(true)
        .terminator(if crlf { csv::Terminator::CRLF } else { csv::Terminator::Any(b'\n') })
        .from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).unwrap();
    }
    writer.into_inner().unwrap()
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        cells in prop::collection::vec(prop::collection::vec("[a-zA-Z0-9 ,;|\t\"\n\r'é€.-]{0,12}", 1..6), 1..12),
        delimiter in prop::sample::select(vec![',', ';', '\t', '|']),
        crlf in any::<bool>(),
    ) {
        // A row that is one empty cell is written as nothing by no dialect.
        prop_assume!(cells.iter().any(|row| row.iter().any(|c| !c.trim().is_empty())));
        let bytes = written(&cells, u8::try_from(delimiter).unwrap(), crlf);
        let source = read("x.csv", bytes, &options(delimiter)).unwrap();
        prop_assert!(source.notes.is_empty());
        prop_assert_eq!(rows(&source), trimmed(cells));
    }

    #[test]
    fn any_text_is_read_without_losing_a_line(text in "[ab,\"\n]{0,200}") {
        let Ok(source) = read("x.csv", text.clone().into_bytes(), &options(',')) else { return Ok(()) };
        let letters = |s: &str| s.chars().filter(|c| matches!(c, 'a' | 'b')).count();
        let kept: usize = rows(&source).iter().flatten().map(|cell| letters(cell)).sum();
        prop_assert_eq!(kept, letters(&text), "every letter is in some cell");
    }

    #[test]
    fn any_bytes_end_in_rows_or_a_sentence(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        if let Err(refusal) = read("x", bytes, &ReadOptions::default()) {
            prop_assert!(refusal.to_string().ends_with(['.', ')']));
        }
    }

    #[test]
    fn pasted_cells_come_back(
        cells in prop::collection::vec(prop::collection::vec("[a-z0-9 \"\n]{0,8}", 2..5), 1..6),
    ) {
        prop_assume!(cells.iter().any(|row| row.iter().any(|c| !c.trim().is_empty())));
        let text = String::from_utf8(written(&cells, b'\t', true)).unwrap();
        let source = read_paste(&text, &ReadOptions { header: Some(None), ..Default::default() }).unwrap();
        prop_assert_eq!(rows(&source), trimmed(cells));
    }
}
