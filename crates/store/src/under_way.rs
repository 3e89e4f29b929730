//! What a profile is sending: until that has ended, its address and environment stay as they were confirmed.

use bordereau_database::{Connection, params};

use crate::StoreError;

/// Unfinished parts of batches and documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PendingWork {
    /// Nothing of them was sent yet.
    pub queued: u32,
    /// The service may have them.
    pub begun: u32,
}

impl PendingWork {
    /// Both together.
    pub const fn all(self) -> u32 {
        self.queued + self.begun
    }
}

/// Whether this person sent anything with a profile on this day of their calendar.
pub fn has_sent(
    connection: &Connection,
    profile_id: &str,
    day: &str,
    person: &str,
) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM batches WHERE profile_id = ?1 AND day = ?2 AND sent_by = ?3)
               OR EXISTS (SELECT 1 FROM document_uploads WHERE profile_id = ?1 AND day = ?2 AND created_by = ?3)";
    Ok(connection.query_row(sql, [profile_id, day, person], |row| row.get(0))?)
}

/// What this profile is sending.
pub fn count_in_progress(connection: &Connection, profile_id: &str) -> Result<PendingWork, StoreError> {
    let parts = count_pending(
        connection,
        "SELECT count(*) FILTER (WHERE p.state = 'queued'),
         count(*) FILTER (WHERE p.state IN ('sending', 'unknown', 'accepted', 'processing'))
         FROM batch_parts p JOIN batches b ON b.seq = p.batch WHERE b.profile_id = ?1",
        profile_id,
    )?;
    let documents = count_pending(
        connection,
        "SELECT count(*) FILTER (WHERE state = 'queued'),
         count(*) FILTER (WHERE state IN ('sending', 'unknown'))
         FROM document_uploads WHERE profile_id = ?1",
        profile_id,
    )?;
    Ok(PendingWork { queued: parts.queued + documents.queued, begun: parts.begun + documents.begun })
}

fn count_pending(connection: &Connection, sql: &str, profile_id: &str) -> Result<PendingWork, StoreError> {
    let found = connection.query_row(sql, params![profile_id], |row| {
        Ok(PendingWork { queued: row.get(0)?, begun: row.get(1)? })
    })?;
    Ok(found)
}
