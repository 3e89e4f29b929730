//! The audit log: append only, each entry hashed together with the one before.
//!
//! The store refuses to change or remove an entry; a change made outside the store breaks the hash chain.

use std::collections::HashSet;

use bordereau_database::{Connection, OptionalRow, params};
use sha2::{Digest, Sha256};

use crate::{StoreError, list_rows};
use bordereau_api::{AuditEntry, AuditLog, to_u32};

/// Author of what the program does by itself.
pub(crate) const PROGRAM: &str = "Bordereau";
/// The hash before the first entry.
const BEGIN: &str = "";

fn hash(before: &str, number: i64, at: &str, by: &str, text: &str) -> String {
    let mut digest = Sha256::new();
    let number = number.to_string();
    for part in [before, &number, at, by, text] {
        // Length first, so that no two sequences of parts have the same text.
        digest.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        digest.update(part.as_bytes());
    }
    bordereau_contract::hex_text(&digest.finalize())
}

/// Appends an entry, inside the transaction of what it records.
pub fn append_entry(connection: &Connection, at: &str, by: &str, text: &str) -> Result<(), StoreError> {
    let last: Option<(i64, String)> = connection
        .query_row("SELECT number, hash FROM audit ORDER BY number DESC LIMIT 1", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?;
    let (number, before) = last.map_or((1, BEGIN.to_owned()), |(number, hash)| (number + 1, hash));
    // The database of an office writes who it was itself.
    connection.execute(ADD_OWN, params![number, at, by, text, hash(&before, number, at, by, text), ""])?;
    Ok(())
}

/// The step that added the logs of data folders that were copied into a workspace.
pub(crate) const CREATE_COPIED_AUDIT: &str = include_str!("copied_audit.sql");
/// The step that keeps, in a folder too, who the database of an office said wrote an entry.
pub(crate) const ADD_SIGNED_BY: &str = "ALTER TABLE audit ADD COLUMN signed_by TEXT NOT NULL DEFAULT '';
     ALTER TABLE copied_audit ADD COLUMN signed_by TEXT NOT NULL DEFAULT '';";
/// Start of an entry that ends with the hash of a copied log.
const COPIED: &str = "Copied the data of a computer into the workspace: ";
const OWN_ENTRIES: &str = "SELECT number, at, by_whom, text, hash, signed_by FROM audit ORDER BY number";
const ADD_OWN: &str =
    "INSERT INTO audit (number, at, by_whom, text, hash, signed_by) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
const ADD_COPIED: &str = "INSERT INTO copied_audit (number, at, by_whom, text, hash, signed_by, log) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";

/// All entries, newest first, and whether the hash chain is intact: no entry was changed, removed or inserted, in
/// this log and in copied ones.
pub fn list_entries(connection: &Connection) -> Result<AuditLog, StoreError> {
    let mut entries = read_entries(connection, OWN_ENTRIES)?;
    // The engine's own counter shows when the last entries were removed.
    let given = if connection.is_office() {
        "SELECT given FROM audit_given"
    } else {
        "SELECT seq FROM sqlite_sequence WHERE name = 'audit'"
    };
    let given: i64 = connection.query_row(given, [], |row| row.get(0)).optional()?.unwrap_or(0);
    let mut copied = read_entries(
        connection,
        "SELECT number, at, by_whom, text, hash, signed_by FROM copied_audit ORDER BY log, number",
    )?;
    let intact = usize::try_from(given).is_ok_and(|given| given == entries.len())
        && is_chain(&entries)
        && are_copies_whole(&entries, &copied)
        && entries.iter().all(|entry| !is_forged(entry));
    entries.reverse();
    copied.reverse();
    Ok(AuditLog { entries, intact, copied })
}

fn read_entries(connection: &Connection, sql: &str) -> Result<Vec<AuditEntry>, StoreError> {
    list_rows(connection, sql, [], row_as!(AuditEntry: number, at, by, text, hash, signed_by))
}

/// Whether the database of an office says that someone else wrote it than it says itself.
fn is_forged(entry: &AuditEntry) -> bool {
    ![entry.by.as_str(), ""].contains(&entry.signed_by.as_str()) && entry.by != PROGRAM
}

/// What is said of entries that name someone else than who wrote them, in sentences.
pub(crate) fn describe_forged(entries: &[AuditEntry]) -> Vec<String> {
    let forged = entries.iter().filter(|entry| is_forged(entry));
    let sentence = |AuditEntry { number, by, signed_by, .. }: &AuditEntry| {
        format!(
            "Entry {number} of the audit log names {by}, and the database says that {signed_by} wrote it. Ask {signed_by}."
        )
    };
    forged.map(sentence).collect()
}

/// Whether each entry follows the one before, from the first entry on.
fn is_chain(entries: &[AuditEntry]) -> bool {
    let mut before = BEGIN;
    (1i64..).zip(entries).all(|(expected, entry)| {
        let follows = i64::from(entry.number) == expected
            && entry.hash == hash(before, expected, &entry.at, &entry.by, &entry.text);
        before = &entry.hash;
        follows
    })
}

/// Whether each copied log is an intact chain with an entry for its last hash, and no log of an entry is missing.
fn are_copies_whole(entries: &[AuditEntry], copied: &[AuditEntry]) -> bool {
    let all = entries.iter().chain(copied);
    let noted: HashSet<&str> =
        all.filter_map(|entry| entry.text.strip_prefix(COPIED)).filter_map(last_hash).collect();
    let hashes: HashSet<&str> = copied.iter().map(|entry| entry.hash.as_str()).collect();
    let mut logs = copied.chunk_by(|_, next| next.number != 1);
    noted.is_subset(&hashes)
        && logs.all(|log| is_chain(log) && log.last().is_none_or(|last| noted.contains(last.hash.as_str())))
}

/// `None` where the copied log was empty.
fn last_hash(text: &str) -> Option<&str> {
    text.split_whitespace().last().filter(|word| word.len() == 64)
}

/// Identifies a copied folder's log: the hash of its first entry. `None` while it is empty.
pub(crate) fn copied_log_name(source: &Connection) -> Result<Option<String>, StoreError> {
    Ok(source.query_row("SELECT hash FROM audit WHERE number = 1", [], |row| row.get(0)).optional()?)
}

/// Copies a folder's whole log beside the workspace's own; returns how many entries were new.
///
/// # Errors
/// [`StoreError::CopyRefused`] where it isn't intact, or isn't the log that was copied before.
pub(crate) fn copy_log(source: &Connection, target: &Connection) -> Result<u32, StoreError> {
    if !list_entries(source)?.intact {
        return Err(StoreError::CopyRefused(
            "the audit log of this data folder was changed outside of Bordereau",
        ));
    }
    let entries = read_entries(source, OWN_ENTRIES)?;
    let Some(log) = entries.first().map(|first| first.hash.clone()) else { return Ok(0) };
    let known = read_copied_log(target, &log)?;
    if !entries.starts_with(&known) {
        return Err(StoreError::CopyRefused(
            "another copy of this data folder was copied before, and was used since. Its work can't be told apart",
        ));
    }
    let new = entries.get(known.len()..).unwrap_or_default();
    for AuditEntry { number, at, by, text, hash, signed_by } in new {
        let mut add = target.prepare_cached(ADD_COPIED)?;
        add.execute(params![number, at, by, text, hash, signed_by, log])?;
    }
    ensure_equal(&read_copied_log(target, &log)?, &entries)?;
    Ok(to_u32(new.len()))
}

fn read_copied_log(target: &Connection, log: &str) -> Result<Vec<AuditEntry>, StoreError> {
    let sql =
        "SELECT number, at, by_whom, text, hash, signed_by FROM copied_audit WHERE log = ?1 ORDER BY number";
    list_rows(target, sql, [log], row_as!(AuditEntry: number, at, by, text, hash, signed_by))
}

fn ensure_equal(copy: &[AuditEntry], entries: &[AuditEntry]) -> Result<(), StoreError> {
    if copy == entries {
        Ok(())
    } else {
        Err(StoreError::Damaged("the copy of the audit log is not equal".to_owned()))
    }
}

/// Notes in the workspace's own log that a folder was copied, with the last hash of the folder's log.
pub(crate) fn note_copied_log(
    target: &Connection,
    at: &str,
    by: &str,
    rows: u32,
    log: Option<&str>,
) -> Result<(), StoreError> {
    let rows = bordereau_contract::pluralize(rows, "new row");
    let copied = log.map_or(Ok(Vec::new()), |log| read_copied_log(target, log))?;
    let text = match copied.last() {
        Some(last) => {
            format!("{COPIED}{rows}. Entry {} of its audit log has the hash {}", last.number, last.hash)
        }
        None => format!("{COPIED}{rows}. Its audit log is empty."),
    };
    append_entry(target, at, by, &text)
}

/// Copies a workspace's log into a new folder as its own log; returns the number of entries.
pub(crate) fn take_log(source: &Connection, target: &Connection) -> Result<u32, StoreError> {
    let entries = read_entries(source, OWN_ENTRIES)?;
    for AuditEntry { number, at, by, text, hash, signed_by } in &entries {
        let mut add = target.prepare_cached(ADD_OWN)?;
        add.execute(params![number, at, by, text, hash, signed_by])?;
    }
    ensure_equal(&read_entries(target, OWN_ENTRIES)?, &entries)?;
    Ok(to_u32(entries.len()))
}
