//! Where the service is and how patiently it is asked.

use std::sync::Arc;
use std::time::Duration;

use bordereau_contract::{REQUESTS_PER_MINUTE, ServicePaths};

use crate::{SharedExchange, SharedLimit};

/// Where the service is and how it is asked: one per profile.
#[derive(Clone, Debug)]
pub struct ClientConfig {
    /// `https://host[:port][/prefix]`; anything else is refused.
    pub base_url: String,
    /// Paths below the base address.
    pub paths: ServicePaths,
    /// The service has a calculator.
    pub has_calculator: bool,
    /// CA certificates in PEM, trusted beside those of the operating system.
    pub extra_ca_pem: Option<String>,
    /// Only those are trusted, and the system's store is not asked: the service is one of this computer.
    pub only_extra_ca: bool,
    /// Requests in [`ClientConfig::limit_window`] the client stays under; 0 means the contract's 10,000.
    pub requests_per_minute: u32,
    /// The window the limit counts: a minute [spec, section 7].
    pub limit_window: Duration,
    /// Who counts where several clients share the limit; none where this client is alone.
    pub shared_limit: Option<Arc<dyn SharedLimit>>,
    /// Timeouts.
    pub timeouts: Timeouts,
    /// Retries, for reads only.
    pub retry: RetryPolicy,
    /// Largest answer in bytes, downloads apart.
    pub answer_bytes_max: u64,
    /// What carries the requests instead of the network; none but in a simulation.
    pub exchange: Option<SharedExchange>,
}

impl Default for ClientConfig {
    fn default() -> Self {
        ClientConfig {
            base_url: String::new(),
            paths: ServicePaths::default(),
            has_calculator: true,
            extra_ca_pem: None,
            only_extra_ca: false,
            requests_per_minute: REQUESTS_PER_MINUTE,
            limit_window: Duration::from_secs(60),
            shared_limit: None,
            timeouts: Timeouts::default(),
            retry: RetryPolicy::default(),
            answer_bytes_max: 8 * 1024 * 1024,
            exchange: None,
        }
    }
}

impl ClientConfig {
    /// The defaults for an address.
    pub fn for_address(base_url: impl Into<String>) -> ClientConfig {
        ClientConfig { base_url: base_url.into(), ..ClientConfig::default() }
    }

    /// The limit in force.
    pub(crate) fn request_limit(&self) -> u32 {
        if self.requests_per_minute == 0 { REQUESTS_PER_MINUTE } else { self.requests_per_minute }
    }
}

/// How long each part may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// Until a connection is established, TLS included.
    pub connect: Duration,
    /// Between two pieces of an answer.
    pub read: Duration,
    /// The whole call: waiting for the limit, refresh of the sign-in, retries and answer together.
    pub overall: Duration,
    /// A whole download, in place of `overall`.
    pub download: Duration,
    /// A whole import with its documents, in place of `read` and `overall`.
    pub upload: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts {
            connect: Duration::from_secs(10),
            read: Duration::from_secs(20),
            overall: Duration::from_secs(45),
            download: Duration::from_secs(300),
            upload: Duration::from_secs(300),
        }
    }
}

/// How often and how fast reads are repeated: exponential back-off with full jitter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Attempts altogether; 1 never repeats.
    pub attempts: u32,
    /// Upper bound of the first pause; doubled for each further one.
    pub first_pause: Duration,
    /// Upper bound of any pause.
    pub longest_pause: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        RetryPolicy {
            attempts: 3,
            first_pause: Duration::from_millis(200),
            longest_pause: Duration::from_secs(5),
        }
    }
}
