//! Documents of transactions (contract section 4): sent one by one in bounded memory, asked for after an unknown
//! outcome, fetched into whatever takes bytes.

mod presence;
mod file;
mod document_body;
mod save;
mod upload;

pub use presence::DocumentPresence;
pub use file::{DocumentContent, DocumentFile};
pub(crate) use document_body::OutgoingDocument;
pub use save::{SaveError, SavedDownload};
pub use upload::{DocumentTarget, UploadedDocument};
