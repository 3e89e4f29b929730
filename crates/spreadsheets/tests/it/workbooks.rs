//! Workbooks: sheets, dates of both epochs, formulas, numbers as text, damage and bombs.

use crate::workbook_writers::{WrittenCell, WrittenHidden, fill_sheet, ods, ods_rows, xls, xlsb};
use bordereau_spreadsheets::{
    CellKind, Code, Field, ImportRefusal, ImportSource, NoteKind, ReadOptions, Review, SourceFormat, Table,
    cut_beginning, propose_mapping, read,
};
use rust_xlsxwriter::{ExcelDateTime, Format as CellFormat, Formula, Workbook};

use crate::reviews::with_checks;

pub fn saved(mut workbook: Workbook) -> Vec<u8> {
    workbook.save_to_buffer().unwrap()
}

fn open(bytes: Vec<u8>) -> ImportSource {
    read("x.xlsx", bytes, &ReadOptions::default()).unwrap()
}

#[test]
fn cells_are_read_as_they_are_shown() {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    let day = CellFormat::new().set_num_format("mm/dd/yyyy");
    let date = ExcelDateTime::from_ymd(2026, 2, 23).unwrap();
    sheet.write(2, 1, "Policy number").unwrap();
    sheet.write(2, 2, "Premium").unwrap();
    sheet.write(3, 1, "00123").unwrap();
    sheet.write(3, 2, 93.26).unwrap();
    sheet.write_with_format(3, 3, &date, &day).unwrap();
    sheet.write(3, 4, true).unwrap();
    sheet.write(3, 5, Formula::new("=B1*2").set_result("461.77")).unwrap();
    sheet.write(5, 2, 1.2e15).unwrap();
    sheet.write(5, 4, 0.1 + 0.2).unwrap();
    let source = open(saved(workbook));
    assert_eq!(source.format, SourceFormat::Workbook);
    let table = &source.table;
    let at = |row, column| (table.text_at(row, column), table.cell(row, column).kind);
    assert_eq!(table.row_count(), 6, "blank rows keep their places");
    assert_eq!(table.line(3), 4);
    assert_eq!(at(3, 1), ("00123", CellKind::Text));
    assert_eq!(at(3, 2), ("93.26", CellKind::Number));
    assert_eq!(at(3, 3), ("2026-02-23", CellKind::Date));
    assert_eq!(at(3, 4), ("TRUE", CellKind::Flag));
    assert_eq!(at(3, 5).0, "461.77");
    assert_eq!(at(5, 2), ("1200000000000000", CellKind::Number));
    assert_eq!(at(5, 4), ("0.30000000000000004", CellKind::Number));
    assert_eq!(source.detection.header.value, Some(2));
}

/// Somebody who filters a list and saves it means what they see; the file has all of it.
#[test]
fn rows_that_a_sheet_hides_are_told_and_can_be_left_out() {
    let mut workbook = Workbook::new();
    workbook.add_worksheet().set_name("Q&A").unwrap().write(0, 0, "How this was made").unwrap();
    let sheet = workbook.add_worksheet().set_name("June & July").unwrap();
    for (column, name) in (0..).zip(["Policy number", "Insured", "State", "Premium"]) {
        sheet.write(2, column, name).unwrap();
    }
    for row in 3..40_000 {
        let state = if row % 2 == 0 { "TX" } else { "FL" };
        sheet.write(row, 0, format!("P-{row}")).unwrap();
        sheet.write(row, 1, "Diner LLC").unwrap();
        sheet.write(row, 2, state).unwrap();
        sheet.write(row, 3, 100).unwrap();
    }
    for row in [0, 1, 4, 20_001, 39_999, 50_000] {
        sheet.set_row_hidden(row).unwrap();
    }
    let source = open(saved(workbook));
    let hidden = |source: &ImportSource| -> Vec<u32> {
        source.notes.iter().filter(|note| note.kind == NoteKind::RowHidden).map(|note| note.row).collect()
    };
    assert_eq!(hidden(&source), [4, 20_001, 39_999], "neither what is blank nor what is above");
    let mapping = propose_mapping(&source, &[]).mapping;
    with_checks(|checks| {
        let mut review = Review::new(source, mapping, checks);
        let of = |review: &Review, row: usize| {
            review.findings_of(row).iter().find(|finding| finding.code() == Code::RowHidden).cloned()
        };
        let found = of(&review, 4).unwrap();
        assert_eq!(review.describe_finding(&found).fix.unwrap().exclude, Some(4));
        review.edit_cells(&[(4, 0, Some("P-44".into()))], checks);
        assert!(of(&review, 4).is_some(), "it is hidden whatever it says");
        assert!(of(&review, 5).is_none());
    });
}

/// A policy that was struck out in the list isn't to be filed; a single cell may be an old value.
#[test]
fn rows_that_are_struck_out_are_told_in_every_kind_of_workbook() {
    let text = |text: &str| WrittenCell::Text(text.into());
    let struck = |text: &str| WrittenCell::StruckOut(text.into());
    let rows = vec![
        vec![text("Policy number"), text("Insured"), text("State"), text("Premium")],
        vec![text("P-1"), text("Diner LLC"), text("TX"), text("100")],
        vec![struck("P-2"), struck("Diner LLC"), struck("TX"), text("100")],
        vec![text("P-3"), text("Diner LLC"), text("TX"), struck("100")],
        vec![struck("P-4"), struck("Diner LLC"), WrittenCell::Blank, struck("100")],
    ];
    let mut workbook = Workbook::new();
    fill_sheet(workbook.add_worksheet(), 0, &rows);
    let files = [
        ("x.xlsx", saved(workbook)),
        ("x.xlsb", xlsb(&rows, &WrittenHidden::default())),
        ("x.xls", xls(&rows, &WrittenHidden::default())),
        ("x.ods", ods(&ods_rows(&rows, &WrittenHidden::default()))),
    ];
    for (name, bytes) in files {
        let source = read(name, bytes, &ReadOptions::default()).unwrap();
        let noted: Vec<(NoteKind, u32)> = source.notes.iter().map(|note| (note.kind, note.row)).collect();
        assert_eq!(noted, [(NoteKind::RowStruckOut, 2), (NoteKind::RowStruckOut, 4)], "{name}");
    }
}

#[test]
fn rows_that_other_workbooks_hide_are_told_too() {
    let text = |text: &str| WrittenCell::Text(text.into());
    let mut rows = vec![vec![text("Policy number"), text("Insured")]];
    rows.extend((1..6).map(|row| vec![text(&format!("P-{row}")), text("Diner LLC")]));
    rows.insert(3, Vec::new());
    let hidden = WrittenHidden { rows: &[0, 2, 3, 6], columns: &[] };
    for (name, bytes) in [
        ("x.xlsb", xlsb(&rows, &hidden)),
        ("x.xls", xls(&rows, &hidden)),
        ("x.ods", ods(&ods_rows(&rows, &hidden))),
    ] {
        let source = read(name, bytes, &ReadOptions::default()).unwrap();
        let noted: Vec<u32> = source.notes.iter().map(|note| note.row).collect();
        assert_eq!(noted, [0, 2, 6], "{name}");
        let mapping = propose_mapping(&source, &[]).mapping;
        let review = with_checks(|checks| Review::new(source, mapping, checks));
        let told = |row: usize| review.findings_of(row).iter().any(|found| found.code() == Code::RowHidden);
        assert_eq!(
            [0, 1, 2, 6].map(told),
            [false, false, true, true],
            "{name}: a heading is nothing that is sent"
        );
    }
}

/// What was there before a column was put beside it, often: nobody sees it, and nobody would know that it is sent.
#[test]
fn columns_that_a_sheet_hides_are_suggested_and_not_taken() {
    let text = |text: &str| WrittenCell::Text(text.into());
    let rows = vec![
        ["Policy number", "Written premium", "Insured", "State", "Premium", "Broker note"].map(text).to_vec(),
        ["P-1", "90", "Diner LLC", "TX", "100", "call"].map(text).to_vec(),
    ];
    let hidden = WrittenHidden { rows: &[], columns: &[(1, 1), (3, 3), (5, 16_383)] };
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    fill_sheet(sheet, 0, &rows);
    for (first, last) in hidden.columns {
        sheet.set_column_range_hidden(*first, *last).unwrap();
    }
    let cells = |row: &Vec<WrittenCell>| {
        let cell = |cell: &WrittenCell| match cell {
            WrittenCell::Text(text) => format!("<Cell><Data ss:Type=\"String\">{text}</Data></Cell>"),
            _ => "<Cell/>".to_owned(),
        };
        format!("<Row>{}</Row>", row.iter().map(cell).collect::<String>())
    };
    let xml = format!(
        "<?xml version=\"1.0\"?><Workbook xmlns=\"urn:schemas-microsoft-com:office:spreadsheet\" \
         xmlns:ss=\"urn:schemas-microsoft-com:office:spreadsheet\"><Worksheet ss:Name=\"S\"><Table>\
         <Column/><Column ss:Hidden=\"1\"/><Column ss:Index=\"4\" ss:Hidden=\"1\"/><Column/>\
         <Column ss:Hidden=\"1\" ss:Span=\"16377\"/>{}</Table></Worksheet></Workbook>",
        rows.iter().map(cells).collect::<String>()
    );
    let files = [
        ("x.xlsx", saved(workbook)),
        ("x.xlsb", xlsb(&rows, &hidden)),
        ("x.xls", xls(&rows, &hidden)),
        ("x.ods", ods(&ods_rows(&rows, &hidden))),
        ("x.xml", xml.into_bytes()),
    ];
    for (name, bytes) in files {
        let source = read(name, bytes, &ReadOptions::default()).unwrap();
        let proposal = propose_mapping(&source, &[]);
        let fields: Vec<_> = proposal.columns.iter().map(|column| column.field).collect();
        use Field as F;
        assert_eq!(
            fields,
            [Some(F::PolicyNumber), None, Some(F::InsuredName), None, Some(F::Premium), None],
            "{name}"
        );
        let suggested = |column: usize| {
            let suggestion = proposal.columns[column].suggestion.as_ref();
            suggestion.map(|suggestion| (suggestion.field, suggestion.reason.as_str()))
        };
        let reason = "The sheet hides this column.";
        assert_eq!(suggested(1), Some((None, reason)), "{name}: another column has the premium");
        assert_eq!(suggested(3), Some((Some(F::PhysicalState), reason)), "{name}");
        assert_eq!(suggested(5), Some((None, reason)), "{name}");
        // A person who has matched it once has said so.
        let mut chosen = proposal.mapping;
        chosen.columns[3].field = Some(F::PhysicalState);
        assert_eq!(propose_mapping(&source, &[chosen]).columns[3].field, Some(F::PhysicalState), "{name}");
    }
}

#[test]
fn the_first_rows_of_a_workbook_are_those_of_the_whole() {
    let mut workbook = Workbook::new();
    workbook.add_worksheet().set_name("Read me").unwrap().write(0, 0, "How this was made").unwrap();
    let sheet = workbook.add_worksheet().set_name("Invoices").unwrap();
    let day = CellFormat::new().set_num_format("mm/dd/yyyy");
    let padded = CellFormat::new().set_num_format("00000");
    for (column, name) in (0..).zip(["Policy number", "Insured", "Effective date", "ZIP code", "Premium"]) {
        sheet.write(0, column, name).unwrap();
    }
    for row in 1..4_000 {
        sheet.write(row, 0, format!("P-{row}")).unwrap();
        sheet.write(row, 1, format!("Café & Söhne {row}")).unwrap();
        sheet.write_with_format(row, 2, 46_000 + row % 90, &day).unwrap();
        sheet.write_with_format(row, 3, 501 + row, &padded).unwrap();
        sheet.write(row, 4, 1_000.25).unwrap();
    }
    let bytes = saved(workbook);
    let first = cut_beginning(bytes.clone()).unwrap();
    assert!(first.len() < 1 << 20, "{}", first.len());
    let (first, whole) = (open(first), open(bytes));
    assert_eq!((&first.sheet, &first.sheets), (&whole.sheet, &whole.sheets));
    assert_eq!(first.detection.header.value, whole.detection.header.value);
    let rows = first.table.row_count();
    assert!(rows > 100 && rows < whole.table.row_count(), "{rows}");
    for (row, column) in (0..rows).flat_map(|row| (0..5).map(move |column| (row, column))) {
        let of = |table: &Table| (table.text_at(row, column).to_owned(), table.cell(row, column).kind);
        assert_eq!(of(&first.table), of(&whole.table), "{row}, {column}");
    }
}

#[test]
fn a_row_whose_text_is_too_far_is_none_of_the_first() {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    for (row, text) in (0..).zip(["Policy", "A-1", "A-2", "A-3", "A-4"]) {
        sheet.write(row, 0, text).unwrap();
    }
    let bytes = rezipped(&saved(workbook), "xl/worksheets/sheet1.xml", |xml| {
        xml.replace("<v>3</v>", "<v>18446744073709551615</v>")
    });
    let table = open(cut_beginning(bytes).unwrap()).table;
    assert_eq!((table.row_count(), table.text_at(2, 0)), (3, "A-2"));
    let others =
        [ods("<table:table-row/>"), b"PK\x03\x04".to_vec(), b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec()];
    for other in others {
        assert_eq!(cut_beginning(other), None);
    }
}

#[test]
fn sheets_are_listed_and_chosen() {
    let mut workbook = Workbook::new();
    workbook.add_worksheet().set_name("Notes").unwrap().set_hidden(true).write(0, 0, "hidden").unwrap();
    workbook.add_worksheet().set_name("Empty").unwrap();
    workbook.add_worksheet().set_name("Invoices").unwrap().set_active(true).write(0, 0, "Policy").unwrap();
    let bytes = saved(workbook);
    let source = open(bytes.clone());
    let names: Vec<(&str, bool)> = source.sheets.iter().map(|s| (s.name.as_str(), s.hidden)).collect();
    assert_eq!(names, [("Notes", true), ("Empty", false), ("Invoices", false)]);
    assert_eq!(source.sheet.as_deref(), Some("Invoices"), "the first visible sheet with cells");
    let asked = |name: &str| ReadOptions { sheet: Some(name.into()), ..Default::default() };
    assert_eq!(read("x", bytes.clone(), &asked("notes")).unwrap().sheet.as_deref(), Some("Notes"));
    let refusal = read("x", bytes, &asked("Invoice")).unwrap_err();
    assert!(
        matches!(&refusal, ImportRefusal::NoSuchSheet { there, .. } if there == "Notes, Empty, Invoices")
    );
}

#[test]
fn the_epoch_of_1904_is_used() {
    // The same serial number means another day; the flag is set in the workbook's own XML.
    let mut workbook = Workbook::new();
    let day = CellFormat::new().set_num_format("yyyy-mm-dd");
    workbook.add_worksheet().write_with_format(0, 0, 44_614, &day).unwrap();
    let bytes = saved(workbook);
    assert_eq!(open(bytes.clone()).table.text_at(0, 0), "2022-02-22");
    let bytes =
        rezipped(&bytes, "xl/workbook.xml", |xml| xml.replace("<workbookPr ", "<workbookPr date1904=\"1\" "));
    assert_eq!(open(bytes).table.text_at(0, 0), "2026-02-23");
}

/// What is shown is read where an identifier is meant, and what is stored where an amount is.
#[test]
fn leading_zeros_of_number_formats_are_read() {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    let format = |code: &str| CellFormat::new().set_num_format(code);
    let headers = ["policy_number", "mailing_zip_code", "invoice_number", "premium", "other"];
    for (column, header) in headers.into_iter().enumerate() {
        sheet.write_string(0, u16::try_from(column).unwrap(), header).unwrap();
    }
    let row =
        [("0000000000", 12_345_678.0), ("00000", 2139.0), ("00\\-000\\-0", 12_345.0), ("000000", 950.0)];
    for (column, (code, number)) in row.into_iter().chain([("000", 7.0)]).enumerate() {
        let column = u16::try_from(column).unwrap();
        sheet.write_number_with_format(1, column, number, &format(code)).unwrap();
        sheet.write_number_with_format(2, column, 1.5, &format(code)).unwrap();
        sheet.write_number(3, column, number).unwrap();
    }
    let bytes = saved(workbook);
    let texts = |table: &Table, row| -> Vec<String> {
        (0..5).map(|column| table.text_at(row, column).to_owned()).collect()
    };
    let source = open(bytes.clone());
    assert_eq!(source.table.formatted_numbers().len(), 5);
    let first = source.table.formatted_numbers().next().unwrap();
    assert_eq!((first.row, first.column, first.shown, first.stored), (1, 0, "0012345678", "12345678"));
    let mapping = propose_mapping(&source, &[]).mapping;
    let review = with_checks(|checks| Review::new(source, mapping.clone(), checks));
    let table = &review.source().table;
    assert_eq!(texts(table, 1), ["0012345678", "02139", "01-234-5", "950", "007"]);
    assert_eq!(table.cell(1, 3).kind, CellKind::Number);
    assert_eq!(texts(table, 2), ["1.5"; 5], "not a whole number");
    assert_eq!(texts(table, 3), ["12345678", "2139", "12345", "950", "7"]);
    // Matched otherwise, a column is read otherwise: nothing of the file is lost.
    let mut other = mapping;
    other.columns[0].field = Some(Field::Premium);
    other.columns[3].field = Some(Field::PolicyNumber);
    let review = with_checks(|checks| review.with_mapping(other, checks));
    assert_eq!(texts(&review.source().table, 1), ["12345678", "02139", "01-234-5", "000950", "007"]);
    let options = ReadOptions { stored_numbers: true, ..ReadOptions::default() };
    let source = read("x.xlsx", bytes, &options).unwrap();
    assert_eq!(texts(&source.table, 1), ["12345678", "2139", "12345", "950", "7"]);
}

/// The archive with one part changed.
pub fn rezipped(bytes: &[u8], part: &str, mut change: impl FnMut(String) -> String) -> Vec<u8> {
    rezipped_bytes(bytes, part, |content| change(String::from_utf8(content).unwrap()).into_bytes())
}

/// The same of a part that is no text.
pub fn rezipped_bytes(bytes: &[u8], part: &str, mut change: impl FnMut(Vec<u8>) -> Vec<u8>) -> Vec<u8> {
    use std::io::{Read, Write};
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).unwrap();
        let name = file.name().unwrap().into_owned();
        let mut content = Vec::new();
        file.read_to_end(&mut content).unwrap();
        if name == part {
            content = change(content);
        }
        writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(&content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A workbook whose shared strings are so many bytes of blanks, which pack into a thousandth.
fn bomb(size: usize) -> Vec<u8> {
    let mut workbook = Workbook::new();
    workbook.add_worksheet().write(0, 0, "x").unwrap();
    rezipped(&saved(workbook), "xl/sharedStrings.xml", |_| " ".repeat(size))
}

#[test]
fn a_bomb_is_refused_before_it_goes_off() {
    const SIZE: u32 = 3 << 20;
    let bytes = bomb(SIZE as usize);
    assert!(bytes.len() < 40_000);
    // Blanks are no shared strings; nothing was refused before that was found out.
    let refusal = read("x.xlsx", bytes.clone(), &ReadOptions::default()).unwrap_err();
    assert!(
        matches!(refusal, ImportRefusal::Damaged { .. }) && !refusal.to_string().contains("larger"),
        "{refusal}"
    );
    // What says that it is too large is not unpacked at all: one part that is held, and all parts together.
    for said in [257 << 20, u32::MAX - 1] {
        let refusal = read("x.xlsx", saying(bytes.clone(), SIZE, said), &ReadOptions::default()).unwrap_err();
        assert!(matches!(refusal, ImportRefusal::Bomb { .. }), "{refusal}");
    }
    // What says that it is small is unpacked as far as it says, and not one byte more.
    for said in [100, SIZE - 1] {
        let refusal = read("x.xlsx", saying(bytes.clone(), SIZE, said), &ReadOptions::default()).unwrap_err();
        assert!(refusal.to_string().contains("larger than it says"), "{refusal}");
    }
}

/// Replaces every 32-bit occurrence of a size by another.
pub fn saying(mut bytes: Vec<u8>, size: u32, said: u32) -> Vec<u8> {
    let needle = size.to_le_bytes();
    let mut replaced = 0;
    while let Some(at) = bytes.windows(4).position(|w| w == needle) {
        bytes[at..at + 4].copy_from_slice(&said.to_le_bytes());
        replaced += 1;
    }
    assert!(replaced >= 2, "before the part and in the list of parts");
    bytes
}

/// A sheet that unpacks to more than four megabytes, and to how many bytes.
fn large() -> (Vec<u8>, usize) {
    let mut workbook = Workbook::new();
    workbook.add_worksheet().write(0, 0, "x").unwrap();
    let pad = ".".repeat(300);
    let cell = |row: usize| format!("<c r=\"A{row}\" t=\"inlineStr\"><is><t>cell {row}{pad}</t></is></c>");
    let rows: String = (2..=16_000).map(|row| format!("<row r=\"{row}\">{}</row>", cell(row))).collect();
    let mut size = 0;
    let bytes = rezipped(&saved(workbook), "xl/worksheets/sheet1.xml", |xml| {
        let xml = xml.replace("</sheetData>", &format!("{rows}</sheetData>"));
        size = xml.len();
        xml
    });
    assert!(size > 5 << 20);
    (bytes, size)
}

/// Read as they come, a row would stand in another or be lost.
#[test]
fn cells_that_are_not_in_order_are_refused() {
    let row = |at: usize, cells: &str| format!("<row r=\"{at}\">{cells}</row>");
    let cell = |at: &str| format!("<c r=\"{at}\" t=\"inlineStr\"><is><t>{at}</t></is></c>");
    for (name, rows, at) in [
        ("in order", row(2, &(cell("A2") + &cell("C2"))) + &row(4, &cell("B4")), 0),
        ("rows", row(4, &cell("A4")) + &row(3, &cell("A3")), 3),
        ("a row behind the cells of the other", row(4, &cell("A4")) + &row(3, &cell("D3")), 3),
        ("a row twice", row(2, &cell("A2")) + &row(2, &cell("A2")), 2),
        ("cells", row(2, &(cell("B2") + &cell("A2"))), 2),
        ("a cell twice", row(2, &(cell("A2") + &cell("A2"))), 2),
    ] {
        let mut workbook = Workbook::new();
        workbook.add_worksheet().write(0, 0, "x").unwrap();
        let bytes = rezipped(&saved(workbook), "xl/worksheets/sheet1.xml", |xml| {
            xml.replace("</sheetData>", &format!("{rows}</sheetData>"))
        });
        let source = read("x.xlsx", bytes, &ReadOptions::default());
        let refused = (at > 0)
            .then(|| ImportRefusal::Damaged { detail: format!("the cells of row {at} are not in order") });
        assert_eq!(source.err(), refused, "{name}");
    }
}

#[test]
fn a_large_sheet_is_read_whole_or_refused() {
    let (bytes, size) = large();
    let texts = |source: &ImportSource| -> Vec<String> {
        (0..source.table.row_count()).map(|row| source.table.text_at(row, 0).to_owned()).collect()
    };
    let alone = texts(&read("x.xlsx", bytes.clone(), &ReadOptions::default()).unwrap());
    assert_eq!(alone.len(), 16_000);
    assert!(alone[15_999].starts_with("cell 16000."), "{}", alone[15_999]);
    // One that lies about its size, and one that is damaged in its middle, are refused all the same.
    let size = u32::try_from(size).unwrap();
    for said in [5 << 20, size - 1] {
        let lying = saying(bytes.clone(), size, said);
        let refusal = read("x.xlsx", lying, &ReadOptions::default()).unwrap_err();
        assert!(refusal.to_string().contains("larger than it says"), "{refusal}");
    }
    let mut damaged = bytes.clone();
    let middle = damaged.len() / 2;
    damaged[middle..middle + 64].fill(0xff);
    let refusal = read("x.xlsx", damaged, &ReadOptions::default()).unwrap_err();
    assert!(matches!(refusal, ImportRefusal::Damaged { .. }), "{refusal}");
}

#[test]
fn cells_of_a_megabyte_are_cut_with_an_issue() {
    let long = "x".repeat(1_000_000);
    let bytes = {
        let mut workbook = Workbook::new();
        workbook.add_worksheet().write(0, 0, "short").unwrap();
        rezipped(&saved(workbook), "xl/sharedStrings.xml", |xml| xml.replace("short", &long))
    };
    let source = open(bytes);
    assert_eq!(source.table.text_at(0, 0).len(), 32_767);
    assert_eq!(source.notes.iter().map(|note| note.kind).collect::<Vec<_>>(), [NoteKind::CellCut]);
}

#[test]
fn a_workbook_cut_anywhere_ends_in_a_sentence() {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    for row in 0..50 {
        sheet.write(row, 0, format!("text {row}")).unwrap();
    }
    let bytes = saved(workbook);
    for end in (0..bytes.len()).step_by(97) {
        assert!(read("x.xlsx", bytes[..end].to_vec(), &ReadOptions::default()).is_err(), "{end}");
    }
    for at in (0..bytes.len()).step_by(31) {
        let mut broken = bytes.clone();
        broken[at] ^= 0x5a;
        // Either it can still be read, or a sentence says why not; never a panic.
        let _ = read("x.xlsx", broken, &ReadOptions::default());
    }
}

#[test]
fn an_open_document_is_read() {
    let text = |t: &str| {
        format!("<table:table-cell office:value-type=\"string\"><text:p>{t}</text:p></table:table-cell>")
    };
    let rows = format!(
        "<table:table-row>{}{}{}</table:table-row><table:table-row>{}\
         <table:table-cell office:value-type=\"float\" office:value=\"93.26\"><text:p>93.26</text:p></table:table-cell>\
         <table:table-cell office:value-type=\"date\" office:date-value=\"2026-02-23\"><text:p>02/23/26</text:p></table:table-cell>\
         <table:table-cell table:number-columns-repeated=\"16380\"/></table:table-row>\
         <table:table-row table:number-rows-repeated=\"1048570\"><table:table-cell table:number-columns-repeated=\"16384\"/></table:table-row>",
        text("Policy No"),
        text("Premium"),
        text("Eff Date"),
        text("00123"),
    );
    let source = read("x.ods", ods(&rows), &ReadOptions::default()).unwrap();
    let table = &source.table;
    assert_eq!((table.row_count(), table.text_at(1, 0)), (2, "00123"));
    assert_eq!((table.text_at(1, 1), table.text_at(1, 2)), ("93.26", "2026-02-23"));
}

#[test]
fn an_open_document_of_endless_repeats_is_refused() {
    let rows = "<table:table-row table:number-rows-repeated=\"1048576\"><table:table-cell \
                table:number-columns-repeated=\"16384\" office:value-type=\"float\" office:value=\"1\">\
                <text:p>1</text:p></table:table-cell></table:table-row>";
    assert_eq!(read("x.ods", ods(rows), &ReadOptions::default()).unwrap_err(), ImportRefusal::TooManyCells);
}

/// Made with xlwt, a writer of the old format: a hidden sheet first, a title above the headers, a formula.
#[test]
fn an_old_workbook_is_read() {
    let bytes = include_bytes!("../fixtures/workbooks/excel97.xls").to_vec();
    let source = read("excel97.xls", bytes, &ReadOptions::default()).unwrap();
    let table = &source.table;
    let at = |row, column| (table.text_at(row, column), table.cell(row, column).kind);
    let names: Vec<(&str, bool)> = source.sheets.iter().map(|s| (s.name.as_str(), s.hidden)).collect();
    assert_eq!(names, [("Notes", true), ("Invoices", false)]);
    assert_eq!(source.sheet.as_deref(), Some("Invoices"));
    assert_eq!(source.detection.header.value, Some(2), "the title and a blank row stand above");
    assert_eq!(at(3, 1), ("0012345678", CellKind::Text), "leading zeros stay");
    assert_eq!(at(3, 2), ("2026-02-23", CellKind::Date));
    assert_eq!(at(4, 6), ("93.26", CellKind::Number));
    assert_eq!(at(4, 8), ("TRUE", CellKind::Flag));
    assert_eq!(at(3, 9), ("Café Example LLC", CellKind::Text));
    assert_eq!(at(5, 0), ("Total", CellKind::Text));
    assert!(source.notes.is_empty());
}

#[test]
fn an_old_workbook_of_the_other_epoch_is_read() {
    let bytes = include_bytes!("../fixtures/workbooks/epoch1904.xls").to_vec();
    let source = read("epoch1904.xls", bytes, &ReadOptions::default()).unwrap();
    let cell = source.table.cell(1, 1);
    // Day 44,613 counted from 1904-01-01.
    assert_eq!((cell.text, cell.kind), ("2026-02-22", CellKind::Date));
}

#[test]
fn a_binary_workbook_is_read() {
    let bytes = include_bytes!("../fixtures/workbooks/binary.xlsb").to_vec();
    let source = read("binary.xlsb", bytes, &ReadOptions::default()).unwrap();
    let table = &source.table;
    let at = |row, column| (table.text_at(row, column), table.cell(row, column).kind);
    assert_eq!(source.sheet.as_deref(), Some("Invoices"));
    assert_eq!(source.detection.header.value, Some(0));
    assert_eq!(table.row_count(), 3);
    assert_eq!(at(1, 1), ("0012345678", CellKind::Text));
    assert_eq!(at(1, 2), ("2026-02-23", CellKind::Date));
    assert_eq!(at(2, 6), ("93.26", CellKind::Number));
    assert_eq!(at(2, 8), ("TRUE", CellKind::Flag));
    assert_eq!(at(1, 9), ("Café Example LLC", CellKind::Text));
}

/// Excel wraps a workbook with a password in its old container, and names the parts in UTF-16.
#[test]
fn a_workbook_with_a_password_says_so_and_how_to_remove_it() {
    let mut bytes = vec![0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];
    bytes.resize(2048, 0);
    bytes.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
    bytes.resize(4096, 0);
    let refusal = read("locked.xlsx", bytes, &ReadOptions::default()).unwrap_err();
    assert!(matches!(refusal, ImportRefusal::Protected), "{refusal}");
    let text = refusal.to_string();
    assert!(
        text.contains("has a password") && text.contains("Encrypt with Password, clear the password"),
        "{text}"
    );
}
