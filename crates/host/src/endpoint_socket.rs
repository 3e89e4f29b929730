//! How a second process finds the practice service of the first: it asks at a socket in the practice folder, which
//! only the person's own account can reach. Nothing secret is written to the disk.
//!
//! A process that asked keeps its connection while it needs the service: the first process, when it ends, waits a
//! moment for these clients. Without that a command would now and then be sent to a service that has just ended.

use std::path::Path;

use bordereau_desk::PracticeEndpoint;

use crate::practice::RunningEndpoint;

#[cfg(unix)]
pub(crate) use unix::{EndpointClient, EndpointServer, find_endpoint};

#[cfg(not(unix))]
pub(crate) use none::{EndpointClient, EndpointServer, find_endpoint};

/// The socket inside of the practice folder.
#[cfg(unix)]
const SOCKET: &str = "practice.socket";

#[cfg(unix)]
mod unix {
    use std::io::{Read, Write};
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::net::UnixStream;
    use std::path::PathBuf;
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use serde_json::{Value, json};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::UnixListener;
    use tokio::task::JoinHandle;

    use super::{Path, PracticeEndpoint, RunningEndpoint, SOCKET, is_on_this_computer};

    /// How long the other process may take.
    const PATIENCE: Duration = Duration::from_secs(2);
    /// Pause between two checks for connected clients.
    const LOOK_EVERY: Duration = Duration::from_millis(20);
    /// Bytes of an answer: a certificate and a few words.
    const ANSWER_MAX: u64 = 64 * 1024;

    /// Answers as long as it is held.
    pub(crate) struct EndpointServer {
        path: PathBuf,
        task: JoinHandle<()>,
        /// Its count says how many clients are connected.
        clients: Arc<()>,
    }

    impl EndpointServer {
        /// Opens the socket in the folder, which this process has locked.
        pub(crate) fn open(folder: &Path, endpoint: &RunningEndpoint) -> Option<EndpointServer> {
            let path = folder.join(SOCKET);
            // A socket that is there is left over: the folder is locked by this process.
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
            let endpoint = endpoint.clone();
            let clients = Arc::new(());
            let counted = Arc::clone(&clients);
            let task = tokio::spawn(async move {
                while let Ok((mut stream, _)) = listener.accept().await {
                    let (answer, client) = (as_json(&endpoint.now()).to_string(), Arc::clone(&counted));
                    tokio::spawn(async move {
                        let answering = async {
                            stream.write_all(answer.as_bytes()).await?;
                            stream.shutdown().await
                        };
                        if let Ok(Ok(())) = tokio::time::timeout(PATIENCE, answering).await {
                            // Nothing more is sent; the end of the stream says that the client is done.
                            let _ = stream.read(&mut [0]).await;
                        }
                        drop(client);
                    });
                }
            });
            Some(EndpointServer { path, task, clients })
        }

        /// Accepts no more connections, and waits for the open ones, though not forever.
        pub(crate) async fn close(self, patience: Duration) {
            self.task.abort();
            let _ = std::fs::remove_file(&self.path);
            let asked = Instant::now();
            // One is the server's own; the task that accepts clients has another until it has ended.
            while Arc::strong_count(&self.clients) > 1 && asked.elapsed() < patience {
                tokio::time::sleep(LOOK_EVERY).await;
            }
        }
    }

    impl Drop for EndpointServer {
        fn drop(&mut self) {
            self.task.abort();
            let _ = std::fs::remove_file(&self.path);
        }
    }

    /// A connected client: the service stays, as far as it can, until this is dropped.
    pub(crate) struct EndpointClient {
        _stream: UnixStream,
    }

    /// Where the service of the folder's process answers; `None` when no process answers.
    pub(crate) fn find_endpoint(folder: &Path) -> Option<(PracticeEndpoint, EndpointClient)> {
        let mut stream = UnixStream::connect(folder.join(SOCKET)).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        stream.flush().ok()?;
        let mut text = String::new();
        (&mut stream).take(ANSWER_MAX).read_to_string(&mut text).ok()?;
        Some((from_json(&serde_json::from_str(&text).ok()?)?, EndpointClient { _stream: stream }))
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
        // The key is sent to this address: it must be on this computer, whatever answered at the socket.
        if !is_on_this_computer(&text("base_url")?) {
            return None;
        }
        Some(PracticeEndpoint {
            base_url: text("base_url")?,
            ca_pem: text("ca_pem")?,
            api_key: text("api_key")?,
            username: text("username")?,
            password: text("password")?,
        })
    }
}

/// Whether an address is `https:` to a loopback address.
#[cfg(unix)]
fn is_on_this_computer(base_url: &str) -> bool {
    let Ok(url) = reqwest::Url::parse(base_url) else { return false };
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let local = host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    url.scheme() == "https" && (local || host == "localhost")
}

#[cfg(not(unix))]
mod none {
    use std::time::Duration;

    use super::{Path, PracticeEndpoint, RunningEndpoint};

    /// Not available on this system: a second process gets an error.
    pub(crate) struct EndpointServer;

    impl EndpointServer {
        pub(crate) fn open(_folder: &Path, _endpoint: &RunningEndpoint) -> Option<EndpointServer> {
            None
        }

        pub(crate) async fn close(self, _patience: Duration) {}
    }

    /// Not available on this system.
    pub(crate) struct EndpointClient;

    pub(crate) fn find_endpoint(_folder: &Path) -> Option<(PracticeEndpoint, EndpointClient)> {
        None
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::Duration;

    use super::{EndpointServer, PracticeEndpoint, RunningEndpoint, find_endpoint, is_on_this_computer};

    #[test]
    fn a_key_goes_to_this_computer_alone() {
        for (base_url, expected) in [
            ("https://127.0.0.1:4000", true),
            ("https://[::1]:4000", true),
            ("https://localhost:4000", true),
            ("http://127.0.0.1:4000", false),
            ("https://evil.example", false),
            ("https://127.0.0.1.evil.example", false),
            ("https://10.0.0.1", false),
            ("", false),
        ] {
            assert_eq!(is_on_this_computer(base_url), expected, "{base_url}");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_connected_client_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let endpoint = PracticeEndpoint {
            base_url: "https://127.0.0.1:1".into(),
            ca_pem: String::new(),
            api_key: "key".into(),
            username: String::new(),
            password: String::new(),
        };
        let server = EndpointServer::open(folder.path(), &RunningEndpoint::fixed(endpoint.clone())).unwrap();
        let path = folder.path().to_owned();
        let (found, client) =
            tokio::task::spawn_blocking(move || find_endpoint(&path)).await.unwrap().unwrap();
        assert_eq!(found.base_url, endpoint.base_url);
        let closing = tokio::spawn(server.close(Duration::from_secs(60)));
        while folder.path().join("practice.socket").exists() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert!(find_endpoint(folder.path()).is_none(), "no more clients are accepted");
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert!(!closing.is_finished(), "a client is connected");
        drop(client);
        tokio::time::timeout(Duration::from_secs(30), closing).await.unwrap().unwrap();
    }
}
