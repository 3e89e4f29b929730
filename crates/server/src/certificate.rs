//! A certificate of the administrator's own, from two PEM files.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use parking_lot::Mutex;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};

/// Bytes that either file may have.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// Why a certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// A file cannot be read.
    #[error("{} cannot be read: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A file holds something else.
    #[error("{} holds no {expected} in PEM form", .path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// `certificate` or `private key`.
        expected: &'static str,
    },
    /// The two do not belong together, or the key is of a kind that TLS does not know.
    #[error("the certificate and the key cannot be used together: {0}")]
    Pair(String),
}

/// A certificate with its key. When the files change, as at a renewal, the next connection gets the new ones.
#[derive(Debug)]
pub struct CertificateFiles {
    chain: PathBuf,
    key: PathBuf,
    read: Mutex<(FileTimes, Arc<CertifiedKey>)>,
}

type FileTimes = [Option<SystemTime>; 2];

impl CertificateFiles {
    /// Reads both: the certificate with those that signed it, and its private key.
    ///
    /// # Errors
    /// [`CertificateError`] says which file cannot be used and why.
    pub fn open(chain: &Path, key: &Path) -> Result<Arc<CertificateFiles>, CertificateError> {
        let read = (file_times(chain, key), read_pair(chain, key)?);
        Ok(Arc::new(CertificateFiles {
            chain: chain.to_owned(),
            key: key.to_owned(),
            read: Mutex::new(read),
        }))
    }

    /// The names in the certificate, without those that begin with a star.
    #[must_use]
    pub fn host_names(&self) -> Vec<String> {
        let pair = Arc::clone(&self.read.lock().1);
        let Some(first) = pair.cert.first() else { return Vec::new() };
        let Ok(certificate) = webpki::EndEntityCert::try_from(first) else { return Vec::new() };
        certificate.valid_dns_names().filter(|name| !name.starts_with('*')).map(str::to_owned).collect()
    }

    /// The set-up of a listener that shows this certificate.
    ///
    /// # Errors
    /// [`CertificateError::Pair`] where TLS itself cannot be set up.
    pub fn server_config(self: &Arc<Self>) -> Result<Arc<rustls::ServerConfig>, CertificateError> {
        server_config(Arc::clone(self) as Arc<dyn ResolvesServerCert>)
    }
}

/// TLS 1.2 and 1.3 with HTTP/1.1, for whoever has a certificate.
///
/// # Errors
/// [`CertificateError::Pair`] where TLS cannot be set up.
pub fn server_config(
    certificates: Arc<dyn ResolvesServerCert>,
) -> Result<Arc<rustls::ServerConfig>, CertificateError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| CertificateError::Pair(error.to_string()))?
        .with_no_client_auth()
        .with_cert_resolver(certificates);
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

impl ResolvesServerCert for CertificateFiles {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let times = file_times(&self.chain, &self.key);
        let mut read = self.read.lock();
        if read.0 != times {
            match read_pair(&self.chain, &self.key) {
                Ok(pair) => *read = (times, pair),
                // A renewal writes one file after the other; until both fit, the earlier pair is shown.
                Err(error) => tracing::warn!(%error, "the changed certificate is not used yet"),
            }
        }
        Some(Arc::clone(&read.1))
    }
}

fn file_times(chain: &Path, key: &Path) -> FileTimes {
    [chain, key].map(|path| path.metadata().and_then(|found| found.modified()).ok())
}

fn read_pair(chain: &Path, key: &Path) -> Result<Arc<CertifiedKey>, CertificateError> {
    let content = |path: &Path, expected| CertificateError::Content { path: path.to_owned(), expected };
    let certificates: Vec<CertificateDer<'static>> = CertificateDer::pem_slice_iter(&read_file(chain)?)
        .collect::<Result<_, _>>()
        .map_err(|_| content(chain, "certificate"))?;
    if certificates.is_empty() {
        return Err(content(chain, "certificate"));
    }
    let private = PrivateKeyDer::from_pem_slice(&read_file(key)?).map_err(|_| content(key, "private key"))?;
    let provider = rustls::crypto::ring::default_provider();
    CertifiedKey::from_der(certificates, private, &provider)
        .map(Arc::new)
        .map_err(|error| CertificateError::Pair(error.to_string()))
}

fn read_file(path: &Path) -> Result<Vec<u8>, CertificateError> {
    let failed = |source| CertificateError::File { path: path.to_owned(), source };
    // Opening a pipe would wait for its writer.
    if !path.metadata().map_err(failed)?.is_file() {
        return Err(failed(std::io::Error::other("it isn't a regular file")));
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(FILE_BYTES_MAX).read_to_end(&mut bytes)).map_err(failed)?;
    Ok(bytes)
}
