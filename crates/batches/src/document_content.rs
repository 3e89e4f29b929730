//! Documents of a batch: read and checked when the batch is stored, so that cleaning up the folder later loses
//! nothing.

use std::io::Read;

use bordereau_contract::DOCUMENT_BYTES_MAX;

use bordereau_api::{BoundaryError, ErrorCode};
use bordereau_session::content::FileInspector;
use bordereau_session::files::open_chosen;
use bordereau_store::batches::documents::BatchFile;

/// Reads a file that was matched to a row. Refused where it changed since it was checked, or where its content isn't
/// a document.
pub fn read(path: &str, file_name: &str, code: &str, sha256: &str) -> Result<BatchFile, BoundaryError> {
    let not = |why: &str| {
        BoundaryError::with_code(
            ErrorCode::Storage,
            format!(
                "The document \"{file_name}\" cannot be sent: {why} Match the documents again. Nothing was sent."
            ),
        )
    };
    let unreadable = |error: std::io::Error| not(&format!("It cannot be read ({}).", error.kind()));
    let mut content = Vec::new();
    let file = open_chosen(path.as_ref()).map_err(|why| not(&format!("It cannot be read ({why}).")))?;
    file.take(DOCUMENT_BYTES_MAX as u64 + 1).read_to_end(&mut content).map_err(unreadable)?;
    let mut look = FileInspector::default();
    look.add_piece(&content);
    let checked = look.finish_check(file_name).map_err(|why| not(&why))?;
    if !sha256.is_empty() && checked.sha256 != sha256 {
        return Err(not("It has changed since it was matched."));
    }
    let (name, code) = (code.to_owned(), code.to_owned());
    Ok(BatchFile { name, code, file_name: checked.file_name, content, ..BatchFile::default() })
}
