//! What all requests share.

use std::sync::Arc;

use bordereau_tax::{Local, RuleBook};
use tokio::sync::Semaphore;

use crate::clock::PracticeClock;
use crate::dialects::SpokenDialects;
use crate::directory::Directory;
use crate::faults::Faults;
use crate::imports::Imports;
use crate::limits::RequestLimits;
use crate::store::Store;
use crate::templates::LinkSigner;
use crate::webhooks::Webhooks;
use crate::wordings::Wordings;

/// What all requests share.
pub(crate) struct Service {
    pub(crate) clock: PracticeClock,
    pub(crate) store: Store,
    pub(crate) directory: Directory,
    pub(crate) limits: RequestLimits,
    pub(crate) faults: Faults,
    pub(crate) dialects: SpokenDialects,
    pub(crate) links: LinkSigner,
    /// `https://127.0.0.1:PORT`, where a request names no host of its own.
    pub(crate) base_url: String,
    pub(crate) rules: &'static RuleBook,
    pub(crate) local: Local,
    pub(crate) imports: Imports,
    pub(crate) webhooks: Webhooks,
    pub(crate) wordings: Wordings,
    /// Password hashing takes 19 MiB and tens of milliseconds each: two at a time.
    pub(crate) hashing: Semaphore,
}

/// The state of every handler.
pub(crate) type App = Arc<Service>;
