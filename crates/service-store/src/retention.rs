//! What the practice service forgets: results, deliveries and mails that nobody asks for any more.

use rusqlite::{Connection, Result, params};

/// How long results of imports, events with their deliveries, and mails are kept.
const KEPT_MS: i64 = 365 * 24 * 3_600 * 1_000;
/// Mails that are kept.
const MAILS_MAX: i64 = 1_000;

/// The step of the schema that lets events be removed without reading all deliveries.
pub(crate) const ADD_INDEXES: &str = "CREATE INDEX delivery_event ON delivery (event_id);
     CREATE INDEX webhook_notice_delivery ON webhook_notice (delivery_id);";

/// Removes what is older than a year; what waits stays, but for deliveries of a webhook that is gone.
pub fn remove_old(db: &Connection, now_ms: i64) -> Result<()> {
    let until = now_ms - KEPT_MS;
    let old = "SELECT delivery.id FROM delivery JOIN webhook ON webhook.seq = delivery.webhook_seq \
         WHERE delivery.created_at < $1 AND (delivery.status <> 'waiting' OR webhook.removed_at IS NOT NULL)";
    for table in
        ["webhook_notice WHERE delivery_id", "delivery_attempt WHERE delivery_id", "delivery WHERE id"]
    {
        db.execute(&format!("DELETE FROM {table} IN ({old})"), params![until])?;
    }
    db.execute(
        "DELETE FROM event WHERE created_at < $1 AND id NOT IN (SELECT event_id FROM delivery)",
        params![until],
    )?;
    db.execute(
        "DELETE FROM mail WHERE sent_at < $1 \
         OR id <= (SELECT id FROM mail ORDER BY id DESC LIMIT 1 OFFSET $2)",
        params![until, MAILS_MAX],
    )?;
    // The batch stays: the records of its transactions name it.
    db.execute(
        "DELETE FROM import_chunk WHERE batch_seq IN (SELECT seq FROM import_batch \
         WHERE status IN ('processed', 'failed') AND created_at < $1)",
        params![until / 1_000],
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, batches, webhooks_notices, webhooks_queue};

    const DAY_MS: i64 = 24 * 3_600 * 1_000;

    #[test]
    fn what_is_a_year_old_goes_and_what_waits_stays() -> std::result::Result<(), Box<dyn std::error::Error>> {
        let store = Store::open(None)?;
        let now = 400 * DAY_MS;
        let counts = store.run_on_this_thread(|db| {
            db.execute_batch(
                "INSERT INTO account (id, name, kind, username, password_hash, active, api_access, calculator, practice, created_at) VALUES ('acc-1', 'A', 'enterprise', 'a', '', 1, 1, 1, 0, 0);
                 INSERT INTO webhook VALUES (1, 'w', 'acc-1', 'W', '', 'https://example.com/', '', '', '', '', 0, NULL);
                 INSERT INTO webhook VALUES (2, 'gone', 'acc-1', 'G', '', 'https://example.com/', '', '', '', '', 0, 5);",
            )?;
            // Old and delivered, old and waiting, old and waiting for a webhook that is gone, new.
            for (at, webhook) in [(0, 1), (0, 1), (0, 2), (now, 1)] {
                webhooks_queue::insert(db, "acc-1", "webhook.x", &format!("t {at} {webhook}"), "}", &[webhook], at)?;
            }
            db.execute("UPDATE delivery SET status = 'delivered' WHERE id = 1", [])?;
            db.execute(
                "INSERT INTO delivery_attempt (delivery_id, at, response_body, milliseconds) VALUES (1, 0, 'body', 1)",
                [],
            )?;
            for (id, at) in [("old", 0), ("waits", 0), ("new", now / 1_000)] {
                let chunk = batches::NewChunk { body: "[]".into(), rows: 1 };
                batches::insert(db, id, "acc-1", &[id.to_owned()], &[chunk], at)?;
            }
            db.execute("UPDATE import_batch SET status = 'processed' WHERE id <> 'waits'", [])?;
            for at in (0..1_005).map(|n| now + n).chain([0]) {
                webhooks_notices::send_mail(db, "acc-1", "a@example.com", "", "", at)?;
            }
            remove_old(db, now)?;
            let count = |sql: &str| db.query_row(sql, [], |row| row.get::<_, i64>(0));
            Ok([
                count("SELECT count(*) FROM delivery")?,
                count("SELECT count(*) FROM delivery_attempt")?,
                count("SELECT count(*) FROM event")?,
                count("SELECT count(*) FROM import_chunk")?,
                count("SELECT count(*) FROM import_batch")?,
                count("SELECT count(*) FROM mail")?,
            ])
        })?;
        assert_eq!(counts, [2, 0, 2, 2, 3, 999]);
        Ok(())
    }
}
