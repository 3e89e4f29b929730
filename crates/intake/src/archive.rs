//! What a workbook's archive would unpack to, found out before anything is unpacked into memory.
//!
//! What a part says it has is held against the bounds first: an honest bomb is refused at once. Sizes can lie and
//! parts can overlap, so every part a workbook reader may read is then inflated once into nothing, counting, and
//! refused at the first byte more than it says. That costs a tenth of reading the workbook and bounds its memory;
//! of large sheets it is done on a thread beside the reading, which never gets ahead of it ([`gate`]).

use std::io::{Read, sink};
use std::ops::Range;

use flate2::read::DeflateDecoder;

use crate::limits::{ARCHIVE_PARTS_MAX, HELD_BYTES_MAX, UNPACKED_BYTES_MAX};
use crate::refusal::Refusal;

pub(crate) mod gate;
mod spreadsheet;

/// Sheets of an XLSX that unpack to more than this, in bytes, are counted while they are read.
const COUNTED_BESIDE: u64 = 4 << 20;

/// What kind of workbook an archive holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    Xlsx,
    Xlsb,
    Ods,
    SomethingElse,
}

struct Part<'a> {
    name: &'a [u8],
    method: u16,
    packed: u64,
    unpacked: u64,
    header_at: u64,
}

/// An archive whose parts were checked, but for those a [`gate::Gate`] is to count.
pub(crate) struct Inspected {
    /// What kind of workbook it holds.
    pub holds: Holds,
    /// Large sheets, not counted yet.
    pub sheets: Vec<Sheet>,
    /// Bytes the sheets may unpack to together.
    pub left: u64,
}

/// A packed sheet whose size was not counted yet.
pub(crate) struct Sheet {
    /// Where its packed bytes are in the file.
    pub at: Range<usize>,
    /// The bytes it says it unpacks to.
    pub says: u64,
}

/// Checks all parts and says what the archive holds. With `beside`, large sheets that are read cell by cell are
/// left for a [`gate::Gate`].
pub(crate) fn inspect(bytes: &[u8], beside: bool) -> Result<Inspected, Refusal> {
    let parts = parts(bytes)?;
    let packed: u64 = parts.iter().map(|p| p.packed).sum();
    if packed > bytes.len() as u64 {
        return Err(damaged("its parts overlap"));
    }
    let declared = parts.iter().try_fold(0u64, |sum, p| sum.checked_add(p.unpacked));
    if declared.is_none_or(|sum| sum > UNPACKED_BYTES_MAX) {
        return Err(bomb(UNPACKED_BYTES_MAX));
    }
    let holds = holds(&parts);
    let is_later = |part: &Part<'_>| {
        let is_sheet = part.name.starts_with(b"xl/worksheets/") && ends_with(part.name, b".xml");
        beside && holds == Holds::Xlsx && is_sheet && part.method == 8 && part.unpacked > COUNTED_BESIDE
    };
    let mut left = UNPACKED_BYTES_MAX;
    let mut sheets = Vec::new();
    for part in parts.iter().filter(|p| is_read(p.name)) {
        if is_later(part) {
            sheets.push(Sheet { at: place(bytes, part)?, says: part.unpacked });
            continue;
        }
        let limit = if is_held(part.name) { HELD_BYTES_MAX.min(left) } else { left };
        let size = unpacked(bytes, part, limit)?;
        left -= size.min(left);
    }
    if holds == Holds::Ods
        && let Some(part) = parts.iter().find(|p| p.name.eq_ignore_ascii_case(b"content.xml"))
    {
        spreadsheet::check_repeats(&content(bytes, part)?)?;
    }
    Ok(Inspected { holds, sheets, left })
}

/// A part unpacked into memory, after its size was counted.
fn content(bytes: &[u8], part: &Part<'_>) -> Result<Vec<u8>, Refusal> {
    let data = data(bytes, part)?;
    if part.method == 0 {
        return Ok(data.to_vec());
    }
    let mut content = Vec::new();
    let read = DeflateDecoder::new(data).take(HELD_BYTES_MAX).read_to_end(&mut content);
    read.map_err(|_| damaged("a part cannot be unpacked"))?;
    Ok(content)
}

fn holds(parts: &[Part<'_>]) -> Holds {
    let has = |name: &[u8]| parts.iter().any(|p| p.name.eq_ignore_ascii_case(name));
    if has(b"xl/workbook.bin") {
        Holds::Xlsb
    } else if has(b"content.xml") && has(b"mimetype") {
        Holds::Ods
    } else if has(b"[Content_Types].xml") && parts.iter().any(|p| p.name.starts_with(b"xl/")) {
        Holds::Xlsx
    } else {
        Holds::SomethingElse
    }
}

fn is_read(name: &[u8]) -> bool {
    [&b".xml"[..], b".rels", b".bin", b".vml"].iter().any(|end| ends_with(name, end))
}

/// Parts that the workbook reader holds whole.
fn is_held(name: &[u8]) -> bool {
    [&b"sharedstrings.xml"[..], b"styles.xml", b"workbook.xml", b"sharedstrings.bin", b"content.xml"]
        .iter()
        .any(|end| ends_with(name, end))
}

fn ends_with(name: &[u8], end: &[u8]) -> bool {
    name.len() >= end.len() && name[name.len() - end.len()..].eq_ignore_ascii_case(end)
}

/// Where the packed bytes of a part are.
fn place(bytes: &[u8], part: &Part<'_>) -> Result<Range<usize>, Refusal> {
    let at = usize::try_from(part.header_at).map_err(|_| damaged("a part lies outside of the file"))?;
    let name = u64::from(u16_at(bytes, at.saturating_add(26))?);
    let extra = u64::from(u16_at(bytes, at.saturating_add(28))?);
    let start = usize::try_from(part.header_at + 30 + name + extra).unwrap_or(usize::MAX);
    let length = usize::try_from(part.packed).unwrap_or(usize::MAX);
    let end = start.checked_add(length).filter(|end| *end <= bytes.len());
    end.map(|end| start..end).ok_or_else(|| damaged("a part lies outside of the file"))
}

/// The packed bytes of a part.
fn data<'b>(bytes: &'b [u8], part: &Part<'_>) -> Result<&'b [u8], Refusal> {
    bytes.get(place(bytes, part)?).ok_or_else(|| damaged("a part lies outside of the file"))
}

fn unpacked(bytes: &[u8], part: &Part<'_>, limit: u64) -> Result<u64, Refusal> {
    if part.unpacked > limit {
        return Err(bomb(limit));
    }
    let data = data(bytes, part)?;
    let size = match part.method {
        0 => part.packed,
        8 => return inflated(data, part.unpacked),
        _ => return Err(damaged("a part is packed in a way workbooks do not use")),
    };
    if size > part.unpacked { Err(larger()) } else { Ok(size) }
}

/// How many bytes come out, if no more than it says.
fn inflated(packed: impl Read, says: u64) -> Result<u64, Refusal> {
    let mut counted = DeflateDecoder::new(packed).take(says + 1);
    let size = std::io::copy(&mut counted, &mut sink()).map_err(|_| damaged("a part cannot be unpacked"))?;
    if size > says { Err(larger()) } else { Ok(size) }
}

fn larger() -> Refusal {
    damaged("a part is larger than it says")
}

fn parts(bytes: &[u8]) -> Result<Vec<Part<'_>>, Refusal> {
    let tail = bytes.len().saturating_sub(66_000);
    let end = memchr::memmem::rfind(&bytes[tail..], b"PK\x05\x06").map(|at| tail + at);
    let end = end.ok_or_else(|| damaged("the end of its archive is missing"))?;
    let count = usize::from(u16_at(bytes, end + 10)?);
    let mut at = u32_at(bytes, end + 16)? as usize;
    if count > ARCHIVE_PARTS_MAX {
        return Err(damaged("it has too many parts"));
    }
    let mut parts = Vec::with_capacity(count);
    for _ in 0..count {
        if bytes.get(at..at.saturating_add(4)) != Some(b"PK\x01\x02") {
            return Err(damaged("the list of its parts is broken"));
        }
        let (name, extra, comment) = (
            u16_at(bytes, at + 28)? as usize,
            u16_at(bytes, at + 30)? as usize,
            u16_at(bytes, at + 32)? as usize,
        );
        let name_at = at + 46;
        let outside = || damaged("the list of its parts is broken");
        let mut part = Part {
            name: bytes.get(name_at..name_at + name).ok_or_else(outside)?,
            method: u16_at(bytes, at + 10)?,
            packed: u64::from(u32_at(bytes, at + 20)?),
            unpacked: u64::from(u32_at(bytes, at + 24)?),
            header_at: u64::from(u32_at(bytes, at + 42)?),
        };
        let extras = bytes.get(name_at + name..name_at + name + extra).ok_or_else(outside)?;
        part.take_long_sizes(extras);
        parts.push(part);
        at = name_at + name + extra + comment;
    }
    Ok(parts)
}

impl Part<'_> {
    /// ZIP64: sizes of all ones stand in the extra field 1, in this order.
    fn take_long_sizes(&mut self, extras: &[u8]) {
        const LONG: u64 = u32::MAX as u64;
        let mut rest = extras;
        while let [a, b, c, d, after @ ..] = rest {
            let (id, length) = (u16::from_le_bytes([*a, *b]), usize::from(u16::from_le_bytes([*c, *d])));
            let Some(body) = after.get(..length) else { return };
            if id == 1 {
                let mut sizes =
                    body.chunks_exact(8).filter_map(|c| c.try_into().ok().map(u64::from_le_bytes));
                for field in [&mut self.unpacked, &mut self.packed, &mut self.header_at] {
                    if *field == LONG {
                        *field = sizes.next().unwrap_or(LONG);
                    }
                }
            }
            rest = &after[length..];
        }
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Result<u16, Refusal> {
    let two = bytes.get(at..at.saturating_add(2)).and_then(|b| b.try_into().ok());
    two.map(u16::from_le_bytes).ok_or_else(|| damaged("its archive is cut short"))
}

fn u32_at(bytes: &[u8], at: usize) -> Result<u32, Refusal> {
    let four = bytes.get(at..at.saturating_add(4)).and_then(|b| b.try_into().ok());
    four.map(u32::from_le_bytes).ok_or_else(|| damaged("its archive is cut short"))
}

fn damaged(detail: &str) -> Refusal {
    Refusal::Damaged { detail: detail.to_owned() }
}

fn bomb(limit: u64) -> Refusal {
    Refusal::Bomb { megabytes: limit >> 20 }
}
