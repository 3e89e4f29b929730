//! What every feature needs: the [`Context`] with store, profile in use, clients, clock and ports; profiles,
//! secrets, settings, the confirmation of a send, the person's files.

pub mod account_name;
pub mod assignments;
pub mod audit_log;
pub mod backup;
pub mod confirmation;
pub mod content;
mod context;
pub mod data_key;
pub mod download_mark;
pub mod dropped_files;
pub mod failure;
pub mod file_numbers;
pub mod files;
pub mod folder_exposure;
pub mod grid_layout;
pub mod idle_lock;
mod off_thread;
pub mod policy;
pub mod policy_file;
pub mod policy_view;
pub mod ports;
pub mod practice;
pub mod printed_pages;
pub mod profile;
mod public_files;
pub mod reading_process;
pub mod reference;
pub mod retention;
pub mod rules;
mod rules_in_use;
pub mod secrets;
mod service_trouble;
pub mod settings;
pub mod signed_package;
pub mod updates;
mod web_address;
pub mod workspace;

pub use context::Context;
pub use off_thread::run_off_thread;
pub use service_trouble::ServiceTrouble;
