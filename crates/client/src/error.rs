//! What a call fails with. Every message is a sentence for a person and free of secrets.

use std::time::Duration;

use bordereau_contract::FieldProblem;

/// Of the fields at fault a sentence names this many; all are in the error itself.
const FIELDS_SHOWN_MAX: usize = 20;

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// 401: the key or sign-in is missing, wrong, expired or inactive.
    #[error("the service refused the API key or sign-in (status {status}){}", after_colon(.text))]
    NotAuthorized {
        /// HTTP status.
        status: u16,
        /// What the service said, or empty.
        text: String,
    },
    /// 403: signed in, but the account is inactive or this is not contracted.
    #[error("the account is not allowed to do this (status {status}){}", after_colon(.text))]
    NotPermitted {
        /// HTTP status.
        status: u16,
        /// What the service said, or empty.
        text: String,
    },
    /// The refresh token is dead, or older than a month: the password is needed again.
    #[error("the sign-in has ended: sign in again with username and password{}", after_colon(.reason))]
    SignInAgain {
        /// Why, as far as known.
        reason: String,
    },
    /// Neither a key nor a sign-in is stored.
    #[error("no API key and no sign-in is stored for this profile")]
    NoCredentials,
    /// No connection: the name is unknown, nothing listens, or the network is down.
    #[error("{host} cannot be reached: {reason}")]
    Offline {
        /// Host and port.
        host: String,
        /// What went wrong, as the system says it.
        reason: String,
    },
    /// The connection broke before the answer was complete.
    #[error("the connection to {host} broke before the answer was complete: {reason}")]
    Interrupted {
        /// Host and port.
        host: String,
        /// What went wrong.
        reason: String,
    },
    /// No answer in time.
    #[error("{host} did not answer within {} s", whole_seconds(*.waited))]
    Timeout {
        /// Host and port.
        host: String,
        /// How long was waited.
        waited: Duration,
    },
    /// The certificate of the service is not trusted.
    #[error("the certificate of {host} is not trusted: {reason} (issued by {issuer})")]
    Untrusted {
        /// Who issued the certificate seen, or `unknown`.
        issuer: String,
        /// Host the certificate was shown for.
        host: String,
        /// Why it is not trusted.
        reason: String,
    },
    /// No request may be sent for some time: the limit is used up, here or at the service, or the service is busy and
    /// says for how long (503 with `Retry-After`).
    #[error(
        "the limit of requests is used up, or the service is busy; try again in {} s",
        whole_seconds(*.retry_after)
    )]
    RateLimited {
        /// How long to wait.
        retry_after: Duration,
    },
    /// What is sent can't be counted with the others that send with this key, so nothing was sent.
    #[error("{reason}")]
    NotCounted {
        /// Why, as a sentence.
        reason: String,
    },
    /// 4xx: the service rejected the request.
    #[error("the service rejected the request (status {status}){}{}", after_colon(.text), list_fields(.problems))]
    Rejected {
        /// HTTP status.
        status: u16,
        /// What the service said.
        text: String,
        /// The fields it named; may be empty.
        problems: Vec<FieldProblem>,
    },
    /// 5xx: the service failed.
    #[error("the service failed (status {status}){}", after_colon(.text))]
    ServiceFailed {
        /// HTTP status.
        status: u16,
        /// What the service said, or empty.
        text: String,
    },
    /// The answer cannot be understood.
    #[error("the answer of the service cannot be read (status {status}){}: {detail}", at_path(.path))]
    Unreadable {
        /// HTTP status.
        status: u16,
        /// The field at fault, such as `tax_rule.state_notes[0].bold`; empty for the whole.
        path: String,
        /// What was found, what was expected.
        detail: String,
        /// The answer as it came.
        answer: Box<crate::UnreadAnswer>,
    },
    /// A redirect to another host, which would carry the credentials there.
    #[error("{from} redirects to {to}: refused, credentials go to the profile's own host only")]
    CrossHostRedirect {
        /// Origin asked.
        from: String,
        /// Origin it points to.
        to: String,
    },
    /// A redirect that cannot be followed: too many, without an address, or of a kind that would
    /// change the request.
    #[error("{from} redirects (status {status}) and is not followed: {reason}")]
    BadRedirect {
        /// Origin asked.
        from: String,
        /// HTTP status.
        status: u16,
        /// Why.
        reason: String,
    },
    /// The address does not begin with `https://`.
    #[error("the address {address} is not https: only encrypted connections are made")]
    InsecureAddress {
        /// The address, without anything secret.
        address: String,
    },
    /// The address cannot be used.
    #[error("the address {address} cannot be used: {reason}")]
    BadAddress {
        /// The address, without anything secret.
        address: String,
        /// Why.
        reason: String,
    },
    /// An address that the service names cannot be used.
    #[error("the service names the address {address}, which cannot be used: {reason}")]
    BadLink {
        /// The address, without anything secret.
        address: String,
        /// Why.
        reason: String,
    },
    /// The extra CA certificates, or the system's, cannot be used.
    #[error("the certificates to trust cannot be used: {reason}")]
    BadTrust {
        /// Why.
        reason: String,
    },
    /// A credential cannot be sent, such as a key with a line break in it.
    #[error("{what} cannot be sent: it contains characters that are not allowed in a header")]
    BadCredential {
        /// Which: `the API key`, `the access token`.
        what: String,
    },
    /// The answer is larger than allowed.
    #[error("the answer is larger than {}", size_text(*.limit_bytes))]
    TooLarge {
        /// The limit.
        limit_bytes: u64,
    },
    /// A write was sent and no clear answer came: the service may or may not have carried it out. It
    /// must be looked up, by id or invoice number, before it is sent again.
    #[error("it is not known whether the service accepted what was sent: {cause}")]
    OutcomeUnknown {
        /// What went wrong.
        cause: Box<ClientError>,
    },
    /// What is to be sent is more than the service takes at once; nothing was sent.
    #[error("nothing was sent: {reason}")]
    NotSendable {
        /// What is too much, and the limit.
        reason: String,
    },
}

impl ClientError {
    /// Whether the same request may work later without anybody changing anything.
    pub fn is_retryable(&self) -> bool {
        match self {
            ClientError::Offline { .. }
            | ClientError::Interrupted { .. }
            | ClientError::Timeout { .. }
            | ClientError::RateLimited { .. }
            | ClientError::NotCounted { .. } => true,
            ClientError::ServiceFailed { status, .. } => matches!(status, 500 | 502..=504),
            _ => false,
        }
    }

    /// The error of a write: wherever the service may have done what was asked, that is what it says.
    pub(crate) fn of_write(self) -> ClientError {
        if self.is_outcome_unknown() { ClientError::OutcomeUnknown { cause: Box::new(self) } } else { self }
    }

    /// The error of an import. A conflict is none of the answers that prove that nothing was taken: it is with
    /// something that is there, perhaps this very one.
    pub(crate) fn of_import(self) -> ClientError {
        match self {
            ClientError::Rejected { status: 409, .. } => {
                ClientError::OutcomeUnknown { cause: Box::new(self) }
            }
            other => other.of_write(),
        }
    }

    /// Whether it means that the service doesn't have this endpoint. The practice service has all of them; any error of
    /// it is temporary.
    pub fn is_unsupported_endpoint(&self, is_practice: bool) -> bool {
        match self {
            ClientError::Rejected { status: 400 | 422, .. } => true,
            ClientError::Rejected { status, .. } => !is_practice && *status != 408,
            ClientError::NotPermitted { .. }
            | ClientError::Unreadable { .. }
            | ClientError::ServiceFailed { status: 501, .. } => !is_practice,
            _ => false,
        }
    }

    /// Whether a write was answered as received (202), in a form that gives no number of it.
    pub fn is_received(&self) -> bool {
        let is_unread = |cause: &ClientError| matches!(cause, ClientError::Unreadable { status: 202, .. });
        matches!(self, ClientError::OutcomeUnknown { cause } if is_unread(cause))
    }

    /// Whether the service may have done what was asked although no answer came: a write must then be
    /// looked up before it is sent again. That includes a redirect that turns a POST into a GET, which is how
    /// many services answer what they have taken, and 408, which something in between may say.
    pub fn is_outcome_unknown(&self) -> bool {
        matches!(
            self,
            ClientError::BadRedirect { status: 301..=303, .. }
                | ClientError::Rejected { status: 300..=399 | 408, .. }
        ) || matches!(
            self,
            ClientError::OutcomeUnknown { .. }
                | ClientError::Interrupted { .. }
                | ClientError::Timeout { .. }
                | ClientError::ServiceFailed { .. }
                | ClientError::Unreadable { .. }
                | ClientError::TooLarge { .. }
        )
    }
}

fn after_colon(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(": {text}") }
}

fn at_path(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!(" at {path}") }
}

/// Fields at fault as they follow a sentence.
pub(crate) fn list_fields(problems: &[FieldProblem]) -> String {
    let one = |problem: &FieldProblem| match problem.pointer.as_str() {
        "" => format!("; {}", problem.detail),
        pointer => format!("; {pointer}: {}", problem.detail),
    };
    let more = problems.len().saturating_sub(FIELDS_SHOWN_MAX);
    let mut text: String = problems.iter().take(FIELDS_SHOWN_MAX).map(one).collect();
    if more > 0 {
        text.push_str(&format!("; and {more} more"));
    }
    text
}

/// A size as people say it: `8 MB`.
pub(crate) fn size_text(bytes: u64) -> String {
    match bytes {
        0..1_024 => format!("{bytes} bytes"),
        1_024..1_048_576 => format!("{} KB", bytes.div_ceil(1 << 10)),
        _ => format!("{} MB", bytes.div_ceil(1 << 20)),
    }
}

/// Whole seconds, rounded up: "in 0 s" would be no help.
fn whole_seconds(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_practice_service_is_known_to_know_every_question() {
        let rejected = |status| ClientError::Rejected { status, text: String::new(), problems: Vec::new() };
        let failed = |status| ClientError::ServiceFailed { status, text: String::new() };
        let cases = [
            (rejected(400), true, true),
            (rejected(422), true, true),
            (rejected(405), false, true),
            (rejected(408), false, false),
            (failed(501), false, true),
            (failed(500), false, false),
        ];
        for (error, practice, others) in cases {
            assert_eq!(error.is_unsupported_endpoint(true), practice, "{error}");
            assert_eq!(error.is_unsupported_endpoint(false), others, "{error}");
        }
    }
}
