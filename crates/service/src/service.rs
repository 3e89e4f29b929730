//! What all requests share.

use std::sync::Arc;

use bordereau_dialects::SpokenDialects;
use bordereau_service_store::Store;
use bordereau_tax::{LocalTables, RuleBook};
use tokio::sync::Semaphore;

use crate::clock::PracticeClock;
use crate::directory::AccountDirectory;
use crate::faults::FaultQueue;
use crate::imports::ImportQueue;
use crate::limits::RequestLimits;
use crate::rule_notes::RuleNotes;
use crate::sign_in_guard::SignInGuard;
use crate::templates::LinkSigner;
use crate::webhooks::WebhookState;
use crate::wordings::ChangedWordings;

/// What all requests share.
pub(crate) struct Service {
    pub(crate) clock: PracticeClock,
    pub(crate) store: Store,
    pub(crate) directory: AccountDirectory,
    pub(crate) limits: RequestLimits,
    pub(crate) faults: FaultQueue,
    pub(crate) dialects: SpokenDialects,
    pub(crate) links: LinkSigner,
    /// `https://127.0.0.1:PORT`, where a request names no host of its own.
    pub(crate) base_url: String,
    pub(crate) rules: &'static RuleBook,
    pub(crate) local: LocalTables,
    pub(crate) imports: ImportQueue,
    pub(crate) webhooks: WebhookState,
    pub(crate) wordings: ChangedWordings,
    pub(crate) rule_notes: RuleNotes,
    /// Password hashing takes 19 MiB and tens of milliseconds each: two at a time.
    pub(crate) hashing: Semaphore,
    /// What a password is compared with when the username is unknown.
    pub(crate) decoy_hash: String,
    /// Counts failed sign-ins.
    pub(crate) sign_ins: SignInGuard,
    /// Key of the practice account, in memory only; a newer one replaces it here.
    pub(crate) practice_key: tokio::sync::watch::Sender<String>,
}

/// The state of every handler.
pub(crate) type AppState = Arc<Service>;
