//! Which file of a disk it is.

use std::path::Path;
use std::time::UNIX_EPOCH;

/// What a copy of a file has otherwise: when the file was made, and where its disk knows it by. A file that is moved
/// keeps both.
///
/// # Errors
/// As the system has them.
pub fn find_file_identity(path: &Path) -> std::io::Result<String> {
    let file = std::fs::metadata(path)?;
    let made = file.created().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let made = made.map(|since| since.as_nanos().to_string());
    // Where the time is known, Linux has no way to copy it, and some of its disks number their files differently each time.
    if let (Some(made), true) = (&made, cfg!(target_os = "linux")) {
        return Ok(format!("made {made}"));
    }
    Ok(format!("made {} number {}", made.unwrap_or_default(), file_number(path, &file)))
}

#[cfg(unix)]
fn file_number(_path: &Path, file: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(file)
}

#[cfg(windows)]
fn file_number(path: &Path, _file: &std::fs::Metadata) -> u64 {
    let handle = winapi_util::Handle::from_path(path);
    handle.and_then(winapi_util::file::information).map_or(0, |found| found.file_index())
}
