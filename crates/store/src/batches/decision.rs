//! A person's decision on a part whose answer was lost.

use bordereau_api::{BatchState, LostDecision, RowState, StageEvidence};
use bordereau_contract::utc_clock;
use bordereau_database::{Connection, params};

use super::outcome::RowOutcome;
use super::transition::{
    OpenPart, PartChange, RemoteNumber, apply_change, local_message, part_name, pending_rows,
};
use super::{bump_revision, view};
use crate::{ActorTimestamp, Store, StoreError, audit, list_rows};

/// Asks a person about a part that is still unknown: it waits for their decision.
pub async fn request_decision(
    store: &Store,
    part: &OpenPart,
    text: String,
    now: ActorTimestamp,
) -> Result<(), StoreError> {
    let part = part.clone();
    store.run_durably(move |connection| {
        let transaction = connection.transaction()?;
        let asks = transaction.execute(
            "UPDATE batch_parts SET asks = 1 WHERE batch = ?1 AND part = ?2 AND state = 'unknown' AND asks = 0",
            params![part.batch, part.part],
        )?;
        if asks == 1 {
            let said = format!("{}: a person is asked whether it arrived.", part_name(&transaction, part.batch, part.part)?);
            audit::append_entry(&transaction, &now.at, &now.by, &said)?;
            transaction
                .execute("UPDATE batches SET trouble = ?2 WHERE seq = ?1", params![part.batch, text])?;
            bump_revision(&transaction)?;
        }
        Ok(transaction.commit()?)
    })
    .await
}

/// Carries out a person's decision; returns the reason where that is not possible.
pub async fn record_decision(
    store: &Store,
    id: &str,
    decision: LostDecision,
    number: String,
    now: ActorTimestamp,
) -> Result<Option<String>, StoreError> {
    let id = id.to_owned();
    store.run_durably(move |connection| {
        let transaction = connection.transaction()?;
        let batch = view::batch_seq(&transaction, &id)?;
        let parts = unknown_parts(&transaction, batch)?;
        if parts.is_empty() {
            return Ok(Some("This batch isn't waiting for a decision.".to_owned()));
        }
        if !number.is_empty() && parts.len() > 1 {
            let text = format!(
                "The responses for {} parts of this batch were lost, and a number can belong to only one part. Confirm without a number.",
                parts.len()
            );
            return Ok(Some(text));
        }
        for part in parts {
            if decision == LostDecision::LookAgain {
                look_again(&transaction, batch, part, &now)?;
                continue;
            }
            let change = decided_change(&transaction, (batch, part), decision, &number, &now)?;
            apply_change(&transaction, (batch, part), BatchState::Unknown, &change, &now)?;
        }
        transaction.execute("UPDATE batches SET trouble = '' WHERE seq = ?1", [batch])?;
        bump_revision(&transaction)?;
        transaction.commit()?;
        Ok(None)
    })
    .await
}

/// The change of a part after a person's decision.
fn decided_change(
    connection: &Connection,
    (batch, part): (i64, i64),
    decision: LostDecision,
    number: &str,
    now: &ActorTimestamp,
) -> Result<PartChange, StoreError> {
    let word = |answer: &str| {
        StageEvidence::of("a person was asked whether it arrived", format!("{}: {answer}", now.by))
    };
    if decision == LostDecision::SendAgain {
        return Ok(PartChange {
            remote_id: RemoteNumber::Unknown,
            evidence: Some(word("it did not arrive")),
            audit: "did not arrive, as a person confirmed; it is sent again.".to_owned(),
            ..PartChange::to(BatchState::Queued)
        });
    }
    if !number.is_empty() {
        return Ok(PartChange {
            remote_id: RemoteNumber::Known(number.to_owned()),
            evidence: Some(word("it arrived under this number")),
            audit: format!("arrived as {number}, as a person confirmed; its results are being fetched."),
            ..PartChange::to(BatchState::Accepted)
        });
    }
    let text =
        format!("{} found on {} that it arrived; the service gave no outcome.", now.by, utc_clock(now.ms));
    let arrived = RowOutcome {
        messages: vec![local_message("note", &text)],
        evidence: Some(word("it arrived")),
        ..RowOutcome::from_state(RowState::Accepted)
    };
    Ok(PartChange {
        outcomes: pending_rows(connection, batch, part)?
            .into_iter()
            .map(|row| (row, arrived.clone()))
            .collect(),
        audit: "arrived, as a person confirmed; the service gave no outcome.".to_owned(),
        ..PartChange::to(BatchState::Processed)
    })
}

fn look_again(
    connection: &Connection,
    batch: i64,
    part: i64,
    now: &ActorTimestamp,
) -> Result<(), StoreError> {
    connection.execute(
        "UPDATE batch_parts SET asks = 0, observed_ms = 0 WHERE batch = ?1 AND part = ?2",
        params![batch, part],
    )?;
    let text =
        format!("{} is looked up once more, as a person requested.", part_name(connection, batch, part)?);
    audit::append_entry(connection, &now.at, &now.by, &text)
}

fn unknown_parts(connection: &Connection, batch: i64) -> Result<Vec<i64>, StoreError> {
    let sql = "SELECT part FROM batch_parts WHERE batch = ?1 AND state = 'unknown' ORDER BY part";
    list_rows(connection, sql, [batch], |row| row.get(0))
}
