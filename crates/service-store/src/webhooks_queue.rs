//! Events and their deliveries: what waits and what came of it. Times are milliseconds since 1970 by the
//! service's clock.

use rusqlite::{Connection, OptionalExtension, Result, Row, params};

/// A delivery that is due, with what is to be sent.
#[derive(Clone, Debug)]
pub struct DueDelivery {
    /// Number of the delivery.
    pub id: i64,
    /// Number of its webhook.
    pub webhook: i64,
    /// Number of the event.
    pub event_id: i64,
    /// Identifier of the event.
    pub event: String,
    /// The body without its first member, see `body`.
    rest: String,
    /// When the attempts of this round failed.
    pub failures: Vec<i64>,
}

impl DueDelivery {
    /// What is sent.
    pub fn body(&self) -> String {
        event_body(self.event_id, &self.rest)
    }
}

/// What came of an attempt.
#[derive(Clone, Debug)]
pub struct AttemptResult {
    /// Milliseconds since 1970.
    pub at: i64,
    /// HTTP status of the answer; none where there was no answer.
    pub status: Option<u16>,
    /// Bounded by the sender.
    pub body: String,
    /// None after a success.
    pub error: Option<String>,
    /// How long it took.
    pub milliseconds: u64,
}

/// Keeps an event and one delivery for each webhook. `body` begins with its second member.
pub fn insert(
    db: &Connection,
    account_id: &str,
    event: &str,
    subject: &str,
    rest: &str,
    webhooks: &[i64],
    now: i64,
) -> Result<i64> {
    db.prepare_cached(
        "INSERT INTO event (account_id, event, subject, rest, created_at) VALUES ($1, $2, $3, $4, $5)",
    )?
    .execute(params![account_id, event, subject, rest, now])?;
    let id = db.last_insert_rowid();
    let mut statement = db.prepare_cached(
        "INSERT INTO delivery (webhook_seq, event_id, subject, status, failures, due_at, created_at) \
         VALUES ($1, $2, $3, 'waiting', 0, $4, $4)",
    )?;
    for webhook in webhooks {
        statement.execute(params![webhook, id, subject, now])?;
    }
    Ok(id)
}

/// The body of an event: its number is known only once it is stored.
pub fn event_body(event_id: i64, rest: &str) -> String {
    format!("{{\"event_id\":{event_id},{rest}")
}

/// Webhooks for which something is due.
pub fn webhooks_due(db: &Connection, now: i64) -> Result<Vec<i64>> {
    db.prepare_cached(
        "SELECT webhook.seq FROM webhook WHERE webhook.removed_at IS NULL AND EXISTS ( \
             SELECT 1 FROM delivery WHERE delivery.webhook_seq = webhook.seq \
             AND delivery.status = 'waiting' AND delivery.due_at <= $1)",
    )?
    .query_map(params![now], |row| row.get(0))?
    .collect()
}

/// Deliveries of a webhook that are due, the longest due first. Of one subject only the oldest that waits is among
/// them, so that its events arrive in the order they happened.
pub fn due_webhooks(db: &Connection, webhook: i64, now: i64, limit: usize) -> Result<Vec<DueDelivery>> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    db.prepare_cached(
        "SELECT waiting.id, waiting.event_id, event.event, event.rest, waiting.failures, \
             waiting.first_failure_at, waiting.second_failure_at \
         FROM delivery AS waiting JOIN event ON event.id = waiting.event_id \
         WHERE waiting.webhook_seq = $1 AND waiting.status = 'waiting' AND waiting.due_at <= $2 \
         AND NOT EXISTS (SELECT 1 FROM delivery AS earlier \
             WHERE earlier.webhook_seq = waiting.webhook_seq AND earlier.subject = waiting.subject \
             AND earlier.status = 'waiting' AND earlier.id < waiting.id) \
         ORDER BY waiting.due_at, waiting.id LIMIT $3",
    )?
    .query_map(params![webhook, now, limit], |row| {
        let count = usize::from(row.get::<_, u16>(4)?);
        let known: [Option<i64>; 2] = [row.get(5)?, row.get(6)?];
        let mut failures: Vec<i64> = known.into_iter().flatten().take(count).collect();
        // Of the third nothing is asked but that there was one.
        failures.resize(count, now);
        Ok(DueDelivery {
            id: row.get(0)?,
            webhook,
            event_id: row.get(1)?,
            event: row.get(2)?,
            rest: row.get(3)?,
            failures,
        })
    })?
    .collect()
}

/// At the start: a clock that was moved shows its old time again. What is to be sent at once does not wait
/// until it gets there again, and nothing waits longer than the longest wait there is.
pub fn bound_waits(db: &Connection, now: i64, longest_ms: i64) -> Result<()> {
    for (at_once, latest) in [(true, now), (false, now + longest_ms)] {
        db.execute(
            "UPDATE delivery SET due_at = $1 \
             WHERE status = 'waiting' AND due_at > $1 AND (failures < 2) = $2",
            params![latest, at_once],
        )?;
    }
    Ok(())
}

/// Writes an attempt into the log.
pub fn log_attempt(db: &Connection, delivery: i64, attempt: &AttemptResult) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO delivery_attempt (delivery_id, at, response_status, response_body, error, milliseconds) \
         VALUES ($1, $2, $3, $4, $5, $6)",
    )?
    .execute(params![
        delivery,
        attempt.at,
        attempt.status,
        attempt.body,
        attempt.error,
        i64::try_from(attempt.milliseconds).unwrap_or(i64::MAX)
    ])?;
    Ok(())
}

/// How a delivery goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// Nothing is left to do.
    Delivered,
    /// Tried again then, in milliseconds since 1970.
    Again(i64),
    /// Never tried again by itself.
    GivenUp,
}

/// Records what an attempt means for its delivery; false if that no longer waits: then nothing changes.
pub fn record(
    db: &Connection,
    delivery: &DueDelivery,
    attempt: &AttemptResult,
    next: NextStep,
) -> Result<bool> {
    let (status, due) = match next {
        NextStep::Delivered => ("delivered", None),
        NextStep::Again(due) => ("waiting", Some(due)),
        NextStep::GivenUp => ("failed", None),
    };
    let mut failures = delivery.failures.clone();
    if next != NextStep::Delivered {
        failures.push(attempt.at);
    }
    let finished = due.is_none().then_some(attempt.at);
    let changed = db
        .prepare_cached(
            "UPDATE delivery SET status = $1, due_at = COALESCE($2, due_at), failures = $3, \
             first_failure_at = $4, second_failure_at = $5, response_status = $6, error = $7, \
             finished_at = $8 WHERE id = $9 AND status = 'waiting'",
        )?
        .execute(params![
            status,
            due,
            i64::try_from(failures.len()).unwrap_or(i64::MAX),
            failures.first(),
            failures.get(1),
            attempt.status,
            attempt.error,
            finished,
            delivery.id
        ])?;
    Ok(changed == 1)
}

/// A delivery as it is listed.
#[derive(Clone, Debug)]
pub struct DeliveryEntry {
    /// Number of the delivery.
    pub id: i64,
    /// As the account knows its webhook.
    pub webhook_id: String,
    /// Title of the webhook.
    pub webhook_title: String,
    /// Number of the event.
    pub event_id: i64,
    /// Identifier of the event.
    pub event: String,
    /// What the event is about; events of one subject arrive in order.
    pub subject: String,
    /// `waiting`, `delivered` or `failed`.
    pub status: String,
    /// Failed attempts of this round.
    pub failures: u32,
    /// Milliseconds since 1970.
    pub created_at: i64,
    /// Milliseconds since 1970.
    pub due_at: i64,
    /// Milliseconds since 1970; none while it waits.
    pub finished_at: Option<i64>,
    /// HTTP status of the last answer.
    pub response_status: Option<u16>,
    /// Why the last attempt failed.
    pub error: Option<String>,
}

const LISTED: &str = "SELECT delivery.id, webhook.id, webhook.title, delivery.event_id, event.event, \
     delivery.subject, delivery.status, delivery.failures, delivery.created_at, delivery.due_at, \
     delivery.finished_at, delivery.response_status, delivery.error FROM delivery \
     JOIN webhook ON webhook.seq = delivery.webhook_seq JOIN event ON event.id = delivery.event_id";

fn read_entry(row: &Row<'_>) -> Result<DeliveryEntry> {
    row_as!(DeliveryEntry: id, webhook_id, webhook_title, event_id, event, subject, status, failures, created_at, due_at, finished_at, response_status, error)(
        row,
    )
}

/// Deliveries of a webhook before a number, the newest first; of all statuses where it is empty.
pub fn list_deliveries(
    db: &Connection,
    webhook: i64,
    status: &str,
    before: i64,
    limit: i64,
) -> Result<Vec<DeliveryEntry>> {
    db.prepare_cached(&format!(
        "{LISTED} WHERE delivery.webhook_seq = $1 AND ($2 = '' OR delivery.status = $2) \
         AND delivery.id < $3 ORDER BY delivery.id DESC LIMIT $4"
    ))?
    .query_map(params![webhook, status, before, limit], read_entry)?
    .collect()
}

/// An account's delivery, with its body.
pub fn load_delivery(db: &Connection, account_id: &str, id: i64) -> Result<Option<(DeliveryEntry, String)>> {
    let found = db
        .prepare_cached(&format!("{LISTED} WHERE delivery.id = $1 AND webhook.account_id = $2"))?
        .query_row(params![id, account_id], read_entry)
        .optional()?;
    let Some(found) = found else { return Ok(None) };
    let rest: String =
        db.query_row("SELECT rest FROM event WHERE id = $1", params![found.event_id], |row| row.get(0))?;
    let body = event_body(found.event_id, &rest);
    Ok(Some((found, body)))
}

/// The attempts of a delivery, the newest first.
pub fn list_attempts(db: &Connection, delivery: i64, limit: i64) -> Result<Vec<AttemptResult>> {
    db.prepare_cached(
        "SELECT at, response_status, response_body, error, milliseconds FROM delivery_attempt \
         WHERE delivery_id = $1 ORDER BY id DESC LIMIT $2",
    )?
    .query_map(params![delivery, limit], |row| {
        let milliseconds: i64 = row.get(4)?;
        Ok(AttemptResult {
            at: row.get(0)?,
            status: row.get(1)?,
            body: row.get(2)?,
            error: row.get(3)?,
            milliseconds: u64::try_from(milliseconds).unwrap_or(0),
        })
    })?
    .collect()
}

/// Starts a delivery again, due at once; false after its webhook is gone.
pub fn restart_delivery(db: &Connection, id: i64, now: i64) -> Result<bool> {
    let changed = db.execute(
        "UPDATE delivery SET status = 'waiting', failures = 0, first_failure_at = NULL, \
         second_failure_at = NULL, due_at = $1, finished_at = NULL, error = NULL, response_status = NULL \
         WHERE id = $2 AND EXISTS (SELECT 1 FROM webhook \
             WHERE webhook.seq = delivery.webhook_seq AND webhook.removed_at IS NULL)",
        params![now, id],
    )?;
    Ok(changed == 1)
}

/// How many deliveries of a webhook wait.
pub fn waiting_of(db: &Connection, webhook: i64) -> Result<i64> {
    db.prepare_cached("SELECT COUNT(*) FROM delivery WHERE webhook_seq = $1 AND status = 'waiting'")?
        .query_row(params![webhook], |row| row.get(0))
}

/// All deliveries that wait: how many, and the next ones.
pub fn list_waiting(db: &Connection, limit: i64) -> Result<(i64, Vec<DeliveryEntry>)> {
    let count =
        db.query_row("SELECT COUNT(*) FROM delivery WHERE status = 'waiting'", [], |row| row.get(0))?;
    let next = db
        .prepare_cached(&format!(
            "{LISTED} WHERE delivery.status = 'waiting' ORDER BY delivery.due_at, delivery.id LIMIT $1"
        ))?
        .query_map(params![limit], read_entry)?
        .collect::<Result<_>>()?;
    Ok((count, next))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, StoreError};

    const HALF_HOUR_MS: i64 = 30 * 60 * 1_000;

    fn store() -> Result<Store, StoreError> {
        let store = Store::open(None)?;
        store.run_on_this_thread(|db| {
            db.execute_batch(
                "INSERT INTO account (id, name, kind, username, password_hash, active, api_access, calculator, practice, created_at) VALUES ('acc-1', 'A', 'enterprise', 'a', '', 1, 1, 1, 0, 0);
                 INSERT INTO webhook VALUES (1, 'w', 'acc-1', 'W', '', 'https://example.com/', '', '', '', '', 0, NULL);",
            )?;
            for number in 0..40 {
                // Two events for each of twenty subjects.
                insert(db, "acc-1", "webhook.x", &format!("transaction {}", number % 20), "}", &[1], 0)?;
            }
            Ok(())
        })?;
        Ok(store)
    }

    #[test]
    fn of_each_subject_the_oldest_is_due() -> Result<(), Box<dyn std::error::Error>> {
        let store = store()?;
        let at = |now, limit| store.run_on_this_thread(|db| due_webhooks(db, 1, now, limit));
        let ids = |due: &[DueDelivery]| due.iter().map(|delivery| delivery.id).collect::<Vec<_>>();
        let first = at(0, 99)?;
        assert_eq!(ids(&first), (1..=20).collect::<Vec<_>>());
        assert_eq!(ids(&at(0, 5)?), (1..=5).collect::<Vec<_>>());
        assert_eq!(store.run_on_this_thread(|db| webhooks_due(db, 0))?, [1]);

        // After a delivery of a subject the next of it is free; after a failure it waits for its turn.
        let attempt = |error: Option<&str>| AttemptResult {
            at: 0,
            status: Some(200),
            body: String::new(),
            error: error.map(str::to_owned),
            milliseconds: 1,
        };
        let delivered = |delivery: &DueDelivery| {
            store.run_on_this_thread(|db| record(db, delivery, &attempt(None), NextStep::Delivered))
        };
        assert!(delivered(&first[12])?);
        assert!(!delivered(&first[12])?, "what no longer waits does not change");
        assert!(store.run_on_this_thread(|db| {
            record(db, &first[0], &attempt(Some("no")), NextStep::Again(500_000))
        })?);
        let due: Vec<i64> = (2..=12).chain(14..=20).chain([33]).collect();
        assert_eq!(ids(&at(1, 99)?), due, "the second event of the subject that was delivered");
        Ok(())
    }

    #[test]
    fn a_clock_that_went_back_holds_nothing_up() -> Result<(), Box<dyn std::error::Error>> {
        const AHEAD: i64 = 5 * HALF_HOUR_MS;
        let due = store()?.run_on_this_thread(|db| {
            // Of the first subjects: fresh, failed once, failed twice, and one that waits as it should.
            for (id, failures, due) in [(1, 0, AHEAD), (2, 1, AHEAD), (3, 2, AHEAD), (4, 3, 1_000)] {
                db.execute(
                    "UPDATE delivery SET failures = $1, due_at = $2 WHERE id = $3",
                    params![failures, due, id],
                )?;
            }
            bound_waits(db, 500, HALF_HOUR_MS)?;
            let mut statement = db.prepare("SELECT due_at FROM delivery WHERE id <= 4 ORDER BY id")?;
            statement.query_map([], |row| row.get(0))?.collect::<Result<Vec<i64>>>()
        })?;
        assert_eq!(due, [500, 500, 500 + HALF_HOUR_MS, 1_000]);
        Ok(())
    }
}
