//! Accounts and their API keys.

use bordereau_contract::AccountRole;
use rusqlite::{Connection, OptionalExtension, Result, Row, params};
use serde::{Deserialize, Serialize};

/// The two client types of the interface; both have the same capabilities (contract section 1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccountKind {
    /// Enterprise filing management.
    #[default]
    Enterprise,
    /// Outsourced filing.
    Outsourced,
}

/// An account as the service knows it, and as `/practice/accounts` shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Account {
    /// `acc-` and a number.
    pub id: String,
    /// Shown to people.
    pub name: String,
    /// Client type.
    pub kind: AccountKind,
    /// Unique; for the sign-in.
    pub username: String,
    /// An inactive account is refused with 403.
    pub active: bool,
    /// Without it every call is refused with 403.
    pub api_access: bool,
    /// The contracted permission for the calculator.
    pub calculator: bool,
    /// May use `/practice/`.
    pub practice: bool,
    /// What its person may do about keys.
    pub role: AccountRole,
}

/// What an API key gives access to.
pub enum KeyOwner {
    /// This account.
    Live(Account),
    /// A newer key was generated since.
    Replaced,
}

const COLUMNS: &str = "account.id, account.name, account.kind, account.username, account.active, account.api_access, \
     account.calculator, account.practice, account.role";

pub(crate) fn read(row: &Row<'_>) -> Result<Account> {
    let kind: String = row.get(2)?;
    Ok(Account {
        id: row.get(0)?,
        name: row.get(1)?,
        kind: if kind == "outsourced" { AccountKind::Outsourced } else { AccountKind::Enterprise },
        username: row.get(3)?,
        active: row.get(4)?,
        api_access: row.get(5)?,
        calculator: row.get(6)?,
        practice: row.get(7)?,
        // A word of another version gives no rights.
        role: row.get_ref(8)?.as_str().unwrap_or_default().parse().unwrap_or(AccountRole::User),
    })
}

fn kind_name(kind: AccountKind) -> &'static str {
    match kind {
        AccountKind::Enterprise => "enterprise",
        AccountKind::Outsourced => "outsourced",
    }
}

/// Adds an account.
pub fn insert(db: &Connection, account: &Account, password_hash: &str, now: i64) -> Result<()> {
    db.execute(
        "INSERT INTO account (id, name, kind, username, password_hash, active, api_access, calculator, \
         practice, created_at, role) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        params![
            account.id,
            account.name,
            kind_name(account.kind),
            account.username,
            password_hash,
            account.active,
            account.api_access,
            account.calculator,
            account.practice,
            now,
            <&str>::from(account.role)
        ],
    )?;
    Ok(())
}

/// Writes everything but the password.
pub fn update_account(db: &Connection, account: &Account) -> Result<()> {
    db.execute(
        "UPDATE account SET name = $1, kind = $2, username = $3, active = $4, api_access = $5, \
         calculator = $6, practice = $7, role = $8 WHERE id = $9",
        params![
            account.name,
            kind_name(account.kind),
            account.username,
            account.active,
            account.api_access,
            account.calculator,
            account.practice,
            <&str>::from(account.role),
            account.id
        ],
    )?;
    Ok(())
}

/// Sets the password and ends every session of the account.
pub fn set_password(db: &Connection, account_id: &str, password_hash: &str) -> Result<()> {
    db.execute("UPDATE account SET password_hash = $1 WHERE id = $2", params![password_hash, account_id])?;
    db.execute("DELETE FROM token WHERE account_id = $1", params![account_id])?;
    Ok(())
}

/// All accounts, the oldest first.
pub fn list_accounts(db: &Connection) -> Result<Vec<Account>> {
    let mut statement =
        db.prepare_cached(&format!("SELECT {COLUMNS} FROM account ORDER BY created_at, id"))?;
    statement.query_map([], read)?.collect()
}

/// The account with this id.
pub fn by_id(db: &Connection, id: &str) -> Result<Option<Account>> {
    db.prepare_cached(&format!("SELECT {COLUMNS} FROM account WHERE id = $1"))?
        .query_row(params![id], read)
        .optional()
}

/// The account with this username, and the hash of its password.
pub fn by_username(db: &Connection, username: &str) -> Result<Option<(Account, String)>> {
    db.prepare_cached(&format!("SELECT {COLUMNS}, account.password_hash FROM account WHERE username = $1"))?
        .query_row(params![username], |row| Ok((read(row)?, row.get(9)?)))
        .optional()
}

/// Whose key this is; `None` for a key that never was.
pub fn by_key(db: &Connection, key_hash: &str) -> Result<Option<KeyOwner>> {
    db.prepare_cached(&format!(
        "SELECT {COLUMNS}, api_key.active FROM api_key JOIN account ON account.id = api_key.account_id \
         WHERE api_key.hash = $1"
    ))?
    .query_row(params![key_hash], |row| {
        let live: bool = row.get(9)?;
        Ok(if live { KeyOwner::Live(read(row)?) } else { KeyOwner::Replaced })
    })
    .optional()
}

/// Makes this the account's only live key; any other is dead from now on (contract section 1).
pub fn replace_key(db: &Connection, account_id: &str, key_hash: &str, now: i64) -> Result<()> {
    db.execute("UPDATE api_key SET active = 0 WHERE account_id = $1", params![account_id])?;
    db.execute(
        "INSERT INTO api_key (hash, account_id, active, created_at) VALUES ($1, $2, 1, $3) \
         ON CONFLICT (hash) DO UPDATE SET account_id = excluded.account_id, active = 1",
        params![key_hash, account_id, now],
    )?;
    Ok(())
}
