//! The folder that the window watches: a new file becomes a draft and is announced, and is never sent by itself.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bordereau_api::{BoundaryError, Nothing, ReviewStage, WatchView, WatchedArrival};
use bordereau_session::Context;
use bordereau_store::ValueName;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::load::{Input, start_review};
use super::operations::{review_close, review_state};
use super::slots::blocking;
use super::watched_folder::{FolderWatch, SeenName, WatchedContent, look_up_watched, record_watched};

/// What the window is in the list of files that were read.
const READER: &str = "window";
/// New files that are announced.
const ARRIVALS_MAX: usize = 20;

/// What is remembered of the folder while the program is closed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct StoredWatch {
    folder: PathBuf,
    /// Files that are no news.
    seen: Vec<SeenName>,
}

/// What is shown in the window.
#[derive(Debug, Default)]
struct WatchNews(Mutex<WatchView>);

impl WatchNews {
    fn of(ctx: &Context) -> Arc<WatchNews> {
        ctx.feature_state(|_| WatchNews::default())
    }

    fn add_arrival(&self, name: &str, outcome: Result<String, String>) {
        let mut view = self.0.lock();
        let number = view.arrivals.first().map_or(1, |newest| newest.number + 1);
        let (review, problem) = match outcome {
            Ok(review) => (review, String::new()),
            Err(problem) => (String::new(), problem),
        };
        view.arrivals.insert(0, WatchedArrival { number, name: name.to_owned(), review, problem });
        view.arrivals.truncate(ARRIVALS_MAX);
    }
}

/// Watches from now on, while the program runs, whatever folder is chosen.
pub fn begin_watch(ctx: &Context, look_every: Duration) {
    ctx.ensure_running("watched folder", move |ctx| async move {
        let mut watch = None;
        loop {
            if let Err(error) = look_once(&ctx, &mut watch).await {
                WatchNews::of(&ctx).0.lock().remark = error.message;
            }
            tokio::time::sleep(look_every).await;
        }
    });
}

/// What is watched, and what came of it.
///
/// # Errors
/// None of its own.
pub async fn watch_state(ctx: &Context, _request: Nothing) -> Result<WatchView, BoundaryError> {
    let folder = stored_watch(ctx).await?.map(|stored| folder_name(&stored.folder)).unwrap_or_default();
    Ok(WatchView { folder, ..WatchNews::of(ctx).0.lock().clone() })
}

/// Asks for a folder and watches it; what is in it already is no news.
///
/// # Errors
/// None of its own.
pub async fn watch_choose(ctx: &Context, _request: Nothing) -> Result<WatchView, BoundaryError> {
    let title = "Choose the folder to watch for new spreadsheets".to_owned();
    if let Some(folder) = ctx.ports().dialogs.open_folder(title).await {
        let seen = blocking({
            let folder = folder.clone();
            move || FolderWatch::new(folder).names_there()
        });
        store_watch(ctx, Some(StoredWatch { seen: seen.await?, folder })).await?;
        WatchNews::of(ctx).0.lock().remark.clear();
    }
    watch_state(ctx, Nothing {}).await
}

/// Watches no folder any more.
///
/// # Errors
/// None of its own.
pub async fn watch_end(ctx: &Context, _request: Nothing) -> Result<WatchView, BoundaryError> {
    store_watch(ctx, None).await?;
    WatchNews::of(ctx).0.lock().remark.clear();
    watch_state(ctx, Nothing {}).await
}

/// Looks at the folder once; new files become drafts.
async fn look_once(ctx: &Context, watch: &mut Option<FolderWatch>) -> Result<(), BoundaryError> {
    let Some(stored) = stored_watch(ctx).await? else {
        *watch = None;
        return Ok(());
    };
    let is_same = |watch: &FolderWatch| watch.folder() == stored.folder;
    let mut looking = watch
        .take()
        .filter(is_same)
        .unwrap_or_else(|| FolderWatch::after(stored.folder.clone(), stored.seen.clone()));
    let (looked, look) = blocking(move || {
        let look = looking.look();
        (looking, look)
    })
    .await?;
    if let Some(remark) = look.remarks.last() {
        WatchNews::of(ctx).0.lock().remark.clone_from(remark);
    }
    for path in &look.arrived {
        let outcome = take_arrival(ctx, path).await.map_err(|error| error.message);
        if let Some(outcome) = outcome.transpose() {
            WatchNews::of(ctx).add_arrival(&folder_name(path), outcome);
        }
    }
    if !look.arrived.is_empty() {
        let seen = looked.names_done();
        // Another folder may have been chosen meanwhile.
        if stored_watch(ctx).await?.is_some_and(|now| now.folder == stored.folder) {
            store_watch(ctx, Some(StoredWatch { seen, ..stored })).await?;
        }
    }
    *watch = Some(looked);
    Ok(())
}

/// Makes a draft of a file; `None` where one of the same content was read before.
async fn take_arrival(ctx: &Context, path: &Path) -> Result<Option<String>, BoundaryError> {
    let WatchedContent { file, read_at } = look_up_watched(ctx, path.to_owned(), READER).await?;
    if read_at.is_some() {
        return Ok(None);
    }
    let mut view = start_review(ctx, Input::File(path.to_owned())).await?;
    let id = bordereau_api::ReviewId { id: view.id.clone() };
    while view.stage == ReviewStage::Reading {
        view = review_state(ctx, id.clone()).await?;
    }
    // What this computer could not do now is tried again.
    if !view.refused_for_now {
        record_watched(ctx, file).await?;
    }
    if let Some(why) = view.refusal {
        review_close(ctx, id).await?;
        return Err(BoundaryError::with_code(bordereau_api::ErrorCode::Validation, why));
    }
    Ok(Some(view.id))
}

fn folder_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

async fn stored_watch(ctx: &Context) -> Result<Option<StoredWatch>, BoundaryError> {
    let stored = ctx.store().load_value::<Option<StoredWatch>>(ValueName::WatchedFolder).await?;
    Ok(stored.and_then(|(stored, _)| stored))
}

async fn store_watch(ctx: &Context, watch: Option<StoredWatch>) -> Result<(), BoundaryError> {
    Ok(ctx.store().save_value(ValueName::WatchedFolder, &watch, ctx.now_text()).await?)
}
