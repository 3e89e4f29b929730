//! The desk: what every operation works with.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bordereau_contract::format_instant;
use chrono::DateTime;

use crate::api::BoundaryError;
use crate::batch::{Outbox, WorkerSlot};
use crate::diligent::Diligent;
use crate::documents::UploadWorker;
use crate::events::Inbox;
use crate::ports::Ports;
use crate::profile::{Sessions, TableCache};
use crate::review::{Dropped, Reviews};
use crate::secrets::Guarded;
use crate::store::Store;
use crate::transactions::Transactions;

/// What a desk is opened with.
pub struct DeskConfig {
    /// Where everything is kept: `desk.sqlite` and its backups.
    pub data_dir: PathBuf,
    /// What it needs from outside.
    pub ports: Ports,
}

/// What a person works at. Cheap to clone; all clones share one store and one client per profile.
#[derive(Clone)]
pub struct Desk {
    pub(crate) inner: Arc<Inner>,
    /// Id of the profile this handle works on instead of the selected one.
    pub(crate) using: Option<Arc<str>>,
    /// The worker of the outbox ends with the last handle.
    pub(crate) worker: Arc<WorkerSlot>,
    /// So does that of the uploads.
    pub(crate) upload_worker: Arc<WorkerSlot>,
}

pub(crate) struct Inner {
    /// Whether what waits to be sent is sent.
    at_work: AtomicBool,
    pub(crate) ports: Ports,
    pub(crate) secrets: Guarded,
    pub(crate) store: Store,
    pub(crate) sessions: Sessions,
    pub(crate) tables: TableCache,
    /// Answers given so far, for their ids.
    pub(crate) answers: AtomicU64,
    /// Reviews that are open.
    pub(crate) reviews: Reviews,
    /// Files dropped on the window, by handle.
    pub(crate) dropped: Dropped,
    /// What is on its way.
    pub(crate) outbox: Outbox,
    /// What came, and who waits for it.
    pub(crate) inbox: Inbox,
    /// Documents on their way.
    pub(crate) uploads: UploadWorker,
    /// Filled forms, and the folder of one's own templates.
    pub(crate) diligent: Diligent,
    /// What the service said of each profile's transactions.
    pub(crate) transactions: Transactions,
}

impl Desk {
    /// Opens the store in the data folder, making both where they are missing. The keychain and the
    /// practice service are looked at when they are first needed, not here.
    ///
    /// # Errors
    /// [`crate::api::ErrorCode::StoreTooNew`] when a newer version wrote the store, otherwise
    /// [`crate::api::ErrorCode::Storage`].
    pub fn open(config: DeskConfig) -> Result<Desk, BoundaryError> {
        let desk = Desk::open_at_rest(config)?;
        desk.work();
        Ok(desk)
    }

    /// The same for a command that only looks: what an earlier run left to be sent stays where it is until
    /// [`Desk::work`].
    ///
    /// # Errors
    /// As [`Desk::open`].
    pub fn open_at_rest(config: DeskConfig) -> Result<Desk, BoundaryError> {
        let store = Store::open(&config.data_dir)?;
        let secrets = Guarded::new(Arc::clone(&config.ports.secrets));
        let inner = Inner {
            at_work: AtomicBool::new(false),
            ports: config.ports,
            secrets,
            store,
            sessions: Sessions::default(),
            tables: TableCache::default(),
            answers: AtomicU64::new(1),
            reviews: Reviews::default(),
            dropped: Dropped::default(),
            inbox: Inbox::new(&config.data_dir),
            transactions: Transactions::new(&config.data_dir),
            diligent: Diligent::new(&config.data_dir),
            uploads: UploadWorker::new(config.data_dir.clone()),
            outbox: Outbox::new(config.data_dir),
        };
        Ok(Desk {
            inner: Arc::new(inner),
            using: None,
            worker: Arc::default(),
            upload_worker: Arc::default(),
        })
    }

    /// From now on what waits to be sent is sent, also what an earlier run left.
    pub fn work(&self) {
        self.inner.at_work.store(true, Ordering::Relaxed);
        self.ensure_worker();
        self.ensure_upload_worker();
    }

    pub(crate) fn is_at_work(&self) -> bool {
        self.inner.at_work.load(Ordering::Relaxed)
    }

    /// The same desk on this profile, without selecting it: a command with `--profile` must not change
    /// what a window beside it uses.
    #[must_use]
    pub fn using(&self, profile: &str) -> Desk {
        Desk { using: Some(profile.into()), ..self.clone() }
    }

    /// The same desk for a task of its own, which must not keep itself or another one alive.
    pub(crate) fn without_workers(&self) -> Desk {
        Desk {
            inner: Arc::clone(&self.inner),
            using: None,
            worker: Arc::default(),
            upload_worker: Arc::default(),
        }
    }

    /// Now, to the second, RFC 3339 in UTC.
    pub(crate) fn stamp(&self) -> String {
        let now = self.inner.ports.clock.now();
        format_instant(DateTime::from_timestamp(now.timestamp(), 0).unwrap_or(now))
    }
}
