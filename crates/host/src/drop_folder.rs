//! Files dropped on a page: a browser sends their bytes, never a path. The host stores them in a folder and hands
//! them to the desk exactly as the window does.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use axum::body::Body;
use bordereau_desk::api::{BoundaryError, ErrorCode};
use http_body_util::BodyExt;
use tokio::io::AsyncWriteExt;

/// Largest accepted file: what a review reads at most, 200 MB.
pub const DROP_MAX_BYTES: u64 = bordereau_desk::FILE_BYTES_MAX as u64;
/// Bytes of a file name that file systems allow.
const NAME_MAX_BYTES: usize = 255;

/// A folder of dropped files; those of the previous run are removed.
#[derive(Debug)]
pub(crate) struct DropFolder {
    folder: PathBuf,
    next: AtomicU64,
}

impl DropFolder {
    pub(crate) fn in_folder(folder: PathBuf) -> DropFolder {
        if let Err(error) = std::fs::remove_dir_all(&folder)
            && error.kind() != std::io::ErrorKind::NotFound
        {
            tracing::warn!(%error, "files dropped before stay where they are");
        }
        DropFolder { folder, next: AtomicU64::new(0) }
    }

    /// Writes a body to a file of this name; each in its own folder, so that equal names don't collide.
    pub(crate) async fn store_drop(&self, name: &str, body: Body) -> Result<PathBuf, BoundaryError> {
        let name = plain_name(name).ok_or_else(|| {
            BoundaryError::with_code(ErrorCode::Validation, "The dropped file has no usable name.")
        })?;
        let place = self.folder.join(self.next.fetch_add(1, Ordering::Relaxed).to_string());
        let path = place.join(name);
        let written = write(&place, &path, body).await;
        if written.is_err() {
            // A partial file must not look like a whole one.
            let _ = tokio::fs::remove_dir_all(&place).await;
        }
        written.map(|()| path)
    }
}

/// The name only: separators in it must not lead out of the folder.
fn plain_name(given: &str) -> Option<&str> {
    let name = given.rsplit(['/', '\\']).next()?.trim();
    let usable = !name.is_empty() && name != "." && name != ".." && name.len() <= NAME_MAX_BYTES;
    (usable && !name.contains(|c: char| c.is_control() || c == ':')).then_some(name)
}

async fn write(place: &Path, path: &Path, mut body: Body) -> Result<(), BoundaryError> {
    let failed = |error: std::io::Error| {
        BoundaryError::with_code(ErrorCode::Storage, format!("The dropped file cannot be kept: {error}."))
    };
    tokio::fs::create_dir_all(place).await.map_err(failed)?;
    let mut file = tokio::fs::File::create_new(path).await.map_err(failed)?;
    let mut bytes = 0_u64;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| {
            BoundaryError::with_code(ErrorCode::Canceled, "The dropped file was cut off. Drop it again.")
        })?;
        let Ok(data) = frame.into_data() else { continue };
        bytes = bytes.saturating_add(data.len() as u64);
        if bytes > DROP_MAX_BYTES {
            let most = DROP_MAX_BYTES >> 20;
            let message =
                format!("The file is larger than {most} MB, which is the most that is read. Split it.");
            return Err(BoundaryError::with_code(ErrorCode::Validation, message));
        }
        file.write_all(&data).await.map_err(failed)?;
    }
    file.flush().await.map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_name_is_used() {
        let long = "x".repeat(256);
        let cases = [
            ("rows.csv", Some("rows.csv")),
            ("../../rows.csv", Some("rows.csv")),
            ("C:\\Users\\me\\Filings März.xlsx", Some("Filings März.xlsx")),
            ("", None),
            ("..", None),
            ("a/..", None),
            ("folder/", None),
            ("a\0b", None),
            ("stream.csv:hidden", None),
            (long.as_str(), None),
        ];
        for (given, expected) in cases {
            assert_eq!(plain_name(given), expected, "{given:?}");
        }
    }
}
