//! Reads secrets from a prompt, from standard input or from the environment; never from arguments, which every
//! program on the computer can read.

use std::io::{IsTerminal, Read};

use crate::exit::CommandExit;

/// Longer than any key or password.
const LENGTH_MAX_BYTES: u64 = 16 * 1024;

/// Prompts without showing what is typed; without a terminal reads standard input.
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
