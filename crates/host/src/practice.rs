//! The practice service inside the process: started on first use, stopped with its owner.

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bordereau_desk::{BoxFuture, PracticeAction, PracticeAnswer, PracticeEndpoint, PracticePort};
use bordereau_service::{RunningService, ServiceConfig, StartError, StoreError, start_service};
use parking_lot::Mutex;
use tokio::sync::{oneshot, watch};

use crate::endpoint_file::{self, EndpointClient, EndpointFile};
use crate::practice_actions;

/// The practice service on a thread and runtime of its own, on a port of 127.0.0.1 chosen by the system. Key and
/// password are new at each start and exist in memory only.
///
/// Two processes can use one data folder (the window, and a command beside it). The folder belongs to the first; the
/// second connects to the first one's service, so that both see the same transactions. When the first has ended, the
/// second starts its own service in the folder.
pub struct InProcessPractice {
    folder: Option<PathBuf>,
    /// The endpoint of this process's own service.
    state: tokio::sync::Mutex<Option<RunningEndpoint>>,
    thread: Mutex<Option<ServiceThread>>,
    /// Since when this process has used another process's service.
    connected: Mutex<Option<Instant>>,
}

/// Endpoint of a running service, with its current key.
#[derive(Clone)]
struct RunningEndpoint {
    endpoint: PracticeEndpoint,
    api_key: watch::Receiver<String>,
}

impl RunningEndpoint {
    fn of_service(running: &RunningService) -> RunningEndpoint {
        RunningEndpoint { endpoint: endpoint_of(running), api_key: running.practice_controls().api_key() }
    }

    fn now(&self) -> PracticeEndpoint {
        PracticeEndpoint { api_key: self.api_key.borrow().clone(), ..self.endpoint.clone() }
    }
}

struct ServiceThread {
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl InProcessPractice {
    /// Stores its accounts and certificate authority in this folder; `None` keeps everything in memory.
    pub fn new(folder: Option<PathBuf>) -> InProcessPractice {
        InProcessPractice {
            folder,
            state: tokio::sync::Mutex::new(None),
            thread: Mutex::new(None),
            connected: Mutex::new(None),
        }
    }

    /// Ends the service after open requests are answered. Dropping this does the same.
    pub fn stop(&self) {
        let running = self.thread.lock().take();
        if let Some(ServiceThread { stop, thread }) = running {
            // If it has ended already, that is fine.
            let _ = stop.send(());
            if thread.join().is_err() {
                tracing::error!("the practice service panicked");
            }
        }
    }

    /// Starts its own service; `None` while the folder belongs to another process.
    async fn start_own(&self) -> Result<Option<RunningEndpoint>, String> {
        let (stop, stopped) = oneshot::channel();
        let (ready, started) = oneshot::channel();
        let folder = self.folder.clone();
        let thread = std::thread::Builder::new()
            .name("practice service".into())
            .spawn(move || run_service(folder, ready, stopped))
            .map_err(|error| format!("{error}."))?;
        *self.thread.lock() = Some(ServiceThread { stop, thread });
        started.await.unwrap_or_else(|_| Err("it ended while it was starting.".into()))
    }
}

impl InProcessPractice {
    /// The endpoint of another process's service for this folder.
    async fn endpoint_elsewhere(&self) -> Option<PracticeEndpoint> {
        let folder = self.folder.clone()?;
        let (endpoint, client) =
            tokio::task::spawn_blocking(move || endpoint_file::find_endpoint(&folder)).await.ok()??;
        self.stay_connected(client);
        Some(endpoint)
    }

    /// Stays connected to the other process for a while; each call prolongs it.
    fn stay_connected(&self, client: EndpointClient) {
        let mut connected = self.connected.lock();
        if connected.is_some_and(|since: Instant| since.elapsed() < STAY / 2) {
            return;
        }
        *connected = Some(Instant::now());
        tokio::spawn(async move {
            tokio::time::sleep(STAY).await;
            drop(client);
        });
    }
}

impl PracticePort for InProcessPractice {
    fn endpoint(&self) -> BoxFuture<'_, Result<PracticeEndpoint, String>> {
        Box::pin(async move {
            // Locked while starting: every other call waits for the same start.
            let mut state = self.state.lock().await;
            if let Some(endpoint) = &*state {
                return Ok(endpoint.now());
            }
            // Checked each time: the other process may have ended meanwhile, or may be starting.
            let asked = Instant::now();
            loop {
                if let Some(endpoint) = self.endpoint_elsewhere().await {
                    return Ok(endpoint);
                }
                if let Some(endpoint) = self.start_own().await? {
                    let now = endpoint.now();
                    *state = Some(endpoint);
                    return Ok(now);
                }
                if asked.elapsed() > STARTING {
                    return Err(NOT_FOUND.into());
                }
                tokio::time::sleep(AGAIN).await;
            }
        })
    }

    fn perform_action(&self, action: PracticeAction) -> BoxFuture<'_, Result<PracticeAnswer, String>> {
        Box::pin(async move { practice_actions::perform_action(&self.endpoint().await?, &action).await })
    }
}

/// Time for another process to start its service.
const STARTING: Duration = Duration::from_secs(10);
/// How long a client stays connected after asking for the endpoint: longer than a request takes.
const STAY: Duration = Duration::from_secs(3);
/// How long an ending process waits for its clients.
const CLIENTS_WITHIN: Duration = Duration::from_secs(4);
const AGAIN: Duration = Duration::from_millis(100);
const NOT_FOUND: &str = "Another Bordereau on this computer uses the practice data and does not say where its practice \
                         service answers. Close it, and try again.";

impl Drop for InProcessPractice {
    fn drop(&mut self) {
        self.stop();
    }
}

type Ready = oneshot::Sender<Result<Option<RunningEndpoint>, String>>;

fn run_service(folder: Option<PathBuf>, ready: Ready, mut stopped: oneshot::Receiver<()>) {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            drop(ready.send(Err(format!("{error}."))));
            return;
        }
    };
    runtime.block_on(async {
        match start_on_loopback(folder.clone()).await {
            Ok(running) => {
                tracing::info!(base_url = running.base_url, "practice service started");
                let mut endpoint = RunningEndpoint::of_service(&running);
                let file =
                    folder.and_then(|folder| warn_unfound(EndpointFile::write(&folder, &endpoint.now())));
                drop(ready.send(Ok(Some(endpoint.clone()))));
                loop {
                    tokio::select! {
                        // An error means that the owner is gone: stop as well.
                        _ = &mut stopped => break,
                        Ok(()) = endpoint.api_key.changed() => {
                            file.as_ref().and_then(|file| warn_unfound(file.replace(&endpoint.now())));
                        }
                    }
                }
                // New clients don't find a service that is about to end; connected ones may finish.
                if let Some(file) = file {
                    file.close(CLIENTS_WITHIN).await;
                }
                running.stop().await;
                tracing::info!("practice service stopped");
            }
            Err(StartError::InUse(_)) => drop(ready.send(Ok(None))),
            Err(error) => drop(ready.send(Err(start_failure_text(&error, folder.as_deref())))),
        }
    });
}

fn warn_unfound<T>(done: std::io::Result<T>) -> Option<T> {
    done.inspect_err(|error| tracing::warn!(%error, "other processes cannot find the practice service")).ok()
}

/// Why the service didn't start, with advice where the data is the cause.
fn start_failure_text(error: &StartError, folder: Option<&Path>) -> String {
    match (error, folder) {
        (StartError::Listen(_) | StartError::Store(StoreError::NewerData { .. }), _) | (_, None) => {
            format!("{error}.")
        }
        (_, Some(folder)) => format!(
            "{error}. Its data is in {}. If the disk is full or read-only, free space or allow writing; if the data is damaged, moving that folder away starts over, with nothing sent.",
            folder.display()
        ),
    }
}

async fn start_on_loopback(folder: Option<PathBuf>) -> Result<RunningService, StartError> {
    start_service(bind_loopback()?, ServiceConfig { data_dir: folder, ..ServiceConfig::default() }).await
}

fn bind_loopback() -> Result<TcpListener, StartError> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(StartError::Listen)
}

fn endpoint_of(running: &RunningService) -> PracticeEndpoint {
    PracticeEndpoint {
        base_url: running.base_url.clone(),
        ca_pem: running.ca_pem.clone(),
        api_key: running.api_key.clone(),
        username: running.username.clone(),
        password: running.password.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_second_process_uses_the_service_of_the_first_until_that_ends() {
        let folder = tempfile::tempdir().unwrap();
        let first = InProcessPractice::new(Some(folder.path().to_owned()));
        let second = InProcessPractice::new(Some(folder.path().to_owned()));
        let own = first.endpoint().await.unwrap();
        let found = second.endpoint().await.unwrap();
        assert_eq!((&found.base_url, &found.api_key), (&own.base_url, &own.api_key));
        let Ok(PracticeAnswer::Key { api_key }) = first.perform_action(PracticeAction::NewKey).await else {
            panic!("no new key");
        };
        while second.endpoint().await.unwrap().api_key != api_key {
            tokio::time::sleep(AGAIN).await;
        }

        first.stop();
        let own = second.endpoint().await.unwrap();
        assert_ne!(own.base_url, found.base_url);
        let third = InProcessPractice::new(Some(folder.path().to_owned()));
        assert_eq!(third.endpoint().await.unwrap().base_url, own.base_url);
    }
}
