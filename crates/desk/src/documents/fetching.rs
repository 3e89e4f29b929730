//! Documents from the service to this machine. Credentials never leave the profile's host (the client's rule);
//! a file that is there is never overwritten unasked.

use std::path::{Path, PathBuf};

use bordereau_client::Download;
use bordereau_contract::DOCUMENT_BYTES_MAX;

use super::content;
use super::taking::Target;
use crate::Desk;
use crate::api::*;
use crate::files;
use crate::ports::FileFilter;

/// Names tried for a file whose own name is taken.
const NAMES_MAX: u32 = 1_000;

/// A document as it was saved by [`Desk::documents_fetch`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchedDocument {
    /// Place in the record, from 1.
    pub number: u32,
    /// Code.
    pub code: String,
    /// Where it is now.
    pub path: PathBuf,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256, hexadecimal.
    pub sha256: String,
    /// The same file was there already.
    pub already: bool,
}

impl Desk {
    /// Downloads a document and asks where to put it; the dialog asks before it overwrites.
    ///
    /// # Errors
    /// [`ErrorCode::NotFound`] for a transaction or document that is not there; those of asking and of writing.
    pub async fn transaction_document_save(
        &self,
        request: KeptDocumentId,
    ) -> Result<FileOutcome, BoundaryError> {
        let download = self.fetch_document(&request).await?;
        let filter = FileFilter {
            name: "Document".into(),
            extensions: files::extension(&download.file_name).into_iter().collect(),
        };
        files::save_through(&self.inner.ports, download.file_name, filter, download.bytes).await
    }

    /// Downloads a document and opens it with the system's program for it. Only what by its content is a document
    /// is opened: never a program.
    ///
    /// # Errors
    /// As [`Desk::transaction_document_save`]; [`ErrorCode::Validation`] for what is no document.
    pub async fn transaction_document_open(&self, request: KeptDocumentId) -> Result<Nothing, BoundaryError> {
        let download = self.fetch_document(&request).await?;
        let checked = content::check(&download.file_name, &download.bytes).map_err(|reason| {
            BoundaryError::of(ErrorCode::Validation, format!("It is not opened: {reason} Save it instead."))
        })?;
        // A folder of its own, made anew: nothing there is overwritten, and the name is that of the document.
        let folder = self.inner.uploads.opened_folder();
        let write = move || -> std::io::Result<PathBuf> {
            crate::store::make_private_folder(&folder)
                .map_err(|error| std::io::Error::other(error.to_string()))?;
            place(&folder, &checked.file_name, &download.bytes).map(|(path, _)| path)
        };
        let written = tokio::task::spawn_blocking(write).await;
        let path = written
            .map_err(|_| BoundaryError::internal("writing a file"))?
            .map_err(|error| not_written(&error))?;
        self.inner
            .ports
            .browser
            .open_file(&path)
            .map_err(|why| BoundaryError::of(ErrorCode::Storage, why))?;
        Ok(Nothing {})
    }

    /// Downloads documents of a transaction into a folder; `numbers` are places in the record, empty for all. A
    /// file that is there is left as it is: another name is taken unless it is the same file.
    ///
    /// # Errors
    /// As [`Desk::transaction_document_save`].
    pub async fn documents_fetch(
        &self,
        target: &DocumentTarget,
        numbers: &[u32],
        folder: &Path,
    ) -> Result<Vec<FetchedDocument>, BoundaryError> {
        let record = self.fresh_record(&Target::read(target)?).await?;
        let session = self.session(&self.active_profile().await?).await?;
        let mut fetched = Vec::new();
        for (document, number) in record.transaction_documents.iter().zip(1u32..) {
            if !numbers.is_empty() && !numbers.contains(&number) {
                continue;
            }
            let download = session.client.download(&document.download_url, DOCUMENT_BYTES_MAX as u64).await;
            let download = download.map_err(crate::failure::from_client)?;
            let (folder, sha256) = (folder.to_owned(), content::sha256(&download.bytes));
            let bytes = download.bytes.len() as u64;
            let put =
                tokio::task::spawn_blocking(move || place(&folder, &download.file_name, &download.bytes))
                    .await;
            let put = put.map_err(|_| BoundaryError::internal("writing a file"))?;
            let (path, already) = put.map_err(|error| not_written(&error))?;
            fetched.push(FetchedDocument {
                number,
                code: document.code.clone(),
                path,
                bytes,
                sha256,
                already,
            });
        }
        Ok(fetched)
    }

    async fn fetch_document(&self, request: &KeptDocumentId) -> Result<Download, BoundaryError> {
        let target =
            DocumentTarget { transaction_id: request.transaction_id.clone(), ..DocumentTarget::default() };
        // Asked anew: a link may live for a minute only.
        let record = self.fresh_record(&Target::read(&target)?).await?;
        let place = usize::try_from(request.number).ok().and_then(|number| number.checked_sub(1));
        let document = place.and_then(|place| record.transaction_documents.get(place));
        let document = document.ok_or_else(|| BoundaryError::not_found("document"))?;
        let session = self.session(&self.active_profile().await?).await?;
        let download = session.client.download(&document.download_url, DOCUMENT_BYTES_MAX as u64).await;
        download.map_err(crate::failure::from_client)
    }
}

fn not_written(error: &std::io::Error) -> BoundaryError {
    BoundaryError::of(
        ErrorCode::Storage,
        format!(
            "The document was not written ({}). Check the folder, its permissions and free space.",
            error.kind()
        ),
    )
}

/// Writes under the name, or under `name (2)` and so on where another file has it; says whether the same file was
/// there already.
fn place(folder: &Path, name: &str, bytes: &[u8]) -> std::io::Result<(PathBuf, bool)> {
    use std::io::Write;
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, format!(".{extension}")),
        _ => (name, String::new()),
    };
    for turn in 1..=NAMES_MAX {
        let numbered = if turn == 1 { name.to_owned() } else { format!("{stem} ({turn}){extension}") };
        let path = folder.join(numbered);
        // Made only where nothing is: between looking and writing nobody slips in.
        match std::fs::OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                if let Err(error) = file.write_all(bytes).and_then(|()| file.sync_all()) {
                    let _ = std::fs::remove_file(&path);
                    return Err(error);
                }
                return Ok((path, false));
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                let same = std::fs::metadata(&path)
                    .is_ok_and(|m| m.is_file() && m.len() == bytes.len() as u64)
                    && std::fs::read(&path).is_ok_and(|found| found == bytes);
                if same {
                    return Ok((path, true));
                }
            }
            Err(error) => return Err(error),
        }
    }
    Err(std::io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, bytes: &[u8]| {
            let (path, already) = place(folder.path(), name, bytes).unwrap();
            (path.file_name().unwrap().to_string_lossy().into_owned(), already)
        };
        assert_eq!(put("a.pdf", b"one"), ("a.pdf".into(), false));
        assert_eq!(put("a.pdf", b"one"), ("a.pdf".into(), true));
        assert_eq!(put("a.pdf", b"two"), ("a (2).pdf".into(), false));
        assert_eq!(put("a.pdf", b"two"), ("a (2).pdf".into(), true));
        assert_eq!(put("plain", b"x"), ("plain".into(), false));
        assert_eq!(put("plain", b"y"), ("plain (2)".into(), false));
        assert_eq!(std::fs::read(folder.path().join("a.pdf")).unwrap(), b"one");
        assert!(place(&folder.path().join("none"), "a.pdf", b"x").is_err());
    }
}
