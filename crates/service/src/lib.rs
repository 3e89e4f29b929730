//! The practice service: the whole wire contract over HTTPS on one machine, offline, with no account.
//!
//! A library that takes a bound listener (`start`); time is injected ([`Clock`]). Besides the contract
//! it answers under `/practice/`: moving the clock, injecting faults, managing accounts. The client
//! crate never calls those.

mod answer;
mod authority;
mod body;
mod calculator;
mod caller;
mod clock;
mod config;
mod data_dir;
mod diligent;
mod directory;
mod faults;
mod form_pdf;
mod imports;
mod limits;
#[cfg(feature = "openapi")]
pub mod openapi;
mod practice;
mod refusal;
mod routes;
mod rule_notes;
mod running_service;
mod secrets;
pub mod serve;
mod service;
mod sign_in_guard;
mod speak;
mod start;
mod templates;
mod token;
mod transactions;
mod webhooks;
mod wordings;

pub use bordereau_dialects::{Dialect, dialects, parse_dialects};
pub use bordereau_service_store::{StoreError, accounts::AccountKind};
pub use clock::{Clock, SettableClock, SystemClock};
pub use config::{AccountSeed, ServiceConfig};
pub use practice::PracticeControls;
pub use running_service::{RunningService, StartError};
pub use start::start_service;
