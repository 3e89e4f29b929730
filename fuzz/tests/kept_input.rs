//! Everything that is kept is read again: what was found once stays fixed.

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use bordereau_fuzz::{CANARY, TARGETS, Target};

/// What the canary fails at.
const MISTAKE: &[u8] = b"BDX7\x03T\x09x";
/// Bytes of all kept input: it is a part of the tree.
const KEPT_BYTES_MAX: u64 = 1 << 20;

fn folder_of(target: &Target) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name)
}

fn kept_files(target: &Target) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder_of(target)).expect(target.name);
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

fn read_kept(name: &str) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("a target");
    let files = kept_files(target);
    assert!(!files.is_empty(), "{name} has no kept input");
    for file in files {
        let bytes = std::fs::read(&file).expect("a file");
        assert!(catch_unwind(|| (target.check)(&bytes)).is_ok(), "{} panics", file.display());
        // Cut off, as by a full disk or a broken connection.
        for end in [bytes.len() / 2, bytes.len() * 9 / 10, bytes.len().saturating_sub(1)] {
            let part = &bytes[..end];
            assert!(catch_unwind(|| (target.check)(part)).is_ok(), "{} cut at {end} panics", file.display());
        }
    }
}

macro_rules! kept {
    ($($target:ident)+) => {
        $(#[test]
        fn $target() {
            read_kept(stringify!($target));
        })+

        #[test]
        fn every_target_is_here() {
            let here = [$(stringify!($target)),+];
            for target in TARGETS.iter().filter(|target| target.name != CANARY) {
                assert!(here.contains(&target.name), "{}", target.name);
            }
        }
    };
}

kept! {
    delimited paste xlsx xlsb ods xls markup archive transfer mapping rates answers events feed pem template pdf store
}

#[test]
fn the_canary_fails_at_its_mistake_and_at_nothing_that_is_kept() {
    let target = TARGETS.iter().find(|target| target.name == CANARY).expect("a target");
    for file in kept_files(target) {
        let bytes = std::fs::read(&file).expect("a file");
        assert!(catch_unwind(|| (target.check)(&bytes)).is_ok(), "{}", file.display());
    }
    assert!(catch_unwind(|| (target.check)(MISTAKE)).is_err());
}

#[test]
fn kept_input_is_small() {
    let sizes = TARGETS.iter().flat_map(kept_files).map(|file| file.metadata().expect("a file").len());
    let sum: u64 = sizes.sum();
    assert!(sum <= KEPT_BYTES_MAX, "{sum} bytes are kept; remove what shows nothing of its own");
}
