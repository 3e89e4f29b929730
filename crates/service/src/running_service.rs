//! A running service, and why one does not start.

use std::net::SocketAddr;
use std::path::PathBuf;

use bordereau_server::RefusalCounts;
use bordereau_service_store::StoreError;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::PracticeControls;

/// A running practice service. Dropping it also ends it, without waiting for open requests.
pub struct RunningService {
    /// `https://127.0.0.1:PORT`.
    pub base_url: String,
    /// Certificate of the local authority that signed the service's certificate, PEM.
    pub ca_pem: String,
    /// The same as a file, when there is a data directory.
    pub ca_file: Option<PathBuf>,
    /// API key of the practice account, in clear for this one time.
    pub api_key: String,
    /// Username of the practice account.
    pub username: String,
    /// Password of the practice account, in clear for this one time.
    pub password: String,
    /// Address the service listens on.
    pub address: SocketAddr,
    /// What strangers were refused, counted.
    pub refusals: RefusalCounts,
    pub(crate) practice: PracticeControls,
    pub(crate) stop: watch::Sender<bool>,
    pub(crate) listening: Option<JoinHandle<()>>,
}

impl RunningService {
    /// Simulates the state and inspects the service, from the process it runs in.
    pub fn practice_controls(&self) -> PracticeControls {
        self.practice.clone()
    }

    /// Ends the service: no new connections, open requests are answered (for at most five seconds).
    pub async fn stop(mut self) {
        self.stop.send_replace(true);
        if let Some(listening) = self.listening.take()
            && let Err(error) = listening.await
        {
            tracing::error!(%error, "the practice service did not end cleanly");
        }
    }
}

impl Drop for RunningService {
    fn drop(&mut self) {
        self.stop.send_replace(true);
    }
}

impl From<rusqlite::Error> for StartError {
    fn from(error: rusqlite::Error) -> StartError {
        StartError::Store(error.into())
    }
}

/// Why a practice service does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// Another process uses the same data directory.
    #[error("the data directory {} is in use by another practice service; end that one or choose another directory", .0.display())]
    InUse(PathBuf),
    /// A file of the data directory cannot be read or written.
    #[error("{action} {}: {source}", .path.display())]
    File {
        /// What was tried, such as `cannot read`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The database cannot be used, or a newer version wrote it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The certificates cannot be made or read.
    #[error("the practice service's certificate cannot be made: {0}")]
    Certificate(String),
    /// The listener cannot be used.
    #[error("the practice service cannot listen: {0}")]
    Listen(std::io::Error),
    /// Webhooks cannot be sent or their secrets not be kept.
    #[error("webhooks cannot be set up: {0}")]
    Webhooks(String),
    /// The account asked for is not possible.
    #[error("the practice account cannot be set up: {0}")]
    Account(String),
}
