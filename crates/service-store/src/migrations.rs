//! The schema, step by step. A step that was ever released is never changed.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, params};

use crate::{StoreError, retention};

/// Each step brings the schema from its index to its index + 1.
const STEPS: &[&str] = &[
    "CREATE TABLE account (
         id TEXT PRIMARY KEY,
         name TEXT NOT NULL,
         kind TEXT NOT NULL,
         username TEXT NOT NULL UNIQUE,
         password_hash TEXT NOT NULL,
         active SMALLINT NOT NULL,
         api_access SMALLINT NOT NULL,
         calculator SMALLINT NOT NULL,
         practice SMALLINT NOT NULL,
         created_at BIGINT NOT NULL
     );
     CREATE TABLE api_key (
         hash TEXT PRIMARY KEY,
         account_id TEXT NOT NULL REFERENCES account (id),
         active SMALLINT NOT NULL,
         created_at BIGINT NOT NULL
     );
     CREATE INDEX api_key_account ON api_key (account_id);
     CREATE TABLE token (
         hash TEXT PRIMARY KEY,
         account_id TEXT NOT NULL REFERENCES account (id),
         kind TEXT NOT NULL,
         expires_at BIGINT NOT NULL
     );
     CREATE INDEX token_expires ON token (expires_at);
     CREATE TABLE used_link (
         id TEXT PRIMARY KEY,
         used_at BIGINT NOT NULL
     );
     CREATE TABLE service_secret (
         name TEXT PRIMARY KEY,
         value TEXT NOT NULL
     );",
    // Imports. A batch waits in chunks; what is done and what became of it are written in one transaction.
    "CREATE TABLE import_batch (
         seq INTEGER PRIMARY KEY,
         id TEXT NOT NULL UNIQUE,
         account_id TEXT NOT NULL REFERENCES account (id),
         status TEXT NOT NULL,
         total_items BIGINT NOT NULL,
         chunks BIGINT NOT NULL,
         next_chunk BIGINT NOT NULL,
         created_at BIGINT NOT NULL,
         leased_by TEXT,
         leased_until BIGINT
     );
     CREATE INDEX import_batch_open ON import_batch (status, account_id, seq);
     CREATE TABLE import_chunk (
         batch_seq BIGINT NOT NULL REFERENCES import_batch (seq),
         chunk BIGINT NOT NULL,
         body TEXT NOT NULL,
         rows_count BIGINT NOT NULL,
         results TEXT,
         PRIMARY KEY (batch_seq, chunk)
     );
     CREATE TABLE import_id (
         account_id TEXT NOT NULL,
         own_id TEXT NOT NULL,
         batch_seq BIGINT NOT NULL,
         PRIMARY KEY (account_id, own_id)
     );
     CREATE TABLE filing (
         id INTEGER PRIMARY KEY,
         account_id TEXT NOT NULL REFERENCES account (id),
         own_id TEXT NOT NULL,
         batch_seq BIGINT NOT NULL,
         content_hash TEXT NOT NULL,
         status SMALLINT NOT NULL,
         invoice_number TEXT,
         policy_effective_date TEXT,
         transaction_effective_date TEXT,
         date_ready_to_file TEXT,
         date_filed TEXT,
         body TEXT NOT NULL,
         created_at BIGINT NOT NULL,
         updated_at BIGINT NOT NULL,
         UNIQUE (account_id, own_id)
     );
     CREATE INDEX filing_invoice ON filing (account_id, invoice_number);
     CREATE TABLE document (
         id INTEGER PRIMARY KEY,
         filing_id BIGINT NOT NULL REFERENCES filing (id),
         name TEXT NOT NULL,
         code TEXT NOT NULL,
         file_name TEXT NOT NULL,
         sha256 TEXT NOT NULL,
         content BLOB NOT NULL,
         created_at BIGINT NOT NULL,
         UNIQUE (filing_id, code, sha256)
     );",
    // Search by dates, and what becomes of a transaction after it was filed (record, section 8).
    "ALTER TABLE filing ADD COLUMN sl_tax_paid_date TEXT;
     ALTER TABLE filing ADD COLUMN stamping_fee_paid_date TEXT;
     ALTER TABLE filing ADD COLUMN other_taxes_paid_date TEXT;
     ALTER TABLE filing ADD COLUMN sl_tax_invoice_id TEXT;
     ALTER TABLE filing ADD COLUMN stamping_fee_invoice_id TEXT;
     ALTER TABLE filing ADD COLUMN gl_moved_date TEXT;
     ALTER TABLE filing ADD COLUMN transaction_id_number TEXT;
     UPDATE filing SET transaction_effective_date = policy_effective_date
         WHERE transaction_effective_date IS NULL;
     CREATE INDEX filing_date_filed ON filing (account_id, date_filed);
     CREATE INDEX filing_policy_effective ON filing (account_id, policy_effective_date);
     CREATE INDEX filing_transaction_effective ON filing (account_id, transaction_effective_date);",
    // Webhooks: an event and its deliveries are written with the change they tell of, in one transaction.
    "CREATE TABLE stamp_wording (
         state TEXT PRIMARY KEY,
         text TEXT NOT NULL,
         updated_at TEXT NOT NULL
     );
     CREATE TABLE mail (
         id INTEGER PRIMARY KEY,
         account_id TEXT NOT NULL REFERENCES account (id),
         recipient TEXT NOT NULL,
         subject TEXT NOT NULL,
         text TEXT NOT NULL,
         sent_at BIGINT NOT NULL
     );
     CREATE TABLE webhook (
         seq INTEGER PRIMARY KEY,
         id TEXT NOT NULL UNIQUE,
         account_id TEXT NOT NULL REFERENCES account (id),
         title TEXT NOT NULL,
         description TEXT NOT NULL,
         url TEXT NOT NULL,
         header_key TEXT NOT NULL,
         header_value TEXT NOT NULL,
         secret TEXT NOT NULL,
         states TEXT NOT NULL,
         created_at BIGINT NOT NULL,
         removed_at BIGINT
     );
     CREATE INDEX webhook_account ON webhook (account_id);
     CREATE TABLE webhook_event (
         event TEXT NOT NULL,
         webhook_seq BIGINT NOT NULL REFERENCES webhook (seq),
         PRIMARY KEY (event, webhook_seq)
     );
     CREATE TABLE event (
         id INTEGER PRIMARY KEY,
         account_id TEXT NOT NULL REFERENCES account (id),
         event TEXT NOT NULL,
         subject TEXT NOT NULL,
         rest TEXT NOT NULL,
         created_at BIGINT NOT NULL
     );
     CREATE TABLE delivery (
         id INTEGER PRIMARY KEY,
         webhook_seq BIGINT NOT NULL REFERENCES webhook (seq),
         event_id BIGINT NOT NULL REFERENCES event (id),
         subject TEXT NOT NULL,
         status TEXT NOT NULL,
         failures SMALLINT NOT NULL,
         first_failure_at BIGINT,
         second_failure_at BIGINT,
         due_at BIGINT NOT NULL,
         leased_by TEXT,
         leased_until BIGINT,
         response_status SMALLINT,
         error TEXT,
         created_at BIGINT NOT NULL,
         finished_at BIGINT
     );
     CREATE INDEX delivery_due ON delivery (webhook_seq, due_at, id) WHERE status = 'waiting';
     CREATE INDEX delivery_order ON delivery (webhook_seq, subject, id) WHERE status = 'waiting';
     CREATE INDEX delivery_webhook ON delivery (webhook_seq, id);
     CREATE TABLE delivery_attempt (
         id INTEGER PRIMARY KEY,
         delivery_id BIGINT NOT NULL REFERENCES delivery (id),
         at BIGINT NOT NULL,
         response_status SMALLINT,
         response_body TEXT NOT NULL,
         error TEXT,
         milliseconds BIGINT NOT NULL
     );
     CREATE INDEX delivery_attempt_delivery ON delivery_attempt (delivery_id, id);
     CREATE TABLE webhook_notice (
         id INTEGER PRIMARY KEY,
         account_id TEXT NOT NULL REFERENCES account (id),
         delivery_id BIGINT NOT NULL REFERENCES delivery (id),
         webhook_title TEXT NOT NULL,
         event TEXT NOT NULL,
         endpoint_url TEXT NOT NULL,
         timestamp TEXT NOT NULL,
         failed_event_id TEXT NOT NULL,
         response_status SMALLINT,
         response_body TEXT NOT NULL
     );
     CREATE INDEX webhook_notice_account ON webhook_notice (account_id, id);
     CREATE INDEX filing_batch ON filing (batch_seq);",
    // Filled forms, until their one-time addresses are dead.
    "CREATE TABLE filled_form (
         link_id TEXT PRIMARY KEY,
         content BLOB NOT NULL,
         expires_at BIGINT NOT NULL
     );
     CREATE INDEX filled_form_expires ON filled_form (expires_at);",
    // A transaction is imported long before it is filed: until then it is not in this index.
    "DROP INDEX filing_date_filed;
     CREATE INDEX filing_date_filed ON filing (account_id, date_filed) WHERE date_filed IS NOT NULL;",
    // The lock of the data directory admits one process, so nothing is taken for a time any more.
    "ALTER TABLE import_batch DROP COLUMN leased_by;
     ALTER TABLE import_batch DROP COLUMN leased_until;
     ALTER TABLE delivery DROP COLUMN leased_by;
     ALTER TABLE delivery DROP COLUMN leased_until;",
    // What the state has done with a transaction is one JSON object: a new member of it needs no step here.
    "ALTER TABLE filing ADD COLUMN progress TEXT NOT NULL DEFAULT '{}';
     UPDATE filing SET progress = json_object('sl_tax_paid_date', sl_tax_paid_date,
         'stamping_fee_paid_date', stamping_fee_paid_date, 'other_taxes_paid_date', other_taxes_paid_date,
         'sl_tax_invoice_id', sl_tax_invoice_id, 'stamping_fee_invoice_id', stamping_fee_invoice_id,
         'transaction_id_number', transaction_id_number);
     ALTER TABLE filing DROP COLUMN sl_tax_paid_date;
     ALTER TABLE filing DROP COLUMN stamping_fee_paid_date;
     ALTER TABLE filing DROP COLUMN other_taxes_paid_date;
     ALTER TABLE filing DROP COLUMN sl_tax_invoice_id;
     ALTER TABLE filing DROP COLUMN stamping_fee_invoice_id;
     ALTER TABLE filing DROP COLUMN gl_moved_date;
     ALTER TABLE filing DROP COLUMN transaction_id_number;",
    // Who may make API keys; the practice account resets those of others too.
    "ALTER TABLE account ADD COLUMN role TEXT NOT NULL DEFAULT 'agency_administrator';
     UPDATE account SET role = 'filing_agency_administrator' WHERE practice = 1;",
    retention::ADD_INDEXES,
];

/// Brings the schema to the newest version; refuses one that is newer than this program.
pub(crate) fn migrate_schema(connection: &mut Connection, path: Option<&Path>) -> Result<(), StoreError> {
    connection.execute_batch("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)")?;
    let known = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    let found: i64 = connection
        .query_row("SELECT version FROM schema_version", [], |row| row.get(0))
        .optional()?
        .unwrap_or(0);
    if found > known {
        let path = path.map(Path::to_path_buf).unwrap_or_default();
        return Err(StoreError::NewerData { path, found, known });
    }
    for (step, version) in STEPS.iter().zip(1i64..).filter(|(_, version)| *version > found) {
        let transaction = connection.transaction()?;
        transaction.execute_batch(step)?;
        transaction.execute("DELETE FROM schema_version", [])?;
        transaction.execute("INSERT INTO schema_version (version) VALUES ($1)", params![version])?;
        transaction.commit()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filings;

    /// Written by a version that had a column for each payment.
    #[test]
    fn payments_of_an_older_schema_stay() -> Result<(), Box<dyn std::error::Error>> {
        let mut db = Connection::open_in_memory()?;
        let before = STEPS.iter().position(|step| step.contains("ADD COLUMN progress")).unwrap_or_default();
        for step in &STEPS[..before] {
            db.execute_batch(step)?;
        }
        db.execute_batch(&format!(
            "CREATE TABLE schema_version (version BIGINT NOT NULL);
             INSERT INTO schema_version VALUES ({});
             INSERT INTO account (id, name, kind, username, password_hash, active, api_access, calculator, practice, created_at) VALUES ('acc-1', 'A', 'enterprise', 'a', '', 1, 1, 1, 0, 0);
             INSERT INTO filing (account_id, own_id, batch_seq, content_hash, status, body, created_at, updated_at, \
                 sl_tax_paid_date, sl_tax_invoice_id, transaction_id_number)
                 VALUES ('acc-1', 'paid', 1, '', 4, '{{}}', 0, 0, '2026-02-20', 'INV-1', 'TX-1'),
                     ('acc-1', 'open', 1, '', 1, '{{}}', 0, 0, NULL, NULL, NULL);",
            before
        ))?;
        migrate_schema(&mut db, None)?;
        let progress = |own_id: &str| -> rusqlite::Result<_> {
            Ok(filings::by_own_id(&db, "acc-1", own_id)?.map(|filing| filing.progress))
        };
        let paid = filings::StateProgress {
            sl_tax_paid_date: Some("2026-02-20".into()),
            sl_tax_invoice_id: Some("INV-1".into()),
            transaction_id_number: Some("TX-1".into()),
            ..filings::StateProgress::default()
        };
        assert_eq!(
            (progress("paid")?, progress("open")?),
            (Some(paid), Some(filings::StateProgress::default()))
        );
        Ok(())
    }
}
