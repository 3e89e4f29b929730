//! Schemas of the imports, field by field in the contract's order.

use utoipa::openapi::Schema;

use super::schemas::Holds::{
    Amount, Bool, Chargers, Date, Entities, Flag, Integer, Keyed, Many, Occupancies, One, States, Text,
    Transactions, Written,
};
use super::schemas::Need::{Nullable, Optional, Required};
use super::schemas::{Row, table};

const COVERAGE_ITEM: &[Row] = &[
    ("item", Text, Required, "line code, NAIC or AA number, syndicate number"),
    ("coverage", Amount, Nullable, "premium in USD of a line; percent of an insurer or syndicate"),
];

const IMPORT_DOCUMENT: &[Row] = &[
    ("name", Text, Required, ""),
    ("code", Text, Required, "such as POLIC"),
    ("file_name", Text, Required, ""),
    ("content", Text, Required, "base64; at most 25 MiB of file"),
];

const IMPORT_TRANSACTION: &[Row] = &[
    ("id", Text, Required, "the caller's own, up to 255 characters"),
    ("agent_id", Text, Optional, ""),
    ("policy_number", Text, Optional, "up to 50 characters"),
    ("policy_effective_date", Date, Optional, ""),
    ("policy_expiration_date", Date, Optional, "effective date plus 12 months if absent"),
    ("transaction_effective_date", Date, Optional, "endorsements"),
    ("expiring_policy_number", Text, Optional, "renewals"),
    ("invoice_date", Date, Optional, ""),
    ("invoice_number", Text, Optional, ""),
    ("transaction_type", Transactions, Optional, ""),
    ("policy_type", Text, Optional, "standard, master, cert or reporting_form"),
    ("account_written_as", Written, Optional, ""),
    ("rpg", Flag, Optional, ""),
    ("layered_risk", Flag, Optional, ""),
    ("broker_of_record", Flag, Optional, ""),
    ("risk_retention_group", Flag, Optional, ""),
    ("purchasing_group_name", Text, Optional, ""),
    ("risk_description", Text, Optional, ""),
    ("ecp", Flag, Optional, ""),
    ("exempt", Flag, Optional, ""),
    ("multi_state", Flag, Optional, ""),
    ("policy_limit", Amount, Optional, "USD"),
    ("property_limit", Amount, Optional, "USD"),
    ("line_of_business_list", Many("CoverageItem"), Optional, ""),
    ("insurance_company_list", Many("CoverageItem"), Optional, ""),
    ("syndicate_list", Many("CoverageItem"), Optional, ""),
    ("premium", Amount, Optional, "USD"),
    ("agency_fee", Amount, Optional, "USD"),
    ("inspection_fee", Amount, Optional, "USD"),
    ("collection_fee", Amount, Optional, "USD"),
    ("sl_tax", Amount, Optional, "USD"),
    ("stamping_fee", Amount, Optional, "USD"),
    ("sl_service_charge", Amount, Optional, "USD"),
    ("municipal_fee", Amount, Optional, "USD"),
    ("county_fee", Amount, Optional, "USD"),
    ("fm_tax", Amount, Optional, "USD"),
    ("empa_tax", Amount, Optional, "USD"),
    ("total", Amount, Optional, "USD"),
    ("commission_received", Flag, Optional, ""),
    ("mailing_insured_name", Text, Optional, ""),
    ("mailing_address", Text, Optional, ""),
    ("mailing_city", Text, Optional, ""),
    ("mailing_zip_code", Text, Optional, ""),
    ("mailing_state_code", Text, Optional, ""),
    ("insured_entity", Entities, Optional, ""),
    ("insured_email", Text, Optional, ""),
    ("insured_phone", Text, Optional, ""),
    ("physical_address", Text, Optional, ""),
    ("physical_city", Text, Optional, ""),
    ("physical_zip_code", Text, Optional, ""),
    ("physical_state", States, Optional, ""),
    ("retail_producer", Text, Optional, ""),
    ("agency_fee_charged_by", Chargers, Optional, ""),
    ("occupancy", Occupancies, Optional, "how the insured holds the dwelling"),
    ("assessment_rate", Amount, Optional, "a fraction: 0.06 is 6 %; where the rules have no present rate"),
    ("documents", Many("ImportDocument"), Optional, ""),
];

const SINGLE_TRANSACTION: &[Row] = &[
    ("batch_id", Text, Optional, "groups single transactions; the caller's own"),
    ("total_items", Integer, Optional, ""),
    ("current_item", Integer, Optional, "from 1"),
    ("transaction", One("ImportTransaction"), Required, ""),
];

const IMPORT_REQUEST: &[Row] =
    &[("transactions", Many("ImportTransaction"), Required, "1 to 10,000; 64 MiB altogether")];

const IMPORT_ACCEPTED: &[Row] = &[
    ("batch_id", Text, Required, "32 hexadecimal digits"),
    ("status", Text, Required, "queued"),
    ("total_items", Integer, Required, ""),
];

const IMPORT_RESULT: &[Row] = &[
    ("id", Text, Required, "the caller's own"),
    ("policy_number", Text, Nullable, ""),
    ("transaction_id", Integer, Nullable, "the service's own number"),
    ("status", Integer, Required, "0 success, 1 not imported, 2 saved as incomplete"),
    ("status_message", Text, Required, ""),
    ("warnings", Keyed, Required, "texts keyed by field"),
    ("errors", Keyed, Required, "texts keyed by field"),
    ("documents", Many("DocumentOutcome"), Optional, "of those that came along"),
];

const IMPORT_RESULTS: &[Row] = &[
    ("batch_id", Text, Required, ""),
    ("status", Text, Required, "queued, processing, processed or failed"),
    ("transactions", Many("ImportResult"), Required, "those processed so far, in the order sent"),
];

const DOCUMENT_IMPORT: &[Row] = &[
    ("transaction_id", Integer, Optional, "this or invoice_number"),
    ("invoice_number", Text, Optional, ""),
    ("documents", Many("ImportDocument"), Required, ""),
];

const DOCUMENTS_IMPORTED: &[Row] = &[
    ("transaction_id", Integer, Required, ""),
    ("documents", Many("DocumentOutcome"), Required, "in order"),
];

const DOCUMENT_OUTCOME: &[Row] = &[
    ("name", Text, Required, ""),
    ("code", Text, Required, ""),
    ("file_name", Text, Required, ""),
    ("imported", Bool, Required, ""),
    ("reason", Text, Nullable, "why not"),
    ("sha256", Text, Nullable, "hexadecimal, of the file"),
];

const RECORD_DOCUMENT: &[Row] = &[
    ("name", Text, Required, ""),
    ("code", Text, Required, ""),
    ("download_url", Text, Required, "credentials as everywhere"),
];

const TRANSACTION_RECORD: &[Row] = &[
    ("id", Integer, Required, ""),
    ("transaction_type", Text, Nullable, ""),
    (
        "transaction_status",
        Integer,
        Required,
        "0 Saved, 1 Submitted, 2 Ready to file, 3 Sent to state, 4 Filed",
    ),
    ("policy_number", Text, Nullable, ""),
    ("policy_effective_date", Date, Nullable, ""),
    ("transaction_effective_date", Date, Nullable, ""),
    ("policy_expiration_date", Date, Nullable, ""),
    ("date_filed", Date, Nullable, ""),
    ("date_ready_to_file", Date, Nullable, ""),
    ("premium", Amount, Nullable, "USD; negative for a credit, as are all amounts"),
    ("agency_fee", Amount, Nullable, "USD"),
    ("inspection_fee", Amount, Nullable, "USD"),
    ("sl_tax", Amount, Nullable, "USD"),
    ("stamping_fee", Amount, Nullable, "USD"),
    ("sl_service_charge", Amount, Nullable, "USD"),
    ("municipal_fee", Amount, Nullable, "USD"),
    ("fm_tax", Amount, Nullable, "USD"),
    ("empa_tax", Amount, Nullable, "USD"),
    ("collection_fee", Amount, Nullable, "USD"),
    ("county_fee", Amount, Nullable, "USD"),
    ("filed_under_license_name", Text, Nullable, ""),
    ("filed_under_license_number", Text, Nullable, ""),
    ("mailing_insured_name", Text, Nullable, ""),
    ("physical_state", Text, Nullable, ""),
    ("extra_invoice_number", Text, Nullable, "the invoice number"),
    ("created_by", Text, Nullable, ""),
    ("created_date", Text, Nullable, "yyyy-mm-dd hh:mm:ss and a time zone name"),
    ("transaction_documents", Many("RecordDocument"), Required, ""),
    ("municipal_name", Text, Nullable, ""),
    ("municipal_category", Text, Nullable, ""),
    ("sl_tax_paid_date", Text, Nullable, ""),
    ("stamping_fee_paid_date", Text, Nullable, ""),
    ("other_taxes_paid_date", Text, Nullable, ""),
    ("sl_tax_invoice_id", Text, Nullable, ""),
    ("stamping_fee_invoice_id", Text, Nullable, ""),
    ("unique_id", Text, Nullable, "the caller's own id"),
    ("gl_moved_date", Text, Nullable, ""),
    ("transaction_id_number", Text, Nullable, "the state's own number"),
];

const DATE_RANGE: &[Row] = &[
    ("from", Date, Required, "UTC, included; the later end is accepted here too"),
    ("to", Date, Required, "UTC, included"),
];

const SEARCH_REQUEST: &[Row] = &[
    ("date_filed", One("DateRange"), Optional, "of several members all must match"),
    ("policy_effective_date", One("DateRange"), Optional, ""),
    ("transaction_effective_date", One("DateRange"), Optional, ""),
];

const PAGINATION: &[Row] = &[
    ("total", Integer, Required, "transactions found"),
    ("per_page", Integer, Required, "50"),
    ("page", Integer, Required, "this one"),
    ("pages", Integer, Required, ""),
];

const SEARCH_ANSWER: &[Row] =
    &[("data", Many("TransactionRecord"), Required, ""), ("pagination", One("Pagination"), Required, "")];

/// Every schema, by name.
pub(super) fn all() -> Vec<(&'static str, Schema)> {
    [
        ("CoverageItem", COVERAGE_ITEM),
        ("ImportDocument", IMPORT_DOCUMENT),
        ("ImportTransaction", IMPORT_TRANSACTION),
        ("SingleTransaction", SINGLE_TRANSACTION),
        ("ImportRequest", IMPORT_REQUEST),
        ("ImportAccepted", IMPORT_ACCEPTED),
        ("ImportResult", IMPORT_RESULT),
        ("ImportResults", IMPORT_RESULTS),
        ("DocumentImport", DOCUMENT_IMPORT),
        ("DocumentsImported", DOCUMENTS_IMPORTED),
        ("DocumentOutcome", DOCUMENT_OUTCOME),
        ("DateRange", DATE_RANGE),
        ("SearchRequest", SEARCH_REQUEST),
        ("Pagination", PAGINATION),
        ("SearchAnswer", SEARCH_ANSWER),
        ("RecordDocument", RECORD_DOCUMENT),
        ("TransactionRecord", TRANSACTION_RECORD),
    ]
    .map(|(name, rows)| (name, table(rows)))
    .into()
}
