//! A service of somebody else: answers each question as a test says, and counts what it was sent.

use std::sync::{Arc, Mutex};

use bordereau_desk::Desk;
use bordereau_desk::api::*;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// A question: its path with the query, and its body.
#[derive(Clone, Debug)]
pub struct Question {
    pub path: String,
    pub body: String,
}

impl Question {
    pub fn is(&self, path: &str) -> bool {
        self.path.split('?').next() == Some(path)
    }
}

/// What is answered: a status and a body; nothing for a connection that breaks.
pub type Reply = Option<(u16, String)>;

pub fn reply(body: impl Into<String>) -> Reply {
    Some((200, body.into()))
}

pub struct OtherService {
    pub base_url: String,
    pub ca_pem: String,
    asked: Arc<Mutex<Vec<Question>>>,
    task: tokio::task::JoinHandle<()>,
}

impl OtherService {
    pub async fn start(answer: impl Fn(&Question) -> Reply + Send + Sync + 'static) -> OtherService {
        let (tls, ca_pem) = identity();
        let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(tls));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("https://{}", listener.local_addr().unwrap());
        let asked: Arc<Mutex<Vec<Question>>> = Arc::default();
        let (answer, seen) = (Arc::new(answer), Arc::clone(&asked));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, answer, seen) = (acceptor.clone(), Arc::clone(&answer), Arc::clone(&seen));
                tokio::spawn(async move {
                    let Ok(mut stream) = acceptor.accept(stream).await else { return };
                    let Some(question) = read_question(&mut stream).await else { return };
                    seen.lock().unwrap().push(question.clone());
                    if let Some((status, body)) = answer(&question) {
                        let head = format!(
                            "HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
                            body.len()
                        );
                        let _ = stream.write_all(head.as_bytes()).await;
                        let _ = stream.write_all(body.as_bytes()).await;
                        let _ = stream.shutdown().await;
                    }
                });
            }
        });
        OtherService { base_url, ca_pem, asked, task }
    }

    /// How often it was asked under this path.
    pub fn count(&self, path: &str) -> usize {
        self.asked.lock().unwrap().iter().filter(|question| question.is(path)).count()
    }

    /// Has a desk send there under a profile of its own.
    pub async fn select(&self, desk: &Desk, folder: &std::path::Path) {
        let ca_file = folder.join("other.pem");
        std::fs::write(&ca_file, &self.ca_pem).unwrap();
        let profile = Profile {
            base_url: self.base_url.clone(),
            ca_file: crate::test_desk::file_handle(desk, &ca_file),
            import_path: "/import".into(),
            results_path: "/results".into(),
            status_path: "/status".into(),
            documents_path: "/documents".into(),
            ..crate::test_desk::profile("Other office")
        };
        let id = desk.profile_save(profile).await.unwrap().profile.id;
        desk.profile_set_key(SetApiKey { id: id.clone(), key: "a-key".into() }).await.unwrap();
        desk.profile_select(ProfileId { id }).await.unwrap();
    }
}

impl Drop for OtherService {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn identity() -> (rustls::ServerConfig, String) {
    let ca_key = rcgen::KeyPair::generate().unwrap();
    let mut ca = rcgen::CertificateParams::default();
    ca.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let ca_pem = ca.self_signed(&ca_key).unwrap().pem();
    let issuer = rcgen::Issuer::new(ca, ca_key);
    let key = rcgen::KeyPair::generate().unwrap();
    let params = rcgen::CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
    let certificate = params.signed_by(&key, &issuer).unwrap();
    let chain = vec![CertificateDer::from(certificate.der().to_vec())];
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut tls = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain, PrivateKeyDer::try_from(key.serialize_der()).unwrap())
        .unwrap();
    tls.alpn_protocols = vec![b"http/1.1".to_vec()];
    (tls, ca_pem)
}

/// The head, and as much of a body as it announces.
async fn read_question(stream: &mut (impl AsyncReadExt + Unpin)) -> Option<Question> {
    let mut bytes = Vec::new();
    let mut piece = [0_u8; 65_536];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse::<usize>().ok()
            });
            if body.len() >= length.unwrap_or(0) {
                let path = head.split(' ').nth(1)?.to_owned();
                return Some(Question { path, body: body.to_owned() });
            }
        }
        match stream.read(&mut piece).await {
            Ok(0) | Err(_) => return None,
            Ok(read) => bytes.extend_from_slice(&piece[..read]),
        }
    }
}
