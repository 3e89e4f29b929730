//! Installs a newer version: downloads and checks it, stops sending, backs up the data, and starts the installation.

use std::fs::File;
use std::time::Duration;

use bordereau_api::{BoundaryError, ErrorCode, InstallUpdate, Nothing};
use bordereau_documents as documents;
use bordereau_outbox as outbox;
use bordereau_session::{Context, backup, updates};
use bordereau_store::FolderLock;

use crate::Desk;

/// Time for a request that is being sent to end.
const REST_WITHIN: Duration = Duration::from_secs(60);
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// While this exists, no program sends from this data folder.
struct SendingRest {
    desk: Desk,
    locks: Vec<File>,
    lasts: bool,
}

impl SendingRest {
    /// Waits until requests that are being sent have ended.
    async fn begin(ctx: &Context) -> Result<SendingRest, BoundaryError> {
        let mut rest = SendingRest { desk: Desk { context: ctx.clone() }, locks: Vec::new(), lasts: false };
        ctx.rest_from_work();
        outbox::Outbox::from_context(ctx).wake();
        documents::UploadWorker::from_context(ctx).wake();
        let folder = ctx.store().folder();
        let until = tokio::time::Instant::now() + REST_WITHIN;
        for name in [outbox::LOCK, documents::UPLOADS_LOCK] {
            let lock = FolderLock::new(folder.to_owned(), name);
            loop {
                if let Some(held) = lock.try_acquire() {
                    rest.locks.push(held);
                    break;
                }
                if tokio::time::Instant::now() > until {
                    return Err(BoundaryError::with_code(
                        ErrorCode::Validation,
                        "Something is still being sent. Nothing was installed; try again once it is sent.",
                    ));
                }
                tokio::time::sleep(LOOK_EVERY).await;
            }
        }
        Ok(rest)
    }

    /// Keeps sending stopped until this program ends.
    fn keep_until_exit(mut self) {
        self.lasts = true;
        self.locks.drain(..).for_each(std::mem::forget);
    }
}

impl Drop for SendingRest {
    /// Resumes sending, unless it was stopped until exit.
    fn drop(&mut self) {
        if !self.lasts {
            self.locks.clear();
            self.desk.start_work();
        }
    }
}

/// Has the system install a newer version in place of this one, and closes this program. The data is backed up
/// first, and nothing is sent meanwhile; the new version sends what waits.
///
/// # Errors
/// [`ErrorCode::Validation`] says why it isn't installed; errors of the network and of writing. After an error
/// everything continues as before.
pub async fn updates_install(ctx: &Context, request: InstallUpdate) -> Result<Nothing, BoundaryError> {
    let package = updates::fetch_package(ctx, &request.version).await?;
    let rest = SendingRest::begin(ctx).await?;
    backup::backup_make(ctx, Nothing {}).await?;
    tracing::info!(version = request.version, "a newer version is installed");
    let installed = ctx.ports().browser.install_package(&package).await;
    installed.map_err(|why| BoundaryError::with_code(ErrorCode::Validation, why))?;
    rest.keep_until_exit();
    Ok(Nothing {})
}
