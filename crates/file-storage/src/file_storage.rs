//! One place of larger files: each under the SHA-256 of what is in it.

use std::fmt;
use std::time::Duration;

use bordereau_database::{office_runtime, office_tls};
use object_store::aws::AmazonS3Builder;
use object_store::client::{ClientOptions, HttpClient, HttpConnector};
use object_store::local::LocalFileSystem;
use object_store::path::Path as ObjectPath;
use object_store::{ObjectStore, ObjectStoreExt, RetryConfig};
use sha2::{Digest, Sha256};

use crate::FileStorageError;
use crate::file_place::{FilePlace, OfficeFiles, check_folder, is_this_computer};

/// Larger than any document, and than the parts of any file that is imported.
const BYTES_MAX: u64 = 64 * 1024 * 1024;
/// For all of a file, on a slow line.
const FILE_WITHIN: Duration = Duration::from_secs(300);
/// For what has no content. Others of the office wait meanwhile.
const REMOVE_WITHIN: Duration = Duration::from_secs(15);
const CONNECT_WITHIN: Duration = Duration::from_secs(10);
/// A service that says nothing for so long is gone.
const SILENT_FOR: Duration = Duration::from_secs(120);
/// How long a request that failed is tried again.
const AGAIN_WITHIN: Duration = Duration::from_secs(20);
const AGAIN_MOST: usize = 2;

/// One place of larger files.
pub struct FileStorage {
    objects: Box<dyn ObjectStore>,
    prefix: String,
    /// The folder that it is; empty in S3.
    folder: String,
}

/// Without its key.
impl fmt::Debug for FileStorage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileStorage").field("folder", &self.folder).field("prefix", &self.prefix).finish()
    }
}

/// The name of a content: its SHA-256, hexadecimal.
#[must_use]
pub fn name_content(content: &[u8]) -> String {
    bordereau_contract::hex_text(&Sha256::digest(content))
}

impl FileStorage {
    /// Opens a place with this computer's key for it, `ID:SECRET`; nothing is asked yet.
    ///
    /// # Errors
    /// [`FileStorageError::Settings`] for a place that can't be, or the database, which is none;
    /// [`FileStorageError::NoKey`]; [`FileStorageError::Unreachable`] where the folder isn't there.
    pub fn open(files: &OfficeFiles, key: &str) -> Result<FileStorage, FileStorageError> {
        files.check()?;
        let (objects, prefix, folder): (Box<dyn ObjectStore>, _, _) = match &files.place {
            FilePlace::Database => {
                return Err(FileStorageError::Settings("files are in the database".to_owned()));
            }
            FilePlace::Folder { path } => {
                let folder = LocalFileSystem::new_with_prefix(path).map_err(unreachable)?;
                (Box::new(folder.with_fsync(true)), "", path.clone())
            }
            FilePlace::Bucket { bucket, region, endpoint, prefix, authority } => {
                let (id, secret) = key
                    .split_once(':')
                    .filter(|(id, secret)| !id.is_empty() && !secret.is_empty())
                    .ok_or(FileStorageError::NoKey)?;
                let client = build_client(endpoint, authority)?;
                let mut builder = AmazonS3Builder::new()
                    .with_bucket_name(bucket)
                    .with_region(region)
                    .with_access_key_id(id)
                    .with_secret_access_key(secret)
                    .with_allow_http(is_this_computer(endpoint))
                    .with_http_connector(StorageConnector(client))
                    // Not every service that works as S3 does has the other way.
                    .with_disable_bulk_delete(true)
                    .with_retry(RetryConfig {
                        max_retries: AGAIN_MOST,
                        retry_timeout: AGAIN_WITHIN,
                        ..RetryConfig::default()
                    });
                if !endpoint.is_empty() {
                    builder = builder.with_endpoint(endpoint.trim_end_matches('/'));
                }
                let objects =
                    builder.build().map_err(|error| FileStorageError::Settings(error.to_string()))?;
                (Box::new(objects), prefix.trim_matches('/'), String::new())
            }
        };
        let prefix = format!("{prefix}/{}", files.under);
        Ok(FileStorage { objects, prefix: prefix.trim_matches('/').to_owned(), folder })
    }

    /// Writes a file, also where it is there already, and gives its name.
    ///
    /// # Errors
    /// [`FileStorageError`]: nothing is there under its name then, or all of it.
    pub fn write_file(&self, content: Vec<u8>) -> Result<String, FileStorageError> {
        let name = name_content(&content);
        let path = self.path_of(&name)?;
        let written = self.wait(FILE_WITHIN, self.objects.put(&path, content.into()));
        match written {
            Ok(_) => Ok(name),
            // No file is asked for: what isn't there is the place.
            Err(object_store::Error::NotFound { .. }) => {
                Err(FileStorageError::Unreachable("there is no such bucket or folder".to_owned()))
            }
            Err(error) => Err(self.failure_of(error, &name)),
        }
    }

    /// Reads a file, of which every byte is what was written.
    ///
    /// # Errors
    /// [`FileStorageError::Missing`], [`FileStorageError::Changed`]; others where it can't be read now.
    pub fn read_file(&self, name: &str) -> Result<Vec<u8>, FileStorageError> {
        let path = self.path_of(name)?;
        let reading = async {
            let found = self.objects.get(&path).await?;
            if found.meta.size > BYTES_MAX {
                return Ok(None);
            }
            found.bytes().await.map(Some)
        };
        let content = self.wait(FILE_WITHIN, reading).map_err(|error| self.failure_of(error, name))?;
        match content.filter(|content| name_content(content) == name) {
            Some(content) => Ok(content.into()),
            None => Err(FileStorageError::Changed(name.to_owned())),
        }
    }

    /// Removes a file; one that isn't there is none.
    ///
    /// # Errors
    /// [`FileStorageError`] where it may still be there.
    pub fn remove_file(&self, name: &str) -> Result<(), FileStorageError> {
        let path = self.path_of(name)?;
        match self.wait(REMOVE_WITHIN, self.objects.delete(&path)) {
            Err(object_store::Error::NotFound { .. }) | Ok(()) => Ok(()),
            Err(error) => Err(self.failure_of(error, name)),
        }
    }

    /// Tries all of it with a file of its own: written, read again and removed.
    ///
    /// # Errors
    /// The first one.
    pub fn try_out(&self) -> Result<(), FileStorageError> {
        let name = self.write_file(b"Bordereau tries whether files can be written here.".to_vec())?;
        self.read_file(&name)?;
        self.remove_file(&name)
    }

    /// `prefix/3f/3fa8…`: what is named by others is no path.
    fn path_of(&self, name: &str) -> Result<ObjectPath, FileStorageError> {
        let is_name = name.len() == 64 && name.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f'));
        let start = name.get(..2).filter(|_| is_name);
        let start = start.ok_or_else(|| FileStorageError::Missing(name.to_owned()))?;
        ObjectPath::parse(format!("{}/{start}/{name}", self.prefix).trim_start_matches('/'))
            .map_err(|error| FileStorageError::Settings(error.to_string()))
    }

    fn wait<T>(
        &self,
        within: Duration,
        work: impl Future<Output = object_store::Result<T>>,
    ) -> object_store::Result<T> {
        let failed = |text: &str| object_store::Error::Generic { store: "file storage", source: text.into() };
        let runtime = office_runtime().map_err(|error| failed(&error.text))?;
        let done = runtime.block_on(async { tokio::time::timeout(within, work).await });
        done.unwrap_or_else(|_| Err(failed("no answer")))
    }

    fn failure_of(&self, error: object_store::Error, name: &str) -> FileStorageError {
        tracing::warn!(%error, "file storage");
        match error {
            // A share that was disconnected leaves an empty folder, or none.
            object_store::Error::NotFound { .. }
                if !self.folder.is_empty() && check_folder(&self.folder).is_err() =>
            {
                FileStorageError::Unreachable("the folder is gone".to_owned())
            }
            object_store::Error::NotFound { .. } => FileStorageError::Missing(name.to_owned()),
            object_store::Error::PermissionDenied { .. } | object_store::Error::Unauthenticated { .. } => {
                FileStorageError::Refused(error.to_string())
            }
            error => unreachable(error),
        }
    }
}

fn unreachable(error: object_store::Error) -> FileStorageError {
    FileStorageError::Unreachable(error.to_string())
}

/// Our own TLS and trust: no redirect is followed, and nothing is packed or unpacked on the way.
fn build_client(endpoint: &str, authority: &str) -> Result<reqwest::Client, FileStorageError> {
    let settings = |error: String| FileStorageError::Settings(error);
    let tls =
        office_tls(Some(authority).filter(|pem| !pem.is_empty())).map_err(|error| settings(error.text))?;
    let mut tls = tls.with_no_client_auth();
    tls.alpn_protocols = vec![b"http/1.1".to_vec()];
    let is_here = is_this_computer(endpoint);
    let builder = reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .https_only(!is_here)
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT_WITHIN)
        .read_timeout(SILENT_FOR)
        .referer(false)
        .no_gzip()
        .user_agent(concat!("Bordereau/", env!("CARGO_PKG_VERSION")));
    let builder = if is_here { builder.no_proxy() } else { builder };
    builder.build().map_err(|error| settings(error.to_string()))
}

#[derive(Debug)]
struct StorageConnector(reqwest::Client);

impl HttpConnector for StorageConnector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.0.clone()))
    }
}
