//! Webhooks as they are set up. Secrets stand here sealed, see `webhooks::sealed`.

use bordereau_contract::{EventKind, Jurisdiction};
use rusqlite::{Connection, OptionalExtension, Result, Row, params};

/// A webhook as it is kept.
#[derive(Clone, Debug)]
pub struct StoredWebhook {
    /// Number in the database.
    pub seq: i64,
    /// As the account knows it.
    pub id: String,
    /// Whose it is.
    pub account_id: String,
    /// Shown to people.
    pub title: String,
    /// Shown to people.
    pub description: String,
    /// What it subscribed to.
    pub events: Vec<EventKind>,
    /// Where deliveries go.
    pub url: String,
    /// Name of the header sent along; empty for none.
    pub header_key: String,
    /// Sealed; empty for none.
    pub header_value: String,
    /// Sealed.
    pub secret: String,
    /// Of which states it wants events; none means all.
    pub states: Vec<Jurisdiction>,
    /// Seconds since 1970.
    pub created_at: i64,
}

const COLUMNS: &str =
    "seq, id, account_id, title, description, url, header_key, header_value, secret, states, created_at";

fn read(row: &Row<'_>) -> Result<StoredWebhook> {
    let states: String = row.get(9)?;
    Ok(StoredWebhook {
        seq: row.get(0)?,
        id: row.get(1)?,
        account_id: row.get(2)?,
        title: row.get(3)?,
        description: row.get(4)?,
        events: Vec::new(),
        url: row.get(5)?,
        header_key: row.get(6)?,
        header_value: row.get(7)?,
        secret: row.get(8)?,
        states: states.split(',').filter_map(|code| code.parse().ok()).collect(),
        created_at: row.get(10)?,
    })
}

/// `,TX,CA,`, so that one is found by its commas; empty for all.
fn states_text(states: &[Jurisdiction]) -> String {
    if states.is_empty() {
        return String::new();
    }
    let codes: Vec<&str> = states.iter().map(|state| state.code()).collect();
    format!(",{},", codes.join(","))
}

fn with_events(db: &Connection, mut kept: StoredWebhook) -> Result<StoredWebhook> {
    let mut statement = db.prepare_cached("SELECT event FROM webhook_event WHERE webhook_seq = $1")?;
    let events = statement.query_map(params![kept.seq], |row| row.get::<_, String>(0))?;
    kept.events = events.filter_map(|event| EventKind::from_identifier(&event.ok()?)).collect();
    kept.events.sort_unstable();
    Ok(kept)
}

fn write_events(db: &Connection, kept: &StoredWebhook) -> Result<()> {
    db.execute("DELETE FROM webhook_event WHERE webhook_seq = $1", params![kept.seq])?;
    for event in &kept.events {
        db.execute(
            "INSERT INTO webhook_event (webhook_seq, event) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            params![kept.seq, event.identifier()],
        )?;
    }
    Ok(())
}

/// Adds a webhook; its `seq` is not looked at.
pub fn insert(db: &Connection, mut new: StoredWebhook) -> Result<StoredWebhook> {
    new.seq = db.query_row(
        "INSERT INTO webhook (id, account_id, title, description, url, header_key, header_value, secret, \
         states, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING seq",
        params![
            new.id,
            new.account_id,
            new.title,
            new.description,
            new.url,
            new.header_key,
            new.header_value,
            new.secret,
            states_text(&new.states),
            new.created_at
        ],
        |row| row.get(0),
    )?;
    write_events(db, &new)?;
    Ok(new)
}

/// Writes everything but id, account and age.
pub fn update_webhook(db: &Connection, kept: &StoredWebhook) -> Result<()> {
    db.execute(
        "UPDATE webhook SET title = $1, description = $2, url = $3, header_key = $4, header_value = $5, \
         secret = $6, states = $7 WHERE seq = $8",
        params![
            kept.title,
            kept.description,
            kept.url,
            kept.header_key,
            kept.header_value,
            kept.secret,
            states_text(&kept.states),
            kept.seq
        ],
    )?;
    write_events(db, kept)
}

/// Takes a webhook out of use; its log stays. What waited is given up without a word.
pub fn remove_webhook(db: &Connection, kept: &StoredWebhook, now_ms: i64) -> Result<()> {
    db.execute(
        "UPDATE webhook SET removed_at = $1, secret = '', header_value = '' WHERE seq = $2",
        params![now_ms / 1_000, kept.seq],
    )?;
    db.execute("DELETE FROM webhook_event WHERE webhook_seq = $1", params![kept.seq])?;
    db.execute(
        "UPDATE delivery SET status = 'failed', error = 'The webhook was removed.', finished_at = $1 \
         WHERE webhook_seq = $2 AND status = 'waiting'",
        params![now_ms, kept.seq],
    )?;
    Ok(())
}

/// An account's webhooks, the oldest first.
pub fn list_webhooks(db: &Connection, account_id: &str) -> Result<Vec<StoredWebhook>> {
    let mut statement = db.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM webhook WHERE account_id = $1 AND removed_at IS NULL ORDER BY seq"
    ))?;
    let kept: Vec<StoredWebhook> = statement.query_map(params![account_id], read)?.collect::<Result<_>>()?;
    kept.into_iter().map(|kept| with_events(db, kept)).collect()
}

/// An account's webhook.
pub fn find_webhook(db: &Connection, account_id: &str, id: &str) -> Result<Option<StoredWebhook>> {
    db.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM webhook WHERE account_id = $1 AND id = $2 AND removed_at IS NULL"
    ))?
    .query_row(params![account_id, id], read)
    .optional()?
    .map(|kept| with_events(db, kept))
    .transpose()
}

/// A webhook in use, for its deliveries (without its events).
pub fn find_target(db: &Connection, seq: i64) -> Result<Option<StoredWebhook>> {
    db.prepare_cached(&format!("SELECT {COLUMNS} FROM webhook WHERE seq = $1 AND removed_at IS NULL"))?
        .query_row(params![seq], read)
        .optional()
}

/// The webhooks that subscribed to this. `state` is empty where the event is not about one state.
pub fn find_subscribers(db: &Connection, account_id: &str, kind: EventKind, state: &str) -> Result<Vec<i64>> {
    let pattern = if state.is_empty() { "%".to_owned() } else { format!("%,{state},%") };
    db.prepare_cached(
        "SELECT webhook.seq FROM webhook_event JOIN webhook ON webhook.seq = webhook_event.webhook_seq \
         WHERE webhook_event.event = $1 AND webhook.account_id = $2 AND webhook.removed_at IS NULL \
         AND (webhook.states = '' OR webhook.states LIKE $3)",
    )?
    .query_map(params![kind.identifier(), account_id, pattern], |row| row.get(0))?
    .collect()
}

/// Accounts that have a webhook for this.
pub fn accounts_subscribed(db: &Connection, kind: EventKind) -> Result<Vec<String>> {
    db.prepare_cached(
        "SELECT DISTINCT webhook.account_id FROM webhook_event \
         JOIN webhook ON webhook.seq = webhook_event.webhook_seq \
         WHERE webhook_event.event = $1 AND webhook.removed_at IS NULL",
    )?
    .query_map(params![kind.identifier()], |row| row.get(0))?
    .collect()
}
