//! The lower steps of a connection test, one by one: name, connection, certificate.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper_util::client::proxy::matcher::Matcher;
use rustls_pki_types::ServerName;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use url::Url;

use crate::address::is_loopback;

/// An answer of a proxy is a few lines.
const PROXY_ANSWER_MAX: usize = 8 * 1024;

/// The system's proxy for an address.
pub(crate) struct SystemProxy {
    pub(crate) host: String,
    pub(crate) port: u16,
    /// Only plain HTTP proxies can be tested step by step.
    pub(crate) is_http: bool,
    authorization: Option<Vec<u8>>,
}

/// The proxy that requests to this address go through, as the system is set up.
pub(crate) fn proxy_for(url: &Url) -> Option<SystemProxy> {
    if is_loopback(url) {
        return None;
    }
    let uri = url.as_str().parse().ok()?;
    let found = Matcher::from_system().intercept(&uri)?;
    let is_http = found.uri().scheme_str() == Some("http");
    Some(SystemProxy {
        host: found.uri().host()?.to_owned(),
        port: found.uri().port_u16().unwrap_or(if is_http { 80 } else { 443 }),
        is_http,
        authorization: found.basic_auth().map(|value| value.as_bytes().to_vec()),
    })
}

/// Looks a name up.
pub(crate) async fn look_up(host: &str, port: u16, limit: Duration) -> Result<Vec<SocketAddr>, String> {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    match timeout(limit, tokio::net::lookup_host((host, port))).await {
        Ok(Ok(addresses)) => {
            let addresses: Vec<_> = addresses.collect();
            if addresses.is_empty() { Err("the name leads to no address".to_owned()) } else { Ok(addresses) }
        }
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err(format!("no answer within {} s", limit.as_secs())),
    }
}

/// Connects to the first address that answers.
pub(crate) async fn connect_first(
    addresses: &[SocketAddr],
    limit: Duration,
) -> Result<(TcpStream, SocketAddr), String> {
    let mut last = String::new();
    for address in addresses.iter().take(4) {
        last = match timeout(limit, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => return Ok((stream, *address)),
            Ok(Err(error)) => format!("{address}: {error}"),
            Err(_) => format!("{address}: no answer within {} s", limit.as_secs()),
        };
    }
    Err(last)
}

/// Asks a proxy for a tunnel to the service.
pub(crate) async fn open_tunnel(
    mut stream: TcpStream,
    proxy: &SystemProxy,
    target: &str,
    limit: Duration,
) -> Result<TcpStream, String> {
    let work = async {
        let mut ask = format!("CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n").into_bytes();
        if let Some(authorization) = &proxy.authorization {
            ask.extend_from_slice(b"Proxy-Authorization: ");
            ask.extend_from_slice(authorization);
            ask.extend_from_slice(b"\r\n");
        }
        ask.extend_from_slice(b"\r\n");
        stream.write_all(&ask).await?;
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n") && answer.len() < PROXY_ANSWER_MAX {
            answer.push(stream.read_u8().await?);
        }
        Ok::<_, io::Error>((stream, answer))
    };
    let (stream, answer) = match timeout(limit, work).await {
        Ok(Ok(done)) => done,
        Ok(Err(error)) => return Err(error.to_string()),
        Err(_) => return Err(format!("no answer within {} s", limit.as_secs())),
    };
    let line = String::from_utf8_lossy(&answer).lines().next().unwrap_or_default().to_owned();
    let status = line.split(' ').nth(1).unwrap_or_default();
    if status.starts_with('2') {
        return Ok(stream);
    }
    let line: String = line.chars().filter(|c| !c.is_control()).take(120).collect();
    Err(format!("the proxy answered \"{line}\""))
}

/// Why a handshake failed.
pub(crate) enum HandshakeTrouble {
    /// TLS itself: the certificate, or no common version.
    Tls(rustls::Error),
    /// Below TLS.
    Io(String),
}

/// A TLS handshake and nothing more.
pub(crate) async fn tls_handshake(
    stream: TcpStream,
    host: &str,
    tls: rustls::ClientConfig,
    limit: Duration,
) -> Result<(), HandshakeTrouble> {
    let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
    let name = ServerName::try_from(host).map_err(|error| HandshakeTrouble::Io(error.to_string()))?;
    let connector = tokio_rustls::TlsConnector::from(Arc::new(tls));
    match timeout(limit, connector.connect(name, stream)).await {
        Ok(Ok(mut stream)) => {
            let _ = stream.shutdown().await;
            Ok(())
        }
        Ok(Err(error)) => {
            let text = error.to_string();
            let tls = error.into_inner().and_then(|inner| inner.downcast::<rustls::Error>().ok());
            Err(tls.map_or(HandshakeTrouble::Io(text), |tls| HandshakeTrouble::Tls(*tls)))
        }
        Err(_) => Err(HandshakeTrouble::Io(format!("no answer within {} s", limit.as_secs()))),
    }
}
