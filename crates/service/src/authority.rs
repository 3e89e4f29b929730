//! The local certificate authority: made on first start, trusted by the Practice profile only.
//!
//! It vouches for this machine's loopback names and addresses and nothing else, for a year, and its key is thrown
//! away once the service's own certificate is signed: whoever reads the folder, or imports the authority into a
//! browser, has no key to other sites. A month before the year ends the next start makes a new one.

use std::fs::File;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;

use bordereau_sealing::private_files::replace_private_file;
use chrono::{Datelike, Days, NaiveDate, Utc};
use rcgen::{
    BasicConstraints, CertificateParams, CidrSubnet, DnType, ExtendedKeyUsagePurpose, GeneralSubtree, IsCa,
    Issuer, KeyPair, KeyUsagePurpose, NameConstraints, date_time_ymd,
};
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use serde::{Deserialize, Serialize};

use crate::StartError;
use crate::data_dir::{DataDir, write_whole};

/// File of the authority's certificate in the data directory: what others are to trust.
const CA_FILE: &str = "practice-ca.pem";
/// Everything that was made together, with the key of the service's own certificate: readable by its owner only.
const IDENTITY_FILE: &str = "practice-tls.json";
/// Where earlier versions kept a key that could sign for any site.
const OLD_KEY_FILE: &str = "practice-ca.key";
/// Days that the certificates are valid, and days before their end that new ones are made.
const VALID_DAYS: u64 = 365;
const RENEWED_DAYS: u64 = 30;

/// The authority with the certificate others are to trust, and the one it signed.
pub(crate) struct CertificateAuthority {
    identity: ServiceIdentity,
    /// Its certificate, PEM.
    pub(crate) pem: String,
    /// Where that is kept.
    pub(crate) file: Option<PathBuf>,
}

/// As it is kept.
#[derive(Serialize, Deserialize)]
struct ServiceIdentity {
    until: NaiveDate,
    /// The address it listens on, where that is no loopback address.
    address: Option<IpAddr>,
    authority: String,
    certificate: String,
    key: String,
}

fn certificate_error(error: impl std::fmt::Display) -> StartError {
    StartError::Certificate(error.to_string())
}

impl CertificateAuthority {
    /// That of the data directory for a service at this address, made again where there is none, where it is for
    /// another address or where its year ends; without a directory always a fresh one.
    pub(crate) fn open(dir: Option<&DataDir>, bound: IpAddr) -> Result<CertificateAuthority, StartError> {
        let address = Some(bound).filter(|address| !address.is_loopback() && !address.is_unspecified());
        // By the real calendar, not the injected clock: whoever checks the certificate does so by the real one.
        let today = Utc::now().date_naive();
        let Some(dir) = dir else {
            return Ok(CertificateAuthority::with_identity(ServiceIdentity::new(address, today)?, None));
        };
        let (file, identity_file) = (dir.file_path(CA_FILE), dir.file_path(IDENTITY_FILE));
        let kept = read(&identity_file)?.and_then(|text| serde_json::from_str::<ServiceIdentity>(&text).ok());
        let renewed_from = today.checked_add_days(Days::new(RENEWED_DAYS)).unwrap_or(today);
        let identity = match kept {
            Some(kept) if kept.address == address && kept.until > renewed_from => kept,
            _ => {
                let made = ServiceIdentity::new(address, today)?;
                let text = serde_json::to_string(&made).map_err(certificate_error)?;
                write_whole(&identity_file, text.as_bytes(), replace_private_file)?;
                made
            }
        };
        if read(&file)?.as_ref() != Some(&identity.authority) {
            write_whole(&file, identity.authority.as_bytes(), |draft| File::create(draft))?;
        }
        match std::fs::remove_file(dir.file_path(OLD_KEY_FILE)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                tracing::warn!(%error, "the authority's key of an earlier version is still there");
            }
            _ => {}
        }
        Ok(CertificateAuthority::with_identity(identity, Some(file)))
    }

    fn with_identity(identity: ServiceIdentity, file: Option<PathBuf>) -> CertificateAuthority {
        CertificateAuthority { pem: identity.authority.clone(), identity, file }
    }

    /// The TLS set-up of the service.
    pub(crate) fn server_config(&self) -> Result<Arc<rustls::ServerConfig>, StartError> {
        let certificate = CertificateDer::from_pem_slice(self.identity.certificate.as_bytes());
        let key = PrivateKeyDer::from_pem_slice(self.identity.key.as_bytes());
        let pair = CertifiedKey::from_der(
            vec![certificate.map_err(certificate_error)?],
            key.map_err(certificate_error)?,
            &rustls::crypto::ring::default_provider(),
        )
        .map_err(certificate_error)?;
        bordereau_server::server_config(Arc::new(SingleCertAndKey::from(pair))).map_err(certificate_error)
    }
}

impl ServiceIdentity {
    /// A fresh authority and the certificate it signs; its key ends here.
    fn new(address: Option<IpAddr>, today: NaiveDate) -> Result<ServiceIdentity, StartError> {
        let until = today.checked_add_days(Days::new(VALID_DAYS)).unwrap_or(today);
        let authority_key = KeyPair::generate().map_err(certificate_error)?;
        let authority = authority_params(address, today, until)?;
        let pem = authority.self_signed(&authority_key).map_err(certificate_error)?.pem();
        let names = ["localhost", "127.0.0.1", "::1"].map(String::from).into_iter();
        let names = names.chain(address.map(|address| address.to_string())).collect();
        let key = KeyPair::generate().map_err(certificate_error)?;
        let signed = service_params(names, today, until)?
            .signed_by(&key, &Issuer::from_params(&authority, &authority_key))
            .map_err(certificate_error)?;
        let key = key.serialize_pem();
        Ok(ServiceIdentity { until, address, authority: pem, certificate: signed.pem(), key })
    }
}

/// Only loopback names and addresses, and the one address the service listens on.
fn authority_params(
    address: Option<IpAddr>,
    today: NaiveDate,
    until: NaiveDate,
) -> Result<CertificateParams, StartError> {
    let mut params = CertificateParams::new(Vec::<String>::new()).map_err(certificate_error)?;
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.distinguished_name.push(DnType::CommonName, "Bordereau practice service: local authority");
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let whole =
        |address: IpAddr| CidrSubnet::from_addr_prefix(address, if address.is_ipv4() { 32 } else { 128 });
    let mut permitted_subtrees = vec![
        GeneralSubtree::DnsName("localhost".into()),
        GeneralSubtree::IpAddress(CidrSubnet::from_v4_prefix([127, 0, 0, 0], 8)),
        GeneralSubtree::IpAddress(whole(IpAddr::from(std::net::Ipv6Addr::LOCALHOST))),
    ];
    permitted_subtrees.extend(address.map(|address| GeneralSubtree::IpAddress(whole(address))));
    params.name_constraints = Some(NameConstraints { permitted_subtrees, excluded_subtrees: Vec::new() });
    set_validity(&mut params, today, until);
    Ok(params)
}

fn service_params(
    names: Vec<String>,
    today: NaiveDate,
    until: NaiveDate,
) -> Result<CertificateParams, StartError> {
    let mut params = CertificateParams::new(names).map_err(certificate_error)?;
    params.distinguished_name.push(DnType::CommonName, "localhost");
    params.distinguished_name.push(DnType::OrganizationName, "Bordereau practice service");
    params.use_authority_key_identifier_extension = true;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    set_validity(&mut params, today, until);
    Ok(params)
}

/// From yesterday, so that a clock a little behind finds it valid.
fn set_validity(params: &mut CertificateParams, today: NaiveDate, until: NaiveDate) {
    let instant = |date: NaiveDate| {
        let small = |number: u32| u8::try_from(number).unwrap_or_default();
        date_time_ymd(date.year(), small(date.month()), small(date.day()))
    };
    params.not_before = instant(today.pred_opt().unwrap_or(today));
    params.not_after = instant(until);
}

fn read(path: &PathBuf) -> Result<Option<String>, StartError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(StartError::File { action: "cannot read", path: path.clone(), source }),
    }
}

#[cfg(test)]
mod tests {
    use rustls::client::WebPkiServerVerifier;
    use rustls::client::danger::ServerCertVerifier;
    use rustls_pki_types::{ServerName, UnixTime};

    use super::*;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    /// Whether a certificate for this name is good under this authority.
    fn is_vouched_for(
        name: &str,
        params: &CertificateParams,
        key: &KeyPair,
    ) -> Result<bool, Box<dyn std::error::Error>> {
        let today = Utc::now().date_naive();
        let leaf_key = KeyPair::generate()?;
        let until = today.checked_add_days(Days::new(9)).ok_or("no such day")?;
        let leaf = service_params(vec![name.to_owned()], today, until).map_err(|error| error.to_string())?;
        let leaf = leaf.signed_by(&leaf_key, &Issuer::from_params(params, key))?;
        let mut roots = rustls::RootCertStore::empty();
        roots.add(params.self_signed(key)?.der().clone())?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build()?;
        let name = ServerName::try_from(name.to_owned())?;
        Ok(verifier.verify_server_cert(leaf.der(), &[], &name, &[], UnixTime::now()).is_ok())
    }

    /// Whoever had the key could sign for this machine alone.
    #[test]
    fn the_authority_vouches_for_this_machine_only() -> Outcome {
        let today = Utc::now().date_naive();
        let until = today.checked_add_days(Days::new(VALID_DAYS)).ok_or("no such day")?;
        let office: IpAddr = "192.168.1.5".parse()?;
        for (address, name, expected) in [
            (None, "localhost", true),
            (None, "127.0.0.1", true),
            (None, "127.9.9.9", true),
            (None, "::1", true),
            (None, "bank.example", false),
            (None, "8.8.8.8", false),
            (None, "192.168.1.5", false),
            (Some(office), "192.168.1.5", true),
            (Some(office), "192.168.1.6", false),
            (Some(office), "bank.example", false),
        ] {
            let key = KeyPair::generate()?;
            let params = authority_params(address, today, until).map_err(|error| error.to_string())?;
            assert_eq!(is_vouched_for(name, &params, &key)?, expected, "{name} with {address:?}");
        }
        Ok(())
    }

    #[test]
    fn it_is_kept_without_its_key_and_renewed_by_itself() -> Outcome {
        let folder = tempfile::tempdir()?;
        std::fs::write(folder.path().join(OLD_KEY_FILE), "the key of an earlier version")?;
        let here: IpAddr = "127.0.0.1".parse()?;
        let open = |address: IpAddr| -> Result<String, Box<dyn std::error::Error>> {
            let dir = DataDir::open(folder.path()).map_err(|error| error.to_string())?;
            let authority =
                CertificateAuthority::open(Some(&dir), address).map_err(|error| error.to_string())?;
            authority.server_config().map_err(|error| error.to_string())?;
            assert_eq!(std::fs::read_to_string(folder.path().join(CA_FILE))?, authority.pem);
            Ok(authority.pem)
        };
        let first = open(here)?;
        assert!(!folder.path().join(OLD_KEY_FILE).exists());
        assert_eq!(open(here)?, first, "the same while it is valid");
        let other = open("192.168.1.5".parse()?)?;
        assert_ne!(other, first, "another address needs another authority");

        let path = folder.path().join(IDENTITY_FILE);
        let mut kept: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&path)?)?;
        let keys: Vec<_> = kept.as_object().ok_or("no object")?.keys().cloned().collect();
        assert_eq!(keys, ["until", "address", "authority", "certificate", "key"], "no key of the authority");
        let soon = Utc::now().date_naive().checked_add_days(Days::new(RENEWED_DAYS)).ok_or("no such day")?;
        kept["until"] = serde_json::to_value(soon)?;
        std::fs::write(&path, kept.to_string())?;
        assert_ne!(open("192.168.1.5".parse()?)?, other, "its year is about to end");
        std::fs::write(&path, "half a fi")?;
        open(here)?;
        Ok(())
    }
}
