//! From a file to an upload in the store.

use std::io::Read;
use std::path::Path;

use bordereau_contract::DOCUMENT_BYTES_MAX;

use super::content;
use crate::Desk;
use crate::api::*;
use crate::review::found_files;

/// Files of one request; a folder counts as what is in it.
const FILES_MAX: usize = 1_000;
/// Characters of a document code, and of an invoice number.
const CODE_MAX: usize = 20;
const INVOICE_MAX: usize = 255;

/// Which transaction a document belongs to: one of the two, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) transaction_id: Option<i64>,
    pub(crate) invoice_number: Option<String>,
}

/// A document to be uploaded that was made here or read already.
#[derive(Clone, Debug)]
pub(crate) struct NewDocument {
    /// Name, such as `Diligent Effort Form`.
    pub(crate) name: String,
    /// Code, such as `DEF`.
    pub(crate) code: String,
    pub(crate) file_name: String,
    pub(crate) content: Vec<u8>,
}

/// A document as it goes into the store.
pub(crate) struct Taken {
    pub(crate) target: Target,
    pub(crate) name: String,
    pub(crate) code: String,
    pub(crate) checked: content::Checked,
    pub(crate) content: Vec<u8>,
}

impl Target {
    /// # Errors
    /// [`ErrorCode::Validation`] with the field at fault.
    pub(crate) fn read(target: &DocumentTarget) -> Result<Target, BoundaryError> {
        let (number, invoice) = (target.transaction_id.trim(), target.invoice_number.trim());
        let at =
            |pointer: &str, message: &str| Err(BoundaryError::fields(vec![FieldError::at(pointer, message)]));
        match (number, invoice) {
            ("", "") => at(
                "/target/transaction_id",
                "Say which transaction the documents belong to: its number or its invoice number.",
            ),
            ("", invoice) if invoice.chars().count() > INVOICE_MAX => {
                at("/target/invoice_number", "An invoice number has at most 255 characters.")
            }
            ("", invoice) => Ok(Target { transaction_id: None, invoice_number: Some(invoice.to_owned()) }),
            (number, "") => match number.parse() {
                Ok(id) if id > 0 => Ok(Target { transaction_id: Some(id), invoice_number: None }),
                _ => at(
                    "/target/transaction_id",
                    "The number of a transaction is a whole number, such as 1042.",
                ),
            },
            _ => at(
                "/target/invoice_number",
                "Give the number of the transaction or its invoice number, not both: they could be of two transactions.",
            ),
        }
    }
}

impl Desk {
    /// Looks at files before anything is stored: what they are by content, their hashes, what cannot be sent
    /// and why, and which documents the state asks for.
    ///
    /// # Errors
    /// [`ErrorCode::NotFound`] for an unknown handle; [`ErrorCode::Storage`].
    pub async fn documents_look(&self, request: DocumentsLook) -> Result<DocumentsLooked, BoundaryError> {
        let choices = self.choices(&request.target).await?;
        let codes: Vec<String> = choices.iter().map(|choice| choice.code.clone()).collect();
        let mut paths = Vec::new();
        for handle in &request.handles {
            paths.push(self.dropped(handle)?);
        }
        let desk = self.clone();
        let look = move || -> Vec<LookedFile> {
            // What was named itself is always answered; a folder is opened.
            let opened = paths
                .into_iter()
                .flat_map(|path| if path.is_dir() { found_files(&[path]) } else { vec![path] });
            let mut files = Vec::new();
            for path in opened.take(FILES_MAX) {
                // A handle of its own, because a folder was opened.
                let Some(dropped) = desk.drop_files(vec![path.clone()]).pop() else { continue };
                files.push(looked(&path, dropped.handle, dropped.name, &codes));
            }
            files
        };
        let files = tokio::task::spawn_blocking(look).await;
        Ok(DocumentsLooked {
            files: files.map_err(|_| BoundaryError::internal("looking at files"))?,
            choices,
        })
    }

    /// Takes files into the queue, each stored with its hash before anything is sent. One bad file does not keep
    /// the others out. A file that was sent for this transaction and code before is not sent again.
    ///
    /// # Errors
    /// [`ErrorCode::Validation`] without a transaction or files; [`ErrorCode::Storage`].
    pub async fn documents_upload(&self, request: DocumentsUpload) -> Result<DocumentsQueued, BoundaryError> {
        let target = Target::read(&request.target)?;
        if request.files.is_empty() || request.files.len() > FILES_MAX {
            let message = "Choose at least one file, and at most 1,000 at once.";
            return Err(BoundaryError::fields(vec![FieldError::at("/files", message)]));
        }
        let profile = self.active_profile().await?;
        let choices = self.choices(&request.target).await?;
        let mut queued = DocumentsQueued::default();
        for file in request.files {
            let path = self.dropped(&file.handle)?;
            let name = name_of(&path);
            // One after the other: at most one file is in memory at a time.
            let read = tokio::task::spawn_blocking(move || read(&path)).await;
            let content = match read {
                Ok(Ok(content)) => content,
                Ok(Err(reason)) => {
                    queued.refused.push(RefusedFile { file_name: name, reason });
                    continue;
                }
                Err(_) => return Err(BoundaryError::internal("reading a file")),
            };
            let code = file.code.trim().to_ascii_uppercase();
            let wanted = choices.iter().find(|choice| choice.code == code);
            let document = NewDocument {
                name: wanted.map_or_else(|| code.clone(), |choice| choice.name.clone()),
                code,
                file_name: name.clone(),
                content,
            };
            match taken(target.clone(), document, &file.sha256) {
                Ok(taken) => queued.uploads.push(self.queue_upload(&profile, taken).await?),
                Err(reason) => queued.refused.push(RefusedFile { file_name: name, reason }),
            }
        }
        self.inner.uploads.wake();
        self.ensure_upload_worker();
        Ok(queued)
    }

    /// Takes a document made here, such as a filled form, into the queue of the active profile.
    ///
    /// # Errors
    /// [`ErrorCode::Validation`] where it cannot be sent; [`ErrorCode::Storage`].
    pub(crate) async fn document_keep(
        &self,
        target: Target,
        document: NewDocument,
    ) -> Result<UploadView, BoundaryError> {
        let profile = self.active_profile().await?;
        let refused = |reason| BoundaryError::of(ErrorCode::Validation, reason);
        let view = self.queue_upload(&profile, taken(target, document, "").map_err(refused)?).await?;
        self.inner.uploads.wake();
        self.ensure_upload_worker();
        Ok(view)
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn looked(path: &Path, handle: String, name: String, codes: &[String]) -> LookedFile {
    let content = read(path);
    let bytes = content.as_ref().map_or(0, |content| content.len() as u64);
    let checked = content.and_then(|content| content::check(&name, &content));
    match checked {
        Ok(checked) => LookedFile {
            handle,
            code: content::code_by_name(&checked.file_name, codes),
            file_name: checked.file_name,
            bytes,
            kind: checked.kind.name.to_owned(),
            sha256: checked.sha256,
            refused: None,
        },
        Err(reason) => LookedFile {
            handle,
            file_name: bordereau_client::safe_file_name(&name),
            bytes,
            kind: String::new(),
            sha256: String::new(),
            refused: Some(reason),
            code: String::new(),
        },
    }
}

/// The whole file, bounded: also where it grows while it is read.
fn read(path: &Path) -> Result<Vec<u8>, String> {
    let unreadable = |error: std::io::Error| {
        let advice = match error.kind() {
            std::io::ErrorKind::NotFound => "it is no longer there",
            std::io::ErrorKind::PermissionDenied => "you may not read it",
            _ => "another program may have it open",
        };
        format!("The file cannot be read ({}): {advice}.", error.kind())
    };
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let metadata = file.metadata().map_err(unreadable)?;
    if !metadata.is_file() {
        return Err("It is a folder or a device, not a file.".to_owned());
    }
    if let Some(problem) = content::size_problem(metadata.len()) {
        return Err(problem);
    }
    let mut content = Vec::new();
    file.take(DOCUMENT_BYTES_MAX as u64 + 1).read_to_end(&mut content).map_err(unreadable)?;
    Ok(content)
}

fn taken(target: Target, document: NewDocument, seen: &str) -> Result<Taken, String> {
    let code = document.code.trim().to_ascii_uppercase();
    let is_code = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if code.is_empty() || code.len() > CODE_MAX || !code.chars().all(is_code) {
        return Err("Say what kind of document it is: a code such as POLIC.".to_owned());
    }
    let checked = content::check(&document.file_name, &document.content)?;
    if !seen.is_empty() && !seen.eq_ignore_ascii_case(&checked.sha256) {
        return Err("The file has changed since it was looked at. Look at it again.".to_owned());
    }
    Ok(Taken { target, name: document.name, code, checked, content: document.content })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_one_transaction() {
        let of = |id: &str, invoice: &str| {
            Target::read(&DocumentTarget { transaction_id: id.into(), invoice_number: invoice.into() })
        };
        assert_eq!(of(" 42 ", "").unwrap().transaction_id, Some(42));
        assert_eq!(of("", "INV-1").unwrap().invoice_number.as_deref(), Some("INV-1"));
        for (id, invoice) in [("", " "), ("x", ""), ("-1", ""), ("1", "INV-1")] {
            assert_eq!(of(id, invoice).unwrap_err().code, ErrorCode::Validation, "{id} {invoice}");
        }
    }
}
