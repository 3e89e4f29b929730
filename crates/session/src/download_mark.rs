//! Marks a file as downloaded, as browsers do: the system's programs then open it in protected mode, and Office
//! disables its macros.

use std::path::Path;

/// Windows stores the mark in a separate stream of the file; zone 3 is the internet.
pub const ZONE_IDENTIFIER: &str = "[ZoneTransfer]\r\nZoneId=3\r\nHostUrl=about:internet\r\n";

/// Kinds of files that can carry macros or other files: a person confirms before one is opened.
const GUARDED_KINDS: [&str; 24] = [
    "doc", "dot", "docm", "dotm", "xls", "xlt", "xlm", "xla", "xlsm", "xltm", "xlsb", "xlam", "ppt", "pot",
    "pps", "ppa", "pptm", "potm", "ppsm", "ppam", "sldm", "msg", "rtf", "odb",
];

/// Whether a file of this name can carry macros or other files.
pub fn can_carry_macros(name: &str) -> bool {
    crate::files::file_extension(name).is_some_and(|extension| GUARDED_KINDS.contains(&extension.as_str()))
}

/// Marks a file that came from a service. On a disk without such marks the file stays unmarked.
pub fn mark_download(path: &Path) {
    if let Err(error) = write_mark(path) {
        tracing::debug!(error = %error.kind(), "a file that came from a service has no mark");
    }
}

#[cfg(windows)]
fn write_mark(path: &Path) -> std::io::Result<()> {
    let mut stream = path.as_os_str().to_owned();
    stream.push(":Zone.Identifier");
    std::fs::write(stream, ZONE_IDENTIFIER)
}

#[cfg(target_os = "macos")]
fn write_mark(path: &Path) -> std::io::Result<()> {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    // The fields: downloaded and not yet checked by Gatekeeper, when, and by which program.
    xattr::set(path, "com.apple.quarantine", format!("0083;{:08x};Bordereau;", since.as_secs()).as_bytes())
}

#[cfg(not(any(windows, target_os = "macos")))]
fn write_mark(_path: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_with_macros_and_messages_are_guarded() {
        for name in ["x.docm", "X.XLSM", "a.b.xlsb", "x.pptm", "old.doc", "old.xls", "mail.msg"] {
            assert!(can_carry_macros(name), "{name}");
        }
        for name in ["x.pdf", "x.docx", "x.xlsx", "scan.png", "docm"] {
            assert!(!can_carry_macros(name), "{name}");
        }
    }
}
