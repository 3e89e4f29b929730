//! Secrets come from a prompt, from standard input or from the environment; never from the arguments,
//! which every program of the machine can read.

use std::io::{IsTerminal, Read};

use crate::exit::CommandExit;

/// The API key for unattended use.
pub(crate) const KEY_VARIABLE: &str = "BORDEREAU_API_KEY";
/// The password for unattended use.
pub(crate) const PASSWORD_VARIABLE: &str = "BORDEREAU_PASSWORD";
/// The password of the office database, for unattended use.
pub(crate) const OFFICE_PASSWORD_VARIABLE: &str = "BORDEREAU_WORKSPACE_PASSWORD";

/// Longer than any key or password.
const LENGTH_MAX_BYTES: u64 = 16 * 1024;

/// Asks without showing what is typed; without a terminal reads standard input.
pub(crate) fn ask_secret(prompt: &str) -> Result<String, CommandExit> {
    let entered = if std::io::stdin().is_terminal() {
        rpassword::prompt_password(format!("{prompt}: "))
    } else {
        let mut text = String::new();
        std::io::stdin().take(LENGTH_MAX_BYTES).read_to_string(&mut text).map(|_| text)
    };
    let secret =
        entered.map_err(|error| CommandExit::with_failure(format!("cannot read the {prompt}: {error}")))?;
    let secret = secret.trim_end_matches(['\r', '\n']).to_owned();
    if secret.is_empty() {
        Err(CommandExit::usage_error(format!("no {prompt} was given")))
    } else {
        Ok(secret)
    }
}

/// The variable, when it is set and not empty.
pub(crate) fn from_environment(variable: &str) -> Result<Option<String>, CommandExit> {
    match std::env::var(variable) {
        Ok(secret) => Ok(Some(secret).filter(|secret| !secret.is_empty())),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(std::env::VarError::NotUnicode(_)) => {
            Err(CommandExit::usage_error(format!("{variable} is not readable text")))
        }
    }
}
