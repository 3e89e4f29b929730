//! Files that settings and policy name: the newest rules, the list of versions.

use bordereau_client::fetch_public_file;
use url::Url;

use crate::Context;
use crate::failure::from_client;
use crate::profile::{active_profile, read_ca};
use bordereau_api::BoundaryError;

/// Fetches a file without credentials, up to `bytes_max`; the authority of the profile in use is trusted, too, since
/// its network may be inspected.
pub(crate) async fn fetch_file(ctx: &Context, url: &Url, bytes_max: u64) -> Result<Vec<u8>, BoundaryError> {
    let extra_ca = read_ca(ctx, &active_profile(ctx).await?).await?;
    fetch_public_file(url.as_str(), bytes_max, extra_ca.as_deref()).await.map_err(from_client)
}
