//! One client per profile, built when first needed and rebuilt when the profile or its secrets change.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use bordereau_client::{
    AccessGrant, Client, ClientConfig, ClientError, Credentials, Secret, TokenStore, UserTokens,
};
use bordereau_contract::ServicePaths;
use parking_lot::Mutex;

use super::edit_profiles::{address_origin, forget_secrets};
use super::request_limit::shared_limit;
use super::tokens::ProfileTokens;
use super::unread_answers::keep_unread_answers;
use super::{PRACTICE, new_practice_profile};
use crate::Context;
use crate::failure::from_client;
use crate::policy::switched_off;
use crate::ports::PracticeEndpoint;
use crate::secrets::SecretName;
use bordereau_api::{BoundaryError, Environment, ErrorCode, Profile, ServiceState, SignIn};
use bordereau_store::ValueName;

/// A profile with its client.
#[derive(Clone)]
pub struct Session {
    /// The profile.
    pub profile: Arc<Profile>,
    /// Its client.
    pub client: Client,
    /// Detects that the practice service was restarted or has another key.
    built_from: String,
}

/// The last contact with a service.
#[derive(Clone)]
pub(super) struct LastContact {
    pub(super) state: ServiceState,
    pub(super) last_ms: Option<u32>,
    /// The service refused the key, the sign-in or the account when the outbox sent.
    pub(super) is_refused: bool,
}

/// The clients of one desk.
#[derive(Default)]
pub struct SessionCache {
    /// Locked while building: several calls wait for one client.
    built: tokio::sync::Mutex<HashMap<String, Session>>,
    seen: Mutex<HashMap<String, LastContact>>,
    /// For the status line, which never waits for a client to be built.
    clients: Mutex<HashMap<String, Client>>,
    /// What sign-ins of this run gave, with the host that gave it.
    grants: Mutex<HashMap<String, (Option<String>, AccessGrant)>>,
    /// How often a profile, its key or its sign-in changed in this run.
    changes: Mutex<HashMap<String, u32>>,
}

impl SessionCache {
    /// Notes the result of a call.
    pub fn note_call(&self, profile: &str, error: Option<&ClientError>, took_ms: u32) {
        let state = match error {
            Some(
                ClientError::NotAuthorized { .. }
                | ClientError::SignInAgain { .. }
                | ClientError::NoCredentials,
            ) => ServiceState::NeedsCredentials,
            Some(
                ClientError::Offline { .. }
                | ClientError::Interrupted { .. }
                | ClientError::Timeout { .. }
                | ClientError::Untrusted { .. },
            ) => ServiceState::Offline,
            _ => ServiceState::Ready,
        };
        let mut seen = self.seen.lock();
        let last_ms = if error.is_none() { Some(took_ms) } else { seen.get(profile).and_then(|s| s.last_ms) };
        seen.insert(profile.to_owned(), LastContact { state, last_ms, is_refused: false });
        drop(seen);
        if state == ServiceState::NeedsCredentials {
            // Another process may change the key: the next call reads it again.
            self.clients.lock().remove(profile);
            self.grants.lock().remove(profile);
        }
    }

    /// Keeps what a sign-in gave for the profile's next client.
    pub(super) fn keep_grant(&self, profile: &Profile, grant: AccessGrant) {
        let host = address_origin(&profile.base_url);
        self.grants.lock().insert(profile.id.clone(), (host, grant));
    }

    pub(super) fn grant(&self, profile: &Profile) -> Option<AccessGrant> {
        let host = address_origin(&profile.base_url);
        self.grants.lock().get(&profile.id).filter(|(of, _)| *of == host).map(|(_, grant)| grant.clone())
    }

    /// Notes that the service answered the outbox. Only quotes record how long the answer took.
    pub fn mark_ready(&self, profile: &str) {
        self.set_state(profile, ServiceState::Ready);
    }

    pub(super) fn set_state(&self, profile: &str, state: ServiceState) {
        let mut seen = self.seen.lock();
        let contact =
            seen.entry(profile.to_owned()).or_insert(LastContact { state, last_ms: None, is_refused: false });
        (contact.state, contact.is_refused) = (state, false);
    }

    /// Notes that the service refused the key, the sign-in or the account when the outbox sent.
    pub fn mark_refused(&self, profile: &str) {
        let new = LastContact { state: ServiceState::Ready, last_ms: None, is_refused: true };
        self.seen.lock().entry(profile.to_owned()).or_insert(new).is_refused = true;
    }

    pub(super) fn last_seen(&self, profile: &str) -> Option<LastContact> {
        self.seen.lock().get(profile).cloned()
    }

    /// Requests of the current minute and the limit, if there is a client.
    pub(super) fn request_usage(&self, profile: &str) -> Option<(u32, u32)> {
        let client = self.clients.lock().get(profile).cloned();
        client.map(|client| client.request_usage())
    }

    /// Grows with each change of a profile, its key or its sign-in: what failed before may work now.
    pub fn change_count(&self, profile: &str) -> u32 {
        self.changes.lock().get(profile).copied().unwrap_or_default()
    }

    /// Drops the client after a change; the next call builds it again.
    pub(super) async fn forget_client(&self, profile: &str) {
        self.built.lock().await.remove(profile);
        self.clients.lock().remove(profile);
        self.grants.lock().remove(profile);
        self.seen.lock().remove(profile);
        *self.changes.lock().entry(profile.to_owned()).or_default() += 1;
    }

    fn still_good(&self, held: Option<&Session>, profile: &Profile, built_from: &str) -> Option<Session> {
        let held = held.filter(|held| *held.profile == *profile && held.built_from == built_from)?;
        let known = self.clients.lock().contains_key(&profile.id);
        known.then(|| held.clone())
    }
}

/// The profile's client; starts the practice service for the practice profile.
pub async fn open_session(ctx: &Context, profile: &Profile) -> Result<Session, BoundaryError> {
    // A remembered choice isn't part of the connection and must not end it.
    let profile = &Profile { fee_charged_by: String::new(), revision: None, ..profile.clone() };
    ensure_allowed(ctx, profile)?;
    let sessions = &ctx.sessions();
    let mut built = sessions.built.lock().await;
    let endpoint = if profile.id == PRACTICE { Some(practice_endpoint(ctx).await?) } else { None };
    let built_from = endpoint
        .as_ref()
        .map_or_else(|| profile.base_url.clone(), |found| format!("{} {}", found.base_url, found.api_key));
    if let Some(session) = sessions.still_good(built.get(&profile.id), profile, &built_from) {
        return Ok(session);
    }
    let (mut config, credentials, tokens) = client_parts(ctx, profile, endpoint.as_ref()).await?;
    config.exchange = ctx.ports().practice.exchange();
    let client = Client::new(config, credentials, tokens).map_err(from_client)?;
    keep_unread_answers(ctx, &profile.id, &client);
    let session = Session { profile: Arc::new(profile.clone()), client: client.clone(), built_from };
    built.insert(profile.id.clone(), session.clone());
    sessions.clients.lock().insert(profile.id.clone(), client);
    Ok(session)
}

pub(super) async fn practice_endpoint(ctx: &Context) -> Result<PracticeEndpoint, BoundaryError> {
    let endpoint = ctx.ports().practice.endpoint().await;
    endpoint.map_err(|why| {
        ctx.sessions().set_state(PRACTICE, ServiceState::Offline);
        BoundaryError::with_code(ErrorCode::Offline, format!("The practice service cannot be started: {why}"))
            .mark_retryable()
    })
}

/// The parts from which a profile's client is built.
pub(super) async fn client_parts(
    ctx: &Context,
    profile: &Profile,
    endpoint: Option<&PracticeEndpoint>,
) -> Result<(ClientConfig, Credentials, Arc<dyn TokenStore>), BoundaryError> {
    if let Some(endpoint) = endpoint {
        let config = ClientConfig {
            extra_ca_pem: Some(endpoint.ca_pem.clone()),
            only_extra_ca: true,
            ..ClientConfig::for_address(endpoint.base_url.clone())
        };
        // In memory: the practice account's credentials never go to the keychain.
        let tokens = Arc::new(bordereau_client::MemoryTokens::new());
        return Ok((config, Credentials::with_api_key(Secret::new(endpoint.api_key.clone())), tokens));
    }
    let credentials = load_credentials(ctx, profile).await?;
    if credentials.api_key.is_none() && credentials.user.is_none() {
        return Err(from_client(ClientError::NoCredentials));
    }
    let shared_limit = shared_limit(ctx, profile, &credentials);
    let config = ClientConfig { shared_limit, ..client_config(ctx, profile).await? };
    Ok((config, credentials, Arc::new(ProfileTokens::new(&profile.id, ctx.secrets().clone()))))
}

/// Notes the host that a profile's secrets are for: in an office another desk may change its address.
pub(super) async fn bind_secrets(ctx: &Context, profile: &Profile) -> Result<(), BoundaryError> {
    let host = address_origin(&profile.base_url);
    let mut hosts = secret_hosts(ctx).await?;
    // An unattended command gives the same key at each start, also where nothing can be written.
    if hosts.insert(profile.id.clone(), host.clone()) == Some(host) {
        return Ok(());
    }
    Ok(ctx.store().save_value(ValueName::SecretHosts, &hosts, ctx.now_text()).await?)
}

async fn secret_hosts(ctx: &Context) -> Result<BTreeMap<String, Option<String>>, BoundaryError> {
    let kept = ctx.store().load_value(ValueName::SecretHosts).await?;
    Ok(kept.map(|(hosts, _)| hosts).unwrap_or_default())
}

/// Removes secrets that were entered for another host than the profile's current one.
async fn forget_foreign_secrets(ctx: &Context, profile: &Profile) -> Result<(), BoundaryError> {
    match secret_hosts(ctx).await?.get(&profile.id) {
        Some(host) if *host == address_origin(&profile.base_url) => Ok(()),
        Some(_) => {
            forget_secrets(ctx, &profile.id).await?;
            bind_secrets(ctx, profile).await
        }
        None => bind_secrets(ctx, profile).await,
    }
}

async fn load_credentials(ctx: &Context, profile: &Profile) -> Result<Credentials, BoundaryError> {
    if ctx.store().office().is_some() {
        forget_foreign_secrets(ctx, profile).await?;
    }
    let mut credentials = Credentials::default();
    if profile.sign_in != SignIn::User {
        let key = ctx.secrets().get(&profile.id, SecretName::ApiKey).await?;
        credentials.api_key = key.map(|key| Secret::new(key.as_str()));
    }
    if profile.sign_in != SignIn::ApiKey {
        let token = ctx.secrets().get(&profile.id, SecretName::RefreshToken).await?;
        let tokens = token.and_then(|text| bordereau_client::StoredTokens::from_secret_text(&text));
        let access = ctx.sessions().grant(profile);
        let is_signed_in = tokens.is_some() || access.is_some();
        credentials.user = is_signed_in.then_some(UserTokens { tokens, access });
    }
    Ok(credentials)
}

/// Address, paths, trust and limit of a person's own profile.
pub(super) async fn client_config(ctx: &Context, profile: &Profile) -> Result<ClientConfig, BoundaryError> {
    let contract = ServicePaths::default();
    let or_contract = |path: &str, contract: String| if path.is_empty() { contract } else { path.to_owned() };
    let paths = ServicePaths {
        token: or_contract(&profile.token_path, contract.token),
        calculator: or_contract(&profile.calculator_path, contract.calculator),
        batch_import: or_contract(&profile.import_path, contract.batch_import),
        batch_results: or_contract(&profile.results_path, contract.batch_results),
        search: or_contract(&profile.search_path, contract.search),
        transaction_status: or_contract(&profile.status_path, contract.transaction_status),
        document_import: or_contract(&profile.documents_path, contract.document_import),
        diligent_forms: or_contract(&profile.forms_path, contract.diligent_forms),
        single_v1: contract.single_v1,
        single_v2: or_contract(&profile.single_path, contract.single_v2),
        webhooks: or_contract(&profile.webhooks_path, contract.webhooks),
    };
    ensure_allowed(ctx, profile)?;
    let extra_ca_pem = super::rules::read_ca(ctx, profile).await?;
    Ok(ClientConfig {
        paths,
        extra_ca_pem,
        has_calculator: !profile.has_no_calculator,
        requests_per_minute: profile.requests_per_minute,
        ..ClientConfig::for_address(profile.base_url.clone())
    })
}

/// Refuses profiles that the policy of this computer switches off.
pub(super) fn ensure_allowed(ctx: &Context, profile: &Profile) -> Result<(), BoundaryError> {
    let allowed = ctx.ports().policy.profiles;
    match profile.environment {
        Environment::Practice if !allowed.practice => {
            Err(switched_off(ErrorCode::ProfileInvalid, "The Practice profile is switched off"))
        }
        Environment::Production if !allowed.production => {
            Err(switched_off(ErrorCode::ProfileInvalid, "Production profiles are switched off"))
        }
        _ => Ok(()),
    }
}

/// Refuses changes to the built-in practice profile.
pub(super) fn refuse_practice(id: &str) -> Result<(), BoundaryError> {
    if id == PRACTICE {
        return Err(BoundaryError::with_code(
            ErrorCode::ProfileInvalid,
            format!(
                "The profile {} is built in: it needs no key or sign-in and cannot be changed or removed. Add a profile of your own instead.",
                new_practice_profile().name
            ),
        ));
    }
    Ok(())
}
