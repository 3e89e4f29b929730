//! The real binary, with a data folder of its own for each test and no keychain.
#![allow(clippy::unwrap_used, reason = "in a test a panic is the answer")]

// The SQLite that rusqlite calls.
use bordereau_sqlite as _;

mod backups;
mod chunked;
mod command;
mod documents;
mod endings;
mod forms;
mod hostile_files;
mod imports;
mod listening;
mod lost;
mod monitoring;
mod profiles;
mod quotes;
mod reach;
mod rules;
mod searching;
mod sending;
mod service;
mod stored;
mod strangers;
mod webhooks;
#[cfg(unix)]
mod workspaces;
