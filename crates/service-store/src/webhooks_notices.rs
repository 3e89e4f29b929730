//! What is told when a delivery was given up: the system notification and the mail.

use bordereau_contract::{OutgoingMail, WebhookNotice, format_instant};
use chrono::DateTime;
use rusqlite::{Connection, Result, params};

/// Keeps a system notification.
pub fn insert(db: &Connection, account_id: &str, notice: &WebhookNotice) -> Result<()> {
    db.execute(
        "INSERT INTO webhook_notice (account_id, delivery_id, webhook_title, event, endpoint_url, timestamp, \
         failed_event_id, response_status, response_body) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        params![
            account_id,
            notice.delivery_id,
            notice.webhook_title,
            notice.event,
            notice.endpoint_url,
            notice.timestamp,
            notice.failed_event_id,
            notice.response_status,
            notice.response_body
        ],
    )?;
    Ok(())
}

/// An account's system notifications, the newest first.
pub fn list_notices(db: &Connection, account_id: &str, limit: i64) -> Result<Vec<WebhookNotice>> {
    db.prepare_cached(
        "SELECT id, delivery_id, webhook_title, event, endpoint_url, timestamp, failed_event_id, \
         response_status, response_body FROM webhook_notice WHERE account_id = $1 ORDER BY id DESC LIMIT $2",
    )?
    .query_map(params![account_id, limit], row_as!(WebhookNotice: id, delivery_id, webhook_title, event, endpoint_url, timestamp, failed_event_id, response_status, response_body))?
    .collect()
}

/// Keeps a mail; nothing is sent anywhere.
pub fn send_mail(
    db: &Connection,
    account_id: &str,
    to: &str,
    subject: &str,
    text: &str,
    now_ms: i64,
) -> Result<()> {
    db.execute(
        "INSERT INTO mail (account_id, recipient, subject, text, sent_at) VALUES ($1, $2, $3, $4, $5)",
        params![account_id, to, subject, text, now_ms],
    )?;
    Ok(())
}

/// Outgoing mail of all accounts, the newest first.
pub fn list_mail(db: &Connection, limit: i64) -> Result<Vec<OutgoingMail>> {
    db.prepare_cached("SELECT id, recipient, subject, text, sent_at FROM mail ORDER BY id DESC LIMIT $1")?
        .query_map(params![limit], |row| {
            let sent_at: i64 = row.get(4)?;
            Ok(OutgoingMail {
                id: row.get(0)?,
                to: row.get(1)?,
                subject: row.get(2)?,
                text: row.get(3)?,
                sent_at: format_instant(DateTime::from_timestamp_millis(sent_at).unwrap_or_default()),
            })
        })?
        .collect()
}
