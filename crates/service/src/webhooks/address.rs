//! Where deliveries may go. A service that posts to any address it is given opens its network, so
//! an address is checked when it is entered, and what its name resolves to whenever it is used.

use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

/// Characters of an address.
const URL_CHARS_MAX: usize = 2_000;
/// The only name that resolves to this machine.
const LOCAL_NAME: &str = "localhost";

/// Whether deliveries may go to this machine itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoopbackRule {
    /// The service is reached from this machine only, and the account is that of the person who runs it.
    Permitted,
    /// Anybody else would reach what listens here for this machine alone.
    Refused,
}

/// An address deliveries may go to, or a sentence on why not.
pub(super) fn check_address(text: &str, loopback: LoopbackRule) -> Result<Url, String> {
    if text.len() > URL_CHARS_MAX {
        return Err(format!("At most {URL_CHARS_MAX} characters are allowed."));
    }
    let no_address = |_| "url must be an address such as https://example.com/hook.".to_owned();
    let url: Url = text.trim().parse().map_err(no_address)?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err("The address must not carry a username or password; use the header instead.".into());
    }
    let local = match url.host() {
        Some(Host::Ipv4(address)) => permitted_literal(IpAddr::V4(address))?,
        Some(Host::Ipv6(address)) => permitted_literal(IpAddr::V6(address))?,
        Some(Host::Domain(name)) => name.trim_end_matches('.') == LOCAL_NAME,
        None => return Err("The address names no host.".into()),
    };
    if local && loopback == LoopbackRule::Refused {
        return Err(
            "Deliveries to this machine are allowed for the practice account only, while the service \
                    listens on a loopback address."
                .into(),
        );
    }
    match url.scheme() {
        "https" => Ok(url),
        "http" if local => Ok(url),
        "http" => Err("http: is allowed to this machine only; use https:.".into()),
        other => Err(format!("{other}: is not supported; use https:.")),
    }
}

/// Whether a literal address is this machine's; refused where it is neither that nor public.
fn permitted_literal(address: IpAddr) -> Result<bool, String> {
    if address.to_canonical().is_loopback() {
        Ok(true)
    } else if is_public(address) {
        Ok(false)
    } else {
        Err(format!("{address} is not a public address; deliveries into private networks are refused."))
    }
}

/// Whether it is an ordinary address of the internet.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    // The special-purpose registry of RFC 6890 and its updates.
    !matches!(
        (a, b, c),
        (0 | 10 | 127, ..)
            | (100, 64..=127, _)
            | (169, 254, _)
            | (172, 16..=31, _)
            | (192, 0, 0 | 2)
            | (192, 88, 99)
            | (192, 168, _)
            | (198, 18..=19, _)
            | (198, 51, 100)
            | (203, 0, 113)
            | (224..=255, ..)
    )
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, ..] = address.segments();
    // Only 2000::/3 is given out; without what tunnels to somewhere else, and documentation.
    let global = a & 0xe000 == 0x2000;
    let protocol = a == 0x2001 && b < 0x0200;
    let documentation = (a == 0x2001 && b == 0x0db8) || (a == 0x3fff && b < 0x1000);
    let six_to_four = a == 0x2002;
    global && !protocol && !documentation && !six_to_four
}

/// What may be connected to of what a name resolved to. One bad address refuses all: a name that points
/// into a private network once will do so again.
fn permitted_addresses(name: &str, found: Vec<IpAddr>) -> Result<Vec<IpAddr>, String> {
    let good = |address: &IpAddr| {
        if name == LOCAL_NAME { address.to_canonical().is_loopback() } else { is_public(*address) }
    };
    match found.iter().find(|address| !good(address)) {
        Some(bad) => Err(format!("{name} resolves to {bad}, which deliveries must not go to")),
        None if found.is_empty() => Err(format!("{name} resolves to no address")),
        None => Ok(found),
    }
}

/// What a name resolves to.
pub(super) type NameLookup = fn(String) -> Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// As the operating system resolves it.
pub(super) fn by_system(name: String) -> Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>> {
    Box::pin(async move {
        let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
        Ok(found.map(|address| address.ip()).collect())
    })
}

/// Resolves a name: exactly what was checked is what is connected to.
pub(super) struct CheckedNames(pub(super) NameLookup);

impl Resolve for CheckedNames {
    fn resolve(&self, name: Name) -> Resolving {
        let lookup = self.0;
        Box::pin(async move {
            let found = permitted_addresses(name.as_str(), lookup(name.as_str().to_owned()).await?)?;
            // The connection puts the port of the address in its place.
            let addresses = found.into_iter().map(|ip| SocketAddr::new(ip, 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_table() {
        for good in [
            "https://example.com/hook",
            "https://example.com:8443/hook?x=1",
            "http://127.0.0.1:4000/",
            "http://127.9.9.9/",
            "http://localhost:4000/hook",
            "https://localhost/hook",
            "http://[::1]:4000/",
            "https://93.184.216.34/",
            "https://[2606:4700::1111]/",
            "http://[::ffff:127.0.0.1]/",
        ] {
            assert_eq!(check_address(good, LoopbackRule::Permitted).map(|_| ()), Ok(()), "{good}");
        }
        for bad in [
            "",
            "example.com",
            "http://example.com/",
            "ftp://example.com/",
            "file:///etc/passwd",
            "https://user@example.com/",
            "https://user:pass@example.com/",
            "https://10.0.0.1/",
            "https://172.16.0.1/",
            "https://192.168.1.1/",
            "https://169.254.169.254/latest/meta-data",
            "https://100.64.0.1/",
            "https://0.0.0.0/",
            "http://0/",
            "https://3232235777/",
            "https://0xa000001/",
            "https://224.0.0.1/",
            "https://255.255.255.255/",
            "https://[::]/",
            "https://[fe80::1]/",
            "https://[fc00::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://[64:ff9b::a00:1]/",
            "https://[2002:a00:1::]/",
            "https://[2001:db8::1]/",
            "http://127.0.0.1.example.com/",
            "http://localhost.example.com/",
        ] {
            assert!(check_address(bad, LoopbackRule::Permitted).is_err(), "{bad}");
        }
        let long = format!("https://example.com/{}", "x".repeat(3_000));
        assert!(check_address(&long, LoopbackRule::Permitted).is_err());
    }

    /// A webhook of somebody else's account must not read what listens on this machine for this machine alone.
    #[test]
    fn this_machine_is_refused_in_any_spelling() {
        for local in [
            "http://127.0.0.1:9911/",
            "https://127.9.9.9/",
            "http://0x7f000001/",
            "http://2130706433/",
            "http://127.1/",
            "http://[::1]:9911/",
            "http://[::ffff:127.0.0.1]/",
            "https://localhost:9911/",
            "https://LOCALHOST/",
            "https://localhost./",
        ] {
            assert!(check_address(local, LoopbackRule::Refused).is_err(), "{local}");
        }
        assert!(check_address("https://example.com/hook", LoopbackRule::Refused).is_ok());
    }

    #[test]
    fn what_a_name_resolves_to_is_looked_at() {
        let ip = |text: &str| text.parse::<IpAddr>().expect("an address");
        assert!(permitted_addresses("example.com", vec![ip("93.184.216.34")]).is_ok());
        for bad in ["127.0.0.1", "10.0.0.1", "::1", "169.254.169.254", "::ffff:192.168.0.1"] {
            assert!(permitted_addresses("example.com", vec![ip(bad)]).is_err(), "{bad}");
            assert!(permitted_addresses("example.com", vec![ip("93.184.216.34"), ip(bad)]).is_err(), "{bad}");
        }
        assert!(permitted_addresses("localhost", vec![ip("127.0.0.1"), ip("::1")]).is_ok());
        assert!(permitted_addresses("localhost", vec![ip("93.184.216.34")]).is_err());
        assert!(permitted_addresses("example.com", Vec::new()).is_err());
    }
}
