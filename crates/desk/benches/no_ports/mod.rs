//! The ports of a desk that a bench measures alone: no service, no dialog is answered, no browser opens.

use std::path::PathBuf;

use bordereau_desk::{BoxFuture, Browser, FileDialogs, FileFilter, PracticeEndpoint, PracticePort};

pub struct NoPorts;

impl PracticePort for NoPorts {
    fn endpoint(&self) -> BoxFuture<'_, Result<PracticeEndpoint, String>> {
        Box::pin(async { Err("not needed.".to_owned()) })
    }
}

impl FileDialogs for NoPorts {
    fn choose_save_path(&self, _name: String, _filter: FileFilter) -> BoxFuture<'_, Option<PathBuf>> {
        Box::pin(async { None })
    }

    fn open(&self, _title: String, _filter: FileFilter) -> BoxFuture<'_, Option<PathBuf>> {
        Box::pin(async { None })
    }
}

impl Browser for NoPorts {
    fn open(&self, _url: &str) -> Result<(), String> {
        Ok(())
    }
}
