//! Which redirects are followed: none that leaves the host, none that changes the request.

use reqwest::header::{HeaderMap, LOCATION};
use reqwest::{Method, StatusCode};
use url::Url;

use crate::ClientError;
use crate::address::{host_and_port, origin};

/// More hops than this lead nowhere.
pub(crate) const HOPS_MAX: u32 = 5;

/// Where an answer redirects to, if it does. The address is resolved but not judged.
pub(crate) fn target(
    status: StatusCode,
    headers: &HeaderMap,
    from: &Url,
) -> Option<Result<Url, ClientError>> {
    if !matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let location = headers.get(LOCATION).and_then(|value| std::str::from_utf8(value.as_bytes()).ok());
    Some(match location {
        Some(location) => from
            .join(location.trim())
            .map_err(|error| bad(from, status, &format!("its address cannot be read: {error}"))),
        None => Err(bad(from, status, "it names no address")),
    })
}

/// Whether an authorized request may follow: only on the same scheme, host and port, and only as the
/// same request.
pub(crate) fn follow(
    method: &Method,
    status: StatusCode,
    from: &Url,
    to: Url,
    hops: u32,
) -> Result<Url, ClientError> {
    if origin(from) != origin(&to) || !to.username().is_empty() || to.password().is_some() {
        return Err(ClientError::CrossHostRedirect { from: origin(from), to: origin(&to) });
    }
    if hops >= HOPS_MAX {
        return Err(bad(from, status, &format!("more than {HOPS_MAX} redirects follow one another")));
    }
    // 301 to 303 turn a POST into a GET: the body would be lost without a word.
    if *method != Method::GET && !matches!(status.as_u16(), 307 | 308) {
        let moved = format!("the path seems to have moved to {}: set it in the profile", to.path());
        return Err(bad(from, status, &moved));
    }
    Ok(to)
}

pub(crate) fn bad(from: &Url, status: StatusCode, reason: &str) -> ClientError {
    ClientError::BadRedirect {
        from: host_and_port(from),
        status: status.as_u16(),
        reason: reason.chars().filter(|c| !c.is_control()).take(300).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_request_on_the_same_host() {
        let from = Url::parse("https://h.example/a").expect("an address");
        for (method, status, location, expected) in [
            (Method::GET, 302, "/b", "https://h.example/b"),
            (Method::GET, 301, "https://h.example:443/b?x=1", "https://h.example/b?x=1"),
            (Method::POST, 307, "b", "https://h.example/b"),
            (Method::POST, 308, "/b", "https://h.example/b"),
            (Method::POST, 302, "/login", "moved to /login"),
            (Method::POST, 303, "/b", "moved to /b"),
            (Method::GET, 302, "http://h.example/b", "refused, credentials go"),
            (Method::GET, 302, "https://h.example:444/b", "refused, credentials go"),
            (Method::POST, 307, "//evil.example/b", "refused, credentials go"),
            (Method::GET, 307, "https://u:p@h.example/b", "refused, credentials go"),
            (Method::GET, 307, "https://[", "cannot be read"),
        ] {
            let status = StatusCode::from_u16(status).expect("a status");
            let mut headers = HeaderMap::new();
            headers.insert(LOCATION, location.parse().expect("a header"));
            let to = target(status, &headers, &from).expect("a redirect");
            let found = to.and_then(|to| follow(&method, status, &from, to, 0));
            let said = found.map_or_else(|error| error.to_string(), |url| url.to_string());
            assert!(said.contains(expected), "{method} {status} {location}: {said}");
        }
        assert!(target(StatusCode::OK, &HeaderMap::new(), &from).is_none());
        assert!(target(StatusCode::NOT_MODIFIED, &HeaderMap::new(), &from).is_none());
        assert!(target(StatusCode::FOUND, &HeaderMap::new(), &from).expect("a redirect").is_err());
        assert!(follow(&Method::GET, StatusCode::FOUND, &from, from.clone(), HOPS_MAX).is_err());
    }
}
