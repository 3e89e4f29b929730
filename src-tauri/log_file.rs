//! The log: a readable file in the data folder that never grows beyond twice its bound.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

/// Where one file ends and the next begins, bytes; one older file is kept.
const BOUND_BYTES: u64 = 1024 * 1024;
/// Ours from info; others' from warnings. `RUST_LOG` decides otherwise.
const DEFAULT_FILTER: &str = "warn,bordereau=info";

/// Begins the log in this folder, and logs panics. A folder that cannot be written to leaves standard error.
pub(crate) fn begin_log(folder: &Path) {
    let asked = std::env::var("RUST_LOG").ok().filter(|levels| !levels.trim().is_empty());
    let asked = asked.and_then(|levels| levels.parse::<Targets>().ok());
    let filter = asked.or_else(|| DEFAULT_FILTER.parse().ok()).unwrap_or_default();
    let lines = match BoundedFile::open(folder.join("bordereau.log"), BOUND_BYTES) {
        Ok(file) => fmt::layer().with_ansi(false).with_writer(Mutex::new(file)).boxed(),
        Err(error) => {
            eprintln!("bordereau-desktop: no log file: {error}");
            fmt::layer().with_writer(io::stderr).boxed()
        }
    };
    let set = tracing_subscriber::registry().with(lines.with_filter(filter)).try_init();
    if set.is_ok() {
        log_panics();
    }
}

fn log_panics() {
    // In the place of the hook before: that would write the payload to standard error, which a journal keeps.
    std::panic::set_hook(Box::new(|panic| {
        let at = panic.location().map(ToString::to_string).unwrap_or_default();
        // The place only: the payload of an assertion could hold a person's data.
        tracing::error!(at, "a part of Bordereau panicked");
    }));
}

struct BoundedFile {
    path: PathBuf,
    file: File,
    written: u64,
    bound: u64,
}

impl BoundedFile {
    fn open(path: PathBuf, bound: u64) -> io::Result<BoundedFile> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path)?;
        // One of an earlier version may be readable by others.
        #[cfg(unix)]
        file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
        let written = file.metadata()?.len();
        Ok(BoundedFile { path, file, written, bound })
    }

    fn turn_over(&mut self) -> io::Result<()> {
        std::fs::rename(&self.path, self.path.with_extension("1.log"))?;
        *self = BoundedFile::open(self.path.clone(), self.bound)?;
        Ok(())
    }
}

impl Write for BoundedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.written > 0 && self.written + bytes.len() as u64 > self.bound {
            self.turn_over()?;
        }
        let count = self.file.write(bytes)?;
        self.written += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    #[cfg(unix)]
    fn only_its_owner_reads_the_log() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bordereau.log");
        std::fs::write(&path, "of an earlier version").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        BoundedFile::open(path.clone(), 100).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    /// A panic may say what it was about, and that may be a person's data.
    #[test]
    fn of_a_panic_only_the_place_is_logged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bordereau.log");
        let file = BoundedFile::open(path.clone(), BOUND_BYTES).unwrap();
        let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(Mutex::new(file)).finish();
        tracing::subscriber::with_default(subscriber, || {
            let before = std::panic::take_hook();
            // What writes the payload to standard error.
            static IS_PRINTED: AtomicBool = AtomicBool::new(false);
            std::panic::set_hook(Box::new(|_| IS_PRINTED.store(true, Ordering::Relaxed)));
            log_panics();
            assert!(std::panic::catch_unwind(|| panic!("Example Diner LLC")).is_err());
            std::panic::set_hook(before);
            assert!(!IS_PRINTED.load(Ordering::Relaxed), "the hook before was asked, too");
        });
        let log = std::fs::read_to_string(&path).unwrap();
        assert!(log.contains("a part of Bordereau panicked") && log.contains("log_file.rs"), "{log}");
        assert!(!log.contains("Example Diner"), "{log}");
    }

    #[test]
    fn the_log_is_bounded_and_keeps_one_older_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("logs").join("bordereau.log");
        let mut file = BoundedFile::open(path.clone(), 100).unwrap();
        for number in 0..50 {
            writeln!(file, "line {number:02} of the log").unwrap();
        }
        let size = |p: &Path| std::fs::metadata(p).unwrap().len();
        assert!(size(&path) <= 100 && size(&path.with_extension("1.log")) <= 100);
        assert!(std::fs::read_to_string(&path).unwrap().ends_with("line 49 of the log\n"), "newest last");
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 2);
    }
}
