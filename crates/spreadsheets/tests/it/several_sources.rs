//! Several files or sheets as one table, each row with where it is from.

use std::io::Write as _;

use bordereau_spreadsheets::{
    BundledFile, Code, Field, ImportRefusal, ImportSource, ReadOptions, SOURCE_COLUMN, SourceFormat,
    TableRowOutcome, bundle_files, propose_mapping, read,
};
use rust_xlsxwriter::Workbook;

use crate::hostile::reviewed;
use crate::workbooks::saved;

fn bundle(files: &[(&str, &[u8])]) -> Vec<u8> {
    let file = |(name, bytes): &(&str, &[u8])| BundledFile { name: (*name).into(), bytes: bytes.to_vec() };
    bundle_files(files.iter().map(file).collect()).unwrap()
}

fn together(files: &[(&str, &[u8])]) -> Result<ImportSource, ImportRefusal> {
    read("all", bundle(files), &ReadOptions::default())
}

fn cells(source: &ImportSource, row: usize) -> Vec<&str> {
    (0..source.table.width()).map(|column| source.table.text_at(row, column)).collect()
}

const MAY: &[u8] = b"Agency export\nPolicy No,Premium,Fee\nA-1,100.50,5\n\nA-2,200.00,\n";
const JUNE: &[u8] = b"Premium;Policy Number;Broker\n300,25;B-1;Jones\nTotal 300,25;;\n";

#[test]
fn columns_are_put_together_by_title_and_no_row_is_lost() {
    let source = together(&[("May.csv", MAY), ("June.csv", JUNE)]).unwrap();
    assert_eq!(source.format, SourceFormat::Several);
    let header = source.detection.header.value.unwrap() as usize;
    assert_eq!(cells(&source, header), ["Policy No", "Premium", "Fee", "Broker", SOURCE_COLUMN]);
    let data: Vec<Vec<&str>> =
        (header + 1..source.table.row_count()).map(|row| cells(&source, row)).collect();
    assert_eq!(data[0], ["A-1", "100.50", "5", "", "May.csv"]);
    assert_eq!(data[1], ["", "", "", "", ""], "a blank row stays blank");
    assert_eq!(data[2], ["A-2", "200.00", "", "", "May.csv"]);
    assert_eq!(data[3], ["B-1", "300,25", "", "Jones", "June.csv"]);
    assert_eq!(source.table.line(header + 4), 2, "as its own file counts it");
    let parts: Vec<(&str, usize, &str)> =
        source.parts.iter().map(|part| (part.name.as_str(), part.rows, part.difference.as_str())).collect();
    assert_eq!(parts, [("May.csv", 3, ""), ("June.csv", 2, "without Fee; with Broker")]);
    let mapping = propose_mapping(&source, &[]).mapping;
    let fields: Vec<Option<Field>> = mapping.columns.iter().map(|choice| choice.field).collect();
    let fee = Some(Field::AgencyFee);
    assert_eq!(fields[..3], [Some(Field::PolicyNumber), Some(Field::Premium), fee]);
    assert_eq!(fields.last(), Some(&None), "where a row is from is not imported");
    let review = reviewed(source);
    let outcomes = review.transactions().row_outcomes();
    let above = outcomes.iter().filter(|outcome| **outcome == TableRowOutcome::AboveHeader).count();
    assert_eq!((above, review.transactions().count()), (1, 4));
    let total = review.findings().iter().find(|f| f.code() == Code::LooksLikeTotal).unwrap();
    let message = review.describe_finding(total).message;
    assert!(message.starts_with("Row 3 of June.csv, column \""), "{message}");
}

#[test]
fn cells_beyond_the_headers_and_headers_once_more_are_told_in_each_file() {
    let source =
        together(&[("a.csv", b"id,premium\n1,5\nid,premium\n2,6\n"), ("b.csv", b"id,premium\n3,7,8\n")])
            .unwrap();
    let review = reviewed(source);
    assert_eq!(review.transactions().count(), 3);
    let extra: Vec<usize> =
        review.findings().iter().filter(|f| f.code() == Code::ExtraCells).map(|f| f.row()).collect();
    assert_eq!(extra.len(), 1);
    assert_eq!(review.source().part_of(extra[0]).map(|part| part.name.as_str()), Some("b.csv"));
}

#[test]
fn files_that_do_not_belong_together_are_refused_by_name() {
    let files: &[(&str, &[u8])] = &[("May.csv", MAY), ("staff.csv", b"Employee,Salary\nAda,5\n")];
    let refused = together(files).unwrap_err().to_string();
    assert!(refused.starts_with("staff.csv has no column in common with May.csv."), "{refused}");
    let refused = together(&[("May.csv", MAY), ("scan.pdf", b"%PDF-1.7")]).unwrap_err().to_string();
    assert!(refused.starts_with("scan.pdf: This is a PDF document"), "{refused}");
    let inner = bundle(&[("May.csv", MAY)]);
    let refused = together(&[("May.csv", MAY), ("inner.zip", &inner)]).unwrap_err().to_string();
    assert!(refused.starts_with("inner.zip: This is an archive within an archive"), "{refused}");
    let many = vec![BundledFile { name: "a.csv".into(), bytes: MAY.to_vec() }; 201];
    assert_eq!(bundle_files(many).unwrap_err(), ImportRefusal::TooManyFiles);
}

#[test]
fn a_zip_of_files_is_read_without_what_systems_put_beside_them() {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, bytes) in [
        ("exports/May.csv", MAY),
        ("__MACOSX/exports/._May.csv", b"\x00\x05\x16\x07"),
        ("exports/.DS_Store", b"x"),
        ("../../June.csv", JUNE),
    ] {
        writer.start_file(name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.add_directory("exports/empty", options).unwrap();
    let bytes = writer.finish().unwrap().into_inner();
    let source = read("exports.zip", bytes, &ReadOptions::default()).unwrap();
    let names: Vec<&str> = source.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["May.csv", "June.csv"]);
}

#[test]
fn all_sheets_with_the_same_columns_are_one_table() {
    let mut workbook = Workbook::new();
    for (name, rows) in [
        ("Notes", vec![["Read me first", ""]]),
        ("May", vec![["Policy No", "Premium"], ["00123", "5"]]),
        ("June", vec![["Premium", "Policy No"], ["6", "00124"]]),
    ] {
        let sheet = workbook.add_worksheet().set_name(name).unwrap();
        for (row, cells) in (0u32..).zip(rows) {
            for (column, text) in (0u16..).zip(cells) {
                sheet.write(row, column, text).unwrap();
            }
        }
    }
    let bytes = saved(workbook);
    let one = read("book.xlsx", bytes.clone(), &ReadOptions::default()).unwrap();
    assert_eq!((one.sheet.as_deref(), one.parts.len()), (Some("May"), 0));
    let options = ReadOptions { all_sheets: true, ..ReadOptions::default() };
    let all = read("book.xlsx", bytes.clone(), &options).unwrap();
    assert_eq!(all.parts.iter().map(|part| part.name.as_str()).collect::<Vec<_>>(), ["May", "June"]);
    assert_eq!(cells(&all, 2), ["00124", "6", "June"]);
    let both = read("all", bundle(&[("book.xlsx", &bytes), ("May.csv", MAY)]), &options).unwrap();
    assert_eq!(both.parts.len(), 2);
    assert_eq!(cells(&both, both.detection.header.value.unwrap() as usize + 1)[..2], ["00123", "5"]);
}
