//! The HTTP client underneath: TLS with the profile's trust, the system's proxy, timeouts, and nothing
//! done behind our back.

use std::time::Duration;

use reqwest::redirect::Policy;

use crate::trust::ProfileTrust;
use crate::{ClientError, Timeouts};

/// Connections idle for longer are closed on our side: servers and middleboxes drop them silently,
/// which a later request would only find out by failing.
const IDLE: Duration = Duration::from_secs(50);

/// Builds it. `direct` leaves out the system's proxy, for addresses on this machine.
pub(crate) fn build(
    trust: &ProfileTrust,
    timeouts: &Timeouts,
    direct: bool,
) -> Result<reqwest::Client, ClientError> {
    let builder = reqwest::Client::builder()
        .tls_backend_preconfigured(trust.tls_config()?)
        .https_only(true)
        .redirect(Policy::none())
        .retry(reqwest::retry::never())
        .connect_timeout(timeouts.connect)
        .read_timeout(timeouts.read)
        .pool_idle_timeout(IDLE)
        .tcp_nodelay(true)
        .referer(false)
        .user_agent(concat!("Bordereau/", env!("CARGO_PKG_VERSION")));
    let builder = if direct { builder.no_proxy() } else { builder };
    builder.build().map_err(|error| ClientError::BadTrust { reason: error.without_url().to_string() })
}
