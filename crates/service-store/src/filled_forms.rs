//! Filled forms waiting to be fetched by their one-time address.

use rusqlite::{Connection, OptionalExtension, Result, params};

/// Seconds a form is kept after its address died, so that one fetched in the last moment is still there.
const KEEP_SECONDS: i64 = 3_600;

/// Keeps files by the ids of their addresses, and forgets those whose addresses died.
pub fn insert(db: &Connection, files: &[(String, Vec<u8>)], now: i64, until: i64) -> Result<()> {
    db.execute("DELETE FROM filled_form WHERE expires_at < $1", params![now - KEEP_SECONDS])?;
    for (id, content) in files {
        db.execute(
            "INSERT INTO filled_form (link_id, content, expires_at) VALUES ($1, $2, $3)",
            params![id, content, until],
        )?;
    }
    Ok(())
}

/// The file of an address; `None` for the address of a blank form.
pub fn find_form(db: &Connection, id: &str) -> Result<Option<Vec<u8>>> {
    db.query_row("SELECT content FROM filled_form WHERE link_id = $1", params![id], |row| row.get(0))
        .optional()
}
