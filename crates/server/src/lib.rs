//! The one accept loop of everything that listens: the receiver of events, the practice service, the desk over HTTP.
//!
//! Whoever connects is a stranger. Each connection has a bounded time for its TLS, its head and each piece it is
//! sent; there is a bound on connections, and one that asks for nothing makes room for one that may. Where all
//! are busy a request is refused with 503 before anything looks at it, one for another `Host` with 421, and every
//! refusal is counted. What a monitor asks (`/healthz`, `/readyz`, `/metrics`) is answered here as well.

mod accept_loop;
mod certificate;
mod connection_slots;
mod host_names;
mod refusal_counts;
mod request_body;
mod status_pages;

pub use accept_loop::{
    CutConnection, HttpServer, LoopRefusal, PeerAddress, ServerLimits, accept_connections,
};
pub use certificate::{CertificateError, CertificateFiles, server_config};
pub use host_names::HostNames;
pub use refusal_counts::{RefusalCounts, RefusalReason, report_refusals};
pub use status_pages::ReadyCheck;
