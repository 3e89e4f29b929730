//! The one stream of an XLS file that is read, checked and put into a container of its own.
//!
//! calamine takes memory for every place between the first and the last cell, and for as many as the file says it has:
//! two cells in the corners, or one lying record, would take more than any machine has. The format itself ends at
//! 65,536 rows and 256 columns; what is beyond is refused before anything is allocated. What calamine gets is made again
//! of what was checked, as with the parts of an archive.

use std::io::{Cursor, Read, Write};

use cfb::{CompoundFile, Version};

use crate::refusal::Refusal;

/// Columns of the format.
const COLUMNS: u16 = 256;
/// Rows of the format.
const ROWS: u32 = 65_536;
/// Records that begin with the row and column of a cell, in the forms of all versions.
const CELL_RECORDS: [u16; 15] = [
    0x0001, 0x0002, 0x0003, 0x0004, 0x0005, 0x0006, 0x00D6, 0x00FD, 0x0201, 0x0203, 0x0204, 0x0205, 0x0206,
    0x027E, 0x0406,
];
/// Records of several cells side by side, which end with the last one's column.
const ROW_RECORDS: [u16; 2] = [0x00BD, 0x00BE];
const DIMENSIONS: [u16; 2] = [0x0000, 0x0200];

/// A container with the workbook's stream alone.
pub(crate) fn checked_stream(bytes: &[u8]) -> Result<Vec<u8>, Refusal> {
    let mut file = CompoundFile::open(Cursor::new(bytes)).map_err(|_| damaged("its container is broken"))?;
    let name = ["/Workbook", "/Book"].into_iter().find(|name| file.is_stream(name));
    let name =
        name.ok_or_else(|| Refusal::NotATable { found: "an Office document without a workbook".into() })?;
    let mut stream = Vec::new();
    let opened = file.open_stream(name).map_err(|_| damaged("its workbook cannot be read"))?;
    // A damaged chain of sectors may never end; a stream is never larger than its file.
    opened
        .take(bytes.len() as u64)
        .read_to_end(&mut stream)
        .map_err(|_| damaged("its workbook cannot be read"))?;
    check_records(&stream)?;
    repacked(name, &stream).map_err(|_| damaged("its workbook cannot be read"))
}

fn repacked(name: &str, stream: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut file = CompoundFile::create_with_version(Version::V3, Cursor::new(Vec::new()))?;
    file.create_stream(name)?.write_all(stream)?;
    file.flush()?;
    Ok(file.into_inner().into_inner())
}

fn check_records(stream: &[u8]) -> Result<(), Refusal> {
    let mut rest = stream;
    while let Some((head, behind)) = rest.split_at_checked(4) {
        let (kind, length) = (u16_at(head, 0), u16_at(head, 2));
        let Some((data, next)) = behind.split_at_checked(usize::from(length)) else { return Ok(()) };
        let column = match kind {
            kind if CELL_RECORDS.contains(&kind) => u16_at(data, 2),
            kind if ROW_RECORDS.contains(&kind) => u16_at(data, data.len().saturating_sub(2)),
            _ => 0,
        };
        if column >= COLUMNS {
            return Err(damaged("a cell is beyond the last column of its format"));
        }
        if DIMENSIONS.contains(&kind) && !are_dimensions_possible(data) {
            return Err(damaged("it says that it is larger than its format can be"));
        }
        rest = next;
    }
    Ok(())
}

/// The places behind the last row and the last column; both are in one of two forms.
fn are_dimensions_possible(data: &[u8]) -> bool {
    let (row, column) = match data.len() {
        8 | 10 => (u32::from(u16_at(data, 2)), u16_at(data, 6)),
        14 | 16 => (u32::from(u16_at(data, 4)) | u32::from(u16_at(data, 6)) << 16, u16_at(data, 10)),
        // No reader takes it for dimensions.
        _ => return true,
    };
    row <= ROWS && column <= COLUMNS
}

fn u16_at(data: &[u8], at: usize) -> u16 {
    data.get(at..at + 2).map_or(0, |bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
}

fn damaged(detail: &str) -> Refusal {
    Refusal::Damaged { detail: detail.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn container(records: &[(u16, &[u8])]) -> Vec<u8> {
        let mut stream = Vec::new();
        for (kind, data) in records {
            stream.extend_from_slice(&kind.to_le_bytes());
            stream.extend_from_slice(&u16::try_from(data.len()).unwrap().to_le_bytes());
            stream.extend_from_slice(data);
        }
        repacked("/Workbook", &stream).unwrap()
    }

    #[test]
    fn cells_and_dimensions_beyond_the_format_are_refused() {
        let number = |column: u16| {
            let mut data = vec![0xFF, 0xFF];
            data.extend_from_slice(&column.to_le_bytes());
            data.extend_from_slice(&[0; 10]);
            data
        };
        let dimensions = |rows: u32, columns: u16| {
            let mut data = vec![0; 4];
            data.extend_from_slice(&rows.to_le_bytes());
            data.extend_from_slice(&[0; 2]);
            data.extend_from_slice(&columns.to_le_bytes());
            data.extend_from_slice(&[0; 2]);
            data
        };
        for (records, is_read) in [
            ([(0x0203, number(255))], true),
            ([(0x0203, number(256))], false),
            ([(0x00FD, number(65_535))], false),
            ([(0x00BD, [number(0), vec![0, 1]].concat())], false),
            ([(0x0207, number(65_535))], true),
            ([(0x0200, dimensions(65_536, 256))], true),
            ([(0x0200, dimensions(65_537, 1))], false),
            ([(0x0200, dimensions(1, 257))], false),
            ([(0x0200, dimensions(u32::MAX, u16::MAX))], false),
        ] {
            let records: Vec<(u16, &[u8])> =
                records.iter().map(|(kind, data)| (*kind, data.as_slice())).collect();
            assert_eq!(checked_stream(&container(&records)).is_ok(), is_read, "{records:?}");
        }
        assert!(checked_stream(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1").is_err());
    }
}
