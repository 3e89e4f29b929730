//! Saves files for the person: completely or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::ports::{FileFilter, Ports};
use bordereau_api::{BoundaryError, ErrorCode, FileOutcome};

/// The person decided against it.
pub const NOT_SAVED: FileOutcome = FileOutcome { saved: false, file_name: String::new(), bytes: 0 };

/// Asks where to save and writes there; closing the dialog is no error.
pub async fn save_through(
    ports: &Ports,
    suggested: String,
    filter: FileFilter,
    bytes: Vec<u8>,
) -> Result<FileOutcome, BoundaryError> {
    let Some(path) = ports.dialogs.save(suggested, filter).await else {
        return Ok(NOT_SAVED);
    };
    write_chosen(path, bytes).await
}

/// Writes where the person chose.
pub async fn write_chosen(path: PathBuf, bytes: Vec<u8>) -> Result<FileOutcome, BoundaryError> {
    fill_chosen(path, move |file| file.write_all(&bytes)).await
}

/// Has the file filled that the person chose.
pub async fn fill_chosen(
    path: PathBuf,
    fill: impl FnOnce(&mut File) -> io::Result<()> + Send + 'static,
) -> Result<FileOutcome, BoundaryError> {
    let file_name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let written = tokio::task::spawn_blocking(move || fill_whole(&path, fill)).await;
    match written {
        Ok(Ok(bytes)) => {
            Ok(FileOutcome { saved: true, file_name, bytes: u32::try_from(bytes).unwrap_or(u32::MAX) })
        }
        Ok(Err(error)) => Err(not_written(&file_name, &error)),
        Err(_) => Err(BoundaryError::internal("writing a file")),
    }
}

fn not_written(file_name: &str, error: &io::Error) -> BoundaryError {
    let advice = match error.kind() {
        io::ErrorKind::PermissionDenied => "You may not save in that folder. Choose another one.",
        io::ErrorKind::NotFound => "That folder is no longer there: choose another one.",
        io::ErrorKind::StorageFull => "The disk is full: free some space or choose another disk.",
        _ => "Choose another folder or name and try again.",
    };
    BoundaryError::of(
        ErrorCode::Storage,
        format!("\"{file_name}\" was not written ({}). {advice}", error.kind()),
    )
}

/// Reads a text file the person chose; the reason it fails names the file, not its folder.
pub async fn read_text(path: &Path, bytes_max: u64) -> Result<String, String> {
    let path = path.to_path_buf();
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let outcome = tokio::task::spawn_blocking(move || {
        let length = std::fs::metadata(&path).map_err(|error| error.kind().to_string())?.len();
        if length > bytes_max {
            return Err(format!("it is larger than {bytes_max} bytes"));
        }
        let bytes = std::fs::read(&path).map_err(|error| error.kind().to_string())?;
        String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())
    })
    .await
    .unwrap_or_else(|_| Err("reading was interrupted".into()));
    outcome.map_err(|why| format!("\"{name}\" cannot be read ({why}). Choose the file again."))
}

/// Writes beside the target and renames: a crash leaves the old file or the new one, never half of one.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fill_whole(path, |file| file.write_all(bytes)).map(drop)
}

/// As [`write_whole`], for what is made while it is written; says how many bytes it came to.
pub fn fill_whole(path: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<u64> {
    let beside = unfinished_name(path);
    let outcome = fill_new(&beside, fill).and_then(|bytes| fs::rename(&beside, path).map(|()| bytes));
    match outcome {
        Ok(_) => path.parent().into_iter().for_each(bordereau_store::sync_folder),
        Err(_) => drop(fs::remove_file(&beside)),
    }
    outcome
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
    // Only for those who find it after a crash; a long name must not become one that is too long.
    let name: String = name.chars().take(40).collect();
    path.with_file_name(format!(".{name}.{}-{turn}.unfinished", std::process::id()))
}

/// A name without folders, control characters or what Windows refuses; `absent` when nothing is left.
pub fn safe_name(text: &str, absent: &str) -> String {
    let kept = |c: char| if c.is_control() || r#"\/:*?"<>|"#.contains(c) { ' ' } else { c };
    let name: String = text.chars().map(kept).take(120).collect();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = name.trim_matches(['.', ' ']).to_owned();
    if name.is_empty() { absent.to_owned() } else { name }
}

/// `pdf` of `Quote.PDF`.
pub fn extension(name: &str) -> Option<String> {
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
            ("...", "x.pdf"),
            ("", "x.pdf"),
        ];
        for (found, expected) in cases {
            assert_eq!(safe_name(found, "x.pdf"), expected, "{found}");
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
