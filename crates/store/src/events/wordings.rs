//! The table `event_wordings`: stamp wordings that are asked about, one question for each state.

use bordereau_contract::Jurisdiction;
use bordereau_database::{Connection, OptionalRow, params};

use super::inbox::{ConfirmedFact, has_fact, store_fact};
use super::mark_events_changed;
use crate::{StoreError, list_rows};

/// A question that is due.
pub struct DueWording {
    /// The profile whose service is asked.
    pub profile_id: String,
    /// State code of two letters, such as `TX`.
    pub state: String,
    /// The quote to ask, as JSON.
    pub question: String,
    /// Times in a row that it brought nothing new.
    pub in_vain: u32,
}

/// The answer.
pub struct WordingAnswer {
    /// Identifies this wording.
    pub value: String,
    /// The fact that the state's stamp has this wording.
    pub fact: ConfirmedFact,
}

/// Due questions, and those of states that an event named since they were last asked.
pub fn list_due_wordings(
    connection: &Connection,
    now_ms: i64,
    limit: u32,
) -> Result<Vec<DueWording>, StoreError> {
    let sql = "SELECT w.profile_id, w.state_code, w.question, w.in_vain FROM event_wordings w
         WHERE w.next_ms <= ?1 OR EXISTS (SELECT 1 FROM events e WHERE e.profile_id = w.profile_id
             AND e.checked = 'unchecked' AND e.what = 'stamp_wording' AND e.state_code = w.state_code
             AND e.received_at >= w.asked_at)
         ORDER BY w.next_ms LIMIT ?2";
    list_rows(
        connection,
        sql,
        params![now_ms, limit],
        row_as!(DueWording: profile_id, state, question, in_vain),
    )
}

/// Number of the newest quote; 0 for none.
pub fn newest_quote(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.query_row("SELECT coalesce(max(turn), 0) FROM quotes", [], |row| row.get(0))?)
}

/// Adopts the quotes that this profile's service answered, one for each state; a state with a question keeps it.
pub fn adopt_quotes(connection: &Connection, profile_id: &str, profile_name: &str) -> Result<(), StoreError> {
    let sql = "SELECT state, request FROM quotes WHERE json_extract(answer, '$.by') = 'service'
         AND json_extract(answer, '$.profile') = ?1 ORDER BY turn";
    let quotes: Vec<(String, String)> = list_rows(connection, sql, [profile_name], |row| row.try_into())?;
    let mut keep = connection.prepare_cached(
        "INSERT INTO event_wordings (profile_id, state_code, question, next_ms) VALUES (?1, ?2, ?3, 0)
         ON CONFLICT (profile_id, state_code) DO NOTHING",
    )?;
    for (state, question) in quotes {
        if let Ok(state) = state.trim().to_ascii_uppercase().parse::<Jurisdiction>() {
            keep.execute([profile_id, state.code(), &question])?;
        }
    }
    Ok(())
}

/// Records an answer, or its absence. True where an event was added or confirmed.
pub fn record_wording_answer(
    connection: &mut Connection,
    due: &DueWording,
    answer: Option<&WordingAnswer>,
    at: &str,
    next_ms: i64,
    is_gap: bool,
) -> Result<bool, StoreError> {
    let transaction = connection.transaction()?;
    let (known, asked_at): (String, String) = transaction
        .query_row(
            "SELECT known, asked_at FROM event_wordings WHERE profile_id = ?1 AND state_code = ?2",
            [&due.profile_id, &due.state],
            |row| row.try_into(),
        )
        .optional()?
        .unwrap_or_default();
    let is_other = answer.is_some_and(|answer| answer.value != known);
    let before = transaction.total_changes();
    if let Some(WordingAnswer { fact, .. }) = answer {
        let is_news = is_other && !known.is_empty();
        if has_fact(&transaction, &due.profile_id, &fact.key)?
            || (is_news && !confirm_unworded_event(&transaction, due, at, &asked_at)?)
        {
            store_fact(&transaction, &due.profile_id, fact, at, is_gap)?;
        }
    }
    let changed = transaction.total_changes() > before;
    let in_vain = if is_other { 0 } else { due.in_vain.saturating_add(1) };
    transaction.execute(
        "UPDATE event_wordings SET known = coalesce(?3, known), asked_at = ?4, next_ms = ?5, in_vain = ?6
         WHERE profile_id = ?1 AND state_code = ?2",
        params![due.profile_id, due.state, answer.map(|answer| &answer.value), at, next_ms, in_vain],
    )?;
    if changed {
        mark_events_changed(&transaction)?;
    }
    transaction.commit()?;
    Ok(changed)
}

/// True where an event had reported the change without the wording: it is confirmed.
fn confirm_unworded_event(
    connection: &Connection,
    due: &DueWording,
    at: &str,
    asked_at: &str,
) -> Result<bool, StoreError> {
    let confirmed = connection.execute(
        "UPDATE events SET found_at = ?3, checked = 'confirmed', check_says = 'The service''s wording differs.'
         WHERE profile_id = ?1 AND what = 'stamp_wording' AND state_code = ?2 AND fact IS NULL AND received_at >= ?4",
        [&due.profile_id, &due.state, at, asked_at],
    )?;
    Ok(confirmed > 0)
}
