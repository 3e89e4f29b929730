//! Transactions that exist: their record (contract section 8) and documents for them (section 4).

mod documents;
mod record;
mod search;

pub(crate) use documents::{get_document, post_documents as import_documents};
pub(crate) use record::get_status;
pub(crate) use search::post_search;
