//! Documents of transactions.
//!
//! A document to upload is in the store with its hash before its first byte is sent. Where an answer was lost, the
//! documents of the record are fetched and compared by content before anything is sent again; however this process
//! ends, the next one continues.

mod arrival;
pub mod diligent;
mod downloads;
mod fetch_document;
mod file_transactions;
mod new_upload;
mod operations;
mod required_documents;
mod target;
mod upload_files;
mod upload_job;
mod upload_worker;
mod worker;

pub use fetch_document::FetchedDocument;
pub use new_upload::NewDocument;
pub use target::UploadTarget;
pub use upload_worker::{UPLOADS_LOCK, UploadWorker};
pub use worker::ensure_upload_worker;

pub use fetch_document::{
    documents_fetch, transaction_document_download, transaction_document_download_cancel,
    transaction_document_open, transaction_documents_fetching,
};
pub use new_upload::store_new_document;
pub use new_upload::{documents_inspect, documents_upload};
pub use operations::{
    documents_choose, documents_queue, documents_wait, upload_cancel, upload_decide, upload_retry,
};
pub use required_documents::record_of;
pub use required_documents::{documents_missing, transaction_documents};
