//! Bytes of a file, and the table in them.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use bordereau_api::{BoundaryError, ErrorCode};
use bordereau_session::files::open_chosen;
use bordereau_session::reading_process::workbook_reader;
use bordereau_spreadsheets::limits::{BUNDLE_FILES_MAX, FILE_BYTES_MAX};
use bordereau_spreadsheets::{
    BEGINNING_BYTES, BundledFile, ImportRefusal, ImportSource, ReadOptions, bundle_files, check_bytes,
    cut_beginning, read_paste, read_with,
};
use tokio::io::AsyncReadExt;

use super::draft::SourceKind;
use super::slots::{ReviewSlot, blocking};

const READ_BYTES: usize = 1 << 20;
/// Files larger than this are read one after the other: two at once take twice the memory, and the machine from
/// the window.
pub const LARGE_BYTES: usize = 1 << 20;

/// Reads a file and reports progress to the slot. It stops between two parts if the review was closed.
pub async fn read_file(
    slot: &ReviewSlot,
    path: &Path,
    accepts_pipes: bool,
) -> Result<Vec<u8>, BoundaryError> {
    let path = path.to_owned();
    let opened = blocking(move || match accepts_pipes {
        true => std::fs::File::open(&path).map_err(|error| error.kind().to_string()),
        false => open_chosen(&path),
    });
    let file = opened.await?.map_err(|why| unreadable(&why))?;
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    slot.total.store(size, Ordering::Relaxed);
    let mut file = tokio::fs::File::from_std(file);
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    if size > FILE_BYTES_MAX {
        return Err(too_large(size));
    }
    let mut bytes = Vec::with_capacity(size);
    let mut part = vec![0; READ_BYTES];
    loop {
        let read = file.read(&mut part).await;
        let n = read.map_err(|error| unreadable(&error.kind().to_string()))?;
        slot.ensure_not_canceled()?;
        bytes.extend_from_slice(part.get(..n).unwrap_or_default());
        slot.read.store(bytes.len() as u64, Ordering::Relaxed);
        if bytes.len() > FILE_BYTES_MAX {
            return Err(too_large(bytes.len()));
        }
        if n == 0 {
            return Ok(bytes);
        }
    }
}

/// The first rows of a large file as a file of their own; `None` where they would come no sooner than all.
pub fn read_beginning(path: &Path) -> Option<Vec<u8>> {
    let file = open_chosen(path).ok()?;
    if file.metadata().ok()?.len() <= LARGE_BYTES as u64 {
        return None;
    }
    let mut bytes = Vec::new();
    (&file).take(BEGINNING_BYTES as u64).read_to_end(&mut bytes).ok()?;
    // A workbook's list of parts is at the end of the file.
    if bytes.starts_with(b"PK") {
        (&file).take(FILE_BYTES_MAX as u64).read_to_end(&mut bytes).ok()?;
    }
    cut_beginning(bytes)
}

/// Reads several files into one archive, which is kept as the source of the draft.
pub async fn read_together(slot: &ReviewSlot, paths: &[PathBuf]) -> Result<Vec<u8>, BoundaryError> {
    let mut files = Vec::with_capacity(paths.len().min(BUNDLE_FILES_MAX));
    let mut sum = 0;
    for path in paths.iter().take(BUNDLE_FILES_MAX + 1) {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let bytes = read_file(slot, path, false).await?;
        sum += bytes.len();
        if sum > FILE_BYTES_MAX {
            return Err(too_large(sum));
        }
        files.push(BundledFile { name, bytes });
    }
    blocking(move || bundle_files(files)).await?.map_err(refused)
}

fn too_large(size: usize) -> BoundaryError {
    refused(ImportRefusal::TooLarge { megabytes: size.div_ceil(1 << 20) })
}

pub fn unreadable(why: &str) -> BoundaryError {
    BoundaryError::with_code(
        ErrorCode::Storage,
        format!("The file cannot be read ({why}). Choose it again, or another file."),
    )
}

/// Refuses what is no table by its bytes alone: large ones take longer to store than to look through.
pub async fn check_unread(bytes: Vec<u8>) -> Result<Vec<u8>, BoundaryError> {
    let checked = blocking(move || check_bytes(&bytes).map(|()| bytes));
    checked.await?.map_err(refused)
}

/// Parses off the asynchronous threads.
pub async fn parse(
    name: &str,
    kind: SourceKind,
    options: ReadOptions,
    bytes: Vec<u8>,
) -> Result<ImportSource, BoundaryError> {
    parse_or_refuse(name, kind, options, bytes).await?.map_err(refused)
}

/// The same, with the kind of refusal.
pub async fn parse_or_refuse(
    name: &str,
    kind: SourceKind,
    options: ReadOptions,
    bytes: Vec<u8>,
) -> Result<Result<ImportSource, ImportRefusal>, BoundaryError> {
    let name = name.to_owned();
    blocking(move || match kind {
        SourceKind::File => {
            let read_workbook = workbook_reader(bytes.len());
            read_with(&name, bytes, &options, read_workbook)
        }
        SourceKind::Paste => read_paste(&String::from_utf8_lossy(&bytes), &options),
    })
    .await
}

pub fn refused(refusal: ImportRefusal) -> BoundaryError {
    if refusal.is_passing() {
        return BoundaryError::with_code(ErrorCode::Storage, refusal.to_string()).mark_retryable();
    }
    BoundaryError::with_code(ErrorCode::Validation, refusal.to_string())
}
