//! The table `store_place`: whether this data folder is the one that was written last, or a copy of it.
//!
//! A copy, a restored backup or an older state put back believes things unsent that another one has sent. So the
//! store knows which file it is in, and how often something was sent is kept beside it too: where either does not
//! fit, everything that waits is looked up at the service before it is sent, until a person says that no other copy
//! sends.

use std::path::Path;
use std::time::UNIX_EPOCH;

use bordereau_api::BatchState;
use rusqlite::{Connection, TransactionBehavior, params};

use crate::batches::bump_revision;
use crate::batches::transition::recompute_batch_state;
use crate::{ActorTimestamp, FILE, StoreError, audit};

/// The step of the schema that made it.
pub(crate) const CREATE_STORE_PLACE: &str = include_str!("place.sql");

/// What is said of what waits in a copy.
const LOOKED_UP_FIRST: &str =
    "This data folder is a copy, or was restored: it is looked up at the service before anything is sent.";
/// In whose name the log has it: the program itself noticed it.
const PROGRAM: &str = "Bordereau";
/// `desk.sends-000000000012`: how often something was sent, in the name of an empty file. Older files that are
/// copied over the newer ones do not take it away.
const WITNESS: &str = "desk.sends-";

/// What kind of copy this is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoreCopy {
    /// Since when it is known that this is a copy; empty where it is none.
    pub noticed_at: String,
}

/// Binds a store to its file; one that is in another file than it was, or older than what was sent from here, is a
/// copy from now on.
pub(crate) fn bind_place(connection: &mut Connection, folder: &Path) -> Result<(), StoreError> {
    let identity = file_identity(&folder.join(FILE)).map_err(StoreError::Folder)?;
    let witness = newest_witness(folder);
    if is_in_place(connection, &identity, witness)? == PlaceFit::Same {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    match is_in_place(&transaction, &identity, witness)? {
        PlaceFit::Same => return Ok(()),
        PlaceFit::Unbound => {
            transaction.execute("UPDATE store_place SET file = ?1", [&identity])?;
        }
        PlaceFit::Copy => become_copy(&transaction, &identity, witness)?,
    }
    transaction.commit()?;
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlaceFit {
    Same,
    Unbound,
    Copy,
}

fn is_in_place(connection: &Connection, identity: &str, witness: i64) -> Result<PlaceFit, StoreError> {
    let (file, sends): (String, i64) =
        connection
            .query_row("SELECT file, sends FROM store_place", [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(match file.as_str() {
        _ if witness > sends => PlaceFit::Copy,
        "" => PlaceFit::Unbound,
        file if file == identity => PlaceFit::Same,
        _ => PlaceFit::Copy,
    })
}

fn become_copy(connection: &Connection, identity: &str, witness: i64) -> Result<(), StoreError> {
    let (at, ms): (String, i64) = connection.query_row(
        "SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), CAST(strftime('%s', 'now') AS INTEGER) * 1000",
        [],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let now = ActorTimestamp { at, ms, by: PROGRAM.to_owned() };
    connection.execute(
        "UPDATE store_place SET file = ?1, sends = max(sends, ?2) + 1, copied_at = ?3",
        params![identity, witness, now.at],
    )?;
    let mut statement =
        connection.prepare("SELECT DISTINCT batch FROM batch_parts WHERE state = 'queued' ORDER BY batch")?;
    let batches: Vec<i64> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    connection.execute(
        "UPDATE batch_parts SET state = 'unknown', copied = 1, lost_ms = ?1, observed_ms = 0, asks = 0
         WHERE state = 'queued'",
        [now.ms],
    )?;
    for batch in batches {
        connection
            .execute("UPDATE batches SET trouble = ?2 WHERE seq = ?1", params![batch, LOOKED_UP_FIRST])?;
        recompute_batch_state(connection, batch, &now)?;
    }
    connection.execute(
        "UPDATE document_uploads SET state = 'unknown', copied = 1, message = ?1, observed_ms = 0, asks = 0
         WHERE state = 'queued'",
        [LOOKED_UP_FIRST],
    )?;
    let text = "This data folder is a copy, or was restored: what waits, and what is sent from now on, is looked up at the service before it is sent.";
    audit::append_entry(connection, &now.at, &now.by, text)?;
    bump_revision(connection)
}

/// Whether this store is a copy.
pub fn store_copy(connection: &Connection) -> Result<StoreCopy, StoreError> {
    let noticed_at = connection.query_row("SELECT copied_at FROM store_place", [], |row| row.get(0))?;
    Ok(StoreCopy { noticed_at })
}

/// How something new begins: queued, in a copy looked up first. With what is said of it.
pub(crate) fn first_state(connection: &Connection) -> Result<(BatchState, &'static str), StoreError> {
    let is_copy = !store_copy(connection)?.noticed_at.is_empty();
    Ok(if is_copy { (BatchState::Unknown, LOOKED_UP_FIRST) } else { (BatchState::Queued, "") })
}

/// A person says that no other copy sends: what was not begun is sent without being looked up.
pub fn confirm_only_copy(connection: &mut Connection, now: &ActorTimestamp) -> Result<(), StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if transaction.execute("UPDATE store_place SET copied_at = '' WHERE copied_at <> ''", [])? == 0 {
        return Ok(());
    }
    let unsent = "state = 'unknown' AND copied = 1";
    let mut statement =
        transaction.prepare(&format!("SELECT DISTINCT batch FROM batch_parts WHERE {unsent}"))?;
    let batches: Vec<i64> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    drop(statement);
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
    let text = "A person confirmed that no other copy of this data folder sends: what waits is sent without being looked up.";
    audit::append_entry(&transaction, &now.at, &now.by, text)?;
    bump_revision(&transaction)?;
    transaction.commit()?;
    Ok(())
}

/// Counts a send, inside of the transaction that notes it; how many there were.
pub(crate) fn count_send(connection: &Connection) -> Result<i64, StoreError> {
    let sql = "UPDATE store_place SET sends = sends + 1 RETURNING sends";
    Ok(connection.query_row(sql, [], |row| row.get(0))?)
}

/// Leaves beside the store how often something was sent, before the first byte leaves. As far as the disk can: the
/// file that the store is bound to shows most copies without it.
pub(crate) fn leave_witness(folder: &Path, sends: i64) {
    let path = folder.join(format!("{WITNESS}{sends:012}"));
    if let Err(error) = std::fs::File::create(path) {
        tracing::warn!(%error, "how often something was sent could not be kept");
        return;
    }
    for (name, number) in witnesses(folder) {
        if number < sends {
            let _ = std::fs::remove_file(folder.join(name));
        }
    }
}

fn newest_witness(folder: &Path) -> i64 {
    witnesses(folder).into_iter().map(|(_, number)| number).max().unwrap_or_default()
}

fn witnesses(folder: &Path) -> Vec<(String, i64)> {
    let names = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let named = names.filter_map(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        let number = name.strip_prefix(WITNESS)?.parse().ok()?;
        Some((name, number))
    });
    named.collect()
}

/// What a copy of a file has otherwise: when the file was made, and where its disk knows it by. A file that is moved
/// keeps both.
fn file_identity(path: &Path) -> std::io::Result<String> {
    let file = std::fs::metadata(path)?;
    let made = file.created().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let made = made.map(|since| since.as_nanos().to_string());
    // Where the time is known, Linux has no way to copy it, and some of its disks number their files anew each time.
    if let (Some(made), true) = (&made, cfg!(target_os = "linux")) {
        return Ok(format!("made {made}"));
    }
    Ok(format!("made {} number {}", made.unwrap_or_default(), file_number(path, &file)))
}

#[cfg(unix)]
fn file_number(_path: &Path, file: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(file)
}

#[cfg(windows)]
fn file_number(path: &Path, _file: &std::fs::Metadata) -> u64 {
    let handle = winapi_util::Handle::from_path(path);
    handle.and_then(winapi_util::file::information).map_or(0, |found| found.file_index())
}
