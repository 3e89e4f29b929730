//! Which redirects are followed: none that leaves the host, none that changes the request.

use reqwest::header::{HeaderMap, LOCATION};
use reqwest::{Method, StatusCode};
use url::Url;

use crate::ClientError;
use crate::address::{host_and_port, url_origin};

/// More hops than this lead nowhere.
pub(crate) const HOPS_MAX: u32 = 5;

/// Where an answer redirects to, if it does. The address is resolved but not judged.
pub(crate) fn redirect_target(
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
            .map_err(|error| bad_redirect(from, status, &format!("its address cannot be read: {error}"))),
        None => Err(bad_redirect(from, status, "it names no address")),
    })
}

/// Whether an authorized request may follow: only on the same scheme, host and port, and only as the
/// same request.
pub(crate) fn check_redirect(
    method: &Method,
    status: StatusCode,
    from: &Url,
    to: Url,
    hops: u32,
) -> Result<Url, ClientError> {
    // 301 to 303 turn a POST into a GET: the body would be lost without a word. They are also how many services answer
    // what they have taken, wherever they point.
    if *method != Method::GET && !matches!(status.as_u16(), 307 | 308) {
        let moved = format!(
            "it points to {}: if the path has moved, set it in the profile",
            host_and_path(from, &to)
        );
        return Err(bad_redirect(from, status, &moved));
    }
    if url_origin(from) != url_origin(&to) || !to.username().is_empty() || to.password().is_some() {
        return Err(ClientError::CrossHostRedirect { from: url_origin(from), to: url_origin(&to) });
    }
    if hops >= HOPS_MAX {
        return Err(bad_redirect(
            from,
            status,
            &format!("more than {HOPS_MAX} redirects follow one another"),
        ));
    }
    Ok(to)
}

/// The path, with its origin where that is another.
fn host_and_path(from: &Url, to: &Url) -> String {
    let origin = if url_origin(from) == url_origin(to) { String::new() } else { url_origin(to) };
    format!("{origin}{}", to.path())
}

pub(crate) fn bad_redirect(from: &Url, status: StatusCode, reason: &str) -> ClientError {
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
            (Method::POST, 302, "/login", "points to /login: if"),
            (Method::POST, 303, "/b", "points to /b: if"),
            (Method::POST, 303, "https://portal.example/b", "points to https://portal.example/b: if"),
            (Method::GET, 302, "http://h.example/b", "refused, credentials go"),
            (Method::GET, 302, "https://h.example:444/b", "refused, credentials go"),
            (Method::POST, 307, "//evil.example/b", "refused, credentials go"),
            (Method::GET, 307, "https://u:p@h.example/b", "refused, credentials go"),
            (Method::GET, 307, "https://[", "cannot be read"),
        ] {
            let status = StatusCode::from_u16(status).expect("a status");
            let mut headers = HeaderMap::new();
            headers.insert(LOCATION, location.parse().expect("a header"));
            let to = redirect_target(status, &headers, &from).expect("a redirect");
            let found = to.and_then(|to| check_redirect(&method, status, &from, to, 0));
            let said = found.map_or_else(|error| error.to_string(), |url| url.to_string());
            assert!(said.contains(expected), "{method} {status} {location}: {said}");
        }
        assert!(redirect_target(StatusCode::OK, &HeaderMap::new(), &from).is_none());
        assert!(redirect_target(StatusCode::NOT_MODIFIED, &HeaderMap::new(), &from).is_none());
        assert!(redirect_target(StatusCode::FOUND, &HeaderMap::new(), &from).expect("a redirect").is_err());
        assert!(check_redirect(&Method::GET, StatusCode::FOUND, &from, from.clone(), HOPS_MAX).is_err());
    }
}
