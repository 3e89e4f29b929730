//! What went wrong below HTTP, in words.

use std::error::Error;
use std::io;

use bordereau_contract::without_error_numbers;

use crate::trust::ProfileTrust;
use crate::{ClientError, Timeouts};

/// Where a request went, for its messages.
pub(crate) struct ErrorContext<'a> {
    /// Host and port.
    pub(crate) host: &'a str,
    /// Host alone, as the certificate names it.
    pub(crate) name: &'a str,
    pub(crate) trust: &'a ProfileTrust,
    pub(crate) timeouts: &'a Timeouts,
}

impl ErrorContext<'_> {
    /// The error of a failed request or answer.
    pub(crate) fn describe_error(&self, error: reqwest::Error) -> ClientError {
        // The address is known here, and may be one no one should read in a log.
        let error = error.without_url();
        let host = self.host.to_owned();
        if let Some(tls) = find_source::<rustls::Error>(&error) {
            return self.explain_tls(tls);
        }
        if error.is_timeout() {
            let waited = if error.is_connect() { self.timeouts.connect } else { self.timeouts.read };
            return ClientError::Timeout { host, waited };
        }
        let reason = plain_cause(&error).map_or_else(|| root_cause(&error), str::to_owned);
        if error.is_connect() {
            ClientError::Offline { host, reason }
        } else {
            ClientError::Interrupted { host, reason }
        }
    }

    /// The error of a failed handshake.
    pub(crate) fn explain_tls(&self, error: &rustls::Error) -> ClientError {
        let host = self.host.to_owned();
        let shown = self.trust.shown_by(self.name).filter(|shown| shown.refused.is_some());
        match (error, shown) {
            (rustls::Error::InvalidCertificate(_), Some(shown)) => ClientError::Untrusted {
                issuer: shown.certificate.issuer,
                host,
                reason: shown.refused.unwrap_or_default(),
            },
            (rustls::Error::InvalidCertificate(invalid), None) => {
                ClientError::Untrusted { issuer: "unknown".to_owned(), host, reason: invalid.to_string() }
            }
            (rustls::Error::InvalidMessage(_), _) => ClientError::Offline {
                host,
                reason: "the server does not use TLS, so the port may be wrong".to_owned(),
            },
            (other, _) => ClientError::Offline { host, reason: format!("no secure connection: {other}") },
        }
    }
}

/// What a failed answer means, where its cause is a library's and not the system's.
fn plain_cause(error: &reqwest::Error) -> Option<&'static str> {
    let is_of_system = find_source::<io::Error>(error).is_some_and(|cause| cause.raw_os_error().is_some());
    if is_of_system || error.is_connect() {
        return None;
    }
    let Some(cause) = find_source::<hyper::Error>(error) else {
        return error.is_decode().then_some("its compression cannot be read");
    };
    let is_form = |kind| matches!(kind, io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData);
    let is_odd = find_source::<io::Error>(cause).is_some_and(|cause| is_form(cause.kind()));
    match cause {
        cause if cause.is_parse_too_large() => Some("the headers of its answer are too large"),
        cause if cause.is_parse() || is_odd => Some("what came is not in the form of HTTP"),
        cause if is_cut(cause) || cause.is_incomplete_message() => {
            Some("the other side closed the connection before its answer was complete")
        }
        _ => Some("the other side broke it off"),
    }
}

/// Whether the connection ended without TLS's word for its end.
pub(crate) fn is_cut(error: &(dyn Error + 'static)) -> bool {
    find_source::<io::Error>(error).is_some_and(|cause| cause.kind() == io::ErrorKind::UnexpectedEof)
}

/// The deepest cause as the system says it, with the words of a failed name lookup put plainly.
pub(crate) fn root_cause(error: &(dyn Error + 'static)) -> String {
    let mut deepest: &(dyn Error + 'static) = error;
    let mut named = String::new();
    while let Some(source) = deepest.source() {
        deepest = source;
        let text = source.to_string();
        if text.contains("dns error") {
            named = "the name is not known or cannot be looked up: ".to_owned();
        }
    }
    // The TLS library's own words lead to its handbook, which helps no one here.
    let ended = deepest.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::UnexpectedEof);
    if ended {
        return "the other side closed the connection before its answer was complete".to_owned();
    }
    let text = without_error_numbers(deepest.to_string());
    let text: String = text.chars().filter(|c| !c.is_control()).take(200).collect();
    match text.strip_prefix("tunnel error: ") {
        Some(why) => format!("the proxy makes no connection to it ({why})"),
        None => format!("{named}{text}"),
    }
}

/// Finds an error of a kind among the causes, also inside an IO error.
fn find_source<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
    let mut next = Some(error);
    while let Some(current) = next {
        if let Some(found) = current.downcast_ref::<E>() {
            return Some(found);
        }
        if let Some(inner) = current.downcast_ref::<io::Error>().and_then(io::Error::get_ref)
            && let Some(found) = find_source::<E>(inner)
        {
            return Some(found);
        }
        next = current.source();
    }
    None
}
