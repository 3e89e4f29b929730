//! Bytes of a file, and the table in them.

use std::path::Path;
use std::sync::atomic::Ordering;

use bordereau_api::{BoundaryError, ErrorCode};
use bordereau_spreadsheets::limits::FILE_BYTES_MAX;
use bordereau_spreadsheets::{ReadOptions, Refusal, Source, read, read_paste};
use tokio::io::AsyncReadExt;

use super::draft::SourceKind;
use super::slots::{Slot, blocking};

const READ_BYTES: usize = 1 << 20;

/// Reads a file, telling the slot how far it is. Between two parts it stops where nobody wants it any more.
pub async fn read_file(slot: &Slot, path: &Path) -> Result<Vec<u8>, BoundaryError> {
    let mut file = tokio::fs::File::open(path).await.map_err(unreadable)?;
    let metadata = file.metadata().await.map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(BoundaryError::of(ErrorCode::Validation, "This is a folder. Choose a file of rows."));
    }
    slot.total.store(metadata.len(), Ordering::Relaxed);
    let size = usize::try_from(metadata.len()).unwrap_or(usize::MAX);
    let mut bytes = Vec::with_capacity(size.min(FILE_BYTES_MAX));
    let mut part = vec![0; READ_BYTES];
    loop {
        let n = file.read(&mut part).await.map_err(unreadable)?;
        slot.ensure_not_canceled()?;
        bytes.extend_from_slice(part.get(..n).unwrap_or_default());
        slot.read.store(bytes.len() as u64, Ordering::Relaxed);
        if bytes.len() > FILE_BYTES_MAX {
            let refusal = Refusal::TooLarge { megabytes: size.max(bytes.len()).div_ceil(1 << 20) };
            return Err(BoundaryError::of(ErrorCode::Validation, refusal.to_string()));
        }
        if n == 0 {
            return Ok(bytes);
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "passed to map_err")]
fn unreadable(error: std::io::Error) -> BoundaryError {
    let advice = match error.kind() {
        std::io::ErrorKind::NotFound => "It is no longer there: choose it again.",
        std::io::ErrorKind::PermissionDenied => "You may not read it: check its permissions.",
        _ => "Choose it again, or copy it to this machine first.",
    };
    BoundaryError::of(ErrorCode::Storage, format!("The file cannot be read ({}). {advice}", error.kind()))
}

/// Parses off the asynchronous threads.
pub async fn parse(
    name: &str,
    kind: SourceKind,
    options: ReadOptions,
    bytes: Vec<u8>,
) -> Result<Source, BoundaryError> {
    let name = name.to_owned();
    let read = blocking(move || match kind {
        SourceKind::File => read(&name, bytes, &options),
        SourceKind::Paste => read_paste(&String::from_utf8_lossy(&bytes), &options),
    });
    read.await?.map_err(|refusal| BoundaryError::of(ErrorCode::Validation, refusal.to_string()))
}
