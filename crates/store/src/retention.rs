//! Removes finished data after the time that its profile sets. Data that is unfinished, waits for a person, or is
//! the only copy stays.

use bordereau_api::{RetentionCounts, to_u32};
use bordereau_database::{Connection, params};

use crate::assignments::forget_removed;
use crate::batches::view::OPEN_ROW;
use crate::batches::{bump_revision, wire_sha256};
use crate::open_database::empty_log;
use crate::reviews::SENT_COUNT;
use crate::{ActorTimestamp, StoreError, audit, list_rows};

/// Rows emptied in one transaction, so that other work gets its turn in between.
const ROWS_AT_ONCE: u32 = 2_000;

/// The instant up to which a profile's finished data is removed; RFC 3339, `None` where it stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProfileExpiry {
    /// Id of the profile.
    pub profile_id: String,
    /// Documents of batches.
    pub documents: Option<String>,
    /// Content of sent rows.
    pub rows: Option<String>,
    /// Events and refused deliveries.
    pub events: Option<String>,
    /// Uploads that were refused or canceled.
    pub uploads: Option<String>,
    /// Drafts that were sent completely.
    pub drafts: Option<String>,
}

/// What was removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpiredData {
    /// Numbers of each kind.
    pub counts: RetentionCounts,
    /// Copies in the folder of uploads that are no longer needed.
    pub files: Vec<String>,
    /// There is more to remove.
    pub is_more: bool,
}

/// Profiles that have data and no entry, as removed ones; another person's own profile isn't one of them.
pub fn profiles_with_data(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let is_gone =
        if connection.is_office() { "NOT has_profile(id)" } else { "id NOT IN (SELECT id FROM profiles)" };
    let sql = format!(
        "SELECT id FROM (SELECT profile_id AS id FROM batches UNION SELECT profile_id FROM events
         UNION SELECT profile_id FROM event_refusals UNION SELECT profile_id FROM document_uploads) u WHERE {is_gone}"
    );
    list_rows(connection, &sql, [], |row| row.get(0))
}

/// A batch `b` that has ended, and a row `r` of it with an outcome that needs nothing more from a person.
fn finished_row(ended: &str) -> String {
    format!("b.profile_id = ?1 AND b.ended_at <= {ended} AND r.row_state <> 'pending' AND NOT ({OPEN_ROW})")
}

fn expired_documents() -> String {
    format!(
        "batch_documents d JOIN batch_rows r ON r.batch = d.batch AND r.row = d.row
         JOIN batches b ON b.seq = d.batch WHERE (length(d.content) > 0 OR d.place > 0) AND {}",
        finished_row("?2")
    )
}

fn expired_rows() -> String {
    format!("batch_rows r JOIN batches b ON b.seq = r.batch WHERE r.wire <> '' AND {}", finished_row("?2"))
}

/// Read by someone, and compared with the service where there is something to compare.
const EXPIRED_EVENTS: &str = "profile_id = ?1 AND coalesce(received_at, found_at) <= ?2
     AND (is_read = 1 OR EXISTS (SELECT 1 FROM event_reads m WHERE m.event = events.seq AND m.is_read = 1))
     AND (checked <> 'unchecked' OR fact IS NULL) AND length(body) > 0";
const EXPIRED_REFUSALS: &str = "profile_id = ?1 AND at <= ?2";
const EXPIRED_UPLOADS: &str = "profile_id = ?1 AND ended_at <= ?2 AND state IN ('refused', 'canceled')
     AND (content_file <> '' OR seq IN (SELECT upload FROM document_contents))";
const EXPIRED_QUOTES: &str = "saved = 0 AND at <= ?1";

/// Drafts of which every row is in an ended batch, nothing needs correction, and nobody worked on it since.
fn expired_drafts() -> String {
    format!(
        "at <= ?2 AND at <= (SELECT max(b.ended_at) FROM batches b WHERE b.review = reviews.id)
         AND id IN (SELECT b.review FROM batches b WHERE b.profile_id = ?1 AND b.review IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM batches b WHERE b.review = reviews.id AND (b.profile_id <> ?1
             OR b.ended_at IS NULL OR EXISTS (SELECT 1 FROM batch_rows r WHERE r.batch = b.seq AND {OPEN_ROW})))
         AND row_count - joined_count <= {SENT_COUNT}"
    )
}

/// Counts what would be removed.
pub fn count_expired(connection: &Connection, expiry: &ProfileExpiry) -> Result<RetentionCounts, StoreError> {
    let count = |until: &Option<String>, what: String| -> Result<u32, StoreError> {
        let Some(until) = until else { return Ok(0) };
        let sql = format!("SELECT count(*) FROM {what}");
        Ok(connection.query_row(&sql, params![expiry.profile_id, until], |row| row.get(0))?)
    };
    Ok(RetentionCounts {
        documents: count(&expiry.documents, expired_documents())?,
        rows: count(&expiry.rows, expired_rows())?,
        events: count(&expiry.events, format!("events WHERE {EXPIRED_EVENTS}"))?
            + count(&expiry.events, format!("event_refusals WHERE {EXPIRED_REFUSALS}"))?,
        uploads: count(&expiry.uploads, format!("document_uploads WHERE {EXPIRED_UPLOADS}"))?,
        drafts: count(&expiry.drafts, format!("reviews WHERE {}", expired_drafts()))?,
        quotes: 0,
    })
}

/// Counts quotes that were not saved and are this old.
pub fn count_expired_quotes(connection: &Connection, until: &str) -> Result<u32, StoreError> {
    let sql = format!("SELECT count(*) FROM quotes WHERE {EXPIRED_QUOTES}");
    Ok(connection.query_row(&sql, [until], |row| row.get(0))?)
}

/// Removes as much as fits one transaction, with an entry in the audit log if there was anything.
pub fn remove_expired(
    connection: &mut Connection,
    expiry: &[ProfileExpiry],
    quotes: Option<&str>,
    now: &ActorTimestamp,
) -> Result<ExpiredData, StoreError> {
    let transaction = connection.transaction()?;
    let mut expired = ExpiredData::default();
    for profile in expiry {
        remove_of_profile(&transaction, profile, &mut expired)?;
    }
    if let Some(until) = quotes {
        let sql = format!("DELETE FROM quotes WHERE {EXPIRED_QUOTES}");
        expired.counts.quotes = to_u32(transaction.execute(&sql, [until])?);
    }
    let words = expired.counts.count_words();
    if words.is_empty() {
        return Ok(expired);
    }
    let text = format!("Deleted after the retention period of the profile: {words}.");
    audit::append_entry(&transaction, &now.at, &now.by, &text)?;
    bump_revision(&transaction)?;
    transaction.commit()?;
    connection.as_file().map_or(Ok(()), empty_log)?;
    Ok(expired)
}

fn remove_of_profile(
    connection: &Connection,
    expiry: &ProfileExpiry,
    expired: &mut ExpiredData,
) -> Result<(), StoreError> {
    let ProfileExpiry { profile_id, documents, rows, events, uploads, drafts } = expiry;
    let nothing: &[u8] = &[];
    let counts = &mut expired.counts;
    if let Some(until) = documents {
        let sql = format!("SELECT d.batch, d.row, d.number FROM {}", expired_documents());
        let found: Vec<(i64, i64, i64)> =
            list_rows(connection, &sql, params![profile_id, until], |row| row.try_into())?;
        counts.documents += to_u32(found.len());
        for (batch, row, number) in found {
            let sql = "UPDATE batch_documents SET content = ?4, place = 0, stored_name = ''
                 WHERE batch = ?1 AND row = ?2 AND number = ?3";
            connection.prepare_cached(sql)?.execute(params![batch, row, number, nothing])?;
        }
    }
    if let Some(until) = rows {
        let sql = format!("SELECT r.batch, r.row, r.wire FROM {} LIMIT ?3", expired_rows());
        let found: Vec<(i64, i64, String)> =
            list_rows(connection, &sql, params![profile_id, until, ROWS_AT_ONCE], |row| row.try_into())?;
        counts.rows += to_u32(found.len());
        expired.is_more |= to_u32(found.len()) >= ROWS_AT_ONCE;
        for (batch, row, wire) in found {
            // Keep the hash: it shows whether the same document is to be sent again.
            let sql =
                "UPDATE batch_rows SET wire = '', messages = '[]', sha256 = ?3 WHERE batch = ?1 AND row = ?2";
            connection.prepare_cached(sql)?.execute(params![batch, row, wire_sha256(&wire, &[])])?;
        }
    }
    if let Some(until) = events {
        let sql = format!("UPDATE events SET body = ?3 WHERE {EXPIRED_EVENTS}");
        counts.events += to_u32(connection.execute(&sql, params![profile_id, until, nothing])?);
        let sql = format!("DELETE FROM event_refusals WHERE {EXPIRED_REFUSALS}");
        counts.events += to_u32(connection.execute(&sql, params![profile_id, until])?);
    }
    if let Some(until) = uploads {
        let sql = format!("SELECT seq, content_file FROM document_uploads WHERE {EXPIRED_UPLOADS}");
        let found: Vec<(i64, String)> =
            list_rows(connection, &sql, params![profile_id, until], |row| row.try_into())?;
        counts.uploads += to_u32(found.len());
        for (upload, file) in found {
            connection.execute("DELETE FROM document_contents WHERE upload = ?1", [upload])?;
            connection.execute("UPDATE document_uploads SET content_file = '' WHERE seq = ?1", [upload])?;
            expired.files.push(file);
        }
    }
    if let Some(until) = drafts {
        let sql = format!("DELETE FROM reviews WHERE {}", expired_drafts());
        counts.drafts += to_u32(connection.execute(&sql, params![profile_id, until])?);
        forget_removed(connection)?;
    }
    Ok(())
}
