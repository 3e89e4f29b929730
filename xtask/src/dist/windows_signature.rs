//! Signing on Windows: with the certificate of this person's store that the environment names by its thumbprint. Where none
//! is named, everything is plainly unsigned.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::command::{self, TaskFailure, on_path};

const SIGNS: Duration = Duration::from_secs(5 * 60);

/// A certificate, and who says when something was signed with it.
pub struct WindowsSignature {
    thumbprint: String,
    timestamp_url: String,
}

impl WindowsSignature {
    /// The one that the environment names.
    pub fn from_environment() -> Option<WindowsSignature> {
        let value = |name: &str| std::env::var(name).unwrap_or_default();
        let named =
            WindowsSignature::of(value("WINDOWS_CERTIFICATE_THUMBPRINT"), value("WINDOWS_TIMESTAMP_URL"));
        if named.is_none() {
            println!("not signed: WINDOWS_CERTIFICATE_THUMBPRINT is not set");
        }
        named
    }

    fn of(thumbprint: String, timestamp_url: String) -> Option<WindowsSignature> {
        let is_thumbprint = !thumbprint.is_empty() && thumbprint.chars().all(|c| c.is_ascii_hexdigit());
        is_thumbprint.then_some(WindowsSignature { thumbprint, timestamp_url })
    }

    /// The words behind signtool's path, before the file.
    fn arguments(&self) -> Vec<&str> {
        let mut words = vec!["sign", "/sha1", &self.thumbprint, "/fd", "sha256"];
        if !self.timestamp_url.is_empty() {
            words.extend(["/tr", &self.timestamp_url, "/td", "sha256"]);
        }
        words
    }

    /// Signs a program or an installer.
    pub fn sign_file(&self, file: &Path) -> Result<(), TaskFailure> {
        let mut sign = Command::new(find_signtool()?);
        sign.args(self.arguments()).arg(file);
        command::run_command(sign, SIGNS).map(drop)
    }

    /// The command that the installer's script signs its uninstaller by.
    pub fn script_command(&self) -> Result<String, TaskFailure> {
        Ok(format!("\"{}\" {}", find_signtool()?.display(), self.arguments().join(" ")))
    }

    /// What Tauri's bundler is told, as fields of `bundle.windows`.
    pub fn bundler_fields(&self) -> String {
        let time = self.timestamp_url.replace(['"', '\\'], "");
        let time =
            if time.is_empty() { String::new() } else { format!(r#","timestampUrl":"{time}","tsp":true"#) };
        format!(r#""certificateThumbprint":"{}","digestAlgorithm":"sha256"{time}"#, self.thumbprint)
    }
}

/// On the path, or the newest of Windows' development kits.
fn find_signtool() -> Result<PathBuf, TaskFailure> {
    if on_path("signtool.exe") {
        return Ok("signtool.exe".into());
    }
    let kits = std::env::var_os("ProgramFiles(x86)").map(PathBuf::from).unwrap_or_default();
    let versions = std::fs::read_dir(kits.join("Windows Kits/10/bin")).into_iter().flatten().flatten();
    let tools = versions.map(|version| version.path().join("x64/signtool.exe")).filter(|file| file.is_file());
    tools.max().ok_or_else(|| {
        TaskFailure::new("signtool.exe is not on this machine; it is a part of the Windows SDK")
    })
}

#[cfg(test)]
mod tests {
    use super::WindowsSignature;

    #[test]
    fn a_certificate_is_named_by_its_thumbprint_and_dated_where_a_clock_is_named() {
        let of = |thumbprint: &str, url: &str| WindowsSignature::of(thumbprint.into(), url.into());
        assert!(of("", "").is_none() && of("12 /f other.pfx", "").is_none());
        let plain = of("AB12", "").unwrap();
        assert_eq!(plain.arguments(), ["sign", "/sha1", "AB12", "/fd", "sha256"]);
        assert_eq!(plain.bundler_fields(), r#""certificateThumbprint":"AB12","digestAlgorithm":"sha256""#);
        let dated = of("AB12", "http://time.example").unwrap();
        assert_eq!(dated.arguments()[5..], ["/tr", "http://time.example", "/td", "sha256"]);
        assert!(dated.bundler_fields().ends_with(r#","timestampUrl":"http://time.example","tsp":true"#));
    }
}
