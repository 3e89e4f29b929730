//! Where an office has its larger files.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};
use url::{Host, Url};

use crate::FileStorageError;

/// From how many KB on a file may be called larger: a draft's file is stored in parts of 4 MB.
pub const BOUND_KB: std::ops::RangeInclusive<u32> = 64..=4_096;
/// Letters of a region, a prefix or an address.
const TEXT_MAX: usize = 300;

/// Where an office has files that are larger than its bound.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FilePlace {
    /// In its database.
    #[default]
    Database,
    /// In a folder that every desk reaches under this path.
    Folder {
        /// The whole path.
        path: String,
    },
    /// In S3, or what speaks as it does.
    Bucket {
        /// Its name.
        bucket: String,
        /// Where it is, such as `us-east-1`.
        region: String,
        /// Address of the service; empty for that of AWS.
        endpoint: String,
        /// What the names of all files begin with; empty for nothing.
        prefix: String,
        /// The authority that the service is trusted by, PEM; empty for those of the system.
        authority: String,
    },
}

impl FilePlace {
    /// Whether each computer needs a key for it.
    #[must_use]
    pub const fn needs_key(&self) -> bool {
        matches!(self, FilePlace::Bucket { .. })
    }
}

/// Where an office has its files, and which of them are larger ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfficeFiles {
    /// Where files are that are larger.
    pub place: FilePlace,
    /// Files of more KB are larger; all others are in the database.
    pub bound_kb: u32,
    /// Folder within the place that is of one workspace alone: no other one removes its files. Empty until it is set.
    #[serde(default)]
    pub under: String,
}

impl OfficeFiles {
    /// Whether a content is larger than what the database has.
    #[must_use]
    pub fn is_larger(&self, content: &[u8]) -> bool {
        content.len() as u64 > u64::from(self.bound_kb) * 1024
    }

    /// Refuses what cannot be, and what would travel in the clear.
    ///
    /// # Errors
    /// [`FileStorageError::Settings`] says why.
    pub fn check(&self) -> Result<(), FileStorageError> {
        let letters = |text: &str, others: &str| {
            text.len() <= TEXT_MAX && text.chars().all(|c| c.is_ascii_alphanumeric() || others.contains(c))
        };
        if !letters(&self.under, "_-") {
            return refuse("the folder of the workspace has other characters than letters, digits, _ and -");
        }
        match &self.place {
            FilePlace::Database => return Ok(()),
            FilePlace::Folder { path } => check_folder(path)?,
            FilePlace::Bucket { bucket, region, endpoint, prefix, .. } => {
                if !(3..=63).contains(&bucket.len()) || !letters(bucket, ".-_") || bucket.contains("..") {
                    return refuse("the bucket's name is none that S3 has");
                }
                if region.is_empty() || !letters(region, "-") {
                    return refuse("the region is none, such as us-east-1");
                }
                if !letters(prefix, "._-/") || prefix.split('/').any(|part| part == "." || part == "..") {
                    return refuse("the prefix has other characters than letters, digits and . _ - /");
                }
                check_endpoint(endpoint)?;
            }
        }
        if BOUND_KB.contains(&self.bound_kb) {
            Ok(())
        } else {
            refuse("the bound is not between 64 and 4,096 KB")
        }
    }
}

/// The sentence for people.
impl fmt::Display for OfficeFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            FilePlace::Database => write!(f, "Files are in the database."),
            FilePlace::Folder { path } => {
                write!(f, "Files larger than {} KB are in the folder {path}.", self.bound_kb)
            }
            FilePlace::Bucket { bucket, region, endpoint, prefix, .. } => {
                let at = if endpoint.is_empty() { format!("AWS, {region}") } else { endpoint.clone() };
                let under = if prefix.is_empty() { String::new() } else { format!(" under {prefix}") };
                write!(
                    f,
                    "Files larger than {} KB are in the S3 bucket {bucket}{under} ({at}).",
                    self.bound_kb
                )
            }
        }
    }
}

/// Its folder is there: a share that is not connected is none.
pub(crate) fn check_folder(path: &str) -> Result<(), FileStorageError> {
    let folder = Path::new(path);
    if path.len() > TEXT_MAX || !folder.is_absolute() {
        return refuse("the folder is not named by its whole path");
    }
    if folder.is_dir() {
        Ok(())
    } else {
        Err(FileStorageError::Unreachable(format!("{path} is no folder of this computer")))
    }
}

/// Whether a service is on this computer, where nothing has to be encrypted.
pub(crate) fn is_this_computer(endpoint: &str) -> bool {
    Url::parse(endpoint).is_ok_and(|url| match url.host() {
        Some(Host::Ipv4(at)) => at.is_loopback(),
        Some(Host::Ipv6(at)) => at.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    })
}

fn check_endpoint(endpoint: &str) -> Result<(), FileStorageError> {
    if endpoint.is_empty() {
        return Ok(());
    }
    let Some(url) = Url::parse(endpoint).ok().filter(|_| endpoint.len() <= TEXT_MAX) else {
        return refuse("the address of the service can't be read");
    };
    let is_plain = url.scheme() == "http" && is_this_computer(endpoint);
    if !is_plain && url.scheme() != "https" {
        return refuse("the address of the service begins with https://, or is on this computer");
    }
    let has_more = url.query().is_some() || url.fragment().is_some() || url.host().is_none();
    if has_more || !url.username().is_empty() || url.password().is_some() {
        return refuse("the address of the service has more than a host and a path");
    }
    Ok(())
}

fn refuse<T>(why: &str) -> Result<T, FileStorageError> {
    Err(FileStorageError::Settings(why.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_travels_in_the_clear_and_no_path_leaves_its_folder() {
        let bucket = |bucket: &str, endpoint: &str, prefix: &str| FilePlace::Bucket {
            bucket: bucket.into(),
            region: "us-east-1".into(),
            endpoint: endpoint.into(),
            prefix: prefix.into(),
            authority: String::new(),
        };
        let here = std::env::temp_dir().to_string_lossy().into_owned();
        let cases = [
            (FilePlace::Database, true),
            (FilePlace::Folder { path: here }, true),
            (FilePlace::Folder { path: "files".into() }, false),
            (FilePlace::Folder { path: "/no such folder".into() }, false),
            (bucket("office-files", "", ""), true),
            (bucket("office-files", "https://s3.office.example:9000", "bordereau/2026"), true),
            (bucket("office-files", "http://127.0.0.1:9000", ""), true),
            (bucket("office-files", "http://[::1]:9000", ""), true),
            (bucket("office-files", "http://s3.office.example", ""), false),
            (bucket("office-files", "http://localhost.example", ""), false),
            (bucket("office-files", "file:///tmp", ""), false),
            (bucket("office-files", "https://anna:secret@s3.example", ""), false),
            (bucket("office-files", "https://s3.example/?x=1", ""), false),
            (bucket("office-files", "", "../other"), false),
            (bucket("a/b/c", "", ""), false),
            (bucket("", "", ""), false),
        ];
        for (place, may) in cases {
            let files = OfficeFiles { place, bound_kb: 1_024, under: String::new() };
            assert_eq!(files.check().is_ok(), may, "{files:?}");
        }
        for (bound_kb, may) in [(63, false), (64, true), (4_096, true), (4_097, false)] {
            assert_eq!(
                OfficeFiles { place: bucket("abc", "", ""), bound_kb, under: "office-1f".into() }
                    .check()
                    .is_ok(),
                may,
                "{bound_kb}"
            );
        }
    }
}
