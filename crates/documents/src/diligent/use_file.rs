//! What becomes of a filled form: saved, opened for printing, uploaded to its transaction.

use std::sync::Arc;

use super::FormFile;
use crate::diligent::DiligentFiles;
use crate::fetch_document::open_with_program;
use crate::new_upload::{NewDocument, store_new_document};
use crate::target::UploadTarget;
use bordereau_api::{
    BoundaryError, DocumentTarget, ErrorCode, FileOutcome, FormHandle, FormUpload, Nothing, UploadView,
};
use bordereau_session::download_mark::mark_download;
use bordereau_session::files;
use bordereau_session::ports::FileFilter;
use bordereau_session::{Context, run_off_thread};

/// Asks where to save a filled form.
///
/// # Errors
/// [`ErrorCode::NotFound`] when it is no longer held; [`ErrorCode::Storage`].
pub async fn form_save(ctx: &Context, request: FormHandle) -> Result<FileOutcome, BoundaryError> {
    let file = DiligentFiles::from_context(ctx).find_file(&request.handle)?;
    let (name, bytes) = (file.file_name.clone(), file.bytes.clone());
    let extensions: Vec<String> = files::file_extension(&name).into_iter().collect();
    let filter = FileFilter { name: "Document".into(), extensions };
    match file.is_download {
        true => files::save_download(ctx.ports(), name, filter, bytes).await,
        false => files::save_through(ctx.ports(), name, filter, bytes).await,
    }
}

/// Opens a filled form with the system's program for PDF, which prints it.
///
/// # Errors
/// [`ErrorCode::NotFound`] when it is no longer held; [`ErrorCode::Storage`] when it can't be written;
/// [`ErrorCode::NoProgram`] when no program opens it.
pub async fn form_print(ctx: &Context, request: FormHandle) -> Result<Nothing, BoundaryError> {
    let file = DiligentFiles::from_context(ctx).find_file(&request.handle)?;
    let folder = DiligentFiles::from_context(ctx).printed_folder();
    let written = run_off_thread("writing a file", move || write(&folder, &file)).await?;
    let path = written.map_err(|error| {
        let kind = error.kind();
        BoundaryError::with_code(
            ErrorCode::Storage,
            format!("The form can't be opened ({kind}). Save it instead."),
        )
    })?;
    open_with_program(ctx, &path)?;
    Ok(Nothing {})
}

/// Puts a filled form into the queue of uploads: stored first, then sent to the transaction.
///
/// # Errors
/// [`ErrorCode::NotFound`] when it is no longer held; [`ErrorCode::Validation`] without a transaction, or
/// without the word that production asks for; [`ErrorCode::Storage`].
pub async fn form_upload(ctx: &Context, request: FormUpload) -> Result<UploadView, BoundaryError> {
    let file: Arc<FormFile> = DiligentFiles::from_context(ctx).find_file(&request.handle)?;
    let transaction_id = request.transaction_id.trim().to_owned();
    if transaction_id.is_empty() {
        let message = "Enter the number of the transaction the form belongs to.";
        return Err(BoundaryError::invalid_field("/transaction_id", message));
    }
    let target = UploadTarget::read(&DocumentTarget { transaction_id, invoice_number: String::new() })?;
    let document = NewDocument {
        name: file.name.clone(),
        code: file.code.clone(),
        file_name: file.file_name.clone(),
        content: file.bytes.clone(),
    };
    store_new_document(ctx, target, document, &request.typed).await
}

/// Written again each time under its handle; files of earlier runs are removed.
fn write(folder: &std::path::Path, file: &FormFile) -> std::io::Result<std::path::PathBuf> {
    bordereau_store::make_private_folder(folder)?;
    let own = folder.join(format!("{}-{}", std::process::id(), file.handle));
    for earlier in std::fs::read_dir(folder)?.flatten() {
        let mine = earlier.file_name().to_string_lossy().starts_with(&format!("{}-", std::process::id()));
        if !mine {
            // Another program may still have it open; then it goes the next time.
            let _ = std::fs::remove_dir_all(earlier.path());
        }
    }
    std::fs::create_dir_all(&own)?;
    let path = own.join(&file.file_name);
    files::write_whole(&path, &file.bytes)?;
    if file.is_download {
        mark_download(&path);
    }
    Ok(path)
}
