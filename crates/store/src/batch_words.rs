//! States of batches and rows as they stand in the store.

use bordereau_api::{BatchState, RowState};

/// A state as it stands in the store: the word that also crosses to the UI.
pub const fn batch_word(state: BatchState) -> &'static str {
    match state {
        BatchState::Queued => "queued",
        BatchState::Sending => "sending",
        BatchState::Unknown => "unknown",
        BatchState::Accepted => "accepted",
        BatchState::Processing => "processing",
        BatchState::Processed => "processed",
        BatchState::Failed => "failed",
        BatchState::Cancelled => "cancelled",
    }
}

const BATCH_STATES: [BatchState; 8] = [
    BatchState::Queued,
    BatchState::Sending,
    BatchState::Unknown,
    BatchState::Accepted,
    BatchState::Processing,
    BatchState::Processed,
    BatchState::Failed,
    BatchState::Cancelled,
];

/// The state of a word.
pub fn batch_state(word: &str) -> BatchState {
    BATCH_STATES.into_iter().find(|state| batch_word(*state) == word).unwrap_or(BatchState::Failed)
}

/// Whether nothing more happens to it.
pub const fn is_ended(state: BatchState) -> bool {
    matches!(state, BatchState::Processed | BatchState::Failed | BatchState::Cancelled)
}

/// A state of a row as it stands in the store.
pub const fn row_word(state: RowState) -> &'static str {
    match state {
        RowState::Pending => "pending",
        RowState::Accepted => "accepted",
        RowState::Warning => "warning",
        RowState::Error => "error",
        RowState::SavedIncomplete => "saved_incomplete",
        RowState::NotSent => "not_sent",
    }
}

const ROW_STATES: [RowState; 6] = [
    RowState::Pending,
    RowState::Accepted,
    RowState::Warning,
    RowState::Error,
    RowState::SavedIncomplete,
    RowState::NotSent,
];

/// The state of a word.
pub fn row_state(word: &str) -> RowState {
    ROW_STATES.into_iter().find(|state| row_word(*state) == word).unwrap_or(RowState::Pending)
}
