//! The practice service inside the process: started at the first question, stopped with its owner.

use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

use bordereau_desk::{BoxFuture, Practice, PracticeEndpoint};
use bordereau_service::{Config, Running, StartError, start};
use tokio::sync::oneshot;

/// The practice service on a thread and runtime of its own, on a port that the system chooses on
/// 127.0.0.1. Key and password are new at each start and live in memory only.
///
/// Two processes may use one data folder (the window, and a command beside it). The folder belongs to the
/// first; the other one's practice service then keeps all in memory for its run, which is enough for
/// quotes and never ends the first one's keys.
pub struct InProcessPractice {
    folder: Option<PathBuf>,
    state: tokio::sync::Mutex<Option<PracticeEndpoint>>,
    thread: Mutex<Option<ServiceThread>>,
}

struct ServiceThread {
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl InProcessPractice {
    /// Keeps its accounts and certificate authority in this folder; `None` keeps all in memory.
    #[must_use]
    pub fn new(folder: Option<PathBuf>) -> InProcessPractice {
        InProcessPractice { folder, state: tokio::sync::Mutex::new(None), thread: Mutex::new(None) }
    }

    /// Ends the service after open requests are answered. Dropping does the same.
    pub fn stop(&self) {
        let running = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(ServiceThread { stop, thread }) = running {
            // Gone already is as good as stopped.
            let _ = stop.send(());
            if thread.join().is_err() {
                tracing::error!("the practice service panicked");
            }
        }
    }

    async fn start(&self) -> Result<PracticeEndpoint, String> {
        let (stop, stopped) = oneshot::channel();
        let (ready, started) = oneshot::channel();
        let folder = self.folder.clone();
        let thread = std::thread::Builder::new()
            .name("practice service".into())
            .spawn(move || run(folder, ready, stopped))
            .map_err(|error| format!("The practice service cannot be started: {error}."))?;
        *self.thread.lock().unwrap_or_else(PoisonError::into_inner) = Some(ServiceThread { stop, thread });
        started.await.unwrap_or_else(|_| Err("The practice service ended while it was starting.".into()))
    }
}

impl Practice for InProcessPractice {
    fn endpoint(&self) -> BoxFuture<'_, Result<PracticeEndpoint, String>> {
        Box::pin(async move {
            // Held while starting: whoever asks meanwhile waits for the same start.
            let mut state = self.state.lock().await;
            if let Some(endpoint) = &*state {
                return Ok(endpoint.clone());
            }
            let endpoint = self.start().await?;
            *state = Some(endpoint.clone());
            Ok(endpoint)
        })
    }
}

impl Drop for InProcessPractice {
    fn drop(&mut self) {
        self.stop();
    }
}

type Ready = oneshot::Sender<Result<PracticeEndpoint, String>>;

fn run(folder: Option<PathBuf>, ready: Ready, stopped: oneshot::Receiver<()>) {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            drop(ready.send(Err(format!("The practice service cannot be started: {error}."))));
            return;
        }
    };
    runtime.block_on(async {
        match start_on_loopback(folder).await {
            Ok(running) => {
                tracing::info!(base_url = running.base_url, "practice service started");
                drop(ready.send(Ok(endpoint_of(&running))));
                // An error means that the owner is gone: stop as well.
                drop(stopped.await);
                running.stop().await;
                tracing::info!("practice service stopped");
            }
            Err(error) => drop(ready.send(Err(format!("The practice service cannot be started: {error}.")))),
        }
    });
}

async fn start_on_loopback(folder: Option<PathBuf>) -> Result<Running, StartError> {
    match start(loopback()?, Config { data_dir: folder, ..Config::default() }).await {
        Err(StartError::InUse(_)) => {
            tracing::info!("another process uses the practice data; keeping this run's in memory");
            start(loopback()?, Config::default()).await
        }
        other => other,
    }
}

fn loopback() -> Result<TcpListener, StartError> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(StartError::Listen)
}

fn endpoint_of(running: &Running) -> PracticeEndpoint {
    PracticeEndpoint {
        base_url: running.base_url.clone(),
        ca_pem: running.ca_pem.clone(),
        api_key: running.api_key.clone(),
        username: running.username.clone(),
        password: running.password.clone(),
    }
}
