//! The database of an office: where it is, how a desk signs in, and why it cannot be used.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use rustls::client::{WantsClientCert, WebPkiServerVerifier};
use rustls::{ClientConfig, ConfigBuilder, RootCertStore};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use tokio_postgres::Config;
use tokio_postgres::config::{SslMode, TargetSessionAttrs};

use crate::office_failure::{OfficeError, OfficeObstacle};

/// How long a desk waits for what another one is writing, milliseconds.
const WRITE_WITHIN_MS: u32 = 30_000;
/// A host that says nothing for so long is gone.
const SILENT_FOR: Duration = Duration::from_secs(20);
/// The same for the server: what a computer that sleeps, or is gone, holds is free after about a minute. Without these it
/// is after two hours.
const SERVER_NOTICES: &str = "-c tcp_keepalives_idle=20 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3 -c tcp_user_timeout=60000";
/// Letters of a workspace's name; its roles have longer ones, and PostgreSQL's names have 63.
const NAME_MAX: usize = 40;

/// The database of an office.
#[derive(Clone)]
pub struct OfficeDatabase {
    /// One host, or several after commas of which the one that can be written is used. A path is a socket.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// Name of the database.
    pub database: String,
    /// The workspace in it.
    pub workspace: String,
    /// The person's name there.
    pub user: String,
    /// What proves who they are.
    pub proof: OfficeProof,
    /// Whom the desk trusts.
    pub trust: OfficeTrust,
    /// The desk's key for the file storage of the workspace, `ID:SECRET`; empty for none.
    pub storage_key: String,
}

/// What proves who signs in.
#[derive(Clone)]
pub enum OfficeProof {
    /// Nothing: the server knows by other means, such as the account on this machine.
    None,
    /// A password.
    Password(String),
    /// A certificate and its key, PEM.
    Certificate {
        /// The certificate, with those between it and its authority.
        chain: String,
        /// Its key.
        key: String,
    },
}

/// Whom a desk trusts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OfficeTrust {
    /// The authorities of the system.
    System,
    /// These alone, PEM.
    Authority(String),
    /// No one: it is this computer itself, and nothing is encrypted.
    ThisComputer,
}

/// Without what proves who signs in.
impl fmt::Debug for OfficeDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}/{} {} as {}", self.host, self.port, self.database, self.workspace, self.user)
    }
}

impl OfficeDatabase {
    /// Refuses what cannot be, and what would travel in the clear.
    pub fn check(&self) -> Result<(), OfficeError> {
        let is_name = |name: &str| {
            name.len() <= NAME_MAX
                && name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        };
        if !is_name(&self.workspace) || self.workspace.starts_with("pg_") {
            let text = "the workspace's name has other characters than small letters, digits and _";
            return Err(OfficeError::of(OfficeObstacle::Settings, text));
        }
        if self.host.trim().is_empty() || self.database.is_empty() || self.user.is_empty() {
            return Err(OfficeError::of(OfficeObstacle::Settings, "host, database or name is missing"));
        }
        if self.trust == OfficeTrust::ThisComputer && !self.hosts().all(is_this_computer) {
            let text = "without TLS only a database on this computer is used";
            return Err(OfficeError::of(OfficeObstacle::Settings, text));
        }
        Ok(())
    }

    fn hosts(&self) -> impl Iterator<Item = &str> {
        self.host.split(',').map(str::trim)
    }

    pub(crate) fn config(&self) -> Config {
        let mut config = Config::new();
        for host in self.hosts() {
            config.host(host).port(self.port);
        }
        config
            .dbname(&self.database)
            .user(&self.user)
            .application_name("Bordereau")
            .options(format!(
                "-c search_path={} -c lock_timeout={WRITE_WITHIN_MS} -c client_min_messages=warning {SERVER_NOTICES}",
                self.workspace
            ))
            .target_session_attrs(TargetSessionAttrs::ReadWrite)
            .keepalives_idle(SILENT_FOR)
            .keepalives_interval(Duration::from_secs(10))
            .keepalives_retries(3)
            .tcp_user_timeout(SILENT_FOR);
        config.ssl_mode(match self.trust {
            OfficeTrust::ThisComputer => SslMode::Disable,
            _ => SslMode::Require,
        });
        if let OfficeProof::Password(password) = &self.proof {
            config.password(password);
        }
        config
    }

    /// None where nothing is encrypted.
    pub(crate) fn tls(&self) -> Result<Option<ClientConfig>, OfficeError> {
        let builder = match &self.trust {
            OfficeTrust::ThisComputer => return Ok(None),
            OfficeTrust::System => office_tls(None)?,
            OfficeTrust::Authority(pem) => office_tls(Some(pem))?,
        };
        Ok(Some(match &self.proof {
            OfficeProof::Certificate { chain, key } => {
                let own = |text: String| OfficeError::of(OfficeObstacle::OwnCertificate, text);
                let key = PrivateKeyDer::from_pem_slice(key.as_bytes())
                    .map_err(|_| own("the key can't be read".to_owned()))?;
                let chain = read_certificates(chain).map_err(|error| own(error.text))?;
                builder.with_client_auth_cert(chain, key).map_err(|error| own(error.to_string()))?
            }
            _ => builder.with_no_client_auth(),
        }))
    }
}

/// TLS to what an office has, that trusts these authorities alone, PEM, or the system's.
///
/// # Errors
/// [`OfficeObstacle::Certificate`] where there is no authority in the text.
pub fn office_tls(
    authority: Option<&str>,
) -> Result<ConfigBuilder<ClientConfig, WantsClientCert>, OfficeError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| bad(error.to_string()))?;
    let Some(pem) = authority else {
        let verifier =
            rustls_platform_verifier::Verifier::new(provider).map_err(|error| bad(error.to_string()))?;
        return Ok(builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier)));
    };
    let mut roots = RootCertStore::empty();
    for certificate in read_certificates(pem)? {
        roots.add(certificate).map_err(|error| bad(error.to_string()))?;
    }
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build();
    Ok(builder.with_webpki_verifier(verifier.map_err(|error| bad(error.to_string()))?))
}

fn bad(text: impl Into<String>) -> OfficeError {
    OfficeError::of(OfficeObstacle::Certificate, text)
}

fn read_certificates(pem: &str) -> Result<Vec<CertificateDer<'static>>, OfficeError> {
    let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem.as_bytes()).collect();
    match read {
        Ok(certificates) if !certificates.is_empty() => Ok(certificates),
        _ => Err(bad("there is no certificate in the file")),
    }
}

fn is_this_computer(host: &str) -> bool {
    host.starts_with('/') || host == "localhost" || host.parse().is_ok_and(|at: IpAddr| at.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_travels_in_the_clear_and_no_secret_is_shown() {
        let database = |host: &str, workspace: &str, trust: OfficeTrust| OfficeDatabase {
            host: host.into(),
            port: 5432,
            database: "office".into(),
            workspace: workspace.into(),
            user: "ann".into(),
            proof: OfficeProof::Password("hush hush".into()),
            trust,
            storage_key: "ID:hush hush".into(),
        };
        let cases = [
            ("db.office.example", "bordereau", OfficeTrust::System, true),
            ("db.office.example", "bordereau", OfficeTrust::ThisComputer, false),
            ("127.0.0.1, db.office.example", "bordereau", OfficeTrust::ThisComputer, false),
            ("127.0.0.1", "bordereau", OfficeTrust::ThisComputer, true),
            ("/run/postgresql", "bordereau", OfficeTrust::ThisComputer, true),
            ("localhost.example", "bordereau", OfficeTrust::ThisComputer, false),
            ("::1", "bordereau_2", OfficeTrust::ThisComputer, true),
            ("db.office.example", "x; DROP TABLE y", OfficeTrust::System, false),
            ("db.office.example", "pg_catalog", OfficeTrust::System, false),
            ("", "bordereau", OfficeTrust::System, false),
        ];
        for (host, workspace, trust, may) in cases {
            let database = database(host, workspace, trust);
            assert_eq!(database.check().is_ok(), may, "{database:?}");
            assert!(!format!("{database:?}").contains("hush"));
        }
    }
}
