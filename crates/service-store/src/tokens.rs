//! Access and refresh tokens, used one-time links, and the service's own secrets.

use rusqlite::{Connection, OptionalExtension, Result, params};

use super::accounts::{self, Account};

/// What a token is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// For calls.
    Access,
    /// For a new access token.
    Refresh,
}

impl TokenKind {
    const fn name(self) -> &'static str {
        match self {
            TokenKind::Access => "access",
            TokenKind::Refresh => "refresh",
        }
    }
}

/// Seconds a dead token stays known, so that its holder is told "expired" rather than "unknown".
const REMEMBER_SECONDS: i64 = 7 * 24 * 3_600;

/// Keeps a token until `expires_at` (seconds since 1970) and forgets long dead ones.
pub fn insert(
    db: &Connection,
    token_hash: &str,
    account_id: &str,
    kind: TokenKind,
    now: i64,
    expires_at: i64,
) -> Result<()> {
    db.execute("DELETE FROM token WHERE expires_at < $1", params![now - REMEMBER_SECONDS])?;
    db.execute(
        "INSERT INTO token (hash, account_id, kind, expires_at) VALUES ($1, $2, $3, $4)",
        params![token_hash, account_id, kind.name(), expires_at],
    )?;
    Ok(())
}

/// Whose token this is and until when; the caller compares the time.
pub fn find_token(db: &Connection, token_hash: &str, kind: TokenKind) -> Result<Option<(Account, i64)>> {
    let found: Option<(String, i64)> = db
        .prepare_cached("SELECT account_id, expires_at FROM token WHERE hash = $1 AND kind = $2")?
        .query_row(params![token_hash, kind.name()], |row| row.try_into())
        .optional()?;
    let Some((account_id, expires_at)) = found else { return Ok(None) };
    Ok(accounts::by_id(db, &account_id)?.map(|account| (account, expires_at)))
}

/// Marks a one-time link as used; false if it was already.
pub fn use_link(db: &Connection, id: &str, now: i64) -> Result<bool> {
    // A link lives a minute: what was used yesterday is refused for its age already.
    db.execute("DELETE FROM used_link WHERE used_at < $1", params![now - 24 * 3_600])?;
    let added = db.execute(
        "INSERT INTO used_link (id, used_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING",
        params![id, now],
    )?;
    Ok(added == 1)
}

/// A secret of the service itself, made with `fresh` on first use.
pub fn service_secret(db: &Connection, name: &str, fresh: &str) -> Result<String> {
    db.execute(
        "INSERT INTO service_secret (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
        params![name, fresh],
    )?;
    db.query_row("SELECT value FROM service_secret WHERE name = $1", params![name], |row| row.get(0))
}

/// Forgets a secret of the service.
pub fn remove_service_secret(db: &Connection, name: &str) -> Result<()> {
    db.execute("DELETE FROM service_secret WHERE name = $1", params![name]).map(drop)
}
