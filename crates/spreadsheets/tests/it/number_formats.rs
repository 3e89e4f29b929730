//! Leading zeros and dashes that a number format shows, in the binary and the open formats: the same rows in each.

use std::io::{Cursor, Write};

use bordereau_spreadsheets::{CellKind, ImportSource, ReadOptions, Review, read};

use crate::hostile::reviewed;
use crate::workbooks::{ods, rezipped_bytes};

/// Headers, and what the rows below them store.
const HEADERS: [&str; 3] = ["Policy No", "Zip", "Premium"];
const STORED: [[u32; 3]; 2] = [[12_345, 2_139, 500], [678, 10_001, 7]];
/// Formats of the columns by their codes, and what they show.
const FORMATS: [&str; 3] = ["000\\-0000", "00000", "000"];
const SHOWN: [[&str; 3]; 2] = [["001-2345", "02139", "500"], ["000-0678", "10001", "007"]];

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// A record of a binary workbook: kind and length in seven bits a byte.
fn xlsb_record(part: &mut Vec<u8>, kind: u16, data: &[u8]) {
    let low = u8::try_from(kind & 0x7f).unwrap();
    match kind >> 7 {
        0 => part.push(low),
        high => part.extend([low | 0x80, u8::try_from(high).unwrap()]),
    }
    let mut length = data.len();
    while length >= 0x80 {
        part.push(u8::try_from(length & 0x7f).unwrap() | 0x80);
        length >>= 7;
    }
    part.push(u8::try_from(length).unwrap());
    part.extend_from_slice(data);
}

fn wide(text: &str) -> Vec<u8> {
    [&u32::try_from(text.len()).unwrap().to_le_bytes()[..], &utf16(text)].concat()
}

fn xlsb() -> Vec<u8> {
    let mut styles = Vec::new();
    xlsb_record(&mut styles, 0x0116, &[]);
    xlsb_record(&mut styles, 0x0267, &3u32.to_le_bytes());
    for (id, code) in (164u16..).zip(FORMATS) {
        xlsb_record(&mut styles, 0x002C, &[&id.to_le_bytes()[..], &wide(code)].concat());
    }
    xlsb_record(&mut styles, 0x0268, &[]);
    xlsb_record(&mut styles, 0x0269, &4u32.to_le_bytes());
    for id in [0u16, 164, 165, 166] {
        xlsb_record(&mut styles, 0x002F, &[&[0, 0][..], &id.to_le_bytes(), &[0; 12]].concat());
    }
    xlsb_record(&mut styles, 0x026A, &[]);
    let mut sheet = Vec::new();
    xlsb_record(&mut sheet, 0x0081, &[]);
    xlsb_record(&mut sheet, 0x0094, &[0; 16]);
    xlsb_record(&mut sheet, 0x0091, &[]);
    let row =
        |sheet: &mut Vec<u8>, row: u32| xlsb_record(sheet, 0, &[&row.to_le_bytes()[..], &[0; 13]].concat());
    row(&mut sheet, 0);
    for (column, header) in (0u32..).zip(HEADERS) {
        xlsb_record(&mut sheet, 6, &[&column.to_le_bytes()[..], &[0; 4], &wide(header)].concat());
    }
    for (at, numbers) in (1u32..).zip(STORED) {
        row(&mut sheet, at);
        for (column, number) in (0u32..).zip(numbers) {
            let place = [column.to_le_bytes(), (column + 1).to_le_bytes()].concat();
            match at {
                // A whole number in four bytes, then the same as a float.
                1 => xlsb_record(&mut sheet, 2, &[&place[..], &(number << 2 | 2).to_le_bytes()].concat()),
                _ => xlsb_record(&mut sheet, 5, &[&place[..], &f64::from(number).to_le_bytes()].concat()),
            }
        }
    }
    xlsb_record(&mut sheet, 0x0092, &[]);
    xlsb_record(&mut sheet, 0x0082, &[]);
    let bytes = include_bytes!("../fixtures/workbooks/binary.xlsb");
    let bytes = rezipped_bytes(bytes, "xl/styles.bin", |_| styles.clone());
    rezipped_bytes(&bytes, "xl/worksheets/sheet1.bin", |_| sheet.clone())
}

fn xls() -> Vec<u8> {
    let stream_of = |records: &[(u16, Vec<u8>)]| {
        let mut stream = Vec::new();
        for (kind, data) in records {
            stream.extend(kind.to_le_bytes());
            stream.extend(u16::try_from(data.len()).unwrap().to_le_bytes());
            stream.extend(data);
        }
        stream
    };
    let text =
        |text: &str| [&u16::try_from(text.len()).unwrap().to_le_bytes()[..], &[0], text.as_bytes()].concat();
    let globals = |begin: usize| {
        let mut records = vec![(0x0809, vec![0, 6, 5, 0])];
        for (id, code) in (164u16..).zip(FORMATS) {
            records.push((0x041E, [&id.to_le_bytes()[..], &text(code)].concat()));
        }
        for id in [0u16, 164, 165, 166] {
            records.push((0x00E0, [&[0, 0][..], &id.to_le_bytes(), &[0; 16]].concat()));
        }
        let begin = u32::try_from(begin).unwrap().to_le_bytes();
        records.push((0x0085, [&begin[..], &[0, 0, 1, 0, b'S']].concat()));
        records.push((0x000A, vec![]));
        stream_of(&records)
    };
    let place = |row: u16, column: u16| {
        let style = if row == 0 { 0 } else { column + 1 };
        [row, column, style].into_iter().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()
    };
    let mut sheet = vec![(0x0809, vec![0, 6, 16, 0])];
    for (column, header) in (0u16..).zip(HEADERS) {
        sheet.push((0x0204, [place(0, column), text(header)].concat()));
    }
    // The first row cell by cell, the second one in a record for all of them.
    for (column, number) in (0u16..).zip(STORED[0]) {
        sheet.push((0x0203, [place(1, column), f64::from(number).to_le_bytes().to_vec()].concat()));
    }
    let mut many = [2u16.to_le_bytes(), 0u16.to_le_bytes()].concat();
    for (style, number) in (1u16..).zip(STORED[1]) {
        many.extend(style.to_le_bytes());
        many.extend((number << 2 | 2).to_le_bytes());
    }
    many.extend(2u16.to_le_bytes());
    sheet.push((0x00BD, many));
    sheet.push((0x000A, vec![]));
    let stream = [globals(globals(0).len()), stream_of(&sheet)].concat();
    let mut file = cfb::CompoundFile::create_with_version(cfb::Version::V3, Cursor::new(Vec::new())).unwrap();
    file.create_stream("/Workbook").unwrap().write_all(&stream).unwrap();
    file.flush().unwrap();
    file.into_inner().into_inner()
}

fn ods_rows() -> String {
    let cell = |kind: &str, text: &str| {
        format!("<table:table-cell office:value-type={kind}><text:p>{text}</text:p></table:table-cell>")
    };
    let headers: String = HEADERS.iter().map(|header| cell("\"string\"", header)).collect();
    let mut rows = format!("<table:table-row>{headers}</table:table-row>");
    for (stored, shown) in STORED.iter().zip(SHOWN) {
        let cells: String = stored
            .iter()
            .zip(shown)
            .map(|(stored, shown)| cell(&format!("\"float\" office:value=\"{stored}\""), shown))
            .collect();
        rows += &format!("<table:table-row>{cells}</table:table-row>");
    }
    rows
}

fn texts(source: &ImportSource) -> Vec<Vec<&str>> {
    (1..source.table.row_count())
        .map(|row| (0..3).map(|column| source.table.text_at(row, column)).collect())
        .collect()
}

#[test]
fn formats_of_digits_are_read_in_every_kind_of_workbook() {
    for (name, bytes) in [("xlsb", xlsb()), ("xls", xls()), ("ods", ods(&ods_rows()))] {
        let source = read(name, bytes.clone(), &ReadOptions::default()).unwrap();
        let numbers: Vec<(String, String)> =
            source.table.formatted_numbers().map(|n| (n.shown.to_owned(), n.stored.to_owned())).collect();
        let expected = [("001-2345", "12345"), ("02139", "2139"), ("000-0678", "678"), ("007", "7")];
        let expected: Vec<(String, String)> =
            expected.iter().map(|(shown, stored)| ((*shown).to_owned(), (*stored).to_owned())).collect();
        assert_eq!(numbers, expected, "{name}");
        let review: Review = reviewed(source);
        // What is shown counts in an identifier's column, what is stored in an amount's.
        assert_eq!(
            texts(review.source()),
            [["001-2345", "02139", "500"], ["000-0678", "10001", "7"]],
            "{name}"
        );
        let options = ReadOptions { stored_numbers: true, ..ReadOptions::default() };
        let stored = read(name, bytes, &options).unwrap();
        assert_eq!(texts(&stored), [["12345", "2139", "500"], ["678", "10001", "7"]], "{name}");
        assert_eq!(stored.table.cell(1, 0).kind, CellKind::Number);
    }
}
