//! Diligent effort forms and affidavits: offered, prefilled, checked, filled, kept by handle until they are
//! saved, printed or uploaded.

mod fill;
mod offer;
mod prefill;
mod request;
mod use_file;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bordereau_forms::{FormBook, FormTemplate, PDF_BYTES_MAX, TEMPLATE_BYTES_MAX};
use parking_lot::Mutex;

use bordereau_api::BoundaryError;
use bordereau_session::Context;
use bordereau_session::files::read_chosen;
pub use fill::form_fill;
pub use offer::{form_check, form_list};
pub use prefill::form_prefill;
pub use use_file::{form_print, form_save, form_upload};

/// Files of filled forms held at once; older ones are filled again when they are wanted.
const FILES_MAX: usize = 100;
/// Own templates that are read.
const OWN_TEMPLATES_MAX: usize = 500;

/// A filled form's file.
pub struct FormFile {
    handle: String,
    name: String,
    code: String,
    file_name: String,
    bytes: Vec<u8>,
    /// It came from a service, and is marked so where it is saved.
    is_download: bool,
}

/// Filled forms, and the folder of one's own templates.
pub struct DiligentFiles {
    folder: PathBuf,
    files: Mutex<(u64, VecDeque<Arc<FormFile>>)>,
}

/// All forms, and own templates that were refused.
struct MergedFormBook {
    forms: FormBook,
    own: Vec<String>,
    refused: Vec<String>,
}

impl DiligentFiles {
    /// That of this context.
    pub fn from_context(ctx: &Context) -> std::sync::Arc<DiligentFiles> {
        ctx.feature_state(DiligentFiles::new)
    }

    fn new(data_dir: &Path) -> DiligentFiles {
        DiligentFiles { folder: data_dir.to_owned(), files: Mutex::default() }
    }

    /// Where a person puts templates and agencies' PDFs of their own.
    fn templates_folder(&self) -> PathBuf {
        self.folder.join("forms")
    }

    /// Where forms lie that were opened with another program.
    fn printed_folder(&self) -> PathBuf {
        self.folder.join("opened-forms")
    }

    fn keep_file(
        &self,
        name: &str,
        code: &str,
        file_name: String,
        bytes: Vec<u8>,
        is_download: bool,
    ) -> Arc<FormFile> {
        let mut files = self.files.lock();
        files.0 += 1;
        let handle = format!("form-{}", files.0);
        let file = Arc::new(FormFile {
            handle,
            name: name.into(),
            code: code.into(),
            file_name,
            bytes,
            is_download,
        });
        files.1.push_back(Arc::clone(&file));
        while files.1.len() > FILES_MAX {
            files.1.pop_front();
        }
        file
    }

    fn find_file(&self, handle: &str) -> Result<Arc<FormFile>, BoundaryError> {
        let files = self.files.lock();
        let found = files.1.iter().find(|file| file.handle == handle).cloned();
        found.ok_or_else(|| BoundaryError::not_found("filled form"))
    }
}

impl MergedFormBook {
    /// What comes with the program and what lies in the folder. Blocks.
    fn read(folder: &Path) -> MergedFormBook {
        let mut book =
            MergedFormBook { forms: FormBook::builtin().clone(), own: Vec::new(), refused: Vec::new() };
        let Ok(entries) = std::fs::read_dir(folder) else { return book };
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
        paths.sort();
        for path in paths.iter().take(OWN_TEMPLATES_MAX) {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            match read_bounded(path, TEMPLATE_BYTES_MAX).and_then(|bytes| book.add(&name, bytes)) {
                Ok(key) => book.own.push(key),
                Err(why) => book.refused.push(why),
            }
        }
        book
    }

    fn add(&mut self, name: &str, bytes: Vec<u8>) -> Result<String, String> {
        let text = String::from_utf8(bytes).map_err(|_| format!("{name}: it is not UTF-8 text"))?;
        let added = self.forms.add(name, &text).map_err(|problem| problem.to_string())?;
        Ok(added.key.clone())
    }

    fn is_own(&self, template: &FormTemplate) -> bool {
        self.own.contains(&template.key)
    }
}

/// The agency's PDF beside a template of one's own.
fn own_pdf(folder: &Path, template: &FormTemplate) -> Result<Option<Vec<u8>>, String> {
    let Some(own) = &template.own_pdf else { return Ok(None) };
    read_bounded(&folder.join(&own.file), PDF_BYTES_MAX).map(Some)
}

/// A whole file, bounded.
fn read_bounded(path: &Path, most: usize) -> Result<Vec<u8>, String> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    read_chosen(path, most as u64).map_err(|why| format!("{name}: it cannot be read ({why})"))
}
