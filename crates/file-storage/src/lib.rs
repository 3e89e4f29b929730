//! The larger files of an office, beside its database: in a folder that every desk reaches, or in S3. Each is named by
//! the SHA-256 of what is in it, and checked against it when it is read.
//!
//! Calls block, as those of the office's database do.

mod bucket;
mod failure;
mod file_place;
mod file_storage;
mod folder;
mod storage_cache;

pub use failure::FileStorageError;
pub use file_place::{BOUND_KB, FilePlace, OfficeFiles};
pub use file_storage::{FileStorage, name_content};
pub use storage_cache::{KeySource, StorageCache};
