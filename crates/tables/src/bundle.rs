//! Several files in one archive: what a person drops together, and a zip of tables as it was made elsewhere.

use std::io::{Cursor, Read, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::archive::has_workbook;
use crate::limits::{ARCHIVE_PARTS_MAX, BUNDLE_FILES_MAX, FILE_BYTES_MAX};
use crate::refusal::ImportRefusal;

/// A file with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundledFile {
    /// Its name, without folders.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Puts files into one archive, in their order. The same files make the same bytes.
///
/// # Errors
/// [`ImportRefusal`] when they are too many or too large together.
pub fn bundle_files(files: Vec<BundledFile>) -> Result<Vec<u8>, ImportRefusal> {
    check_sizes(files.len(), files.iter().map(|file| file.bytes.len() as u64).sum())?;
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (at, file) in files.iter().enumerate() {
        // Files of two folders may have one name; a number in front keeps both and their order.
        let name = format!("{}/{}", at + 1, file.name.replace(['/', '\\'], "_"));
        let written = writer.start_file(name, options).map(|()| writer.write_all(&file.bytes));
        if !matches!(written, Ok(Ok(()))) {
            return Err(damaged("a file cannot be put beside the others"));
        }
    }
    match writer.finish() {
        Ok(archive) => Ok(archive.into_inner()),
        Err(_) => Err(damaged("the files cannot be put together")),
    }
}

/// The files of an archive that is no workbook; `None` where it is one, or no archive.
pub(crate) fn bundled_files(bytes: &[u8]) -> Option<Result<Vec<BundledFile>, ImportRefusal>> {
    if !bytes.starts_with(b"PK\x03\x04")
        || memchr::memmem::find_iter(bytes, b"PK\x01\x02").nth(ARCHIVE_PARTS_MAX).is_some()
    {
        return None;
    }
    let mut archive = ZipArchive::new(Cursor::new(bytes)).ok()?;
    if has_workbook(&archive) {
        return None;
    }
    let wanted: Vec<usize> = (0..archive.len()).filter(|at| is_table_file(&mut archive, *at)).collect();
    if wanted.is_empty() {
        return None;
    }
    Some(unpack_files(&mut archive, &wanted))
}

/// No folder, and none of the files that systems put beside a person's.
fn is_table_file(archive: &mut ZipArchive<Cursor<&[u8]>>, at: usize) -> bool {
    let Ok(file) = archive.by_index_raw(at) else { return false };
    let is_own = file.name().is_ok_and(|name| {
        !name.starts_with("__MACOSX/")
            && !base_name(&name).starts_with(['.', '~'])
            && !base_name(&name).is_empty()
    });
    is_own && file.is_file()
}

fn unpack_files(
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    wanted: &[usize],
) -> Result<Vec<BundledFile>, ImportRefusal> {
    let mut files = Vec::with_capacity(wanted.len().min(BUNDLE_FILES_MAX));
    let mut sum = 0;
    for at in wanted {
        let file = archive.by_index(*at).map_err(|error| match error {
            zip::result::ZipError::UnsupportedArchive(_) => ImportRefusal::ProtectedArchive,
            _ => damaged("its archive is broken"),
        })?;
        let name: String = base_name(&file.name().unwrap_or_default()).chars().take(120).collect();
        // One byte more than is left tells that it is too much, whatever the archive says.
        let mut bytes = Vec::new();
        let room = (FILE_BYTES_MAX as u64).saturating_sub(sum) + 1;
        file.take(room).read_to_end(&mut bytes).map_err(|_| damaged("a file in it cannot be unpacked"))?;
        sum += bytes.len() as u64;
        files.push(BundledFile { name, bytes });
        check_sizes(files.len(), sum)?;
    }
    Ok(files)
}

fn check_sizes(count: usize, bytes: u64) -> Result<(), ImportRefusal> {
    if count > BUNDLE_FILES_MAX {
        Err(ImportRefusal::TooManyFiles)
    } else if bytes > FILE_BYTES_MAX as u64 {
        Err(ImportRefusal::TooLarge {
            megabytes: usize::try_from(bytes.div_ceil(1 << 20)).unwrap_or(usize::MAX),
        })
    } else {
        Ok(())
    }
}

fn base_name(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or_default()
}

fn damaged(detail: &str) -> ImportRefusal {
    ImportRefusal::Damaged { detail: detail.to_owned() }
}
