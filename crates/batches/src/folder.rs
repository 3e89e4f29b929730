//! The files of a folder, or files chosen one by one, with their hashes; bounded.

use std::collections::{BTreeMap, VecDeque};
use std::io::Read;
use std::path::{Path, PathBuf};

use bordereau_contract::{DOCUMENT_BYTES_MAX, document_size_fault, format_count};
use bordereau_session::reading_process::workbook_reader;
use bordereau_spreadsheets::{ReadOptions, read_with};

use bordereau_session::content::FileInspector;
use bordereau_session::files::{open_chosen, read_chosen};

/// Files looked at together.
const FILES_MAX: usize = 10_000;
/// Folders within folders.
const DEPTH_MAX: usize = 8;
/// Bytes of a `documents.csv`.
const LIST_BYTES_MAX: u64 = 5 * 1024 * 1024;

/// A file.
pub struct FolderFile {
    pub path: PathBuf,
    pub name: String,
    pub bytes: u64,
    /// Empty when it was refused.
    pub sha256: String,
    /// Why it cannot be attached.
    pub refused: Option<String>,
    /// It is the list of documents itself.
    pub is_list: bool,
}

/// What `documents.csv` says of a file.
#[derive(Clone, Debug, Default)]
pub struct ListedDocument {
    pub policy_number: String,
    pub invoice_number: String,
    pub code: String,
}

/// All files, each looked at and hashed.
pub fn list_files(paths: &[PathBuf]) -> Vec<FolderFile> {
    let mut files = Vec::new();
    for path in file_paths(paths) {
        let is_beyond = files.len() >= FILES_MAX;
        let bytes = std::fs::symlink_metadata(&path).map_or(0, |metadata| metadata.len());
        files.push(inspect_file(path, bytes, is_beyond));
    }
    files
}

/// Files and those of folders, in order; one more than are looked at together, so that it shows.
pub fn file_paths(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut queue: VecDeque<(PathBuf, usize)> = paths.iter().map(|path| (path.clone(), 0)).collect();
    let mut files = Vec::new();
    while let Some((path, depth)) = queue.pop_front() {
        // A link could lead out of what the person chose, or round in a circle.
        let Ok(metadata) = std::fs::symlink_metadata(&path) else { continue };
        if metadata.is_dir() && depth < DEPTH_MAX {
            let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
            let mut entries: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
            entries.sort();
            queue.extend(entries.into_iter().map(|path| (path, depth + 1)));
        } else if metadata.is_file() && !is_of_system(&name(&path)) {
            files.push(path);
            if files.len() > FILES_MAX {
                break;
            }
        }
    }
    files
}

/// Files that a system, or an Office program with an open document, leaves in a folder.
fn is_of_system(name: &str) -> bool {
    name.starts_with('.')
        || name.starts_with("~$")
        || ["thumbs.db", "desktop.ini"].contains(&name.to_lowercase().as_str())
}

fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn inspect_file(path: PathBuf, bytes: u64, is_beyond: bool) -> FolderFile {
    let name = name(&path);
    let is_list = name.eq_ignore_ascii_case("documents.csv");
    let refused = if is_beyond {
        let most = format_count(FILES_MAX);
        Some(format!("There are more than {most} files. This one and those after it were not checked."))
    } else {
        document_size_fault(bytes).map(str::to_owned)
    };
    let looked = match refused {
        Some(why) => Err(why),
        None if is_list => Ok(String::new()),
        None => check_file(&path, &name),
    };
    let (sha256, refused) = match looked {
        Ok(sha256) => (sha256, None),
        Err(why) => (String::new(), Some(why)),
    };
    FolderFile { path, name, bytes, sha256, refused, is_list }
}

/// The hash of a file that is a document by its content, or why it cannot be sent.
fn check_file(path: &Path, name: &str) -> Result<String, String> {
    let unreadable = |error: std::io::Error| format!("The file can't be read ({}).", error.kind());
    let file = open_chosen(path).map_err(|why| format!("The file can't be read: {why}."))?;
    let mut file = file.take(DOCUMENT_BYTES_MAX as u64 + 1);
    let (mut look, mut part) = (FileInspector::default(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut part).map_err(unreadable)? {
            0 => return look.finish_check(name).map(|checked| checked.sha256),
            n => look.add_piece(part.get(..n).unwrap_or_default()),
        }
    }
}

/// What the lists say, by file name in lower case. A list that cannot be read is refused.
pub fn read_lists(files: &mut [FolderFile]) -> BTreeMap<String, ListedDocument> {
    let mut listed = BTreeMap::new();
    for file in files.iter_mut().filter(|file| file.is_list && file.refused.is_none()) {
        let options = ReadOptions { header: Some(Some(0)), ..ReadOptions::default() };
        let read = read_chosen(&file.path, LIST_BYTES_MAX)
            .map_err(|why| format!("The list cannot be read: {why}."))
            .and_then(|bytes| {
                let read_workbook = workbook_reader(bytes.len());
                read_with(&file.name, bytes, &options, read_workbook).map_err(|refusal| refusal.to_string())
            });
        let source = match read {
            Ok(source) => source,
            Err(why) => {
                file.refused = Some(why);
                continue;
            }
        };
        let table = &source.table;
        let column = |names: &[&str]| {
            (0..table.width()).find(|column| {
                let header = table.text_at(0, *column).trim().to_lowercase().replace([' ', '-'], "_");
                names.contains(&header.as_str())
            })
        };
        let file_name = column(&["file", "file_name", "filename", "document", "name"]);
        let policy = column(&["policy_number", "policy", "policy_no"]);
        let invoice = column(&["invoice_number", "invoice", "invoice_no"]);
        let code = column(&["code", "document_code", "type"]);
        for row in 1..table.row_count() {
            let text = |column: Option<usize>| {
                column.map_or_else(String::new, |column| table.text_at(row, column).trim().to_owned())
            };
            let name = text(file_name);
            let name = name.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
            if !name.is_empty() {
                let said = ListedDocument {
                    policy_number: text(policy),
                    invoice_number: text(invoice),
                    code: text(code),
                };
                listed.insert(name, said);
            }
        }
    }
    listed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_system_are_no_documents() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a.pdf", ".DS_Store", "Thumbs.db", "DESKTOP.INI", "~$a.docx", "~a.pdf"] {
            std::fs::write(folder.path().join(name), "x").expect("a file");
        }
        let found = file_paths(&[folder.path().to_owned()]);
        assert_eq!(found.iter().map(|path| name(path)).collect::<Vec<_>>(), ["a.pdf", "~a.pdf"]);
    }
}
