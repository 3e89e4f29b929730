//! One delivery over HTTP: signed, bounded, in time, to the address that was checked and nowhere else.

use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bordereau_contract::SIGNATURE_HEADER;
use bordereau_dialects::SpokenDialects;
use bordereau_service_store::webhooks::StoredWebhook;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use ring::hmac;
use url::Url;

use super::address::{self, CheckedNames, LoopbackRule, NameLookup};
use super::secret_sealer::SecretSealer;

/// Deliveries sent to one webhook at the same time: what a process that is killed may send again.
pub(super) const SIDE_BY_SIDE: usize = 32;
/// How long a connection may take to be made.
const CONNECT_TIME: Duration = Duration::from_secs(5);
/// How long an attempt may take altogether.
const ATTEMPT_TIME: Duration = Duration::from_secs(10);
/// Bytes of an answer that are read.
const ANSWER_BYTES_MAX: usize = 16 * 1024;
/// Characters of an answer that are stored.
const ANSWER_CHARS_MAX: usize = 2_000;
/// How the service names itself.
const AGENT: &str = concat!("Bordereau-Webhooks/", env!("CARGO_PKG_VERSION"));

/// Sends deliveries. Redirects are not followed, proxies not asked.
pub(super) struct Sender(Client);

/// A webhook made ready to be sent to.
pub(super) struct Target {
    url: Url,
    headers: HeaderMap,
    key: hmac::Key,
}

/// How a delivery is signed.
#[derive(Clone, Copy, Debug)]
pub(super) enum SignatureStyle {
    /// As the contract has it: hexadecimal, lower case.
    Hexadecimal,
    /// Base64 under another name, as some providers do.
    Base64,
    /// Not signed: the webhook's header alone identifies the sender.
    Absent,
}

impl SignatureStyle {
    pub(super) fn of(dialects: &SpokenDialects) -> SignatureStyle {
        if dialects.speaks("webhook-unsigned") {
            SignatureStyle::Absent
        } else if dialects.speaks("webhook-signature-renamed") {
            SignatureStyle::Base64
        } else {
            SignatureStyle::Hexadecimal
        }
    }
}

/// What an endpoint answered.
#[derive(Debug)]
pub(super) struct WebhookAnswer {
    pub(super) status: Option<u16>,
    /// The beginning of the answer.
    pub(super) body: String,
    /// Why it is no success; none for 200.
    pub(super) error: Option<String>,
    pub(super) milliseconds: u64,
}

impl Target {
    /// Opens the sealed secrets and checks the address again: rules may have changed since it was entered.
    pub(super) fn new(
        kept: &StoredWebhook,
        sealer: &SecretSealer,
        loopback: LoopbackRule,
    ) -> Result<Target, String> {
        let open = |sealed: &str| {
            let lost = "The webhook's secret can no longer be read; make a new one.";
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
        Ok(Target::at(address::check_address(&kept.url, loopback)?, header, key))
    }

    fn at(url: Url, header: Option<(HeaderName, HeaderValue)>, key: hmac::Key) -> Target {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.extend(header);
        Target { url, headers, key }
    }

    /// The header that signs a body.
    fn signature(&self, body: &[u8], signing: SignatureStyle) -> Option<(&'static str, String)> {
        let tag = hmac::sign(&self.key, body);
        match signing {
            SignatureStyle::Hexadecimal => {
                let text = bordereau_contract::hex_text(tag.as_ref().iter());
                Some((SIGNATURE_HEADER, text))
            }
            SignatureStyle::Base64 => Some(("X-Signature", STANDARD.encode(tag))),
            SignatureStyle::Absent => None,
        }
    }
}

impl Sender {
    pub(super) fn new() -> Result<Sender, String> {
        Sender::resolving(address::by_system)
    }

    /// Every name goes through the lookup, and what it finds through the check.
    fn resolving(lookup: NameLookup) -> Result<Sender, String> {
        let client = Client::builder()
            .tls_backend_preconfigured(tls()?)
            .dns_resolver(Arc::new(CheckedNames(lookup)))
            .redirect(Policy::none())
            .no_proxy()
            .http1_only()
            .user_agent(AGENT)
            .connect_timeout(CONNECT_TIME)
            .pool_max_idle_per_host(SIDE_BY_SIDE)
            .build();
        client.map(Sender).map_err(|error| error.to_string())
    }

    /// Posts a body. Success is status 200 alone \[spec].
    pub(super) async fn post(&self, target: &Target, body: String, signing: SignatureStyle) -> WebhookAnswer {
        let started = Instant::now();
        let (status, body, error) =
            match tokio::time::timeout(ATTEMPT_TIME, self.exchange(target, body, signing)).await {
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
        WebhookAnswer { status, body, error, milliseconds }
    }

    async fn exchange(
        &self,
        target: &Target,
        body: String,
        signing: SignatureStyle,
    ) -> Result<(u16, String), String> {
        let mut request = self.0.post(target.url.clone()).headers(target.headers.clone());
        if let Some((name, signature)) = target.signature(body.as_bytes(), signing) {
            request = request.header(name, signature);
        }
        let request = request.body(body);
        let answer = request.send().await.map_err(|error| {
            if error.is_connect() && error.is_timeout() {
                return format!("No answer: no connection within {} seconds.", CONNECT_TIME.as_secs());
            }
            no_answer(&error)
        })?;
        Ok((answer.status().as_u16(), beginning(answer).await))
    }
}

/// The beginning of an answer, as it is kept. What cannot be read is missing.
async fn beginning(mut answer: Response) -> String {
    let mut bytes = Vec::new();
    while let Ok(Some(piece)) = answer.chunk().await {
        bytes.extend_from_slice(&piece);
        if bytes.len() > ANSWER_BYTES_MAX {
            bytes.truncate(ANSWER_BYTES_MAX);
            break;
        }
    }
    String::from_utf8_lossy(&bytes)
        .chars()
        .filter(|c| !c.is_control() || *c == '\n')
        .take(ANSWER_CHARS_MAX)
        .collect()
}

/// Why there was no answer: the innermost reason says most. Without the address, which may hold a secret.
fn no_answer(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(reason) = innermost.source() {
        innermost = reason;
    }
    let why: String = innermost.to_string().chars().take(300).collect();
    format!("No answer: {}.", why.trim_end_matches('.'))
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

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use axum::Router;
    use axum::routing::post;

    use super::*;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    fn target(url: &str) -> Result<Target, Box<dyn std::error::Error>> {
        let key = hmac::Key::new(hmac::HMAC_SHA256, b"secret of 20 letters");
        Ok(Target::at(address::check_address(url, LoopbackRule::Permitted)?, None, key))
    }

    /// A name that was public when it was entered and points into this machine when it is used.
    #[tokio::test]
    async fn a_name_that_now_points_here_is_not_connected_to() -> Outcome {
        let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        let sender = Sender::resolving(|_| Box::pin(async { Ok(vec![IpAddr::V4(Ipv4Addr::LOCALHOST)]) }))?;
        let url = format!("https://hooks.example.com:{}/", listener.local_addr()?.port());
        let answered = sender.post(&target(&url)?, "{}".into(), SignatureStyle::Hexadecimal).await;
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
        let answered = Sender::new()?.post(&target(&url)?, "{}".into(), SignatureStyle::Hexadecimal).await;
        assert_eq!((answered.status, answered.error), (Some(200), None));
        assert_eq!(answered.body.chars().count(), ANSWER_CHARS_MAX);
        Ok(())
    }

    /// One connection serves one delivery after the other; one the endpoint closed is replaced.
    #[tokio::test]
    async fn connections_are_used_again() -> Outcome {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
        const LAST: &[u8] = b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 3\r\n\r\nbye";
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}/hook?x=1", listener.local_addr()?);
        let serving = tokio::spawn(async move {
            let mut heads = Vec::new();
            for answers in [&[ANSWER, ANSWER, LAST][..], &[ANSWER]] {
                let (mut stream, _) = listener.accept().await?;
                for answer in answers {
                    let mut asked = Vec::new();
                    // The body ends the request.
                    while !asked.ends_with(b"}") {
                        stream.read_buf(&mut asked).await?;
                    }
                    heads.push(String::from_utf8_lossy(&asked).into_owned());
                    stream.write_all(answer).await?;
                }
            }
            std::io::Result::Ok(heads)
        });
        let (sender, target) = (Sender::new()?, target(&url)?);
        for expected in ["ok", "ok", "bye", "ok"] {
            let answered = sender.post(&target, "{}".into(), SignatureStyle::Hexadecimal).await;
            assert_eq!(
                (answered.status, answered.error, answered.body.as_str()),
                (Some(200), None, expected)
            );
        }
        let heads = serving.await??;
        assert_eq!(heads.len(), 4);
        for head in heads {
            assert!(head.starts_with("POST /hook?x=1 HTTP/1.1\r\n"), "{head}");
            for part in [
                "host: 127.0.0.1:",
                "x-hmac-signature: ",
                "content-type: application/json\r\n",
                "content-length: 2\r\n",
            ] {
                assert!(head.contains(part), "{part}: {head}");
            }
        }
        Ok(())
    }
}
