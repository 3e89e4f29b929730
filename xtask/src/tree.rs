//! The files under version control, or about to be.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Paths with `/`, from the top.
pub struct SourceTree {
    top: PathBuf,
    /// Sorted, each once.
    pub paths: Vec<String>,
    /// Instead of the disk, in tests of the rules.
    made_up: Vec<(String, String)>,
}

impl SourceTree {
    /// What git knows here, also files not yet added, without those it ignores.
    ///
    /// # Panics
    /// Without git, or with a path that is not UTF-8.
    pub fn of_the_repository() -> SourceTree {
        let top = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository");
        let output = Command::new("git")
            .args(["-c", "safe.directory=*", "-c", "core.quotepath=off", "ls-files"])
            .args(["--cached", "--others", "--exclude-standard"])
            .current_dir(top)
            .output()
            .expect("git runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("paths are UTF-8");
        let mut paths: Vec<String> =
            text.lines().filter(|path| top.join(path).is_file()).map(str::to_owned).collect();
        paths.sort_unstable();
        paths.dedup();
        SourceTree { top: top.to_owned(), paths, made_up: Vec::new() }
    }

    /// A tree of made-up files.
    pub fn from_samples(files: &[(&str, &str)]) -> SourceTree {
        let made_up: Vec<_> =
            files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        let paths = made_up.iter().map(|(path, _)| path.clone()).collect();
        SourceTree { top: PathBuf::new(), paths, made_up }
    }

    /// The text of a file; `None` when there is none or it is not text.
    pub fn read_text(&self, path: &str) -> Option<String> {
        if let Some((_, text)) = self.made_up.iter().find(|(name, _)| name == path) {
            return Some(text.clone());
        }
        if self.top.as_os_str().is_empty() {
            return None;
        }
        std::fs::read_to_string(self.top.join(path)).ok()
    }

    /// Whether the path is a file or a folder of the tree.
    pub fn contains_path(&self, path: &str) -> bool {
        let folder = format!("{}/", path.trim_end_matches('/'));
        self.paths.iter().any(|known| known == path || known.starts_with(&folder))
    }

    /// Text files whose path begins so and ends with one of the endings.
    pub fn list_files<'a>(
        &'a self,
        under: &'a str,
        endings: &'a [&str],
    ) -> impl Iterator<Item = (&'a str, String)> + 'a {
        self.paths
            .iter()
            .filter(move |path| path.starts_with(under) && endings.iter().any(|end| path.ends_with(end)))
            .filter_map(|path| Some((path.as_str(), self.read_text(path)?)))
    }
}
