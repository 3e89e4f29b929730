//! Events for display, each with its batch.

use bordereau_api::{
    EventCheck, EventKind, EventSignature, EventView, EventsMark, EventsPage, EventsRequest, EventsStatus,
    ReceiverState,
};
use bordereau_database::{Connection, DatabaseError, OptionalRow, Row, ToValue, params};

use super::{events_revision, mark_events_changed, read_word};
use crate::assignments::read_assignment;
use crate::{StoreError, list_rows};

/// Events of a page.
const PAGE_MAX: u32 = 200;
/// Related events shown with one.
const RELATED_MAX: u32 = 20;
/// Events listed at once after a number.
const NEWER_MAX: u32 = 200;

const COLUMNS: &str = "e.seq, e.what, e.event, e.title, e.said_at, e.received_at, e.found_at, IS_READ, e.repeats, \
     e.batch_id, e.transaction_id, e.policy_number, e.invoice_number, e.state_code, e.signature, e.checked, \
     b.id, b.name, a.person, a.note, a.by_whom, a.at";
/// Index of the first column after these.
const BODY_COLUMN: usize = 22;

/// Whether the person at this desk has read an event `e`: in an office each person for themselves.
fn is_read(connection: &Connection) -> &'static str {
    if connection.is_office() { "coalesce(m.is_read, e.is_read)" } else { "e.is_read" }
}

/// The table with these marks.
fn read_marks(connection: &Connection) -> &'static str {
    match connection.is_office() {
        true => "LEFT JOIN event_reads m ON m.event = e.seq AND m.person = session_user",
        false => "",
    }
}

/// The columns of a view.
fn columns(connection: &Connection) -> String {
    COLUMNS.replace("IS_READ", is_read(connection))
}

/// Events joined with their batches and assignments.
fn from_events(connection: &Connection) -> String {
    let number = connection.text_as_number("e.transaction_id");
    let marks = read_marks(connection);
    format!(
        "FROM events e {marks}
         LEFT JOIN assignments a ON a.kind = 'event' AND a.profile_id = '' AND a.item = CAST(e.seq AS TEXT)
         LEFT JOIN batches b ON b.profile_id = e.profile_id AND b.seq = CASE
         WHEN e.batch_id <> '' THEN (SELECT p.batch FROM batch_parts p WHERE p.remote_id = e.batch_id LIMIT 1)
         WHEN e.transaction_id <> '' THEN (SELECT max(r.batch) FROM batch_rows r WHERE r.transaction_id = {number}) END"
    )
}

fn view(row: &Row<'_>) -> Result<EventView, DatabaseError> {
    let text = |at: usize| row.get::<String>(at);
    let (received_at, found_at): (Option<String>, Option<String>) = (row.get(5)?, row.get(6)?);
    let name: Option<String> = row.get(17)?;
    let (what, title) = (read_word(row, 1, EventKind::Other)?, text(3)?);
    let title = match (what, name) {
        (EventKind::BatchProcessed, Some(name)) => format!("{name} processed"),
        (EventKind::BatchFailed, Some(name)) => format!("{name} failed"),
        _ => title,
    };
    Ok(EventView {
        id: row.get::<i64>(0)?.to_string(),
        what,
        event: text(2)?,
        title,
        said_at: text(4)?,
        at: received_at.iter().chain(&found_at).min().cloned().unwrap_or_default(),
        received_at,
        found_at,
        read: row.get(7)?,
        repeats: row.get(8)?,
        batch: text(9)?,
        batch_here: row.get(16)?,
        transaction: text(10)?,
        policy_number: text(11)?,
        invoice_number: text(12)?,
        state: text(13)?,
        signature: read_word(row, 14, EventSignature::None)?,
        check: read_word(row, 15, EventCheck::Unchecked)?,
        assigned: row.get::<Option<String>>(18)?.map(|_| read_assignment(row, 18)).transpose()?,
    })
}

/// A request's filter, as a condition and its values.
fn condition(
    connection: &Connection,
    profile_id: &str,
    request: &EventsRequest,
) -> (String, Vec<Box<dyn ToValue>>) {
    let mut parts = vec!["e.profile_id = ?1".to_owned()];
    let mut values: Vec<Box<dyn ToValue>> = vec![Box::new(profile_id.to_owned())];
    let mut with = |values: &mut Vec<Box<dyn ToValue>>, part: &str, value: String| {
        values.push(Box::new(value));
        parts.push(part.replace("?#", &format!("?{}", values.len())));
    };
    if let Some(what) = request.what {
        with(&mut values, "e.what = ?#", <&str>::from(what).to_owned());
    }
    if !request.batch.is_empty() {
        let part =
            "(e.batch_id = ?# OR e.transaction_id IN (SELECT cast(r.transaction_id AS TEXT) FROM batch_rows r
             JOIN batch_parts p ON p.batch = r.batch AND p.part = r.part
             WHERE instr(', ' || p.remote_id || ', ', ', ' || ?# || ', ') > 0))";
        with(&mut values, part, request.batch.clone());
    }
    if !request.transaction.is_empty() {
        with(&mut values, "e.transaction_id = ?#", request.transaction.clone());
    }
    if !request.state.is_empty() {
        with(&mut values, "e.state_code = ?#", request.state.clone());
    }
    for word in request.search.split_whitespace().take(8) {
        let escaped: String = word
            .chars()
            .take(100)
            .flat_map(|c| matches!(c, '%' | '_' | '\\').then_some('\\').into_iter().chain([c]))
            .collect();
        let body = connection.bytes_as_text("e.body");
        let part = format!(
            "(lower(e.title || ' ' || e.event || ' ' || e.batch_id || ' ' || e.transaction_id || ' ' || e.policy_number
             || ' ' || e.invoice_number || ' ' || e.state_code || ' ' || coalesce(b.name, '')) LIKE ?# ESCAPE '\\'
             OR lower({body}) LIKE ?# ESCAPE '\\')"
        );
        with(&mut values, &part, format!("%{}%", escaped.to_ascii_lowercase()));
    }
    if let Some(person) = &request.assigned_to {
        with(&mut values, "coalesce(a.person, '') = ?#", person.clone());
    }
    if request.unread {
        parts.push(format!("{} = 0", is_read(connection)));
    }
    if request.missed {
        parts.push("e.received_at IS NULL".into());
    }
    (parts.join(" AND "), values)
}

/// A page, unread first.
pub fn list_events(
    connection: &Connection,
    profile_id: &str,
    request: &EventsRequest,
) -> Result<EventsPage, StoreError> {
    let (condition, mut values) = condition(connection, profile_id, request);
    let (columns, from, is_read) = (columns(connection), from_events(connection), is_read(connection));
    let total = connection.query_row(
        &format!("SELECT count(*) {from} WHERE {condition}"),
        values.as_slice(),
        |row| row.get(0),
    )?;
    values.push(Box::new(request.count.clamp(1, PAGE_MAX)));
    values.push(Box::new(request.from));
    let (limit, offset) = (values.len() - 1, values.len());
    let sql = format!(
        "SELECT {columns} {from} WHERE {condition} ORDER BY {is_read}, e.seq DESC LIMIT ?{limit} OFFSET ?{offset}"
    );
    let events = list_rows(connection, &sql, values.as_slice(), view)?;
    let sql = "SELECT DISTINCT state_code FROM events WHERE profile_id = ?1 AND state_code <> '' ORDER BY state_code";
    let states = list_rows(connection, sql, [profile_id], |row| row.get(0))?;
    Ok(EventsPage { total, states, events })
}

/// An event with everything stored about it.
pub struct StoredEvent {
    /// As it is shown.
    pub event: EventView,
    /// As received; empty where it was found by asking.
    pub body: Vec<u8>,
    /// The service's answer about it, as a sentence.
    pub check_says: String,
    /// Others about the same batch or transaction, newest first.
    pub related: Vec<EventView>,
}

/// Everything stored about an event.
pub fn find_event(connection: &Connection, profile_id: &str, id: &str) -> Result<StoredEvent, StoreError> {
    let seq: i64 = id.parse().map_err(|_| StoreError::Missing("event"))?;
    let (columns, from) = (columns(connection), from_events(connection));
    let sql = format!("SELECT {columns}, e.body, e.check_says {from} WHERE e.seq = ?1 AND e.profile_id = ?2");
    let stored = connection.query_row(&sql, params![seq, profile_id], |row| {
        Ok(StoredEvent {
            event: view(row)?,
            body: row.get(BODY_COLUMN)?,
            check_says: row.get(BODY_COLUMN + 1)?,
            related: Vec::new(),
        })
    });
    let mut stored = stored.optional()?.ok_or(StoreError::Missing("event"))?;
    let sql = format!(
        "SELECT {columns} {from} WHERE e.profile_id = ?1 AND e.seq <> ?2 AND
         ((?3 <> '' AND e.transaction_id = ?3) OR (?4 <> '' AND e.batch_id = ?4)) ORDER BY e.seq DESC LIMIT ?5"
    );
    let (transaction, batch) = (&stored.event.transaction, &stored.event.batch);
    let parameters = params![profile_id, seq, transaction, batch, RELATED_MAX];
    stored.related = list_rows(connection, &sql, parameters, view)?;
    Ok(stored)
}

/// The inbox in one line; the caller adds whether events are received.
pub fn inbox_status(connection: &Connection, profile_id: &str) -> Result<EventsStatus, StoreError> {
    let unread = connection
        .prepare_cached(&format!(
            "SELECT count(*) FROM events e {} WHERE e.profile_id = ?1 AND {} = 0",
            read_marks(connection),
            is_read(connection)
        ))?
        .query_row([profile_id], |row| row.get(0))?;
    // From the ends of indexes: the inbox may be large, and this runs with every event.
    let newest: Option<i64> = connection
        .prepare_cached("SELECT seq FROM events WHERE profile_id = ?1 ORDER BY seq DESC LIMIT 1")?
        .query_row([profile_id], |row| row.get(0))
        .optional()?;
    let last_received_at: Option<String> = connection
        .prepare_cached(
            "SELECT received_at FROM events WHERE profile_id = ?1 AND arrival > 0 ORDER BY arrival DESC LIMIT 1",
        )?
        .query_row([profile_id], |row| row.get(0))
        .optional()?;
    let refused: Option<u32> = connection
        .prepare_cached("SELECT count FROM event_refusal_count WHERE profile_id = ?1")?
        .query_row([profile_id], |row| row.get(0))
        .optional()?;
    Ok(EventsStatus {
        revision: events_revision(connection)?,
        unread,
        newest: newest.map(|seq| seq.to_string()),
        receiver: ReceiverState::Off,
        trouble: String::new(),
        last_received_at,
        refused: refused.unwrap_or_default(),
    })
}

/// Marks events read or unread; in an office for the person at this desk only, without notifying others.
pub fn mark_events(
    connection: &mut Connection,
    profile_id: &str,
    mark: &EventsMark,
) -> Result<(), StoreError> {
    let transaction = connection.transaction()?;
    let sql = match transaction.is_office() {
        true => format!(
            "INSERT INTO event_reads (person, event, is_read)
             SELECT CAST(session_user AS TEXT), e.seq, ?2 FROM events e {} WHERE e.profile_id = ?1 AND {} <> ?2 AND CHOSEN
             ON CONFLICT (person, event) DO UPDATE SET is_read = excluded.is_read",
            read_marks(&transaction),
            is_read(&transaction)
        ),
        false => "UPDATE events SET is_read = ?2 WHERE profile_id = ?1 AND is_read <> ?2 AND CHOSEN".to_owned(),
    };
    let mut changed = 0;
    if mark.all {
        let sql = sql.replace("AND CHOSEN", "");
        changed += transaction.execute(&sql, params![profile_id, mark.read])?;
    } else {
        let mut statement = transaction.prepare_cached(&sql.replace("CHOSEN", "seq = ?3"))?;
        for id in mark.ids.iter().filter_map(|id| id.parse::<i64>().ok()) {
            changed += statement.execute(params![profile_id, mark.read, id])?;
        }
    }
    if changed > 0 && !transaction.is_office() {
        mark_events_changed(&transaction)?;
    }
    Ok(transaction.commit()?)
}

/// Number of the newest event, and the events after a given number, oldest first; none without a number.
pub fn list_events_after(
    connection: &Connection,
    after: Option<i64>,
    profile_id: Option<&str>,
) -> Result<(i64, Vec<EventView>), StoreError> {
    let Some(after) = after else {
        let newest =
            connection.query_row("SELECT coalesce(max(seq), 0) FROM events", [], |row| row.get(0))?;
        return Ok((newest, Vec::new()));
    };
    let (columns, from) = (columns(connection), from_events(connection));
    let sql = format!(
        "SELECT {columns} {from} WHERE e.seq > ?1 AND (?2 IS NULL OR e.profile_id = ?2) ORDER BY e.seq LIMIT ?3"
    );
    let events: Vec<EventView> = list_rows(connection, &sql, params![after, profile_id, NEWER_MAX], view)?;
    let last = events.last().and_then(|event| event.id.parse().ok()).unwrap_or(after);
    Ok((last, events))
}
