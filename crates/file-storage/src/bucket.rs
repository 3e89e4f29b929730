//! Files in a bucket of S3, or of what speaks as it does.

use std::time::{Duration, Instant};

use bordereau_database::office_tls;
use bytes::Bytes;
use reqwest::{Client, Method, Response, StatusCode};
use rusty_s3::{Bucket, Credentials, S3Action, UrlStyle};
use url::Url;

use crate::FileStorageError;
use crate::file_place::is_this_computer;

const CONNECT_WITHIN: Duration = Duration::from_secs(10);
/// A service that says nothing for so long is gone.
const SILENT_FOR: Duration = Duration::from_secs(120);
/// How long a request that failed is tried again, and how often.
const AGAIN_WITHIN: Duration = Duration::from_secs(20);
const AGAIN_MOST: u32 = 2;
const PAUSE: Duration = Duration::from_millis(300);
/// How long what is signed may be used: an upload over a slow line begins at once.
const SIGNED_FOR: Duration = Duration::from_secs(15 * 60);
/// Letters of an answer that are logged.
const ANSWER_MAX: usize = 300;

/// A bucket with this computer's key for it.
pub(crate) struct BucketFiles {
    bucket: Bucket,
    credentials: Credentials,
    client: Client,
}

impl BucketFiles {
    /// Nothing is asked yet. The key is `ID:SECRET`; no endpoint is that of AWS.
    pub(crate) fn open(
        bucket: &str,
        region: &str,
        endpoint: &str,
        authority: &str,
        key: &str,
    ) -> Result<BucketFiles, FileStorageError> {
        let settings = |error: String| FileStorageError::Settings(error);
        let (id, secret) = key
            .split_once(':')
            .filter(|(id, secret)| !id.is_empty() && !secret.is_empty())
            .ok_or(FileStorageError::NoKey)?;
        let of_aws = || format!("https://s3.{region}.amazonaws.com");
        let address = if endpoint.is_empty() { of_aws() } else { endpoint.to_owned() };
        let address = Url::parse(&address).map_err(|error| settings(error.to_string()))?;
        let bucket = Bucket::new(address, UrlStyle::Path, bucket.to_owned(), region.to_owned())
            .map_err(|error| settings(error.to_string()))?;
        let client = build_client(endpoint, authority)?;
        Ok(BucketFiles { bucket, credentials: Credentials::new(id, secret), client })
    }

    /// Writes a file; `None` where there is no such bucket.
    pub(crate) async fn write_file(
        &self,
        path: &str,
        content: Bytes,
    ) -> Result<Option<()>, FileStorageError> {
        let put = self.bucket.put_object(Some(&self.credentials), path);
        let sign = || put.sign(SIGNED_FOR);
        again(|| async { Ok(self.send(Method::PUT, sign(), content.clone()).await?.map(drop)) }).await
    }

    /// Reads a file, at most so many bytes and what came with them; `None` where there is none.
    pub(crate) async fn read_file(&self, path: &str, most: u64) -> Result<Option<Vec<u8>>, FileStorageError> {
        let get = self.bucket.get_object(Some(&self.credentials), path);
        again(|| async {
            let Some(mut answer) = self.send(Method::GET, get.sign(SIGNED_FOR), Bytes::new()).await? else {
                return Ok(None);
            };
            let mut content = Vec::new();
            while let Some(piece) = answer.chunk().await.map_err(unreachable)? {
                content.extend_from_slice(&piece);
                if content.len() as u64 > most {
                    break;
                }
            }
            Ok(Some(content))
        })
        .await
    }

    /// Removes a file; one that isn't there is none.
    pub(crate) async fn remove_file(&self, path: &str) -> Result<(), FileStorageError> {
        let delete = self.bucket.delete_object(Some(&self.credentials), path);
        let sign = || delete.sign(SIGNED_FOR);
        again(|| async { self.send(Method::DELETE, sign(), Bytes::new()).await.map(drop) }).await
    }

    /// Its answer where it was done; `None` for what isn't there. The address has the signature, and is in no error.
    async fn send(
        &self,
        method: Method,
        url: Url,
        body: Bytes,
    ) -> Result<Option<Response>, FileStorageError> {
        let has_body = method == Method::PUT;
        let mut request = self.client.request(method, url);
        if has_body {
            request = request.header("content-length", body.len()).body(body);
        }
        let answer = request.send().await.map_err(unreachable)?;
        let status = answer.status();
        if status.is_success() {
            return Ok(Some(answer));
        }
        let text = answer.text().await.unwrap_or_default();
        let said: String = text.chars().take(ANSWER_MAX).collect();
        tracing::warn!(%status, said, "file storage");
        match status {
            StatusCode::NOT_FOUND => Ok(None),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                Err(FileStorageError::Refused(status.to_string()))
            }
            _ => Err(FileStorageError::Unreachable(format!("it answered {status}"))),
        }
    }
}

/// Does it again where it may be over: each of these requests comes to the same however often it arrives.
async fn again<T, W: Future<Output = Result<T, FileStorageError>>>(
    work: impl Fn() -> W,
) -> Result<T, FileStorageError> {
    let begun = Instant::now();
    let mut tried = 0;
    loop {
        match work().await {
            Err(error) if error.is_passing() && tried < AGAIN_MOST && begun.elapsed() < AGAIN_WITHIN => {
                tried += 1;
                tokio::time::sleep(PAUSE * tried).await;
            }
            done => return done,
        }
    }
}

fn unreachable(error: reqwest::Error) -> FileStorageError {
    let error = error.without_url();
    tracing::warn!(%error, "file storage");
    FileStorageError::Unreachable(error.to_string())
}

/// Our own TLS and trust: no redirect is followed, and nothing is packed or unpacked on the way.
fn build_client(endpoint: &str, authority: &str) -> Result<Client, FileStorageError> {
    let settings = |error: String| FileStorageError::Settings(error);
    let tls =
        office_tls(Some(authority).filter(|pem| !pem.is_empty())).map_err(|error| settings(error.text))?;
    let mut tls = tls.with_no_client_auth();
    tls.alpn_protocols = vec![b"http/1.1".to_vec()];
    let is_here = is_this_computer(endpoint);
    let builder = Client::builder()
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
