//! Hands out generated secrets: shown on a terminal, or written to a file that only its owner can read. Never to a
//! pipe, which may end in a log; and secrets that a person supplied are never repeated.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{IsTerminal, Write};
use std::path::Path;

use bordereau_desk::files;
use bordereau_sealing::private_files::{is_private_file, replace_private_file};
use serde_json::{Map, Value};

/// A larger file isn't a credentials file.
const FILE_BYTES_MAX: u64 = 64 * 1024;

/// Destination of generated secrets.
#[derive(Debug)]
pub struct CredentialOutput {
    file: Option<File>,
}

/// Names and values of secrets; generated ones only.
pub type GeneratedSecrets<'s> = Vec<(&'static str, &'s str)>;

impl CredentialOutput {
    /// Creates the file at once, so that a command whose file can't be written fails before it starts.
    ///
    /// # Errors
    /// Why not, in a sentence.
    pub fn open(path: Option<&Path>) -> Result<CredentialOutput, String> {
        let Some(path) = path else { return Ok(CredentialOutput { file: None }) };
        let made = replace_private_file(path)
            .map_err(|error| format!("cannot write the credentials to {}: {error}", path.display()))?;
        Ok(CredentialOutput { file: Some(made) })
    }

    /// Writes them to the file, or returns them for the terminal; without either, says what to do.
    ///
    /// # Errors
    /// Why the file was not written, in a sentence.
    pub fn hand_out<'s>(
        &mut self,
        secrets: GeneratedSecrets<'s>,
        instead: &str,
    ) -> Result<GeneratedSecrets<'s>, String> {
        if let Some(file) = &mut self.file {
            let values: Map<String, Value> =
                secrets.iter().map(|(name, secret)| ((*name).to_owned(), Value::from(*secret))).collect();
            writeln!(file, "{}", Value::Object(values))
                .and_then(|()| file.sync_all())
                .map_err(|error| format!("cannot write the credentials: {error}"))?;
            return Ok(Vec::new());
        }
        if std::io::stdout().is_terminal() || secrets.is_empty() {
            return Ok(secrets);
        }
        let names: Vec<&str> = secrets.iter().map(|(name, _)| *name).collect();
        // Standard error may be closed too; then there is no one to tell.
        let _ = writeln!(
            std::io::stderr(),
            "bordereau: generated and not shown, because standard output is not a terminal: {}. Name a file with --credentials-file, or {instead}.",
            names.join(", ")
        );
        Ok(Vec::new())
    }
}

/// Secrets that an earlier start generated and wrote to this file, by name: they stay valid, so that clients that
/// have them continue. Empty where the file is missing, isn't such a file, or can be read by others.
#[must_use]
pub fn read_kept(path: Option<&Path>) -> BTreeMap<String, String> {
    let kept = path
        .filter(|path| is_private_file(path))
        .and_then(|path| files::read_chosen(path, FILE_BYTES_MAX).ok());
    kept.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}
