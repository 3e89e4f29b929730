//! The audit log: append only, each entry hashed together with the one before.
//!
//! The store refuses to change or remove an entry; a change made outside the store breaks the hash chain.

use bordereau_database::{Connection, OptionalRow, params};
use sha2::{Digest, Sha256};

use crate::StoreError;
use bordereau_api::{AuditEntry, AuditLog};

/// What the first entry follows.
const BEGIN: &str = "";

fn hash(before: &str, number: i64, at: &str, by: &str, text: &str) -> String {
    let mut digest = Sha256::new();
    let number = number.to_string();
    for part in [before, &number, at, by, text] {
        // With its length in front, so that no two entries have the same text together.
        digest.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        digest.update(part.as_bytes());
    }
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Appends an entry, inside the transaction of what it records.
pub fn append_entry(connection: &Connection, at: &str, by: &str, text: &str) -> Result<(), StoreError> {
    let last: Option<(i64, String)> = connection
        .query_row("SELECT number, hash FROM audit ORDER BY number DESC LIMIT 1", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?;
    let (number, before) = last.map_or((1, BEGIN.to_owned()), |(number, hash)| (number + 1, hash));
    connection.execute(
        "INSERT INTO audit (number, at, by_whom, text, hash) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![number, at, by, text, hash(&before, number, at, by, text)],
    )?;
    Ok(())
}

/// All entries, newest first, and whether the chain holds: no entry changed, removed or put in between.
pub fn list_entries(connection: &Connection) -> Result<AuditLog, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT number, at, by_whom, text, hash FROM audit ORDER BY number")?;
    let rows = statement.query_map([], row_as!(AuditEntry: number, at, by, text, hash))?;
    let mut entries: Vec<AuditEntry> = rows.collect::<Result<_, _>>()?;
    // The engine's own count of numbers given shows when the last ones were taken away.
    let given = if connection.is_office() {
        "SELECT given FROM audit_given"
    } else {
        "SELECT seq FROM sqlite_sequence WHERE name = 'audit'"
    };
    let given: i64 = connection.query_row(given, [], |row| row.get(0)).optional()?.unwrap_or(0);
    let mut before = BEGIN;
    let mut intact = usize::try_from(given).is_ok_and(|given| given == entries.len());
    for (expected, entry) in (1i64..).zip(&entries) {
        intact &= i64::from(entry.number) == expected
            && entry.hash == hash(before, expected, &entry.at, &entry.by, &entry.text);
        before = &entry.hash;
    }
    entries.reverse();
    Ok(AuditLog { entries, intact })
}
