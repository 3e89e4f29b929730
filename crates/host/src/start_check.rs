//! What of this computer would stop a program half way or never let it end, said before it starts.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Seconds from 1970 to the year 10000, which no date on the wire or in a file can say.
const YEAR_10000: u64 = 253_402_300_800;
/// Bytes and files of trusted certificates: a system has some hundred, of 200 KB altogether.
const CERTIFICATE_BYTES_MAX: u64 = 64 << 20;
const CERTIFICATE_FILES_MAX: usize = 10_000;

/// Files open at once that an import with its index, connections and pipes is far from.
#[cfg(unix)]
const OPEN_FILES: u64 = 128;

/// Checks the clock, how many files may be open, and where the environment says that trusted certificates are.
///
/// # Errors
/// A sentence for a person.
pub fn check_computer() -> Result<(), String> {
    check_clock(SystemTime::now())?;
    allow_open_files()?;
    check_certificates(|name| std::env::var_os(name))
}

fn check_clock(now: SystemTime) -> Result<(), String> {
    let fault = match now.duration_since(UNIX_EPOCH) {
        Err(_) => "a time before 1970",
        Ok(since) if since >= Duration::from_secs(YEAR_10000) => "a year after 9999",
        Ok(_) => return Ok(()),
    };
    Err(format!("This computer's clock says {fault}. Set the clock, then start again."))
}

/// Raises the limit of open files where it is too low and that is allowed.
#[cfg(unix)]
fn allow_open_files() -> Result<(), String> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let is_low = |most: Option<u64>| most.is_some_and(|most| most < OPEN_FILES);
    if is_low(limit.current) && !is_low(limit.maximum) {
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(OPEN_FILES), maximum: limit.maximum });
    }
    match getrlimit(Resource::Nofile).current {
        Some(most) if most < OPEN_FILES => Err(format!(
            "This program may have only {most} files open at once, and {OPEN_FILES} are needed. Raise the limit (ulimit -n), then start again."
        )),
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
fn allow_open_files() -> Result<(), String> {
    Ok(())
}

fn check_certificates(variable: impl Fn(&str) -> Option<OsString>) -> Result<(), String> {
    if let Some(file) = variable("SSL_CERT_FILE").filter(|file| !file.is_empty()) {
        let mut left = CERTIFICATE_BYTES_MAX;
        count_certificates(Path::new(&file), &mut left).map_err(|why| fault("SSL_CERT_FILE", &file, why))?;
    }
    for folder in std::env::split_paths(&variable("SSL_CERT_DIR").unwrap_or_default()) {
        let mut left = CERTIFICATE_BYTES_MAX;
        let found = fs::read_dir(&folder).into_iter().flatten().flatten().enumerate();
        for (count, entry) in found {
            let counted = match entry.path() {
                _ if count >= CERTIFICATE_FILES_MAX => Err("has more files than certificates can be in"),
                path if path.is_file() => count_certificates(&path, &mut left),
                _ => Ok(()),
            };
            counted.map_err(|why| fault("SSL_CERT_DIR", folder.as_os_str(), why))?;
        }
    }
    Ok(())
}

/// Takes the bytes of a file off those that are left. One that is missing is left to whoever reads it.
fn count_certificates(path: &Path, left: &mut u64) -> Result<(), &'static str> {
    let Ok(found) = fs::metadata(path) else { return Ok(()) };
    // Files of the system's own folders say that they are empty, and have no end.
    let is_of_system = fs::canonicalize(path)
        .is_ok_and(|path| ["/proc", "/sys", "/dev"].iter().any(|folder| path.starts_with(folder)));
    if is_of_system || !found.is_file() {
        return Err("is not where certificates are");
    }
    *left = left.checked_sub(found.len()).ok_or("is larger than certificates can be")?;
    Ok(())
}

fn fault(variable: &str, named: &std::ffi::OsStr, why: &str) -> String {
    let named = Path::new(named).display();
    format!("{variable} names {named}, which {why}. Unset it, or name the certificates to trust.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_no_date_can_say_is_refused() {
        let at = |seconds: u64| check_clock(UNIX_EPOCH + Duration::from_secs(seconds));
        assert!(at(0).is_ok() && at(1_800_000_000).is_ok() && at(YEAR_10000 - 1).is_ok());
        assert!(at(YEAR_10000).unwrap_err().contains("after 9999"));
        assert!(check_clock(UNIX_EPOCH - Duration::from_secs(1)).unwrap_err().contains("before 1970"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn certificates_that_have_no_end_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ca.pem");
        fs::write(&file, "-----BEGIN CERTIFICATE-----").unwrap();
        let huge = folder.path().join("huge");
        fs::create_dir(&huge).unwrap();
        fs::File::create(huge.join("ca.pem")).unwrap().set_len(CERTIFICATE_BYTES_MAX + 1).unwrap();
        let check = |variable: &str, value: &Path| {
            check_certificates(|name| (name == variable).then(|| value.into()))
        };
        let cases = [
            ("SSL_CERT_FILE", file.clone(), true),
            ("SSL_CERT_FILE", folder.path().join("missing"), true),
            ("SSL_CERT_FILE", "".into(), true),
            ("SSL_CERT_FILE", "/dev/zero".into(), false),
            ("SSL_CERT_FILE", "/proc/kmsg".into(), false),
            ("SSL_CERT_FILE", folder.path().into(), false),
            ("SSL_CERT_FILE", huge.join("ca.pem"), false),
            ("SSL_CERT_DIR", folder.path().into(), true),
            ("SSL_CERT_DIR", huge, false),
            ("SSL_CERT_DIR", "/proc".into(), false),
        ];
        for (variable, value, is_good) in cases {
            let checked = check(variable, &value);
            assert_eq!(checked.is_ok(), is_good, "{variable}={}: {checked:?}", value.display());
            assert!(checked.is_ok() || checked.unwrap_err().contains(variable));
        }
    }
}
