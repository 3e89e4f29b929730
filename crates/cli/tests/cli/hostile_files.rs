//! Files made to take the program down, or never to end: each is refused with a sentence, by the real program with its
//! reading process.

use std::io::{Cursor, Write};

use serde_json::Value;

use crate::command::Place;
use crate::imports::sample;

/// The records of an XLS sheet, in a workbook of that sheet alone.
fn xls(records: &[(u16, Vec<u8>)]) -> Vec<u8> {
    let stream_of = |records: &[(u16, Vec<u8>)]| {
        let mut stream = Vec::new();
        for (kind, data) in records {
            stream.extend(kind.to_le_bytes());
            stream.extend(u16::try_from(data.len()).unwrap().to_le_bytes());
            stream.extend(data);
        }
        stream
    };
    let globals = |begin: usize| {
        let begin = u32::try_from(begin).unwrap().to_le_bytes();
        stream_of(&[
            (0x0809, vec![0, 6, 5, 0]),
            (0x0085, [&begin[..], &[0, 0, 1, 0, b'S']].concat()),
            (0x000A, vec![]),
        ])
    };
    let mut sheet = vec![(0x0809, vec![0, 6, 16, 0])];
    sheet.extend_from_slice(records);
    sheet.push((0x000A, vec![]));
    let stream = [globals(globals(0).len()), stream_of(&sheet)].concat();
    let mut file = cfb::CompoundFile::create_with_version(cfb::Version::V3, Cursor::new(Vec::new())).unwrap();
    file.create_stream("/Workbook").unwrap().write_all(&stream).unwrap();
    file.flush().unwrap();
    file.into_inner().into_inner()
}

fn at(row: u16, column: u16, rest: usize) -> Vec<u8> {
    [&row.to_le_bytes()[..], &column.to_le_bytes(), &vec![0; rest]].concat()
}

/// Small, within the format and its bounds; what its places take is not.
fn greedy_xls() -> Vec<u8> {
    let number = 0x0203;
    let formula = 0x0006;
    xls(&[
        (number, at(0, 0, 10)),
        (formula, at(1, 0, 18)),
        (formula, at(65_500, 243, 18)),
        (number, at(65_535, 243, 10)),
    ])
}

fn zipped(parts: &[(&str, String)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn xlsx_saying_it_has(texts: &str) -> Vec<u8> {
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let relations = "http://schemas.openxmlformats.org/package/2006/relationships";
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    zipped(&[
        ("[Content_Types].xml", "<Types/>".into()),
        (
            "xl/workbook.xml",
            format!(
                "<workbook xmlns=\"{main}\" xmlns:r=\"{office}\"><sheets><sheet name=\"S\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>"
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            format!(
                "<Relationships xmlns=\"{relations}\"><Relationship Id=\"r1\" Type=\"{office}/worksheet\" Target=\"worksheets/sheet1.xml\"/></Relationships>"
            ),
        ),
        (
            "xl/sharedStrings.xml",
            format!("<sst xmlns=\"{main}\" uniqueCount=\"{texts}\"><si><t>id</t></si></sst>"),
        ),
        (
            "xl/worksheets/sheet1.xml",
            format!(
                "<worksheet xmlns=\"{main}\"><sheetData><row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c></row></sheetData></worksheet>"
            ),
        ),
    ])
}

/// Two sheets: the first has a cell beyond the last column.
fn xlsx_with_a_hostile_first_sheet() -> Vec<u8> {
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let relations = "http://schemas.openxmlformats.org/package/2006/relationships";
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let relation = |at| {
        format!(
            "<Relationship Id=\"r{at}\" Type=\"{office}/worksheet\" Target=\"worksheets/sheet{at}.xml\"/>"
        )
    };
    let sheet = |cell: &str| {
        format!(
            "<worksheet xmlns=\"{main}\"><sheetData><row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>id</t></is></c></row>\
             <row r=\"2\"><c r=\"{cell}\" t=\"inlineStr\"><is><t>A-1</t></is></c></row></sheetData></worksheet>"
        )
    };
    zipped(&[
        ("[Content_Types].xml", "<Types/>".into()),
        (
            "_rels/.rels",
            format!(
                "<Relationships xmlns=\"{relations}\"><Relationship Id=\"r\" Type=\"{office}/officeDocument\" \
                 Target=\"xl/workbook.xml\"/></Relationships>"
            ),
        ),
        (
            "xl/workbook.xml",
            format!(
                "<workbook xmlns=\"{main}\" xmlns:r=\"{office}\"><sheets><sheet name=\"May\" sheetId=\"1\" r:id=\"r1\"/>\
                 <sheet name=\"June\" sheetId=\"2\" r:id=\"r2\"/></sheets></workbook>"
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            format!("<Relationships xmlns=\"{relations}\">{}{}</Relationships>", relation(1), relation(2)),
        ),
        ("xl/worksheets/sheet1.xml", sheet("ZZZA2")),
        ("xl/worksheets/sheet2.xml", sheet("A2")),
    ])
}

/// The sheet that is named is the only one that is read: what another one has is no matter, and no time is spent on it.
#[test]
fn a_sheet_that_is_named_is_the_only_one_read() {
    let place = Place::new();
    let file = place.folder().join("months.xlsx");
    std::fs::write(&file, xlsx_with_a_hostile_first_sheet()).unwrap();
    let file = file.to_string_lossy().into_owned();
    let ended = place.line(&format!("import {file} --check"));
    assert!(ended.code == 3 && ended.err.contains("more than 10,000 columns"), "{ended:?}");
    for options in ["--sheet June", "--sheet june --header-row 1"] {
        let ended = place.line(&format!("import {file} --check --json {options}"));
        let found: Value = serde_json::from_str(&ended.out).unwrap_or_default();
        assert_eq!(found["counts"]["rows"], 1, "{options}: {ended:?}");
    }
}

const TOOK_TOO_MUCH: &str = "more memory or time than a file of its size needs";

#[test]
fn a_hostile_file_ends_in_a_sentence() {
    let place = Place::new();
    let line = [&b"id,premium\n"[..], &vec![b'x'; (4 << 20) + 1]].concat();
    let cases: [(&str, Vec<u8>, &str); 5] = [
        ("texts.xlsx", xlsx_saying_it_has("1000000000000"), "more texts than there is room for"),
        ("far.xls", xls(&[(0x0203, at(65_535, 65_535, 10))]), "beyond the last column"),
        ("greedy.xls", greedy_xls(), TOOK_TOO_MUCH),
        ("line.csv", line, "Line 2 is longer than 4 MB"),
        // By its content and not by its name.
        ("greedy.csv", greedy_xls(), TOOK_TOO_MUCH),
    ];
    for (name, bytes, sentence) in cases {
        let file = place.folder().join(name);
        std::fs::write(&file, bytes).unwrap();
        let file = file.to_string_lossy().into_owned();
        for more in [" --check", " --send valid --yes"] {
            let ended = place.line(&format!("import {file}{more}"));
            assert!(ended.code == 3 && ended.err.contains(sentence), "{name}{more}: {ended:?}");
        }
    }
    let left = place.json("batch list");
    assert_eq!(left["drafts"].as_array().map_or(0, Vec::len), 0, "nothing of them is left: {left}");
}

/// A web page of more than 2 MB without a line break, as programs that report write them.
#[test]
fn a_table_in_markup_has_no_lines_that_are_too_long() {
    let place = Place::new();
    let rows = "<tr><td>A-1</td><td>wrong</td></tr>".repeat(130_000);
    let page = format!("<html><table><tr><th>id</th><th>premium</th></tr>{rows}</table></html>");
    let file = place.folder().join("report.xls");
    std::fs::write(&file, page).unwrap();
    let ended = place.line(&format!("import {} --check", file.display()));
    assert!(ended.code == 3 && ended.err.contains("130,000 rows have errors"), "{ended:?}");
}

/// One cell in the last row and column: five hundred bytes, and ten billion places.
#[test]
fn a_cell_far_out_takes_no_time_for_each_place_before_it() {
    let place = Place::new();
    let file = place.folder().join("corner.xml");
    let cell = |row: u32, column: u32, text: &str| {
        format!(
            "<Row ss:Index=\"{row}\"><Cell ss:Index=\"{column}\"><Data ss:Type=\"String\">{text}</Data></Cell></Row>"
        )
    };
    let name = "urn:schemas-microsoft-com:office:spreadsheet";
    let book = format!(
        "<?xml version=\"1.0\"?><Workbook xmlns=\"{name}\" xmlns:ss=\"{name}\"><Worksheet ss:Name=\"S\"><Table>{}{}\
         </Table></Worksheet></Workbook>",
        cell(1, 1, "id"),
        cell(1_000_000, 10_000, "A-1"),
    );
    std::fs::write(&file, book).unwrap();
    let ended = place.line(&format!("import {} --check", file.display()));
    assert!(ended.code == 3 && ended.err.contains("1 row has errors"), "{ended:?}");
}

#[test]
fn a_list_of_documents_is_read_as_carefully() {
    let place = Place::new();
    let folder = place.folder().join("documents");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("documents.csv"), greedy_xls()).unwrap();
    let good = sample("good.csv");
    let ended = place.line(&format!("import {good} --documents {} --check", folder.display()));
    assert!(format!("{}{}", ended.out, ended.err).contains(TOOK_TOO_MUCH), "{ended:?}");
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_refused_and_never_waited_for() {
    let place = Place::new();
    let pipe = place.folder().join("pipe.csv");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let pipe = pipe.to_string_lossy().into_owned();
    let mut files = vec!["/dev/zero", &pipe];
    if cfg!(target_os = "linux") {
        // The second one waits for what the system says next, where the person is root.
        files.extend(["/proc/version", "/proc/kmsg", "/sys/kernel/mm/transparent_hugepage/enabled"]);
    }
    for file in files {
        for line in [
            format!("import {file} --check"),
            format!("transaction new --data {file}"),
            format!(
                "profile add Office --address https://localhost:9 --environment sandbox --ca-file {file}"
            ),
        ] {
            let ended = place.line(&line);
            let words = format!("{}{}", ended.out, ended.err);
            assert!(ended.code != 0 && words.contains("a device or a pipe"), "{line}: {ended:?}");
        }
    }
}

#[test]
fn the_reading_process_answers_nothing_else() {
    let place = Place::new();
    let ended = place.line("--read-workbook");
    assert_eq!((ended.code, ended.out.as_str()), (1, ""), "{ended:?}");
    let help = place.line("--help");
    assert!(!help.out.contains("read-workbook"));
    // A workbook that is right is read by it to the last cell.
    let ended = place.line(&format!("import {} --check --json", sample("messy-5000.xlsx")));
    let found: Value = serde_json::from_str(&ended.out).unwrap_or_default();
    assert_eq!(found["counts"]["rows"], 5_001);
}

/// A PDF of one list with five million numbers: 10 MB, and most of a gigabyte as the objects of a library.
fn greedy_pdf() -> Vec<u8> {
    let list = format!("[{}]", "0 ".repeat(4_900_000));
    let objects = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[]/Count 0>>", &list];
    let (mut pdf, mut places) = (b"%PDF-1.7\n".to_vec(), String::new());
    for (object, number) in objects.iter().zip(1..) {
        places.push_str(&format!("{:010} 00000 n \n", pdf.len()));
        pdf.extend(format!("{number} 0 obj\n{object}\nendobj\n").bytes());
    }
    let table = pdf.len();
    pdf.extend(format!("xref\n0 4\n0000000000 65535 f \n{places}").bytes());
    pdf.extend(format!("trailer\n<</Size 4/Root 1 0 R>>\nstartxref\n{table}\n%%EOF\n").bytes());
    pdf
}

#[test]
fn a_pdf_of_ones_own_is_read_as_carefully() {
    let place = Place::new();
    let forms = place.folder().join("data/forms");
    std::fs::create_dir_all(&forms).unwrap();
    let template = include_str!("../../../../fuzz/src/own_form.toml");
    std::fs::write(forms.join("tx-own.toml"), template).unwrap();
    std::fs::write(forms.join("own.pdf"), greedy_pdf()).unwrap();
    let data = place.folder().join("data.json");
    let asked = r#"{"state":"TX","transaction_type":"PN","policy_effective_date":"2026-02-23","values":{"insured_name":"A"},"declinations":[]}"#;
    std::fs::write(&data, asked).unwrap();
    let out = place.folder().join("out");
    let line = format!("forms fill --state TX --data {} --out {} --offline", data.display(), out.display());
    let ended = place.line(&line);
    assert!(ended.code == 5 && ended.err.contains(TOOK_TOO_MUCH), "{ended:?}");
}
