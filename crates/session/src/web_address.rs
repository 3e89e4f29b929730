//! Addresses of files in settings and policy: the newest rules, the list of versions.

use url::Url;

/// Characters of an address.
const ADDRESS_MAX: usize = 2_000;

/// Whether a file can be downloaded from this address.
///
/// # Errors
/// The reason, in a sentence.
pub(crate) fn check_address(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).ok().filter(|url| url.scheme() == "https" && url.has_host());
    let url = url.filter(|_| text.len() <= ADDRESS_MAX);
    let url = url.ok_or("This isn't an https:// address of a file.")?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err("The address contains a username or password. Remove it.".to_owned());
    }
    Ok(url)
}

/// The address in the policy, else the one in the settings; `None` without either.
pub(crate) fn first_address(policy: &str, setting: &str) -> Option<Url> {
    check_address(policy).or_else(|_| check_address(setting)).ok()
}
