//! Transitions of parts and rows: each is committed, and each starts only from the state it expects.

use std::collections::HashMap;

use bordereau_contract::{ImportTransaction, format_count, parse_instant, pluralize};
use bordereau_database::{Connection, params};

use super::documents::BatchFile;
use super::lookup_keys::WaitingRow;
use super::outcome::RowOutcome;
use super::{bump_revision, documents, view, wire_sha256};
use crate::{
    ActorTimestamp, Destination, Store, StoreError, Word, audit, list_parsed, list_rows, place,
    run_off_thread,
};
use bordereau_api::{BatchState, RowMessage, RowState, StageEvidence};

/// How a message about a batch begins that has what the service said of it: it stays until there is another.
pub const SERVICE_NOTE: &str = "The service says of the batch: ";

/// How the evidence for a part begins that the service received without a number.
pub const RECEIVED: &str = "received without a number";

/// A row with the values by which results identify it.
#[derive(Clone, Debug)]
pub struct NamedRow {
    /// Number of the row in its batch.
    pub row: i64,
    /// Its own id.
    pub own_id: String,
    /// Its policy number.
    pub policy_number: String,
}

/// A part that hasn't ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenPart {
    /// Number of the batch.
    pub batch: i64,
    /// Number of the part, from 0.
    pub part: i64,
    /// Its state.
    pub state: BatchState,
    /// The service's id of the batch.
    pub remote_id: Option<String>,
    /// It is one transaction, sent as a single import with its answer at once.
    pub is_single: bool,
    /// The service and environment confirmed for it.
    pub destination: Destination,
    /// When its answer was lost; milliseconds since 1970.
    pub lost_ms: Option<i64>,
    /// Milliseconds for which it was looked up while the service answered.
    pub observed_ms: i64,
    /// When it was first sent, or stored if that isn't known; milliseconds since 1970.
    pub sent_ms: i64,
    /// Whether it was sent from here; a part waiting in a copy may have been sent from elsewhere.
    pub was_sent: bool,
    /// Whether the service answered that it received it, without a number.
    pub is_received: bool,
}

/// The service's number of a batch after a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum RemoteNumber {
    /// As before.
    #[default]
    Unchanged,
    /// None: the batch was rejected, or the service doesn't know the number it returned.
    Unknown,
    /// This number.
    Known(String),
}

/// A change of a part in one step.
#[derive(Clone, Debug, Default)]
pub struct PartChange {
    /// Its state afterwards.
    pub to: BatchState,
    /// The service's number of it.
    pub remote_id: RemoteNumber,
    /// Outcomes of waiting rows.
    pub outcomes: Vec<(i64, RowOutcome)>,
    /// Message to the person about the batch; empty for none.
    pub trouble: String,
    /// Evidence for the state.
    pub evidence: Option<StageEvidence>,
    /// Text for the audit log, such as `is sent again.`; empty for none.
    pub audit: String,
}

impl PartChange {
    /// A change of the state only.
    pub fn to(to: BatchState) -> PartChange {
        PartChange { to, ..PartChange::default() }
    }
}

/// Unfinished parts that don't wait for a person's decision, oldest first; or only the one of this batch and number.
pub async fn open_parts(store: &Store, only: Option<(i64, i64)>) -> Result<Vec<OpenPart>, StoreError> {
    let open = "p.state IN ('queued', 'sending', 'unknown', 'accepted', 'processing') AND p.asks = 0";
    select_parts(store, open, only).await
}

/// Parts of a profile whose answer was lost, including those that wait for a person's decision.
pub async fn lost_parts(store: &Store, profile_id: &str) -> Result<Vec<OpenPart>, StoreError> {
    let mut parts = select_parts(store, "p.state = 'unknown'", None).await?;
    parts.retain(|part| part.destination.profile_id == profile_id);
    Ok(parts)
}

async fn select_parts(
    store: &Store,
    which: &'static str,
    only: Option<(i64, i64)>,
) -> Result<Vec<OpenPart>, StoreError> {
    let (batch, part) = only.unwrap_or((-1, -1));
    store
        .with_connection(move |connection| {
            let sql = format!(
                "SELECT p.batch, p.part, p.state, p.remote_id, b.profile_id, b.environment, p.lost_ms, b.address,
                 p.observed_ms, p.sent_ms, p.copied = 0, b.single, b.created_at, coalesce(p.evidence, '') LIKE ?1
             FROM batch_parts p JOIN batches b ON b.seq = p.batch
             WHERE {which} AND (?2 < 0 OR p.batch = ?2 AND p.part = ?3) ORDER BY p.batch, p.part"
            );
            let received = format!("%\"answer\":\"{RECEIVED}%");
            list_parsed(connection, &sql, params![received, batch, part], |row| {
                let created_ms = parse_instant(row.get_ref(12)?.as_str()?).map_or(0, |at| at.timestamp_millis());
                Ok(OpenPart {
                    batch: row.get(0)?,
                    part: row.get(1)?,
                    state: row.get::<Word<_>>(2)?.0,
                    remote_id: row.get(3)?,
                    destination: Destination {
                        profile_id: row.get(4)?,
                        environment: serde_json::from_str(row.get_ref(5)?.as_str().unwrap_or_default())?,
                        address: row.get(7)?,
                    },
                    lost_ms: row.get(6)?,
                    observed_ms: row.get(8)?,
                    sent_ms: row.get::<Option<i64>>(9)?.unwrap_or(created_ms),
                    was_sent: row.get(10)?,
                    is_received: row.get(13)?,
                    is_single: row.get(11)?,
                })
            })
        })
        .await
}

/// Marks parts as unknown that were being sent when an earlier process ended: all of them, or in an office one.
/// Called once no one else sends them.
pub async fn recover_interrupted(
    store: &Store,
    only: Option<(i64, i64)>,
    now: ActorTimestamp,
) -> Result<(), StoreError> {
    store
        .run_durably(move |connection| {
            let sql = "SELECT batch, part FROM batch_parts WHERE state = 'sending'";
            let mut parts: Vec<(i64, i64)> = list_rows(connection, sql, [], |row| row.try_into())?;
            parts.retain(|part| only.is_none_or(|only| *part == only));
            if parts.is_empty() {
                return Ok(());
            }
            let transaction = connection.transaction()?;
            let lost = PartChange::to(BatchState::Unknown);
            for part in parts {
                apply_change(&transaction, part, BatchState::Sending, &lost, &now)?;
            }
            Ok(transaction.commit()?)
        })
        .await
}

struct StoredRow {
    row: i64,
    wire: String,
    confirmed: String,
    own_id: String,
    evidence: String,
}

/// The rows of a part without an outcome.
pub async fn waiting_rows(
    store: &Store,
    part: &OpenPart,
    with_documents: bool,
) -> Result<Vec<WaitingRow>, StoreError> {
    let (batch, part) = (part.batch, part.part);
    let found = store.with_connection(move |connection| {
        let sql = "SELECT row, wire, sha256, own_id, coalesce(evidence, '') FROM batch_rows
             WHERE batch = ?1 AND part = ?2 AND row_state = 'pending' ORDER BY row";
        let stored = row_as!(StoredRow: row, wire, confirmed, own_id, evidence);
        let rows: Vec<StoredRow> = list_rows(connection, sql, params![batch, part], stored)?;
        let files = |row| documents::files_of_row(connection, batch, row);
        let files_of = |row: &StoredRow| if with_documents { files(row.row) } else { Ok(Vec::new()) };
        rows.into_iter().map(|row| files_of(&row).map(|files| (row, files))).collect::<Result<Vec<_>, _>>()
    });
    let mut rows = found.await?;
    for file in rows.iter_mut().flat_map(|(_, files)| files) {
        documents::read_file(store, file).await?;
    }
    let waiting = move |(row, files): (StoredRow, _)| row.into_waiting(files, with_documents);
    run_off_thread(move || rows.into_iter().map(waiting).collect()).await
}

impl StoredRow {
    fn into_waiting(self, files: Vec<BatchFile>, with_documents: bool) -> Result<WaitingRow, StoreError> {
        let StoredRow { row, wire, confirmed, own_id, evidence } = self;
        let is_intact = !with_documents || confirmed.is_empty() || wire_sha256(&wire, &files) == confirmed;
        let mut transaction = match serde_json::from_str::<ImportTransaction>(&wire) {
            Err(_) if !is_intact => ImportTransaction { id: own_id, ..Default::default() },
            read => read?,
        };
        transaction.documents = files.into_iter().map(documents::on_the_wire).collect();
        Ok(WaitingRow { row, transaction, is_intact, evidence: serde_json::from_str(&evidence).ok() })
    }
}

/// All rows of a part with the values by which results identify them, in order.
pub async fn named_rows(store: &Store, part: &OpenPart) -> Result<Vec<NamedRow>, StoreError> {
    let (batch, part) = (part.batch, part.part);
    store
        .with_connection(move |connection| {
            let sql = "SELECT row, own_id, policy_number FROM batch_rows WHERE batch = ?1 AND part = ?2 ORDER BY row";
            list_rows(connection, sql, params![batch, part], row_as!(NamedRow: row, own_id, policy_number))
        })
        .await
}

/// Changes a part if its state is still the one that was read; returns how many rows got an outcome, or `None` if
/// the state has changed.
pub async fn change_part(
    store: &Store,
    part: &OpenPart,
    change: PartChange,
    now: ActorTimestamp,
) -> Result<Option<usize>, StoreError> {
    let (at, from, folder) = ((part.batch, part.part), part.state, store.folder().to_owned());
    store
        .run_durably(move |connection| {
            let transaction = connection.transaction()?;
            let changed = apply_change(&transaction, at, from, &change, &now)?;
            let is_send = changed.is_some() && change.to == BatchState::Sending;
            let sends = is_send.then(|| place::count_send(&transaction)).transpose()?.flatten();
            transaction.commit()?;
            sends.into_iter().for_each(|sends| place::leave_witness(&folder, sends));
            Ok(changed)
        })
        .await
}

/// The same, inside of a transaction.
pub fn apply_change(
    connection: &Connection,
    (batch, part): (i64, i64),
    from: BatchState,
    change: &PartChange,
    now: &ActorTimestamp,
) -> Result<Option<usize>, StoreError> {
    let (keeps, number) = match &change.remote_id {
        RemoteNumber::Unchanged => (true, None),
        RemoteNumber::Unknown => (false, None),
        RemoteNumber::Known(number) => (false, Some(number)),
    };
    let evidence = change.evidence.as_ref().map(|evidence| evidence_text(evidence, now)).transpose()?;
    let moved = connection.execute(
        "UPDATE batch_parts SET state = ?3, remote_id = CASE WHEN ?4 = 1 THEN remote_id ELSE ?5 END,
         evidence = coalesce(?6, evidence) WHERE batch = ?1 AND part = ?2 AND state = ?7",
        params![batch, part, Word(change.to), keeps, number, evidence, Word(from)],
    )?;
    if moved == 0 {
        return Ok(None);
    }
    note_state(connection, batch, part, (from, change.to), now)?;
    let mut landed = 0;
    let is_numbered = change.outcomes.iter().any(|(_, outcome)| outcome.transaction_id.is_some());
    let mut numbers = if is_numbered { known_numbers(connection, batch, part)? } else { HashMap::new() };
    for (row, outcome) in &change.outcomes {
        landed += land_row(connection, (batch, *row), outcome, &mut numbers, now)?;
    }
    if landed > 0 {
        connection.execute("UPDATE batches SET moved_ms = ?2 WHERE seq = ?1", params![batch, now.ms])?;
    }
    if change.to.is_ended() {
        let rest =
            RowOutcome { evidence: change.evidence.clone(), ..RowOutcome::from_state(RowState::NotSent) };
        for row in pending_rows(connection, batch, part)? {
            land_row(connection, (batch, row), &rest, &mut numbers, now)?;
        }
    }
    if !change.audit.is_empty() {
        let text = format!("{} {}", part_name(connection, batch, part)?, change.audit);
        audit::append_entry(connection, &now.at, &now.by, &text)?;
    }
    let told = connection.execute(
        "UPDATE batches SET trouble = ?2 WHERE seq = ?1 AND trouble <> ?2
         AND NOT (?2 = '' AND trouble LIKE ?3)",
        params![batch, change.trouble, format!("{SERVICE_NOTE}%")],
    )?;
    if landed > 0 || change.to != from {
        recompute_batch_state(connection, batch, now)?;
    } else if told > 0 {
        bump_revision(connection)?;
    }
    Ok(Some(landed))
}

fn evidence_text(evidence: &StageEvidence, now: &ActorTimestamp) -> Result<String, StoreError> {
    Ok(serde_json::to_string(&StageEvidence { at: now.at.clone(), ..evidence.clone() })?)
}

/// `Part 2 of 3 of batch 8f3a`.
pub fn part_name(connection: &Connection, batch: i64, part: i64) -> Result<String, StoreError> {
    let (id, parts): (String, i64) = connection.query_row(
        "SELECT id, (SELECT count(*) FROM batch_parts WHERE batch = seq) FROM batches WHERE seq = ?1",
        [batch],
        |row| row.try_into(),
    )?;
    Ok(format!("Part {} of {parts} of batch {id}", part + 1))
}

/// Adds time for which a lost part was looked up while the service answered.
pub async fn add_observed(store: &Store, part: &OpenPart, ms: i64) -> Result<(), StoreError> {
    let (batch, part) = (part.batch, part.part);
    store
        .with_connection(move |connection| {
            let sql = "UPDATE batch_parts SET observed_ms = observed_ms + ?3 WHERE batch = ?1 AND part = ?2";
            connection.execute(sql, params![batch, part, ms])?;
            Ok(())
        })
        .await
}

/// Stores the last error of a batch, as a sentence.
pub async fn record_trouble(store: &Store, batch: i64, trouble: String) -> Result<(), StoreError> {
    store
        .with_connection(move |connection| {
            let changed = connection.execute(
                "UPDATE batches SET trouble = ?2 WHERE seq = ?1 AND trouble <> ?2",
                params![batch, trouble],
            )?;
            if changed > 0 { bump_revision(connection) } else { Ok(()) }
        })
        .await
}

/// Cancels parts that haven't begun. Returns whether there were any.
pub async fn cancel_parts(store: &Store, id: &str, now: ActorTimestamp) -> Result<bool, StoreError> {
    let id = id.to_owned();
    store
        .run_durably(move |connection| {
            let transaction = connection.transaction()?;
            let batch = view::batch_seq(&transaction, &id)?;
            let sql = "SELECT part FROM batch_parts WHERE batch = ?1 AND state = 'queued'";
            let parts: Vec<i64> = list_rows(&transaction, sql, [batch], |row| row.get(0))?;
            let canceled = PartChange::to(BatchState::Canceled);
            for part in &parts {
                apply_change(&transaction, (batch, *part), BatchState::Queued, &canceled, &now)?;
            }
            if !parts.is_empty() {
                let were = if parts.len() == 1 { "was" } else { "were" };
                let text =
                    format!("Cancel of batch {id}: {} {were} not sent.", pluralize(parts.len(), "part"));
                audit::append_entry(&transaction, &now.at, &now.by, &text)?;
            }
            transaction.commit()?;
            Ok(!parts.is_empty())
        })
        .await
}

/// Rows of a part without an outcome.
pub fn pending_rows(connection: &Connection, batch: i64, part: i64) -> Result<Vec<i64>, StoreError> {
    let sql = "SELECT row FROM batch_rows WHERE batch = ?1 AND part = ?2 AND row_state = 'pending'";
    list_rows(connection, sql, params![batch, part], |row| row.get(0))
}

/// Sets the outcome of a waiting row. A row that has its outcome keeps it; a changed number is reported. Where the
/// outcome isn't one of results, what earlier results said of the row is kept and counts: errors without a number
/// of the service refuse it, anything else is a warning.
fn land_row(
    connection: &Connection,
    (batch, row): (i64, i64),
    outcome: &RowOutcome,
    numbers: &mut HashMap<i64, i64>,
    now: &ActorTimestamp,
) -> Result<usize, StoreError> {
    let other = outcome.transaction_id.and_then(|number| other_number(numbers.get(&row).copied(), number));
    let (mut state, mut messages) = (outcome.state, Vec::new());
    if !outcome.is_result {
        messages = stored_messages(connection, batch, row)?;
        messages.retain(|m| !m.is_lookup && !outcome.messages.contains(m));
        let has = |severity| messages.iter().any(|message: &RowMessage| message.severity == severity);
        state = match state {
            RowState::Accepted | RowState::NotSent if outcome.transaction_id.is_none() && has("error") => {
                RowState::Error
            }
            RowState::Accepted if has("error") || has("warning") => RowState::Warning,
            state => state,
        };
    }
    messages.extend(outcome.messages.iter().chain(&other).cloned());
    let evidence = outcome.evidence.as_ref().map(|evidence| evidence_text(evidence, now)).transpose()?;
    let mut statement = connection.prepare_cached(
        "UPDATE batch_rows SET row_state = ?3, transaction_id = coalesce(?4, transaction_id), messages = ?5,
         evidence = coalesce(?6, evidence), filed = ?7
         WHERE batch = ?1 AND row = ?2 AND row_state = 'pending'",
    )?;
    let (state, number, filed) = (Word(state), outcome.transaction_id, outcome.is_filed);
    let landed = statement.execute(params![
        batch,
        row,
        state,
        number,
        serde_json::to_string(&messages)?,
        evidence,
        filed
    ])?;
    match (landed, other, number) {
        (0, Some(other), _) => add_message(connection, batch, row, other)?,
        (1.., _, Some(number)) => _ = numbers.insert(row, number),
        _ => {}
    }
    // A row that still waits has a message, but no outcome.
    Ok(if outcome.state == RowState::Pending { 0 } else { landed })
}

/// The numbers that the service gave the rows of a part before, here or in an earlier batch: the last one of each row.
fn known_numbers(connection: &Connection, batch: i64, part: i64) -> Result<HashMap<i64, i64>, StoreError> {
    let sql = "SELECT r.row, e.transaction_id FROM batch_rows r JOIN batches b ON b.seq = r.batch
         JOIN batch_rows e ON e.own_id = r.own_id AND e.batch <= r.batch JOIN batches o ON o.seq = e.batch
         WHERE r.batch = ?1 AND r.part = ?2 AND (e.batch < r.batch OR e.row = r.row)
         AND o.profile_id = b.profile_id AND e.transaction_id IS NOT NULL ORDER BY e.batch";
    let found: Vec<(i64, i64)> = list_rows(connection, sql, params![batch, part], |row| row.try_into())?;
    Ok(found.into_iter().collect())
}

/// Message where the service gives a row another number than before.
fn other_number(before: Option<i64>, number: i64) -> Option<RowMessage> {
    before.filter(|before| *before != number).map(|before| {
        let text = format!(
            "The service gave this transaction the number {before} and now returns {number}. Check in its portal whether it is there twice."
        );
        local_message("warning", &text)
    })
}

fn stored_messages(connection: &Connection, batch: i64, row: i64) -> Result<Vec<RowMessage>, StoreError> {
    let sql = "SELECT messages FROM batch_rows WHERE batch = ?1 AND row = ?2";
    let stored: String = connection.query_row(sql, params![batch, row], |found| found.get(0))?;
    Ok(serde_json::from_str(&stored)?)
}

fn add_message(connection: &Connection, batch: i64, row: i64, message: RowMessage) -> Result<(), StoreError> {
    let mut messages = stored_messages(connection, batch, row)?;
    if !messages.contains(&message) {
        messages.push(message);
        connection.execute(
            "UPDATE batch_rows SET messages = ?3 WHERE batch = ?1 AND row = ?2",
            params![batch, row, serde_json::to_string(&messages)?],
        )?;
    }
    Ok(())
}

/// Updates what a part's new state implies: when it was sent, when its answer was lost, that it was accepted.
fn note_state(
    connection: &Connection,
    batch: i64,
    part: i64,
    (from, to): (BatchState, BatchState),
    now: &ActorTimestamp,
) -> Result<(), StoreError> {
    let at = params![batch, part, now.ms];
    match to {
        _ if to == from => {}
        BatchState::Unknown => {
            let sql = "UPDATE batch_parts SET lost_ms = coalesce(lost_ms, ?3), observed_ms = 0 WHERE batch = ?1 AND part = ?2";
            connection.execute(sql, at)?;
        }
        _ => {
            let sql = "UPDATE batch_parts SET lost_ms = NULL, observed_ms = 0, asks = 0 WHERE batch = ?1 AND part = ?2";
            connection.execute(sql, params![batch, part])?;
        }
    }
    match to {
        BatchState::Sending => {
            let sql = "UPDATE batch_parts SET sent_ms = coalesce(sent_ms, ?3), copied = 0 WHERE batch = ?1 AND part = ?2";
            connection.execute(sql, at)?;
        }
        BatchState::Accepted if to != from => {
            let sql = "UPDATE batches SET began_ms = coalesce(began_ms, ?2) WHERE seq = ?1";
            connection.execute(sql, params![batch, now.ms])?;
            let sql = "SELECT remote_id FROM batch_parts WHERE batch = ?1 AND part = ?2";
            let number: Option<String> = connection.query_row(sql, params![batch, part], |row| row.get(0))?;
            let number = number.as_deref().unwrap_or("a batch without a number");
            let text =
                format!("{} was accepted by the service as {number}.", part_name(connection, batch, part)?);
            audit::append_entry(connection, &now.at, &now.by, &text)?;
        }
        _ => {}
    }
    Ok(())
}

/// Derives the state of a batch from its parts; writes to the audit log when it ends.
pub fn recompute_batch_state(
    connection: &Connection,
    batch: i64,
    now: &ActorTimestamp,
) -> Result<(), StoreError> {
    let sql = "SELECT DISTINCT state FROM batch_parts WHERE batch = ?1";
    let states: Vec<BatchState> =
        list_rows(connection, sql, [batch], |row| Ok(row.get::<Word<BatchState>>(0)?.0))?;
    let state = state_of(&states);
    let was: Word<BatchState> =
        connection.query_row("SELECT state FROM batches WHERE seq = ?1", [batch], |row| row.get(0))?;
    connection.execute("UPDATE batches SET state = ?2 WHERE seq = ?1", params![batch, Word(state)])?;
    if state.is_ended() && !was.0.is_ended() {
        connection.execute("UPDATE batches SET ended_at = ?2 WHERE seq = ?1", params![batch, now.at])?;
        let counts = view::count_rows(connection, batch)?;
        let id: String =
            connection.query_row("SELECT id FROM batches WHERE seq = ?1", [batch], |row| row.get(0))?;
        let text = format!(
            "Batch {id} ended ({}): {} accepted, {} with warnings, {} refused, {} saved as incomplete, {} not sent.",
            <&str>::from(state),
            format_count(counts.accepted),
            format_count(counts.warning),
            format_count(counts.error),
            format_count(counts.saved_incomplete),
            format_count(counts.not_sent)
        );
        audit::append_entry(connection, &now.at, &now.by, &text)?;
    }
    bump_revision(connection)
}

/// The state of a batch with parts in these states.
fn state_of(parts: &[BatchState]) -> BatchState {
    use BatchState as S;
    let any = |state| parts.contains(&state);
    let begun = parts.iter().any(|state| !matches!(state, S::Queued | S::Canceled));
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
        S::Canceled
    }
}

/// A message by Bordereau on a row.
pub fn local_message(severity: &str, text: &str) -> RowMessage {
    bordereau_api::parse_message(severity, "", text)
}

/// The same, saying that the row is looked up.
pub fn lookup_message(text: &str) -> RowMessage {
    RowMessage { is_lookup: true, ..local_message("warning", text) }
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
            (&[S::Processed, S::Canceled], S::Processed),
            (&[S::Processed, S::Failed], S::Processed),
            (&[S::Failed, S::Canceled], S::Failed),
            (&[S::Canceled], S::Canceled),
            (&[S::Queued, S::Canceled], S::Queued),
        ];
        for (parts, expected) in cases {
            assert_eq!(state_of(parts), *expected, "{parts:?}");
        }
    }
}
