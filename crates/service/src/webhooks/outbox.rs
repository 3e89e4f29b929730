//! Events are written in the transaction of the change they report: either both are there or neither.

use bordereau_contract::{
    BatchEvent, BatchEventRow, EVENT_BYTES_MAX, Event, EventBody, EventKind, ImportResult,
};
use bordereau_service_store::{batches, state, webhooks, webhooks_queue};
use chrono::{DateTime, Utc};
use rusqlite::{Connection, Result};

use super::event_stamp;

/// Writes an event and its deliveries; without a subscriber no body is made. `state` is
/// empty where it is not about one state.
pub(crate) fn announce_event(
    db: &Connection,
    account_id: &str,
    kind: EventKind,
    state: &str,
    body: impl FnOnce() -> Result<EventBody>,
    now: DateTime<Utc>,
) -> Result<()> {
    let heard_by = webhooks::find_subscribers(db, account_id, kind, state)?;
    if heard_by.is_empty() {
        return Ok(());
    }
    let event = Event {
        event_id: "0".into(),
        event: kind.identifier().into(),
        timestamp: event_stamp(now),
        body: body()?,
    };
    let subject = event.subject().map(|subject| subject.to_string()).unwrap_or_default();
    let rest = body_rest(&event);
    let now = now.timestamp_millis();
    webhooks_queue::insert(db, account_id, kind.identifier(), &subject, &rest, &heard_by, now)?;
    Ok(())
}

/// The body from its second member on: the first is the event's number, which storing it gives.
pub(super) fn body_rest(event: &Event) -> String {
    let json = event.to_json();
    json.split_once(',').map_or_else(String::new, |(_, rest)| rest.to_owned())
}

/// A batch was processed or has failed.
pub(crate) fn batch_ended(
    db: &Connection,
    account_id: &str,
    seq: i64,
    kind: EventKind,
    now: DateTime<Utc>,
) -> Result<()> {
    announce_event(db, account_id, kind, "", || batch_body(db, seq, kind), now)
}

fn batch_body(db: &Connection, seq: i64, kind: EventKind) -> Result<EventBody> {
    let mut transactions = Vec::new();
    for chunk in batches::load_results(db, seq)? {
        // Written by this service, so it can be read; a chunk that cannot is missing rather than all of it.
        let results: Vec<ImportResult> = serde_json::from_str(&format!("[{chunk}]")).unwrap_or_default();
        transactions.extend(results.into_iter().map(batch_event_row));
    }
    let failed = kind == EventKind::BatchFailed;
    let status = if failed { "failed" } else { "processed" }.to_owned();
    let mut batch = BatchEvent { batch_id: state::batch_id(db, seq)?, status, transactions };
    let size = |batch: &BatchEvent| serde_json::to_string(batch).map_or(0, |json| json.len());
    if size(&batch) > EVENT_BYTES_MAX - 1_024 {
        batch.transactions.iter_mut().for_each(|row| row.warnings.clear());
    }
    Ok(if failed { EventBody::BatchFailed(batch) } else { EventBody::BatchProcessed(batch) })
}

fn batch_event_row(result: ImportResult) -> BatchEventRow {
    let texts = |messages: &bordereau_contract::FieldMessages| -> Vec<String> {
        messages.iter().map(|(_, text)| text.to_owned()).collect()
    };
    // What is missing is no less worth a warning.
    let mut warnings = texts(&result.errors);
    warnings.extend(texts(&result.warnings));
    BatchEventRow {
        policy_number: result.policy_number,
        transaction_id: result.transaction_id,
        status_message: result.status_message,
        warnings,
    }
}
