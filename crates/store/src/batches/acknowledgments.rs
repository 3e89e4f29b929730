//! Warnings that were acknowledged with a reason: stored with their rows, listed in the audit log.

use std::collections::BTreeMap;

use bordereau_database::{Connection, params};

use crate::{StoreError, audit};
use bordereau_api::KeptWarning;

/// A transaction that is not sent again: the service's warnings on it are acknowledged with a reason.
#[derive(Clone, Debug)]
pub struct AcknowledgedTransaction {
    /// The row's own id.
    pub own_id: String,
    /// Its line number in the first file.
    pub line: u32,
    /// The warnings and their reasons.
    pub kept: Vec<KeptWarning>,
}

/// Lines named for each warning.
const LINES_TOLD: usize = 20;

/// One entry for each warning and reason, with its lines. `how` says what happened to the rows.
pub fn log_acknowledgments<'k>(
    connection: &Connection,
    at: &str,
    by: &str,
    how: &str,
    rows: impl IntoIterator<Item = (u32, &'k [KeptWarning])>,
) -> Result<(), StoreError> {
    let mut entries: BTreeMap<(&str, &str), Vec<u32>> = BTreeMap::new();
    for (line, kept) in rows {
        for warning in kept {
            entries.entry((&warning.warning, &warning.reason)).or_default().push(line);
        }
    }
    for ((warning, reason), lines) in entries {
        let told: Vec<String> = lines.iter().take(LINES_TOLD).map(u32::to_string).collect();
        let more = lines.len().saturating_sub(LINES_TOLD);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let word = if lines.len() == 1 { "line" } else { "lines" };
        let text = format!("{how}: \"{warning}\" in {word} {}{more}. Reason: {reason}", told.join(", "));
        audit::append_entry(connection, at, by, &text)?;
    }
    Ok(())
}

/// Stores the reasons on rows that stay unchanged in the batch being corrected.
pub fn settle_rows(
    connection: &Connection,
    corrected: &str,
    kept: &[AcknowledgedTransaction],
) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(
        "UPDATE batch_rows SET settled = ?3 WHERE batch = (SELECT seq FROM batches WHERE id = ?1) AND own_id = ?2
         AND row_state = 'warning'",
    )?;
    for row in kept {
        statement.execute(params![corrected, row.own_id, serde_json::to_string(&row.kept)?])?;
    }
    Ok(())
}
