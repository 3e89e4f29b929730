//! Ports of a host without a window: dialogs that answer from a folder, and no browser.

use std::path::PathBuf;

use bordereau_desk::{BoxFuture, Browser, FileDialogs, FileFilter};

/// Saves every file under its suggested name into one folder. To open a file, offers the first fitting one in the
/// folder `offered` next to it.
#[derive(Clone, Debug)]
pub struct SavedFolder {
    folder: PathBuf,
}

impl SavedFolder {
    /// Saves into this folder, which is created at first use.
    pub fn new(folder: PathBuf) -> SavedFolder {
        SavedFolder { folder }
    }
}

impl FileDialogs for SavedFolder {
    fn choose_save_path(
        &self,
        suggested_name: String,
        _filter: FileFilter,
    ) -> BoxFuture<'_, Option<PathBuf>> {
        Box::pin(async move {
            // The name only: a suggestion with separators must not lead out of the folder.
            let name = PathBuf::from(suggested_name).file_name()?.to_owned();
            tokio::fs::create_dir_all(&self.folder).await.ok()?;
            Some(self.folder.join(name))
        })
    }

    fn open(&self, _title: String, filter: FileFilter) -> BoxFuture<'_, Option<PathBuf>> {
        Box::pin(async move {
            let mut entries = tokio::fs::read_dir(self.folder.with_file_name("offered")).await.ok()?;
            let mut fitting = Vec::new();
            while let Ok(Some(entry)) = entries.next_entry().await {
                let path = entry.path();
                let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
                if extension.is_some_and(|e| filter.extensions.contains(&e)) {
                    fitting.push(path);
                }
            }
            fitting.sort();
            fitting.into_iter().next()
        })
    }

    /// The folder `documents` next to it, if there is one.
    fn open_folder(&self, _title: String) -> BoxFuture<'_, Option<PathBuf>> {
        Box::pin(async move {
            let folder = self.folder.with_file_name("documents");
            tokio::fs::metadata(&folder).await.is_ok_and(|found| found.is_dir()).then_some(folder)
        })
    }
}

/// Reports that there is no browser for an address.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoBrowser;

impl Browser for NoBrowser {
    fn open(&self, _url: &str) -> Result<(), String> {
        Err("There is no browser here to open the address in.".into())
    }
}
