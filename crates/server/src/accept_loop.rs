//! Accepting, TLS, time limits, a clear sentence for plain HTTP, a clean end.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::ops::Deref;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{Request, Response, header};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_io_timeout::TimeoutStream;
use tokio_rustls::TlsAcceptor;
use tower_service::Service as _;

use crate::connection_slots::{ConnectionPlace, ConnectionSlots, RequestInProgress};
use crate::request_body::RequestBody;
use crate::status_pages::{self, AnswerCounts};
use crate::{HostNames, ReadyCheck, RefusalCounts, RefusalReason};

/// A client may take this long for the TLS handshake.
const HANDSHAKE_TIME: Duration = Duration::from_secs(10);

const NO_REQUEST: RefusalReason = "connections that sent no request in time";
const MADE_ROOM: RefusalReason = "connections without a request, closed to make room";
const NO_ROOM: RefusalReason = "connections while every place was busy";
const OTHER_HOST: RefusalReason = "requests for another host";
const NOT_READ: RefusalReason = "connections that did not read their answer";

/// What a listener grants a stranger.
#[derive(Clone, Copy, Debug)]
pub struct ServerLimits {
    /// Connections open at once.
    pub connections: usize,
    /// Time for a request's head, and for a connection to stay without one.
    pub head_time: Duration,
    /// Bytes of a request's head.
    pub head_bytes: usize,
    /// Time for a client to read the next piece of its answer.
    pub write_time: Duration,
    /// Time for open requests once the listener ends.
    pub end_time: Duration,
}

impl Default for ServerLimits {
    fn default() -> Self {
        ServerLimits {
            connections: 512,
            head_time: Duration::from_secs(60),
            head_bytes: 32 * 1024,
            write_time: Duration::from_secs(30),
            end_time: Duration::from_secs(5),
        }
    }
}

/// What the loop itself refuses, for the listener to say in its own form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopRefusal {
    /// 421: `Host` names somebody else.
    OtherHost,
    /// 503: every connection that may be open is busy.
    NoRoom,
    /// 500: answering panicked.
    Failed,
}

/// Everything about a listener but its socket.
pub struct HttpServer {
    /// What is answered.
    pub router: Router,
    /// TLS; `None` for plain HTTP.
    pub tls: Option<Arc<rustls::ServerConfig>>,
    /// What a stranger is granted.
    pub limits: ServerLimits,
    /// The names it answers to.
    pub hosts: HostNames,
    /// What was refused.
    pub counts: RefusalCounts,
    /// How a refusal of the loop is written.
    pub refuse: fn(LoopRefusal) -> Response<Body>,
    /// What `/readyz` asks.
    pub ready: ReadyCheck,
}

/// A listener at work.
struct ListeningServer {
    server: HttpServer,
    places: Arc<ConnectionSlots>,
    answers: AnswerCounts,
}

impl Deref for ListeningServer {
    type Target = HttpServer;

    fn deref(&self) -> &HttpServer {
        &self.server
    }
}

/// Who is at the other end of the connection: an extension of every request.
#[derive(Clone, Copy, Debug)]
pub struct PeerAddress(pub SocketAddr);

/// An extension of a response that ends the connection in its place.
#[derive(Clone, Copy, Debug)]
pub struct CutConnection;

/// Accepts connections until `stop` is ready, then lets open requests finish.
pub async fn accept_connections(
    listener: TcpListener,
    server: HttpServer,
    stop: impl Future<Output = ()> + Send,
) {
    let places = ConnectionSlots::new(server.limits.connections);
    let server = Arc::new(ListeningServer { server, places, answers: AnswerCounts::default() });
    let (stopping, stopped) = watch::channel(false);
    let mut open = JoinSet::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
            Some(_) = open.join_next(), if !open.is_empty() => continue,
        };
        match accepted {
            Ok((stream, peer)) => {
                let Some(place) = server.places.admit_connection(peer.ip().to_canonical()) else {
                    server.counts.count_refusal(NO_ROOM);
                    continue;
                };
                open.spawn(serve_connection(stream, peer, Arc::clone(&server), place, stopped.clone()));
            }
            Err(error) => {
                // Out of file handles, or the peer was gone before it was accepted: go on a little later.
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
    drop(listener);
    stopping.send_replace(true);
    let finished = async { while open.join_next().await.is_some() {} };
    if tokio::time::timeout(server.limits.end_time, finished).await.is_err() {
        tracing::debug!("open requests were cut off at the end");
    }
}

/// Returns once the listener is to end.
async fn wait_for_stop(stop: &mut watch::Receiver<bool>) {
    // An error means that the sender is gone, which says the same.
    let _ = stop.wait_for(|stop| *stop).await;
}

async fn serve_connection(
    stream: TcpStream,
    peer: SocketAddr,
    server: Arc<ListeningServer>,
    place: ConnectionPlace,
    mut stop: watch::Receiver<bool>,
) {
    let place = Arc::new(place);
    let serving = async {
        if let Err(error) = stream.set_nodelay(true) {
            return tracing::debug!(%error, "a connection was gone at once");
        }
        let Some(tls) = &server.tls else {
            return serve_requests(stream, peer, &server, &place, stop).await;
        };
        let opened = tokio::select! {
            opened = tokio::time::timeout(HANDSHAKE_TIME, open_tls(stream, tls)) => opened,
            () = wait_for_stop(&mut stop) => return,
        };
        match opened {
            Ok(Ok(Some(stream))) => serve_requests(stream, peer, &server, &place, stop).await,
            Ok(Ok(None)) => {}
            Ok(Err(error)) => tracing::debug!(%error, "no TLS connection came about"),
            Err(_) => server.counts.count_refusal(NO_REQUEST),
        }
    };
    tokio::select! {
        () = serving => {}
        () = place.wait_to_leave() => server.counts.count_refusal(MADE_ROOM),
    }
}

async fn serve_requests(
    stream: impl AsyncRead + AsyncWrite,
    peer: SocketAddr,
    server: &Arc<ListeningServer>,
    place: &Arc<ConnectionPlace>,
    mut stop: watch::Receiver<bool>,
) {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(server.limits.write_time));
    let stream = TokioIo::new(Box::pin(stream));
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(server.limits.head_time)
        // hyper's own bound of 100 header lines is kept: another one would be room on the heap for every request.
        .max_buf_size(server.limits.head_bytes);
    let answer = hyper::service::service_fn(|mut request: Request<Incoming>| {
        request.extensions_mut().insert(PeerAddress(peer));
        answer_request(Arc::clone(server), Arc::clone(place), peer, request)
    });
    let mut connection = std::pin::pin!(builder.serve_connection(stream, answer));
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = wait_for_stop(&mut stop) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        if is_write_timeout(&error) {
            server.counts.count_refusal(NOT_READ);
        } else if error.is_timeout() && !place.has_asked() {
            server.counts.count_refusal(NO_REQUEST);
        }
        tracing::debug!(%error, "a connection ended early");
    }
}

fn is_write_timeout(error: &hyper::Error) -> bool {
    let source = std::error::Error::source(error).and_then(|source| source.downcast_ref::<io::Error>());
    source.is_some_and(|error| error.kind() == io::ErrorKind::TimedOut)
}

/// The TLS connection; `None` when the client spoke something else.
async fn open_tls(
    mut stream: TcpStream,
    tls: &Arc<rustls::ServerConfig>,
) -> io::Result<Option<tokio_rustls::server::TlsStream<TcpStream>>> {
    let mut first = [0u8; 1];
    // 0x16 opens a TLS handshake record; a plain HTTP request starts with a letter.
    if stream.peek(&mut first).await? == 1 && first[0].is_ascii_uppercase() {
        refuse_plain_http(&mut stream).await?;
        return Ok(None);
    }
    TlsAcceptor::from(Arc::clone(tls)).accept(stream).await.map(Some)
}

/// 400 with a sentence, whatever was asked: the contract is HTTPS only.
async fn refuse_plain_http(stream: &mut TcpStream) -> io::Result<()> {
    const SENTENCE: &str = "This service answers HTTPS only: use an address that begins with https://\n";
    // Closing on unread bytes would reset the connection and take the answer with it.
    let mut head = [0u8; 4096];
    let mut filled = 0;
    while filled < head.len() && !head[..filled].windows(4).any(|end| end == b"\r\n\r\n") {
        match tokio::time::timeout(Duration::from_secs(1), stream.read(&mut head[filled..])).await {
            Ok(Ok(read)) if read > 0 => filled += read,
            _ => break,
        }
    }
    let answer = format!(
        "HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{SENTENCE}",
        SENTENCE.len()
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await
}

/// Ends a connection without an answer.
#[derive(Debug, thiserror::Error)]
#[error("the connection was cut by a simulated failure")]
struct CutShort;

async fn answer_request(
    server: Arc<ListeningServer>,
    place: Arc<ConnectionPlace>,
    peer: SocketAddr,
    request: Request<Incoming>,
) -> Result<Response<AnswerBody>, CutShort> {
    let under_way = place.begin_request();
    let waits_for_leave = request.headers().contains_key(header::EXPECT);
    let (parts, body) = request.into_parts();
    let body = RequestBody::new(body);
    let response = if place.is_beyond {
        server.counts.count_refusal(NO_ROOM);
        let mut response = (server.refuse)(LoopRefusal::NoRoom);
        let headers = response.headers_mut();
        headers.insert(header::RETRY_AFTER, header::HeaderValue::from_static("1"));
        headers.insert(header::CONNECTION, header::HeaderValue::from_static("close"));
        response
    } else if let Some(probe) = status_pages::answer_probe(&parts, &server.ready).await {
        return Ok(probe.map(|body| AnswerBody { body, _under_way: under_way }));
    } else if server.hosts.permits_request(&parts.uri, &parts.headers) {
        if status_pages::permits_metrics(&parts, peer.ip().to_canonical()) {
            let metrics = status_pages::write_metrics(
                &server.answers,
                &server.counts,
                server.places.open_connections(),
            );
            return Ok(metrics.map(|body| AnswerBody { body, _under_way: under_way }));
        }
        let request = Request::from_parts(parts, Body::new(body.clone()));
        let mut router = server.router.clone();
        match (PanicGuard { inner: router.call(request) }).await {
            Ok(Ok(response)) => response,
            Ok(Err(never)) => match never {},
            // What it said may hold a person's data: where it was is in the log already.
            Err(_) => (server.refuse)(LoopRefusal::Failed),
        }
    } else {
        server.counts.count_refusal(OTHER_HOST);
        (server.refuse)(LoopRefusal::OtherHost)
    };
    server.answers.count_answer(response.status());
    if response.extensions().get::<CutConnection>().is_some() {
        return Err(CutShort);
    }
    // A client that waits for `100 Continue` has sent nothing, and reading would call for it.
    if !waits_for_leave {
        body.read_out().await;
    }
    Ok(response.map(|body| AnswerBody { body, _under_way: under_way }))
}

/// An answer; its request is in progress until this was sent.
struct AnswerBody {
    body: Body,
    _under_way: RequestInProgress,
}

impl HttpBody for AnswerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

type Panic = Box<dyn std::any::Any + Send>;

/// A future whose panics become an error: one bad request must not take its connection along.
struct PanicGuard<F> {
    inner: F,
}

impl<F: Future + Unpin> Future for PanicGuard<F> {
    type Output = Result<F::Output, Panic>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let inner = &mut self.inner;
        // After a panic the future is dropped unpolled, so no one sees what it left half done.
        let polled = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| Pin::new(inner).poll(context)));
        match polled {
            Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
            Ok(Poll::Pending) => Poll::Pending,
            Err(panic) => Poll::Ready(Err(panic)),
        }
    }
}
