//! Transitions of parts and rows: each one committed, each one only from the state it expects.

use bordereau_contract::ImportTransaction;
use rusqlite::{Connection, TransactionBehavior, params};

use super::known::WaitingRow;
use super::outcome::RowOutcome;
use super::{documents, touch, view};
use crate::{Moment, Store, StoreError, audit, batch_state, batch_word, is_ended, row_word};
use bordereau_api::{BatchState, Environment, RowMessage, RowState};

/// A row with what results name it by.
#[derive(Clone, Debug)]
pub struct NamedRow {
    /// Number of the row in its batch.
    pub row: i64,
    /// Its own id.
    pub own_id: String,
    /// Its policy number.
    pub policy_number: String,
}

/// A part that is not at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenPart {
    /// Number of the batch.
    pub batch: i64,
    /// Number of the part, from 0.
    pub part: i64,
    /// How far it is.
    pub state: BatchState,
    /// The service's id of the batch.
    pub remote_id: Option<String>,
    /// The profile it goes to.
    pub profile_id: String,
    /// What the profile was when the send was confirmed.
    pub environment: Environment,
    /// When its answer was lost; milliseconds since 1970.
    pub lost_ms: Option<i64>,
}

/// Parts that are not at their end and about which no person is asked, the oldest first.
pub async fn open_parts(store: &Store) -> Result<Vec<OpenPart>, StoreError> {
    store
        .run(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT p.batch, p.part, p.state, p.remote_id, b.profile_id, b.environment, p.lost_ms
             FROM batch_parts p JOIN batches b ON b.seq = p.batch
             WHERE p.state IN ('queued', 'sending', 'unknown', 'accepted', 'processing') AND p.asks = 0
             ORDER BY p.batch, p.part",
            )?;
            let mut rows = statement.query([])?;
            let mut parts = Vec::new();
            while let Some(row) = rows.next()? {
                parts.push(OpenPart {
                    batch: row.get(0)?,
                    part: row.get(1)?,
                    state: batch_state(row.get_ref(2)?.as_str().unwrap_or_default()),
                    remote_id: row.get(3)?,
                    profile_id: row.get(4)?,
                    environment: serde_json::from_str(row.get_ref(5)?.as_str().unwrap_or_default())?,
                    lost_ms: row.get(6)?,
                });
            }
            Ok(parts)
        })
        .await
}

/// After a start: what was being sent when an earlier process ended has an unknown outcome.
pub async fn recover(store: &Store, now: Moment) -> Result<(), StoreError> {
    store.run_durably(move |connection| {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut statement =
            transaction.prepare("SELECT DISTINCT batch FROM batch_parts WHERE state = 'sending'")?;
        let batches: Vec<i64> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        drop(statement);
        transaction.execute(
            "UPDATE batch_parts SET state = 'unknown', lost_ms = coalesce(lost_ms, ?1) WHERE state = 'sending'",
            [now.ms],
        )?;
        for batch in batches {
            settle(&transaction, batch, &now)?;
        }
        transaction.commit()?;
        Ok(())
    })
    .await
}

/// The rows of a part that wait for their outcome.
pub async fn waiting_rows(
    store: &Store,
    part: &OpenPart,
    with_documents: bool,
) -> Result<Vec<WaitingRow>, StoreError> {
    let (batch, part) = (part.batch, part.part);
    store.run(move |connection| {
        let mut statement = connection.prepare_cached(
            "SELECT row, wire FROM batch_rows WHERE batch = ?1 AND part = ?2 AND row_state = 'pending' ORDER BY row",
        )?;
        let mut rows = statement.query(params![batch, part])?;
        let mut waiting = Vec::new();
        while let Some(found) = rows.next()? {
            let row: i64 = found.get(0)?;
            let wire = found.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?;
            let mut transaction: ImportTransaction = serde_json::from_str(wire)?;
            if with_documents {
                transaction.documents = documents::of_row(connection, batch, row)?;
            }
            waiting.push(WaitingRow { row, transaction });
        }
        Ok(waiting)
    })
    .await
}

/// All rows of a part with what results name them by, in order.
pub async fn named_rows(store: &Store, part: &OpenPart) -> Result<Vec<NamedRow>, StoreError> {
    let (batch, part) = (part.batch, part.part);
    store
        .run(move |connection| {
            let mut statement = connection.prepare_cached(
            "SELECT row, own_id, policy_number FROM batch_rows WHERE batch = ?1 AND part = ?2 ORDER BY row",
        )?;
            let rows = statement.query_map(params![batch, part], |row| {
                Ok(NamedRow { row: row.get(0)?, own_id: row.get(1)?, policy_number: row.get(2)? })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
}

/// Moves a part on, if it still stands where it is expected to stand.
pub async fn move_part(
    store: &Store,
    part: &OpenPart,
    to: BatchState,
    remote_id: Option<String>,
    now: Moment,
) -> Result<bool, StoreError> {
    let part = part.clone();
    store
        .run_durably(move |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let moved = transaction.execute(
            "UPDATE batch_parts SET state = ?3, remote_id = ?4 WHERE batch = ?1 AND part = ?2 AND state = ?5",
            params![part.batch, part.part, batch_word(to), remote_id, batch_word(part.state)],
        )?;
            if moved == 1 {
                note_lost(&transaction, part.batch, part.part, to, &now)?;
                if to == BatchState::Accepted {
                    accepted(&transaction, &part, remote_id.as_deref(), &now)?;
                }
                transaction.execute("UPDATE batches SET trouble = '' WHERE seq = ?1", [part.batch])?;
                settle(&transaction, part.batch, &now)?;
            }
            transaction.commit()?;
            Ok(moved == 1)
        })
        .await
}

/// Puts outcomes on rows that wait, and moves the part on in the same step. Tells how many rows moved.
pub async fn land(
    store: &Store,
    part: &OpenPart,
    outcomes: Vec<(i64, RowOutcome)>,
    to: BatchState,
    trouble: String,
    now: Moment,
) -> Result<usize, StoreError> {
    let part = part.clone();
    store
        .run_durably(move |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let stands = transaction.execute(
                "UPDATE batch_parts SET state = ?3 WHERE batch = ?1 AND part = ?2 AND state = ?4",
                params![part.batch, part.part, batch_word(to), batch_word(part.state)],
            )?;
            if stands == 0 {
                return Ok(0);
            }
            note_lost(&transaction, part.batch, part.part, to, &now)?;
            let mut landed = 0;
            for (row, outcome) in &outcomes {
                landed += land_row(&transaction, part.batch, *row, outcome)?;
            }
            if landed > 0 {
                transaction.execute(
                    "UPDATE batches SET moved_ms = ?2 WHERE seq = ?1",
                    params![part.batch, now.ms],
                )?;
            }
            if is_ended(to) {
                let rest = RowOutcome::of(RowState::NotSent);
                for row in pending(&transaction, part.batch, part.part)? {
                    land_row(&transaction, part.batch, row, &rest)?;
                }
            }
            transaction
                .execute("UPDATE batches SET trouble = ?2 WHERE seq = ?1", params![part.batch, trouble])?;
            if landed > 0 || to != part.state {
                settle(&transaction, part.batch, &now)?;
            }
            transaction.commit()?;
            Ok(landed)
        })
        .await
}

/// Keeps the last trouble of a batch, in words.
pub async fn keep_trouble(store: &Store, batch: i64, trouble: String) -> Result<(), StoreError> {
    store
        .run(move |connection| {
            let changed = connection.execute(
                "UPDATE batches SET trouble = ?2 WHERE seq = ?1 AND trouble <> ?2",
                params![batch, trouble],
            )?;
            if changed > 0 { touch(connection) } else { Ok(()) }
        })
        .await
}

/// Takes parts back that were not begun. Tells whether there were any.
pub async fn cancel_parts(store: &Store, id: &str, now: Moment) -> Result<bool, StoreError> {
    let id = id.to_owned();
    store
        .run_durably(move |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let batch = view::seq(&transaction, &id)?;
            let mut statement =
                transaction.prepare("SELECT part FROM batch_parts WHERE batch = ?1 AND state = 'queued'")?;
            let parts: Vec<i64> =
                statement.query_map([batch], |row| row.get(0))?.collect::<Result<_, _>>()?;
            drop(statement);
            for part in &parts {
                for row in pending(&transaction, batch, *part)? {
                    land_row(&transaction, batch, row, &RowOutcome::of(RowState::NotSent))?;
                }
                transaction.execute(
                    "UPDATE batch_parts SET state = 'cancelled' WHERE batch = ?1 AND part = ?2",
                    params![batch, part],
                )?;
            }
            if !parts.is_empty() {
                let were = if parts.len() == 1 {
                    "1 part was".to_owned()
                } else {
                    format!("{} parts were", parts.len())
                };
                let text = format!("Cancel of batch {id}: {were} not sent.");
                audit::append(&transaction, &now.at, &now.by, &text)?;
                settle(&transaction, batch, &now)?;
            }
            transaction.commit()?;
            Ok(!parts.is_empty())
        })
        .await
}

/// Rows of a part without an outcome.
pub fn pending(connection: &Connection, batch: i64, part: i64) -> Result<Vec<i64>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT row FROM batch_rows WHERE batch = ?1 AND part = ?2 AND row_state = 'pending'",
    )?;
    Ok(statement.query_map(params![batch, part], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// Puts an outcome on a row.
pub fn land_row(
    connection: &Connection,
    batch: i64,
    row: i64,
    outcome: &RowOutcome,
) -> Result<usize, StoreError> {
    let mut statement = connection.prepare_cached(
        "UPDATE batch_rows SET row_state = ?3, transaction_id = coalesce(?4, transaction_id), messages = ?5
         WHERE batch = ?1 AND row = ?2 AND row_state = 'pending'",
    )?;
    let messages = serde_json::to_string(&outcome.messages)?;
    Ok(statement.execute(params![batch, row, row_word(outcome.state), outcome.transaction_id, messages])?)
}

fn accepted(
    connection: &Connection,
    part: &OpenPart,
    remote_id: Option<&str>,
    now: &Moment,
) -> Result<(), StoreError> {
    connection.execute(
        "UPDATE batches SET began_ms = coalesce(began_ms, ?2) WHERE seq = ?1",
        params![part.batch, now.ms],
    )?;
    let (id, parts): (String, i64) = connection.query_row(
        "SELECT id, (SELECT count(*) FROM batch_parts WHERE batch = seq) FROM batches WHERE seq = ?1",
        [part.batch],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let text = format!(
        "Part {} of {parts} of batch {id} was taken by the service as {}.",
        part.part + 1,
        remote_id.unwrap_or("a batch without a number")
    );
    audit::append(connection, &now.at, &now.by, &text)
}

/// Since when the answer of a part is lost, and that nobody is asked about one whose answer is not.
fn note_lost(
    connection: &Connection,
    batch: i64,
    part: i64,
    to: BatchState,
    now: &Moment,
) -> Result<(), StoreError> {
    if to != BatchState::Unknown {
        return forget_lost(connection, batch, part);
    }
    connection.execute(
        "UPDATE batch_parts SET lost_ms = coalesce(lost_ms, ?3) WHERE batch = ?1 AND part = ?2",
        params![batch, part, now.ms],
    )?;
    Ok(())
}

/// The answer is no longer lost.
pub fn forget_lost(connection: &Connection, batch: i64, part: i64) -> Result<(), StoreError> {
    connection.execute(
        "UPDATE batch_parts SET lost_ms = NULL, asks = 0 WHERE batch = ?1 AND part = ?2",
        params![batch, part],
    )?;
    Ok(())
}

/// Makes the state of a batch that of its parts; tells the audit log when it ends.
pub fn settle(connection: &Connection, batch: i64, now: &Moment) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached("SELECT state FROM batch_parts WHERE batch = ?1")?;
    let words = statement.query_map([batch], |row| row.get::<_, String>(0))?;
    let states: Vec<BatchState> =
        words.map(|word| word.map(|word| batch_state(&word))).collect::<Result<_, _>>()?;
    let state = state_of(&states);
    let was: String =
        connection.query_row("SELECT state FROM batches WHERE seq = ?1", [batch], |row| row.get(0))?;
    connection.execute("UPDATE batches SET state = ?2 WHERE seq = ?1", params![batch, batch_word(state)])?;
    if is_ended(state) && !is_ended(batch_state(&was)) {
        connection.execute("UPDATE batches SET ended_at = ?2 WHERE seq = ?1", params![batch, now.at])?;
        let counts = view::counts(connection, batch)?;
        let id: String =
            connection.query_row("SELECT id FROM batches WHERE seq = ?1", [batch], |row| row.get(0))?;
        let text = format!(
            "Batch {id} ended ({}): {} accepted, {} with warnings, {} refused, {} saved as incomplete, {} not sent.",
            batch_word(state),
            counts.accepted,
            counts.warning,
            counts.error,
            counts.saved_incomplete,
            counts.not_sent
        );
        audit::append(connection, &now.at, &now.by, &text)?;
    }
    touch(connection)
}

/// The state of a batch with parts in these states.
fn state_of(parts: &[BatchState]) -> BatchState {
    use BatchState as S;
    let any = |state| parts.contains(&state);
    let begun = parts.iter().any(|state| !matches!(state, S::Queued | S::Cancelled));
    if any(S::Unknown) {
        S::Unknown
    } else if any(S::Sending) || (any(S::Queued) && begun) {
        S::Sending
    } else if any(S::Queued) {
        S::Queued
    } else if any(S::Processing) || (any(S::Accepted) && any(S::Processed)) {
        S::Processing
    } else if any(S::Accepted) {
        S::Accepted
    } else if any(S::Processed) {
        S::Processed
    } else if any(S::Failed) {
        S::Failed
    } else {
        S::Cancelled
    }
}

/// A message of ours on a row.
pub fn said(severity: &str, text: &str) -> RowMessage {
    super::message::message(severity, "", text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_stands_where_its_parts_stand() {
        use BatchState as S;
        let cases: &[(&[BatchState], BatchState)] = &[
            (&[S::Queued, S::Queued], S::Queued),
            (&[S::Accepted, S::Queued], S::Sending),
            (&[S::Processed, S::Sending], S::Sending),
            (&[S::Processed, S::Unknown, S::Sending], S::Unknown),
            (&[S::Accepted, S::Accepted], S::Accepted),
            (&[S::Accepted, S::Processed], S::Processing),
            (&[S::Processed, S::Cancelled], S::Processed),
            (&[S::Processed, S::Failed], S::Processed),
            (&[S::Failed, S::Cancelled], S::Failed),
            (&[S::Cancelled], S::Cancelled),
            (&[S::Queued, S::Cancelled], S::Queued),
        ];
        for (parts, expected) in cases {
            assert_eq!(state_of(parts), *expected, "{parts:?}");
        }
    }
}
