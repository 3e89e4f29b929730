//! Reads from a certificate what a person needs to recognize it: issuer, names, dates.
//!
//! Only for messages: trust is decided by the verifier, never here. A reader of our own, of the few
//! fields of RFC 5280 needed, so that an untrusted certificate meets little code; what it cannot read
//! is left empty.

use std::net::IpAddr;

/// What a certificate says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CertificateSummary {
    /// Name of the issuer, or `unknown`.
    pub(crate) issuer: String,
    /// Host names and addresses it is for.
    pub(crate) names: Vec<String>,
    /// First day, `yyyy-mm-dd`.
    pub(crate) not_before: String,
    /// Last day, `yyyy-mm-dd`.
    pub(crate) not_after: String,
}

const SEQUENCE: u8 = 0x30;
const VERSION: u8 = 0xa0;
const EXTENSIONS: u8 = 0xa3;
const OCTETS: u8 = 0x04;
const OID: u8 = 0x06;
const OID_COMMON_NAME: &[u8] = &[0x55, 0x04, 0x03];
const OID_ORGANIZATION: &[u8] = &[0x55, 0x04, 0x0a];
const OID_UNIT: &[u8] = &[0x55, 0x04, 0x0b];
const OID_ALTERNATIVE_NAMES: &[u8] = &[0x55, 0x1d, 0x11];
/// More names than this help nobody.
const NAMES_MAX: usize = 20;

/// Describes a certificate in DER.
pub(crate) fn describe_certificate(der: &[u8]) -> CertificateSummary {
    read(der).unwrap_or_else(|| CertificateSummary {
        issuer: "unknown".to_owned(),
        ..CertificateSummary::default()
    })
}

fn read(der: &[u8]) -> Option<CertificateSummary> {
    let (certificate, _) = expect_element(der, SEQUENCE)?;
    let (mut body, _) = expect_element(certificate, SEQUENCE)?;
    if body.first() == Some(&VERSION) {
        body = first_element(body)?.2;
    }
    let (_, _, body) = first_element(body)?; // serial number
    let (_, _, body) = first_element(body)?; // signature algorithm
    let (issuer, body) = expect_element(body, SEQUENCE)?;
    let (validity, body) = expect_element(body, SEQUENCE)?;
    let (tag, not_before, later) = first_element(validity)?;
    let (later_tag, not_after, _) = first_element(later)?;
    let (_, _, body) = first_element(body)?; // subject: names are in the extension
    let (_, _, mut body) = first_element(body)?; // public key
    let mut names = Vec::new();
    while let Some((tag, content, rest)) = first_element(body) {
        if tag == EXTENSIONS {
            names = alternative_names(content).unwrap_or_default();
        }
        body = rest;
    }
    Some(CertificateSummary {
        issuer: name(issuer),
        names,
        not_before: date_text(tag, not_before),
        not_after: date_text(later_tag, not_after),
    })
}

/// Tag, content and rest of the first element.
fn first_element(der: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = der.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = if first < 0x80 {
        (usize::from(first), rest)
    } else {
        let count = usize::from(first & 0x7f);
        if count == 0 || count > 3 || rest.len() < count {
            return None;
        }
        let length = rest[..count].iter().fold(0_usize, |sum, byte| (sum << 8) | usize::from(*byte));
        (length, &rest[count..])
    };
    (rest.len() >= length).then(|| (tag, &rest[..length], &rest[length..]))
}

fn expect_element(der: &[u8], wanted: u8) -> Option<(&[u8], &[u8])> {
    let (tag, content, rest) = first_element(der)?;
    (tag == wanted).then_some((content, rest))
}

/// A distinguished name as people read it: common name, and the organization where it says more.
fn name(mut relative_names: &[u8]) -> String {
    let (mut common, mut organization, mut unit) = (None, None, None);
    while let Some((_, mut set, rest)) = first_element(relative_names) {
        while let Some((_, pair, others)) = first_element(set) {
            if let Some((oid, value)) = expect_element(pair, OID)
                && let Some((tag, value, _)) = first_element(value)
            {
                match oid {
                    OID_COMMON_NAME => common = Some(string_text(tag, value)),
                    OID_ORGANIZATION => organization = Some(string_text(tag, value)),
                    OID_UNIT => unit = Some(string_text(tag, value)),
                    _ => {}
                }
            }
            set = others;
        }
        relative_names = rest;
    }
    match (common, organization, unit) {
        (Some(common), Some(organization), _) if !common.contains(&organization) => {
            format!("{common}, {organization}")
        }
        (Some(one), _, _) | (None, Some(one), _) | (None, None, Some(one)) => one,
        (None, None, None) => "unknown".to_owned(),
    }
}

/// A string of any of the kinds in use, fit for a message.
fn string_text(tag: u8, value: &[u8]) -> String {
    const BMP: u8 = 0x1e;
    let read = if tag == BMP {
        let units: Vec<u16> =
            value.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    } else {
        String::from_utf8_lossy(value).into_owned()
    };
    read.chars().filter(|c| !c.is_control()).take(100).collect()
}

fn alternative_names(extensions: &[u8]) -> Option<Vec<String>> {
    let (mut list, _) = expect_element(extensions, SEQUENCE)?;
    while let Some((_, extension, rest)) = first_element(list) {
        list = rest;
        let Some((OID_ALTERNATIVE_NAMES, mut value)) = expect_element(extension, OID) else { continue };
        // The value may follow a "critical" flag.
        while let Some((tag, content, rest)) = first_element(value) {
            if tag == OCTETS {
                return Some(general_names(expect_element(content, SEQUENCE)?.0));
            }
            value = rest;
        }
    }
    None
}

fn general_names(mut list: &[u8]) -> Vec<String> {
    const DNS: u8 = 0x82;
    const IP: u8 = 0x87;
    let mut names = Vec::new();
    while let Some((tag, value, rest)) = first_element(list) {
        match tag {
            DNS => names.push(string_text(tag, value)),
            IP => names.extend(ip_text(value)),
            _ => {}
        }
        if names.len() >= NAMES_MAX {
            break;
        }
        list = rest;
    }
    names
}

fn ip_text(value: &[u8]) -> Option<String> {
    let four = <[u8; 4]>::try_from(value).map(IpAddr::from);
    let sixteen = <[u8; 16]>::try_from(value).map(IpAddr::from);
    four.or(sixteen).ok().map(|address| address.to_string())
}

/// `yyyy-mm-dd` of a UTCTime (two digits of the year: 1950 to 2049) or GeneralizedTime.
fn date_text(tag: u8, value: &[u8]) -> String {
    const UTC_TIME: u8 = 0x17;
    let digits = String::from_utf8_lossy(value);
    let full = if tag == UTC_TIME {
        let century = if digits.as_bytes().first().is_some_and(|c| *c >= b'5') { "19" } else { "20" };
        format!("{century}{digits}")
    } else {
        digits.into_owned()
    };
    if full.len() < 8 || !full.bytes().take(8).all(|b| b.is_ascii_digit()) {
        return String::new();
    }
    format!("{}-{}-{}", &full[..4], &full[4..6], &full[6..8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_issuer_names_and_dates() {
        let mut params = rcgen::CertificateParams::new(vec!["h.example".to_owned(), "127.0.0.1".to_owned()])
            .expect("names are fine");
        params.not_before = rcgen::date_time_ymd(2026, 1, 2);
        params.not_after = rcgen::date_time_ymd(2055, 3, 4);
        params.distinguished_name.push(rcgen::DnType::CommonName, "A Middlebox\nCA");
        params.distinguished_name.push(rcgen::DnType::OrganizationName, "Some Office");
        let key = rcgen::KeyPair::generate().expect("a key");
        let certificate = params.self_signed(&key).expect("a certificate");
        let described = describe_certificate(certificate.der());
        assert_eq!(described.issuer, "A MiddleboxCA, Some Office");
        assert_eq!(described.names, ["h.example", "127.0.0.1"]);
        assert_eq!(described.not_before, "2026-01-02");
        assert_eq!(described.not_after, "2055-03-04");
    }

    #[test]
    fn survives_anything() {
        let key = rcgen::KeyPair::generate().expect("a key");
        let params = rcgen::CertificateParams::new(vec!["h.example".to_owned()]).expect("names are fine");
        let good = params.self_signed(&key).expect("a certificate").der().to_vec();
        for cut in 0..good.len() {
            let _ = describe_certificate(&good[..cut]);
            let mut bent = good.clone();
            bent[cut] ^= 0xff;
            let _ = describe_certificate(&bent);
        }
        assert_eq!(describe_certificate(b"").issuer, "unknown");
        assert_eq!(describe_certificate(&[0x30, 0x84, 0xff, 0xff, 0xff, 0xff]).issuer, "unknown");
    }
}
