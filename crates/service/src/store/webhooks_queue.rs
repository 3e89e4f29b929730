//! Events and their deliveries: what waits, who has it, and what came of it. Times are milliseconds since
//! 1970 by the service's clock.

use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use crate::webhooks::HALF_HOUR_MS;

/// How long another instance leaves a delivery alone that somebody has taken.
const LEASE_MS: i64 = 120_000;

/// A delivery that was taken, with what is to be sent.
#[derive(Clone, Debug)]
pub(crate) struct Claimed {
    pub(crate) id: i64,
    pub(crate) event_id: i64,
    /// Identifier of the event.
    pub(crate) event: String,
    /// The body without its first member, see [`body`].
    pub(crate) rest: String,
    /// When the attempts of this round failed.
    pub(crate) failures: Vec<i64>,
}

/// What came of an attempt.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    pub(crate) at: i64,
    pub(crate) status: Option<u16>,
    /// Bounded by the sender.
    pub(crate) body: String,
    /// None after a success.
    pub(crate) error: Option<String>,
    pub(crate) milliseconds: u64,
}

/// Keeps an event and one delivery for each webhook. `body` begins with its second member.
pub(crate) fn insert(
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
    let id = super::number_given(db);
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
pub(crate) fn body(event_id: i64, rest: &str) -> String {
    format!("{{\"event_id\":{event_id},{rest}")
}

/// Webhooks for which something is due.
pub(crate) fn due(db: &Connection, now: i64) -> Result<Vec<i64>> {
    db.prepare_cached(
        "SELECT webhook.seq FROM webhook WHERE webhook.removed_at IS NULL AND EXISTS ( \
             SELECT 1 FROM delivery WHERE delivery.webhook_seq = webhook.seq \
             AND delivery.status = 'waiting' AND delivery.due_at <= $1)",
    )?
    .query_map(params![now], |row| row.get(0))?
    .collect()
}

/// Takes deliveries that are due. Of one subject only the oldest that waits is taken, so that its events
/// arrive in the order they happened. What another instance has is left alone until its lease ends; what
/// this one has is on its way, however far the clock was moved meanwhile.
pub(crate) fn claim(
    db: &Connection,
    webhook: i64,
    instance: &str,
    limit: usize,
    now: i64,
) -> Result<Vec<Claimed>> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut taken: Vec<Claimed> = db
        .prepare_cached(
            "UPDATE delivery SET leased_by = $1, leased_until = $2 WHERE id IN ( \
                 SELECT waiting.id FROM delivery AS waiting WHERE waiting.webhook_seq = $3 \
                 AND waiting.status = 'waiting' AND waiting.due_at <= $4 \
                 AND (waiting.leased_by IS NULL OR (waiting.leased_until < $4 AND waiting.leased_by <> $1)) \
                 AND NOT EXISTS (SELECT 1 FROM delivery AS earlier \
                     WHERE earlier.webhook_seq = waiting.webhook_seq AND earlier.subject = waiting.subject \
                     AND earlier.status = 'waiting' AND earlier.id < waiting.id) \
                 ORDER BY waiting.due_at, waiting.id LIMIT $5) \
             RETURNING id, event_id, failures, first_failure_at, second_failure_at",
        )?
        .query_map(params![instance, now + LEASE_MS, webhook, now, limit], |row| {
            let count = usize::from(row.get::<_, u16>(2)?);
            let known: [Option<i64>; 2] = [row.get(3)?, row.get(4)?];
            let mut failures: Vec<i64> = known.into_iter().flatten().take(count).collect();
            // Of the third nothing is asked but that there was one.
            failures.resize(count, now);
            Ok(Claimed {
                id: row.get(0)?,
                event_id: row.get(1)?,
                event: String::new(),
                rest: String::new(),
                failures,
            })
        })?
        .collect::<Result<_>>()?;
    taken.sort_unstable_by_key(|claimed| claimed.id);
    let mut statement = db.prepare_cached("SELECT event, rest FROM event WHERE id = $1")?;
    for claimed in &mut taken {
        (claimed.event, claimed.rest) =
            statement.query_row(params![claimed.event_id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    }
    Ok(taken)
}

/// Gives back what this instance took of a webhook and did not finish.
pub(crate) fn release(db: &Connection, webhook: i64, instance: &str) -> Result<()> {
    db.execute(
        "UPDATE delivery SET leased_by = NULL, leased_until = NULL \
         WHERE webhook_seq = $1 AND status = 'waiting' AND leased_by = $2",
        params![webhook, instance],
    )?;
    Ok(())
}

/// Frees what a process that ended had taken. Only for a database no other process works on. A clock that was
/// moved stands where it stood before: what is to be sent at once does not wait until it gets there again, and
/// nothing waits longer than half an hour.
pub(crate) fn free_all(db: &Connection, now: i64) -> Result<()> {
    db.execute(
        "UPDATE delivery SET leased_by = NULL, leased_until = NULL \
         WHERE status = 'waiting' AND leased_by IS NOT NULL",
        [],
    )?;
    for (at_once, latest) in [(true, now), (false, now + HALF_HOUR_MS)] {
        db.execute(
            "UPDATE delivery SET due_at = $1 \
             WHERE status = 'waiting' AND due_at > $1 AND (failures < 2) = $2",
            params![latest, at_once],
        )?;
    }
    Ok(())
}

/// Writes an attempt into the log.
pub(crate) fn log(db: &Connection, delivery: i64, attempt: &Attempt) -> Result<()> {
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
pub(crate) enum Onward {
    Delivered,
    /// Tried again then.
    Again(i64),
    GivenUp,
}

/// Settles a delivery after an attempt; false if it is no longer this instance's: then nothing changes.
pub(crate) fn settle(
    db: &Connection,
    claimed: &Claimed,
    instance: &str,
    attempt: &Attempt,
    onward: Onward,
) -> Result<bool> {
    let (status, due) = match onward {
        Onward::Delivered => ("delivered", None),
        Onward::Again(due) => ("waiting", Some(due)),
        Onward::GivenUp => ("failed", None),
    };
    let mut failures = claimed.failures.clone();
    if onward != Onward::Delivered {
        failures.push(attempt.at);
    }
    let finished = due.is_none().then_some(attempt.at);
    let changed = db
        .prepare_cached(
            "UPDATE delivery SET status = $1, due_at = COALESCE($2, due_at), failures = $3, \
             first_failure_at = $4, second_failure_at = $5, response_status = $6, error = $7, \
             finished_at = $8, leased_by = NULL, leased_until = NULL \
             WHERE id = $9 AND leased_by = $10 AND status = 'waiting'",
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
            claimed.id,
            instance
        ])?;
    Ok(changed == 1)
}

/// A delivery as it is listed.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub(crate) id: i64,
    pub(crate) webhook_id: String,
    pub(crate) webhook_title: String,
    pub(crate) event_id: i64,
    pub(crate) event: String,
    pub(crate) subject: String,
    pub(crate) status: String,
    pub(crate) failures: u32,
    pub(crate) created_at: i64,
    pub(crate) due_at: i64,
    pub(crate) finished_at: Option<i64>,
    pub(crate) response_status: Option<u16>,
    pub(crate) error: Option<String>,
}

const LISTED: &str = "SELECT delivery.id, webhook.id, webhook.title, delivery.event_id, event.event, \
     delivery.subject, delivery.status, delivery.failures, delivery.created_at, delivery.due_at, \
     delivery.finished_at, delivery.response_status, delivery.error FROM delivery \
     JOIN webhook ON webhook.seq = delivery.webhook_seq JOIN event ON event.id = delivery.event_id";

fn listed(row: &Row<'_>) -> Result<Listed> {
    Ok(Listed {
        id: row.get(0)?,
        webhook_id: row.get(1)?,
        webhook_title: row.get(2)?,
        event_id: row.get(3)?,
        event: row.get(4)?,
        subject: row.get(5)?,
        status: row.get(6)?,
        failures: row.get(7)?,
        created_at: row.get(8)?,
        due_at: row.get(9)?,
        finished_at: row.get(10)?,
        response_status: row.get(11)?,
        error: row.get(12)?,
    })
}

/// Deliveries of a webhook before a number, the newest first; of all statuses where it is empty.
pub(crate) fn deliveries(
    db: &Connection,
    webhook: i64,
    status: &str,
    before: i64,
    limit: i64,
) -> Result<Vec<Listed>> {
    db.prepare_cached(&format!(
        "{LISTED} WHERE delivery.webhook_seq = $1 AND ($2 = '' OR delivery.status = $2) \
         AND delivery.id < $3 ORDER BY delivery.id DESC LIMIT $4"
    ))?
    .query_map(params![webhook, status, before, limit], listed)?
    .collect()
}

/// An account's delivery, with its body.
pub(crate) fn delivery(db: &Connection, account_id: &str, id: i64) -> Result<Option<(Listed, String)>> {
    let found = db
        .prepare_cached(&format!("{LISTED} WHERE delivery.id = $1 AND webhook.account_id = $2"))?
        .query_row(params![id, account_id], listed)
        .optional()?;
    let Some(found) = found else { return Ok(None) };
    let rest: String =
        db.query_row("SELECT rest FROM event WHERE id = $1", params![found.event_id], |row| row.get(0))?;
    let body = body(found.event_id, &rest);
    Ok(Some((found, body)))
}

/// The attempts of a delivery, the newest first.
pub(crate) fn attempts(db: &Connection, delivery: i64, limit: i64) -> Result<Vec<Attempt>> {
    db.prepare_cached(
        "SELECT at, response_status, response_body, error, milliseconds FROM delivery_attempt \
         WHERE delivery_id = $1 ORDER BY id DESC LIMIT $2",
    )?
    .query_map(params![delivery, limit], |row| {
        let milliseconds: i64 = row.get(4)?;
        Ok(Attempt {
            at: row.get(0)?,
            status: row.get(1)?,
            body: row.get(2)?,
            error: row.get(3)?,
            milliseconds: u64::try_from(milliseconds).unwrap_or(0),
        })
    })?
    .collect()
}

/// Begins a delivery anew, due at once; false while an attempt is being made, or after its webhook is gone.
pub(crate) fn begin_anew(db: &Connection, id: i64, now: i64) -> Result<bool> {
    let changed = db.execute(
        "UPDATE delivery SET status = 'waiting', failures = 0, first_failure_at = NULL, \
         second_failure_at = NULL, due_at = $1, finished_at = NULL, error = NULL, response_status = NULL \
         WHERE id = $2 AND leased_by IS NULL AND EXISTS (SELECT 1 FROM webhook \
             WHERE webhook.seq = delivery.webhook_seq AND webhook.removed_at IS NULL)",
        params![now, id],
    )?;
    Ok(changed == 1)
}

/// How many deliveries of a webhook wait.
pub(crate) fn waiting_of(db: &Connection, webhook: i64) -> Result<i64> {
    db.prepare_cached("SELECT COUNT(*) FROM delivery WHERE webhook_seq = $1 AND status = 'waiting'")?
        .query_row(params![webhook], |row| row.get(0))
}

/// All deliveries that wait: how many, and the next ones.
pub(crate) fn waiting(db: &Connection, limit: i64) -> Result<(i64, Vec<Listed>)> {
    let count =
        db.query_row("SELECT COUNT(*) FROM delivery WHERE status = 'waiting'", [], |row| row.get(0))?;
    let next = db
        .prepare_cached(&format!(
            "{LISTED} WHERE delivery.status = 'waiting' ORDER BY delivery.due_at, delivery.id LIMIT $1"
        ))?
        .query_map(params![limit], listed)?
        .collect::<Result<_>>()?;
    Ok((count, next))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::store::Store;

    fn two_instances(path: &Path) -> Result<[Store; 2], crate::StartError> {
        let first = Store::open(Some(path))?;
        first.run_here(|db| {
            db.execute_batch(
                "INSERT INTO account VALUES ('acc-1', 'A', 'enterprise', 'a', '', 1, 1, 1, 0, 0);
                 INSERT INTO webhook VALUES (1, 'w', 'acc-1', 'W', '', 'https://example.com/', '', '', '', '', 0, NULL);",
            )?;
            for number in 0..40 {
                // Two events for each of twenty subjects.
                insert(db, "acc-1", "webhook.x", &format!("transaction {}", number % 20), "}", &[1], 0)?;
            }
            Ok(())
        })?;
        Ok([first, Store::open(Some(path))?])
    }

    fn attempt(error: Option<&str>) -> Attempt {
        let error = error.map(str::to_owned);
        Attempt { at: 0, status: Some(200), body: String::new(), error, milliseconds: 1 }
    }

    #[test]
    fn two_instances_on_one_database_never_take_the_same() -> Result<(), Box<dyn std::error::Error>> {
        let dir = tempfile::tempdir()?;
        let [first, second] = two_instances(&dir.path().join("queue.sqlite"))?;
        let ids = |claimed: &[Claimed]| claimed.iter().map(|claimed| claimed.id).collect::<Vec<_>>();
        let one = first.run_here(|db| claim(db, 1, "one", 12, 0))?;
        let two = second.run_here(|db| claim(db, 1, "two", 12, 0))?;
        // Of each subject the first only: twenty are free, and nobody has one of the other's.
        assert_eq!(ids(&one), (1..=12).collect::<Vec<_>>());
        assert_eq!(ids(&two), (13..=20).collect::<Vec<_>>());
        assert_eq!(second.run_here(|db| due(db, 0))?, [1]);

        // However far its own clock goes, an instance does not take again what it has on its way.
        assert!(first.run_here(|db| claim(db, 1, "one", 99, LEASE_MS))?.is_empty());
        // The other one ended without a word: after its lease its deliveries are taken over.
        let taken_over = first.run_here(|db| claim(db, 1, "one", 99, LEASE_MS + 1))?;
        assert_eq!(ids(&taken_over), ids(&two));
        // What it says too late changes nothing.
        let late = second.run_here(|db| settle(db, &two[0], "two", &attempt(None), Onward::Delivered))?;
        assert!(!late);
        assert!(first.run_here(|db| settle(db, &two[0], "one", &attempt(None), Onward::Delivered))?);

        // After a delivery of a subject the next of it is free; after a failure it waits for its turn.
        let failed = attempt(Some("no"));
        assert!(first.run_here(|db| settle(db, &one[0], "one", &failed, Onward::Again(500_000)))?);
        let next = first.run_here(|db| claim(db, 1, "one", 99, LEASE_MS + 2))?;
        assert_eq!(ids(&next), [33], "the second event of the subject that was delivered");
        Ok(())
    }

    #[test]
    fn a_clock_that_went_back_holds_nothing_up() -> Result<(), Box<dyn std::error::Error>> {
        const AHEAD: i64 = 5 * HALF_HOUR_MS;
        let dir = tempfile::tempdir()?;
        let [store, _] = two_instances(&dir.path().join("queue.sqlite"))?;
        let due = store.run_here(|db| {
            // Of the first subjects: fresh, failed once, failed twice, and one that waits as it should.
            for (id, failures, due) in [(1, 0, AHEAD), (2, 1, AHEAD), (3, 2, AHEAD), (4, 3, 1_000)] {
                db.execute(
                    "UPDATE delivery SET failures = $1, due_at = $2, leased_by = 'gone' WHERE id = $3",
                    params![failures, due, id],
                )?;
            }
            free_all(db, 500)?;
            let mut statement = db.prepare("SELECT due_at FROM delivery WHERE id <= 4 ORDER BY id")?;
            statement.query_map([], |row| row.get(0))?.collect::<Result<Vec<i64>>>()
        })?;
        assert_eq!(due, [500, 500, 500 + HALF_HOUR_MS, 1_000]);
        Ok(())
    }
}
