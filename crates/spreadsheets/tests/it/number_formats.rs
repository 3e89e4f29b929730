//! Leading zeros and dashes that a number format shows, in the binary and the open formats: the same rows in each.

use bordereau_spreadsheets::{CellKind, ImportSource, ReadOptions, read};

use crate::hostile::reviewed;
use crate::workbook_writers::{WrittenCell, WrittenHidden, fill_sheet, ods, ods_rows, xls, xlsb};

/// Number, the code of its format and what that shows, by column.
const ROWS: [[(f64, &str, &str); 3]; 2] = [
    [(12_345.0, "000\\-0000", "001-2345"), (2_139.0, "00000", "02139"), (500.0, "000", "500")],
    [(678.0, "000\\-0000", "000-0678"), (10_001.0, "00000", "10001"), (7.0, "000", "007")],
];

fn written() -> Vec<Vec<WrittenCell>> {
    let headers = ["Policy No", "Zip", "Premium"].map(|header| WrittenCell::Text(header.into()));
    let mut rows = vec![headers.to_vec()];
    rows.extend(ROWS.iter().map(|row| {
        let number = |(number, code, shown): &(f64, &'static str, &str)| {
            WrittenCell::Number(*number, code, (*shown).into())
        };
        let mut cells: Vec<WrittenCell> = row.iter().map(number).collect();
        // A cell without a value, as writers leave it that keep only its style, and a day.
        cells.extend([WrittenCell::Blank, WrittenCell::Date(46_076, "2026-02-23".into())]);
        cells
    }));
    rows
}

fn texts(source: &ImportSource) -> Vec<Vec<&str>> {
    (1..source.table.row_count())
        .map(|row| (0..3).map(|column| source.table.text_at(row, column)).collect())
        .collect()
}

#[test]
fn formats_of_digits_are_read_in_every_kind_of_workbook() {
    let rows = written();
    for (name, bytes) in [
        ("xlsb", xlsb(&rows, &WrittenHidden::default())),
        ("xls", xls(&rows, &WrittenHidden::default())),
        ("ods", ods(&ods_rows(&rows, &WrittenHidden::default()))),
    ] {
        let source = read(name, bytes.clone(), &ReadOptions::default()).unwrap();
        let numbers: Vec<(&str, &str)> =
            source.table.formatted_numbers().map(|n| (n.shown, n.stored)).collect();
        let expected = [("001-2345", "12345"), ("02139", "2139"), ("000-0678", "678"), ("007", "7")];
        assert_eq!(numbers, expected, "{name}");
        assert_eq!((source.table.text_at(2, 3), source.table.text_at(2, 4)), ("", "2026-02-23"), "{name}");
        // What is shown counts in an identifier's column, what is stored in an amount's.
        let review = reviewed(source);
        let shown = texts(review.source());
        assert_eq!(shown, [["001-2345", "02139", "500"], ["000-0678", "10001", "7"]], "{name}");
        let options = ReadOptions { stored_numbers: true, ..ReadOptions::default() };
        let stored = read(name, bytes, &options).unwrap();
        assert_eq!(texts(&stored), [["12345", "2139", "500"], ["678", "10001", "7"]], "{name}");
        assert_eq!(stored.table.cell(1, 0).kind, CellKind::Number);
    }
}

/// A file of text has `4.85%` and `€1,000` there, which no column of amounts takes.
#[test]
fn percent_and_other_currencies_are_read_as_they_are_shown() {
    let headers = ["Policy No", "SL Tax", "Premium"].map(|header| WrittenCell::Text(header.into()));
    let row = |policy: &str| {
        vec![
            WrittenCell::Text(policy.into()),
            WrittenCell::Number(0.0485, "0.00%", "4.85%".into()),
            WrittenCell::Number(1000.5, "[$€-407] #,##0.00", "€1,000.50".into()),
        ]
    };
    let rows = [headers.to_vec(), row("P-1"), row("P-2")];
    let mut workbook = rust_xlsxwriter::Workbook::new();
    fill_sheet(workbook.add_worksheet(), 0, &rows);
    for (name, bytes) in [
        ("xlsx", workbook.save_to_buffer().unwrap()),
        ("xlsb", xlsb(&rows, &WrittenHidden::default())),
        ("xls", xls(&rows, &WrittenHidden::default())),
        ("ods", ods(&ods_rows(&rows, &WrittenHidden::default()))),
    ] {
        let stored_numbers = ReadOptions { stored_numbers: true, ..ReadOptions::default() };
        for options in [ReadOptions::default(), stored_numbers] {
            let review = reviewed(read(name, bytes.clone(), &options).unwrap());
            let shown = texts(review.source());
            assert_eq!(shown, [["P-1", "4.85%", "€ 1000.5"], ["P-2", "4.85%", "€ 1000.5"]], "{name}");
            assert_eq!([1, 2].map(|column| review.layout().field_of(column)), [None, None], "{name}");
        }
    }
}

#[test]
fn amounts_are_shown_with_thousands_and_cents_where_they_are_plain() {
    let texts = ["24390.8", "$1,250.5", "0", "-500", "(500.00)", "1000.005", "TBD", "", "1250.50 CR"];
    let shown = ["24,390.80", "1,250.50", "0.00", "-500.00", "(500.00)", "1000.005", "TBD", "", "1250.50 CR"];
    let rows: String = texts.iter().map(|text| format!("x,\"{text}\"\n")).collect();
    let review = crate::reviews::review(&format!("id,Premium\n{rows}"), |_| {});
    let found: Vec<String> = (1..=texts.len())
        .map(|row| bordereau_spreadsheets::shown_text(&review, row, 1).into_owned())
        .collect();
    assert_eq!(found, shown);
    let comma = crate::reviews::review("id,Premium\n1,\"1.250,50\"\n", |_| {});
    assert_eq!(bordereau_spreadsheets::shown_text(&comma, 1, 1), "1.250,50");
}

#[test]
fn zip_codes_that_programs_write_as_numbers_are_repaired() {
    for (written, repaired) in
        [("75201-", Some("75201")), ("75201.0", Some("75201")), ("2139.0", Some("02139")), ("7870A", None)]
    {
        let review = crate::reviews::review(&format!("id,physical_zip_code\n1,{written}\n"), |_| {});
        let found =
            review.findings().iter().find(|finding| finding.code().code().starts_with("zip_")).unwrap();
        let fix = review.describe_finding(found).fix;
        let text = fix.and_then(|fix| fix.changes.into_iter().next()).map(|change| change.text);
        assert_eq!(text.as_deref(), repaired, "{written}");
    }
}
