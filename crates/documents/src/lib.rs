//! Documents of transactions.
//!
//! What is to be uploaded is in the store with its hash before its first byte leaves. Where an answer was
//! lost, the documents of the record are asked for and compared by content before anything is sent again;
//! whatever ends this process, the next one goes on from there.

mod arrival;
pub mod diligent;
mod downloads;
mod fetching;
mod operations;
mod shelf;
mod taking;
mod target;
mod upload_job;
mod upload_worker;
mod wanted;
mod worker;

pub use fetching::FetchedDocument;
pub use taking::NewDocument;
pub use target::Target;
pub use upload_worker::UploadWorker;
pub use worker::ensure_upload_worker;

pub use fetching::{
    documents_fetch, transaction_document_cancel, transaction_document_open, transaction_document_save,
    transaction_documents_fetching,
};
pub use operations::{
    document_cancel, document_decide, document_retry, documents_choose, documents_queue, documents_wait,
};
pub use taking::document_keep;
pub use taking::{documents_look, documents_upload};
pub use wanted::record_of;
pub use wanted::{documents_missing, transaction_documents};
