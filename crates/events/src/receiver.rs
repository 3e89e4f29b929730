//! The receiver: verifies a delivery by signature and header, stores it, and only then answers 200.

use std::collections::HashMap;
use std::future::Future;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::header::CONTENT_ENCODING;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode};
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

/// Limits for the listener of the command line. Followers keep their connections open until it stops.
const LIMITS: ServerLimits = ServerLimits {
    connections: 512,
    head_time: Duration::from_secs(20),
    head_bytes: 32 * 1024,
    write_time: Duration::from_secs(30),
    end_time: Duration::from_secs(2),
};
/// Connections where only this computer reaches it.
const WINDOW_CONNECTIONS: usize = 128;
/// Bytes of a delivery's body unless the listener has another limit: the event of a batch of 1,000 rows, a kilobyte
/// each.
const BODY_BYTES: usize = 1024 * 1024;
const BUSY: &str = "Too many requests at once. Send it again.";
const NOTHING: &str = "There is nothing here.";
/// Bytes of all headers together.
const HEADER_BYTES_MAX: usize = 16 * 1024;
/// Refusals stored in a second; more are only logged.
const REFUSALS_A_SECOND: u32 = 10;

/// The endpoint for deliveries of one profile.
pub(super) struct ProfileEndpoint {
    pub(super) profile_id: String,
    pub(super) proofs: DeliveryProofs,
    /// What the service calls its events.
    pub(super) words: ServiceWords,
}

/// The endpoints by name in the address; empty for the only one. They can change while it listens.
#[derive(Clone, Default)]
pub(super) struct ProfileEndpoints(Arc<RwLock<HashMap<String, Arc<ProfileEndpoint>>>>);

impl ProfileEndpoints {
    fn endpoint_at(&self, name: &str) -> Option<Arc<ProfileEndpoint>> {
        self.0.read().get(name).cloned()
    }

    /// Replaces all endpoints; each gets its profile's name.
    pub(super) fn set_endpoints(&self, endpoints: Vec<ProfileEndpoint>) {
        let endpoints =
            endpoints.into_iter().map(|endpoint| (endpoint.profile_id.clone(), Arc::new(endpoint))).collect();
        *self.0.write() = endpoints;
    }
}

/// Who may deliver events and who may follow them.
pub struct EventListener {
    endpoints: ProfileEndpoints,
    /// Followers must send it; without a token there are none.
    token: Option<SecretText>,
    host_names: Vec<String>,
    /// Most bytes of a body; `None` where the profile decides.
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
        let endpoint = ProfileEndpoint { profile_id: profile.id.clone(), proofs, words };
        let endpoints =
            ProfileEndpoints(Arc::new(RwLock::new(HashMap::from([(String::new(), Arc::new(endpoint))]))));
        EventListener {
            token,
            body_bytes: Some(BODY_BYTES),
            ..EventListener::with_endpoints(endpoints, LIMITS.connections)
        }
    }

    /// For the window: deliveries at `/events/PROFILE`, no followers.
    pub(super) fn for_window(endpoints: ProfileEndpoints, counts: RefusalCounts) -> EventListener {
        EventListener { counts, ..EventListener::with_endpoints(endpoints, WINDOW_CONNECTIONS) }
    }

    fn with_endpoints(endpoints: ProfileEndpoints, connections: usize) -> EventListener {
        let (host_names, counts) = (Vec::new(), RefusalCounts::default());
        EventListener {
            endpoints,
            token: None,
            host_names,
            body_bytes: None,
            connections,
            counts,
            certificate: None,
        }
    }

    /// Accepts these host names as well, such as that of the web server in front.
    #[must_use]
    pub fn with_host_names(self, host_names: Vec<String>) -> EventListener {
        EventListener { host_names, ..self }
    }

    /// Uses HTTPS with this certificate and accepts the names in it.
    #[must_use]
    pub fn with_certificate(mut self, certificate: Arc<CertificateFiles>) -> EventListener {
        self.host_names.extend(certificate.host_names());
        EventListener { certificate: Some(certificate), ..self }
    }

    /// Accepts bodies of at most this many bytes, and never more than an event can have.
    #[must_use]
    pub fn with_body_bytes(self, body_bytes: usize) -> EventListener {
        EventListener { body_bytes: Some(body_bytes.min(EVENT_BYTES_MAX)), ..self }
    }

    /// Number of refusals so far.
    pub fn refusal_counts(&self) -> RefusalCounts {
        self.counts.clone()
    }
}

pub(super) struct EventReceiver {
    pub(super) ctx: Context,
    endpoints: ProfileEndpoints,
    pub(super) token: Option<SecretText>,
    pub(super) followers: Arc<tokio::sync::Semaphore>,
    body_bytes: Option<usize>,
    memory: BodyMemory,
    counts: RefusalCounts,
    intake: DeliveryIntake,
    recent_refusals: Mutex<(i64, u32)>,
}

impl EventReceiver {
    /// The profile of the only endpoint, for followers.
    pub(super) fn only_profile(&self) -> Option<String> {
        self.endpoints.endpoint_at("").map(|endpoint| endpoint.profile_id.clone())
    }

    /// Events of the practice service are complete however large their batch is: it runs on this computer.
    fn body_bytes(&self, endpoint: &ProfileEndpoint) -> usize {
        let is_practice = endpoint.profile_id == bordereau_session::profile::PRACTICE;
        self.body_bytes.unwrap_or(if is_practice { EVENT_BYTES_MAX } else { BODY_BYTES })
    }
}

/// Receives until `stop` is ready, then finishes open deliveries.
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
                plain_response(StatusCode::MISDIRECTED_REQUEST, "This listener has a different name.")
            }
            LoopRefusal::NoRoom => plain_response(StatusCode::SERVICE_UNAVAILABLE, BUSY),
            LoopRefusal::Failed => {
                plain_response(StatusCode::INTERNAL_SERVER_ERROR, "The delivery failed. Send it again.")
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
        endpoints: listener.endpoints,
        token: listener.token,
        followers: Arc::new(tokio::sync::Semaphore::new(stream::FOLLOWERS_MAX)),
        body_bytes: listener.body_bytes,
        memory: BodyMemory::new(),
        counts: listener.counts,
        recent_refusals: Mutex::new((0, 0)),
    };
    Router::new()
        .route("/events", post(handle_only_endpoint))
        .route("/events/{endpoint}", post(handle_delivery))
        // Some services put a slash behind the address that was given to them.
        .route("/events/", post(handle_only_endpoint))
        .route("/events/{endpoint}/", post(handle_delivery))
        .route("/follow", get(stream::stream_events))
        .fallback(async || plain_response(StatusCode::NOT_FOUND, NOTHING))
        .method_not_allowed_fallback(async || {
            plain_response(StatusCode::METHOD_NOT_ALLOWED, "Deliveries must use POST.")
        })
        .with_state(Arc::new(receiver))
}

async fn handle_only_endpoint(
    State(receiver): State<Arc<EventReceiver>>,
    request: Request,
) -> Response<Body> {
    dispatch_delivery(&receiver, "", request).await
}

async fn handle_delivery(
    State(receiver): State<Arc<EventReceiver>>,
    Path(endpoint): Path<String>,
    request: Request,
) -> Response<Body> {
    dispatch_delivery(&receiver, &endpoint, request).await
}

async fn dispatch_delivery(receiver: &EventReceiver, endpoint: &str, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    match receiver.endpoints.endpoint_at(endpoint) {
        Some(endpoint) => receive_delivery(receiver, &endpoint, &parts.headers, body).await,
        None => plain_response(StatusCode::NOT_FOUND, NOTHING),
    }
}

async fn receive_delivery(
    receiver: &EventReceiver,
    endpoint: &ProfileEndpoint,
    headers: &HeaderMap,
    body: Body,
) -> Response<Body> {
    let size: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if size > HEADER_BYTES_MAX {
        return plain_response(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "The headers are too large.");
    }
    // Without the right headers a request's body is neither read nor stored.
    let proof = match endpoint.proofs.check_headers(|name| single_header(headers, name)) {
        Ok(proof) => proof,
        Err(why) => return refuse_delivery(receiver, endpoint, why, Vec::new()).await,
    };
    let (bytes_max, again) = (receiver.body_bytes(endpoint), proof.clone());
    let encoding = headers.get(CONTENT_ENCODING).map(HeaderValue::as_bytes).unwrap_or_default();
    let read = receiver.memory.read_body(body, proof, bytes_max).await;
    let read = read.and_then(|packed| receiver.memory.unpack_body(packed, encoding, again, bytes_max));
    let body = match read {
        Ok(body) => body,
        Err(why) => return refuse_unread(receiver, why),
    };
    if let Err(why) = body.proven {
        return refuse_delivery(receiver, endpoint, why, body.bytes).await;
    }
    let delivery = Delivery {
        profile_id: endpoint.profile_id.clone(),
        body: body.bytes,
        signature: endpoint.proofs.kind(),
        at: receiver.ctx.now_text(),
    };
    match receiver.intake.store_delivery(delivery, &endpoint.words).await {
        Some(_) => plain_response(StatusCode::OK, "Stored."),
        None => plain_response(
            StatusCode::SERVICE_UNAVAILABLE,
            "The delivery could not be stored. Send it again.",
        ),
    }
}

/// Refuses a delivery whose body wasn't read to its end.
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
        UnreadReason::NotUnpacked => (
            "deliveries that could not be unpacked",
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "The body could not be unpacked: send it as it is, or packed with gzip.",
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

/// The sender doesn't learn the reason: it is for the person who reads the inbox.
async fn refuse_delivery(
    receiver: &EventReceiver,
    endpoint: &ProfileEndpoint,
    why: &'static str,
    body: Vec<u8>,
) -> Response<Body> {
    let now = receiver.ctx.ports().clock.now().timestamp();
    let noted = {
        let mut recent_refusals = receiver.recent_refusals.lock();
        *recent_refusals = if recent_refusals.0 == now { (now, recent_refusals.1 + 1) } else { (now, 1) };
        recent_refusals.1 <= REFUSALS_A_SECOND
    };
    receiver.counts.count_refusal("deliveries without proof of their sender");
    tracing::debug!(why, noted, "a delivery was refused");
    if noted {
        let (profile_id, at) = (endpoint.profile_id.clone(), receiver.ctx.now_text());
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
