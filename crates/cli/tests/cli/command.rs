//! Running `bordereau`.

use std::ffi::OsStr;
use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A data folder, and commands in it.
pub(crate) struct Place {
    folder: TempDir,
    variables: Vec<(&'static str, String)>,
}

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Place {
    pub(crate) fn new() -> Place {
        Place { folder: tempfile::tempdir().unwrap(), variables: Vec::new() }
    }

    pub(crate) fn with(mut self, variable: &'static str, value: &str) -> Place {
        self.variables.push((variable, value.to_owned()));
        self
    }

    pub(crate) fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bordereau"));
        command
            .env_remove("BORDEREAU_API_KEY")
            .env_remove("BORDEREAU_PASSWORD")
            .env_remove("RUST_LOG")
            .env("BORDEREAU_DATA_DIR", self.folder.path().join("data"))
            // No one's keychain is touched.
            .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
            .env("HOME", self.folder.path())
            .env_remove("XDG_DATA_HOME")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.envs(self.variables.iter().map(|(name, value)| (*name, value.as_str())));
        command
    }

    pub(crate) fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Ended {
        ended(self.command().args(arguments).output().unwrap())
    }

    /// The words of a line, parted by blanks.
    pub(crate) fn line(&self, line: &str) -> Ended {
        self.run(line.split_whitespace())
    }

    pub(crate) fn typing(&self, line: &str, typed: &str) -> Ended {
        let mut child = self.command().args(line.split_whitespace()).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
        ended(child.wait_with_output().unwrap())
    }

    /// The answer in JSON of a command that is done.
    pub(crate) fn json(&self, line: &str) -> Value {
        let ended = self.line(&format!("{line} --json"));
        assert_eq!(ended.code, 0, "{line}: {ended:?}");
        serde_json::from_str(&ended.out).unwrap_or_else(|e| panic!("{line}: {e}: {}", ended.out))
    }
}

fn ended(output: std::process::Output) -> Ended {
    Ended {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}
