//! The product without a shell: the feature crates wired together, and every operation by name.
//!
//! The shells (window, command line, HTTP host) call [`dispatch()`] or the methods of [`Desk`]; the list of operations
//! is defined in one place, [`api`], together with its TypeScript bindings.

mod desk;
mod diagnostics;
mod dispatch;
mod install_update;
pub mod runs;
mod today;

pub use bordereau_api as api;
pub use bordereau_batches::{
    FolderLook, FolderWatch, ResumedDraft, WATCH_EVERY, WatchedContent, rules_by_column,
};
pub use bordereau_contract::{PracticeAction, PracticeAnswer};
pub use bordereau_documents::FetchedDocument;
pub use bordereau_events::{EventListener, EventLook, EventPace, EventWork, ListenSecrets};
pub use bordereau_outbox::OutboxPace;
pub use bordereau_quotes::pdf::{PdfContext, quote_pdf_bytes};
pub use bordereau_quotes::text;
pub use bordereau_session::Context;
pub use bordereau_session::backup::key_file_make;
pub use bordereau_session::content::sha256_of;
pub use bordereau_session::data_key::{KeyFileSecrets, KeyFileUse, others_can_read};
pub use bordereau_session::dropped_files::DroppedFile;
pub use bordereau_session::folder_exposure::folder_exposure;
pub use bordereau_session::policy::Policy;
pub use bordereau_session::policy_file::{policy_path, read_policy};
pub use bordereau_session::ports::{
    BoxFuture, Browser, Clock, EmailDraft, FileDialogs, FileFilter, Ports, PracticeEndpoint, PracticePort,
    SystemClock, SystemSignIn,
};
pub use bordereau_session::secrets::{
    self, KeychainSecrets, MemorySecrets, SecretName, SecretStore, SecretText, SecretsError,
};
pub use bordereau_session::signed_package::{ListedPackage, PACKAGE_KINDS, signed_text};
pub use bordereau_session::{files, reading_process, workspace};
pub use bordereau_spreadsheets::limits::FILE_BYTES_MAX;
pub use bordereau_store::import_runs::{ImportChunk, ImportRun};
pub use desk::{Desk, DeskConfig};
pub use dispatch::{SERVED, SERVED_WITHOUT_OFFICE, dispatch};
