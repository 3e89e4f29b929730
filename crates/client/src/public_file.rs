//! A file that anybody may fetch, such as a signed pack of rules: no credential of a profile ever goes there.

use url::Url;

use crate::address::{host_and_port, is_loopback};
use crate::body::{BodyTrouble, read_bounded};
use crate::transport_error::ErrorContext;
use crate::trust::ProfileTrust;
use crate::{ClientError, Timeouts, connection, redirect};

/// Fetches a file over TLS; redirects to other `https:` addresses are followed. `extra_ca_pem` is trusted beside the
/// system's authorities, for the host of the address alone.
///
/// # Errors
/// [`ClientError::InsecureAddress`], [`ClientError::TooLarge`], [`ClientError::Rejected`] where there is no such file;
/// others as everywhere.
pub async fn fetch_public_file(
    address: &str,
    bytes_max: u64,
    extra_ca_pem: Option<&str>,
) -> Result<Vec<u8>, ClientError> {
    let bad = |reason: String| ClientError::BadAddress { address: address.to_owned(), reason };
    let mut url = Url::parse(address).map_err(|error| bad(error.to_string()))?;
    let (trust, timeouts) = (ProfileTrust::new(extra_ca_pem, &url)?, Timeouts::default());
    for _ in 0..=redirect::HOPS_MAX {
        let host = host_and_port(&url);
        if url.scheme() != "https" {
            return Err(ClientError::InsecureAddress { address: host });
        }
        let name = url.host_str().unwrap_or_default();
        let place = ErrorContext { host: &host, name, trust: &trust, timeouts: &timeouts };
        let http = connection::build(&trust, &timeouts, is_loopback(&url))?;
        let answer = http.get(url.clone()).timeout(timeouts.download).send().await;
        let answer = answer.map_err(|error| place.describe_error(error))?;
        if let Some(target) = redirect::redirect_target(answer.status(), answer.headers(), &url) {
            url = target?;
            continue;
        }
        if !answer.status().is_success() {
            let status = answer.status().as_u16();
            let text = format!("{host} has no such file (status {status})");
            return Err(ClientError::Rejected { status, text, problems: Vec::new() });
        }
        return read_bounded(answer, bytes_max).await.map_err(|trouble| match trouble {
            BodyTrouble::TooLarge => ClientError::TooLarge { limit_bytes: bytes_max },
            BodyTrouble::Transport(error) => place.describe_error(error),
        });
    }
    Err(bad("too many redirects follow one another".to_owned()))
}
