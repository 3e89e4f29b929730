//! Whom the client trusts: the operating system's certificates and the profile's own CA file.

use bordereau_contract::format_day_text;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error as TlsError, SignatureScheme};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, ServerName, UnixTime};
use url::Url;

use crate::ClientError;
use crate::certificate::{CertificateSummary, describe_certificate};

/// More hosts than a profile ever talks to; the record is for messages only.
const HOSTS_MAX: usize = 32;

/// A certificate a host showed, and what the verifier said to it.
#[derive(Clone, Debug)]
pub(crate) struct PresentedCertificate {
    pub(crate) certificate: CertificateSummary,
    /// `None` when trusted, otherwise why not.
    pub(crate) refused: Option<String>,
}

/// The trust of a profile.
#[derive(Clone)]
pub(crate) struct ProfileTrust {
    verifier: Arc<RecordingVerifier>,
}

impl ProfileTrust {
    /// The operating system's trust, and for the profile's own host the CA certificates of a PEM text beside it.
    pub(crate) fn new(extra_ca_pem: Option<&str>, own: &Url) -> Result<ProfileTrust, ClientError> {
        let host = bare_host(own.host_str().unwrap_or_default()).to_owned();
        let own = extra_ca_pem.map(verifier_of).transpose()?.map(|verifier| (host, verifier));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let system = rustls_platform_verifier::Verifier::new(provider);
        Ok(Self::with_verifier(Arc::new(system.map_err(|error| bad_trust(error.to_string()))?), own))
    }

    /// The CA certificates of a PEM text alone: what a store of the system holds or lacks changes nothing.
    pub(crate) fn with_only(ca_pem: &str) -> Result<ProfileTrust, ClientError> {
        Ok(Self::with_verifier(verifier_of(ca_pem)?, None))
    }

    fn with_verifier(inner: SharedVerifier, own: Option<(String, SharedVerifier)>) -> ProfileTrust {
        ProfileTrust { verifier: Arc::new(RecordingVerifier { inner, own, shown: Mutex::default() }) }
    }

    /// TLS settings with this trust. There is no way to build them without a verifier that refuses.
    pub(crate) fn tls_config(&self) -> Result<ClientConfig, ClientError> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| bad_trust(error.to_string()))?;
        // rustls calls every verifier but its own "dangerous"; this one is the platform's, which also
        // writes down what it saw.
        let mut tls =
            builder.dangerous().with_custom_certificate_verifier(self.verifier.clone()).with_no_client_auth();
        tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(tls)
    }

    /// What a host showed last.
    pub(crate) fn shown_by(&self, host: &str) -> Option<PresentedCertificate> {
        let host = bare_host(host);
        self.verifier.shown.lock().get(host).cloned()
    }
}

type SharedVerifier = Arc<dyn ServerCertVerifier>;

/// Trusts the CA certificates of a PEM text alone.
fn verifier_of(ca_pem: &str) -> Result<SharedVerifier, ClientError> {
    let mut roots = rustls::RootCertStore::empty();
    for certificate in read_pem(ca_pem)? {
        roots.add(certificate).map_err(|error| bad_trust(error.to_string()))?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build();
    let verifier = verifier.map_err(|error| bad_trust(error.to_string()))?;
    Ok(verifier)
}

/// Of an address of version 6 without its brackets.
fn bare_host(host: &str) -> &str {
    host.trim_start_matches('[').trim_end_matches(']')
}

fn bad_trust(reason: String) -> ClientError {
    ClientError::BadTrust { reason }
}

/// Whether every certificate of a CA file can be trusted as an authority.
///
/// # Errors
/// [`ClientError::BadTrust`] says what is wrong with it.
pub fn check_authorities(pem: &str) -> Result<(), ClientError> {
    ProfileTrust::with_only(pem).map(drop)
}

fn read_pem(text: &str) -> Result<Vec<CertificateDer<'static>>, ClientError> {
    let certificates: Vec<_> = CertificateDer::pem_slice_iter(text.as_bytes())
        .collect::<Result<_, _>>()
        .map_err(|error| bad_trust(format!("the CA file is not readable as PEM: {error}")))?;
    if certificates.is_empty() {
        return Err(bad_trust("the CA file holds no certificate in PEM form".to_owned()));
    }
    Ok(certificates)
}

/// Asks about the profile's own host its CA file, and then the inner verifier; writes down the certificate seen.
#[derive(Debug)]
struct RecordingVerifier {
    inner: SharedVerifier,
    /// The profile's own host, and who is asked about it first: what a CA file vouches for elsewhere is nobody's
    /// wish. Not as more roots of the system's, which every system takes in another way.
    own: Option<(String, SharedVerifier)>,
    shown: Mutex<HashMap<String, PresentedCertificate>>,
}

impl RecordingVerifier {
    fn record_certificate(&self, host: &str, certificate: &CertificateDer<'_>, verdict: Option<&TlsError>) {
        let certificate = describe_certificate(certificate);
        let refused = verdict.map(|error| {
            let reason = refusal_reason(error, &certificate, host);
            match &self.own {
                Some((own, _)) if !own.eq_ignore_ascii_case(host) => {
                    format!("{reason}; the profile's CA file counts for {own} only")
                }
                _ => reason,
            }
        });
        let mut shown = self.shown.lock();
        if shown.len() >= HOSTS_MAX && !shown.contains_key(host) {
            shown.clear();
        }
        shown.insert(host.to_owned(), PresentedCertificate { certificate, refused });
    }
}

impl ServerCertVerifier for RecordingVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, TlsError> {
        let ask = |verifier: &SharedVerifier| {
            verifier.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)
        };
        let own = self.own.as_ref().filter(|(host, _)| server_name.to_str().eq_ignore_ascii_case(host));
        // The file first: the system's verifier writes each refusal into the log.
        let verdict = match own.map(|(_, authorities)| ask(authorities)) {
            Some(Ok(verified)) => Ok(verified),
            Some(Err(TlsError::InvalidCertificate(CertificateError::UnknownIssuer))) | None => {
                ask(&self.inner)
            }
            Some(Err(refused)) => ask(&self.inner).map_err(|_| refused),
        };
        self.record_certificate(&server_name.to_str(), end_entity, verdict.as_ref().err());
        verdict
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        self.inner.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        self.inner.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.inner.supported_verify_schemes()
    }
}

/// Why a certificate was refused, in words.
fn refusal_reason(error: &TlsError, certificate: &CertificateSummary, host: &str) -> String {
    let TlsError::InvalidCertificate(invalid) = error else { return error.to_string() };
    match invalid {
        CertificateError::UnknownIssuer => "its issuer is not among the trusted ones".to_owned(),
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            format!("it expired on {}", format_day_text(&certificate.not_after))
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            format!(
                "it is not valid before {}; is this computer's clock right?",
                format_day_text(&certificate.not_before)
            )
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            format!("it is for {}, not for {host}", list_names(&certificate.names))
        }
        CertificateError::BadSignature => {
            "it is signed by another authority of the same name; is the CA file out of date?".to_owned()
        }
        CertificateError::Revoked => "it was revoked".to_owned(),
        // What a system found that rustls has no name for.
        CertificateError::Other(error) => format!("the system says: {error}").chars().take(200).collect(),
        other => format!("{other:?}").chars().take(200).collect(),
    }
}

/// Names as people read them.
pub(crate) fn list_names(names: &[String]) -> String {
    if names.is_empty() { "no name at all".to_owned() } else { names.join(", ") }
}
