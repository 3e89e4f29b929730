//! Which names a listener answers to. A page of another site whose name was pointed at this machine sends that
//! site's name as `Host`: it gets nothing.

use std::net::IpAddr;

use axum::http::{HeaderMap, Uri, header};

/// The names a listener answers to.
#[derive(Clone, Debug)]
pub struct HostNames {
    bound: IpAddr,
    names: Vec<String>,
}

impl HostNames {
    /// `localhost`, loopback addresses and the address it listens on; one that listens on all addresses answers to
    /// any address, never to any name.
    pub fn for_address(bound: IpAddr) -> HostNames {
        HostNames { bound: bound.to_canonical(), names: Vec::new() }
    }

    /// And to these names, such as that of the web server in front.
    #[must_use]
    pub fn with_names(mut self, names: impl IntoIterator<Item = String>) -> HostNames {
        self.names.extend(names.into_iter().map(|name| name.trim().trim_end_matches('.').to_owned()));
        self
    }

    /// Whether a request is for this listener: exactly one `Host`, and a whole address in the first line must name
    /// the same.
    pub fn permits_request(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        let mut hosts = headers.get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
        host.to_str().is_ok_and(|host| self.permits_host(host))
            && uri.authority().is_none_or(|authority| self.permits_host(authority.as_str()))
    }

    /// Whether `NAME` or `NAME:PORT` is one of its names.
    fn permits_host(&self, host: &str) -> bool {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => name,
            _ => host,
        };
        let literal = match name.strip_prefix('[') {
            Some(rest) => rest.strip_suffix(']').and_then(|address| address.parse::<IpAddr>().ok()),
            None => name.parse::<IpAddr>().ok().filter(IpAddr::is_ipv4),
        };
        match literal.map(|address| address.to_canonical()) {
            Some(address) => address.is_loopback() || self.bound.is_unspecified() || address == self.bound,
            None => {
                let name = name.strip_suffix('.').unwrap_or(name);
                name.eq_ignore_ascii_case("localhost")
                    || self.names.iter().any(|known| name.eq_ignore_ascii_case(known))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_table() {
        let (here, office, all) = ("127.0.0.1", "192.168.1.5", "0.0.0.0");
        let cases = [
            (here, "127.0.0.1:8080", true),
            (here, "127.0.0.1", true),
            (here, "localhost:8080", true),
            (here, "LOCALHOST", true),
            (here, "localhost.", true),
            (here, "[::1]:8080", true),
            (here, "events.example.com", true),
            (here, "EVENTS.example.com:443", true),
            (here, "evil.example", false),
            (here, "127.0.0.1.evil.example", false),
            (here, "localhost.evil.example:8080", false),
            (here, "192.168.1.5", false),
            (here, "", false),
            (here, ":8080", false),
            (here, "localhost:80:80", false),
            (here, "user@localhost", false),
            (here, "[::1", false),
            (here, "::1", false),
            (office, "192.168.1.5:8080", true),
            (office, "192.168.1.6:8080", false),
            (office, "127.0.0.1", true),
            (all, "192.168.1.6:8080", true),
            (all, "evil.example", false),
        ];
        for (bound, host, expected) in cases {
            let names =
                HostNames::for_address(bound.parse().unwrap()).with_names(["events.example.com".into()]);
            assert_eq!(names.permits_host(host), expected, "{host} at {bound}");
        }
    }

    #[test]
    fn one_host_and_the_same_in_the_first_line() {
        let names = HostNames::for_address("127.0.0.1".parse().unwrap());
        let cases: [(&str, &[&str], bool); 6] = [
            ("/events", &["localhost"], true),
            ("/events", &[], false),
            ("/events", &["localhost", "localhost"], false),
            ("http://localhost/events", &["localhost"], true),
            ("http://evil.example/events", &["localhost"], false),
            ("/events", &["b\u{fc}ro"], false),
        ];
        for (uri, hosts, expected) in cases {
            let mut headers = HeaderMap::new();
            for host in hosts {
                headers.append(header::HOST, host.as_bytes().try_into().unwrap());
            }
            assert_eq!(names.permits_request(&uri.parse().unwrap(), &headers), expected, "{uri} {hosts:?}");
        }
    }
}
