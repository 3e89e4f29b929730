//! The words after `cargo xtask`.

use std::collections::VecDeque;

use crate::command::TaskFailure;

/// Arguments not yet taken.
pub struct Arguments(VecDeque<String>);

impl Arguments {
    /// Those of this process.
    pub fn from_process() -> Self {
        Arguments(std::env::args().skip(1).collect())
    }

    /// The first word.
    pub fn subcommand(&mut self) -> Option<String> {
        self.0.pop_front()
    }

    /// Takes a switch such as `--release`; true when it was there.
    pub fn switch(&mut self, name: &str) -> bool {
        let before = self.0.len();
        self.0.retain(|word| word != name);
        self.0.len() != before
    }

    /// Takes every `--name VALUE` and `--name=VALUE`.
    pub fn values(&mut self, name: &str) -> Result<Vec<String>, TaskFailure> {
        let mut found = Vec::new();
        let mut rest = VecDeque::new();
        while let Some(word) = self.0.pop_front() {
            if word == name {
                let value = self.0.pop_front();
                found.push(value.ok_or_else(|| TaskFailure::usage_error(format!("{name} needs a value")))?);
            } else if let Some(value) = word.strip_prefix(name).and_then(|rest| rest.strip_prefix('=')) {
                found.push(value.to_owned());
            } else {
                rest.push_back(word);
            }
        }
        self.0 = rest;
        Ok(found)
    }

    /// Fails when something is left over.
    pub fn ensure_empty(self) -> Result<(), TaskFailure> {
        match self.0.front() {
            None => Ok(()),
            Some(word) => {
                Err(TaskFailure::usage_error(format!("\"{word}\" is not understood; see cargo xtask --help")))
            }
        }
    }
}
