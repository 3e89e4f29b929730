//! SHA-256 of every package, and what differs from the run before.

use std::path::Path;

use super::package_files::write_file;
use crate::command::{TaskFailure, at_file, command_output, from_words, on_path};

const FILE: &str = "SHA256SUMS";

/// A package's sum.
pub struct PackageSum {
    /// Its file.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    sum: String,
}

/// Those of the run before; empty where there was none.
pub fn read_sums(folder: &Path) -> Vec<PackageSum> {
    let text = std::fs::read_to_string(folder.join(FILE)).unwrap_or_default();
    let lines = text.lines().filter_map(|line| line.split_once("  "));
    lines.map(|(sum, name)| PackageSum { name: name.into(), bytes: 0, sum: sum.into() }).collect()
}

/// Writes `SHA256SUMS` in the form that `sha256sum --check` reads.
pub fn write_sums(folder: &Path) -> Result<Vec<PackageSum>, TaskFailure> {
    let mut sums = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(at_file(folder))?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Ok(about) = entry.metadata() else { continue };
        if about.is_file() && name != FILE {
            sums.push(PackageSum { bytes: about.len(), sum: sum_of(&entry.path())?, name });
        }
    }
    sums.sort_by(|a, b| a.name.cmp(&b.name));
    let text = sums.iter().map(|sum| format!("{}  {}\n", sum.sum, sum.name)).collect::<String>();
    write_file(&folder.join(FILE), text)?;
    Ok(sums)
}

/// With what each system has: coreutils, Perl's `shasum` of macOS, certutil.
fn sum_of(file: &Path) -> Result<String, TaskFailure> {
    let mut command = if on_path("sha256sum") {
        from_words(&["sha256sum"])
    } else if on_path("shasum") {
        from_words(&["shasum", "-a", "256"])
    } else {
        from_words(&["certutil", "-hashfile"])
    };
    command.arg(file);
    if cfg!(windows) && !on_path("sha256sum") {
        command.arg("SHA256");
    }
    let is_sum = |word: &&str| word.len() == 64 && word.chars().all(|c| c.is_ascii_hexdigit());
    let output = command_output(command).unwrap_or_default();
    let sum = output.split_whitespace().map(|word| word.trim_start_matches('\\')).find(is_sum);
    sum.map(str::to_owned)
        .ok_or_else(|| TaskFailure::new(format!("no SHA-256 of {} could be made", file.display())))
}

/// Lists what differs from the run before, which is a failure: the same sources give the same packages.
pub fn compare_sums(before: &[PackageSum], now: &[PackageSum]) -> Result<(), TaskFailure> {
    if before.is_empty() {
        return Err(TaskFailure::new("there is no run before this one to compare with"));
    }
    let mut differing = Vec::new();
    for sum in now {
        let same = before.iter().any(|other| other.name == sum.name && other.sum == sum.sum);
        println!("{}  {}", if same { "same   " } else { "DIFFERS" }, sum.name);
        if !same {
            differing.push(sum.name.as_str());
        }
    }
    if differing.is_empty() {
        return Ok(());
    }
    Err(TaskFailure::new(format!("not the same as in the run before: {}", differing.join(", "))))
}
