//! Documents of transactions: uploaded through a durable queue, downloaded, and listed while missing.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};
use ts_rs::TS;

use super::{DeliveryStage, Environment, LostDecision, StageEvidence};

/// Where an upload is.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum UploadState {
    /// Stored here, not yet begun.
    #[default]
    Queued,
    /// Being sent.
    Sending,
    /// The answer was lost: it is looked up at the service before anything is sent again.
    Unknown,
    /// The service has it.
    Sent,
    /// The service does not take it; `message` says why.
    Refused,
    /// Canceled before it was begun.
    Canceled,
}

impl UploadState {
    /// Whether it has ended, unless a person acts.
    pub const fn is_ended(self) -> bool {
        matches!(self, UploadState::Sent | UploadState::Refused | UploadState::Canceled)
    }

    /// How far it got, as batches say it.
    pub const fn stage(self) -> DeliveryStage {
        match self {
            UploadState::Queued | UploadState::Canceled => DeliveryStage::NotSent,
            UploadState::Sending => DeliveryStage::OnItsWay,
            UploadState::Unknown => DeliveryStage::Unknown,
            UploadState::Sent => DeliveryStage::Received,
            UploadState::Refused => DeliveryStage::Refused,
        }
    }
}

/// Which transaction documents belong to: one of the two.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct DocumentTarget {
    /// The service's number as digits, or empty.
    pub transaction_id: String,
    /// The invoice it was imported with, or empty.
    pub invoice_number: String,
}

/// Files to be looked at before anything is stored or sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct FileInspectionRequest {
    /// Handles of dropped or chosen files and folders.
    pub handles: Vec<String>,
    /// For which transaction, so that its state's documents are known; may be empty.
    pub target: DocumentTarget,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct InspectedFile {
    pub handle: String,
    /// Name it is sent under: safe on every system.
    pub file_name: String,
    /// Size in bytes.
    pub bytes: u64,
    /// The detected type, such as `PDF document`; empty when the file was rejected.
    pub kind: String,
    /// SHA-256, hexadecimal; empty when it was refused.
    pub sha256: String,
    /// Why it cannot be sent, or null.
    pub refused: Option<String>,
    /// Code of the document it probably is, by its name; empty when unknown.
    pub code: String,
    /// Transactions whose policy or invoice number is in its name, where no transaction was given: one is the
    /// proposal, several are to choose from.
    pub transactions: Vec<NamedTransaction>,
}

/// A transaction as people know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NamedTransaction {
    /// The service's number as digits.
    pub transaction_id: String,
    pub policy_number: String,
    pub insured: String,
    pub invoice_number: String,
    pub state: String,
    /// Transaction type code.
    pub transaction_type: String,
}

/// A document that the state requires or requests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct WantedDocument {
    /// Code such as `POLIC`.
    pub code: String,
    pub name: String,
    /// Required for the filing and uploaded with it.
    pub required: bool,
    /// Requested, but the filing does not wait for it.
    pub upload: bool,
    /// Who signs, or empty.
    pub signature: String,
    /// Remark of the state's list, or empty.
    pub note: String,
    /// The service has it.
    pub there: bool,
    pub queued: bool,
}

/// The files that were checked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct FileInspection {
    /// Each file; folders are opened.
    pub files: Vec<InspectedFile>,
    /// The state's documents for this transaction, required ones first; the general codes where the
    /// transaction is not known.
    pub choices: Vec<WantedDocument>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct UploadFile {
    pub handle: String,
    /// Document code, such as `POLIC`.
    pub code: String,
    /// SHA-256 of the file as it was looked at; empty to take it as it is now.
    pub sha256: String,
    /// Its transaction, where it isn't that of the request.
    pub target: DocumentTarget,
}

/// Upload documents: stored here with their hashes first, then sent one by one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct DocumentsUpload {
    /// Where files go that don't say their own.
    pub target: DocumentTarget,
    pub files: Vec<UploadFile>,
    /// The confirmation word that the person typed, for production.
    pub typed: String,
}

/// Where documents and forms go now; shown before they are sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SendConfirmation {
    /// Profile they go to.
    pub profile: String,
    pub environment: Environment,
    /// Word to be typed for the first production send of a day; empty otherwise.
    pub type_word: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct UploadView {
    /// Id on this computer.
    pub id: String,
    pub state: UploadState,
    /// The service's number as digits; empty until it is known.
    pub transaction_id: String,
    /// Invoice it was addressed by, or empty.
    pub invoice_number: String,
    pub code: String,
    pub name: String,
    pub file_name: String,
    /// Its detected type.
    pub kind: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Of them on their way, while it is being sent from this process.
    pub sent_bytes: u64,
    /// SHA-256, hexadecimal.
    pub sha256: String,
    /// Profile it goes to.
    pub profile: String,
    pub environment: Environment,
    /// The service's message, or what the upload waits for; empty for neither.
    pub message: String,
    /// RFC 3339 UTC.
    pub created_at: String,
    /// Account on this machine.
    pub by: String,
    /// RFC 3339 UTC, or null.
    pub ended_at: Option<String>,
    pub can_cancel: bool,
    /// Can be sent again.
    pub can_retry: bool,
    /// An answer was lost and the service cannot say whether it has the document: a person decides; `message` is the
    /// question.
    pub asks: bool,
    /// How far it is known to be.
    pub stage: DeliveryStage,
    /// Why that is known; null before the service was asked.
    pub evidence: Option<StageEvidence>,
}

/// A file that could not be queued.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RefusedFile {
    pub file_name: String,
    /// The reason, as a sentence.
    pub reason: String,
}

/// The result of queuing files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct DocumentsQueued {
    /// Stored and being sent; one that was sent before is returned with its status and not sent again.
    pub uploads: Vec<UploadView>,
    /// Files that were rejected.
    pub refused: Vec<RefusedFile>,
}

/// The queue, newest first, and its sums.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct UploadQueue {
    /// The newest uploads, at most 500.
    pub uploads: Vec<UploadView>,
    /// Not at their end.
    pub open: u32,
    /// Bytes not at their end.
    pub open_bytes: u64,
    /// Bytes of uploads begun since the queue was last empty that are at their end.
    pub ended_bytes: u64,
    /// Refused by the service and still in the list.
    pub refused: u32,
}

/// An upload by its local id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct UploadId {
    /// Id on this computer.
    pub id: String,
}

/// An upload that was refused or canceled and is sent again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct UploadRetry {
    /// Id on this computer.
    pub id: String,
    /// Word typed where production asks for one; empty elsewhere.
    #[serde(default)]
    pub typed: String,
}

/// A person's decision on an upload whose answer was lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct UploadDecision {
    /// Id on this computer.
    pub id: String,
    /// What is said of it.
    pub decision: LostDecision,
    /// Word typed where production asks for one before it is sent again; empty elsewhere.
    #[serde(default)]
    pub typed: String,
}

/// A document at the service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct KeptDocument {
    /// Place in the record, from 1.
    pub number: u32,
    pub name: String,
    pub code: String,
}

/// The documents of one transaction: stored, required, being sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TransactionDocuments {
    /// The service's number as digits.
    pub transaction_id: String,
    pub policy_number: String,
    pub insured: String,
    pub state: String,
    /// Transaction type code.
    pub transaction_type: String,
    /// Documents that the service has.
    pub documents: Vec<KeptDocument>,
    /// Documents that the state requests, required ones first.
    pub wanted: Vec<WantedDocument>,
    /// Codes still missing for the filing.
    pub missing: Vec<String>,
    /// Uploads of this transaction, newest first.
    pub uploads: Vec<UploadView>,
}

/// A transaction that misses documents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MissingEntry {
    /// The service's number as digits.
    pub transaction_id: String,
    pub policy_number: String,
    pub insured: String,
    pub invoice_number: String,
    pub state: String,
    /// Transaction type code.
    pub transaction_type: String,
    /// Last day to file, `yyyy-mm-dd`, or null where none is known.
    pub due: Option<String>,
    pub required: Vec<WantedDocument>,
    /// Requested, but the filing does not wait for it.
    pub asked: Vec<WantedDocument>,
}

/// Which missing documents; empty for all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct MissingRequest {
    /// Words of a document or of its transaction.
    pub search: String,
}

/// Everything that is still missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct MissingList {
    /// Those that a filing waits for before those that are only requested, each with the first due first; at most
    /// 1,000.
    pub entries: Vec<MissingEntry>,
    /// Transactions that miss a document, also beyond those listed.
    pub total: u32,
    /// Those of them whose filing waits for one.
    pub required: u32,
}

/// A document of a transaction by its place in the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct KeptDocumentId {
    /// The service's number as digits.
    pub transaction_id: String,
    /// Position in the list, from 1.
    pub number: u32,
}

/// A document of a transaction that is to be opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OpenDocument {
    pub document: KeptDocumentId,
    /// A person has confirmed it: it is opened also where it can carry macros or other files.
    pub confirmed: bool,
}

/// What came of opening a document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct DocumentOpened {
    /// What a person has to confirm before it is opened; empty where it was.
    pub question: String,
}

/// A document that is being fetched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DownloadView {
    /// The service's number of the transaction, as digits.
    pub transaction_id: String,
    /// Its place in the record, from 1.
    pub number: u32,
    pub bytes: u32,
}

/// Documents that are being fetched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct DocumentDownloads {
    /// In the order they were requested.
    pub downloads: Vec<DownloadView>,
}

/// Files that were chosen, each behind a handle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ChosenFiles {
    /// Handles; empty when the person canceled.
    pub handles: Vec<String>,
}
