//! The indexes of the profiles: opened once, shared by everybody who reads or refreshes them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use bordereau_api::{BoundaryError, Profile};
use bordereau_contract::TransactionRecord;
use bordereau_session::ports::BoxFuture;
use bordereau_session::profile::active_profile;
use bordereau_session::{Context, run_off_thread};
use parking_lot::{Mutex, MutexGuard};

use crate::export_watch::RunningExport;
use crate::index::ProfileIndex;
use crate::record_reading::RecordReading;
use crate::refresh_job::RefreshJob;

/// What looks at records that a refresh read, beside what was known of them before; events are found so.
pub type ReadObserver = for<'a> fn(
    &'a Context,
    &'a Profile,
    &'a [TransactionRecord],
    &'a [TransactionRecord],
) -> BoxFuture<'a, Result<(), BoundaryError>>;

/// From now on this looks at the records that a refresh read.
pub fn observe_reads(ctx: &Context, observer: ReadObserver) {
    let _ = TransactionIndexes::from_context(ctx).observer.set(observer);
}

/// Nothing of a removed profile stays.
pub fn forget_profile(ctx: &Context, profile: &str) {
    TransactionIndexes::from_context(ctx).forget_profile(profile);
}

/// The indexes of one desk.
pub struct TransactionIndexes {
    folder: PathBuf,
    open: Mutex<HashMap<String, ProfileIndex>>,
    jobs: Mutex<HashMap<String, Arc<RefreshJob>>>,
    /// How often each transaction sent from here was asked for in vain, by profile.
    asked: Mutex<HashMap<String, HashMap<i64, u32>>>,
    pub(crate) exports: RunningExport,
    pub(crate) observer: OnceLock<ReadObserver>,
}

impl TransactionIndexes {
    /// That of this context.
    pub fn from_context(ctx: &Context) -> Arc<TransactionIndexes> {
        ctx.feature_state(TransactionIndexes::new)
    }

    fn new(data_dir: &Path) -> TransactionIndexes {
        TransactionIndexes {
            folder: data_dir.join("transactions"),
            open: Mutex::default(),
            jobs: Mutex::default(),
            asked: Mutex::default(),
            exports: RunningExport::default(),
            observer: OnceLock::new(),
        }
    }

    /// The one that is open, unless someone is opening one at this moment.
    fn find_open(&self, ctx: &Context, profile: &Profile) -> Option<ProfileIndex> {
        let reading = RecordReading::for_profile(ctx, profile);
        self.open.try_lock()?.get(&profile.id).filter(|index| index.has_reading(&reading)).cloned()
    }

    fn open(&self, ctx: &Context, profile: &Profile) -> Result<ProfileIndex, BoundaryError> {
        let mut open = self.open.lock();
        let reading = RecordReading::for_profile(ctx, profile);
        let index = match open.get(&profile.id) {
            Some(index) if index.has_reading(&reading) => return Ok(index.clone()),
            Some(index) => ProfileIndex::with_reading(index.file.clone(), reading)?,
            None => ProfileIndex::open(&self.index_path(&profile.id), ctx.store().data_key(), reading)?,
        };
        // One that could only be read may be writable the next time.
        if index.file.write_obstacle().is_none() {
            open.insert(profile.id.clone(), index.clone());
        }
        Ok(index)
    }

    /// The last refresh of each profile.
    pub(crate) fn refresh_jobs(&self) -> MutexGuard<'_, HashMap<String, Arc<RefreshJob>>> {
        self.jobs.lock()
    }

    /// What the service didn't return when it was asked for transactions sent from here.
    pub(crate) fn asked_in_vain(&self) -> MutexGuard<'_, HashMap<String, HashMap<i64, u32>>> {
        self.asked.lock()
    }

    /// Ids are made by the store: hexadecimal digits, or `practice`.
    fn index_path(&self, profile: &str) -> PathBuf {
        self.folder.join(format!("{profile}.sqlite"))
    }

    /// Whether there is one of this profile.
    pub(crate) fn has_index(&self, profile: &str) -> bool {
        self.index_path(profile).exists()
    }

    /// Nothing of a removed profile stays.
    fn forget_profile(&self, profile: &str) {
        self.open.lock().remove(profile);
        self.asked.lock().remove(profile);
        bordereau_transaction_index::remove_index(&self.index_path(profile));
    }
}

/// The profile in use with its index.
pub async fn active_index(ctx: &Context) -> Result<(Profile, ProfileIndex), BoundaryError> {
    let profile = active_profile(ctx).await?;
    Ok((profile.clone(), open_index(ctx, profile).await?))
}

/// The index of a profile; opened off the asynchronous threads where it isn't open.
pub(crate) async fn open_index(ctx: &Context, profile: Profile) -> Result<ProfileIndex, BoundaryError> {
    if let Some(index) = TransactionIndexes::from_context(ctx).find_open(ctx, &profile) {
        return Ok(index);
    }
    let context = ctx.clone();
    let open = move || TransactionIndexes::from_context(&context).open(&context, &profile);
    run_off_thread("opening the index of transactions", open).await?
}
