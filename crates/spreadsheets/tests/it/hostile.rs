//! Files that are odd, damaged or made to mislead: right rows or an issue, never another value without a word.

use std::fmt::Write as _;

use crate::date;
use bordereau_money::Usd;
use bordereau_spreadsheets::{
    CellKind, Code, Field, ImportRefusal, ImportSource, NoteKind, ReadOptions, RepairKind, Review,
    propose_mapping, read,
};
use rust_xlsxwriter::{ExcelDateTime, Format, Formula, Workbook};

use crate::reviews::with_checks;
use crate::workbooks::{rezipped, saved};

pub(crate) fn reviewed(source: ImportSource) -> Review {
    let mapping = propose_mapping(&source, &[]).mapping;
    with_checks(|checks| Review::new(source, mapping, checks))
}

fn open(bytes: Vec<u8>) -> Review {
    reviewed(read("x", bytes, &ReadOptions::default()).unwrap())
}

fn codes_at(review: &Review, row: usize, field: Field) -> Vec<Code> {
    review.findings_of(row).iter().filter(|f| f.field() == Some(field)).map(|f| f.code()).collect()
}

#[test]
fn a_formula_without_a_result_is_an_issue_and_not_nothing() {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    for (column, header) in (0u16..).zip(["id", "premium", "agency_fee"]) {
        sheet.write(0, column, header).unwrap();
    }
    sheet.write(1, 0, "A-1").unwrap();
    sheet.write(1, 1, Formula::new("=2*50").set_result("100")).unwrap();
    sheet.write(1, 2, Formula::new("=B2*2")).unwrap();
    // Programs that write workbooks and do not calculate leave the result out.
    let bytes = rezipped(&saved(workbook), "xl/worksheets/sheet1.xml", |xml| {
        xml.replace("<f>B2*2</f><v>0</v>", "<f>B2*2</f>")
    });
    let review = open(bytes);
    let cell = |column| review.source().table.cell(1, column);
    assert_eq!((cell(1).text, cell(1).kind), ("100", CellKind::Number));
    assert_eq!((cell(2).text, cell(2).kind), ("=B2*2", CellKind::Error));
    assert_eq!(codes_at(&review, 1, Field::AgencyFee), [Code::CellError]);
    assert_eq!(review.to_wire(0).agency_fee, None);
}

#[test]
fn bare_day_numbers_count_from_the_workbooks_own_epoch() {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    sheet.write(0, 0, "id").unwrap();
    sheet.write(0, 1, "policy_effective_date").unwrap();
    sheet.write(1, 0, "A-1").unwrap();
    sheet.write(1, 1, 44_614).unwrap();
    let bytes = saved(workbook);
    let of_1904 =
        rezipped(&bytes, "xl/workbook.xml", |xml| xml.replace("<workbookPr ", "<workbookPr date1904=\"1\" "));
    for (bytes, day) in [(bytes, date(2022, 2, 22)), (of_1904, date(2026, 2, 23))] {
        let review = open(bytes);
        assert_eq!(review.to_wire(0).policy_effective_date, Some(day.to_string()));
        assert_eq!(codes_at(&review, 1, Field::PolicyEffectiveDate), [Code::DateSerial]);
    }
}

#[test]
fn an_identifier_taken_for_a_date_is_an_issue() {
    let mut workbook = Workbook::new();
    let day = Format::new().set_num_format("d-mmm");
    let sheet = workbook.add_worksheet();
    sheet.write(0, 0, "id").unwrap();
    sheet.write(0, 1, "policy_number").unwrap();
    sheet.write(1, 0, "A-1").unwrap();
    sheet.write_with_format(1, 1, ExcelDateTime::from_ymd(2026, 2, 1).unwrap(), &day).unwrap();
    assert_eq!(codes_at(&open(saved(workbook)), 1, Field::PolicyNumber), [Code::IdentifierRounded]);
}

#[test]
fn characters_nobody_sees_in_an_identifier_are_an_issue() {
    let cases = [
        ("A\u{0}1", "A1"),
        ("A\u{200b}1", "A1"),
        ("A\u{a0}1", "A 1"),
        ("A\t1", "A1"),
        ("A\u{ad}1", "A1"),
        ("\u{202a}A1\u{202c}", "A1"),
        ("A\u{200e}1", "A1"),
        ("\u{2066}A1\u{2069}", "A1"),
    ];
    for (id, clean) in cases {
        let review = open(format!("id,premium\n\"{id}\",5\n").into_bytes());
        assert_eq!(codes_at(&review, 1, Field::Id), [Code::Untrimmed], "{id:?}");
        let untrimmed = review.findings().iter().find(|f| f.code() == Code::Untrimmed).unwrap();
        assert_eq!(review.describe_finding(untrimmed).fix.unwrap().changes[0].text, clean);
    }
}

#[test]
fn a_few_bytes_of_another_encoding_do_not_garble_the_rest() {
    let mut bytes = "id,mailing_insured_name\n1,Café Zoë\n2,Größe\n3,Ca".to_owned().into_bytes();
    bytes.extend(b"f\xE9\n");
    let source = read("x.csv", bytes, &ReadOptions::default()).unwrap();
    let encoding = source.detection.encoding.clone().unwrap();
    assert_eq!(encoding.value, "UTF-8");
    assert!(encoding.evidence.contains("the first in line 4"), "{}", encoding.evidence);
    assert_eq!(source.table.text_at(1, 1), "Café Zoë");
    let found: Vec<(NoteKind, u32)> = source.notes.iter().map(|note| (note.kind, note.row)).collect();
    assert_eq!(found, [(NoteKind::NotInEncoding, 3)]);
}

#[test]
fn a_file_of_zero_bytes_is_refused() {
    let refusal = read("x.csv", vec![0; 4_096], &ReadOptions::default()).unwrap_err();
    assert!(
        matches!(&refusal, ImportRefusal::NotATable { found } if found.contains("zero bytes")),
        "{refusal}"
    );
}

#[test]
fn ten_thousand_columns_are_mapped() {
    let mut header = String::from("id,premium");
    for column in 2..10_000 {
        let _ = write!(header, ",Column {}", column % 5_000);
    }
    let row = format!("1,5{}", ",x".repeat(9_998));
    let review = open(format!("{header}\n{row}\n").into_bytes());
    assert_eq!(review.layout().columns_of(Field::Premium), [1]);
    assert_eq!(review.to_wire(0).premium, Usd::parse("5").ok());
}

#[test]
fn the_same_header_twice_is_one_value_or_an_issue() {
    let review = open(b"id,Premium,Premium\n1,5,7\n2,5,5\n3,,8\n".to_vec());
    assert_eq!(review.layout().columns_of(Field::Premium), [1, 2]);
    assert_eq!(codes_at(&review, 1, Field::Premium), [Code::ColumnsDiffer]);
    let premium = |transaction| review.to_wire(transaction).premium;
    assert_eq!(premium(1), Usd::parse("5").ok(), "an amount is not added to itself");
    assert_eq!(premium(2), Usd::parse("8").ok());
}

#[test]
fn fees_of_several_columns_add_up_only_where_all_can_be_read() {
    let review = open(b"id,Policy Fee,Broker Fee\n1,5,7\n2,5,x\n3,x,5\n4,,5\n".to_vec());
    assert_eq!(review.layout().columns_of(Field::AgencyFee), [1, 2]);
    let fee = |transaction| review.to_wire(transaction).agency_fee;
    assert_eq!([fee(0), fee(1), fee(2), fee(3)], [Usd::parse("12").ok(), None, None, Usd::parse("5").ok()]);
    assert_eq!(codes_at(&review, 2, Field::AgencyFee), [Code::AmountUnreadable]);
}

/// A dash is how accounting formats write nothing; it is an error all the same, until a person says so.
#[test]
fn a_dash_for_nothing_is_set_to_zero_by_a_repair() {
    let review = open(b"id,Premium,Policy Fee\n1,100, $ -   \n2,-,5\n3,100,--\n4,100,n/a\n".to_vec());
    let repair = |row: usize, field: Field| {
        let findings = review.findings_of(row).iter();
        let mut of_it = findings.filter(|f| f.field() == Some(field) && f.code() == Code::AmountUnreadable);
        let fix = review.describe_finding(of_it.next().unwrap()).fix;
        fix.map(|fix| (fix.kind, fix.certain, fix.changes[0].text.clone()))
    };
    let zero = Some((RepairKind::SetZero, false, "0".to_owned()));
    assert_eq!([repair(1, Field::AgencyFee), repair(3, Field::AgencyFee)], [zero.clone(), zero]);
    assert_eq!([repair(2, Field::Premium), repair(4, Field::AgencyFee)], [None, None]);
}

#[test]
fn a_formula_in_a_text_file_is_no_identifier() {
    let review = open(b"id,premium\n=A1,5\n\"=\"\"001\"\"\",5\n".to_vec());
    assert_eq!(codes_at(&review, 1, Field::Id), [Code::CellError]);
    assert_eq!((review.source().table.text_at(2, 0), codes_at(&review, 2, Field::Id)), ("001", vec![]));
}

#[test]
fn a_file_that_was_not_written_to_its_end_keeps_its_rows() {
    let mut bytes = b"id,premium\nA-1,5\n".to_vec();
    bytes.extend([0; 3_000]);
    let review = open(bytes);
    assert_eq!(review.source().detection.encoding.clone().unwrap().value, "UTF-8");
    assert_eq!(review.to_wire(0).premium, Usd::parse("5").ok());
    assert_eq!(codes_at(&review, 2, Field::Id), [Code::TextTooLong, Code::Untrimmed]);
    assert!(review.has_error(1), "what is left of the last row is an issue");
}

#[test]
fn the_sheet_with_names_of_fields_is_read() {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet().set_name("Instructions").unwrap();
    sheet.write(0, 0, "How to fill this in").unwrap();
    let sheet = workbook.add_worksheet().set_name("Old").unwrap().set_hidden(true);
    sheet.write(0, 0, "Policy No").unwrap();
    sheet.write(0, 1, "Premium").unwrap();
    let sheet = workbook.add_worksheet().set_name("March").unwrap();
    sheet.write(1, 0, "Policy No").unwrap();
    sheet.write(1, 1, "Premium").unwrap();
    sheet.write(2, 0, "P-1").unwrap();
    let bytes = saved(workbook);
    assert_eq!(open(bytes.clone()).source().sheet.as_deref(), Some("March"));
    let options = ReadOptions { sheet: Some("Instructions".into()), ..ReadOptions::default() };
    assert_eq!(read("x", bytes, &options).unwrap().sheet.as_deref(), Some("Instructions"));
}
