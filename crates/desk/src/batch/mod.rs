//! Batches: what is sent, and what came of it. Nothing is lost, nothing is sent twice.
//!
//! What is to be sent stands in the store with its own ids before the first byte leaves. Each step of a part
//! is a state in the store, committed before the next step is taken; whatever ends this process, the next one
//! goes on from there. A part whose answer was lost is sent again only where a look-up has proven that the service
//! does not have it; where nothing can be proven, a person decides.

mod audit;
mod decision;
mod documents;
mod keeping;
mod known;
mod lost;
mod matching;
mod message;
mod operations;
mod outcome;
mod pace;
mod profile_worker;
mod queue;
mod rows;
mod sending;
mod step;
mod totals;
mod transition;
mod under_way;
mod view;
mod who;
mod worker;

pub(crate) use audit::append as append_audit;
pub use pace::OutboxPace;
pub use queue::Outgoing;
pub(crate) use step::Memory;
pub(crate) use totals::{Amounts, by_state, premium};
pub(crate) use transition::Moment;
pub(crate) use worker::ensure_worker;
pub(crate) use worker::{FolderLock, Outbox, Waker};

use rusqlite::Connection;

use crate::api::{BatchState, RowState};
use crate::store::StoreError;
pub use decision::batch_decide;
pub use operations::{
    audit_list, batch_cancel, batch_list, batch_rows, batch_show, batch_wait, outbox_status,
};
pub(crate) use operations::{rows_to_correct, sent_keys};
pub use sending::{batch_resend, outbox_queue, review_send, review_send_preview};
pub(crate) use step::{moment, step};
pub use worker::set_outbox_pace;

/// A state as it stands in the store: the word that also crosses to the UI.
pub(crate) const fn batch_word(state: BatchState) -> &'static str {
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
fn batch_state(word: &str) -> BatchState {
    BATCH_STATES.into_iter().find(|state| batch_word(*state) == word).unwrap_or(BatchState::Failed)
}

/// Whether nothing more happens to it.
pub(crate) const fn is_ended(state: BatchState) -> bool {
    matches!(state, BatchState::Processed | BatchState::Failed | BatchState::Cancelled)
}

const fn row_word(state: RowState) -> &'static str {
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

pub(crate) fn row_state(word: &str) -> RowState {
    ROW_STATES.into_iter().find(|state| row_word(*state) == word).unwrap_or(RowState::Pending)
}

/// Tells every view that something changed.
pub(crate) fn touch(connection: &Connection) -> Result<(), StoreError> {
    connection.execute("UPDATE outbox_revision SET revision = revision + 1", [])?;
    Ok(())
}
