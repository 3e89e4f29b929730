//! Workbooks made to do harm: refused with a sentence, in bounded memory, before the workbook reader sees them.

use bordereau_spreadsheets::{ImportRefusal, ReadOptions, cut_beginning, read};
use rust_xlsxwriter::Workbook;

use crate::workbooks::{rezipped, rezipped_bytes, saved, saying};

fn one_cell() -> Vec<u8> {
    let mut workbook = Workbook::new();
    workbook.add_worksheet().write(0, 0, "short").unwrap();
    saved(workbook)
}

fn refusal_of(bytes: Vec<u8>) -> ImportRefusal {
    // Its first rows, where it has some, are read within the same bounds.
    if let Some(first) = cut_beginning(bytes.clone()) {
        drop(read("x.xlsx", first, &ReadOptions::default()));
    }
    read("x.xlsx", bytes, &ReadOptions::default()).unwrap_err()
}

/// Where the record of the archive's end begins.
fn end_of(bytes: &[u8]) -> usize {
    bytes.windows(4).rposition(|window| window == b"PK\x05\x06").unwrap()
}

fn u32_at(bytes: &[u8], at: usize) -> usize {
    usize::try_from(u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())).unwrap()
}

/// An archive of stored parts without content that say in their long form that they have so many bytes.
fn archive_saying(parts: &[(String, u64)]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, size) in parts {
        let at = u32::try_from(bytes.len()).unwrap();
        let name_length = u16::try_from(name.len()).unwrap().to_le_bytes();
        // Both sizes are all ones: the long form behind the name has them.
        let common = [&[45, 0, 0, 0, 0, 0, 0, 0, 33, 0, 0, 0, 0, 0][..], &[0xff; 8], &name_length, &[20, 0]];
        let long = [&[1, 0, 16, 0][..], &size.to_le_bytes(), &0u64.to_le_bytes()].concat();
        bytes.extend([&b"PK\x03\x04"[..], &common.concat(), name.as_bytes(), &long].concat());
        directory
            .extend([&b"PK\x01\x02\x2d\x00"[..], &common.concat(), &[0; 10], &at.to_le_bytes()].concat());
        directory.extend([name.as_bytes(), &long].concat());
    }
    let (start, count) = (u32::try_from(bytes.len()).unwrap(), u16::try_from(parts.len()).unwrap());
    bytes.extend(&directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    bytes.extend([u32::try_from(directory.len()).unwrap(), start].map(u32::to_le_bytes).concat());
    bytes.extend([0, 0]);
    bytes
}

#[test]
fn of_two_directories_the_one_that_is_checked_is_the_one_that_is_read() {
    const SIZE: u32 = 3 << 20;
    let harmless = one_cell();
    let bomb = rezipped(&harmless, "xl/sharedStrings.xml", |_| " ".repeat(SIZE as usize));
    let bomb = saying(bomb, SIZE, 257 << 20);
    // Behind the bomb's own end: the harmless parts, their directory, and an end whose comment is longer than the
    // file. Some readers take the last end there is, others the last that is whole.
    let shift = bomb.len();
    let mut both = [bomb.as_slice(), &harmless].concat();
    let end = end_of(&both);
    let directory = u32_at(&both, end + 16) + shift;
    both[end + 16..end + 20].copy_from_slice(&u32::try_from(directory).unwrap().to_le_bytes());
    let mut at = directory;
    while both[at..].starts_with(b"PK\x01\x02") {
        let part = u32::try_from(u32_at(&both, at + 42) + shift).unwrap();
        both[at + 42..at + 46].copy_from_slice(&part.to_le_bytes());
        let lengths =
            [28, 30, 32].map(|field| usize::from(both[at + field]) + usize::from(both[at + field + 1]) * 256);
        at += 46 + lengths.iter().sum::<usize>();
    }
    let read_whole = read("x.xlsx", both.clone(), &ReadOptions::default()).unwrap();
    assert_eq!(read_whole.table.text_at(0, 0), "short", "the last whole directory is the harmless one");
    both[end + 20..end + 22].copy_from_slice(&[0xff, 0x00]);
    let refusal = refusal_of(both);
    assert!(matches!(refusal, ImportRefusal::Bomb { .. }), "{refusal}");
}

#[test]
fn sizes_whose_sum_overflows_are_refused() {
    let parts = ["xl/workbook.xml", "xl/a.xml", "[Content_Types].xml"];
    for sizes in [[1 << 63, 1 << 63, 100], [u64::MAX, 1, 1], [200 << 20, 200 << 20, 200 << 20]] {
        let parts: Vec<_> = parts.map(str::to_owned).into_iter().zip(sizes).collect();
        let refusal = refusal_of(archive_saying(&parts));
        assert!(matches!(refusal, ImportRefusal::Bomb { .. }), "{sizes:?}: {refusal}");
    }
}

#[test]
fn too_many_parts_are_refused() {
    let parts: Vec<_> = (0..10_001).map(|part| (format!("xl/{part}.xml"), 0)).collect();
    let refusal = refusal_of(archive_saying(&parts));
    assert!(refusal.to_string().contains("too many parts"), "{refusal}");
}

#[test]
fn more_shared_strings_than_there_is_room_for_are_refused() {
    let saying = |count: &str| {
        rezipped(&one_cell(), "xl/sharedStrings.xml", |xml| {
            assert!(xml.contains("uniqueCount=\"1\""), "{xml}");
            xml.replace("uniqueCount=\"1\"", count)
        })
    };
    for count in [
        "uniqueCount=\"1000000000000\"",
        "uniqueCount = '00099999999999999999999999'",
        "uniqueCount=\"+1000000\"",
        "uniqueCount\n=\n\"1000\"",
    ] {
        let refusal = refusal_of(saying(count));
        assert!(refusal.to_string().contains("more texts than there is room for"), "{count}: {refusal}");
    }
    // How often they are used is another number, and no room is asked for by it.
    let often = rezipped(&one_cell(), "xl/sharedStrings.xml", |xml| {
        xml.replace(" count=\"1\"", " count=\"4000000\"")
    });
    let source = read("x.xlsx", often, &ReadOptions::default()).unwrap();
    assert_eq!(source.table.text_at(0, 0), "short");
}

#[test]
fn more_sheets_than_a_workbook_can_have_are_refused() {
    let sheets = "<sheet name=\"x\" sheetId=\"1\" r:id=\"rId1\"/>".repeat(10_001);
    let many = rezipped(&one_cell(), "xl/workbook.xml", |xml| {
        xml.replace("</sheets>", &format!("{sheets}</sheets>"))
    });
    let refusal = refusal_of(many);
    assert!(refusal.to_string().contains("it has too many sheets"), "{refusal}");
}

#[test]
fn a_text_of_megabytes_is_refused() {
    let texts = ["x".repeat(3 << 20), format!("<![CDATA[{}]]>", "<x>".repeat(1 << 20))];
    for text in texts {
        let bytes = rezipped(&one_cell(), "xl/sharedStrings.xml", |xml| xml.replace("short", &text));
        let refusal = refusal_of(bytes);
        assert!(refusal.to_string().contains("longer than 1 MB"), "{refusal}");
    }
}

/// A record of a binary part: its kind, where its content begins and how long that is.
fn record_at(content: &[u8], mut at: usize) -> (u16, usize, usize) {
    let mut kind = u16::from(content[at]);
    at += 1;
    if kind & 0x80 != 0 {
        kind = kind & 0x7f | u16::from(content[at]) << 7;
        at += 1;
    }
    let (mut length, mut shift) = (0, 0);
    loop {
        let byte = content[at];
        at += 1;
        length |= usize::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            return (kind, at, length);
        }
    }
}

#[test]
fn a_binary_workbook_with_a_cell_far_out_is_refused() {
    const STRING: u16 = 6;
    let bytes = include_bytes!("../fixtures/workbooks/binary.xlsb");
    let bytes = rezipped_bytes(bytes, "xl/worksheets/sheet1.bin", |mut content| {
        let mut at = 0;
        loop {
            let (kind, start, length) = record_at(&content, at);
            if kind == STRING {
                content[start..start + 4].copy_from_slice(&0x7fff_fffe_u32.to_le_bytes());
                return content;
            }
            at = start + length;
        }
    });
    let refusal = refusal_of(bytes);
    assert_eq!(refusal, ImportRefusal::TooManyColumns { row: 1 });
}
