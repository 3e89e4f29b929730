//! Documents of transactions (contract section 4): sent one by one in bounded memory, asked for after an unknown
//! outcome, fetched into whatever takes bytes.

mod arrival;
mod file;
mod outgoing;
mod save;
mod upload;

pub use arrival::Arrival;
pub use file::{DocumentContent, DocumentFile};
pub(crate) use outgoing::Outgoing;
pub use save::{SaveError, SavedDownload};
pub use upload::{DocumentTarget, UploadedDocument};
