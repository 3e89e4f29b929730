//! Quotes: the question as typed, the estimate of the built-in rules, the answer of the service.

mod ask;
mod compare;
mod document;
mod from_rules;
mod from_service;
mod html;
mod saved;
mod typed;
mod wire;
mod wording;

pub(crate) use from_rules::{source, sureness};
pub use html::plain as plain_text;
use typed::Asked;
pub(crate) use wire::pointer_of;
