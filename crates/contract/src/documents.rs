//! Documents for transactions that exist (section 4).

use serde::{Deserialize, Serialize};

use crate::ImportDocument;

/// Body of the document import \[ours]: by `transaction_id` or `invoice_number` \[pub].
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DocumentImport {
    /// The service's own number.
    pub transaction_id: Option<i64>,
    /// The invoice the transaction was imported with.
    pub invoice_number: Option<String>,
    pub documents: Vec<ImportDocument>,
}

/// Answer of the document import: one outcome for each document, in order [spec; shape ours].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DocumentsImported {
    /// The transaction they belong to.
    #[serde(default, deserialize_with = "crate::lenient::optional_number")]
    pub transaction_id: Option<i64>,
    /// What became of each.
    #[serde(default, alias = "data")]
    pub documents: Vec<DocumentOutcome>,
}

/// What became of one document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DocumentOutcome {
    /// Name, as sent.
    #[serde(default)]
    pub name: String,
    /// Code, as sent.
    #[serde(default)]
    pub code: String,
    /// File name, as sent.
    #[serde(default)]
    pub file_name: String,
    /// Whether it was imported; also true where the same file was there already. An outcome without it is none: nothing
    /// is taken for refused that nobody refused.
    pub imported: bool,
    /// Why not, in whatever member and form a service says so.
    #[serde(
        default,
        alias = "error",
        alias = "message",
        alias = "detail",
        alias = "status_message",
        alias = "errors",
        deserialize_with = "crate::batch::message_text"
    )]
    pub reason: Option<String>,
    /// SHA-256 of the file, hexadecimal, where it was imported \[ours].
    pub sha256: Option<String>,
}
