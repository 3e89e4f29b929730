//! What became of a row.

use bordereau_contract::{ImportResult, ResultStatus, TransactionRecord, TransactionStatus};

use super::message::messages;
use super::transition::said;
use bordereau_api::{RowMessage, RowState};

/// What became of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowOutcome {
    /// What became of it.
    pub state: RowState,
    /// The service's number.
    pub transaction_id: Option<i64>,
    /// What the service says of it.
    pub messages: Vec<RowMessage>,
}

impl RowOutcome {
    /// Without a message.
    pub fn of(state: RowState) -> RowOutcome {
        RowOutcome { state, transaction_id: None, messages: Vec::new() }
    }

    /// As the service's results say it.
    pub fn of_result(result: &ImportResult) -> RowOutcome {
        let mut messages = messages(result);
        let state = match ResultStatus::of(result.status) {
            // A success with errors is shown as what it is: something to look at.
            ResultStatus::Success if result.warnings.is_empty() && result.errors.is_empty() => {
                RowState::Accepted
            }
            ResultStatus::Success => RowState::Warning,
            ResultStatus::SavedIncomplete => RowState::SavedIncomplete,
            ResultStatus::Failed => RowState::Error,
        };
        if state == RowState::Error && messages.is_empty() {
            let text =
                result.status_message.as_deref().unwrap_or("The service refused it and did not say why.");
            messages.push(said("error", text));
        }
        RowOutcome { state, transaction_id: result.transaction_id, messages }
    }

    /// As a looked-up transaction shows it: it is there. What a status number means is known of the practice
    /// service only.
    pub fn of_record(record: &TransactionRecord, is_practice: bool) -> RowOutcome {
        let is_saved = is_practice && record.transaction_status == TransactionStatus::Saved.number();
        let state = if is_saved { RowState::SavedIncomplete } else { RowState::Accepted };
        RowOutcome { state, transaction_id: Some(record.id), messages: Vec::new() }
    }
}
