//! Quotes: the question as typed, the estimate of the built-in rules, the answer of the service.

mod ask;
mod compare;
mod document;
mod from_rules;
mod from_service;
mod html;
pub mod pdf;
mod saved;
pub mod text;
mod typed;
mod wire;
mod wording;

pub use ask::estimate;
pub use ask::{quote_calculate, quote_estimate};
pub use compare::quote_compare;
pub use document::document_download;
pub use from_rules::{source, sureness};
pub use html::plain as plain_text;
pub use saved::{draft_load, draft_save, quote_list, quote_open, quote_remove, quote_save};
use typed::Asked;
pub use wording::stamp_wording;
