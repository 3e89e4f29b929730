//! Notices on opening that a data folder is a copy, and forgets it when a person confirms that no other copy sends.

use std::path::Path;
use std::time::SystemTime;

use bordereau_contract::format_instant;
use bordereau_database::{Connection, find_file_identity, params};
use bordereau_sealing::private_files::numbered_files;
use chrono::{DateTime, SubsecRound, Utc};

use crate::batches::bump_revision;
use crate::batches::transition::recompute_batch_state;
use crate::place::{WITNESS, copy_reason, looked_up_first};
use crate::{ActorTimestamp, FILE, StoreError, audit, list_rows};

/// Binds a store to its file. If it is in another file than before, or older than what was sent from here, it counts
/// as a copy from now on.
pub(crate) fn bind_place(connection: &mut Connection, folder: &Path) -> Result<(), StoreError> {
    let identity = find_file_identity(&folder.join(FILE))?;
    bind_to(connection, &identity, newest_witness(folder), CopyScope::All)
}

/// What is marked in a copy.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CopyScope {
    /// All that waits.
    All,
    /// All but what goes to production, which only a manager may change. The store stays bound to the place it had, so
    /// that a manager's desk marks the rest.
    WithoutProduction,
}

/// The same, with the identity of file or database, and the number of sends known outside of it.
pub(crate) fn bind_to(
    connection: &mut Connection,
    identity: &str,
    witness: i64,
    scope: CopyScope,
) -> Result<(), StoreError> {
    if is_in_place(connection, identity, witness)? == PlaceFit::Same {
        return Ok(());
    }
    let transaction = connection.transaction()?;
    match is_in_place(&transaction, identity, witness)? {
        PlaceFit::Same => return Ok(()),
        PlaceFit::Unbound => {
            transaction.execute("UPDATE store_place SET file = ?1", [identity])?;
        }
        PlaceFit::Copy => become_copy(&transaction, identity, witness, scope)?,
    }
    Ok(transaction.commit()?)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlaceFit {
    Same,
    Unbound,
    Copy,
}

fn is_in_place(connection: &Connection, identity: &str, witness: i64) -> Result<PlaceFit, StoreError> {
    let (file, sends): (String, i64) =
        connection.query_row("SELECT file, sends FROM store_place", [], |row| row.try_into())?;
    Ok(match file.as_str() {
        _ if witness > sends => PlaceFit::Copy,
        "" => PlaceFit::Unbound,
        file if file == identity => PlaceFit::Same,
        _ => PlaceFit::Copy,
    })
}

fn become_copy(
    connection: &Connection,
    identity: &str,
    witness: i64,
    scope: CopyScope,
) -> Result<(), StoreError> {
    let (is_office, at) = (connection.is_office(), DateTime::<Utc>::from(SystemTime::now()));
    let now = ActorTimestamp {
        at: format_instant(at.trunc_subsecs(0)),
        ms: at.timestamp_millis(),
        by: audit::PROGRAM.to_owned(),
    };
    let (before, noticed_at): (String, String) =
        connection.query_row("SELECT file, copied_at FROM store_place", [], |row| row.try_into())?;
    let (file, within) = match scope {
        CopyScope::All => (identity, ""),
        CopyScope::WithoutProduction => (before.as_str(), "AND environment <> '\"production\"'"),
    };
    let greater = if is_office { "greatest" } else { "max" };
    connection.execute(
        &format!("UPDATE store_place SET file = ?1, sends = {greater}(sends, ?2) + 1, copied_at = ?3"),
        params![file, witness, now.at],
    )?;
    let sql = format!(
        "SELECT seq FROM batches WHERE seq IN (SELECT batch FROM batch_parts WHERE state = 'queued') {within} ORDER BY seq"
    );
    for batch in list_rows(connection, &sql, [], |row| row.get::<i64>(0))? {
        connection.execute(
            "UPDATE batch_parts SET state = 'unknown', copied = 1, lost_ms = ?1, observed_ms = 0, asks = 0
             WHERE state = 'queued' AND batch = ?2",
            params![now.ms, batch],
        )?;
        connection.execute(
            "UPDATE batches SET trouble = ?2 WHERE seq = ?1",
            params![batch, looked_up_first(is_office)],
        )?;
        recompute_batch_state(connection, batch, &now)?;
    }
    connection.execute(
        &format!(
            "UPDATE document_uploads SET state = 'unknown', copied = 1, message = ?1, observed_ms = 0, asks = 0
             WHERE state = 'queued' {within}"
        ),
        [looked_up_first(is_office)],
    )?;
    if scope == CopyScope::All || noticed_at.is_empty() {
        let text = format!(
            "{}: what waits, and what is sent from now on, is looked up at the service before it is sent.",
            copy_reason(is_office)
        );
        audit::append_entry(connection, &now.at, &now.by, &text)?;
    }
    bump_revision(connection)
}

/// A person confirms that no other copy sends: unsent jobs are then sent without a lookup.
pub fn confirm_only_copy(connection: &mut Connection, now: &ActorTimestamp) -> Result<(), StoreError> {
    let transaction = connection.transaction()?;
    if transaction.execute("UPDATE store_place SET copied_at = '' WHERE copied_at <> ''", [])? == 0 {
        return Ok(());
    }
    let unsent = "state = 'unknown' AND copied = 1";
    let sql = format!("SELECT DISTINCT batch FROM batch_parts WHERE {unsent}");
    let batches: Vec<i64> = list_rows(&transaction, &sql, [], |row| row.get(0))?;
    transaction.execute(
        &format!(
            "UPDATE batch_parts SET state = 'queued', copied = 0, lost_ms = NULL, observed_ms = 0, asks = 0
             WHERE {unsent}"
        ),
        [],
    )?;
    for batch in batches {
        transaction.execute("UPDATE batches SET trouble = '' WHERE seq = ?1", [batch])?;
        recompute_batch_state(&transaction, batch, now)?;
    }
    transaction.execute(
        &format!(
            "UPDATE document_uploads SET state = 'queued', copied = 0, message = '', observed_ms = 0, asks = 0
             WHERE {unsent}"
        ),
        [],
    )?;
    let which = if transaction.is_office() { "the office database" } else { "this data folder" };
    let text = format!(
        "A person confirmed that no other copy of {which} sends: what waits is sent without being looked up."
    );
    audit::append_entry(&transaction, &now.at, &now.by, &text)?;
    bump_revision(&transaction)?;
    Ok(transaction.commit()?)
}

fn newest_witness(folder: &Path) -> i64 {
    numbered_files(folder, WITNESS).into_iter().map(|(_, number)| number).max().unwrap_or_default()
}
