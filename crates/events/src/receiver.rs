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
use bordereau_contract::EVENT_BYTES_MAX;
use bordereau_server::{
    CertificateFiles, HostNames, HttpServer, LoopRefusal, ReadyCheck, RefusalCounts, ServerLimits,
    accept_connections,
};
use parking_lot::{Mutex, RwLock};

use super::body::{BodyMemory, UnreadReason};
use super::intake::DeliveryIntake;
use super::signature::DeliveryProofs;
use super::{EventInbox, stream};
use bordereau_api::Profile;
use bordereau_session::Context;
use bordereau_session::profile::ServiceWords;
use bordereau_session::secrets::SecretText;
use bordereau_store::events::inbox::Delivery;
use bordereau_store::events::refusals::store_refusal;
use bordereau_store::health::check_writable;

/// What a stranger is granted. Followers hold their connections open: they are cut off at the end.
const LIMITS: ServerLimits = ServerLimits {
    connections: 512,
    head_time: Duration::from_secs(20),
    head_bytes: 32 * 1024,
    write_time: Duration::from_secs(30),
    end_time: Duration::from_secs(2),
};
/// The same where only this computer reaches it.
const WINDOW_CONNECTIONS: usize = 128;
/// Bytes of a delivery's body, unless the listener is told otherwise: no event but that of a large batch has more.
const BODY_BYTES: usize = 64 * 1024;
const BUSY: &str = "Too much at once. Send it again.";
const NOTHING: &str = "There is nothing here.";
/// Bytes of all headers together.
const HEADER_BYTES_MAX: usize = 16 * 1024;
/// Refusals written down in a second; more are a storm and only logged.
const REFUSALS_A_SECOND: u32 = 10;

/// One profile's way in.
pub(super) struct ProfileEndpoint {
    pub(super) profile_id: String,
    pub(super) proofs: DeliveryProofs,
    /// What the service calls its events.
    pub(super) words: ServiceWords,
}

/// The ways in by the name in the address; empty for the only one. They can be changed while it listens.
#[derive(Clone, Default)]
pub(super) struct ProfileEndpoints(Arc<RwLock<HashMap<String, Arc<ProfileEndpoint>>>>);

impl ProfileEndpoints {
    fn endpoint_at(&self, name: &str) -> Option<Arc<ProfileEndpoint>> {
        self.0.read().get(name).cloned()
    }

    /// These and no others from now on, each at the name of its profile.
    pub(super) fn set_endpoints(&self, doors: Vec<ProfileEndpoint>) {
        let doors = doors.into_iter().map(|door| (door.profile_id.clone(), Arc::new(door))).collect();
        *self.0.write() = doors;
    }
}

/// Who may bring and who may follow.
pub struct EventListener {
    doors: ProfileEndpoints,
    /// Whoever shows it may follow; no one without one.
    token: Option<SecretText>,
    host_names: Vec<String>,
    /// Bytes that a body may have; `None` where the profile decides.
    body_bytes: Option<usize>,
    connections: usize,
    counts: RefusalCounts,
    certificate: Option<Arc<CertificateFiles>>,
}

impl EventListener {
    /// For one profile: deliveries at `/events`, followers at `/follow` with this token.
    pub fn for_profile(
        profile: &Profile,
        secret: &str,
        header: (&str, SecretText),
        token: Option<SecretText>,
    ) -> EventListener {
        let proofs = DeliveryProofs::new(profile, secret, header.0, header.1);
        let words = ServiceWords::from_profile(profile);
        let door = ProfileEndpoint { profile_id: profile.id.clone(), proofs, words };
        let doors = ProfileEndpoints(Arc::new(RwLock::new(HashMap::from([(String::new(), Arc::new(door))]))));
        EventListener {
            token,
            body_bytes: Some(BODY_BYTES),
            ..EventListener::with_doors(doors, LIMITS.connections)
        }
    }

    /// For the window: deliveries at `/events/PROFILE`, no followers.
    pub(super) fn for_window(doors: ProfileEndpoints, counts: RefusalCounts) -> EventListener {
        EventListener { counts, ..EventListener::with_doors(doors, WINDOW_CONNECTIONS) }
    }

    fn with_doors(doors: ProfileEndpoints, connections: usize) -> EventListener {
        let (host_names, counts) = (Vec::new(), RefusalCounts::default());
        EventListener {
            doors,
            token: None,
            host_names,
            body_bytes: None,
            connections,
            counts,
            certificate: None,
        }
    }

    /// Answers to these names as well, such as that of the web server in front.
    #[must_use]
    pub fn with_host_names(self, host_names: Vec<String>) -> EventListener {
        EventListener { host_names, ..self }
    }

    /// Speaks HTTPS with this certificate and answers to the names in it.
    #[must_use]
    pub fn with_certificate(mut self, certificate: Arc<CertificateFiles>) -> EventListener {
        self.host_names.extend(certificate.host_names());
        EventListener { certificate: Some(certificate), ..self }
    }

    /// Takes bodies of at most this many bytes, and never more than an event can have.
    #[must_use]
    pub fn with_body_bytes(self, body_bytes: usize) -> EventListener {
        EventListener { body_bytes: Some(body_bytes.min(EVENT_BYTES_MAX)), ..self }
    }

    /// What it refused so far.
    pub fn refusal_counts(&self) -> RefusalCounts {
        self.counts.clone()
    }
}

pub(super) struct EventReceiver {
    pub(super) ctx: Context,
    doors: ProfileEndpoints,
    pub(super) token: Option<SecretText>,
    pub(super) followers: Arc<tokio::sync::Semaphore>,
    body_bytes: Option<usize>,
    memory: BodyMemory,
    counts: RefusalCounts,
    intake: DeliveryIntake,
    storm: Mutex<(i64, u32)>,
}

impl EventReceiver {
    /// The profile of the only door, for followers.
    pub(super) fn only_profile(&self) -> Option<String> {
        self.doors.endpoint_at("").map(|door| door.profile_id.clone())
    }

    /// The practice service is this computer's own: its events come whole, however large their batch is.
    fn body_bytes(&self, door: &ProfileEndpoint) -> usize {
        let is_practice = door.profile_id == bordereau_session::profile::PRACTICE;
        self.body_bytes.unwrap_or(if is_practice { EVENT_BYTES_MAX } else { BODY_BYTES })
    }
}

/// Receives until `stop` is ready, then finishes the deliveries in progress.
pub async fn receive_events(
    ctx: &Context,
    listener: EventListener,
    socket: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    socket.set_nonblocking(true)?;
    let socket = tokio::net::TcpListener::from_std(socket)?;
    let hosts = HostNames::for_address(socket.local_addr()?.ip()).with_names(listener.host_names.clone());
    let certificate = listener.certificate.as_ref();
    let tls = certificate.map(CertificateFiles::server_config).transpose().map_err(std::io::Error::other)?;
    let server = HttpServer {
        limits: ServerLimits { connections: listener.connections, ..LIMITS },
        counts: listener.counts.clone(),
        router: receiver_router(ctx, listener),
        tls,
        hosts,
        ready: store_check(ctx),
        refuse: |refusal| match refusal {
            LoopRefusal::OtherHost => {
                plain_response(StatusCode::MISDIRECTED_REQUEST, "This listener has another name.")
            }
            LoopRefusal::NoRoom => plain_response(StatusCode::SERVICE_UNAVAILABLE, BUSY),
            LoopRefusal::Failed => {
                plain_response(StatusCode::INTERNAL_SERVER_ERROR, "It failed. Send it again.")
            }
        },
    };
    accept_connections(socket, server, stop).await;
    Ok(())
}

/// Ready means that a delivery could be stored.
fn store_check(ctx: &Context) -> ReadyCheck {
    let store = ctx.store().clone();
    Arc::new(move || {
        let store = store.clone();
        Box::pin(async move { store.with_connection(check_writable).await.is_ok() })
    })
}

fn receiver_router(ctx: &Context, listener: EventListener) -> Router {
    let receiver = EventReceiver {
        intake: DeliveryIntake::start_intake(ctx),
        ctx: ctx.clone(),
        doors: listener.doors,
        token: listener.token,
        followers: Arc::new(tokio::sync::Semaphore::new(stream::FOLLOWERS_MAX)),
        body_bytes: listener.body_bytes,
        memory: BodyMemory::new(),
        counts: listener.counts,
        storm: Mutex::new((0, 0)),
    };
    Router::new()
        .route("/events", post(bring_to_only))
        .route("/events/{door}", post(handle_delivery))
        .route("/follow", get(stream::stream_events))
        .fallback(async || plain_response(StatusCode::NOT_FOUND, NOTHING))
        .method_not_allowed_fallback(async || {
            plain_response(StatusCode::METHOD_NOT_ALLOWED, "Deliveries must use POST.")
        })
        .with_state(Arc::new(receiver))
}

async fn bring_to_only(State(receiver): State<Arc<EventReceiver>>, request: Request) -> Response<Body> {
    take_delivery(&receiver, "", request).await
}

async fn handle_delivery(
    State(receiver): State<Arc<EventReceiver>>,
    Path(door): Path<String>,
    request: Request,
) -> Response<Body> {
    take_delivery(&receiver, &door, request).await
}

async fn take_delivery(receiver: &EventReceiver, door: &str, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    match receiver.doors.endpoint_at(door) {
        Some(door) => let_in(receiver, &door, &parts.headers, body).await,
        None => plain_response(StatusCode::NOT_FOUND, NOTHING),
    }
}

async fn let_in(
    receiver: &EventReceiver,
    door: &ProfileEndpoint,
    headers: &HeaderMap,
    body: Body,
) -> Response<Body> {
    let size: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if size > HEADER_BYTES_MAX {
        return plain_response(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "The headers are too large.");
    }
    // Of what does not look signed nothing is read, and nothing is kept.
    let proof = match door.proofs.check_headers(|name| single_header(headers, name)) {
        Ok(proof) => proof,
        Err(why) => return refuse_delivery(receiver, door, why, Vec::new()).await,
    };
    let body = match receiver.memory.read_body(body, proof, receiver.body_bytes(door)).await {
        Ok(body) => body,
        Err(why) => return refuse_unread(receiver, why),
    };
    if let Err(why) = body.proven {
        return refuse_delivery(receiver, door, why, body.bytes).await;
    }
    let delivery = Delivery {
        profile_id: door.profile_id.clone(),
        body: body.bytes,
        signature: door.proofs.kind(),
        at: receiver.ctx.now_text(),
    };
    match receiver.intake.store_delivery(delivery, &door.words).await {
        Some(_) => plain_response(StatusCode::OK, "Stored."),
        None => plain_response(StatusCode::SERVICE_UNAVAILABLE, "It could not be stored. Send it again."),
    }
}

/// A delivery whose body was not read to its end.
fn refuse_unread(receiver: &EventReceiver, why: UnreadReason) -> Response<Body> {
    let (reason, status, text) = match why {
        UnreadReason::TooLarge => (
            "deliveries with a body that is too large",
            StatusCode::PAYLOAD_TOO_LARGE,
            "The body is too large.",
        ),
        UnreadReason::BrokeOff => {
            ("deliveries that were cut off", StatusCode::BAD_REQUEST, "The body was cut off.")
        }
        UnreadReason::TooSlow => (
            "deliveries that did not come in time",
            StatusCode::REQUEST_TIMEOUT,
            "The body did not come in time.",
        ),
        UnreadReason::NoMemory => ("deliveries while too many came", StatusCode::SERVICE_UNAVAILABLE, BUSY),
    };
    receiver.counts.count_refusal(reason);
    plain_response(status, text)
}

/// A header that is sent twice proves nothing.
fn single_header<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h [u8]> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    values.next().is_none().then(|| value.as_bytes())
}

/// Says no more than that: why is for the person at the desk.
async fn refuse_delivery(
    receiver: &EventReceiver,
    door: &ProfileEndpoint,
    why: &'static str,
    body: Vec<u8>,
) -> Response<Body> {
    let now = receiver.ctx.ports().clock.now().timestamp();
    let noted = {
        let mut storm = receiver.storm.lock();
        *storm = if storm.0 == now { (now, storm.1 + 1) } else { (now, 1) };
        storm.1 <= REFUSALS_A_SECOND
    };
    receiver.counts.count_refusal("deliveries that prove nothing");
    tracing::debug!(why, noted, "a delivery was refused");
    if noted {
        let (profile_id, at) = (door.profile_id.clone(), receiver.ctx.now_text());
        let store = receiver.ctx.store();
        match store
            .with_connection(move |connection| store_refusal(connection, &profile_id, &at, why, &body))
            .await
        {
            Ok(()) => EventInbox::from_context(&receiver.ctx).announce_change(),
            Err(error) => tracing::warn!(%error, "a refusal was not noted"),
        }
    }
    plain_response(StatusCode::UNAUTHORIZED, "Not accepted.")
}

pub(super) fn plain_response(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response
}
