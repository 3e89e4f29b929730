//! The practice service through real HTTPS.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod accounts;
mod bad_input;
mod calculator;
mod dialects;
mod diligent;
mod documents;
mod faults;
mod harness;
mod hostile;
mod import_restarts;
mod imports;
mod limits;
mod openapi;
mod persistence;
mod receiver;
mod search;
mod sign_in;
mod state;
mod strangers;
mod templates;
mod transport;
mod unreadable_fields;
mod webhooks;
mod webhooks_schedule;
mod wrong_types;
