//! Strangers at a listener: whatever they do, it goes on answering.
#![allow(clippy::unwrap_used, reason = "in a test a panic is the answer")]

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{Response, StatusCode};
use axum::routing::{get, post};
use bordereau_server::{
    HostNames, HttpServer, LoopRefusal, ReadyCheck, RefusalCounts, ServerLimits, accept_connections,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{Notify, oneshot};

struct Listening {
    address: SocketAddr,
    counts: RefusalCounts,
    release: Arc<Notify>,
    held: Arc<AtomicUsize>,
    _stop: oneshot::Sender<()>,
}

fn refuse(refusal: LoopRefusal) -> Response<Body> {
    let mut response = Response::new(Body::from("refused"));
    *response.status_mut() = match refusal {
        LoopRefusal::OtherHost => StatusCode::MISDIRECTED_REQUEST,
        LoopRefusal::NoRoom => StatusCode::SERVICE_UNAVAILABLE,
        LoopRefusal::Failed => StatusCode::INTERNAL_SERVER_ERROR,
    };
    response
}

async fn listening(limits: ServerLimits) -> Listening {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (counts, release) = (RefusalCounts::default(), Arc::new(Notify::new()));
    let (released, held) = (Arc::clone(&release), Arc::new(AtomicUsize::new(0)));
    let count = Arc::clone(&held);
    let hold = async move || {
        let release = released.notified();
        count.fetch_add(1, Ordering::SeqCst);
        release.await;
    };
    let router = Router::new()
        .route("/", get(|| async { "here" }))
        .route("/hold", get(hold))
        .route("/large", get(|| async { vec![b'x'; 64 * 1024 * 1024] }))
        .route("/length", post(|body: Bytes| async move { body.len().to_string() }))
        .route("/panic", get(|| async { panic_on_purpose() }));
    let hosts = HostNames::for_address(address.ip());
    let ready: ReadyCheck = Arc::new(|| Box::pin(async { true }));
    let server = HttpServer { router, tls: None, limits, hosts, counts: counts.clone(), refuse, ready };
    let (stop, stopped) = oneshot::channel::<()>();
    tokio::spawn(accept_connections(listener, server, async { drop(stopped.await) }));
    Listening { address, counts, release, held, _stop: stop }
}

#[expect(clippy::panic, reason = "a handler that panics is what is tested")]
fn panic_on_purpose() -> &'static str {
    panic!("on purpose")
}

impl Listening {
    async fn open(&self, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        stream
    }

    async fn ask(&self, path: &str) -> u16 {
        self.ask_as(path, &self.address.to_string()).await
    }

    async fn ask_as(&self, path: &str, host: &str) -> u16 {
        status(self.open(&request(path, host)).await).await
    }
}

fn request(path: &str, host: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n")
}

/// The answer's status; 0 where the connection ended without one.
async fn status(mut stream: TcpStream) -> u16 {
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0)
}

fn few(connections: usize) -> ServerLimits {
    ServerLimits { connections, ..ServerLimits::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn half_open_connections_make_room() {
    let at = listening(few(8)).await;
    let mut half_open = Vec::new();
    for number in 0..60 {
        let text = if number % 2 == 0 { "" } else { "GET / HTTP/1.1\r\nhost: x" };
        half_open.push(at.open(text).await);
    }
    for _ in 0..20 {
        assert_eq!(at.ask("/").await, 200);
    }
    assert_eq!(status(half_open.remove(0)).await, 0, "the first one was closed");
    assert!(
        at.counts.to_sentence().unwrap().contains("closed to make room"),
        "{:?}",
        at.counts.to_sentence()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn where_all_are_busy_a_request_is_refused_and_later_answered() {
    let at = listening(few(2)).await;
    let busy = [at.open(&request("/hold", "localhost")).await, at.open(&request("/hold", "localhost")).await];
    until(|| async { at.held.load(Ordering::SeqCst) == 2 }).await;
    assert_eq!(at.ask("/").await, 503);
    at.release.notify_waiters();
    for stream in busy {
        assert_eq!(status(stream).await, 200, "what was begun is finished");
    }
    until(|| async { at.ask("/").await == 200 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_that_does_not_come_ends_the_connection() {
    let at = listening(ServerLimits { head_time: Duration::from_millis(100), ..few(8) }).await;
    for text in ["", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"] {
        let mut stream = at.open(text).await;
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        assert_eq!(!answer.is_empty(), text.ends_with("\r\n\r\n"), "{text:?}");
    }
    assert_eq!(
        at.counts.total(),
        2,
        "an idle one that had asked is no refusal: {:?}",
        at.counts.to_sentence()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_read_loses_the_place() {
    let at = listening(ServerLimits { write_time: Duration::from_millis(200), ..few(1) }).await;
    let _silent = at.open(&request("/large", "localhost")).await;
    until(|| async { at.counts.counts().get("connections that did not read their answer") == Some(&1) })
        .await;
    assert_eq!(at.ask("/").await, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_host_is_refused_before_anything_is_answered() {
    let at = listening(few(8)).await;
    for (host, expected) in [("localhost", 200), ("evil.example", 421), ("127.0.0.1.evil.example:80", 421)] {
        assert_eq!(at.ask_as("/", host).await, expected, "{host}");
    }
    let without = at.open("GET / HTTP/1.1\r\nconnection: close\r\n\r\n").await;
    assert_eq!(status(without).await, 421);
    assert_eq!(at.counts.counts()["requests for another host"], 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_is_an_answer_and_the_next_request_works() {
    let at = listening(few(8)).await;
    assert_eq!((at.ask("/panic").await, at.ask("/").await), (500, 200));
}

/// Waits for a condition; a machine may be slow.
async fn until<F: Future<Output = bool>>(holds: impl Fn() -> F) {
    for _ in 0..3_000 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(holds().await, "it never came to this");
}
