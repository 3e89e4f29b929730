//! The desk against the real practice service, with fixed time and secrets in memory.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics, in its helpers too")]

#[cfg(unix)]
mod backups;
mod bent_answers;
mod bindings;
mod charges;
mod copied_store;
mod dialects;
mod diligent;
mod disk_full;
mod documents;
#[cfg(unix)]
mod encryption;
mod erase;
mod events_kills;
mod events_receiver;
mod events_story;
mod idle_lock;
#[cfg(unix)]
mod office;
mod other_service;
mod outbox_answers;
mod outbox_audit;
mod outbox_faults;
mod outbox_fixture;
mod outbox_forms;
mod outbox_kills;
mod outbox_lost;
mod outbox_proof;
mod outbox_refusals;
mod outbox_review;
mod outbox_send;
mod pdf;
mod profiles;
mod quotes;
mod retention;
mod review_files;
mod review_flow;
mod review_keep;
#[cfg(unix)]
mod review_pipes;
mod review_reading;
mod review_rows;
mod review_sources;
mod review_steps;
mod rules;
mod saved;
mod secrecy;
#[cfg(unix)]
mod simulation;
mod single_import;
mod stopped_runs;
mod store;
mod test_desk;
mod test_keychain;
mod today;
mod transactions;
mod truth;
mod under_way;
mod updates;
mod uploads;
mod validation;
mod version_0_1;
mod webhooks;

/// Shared with the tests of the readers.
#[path = "../../../spreadsheets/tests/it/workbook_writers.rs"]
mod workbook_writers;
