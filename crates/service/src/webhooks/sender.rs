//! One delivery over HTTP: signed, bounded, in time, to the address that was checked and nowhere else.

use std::error::Error as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bordereau_contract::SIGNATURE_HEADER;
use reqwest::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use ring::hmac;

use super::address::{self, CheckedResolver, Lookup};
use super::sealed::Sealer;
use crate::store::webhooks::Kept;

/// How long a connection may take to be made.
const CONNECT_TIME: Duration = Duration::from_secs(5);
/// How long an attempt may take altogether.
const ATTEMPT_TIME: Duration = Duration::from_secs(10);
/// Of an answer no more is read, in bytes.
const ANSWER_BYTES_MAX: usize = 16 * 1024;
/// Of an answer no more is kept, in characters.
const ANSWER_CHARS_MAX: usize = 2_000;
/// Connections kept open to one endpoint between deliveries.
const IDLE_MAX: usize = 16;

/// Sends deliveries.
pub(super) struct Sender {
    http: Client,
}

/// A webhook made ready to be sent to.
pub(super) struct Target {
    pub(super) url: url::Url,
    header: Option<(HeaderName, HeaderValue)>,
    key: hmac::Key,
}

/// What an endpoint said.
#[derive(Debug)]
pub(super) struct Answered {
    pub(super) status: Option<u16>,
    /// The beginning of the answer.
    pub(super) body: String,
    /// Why it is no success; none for 200.
    pub(super) error: Option<String>,
    pub(super) milliseconds: u64,
}

impl Target {
    /// Opens what is sealed and looks at the address once more: rules may have changed since it was entered.
    pub(super) fn new(kept: &Kept, sealer: &Sealer) -> Result<Target, String> {
        let open = |sealed: &str| {
            let lost = "The webhook's secret cannot be read any more; make a new one.";
            sealer.open_sealed(&kept.id, sealed).ok_or_else(|| lost.to_owned())
        };
        let header = if kept.header_key.is_empty() {
            None
        } else {
            let unusable = |_| "The webhook's header cannot be sent.".to_owned();
            let name =
                HeaderName::from_bytes(kept.header_key.as_bytes()).map_err(|e| unusable(e.to_string()))?;
            let value = HeaderValue::from_str(&open(&kept.header_value)?);
            let mut value = value.map_err(|e| unusable(e.to_string()))?;
            value.set_sensitive(true);
            Some((name, value))
        };
        let key = hmac::Key::new(hmac::HMAC_SHA256, open(&kept.secret)?.as_bytes());
        Ok(Target { url: address::checked(&kept.url)?, header, key })
    }

    /// The signature of a body: hexadecimal, lower case.
    fn signature(&self, body: &[u8]) -> String {
        use std::fmt::Write;
        hmac::sign(&self.key, body).as_ref().iter().fold(String::with_capacity(64), |mut text, byte| {
            // Writing to a String cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
    }
}

impl Sender {
    pub(super) fn new() -> Result<Sender, String> {
        Sender::resolving(address::by_system)
    }

    /// Every name goes through the lookup, and what it finds through the check.
    fn resolving(lookup: Lookup) -> Result<Sender, String> {
        let http = Client::builder()
            .tls_backend_preconfigured(tls()?)
            .dns_resolver(Arc::new(CheckedResolver(lookup)))
            .redirect(Policy::none())
            .retry(reqwest::retry::never())
            .no_proxy()
            .referer(false)
            .tcp_nodelay(true)
            .connect_timeout(CONNECT_TIME)
            .pool_max_idle_per_host(IDLE_MAX)
            .user_agent(concat!("Bordereau-Webhooks/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| error.to_string())?;
        Ok(Sender { http })
    }

    /// Posts a body. Success is status 200 alone [spec].
    pub(super) async fn post(&self, target: &Target, body: String) -> Answered {
        let started = Instant::now();
        let (status, body, error) =
            match tokio::time::timeout(ATTEMPT_TIME, self.exchange(target, body)).await {
                Ok(Ok((200, body))) => (Some(200), body, None),
                Ok(Ok((status, body))) => {
                    let why = match status {
                        300..=399 => "redirects are not followed".to_owned(),
                        _ => "only 200 counts as received".to_owned(),
                    };
                    (Some(status), body, Some(format!("Answered with {status}; {why}.")))
                }
                Ok(Err(why)) => (None, String::new(), Some(why)),
                Err(_) => {
                    let seconds = ATTEMPT_TIME.as_secs();
                    (None, String::new(), Some(format!("No answer within {seconds} seconds.")))
                }
            };
        let milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        Answered { status, body, error, milliseconds }
    }

    async fn exchange(&self, target: &Target, body: String) -> Result<(u16, String), String> {
        let mut request = self
            .http
            .post(target.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .header(SIGNATURE_HEADER, target.signature(body.as_bytes()));
        if let Some((name, value)) = &target.header {
            request = request.header(name, value);
        }
        let response = request.body(body).send().await.map_err(|error| words(&error))?;
        let status = response.status().as_u16();
        Ok((status, beginning(response).await))
    }
}

/// TLS as everywhere: the operating system's trust. Without any trust every `https:` delivery fails with
/// its reason, and those to this machine still work.
fn tls() -> Result<rustls::ClientConfig, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = rustls::ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let mut tls = match rustls_platform_verifier::Verifier::new(provider) {
        Ok(verifier) => {
            builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth()
        }
        Err(error) => {
            tracing::warn!(%error, "no trusted certificates: webhooks to https: addresses will fail");
            builder.with_root_certificates(rustls::RootCertStore::empty()).with_no_client_auth()
        }
    };
    tls.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(tls)
}

/// The beginning of an answer; what cannot be read of it is left out.
async fn beginning(mut response: Response) -> String {
    let mut bytes = Vec::new();
    while bytes.len() < ANSWER_BYTES_MAX {
        match response.chunk().await {
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Ok(None) | Err(_) => break,
        }
    }
    bytes.truncate(ANSWER_BYTES_MAX);
    String::from_utf8_lossy(&bytes)
        .chars()
        .filter(|c| !c.is_control() || *c == '\n')
        .take(ANSWER_CHARS_MAX)
        .collect()
}

/// Why there was no answer: the innermost reason says most. Without the address, which may hold a secret.
fn words(error: &reqwest::Error) -> String {
    let mut inner: Option<&dyn std::error::Error> = error.source();
    let mut text = "the connection failed".to_owned();
    while let Some(reason) = inner {
        text = reason.to_string();
        inner = reason.source();
    }
    let text: String = text.chars().take(300).collect();
    format!("No answer: {}.", text.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use axum::Router;
    use axum::routing::post;

    use super::*;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    fn target(url: &str) -> Result<Target, Box<dyn std::error::Error>> {
        let key = hmac::Key::new(hmac::HMAC_SHA256, b"secret of 20 letters");
        Ok(Target { url: address::checked(url)?, header: None, key })
    }

    /// A name that was public when it was entered and points into this machine when it is used.
    #[tokio::test]
    async fn a_name_that_now_points_here_is_not_connected_to() -> Outcome {
        let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        let sender = Sender::resolving(|_| Box::pin(async { Ok(vec![IpAddr::V4(Ipv4Addr::LOCALHOST)]) }))?;
        let url = format!("https://hooks.example.com:{}/", listener.local_addr()?.port());
        let answered = sender.post(&target(&url)?, "{}".into()).await;
        assert_eq!(answered.status, None);
        let why = answered.error.unwrap_or_default();
        assert!(why.contains("resolves to 127.0.0.1, which deliveries must not go to"), "{why}");
        let knocked = listener.accept().map(|_| ());
        assert!(knocked.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock), "nobody came");
        Ok(())
    }

    #[tokio::test]
    async fn of_a_long_answer_the_beginning_is_kept() -> Outcome {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}/", listener.local_addr()?);
        let router = Router::new().route("/", post(|| async { "long ".repeat(1_000_000) }));
        tokio::spawn(async move { axum::serve(listener, router).await });
        let answered = Sender::new()?.post(&target(&url)?, "{}".into()).await;
        assert_eq!((answered.status, answered.error), (Some(200), None));
        assert_eq!(answered.body.chars().count(), ANSWER_CHARS_MAX);
        Ok(())
    }
}
