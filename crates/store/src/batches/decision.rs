//! What was decided of a part whose answer was lost.

use bordereau_api::{BatchState, LostDecision, RowState};
use rusqlite::{Connection, TransactionBehavior, params};

use super::outcome::RowOutcome;
use super::transition::{OpenPart, forget_lost, land_row, pending, said, settle};
use super::{touch, view};
use crate::moment::clock;
use crate::{Moment, Store, StoreError, audit, batch_word};

/// Asks a person about a part, if it is still unknown: it rests until they have answered.
pub async fn ask_person(store: &Store, part: &OpenPart, text: String, now: Moment) -> Result<(), StoreError> {
    let part = part.clone();
    store.run_durably(move |connection| {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let asks = transaction.execute(
            "UPDATE batch_parts SET asks = 1 WHERE batch = ?1 AND part = ?2 AND state = 'unknown' AND asks = 0",
            params![part.batch, part.part],
        )?;
        if asks == 1 {
            let said = format!("{}: a person is asked whether it arrived.", named(&transaction, part.batch, part.part)?);
            audit::append(&transaction, &now.at, &now.by, &said)?;
            transaction
                .execute("UPDATE batches SET trouble = ?2 WHERE seq = ?1", params![part.batch, text])?;
            touch(&transaction)?;
        }
        transaction.commit()?;
        Ok(())
    })
    .await
}

/// Sends a part once more that was looked for and is not there; `why` goes into the audit log.
pub async fn send_once_more(
    store: &Store,
    part: &OpenPart,
    why: &'static str,
    now: Moment,
) -> Result<(), StoreError> {
    let part = part.clone();
    store
        .run_durably(move |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            if move_on(&transaction, part.batch, part.part, BatchState::Queued, None)? {
                let said = format!("{} {why}.", named(&transaction, part.batch, part.part)?);
                audit::append(&transaction, &now.at, &now.by, &said)?;
                transaction.execute("UPDATE batches SET trouble = '' WHERE seq = ?1", [part.batch])?;
                settle(&transaction, part.batch, &now)?;
            }
            transaction.commit()?;
            Ok(())
        })
        .await
}

/// Does what a person said; why not, where it cannot be done.
pub async fn decide(
    store: &Store,
    id: &str,
    decision: LostDecision,
    number: String,
    now: Moment,
) -> Result<Option<String>, StoreError> {
    let id = id.to_owned();
    store.run_durably(move |connection| {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let batch = view::seq(&transaction, &id)?;
        let parts = unknown_parts(&transaction, batch)?;
        if parts.is_empty() {
            return Ok(Some("No answer of this batch is lost: there is nothing to decide.".to_owned()));
        }
        if !number.is_empty() && parts.len() > 1 {
            let text = format!(
                "The answers of {} parts of this batch were lost, and one number can be that of one part only. Say without a number that they arrived.",
                parts.len()
            );
            return Ok(Some(text));
        }
        for part in parts {
            let said = carry_out(&transaction, (batch, part), decision, &number, &now)?;
            let text = format!("{} {said}", named(&transaction, batch, part)?);
            audit::append(&transaction, &now.at, &now.by, &text)?;
        }
        transaction.execute("UPDATE batches SET trouble = '' WHERE seq = ?1", [batch])?;
        settle(&transaction, batch, &now)?;
        transaction.commit()?;
        Ok(None)
    })
    .await
}

/// One part; what the audit log says of it.
fn carry_out(
    connection: &Connection,
    (batch, part): (i64, i64),
    decision: LostDecision,
    number: &str,
    now: &Moment,
) -> Result<String, StoreError> {
    match decision {
        LostDecision::Arrived if number.is_empty() => {
            let text =
                format!("{} said on {} that it arrived; the service was not asked.", now.by, clock(now.ms));
            let arrived =
                RowOutcome { messages: vec![said("note", &text)], ..RowOutcome::of(RowState::Accepted) };
            for row in pending(connection, batch, part)? {
                land_row(connection, batch, row, &arrived)?;
            }
            move_on(connection, batch, part, BatchState::Processed, None)?;
            Ok("arrived, as a person found; the service was not asked.".to_owned())
        }
        LostDecision::Arrived => {
            move_on(connection, batch, part, BatchState::Accepted, Some(number))?;
            Ok(format!("arrived as {number}, as a person found; its results are asked for."))
        }
        LostDecision::SendAgain => {
            move_on(connection, batch, part, BatchState::Queued, None)?;
            Ok("did not arrive, as a person found; it is sent again.".to_owned())
        }
        LostDecision::LookAgain => {
            connection.execute(
                "UPDATE batch_parts SET asks = 0, lost_ms = ?3 WHERE batch = ?1 AND part = ?2",
                params![batch, part, now.ms],
            )?;
            Ok("is looked for once more, as a person asked.".to_owned())
        }
    }
}

/// From unknown to another state; whether it was unknown.
fn move_on(
    connection: &Connection,
    batch: i64,
    part: i64,
    to: BatchState,
    remote_id: Option<&str>,
) -> Result<bool, StoreError> {
    let moved = connection.execute(
        "UPDATE batch_parts SET state = ?3, remote_id = ?4 WHERE batch = ?1 AND part = ?2 AND state IN ('unknown', 'sending')",
        params![batch, part, batch_word(to), remote_id],
    )?;
    forget_lost(connection, batch, part)?;
    Ok(moved == 1)
}

fn unknown_parts(connection: &Connection, batch: i64) -> Result<Vec<i64>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT part FROM batch_parts WHERE batch = ?1 AND state = 'unknown' ORDER BY part",
    )?;
    Ok(statement.query_map([batch], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// `Part 2 of 3 of batch 8f3a`.
fn named(connection: &Connection, batch: i64, part: i64) -> Result<String, StoreError> {
    let (id, parts): (String, i64) = connection.query_row(
        "SELECT id, (SELECT count(*) FROM batch_parts WHERE batch = seq) FROM batches WHERE seq = ?1",
        [batch],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    Ok(format!("Part {} of {parts} of batch {id}", part + 1))
}
