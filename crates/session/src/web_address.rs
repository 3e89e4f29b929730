//! Addresses of files that settings and policy name: the newest rules, the list of versions.

use url::Url;

/// Characters of an address.
const ADDRESS_MAX: usize = 2_000;

/// Whether a file can be fetched from there.
///
/// # Errors
/// Why not, in a sentence.
pub(crate) fn check_address(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).ok().filter(|url| url.scheme() == "https" && url.has_host());
    let url = url.filter(|_| text.len() <= ADDRESS_MAX);
    let url = url.ok_or("This isn't an https:// address of a file.")?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err("The address contains a username or password. Remove it.".to_owned());
    }
    Ok(url)
}

/// The address that the policy names, else that of the settings; `None` where neither names one.
pub(crate) fn first_address(policy: &str, setting: &str) -> Option<Url> {
    check_address(policy).or_else(|_| check_address(setting)).ok()
}
