//! Header names and paths. What a provider may do otherwise is a setting of the profile.

use serde::{Deserialize, Serialize};

/// The header that carries the API key [spec, section 1].
pub const API_KEY_HEADER: &str = "apiKey";
/// The query parameter the service also accepts and the client never sends [spec, section 1].
pub const API_KEY_QUERY: &str = "apikey";

/// Paths below the base address, with the defaults of the contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ServicePaths {
    /// Sign-in and refresh [spec, section 1].
    pub token: String,
    /// Tax calculator [spec, section 2].
    pub calculator: String,
    /// Single import, version 1 [pub, section 3].
    pub single_v1: String,
    /// Single import, version 2 [pub, section 3].
    pub single_v2: String,
    /// Batch import [ours, section 3].
    pub batch_import: String,
    /// Results of a batch [pub, section 3].
    pub batch_results: String,
    /// One transaction, by its number, invoice number or the caller's own id [spec, pub, ours; section 3].
    pub transaction_status: String,
    /// Search by dates [spec, section 3].
    pub search: String,
    /// Documents for a transaction [ours, section 4].
    pub document_import: String,
    /// Filled diligent effort forms [ours, section 5].
    pub diligent_forms: String,
    /// Webhooks, and below it everything about them [ours, section 6].
    pub webhooks: String,
}

impl Default for ServicePaths {
    fn default() -> Self {
        ServicePaths {
            token: "/api/oauth2/token".into(),
            calculator: "/api/tax-calculator/calculate-general-taxes".into(),
            single_v1: "/api/v1/single/transaction".into(),
            single_v2: "/api/v2/single/transaction".into(),
            batch_import: "/api/v4/transaction-import.json".into(),
            batch_results: "/api/v4/transaction-import-results.json".into(),
            transaction_status: "/api/v1/get-transaction-status.json".into(),
            search: "/api/v1/search-transactions".into(),
            document_import: "/api/v1/document-import.json".into(),
            diligent_forms: "/api/v1/diligent-forms.json".into(),
            webhooks: "/api/v1/webhooks".into(),
        }
    }
}

impl ServicePaths {
    /// The second path of the calculator [pub, section 2]; a `.json` suffix on either is the same operation.
    pub const CALCULATOR_V2: &'static str = "/api/v2/tax-calculator/calculate-general-taxes";
}
