//! The practice service: the whole wire contract over HTTPS on one machine, offline, with no account.
//!
//! A library that takes a bound listener ([`start`]); time is injected ([`Clock`]). Besides the contract
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
mod dialects;
mod diligent;
mod directory;
mod faults;
mod form_pdf;
mod imports;
mod lent_body;
mod limits;
mod listen;
pub mod openapi;
mod practice;
mod refusal;
mod routes;
mod running;
mod secrets;
pub mod serve;
mod service;
mod start;
mod store;
mod templates;
mod token;
mod transactions;
mod webhooks;
mod wordings;

pub use clock::{Clock, SettableClock, SystemClock};
pub use config::{AccountKind, AccountSeed, Config};
pub use dialects::{Dialect, dialects, parse_dialects};
pub use practice::PracticeRoom;
pub use running::{Running, StartError};
pub use start::start;
