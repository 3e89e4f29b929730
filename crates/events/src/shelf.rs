//! The events of the store: kept once, merged by fact, counted when they come again.

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use super::heard::Heard;
use super::{Fact, check_word, signature_word, what_word};
use bordereau_api::{EventCheck, EventSignature};
use bordereau_store::{Store, StoreError};

/// Refusals of a profile that are kept; older ones are only counted.
const REFUSALS_MAX: i64 = 200;
/// Characters of a refused body that are kept.
const BEGINNING_CHARS: usize = 2_000;

/// A delivery that proved where it comes from.
#[derive(Clone, Debug)]
pub struct Arrival {
    pub profile_id: String,
    pub body: Vec<u8>,
    pub signature: EventSignature,
    /// RFC 3339, UTC.
    pub at: String,
}

/// What became of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// It is an event nobody knew of.
    New,
    /// What was found by asking has now come.
    Merged,
    /// It was here before.
    Repeat,
}

/// Keeps a delivery; once it is committed, the sender may forget it.
fn keep(connection: &Connection, arrival: &Arrival, heard: &Heard) -> Result<Kept, StoreError> {
    let repeated = connection
        .prepare_cached("UPDATE events SET repeats = repeats + 1 WHERE profile_id = ?1 AND recognition = ?2")?
        .execute([&arrival.profile_id, &heard.recognition])?;
    if repeated > 0 {
        return Ok(Kept::Repeat);
    }
    let fact = heard.fact.as_ref().map(Fact::key);
    let found: Option<i64> = match &fact {
        Some(fact) => connection
            .prepare_cached(
                "SELECT seq FROM events WHERE profile_id = ?1 AND fact = ?2 AND received_at IS NULL",
            )?
            .query_row([&arrival.profile_id, fact], |row| row.get(0))
            .optional()?,
        None => None,
    };
    if let Some(seq) = found {
        take_in(connection, seq, arrival, heard)?;
        return Ok(Kept::Merged);
    }
    let subject = &heard.subject;
    connection
        .prepare_cached(
            "INSERT INTO events (profile_id, recognition, fact, what, event, event_id, said_at, received_at, batch_id,
             transaction_id, policy_number, invoice_number, state_code, title, signature, body, arrival)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16,
             (SELECT coalesce(max(arrival), 0) + 1 FROM events))",
        )?
        .execute(params![
            arrival.profile_id,
            heard.recognition,
            fact,
            what_word(heard.what),
            heard.event,
            heard.event_id,
            heard.said_at,
            arrival.at,
            subject.batch,
            subject.transaction,
            subject.policy_number,
            subject.invoice_number,
            subject.state,
            heard.title,
            signature_word(arrival.signature),
            arrival.body,
        ])?;
    Ok(Kept::New)
}

/// The event that was found by asking becomes the one that came; whether it was read stays.
fn take_in(connection: &Connection, seq: i64, arrival: &Arrival, heard: &Heard) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "UPDATE events SET recognition = ?2, event = ?3, event_id = ?4, said_at = ?5, received_at = ?6, title = ?7,
             signature = ?8, body = ?9,
             arrival = (SELECT coalesce(max(arrival), 0) + 1 FROM events), state_code = coalesce(nullif(?10, ''), state_code),
             policy_number = coalesce(nullif(?11, ''), policy_number),
             invoice_number = coalesce(nullif(?12, ''), invoice_number) WHERE seq = ?1",
        )?
        .execute(params![
            seq,
            heard.recognition,
            heard.event,
            heard.event_id,
            heard.said_at,
            arrival.at,
            heard.title,
            signature_word(arrival.signature),
            arrival.body,
            heard.subject.state,
            heard.subject.policy_number,
            heard.subject.invoice_number,
        ])?;
    Ok(())
}

/// Keeps a fact the service told when asked. True where no event had said it.
pub(super) fn find(
    connection: &Connection,
    profile_id: &str,
    fact: &Fact,
    at: &str,
    is_gap: bool,
) -> Result<bool, StoreError> {
    let key = fact.key();
    let known: bool = connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM events WHERE profile_id = ?1 AND fact = ?2)")?
        .query_row([profile_id, &key], |row| row.get(0))?;
    if known {
        connection
            .prepare_cached(
                "UPDATE events SET found_at = ?3, checked = 'confirmed', check_says = ?4
                 WHERE profile_id = ?1 AND fact = ?2 AND (found_at IS NULL OR checked <> 'confirmed')",
            )?
            .execute([profile_id, &key, at, SAYS_SO])?;
        return Ok(false);
    }
    connection
        .prepare_cached(
            "INSERT INTO events (profile_id, recognition, fact, what, event, event_id, said_at, found_at, batch_id,
             transaction_id, policy_number, invoice_number, state_code, title, signature, checked, check_says, is_read,
             body) VALUES (?1, ?2, ?3, ?4, '', '', '', ?5, ?6, ?7, ?8, ?9, ?10, ?11, 'none', ?12, ?13, ?14, x'')",
        )?
        .execute(params![
            profile_id,
            format!("found {key}"),
            key,
            what_word(fact.what),
            at,
            fact.subject.batch,
            fact.subject.transaction,
            fact.subject.policy_number,
            fact.subject.invoice_number,
            fact.subject.state,
            fact.title(),
            check_word(EventCheck::Confirmed),
            SAYS_SO,
            // Without a webhook nothing was missed: it is news of the outbox, which tells it itself.
            !is_gap,
        ])?;
    Ok(true)
}

const SAYS_SO: &str = "Asked, the service says the same.";

/// Tells every view that something changed.
pub(super) fn touch(connection: &Connection) -> Result<(), StoreError> {
    connection.execute("UPDATE events_revision SET revision = revision + 1", [])?;
    Ok(())
}

/// Keeps deliveries, read already, all of them in one commit that survives a loss of power.
pub(super) async fn keep_arrivals(
    store: &Store,
    arrivals: Vec<(Arrival, Heard)>,
) -> Result<Vec<Kept>, StoreError> {
    store
        .run_durably(move |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let kept: Vec<Kept> = arrivals
                .iter()
                .map(|(arrival, heard)| keep(&transaction, arrival, heard))
                .collect::<Result<_, _>>()?;
            touch(&transaction)?;
            transaction.commit()?;
            Ok(kept)
        })
        .await
}

/// Keeps what was forwarded by a listener, and how far it was followed, together.
pub(super) async fn keep_forwarded(
    store: &Store,
    arrival: Arrival,
    address: String,
    last_id: i64,
) -> Result<Kept, StoreError> {
    let heard = Heard::read(&arrival.body);
    store
        .run_durably(move |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let kept = keep(&transaction, &arrival, &heard)?;
            transaction.execute(
                "INSERT INTO event_follows (profile_id, address, last_id) VALUES (?1, ?2, ?3)
             ON CONFLICT (profile_id) DO UPDATE SET address = excluded.address, last_id = excluded.last_id",
                params![arrival.profile_id, address, last_id],
            )?;
            touch(&transaction)?;
            transaction.commit()?;
            Ok(kept)
        })
        .await
}

/// How far a listener was followed; none where this address was not.
pub(super) async fn followed_to(
    store: &Store,
    profile_id: &str,
    address: &str,
) -> Result<Option<i64>, StoreError> {
    let (profile_id, address) = (profile_id.to_owned(), address.to_owned());
    store
        .run(move |connection| {
            Ok(connection
                .query_row(
                    "SELECT last_id FROM event_follows WHERE profile_id = ?1 AND address = ?2",
                    [&profile_id, &address],
                    |row| row.get(0),
                )
                .optional()?)
        })
        .await
}

/// Keeps facts; tells how many nobody had said.
pub(super) async fn keep_facts(
    store: &Store,
    profile_id: &str,
    facts: Vec<Fact>,
    at: String,
    is_gap: bool,
) -> Result<usize, StoreError> {
    if facts.is_empty() {
        return Ok(0);
    }
    let profile_id = profile_id.to_owned();
    store
        .run(move |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let before = transaction.total_changes();
            let mut new = 0;
            for fact in &facts {
                new += usize::from(find(&transaction, &profile_id, fact, &at, is_gap)?);
            }
            if transaction.total_changes() > before {
                touch(&transaction)?;
            }
            transaction.commit()?;
            Ok(new)
        })
        .await
}

/// Notes a delivery that was refused: counted, and the last ones kept. Never an event.
pub(super) async fn keep_refusal(
    store: &Store,
    profile_id: String,
    at: String,
    why: &'static str,
    body: Vec<u8>,
) -> Result<(), StoreError> {
    store
        .run(move |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let beginning: String = String::from_utf8_lossy(&body)
                .chars()
                .filter(|c| !c.is_control() || *c == '\n')
                .take(BEGINNING_CHARS)
                .collect();
            let bytes = i64::try_from(body.len()).unwrap_or(i64::MAX);
            transaction.execute(
            "INSERT INTO event_refusals (profile_id, at, why, bytes, beginning) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![profile_id, at, why, bytes, beginning],
        )?;
            transaction.execute(
                "DELETE FROM event_refusals WHERE profile_id = ?1 AND seq <= (SELECT seq FROM event_refusals
             WHERE profile_id = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2)",
                params![profile_id, REFUSALS_MAX],
            )?;
            transaction.execute(
                "INSERT INTO event_refusal_count (profile_id, count) VALUES (?1, 1)
             ON CONFLICT (profile_id) DO UPDATE SET count = event_refusal_count.count + 1",
                [&profile_id],
            )?;
            touch(&transaction)?;
            transaction.commit()?;
            Ok(())
        })
        .await
}

/// Events of a profile after a number, as a listener forwards them: number, when it came, body.
pub(super) async fn received_after(
    store: &Store,
    profile_id: &str,
    after: i64,
    most: u32,
) -> Result<Vec<(i64, String, Vec<u8>)>, StoreError> {
    let profile_id = profile_id.to_owned();
    store
        .run(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT arrival, received_at, body FROM events
             WHERE profile_id = ?1 AND arrival > ?2 ORDER BY arrival LIMIT ?3",
            )?;
            let rows = statement.query_map(params![profile_id, after, most], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
}
