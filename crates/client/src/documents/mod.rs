//! Documents of transactions (contract section 4): sent one by one in bounded memory, asked for after an unknown
//! outcome, fetched into whatever takes bytes.

mod document_body;
mod file;
mod presence;
mod save;
mod upload;

pub(crate) use document_body::OutgoingDocument;
pub use file::{DocumentContent, DocumentFile};
pub use presence::DocumentPresence;
pub use save::{SaveError, SavedDownload};
pub use upload::{DocumentTarget, UploadedDocument};
