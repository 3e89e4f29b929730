//! Batches: what was sent, where each row is, and what came back.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};
use ts_rs::TS;

use super::{Assignment, DeliveryStage, Environment, KeptWarning, ReviewTotals, StageEvidence};

/// Which rows are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SendScope {
    /// Rows without an error.
    Valid,
    /// All rows that are not excluded.
    All,
}

/// Send a review. What is sent is stored with its own ids before the first byte leaves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SendReview {
    pub id: String,
    pub scope: SendScope,
    /// The totals the person confirmed; refused when they are no longer those.
    pub confirmed: ReviewTotals,
    /// Word typed for the first production send of the day; empty elsewhere.
    pub typed: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SendReviewPreview {
    pub id: String,
    pub scope: SendScope,
}

/// Preview of a send, shown for confirmation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SendPreview {
    /// Profile it goes to.
    pub profile: String,
    pub environment: Environment,
    pub totals: ReviewTotals,
    /// Transactions with errors among them.
    pub with_errors: u32,
    /// Transactions among them that give no tax and no state fee: the service calculates them.
    pub without_taxes: u32,
    /// Parts it is sent in.
    pub parts: u32,
    /// Documents that go along.
    pub documents: u32,
    /// Warnings acknowledged with a reason: of rows to be sent, and of rejected rows that stay unchanged.
    pub kept: u32,
    /// The word that has to be typed; empty for none.
    pub type_word: String,
}

/// Where a batch is.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum BatchState {
    /// Stored, waits for the service.
    #[default]
    Queued,
    /// Being sent.
    Sending,
    /// The answer was lost: it is looked up before anything is sent again, or a person decides.
    Unknown,
    /// Taken, has a batch id.
    Accepted,
    /// Being processed by the service.
    Processing,
    /// Done: every row has its outcome.
    Processed,
    /// Refused or failed as a whole.
    Failed,
    /// Canceled before it was sent.
    Canceled,
}

impl BatchState {
    /// Whether nothing more happens to it.
    pub const fn is_ended(self) -> bool {
        matches!(self, BatchState::Processed | BatchState::Failed | BatchState::Canceled)
    }
}

/// Where a row is.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum RowState {
    /// Not yet answered.
    #[default]
    Pending,
    /// Taken without a remark.
    Accepted,
    /// Taken with warnings.
    Warning,
    /// Refused.
    Error,
    /// Stored by the service as incomplete.
    SavedIncomplete,
    /// Never sent.
    NotSent,
}

impl RowState {
    /// How far a row of a part in this state got.
    pub const fn stage(self, part: BatchState, has_number: bool, is_filed: bool) -> DeliveryStage {
        use DeliveryStage as D;
        match (self, part) {
            (RowState::NotSent, _) | (RowState::Pending, BatchState::Queued) => D::NotSent,
            (RowState::Pending, BatchState::Sending) => D::OnItsWay,
            (RowState::Pending, BatchState::Accepted | BatchState::Processing) => D::Received,
            (RowState::Pending, _) => D::Unknown,
            (RowState::Error, _) => D::Refused,
            (RowState::Accepted | RowState::Warning, _) if is_filed => D::Filed,
            (RowState::Accepted | RowState::Warning, BatchState::Accepted | BatchState::Processing) => {
                D::Valid
            }
            (RowState::Accepted | RowState::Warning, _) if has_number => D::Processed,
            (RowState::SavedIncomplete | RowState::Accepted | RowState::Warning, _) => D::Received,
        }
    }
}

/// Counts of a batch's rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BatchCounts {
    /// Number of transactions.
    pub total: u32,
    /// Not yet answered.
    pub pending: u32,
    /// Taken without a remark.
    pub accepted: u32,
    /// Taken with warnings.
    pub warning: u32,
    /// Refused.
    pub error: u32,
    /// Kept as incomplete.
    pub saved_incomplete: u32,
    /// Never sent.
    pub not_sent: u32,
}

impl BatchCounts {
    /// Both together.
    #[must_use]
    pub const fn plus(self, other: BatchCounts) -> BatchCounts {
        BatchCounts {
            total: self.total + other.total,
            pending: self.pending + other.pending,
            accepted: self.accepted + other.accepted,
            warning: self.warning + other.warning,
            error: self.error + other.error,
            saved_incomplete: self.saved_incomplete + other.saved_incomplete,
            not_sent: self.not_sent + other.not_sent,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BatchView {
    /// Id on this computer.
    pub id: String,
    /// Name: that of the file.
    pub name: String,
    pub state: BatchState,
    pub counts: BatchCounts,
    /// Premium and taxes sent.
    pub totals: ReviewTotals,
    pub profile: String,
    pub environment: Environment,
    /// The service's batch ids, one per part.
    pub batch_ids: Vec<String>,
    /// The batch this one corrects, or null.
    pub corrects: Option<String>,
    /// Who sent it: name of the person's account on this machine.
    pub by: String,
    /// RFC 3339 UTC.
    pub created_at: String,
    /// RFC 3339 UTC, or null.
    pub ended_at: Option<String>,
    /// Transactions answered per second, or null.
    pub per_second: Option<u32>,
    /// Seconds left, or null when not known.
    pub seconds_left: Option<u32>,
    /// The last failure, as a sentence; empty for none.
    pub trouble: String,
    pub can_cancel: bool,
    /// An answer was lost and the service cannot be asked: a person must decide whether it arrived; `trouble` is the
    /// question.
    pub asks: bool,
    /// Work on it continues without the person.
    pub goes_on: bool,
    /// Why its state is known, in the order of its parts.
    pub evidence: Vec<StageEvidence>,
    /// Rows to be corrected: rejected, stored as incomplete or not sent, and not sent again since.
    pub to_correct: u32,
    /// Rows accepted with a warning that nobody acknowledged, and not sent again since.
    pub open_warnings: u32,
    /// One transaction that was entered by hand and sent as a single import.
    pub is_single: bool,
    /// The draft it was sent from, while that is there; null else.
    pub draft: Option<String>,
    /// Who of the office does it, or null.
    pub assigned: Option<Assignment>,
}

impl BatchView {
    /// Whether it has ended and rows of it have to be corrected; what a person canceled does not.
    pub fn needs_correction(&self) -> bool {
        self.to_correct > 0 && self.has_ended()
    }

    /// Whether it has ended other than by being canceled.
    pub fn has_ended(&self) -> bool {
        self.ended_at.is_some() && self.state != BatchState::Canceled
    }
}

/// All batches, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BatchList {
    pub batches: Vec<BatchView>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BatchId {
    /// Id on this computer.
    pub id: String,
}

/// The decision on a batch whose answer was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum LostDecision {
    /// It is at the service.
    Arrived,
    /// It is not: it is sent again.
    SendAgain,
    /// Look it up once more.
    LookAgain,
}

/// A person's decision on a batch whose answer was lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BatchDecision {
    /// Id on this computer.
    pub id: String,
    pub decision: LostDecision,
    /// The service's number of the batch, if its portal shows one: its results are then fetched. Else empty.
    #[serde(default)]
    pub batch_number: String,
    /// Word typed where production asks for one before something is sent again; empty elsewhere.
    #[serde(default)]
    pub typed: String,
}

/// A page of a batch's rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BatchRowsRequest {
    /// Id on this computer.
    pub id: String,
    /// Only rows in this state; null for all.
    pub state: Option<RowState>,
    /// Only rows with a message of this cause; empty for all.
    #[serde(default)]
    pub cause: String,
    /// First row of the page.
    pub from: u32,
    /// At most 500.
    pub count: u32,
}

/// A message of the service on a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RowMessage {
    /// `warning` or `error`.
    pub severity: String,
    /// Field as the service names it; empty where it names none.
    pub field: String,
    pub text: String,
    /// USD, where the text has it.
    pub provided: Option<String>,
    /// Calculated amount in USD, or null.
    pub calculated: Option<String>,
    /// USD, calculated minus provided.
    pub difference: Option<String>,
    /// It says that the row is looked up, and goes once the row has an outcome.
    #[serde(default)]
    pub is_lookup: bool,
}

impl RowMessage {
    /// The group it belongs to in the review: the key of its card, of its filter and of its repair.
    #[must_use]
    pub fn group(&self) -> String {
        if self.field.is_empty() { "service".to_owned() } else { format!("service:{}", self.field) }
    }
}

/// A cause that rows of a batch have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RowCause {
    /// By which rows are asked for.
    pub key: String,
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// Field as the service names it; empty where it names none.
    pub field: String,
    /// What the service said; of amounts that differ, with those of one of the rows.
    pub text: String,
    pub rows: u32,
}

/// The causes of a batch's messages, the most serious first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BatchCauses {
    pub causes: Vec<RowCause>,
}

/// A row of a batch: from the local row to the transaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BatchRow {
    /// The transaction's own id, as sent.
    pub id: String,
    /// Line of the file it came from.
    pub line: u32,
    pub policy_number: String,
    pub insured: String,
    /// State code of two letters, such as `TX`.
    pub state: String,
    pub transaction_type: String,
    /// Premium in USD, such as `1250.50`.
    pub premium: String,
    pub row_state: RowState,
    /// How far it is known to be.
    pub stage: DeliveryStage,
    /// Why that is known; null before the service was asked.
    pub evidence: Option<StageEvidence>,
    /// The service's number, or null.
    pub transaction_id: Option<String>,
    pub messages: Vec<RowMessage>,
    /// Warnings that were acknowledged with a reason.
    pub kept: Vec<KeptWarning>,
    /// Fields of those messages that missed a document which was uploaded since.
    pub uploaded: Vec<String>,
}

/// A page of a batch's rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BatchRowsPage {
    /// Number of rows in the requested state.
    pub total: u32,
    pub rows: Vec<BatchRow>,
}

/// The outbox in a line, for the status bar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OutboxStatus {
    /// Batches that are not at an end.
    pub open: u32,
    /// Transactions answered of the open batches.
    pub answered: u32,
    /// Transactions of the open batches.
    pub total: u32,
    /// Seconds left, or null.
    pub seconds_left: Option<u32>,
    /// Batches with rows to be corrected, or with a question; accepted rows with warnings are none.
    pub attention: u32,
    /// Changes whenever anything changed, so that views know when to ask again.
    pub revision: u32,
}

/// One line of the audit log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AuditEntry {
    /// Number, from 1.
    pub number: u32,
    /// RFC 3339 UTC.
    pub at: String,
    /// Account name of the person.
    pub by: String,
    /// What was done.
    pub text: String,
    /// Hash of this entry and the one before, hexadecimal.
    pub hash: String,
    /// Who the office's database says wrote it; empty in a data folder.
    pub signed_by: String,
}

impl AuditEntry {
    /// Who wrote it, with whom the office's database says it was where that is someone else.
    pub fn author(&self) -> String {
        match self.signed_by.as_str() {
            "" => self.by.clone(),
            signed_by if signed_by == self.by => self.by.clone(),
            signed_by => format!("{} (signed in as {signed_by})", self.by),
        }
    }
}

/// The audit log, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AuditLog {
    pub entries: Vec<AuditEntry>,
    /// The chain of hashes holds, here and in what was copied.
    pub intact: bool,
    /// The logs of data folders that were copied into an office's workspace, log by log.
    pub copied: Vec<AuditEntry>,
}

/// A form in which the audit log is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum AuditExportKind {
    /// All entries as a table.
    Csv,
    /// All entries as a print-ready document.
    Pdf,
    /// The last entry's day, number and hash.
    Head,
}

/// Save the audit log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AuditExport {
    /// The form.
    pub kind: AuditExportKind,
}

/// The last entry of the audit log on a day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AuditHead {
    /// Day of the entry in UTC, ISO.
    pub day: String,
    /// Its number.
    pub number: u32,
    /// Its hash, hexadecimal.
    pub hash: String,
}

/// The file of a head, to be compared with the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AuditHeadFile {
    /// Its handle; empty asks with the open dialog.
    pub handle: String,
}

/// Whether the audit log has what a head speaks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AuditHeadCheck {
    /// The head, or null when the person canceled.
    pub head: Option<AuditHead>,
    /// Everything up to it is as it was.
    pub holds: bool,
    /// In a sentence.
    pub message: String,
}

/// Ask the service for a batch by its own number, whoever sent it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BatchLookupRequest {
    /// The service's number of the batch, as typed.
    pub number: String,
}

/// One transaction of a batch that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LookedUpRow {
    /// The id its sender gave it; empty where the service does not repeat it.
    pub id: String,
    /// Policy number; empty where there is none.
    pub policy_number: String,
    /// What the service says of it.
    pub row_state: RowState,
    /// The service's number, or null.
    pub transaction_id: Option<String>,
    pub messages: Vec<RowMessage>,
}

/// What the service says of a batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BatchLookup {
    /// The number asked for.
    pub number: String,
    /// Profile whose service was asked.
    pub profile: String,
    /// Its status, in the service's word.
    pub status: String,
    /// Local id of the batch, where it was sent from here.
    pub batch: Option<String>,
    /// Transactions that it names.
    pub total: u32,
    /// At most the first 1,000.
    pub rows: Vec<LookedUpRow>,
    /// Members of the answer that cannot be read.
    pub unreadable: u32,
}
