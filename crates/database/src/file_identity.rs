//! Which file of a disk it is.

use std::path::Path;
use std::time::UNIX_EPOCH;

/// What a copy of a file has otherwise: when the file was made, or where its disk knows it by. A file that is moved
/// on its disk keeps it.
///
/// # Errors
/// As the system has them.
pub fn find_file_identity(path: &Path) -> std::io::Result<String> {
    #[cfg(windows)]
    if let Some(number) = number_on_disk(path) {
        return Ok(number);
    }
    let file = std::fs::metadata(path)?;
    let made = file.created().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let made = made.map(|since| since.as_nanos().to_string());
    // Where the time is known, Linux has no way to copy it, and some of its disks number their files differently each time.
    if let (Some(made), true) = (&made, cfg!(target_os = "linux")) {
        return Ok(format!("made {made}"));
    }
    Ok(format!("made {} number {}", made.unwrap_or_default(), file_number(&file)))
}

#[cfg(unix)]
fn file_number(file: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(file)
}

#[cfg(not(unix))]
fn file_number(_file: &std::fs::Metadata) -> u64 {
    0
}

/// The number of the disk and of the file on it, which Windows gives no second file. Not when the file was made: programs
/// set that, a file that takes another's place keeps it, and some disks shared by others tell the last write.
#[cfg(windows)]
fn number_on_disk(path: &Path) -> Option<String> {
    let handle = winapi_util::Handle::from_path(path).ok()?;
    let found = winapi_util::file::information(handle).ok()?;
    Some(format!("disk {} number {}", found.volume_serial_number(), found.file_index()))
}
