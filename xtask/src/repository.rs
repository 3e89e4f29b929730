//! Where things are.

use std::path::{Path, PathBuf};

/// Top of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository")
}

/// A path below the top.
pub fn at(path: &str) -> PathBuf {
    root().join(path)
}

/// Cargo's target directory, also where it was moved by the environment.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| at("target"), |dir| root().join(dir))
}
