//! Turns a file into an upload in the store.

use std::collections::HashMap;
use std::path::Path;

use super::file_transactions::propose_transactions;
use super::required_documents::document_choices;
use super::target::UploadTarget;
use super::upload_files::{self, NotCopied, StoredCopy, UploadFiles};
use super::upload_worker::UploadWorker;
use super::worker::ensure_upload_worker;
use bordereau_api::*;
use bordereau_batches::found_files;
use bordereau_session::confirmation::ensure_confirmed;
use bordereau_session::content;
use bordereau_session::dropped_files::choose_files;
use bordereau_session::dropped_files::dropped_path;
use bordereau_session::profile::active_profile;
use bordereau_session::{Context, run_off_thread};
use bordereau_store::file_error;
use bordereau_store::uploads::{NewUpload, UploadInsert, insert_upload};

/// Files of one request; a folder counts with all its files.
const FILES_MAX: usize = 1_000;
/// Characters of a document code.
const CODE_MAX: usize = 20;

/// A document to upload that was made here or already read.
#[derive(Clone, Debug)]
pub struct NewDocument {
    /// Name, such as `Diligent Effort Form`.
    pub name: String,
    /// Code, such as `DEF`.
    pub code: String,
    /// Its name, without its folder.
    pub file_name: String,
    /// Its bytes.
    pub content: Vec<u8>,
}

/// A document as it goes into the store.
pub struct AcceptedDocument {
    pub target: UploadTarget,
    pub name: String,
    pub code: String,
    /// The bytes to send, whatever happens to the original file.
    pub copy: StoredCopy,
}

/// Stores a document, unless the same content is queued or sent already for the same transaction and code: then that
/// upload is returned.
async fn queue_upload(
    ctx: &Context,
    profile: &Profile,
    taken: AcceptedDocument,
) -> Result<UploadView, BoundaryError> {
    let (checked, file) = (taken.copy.checked, taken.copy.file);
    let copies = UploadWorker::from_context(ctx).stored_copies().clone();
    // In an office any desk may send it.
    let is_office = ctx.store().office().is_some();
    let content = if is_office { copies.read_bytes(&file).await? } else { Vec::new() };
    let upload = NewUpload {
        transaction_id: taken.target.transaction_id,
        invoice_number: taken.target.invoice_number,
        name: taken.name,
        code: taken.code,
        file_name: checked.file_name,
        kind: checked.kind.name.to_owned(),
        bytes: checked.bytes,
        sha256: checked.sha256,
        content_file: if is_office { String::new() } else { file.clone() },
        content,
    };
    let day = ctx.ports().clock.today().to_string();
    let stored = insert_upload(ctx.store(), profile.clone(), upload, ctx.now_stamp(), day).await;
    // Not needed: the office has the content, or the document was queued before or couldn't be stored.
    if is_office || !matches!(&stored, Ok((_, UploadInsert::New))) {
        copies.remove(&file);
    }
    Ok(stored?.0)
}

/// Inspects files before anything is stored: their kind by content, their hashes, why one can't be sent, and which
/// documents the state asks for.
///
/// # Errors
/// [`ErrorCode::NotFound`] for an unknown handle; [`ErrorCode::Storage`].
pub async fn documents_inspect(
    ctx: &Context,
    request: FileInspectionRequest,
) -> Result<FileInspection, BoundaryError> {
    let choices = document_choices(ctx, &request.target).await?;
    let codes: Vec<String> = choices.iter().map(|choice| choice.code.clone()).collect();
    let mut paths = Vec::new();
    for handle in &request.handles {
        paths.push(dropped_path(ctx, handle)?);
    }
    let context = ctx.clone();
    let look = move || -> Vec<InspectedFile> {
        // Files named by the person are always listed; folders are opened.
        let opened =
            paths.into_iter().flat_map(|path| if path.is_dir() { found_files(&[path]) } else { vec![path] });
        let mut files = Vec::new();
        for path in opened.take(FILES_MAX) {
            // The file needs its own handle because a folder was opened.
            let Some(dropped) = choose_files(&context, vec![path.clone()]).pop() else { continue };
            files.push(inspect_file(&path, dropped.handle, dropped.name, &codes));
        }
        files
    };
    let mut files = run_off_thread("looking at files", look).await?;
    if request.target == DocumentTarget::default() {
        propose_transactions(ctx, &mut files).await?;
    }
    Ok(FileInspection { files, choices })
}

/// Queues files, each stored with its hash before anything is sent. One bad file doesn't stop the others. A file
/// already sent for this transaction and code isn't sent again.
///
/// # Errors
/// [`ErrorCode::Validation`] without a transaction or files, or without the confirmation word for production;
/// [`ErrorCode::Storage`].
pub async fn documents_upload(
    ctx: &Context,
    request: DocumentsUpload,
) -> Result<DocumentsQueued, BoundaryError> {
    if request.files.is_empty() || request.files.len() > FILES_MAX {
        let message = "Choose at least one file, and at most 1,000 at once.";
        return Err(BoundaryError::invalid_field("/files", message));
    }
    let targets = read_targets(&request)?;
    let profile = active_profile(ctx).await?;
    ensure_confirmed(ctx, &profile, &request.typed).await?;
    // All are known before the first is stored.
    let mut choices: HashMap<UploadTarget, Vec<WantedDocument>> = HashMap::new();
    for (target, given) in &targets {
        if !choices.contains_key(target) {
            choices.insert(target.clone(), document_choices(ctx, given).await?);
        }
    }
    let mut queued = DocumentsQueued::default();
    for (file, (target, _)) in request.files.into_iter().zip(targets) {
        let path = dropped_path(ctx, &file.handle)?;
        let name = name_of(&path);
        let code = file.code.trim().to_ascii_uppercase();
        let wanted = choices[&target].iter().find(|choice| choice.code == code);
        let called = wanted.map_or_else(|| code.clone(), |choice| choice.name.clone());
        let (stored_copies, shown) = (UploadWorker::from_context(ctx).stored_copies().clone(), name.clone());
        let copy = move || {
            let code = code_of(&code)?;
            let source = upload_files::open_source(&path).map_err(NotCopied::Refused)?;
            Ok((code, seen_before(&stored_copies, stored_copies.store_copy(&shown, source)?, &file.sha256)?))
        };
        match in_background(copy).await? {
            Ok((code, copy)) => {
                let taken = AcceptedDocument { target, name: called, code, copy };
                queued.uploads.push(queue_upload(ctx, &profile, taken).await?);
            }
            Err(reason) => queued.refused.push(RefusedFile { file_name: name, reason }),
        }
    }
    UploadWorker::from_context(ctx).wake();
    ensure_upload_worker(ctx);
    Ok(queued)
}

/// The transaction of each file, checked and as it was given.
fn read_targets(request: &DocumentsUpload) -> Result<Vec<(UploadTarget, DocumentTarget)>, BoundaryError> {
    let read = |(at, file): (usize, &UploadFile)| {
        let is_own = file.target != DocumentTarget::default();
        let given = if is_own { &file.target } else { &request.target };
        match UploadTarget::read(given) {
            Ok(target) => Ok((target, given.clone())),
            Err(mut error) if is_own => {
                for detail in &mut error.details {
                    detail.pointer = format!("/files/{at}{}", detail.pointer);
                }
                Err(error)
            }
            Err(error) => Err(error),
        }
    };
    request.files.iter().enumerate().map(read).collect()
}

/// Queues a document made here, such as a filled form, for the active profile.
///
/// # Errors
/// [`ErrorCode::Validation`] where it can't be sent, or without the confirmation word for production;
/// [`ErrorCode::Storage`].
pub async fn store_new_document(
    ctx: &Context,
    target: UploadTarget,
    document: NewDocument,
    typed: &str,
) -> Result<UploadView, BoundaryError> {
    let profile = active_profile(ctx).await?;
    ensure_confirmed(ctx, &profile, typed).await?;
    let stored_copies = UploadWorker::from_context(ctx).stored_copies().clone();
    let copy = move || {
        let code = code_of(&document.code)?;
        Ok((code, document.name, stored_copies.store_copy(&document.file_name, document.content.as_slice())?))
    };
    let refused = |reason| BoundaryError::with_code(ErrorCode::Validation, reason);
    let (code, name, copy) = in_background(copy).await?.map_err(refused)?;
    let view = queue_upload(ctx, &profile, AcceptedDocument { target, name, code, copy }).await?;
    UploadWorker::from_context(ctx).wake();
    ensure_upload_worker(ctx);
    Ok(view)
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Copies off the asynchronous threads. A document that can't be sent and a disk that can't be written are separate
/// errors.
async fn in_background<T: Send + 'static>(
    copy: impl FnOnce() -> Result<T, NotCopied> + Send + 'static,
) -> Result<Result<T, String>, BoundaryError> {
    match run_off_thread("copying a document", copy).await? {
        Ok(copied) => Ok(Ok(copied)),
        Err(NotCopied::Refused(reason)) => Ok(Err(reason)),
        Err(NotCopied::Unwritten(error)) => {
            let message = format!(
                "The document could not be copied into the data folder ({}). Free some space and try again; nothing of it was sent.",
                error.kind()
            );
            Err(file_error(&error, message))
        }
    }
}

fn inspect_file(path: &Path, handle: String, name: String, codes: &[String]) -> InspectedFile {
    let checked = upload_files::open_source(path).and_then(|source| {
        upload_files::scan_copy(&name, source, &mut std::io::sink()).map_err(|not| match not {
            NotCopied::Refused(reason) => reason,
            NotCopied::Unwritten(error) => error.to_string(),
        })
    });
    match checked {
        Ok(checked) => InspectedFile {
            handle,
            code: content::code_by_name(&checked.file_name, codes),
            file_name: checked.file_name,
            bytes: checked.bytes,
            kind: checked.kind.name.to_owned(),
            sha256: checked.sha256,
            refused: None,
            transactions: Vec::new(),
        },
        Err(reason) => InspectedFile {
            handle,
            file_name: bordereau_client::safe_file_name(&name),
            bytes: std::fs::metadata(path).map_or(0, |metadata| metadata.len()),
            kind: String::new(),
            sha256: String::new(),
            refused: Some(reason),
            code: String::new(),
            transactions: Vec::new(),
        },
    }
}

/// A document code as it is sent.
fn code_of(typed: &str) -> Result<String, NotCopied> {
    let code = typed.trim().to_ascii_uppercase();
    let is_code = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if code.is_empty() || code.len() > CODE_MAX || !code.chars().all(is_code) {
        let message = "Choose the type of the document: a code such as POLIC.";
        return Err(NotCopied::Refused(message.to_owned()));
    }
    Ok(code)
}

/// The copy, unless it differs from what the person looked at; `seen` is the hash of that, or empty.
fn seen_before(stored_copies: &UploadFiles, copy: StoredCopy, seen: &str) -> Result<StoredCopy, NotCopied> {
    if seen.is_empty() || seen.eq_ignore_ascii_case(&copy.checked.sha256) {
        return Ok(copy);
    }
    stored_copies.remove(&copy.file);
    let message = "The file has changed since you chose it. Choose it again.";
    Err(NotCopied::Refused(message.to_owned()))
}
