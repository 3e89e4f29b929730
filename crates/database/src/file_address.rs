//! The address by which SQLite opens a file.

use std::path::Path;

/// The path as an SQLite file address: with a slash before a drive, and special characters in hexadecimal.
pub fn file_address(path: &Path) -> String {
    let path = path.to_string_lossy();
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.into_owned() };
    let slash = if path.starts_with('/') || !cfg!(windows) { "" } else { "/" };
    let mut address = format!("file:{slash}");
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b':' => {
                address.push(char::from(byte));
            }
            other => address.push_str(&format!("%{other:02x}")),
        }
    }
    address
}
