//! Several files or sheets as one table, each row with where it is from.

use std::io::Write as _;

use bordereau_spreadsheets::{
    BundledFile, Code, Field, ImportRefusal, ImportSource, ReadOptions, SOURCE_COLUMN, SheetRequest,
    SheetSink, SourceFormat, TableRowOutcome, bundle_files, propose_mapping, read, read_with, read_workbook,
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
fn a_file_that_cannot_be_read_is_named_and_the_others_are_read() {
    let inner = bundle(&[("May.csv", MAY)]);
    let files: &[(&str, &[u8])] = &[
        ("staff.csv", b"Employee,Salary\nAda,5\n"),
        ("May.csv", MAY),
        ("scan.pdf", b"%PDF-1.7"),
        ("Copy of May.csv", MAY),
        ("empty.csv", b""),
        ("inner.zip", &inner),
        ("June.csv", JUNE),
    ];
    let source = together(files).unwrap();
    let read: Vec<&str> = source.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(read, ["May.csv", "June.csv"]);
    let ids: Vec<&str> = (2..source.table.row_count()).map(|row| source.table.text_at(row, 0)).collect();
    assert_eq!(ids.iter().filter(|id| **id == "A-1").count(), 1, "the rows of a copy are not there twice");
    let why = |name: &str| {
        let file = source.left_out.iter().find(|file| file.name == name).unwrap();
        (file.why.to_string(), file.is_duplicate())
    };
    assert_eq!(source.left_out.len(), 5);
    assert_eq!(
        why("Copy of May.csv"),
        ("It is the same file as May.csv, so its rows are read once.".to_owned(), true)
    );
    for (name, sentence) in [
        ("scan.pdf", "This is a PDF document"),
        ("empty.csv", "The file is empty"),
        ("inner.zip", "This is an archive within an archive"),
        ("staff.csv", "It has no column in common with May.csv."),
    ] {
        assert!(why(name).0.starts_with(sentence) && !why(name).1, "{name}: {:?}", why(name));
    }
    let only = together(&files[..2]).unwrap();
    assert_eq!((only.file.as_str(), only.parts.len(), only.left_out.len()), ("May.csv", 0, 1));
}

#[test]
fn files_of_which_none_can_be_read_are_refused() {
    let refused = together(&[("scan.pdf", b"%PDF-1.7"), ("empty.csv", b"")]).unwrap_err().to_string();
    assert!(refused.starts_with("scan.pdf: This is a PDF document"), "{refused}");
    let many = vec![BundledFile { name: "a.csv".into(), bytes: MAY.to_vec() }; 201];
    assert_eq!(bundle_files(many).unwrap_err(), ImportRefusal::TooManyFiles);
}

#[test]
fn archives_made_to_do_harm_end_in_a_sentence() {
    let zipped = |files: &[(&str, &[u8])]| {
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (name, bytes) in files {
            writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    };
    let opened = |bytes: Vec<u8>| read("x.zip", bytes, &ReadOptions::default());
    // Each is within its bounds, and all of them are not.
    let blanks = vec![b' '; 80 << 20];
    let bomb = zipped(&[("a.csv", &blanks), ("b.csv", &blanks), ("c.csv", &blanks)]);
    assert!(bomb.len() < 1 << 20);
    assert!(matches!(opened(bomb), Err(ImportRefusal::TooLarge { .. })));
    // A zip in a zip in a zip is not looked into.
    let deep = zipped(&[("b.zip", &zipped(&[("a.zip", &zipped(&[("May.csv", MAY)]))]))]);
    let refused = opened(deep).unwrap_err().to_string();
    assert!(refused.starts_with("b.zip: This is an archive within an archive"), "{refused}");
    let names: Vec<String> = (0..10_000).map(|at| format!("{at}.csv")).collect();
    let many: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), MAY)).collect();
    assert_eq!(opened(zipped(&many)).unwrap_err(), ImportRefusal::TooManyFiles);
    let wide = format!("{}\n1", ",".repeat(99_999));
    let source = opened(zipped(&[("wide.csv", wide.as_bytes()), ("May.csv", MAY)])).unwrap();
    assert!(source.left_out[0].why.to_string().contains("more than 10,000 columns"), "{:?}", source.left_out);
    // What takes all the reader has is not tried once for each file.
    let tried = std::cell::Cell::new(0);
    let counted = |_: &[u8], _: SheetRequest<'_>, _: SheetSink<'_>| {
        tried.set(tried.get() + 1);
        Err(ImportRefusal::ReaderEnded)
    };
    let pages = zipped(&[("a.xls", b"<table><tr><td>1".as_slice()), ("b.xls", b"<table><tr><td>2")]);
    let refused = read_with("x.zip", pages, &ReadOptions::default(), counted).unwrap_err();
    let words = refused.to_string();
    assert!(words.starts_with("a.xls: Reading this workbook took more memory or time"), "{refused}");
    assert!(refused.has_ended_reader() && ImportRefusal::ReaderEnded.has_ended_reader());
    assert_eq!(tried.get(), 1);
    // Nothing is sent without a file that can be read later.
    let stopped = |_: &[u8], _: SheetRequest<'_>, _: SheetSink<'_>| Err(ImportRefusal::ReaderStopped);
    let pages = zipped(&[("May.csv", MAY), ("a.xls", b"<table><tr><td>1".as_slice())]);
    let refused = read_with("x.zip", pages, &ReadOptions::default(), stopped).unwrap_err();
    assert_eq!(refused, ImportRefusal::ReaderStopped);
    assert!(refused.is_passing() && !refused.has_ended_reader(), "the same file may be read later");
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

/// Sheets by name, each with the texts of its rows.
fn workbook_of(sheets: &[(&str, &[&[&str]])]) -> Vec<u8> {
    let mut workbook = Workbook::new();
    for (name, rows) in sheets {
        let sheet = workbook.add_worksheet().set_name(*name).unwrap();
        for (row, cells) in (0u32..).zip(*rows) {
            for (column, text) in (0u16..).zip(*cells) {
                sheet.write(row, column, *text).unwrap();
            }
        }
    }
    saved(workbook)
}

#[test]
fn all_sheets_with_the_same_columns_are_one_table() {
    let bytes = workbook_of(&[
        ("Notes", &[&["Read me first", ""]]),
        ("May", &[&["Policy No", "Premium"], &["00123", "5"]]),
        ("June", &[&["Premium", "Policy No"], &["6", "00124"]]),
    ]);
    let one = read("book.xlsx", bytes.clone(), &ReadOptions::default()).unwrap();
    assert_eq!((one.sheet.as_deref(), one.parts.len()), (Some("May"), 0));
    let told: Vec<String> =
        one.left_out.iter().map(|sheet| format!("{}: {}", sheet.name, sheet.why)).collect();
    assert_eq!(
        told,
        [
            "Sheet June: It has the columns of sheet \"May\", but isn't read. Choose it, or all sheets, as the sheet to read."
        ],
        "rows that nobody asked to be without"
    );
    let named = ReadOptions { sheet: Some("May".into()), ..ReadOptions::default() };
    assert_eq!(read("book.xlsx", bytes.clone(), &named).unwrap().left_out, [], "who named one has chosen");
    let options = ReadOptions { all_sheets: true, ..ReadOptions::default() };
    let times = std::cell::Cell::new(0);
    let counted = |bytes: &[u8], asked: SheetRequest<'_>, sink: SheetSink<'_>| {
        times.set(times.get() + 1);
        read_workbook(bytes, asked, sink)
    };
    let all = read_with("book.xlsx", bytes.clone(), &options, counted).unwrap();
    assert_eq!(times.get(), 1, "a workbook is read once, however many sheets it has");
    assert_eq!(all.parts.iter().map(|part| part.name.as_str()).collect::<Vec<_>>(), ["May", "June"]);
    assert_eq!(cells(&all, 2), ["00124", "6", "June"]);
    let both = read("all", bundle(&[("book.xlsx", &bytes), ("May.csv", MAY)]), &options).unwrap();
    assert_eq!(both.parts.len(), 2);
    assert_eq!(cells(&both, both.detection.header.value.unwrap() as usize + 1)[..2], ["00123", "5"]);
    let first_alone =
        read("all", bundle(&[("book.xlsx", &bytes), ("May.csv", MAY)]), &ReadOptions::default());
    let told: Vec<String> = first_alone.unwrap().left_out.into_iter().map(|sheet| sheet.name).collect();
    assert_eq!(told, ["book.xlsx, Sheet June"]);
}

/// Reports often have the sums by state on a sheet before the transactions.
#[test]
fn a_summary_before_the_transactions_is_not_what_is_read() {
    let detail = ["Policy No", "Insured", "State", "Effective", "Type", "Class", "Premium", "SL Tax"];
    let bytes = workbook_of(&[
        ("Summary", &[&["State", "Premium", "SL Tax"], &["TX", "11", "1"]]),
        ("Detail", &[&detail, &["1", "A", "TX", "2026-03-04", "PN", "GEN-1002", "11", "1"]]),
    ]);
    let source = read("book.xlsx", bytes.clone(), &ReadOptions::default()).unwrap();
    assert_eq!((source.sheet.as_deref(), source.left_out.len()), (Some("Detail"), 0));
    let named = ReadOptions { sheet: Some("Summary".into()), ..ReadOptions::default() };
    assert_eq!(read("book.xlsx", bytes, &named).unwrap().sheet.as_deref(), Some("Summary"));
}
