//! The one list of operations. Handlers, the HTTP host and the TypeScript bindings come from it.

use ts_rs::{Config, TS};

use super::*;

macro_rules! operations {
    ($($(#[doc = $doc:literal])+ $name:ident: $request:ty => $answer:ty;)+) => {
        /// Names of all operations.
        pub const OPERATIONS: &[&str] = &[$(stringify!($name),)+];

        fn operation_types(config: &Config) -> String {
            let mut text = String::from("export interface Operations {\n");
            $(
                $(text.push_str(&format!("  /** {} */\n", $doc.trim()));)+
                text.push_str(&format!(
                    "  {}: {{ request: {}; answer: {} }};\n",
                    stringify!($name), <$request as TS>::name(config), <$answer as TS>::name(config),
                ));
            )+
            text.push_str("}\n");
            text
        }

        /// Each operation with the macro named: `$callback!(name, Request, Answer)` for hosts.
        #[macro_export]
        #[doc(hidden)]
        macro_rules! for_each_operation {
            ($callback:ident) => { $callback! { $($name: $request => $answer;)+ } };
        }
    };
}

operations! {
    /// What the forms need to know.
    reference_data: Nothing => ReferenceData;
    /// Status line.
    status: Nothing => Status;
    /// Offline estimate with its explanation.
    quote_estimate: QuoteRequest => QuoteAnswer;
    /// Ask the service; the estimate stands beside it.
    quote_calculate: QuoteRequest => QuoteAnswer;
    /// Up to six states side by side.
    quote_compare: CompareRequest => Comparison;
    /// Save a quote.
    quote_save: SaveQuote => SavedQuote;
    /// Saved and recent quotes.
    quote_list: Nothing => QuoteList;
    /// Open a saved or recent quote.
    quote_open: QuoteId => SavedQuote;
    /// Remove a saved quote.
    quote_remove: QuoteId => Nothing;
    /// Save a quote as PDF.
    quote_pdf: QuotePdfRequest => FileOutcome;
    /// Download a state document's template.
    document_download: DocumentDownload => FileOutcome;
    /// The stored draft.
    draft_load: Nothing => Draft;
    /// Store the draft.
    draft_save: QuoteRequest => Draft;
    /// All profiles.
    profile_list: Nothing => ProfileList;
    /// Add or change a profile.
    profile_save: Profile => ProfileView;
    /// Remove a profile and its secrets.
    profile_remove: ProfileId => Nothing;
    /// Use a profile.
    profile_select: ProfileId => ProfileList;
    /// Store or remove an API key.
    profile_set_key: SetApiKey => ProfileView;
    /// Sign in.
    profile_sign_in: SignInRequest => ProfileView;
    /// Sign out.
    profile_sign_out: ProfileId => ProfileView;
    /// Test a profile's connection.
    profile_test: ProfileId => TestReport;
    /// State of the keychain.
    secrets_status: Nothing => SecretsStatus;
    /// Agree to keep secrets in memory for this run.
    secrets_use_memory: Nothing => SecretsStatus;
    /// Settings.
    settings_load: Nothing => Settings;
    /// Change settings.
    settings_save: Settings => Settings;
    /// Choose a file.
    choose_file: ChooseFile => ChosenFile;
    /// Open a source in the browser.
    open_address: OpenAddress => Nothing;
    /// Start a review: read a file, a paste, or what came back from a batch.
    review_start: ReviewStart => ReviewView;
    /// A review as it stands.
    review_state: ReviewId => ReviewView;
    /// Answer questions, match columns and values.
    review_match: ReviewMatch => ReviewView;
    /// A page of rows.
    review_rows: RowsRequest => RowsPage;
    /// Issues of a cell or row in words.
    review_issues: CellId => CellIssues;
    /// Edit cells: one step of undo.
    review_edit: ReviewEdit => ReviewView;
    /// Leave rows out or take them in again.
    review_exclude: ReviewExclude => ReviewView;
    /// Repair one or a group, with a preview.
    review_fix: ReviewFix => FixOutcome;
    /// Take the last step back.
    review_undo: ReviewId => ReviewView;
    /// Bring the last step back.
    review_redo: ReviewId => ReviewView;
    /// Find a text or the next problem.
    review_find: ReviewFind => FoundCell;
    /// Drafts and saved mappings.
    review_list: Nothing => ReviewList;
    /// Discard a draft.
    review_close: ReviewId => Nothing;
    /// Match documents to rows, with a preview.
    review_documents: ReviewDocuments => DocumentsOutcome;
    /// What a send would do.
    review_send_preview: SendReviewPreview => SendPreview;
    /// Send.
    review_send: SendReview => BatchView;
    /// Save rejected rows of a review or a batch.
    rejects_save: SaveRejects => FileOutcome;
    /// All batches.
    batch_list: Nothing => BatchList;
    /// A batch.
    batch_show: BatchId => BatchView;
    /// A page of its rows.
    batch_rows: BatchRowsRequest => BatchRowsPage;
    /// Cancel what has not been sent yet.
    batch_cancel: BatchId => BatchView;
    /// The outbox in a line.
    outbox_status: Nothing => OutboxStatus;
    /// The audit log.
    audit_list: Nothing => AuditLog;
}

macro_rules! declarations {
    ($config:ident; $($type:ty),+ $(,)?) => {
        [$(("export ".to_owned() + &<$type as TS>::decl($config)),)+]
    };
}

/// The TypeScript bindings, as committed in `ui/src/bindings/operations.ts`.
#[must_use]
pub fn bindings() -> String {
    let config = &Config::new().with_large_int("number");
    let types = declarations![config;
        Nothing, ErrorCode, FieldError, BoundaryError, Coded, TransactionTypeInfo, LineInfo, StateInfo, ReferenceData,
        QuoteLine, QuoteRequest, Sureness, SourceRef, ChargeView, FieldAmount, Difference, NoteSeverity, NoteView,
        StampView, DocumentView, AnsweredBy, QuoteAnswer, CompareRequest, CompareColumn, Comparison, QuotePdfRequest,
        DocumentDownload, FileOutcome, SaveQuote, SavedQuote, QuoteSummary, QuoteList, QuoteId, Draft, Environment,
        ClientType, SignIn, Profile, ProfileView, ProfileList, ProfileId, SetApiKey, SignInRequest, TestStep,
        TestOutcome, TestReport, SecretsStatus, SecretsKind, Theme, Settings, Status, ServiceState, ChooseFile,
        FilePurpose, ChosenFile, OpenAddress, ReviewSource, ReviewStart, ReviewId, ReviewStage, DetectedView,
        ColumnMatch, ValueMatch, ReviewCounts, StateTotal, ReviewTotals, IssueGroupView, ReviewView, ReviewMatch,
        ColumnChange, RowFilter, RowsRequest, CellMark, RowView, RowsPage, CellId, IssueView, CellIssues, CellEdit,
        ReviewEdit, ReviewExclude, ReviewFix, FixChange, FixOutcome, ReviewFind, FoundCell, ReviewSummary, ReviewList,
        ReviewDocuments, DocumentMatch, DocumentsOutcome, SaveRejects, SendScope, SendReview, SendReviewPreview,
        SendPreview, BatchState, RowState, BatchCounts, BatchView, BatchList, BatchId, BatchRowsRequest, RowMessage,
        BatchRow, BatchRowsPage, OutboxStatus, AuditEntry, AuditLog,
    ];
    let names = OPERATIONS.iter().map(|name| format!("  '{name}',\n")).collect::<String>();
    format!(
        "// Made by `cargo xtask codegen` from crates/desk/src/api. Do not edit.\n\n{}\n\n{}\nexport const OPERATIONS = [\n{names}] as const;\n",
        types.join("\n\n"),
        operation_types(config),
    )
}
