//! Starting a practice service.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use bordereau_contract::AccountRole;
use bordereau_dialects::SpokenDialects;
use bordereau_server::{
    HostNames, HttpServer, LoopRefusal, ReadyCheck, RefusalCounts, ServerLimits, accept_connections,
};
use bordereau_service_store::accounts::{self, Account};
use bordereau_service_store::{Store, batches, retention, state, tokens, webhooks_queue};
use bordereau_tax::{LocalTables, RuleBook};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use crate::authority::CertificateAuthority;
use crate::clock::PracticeClock;
use crate::data_dir::{DataDir, protect_database};
use crate::directory::AccountDirectory;
use crate::faults::FaultQueue;
use crate::imports::{ImportQueue, WORKERS, run_worker};
use crate::limits::RequestLimits;
use crate::practice::{PASSWORD_CHARS, PracticeControls};
use crate::refusal::Refusal;
use crate::routes::service_routes;
use crate::rule_notes::RuleNotes;
use crate::service::Service;
use crate::sign_in_guard::SignInGuard;
use crate::templates::LinkSigner;
use crate::webhooks::{HALF_HOUR_MS, SecretSealer, WebhookState, dispatch};
use crate::wordings::ChangedWordings;
use crate::{AccountSeed, Clock, RunningService, ServiceConfig, StartError, secrets};

/// File of the database in the data directory.
const DATABASE_FILE: &str = "practice.sqlite";
/// Name of the secret that signs one-time links, sealed.
const LINKS: &str = "links sealed";
/// Fewest characters of a given API key: it is kept under a fast hash, so it must not be guessable.
const API_KEY_CHARS_MIN: usize = 20;

/// Starts the service on a bound listener and returns as soon as it answers.
///
/// # Errors
/// [`StartError`] says in a sentence why it does not start.
pub async fn start_service(
    listener: TcpListener,
    config: ServiceConfig,
) -> Result<RunningService, StartError> {
    let address = listener.local_addr().map_err(StartError::Listen)?;
    listener.set_nonblocking(true).map_err(StartError::Listen)?;
    let listener = tokio::net::TcpListener::from_std(listener).map_err(StartError::Listen)?;
    let ServiceConfig { data_dir, clock, account, dialects: chosen, certificate } = config;
    let dialects = SpokenDialects::default();
    dialects.replace(&chosen);
    let clock = PracticeClock::new(clock);
    let now = clock.now().timestamp();
    // Files, database and password hashing block.
    let prepared =
        tokio::task::spawn_blocking(move || prepare_service(data_dir.as_deref(), account, now, address.ip()))
            .await;
    let PreparedService { dir, authority, store, link_secret, sealer, wordings, seeded, decoy_hash } =
        prepared.map_err(|error| StartError::Account(error.to_string()))??;
    let own_names = certificate.as_ref().map(|files| files.host_names()).unwrap_or_default();
    let tls = match &certificate {
        Some(files) => files.server_config().map_err(|error| StartError::Certificate(error.to_string()))?,
        None => authority.server_config()?,
    };
    let base_url = own_address(address, &own_names);
    let service = Arc::new(Service {
        clock,
        directory: AccountDirectory::new(store.clone()),
        store,
        limits: RequestLimits::default(),
        faults: FaultQueue::default(),
        dialects,
        links: LinkSigner::new(link_secret.as_bytes()),
        base_url: base_url.clone(),
        rules: RuleBook::builtin(),
        local: LocalTables::default(),
        imports: ImportQueue::default(),
        webhooks: WebhookState::new(sealer, address.ip().is_loopback()).map_err(StartError::Webhooks)?,
        wordings,
        rule_notes: RuleNotes::default(),
        hashing: Semaphore::new(2),
        decoy_hash,
        sign_ins: SignInGuard::default(),
        practice_key: tokio::sync::watch::Sender::new(seeded.api_key.clone()),
    });
    let (stop, stopped) = watch::channel(false);
    let mut workers = JoinSet::new();
    for _ in 0..WORKERS {
        workers.spawn(run_worker(Arc::clone(&service), stopped.clone()));
    }
    workers.spawn(dispatch(Arc::clone(&service), stopped.clone()));
    let practice = PracticeControls { app: Arc::clone(&service) };
    let refusals = RefusalCounts::default();
    let server = HttpServer {
        router: service_routes(Arc::clone(&service)),
        tls: Some(tls),
        limits: ServerLimits::default(),
        hosts: HostNames::for_address(address.ip()).with_names(own_names),
        ready: store_check(&service),
        counts: refusals.clone(),
        refuse: answer_refusal,
    };
    let mut ended = stopped;
    let listening = tokio::spawn(async move {
        // An error means that the sender is gone, which says the same.
        let told = async {
            let _ = ended.wait_for(|stop| *stop).await;
        };
        accept_connections(listener, server, told).await;
        while workers.join_next().await.is_some() {}
        // Kept until now: the directory stays locked while requests are open or rows are stored.
        drop(dir);
    });
    tracing::info!(base_url, "the practice service answers");
    Ok(RunningService {
        base_url,
        ca_pem: authority.pem,
        ca_file: authority.file.filter(|_| certificate.is_none()),
        api_key: seeded.api_key,
        username: seeded.username,
        password: seeded.password,
        address,
        refusals,
        practice,
        stop,
        listening: Some(listening),
    })
}

/// What a client calls the service by: a name of its certificate, else the address it is bound to.
fn own_address(bound: SocketAddr, names: &[String]) -> String {
    match names.first() {
        Some(name) => format!("https://{name}:{}", bound.port()),
        None if bound.ip().is_unspecified() => format!("https://localhost:{}", bound.port()),
        None => format!("https://{bound}"),
    }
}

fn answer_refusal(refusal: LoopRefusal) -> Response {
    match refusal {
        LoopRefusal::OtherHost => Refusal::other_host(),
        LoopRefusal::NoRoom => Refusal::busy(),
        LoopRefusal::Failed => {
            Refusal::internal_error("The request failed in the service. Its log has the reason.")
        }
    }
    .into_response()
}

/// Ready means that a transaction of the database can begin.
fn store_check(service: &Arc<Service>) -> ReadyCheck {
    let store = service.store.clone();
    Arc::new(move || {
        let store = store.clone();
        Box::pin(async move { store.with_connection(|_| Ok(())).await.is_ok() })
    })
}

struct PreparedService {
    dir: Option<DataDir>,
    authority: CertificateAuthority,
    store: Store,
    link_secret: String,
    sealer: SecretSealer,
    wordings: ChangedWordings,
    seeded: SeededAccount,
    /// Verified when a username is unknown, so that both cases take the same time.
    decoy_hash: String,
}

struct SeededAccount {
    api_key: String,
    username: String,
    password: String,
}

fn prepare_service(
    data_dir: Option<&std::path::Path>,
    seed: AccountSeed,
    now: i64,
    address: std::net::IpAddr,
) -> Result<PreparedService, StartError> {
    let dir = data_dir.map(DataDir::open).transpose()?;
    let authority = CertificateAuthority::open(dir.as_ref(), address)?;
    let database = dir.as_ref().map(|dir| dir.file_path(DATABASE_FILE));
    if let Some(path) = &database {
        protect_database(path).map_err(|source| StartError::File {
            action: "cannot protect",
            path: path.clone(),
            source,
        })?;
    }
    let store = Store::open(database.as_deref())?;
    let sealer = SecretSealer::open(dir.as_ref())?;
    let fresh = secrets::generate_secret("");
    let sealed = sealer.seal_secret(LINKS, &fresh).map_err(StartError::Webhooks)?;
    let sealed = store.run_on_this_thread(|db| {
        // Earlier versions kept it in clear.
        tokens::remove_service_secret(db, "links")?;
        tokens::service_secret(db, LINKS, &sealed)
    })?;
    // Links live a minute: where the key beside the database is another one, they are signed with a new one.
    let link_secret = sealer.open_sealed(LINKS, &sealed).unwrap_or(fresh);
    // The directory is this process's alone: whoever had taken a batch is gone.
    store.run_on_this_thread(batches::free_all)?;
    store.run_on_this_thread(|db| retention::remove_old(db, now * 1_000))?;
    store.run_on_this_thread(|db| webhooks_queue::bound_waits(db, now * 1_000, HALF_HOUR_MS))?;
    let wordings = ChangedWordings::default();
    wordings.replace_all(store.run_on_this_thread(state::list_wordings)?);
    let seeded = seed_account(&store, seed, now)?;
    let decoy_hash = secrets::hash_password(&secrets::generate_password()).map_err(StartError::Account)?;
    // Reading the rules takes a moment the first time; the first request is not to wait for it.
    RuleBook::builtin();
    Ok(PreparedService { dir, authority, store, link_secret, sealer, wordings, seeded, decoy_hash })
}

/// Brings the practice account to what the seed says; its settings of an earlier run stay.
fn seed_account(store: &Store, seed: AccountSeed, now: i64) -> Result<SeededAccount, StartError> {
    let api_key = seed.api_key.unwrap_or_else(|| secrets::generate_secret("bdk_"));
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
    let found = store.run_on_this_thread(|db| {
        let practice = accounts::list_accounts(db)?.into_iter().find(|account| account.practice);
        let hash = match &practice {
            Some(account) => accounts::by_username(db, &account.username)?.map(|(_, hash)| hash),
            None => None,
        };
        let taken = accounts::by_username(db, &seed.username)?.is_some_and(|(account, _)| !account.practice);
        Ok((practice, hash, taken))
    })?;
    let (practice, kept_hash, taken) = found;
    if taken {
        return Err(StartError::Account(format!("the username {} is another account's", seed.username)));
    }
    // The same password keeps the sessions it opened.
    let same = kept_hash.is_some_and(|hash| secrets::verify_password(&password, &hash));
    let new_hash =
        if same { None } else { Some(secrets::hash_password(&password).map_err(StartError::Account)?) };
    let key_hash = secrets::hash(&api_key);
    let username = seed.username.clone();
    store.run_on_this_thread(|db| {
        let account = match practice {
            Some(known) => {
                let account = Account { name: seed.name, kind: seed.kind, username: seed.username, ..known };
                accounts::update_account(db, &account)?;
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
                    role: AccountRole::FilingAgencyAdministrator,
                };
                accounts::insert(db, &account, new_hash.as_deref().unwrap_or_default(), now)?;
                account
            }
        };
        accounts::replace_key(db, &account.id, &key_hash, now)
    })?;
    Ok(SeededAccount { api_key, username, password })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_secret_of_links_is_nowhere_in_the_data_directory() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let address = std::net::Ipv4Addr::LOCALHOST.into();
        let prepared = prepare_service(Some(folder.path()), AccountSeed::default(), 0, address)?;
        let secret = prepared.link_secret.as_bytes();
        for entry in std::fs::read_dir(folder.path())? {
            let path = entry?.path();
            let is_there = std::fs::read(&path)?.windows(secret.len()).any(|part| part == secret);
            assert!(!is_there, "{} has it in clear", path.display());
        }
        Ok(())
    }
}
