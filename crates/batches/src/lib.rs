//! Batches: a file becomes rows with issues that are repaired and confirmed ([`review`]); then they are sent, with
//! their results ([`outbox`]).

pub mod outbox;
pub mod review;

pub use bordereau_spreadsheets::{FileChunk, ReadOptions};
pub use bordereau_store::WatchedFile;
pub use outbox::OutboxPace;
pub use review::{FolderLook, FolderWatch, ResumedDraft, WATCH_EVERY, WatchedContent, rules_by_column};
