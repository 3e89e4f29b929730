//! The listener: TLS, time-outs, a clear sentence for plain HTTP, a clean end.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response, header};
use axum::response::IntoResponse;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tower_service::Service as _;

use crate::faults::CutConnection;
use crate::lent_body::LentBody;
use crate::refusal::Refusal;

/// Connections open at once; further ones wait in the operating system's queue.
const CONNECTIONS_MAX: usize = 1_024;
/// A client may take this long for the TLS handshake.
const HANDSHAKE_TIME: Duration = Duration::from_secs(10);
/// A client may take this long for its headers, or leave a connection idle.
const HEADER_TIME: Duration = Duration::from_secs(60);
/// Bytes of a request's head.
const HEAD_BYTES_MAX: usize = 32 * 1024;
/// Header lines of a request.
const HEADERS_MAX: usize = 64;
/// Open requests may take this long once the service ends.
const END_TIME: Duration = Duration::from_secs(5);

/// Accepts connections until told to stop, then lets open requests finish.
pub(crate) async fn accept_connections(
    listener: TcpListener,
    tls: Arc<rustls::ServerConfig>,
    router: Router,
    mut stop: watch::Receiver<bool>,
) {
    let acceptor = TlsAcceptor::from(tls);
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let mut open = JoinSet::new();
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { break };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = wait_for_stop(&mut stop) => break,
            Some(_) = open.join_next(), if !open.is_empty() => continue,
        };
        match accepted {
            Ok((stream, _)) => {
                let connection = serve_connection(stream, acceptor.clone(), router.clone(), stop.clone());
                open.spawn(async move {
                    connection.await;
                    drop(place);
                });
            }
            Err(error) => {
                // Out of file handles, or the peer was gone before it was accepted: go on a little later.
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
    drop(listener);
    let finished = async { while open.join_next().await.is_some() {} };
    if tokio::time::timeout(END_TIME, finished).await.is_err() {
        tracing::warn!("open requests were cut off at the end");
    }
}

/// Returns once the service is to end.
async fn wait_for_stop(stop: &mut watch::Receiver<bool>) {
    // An error means that the sender is gone, which says the same.
    let _ = stop.wait_for(|stop| *stop).await;
}

async fn serve_connection(
    stream: TcpStream,
    acceptor: TlsAcceptor,
    router: Router,
    mut stop: watch::Receiver<bool>,
) {
    let opened = tokio::select! {
        opened = tokio::time::timeout(HANDSHAKE_TIME, open_tls(stream, acceptor)) => opened,
        () = wait_for_stop(&mut stop) => return,
    };
    let stream = match opened {
        Ok(Ok(Some(stream))) => stream,
        Ok(Ok(None)) => return,
        Ok(Err(error)) => return tracing::debug!(%error, "no TLS connection came about"),
        Err(_) => return tracing::debug!("a TLS handshake took too long"),
    };
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIME)
        .max_buf_size(HEAD_BYTES_MAX)
        .max_headers(HEADERS_MAX);
    let answer = hyper::service::service_fn(move |request| answer_request(router.clone(), request));
    let mut connection = std::pin::pin!(builder.serve_connection(TokioIo::new(stream), answer));
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = wait_for_stop(&mut stop) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}

/// The TLS connection; `None` when the client spoke something else.
async fn open_tls(
    mut stream: TcpStream,
    acceptor: TlsAcceptor,
) -> io::Result<Option<tokio_rustls::server::TlsStream<TcpStream>>> {
    stream.set_nodelay(true)?;
    let mut first = [0u8; 1];
    // 0x16 opens a TLS handshake record; a plain HTTP request starts with a letter.
    if stream.peek(&mut first).await? == 1 && first[0].is_ascii_uppercase() {
        refuse_plain_http(&mut stream).await?;
        return Ok(None);
    }
    acceptor.accept(stream).await.map(Some)
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
#[error("the connection was cut, as asked")]
struct CutShort;

async fn answer_request(mut router: Router, request: Request<Incoming>) -> Result<Response<Body>, CutShort> {
    let waits_for_leave = request.headers().contains_key(header::EXPECT);
    let (parts, body) = request.into_parts();
    let body = LentBody::new(body);
    let request = Request::from_parts(parts, Body::new(body.clone()));
    let response = match (PanicGuard { inner: router.call(request) }).await {
        Ok(Ok(response)) => response,
        Ok(Err(never)) => match never {},
        Err(panic) => {
            let panic = panic_text(&*panic);
            tracing::error!(panic, "a request made the service panic");
            Refusal::internal_error("The service failed on this request; its log says more.").into_response()
        }
    };
    if response.extensions().get::<CutConnection>().is_some() {
        return Err(CutShort);
    }
    // A client that waits for `100 Continue` has sent nothing, and reading would call for it.
    if !waits_for_leave {
        body.read_out().await;
    }
    Ok(response)
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
        // After a panic the future is dropped unpolled, so nobody sees what it left half done.
        let polled = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| Pin::new(inner).poll(context)));
        match polled {
            Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
            Ok(Poll::Pending) => Poll::Pending,
            Err(panic) => Poll::Ready(Err(panic)),
        }
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (None, Some(text)) => text,
        (None, None) => "no text",
    }
}
