//! Transactions that exist: their record (contract section 8) and documents for them (section 4).

mod documents;
mod record;
mod search;

pub(crate) use documents::{download, import as import_documents};
pub(crate) use record::status;
pub(crate) use search::search;
