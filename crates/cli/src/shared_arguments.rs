//! Arguments that several commands have.

use std::path::PathBuf;

use bordereau_contract::{FeeChargedBy, Jurisdiction, TransactionType};
use clap::{Args, ValueEnum};

/// Where the data is, which profile is used, how the answer is written.
#[derive(Args, Debug)]
pub(crate) struct GlobalArgs {
    /// Keep all data in this folder
    #[arg(long, global = true, value_name = "DIR", help_heading = "Everywhere")]
    pub(crate) data_dir: Option<PathBuf>,
    /// Use this profile (name or id) instead of the selected one
    #[arg(long, global = true, value_name = "NAME", help_heading = "Everywhere")]
    pub(crate) profile: Option<String>,
    /// Answer in JSON, amounts as strings
    #[arg(long, global = true, help_heading = "Everywhere")]
    pub(crate) json: bool,
}

/// A state by its code, typed in any case.
pub(crate) fn parse_state(typed: &str) -> Result<String, String> {
    let code = typed.trim().to_ascii_uppercase();
    match code.parse::<Jurisdiction>() {
        Ok(_) => Ok(code),
        Err(_) => Err("write the state as its two letters, such as TX".to_owned()),
    }
}

/// A transaction type by its code, typed in any case.
pub(crate) fn transaction_type(typed: &str) -> Result<String, String> {
    let code = typed.trim().to_ascii_uppercase();
    code.parse::<TransactionType>().map_err(|error| format!("expected {}", error.expected))?;
    Ok(code)
}

/// Who charges the agency fee.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ChargerName {
    /// The retail agent
    Retail,
    /// The surplus lines licensee
    Licensee,
}

impl From<ChargerName> for FeeChargedBy {
    fn from(name: ChargerName) -> FeeChargedBy {
        match name {
            ChargerName::Retail => FeeChargedBy::RetailAgent,
            ChargerName::Licensee => FeeChargedBy::SurplusLinesLicensee,
        }
    }
}

/// The code of who charges the agency fee; empty where it was not given.
pub(crate) fn charger_code(name: Option<ChargerName>) -> String {
    name.map(|name| FeeChargedBy::from(name).code().to_owned()).unwrap_or_default()
}
