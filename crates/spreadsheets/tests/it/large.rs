//! A file of many rows: held to the `csv` crate, and its check on threads to that on one.

use crate::fixture::check_settings;
use bordereau_spreadsheets::{Field, ImportSource, ReadOptions, Review, SentKeys, propose_mapping, read};

use crate::dialects::trimmed;
use crate::readers::{utf16, windows_1252};

/// As many as several pieces of a check have.
const ROWS: usize = 11_500;

const HEADERS: [&str; 14] = [
    "id",
    "policy_number",
    "policy_effective_date",
    "policy_expiration_date",
    "transaction_type",
    "physical_state",
    "premium",
    "sl_tax",
    "line_of_business_list",
    "insurance_company_list",
    "insurance_company_coverage",
    "layered_risk",
    "mailing_insured_name",
    "risk_description",
];

/// What may stand in a column, most of it in order.
const CELLS: [&[&str]; 14] = [
    &["INV-", "A ", "\"quoted\" "],
    &["001", "1.2E+15", " 7 ", "POL;"],
    &["03/04/2026", "2026-02-23", "13/04/2026", "4/4/26", "46101", ""],
    &["03/04/2027", "02/01/2026", ""],
    &["PN", "pn", "NP", "RP", "XX", "ZPE"],
    &["TX", "Texas", "KY", "ZZ", ""],
    &["500.00", "1,250.50", "$900", "USD 900", "(42.10)", "12.345", "abc", "9999999999999.99"],
    &["4.85", "", "#REF!"],
    &["GEN-1002", "GEN-1010 | GEN-2000", "General", ""],
    &["AA-1120337", "10899\nAA-1120337", "Lloyd\"s"],
    &["", "60 | 40", "50|40"],
    &["0", "1", "yes", "maybe"],
    &["Caf\u{e9} Zo\u{eb}, LLC", "\"\"", "Line\r\nbreak", "plain"],
    &["Restaurant", "a, \"b\",\nc", ""],
];

/// Numbers that look as if they came by chance, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 40).unwrap() % end
    }
}

/// Rows of which some are short, some too long, and some have a cell of thousands of bytes.
fn some_rows(count: usize) -> Vec<Vec<String>> {
    let mut numbers = Numbers(7);
    let mut all = vec![HEADERS.map(str::to_owned).to_vec()];
    for row in 0..count {
        let mut cells: Vec<String> = CELLS
            .iter()
            .map(|values| {
                // The first value is the usual one.
                let at = if numbers.below(4) > 0 { 0 } else { numbers.below(values.len()) };
                values[at].to_owned()
            })
            .collect();
        cells[0] = format!("{}{}", cells[0], row - row % 50 % 3);
        cells[13] = cells[13].repeat(1 + numbers.below(12));
        match numbers.below(60) {
            0 => cells.truncate(1 + numbers.below(13)),
            1 => cells.extend(["beyond".to_owned(), String::new(), "the last".to_owned()]),
            2 => cells[13] = "long \"cell\", ".repeat(400),
            _ => {}
        }
        all.push(cells);
    }
    all
}

fn written(rows: &[Vec<String>], crlf: bool) -> String {
    let terminator = if crlf { csv::Terminator::CRLF } else { csv::Terminator::Any(b'\n') };
    let mut writer = csv::WriterBuilder::new().flexible(true).terminator(terminator).from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).unwrap();
    }
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

/// Whether a source has exactly these cells.
fn has(source: &ImportSource, wanted: &[Vec<String>]) -> bool {
    let table = &source.table;
    table.row_count() == wanted.len()
        && wanted.iter().enumerate().all(|(row, cells)| {
            table.row_len(row) == cells.len()
                && cells.iter().enumerate().all(|(column, cell)| table.text_at(row, column) == cell)
        })
}

#[test]
fn every_cell_is_read_whatever_the_encoding() {
    let all = some_rows(ROWS);
    let (plain, crlf) = (written(&all, false), written(&all, true));
    let wanted = trimmed(all);
    let alone = read("x.csv", plain.clone().into_bytes(), &ReadOptions::default()).unwrap();
    assert!(has(&alone, &wanted), "not the cells that were written");
    let cases = [
        ("UTF-8", plain.clone().into_bytes()),
        ("its mark", ["\u{feff}".as_bytes(), crlf.as_bytes()].concat()),
        ("UTF-16", utf16(&crlf, true, true)),
        ("Windows-1252", windows_1252(&plain)),
    ];
    for (case, bytes) in cases {
        let many = read("x.csv", bytes, &ReadOptions::default()).unwrap();
        assert!(has(&many, &wanted), "{case}: not the cells that were written");
        assert_eq!(alone.notes, many.notes, "{case}");
        let lines =
            |source: &ImportSource| (0..wanted.len()).map(|row| source.table.line(row)).collect::<Vec<_>>();
        assert!(lines(&alone) == lines(&many), "{case}: other lines");
    }
}

#[test]
fn threads_find_what_one_finds() {
    let text = written(&some_rows(ROWS), false);
    // A quote that never closes, far below.
    let begin = text.len() * 3 / 4;
    let line = text.as_bytes()[begin..].iter().position(|byte| *byte == b'\n').unwrap();
    let (before, behind) = text.split_at(begin + line);
    let text = format!("{before}\nX-1,\"open,03/04/2026{behind}");
    let mut sent = SentKeys::default();
    sent.add("INV-0", None, "2026-02-20");
    let reviewed = |threads| {
        let source = read("x.csv", text.clone().into_bytes(), &ReadOptions::default()).unwrap();
        let mapping = propose_mapping(&source, &[]).mapping;
        Review::new(source, mapping, &check_settings(&sent, threads))
    };
    let (alone, mut many) = (reviewed(1), reviewed(5));
    assert_eq!(alone.transactions().count(), many.transactions().count());
    assert!(alone.findings().len() > 10_000, "{} findings", alone.findings().len());
    assert!(alone.findings() == many.findings(), "other findings on threads");
    assert!(alone.findings() == reviewed(2).findings(), "other findings on two threads");
    for transaction in 0..alone.transactions().count() {
        assert_eq!(alone.figures(transaction), many.figures(transaction), "transaction {transaction}");
    }
    // A change far below is checked as well.
    let last = many.transactions().rows_of(many.transactions().count() - 1)[0] as usize;
    let premium = usize::from(many.layout().columns_of(Field::Premium)[0]);
    many.edit_cells(&[(last, premium, Some("77.00".to_owned()))], &check_settings(&sent, 1));
    let amount = many.figures(many.transactions().count() - 1).premium();
    assert_eq!(amount.map(|amount| amount.to_string()).as_deref(), Some("77.00"));
}
