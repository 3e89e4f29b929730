//! How a second process finds the practice service of the first: it asks at a socket in the practice folder, which
//! only the person's own account can reach. Nothing secret is written to the disk.

use std::path::Path;

use bordereau_desk::PracticeEndpoint;

#[cfg(unix)]
pub(crate) use unix::{Door, ask};

#[cfg(not(unix))]
pub(crate) use none::{Door, ask};

/// The socket inside of the practice folder.
#[cfg(unix)]
const SOCKET: &str = "practice.socket";

#[cfg(unix)]
mod unix {
    use std::io::{Read, Write};
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::net::UnixStream;
    use std::path::PathBuf;
    use std::time::Duration;

    use serde_json::{Value, json};
    use tokio::io::AsyncWriteExt;
    use tokio::net::UnixListener;
    use tokio::task::JoinHandle;

    use super::{Path, PracticeEndpoint, SOCKET};

    /// How long the other process may take.
    const PATIENCE: Duration = Duration::from_secs(2);
    /// Bytes of an answer: a certificate and a few words.
    const ANSWER_MAX: u64 = 64 * 1024;

    /// Answers as long as it is held.
    pub(crate) struct Door {
        path: PathBuf,
        task: JoinHandle<()>,
    }

    impl Door {
        /// Opens it in the folder that this process has to itself.
        pub(crate) fn open(folder: &Path, endpoint: &PracticeEndpoint) -> Option<Door> {
            let path = folder.join(SOCKET);
            // Whoever had it before is gone: the folder is this process's alone.
            let _ = std::fs::remove_file(&path);
            let listener = UnixListener::bind(&path)
                .and_then(|listener| {
                    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?;
                    Ok(listener)
                })
                .inspect_err(
                    |error| tracing::warn!(%error, "other processes cannot find the practice service"),
                )
                .ok()?;
            let answer = as_json(endpoint).to_string();
            let task = tokio::spawn(async move {
                while let Ok((mut stream, _)) = listener.accept().await {
                    let answer = answer.clone();
                    tokio::spawn(async move {
                        let _ = tokio::time::timeout(PATIENCE, stream.write_all(answer.as_bytes())).await;
                    });
                }
            });
            Some(Door { path, task })
        }
    }

    impl Drop for Door {
        fn drop(&mut self) {
            self.task.abort();
            let _ = std::fs::remove_file(&self.path);
        }
    }

    /// Where the service of the folder's process answers; `None` when nobody says.
    pub(crate) fn ask(folder: &Path) -> Option<PracticeEndpoint> {
        let mut stream = UnixStream::connect(folder.join(SOCKET)).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        stream.flush().ok()?;
        let mut text = String::new();
        stream.take(ANSWER_MAX).read_to_string(&mut text).ok()?;
        from_json(&serde_json::from_str(&text).ok()?)
    }

    fn as_json(endpoint: &PracticeEndpoint) -> Value {
        json!({
            "base_url": endpoint.base_url,
            "ca_pem": endpoint.ca_pem,
            "api_key": endpoint.api_key,
            "username": endpoint.username,
            "password": endpoint.password,
        })
    }

    fn from_json(value: &Value) -> Option<PracticeEndpoint> {
        let text = |name: &str| value.get(name)?.as_str().map(str::to_owned);
        Some(PracticeEndpoint {
            base_url: text("base_url")?,
            ca_pem: text("ca_pem")?,
            api_key: text("api_key")?,
            username: text("username")?,
            password: text("password")?,
        })
    }
}

#[cfg(not(unix))]
mod none {
    use super::{Path, PracticeEndpoint};

    /// There is none on this system: a second process is told so.
    pub(crate) struct Door;

    impl Door {
        pub(crate) fn open(_folder: &Path, _endpoint: &PracticeEndpoint) -> Option<Door> {
            None
        }
    }

    pub(crate) fn ask(_folder: &Path) -> Option<PracticeEndpoint> {
        None
    }
}
