//! The base address of a profile, and what belongs to it.

use std::net::IpAddr;

use url::{Host, Url};

use crate::ClientError;

/// A checked base address: https, a host, nothing secret in it.
#[derive(Clone, Debug)]
pub(crate) struct BaseAddress {
    url: Url,
}

impl BaseAddress {
    /// Reads what a person typed into the profile.
    pub(crate) fn parse(text: &str) -> Result<BaseAddress, ClientError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(bad_address(text, "it is empty; write it like https://api.example.com"));
        }
        let url = parse_https(text)?;
        if url.query().is_some() || url.fragment().is_some() {
            return Err(bad_address(
                text,
                "a base address ends with its path: remove everything from ? or # on",
            ));
        }
        Ok(BaseAddress { url })
    }

    /// The address of a path below the base; the path can never lead to another host.
    pub(crate) fn endpoint_url(&self, path: &str) -> Result<Url, ClientError> {
        let plain = path.starts_with('/')
            && !path.contains("//")
            && !path.contains(['\\', '?', '#', '@'])
            && !path.split('/').any(|part| part == "." || part == "..");
        if !plain {
            return Err(bad_address(path, "a path is written like /api/oauth2/token, without host, ? or .."));
        }
        let mut url = self.url.clone();
        url.set_path(&format!("{}{path}", self.url.path().trim_end_matches('/')));
        Ok(url)
    }

    /// An address the service named: absolute, or relative to the base. One of the own host that begins with `http:`, as
    /// a service behind a gateway writes it, is asked over https as all else.
    pub(crate) fn resolve_url(&self, text: &str) -> Result<Url, ClientError> {
        let text = text.trim();
        let mut url = self.url.join(text).map_err(|error| bad_link(text, &error.to_string()))?;
        let is_own_host = url.host() == self.url.host() && [None, self.url.port()].contains(&url.port());
        if url.scheme() == "http" && is_own_host {
            url.set_scheme("https")
                .and_then(|()| url.set_port(self.url.port()))
                .map_err(|()| bad_link(text, "it is no web address"))?;
        }
        parse_https(url.as_str()).map_err(|error| match error {
            ClientError::InsecureAddress { .. } => {
                bad_link(text, "it does not begin with https://, and only encrypted connections are made")
            }
            ClientError::BadAddress { reason, .. } => bad_link(text, &reason),
            other => other,
        })
    }

    /// A link in an answer from `url`, where it leads to the profile's own host; `None` where it leads elsewhere.
    pub(crate) fn own_link(&self, url: &Url, link: &str) -> Option<Url> {
        let url = self.resolve_url(url.join(link.trim()).ok()?.as_str()).ok()?;
        self.is_own(&url).then_some(url)
    }

    /// Whether scheme, host and port are the profile's own, so that credentials may go there.
    pub(crate) fn is_own(&self, other: &Url) -> bool {
        self.url.scheme() == other.scheme()
            && self.url.host() == other.host()
            && self.url.port_or_known_default() == other.port_or_known_default()
    }

    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    /// Host and port, for messages.
    pub(crate) fn host(&self) -> String {
        host_and_port(&self.url)
    }

    pub(crate) fn is_loopback(&self) -> bool {
        is_loopback(&self.url)
    }
}

/// Whether an address is on this machine, which no proxy reaches.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback() || IpAddr::from(ip).to_canonical().is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}

/// Host and port of an address, for messages.
pub(crate) fn host_and_port(url: &Url) -> String {
    match (url.host_str(), url.port()) {
        (Some(host), Some(port)) => format!("{host}:{port}"),
        (Some(host), None) => host.to_owned(),
        _ => "unknown host".to_owned(),
    }
}

/// Scheme, host and port of an address, for messages.
pub(crate) fn url_origin(url: &Url) -> String {
    format!("{}://{}", url.scheme(), host_and_port(url))
}

fn parse_https(text: &str) -> Result<Url, ClientError> {
    let url = Url::parse(text).map_err(|error| match error {
        url::ParseError::RelativeUrlWithoutBase => bad_address(text, "it must begin with https://"),
        other => bad_address(text, &other.to_string()),
    })?;
    match url.scheme() {
        "https" => {}
        "http" => return Err(ClientError::InsecureAddress { address: displayable_address(text) }),
        _ => return Err(bad_address(text, "it must begin with https://")),
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(bad_address(text, "a username or password does not belong in an address"));
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err(bad_address(text, "it names no host"));
    }
    Ok(url)
}

fn bad_address(text: &str, reason: &str) -> ClientError {
    ClientError::BadAddress { address: displayable_address(text), reason: reason.to_owned() }
}

fn bad_link(text: &str, reason: &str) -> ClientError {
    ClientError::BadLink { address: displayable_address(text), reason: reason.to_owned() }
}

/// An address fit for a message: without username, password, query and fragment, and not endless.
fn displayable_address(text: &str) -> String {
    let text = text.split(['?', '#']).next().unwrap_or_default();
    let (scheme, rest) = text.split_once("://").map_or(("", text), |(s, r)| (s, r));
    let rest = rest.rsplit_once('@').map_or(rest, |(_, after)| after);
    let whole = if scheme.is_empty() { rest.to_owned() } else { format!("{scheme}://{rest}") };
    let short: String = whole.chars().filter(|c| !c.is_control()).take(120).collect();
    format!("\"{short}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_addresses() {
        for good in ["https://api.example.com", "https://127.0.0.1:8443/", " https://h.example/prefix/ "] {
            assert!(BaseAddress::parse(good).is_ok(), "{good}");
        }
        for (bad, part) in [
            ("http://api.example.com", "not https"),
            ("HTTP://api.example.com", "not https"),
            ("api.example.com", "must begin with https://"),
            ("ftp://api.example.com", "must begin with https://"),
            ("https://user:hunter2@api.example.com", "username or password"),
            ("https://api.example.com/?apikey=hunter2", "from ? or #"),
            ("https://", "cannot be used"),
            ("https://a b.example", "cannot be used"),
            ("", "is empty"),
        ] {
            let said = BaseAddress::parse(bad).expect_err(bad).to_string();
            assert!(said.contains(part), "{bad}: {said}");
            assert!(!said.contains("hunter2"), "{said}");
        }
    }

    #[test]
    fn endpoints_stay_on_the_host() {
        let base = BaseAddress::parse("https://h.example:444/prefix/").expect("an address");
        let url = base.endpoint_url("/api/oauth2/token").expect("a path");
        assert_eq!(url.as_str(), "https://h.example:444/prefix/api/oauth2/token");
        for bad in
            ["api", "//evil.example/x", "/a//evil", "https://evil.example", "/x?apikey=1", "/a/../b", "/\\e"]
        {
            assert!(base.endpoint_url(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn own_addresses() {
        let base = BaseAddress::parse("https://h.example/p").expect("an address");
        for (text, own) in [
            ("/doc/1", true),
            ("https://h.example:443/x", true),
            ("https://H.EXAMPLE/x", true),
            ("https://h.example:444/x", false),
            ("https://h.example.evil/x", false),
            ("//evil.example/x", false),
        ] {
            let url = base.resolve_url(text).expect(text);
            assert_eq!(base.is_own(&url), own, "{text}");
        }
        assert_eq!(base.resolve_url("http://h.example/x").expect("own").as_str(), "https://h.example/x");
        assert!(base.resolve_url("http://h.example:8080/x").is_err());
        assert!(matches!(base.resolve_url("http://other.example/x"), Err(ClientError::BadLink { .. })));
        assert!(base.resolve_url("https://u:p@h.example/x").is_err());
        assert!(base.resolve_url("javascript:alert(1)").is_err());
        assert!(base.resolve_url("file:///etc/passwd").is_err());
    }
}
