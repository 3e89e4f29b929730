//! What is asked of the service.

use serde::{Deserialize, Serialize};

/// An operation of the service, which a dialect answers in its own way and at which faults can be aimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ServiceEndpoint {
    /// Sign-in and refresh.
    Token,
    /// The tax calculator.
    Calculator,
    /// The one-time address of a document template.
    Template,
    /// Both versions of the single import.
    SingleImport,
    /// The batch import.
    BatchImport,
    /// The results of a batch.
    ImportResults,
    /// One transaction.
    TransactionStatus,
    /// The search by dates.
    Search,
    /// Documents for a transaction.
    DocumentImport,
    /// A document's download.
    DocumentDownload,
    /// Filled diligent effort forms.
    DiligentForms,
    /// Everything about webhooks.
    Webhooks,
    /// Each of them, for faults.
    Any,
}
