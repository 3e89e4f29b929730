//! Files that settings and policy name: the newest rules, the list of versions.

use bordereau_client::fetch_public_file;
use url::Url;

use crate::Context;
use crate::failure::from_client;
use bordereau_api::BoundaryError;

/// Fetches a file without credentials, up to `bytes_max`. The system's authorities are trusted, and the one that the
/// policy names: a profile's own counts for the profile's host.
pub(crate) async fn fetch_file(ctx: &Context, url: &Url, bytes_max: u64) -> Result<Vec<u8>, BoundaryError> {
    let authority = Some(ctx.ports().policy.network.authority_pem.as_str()).filter(|pem| !pem.is_empty());
    fetch_public_file(url.as_str(), bytes_max, authority).await.map_err(from_client)
}
