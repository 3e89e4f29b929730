//! Shared by all shells: the data folder, the practice service inside the process, and the desk served over HTTP on
//! loopback so that the UI also runs in an ordinary browser.
//!
//! The window and the command line use [`DataFolder`] and [`InProcessPractice`]; browser tests and design
//! work use [`HttpHost`].

pub mod credential_output;
mod data_folder;
mod draft_work_lock;
mod drop_folder;
mod endpoint_file;
mod file_target;
mod http;
mod import_lock;
mod practice;
mod practice_actions;
mod process;
mod saved_folder;
mod shutdown;
mod start_check;
mod static_files;
pub mod terminal_text;
mod token;
mod unattended_secrets;

pub use data_folder::{DATA_KEY_VARIABLE, DATA_VARIABLE, DataFolder, DataFolderError, find_key_file};
pub use draft_work_lock::DraftWorkLock;
pub use drop_folder::DROP_MAX_BYTES;
pub use file_target::FileTarget;
pub use http::{BODY_MAX_BYTES, CONTENT_SECURITY_POLICY, HttpHost, TOKEN_HEADER, serve_http, status_of};
pub use import_lock::ImportLock;
pub use practice::InProcessPractice;
pub use process::protect_process;
pub use saved_folder::{NoBrowser, SavedFolder};
pub use shutdown::wait_for_shutdown;
pub use start_check::check_computer;
pub use token::AccessToken;
pub use unattended_secrets::{
    FILES_KEY_VARIABLE, KEY_VARIABLE, OFFICE_PASSWORD_VARIABLE, PASSWORD_VARIABLE, from_environment,
    open_secrets,
};
