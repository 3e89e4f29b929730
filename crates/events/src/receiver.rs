//! The receiver: deliveries are verified by signature and header, stored, and only then answered with 200.

use std::collections::HashMap;
use std::future::Future;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Response, StatusCode};
use axum::routing::{get, post};
use bordereau_contract::SIGNATURE_HEADER;
use parking_lot::{Mutex, RwLock};

use super::body::{Brought, Unread};
use super::intake::Intake;
use super::signature::Proofs;
use super::{Inbox, stream};
use bordereau_api::EventSignature;
use bordereau_session::Context;
use bordereau_session::secrets::SecretText;
use bordereau_store::events::inbox::Delivery;
use bordereau_store::events::refusals::store_refusal;

/// How long open deliveries are waited for when the receiver ends.
const STOP_WITHIN: Duration = Duration::from_secs(2);
/// Bytes of all headers together.
const HEADER_BYTES_MAX: usize = 16 * 1024;
/// Refusals written down in a second; more are a storm and only logged.
const REFUSALS_A_SECOND: u32 = 10;

/// One profile's way in.
pub(super) struct Door {
    pub(super) profile_id: String,
    pub(super) proofs: Proofs,
}

/// The ways in by the name in the address; empty for the only one. They can be changed while it listens.
#[derive(Clone, Default)]
pub(super) struct Doors(Arc<RwLock<HashMap<String, Arc<Door>>>>);

impl Doors {
    fn at(&self, name: &str) -> Option<Arc<Door>> {
        self.0.read().get(name).cloned()
    }

    /// These and no others from now on, each at the name of its profile.
    pub(super) fn set(&self, doors: Vec<Door>) {
        let doors = doors.into_iter().map(|door| (door.profile_id.clone(), Arc::new(door))).collect();
        *self.0.write() = doors;
    }
}

/// Who may bring and who may follow.
pub struct Listener {
    doors: Doors,
    /// Whoever shows it may follow; nobody without one.
    token: Option<SecretText>,
}

impl Listener {
    /// For one profile: deliveries at `/events`, followers at `/follow` with this token.
    #[must_use]
    pub fn for_profile(
        profile_id: &str,
        secret: &str,
        header: (&str, SecretText),
        token: Option<SecretText>,
    ) -> Listener {
        let proofs = Proofs::new(secret, header.0, header.1);
        let door = Arc::new(Door { profile_id: profile_id.to_owned(), proofs });
        let doors = Doors(Arc::new(RwLock::new(HashMap::from([(String::new(), door)]))));
        Listener { doors, token }
    }

    /// For the window: deliveries at `/events/PROFILE`, no followers.
    pub(super) fn for_window(doors: Doors) -> Listener {
        Listener { doors, token: None }
    }
}

pub(super) struct Receiver {
    pub(super) ctx: Context,
    doors: Doors,
    pub(super) token: Option<SecretText>,
    pub(super) followers: tokio::sync::Semaphore,
    intake: Intake,
    storm: Mutex<(i64, u32)>,
}

impl Receiver {
    /// The profile of the only door, for followers.
    pub(super) fn only_profile(&self) -> Option<String> {
        self.doors.at("").map(|door| door.profile_id.clone())
    }
}

/// Receives until `stop` is ready, then finishes the deliveries in progress.
///
/// # Errors
/// Those of the listener.
pub async fn receive(
    ctx: &Context,
    listener: Listener,
    socket: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    socket.set_nonblocking(true)?;
    let socket = tokio::net::TcpListener::from_std(socket)?;
    let (stopping, stopped) = tokio::sync::oneshot::channel();
    let stop = async move {
        stop.await;
        let _ = stopping.send(());
    };
    let serving = axum::serve(socket, receiver_router(ctx, listener)).with_graceful_shutdown(stop);
    // Followers hold their connections open indefinitely: they are dropped.
    let patience = async {
        if stopped.await.is_err() {
            std::future::pending::<()>().await;
        }
        tokio::time::sleep(STOP_WITHIN).await;
    };
    tokio::select! {
        outcome = serving => outcome,
        () = patience => Ok(()),
    }
}

fn receiver_router(ctx: &Context, listener: Listener) -> Router {
    let receiver = Receiver {
        intake: Intake::begin(ctx),
        ctx: ctx.clone(),
        doors: listener.doors,
        token: listener.token,
        followers: tokio::sync::Semaphore::new(stream::FOLLOWERS_MAX),
        storm: Mutex::new((0, 0)),
    };
    Router::new()
        .route("/events", post(bring_to_only))
        .route("/events/{door}", post(bring))
        .route("/follow", get(stream::follow))
        .fallback(nothing_here)
        .method_not_allowed_fallback(not_this_way)
        .with_state(Arc::new(receiver))
}

async fn bring_to_only(State(receiver): State<Arc<Receiver>>, request: Request) -> Response<Body> {
    take(&receiver, "", request).await
}

async fn bring(
    State(receiver): State<Arc<Receiver>>,
    Path(door): Path<String>,
    request: Request,
) -> Response<Body> {
    take(&receiver, &door, request).await
}

async fn nothing_here(request: Request) -> Response<Body> {
    Brought::of(request).1.read_out().await;
    plain(StatusCode::NOT_FOUND, "There is nothing here.")
}

async fn not_this_way(request: Request) -> Response<Body> {
    Brought::of(request).1.read_out().await;
    plain(StatusCode::METHOD_NOT_ALLOWED, "Deliveries must use POST.")
}

async fn take(receiver: &Receiver, door: &str, request: Request) -> Response<Body> {
    let (parts, mut brought) = Brought::of(request);
    let response = match receiver.doors.at(door) {
        Some(door) => let_in(receiver, &door, &parts.headers, &mut brought).await,
        None => plain(StatusCode::NOT_FOUND, "There is nothing here."),
    };
    brought.read_out().await;
    response
}

async fn let_in(
    receiver: &Receiver,
    door: &Door,
    headers: &HeaderMap,
    brought: &mut Brought,
) -> Response<Body> {
    let size: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if size > HEADER_BYTES_MAX {
        return plain(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "The headers are too large.");
    }
    // Of what is not signed at all nothing is kept.
    if headers.get(SIGNATURE_HEADER).is_none() {
        return refuse(receiver, door, "The delivery isn't signed.", Vec::new()).await;
    }
    let body = match brought.read().await {
        Ok(body) => body,
        Err(Unread::TooLarge) => return plain(StatusCode::PAYLOAD_TOO_LARGE, "The body is too large."),
        Err(Unread::BrokeOff) => return plain(StatusCode::BAD_REQUEST, "The body was cut off."),
        Err(Unread::TooSlow) => return plain(StatusCode::REQUEST_TIMEOUT, "The body did not come in time."),
    };
    if let Err(why) = door.proofs.check(|name| shown(headers, name), SIGNATURE_HEADER, &body) {
        return refuse(receiver, door, why, body).await;
    }
    let delivery = Delivery {
        profile_id: door.profile_id.clone(),
        body,
        signature: EventSignature::Valid,
        at: receiver.ctx.stamp(),
    };
    match receiver.intake.store(delivery).await {
        Some(_) => plain(StatusCode::OK, "Stored."),
        None => plain(StatusCode::SERVICE_UNAVAILABLE, "It could not be stored. Send it again."),
    }
}

/// A header that is sent twice proves nothing.
fn shown<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h [u8]> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    values.next().is_none().then(|| value.as_bytes())
}

/// Says no more than that: why is for the person at the desk.
async fn refuse(receiver: &Receiver, door: &Door, why: &'static str, body: Vec<u8>) -> Response<Body> {
    let now = receiver.ctx.ports().clock.now().timestamp();
    let noted = {
        let mut storm = receiver.storm.lock();
        *storm = if storm.0 == now { (now, storm.1 + 1) } else { (now, 1) };
        storm.1 <= REFUSALS_A_SECOND
    };
    tracing::info!(why, noted, "a delivery was refused");
    if noted {
        let (profile_id, at) = (door.profile_id.clone(), receiver.ctx.stamp());
        let store = receiver.ctx.store();
        match store.run(move |connection| store_refusal(connection, &profile_id, &at, why, &body)).await {
            Ok(()) => Inbox::of(&receiver.ctx).changed(),
            Err(error) => tracing::warn!(%error, "a refusal was not noted"),
        }
    }
    plain(StatusCode::UNAUTHORIZED, "Not accepted.")
}

pub(super) fn plain(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response
}
