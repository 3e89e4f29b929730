//! Batches for display.

use bordereau_database::{Connection, DatabaseError, OptionalRow, Row, params};

use super::documents;
use crate::assignments::list_assignments;
use crate::{Store, StoreError, Word, list_parsed, list_rows};
use bordereau_api::*;
use bordereau_contract::batch_numbers;

/// The store's number of a batch.
pub fn batch_seq(connection: &Connection, id: &str) -> Result<i64, StoreError> {
    let found =
        connection.query_row("SELECT seq FROM batches WHERE id = ?1", [id], |row| row.get(0)).optional()?;
    found.ok_or(StoreError::Missing("batch"))
}

/// Condition for rows `r` that are open: not accepted, so that they have to be corrected, or accepted with a warning
/// (`row_state = 'warning'`), which can be. Exceptions: the warning has a reason to keep it, a later batch has the row,
/// or only documents were missing that were uploaded since.
pub const OPEN_ROW: &str = "r.row_state IN ('warning', 'error', 'saved_incomplete', 'not_sent')
    AND NOT (r.row_state = 'warning' AND r.settled <> '[]')
    AND NOT EXISTS (SELECT 1 FROM batch_rows l WHERE l.own_id = r.own_id AND l.batch > r.batch
        AND l.row_state <> 'not_sent')
    AND NOT (r.row_state = 'warning'
        AND EXISTS (SELECT 1 FROM document_uploads u JOIN batches o ON o.profile_id = u.profile_id
            WHERE o.seq = r.batch AND u.transaction_id = r.transaction_id AND u.state = 'sent')
        AND NOT EXISTS (SELECT 1 FROM json_each(r.messages) m WHERE NOT EXISTS
            (SELECT 1 FROM document_uploads u JOIN batches o ON o.profile_id = u.profile_id
             WHERE o.seq = r.batch AND u.transaction_id = r.transaction_id AND u.state = 'sent'
             AND json_extract(m.value, '$.field') = 'documents.' || u.code)))";

/// Rows by state.
pub fn count_rows(connection: &Connection, batch: i64) -> Result<BatchCounts, StoreError> {
    let mut counts = BatchCounts::default();
    let mut statement = connection
        .prepare_cached("SELECT row_state, count(*) FROM batch_rows WHERE batch = ?1 GROUP BY row_state")?;
    let mut rows = statement.query([batch])?;
    while let Some(row) = rows.next_row()? {
        let count: u32 = row.get(1)?;
        counts.total += count;
        *match row.get::<Word<RowState>>(0)?.0 {
            RowState::Pending => &mut counts.pending,
            RowState::Accepted => &mut counts.accepted,
            RowState::Warning => &mut counts.warning,
            RowState::Error => &mut counts.error,
            RowState::SavedIncomplete => &mut counts.saved_incomplete,
            RowState::NotSent => &mut counts.not_sent,
        } += count;
    }
    Ok(counts)
}

const COLUMNS: &str = "seq, id, name, state, totals, profile_name, environment, corrects, sent_by, created_at, \
                       ended_at, began_ms, moved_ms, trouble, single, \
                       (SELECT id FROM reviews WHERE reviews.id = review AND unattended = 0)";

struct BatchRecord {
    seq: i64,
    view: BatchView,
    totals: String,
    environment: String,
    began_ms: Option<i64>,
    moved_ms: Option<i64>,
}

fn read_record(row: &Row<'_>) -> Result<BatchRecord, DatabaseError> {
    let state = row.get::<Word<BatchState>>(3)?.0;
    let trouble: String = row.get(13)?;
    Ok(BatchRecord {
        seq: row.get(0)?,
        totals: row.get(4)?,
        environment: row.get(6)?,
        began_ms: row.get(11)?,
        moved_ms: row.get(12)?,
        view: BatchView {
            id: row.get(1)?,
            name: row.get(2)?,
            state,
            counts: BatchCounts::default(),
            totals: ReviewTotals::default(),
            profile: row.get(5)?,
            environment: Environment::Practice,
            batch_ids: Vec::new(),
            corrects: row.get(7)?,
            by: row.get(8)?,
            created_at: row.get(9)?,
            ended_at: row.get(10)?,
            per_second: None,
            seconds_left: None,
            trouble,
            can_cancel: false,
            asks: false,
            goes_on: false,
            evidence: Vec::new(),
            to_correct: 0,
            open_warnings: 0,
            is_single: row.get(14)?,
            draft: row.get(15)?,
            assigned: None,
        },
    })
}

fn build_view(connection: &Connection, kept: BatchRecord) -> Result<BatchView, StoreError> {
    let BatchRecord { seq, mut view, totals, environment, began_ms, moved_ms } = kept;
    view.totals = serde_json::from_str(&totals)?;
    view.environment = serde_json::from_str(&environment)?;
    view.counts = count_rows(connection, seq)?;
    (view.to_correct, view.open_warnings) = connection
        .prepare_cached(&format!(
            "SELECT count(*) FILTER (WHERE r.row_state <> 'warning'), count(*) FILTER (WHERE r.row_state = 'warning')
             FROM batch_rows r WHERE r.batch = ?1 AND {OPEN_ROW}"
        ))?
        .query_row([seq], |row| row.try_into())?;
    let mut statement = connection.prepare_cached(
        "SELECT remote_id, state = 'queued', asks <> 0,
         asks = 0 AND state IN ('queued', 'sending', 'unknown', 'accepted', 'processing'), evidence
         FROM batch_parts WHERE batch = ?1 ORDER BY part",
    )?;
    let mut parts = statement.query([seq])?;
    while let Some(part) = parts.next_row()? {
        let number: Option<String> = part.get(0)?;
        view.batch_ids.extend(number.iter().flat_map(|number| batch_numbers(number)).map(str::to_owned));
        view.can_cancel |= part.get::<bool>(1)?;
        view.asks |= part.get::<bool>(2)?;
        view.goes_on |= part.get::<bool>(3)?;
        let evidence: Option<String> = part.get(4)?;
        view.evidence.extend(evidence.map(|text| serde_json::from_str(&text)).transpose()?);
    }
    let answered = view.counts.total - view.counts.pending - view.counts.not_sent;
    let took_ms = began_ms.zip(moved_ms).map_or(0, |(began, moved)| moved - began);
    if took_ms > 0 && answered > 0 {
        let per_second = i64::from(answered) * 1000 / took_ms;
        view.per_second = u32::try_from(per_second).ok().filter(|rate| *rate > 0);
        // While what was lost is looked up, nothing tells how long that takes.
        if !view.state.is_ended() && view.state != BatchState::Unknown {
            let left = i64::from(view.counts.pending) * took_ms / i64::from(answered) / 1000;
            view.seconds_left = u32::try_from(left).ok();
        }
    }
    Ok(view)
}

/// One batch.
pub fn load_batch(connection: &Connection, id: &str) -> Result<BatchView, StoreError> {
    let found = connection
        .query_row(&format!("SELECT {COLUMNS} FROM batches WHERE id = ?1"), [id], read_record)
        .optional()?
        .ok_or(StoreError::Missing("batch"))?;
    let view = build_view(connection, found)?;
    let assigned = list_assignments(connection, WorkKind::Batch, "")?.remove(id);
    Ok(BatchView { assigned, ..view })
}

/// All batches, newest first.
pub fn list_batches(connection: &Connection) -> Result<Vec<BatchView>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM batches ORDER BY seq DESC");
    let found = list_rows(connection, &sql, [], read_record)?;
    let mut assigned = list_assignments(connection, WorkKind::Batch, "")?;
    let build = |kept| {
        let view = build_view(connection, kept)?;
        Ok(BatchView { assigned: assigned.remove(&view.id), ..view })
    };
    found.into_iter().map(build).collect()
}

/// Number of batches that have ended.
pub fn count_ended(connection: &Connection) -> Result<u32, StoreError> {
    let sql = "SELECT count(*) FROM batches WHERE ended_at IS NOT NULL";
    Ok(connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
}

/// The outbox in one line.
pub fn outbox_status(connection: &Connection) -> Result<OutboxStatus, StoreError> {
    let mut status = OutboxStatus {
        open: 0,
        answered: 0,
        total: 0,
        seconds_left: None,
        attention: connection.query_row(
            &format!(
                "SELECT count(*) FROM batches b WHERE (b.ended_at IS NOT NULL AND b.state <> 'canceled'
                 AND EXISTS (SELECT 1 FROM batch_rows r WHERE r.batch = b.seq AND r.row_state <> 'warning' AND {OPEN_ROW}))
                 OR EXISTS (SELECT 1 FROM batch_parts p WHERE p.batch = b.seq AND p.asks <> 0)"
            ),
            [],
            |row| row.get(0),
        )?,
        revision: connection
            .query_row("SELECT revision & 4294967295 FROM outbox_revision", [], |row| row.get(0))?,
    };
    let sql = format!("SELECT {COLUMNS} FROM batches WHERE ended_at IS NULL ORDER BY seq DESC");
    for batch in list_rows(connection, &sql, [], read_record)? {
        let batch = build_view(connection, batch)?;
        if !batch.goes_on {
            continue;
        }
        status.open += 1;
        status.total += batch.counts.total;
        status.answered += batch.counts.total - batch.counts.pending;
        status.seconds_left = status.seconds_left.max(batch.seconds_left);
    }
    Ok(status)
}

/// The text of a message `m`, to its first period where amounts of its row follow.
const CAUSE_TEXT: &str =
    "CASE WHEN json_extract(m.value, '$.calculated') IS NULL THEN json_extract(m.value, '$.text')
    ELSE substr(json_extract(m.value, '$.text'), 1, instr(json_extract(m.value, '$.text'), '.')) END";
/// What is said of a message beside its text.
const CAUSE_PLACE: &str = "json_extract(m.value, '$.severity') || ' ' || json_extract(m.value, '$.field')";

/// What the service said of a batch's rows, grouped, the most serious first; more would help nobody.
pub fn list_causes(connection: &Connection, id: &str) -> Result<Vec<RowCause>, StoreError> {
    let sql = format!(
        "SELECT {CAUSE_PLACE} || {CAUSE_TEXT}, json_extract(m.value, '$.severity'), json_extract(m.value, '$.field'),
         {CAUSE_TEXT}, count(DISTINCT r.row)
         FROM batch_rows r, json_each(r.messages) m WHERE r.batch = ?1 AND json_extract(m.value, '$.severity') <> 'note'
         GROUP BY 1, 2, 3, 4
         ORDER BY json_extract(m.value, '$.severity'), min(CASE r.row_state WHEN 'error' THEN 0 ELSE 1 END), 5 DESC, 1
         LIMIT 50"
    );
    let batch = batch_seq(connection, id)?;
    list_rows(connection, &sql, [batch], row_as!(RowCause: key, severity, field, text, rows))
}

/// A page of a batch's rows.
pub fn load_rows(connection: &Connection, request: &BatchRowsRequest) -> Result<BatchRowsPage, StoreError> {
    let batch = batch_seq(connection, &request.id)?;
    let state = request.state.map(Word);
    let shown = format!(
        "r.batch = ?1 AND (?2 IS NULL OR r.row_state = ?2) AND (?3 = '' OR EXISTS
         (SELECT 1 FROM json_each(r.messages) m WHERE {CAUSE_PLACE} || {CAUSE_TEXT} = ?3))"
    );
    let total = connection.query_row(
        &format!("SELECT count(*) FROM batch_rows r WHERE {shown}"),
        params![batch, state, request.cause],
        |row| row.get(0),
    )?;
    let sql = format!(
        "SELECT r.own_id, r.line, r.policy_number, r.insured, r.state_code, r.transaction_type, r.premium, r.row_state,
         r.transaction_id, r.messages, r.kept, r.settled, p.state, r.filed, coalesce(r.evidence, p.evidence)
         FROM batch_rows r JOIN batch_parts p ON p.batch = r.batch AND p.part = r.part
         WHERE {shown} ORDER BY r.row LIMIT ?4 OFFSET ?5",
    );
    let most = request.count.min(500);
    let page = params![batch, state, request.cause, most, request.from];
    let rows = list_parsed(connection, &sql, page, |row| {
        let (row_state, part) = (row.get::<Word<RowState>>(7)?.0, row.get::<Word<BatchState>>(12)?.0);
        let evidence: Option<String> = row.get(14)?;
        Ok(BatchRow {
            id: row.get(0)?,
            line: row.get(1)?,
            policy_number: row.get(2)?,
            insured: row.get(3)?,
            state: row.get(4)?,
            transaction_type: row.get(5)?,
            premium: row.get(6)?,
            row_state,
            stage: row_state.stage(part, row.get::<Option<i64>>(8)?.is_some(), row.get(13)?),
            evidence: evidence.map(|evidence| serde_json::from_str(&evidence)).transpose()?,
            transaction_id: row.get::<Option<i64>>(8)?.map(|id| id.to_string()),
            messages: serde_json::from_str(row.get_ref(9)?.as_str().unwrap_or("[]"))?,
            kept: acknowledged_warnings(row)?,
            uploaded: documents::uploaded_since(connection, batch, row.get(8)?)?,
        })
    })?;
    Ok(BatchRowsPage { total, rows })
}

/// Warnings acknowledged before sending, and after the service reported them.
fn acknowledged_warnings(row: &Row<'_>) -> Result<Vec<KeptWarning>, StoreError> {
    let mut kept: Vec<KeptWarning> = serde_json::from_str(row.get_ref(10)?.as_str().unwrap_or("[]"))?;
    let settled: Vec<KeptWarning> = serde_json::from_str(row.get_ref(11)?.as_str().unwrap_or("[]"))?;
    kept.extend(settled);
    Ok(kept)
}

/// Id and name of the profile that a batch went to.
pub async fn profile_of_batch(store: &Store, id: String) -> Result<(String, String), StoreError> {
    store
        .with_connection(move |connection| {
            let sql = "SELECT profile_id, profile_name FROM batches WHERE id = ?1";
            Ok(connection.query_row(sql, [&id], |row| row.try_into())?)
        })
        .await
}

/// The last batch made from a review for a profile.
pub async fn newest_batch_of_review(
    store: &Store,
    review: String,
    profile_id: String,
) -> Result<Option<String>, StoreError> {
    store
        .with_connection(move |connection| {
            let sql =
                "SELECT id FROM batches WHERE review = ?1 AND profile_id = ?2 ORDER BY seq DESC LIMIT 1";
            Ok(connection.query_row(sql, [&review, &profile_id], |row| row.get(0)).optional()?)
        })
        .await
}
