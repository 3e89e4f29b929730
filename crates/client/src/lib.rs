//! HTTPS client of the tax filing service (contract sections 1, 2, 3, 4 and 7).
//!
//! [`Client`] makes typed calls and takes care of what every call needs: credentials, a refresh shared
//! by all waiting calls, the limit of requests, retries where they are safe, deadlines, the trust of
//! the operating system, bounded bodies, and errors that say what happened in words. No message, log
//! line, address or `Debug` output contains a secret.

mod address;
mod body;
mod certificate;
mod client;
mod config;
mod connection;
mod credentials;
mod documents;
mod error;
mod event_stream;
mod exchange;
mod file_name;
mod imports;
mod limiter;
mod markup;
mod operation;
mod probe;
mod probe_wire;
mod problem_pointer;
mod public_file;
mod redirect;
mod refusal;
mod refusal_words;
mod retry;
mod retry_after;
mod search;
mod secret;
mod session;
mod shared_limit;
mod sign_in;
mod transport;
mod transport_error;
mod trust;
mod unread_answer;
mod webhooks;

pub use client::Client;
pub use config::{ClientConfig, RetryPolicy, Timeouts};
pub use credentials::{AccessGrant, Credentials, MemoryTokens, StoredTokens, TokenStore, UserTokens};
pub use documents::{
    DocumentContent, DocumentFile, DocumentPresence, DocumentTarget, DownloadedDocument, FetchedForm,
    FetchedForms, SaveError, SavedDownload, UploadedDocument,
};
pub use error::ClientError;
pub use event_stream::{EventStream, FeedBuffer, FeedConfig, FeedEntry, FeedPatience, check_feed_address};
pub use exchange::{ExchangeFailure, ExchangedAnswer, ExchangedRequest, RequestExchange, SharedExchange};
pub use file_name::safe_file_name;
pub use imports::TransactionLookup;
pub use operation::{OperationEffect, ServiceOperation};
pub use probe::{ProbeOutcome, ProbeStep, probe_connection};
pub use public_file::fetch_public_file;
pub use search::{
    FoundRecords, RecordSearch, SearchOptions, SearchOrder, SearchProgress, SearchShortfall, ShortfallReason,
};
pub use secret::Secret;
pub use shared_limit::{Reservation, SharedLimit};
pub use trust::check_authorities;
pub use unread_answer::{UnreadAnswer, UnreadObserver};
