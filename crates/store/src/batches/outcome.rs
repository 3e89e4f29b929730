//! The outcome of a row.

use bordereau_contract::{ImportResult, ResultStatus, TransactionRecord, TransactionStatus, format_day_text};

use super::transition::{local_message, lookup_message};
use crate::{Store, StoreError};
use bordereau_api::{RowMessage, RowState, StageEvidence, result_messages};
use bordereau_database::{Connection, params};

/// The outcome of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowOutcome {
    /// Its state.
    pub state: RowState,
    /// The service's number.
    pub transaction_id: Option<i64>,
    /// The service's messages on it.
    pub messages: Vec<RowMessage>,
    /// Evidence for it.
    pub evidence: Option<StageEvidence>,
    /// The record says that it is filed.
    pub is_filed: bool,
    /// It is all that the service says of the row: it takes the place of earlier messages.
    pub is_result: bool,
}

impl RowOutcome {
    /// Without a message.
    pub fn from_state(state: RowState) -> RowOutcome {
        RowOutcome { state, ..RowOutcome::default() }
    }

    /// The outcome in the service's results. A row counts as accepted only with a number of the service; without one
    /// it still waits. `status` is the meaning of its status; `None` for an unknown word: the row waits too.
    pub fn of_result(result: &ImportResult, status: Option<ResultStatus>, question: &str) -> RowOutcome {
        let mut messages = result_messages(result);
        let number = result.transaction_id.filter(|number| *number > 0);
        let state = match status {
            Some(ResultStatus::Failed) => RowState::Error,
            None => RowState::Pending,
            Some(_) if number.is_none() => RowState::Pending,
            // A success with errors is shown as a row that needs attention.
            Some(ResultStatus::Success) if result.warnings.is_empty() && result.errors.is_empty() => {
                RowState::Accepted
            }
            Some(ResultStatus::Success) => RowState::Warning,
            Some(ResultStatus::SavedIncomplete) => RowState::SavedIncomplete,
        };
        if status.is_none() && result.status.is_told() {
            let text = format!(
                "The service gives this row the status \"{}\", which the profile does not know: the row is looked up.",
                result.status
            );
            messages.push(lookup_message(&text));
        }
        let said_by_service = result.status_message.as_deref();
        if state == RowState::Error && messages.is_empty() {
            let text = said_by_service.unwrap_or("The service rejected it and gave no reason.");
            messages.push(local_message("error", text));
        }
        let (id, status) = (result.id.trim(), result.status.describe());
        let whose = |then: &str| if id.is_empty() { String::new() } else { format!("id {id}{then}") };
        let answer = match (number, said_by_service) {
            (Some(number), _) => format!("{}transaction {number}, {status}", whose(" is ")),
            (None, Some(text)) => whose(": ") + text,
            (None, None) => format!("{}{status}, no transaction number", whose(", ")),
        };
        RowOutcome {
            transaction_id: number,
            messages,
            evidence: Some(StageEvidence::of(question, answer)),
            is_result: true,
            ..RowOutcome::from_state(state)
        }
    }

    /// The outcome of a transaction found by a lookup. `status` is the meaning of its status, if known.
    pub fn of_record(
        record: &TransactionRecord,
        question: &str,
        status: Option<TransactionStatus>,
    ) -> RowOutcome {
        let is_saved = status == Some(TransactionStatus::Saved);
        let filed = record.filed_date();
        let is_filed = filed.is_some() || status == Some(TransactionStatus::Filed);
        let answer = match filed {
            Some(day) => format!("transaction {}, filed {}", record.id, format_day_text(day)),
            None if is_filed => {
                format!("transaction {}, status {} (filed)", record.id, record.transaction_status)
            }
            None => format!("transaction {}", record.id),
        };
        RowOutcome {
            transaction_id: Some(record.id),
            evidence: Some(StageEvidence::of(question, answer)),
            is_filed,
            ..RowOutcome::from_state(if is_saved { RowState::SavedIncomplete } else { RowState::Accepted })
        }
    }
}

/// Marks rows of a profile as filed where their records say so: by the service's number from an earlier answer, with
/// the evidence.
pub async fn note_filed(
    store: &Store,
    profile_id: &str,
    filed: Vec<(i64, String)>,
    at: String,
) -> Result<(), StoreError> {
    let profile_id = profile_id.to_owned();
    let note = move |connection: &mut Connection| {
        let mut statement = connection.prepare_cached(
            "UPDATE batch_rows SET filed = 1, evidence = ?3 WHERE transaction_id = ?1 AND filed = 0
             AND row_state IN ('accepted', 'warning')
             AND (SELECT b.profile_id FROM batches b WHERE b.seq = batch_rows.batch) = ?2",
        )?;
        for (number, why) in filed {
            let evidence = StageEvidence {
                at: at.clone(),
                ..StageEvidence::of(format!("record of transaction {number}"), why)
            };
            statement.execute(params![number, profile_id, serde_json::to_string(&evidence)?])?;
        }
        Ok(())
    };
    store.with_connection(note).await
}
