//! The table `events`: each delivery is stored once, merged with facts found by asking, and repeats are counted.

use bordereau_api::{EventCheck, EventKind, EventSignature};
use bordereau_database::{Connection, OptionalRow, params};

use super::follows::store_follow;
use super::mark_events_changed;
use crate::{StoreError, list_rows};

/// The sentence on an event that the service confirmed.
pub const CONFIRMED_BY_SERVICE: &str = "Confirmed by the service.";

/// An authenticated delivery.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// The profile it is for.
    pub profile_id: String,
    /// As received.
    pub body: Vec<u8>,
    /// How it was authenticated.
    pub signature: EventSignature,
    /// RFC 3339, UTC.
    pub at: String,
}

/// A delivery, as far as it could be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedEvent {
    /// Kind of the event.
    pub what: EventKind,
    /// Its name, as received.
    pub event: String,
    /// The sender's id of it; public samples use one several times.
    pub event_id: String,
    /// The sender's time, as received.
    pub said_at: String,
    /// The numbers and codes that it names.
    pub subject: EventNumbers,
    /// Key of the fact it reports; `None` where there is nothing to ask for.
    pub fact: Option<String>,
    /// As a sentence.
    pub title: String,
    /// The same for repeats: of event, subject, timestamp and body (contract section 6).
    pub dedup_key: String,
}

/// The numbers and codes in an event; empty if missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventNumbers {
    /// The service's id of a batch.
    pub batch: String,
    /// The service's number of a transaction.
    pub transaction: String,
    /// Policy number.
    pub policy_number: String,
    /// Invoice number.
    pub invoice_number: String,
    /// State code of two letters, such as `TX`.
    pub state: String,
}

/// A fact that the service confirmed when it was asked.
#[derive(Clone, Debug)]
pub struct ConfirmedFact {
    /// The same for the same fact, however it was learned.
    pub key: String,
    /// Kind of the event.
    pub what: EventKind,
    /// What it happened to.
    pub subject: EventNumbers,
    /// As a sentence.
    pub title: String,
}

/// The result of storing a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreOutcome {
    /// A new event.
    New,
    /// The event was found by asking before, and is now received.
    Merged,
    /// It was stored before.
    Repeat,
}

/// A delivery as a listener forwards it.
pub struct ForwardedDelivery {
    /// Grows with each delivery.
    pub arrival: i64,
    /// RFC 3339, UTC.
    pub received_at: String,
    /// As received.
    pub body: Vec<u8>,
}

/// Stores deliveries in one commit; once it is on the disk, senders needn't repeat them. Forwarded ones come with the
/// listener's address and how far it was followed.
pub fn store_deliveries(
    connection: &mut Connection,
    deliveries: &[(Delivery, ParsedEvent)],
    forwarded: Option<(&str, i64)>,
) -> Result<Vec<StoreOutcome>, StoreError> {
    let transaction = connection.transaction()?;
    let outcomes = deliveries.iter().map(|(delivery, event)| store_delivery(&transaction, delivery, event));
    let outcomes = outcomes.collect::<Result<_, _>>()?;
    if let (Some((address, last_id)), Some((delivery, _))) = (forwarded, deliveries.first()) {
        store_follow(&transaction, &delivery.profile_id, address, last_id)?;
    }
    mark_events_changed(&transaction)?;
    transaction.commit()?;
    Ok(outcomes)
}

fn store_delivery(
    connection: &Connection,
    delivery: &Delivery,
    event: &ParsedEvent,
) -> Result<StoreOutcome, StoreError> {
    let repeated = connection
        .prepare_cached("UPDATE events SET repeats = repeats + 1 WHERE profile_id = ?1 AND recognition = ?2")?
        .execute([&delivery.profile_id, &event.dedup_key])?;
    if repeated > 0 {
        return Ok(StoreOutcome::Repeat);
    }
    let found: Option<i64> = match &event.fact {
        Some(fact) => connection
            .prepare_cached(
                "SELECT seq FROM events WHERE profile_id = ?1 AND fact = ?2 AND received_at IS NULL",
            )?
            .query_row([&delivery.profile_id, fact], |row| row.get(0))
            .optional()?,
        None => None,
    };
    if let Some(seq) = found {
        merge_delivery(connection, seq, delivery, event)?;
        return Ok(StoreOutcome::Merged);
    }
    let subject = &event.subject;
    connection
        .prepare_cached(
            "INSERT INTO events (profile_id, recognition, fact, what, event, event_id, said_at, received_at, batch_id,
             transaction_id, policy_number, invoice_number, state_code, title, signature, body, arrival)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16,
             (SELECT coalesce(max(arrival), 0) + 1 FROM events))",
        )?
        .execute(params![
            delivery.profile_id,
            event.dedup_key,
            event.fact,
            <&str>::from(event.what),
            event.event,
            event.event_id,
            event.said_at,
            delivery.at,
            subject.batch,
            subject.transaction,
            subject.policy_number,
            subject.invoice_number,
            subject.state,
            event.title,
            <&str>::from(delivery.signature),
            delivery.body,
        ])?;
    Ok(StoreOutcome::New)
}

/// Merges a received event into the one found by asking; it stays read or unread.
fn merge_delivery(
    connection: &Connection,
    seq: i64,
    delivery: &Delivery,
    event: &ParsedEvent,
) -> Result<(), StoreError> {
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
            event.dedup_key,
            event.event,
            event.event_id,
            event.said_at,
            delivery.at,
            event.title,
            <&str>::from(delivery.signature),
            delivery.body,
            event.subject.state,
            event.subject.policy_number,
            event.subject.invoice_number,
        ])?;
    Ok(())
}

/// Stores confirmed facts; returns how many no event had reported. `is_gap`: a webhook should have.
pub fn store_facts(
    connection: &mut Connection,
    profile_id: &str,
    facts: &[ConfirmedFact],
    at: &str,
    is_gap: bool,
) -> Result<usize, StoreError> {
    let transaction = connection.transaction()?;
    let before = transaction.total_changes();
    let mut new = 0;
    for fact in facts {
        new += usize::from(store_fact(&transaction, profile_id, fact, at, is_gap)?);
    }
    if transaction.total_changes() > before {
        mark_events_changed(&transaction)?;
    }
    transaction.commit()?;
    Ok(new)
}

/// Stores a confirmed fact. True where no event had reported it.
pub(super) fn store_fact(
    connection: &Connection,
    profile_id: &str,
    fact: &ConfirmedFact,
    at: &str,
    is_gap: bool,
) -> Result<bool, StoreError> {
    if has_fact(connection, profile_id, &fact.key)? {
        connection
            .prepare_cached(
                "UPDATE events SET found_at = ?3, checked = 'confirmed', check_says = ?4
                 WHERE profile_id = ?1 AND fact = ?2 AND (found_at IS NULL OR checked <> 'confirmed')",
            )?
            .execute([profile_id, &fact.key, at, CONFIRMED_BY_SERVICE])?;
        return Ok(false);
    }
    connection
        .prepare_cached(
            "INSERT INTO events (profile_id, recognition, fact, what, event, event_id, said_at, found_at, batch_id,
             transaction_id, policy_number, invoice_number, state_code, title, signature, checked, check_says, is_read,
             body) VALUES (?1, ?2, ?3, ?4, '', '', '', ?5, ?6, ?7, ?8, ?9, ?10, ?11, 'none', ?12, ?13, ?14, ?15)",
        )?
        .execute(params![
            profile_id,
            format!("found {}", fact.key),
            fact.key,
            <&str>::from(fact.what),
            at,
            fact.subject.batch,
            fact.subject.transaction,
            fact.subject.policy_number,
            fact.subject.invoice_number,
            fact.subject.state,
            fact.title,
            <&str>::from(EventCheck::Confirmed),
            CONFIRMED_BY_SERVICE,
            // Of its own batches the outbox reports the end itself, unless a webhook was missed.
            !is_gap && matches!(fact.what, EventKind::BatchProcessed | EventKind::BatchFailed),
            [].as_slice() as &[u8],
        ])?;
    Ok(true)
}

/// Whether there is an event of this fact.
pub(super) fn has_fact(connection: &Connection, profile_id: &str, fact: &str) -> Result<bool, StoreError> {
    Ok(connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM events WHERE profile_id = ?1 AND fact = ?2)")?
        .query_row([profile_id, fact], |row| row.get(0))?)
}

/// Deliveries of a profile after this number, in the order of arrival.
pub fn list_deliveries_after(
    connection: &Connection,
    profile_id: &str,
    after: i64,
    limit: u32,
) -> Result<Vec<ForwardedDelivery>, StoreError> {
    let sql = "SELECT arrival, received_at, body FROM events
         WHERE profile_id = ?1 AND arrival > ?2 ORDER BY arrival LIMIT ?3";
    list_rows(
        connection,
        sql,
        params![profile_id, after, limit],
        row_as!(ForwardedDelivery: arrival, received_at, body),
    )
}
