//! Reads from a certificate what a person needs to recognize it: issuer, names, dates.
//!
//! Only for messages: trust is decided by the verifier, never here. What cannot be read is left empty.

use std::net::IpAddr;

use x509_parser::asn1_rs::Tag;
use x509_parser::prelude::{
    ASN1Time, AttributeTypeAndValue, FromDer, GeneralName, X509Certificate, X509Name,
};

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

/// More names than this help no one.
const NAMES_MAX: usize = 20;

/// Describes a certificate in DER.
pub(crate) fn describe_certificate(der: &[u8]) -> CertificateSummary {
    let Ok((_, certificate)) = X509Certificate::from_der(der) else {
        return CertificateSummary { issuer: "unknown".to_owned(), ..CertificateSummary::default() };
    };
    let names = match certificate.subject_alternative_name() {
        Ok(Some(found)) => found.value.general_names.iter().filter_map(name_text).take(NAMES_MAX).collect(),
        _ => Vec::new(),
    };
    let validity = certificate.validity();
    CertificateSummary {
        issuer: issuer_text(certificate.issuer()),
        names,
        not_before: date_text(validity.not_before),
        not_after: date_text(validity.not_after),
    }
}

/// A distinguished name as people read it: common name, and the organization where it says more.
fn issuer_text(name: &X509Name<'_>) -> String {
    let common = name.iter_common_name().last().map(attribute_text);
    let organization = name.iter_organization().last().map(attribute_text);
    let unit = name.iter_organizational_unit().last().map(attribute_text);
    match (common, organization, unit) {
        (Some(common), Some(organization), _) if !common.contains(&organization) => {
            format!("{common}, {organization}")
        }
        (Some(one), _, _) | (None, Some(one), _) | (None, None, Some(one)) => one,
        (None, None, None) => "unknown".to_owned(),
    }
}

/// A string of any of the kinds in use.
fn attribute_text(attribute: &AttributeTypeAndValue<'_>) -> String {
    let value = attribute.attr_value();
    if value.tag() == Tag::BmpString {
        let units: Vec<u16> =
            value.data.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
        return plain_text(&String::from_utf16_lossy(&units));
    }
    plain_text(&String::from_utf8_lossy(value.data))
}

/// Fit for a message.
fn plain_text(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(100).collect()
}

fn name_text(name: &GeneralName<'_>) -> Option<String> {
    match name {
        GeneralName::DNSName(name) => Some(plain_text(name)),
        GeneralName::IPAddress(value) => {
            let four = <[u8; 4]>::try_from(*value).map(IpAddr::from);
            let sixteen = <[u8; 16]>::try_from(*value).map(IpAddr::from);
            four.or(sixteen).ok().map(|address| address.to_string())
        }
        _ => None,
    }
}

/// `yyyy-mm-dd`.
fn date_text(time: ASN1Time) -> String {
    time.to_datetime().date().to_string()
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
