//! Arguments that several commands have.

use std::path::PathBuf;

use bordereau_contract::{Jurisdiction, TransactionType};
use clap::Args;

/// Where the data is, which profile is used, how the answer is written.
#[derive(Args, Debug)]
pub(crate) struct Place {
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
pub(crate) fn state(typed: &str) -> Result<String, String> {
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
