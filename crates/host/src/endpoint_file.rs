//! How a second process finds the practice service of the first: through a file in the practice folder, which only
//! the person's account can read. Its key is made at each start, and gives access to invented filings only.
//!
//! A process that uses the service holds a lock meanwhile; the first process waits briefly for these clients when it
//! ends. Otherwise a command could be sent to a service that has just ended.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bordereau_desk::PracticeEndpoint;
use bordereau_sealing::private_files::replace_private_file;
use serde_json::{Value, json};

/// Time for the other process to accept a connection.
const PATIENCE: Duration = Duration::from_secs(2);
/// Pause between two checks for clients.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Bytes of the file: a certificate and a few words.
const FILE_MAX: u64 = 64 * 1024;

/// The file of a running service, removed when this is dropped.
pub(crate) struct EndpointFile {
    path: PathBuf,
    clients: File,
}

impl EndpointFile {
    /// Writes the file into the folder, which this process has locked.
    pub(crate) fn write(folder: &Path, endpoint: &PracticeEndpoint) -> std::io::Result<EndpointFile> {
        let file = EndpointFile { path: endpoint_path(folder), clients: open_clients_lock(folder)? };
        file.replace(endpoint)?;
        Ok(file)
    }

    /// Writes the file again after the key changed.
    pub(crate) fn replace(&self, endpoint: &PracticeEndpoint) -> std::io::Result<()> {
        let draft = self.path.with_extension("new");
        replace_private_file(&draft)?.write_all(as_json(endpoint).to_string().as_bytes())?;
        std::fs::rename(&draft, &self.path)
    }

    /// Removes the file, and waits for the clients, though not forever.
    pub(crate) async fn close(self, patience: Duration) {
        let _ = std::fs::remove_file(&self.path);
        let asked = Instant::now();
        while matches!(self.clients.try_lock(), Err(TryLockError::WouldBlock)) && asked.elapsed() < patience {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }
}

impl Drop for EndpointFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// A client of the service: while this exists, the other process tries to keep the service.
pub(crate) struct EndpointClient {
    _clients: File,
}

/// The endpoint of the service that another process runs for this folder; `None` when none answers.
pub(crate) fn find_endpoint(folder: &Path) -> Option<(PracticeEndpoint, EndpointClient)> {
    let clients = open_clients_lock(folder).ok()?;
    if matches!(clients.try_lock_shared(), Err(TryLockError::WouldBlock)) {
        return None;
    }
    let mut text = String::new();
    File::open(endpoint_path(folder)).ok()?.take(FILE_MAX).read_to_string(&mut text).ok()?;
    let endpoint = from_json(&serde_json::from_str(&text).ok()?)?;
    // The key is sent to this address, so it must be on this computer. After a process was killed, nothing answers.
    TcpStream::connect_timeout(&loopback_address(&endpoint.base_url)?, PATIENCE).ok()?;
    Some((endpoint, EndpointClient { _clients: clients }))
}

fn endpoint_path(folder: &Path) -> PathBuf {
    folder.join("practice.endpoint")
}

/// Clients share this file's lock; the ending process takes it exclusively.
fn open_clients_lock(folder: &Path) -> std::io::Result<File> {
    OpenOptions::new()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .open(folder.join("practice.clients"))
}

/// The address of an `https:` service on this computer.
fn loopback_address(base_url: &str) -> Option<SocketAddr> {
    let url = reqwest::Url::parse(base_url).ok().filter(|url| url.scheme() == "https")?;
    let host: IpAddr = url.host_str()?.trim_matches(['[', ']']).parse().ok()?;
    host.is_loopback().then(|| SocketAddr::new(host, url.port_or_known_default().unwrap_or_default()))
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

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    fn endpoint(base_url: String) -> PracticeEndpoint {
        let (ca_pem, username, password) = Default::default();
        PracticeEndpoint { base_url, ca_pem, api_key: "key".into(), username, password }
    }

    #[test]
    fn a_key_goes_to_this_computer_alone() {
        for (base_url, expected) in [
            ("https://127.0.0.1:4000", true),
            ("https://[::1]:4000", true),
            ("http://127.0.0.1:4000", false),
            ("https://localhost:4000", false),
            ("https://evil.example", false),
            ("https://127.0.0.1.evil.example", false),
            ("https://10.0.0.1", false),
            ("", false),
        ] {
            assert_eq!(loopback_address(base_url).is_some(), expected, "{base_url}");
        }
    }

    #[tokio::test]
    async fn a_client_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = endpoint(format!("https://{}", listener.local_addr().unwrap()));
        let file = EndpointFile::write(folder.path(), &endpoint).unwrap();
        let (found, client) = find_endpoint(folder.path()).unwrap();
        assert_eq!(found.base_url, endpoint.base_url);
        let closing = tokio::spawn(file.close(Duration::from_secs(60)));
        while endpoint_path(folder.path()).exists() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert!(find_endpoint(folder.path()).is_none(), "no more clients are accepted");
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert!(!closing.is_finished(), "there is a client");
        drop(client);
        tokio::time::timeout(Duration::from_secs(30), closing).await.unwrap().unwrap();
    }

    #[test]
    fn the_file_of_a_killed_process_names_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = endpoint(format!("https://{}", listener.local_addr().unwrap()));
        std::mem::forget(EndpointFile::write(folder.path(), &endpoint).unwrap());
        drop(listener);
        assert!(find_endpoint(folder.path()).is_none());
    }

    #[cfg(unix)]
    #[test]
    fn only_its_owner_reads_the_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let _file = EndpointFile::write(folder.path(), &endpoint("https://127.0.0.1:1".into())).unwrap();
        let mode = std::fs::metadata(endpoint_path(folder.path())).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
