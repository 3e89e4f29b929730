//! Files that settings and policy name: the newest rules, the list of versions.

use bordereau_client::fetch_public_file;
use url::Url;

use crate::failure::from_client;
use bordereau_api::BoundaryError;

/// Fetches a file without credentials, up to `bytes_max`. The system's authorities alone are trusted: a profile's own
/// counts for the profile's host.
pub(crate) async fn fetch_file(url: &Url, bytes_max: u64) -> Result<Vec<u8>, BoundaryError> {
    fetch_public_file(url.as_str(), bytes_max, None).await.map_err(from_client)
}
