//! Starting a practice service.

use std::net::TcpListener;
use std::sync::Arc;

use bordereau_tax::{Local, RuleBook};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use crate::authority::Authority;
use crate::clock::PracticeClock;
use crate::data_dir::{DataDir, restrict};
use crate::dialects::SpokenDialects;
use crate::directory::Directory;
use crate::faults::Faults;
use crate::imports::{Imports, WORKERS, work};
use crate::limits::RequestLimits;
use crate::listen::listen;
use crate::practice::{PASSWORD_CHARS, PracticeRoom};
use crate::routes::routes;
use crate::service::Service;
use crate::store::accounts::{self, Account};
use crate::store::{Store, batches, state, tokens, webhooks_queue};
use crate::templates::LinkSigner;
use crate::webhooks::{Sealer, Webhooks, dispatch};
use crate::wordings::Wordings;
use crate::{AccountSeed, Clock, Config, Running, StartError, secrets};

/// File of the database in the data directory.
const DATABASE_FILE: &str = "practice.sqlite";
/// Fewest characters of a given API key: it is kept under a fast hash, so it must not be guessable.
const API_KEY_CHARS_MIN: usize = 20;

/// Starts the service on a bound listener and returns as soon as it answers.
///
/// # Errors
/// [`StartError`] says in a sentence why it does not start.
pub async fn start(listener: TcpListener, config: Config) -> Result<Running, StartError> {
    let address = listener.local_addr().map_err(StartError::Listen)?;
    listener.set_nonblocking(true).map_err(StartError::Listen)?;
    let listener = tokio::net::TcpListener::from_std(listener).map_err(StartError::Listen)?;
    let Config { data_dir, clock, account, dialects: chosen } = config;
    let dialects = SpokenDialects::default();
    dialects.replace(&chosen);
    let clock = PracticeClock::new(clock);
    let now = clock.now().timestamp();
    // Files, database and password hashing block.
    let prepared = tokio::task::spawn_blocking(move || prepare(data_dir.as_deref(), account, now)).await;
    let Prepared { dir, authority, store, link_secret, sealer, wordings, seeded } = match prepared {
        Ok(prepared) => prepared?,
        Err(error) => return Err(StartError::Account(error.to_string())),
    };
    let tls = authority.server_config(address.ip())?;
    let host = if address.ip().is_unspecified() {
        format!("localhost:{}", address.port())
    } else {
        address.to_string()
    };
    let base_url = format!("https://{host}");
    let service = Arc::new(Service {
        clock,
        directory: Directory::new(store.clone()),
        store,
        limits: RequestLimits::default(),
        faults: Faults::default(),
        dialects,
        links: LinkSigner::new(link_secret.as_bytes()),
        base_url: base_url.clone(),
        rules: RuleBook::builtin(),
        local: Local::default(),
        imports: Imports::default(),
        webhooks: Webhooks::new(sealer).map_err(StartError::Webhooks)?,
        wordings,
        hashing: Semaphore::new(2),
    });
    let (stop, stopped) = watch::channel(false);
    let mut workers = JoinSet::new();
    for _ in 0..WORKERS {
        workers.spawn(work(Arc::clone(&service), stopped.clone()));
    }
    workers.spawn(dispatch(Arc::clone(&service), stopped.clone()));
    let practice = PracticeRoom { app: Arc::clone(&service) };
    let router = routes(service);
    let listening = tokio::spawn(async move {
        listen(listener, tls, router, stopped).await;
        while workers.join_next().await.is_some() {}
        // Kept until now: the directory stays locked while requests are open or rows are stored.
        drop(dir);
    });
    tracing::info!(base_url, "the practice service answers");
    Ok(Running {
        base_url,
        ca_pem: authority.pem,
        ca_file: authority.file,
        api_key: seeded.api_key,
        username: seeded.username,
        password: seeded.password,
        address,
        practice,
        stop,
        listening: Some(listening),
    })
}

struct Prepared {
    dir: Option<DataDir>,
    authority: Authority,
    store: Store,
    link_secret: String,
    sealer: Sealer,
    wordings: Wordings,
    seeded: Seeded,
}

struct Seeded {
    api_key: String,
    username: String,
    password: String,
}

fn prepare(data_dir: Option<&std::path::Path>, seed: AccountSeed, now: i64) -> Result<Prepared, StartError> {
    let dir = data_dir.map(DataDir::open).transpose()?;
    let authority = Authority::open(dir.as_ref())?;
    let database = dir.as_ref().map(|dir| dir.file(DATABASE_FILE));
    let store = Store::open(database.as_deref())?;
    if let Some(path) = &database {
        restrict(path, 0o600).map_err(|source| StartError::File {
            action: "cannot protect",
            path: path.clone(),
            source,
        })?;
    }
    let fresh = secrets::generate("");
    let link_secret = store.run_here(|db| tokens::service_secret(db, "links", &fresh))?;
    // The directory is this process's alone: whoever had taken a batch is gone.
    store.run_here(batches::free_all)?;
    store.run_here(|db| webhooks_queue::bound_waits(db, now * 1_000))?;
    let sealer = Sealer::open(dir.as_ref())?;
    let wordings = Wordings::default();
    wordings.replace(store.run_here(state::wordings)?);
    let seeded = seed_account(&store, seed, now)?;
    // Reading the rules takes a moment the first time; the first request is not to wait for it.
    RuleBook::builtin();
    Ok(Prepared { dir, authority, store, link_secret, sealer, wordings, seeded })
}

/// Brings the practice account to what the seed says; its settings of an earlier run stay.
fn seed_account(store: &Store, seed: AccountSeed, now: i64) -> Result<Seeded, StartError> {
    let api_key = seed.api_key.unwrap_or_else(|| secrets::generate("bdk_"));
    if api_key.len() < API_KEY_CHARS_MIN || !api_key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(StartError::Account(format!(
            "an API key has at least {API_KEY_CHARS_MIN} visible ASCII characters"
        )));
    }
    let password = seed.password.unwrap_or_else(secrets::generate_password);
    if !PASSWORD_CHARS.contains(&password.chars().count()) {
        return Err(StartError::Account(format!(
            "a password has {} to {} characters",
            PASSWORD_CHARS.start(),
            PASSWORD_CHARS.end()
        )));
    }
    let found = store.run_here(|db| {
        let practice = accounts::list(db)?.into_iter().find(|account| account.practice);
        let hash = match &practice {
            Some(account) => accounts::by_username(db, &account.username)?.map(|(_, hash)| hash),
            None => None,
        };
        let taken = accounts::by_username(db, &seed.username)?.is_some_and(|(account, _)| !account.practice);
        Ok((practice, hash, taken))
    })?;
    let (practice, kept_hash, taken) = found;
    if taken {
        return Err(StartError::Account(format!("the user name {} is another account's", seed.username)));
    }
    // The same password keeps the sessions it opened.
    let same = kept_hash.is_some_and(|hash| secrets::verify_password(&password, &hash));
    let new_hash =
        if same { None } else { Some(secrets::hash_password(&password).map_err(StartError::Account)?) };
    let key_hash = secrets::hash(&api_key);
    let username = seed.username.clone();
    store.run_here(|db| {
        let account = match practice {
            Some(known) => {
                let account = Account { name: seed.name, kind: seed.kind, username: seed.username, ..known };
                accounts::update(db, &account)?;
                if let Some(hash) = &new_hash {
                    accounts::set_password(db, &account.id, hash)?;
                }
                account
            }
            None => {
                let account = Account {
                    id: secrets::generate_account_id(),
                    name: seed.name,
                    kind: seed.kind,
                    username: seed.username,
                    active: true,
                    api_access: true,
                    calculator: true,
                    practice: true,
                };
                accounts::insert(db, &account, new_hash.as_deref().unwrap_or_default(), now)?;
                account
            }
        };
        accounts::replace_key(db, &account.id, &key_hash, now)
    })?;
    Ok(Seeded { api_key, username, password })
}
