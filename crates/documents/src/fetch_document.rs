//! Downloads documents from the service. Credentials never leave the profile's host (the client's rule); an existing
//! file is never overwritten without asking.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use bordereau_client::{Client, SaveError, SavedDownload};
use bordereau_contract::DOCUMENT_BYTES_MAX;

use super::downloads::RunningDownload;
use super::required_documents::fresh_record;
use super::target::UploadTarget;
use super::upload_files::{self, NotCopied};
use super::upload_worker::UploadWorker;
use bordereau_api::*;
use bordereau_session::content;
use bordereau_session::download_mark::{can_carry_macros, mark_download};
use bordereau_session::files;
use bordereau_session::ports::FileFilter;
use bordereau_session::profile::active_profile;
use bordereau_session::profile::open_session;
use bordereau_session::{Context, run_off_thread};

/// Names tried where the file's own name exists.
const NAMES_MAX: u32 = 1_000;

/// A document as it was saved by [`documents_fetch`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchedDocument {
    /// Position in the record, from 1.
    pub number: u32,
    /// Code.
    pub code: String,
    /// Where it was saved.
    pub path: PathBuf,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256, hexadecimal.
    pub sha256: String,
    /// The same file existed already.
    pub already: bool,
}

/// Downloads a document and asks where to save it; the dialog asks before it overwrites.
///
/// # Errors
/// [`ErrorCode::NotFound`] for an unknown transaction or document; errors of the request and of writing.
pub async fn transaction_document_download(
    ctx: &Context,
    request: KeptDocumentId,
) -> Result<FileOutcome, BoundaryError> {
    let fetched = fetch_document(ctx, request).await?;
    let filter = FileFilter {
        name: "Document".into(),
        extensions: files::file_extension(&fetched.about.file_name).into_iter().collect(),
    };
    let Some(path) = ctx.ports().dialogs.choose_save_path(fetched.about.file_name.clone(), filter).await
    else {
        return Ok(files::NOT_SAVED);
    };
    let fill = move |file: &mut File| io::copy(&mut File::open(&fetched.path)?, file).map(drop);
    let saved = files::fill_chosen(path.clone(), fill).await?;
    mark_download(&path);
    Ok(saved)
}

/// Downloads a document and opens it with the system's program for it. Only content that is a document is opened,
/// never a program. If it can contain macros or other files, a person confirms it first.
///
/// # Errors
/// As [`transaction_document_download`]; [`ErrorCode::Validation`] for content that isn't a document;
/// [`ErrorCode::NoProgram`] when no program opens it.
pub async fn transaction_document_open(
    ctx: &Context,
    request: OpenDocument,
) -> Result<DocumentOpened, BoundaryError> {
    let fetched = fetch_document(ctx, request.document).await?;
    // A new folder for each file: nothing is overwritten, and the file has the document's name.
    let folder = UploadWorker::from_context(ctx).opened_folder();
    let write = move || -> Result<Result<PathBuf, String>, NotCopied> {
        let source = File::open(&fetched.path).map_err(NotCopied::Unwritten)?;
        let checked = upload_files::scan_copy(&fetched.about.file_name, source, &mut io::sink())?;
        if can_carry_macros(&checked.file_name) && !request.confirmed {
            return Ok(Err(format!(
                "{} was not opened: files of this kind can carry macros or other files, which act as programs on this \
                 computer. Open it only if you know who it is from.",
                checked.file_name
            )));
        }
        let placed = fetched.place_file(&folder, &checked.file_name);
        placed.map(|(path, _)| Ok(path)).map_err(NotCopied::Unwritten)
    };
    let placed = run_off_thread("writing a file", write).await?.map_err(|not| match not {
        NotCopied::Refused(reason) => BoundaryError::with_code(
            ErrorCode::Validation,
            format!("It is not opened: {reason} Save it instead."),
        ),
        NotCopied::Unwritten(error) => not_written(&error),
    })?;
    let path = match placed {
        Ok(path) => path,
        Err(question) => return Ok(DocumentOpened { question }),
    };
    open_with_program(ctx, &path)?;
    Ok(DocumentOpened::default())
}

/// Opens a document on this computer with the system's program for it.
pub(crate) fn open_with_program(ctx: &Context, path: &Path) -> Result<(), BoundaryError> {
    let name = path.file_name().unwrap_or_default().display();
    ctx.ports().browser.open_file(path).map_err(|why| {
        BoundaryError::with_code(
            ErrorCode::NoProgram,
            format!("{name} wasn't opened. {why} Save it instead."),
        )
    })
}

/// Downloads documents of a transaction into a folder; `numbers` are positions in the record, empty for all. An
/// existing file stays: another name is used unless it is the same file.
pub async fn documents_fetch(
    ctx: &Context,
    target: &DocumentTarget,
    numbers: &[u32],
    folder: &Path,
) -> Result<Vec<FetchedDocument>, BoundaryError> {
    let record = fresh_record(ctx, &UploadTarget::read(target)?).await?;
    let session = open_session(ctx, &active_profile(ctx).await?).await?;
    let mut fetched = Vec::new();
    for (document, number) in record.transaction_documents.iter().zip(1u32..) {
        if !numbers.is_empty() && !numbers.contains(&number) {
            continue;
        }
        let one = fetch_into_folder(ctx, &session.client, &document.download_url, None, Some(folder)).await?;
        let (folder, about) = (folder.to_owned(), one.about.clone());
        let place = move || one.place_file(&folder, &one.about.file_name);
        let (path, already) =
            run_off_thread("writing a file", place).await?.map_err(|error| not_written(&error))?;
        fetched.push(FetchedDocument {
            number,
            code: document.code.clone(),
            path,
            bytes: about.bytes,
            sha256: about.sha256,
            already,
        });
    }
    Ok(fetched)
}

/// The documents being downloaded for the person.
pub async fn transaction_documents_fetching(
    ctx: &Context,
    _request: Nothing,
) -> Result<DocumentDownloads, BoundaryError> {
    Ok(UploadWorker::from_context(ctx).downloads().to_view())
}

/// Cancels a download: nothing of it stays, and its caller gets [`ErrorCode::Canceled`].
pub async fn transaction_document_download_cancel(
    ctx: &Context,
    request: KeptDocumentId,
) -> Result<DocumentDownloads, BoundaryError> {
    UploadWorker::from_context(ctx).downloads().cancel_download(&request);
    Ok(UploadWorker::from_context(ctx).downloads().to_view())
}

/// Downloads a document with progress, so that it can be canceled.
async fn fetch_document(ctx: &Context, request: KeptDocumentId) -> Result<FetchedFile, BoundaryError> {
    let uploads = UploadWorker::from_context(ctx);
    let turn = uploads.downloads().begin_download(request.clone());
    tokio::select! {
        biased;
        () = turn.download.wait_canceled() => Err(BoundaryError::user_canceled()),
        fetched = fetch_requested(ctx, &request, &turn.download) => fetched,
    }
}

async fn fetch_requested(
    ctx: &Context,
    request: &KeptDocumentId,
    download: &RunningDownload,
) -> Result<FetchedFile, BoundaryError> {
    let target =
        DocumentTarget { transaction_id: request.transaction_id.clone(), ..DocumentTarget::default() };
    // Requested again: a link may be valid for a minute only.
    let record = fresh_record(ctx, &UploadTarget::read(&target)?).await?;
    let place = usize::try_from(request.number).ok().and_then(|number| number.checked_sub(1));
    let document = place.and_then(|place| record.transaction_documents.get(place));
    let document = document.ok_or_else(|| BoundaryError::not_found("document"))?;
    let session = open_session(ctx, &active_profile(ctx).await?).await?;
    fetch_into_folder(ctx, &session.client, &document.download_url, Some(download), None).await
}

/// Downloads a document piece by piece into the folder for opened documents, where nothing stays for long; where that
/// can't be written, into the other one.
async fn fetch_into_folder(
    ctx: &Context,
    client: &Client,
    address: &str,
    download: Option<&RunningDownload>,
    other: Option<&Path>,
) -> Result<FetchedFile, BoundaryError> {
    static TURN: AtomicU32 = AtomicU32::new(0);
    let folder = UploadWorker::from_context(ctx).opened_folder();
    let turn = TURN.fetch_add(1, Ordering::Relaxed);
    let create = |folder: &Path| {
        let path = folder.join(format!(".{}-{turn}.unfinished", std::process::id()));
        File::create(&path).map(|file| (path, tokio::fs::File::from_std(file)))
    };
    let created = bordereau_store::make_private_folder(&folder).and_then(|()| create(&folder));
    let created = created.or_else(|error| other.map_or(Err(error), create));
    let (path, mut file) = created.map_err(|error| not_written(&error))?;
    // From here on the file is removed whatever happens.
    let mut fetched = FetchedFile { path, about: SavedDownload::default() };
    let most = DOCUMENT_BYTES_MAX as u64;
    let about = match download {
        Some(download) => client.download_to(address, most, &mut download.counting_writer(&mut file)).await,
        None => client.download_to(address, most, &mut file).await,
    };
    fetched.about = about.map_err(|error| match error {
        SaveError::Fetch(error) => bordereau_session::failure::from_client(error),
        SaveError::Write(error) => not_written(&error),
    })?;
    Ok(fetched)
}

/// A downloaded document; its file is removed when this is dropped.
struct FetchedFile {
    path: PathBuf,
    about: SavedDownload,
}

impl FetchedFile {
    /// Moves it to the name, or to `name (2)` and so on where another file has it. Returns whether the same file was
    /// there already.
    fn place_file(&self, folder: &Path, name: &str) -> io::Result<(PathBuf, bool)> {
        let (stem, extension) = match name.rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() => (stem, format!(".{extension}")),
            _ => (name, String::new()),
        };
        for turn in 1..=NAMES_MAX {
            let numbered = if turn == 1 { name.to_owned() } else { format!("{stem} ({turn}){extension}") };
            let path = folder.join(numbered);
            // `create_new` fails if a file appeared since the check.
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    let copied = File::open(&self.path).and_then(|mut from| io::copy(&mut from, &mut file));
                    if let Err(error) = copied.and_then(|_| file.sync_all()) {
                        let _ = fs::remove_file(&path);
                        return Err(error);
                    }
                    mark_download(&path);
                    return Ok((path, false));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    if self.is_same(&path) {
                        return Ok((path, true));
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    fn is_same(&self, other: &Path) -> bool {
        let is_as_long = |found: fs::Metadata| found.is_file() && found.len() == self.about.bytes;
        fs::metadata(other).is_ok_and(is_as_long)
            && File::open(other).and_then(content::sha256_of).is_ok_and(|found| found == self.about.sha256)
    }
}

impl Drop for FetchedFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

fn not_written(error: &std::io::Error) -> BoundaryError {
    let text = format!(
        "The document was not written ({}). Check the folder, its permissions and free space.",
        error.kind()
    );
    bordereau_store::file_error(error, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let staged = folder.path().join("staged");
        let put_into = |folder: &Path, name: &str, bytes: &[u8]| {
            fs::write(&staged, bytes).unwrap();
            let sha256 = content::sha256_of(bytes).unwrap();
            let about = SavedDownload { sha256, bytes: bytes.len() as u64, ..SavedDownload::default() };
            FetchedFile { path: staged.clone(), about }.place_file(folder, name)
        };
        let put = |name: &str, bytes: &[u8]| {
            let (path, already) = put_into(folder.path(), name, bytes).unwrap();
            (path.file_name().unwrap().to_string_lossy().into_owned(), already)
        };
        assert_eq!(put("a.pdf", b"one"), ("a.pdf".into(), false));
        assert_eq!(put("a.pdf", b"one"), ("a.pdf".into(), true));
        assert_eq!(put("a.pdf", b"two"), ("a (2).pdf".into(), false));
        assert_eq!(put("a.pdf", b"two"), ("a (2).pdf".into(), true));
        assert_eq!(put("plain", b"x"), ("plain".into(), false));
        assert_eq!(put("plain", b"y"), ("plain (2)".into(), false));
        assert_eq!(fs::read(folder.path().join("a.pdf")).unwrap(), b"one");
        assert!(put_into(&folder.path().join("none"), "a.pdf", b"x").is_err());
        assert!(!staged.exists(), "what was fetched does not stay behind");
    }
}
