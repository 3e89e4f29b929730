//! Workbooks of the same cells in every format: by a crate where one writes it, else record by record.

use std::io::{Cursor, Write};

use rust_xlsxwriter::{ExcelDateTime, Format, Worksheet};

/// A cell to be written.
#[derive(Clone, Debug)]
pub enum WrittenCell {
    /// Nothing.
    Blank,
    /// A text.
    Text(String),
    /// A text that is struck out.
    #[allow(dead_code, reason = "one of the crates that share this file strikes nothing out")]
    StruckOut(String),
    /// A number, the code of its format (empty for none) and what that shows.
    Number(f64, &'static str, String),
    /// A day as a workbook counts it, and as ISO 8601 writes it.
    Date(u32, String),
}

const DATE_CODE: &str = "mm/dd/yyyy";

/// The codes of all formats, each once; a cell's style is its place plus one. Behind them is that of what is struck out.
fn codes_of(rows: &[Vec<WrittenCell>]) -> Vec<&'static str> {
    let mut codes = vec![DATE_CODE];
    for cell in rows.iter().flatten() {
        if let WrittenCell::Number(_, code, _) = cell
            && !code.is_empty()
            && !codes.contains(code)
        {
            codes.push(code);
        }
    }
    codes
}

fn style_of(codes: &[&str], cell: &WrittenCell) -> u16 {
    let code = match cell {
        WrittenCell::StruckOut(_) => return u16::try_from(codes.len() + 1).unwrap(),
        WrittenCell::Number(_, code, _) => code,
        WrittenCell::Date(..) => DATE_CODE,
        _ => "",
    };
    codes.iter().position(|known| *known == code).map_or(0, |at| u16::try_from(at + 1).unwrap())
}

fn number_of(cell: &WrittenCell) -> f64 {
    match cell {
        WrittenCell::Number(number, ..) => *number,
        WrittenCell::Date(serial, _) => f64::from(*serial),
        _ => 0.0,
    }
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// A whole number in the four bytes that both binary formats have for it.
fn short_number(number: f64) -> Option<u32> {
    let is_short = number.fract() == 0.0 && (0.0..100_000_000.0).contains(&number);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "looked at before")]
    is_short.then_some((number as u32) << 2 | 2)
}

/// Cells of a sheet from a row on.
pub fn fill_sheet(sheet: &mut Worksheet, first: u32, table: &[Vec<WrittenCell>]) {
    let day = Format::new().set_num_format(DATE_CODE);
    let struck = Format::new().set_font_strikethrough();
    for (row, cells) in (first..).zip(table) {
        for (column, cell) in (0..).zip(cells) {
            match cell {
                WrittenCell::Blank => {}
                WrittenCell::Text(text) => drop(sheet.write(row, column, text).unwrap()),
                WrittenCell::StruckOut(text) => {
                    sheet.write_with_format(row, column, text, &struck).unwrap();
                }
                WrittenCell::Number(number, "", _) => drop(sheet.write(row, column, *number).unwrap()),
                WrittenCell::Number(number, code, _) => {
                    let format = Format::new().set_num_format(*code);
                    sheet.write_with_format(row, column, *number, &format).unwrap();
                }
                WrittenCell::Date(serial, _) => {
                    let date = ExcelDateTime::from_serial_datetime(f64::from(*serial)).unwrap();
                    sheet.write_with_format(row, column, &date, &day).unwrap();
                }
            }
        }
    }
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
    let length = u32::try_from(text.encode_utf16().count()).unwrap();
    [&length.to_le_bytes()[..], &utf16(text)].concat()
}

/// What a written sheet hides.
#[derive(Default)]
pub struct WrittenHidden {
    /// Rows, from 0.
    pub rows: &'static [usize],
    /// First and last columns, from 0.
    pub columns: &'static [(u16, u16)],
}

/// XLSB: styles and one sheet in the archive of another.
pub fn xlsb(rows: &[Vec<WrittenCell>], hidden: &WrittenHidden) -> Vec<u8> {
    let codes = codes_of(rows);
    let mut styles = Vec::new();
    xlsb_record(&mut styles, 0x0116, &[]);
    xlsb_record(&mut styles, 0x0267, &u32::try_from(codes.len()).unwrap().to_le_bytes());
    for (id, code) in (164u16..).zip(&codes) {
        xlsb_record(&mut styles, 0x002C, &[&id.to_le_bytes()[..], &wide(code)].concat());
    }
    xlsb_record(&mut styles, 0x0268, &[]);
    for flags in [0, 8] {
        xlsb_record(&mut styles, 0x002B, &[&[220, 0, flags, 0][..], &[0; 30]].concat());
    }
    xlsb_record(&mut styles, 0x0269, &u32::try_from(codes.len() + 2).unwrap().to_le_bytes());
    for id in std::iter::once(0).chain((164u16..).take(codes.len())) {
        xlsb_record(&mut styles, 0x002F, &[&[0, 0][..], &id.to_le_bytes(), &[0; 12]].concat());
    }
    xlsb_record(&mut styles, 0x002F, &[&[0, 0, 0, 0, 1, 0][..], &[0; 10]].concat());
    xlsb_record(&mut styles, 0x026A, &[]);
    let mut sheet = Vec::new();
    xlsb_record(&mut sheet, 0x0081, &[]);
    xlsb_record(&mut sheet, 0x0094, &[0; 16]);
    xlsb_record(&mut sheet, 0x0186, &[]);
    for (first, last) in hidden.columns {
        let range = [u32::from(*first).to_le_bytes(), u32::from(*last).to_le_bytes()].concat();
        xlsb_record(&mut sheet, 0x003C, &[&range[..], &[0; 8], &[1, 0]].concat());
    }
    xlsb_record(&mut sheet, 0x0187, &[]);
    xlsb_record(&mut sheet, 0x0091, &[]);
    for (at, row) in (0u32..).zip(rows) {
        let mut head = [&at.to_le_bytes()[..], &[0; 13]].concat();
        head[11] = if hidden.rows.contains(&(at as usize)) { 0x10 } else { 0 };
        xlsb_record(&mut sheet, 0, &head);
        for (column, cell) in (0u32..).zip(row) {
            let style = u32::from(style_of(&codes, cell));
            let place = [column.to_le_bytes(), style.to_le_bytes()].concat();
            match (cell, short_number(number_of(cell))) {
                (WrittenCell::Blank, _) => xlsb_record(&mut sheet, 1, &place),
                (WrittenCell::Text(text) | WrittenCell::StruckOut(text), _) => {
                    xlsb_record(&mut sheet, 6, &[place, wide(text)].concat())
                }
                (_, Some(short)) if at % 2 == 0 => {
                    xlsb_record(&mut sheet, 2, &[&place[..], &short.to_le_bytes()].concat());
                }
                _ => xlsb_record(&mut sheet, 5, &[&place[..], &number_of(cell).to_le_bytes()].concat()),
            }
        }
    }
    xlsb_record(&mut sheet, 0x0092, &[]);
    xlsb_record(&mut sheet, 0x0082, &[]);
    let bytes = include_bytes!("../fixtures/workbooks/binary.xlsb");
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..archive.len() {
        let mut part = archive.by_index(index).unwrap();
        let name = part.name().unwrap().into_owned();
        let mut content = Vec::new();
        std::io::copy(&mut part, &mut content).unwrap();
        let content = match name.as_str() {
            "xl/styles.bin" => &styles,
            "xl/worksheets/sheet1.bin" => &sheet,
            _ => &content,
        };
        writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Records of an XLS file, one behind the other.
pub fn xls_stream(records: &[(u16, Vec<u8>)]) -> Vec<u8> {
    let mut stream = Vec::new();
    for (kind, data) in records {
        stream.extend(kind.to_le_bytes());
        stream.extend(u16::try_from(data.len()).unwrap().to_le_bytes());
        stream.extend(data);
    }
    stream
}

/// A text of an XLS file with its length before it.
fn xls_text(text: &str) -> Vec<u8> {
    let length = u16::try_from(text.encode_utf16().count()).unwrap();
    [&length.to_le_bytes()[..], &[1], &utf16(text)].concat()
}

/// XLS: formats, styles and one sheet.
pub fn xls(rows: &[Vec<WrittenCell>], hidden: &WrittenHidden) -> Vec<u8> {
    let codes = codes_of(rows);
    let globals = |begin: usize| {
        let mut records = vec![(0x0809, vec![0, 6, 5, 0])];
        // No font has the number 4: the sixth has the number 6.
        let fonts = [0, 0, 0, 0, 0, 8].map(|flags| (0x0031, [&[220, 0, flags, 0][..], &[0; 12]].concat()));
        records.extend(fonts);
        for (id, code) in (164u16..).zip(&codes) {
            records.push((0x041E, [&id.to_le_bytes()[..], &xls_text(code)].concat()));
        }
        for id in std::iter::once(0).chain((164u16..).take(codes.len())) {
            records.push((0x00E0, [&[0, 0][..], &id.to_le_bytes(), &[0; 16]].concat()));
        }
        records.push((0x00E0, [&[6, 0][..], &[0; 18]].concat()));
        let begin = u32::try_from(begin).unwrap().to_le_bytes();
        records.push((0x0085, [&begin[..], &[0, 0, 1, 0, b'S']].concat()));
        records.push((0x000A, vec![]));
        xls_stream(&records)
    };
    let mut sheet = vec![(0x0809, vec![0, 6, 16, 0])];
    for (first, last) in hidden.columns {
        let range = [first.to_le_bytes(), last.to_le_bytes()].concat();
        sheet.push((0x007D, [&range[..], &[0; 4], &[1, 0, 0, 0]].concat()));
    }
    for (at, row) in (0u16..).zip(rows) {
        let mut head = [&at.to_le_bytes()[..], &[0; 14]].concat();
        head[12] = if hidden.rows.contains(&usize::from(at)) { 0x20 } else { 0 };
        sheet.push((0x0208, head));
        let mut column = 0;
        while column < row.len() {
            let cell = &row[column];
            let first = u16::try_from(column).unwrap();
            let place: Vec<u8> =
                [at, first, style_of(&codes, cell)].into_iter().flat_map(u16::to_le_bytes).collect();
            // Short numbers side by side are in one record.
            let is_short = |cell: &&WrittenCell| {
                matches!(cell, WrittenCell::Number(..) | WrittenCell::Date(..))
                    && short_number(number_of(cell)).is_some()
            };
            let run: Vec<&WrittenCell> = row[column..].iter().take_while(is_short).collect();
            column += run.len().max(1);
            match cell {
                _ if run.len() > 1 => {
                    let mut data = [at.to_le_bytes(), first.to_le_bytes()].concat();
                    for cell in &run {
                        data.extend(style_of(&codes, cell).to_le_bytes());
                        data.extend(short_number(number_of(cell)).unwrap().to_le_bytes());
                    }
                    data.extend(u16::try_from(column - 1).unwrap().to_le_bytes());
                    sheet.push((0x00BD, data));
                }
                WrittenCell::Blank => sheet.push((0x0201, place)),
                WrittenCell::Text(text) | WrittenCell::StruckOut(text) => {
                    sheet.push((0x0204, [place, xls_text(text)].concat()))
                }
                _ => sheet.push((0x0203, [place, number_of(cell).to_le_bytes().to_vec()].concat())),
            }
        }
    }
    sheet.push((0x000A, vec![]));
    let stream = [globals(globals(0).len()), xls_stream(&sheet)].concat();
    let mut file = cfb::CompoundFile::create_with_version(cfb::Version::V3, Cursor::new(Vec::new())).unwrap();
    file.create_stream("/Workbook").unwrap().write_all(&stream).unwrap();
    file.flush().unwrap();
    file.into_inner().into_inner()
}

/// The rows of an OpenDocument sheet.
pub fn ods_rows(rows: &[Vec<WrittenCell>], hidden: &WrittenHidden) -> String {
    let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
    let cell = |cell: &WrittenCell| {
        let (attributes, shown) = match cell {
            WrittenCell::Blank => return "<table:table-cell/>".to_owned(),
            WrittenCell::Text(text) => ("office:value-type=\"string\"".to_owned(), escape(text)),
            WrittenCell::StruckOut(text) => {
                ("office:value-type=\"string\" table:style-name=\"ce1\"".to_owned(), escape(text))
            }
            WrittenCell::Number(number, "0.00%", shown) => {
                (format!("office:value-type=\"percentage\" office:value=\"{number}\""), shown.clone())
            }
            WrittenCell::Number(number, "[$€-407] #,##0.00", shown) => {
                let value =
                    format!("office:value-type=\"currency\" office:currency=\"€\" office:value=\"{number}\"");
                (value, shown.clone())
            }
            WrittenCell::Number(number, _, shown) => {
                (format!("office:value-type=\"float\" office:value=\"{number}\""), shown.clone())
            }
            WrittenCell::Date(_, day) => {
                (format!("office:value-type=\"date\" office:date-value=\"{day}\""), day.clone())
            }
        };
        format!("<table:table-cell {attributes}><text:p>{shown}</text:p></table:table-cell>")
    };
    let row = |(at, row): (usize, &Vec<WrittenCell>)| {
        let hides = if hidden.rows.contains(&at) { " table:visibility=\"filter\"" } else { "" };
        format!("<table:table-row{hides}>{}</table:table-row>", row.iter().map(cell).collect::<String>())
    };
    // The columns before the hidden ones come first.
    let mut columns = String::new();
    let mut next = 0;
    for (first, last) in hidden.columns {
        if *first > next {
            columns += &format!("<table:table-column table:number-columns-repeated=\"{}\"/>", first - next);
        }
        let count = last - first + 1;
        columns += &format!(
            "<table:table-column table:visibility=\"collapse\" table:number-columns-repeated=\"{count}\"/>"
        );
        next = last + 1;
    }
    std::iter::once(columns).chain(rows.iter().enumerate().map(row)).collect()
}

/// ODS: an archive around the rows of one sheet.
pub fn ods(rows: &str) -> Vec<u8> {
    let content = format!(
        "<?xml version=\"1.0\"?><office:document-content xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" \
         xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" \
         xmlns:style=\"urn:oasis:names:tc:opendocument:xmlns:style:1.0\">\
         <office:automatic-styles><style:style style:name=\"ce1\" style:family=\"table-cell\">\
         <style:text-properties style:text-line-through-style=\"solid\"/></style:style></office:automatic-styles>\
         <office:body><office:spreadsheet><table:table table:name=\"S\">{rows}</table:table></office:spreadsheet></office:body>\
         </office:document-content>"
    );
    let manifest = "<?xml version=\"1.0\"?><manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\"/>";
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let parts = [
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("content.xml", &content),
        ("META-INF/manifest.xml", manifest),
    ];
    for (name, text) in parts {
        writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}
