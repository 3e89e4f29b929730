//! The calculator over HTTPS against a bare axum + rustls handler that answers the same bytes.
//!
//! Both run in this process under the same client load, in alternate rounds; the medians are compared.
//! `cargo bench -p bordereau-service`; the goal is a ratio of at least 0.60.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::routing::post;
use bordereau_service::{ServiceConfig, start_service};
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::client::conn::http1::SendRequest;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rcgen::{CertificateParams, KeyPair};
use rustls_pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName, pem::PemObject};
use tokio::net::TcpStream;
use tokio_rustls::{TlsAcceptor, TlsConnector};

/// Keep-alive connections of the load.
const CONNECTIONS: usize = 6;
/// Rounds on each side.
const ROUNDS: usize = 9;
const ROUND: Duration = Duration::from_millis(700);

const PATH: &str = "/api/tax-calculator/calculate-general-taxes";
const QUESTION: &[u8] = br#"{"physical_state":"TX","transaction_type":"PN","transaction_line_of_business_list":"GEN-1002 | GEN-1001","transaction_line_of_business_coverage":"9000 | 521","agency_fee":400,"inspection_fee":150.42,"policy_effective_date":"2026-02-23"}"#;

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    runtime.block_on(run());
}

async fn run() {
    let (clock, stop) = running_clock();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let service = start_service(listener, ServiceConfig { clock, ..ServiceConfig::default() })
        .await
        .expect("the service starts");
    let ours = Target::connect(service.address, &service.ca_pem, &service.api_key).await;
    let answer = ours.one_answer().await;
    let (address, ca_pem) = bare(answer.clone()).await;
    let theirs = Target::connect(address, &ca_pem, &service.api_key).await;
    println!("answer: {} bytes, load: {CONNECTIONS} keep-alive connections", answer.len());
    let (mut our_rates, mut bare_rates) = (Vec::new(), Vec::new());
    ours.round().await;
    theirs.round().await;
    for _ in 0..ROUNDS {
        our_rates.push(ours.round().await);
        bare_rates.push(theirs.round().await);
    }
    let (our_rate, bare_rate) = (median(our_rates), median(bare_rates));
    println!("practice service: {our_rate} requests/s");
    println!("bare axum + rustls: {bare_rate} requests/s");
    let percent = our_rate * 100 / bare_rate.max(1);
    // The form `cargo xtask bench` reads: figure | measured | target | verdict.
    println!(
        "calculator over HTTPS against a bare handler | {percent} % ({our_rate} of {bare_rate} requests/s) | at least 60 % | {}",
        if percent >= 60 { "pass" } else { "MISS" }
    );
    stop.store(1, Ordering::Relaxed);
    service.stop().await;
}

/// A clock that runs a minute for every reading, so that the limit of requests is never reached.
fn running_clock() -> (Arc<dyn bordereau_service::Clock>, Arc<AtomicU64>) {
    struct Fast(Arc<AtomicU64>);
    impl bordereau_service::Clock for Fast {
        fn now(&self) -> chrono::DateTime<chrono::Utc> {
            let minutes = self.0.fetch_add(1, Ordering::Relaxed) % 1_000;
            let start: i64 = 1_771_858_800; // 23 February 2026, 15:00 UTC
            chrono::DateTime::from_timestamp(start + i64::try_from(minutes).unwrap_or(0) * 60, 0)
                .unwrap_or_default()
        }
    }
    let ticks = Arc::new(AtomicU64::new(0));
    (Arc::new(Fast(Arc::clone(&ticks))), ticks)
}

fn median(mut rates: Vec<u64>) -> u64 {
    rates.sort_unstable();
    rates[rates.len() / 2]
}

/// One of the two servers under load.
struct Target {
    connections: Vec<tokio::sync::Mutex<SendRequest<Full<Bytes>>>>,
    key: String,
}

impl Target {
    async fn connect(address: std::net::SocketAddr, ca_pem: &str, key: &str) -> Target {
        let mut roots = rustls::RootCertStore::empty();
        let ca = CertificateDer::from_pem_slice(ca_pem.as_bytes()).expect("the certificate is PEM");
        roots.add(ca).expect("the certificate is good");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("TLS 1.2 and 1.3 are known")
            .with_root_certificates(roots)
            .with_no_client_auth();
        let connector = TlsConnector::from(Arc::new(config));
        let mut connections = Vec::new();
        for _ in 0..CONNECTIONS {
            let stream = TcpStream::connect(address).await.expect("the server listens");
            stream.set_nodelay(true).expect("a socket option");
            let name = ServerName::try_from("localhost").expect("a name");
            let stream = connector.connect(name, stream).await.expect("TLS comes about");
            let (sender, connection) =
                hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.expect("HTTP comes about");
            tokio::spawn(connection);
            connections.push(tokio::sync::Mutex::new(sender));
        }
        Target { connections, key: key.to_owned() }
    }

    async fn send(&self, sender: &mut SendRequest<Full<Bytes>>) -> Bytes {
        let request = Request::post(PATH)
            .header("host", "localhost")
            .header("apikey", &self.key)
            .header("content-type", "application/json")
            .body(Full::new(Bytes::from_static(QUESTION)))
            .expect("a request");
        sender.ready().await.expect("the connection is kept");
        let response = sender.send_request(request).await.expect("an answer");
        assert_eq!(response.status(), 200, "the load is answered");
        response.into_body().collect().await.expect("a whole answer").to_bytes()
    }

    async fn one_answer(&self) -> Bytes {
        let mut sender = self.connections[0].lock().await;
        self.send(&mut sender).await
    }

    /// Requests per second of one round.
    async fn round(&self) -> u64 {
        let started = Instant::now();
        let load = self.connections.iter().map(|connection| async move {
            let mut sender = connection.lock().await;
            let mut count = 0u64;
            while started.elapsed() < ROUND {
                self.send(&mut sender).await;
                count += 1;
            }
            count
        });
        let counts = futures_join(load.collect()).await;
        let micros = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
        counts.iter().sum::<u64>() * 1_000_000 / micros
    }
}

/// Drives all futures on this task until each has ended.
async fn futures_join<F: Future<Output = u64>>(futures: Vec<F>) -> Vec<u64> {
    let mut futures: Vec<_> = futures.into_iter().map(Box::pin).collect();
    let mut done = vec![None; futures.len()];
    std::future::poll_fn(move |context| {
        for (future, slot) in futures.iter_mut().zip(&mut done) {
            if slot.is_none()
                && let std::task::Poll::Ready(count) = future.as_mut().poll(context)
            {
                *slot = Some(count);
            }
        }
        let all: Option<Vec<u64>> = done.iter().copied().collect();
        all.map_or(std::task::Poll::Pending, std::task::Poll::Ready)
    })
    .await
}

/// The bare server: reads the body, answers fixed bytes.
async fn bare(answer: Bytes) -> (std::net::SocketAddr, String) {
    let key = KeyPair::generate().expect("a key");
    let certificate = CertificateParams::new(vec!["localhost".to_owned()])
        .and_then(|params| params.self_signed(&key))
        .expect("a certificate");
    let chain = vec![certificate.der().clone()];
    let private = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("TLS 1.2 and 1.3 are known")
        .with_no_client_auth()
        .with_single_cert(chain, private)
        .expect("the certificate fits its key");
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let handler = move |_body: Bytes| {
        let answer = answer.clone();
        async move { ([("content-type", "application/json")], Body::from(answer)) }
    };
    let router: axum::Router = axum::Router::new().route(PATH, post(handler));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, router) = (acceptor.clone(), router.clone());
            tokio::spawn(async move {
                stream.set_nodelay(true).expect("a socket option");
                let stream = acceptor.accept(stream).await.expect("TLS comes about");
                let service = TowerToHyperService::new(router);
                let mut builder = hyper::server::conn::http1::Builder::new();
                // The client closes when it has enough.
                let _ =
                    builder.timer(TokioTimer::new()).serve_connection(TokioIo::new(stream), service).await;
            });
        }
    });
    (address, certificate.pem())
}
