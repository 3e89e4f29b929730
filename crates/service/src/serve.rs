//! The service as its own process (`bordereau serve`).

use std::net::SocketAddr;

use crate::{RunningService, ServiceConfig, StartError, start_service};

/// Listens on `listen`, calls `ready` once it answers, and runs until Ctrl-C or a termination signal.
///
/// # Errors
/// [`StartError`] when it does not start; once started it ends cleanly.
pub async fn run_service(
    listen: SocketAddr,
    config: ServiceConfig,
    ready: impl FnOnce(&RunningService),
) -> Result<(), StartError> {
    let listener = std::net::TcpListener::bind(listen).map_err(StartError::Listen)?;
    // Before `ready`: whoever reads its line may send the signal at once.
    let ended = EndSignal::new()?;
    let running = start_service(listener, config).await?;
    ready(&running);
    ended.wait().await;
    running.stop().await;
    Ok(())
}

#[cfg(unix)]
struct EndSignal {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl EndSignal {
    fn new() -> Result<EndSignal, StartError> {
        use tokio::signal::unix::{SignalKind, signal};
        let listen_for = |kind| signal(kind).map_err(StartError::Listen);
        Ok(EndSignal {
            interrupt: listen_for(SignalKind::interrupt())?,
            terminate: listen_for(SignalKind::terminate())?,
        })
    }

    async fn wait(mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct EndSignal;

#[cfg(not(unix))]
impl EndSignal {
    fn new() -> Result<EndSignal, StartError> {
        Ok(EndSignal)
    }

    async fn wait(self) {
        if let Err(error) = tokio::signal::ctrl_c().await {
            tracing::error!(%error, "cannot wait for Ctrl-C");
        }
    }
}
