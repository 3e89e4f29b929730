//! `bordereau import --watch`: imports each new file of a folder, the same content once.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bordereau_desk::{Desk, FolderLook, FolderWatch, WATCH_EVERY, WatchedContent};
use bordereau_host::wait_for_shutdown;
use tokio::time::{Instant, sleep};

use crate::exit::CommandExit;
use crate::import::import_files;
use crate::import_arguments::ImportArguments;
use crate::shared_arguments::GlobalArgs;
use crate::{log, open_desk, output};

/// Pause before a file is tried again after the service, the network or this computer failed.
const TRY_AGAIN: std::time::Duration = std::time::Duration::from_secs(60);

/// Watches until the command is stopped; with `--once` until every file in the folder was read.
pub(crate) async fn run_watch(
    place: &GlobalArgs,
    asked: &ImportArguments,
    folder: &Path,
) -> Result<(), CommandExit> {
    if !folder.is_dir() {
        return Err(CommandExit::usage_error(format!("{} is not a folder", folder.display())));
    }
    log::log_line(&format!("Watching {}; nothing in it is moved or changed", folder.display()));
    tokio::select! {
        ended = watch_folder(place, asked, FolderWatch::new(folder.to_owned())) => ended,
        () = wait_for_shutdown() => Ok(()),
    }
}

async fn watch_folder(
    place: &GlobalArgs,
    asked: &ImportArguments,
    mut watch: FolderWatch,
) -> Result<(), CommandExit> {
    let mut failed: Vec<(PathBuf, Instant)> = Vec::new();
    let mut outcome = Ok(());
    loop {
        let (back, look) = look_at(watch).await?;
        watch = back;
        for remark in &look.remarks {
            log::log_line(remark);
        }
        for path in &look.arrived {
            let ended = take_file(place, asked, path).await;
            if let Err(error) = ended {
                log::log_line(&format!("{}: {}", path.display(), error.line()));
                if error.is_failed() {
                    failed.push((path.clone(), Instant::now() + TRY_AGAIN));
                }
                outcome = Err(error);
            }
        }
        if asked.once && look.waiting == 0 {
            return outcome;
        }
        sleep(WATCH_EVERY).await;
        failed.retain(|(path, at)| {
            let is_due = *at <= Instant::now();
            if is_due {
                watch.try_again(path);
            }
            !is_due
        });
    }
}

/// Runs in the background: a network folder may be slow.
async fn look_at(mut watch: FolderWatch) -> Result<(FolderWatch, FolderLook), CommandExit> {
    let looked = tokio::task::spawn_blocking(move || {
        let look = watch.look();
        (watch, look)
    });
    looked.await.map_err(|_| CommandExit::with_failure("the folder could not be looked at"))
}

/// Imports one file in a run of its own. A file that failed for a temporary reason isn't remembered as read.
async fn take_file(place: &GlobalArgs, asked: &ImportArguments, path: &Path) -> Result<(), CommandExit> {
    let reader = if asked.send.is_some() { "send" } else { "check" };
    let desk = desk_of(place).await?;
    let WatchedContent { file, read_at } = desk.look_up_watched(path.to_owned(), reader).await?;
    if let Some(at) = read_at {
        let at = output::local_time(&at);
        log::log_line(&format!("{}: the same content was read on {at}, so it is not read again", file.name));
        return Ok(());
    }
    log::log_line(&format!("{} arrived", file.name));
    let ended = import_files(place, asked, &[path.to_owned()]).await;
    if ended.as_ref().is_err_and(CommandExit::is_failed) {
        return ended;
    }
    desk.record_watched(file).await?;
    ended
}

async fn desk_of(place: &GlobalArgs) -> Result<Desk, CommandExit> {
    let desk = open_desk::open_desk_to_save(place, Arc::default())?;
    let view = open_desk::find_profile(&desk, place.profile.as_deref()).await?;
    Ok(desk.with_profile(&view.profile.id))
}
