//! Upkeep while Bordereau is open: checks the data file each week, makes a backup each day, and removes old copies
//! and data that profiles no longer keep.

use std::time::Duration;

use bordereau_api::BoundaryError;
use bordereau_store::backup::remove_old_copies;
use bordereau_store::stored_files::remove_unused_files;
use bordereau_store::{FolderLock, ValueName};
use chrono::DateTime;

use super::backup_folder::BackupFolder;
use super::{check_whole, make_backup};
use crate::Context;
use crate::retention::apply_retention;

/// Let the window start first.
const AFTER_START: Duration = Duration::from_secs(20);
const EVERY: Duration = Duration::from_secs(3_600);
const DAYS_BETWEEN_CHECKS: i64 = 7;
/// How long stores replaced by an update or a restore are kept.
const OLD_COPIES: Duration = Duration::from_secs(30 * 24 * 3_600);
const LOCK: &str = "backups.lock";

/// Starts it unless it runs.
pub fn ensure_upkeep(ctx: &Context) {
    if ctx.is_at_work() && ctx.store().write_obstacle().is_none() {
        ctx.ensure_running("upkeep", run_upkeep);
    }
}

async fn run_upkeep(ctx: Context) {
    tokio::time::sleep(AFTER_START).await;
    loop {
        if let Err(error) = run_upkeep_once(&ctx).await {
            tracing::warn!(%error, "the daily backup or the weekly check failed");
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// Does whatever is due now, in one process at a time.
pub async fn run_upkeep_once(ctx: &Context) -> Result<(), BoundaryError> {
    let lock = FolderLock::new(ctx.store().folder().to_owned(), LOCK);
    let Some(held) = lock.try_acquire() else { return Ok(()) };
    let now = ctx.ports().clock.now();
    let checked = ctx.store().load_value::<String>(ValueName::CheckedAt).await?;
    let checked = checked.and_then(|(at, _)| DateTime::parse_from_rfc3339(&at).ok());
    if checked.is_none_or(|at| (now.to_utc() - at.to_utc()).num_days().abs() >= DAYS_BETWEEN_CHECKS) {
        check_whole(ctx).await?;
    }
    if !BackupFolder::new(ctx.store().folder()).has_backup_of(now) {
        make_backup(ctx).await?;
    }
    apply_retention(ctx).await?;
    remove_unused_files(ctx.store()).await?;
    // Only once there is a backup: until then an old copy may be the only one.
    let folder = ctx.store().folder().to_owned();
    let _ = tokio::task::spawn_blocking(move || remove_old_copies(&folder, OLD_COPIES)).await;
    drop(held);
    Ok(())
}
