//! A look at the beginning of a file says what the whole says.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::date;
use bordereau_spreadsheets::{
    Checks, Finding, Look, Mapping, ReadOptions, Refusal, Review, SentKeys, Source, Unsettled, limits, look,
    propose, read,
};
use bordereau_tax::{Local, RuleBook};

const HEADERS: &str =
    "id;policy_number;policy_effective_date;transaction_type;physical_state;premium;risk_description\n";

/// Somewhat more than a look takes; `first` and `last` are the dates of the first rows and of the last.
fn text(first: &str, last: &str) -> String {
    let mut text = HEADERS.to_owned();
    let mut row = 0;
    while text.len() < limits::LOOK_BYTES + (64 << 10) {
        let filling = "x".repeat(600);
        writeln!(text, "{row};\"P \"\"{row}\"\"\";{first};PN;TX;\"1.0{row},50\";\"{filling}\nand more\"")
            .unwrap();
        row += 1;
    }
    writeln!(text, "last;P;{last};PN;TX;1,00;x").unwrap();
    text
}

fn of(bytes: &[u8]) -> Look {
    let beginning = &bytes[..bytes.len().min(limits::LOOK_BYTES)];
    look("x.csv", beginning, bytes.len(), &ReadOptions::default()).unwrap().unwrap()
}

fn reviewed(source: Source, mapping: Mapping) -> Review {
    let (local, sent, attached) = (Local::default(), SentKeys::default(), BTreeMap::new());
    let checks = Checks {
        today: date(2026, 3, 1),
        book: RuleBook::builtin(),
        local: &local,
        fee_charged_by: None,
        sent: &sent,
        attached: &attached,
        threads: 1,
    };
    Review::new(source, mapping, &checks)
}

/// The look's rest, and what may change, once all else is found to be the whole's.
fn held_to_the_whole(bytes: &[u8]) -> Vec<Unsettled> {
    let (seen, whole) = (of(bytes), read("x.csv", bytes.to_vec(), &ReadOptions::default()).unwrap());
    let rest = seen.rest.unwrap();
    let rows = seen.source.table.row_count();
    assert_eq!(rows, limits::LOOK_ROWS);
    for row in 0..rows {
        let (a, b) = (&seen.source.table, &whole.table);
        assert_eq!((a.line(row), a.row_len(row)), (b.line(row), b.row_len(row)));
        assert!((0..a.row_len(row)).all(|column| a.cell(row, column) == b.cell(row, column)), "row {row}");
    }
    assert_eq!(seen.source.detection.header, whole.detection.header);
    assert_eq!(seen.source.detection.delimiter, whole.detection.delimiter);
    let (mapping, proposed) = (propose(&seen.source, &[]).mapping, propose(&whole, &[]).mapping);
    assert_eq!(mapping, proposed);
    let (seen, whole) = (reviewed(seen.source, mapping), reviewed(whole, proposed));
    assert_eq!(seen.values().decimal_mark, whole.values().decimal_mark);
    let open = rest.may_change(&seen);
    if !open.contains(&Unsettled::DateOrder) {
        assert_eq!(seen.values(), whole.values());
        let within = |f: &&Finding| f.row() < rows;
        assert!(seen.findings().iter().eq(whole.findings().iter().filter(within)));
    }
    open
}

#[test]
fn the_first_rows_are_those_of_the_whole() {
    assert_eq!(held_to_the_whole(text("02/23/2026", "02/23/2026").as_bytes()), []);
    // Each date of the look can be read either way; the last one decides.
    let open = text("03/04/2026", "23/02/2026");
    assert_eq!(held_to_the_whole(open.as_bytes()), [Unsettled::DateOrder]);
    // A byte far below makes it another encoding, but these rows have only characters that are the same in both.
    let mut bytes = text("02/23/2026", "02/23/2026").into_bytes();
    bytes.extend(b"caf\xE9;;;;;;\n");
    assert_eq!(held_to_the_whole(&bytes), []);
}

#[test]
fn what_the_rest_may_change_is_told() {
    let mut bytes = text("02/23/2026", "02/23/2026").replacen('x', "é", 1).into_bytes();
    assert_eq!(held_to_the_whole(&bytes), [Unsettled::Encoding]);
    bytes.splice(0..0, *b"\xEF\xBB\xBF");
    assert_eq!(held_to_the_whole(&bytes), [], "its first bytes say which it is");
}

#[test]
fn a_beginning_that_does_not_say_enough_says_so() {
    let none =
        |bytes: &[u8], size: usize| look("x.csv", bytes, size, &ReadOptions::default()).unwrap().is_none();
    let mut open = text("02/23/2026", "02/23/2026").replace('"', "").replacen("id;", "\"id;", 1);
    open.push('"');
    assert!(none(&open.as_bytes()[..limits::LOOK_BYTES], open.len()), "the first row may be the whole file");
    assert!(none(b"PK\x03\x04 the first part of a workbook", 1 << 20));
    assert!(none(&vec![b'\n'; 1 << 20], 1 << 21));
    assert!(none(&vec![0; 1 << 20], 1 << 21));
    assert!(none(&vec![b'x'; limits::LOOK_BYTES], limits::LOOK_BYTES + 1));
    assert!(none(b"", 5));
}

#[test]
fn a_small_file_is_looked_at_as_a_whole_and_refused_as_one() {
    let seen = of(b"id,premium\n1,5\n");
    assert_eq!((seen.source.table.row_count(), seen.rest), (2, None));
    let refused = |bytes: &[u8], size| look("x", bytes, size, &ReadOptions::default()).unwrap_err();
    assert_eq!(refused(b" \n", 2), Refusal::Empty);
    assert!(matches!(refused(b"%PDF-1.7\n", 1 << 20), Refusal::NotATable { .. }));
    assert!(matches!(refused(b"a,b\n", limits::FILE_BYTES_MAX + 1), Refusal::TooLarge { .. }));
}

#[test]
fn a_workbook_gives_its_first_rows() {
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let sheet = workbook.add_worksheet();
    for row in 0..3_000 {
        sheet.write(row, 0, if row == 0 { "id".to_owned() } else { row.to_string() }).unwrap();
        sheet.write(row, 1, if row == 0 { "premium" } else { "5" }).unwrap();
    }
    let bytes = workbook.save_to_buffer().unwrap();
    let seen = of(&bytes);
    assert_eq!(seen.source.table.row_count(), limits::LOOK_ROWS);
    assert_eq!(seen.source.table.text_at(2_000, 0), "2000");
    assert!(seen.rest.is_some());
}
