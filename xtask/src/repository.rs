//! Where things are.

use std::path::{Path, PathBuf};

/// Top of the repository.
pub fn repository_root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository")
}

/// A path below the top.
pub fn repository_path(path: &str) -> PathBuf {
    repository_root().join(path)
}

/// Cargo's target directory, also where it was moved by the environment.
pub fn target_directory() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| repository_path("target"), |dir| repository_root().join(dir))
}
