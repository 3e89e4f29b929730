//! The local certificate authority: made on first start, trusted by the Practice profile only.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;

use chrono::{Datelike, Days, NaiveDate, Utc};
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, SanType, date_time_ymd,
};
use rustls_pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

use crate::StartError;
use crate::data_dir::{DataDir, write_whole};

/// File of the authority's certificate in the data directory.
const CA_FILE: &str = "practice-ca.pem";
/// File of the authority's private key, readable by its owner only.
const CA_KEY_FILE: &str = "practice-ca.key";

/// The authority with the certificate others are to trust.
pub(crate) struct CertificateAuthority {
    issuer: Issuer<'static, KeyPair>,
    /// Its certificate, PEM.
    pub(crate) pem: String,
    /// Where that is kept.
    pub(crate) file: Option<PathBuf>,
}

fn certificate_error(error: impl std::fmt::Display) -> StartError {
    StartError::Certificate(error.to_string())
}

impl CertificateAuthority {
    /// The authority of the data directory, made on first start; without one, a fresh authority.
    pub(crate) fn open(dir: Option<&DataDir>) -> Result<CertificateAuthority, StartError> {
        let Some(dir) = dir else {
            let key = KeyPair::generate().map_err(certificate_error)?;
            return CertificateAuthority::from_key(key, None);
        };
        let (file, key_file) = (dir.file_path(CA_FILE), dir.file_path(CA_KEY_FILE));
        if let (Some(pem), Some(key)) = (read(&file)?, read(&key_file)?) {
            let key = KeyPair::from_pem(&key).map_err(|error| {
                StartError::Certificate(format!(
                    "{} is damaged ({error}); remove it and a new authority is made",
                    key_file.display()
                ))
            })?;
            return Ok(CertificateAuthority {
                issuer: Issuer::new(certificate_params()?, key),
                pem,
                file: Some(file),
            });
        }
        let key = KeyPair::generate().map_err(certificate_error)?;
        write_whole(&key_file, key.serialize_pem().as_bytes(), 0o600)?;
        let authority = CertificateAuthority::from_key(key, Some(file.clone()))?;
        write_whole(&file, authority.pem.as_bytes(), 0o644)?;
        Ok(authority)
    }

    fn from_key(key: KeyPair, file: Option<PathBuf>) -> Result<CertificateAuthority, StartError> {
        let pem = certificate_params()?.self_signed(&key).map_err(certificate_error)?.pem();
        Ok(CertificateAuthority { issuer: Issuer::new(certificate_params()?, key), pem, file })
    }

    /// The TLS set-up with a fresh certificate for this machine's loopback names and `address`.
    pub(crate) fn server_config(&self, address: IpAddr) -> Result<Arc<rustls::ServerConfig>, StartError> {
        let mut names: Vec<String> = ["localhost", "127.0.0.1", "::1"].map(String::from).to_vec();
        if !address.is_loopback() && !address.is_unspecified() {
            names.push(address.to_string());
        }
        let mut params = CertificateParams::new(names).map_err(certificate_error)?;
        debug_assert!(params.subject_alt_names.contains(&SanType::IpAddress(IpAddr::from([127, 0, 0, 1]))));
        params.distinguished_name.push(DnType::CommonName, "localhost");
        params.distinguished_name.push(DnType::OrganizationName, "Bordereau practice service");
        params.use_authority_key_identifier_extension = true;
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let (from, until) = leaf_validity();
        params.not_before = date_time_ymd(from.0, from.1, from.2);
        params.not_after = date_time_ymd(until.0, until.1, until.2);
        let key = KeyPair::generate().map_err(certificate_error)?;
        let leaf = params.signed_by(&key, &self.issuer).map_err(certificate_error)?;
        let chain: Vec<CertificateDer<'static>> = vec![leaf.der().clone()];
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(certificate_error)?
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .map_err(certificate_error)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Arc::new(config))
    }
}

/// The same parameters every time: a stored certificate and a re-made issuer must carry one name.
fn certificate_params() -> Result<CertificateParams, StartError> {
    let mut params = CertificateParams::new(Vec::<String>::new()).map_err(certificate_error)?;
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.distinguished_name.push(DnType::CommonName, "Bordereau practice service: local authority");
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params.not_before = date_time_ymd(2026, 1, 1);
    params.not_after = date_time_ymd(2049, 12, 31);
    Ok(params)
}

type YearMonthDay = (i32, u8, u8);

/// Yesterday to a little over a year from now. By the real calendar, not the injected clock: whoever
/// checks the certificate does so by the real one.
fn leaf_validity() -> (YearMonthDay, YearMonthDay) {
    let today = Utc::now().date_naive();
    let parts = |date: NaiveDate| {
        let small = |number: u32| u8::try_from(number).unwrap_or_default();
        (date.year(), small(date.month()), small(date.day()))
    };
    let (first, last) = (today.pred_opt(), today.checked_add_days(Days::new(397)));
    (parts(first.unwrap_or(today)), parts(last.unwrap_or(today)))
}

fn read(path: &PathBuf) -> Result<Option<String>, StartError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(StartError::File { action: "cannot read", path: path.clone(), source }),
    }
}
