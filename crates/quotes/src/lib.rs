//! Quotes: the question as typed, the estimate of the built-in rules, the answer of the service.

mod applied_rules;
mod ask_service;
mod cancellation;
mod compare;
mod document;
mod document_filter;
mod from_rules;
mod from_service;
mod html;
mod installments;
pub mod pdf;
mod premium_search;
mod premium_text;
mod rates;
mod read_request;
mod saved_quotes;
mod service_notes;
pub mod text;
mod wire;
mod wording;

pub use ask_service::estimate_quote;
pub use ask_service::{quote_calculate, quote_estimate};
pub use cancellation::quote_cancellation;
pub use compare::quote_compare;
pub use document::form_template_download;
pub use from_rules::source_ref;
pub use html::plain_text;
pub use installments::quote_payments_list;
pub use premium_search::quote_premium_find;
pub use rates::rates_list;
use read_request::CalculatorQuestion;
pub use read_request::read_date;
pub use saved_quotes::{draft_load, draft_save, quote_list, quote_open, quote_remove, quote_save};
pub use wording::stamp_wording;
