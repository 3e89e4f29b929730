//! How a practice service is set up.

use std::path::PathBuf;
use std::sync::Arc;

use bordereau_server::CertificateFiles;

use crate::{AccountKind, Clock, Dialect, SystemClock};

/// How a practice service is set up.
#[derive(Clone)]
pub struct ServiceConfig {
    /// Where accounts, keys and the local certificate authority are kept; `None` keeps all in memory.
    pub data_dir: Option<PathBuf>,
    /// Says what time it is; `/practice/clock` moves the service's time relative to it.
    pub clock: Arc<dyn Clock>,
    /// The account that exists from the start.
    pub account: AccountSeed,
    /// The dialects it speaks from the start; see [`crate::dialects`].
    pub dialects: Vec<&'static Dialect>,
    /// A certificate of the administrator's own; `None` for one of the local authority.
    pub certificate: Option<Arc<CertificateFiles>>,
}

impl Default for ServiceConfig {
    fn default() -> Self {
        ServiceConfig {
            data_dir: None,
            clock: Arc::new(SystemClock),
            account: AccountSeed::default(),
            dialects: Vec::new(),
            certificate: None,
        }
    }
}

/// The practice account as it is to be at start. It may also use `/practice/`.
#[derive(Clone)]
pub struct AccountSeed {
    /// Name shown to people.
    pub name: String,
    /// Client type.
    pub kind: AccountKind,
    /// Username for the sign-in.
    pub username: String,
    /// At least 20 characters; `None` generates a fresh key, and the old one is dead.
    pub api_key: Option<String>,
    /// At least 8 characters; `None` generates a fresh password.
    pub password: Option<String>,
}

impl Default for AccountSeed {
    fn default() -> Self {
        AccountSeed {
            name: "Practice Agency".into(),
            kind: AccountKind::Enterprise,
            username: "practice".into(),
            api_key: None,
            password: None,
        }
    }
}

impl std::fmt::Debug for AccountSeed {
    /// Without the secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AccountSeed")
            .field("name", &self.name)
            .field("kind", &self.kind)
            .field("username", &self.username)
            .finish_non_exhaustive()
    }
}
