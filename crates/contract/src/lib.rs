//! What travels between the client and the service: types, codes, limits and default paths.
//!
//! Every item names its section of the wire contract (`docs/contract.md`). Nothing here does IO.

mod auth;
mod batch;
mod calculator;
mod codes;
mod documents;
mod event;
mod limits;
mod paths;
mod practice;
mod problem;
mod record;
mod results;
mod rules;
mod transaction;
mod webhook;

pub use auth::{TokenError, TokenRequest, TokenResponse};
pub use batch::{
    BatchStatus, FieldMessages, ImportAccepted, ImportRequest, ImportResult, ImportResults,
    POLICY_NUMBER_CHARS_MAX, SingleTransaction, TRANSACTION_ID_CHARS_MAX,
};
pub use calculator::{
    CalculateRequest, CalculateResponse, LineOfBusiness, MunicipalSettingEntry, MunicipalSettings,
    StateProperties,
};
pub use codes::{
    CodeError, EntityType, Jurisdiction, LINE_SEPARATOR, TransactionType, WrittenAs, split_list,
};
pub use documents::{DocumentImport, DocumentOutcome, DocumentsImported};
pub use event::{
    BatchEvent, BatchEventRow, ChargePaid, EVENT_BYTES_MAX, Event, EventBody, EventKind, EventSubject,
    FiledEvent, NotAnEvent, NumberAssigned, SIGNATURE_HEADER, StampWordingChanged, TEST_EVENT,
    TaxesAndFeesPaid, WEBHOOK_SECRET_CHARS,
};
pub use limits::{
    BODY_BYTES_MAX, DOCUMENT_BYTES_MAX, DOWNLOAD_LINK_SECONDS, IMPORT_BODY_BYTES_MAX, IMPORT_ROWS_MAX,
    REFRESH_TOKEN_SECONDS, REQUESTS_PER_MINUTE, TOKEN_SECONDS,
};
pub use paths::{API_KEY_HEADER, API_KEY_QUERY, Paths};
pub use practice::{
    ActedOn, OutgoingMail, PaidCharge, PracticeAction, PracticeAnswer, QueuedBatch, QueuedDelivery,
    WhichTransactions,
};
pub use problem::{FieldProblem, Problem};
pub use record::{RecordDocument, TransactionRecord};
pub use results::{ResultStatus, TransactionStatus};
pub use rules::{
    ApplicableTransaction, LabelledId, MunicipalTaxSetting, NOTE_INFO, NOTE_WARNING, StateDocument,
    StateNote, TaxRule,
};
pub use transaction::{CoverageItem, ImportDocument, ImportTransaction};
pub use webhook::{
    DeliveryAttempt, DeliveryDetail, DeliveryStatus, Webhook, WebhookDeliveries, WebhookDelivery,
    WebhookNotice, WebhookNotices, WebhookRequest, WebhookTestResult, Webhooks,
};
