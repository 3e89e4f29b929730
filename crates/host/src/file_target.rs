//! Dialogs for the command line: the file is named in advance.

use std::path::{Path, PathBuf};

use bordereau_desk::{BoxFuture, FileDialogs, FileFilter};
use parking_lot::Mutex;

/// Answers every save dialog with the named file; never opens one.
#[derive(Debug, Default)]
pub struct FileTarget(Mutex<Option<PathBuf>>);

impl FileTarget {
    /// Sets the file for the first save; `None` where nothing is saved.
    pub fn new(file: Option<PathBuf>) -> FileTarget {
        FileTarget(Mutex::new(file))
    }

    /// Sets the file for the next save.
    pub fn point_at(&self, file: &Path) {
        *self.0.lock() = Some(file.to_owned());
    }
}

/// `policy.pdf`, or `policy (2).pdf` if that exists.
fn free_name(folder: &Path, name: &str) -> PathBuf {
    let plain = folder.join(name);
    let stem = plain.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let end = plain.extension().map(|end| format!(".{}", end.to_string_lossy())).unwrap_or_default();
    let numbered = (2..1_000).map(|number| folder.join(format!("{stem} ({number}){end}")));
    std::iter::once(plain.clone()).chain(numbered).find(|path| !path.exists()).unwrap_or(plain)
}

impl FileDialogs for FileTarget {
    fn choose_save_path(
        &self,
        suggested_name: String,
        _filter: FileFilter,
    ) -> BoxFuture<'_, Option<PathBuf>> {
        Box::pin(async move {
            let named = self.0.lock().clone()?;
            // In a folder a file keeps its suggested name and replaces no other one.
            Some(if named.is_dir() { free_name(&named, &suggested_name) } else { named })
        })
    }

    fn open(&self, _title: String, _filter: FileFilter) -> BoxFuture<'_, Option<PathBuf>> {
        Box::pin(async { None })
    }
}
