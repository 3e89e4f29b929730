//! Mutations that keep the outside of a file whole: a byte changed in an archive fails at its sum, and nothing
//! behind that would ever be tried. So one part of it is changed, and the archive is made again.

use std::io::{Cursor, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Bytes of a part that is changed.
const PART_BYTES_MAX: u64 = 1 << 16;
/// Parts of an archive that is changed.
const PARTS_MAX: usize = 64;

/// What mutations keep whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputShape {
    /// Nothing.
    Bytes,
    /// An archive of parts.
    Archive,
    /// The container of old Office files, with one stream.
    Container,
}

/// The file with one of its parts changed; `None` where it has none that can be.
pub fn change_part(
    shape: InputShape,
    file: &[u8],
    which: usize,
    change: impl FnOnce(Vec<u8>) -> Vec<u8>,
) -> Option<Vec<u8>> {
    // Libraries may panic at what a mutation before this one has made.
    catch_unwind(AssertUnwindSafe(|| match shape {
        InputShape::Bytes => None,
        InputShape::Archive => change_archive(file, which, change),
        InputShape::Container => change_stream(file, change),
    }))
    .ok()?
}

fn change_archive(file: &[u8], which: usize, change: impl FnOnce(Vec<u8>) -> Vec<u8>) -> Option<Vec<u8>> {
    let mut archive = ZipArchive::new(Cursor::new(file)).ok()?;
    let mut parts = Vec::new();
    for at in 0..archive.len().min(PARTS_MAX) {
        let part = archive.by_index(at).ok()?;
        let name = part.name().ok()?.into_owned();
        let mut content = Vec::new();
        part.take(PART_BYTES_MAX).read_to_end(&mut content).ok()?;
        parts.push((name, content));
    }
    let at = which.checked_rem(parts.len())?;
    let (_, content) = parts.get_mut(at)?;
    *content = change(std::mem::take(content));
    write_archive(&parts)
}

fn write_archive(parts: &[(String, Vec<u8>)]) -> Option<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, content) in parts {
        writer.start_file(name.as_str(), options).ok()?;
        writer.write_all(content).ok()?;
    }
    Some(writer.finish().ok()?.into_inner())
}

fn change_stream(file: &[u8], change: impl FnOnce(Vec<u8>) -> Vec<u8>) -> Option<Vec<u8>> {
    let mut container = cfb::CompoundFile::open(Cursor::new(file)).ok()?;
    let mut content = Vec::new();
    container.open_stream("/Workbook").ok()?.take(PART_BYTES_MAX).read_to_end(&mut content).ok()?;
    let version = cfb::Version::V3;
    let mut made = cfb::CompoundFile::create_with_version(version, Cursor::new(Vec::new())).ok()?;
    made.create_stream("/Workbook").ok()?.write_all(&change(content)).ok()?;
    made.flush().ok()?;
    Some(made.into_inner().into_inner())
}
