//! Downloads files from addresses in settings and policy: the newest rules, the list of versions.

use bordereau_client::fetch_public_file;
use url::Url;

use crate::Context;
use crate::failure::from_client;
use bordereau_api::BoundaryError;

/// Downloads a file without credentials, up to `bytes_max`. Trusts the system's authorities and the one in the
/// policy; a profile's own authority is trusted only for the profile's host.
pub(crate) async fn fetch_file(ctx: &Context, url: &Url, bytes_max: u64) -> Result<Vec<u8>, BoundaryError> {
    let authority = Some(ctx.ports().policy.network.authority_pem.as_str()).filter(|pem| !pem.is_empty());
    fetch_public_file(url.as_str(), bytes_max, authority).await.map_err(from_client)
}
