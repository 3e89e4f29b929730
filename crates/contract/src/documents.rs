//! Documents for transactions that exist (section 4).

use serde::{Deserialize, Serialize};

use crate::field_messages::message_text;
use crate::{ImportDocument, ResultStatus, ServiceStatus};

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
#[serde(try_from = "OutcomeForm")]
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
    #[serde(default)]
    pub reason: Option<String>,
    /// SHA-256 of the file, hexadecimal, where it was imported \[ours].
    pub sha256: Option<String>,
}

/// [`DocumentOutcome`] as it comes: with a flag, or a word that leaves no doubt.
#[derive(Default, Deserialize)]
#[serde(default)]
struct OutcomeForm {
    #[serde(alias = "document", alias = "document_name")]
    name: String,
    #[serde(alias = "document_code")]
    code: String,
    file_name: String,
    #[serde(alias = "is_imported", alias = "uploaded", alias = "is_uploaded", alias = "success")]
    #[serde(alias = "is_success", alias = "ok")]
    imported: Option<bool>,
    #[serde(alias = "result", alias = "outcome")]
    status: ServiceStatus,
    #[serde(
        alias = "error",
        alias = "message",
        alias = "detail",
        alias = "status_message",
        alias = "errors"
    )]
    #[serde(alias = "error_message", deserialize_with = "message_text")]
    reason: Option<String>,
    sha256: Option<String>,
}

impl TryFrom<OutcomeForm> for DocumentOutcome {
    type Error = &'static str;

    fn try_from(form: OutcomeForm) -> Result<DocumentOutcome, &'static str> {
        // The reason may follow the word: `ERROR: ...`.
        let said = form.status.to_string();
        let (word, rest) = said.split_once(':').unwrap_or((&said, ""));
        let word = word.trim().to_ascii_lowercase();
        let by_word = match (word.as_str(), ResultStatus::of(&ServiceStatus::Word(word.clone()))) {
            ("ok" | "imported" | "uploaded", _) | (_, Some(ResultStatus::Success)) => Some(true),
            (_, Some(ResultStatus::Failed)) => Some(false),
            _ => None,
        };
        let rest = Some(rest.trim().to_owned()).filter(|rest| !rest.is_empty());
        Ok(DocumentOutcome {
            name: form.name,
            code: form.code,
            file_name: form.file_name,
            imported: form.imported.or(by_word).ok_or("it does not say whether the document was imported")?,
            reason: form.reason.or(rest),
            sha256: form.sha256,
        })
    }
}
