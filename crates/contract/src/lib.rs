//! What travels between the client and the service: types, codes, limits and default paths.
//!
//! Every item names its section of the wire contract (`docs/contract.md`). Nothing here does IO.

#![allow(missing_docs, reason = "the fields carry the contract's own names, described in docs/contract.md")]

mod auth;
mod batch;
mod calculator;
mod charge;
mod codes;
mod confidence;
mod day;
mod diligent;
mod display;
mod document_kind;
mod documents;
mod due_kind;
mod event;
mod field_messages;
mod instant;
mod lenient;
mod limits;
mod paths;
mod practice;
mod problem;
mod record;
mod record_match;
mod requirements;
mod results;
mod rules;
mod search;
mod shared_part;
mod transaction;
mod unreadable_fields;
mod webhook;
mod zip_states;

pub use auth::{TokenError, TokenRequest, TokenResponse};
pub use batch::{
    BatchStatus, ImportAccepted, ImportRequest, ImportResult, ImportResults, POLICY_NUMBER_CHARS_MAX,
    SingleTransaction, TRANSACTION_ID_CHARS_MAX, batch_numbers, name_by_place,
};
pub use calculator::{
    CalculateRequest, CalculateResponse, LineOfBusiness, MunicipalSettingEntry, MunicipalSettings,
    StateProperties,
};
pub use charge::{Charge, ChargeAmounts, ChargeGroup};
pub use codes::{
    CodeError, EntityType, FeeChargedBy, Jurisdiction, LINE_SEPARATOR, Occupancy, TransactionType, WrittenAs,
    split_list,
};
pub use confidence::{Confidence, SourceRef};
pub use day::{is_writable, join_days, leading_day, parse_calendar_day, parse_day};
pub use diligent::{
    DECLINATIONS_MAX, Declination, DiligentForms, DiligentRequest, DiligentRequirement, FORM_VALUE_CHARS_MAX,
    FORM_VALUES_MAX, FilledForm,
};
pub use display::{
    FOUND_CHARS, changes_text_direction, contains_words, format_count, format_day, format_day_text,
    format_long_day, format_money, format_money_text, format_percent, format_short_day, format_timestamp,
    hex_text, pluralize, pluralize_as, shorten_text, utc_clock, without_error_numbers,
};
pub use document_kind::{
    ARCHIVE_MARK, DOCUMENT_HEAD_BYTES, DOCUMENT_MARK_BYTES_MAX, DOCUMENT_TOO_LARGE, DocumentKind,
    GENERAL_DOCUMENTS, contains_bytes, document_codes, document_fault, document_size_fault,
};
pub use documents::{DocumentImport, DocumentOutcome, DocumentsImported};
pub use due_kind::DueKind;
pub use event::*;
pub use field_messages::{FieldMessages, amount_after};
pub use instant::{format_instant, parse_instant};
pub use lenient::{
    AnswerFault, AnswerLoss, ReadAnswer, ReadFaultKind, failure_inside, has_entries, is_nothing, read_answer,
    read_in_spite, without_quotes,
};
pub use limits::{
    BODY_BYTES_MAX, DOCUMENT_BYTES_MAX, DOWNLOAD_LINK_SECONDS, IMPORT_BODY_BYTES_MAX, IMPORT_ROWS_MAX,
    REFRESH_TOKEN_SECONDS, REQUESTS_PER_MINUTE, ROWS_PER_REQUEST, SEARCH_PAGES_MAX, SEARCH_PER_PAGE,
    STAMP_WORDING_CHARS_MAX, TOKEN_SECONDS,
};
pub use paths::{API_KEY_HEADER, API_KEY_QUERY, ServicePaths};
pub use practice::{
    AccountRole, ActedOn, OutgoingMail, PaidCharge, PracticeAction, PracticeAnswer, PracticeDialect,
    QueuedBatch, QueuedDelivery, WhichTransactions,
};
pub use problem::{FieldProblem, ProblemBody};
pub use record::{RecordDocument, TransactionRecord};
pub use record_match::{RecordMatch, is_same_policy, match_asked_record, match_record, plain};
pub use requirements::{POLICY_TYPE_TITLES, POLICY_TYPES, REQUIREMENTS, Requirement, Scope, message_key};
pub use results::{ResultStatus, ServiceStatus, TransactionStatus};
pub use rules::{
    ApplicableTransaction, LabeledId, MunicipalTaxSetting, NOTE_INFO, NOTE_WARNING, StateDocument, StateNote,
    TaxRule,
};
pub use search::{DateRange, Pagination, SearchAnswer, SearchRequest};
pub use shared_part::SharedPart;
pub use transaction::{CoverageItem, ImportDocument, ImportTransaction};
pub use unreadable_fields::{describe_fault, describe_raw, read_request};
pub use webhook::{
    AccountWebhooks, DeliveryAttempt, DeliveryDetail, DeliveryStatus, Webhook, WebhookDeliveries,
    WebhookDelivery, WebhookNotice, WebhookNotices, WebhookRequest, WebhookTestResult,
};
pub use zip_states::states_of_zip;
