//! Arguments shared by several commands.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;

use bordereau_contract::{FeeChargedBy, Jurisdiction, TransactionType};
use bordereau_server::CertificateFiles;
use clap::Args;

use crate::choice_names::choice_names;
use crate::exit::CommandExit;

/// The data folder, the profile, and the format of the output.
#[derive(Args, Clone, Debug)]
pub(crate) struct GlobalArgs {
    /// Keep all data in this folder
    #[arg(long, global = true, value_name = "DIR", help_heading = "Everywhere")]
    pub(crate) data_dir: Option<PathBuf>,
    /// Open an encrypted data folder with the key in this file, where no keychain has it
    #[arg(long, global = true, value_name = "FILE", help_heading = "Everywhere")]
    pub(crate) data_key_file: Option<PathBuf>,
    /// Use this profile (name or id) instead of the selected one
    #[arg(long, global = true, value_name = "NAME", help_heading = "Everywhere")]
    pub(crate) profile: Option<String>,
    /// Answer in JSON, amounts as strings
    #[arg(long, global = true, help_heading = "Everywhere")]
    pub(crate) json: bool,
}

/// The certificate of a command that listens.
#[derive(Args, Debug)]
pub(crate) struct CertificateArgs {
    /// Certificate for HTTPS with those that signed it, PEM; read again when it changes
    #[arg(long, value_name = "FILE", requires = "key")]
    pub(crate) cert: Option<PathBuf>,
    /// Private key of the certificate, PEM
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub(crate) key: Option<PathBuf>,
}

impl CertificateArgs {
    /// The certificate, if one was named. Beyond this computer only HTTPS with a name is allowed: requests contain secrets.
    pub(crate) fn open_files(&self, bound: IpAddr) -> Result<Option<Arc<CertificateFiles>>, CommandExit> {
        let (Some(cert), Some(key)) = (&self.cert, &self.key) else {
            return if bound.to_canonical().is_loopback() {
                Ok(None)
            } else {
                Err(certificate_needed(bound))
            };
        };
        let opened = CertificateFiles::open(cert, key);
        opened.map(Some).map_err(|error| CommandExit::usage_error(error.to_string()))
    }
}

fn certificate_needed(bound: IpAddr) -> CommandExit {
    CommandExit::usage_error(format!(
        "{bound} can be reached from other computers, so a certificate is needed: add --cert and --key, or listen on 127.0.0.1 and put a web server with TLS in front."
    ))
}

/// Parses a state code, in any case.
pub(crate) fn parse_state(typed: &str) -> Result<String, String> {
    let code = typed.trim().to_ascii_uppercase();
    match code.parse::<Jurisdiction>() {
        Ok(_) => Ok(code),
        Err(_) => Err("write the state as its two letters, such as TX".to_owned()),
    }
}

/// Parses a transaction type's code, in any case.
pub(crate) fn transaction_type(typed: &str) -> Result<String, String> {
    let code = typed.trim().to_ascii_uppercase();
    code.parse::<TransactionType>().map_err(|error| format!("expected {}", error.expected))?;
    Ok(code)
}

choice_names! {
    /// Who charges the agency fee.
    ChargerName => FeeChargedBy {
        /// The retail agent
        Retail => RetailAgent,
        /// The surplus lines licensee
        Licensee => SurplusLinesLicensee,
    }
}

/// The code of who charges the agency fee; empty if not given.
pub(crate) fn charger_code(name: Option<ChargerName>) -> String {
    name.map(|name| FeeChargedBy::from(name).code().to_owned()).unwrap_or_default()
}
