//! The mark of a file that came from outside, as browsers leave it: the system's programs then open it guarded, and
//! Office keeps its macros off.

use std::path::Path;

/// What Windows keeps beside the file in a stream of its own: zone 3 is the internet.
pub const ZONE_IDENTIFIER: &str = "[ZoneTransfer]\r\nZoneId=3\r\nHostUrl=about:internet\r\n";

/// Kinds of files that can carry macros, or files of others: they are opened once a person has confirmed it.
const GUARDED_KINDS: [&str; 24] = [
    "doc", "dot", "docm", "dotm", "xls", "xlt", "xlm", "xla", "xlsm", "xltm", "xlsb", "xlam", "ppt", "pot",
    "pps", "ppa", "pptm", "potm", "ppsm", "ppam", "sldm", "msg", "rtf", "odb",
];

/// Whether a file of this name can carry macros or other files.
pub fn can_carry_macros(name: &str) -> bool {
    crate::files::file_extension(name).is_some_and(|extension| GUARDED_KINDS.contains(&extension.as_str()))
}

/// Marks a file that came from a service. A disk that has no room for such marks keeps the file without one.
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
    // Downloaded and not yet looked at by Gatekeeper, when, and by which program.
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
