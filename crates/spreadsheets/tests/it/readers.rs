//! Encodings, delimiters, headers, bounds and refusals.

use bordereau_spreadsheets::{ImportRefusal, NoteKind, ReadOptions, SourceFormat, read, read_paste};

const TEXT: &str = "policy_number;mailing_insured_name\n001;Café Zoë\n002;Ünal\n";

pub(crate) fn utf16(text: &str, big: bool, mark: bool) -> Vec<u8> {
    let units = mark.then_some('\u{feff}').into_iter().chain(text.chars());
    let mut buffer = [0u16; 2];
    let mut bytes = Vec::new();
    for c in units {
        for unit in c.encode_utf16(&mut buffer) {
            bytes.extend(if big { unit.to_be_bytes() } else { unit.to_le_bytes() });
        }
    }
    bytes
}

pub(crate) fn windows_1252(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
}

#[test]
fn each_encoding_is_detected_with_its_evidence() {
    let cases: [(&str, Vec<u8>, &str, &str); 7] = [
        ("plain", TEXT.into(), "UTF-8", "valid UTF-8"),
        ("mark", [b"\xEF\xBB\xBF", TEXT.as_bytes()].concat(), "UTF-8", "byte order mark"),
        ("little", utf16(TEXT, false, true), "UTF-16LE", "byte order mark"),
        ("big", utf16(TEXT, true, true), "UTF-16BE", "byte order mark"),
        ("little without mark", utf16(TEXT, false, false), "UTF-16LE", "every other byte is zero"),
        ("big without mark", utf16(TEXT, true, false), "UTF-16BE", "every other byte is zero"),
        ("windows", windows_1252(TEXT), "windows-1252", "0xE9 in line 2"),
    ];
    for (case, bytes, encoding, evidence) in cases {
        let source = read("x.csv", bytes, &ReadOptions::default()).unwrap();
        let detected = source.detection.encoding.unwrap();
        assert_eq!(detected.value, encoding, "{case}");
        assert!(detected.evidence.contains(evidence), "{case}: {}", detected.evidence);
        assert!(!detected.alternatives.contains(&detected.value), "{case}");
        assert_eq!(source.table.text_at(1, 1), "Café Zoë", "{case}");
        assert_eq!(source.table.text_at(1, 0), "001", "leading zeros stay");
        assert_eq!(source.detection.delimiter.unwrap().value, ';', "{case}");
    }
}

#[test]
fn a_chosen_encoding_wins() {
    let options = ReadOptions { encoding: Some("windows-1252".into()), ..Default::default() };
    let source = read("x.csv", TEXT.into(), &options).unwrap();
    assert_eq!(source.table.text_at(1, 1), "CafÃ© ZoÃ«");
    let options = ReadOptions { encoding: Some("klingon".into()), ..Default::default() };
    assert_eq!(
        read("x.csv", TEXT.into(), &options).unwrap_err(),
        ImportRefusal::UnknownEncoding("klingon".into())
    );
}

#[test]
fn delimiters() {
    let cases = [
        ("a,b,c\n1,2,3\n", ',', 3),
        ("a;b;c\n1,5;2,5;3,5\n", ';', 3),
        ("a\tb\n1,000\t2,000\n", '\t', 2),
        ("a|b|c|d\n1|2|3|4\n", '|', 4),
        ("sep=;\na;b\n1;2\n", ';', 2),
        ("only\none\ncolumn\n", ',', 1),
        ("a,b\n\"x;y;z\",2\n\"x;y;z\",3\n", ',', 2),
    ];
    for (text, delimiter, width) in cases {
        let source = read("x.csv", text.into(), &ReadOptions::default()).unwrap();
        let detected = source.detection.delimiter.unwrap();
        assert_eq!((detected.value, source.table.width()), (delimiter, width), "{text}");
    }
}

/// A spreadsheet program that did not take a file apart saves each of its lines as a text in column A.
#[test]
fn lines_in_the_cells_of_one_column_are_taken_apart() {
    let text = "March register\n\"Policy,Insured,Premium\"\n\n\"P1,\"\"Delta Foods, Inc.\"\",\"\"1,000.00\"\"\"\n\
                \"P2,Echo LLC,2\"\n\"P3,\"\"Two\nlines\"\",3\"\n";
    let source = read("x.csv", text.into(), &ReadOptions::default()).unwrap();
    let detected = source.detection.delimiter.clone().unwrap();
    assert_eq!((detected.value, source.table.width(), source.detection.header.value), (',', 3, Some(1)));
    assert!(detected.evidence.starts_with("each line is in one cell"), "{}", detected.evidence);
    let cells: Vec<&str> = (0..3).map(|column| source.table.text_at(3, column)).collect();
    assert_eq!(cells, ["P1", "Delta Foods, Inc.", "1,000.00"]);
    assert_eq!((source.table.text_at(5, 1), source.table.line(5)), ("Two\nlines", 6));

    for one_column in
        ["Insured\n\"Delta Foods, Inc.\"\nEcho LLC\n\"Able, Inc.\"\n", "Address\n\"1 Elm St\nAustin, TX\"\n"]
    {
        let source = read("x.csv", one_column.into(), &ReadOptions::default()).unwrap();
        assert_eq!(source.table.width(), 1, "{one_column}");
    }
}

#[test]
fn the_header_is_found_below_titles() {
    let text =
        "Invoices of March\n\nprepared by,M. Example\nPolicy No.,Eff. Date,Gross Premium\n1,2026-01-01,5\n";
    let source = read("x.csv", text.into(), &ReadOptions::default()).unwrap();
    assert_eq!(source.detection.header.value, Some(3));
    assert!(source.detection.header.evidence.contains("row 4"), "{}", source.detection.header.evidence);
    let chosen = ReadOptions { header: Some(None), ..Default::default() };
    assert_eq!(read("x.csv", text.into(), &chosen).unwrap().detection.header.value, None);
}

/// A row that names its charges has more names of fields than the headers.
#[test]
fn charges_named_in_a_row_are_no_headers() {
    let texts = [
        "Pol No,State,Item 1,Amt 1,Item 2,Amt 2,Item 3,Amt 3\nP1,TX,Premium,100,SL Tax,4.85,Stamping Fee,0.04\n",
        "Policy Number,State,Item 1,Item 2,Item 3\nP1,TX,SL Tax,SL Tax,SL Tax\n",
    ];
    for text in texts {
        let source = read("x.csv", text.into(), &ReadOptions::default()).unwrap();
        assert_eq!(source.detection.header.value, Some(0), "{text}");
    }
}

#[test]
fn quotes_that_do_not_close_eat_no_rows() {
    let text = "a,b\n\"x,1\ny,2\nz,\"3\n";
    let source = read("x.csv", text.into(), &ReadOptions::default()).unwrap();
    assert_eq!(source.table.row_count(), 4);
    assert_eq!(source.table.text_at(1, 0), "\"x");
    let kinds: Vec<(NoteKind, u32)> = source.notes.iter().map(|note| (note.kind, note.row)).collect();
    assert_eq!(kinds, [(NoteKind::QuoteNotClosed, 1), (NoteKind::QuoteNotClosed, 3)]);
}

#[test]
fn a_damaged_file_is_read_in_linear_time() {
    let text = "\"a,".repeat(400_000) + "\n";
    let options = ReadOptions { delimiter: Some(';'), header: Some(None), ..Default::default() };
    assert!(read("x.csv", text.clone().into_bytes(), &options).is_ok());
    let text = "\"x\"\",".repeat(9_000) + "\n" + &"\"\"\"x,".repeat(9_000);
    assert!(read("x.csv", text.into_bytes(), &ReadOptions { delimiter: Some(','), ..options }).is_ok());
}

#[test]
fn refusals_say_what_to_do() {
    let wide = ",x".repeat(10_001);
    let cases: [(Vec<u8>, &str); 9] = [
        (Vec::new(), "empty"),
        (b" \r\n\t".to_vec(), "empty"),
        (b"%PDF-1.7 \n".to_vec(), "a PDF document"),
        (b"<html>Please sign in".to_vec(), "a web page"),
        (b"<?xml version=\"1.0\"?>".to_vec(), "an XML document"),
        (b"\x89PNG\r\n\x1a\n".to_vec(), "a picture"),
        (b"PK\x03\x04 broken".to_vec(), "cannot be read"),
        (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 broken".to_vec(), "cannot be read"),
        (wide.into_bytes(), "more than 10,000 columns"),
    ];
    for (bytes, says) in cases {
        let refusal = read("x", bytes, &ReadOptions::default()).unwrap_err().to_string();
        assert!(refusal.contains(says), "{refusal}");
    }
    let rows = "a\n".repeat(1_000_002).into_bytes();
    assert_eq!(read("x", rows, &ReadOptions::default()).unwrap_err(), ImportRefusal::TooManyRows);
    let large = vec![b'a'; 200 * 1024 * 1024 + 1];
    assert_eq!(
        read("x", large, &ReadOptions::default()).unwrap_err(),
        ImportRefusal::TooLarge { megabytes: 201 }
    );
}

#[test]
fn empty_cells_cost_nothing() {
    let text = ",".repeat(9_999) + "\n";
    let text = "a\n".to_owned() + &text.repeat(300) + "b\n";
    let source = read("x.csv", text.into_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!(source.table.row_len(150), 0);
    assert_eq!(source.table.text_at(301, 0), "b");
}

#[test]
fn a_paste_is_read_as_a_spreadsheet_puts_it() {
    let text = "Policy\tInsured\r\n001\t\"two\nlines\"\r\n002\tsays \"\"hi\r\n";
    let source = read_paste(text, &ReadOptions::default()).unwrap();
    assert_eq!(source.format, SourceFormat::Paste);
    assert_eq!(source.table.text_at(1, 1), "two\nlines");
    assert_eq!(source.table.text_at(2, 1), "says \"\"hi");
    assert_eq!(read_paste("\n \t", &ReadOptions::default()).unwrap_err(), ImportRefusal::Empty);
}

#[test]
fn rows_are_numbered_as_a_spreadsheet_program_does() {
    for (text, lines) in [
        ("id,\"Mailing\nAddress\"\n1,\"1 Main St\nAustin\"\n\n2,x\n", [2, 4]),
        ("sep=;\nid;Eff Date\n1;\n2;\n", [2, 3]),
    ] {
        let source = read("x.csv", text.into(), &ReadOptions::default()).unwrap();
        let table = &source.table;
        let below = (1..table.row_count()).filter(|row| !table.is_blank(*row));
        let found: Vec<u32> = below.map(|row| table.line(row)).collect();
        assert_eq!(found, lines, "{text}");
    }
}
