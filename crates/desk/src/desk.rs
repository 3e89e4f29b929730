//! The desk: opened by the shells, with the calls that aren't in the list of operations.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bordereau_contract::TransactionRecord;

use bordereau_api::*;
use bordereau_batches::{self as review, FileChunk, ReadOptions, ResumedDraft, WatchedContent, WatchedFile};
use bordereau_documents::{self as documents, FetchedDocument};
use bordereau_events::{self as events, EventListener, EventLook, EventPace, EventWork, ListenSecrets};
use bordereau_outbox::{self as outbox, OutboxPace};
use bordereau_session::dropped_files::{self, DroppedFile};
use bordereau_session::ports::{BoxFuture, Ports};
use bordereau_session::secrets::SecretText;
use bordereau_session::workspace::{self, OfficeDatabase};
use bordereau_session::{Context, backup, idle_lock};
use bordereau_store::import_runs::{ImportChunk, ImportRun};
use bordereau_transactions::{self as transactions, due};

use crate::runs;

/// Configuration of a desk.
pub struct DeskConfig {
    /// The data folder, with `desk.sqlite` and its backups.
    pub data_dir: PathBuf,
    /// Its interfaces to the outside.
    pub ports: Ports,
}

/// A running desk. Cheap to clone; all clones share one store and one client per profile.
#[derive(Clone)]
pub struct Desk {
    pub(crate) context: Context,
}

impl Desk {
    /// Opens the store in the data folder, creating both if missing. The keychain is asked now for the key of an
    /// encrypted or new folder; otherwise the keychain and the practice service wait for their first use.
    ///
    /// # Errors
    /// [`ErrorCode::DataKeyMissing`] when the folder is encrypted and its key can't be reached,
    /// [`ErrorCode::StoreTooNew`] when a newer version wrote the store, otherwise [`ErrorCode::Storage`].
    pub fn open(config: DeskConfig) -> Result<Desk, BoundaryError> {
        let desk = Desk::open_idle(config)?;
        desk.start_work();
        Ok(desk)
    }

    /// The same for a read-only command: work queued by an earlier run isn't sent until [`Desk::start_work`].
    ///
    /// # Errors
    /// As [`Desk::open`].
    pub fn open_idle(config: DeskConfig) -> Result<Desk, BoundaryError> {
        Ok(Desk::of(Context::open(config.data_dir, config.ports)?))
    }

    /// As [`Desk::open`], for a window. Where the office that it is to work on can't be used, [`Desk::office_trouble`]
    /// says why, nothing is sent, and the dispatcher serves the settings of the office alone.
    ///
    /// # Errors
    /// As [`Desk::open`], without those of an office.
    pub fn open_for_window(config: DeskConfig) -> Result<Desk, BoundaryError> {
        let desk = Desk::of(Context::open_for_window(config.data_dir, config.ports)?);
        if desk.office_trouble().is_none() {
            desk.start_work();
        }
        Ok(desk)
    }

    /// Why the office can't be used that this computer is to work on.
    pub fn office_trouble(&self) -> Option<&BoundaryError> {
        self.context.office_trouble()
    }

    /// Opens the data folder's own store, even where this computer works on an office's database.
    ///
    /// # Errors
    /// As [`Desk::open`].
    pub fn open_own(config: DeskConfig) -> Result<Desk, BoundaryError> {
        Ok(Desk::of(Context::open_own(config.data_dir, config.ports)?))
    }

    fn of(context: Context) -> Desk {
        transactions::observe_reads(&context, record_missed_events);
        Desk { context }
    }

    /// Starts sending queued work, including an earlier run's.
    pub fn start_work(&self) {
        self.context.start_work();
        outbox::ensure_worker(&self.context);
        documents::ensure_upload_worker(&self.context);
        backup::ensure_upkeep(&self.context);
    }

    /// The same desk on this profile, without selecting it: a command with `--profile` must not change the profile
    /// that an open window uses.
    #[must_use]
    pub fn with_profile(&self, profile: &str) -> Desk {
        Desk { context: self.context.with_profile(profile) }
    }

    /// Returns handles for files dropped on the window; see [`dropped_files::drop_files`].
    pub fn drop_files(&self, paths: Vec<PathBuf>) -> Vec<DroppedFile> {
        dropped_files::drop_files(&self.context, paths)
    }

    /// Returns handles for files that a person chose or named; see [`dropped_files::choose_files`].
    pub fn choose_files(&self, paths: Vec<PathBuf>) -> Vec<DroppedFile> {
        dropped_files::choose_files(&self.context, paths)
    }

    /// Keeps this process's reviews apart from the person's drafts; see [`review::work_unattended`].
    pub fn work_unattended(&self, only_checks: bool) {
        review::work_unattended(&self.context, only_checks);
    }

    /// Works on a copy in memory where the data folder can't be written; whether it does.
    pub fn work_in_memory(&self) -> Result<bool, BoundaryError> {
        Ok(self.context.store().work_in_memory()?)
    }

    /// Sets how files of new reviews are read; see [`review::read_files_as`].
    pub fn read_files_as(&self, options: ReadOptions) {
        review::read_files_as(&self.context, options);
    }

    /// Starts receiving events; see [`events::begin_events`].
    pub fn begin_events(&self) -> EventWork {
        events::begin_events(&self.context)
    }

    /// Starts refreshing transactions automatically; see [`transactions::begin_auto_refresh`].
    pub fn begin_auto_refresh(&self) {
        transactions::begin_auto_refresh(&self.context);
    }

    /// Starts turning files of a watched folder into drafts; see [`review::begin_watch`].
    pub fn begin_watch(&self, look_every: Duration) {
        review::begin_watch(&self.context, look_every);
    }

    /// Sets how often the service is asked about events.
    pub fn set_event_pace(&self, pace: EventPace) {
        events::set_event_pace(&self.context, pace);
    }

    /// Sets how often the service is asked about batches, and how much is sent at once.
    pub fn set_outbox_pace(&self, pace: OutboxPace) {
        outbox::set_outbox_pace(&self.context, pace);
    }

    /// Reads pipes like files, so that a test can hold up the reading.
    pub fn accept_pipes(&self) {
        review::accept_pipes(&self.context);
    }

    /// Receives until `stop` is ready, then finishes open deliveries.
    pub async fn receive_events(
        &self,
        listener: EventListener,
        socket: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> std::io::Result<()> {
        events::receive_events(&self.context, listener, socket, stop).await
    }
}

/// Records facts read by a refresh that no event reported.
fn record_missed_events<'a>(
    ctx: &'a Context,
    profile: &'a Profile,
    earlier: &'a [TransactionRecord],
    read: &'a [TransactionRecord],
) -> BoxFuture<'a, Result<(), BoundaryError>> {
    Box::pin(events::note_read(ctx, profile, earlier, read))
}

/// Calls for the shells that aren't operations: each calls the function of the same name.
macro_rules! calls {
    ($($room:ident::$name:ident($($argument:ident: $type:ty),*) -> $answer:ty;)+) => {
        impl Desk {
            $(
                #[doc = concat!("See [`", stringify!($room), "::", stringify!($name), "`].")]
                pub async fn $name(&self, $($argument: $type),*) -> Result<$answer, BoundaryError> {
                    $room::$name(&self.context, $($argument),*).await
                }
            )+
        }
    };
}

calls! {
    backup::export_data(folder: PathBuf) -> DataExport;
    backup::restore_file(path: PathBuf, key: String) -> DataSafety;
    backup::run_upkeep_once() -> ();
    idle_lock::is_locked() -> bool;
    idle_lock::lock_forget() -> ();
    documents::documents_wait(ids: &[String]) -> Vec<UploadView>;
    documents::documents_fetch(target: &DocumentTarget, numbers: &[u32], folder: &Path) -> Vec<FetchedDocument>;
    due::due_ics(request: DueRequest) -> String;
    due::due_notices() -> Vec<DueNotice>;
    events::events_since(look: &mut EventLook) -> Vec<EventView>;
    events::open_listener(given: ListenSecrets) -> (EventListener, SecretText);
    review::send_chunk(id: &str, scope: SendScope, typed: &str) -> Option<BatchView>;
    review::chunk_mapping(review: &str) -> String;
    review::find_chunk_duplicates(run: &str, chunk: u32, review: &str) -> ReviewView;
    review::record_chunk(run: &str, chunk: u32, review: &str, report: String) -> ();
    review::start_chunk(name: String, chunk: FileChunk, mapping: &str) -> ReviewView;
    runs::unfinished_runs() -> Vec<ImportRun>;
    runs::begin_run(run: ImportRun) -> String;
    runs::keep_run_mapping(run: &str, mapping: String) -> ();
    runs::run_chunks(run: &str) -> Vec<ImportChunk>;
    runs::finish_chunk(run: &str, chunk: u32) -> ();
    runs::forget_chunk(run: &str, chunk: u32) -> ();
    runs::remove_run(run: &str) -> ();
    review::hand_over_draft(review: &str) -> ();
    review::remove_abandoned(keep: u32) -> usize;
    review::resume_draft(files: &[PathBuf]) -> Option<ResumedDraft>;
    review::look_up_watched(path: PathBuf, reader: &str) -> WatchedContent;
    review::record_watched(file: WatchedFile) -> ();
    transactions::transactions_refresh_wait() -> RefreshState;
    workspace::copy_to_office(database: OfficeDatabase) -> OfficeCopy;
    workspace::office_in_use() -> OfficeDatabase;
    workspace::use_office(settings: OfficeSettings, password: &str) -> ();
    transactions::store_records(records: Vec<TransactionRecord>) -> (u32, u32);
}
