//! Documents of transactions (contract section 4): sent one by one in bounded memory, asked for after an unknown
//! outcome, fetched into whatever takes bytes.

mod document_body;
mod download;
mod file;
mod upload;

pub(crate) use document_body::OutgoingDocument;
pub(crate) use download::is_about_document;
pub use download::{DownloadedDocument, FetchedForm, FetchedForms, SaveError, SavedDownload};
pub use file::{DocumentContent, DocumentFile};
pub(crate) use upload::fill_addresses;
pub use upload::{DocumentPresence, DocumentTarget, UploadedDocument};
