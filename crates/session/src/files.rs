//! Saves files for the person: completely or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::download_mark::mark_download;
use crate::ports::{FileFilter, Ports};
use crate::run_off_thread;
use bordereau_api::{BoundaryError, FileOutcome, to_u32};
use bordereau_store::file_error;

/// The person canceled.
pub const NOT_SAVED: FileOutcome = FileOutcome { saved: false, file_name: String::new(), bytes: 0 };

/// Asks where to save and writes there; closing the dialog isn't an error.
pub async fn save_through(
    ports: &Ports,
    suggested: String,
    filter: FileFilter,
    bytes: Vec<u8>,
) -> Result<FileOutcome, BoundaryError> {
    let Some(path) = ports.dialogs.choose_save_path(suggested, filter).await else {
        return Ok(NOT_SAVED);
    };
    write_chosen(path, bytes).await
}

/// As [`save_through`], for a download from a service: the file is marked as downloaded.
pub async fn save_download(
    ports: &Ports,
    suggested: String,
    filter: FileFilter,
    bytes: Vec<u8>,
) -> Result<FileOutcome, BoundaryError> {
    let Some(path) = ports.dialogs.choose_save_path(suggested, filter).await else {
        return Ok(NOT_SAVED);
    };
    let saved = write_chosen(path.clone(), bytes).await?;
    mark_download(&path);
    Ok(saved)
}

/// Writes to the path that the person chose.
pub async fn write_chosen(path: PathBuf, bytes: Vec<u8>) -> Result<FileOutcome, BoundaryError> {
    fill_chosen(path, move |file| file.write_all(&bytes)).await
}

/// Fills the file that the person chose.
pub async fn fill_chosen(
    path: PathBuf,
    fill: impl FnOnce(&mut File) -> io::Result<()> + Send + 'static,
) -> Result<FileOutcome, BoundaryError> {
    let file_name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let written = run_off_thread("writing a file", move || fill_whole(&path, fill)).await?;
    let bytes = written.map_err(|error| not_written(&file_name, &error))?;
    Ok(FileOutcome { saved: true, file_name, bytes: to_u32(bytes) })
}

fn not_written(file_name: &str, error: &io::Error) -> BoundaryError {
    let advice = match error.kind() {
        io::ErrorKind::PermissionDenied => {
            "You don't have permission to save in that folder. Choose another one."
        }
        io::ErrorKind::NotFound => "That folder is no longer there: choose another one.",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "The disk is full: free some space or choose another disk."
        }
        _ => "Choose another folder or name and try again.",
    };
    file_error(error, format!("\"{file_name}\" was not written ({}). {advice}", error.kind()))
}

/// Reads a text file the person chose; an error names the file, not its folder.
pub async fn read_text(path: &Path, bytes_max: u64) -> Result<String, String> {
    let path = path.to_path_buf();
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let outcome = tokio::task::spawn_blocking(move || {
        let bytes = read_chosen(&path, bytes_max)?;
        String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())
    })
    .await
    .unwrap_or_else(|_| Err("reading was interrupted".into()));
    outcome.map_err(|why| format!("\"{name}\" cannot be read ({why}). Choose the file again."))
}

/// Reads a whole file that a person chose; bounded even if the file grows meanwhile or never ends.
///
/// # Errors
/// The reason, in words that fit after "it cannot be read".
pub fn read_chosen(path: &Path, bytes_max: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let file = open_chosen(path)?;
    file.take(bytes_max + 1).read_to_end(&mut bytes).map_err(|error| error.kind().to_string())?;
    if bytes.len() as u64 > bytes_max {
        Err(format!("it is larger than {bytes_max} bytes"))
    } else {
        Ok(bytes)
    }
}

/// Opens a file that a person chose: not a folder, device or pipe. One that was dropped from another computer has no
/// path here (`dropped_files.rs`).
///
/// # Errors
/// The reason, in words that fit after "it cannot be read".
pub fn open_chosen(path: &Path) -> Result<File, String> {
    let reason = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => "it is no longer there".to_owned(),
        io::ErrorKind::PermissionDenied => "you may not read it".to_owned(),
        kind => kind.to_string(),
    };
    if is_of_system(path) || is_device_name(path) {
        return Err(NO_FILE.to_owned());
    }
    // Checked before opening: a pipe would wait for a writer.
    check_is_file(&fs::metadata(path).map_err(reason)?)?;
    let file = File::open(path).map_err(reason)?;
    check_is_file(&file.metadata().map_err(reason)?)?;
    Ok(file)
}

const NO_FILE: &str = "it is a device or a pipe, not a file; save its content as a file first";

fn check_is_file(found: &fs::Metadata) -> Result<(), String> {
    match (found.is_file(), found.is_dir()) {
        (true, _) => Ok(()),
        (false, true) => Err("it is a folder".to_owned()),
        (false, false) => Err(NO_FILE.to_owned()),
    }
}

/// What Windows calls devices and pipes by.
fn is_device_name(path: &Path) -> bool {
    path.to_string_lossy().starts_with(r"\\.\")
}

/// Linux's system files look like files, but some never end, or wait for input.
fn is_of_system(path: &Path) -> bool {
    cfg!(target_os = "linux")
        && fs::canonicalize(path)
            .is_ok_and(|path| ["/proc", "/sys"].iter().any(|folder| path.starts_with(folder)))
}

/// Writes a file beside the target and renames it: a crash leaves the old file or the new one, never a part.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fill_whole(path, |file| file.write_all(bytes)).map(drop)
}

/// As [`write_whole`], for content made while it is written; returns the number of bytes.
pub fn fill_whole(path: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<u64> {
    let path = &target_file(path)?;
    let beside = unfinished_name(path);
    let outcome = fill_new(&beside, fill).and_then(|bytes| fs::rename(&beside, path).map(|()| bytes));
    match outcome {
        Ok(_) => path.parent().into_iter().for_each(bordereau_store::sync_folder),
        Err(_) => drop(fs::remove_file(&beside)),
    }
    outcome
}

/// The file that a link leads to, and never a device or a pipe: renaming onto it would put a file in its place.
fn target_file(path: &Path) -> io::Result<PathBuf> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() && !found.is_dir() => Err(ErrorKind::InvalidFilename.into()),
        Ok(_) => fs::canonicalize(path),
        Err(_) => Ok(path.to_owned()),
    }
}

fn fill_new(path: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<u64> {
    let mut file: File = OpenOptions::new().write(true).create_new(true).open(path)?;
    fill(&mut file)?;
    file.sync_all()?;
    Ok(file.metadata()?.len())
}

fn unfinished_name(path: &Path) -> PathBuf {
    static TURN: AtomicU32 = AtomicU32::new(0);
    let turn = TURN.fetch_add(1, Ordering::Relaxed);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    // Only seen after a crash; a long name must not become too long.
    let name: String = name.chars().take(40).collect();
    path.with_file_name(format!(".{name}.{}-{turn}.unfinished", std::process::id()))
}

/// A file name made of any text, an insured's name say; `absent` when nothing remains of it.
pub fn safe_name(text: &str, absent: &str) -> String {
    let blank = |c: char| if c.is_control() || r#"\/:*?"<>|"#.contains(c) { ' ' } else { c };
    let spaced: String = text.chars().map(blank).collect();
    let words = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = bordereau_client::safe_file_name(&words);
    if name.is_empty() { absent.to_owned() } else { name }
}

/// `pdf` of `Quote.PDF`.
pub fn file_extension(name: &str) -> Option<String> {
    Path::new(name).extension().map(|extension| extension.to_string_lossy().to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_safe_on_every_system() {
        let cases = [
            ("Quote TX.pdf", "Quote TX.pdf"),
            ("../../etc/passwd", "etc passwd"),
            ("a\u{0}b:c*?.pdf", "a b c .pdf"),
            ("Smith & Sons/Tools.pdf", "Smith & Sons Tools.pdf"),
            ("CON", "_CON"),
            ("nul.pdf", "_nul.pdf"),
            ("policy\u{202e}fdp.exe", "policyfdp.exe"),
            ("...", "x.pdf"),
            ("", "x.pdf"),
        ];
        for (found, expected) in cases {
            assert_eq!(safe_name(found, "x.pdf"), expected, "{found}");
        }
    }

    #[test]
    fn only_files_are_read_and_to_a_bound() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.csv");
        fs::write(&path, "0123456789").unwrap();
        assert_eq!(read_chosen(&path, 10).unwrap(), b"0123456789");
        assert!(read_chosen(&path, 9).unwrap_err().contains("larger than 9 bytes"));
        assert!(read_chosen(folder.path(), 10).unwrap_err().contains("a folder"));
        let pipe = Path::new(r"\\.\pipe\rows.csv");
        assert!(read_chosen(pipe, 10).unwrap_err().contains("a device or a pipe"));
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_pipes_are_refused_without_waiting_for_them() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let link = folder.path().join("link.csv");
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        for path in [pipe.as_path(), Path::new("/dev/zero"), &link] {
            assert!(read_chosen(path, 10).unwrap_err().contains("a device or a pipe"), "{path:?}");
        }
    }

    #[test]
    fn a_file_is_replaced_whole_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("quote.pdf");
        write_whole(&path, b"old").unwrap();
        write_whole(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let long = folder.path().join(format!("{}.pdf", "n".repeat(251)));
        write_whole(&long, b"whole").unwrap();
        assert_eq!(fs::read(&long).unwrap(), b"whole");
        assert!(write_whole(&folder.path().join("no/such.pdf"), b"x").is_err());
    }
}
