//! The context of every operation: the store of a data folder, the ports to the outside, the clients of its
//! profiles, and the state of each feature while the program runs.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bordereau_contract::format_instant;
use chrono::DateTime;
use parking_lot::Mutex;
use tokio::sync::OnceCell;
use tokio::task::JoinHandle;

use crate::account_name::account_name;
use crate::data_key::find_folder_key;
use crate::ports::Ports;
use crate::profile::{SessionCache, TableCache};
use crate::rules_in_use::RulesInUse;
use crate::secrets::AsyncSecrets;
use crate::workspace::join_office;
use bordereau_api::BoundaryError;
use bordereau_rules::RuleSet;
use bordereau_store::{ActorTimestamp, Store};

/// The context of every operation. Cheap to clone; all clones share one store and one client per profile.
#[derive(Clone)]
pub struct Context {
    shared: Arc<SharedContext>,
    /// Id of the profile used instead of the selected one.
    using: Option<Arc<str>>,
    workers: Arc<BackgroundTasks>,
}

struct SharedContext {
    /// Whether queued work is sent.
    at_work: AtomicBool,
    /// Result of checking the data file, once that was done.
    checked: OnceCell<bool>,
    damaged: AtomicBool,
    data_dir: PathBuf,
    ports: Ports,
    secrets: AsyncSecrets,
    store: Store,
    /// Why the office's workspace isn't used that this computer is to work on.
    office_trouble: Option<BoundaryError>,
    sessions: SessionCache,
    tables: TableCache,
    states: Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
}

/// Tasks by name; they end with the last handle of their context.
#[derive(Default)]
struct BackgroundTasks(Mutex<HashMap<&'static str, JoinHandle<()>>>);

impl Drop for BackgroundTasks {
    fn drop(&mut self) {
        for task in self.0.lock().values() {
            task.abort();
        }
    }
}

impl Context {
    /// Opens the store in the data folder, creating both if missing. The keychain is asked now for the key of an
    /// encrypted or new folder; otherwise the keychain and the practice service wait for their first use.
    ///
    /// # Errors
    /// [`bordereau_api::ErrorCode::DataKeyMissing`] when the folder is encrypted and its key can't be reached,
    /// [`bordereau_api::ErrorCode::StoreTooNew`] when a newer version wrote the store, otherwise
    /// [`bordereau_api::ErrorCode::Storage`]; [`bordereau_api::ErrorCode::Office`] where its office can't be reached.
    pub fn open(data_dir: PathBuf, ports: Ports) -> Result<Context, BoundaryError> {
        Context::open_as(data_dir, ports, |store, secrets| Ok((join_office(store, secrets)?, None)))
    }

    /// As [`Context::open`]. Where its office can't be used, the data folder's own store is behind it and
    /// [`Context::office_trouble`] says why: that store is for the office's settings alone.
    ///
    /// # Errors
    /// As [`Context::open_own`].
    pub fn open_for_window(data_dir: PathBuf, ports: Ports) -> Result<Context, BoundaryError> {
        Context::open_as(data_dir, ports, |store, secrets| {
            Ok(match join_office(store.clone(), secrets) {
                Ok(joined) => (joined, None),
                Err(trouble) => (store, Some(trouble)),
            })
        })
    }

    /// Why the office's workspace isn't used that this computer is to work on.
    pub fn office_trouble(&self) -> Option<&BoundaryError> {
        self.shared.office_trouble.as_ref()
    }

    /// Opens the data folder's own store, even where this computer works on an office's database.
    ///
    /// # Errors
    /// As [`Context::open`].
    pub fn open_own(data_dir: PathBuf, ports: Ports) -> Result<Context, BoundaryError> {
        Context::open_as(data_dir, ports, |store, _| Ok((store, None)))
    }

    fn open_as(
        data_dir: PathBuf,
        ports: Ports,
        join: impl FnOnce(Store, &AsyncSecrets) -> Result<(Store, Option<BoundaryError>), BoundaryError>,
    ) -> Result<Context, BoundaryError> {
        let secrets = AsyncSecrets::new(Arc::clone(&ports.secrets));
        let key = find_folder_key(&data_dir, &secrets)?;
        let (store, office_trouble) = join(Store::open_with_key(&data_dir, key)?, &secrets)?;
        let shared = SharedContext {
            at_work: AtomicBool::new(false),
            checked: OnceCell::new(),
            damaged: AtomicBool::new(false),
            secrets,
            store,
            office_trouble,
            sessions: SessionCache::default(),
            tables: TableCache::default(),
            states: Mutex::default(),
            data_dir,
            ports,
        };
        Ok(Context { shared: Arc::new(shared), using: None, workers: Arc::default() })
    }

    /// Starts sending queued work.
    pub fn start_work(&self) {
        self.shared.at_work.store(true, Ordering::Relaxed);
    }

    /// Stops sending queued work; a request that is being sent ends first.
    pub fn rest_from_work(&self) {
        self.shared.at_work.store(false, Ordering::Relaxed);
    }

    /// Whether queued work is sent.
    pub fn is_at_work(&self) -> bool {
        self.shared.at_work.load(Ordering::Relaxed)
    }

    /// Whether the data file is intact: checked once while this program runs, before anything is sent. Nothing is
    /// sent from a damaged file, since its content can't be trusted.
    pub async fn ensure_sound(&self) -> bool {
        let checked =
            self.shared.checked.get_or_try_init(|| crate::backup::is_sound(&self.shared.store)).await;
        // If the check itself fails, assume the file is intact: the send fails by itself then.
        *checked.unwrap_or(&true) && !self.shared.damaged.load(Ordering::Relaxed)
    }

    /// Notes that a later check found damage.
    pub(crate) fn note_damage(&self) {
        self.shared.damaged.store(true, Ordering::Relaxed);
    }

    /// The same context on this profile, without selecting it: a command with `--profile` must not change the
    /// profile that an open window uses.
    #[must_use]
    pub fn with_profile(&self, profile: &str) -> Context {
        Context { using: Some(profile.into()), ..self.clone() }
    }

    /// The profile used instead of the selected one.
    pub fn chosen_profile(&self) -> Option<&str> {
        self.using.as_deref()
    }

    /// A context for a background task: it keeps no worker alive.
    #[must_use]
    pub fn without_workers(&self) -> Context {
        Context { shared: Arc::clone(&self.shared), using: None, workers: Arc::default() }
    }

    /// Starts the task of this name unless it runs; its context keeps no task alive. Without an asynchronous
    /// runtime, the first operation that needs the task starts it.
    pub fn ensure_running<F>(&self, name: &'static str, run: impl FnOnce(Context) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let mut tasks = self.workers.0.lock();
        if tasks.get(name).is_none_or(JoinHandle::is_finished) {
            tasks.insert(name, runtime.spawn(run(self.without_workers())));
        }
    }

    /// The state of a feature while the program runs, made from the data folder at first use. Each feature has its
    /// own type, so that none knows another one's.
    pub fn feature_state<T: Any + Send + Sync>(&self, make: impl FnOnce(&Path) -> T) -> Arc<T> {
        let mut states = self.shared.states.lock();
        let held = states.get(&TypeId::of::<T>()).map(Arc::clone);
        if let Some(state) = held.and_then(|held| held.downcast().ok()) {
            return state;
        }
        let state = Arc::new(make(&self.shared.data_dir));
        states.insert(TypeId::of::<T>(), Arc::clone(&state) as Arc<dyn Any + Send + Sync>);
        state
    }

    /// The ports: clock, dialogs, browser, practice service.
    pub fn ports(&self) -> &Ports {
        &self.shared.ports
    }

    /// The secrets of the profiles.
    pub fn secrets(&self) -> &AsyncSecrets {
        &self.shared.secrets
    }

    /// The store of the data folder.
    pub fn store(&self) -> &Store {
        &self.shared.store
    }

    /// The clients of the profiles.
    pub fn sessions(&self) -> &SessionCache {
        &self.shared.sessions
    }

    /// Tables of the profiles, cached.
    pub fn tables(&self) -> &TableCache {
        &self.shared.tables
    }

    /// The rules in use.
    pub fn rules(&self) -> Arc<RuleSet> {
        self.rules_in_use().current()
    }

    pub(crate) fn rules_in_use(&self) -> Arc<RulesInUse> {
        let policy = &self.shared.ports.policy.rules;
        self.feature_state(|folder| RulesInUse::load(folder, policy))
    }

    /// Now, to the second, RFC 3339 in UTC.
    pub fn now_text(&self) -> String {
        let now = self.ports().clock.now();
        format_instant(DateTime::from_timestamp(now.timestamp(), 0).unwrap_or(now))
    }

    /// The person working here: in an office as the database knows them, else by the account on this computer.
    pub fn person(&self) -> String {
        self.store().office().map_or_else(account_name, |seat| seat.database.user.clone())
    }

    /// Now and the person, as the store records it.
    pub fn now_stamp(&self) -> ActorTimestamp {
        ActorTimestamp {
            at: self.now_text(),
            ms: self.ports().clock.now().timestamp_millis(),
            by: self.person(),
        }
    }
}
