//! What every feature works with: the [`Context`] with store, profile in use, clients, clock and ports; profiles,
//! secrets, settings, the confirmation of a send, the person's files.

pub mod account_name;
pub mod backup;
pub mod confirmation;
pub mod content;
mod context;
pub mod csv;
pub mod download_mark;
pub mod dropped_files;
pub mod failure;
pub mod files;
pub mod folder_exposure;
pub mod idle_lock;
pub mod ports;
pub mod practice;
pub mod printed_pages;
pub mod profile;
pub mod reading_process;
pub mod reference;
pub mod retention;
pub mod secrets;
pub mod settings;

pub use context::Context;
