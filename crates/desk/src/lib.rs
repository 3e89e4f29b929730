//! What a person does with Bordereau: one function per operation, written against ports.
//!
//! The shells (window, command line, HTTP host) call [`dispatch`] or the functions of [`Desk`] directly;
//! the list of operations is made in one place, [`api`], together with its TypeScript bindings.

mod account_name;
mod batch;
mod confirmation;
mod content;
mod context;
mod csv;
mod desk;
mod diligent;
mod dispatch;
mod documents;
mod dropped;
mod due;
mod events;
mod failure;
mod files;
mod pdf;
mod ports;
mod practice;
mod profile;
mod quote;
mod reference;
mod review;
pub mod secrets;
mod settings;
mod store;
mod totals;
mod transactions;
mod webhooks;

pub use batch::{OutboxPace, Outgoing};
pub use bordereau_api as api;
pub use bordereau_contract::{PracticeAction, PracticeAnswer};
pub use context::Context;
pub use desk::{Desk, DeskConfig};
pub use dispatch::{SERVED, dispatch};
pub use documents::FetchedDocument;
pub use dropped::DroppedFile;
pub use events::{EventLook, EventPace, EventWork, ListenSecrets, Listener};
pub use pdf::{PdfContext, quote_pdf_bytes};
pub use ports::{
    BoxFuture, Browser, Clock, Dialogs, FileFilter, Ports, Practice, PracticeEndpoint, SystemClock,
};
pub use quote::text;
pub use review::TakenUp;
pub use secrets::{KeychainSecrets, MemorySecrets, SecretName, SecretText, Secrets, SecretsError};
