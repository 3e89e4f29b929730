//! Accounts, their settings, keys and passwords. `me` is the caller's own account.

use std::collections::BTreeMap;

use axum::extract::{Path, State};
use bordereau_contract::AccountRole;
use bordereau_service_store::accounts::{self, Account};
use serde::{Deserialize, Serialize};

use super::{CreatedResult, PracticeBody, PracticeCaller, PracticeResult, created_answer};
use crate::answer::JsonAnswer;
use crate::refusal::Refusal;
use crate::service::{AppState, Service};
use crate::{AccountKind, Clock, secrets};

/// Characters of a password.
pub(crate) const PASSWORD_CHARS: std::ops::RangeInclusive<usize> = 8..=200;
/// Bytes of a name or username.
const NAME_BYTES_MAX: usize = 200;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewAccount {
    name: String,
    username: String,
    #[serde(default)]
    kind: AccountKind,
    #[serde(default)]
    role: AccountRole,
    /// Generated if absent.
    password: Option<String>,
}

/// A fresh account with its secrets, shown this once.
#[derive(Serialize)]
pub(super) struct CreatedAccount {
    #[serde(flatten)]
    account: Account,
    password: String,
    api_key: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AccountChange {
    name: Option<String>,
    kind: Option<AccountKind>,
    active: Option<bool>,
    api_access: Option<bool>,
    calculator: Option<bool>,
    role: Option<AccountRole>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewPassword {
    /// Generated if absent.
    password: Option<String>,
}

/// A key or a password under its name.
type NewSecret = BTreeMap<&'static str, String>;

/// `GET /practice/accounts`.
pub(super) async fn list_accounts(
    State(app): State<AppState>,
    _: PracticeCaller,
) -> PracticeResult<BTreeMap<&'static str, Vec<Account>>> {
    let accounts = app.store.with_connection(accounts::list_accounts).await?;
    Ok(JsonAnswer(BTreeMap::from([("accounts", accounts)])))
}

/// `GET /practice/accounts/{id}`.
pub(super) async fn show_account(
    State(app): State<AppState>,
    Path(id): Path<String>,
    PracticeCaller(caller): PracticeCaller,
) -> PracticeResult<Account> {
    find_account(&app, &id, &caller).await.map(JsonAnswer)
}

/// `POST /practice/accounts`: a new account with key and password, both shown this once.
pub(super) async fn add_account(
    State(app): State<AppState>,
    PracticeBody(_, new): PracticeBody<NewAccount>,
) -> CreatedResult<CreatedAccount> {
    check_name("/name", &new.name)?;
    check_name("/username", &new.username)?;
    let (password, hash) = password_with_hash(&app, new.password).await?;
    let account = Account {
        id: secrets::generate_account_id(),
        name: new.name,
        kind: new.kind,
        username: new.username,
        active: true,
        api_access: true,
        calculator: true,
        practice: false,
        role: new.role,
    };
    let (api_key, now) = (secrets::generate_secret("bdk_"), app.clock.now().timestamp());
    let (key_hash, kept) = (secrets::hash(&api_key), account.clone());
    let added = app.store.with_connection(move |db| {
        if accounts::by_username(db, &kept.username)?.is_some() {
            return Ok(false);
        }
        accounts::insert(db, &kept, &hash, now)?;
        accounts::replace_key(db, &kept.id, &key_hash, now)?;
        Ok(true)
    });
    if added.await? {
        created_answer(CreatedAccount { account, password, api_key })
    } else {
        Err(Refusal::conflict("/username", "This username is taken."))
    }
}

/// `PATCH /practice/accounts/{id}`: name, kind, active, API access, calculator contracted.
pub(super) async fn change_account(
    State(app): State<AppState>,
    Path(id): Path<String>,
    PracticeBody(caller, change): PracticeBody<AccountChange>,
) -> PracticeResult<Account> {
    if let Some(name) = &change.name {
        check_name("/name", name)?;
    }
    let id = if id == "me" { caller.id.clone() } else { id };
    let changed = update_account(&app, id, move |account| {
        account.name = change.name.unwrap_or(std::mem::take(&mut account.name));
        account.kind = change.kind.unwrap_or(account.kind);
        account.active = change.active.unwrap_or(account.active);
        account.api_access = change.api_access.unwrap_or(account.api_access);
        account.calculator = change.calculator.unwrap_or(account.calculator);
        account.role = change.role.unwrap_or(account.role);
    });
    changed.await.map(JsonAnswer)
}

/// `POST /practice/accounts/{id}/api-key`: a new key, shown this once; the old one stops working at once.
pub(super) async fn new_key(
    State(app): State<AppState>,
    Path(id): Path<String>,
    PracticeCaller(caller): PracticeCaller,
) -> CreatedResult<NewSecret> {
    let account = find_account(&app, &id, &caller).await?;
    created_answer(BTreeMap::from([("api_key", make_key(&app, &caller, &account).await?)]))
}

/// `POST /practice/accounts/{id}/password`: a new password; every session of the account ends.
pub(super) async fn new_password(
    State(app): State<AppState>,
    Path(id): Path<String>,
    PracticeBody(caller, new): PracticeBody<NewPassword>,
) -> CreatedResult<NewSecret> {
    let account = find_account(&app, &id, &caller).await?;
    let (password, hash) = password_with_hash(&app, new.password).await?;
    app.store.with_connection(move |db| accounts::set_password(db, &account.id, &hash)).await?;
    app.directory.forget_all();
    created_answer(BTreeMap::from([("password", password)]))
}

async fn find_account(app: &Service, id: &str, caller: &Account) -> Result<Account, Refusal> {
    let id = if id == "me" { caller.id.clone() } else { id.to_owned() };
    let found = app.store.with_connection(move |db| accounts::by_id(db, &id)).await?;
    found.ok_or_else(no_account)
}

fn no_account() -> Refusal {
    Refusal::not_found("There is no such account.")
}

/// Reads and writes in one step: another change at the same time is not undone.
async fn update_account(
    app: &Service,
    id: String,
    change: impl FnOnce(&mut Account) + Send + 'static,
) -> Result<Account, Refusal> {
    let changed = app.store.with_connection(move |db| {
        let Some(mut account) = accounts::by_id(db, &id)? else { return Ok(None) };
        change(&mut account);
        accounts::update_account(db, &account)?;
        Ok(Some(account))
    });
    let account = changed.await?.ok_or_else(no_account)?;
    app.directory.forget_all();
    Ok(account)
}

/// Makes a new key for an account, where the caller's role allows it.
pub(super) async fn make_key(app: &Service, caller: &Account, account: &Account) -> Result<String, Refusal> {
    if !caller.role.may_make_key(caller.id == account.id) {
        return Err(Refusal::forbidden(
            "An agency administrator generates its own key; a filing agency administrator or support resets any.",
        ));
    }
    let (api_key, now) = (secrets::generate_secret("bdk_"), app.clock.now().timestamp());
    let (hash, id) = (secrets::hash(&api_key), account.id.clone());
    app.store.with_connection(move |db| accounts::replace_key(db, &id, &hash, now)).await?;
    app.directory.forget_all();
    if account.practice {
        app.practice_key.send_replace(api_key.clone());
    }
    Ok(api_key)
}

/// Gives an account a role.
pub(super) async fn set_role(app: &Service, account: &Account, role: AccountRole) -> Result<(), Refusal> {
    update_account(app, account.id.clone(), move |account| account.role = role).await.map(drop)
}

/// The password asked for, or a fresh one, and its hash.
async fn password_with_hash(app: &Service, asked: Option<String>) -> Result<(String, String), Refusal> {
    let password = asked.unwrap_or_else(secrets::generate_password);
    if !PASSWORD_CHARS.contains(&password.chars().count()) {
        let detail =
            format!("{} to {} characters are expected.", PASSWORD_CHARS.start(), PASSWORD_CHARS.end());
        return Err(Refusal::invalid_field("/password", detail));
    }
    let hashed = password.clone();
    let hash = app.hash_off_thread(move || secrets::hash_password(&hashed)).await?;
    let hash = hash.map_err(|_| Refusal::internal_error("The password cannot be hashed."))?;
    Ok((password, hash))
}

fn check_name(pointer: &str, name: &str) -> Result<(), Refusal> {
    if name.trim().is_empty() || name.len() > NAME_BYTES_MAX {
        let detail = format!("1 to {NAME_BYTES_MAX} bytes of text are expected.");
        return Err(Refusal::invalid_field(pointer, detail));
    }
    Ok(())
}
