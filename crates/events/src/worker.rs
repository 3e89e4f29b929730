//! Background work while a window is open: the receiver, the followed listeners, and reconciliation.

use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::receiver::{EventListener, ProfileEndpoint, ProfileEndpoints};
use super::settings::ReceivingSettings;
use super::signature::DeliveryProofs;
use super::{EventPace, follow, reconcile};
use crate::receiver::receive_events;
use crate::settings::{change_event_settings, event_secret, event_settings};
use crate::subscribe::renew_practice_webhook;
use crate::watched_transactions::schedule_checks;
use bordereau_api::{BoundaryError, DeliveryProofKind, ReceiverState};
use bordereau_server::{RefusalCounts, report_refusals};
use bordereau_session::Context;
use bordereau_session::profile::{ServiceWords, profile_by_id};
use bordereau_session::secrets::{SecretName, SecretText};
use bordereau_store::FolderLock;

const LOCK: &str = "events.lock";
/// Pause before trying a busy port again.
const RETRY: Duration = Duration::from_secs(5);
/// How often refusals are logged.
const REPORT_EVERY: Duration = Duration::from_secs(60);

/// Shared by operations, receiver and worker.
pub struct EventInbox {
    changes: watch::Sender<u64>,
    resets: watch::Sender<u64>,
    pace: Mutex<EventPace>,
    receiver: Mutex<ReceiverStatus>,
    /// Secrets for this run only, where there is no keychain.
    held: Mutex<HashMap<(String, SecretName), SecretText>>,
    /// The problem with the listener a profile follows; empty while it is connected.
    follows: Mutex<HashMap<String, String>>,
    /// Refusals of this run's receiver.
    pub(super) refused: RefusalCounts,
    pub(super) changing: tokio::sync::Mutex<()>,
    lock: FolderLock,
}

/// Address of the receiver, and its problem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ReceiverStatus {
    pub(super) address: Option<SocketAddr>,
    pub(super) trouble: String,
}

impl EventInbox {
    /// The inbox of this context.
    pub fn from_context(ctx: &Context) -> std::sync::Arc<EventInbox> {
        ctx.feature_state(EventInbox::new)
    }

    fn new(folder: &Path) -> EventInbox {
        EventInbox {
            lock: FolderLock::new(folder.to_owned(), LOCK),
            changes: watch::Sender::new(0),
            resets: watch::Sender::new(0),
            pace: Mutex::default(),
            receiver: Mutex::default(),
            held: Mutex::default(),
            follows: Mutex::default(),
            refused: RefusalCounts::default(),
            changing: tokio::sync::Mutex::default(),
        }
    }

    /// Notifies this process of a change in the store.
    pub fn announce_change(&self) {
        self.changes.send_modify(|count| *count = count.wrapping_add(1));
    }

    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Notifies the worker of changed settings.
    pub fn reset(&self) {
        self.resets.send_modify(|count| *count = count.wrapping_add(1));
        self.announce_change();
    }

    pub(super) fn resets(&self) -> watch::Receiver<u64> {
        self.resets.subscribe()
    }

    pub(super) fn pace(&self) -> EventPace {
        *self.pace.lock()
    }

    pub(super) fn inbox_status(&self) -> ReceiverStatus {
        self.receiver.lock().clone()
    }

    fn set_status(&self, status: ReceiverStatus) {
        *self.receiver.lock() = status;
        self.announce_change();
    }

    pub(super) fn held_secret(&self, profile_id: &str, name: SecretName) -> Option<SecretText> {
        self.held.lock().get(&(profile_id.to_owned(), name)).cloned()
    }

    pub(super) fn hold_secret(&self, profile_id: &str, name: SecretName, secret: Option<SecretText>) {
        let mut held = self.held.lock();
        match secret {
            Some(secret) => held.insert((profile_id.to_owned(), name), secret),
            None => held.remove(&(profile_id.to_owned(), name)),
        };
    }

    pub(super) fn note_follow(&self, profile_id: &str, trouble: Option<String>) {
        let mut follows = self.follows.lock();
        match trouble {
            Some(trouble) => follows.insert(profile_id.to_owned(), trouble),
            None => follows.remove(profile_id),
        };
        drop(follows);
        self.announce_change();
    }

    pub(super) fn follow_trouble(&self, profile_id: &str) -> Option<String> {
        self.follows.lock().get(profile_id).cloned()
    }
}

/// Background work for events; ends when this is dropped.
#[must_use = "events are received as long as this is held"]
pub struct EventWork {
    task: JoinHandle<()>,
}

impl Drop for EventWork {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// While this exists, this process receives.
struct ListeningGuard(Context);

impl Drop for ListeningGuard {
    fn drop(&mut self) {
        EventInbox::from_context(&self.0).set_status(ReceiverStatus::default());
    }
}

/// Waits until no other process does this work for the data folder, then does it.
async fn run_worker(ctx: Context) {
    let _lock = loop {
        match EventInbox::from_context(&ctx).lock.try_acquire() {
            Some(lock) => break lock,
            None => tokio::time::sleep(RETRY).await,
        }
    };
    let _listens = ListeningGuard(ctx.clone());
    // Joined rather than spawned: they end together, and with the lock.
    tokio::join!(
        serve_settings(ctx.clone()),
        follow::follow_all(ctx.clone()),
        reconcile::run_worker(ctx.clone())
    );
}

/// Starts to receive events as the settings say, and to ask for those that didn't arrive. One process does it for a
/// data folder; another one takes over when it ends.
pub fn begin_events(ctx: &Context) -> EventWork {
    EventWork { task: tokio::spawn(run_worker(ctx.clone())) }
}

/// Sets how often the service is asked.
pub fn set_event_pace(ctx: &Context, pace: EventPace) {
    *EventInbox::from_context(ctx).pace.lock() = pace;
    EventInbox::from_context(ctx).reset();
}

/// Whether events of a profile are received, and if not, why.
pub(super) fn receiver_state(
    ctx: &Context,
    kept: &ReceivingSettings,
    profile_id: &str,
) -> (ReceiverState, String) {
    let of = kept.of(profile_id);
    if !of.follow.is_empty() {
        return match EventInbox::from_context(ctx).follow_trouble(profile_id) {
            Some(trouble) if !trouble.is_empty() => (ReceiverState::Trouble, trouble),
            _ => (ReceiverState::Follows, String::new()),
        };
    }
    let status = EventInbox::from_context(ctx).inbox_status();
    match (kept.receiver, status.address, status.trouble.is_empty()) {
        (false, _, _) => (ReceiverState::Off, String::new()),
        (true, _, false) => (ReceiverState::Trouble, status.trouble),
        // The receiver runs for other profiles: nothing says yet how deliveries of this one are verified.
        (true, Some(_), true) if !of.has_secret && of.header_name.is_empty() => {
            (ReceiverState::Off, String::new())
        }
        (true, Some(_), true) => (ReceiverState::On, String::new()),
        (true, None, true) => {
            (ReceiverState::Trouble, "The receiver runs while the window is open.".to_owned())
        }
    }
}

async fn list_endpoints(
    ctx: &Context,
    kept: &ReceivingSettings,
) -> Result<Vec<ProfileEndpoint>, BoundaryError> {
    let mut endpoints = Vec::new();
    for profile_id in kept.profiles.keys() {
        endpoints.extend(profile_endpoint(ctx, kept, profile_id).await?);
    }
    Ok(endpoints)
}

async fn profile_endpoint(
    ctx: &Context,
    kept: &ReceivingSettings,
    profile_id: &str,
) -> Result<Option<ProfileEndpoint>, BoundaryError> {
    let of = kept.of(profile_id);
    // A removed profile has no endpoint.
    let Ok(profile) = profile_by_id(ctx, profile_id).await else { return Ok(None) };
    let is_signed = profile.delivery_proof == DeliveryProofKind::Signature;
    let secret =
        if of.has_secret { event_secret(ctx, profile_id, SecretName::WebhookSecret).await? } else { None };
    let secret = match secret {
        Some(secret) => secret,
        None if is_signed || of.header_name.is_empty() => return Ok(None),
        None => SecretText::default(),
    };
    let value = if of.header_name.is_empty() {
        None
    } else {
        event_secret(ctx, profile_id, SecretName::WebhookHeader).await?
    };
    let proofs = DeliveryProofs::new(&profile, &secret, &of.header_name, value.unwrap_or_default());
    let words = ServiceWords::from_profile(&profile);
    Ok(Some(ProfileEndpoint { profile_id: profile_id.to_owned(), proofs, words }))
}

/// Listens as the settings say; restarts whenever they change.
async fn serve_settings(ctx: Context) {
    let inbox = &EventInbox::from_context(&ctx);
    let mut resets = inbox.resets();
    loop {
        resets.mark_unchanged();
        let served = match event_settings(&ctx).await {
            Ok(kept) if !kept.receiver => {
                inbox.set_status(ReceiverStatus::default());
                None
            }
            Ok(kept) => Some(listen_until_changed(&ctx, kept, resets.clone()).await),
            Err(error) => Some(Err(error.message)),
        };
        if let Some(Err(trouble)) = served {
            tracing::warn!(trouble, "events are not received");
            inbox.set_status(ReceiverStatus { address: None, trouble });
            tokio::select! {
                changed = resets.changed() => if changed.is_err() { return },
                () = tokio::time::sleep(RETRY) => {}
            }
        } else if served.is_none() && resets.changed().await.is_err() {
            return;
        }
    }
}

/// Listens until the settings change.
async fn listen_until_changed(
    ctx: &Context,
    kept: ReceivingSettings,
    mut resets: watch::Receiver<u64>,
) -> Result<(), String> {
    let message_of = |error: BoundaryError| error.message;
    let socket = bind_local(kept.port)?;
    let address = socket.local_addr().map_err(|error| error.to_string())?;
    if kept.port != address.port() {
        // The service knows the address, so it must stay the same.
        change_event_settings(ctx, |kept| kept.port = address.port()).await.map_err(message_of)?;
    }
    renew_practice_webhook(ctx, address).await;
    // Its own change is no reason to restart; every later change is.
    resets.mark_unchanged();
    let kept = event_settings(ctx).await.map_err(message_of)?;
    if !kept.receiver || kept.port != address.port() {
        return Ok(());
    }
    let endpoints = ProfileEndpoints::default();
    endpoints.set_endpoints(list_endpoints(ctx, &kept).await.map_err(message_of)?);
    schedule_checks(ctx).await.map_err(|error| error.to_string())?;
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let until_stopped = async move { drop(stopped.await) };
    let refused = EventInbox::from_context(ctx).refused.clone();
    let listener = EventListener::for_window(endpoints.clone(), refused.clone());
    let serving = receive_events(ctx, listener, socket, until_stopped);
    let reporting = report_refusals(refused, REPORT_EVERY, |sentence| tracing::warn!("{sentence}"));
    tokio::pin!(serving, reporting);
    EventInbox::from_context(ctx)
        .set_status(ReceiverStatus { address: Some(address), trouble: String::new() });
    loop {
        tokio::select! {
            outcome = &mut serving => return outcome.map_err(|error| error.to_string()),
            () = &mut reporting => {}
            changed = resets.changed() => {
                let kept = event_settings(ctx).await.map_err(message_of)?;
                if changed.is_err() || !kept.receiver || kept.port != address.port() {
                    drop(stop);
                    return serving.await.map_err(|error| error.to_string());
                }
                // Keep listening meanwhile: a delivery refused now would come again only in half an hour.
                endpoints.set_endpoints(list_endpoints(ctx, &kept).await.map_err(message_of)?);
            }
        }
    }
}

/// Binds a port for this computer only.
fn bind_local(port: u16) -> Result<TcpListener, String> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => format!(
            "Port {port} is taken by another program, perhaps another Bordereau. Choose another port."
        ),
        _ => format!("Can't listen on port {port}: {error}."),
    })
}
