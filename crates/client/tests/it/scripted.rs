//! A raw TLS listener: answers each request with the bytes a test gives, then closes the connection.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bordereau_client::{Client, ClientConfig, Credentials, MemoryTokens, RetryPolicy};
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// An answer with this header ends without TLS's word for the end of a connection.
pub const WITHOUT_END: &[u8] = b"x-without-end: 1\r\n";

pub struct Scripted {
    pub base_url: String,
    pub ca_pem: String,
    requests: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Scripted {
    /// For 127.0.0.1, under a fresh authority called `A Foreign Authority`.
    pub async fn start(answer: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Scripted {
        Scripted::start_for("127.0.0.1", answer).await
    }

    /// With a certificate for the name given.
    pub async fn start_for(name: &str, answer: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Scripted {
        let (tls, ca_pem) = identity(name);
        let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(tls));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let base_url = format!("https://{}", listener.local_addr().expect("an address"));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (answer, seen) = (Arc::new(answer), requests.clone());
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, answer, seen) = (acceptor.clone(), answer.clone(), seen.clone());
                tokio::spawn(async move {
                    let Ok(mut stream) = acceptor.accept(stream).await else { return };
                    let request = read_request(&mut stream).await;
                    seen.lock().expect("requests").push(request.clone());
                    let bytes =
                        tokio::task::spawn_blocking(move || answer(&request)).await.expect("no panic");
                    // Without an answer the connection breaks.
                    if bytes.is_empty() {
                        return;
                    }
                    let _ = stream.write_all(&bytes).await;
                    if !bytes.windows(WITHOUT_END.len()).any(|part| part == WITHOUT_END) {
                        let _ = stream.shutdown().await;
                    }
                });
            }
        });
        Scripted { base_url, ca_pem, requests, task }
    }

    pub fn config(&self) -> ClientConfig {
        ClientConfig {
            base_url: self.base_url.clone(),
            extra_ca_pem: Some(self.ca_pem.clone()),
            retry: RetryPolicy { first_pause: Duration::from_millis(5), ..RetryPolicy::default() },
            ..ClientConfig::default()
        }
    }

    pub fn client(&self) -> Client {
        let credentials = Credentials::with_api_key("bdk_visible_key");
        Client::new(self.config(), credentials, Arc::new(MemoryTokens::new())).expect("a client")
    }

    /// Everything asked so far, heads and bodies.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("requests").clone()
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn identity(name: &str) -> (rustls::ServerConfig, String) {
    let ca_key = rcgen::KeyPair::generate().expect("a key");
    let mut ca = rcgen::CertificateParams::default();
    ca.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    ca.distinguished_name.push(rcgen::DnType::CommonName, "A Foreign Authority");
    let ca_pem = ca.self_signed(&ca_key).expect("a certificate").pem();
    let issuer = rcgen::Issuer::new(ca, ca_key);
    let key = rcgen::KeyPair::generate().expect("a key");
    let params = rcgen::CertificateParams::new(vec![name.to_owned()]).expect("a name");
    let certificate = params.signed_by(&key, &issuer).expect("a certificate");
    let chain = vec![CertificateDer::from(certificate.der().to_vec())];
    let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut tls = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .expect("an identity");
    tls.alpn_protocols = vec![b"http/1.1".to_vec()];
    (tls, ca_pem)
}

/// The head, and as much of a body as it announces.
async fn read_request(stream: &mut (impl AsyncReadExt + Unpin)) -> String {
    let mut bytes = Vec::new();
    let mut piece = [0_u8; 65_536];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n")
            && body.len() >= announced_length(head)
        {
            return text;
        }
        match stream.read(&mut piece).await {
            Ok(0) | Err(_) => return text,
            Ok(read) => bytes.extend_from_slice(&piece[..read]),
        }
    }
}

/// The length of the body that a head announces.
pub fn announced_length(head: &str) -> usize {
    let announced = head
        .lines()
        .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok());
    announced.unwrap_or(0)
}

/// A whole answer.
pub fn answer(status: u16, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}")
        .into_bytes()
}

pub fn json_answer(status: u16, body: &str) -> Vec<u8> {
    answer(status, "content-type: application/json\r\n", body)
}

/// The smallest quote there is.
pub const QUOTE: &str = r#"{"transaction_type":"PN","physical_state":"TX","premium":100,"agency_fee":0,
    "inspection_fee":0,"sl_tax":4.85,"stamping_fee":0.04,"sl_service_charge":0,"fm_tax":0,"empa_tax":0,
    "collection_fee":0}"#;

pub fn quote_answer() -> Vec<u8> {
    json_answer(200, QUOTE)
}
