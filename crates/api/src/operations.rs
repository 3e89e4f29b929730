//! The list of operations. Handlers, the HTTP host and the TypeScript bindings are generated from it.

use std::collections::BTreeMap;

use ts_rs::{Config, TS, TypeVisitor};

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

        fn visit_operations(visitor: &mut impl TypeVisitor) {
            $(
                visitor.visit::<$request>();
                visitor.visit::<$answer>();
            )+
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
    /// Reference data that the forms need.
    reference_data: Nothing => ReferenceData;
    /// What changed in the tax rules.
    rules_changes: Nothing => RuleChanges;
    /// Which rules are in use, and what a rules pack changed.
    rules_show: Nothing => RulesView;
    /// Use the rules of a pack from a file.
    rules_install: InstallRules => RulesView;
    /// Fetch the newest rules pack from its address, and use its rules.
    rules_fetch: Nothing => RulesView;
    /// Use the built-in rules again.
    rules_reset: Nothing => RulesView;
    /// Where newer versions of the application are listed; nothing is fetched.
    updates_show: Nothing => UpdateView;
    /// Look whether there is a newer version of the application.
    updates_check: Nothing => UpdateView;
    /// Fetch a newer version, have the system install it, and close.
    updates_install: InstallUpdate => Nothing;
    /// What the policy of this computer sets.
    policy_show: Nothing => PolicyView;
    /// What each state charges, was charging and will charge, by the rules in use.
    rates_list: RatesRequest => RateList;
    /// Where the data is that this computer works on.
    office_show: Nothing => OfficeView;
    /// Try the database of an office; nothing is kept.
    office_test: OfficeRequest => OfficeTest;
    /// Work on the database of an office when Bordereau is started next.
    office_use: OfficeRequest => OfficeView;
    /// Work on this computer's own data when Bordereau is started next.
    office_leave: Nothing => OfficeView;
    /// Copy this computer's own data into the workspace that it works on.
    office_copy: Nothing => OfficeCopy;
    /// Keep this computer's key for the file storage of the office in its keychain.
    office_files_key: OfficeFilesKey => OfficeView;
    /// What others changed in the office, as soon as they did.
    office_news: OfficeNewsRequest => OfficeNews;
    /// Who works in the office, and who is at this desk.
    office_people: Nothing => OfficePeople;
    /// Set the name that a person of the office is shown by.
    office_name_save: OfficeName => OfficePeople;
    /// Assign batches, files, events or due dates to a person of the office, or release them.
    work_assign: AssignWork => Nothing;
    /// Status line.
    status_show: Nothing => Status;
    /// What helps to find a fault, to be read before it is shared.
    diagnostics_show: Nothing => Diagnostics;
    /// The same as a file.
    diagnostics_save: Nothing => FileOutcome;
    /// Open the folder of the logs.
    logs_open: Nothing => Nothing;
    /// What a person has to look at now.
    today_show: Nothing => TodayView;
    /// Offline estimate with its explanation.
    quote_estimate: QuoteRequest => QuoteAnswer;
    /// Ask the service; the estimate is returned beside its answer.
    quote_calculate: QuoteRequest => QuoteAnswer;
    /// Up to six states side by side.
    quote_compare: CompareRequest => Comparison;
    /// The premium that a total comes from, by the built-in rules.
    quote_premium_find: PremiumSearch => PremiumSearchResult;
    /// What a canceled policy returns: premium by days, taxes by the built-in rules.
    quote_cancellation: CancellationRequest => CancellationAnswer;
    /// What an endorsement adds or returns: premium by days, taxes by the built-in rules.
    quote_endorsement: EndorsementRequest => EndorsementAnswer;
    /// The payments of a quote, as its sheet says.
    quote_payments_list: QuotePdfRequest => QuotePayments;
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
    /// The pages of a quote's sheet, to look at and to print.
    quote_sheet_show: QuotePdfRequest => QuoteSheet;
    /// Save a quote's sheet and open the person's mail program with it.
    quote_email: QuotePdfRequest => EmailOutcome;
    /// Choose the agency's logo for its sheets, a PNG or JPEG.
    agency_logo_choose: Nothing => Settings;
    /// The templates of the client's sheet.
    sheet_template_list: Nothing => SheetTemplateList;
    /// Make, change or rename a template of the client's sheet.
    sheet_template_save: SheetTemplateSave => SheetTemplateList;
    /// Delete a template of the client's sheet.
    sheet_template_delete: SheetTemplateName => SheetTemplateList;
    /// A template that isn't saved: as TOML, as sections, and the sheet that it makes.
    sheet_template_show: SheetTemplateDraft => SheetTemplateView;
    /// Download a state document's template.
    form_template_download: DocumentDownload => FileOutcome;
    /// The stored draft.
    draft_load: Nothing => Draft;
    /// Store the draft.
    draft_save: QuoteRequest => Draft;
    /// All profiles.
    profile_list: Nothing => ProfileList;
    /// Add or change a profile.
    profile_save: Profile => ProfileView;
    /// Save a profile as a file without secrets, for a colleague.
    profile_export: ProfileId => FileOutcome;
    /// Read a profile from a file.
    profile_open: OpenProfile => OpenedProfile;
    /// Remove a profile and its secrets.
    profile_remove: ProfileId => Nothing;
    /// Use a profile.
    profile_select: ProfileId => ProfileList;
    /// Remember for the active profile who charges the agency fee.
    profile_fee_charged_by_save: FeeChargedByChoice => ProfileView;
    /// Store or remove an API key.
    profile_set_key: SetApiKey => ProfileView;
    /// Sign in.
    profile_sign_in: SignInRequest => ProfileView;
    /// Sign out.
    profile_sign_out: ProfileId => ProfileView;
    /// Test a profile's connection.
    profile_test: ProfileId => TestReport;
    /// Answers of the profile's service that were not understood.
    unread_answers: Nothing => UnreadAnswers;
    /// Save such answers as a file, to send to the provider.
    unread_answers_save: SaveAnswers => FileOutcome;
    /// Forget the answers that were not understood.
    unread_answers_clear: Nothing => Nothing;
    /// State of the keychain.
    secrets_status: Nothing => SecretsStatus;
    /// Agree to keep secrets in memory for this run.
    secrets_use_memory: Nothing => SecretsStatus;
    /// Settings.
    settings_load: Nothing => Settings;
    /// Change settings.
    settings_save: Settings => Settings;
    /// Whether the window is locked, and when it locks.
    lock_status: Nothing => LockStatus;
    /// Lock the window now.
    lock_now: Nothing => LockStatus;
    /// The person is there: the window doesn't lock yet.
    lock_postpone: Nothing => LockStatus;
    /// Unlock the window.
    unlock: UnlockRequest => LockStatus;
    /// Unlock the window by the computer's own sign-in.
    unlock_with_system: Nothing => LockStatus;
    /// Switch the lock of the window on or off.
    lock_change: ChangeLock => LockStatus;
    /// Choose a file.
    choose_file: ChooseFile => ChosenFile;
    /// Open a source in the browser.
    open_address: OpenAddress => Nothing;
    /// Start a review: read a file, a paste, or what came back from a batch.
    review_start: ReviewStart => ReviewView;
    /// The current state of a review.
    review_state: ReviewId => ReviewView;
    /// Answer questions, match columns and values.
    review_match: ReviewMatch => ReviewView;
    /// Save a review's mapping as a file.
    mapping_save: ReviewId => FileOutcome;
    /// Use a mapping file in a review.
    mapping_open: ReviewId => MappingOpened;
    /// Read a workbook again whose reading did not come to its end.
    review_read_again: ReviewId => ReviewView;
    /// A page of rows.
    review_rows: RowsRequest => RowsPage;
    /// Issues of a cell or row, as sentences.
    review_issues: CellId => CellIssues;
    /// Edit cells: one step of undo.
    review_edit: ReviewEdit => ReviewView;
    /// Clear, fill or paste into ranges: one step of undo.
    review_areas: ReviewAreas => FixOutcome;
    /// Count, sum and average of ranges.
    review_figures: ReviewFigures => CellFigures;
    /// The date of a cell, and a date as its column writes it.
    review_date: CellDateRequest => CellDate;
    /// Leave rows out or take them in again.
    review_exclude: ReviewExclude => ExcludeOutcome;
    /// Repair one or a group, with a preview.
    review_fix: ReviewFix => FixOutcome;
    /// Keep warnings with a reason, or open them again.
    review_keep: ReviewKeep => ReviewView;
    /// Take the last step back.
    review_undo: ReviewUndo => ReviewView;
    /// Bring the last step back.
    review_redo: ReviewUndo => ReviewView;
    /// Find a text or the next problem.
    review_find: ReviewFind => FoundCell;
    /// Find the edge of the data in a column.
    review_edge: ReviewEdge => FoundCell;
    /// The values of a column.
    review_values: ReviewValues => ColumnValues;
    /// Replace a text, or preview that.
    review_replace: ReviewReplace => FixOutcome;
    /// Drafts and saved mappings.
    review_list: Nothing => ReviewList;
    /// Discard a draft.
    review_close: ReviewId => Nothing;
    /// How the columns of the grid are arranged for a mapping.
    grid_layout: MappingName => GridLayout;
    /// Keep how they are arranged.
    grid_layout_save: SaveGridLayout => GridLayout;
    /// Copy a saved mapping, or give it another name.
    mapping_copy: MappingCopy => Nothing;
    /// Remove a saved mapping.
    mapping_remove: MappingName => Nothing;
    /// Save the mapping of a file; one with the same name becomes an earlier version.
    mapping_add: MappingAdd => MappingAdded;
    /// Save a saved mapping as a file.
    mapping_export: MappingName => FileOutcome;
    /// The folder that is watched, and what came of it.
    watch_state: Nothing => WatchView;
    /// Choose a folder whose new spreadsheets become drafts.
    watch_choose: Nothing => WatchView;
    /// Watch no folder.
    watch_end: Nothing => WatchView;
    /// What a saved mapping was before.
    mapping_versions: MappingName => MappingVersions;
    /// Put an earlier version of a mapping into its place.
    mapping_restore: MappingRestore => Nothing;
    /// Match documents to rows, with a preview.
    review_documents: ReviewDocuments => DocumentsOutcome;
    /// Preview a send.
    review_send_preview: SendReviewPreview => SendPreview;
    /// The draft that was made of a quote, and when it was sent.
    quote_filing: QuoteRequest => QuoteFiling;
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
    /// What the service said of its rows, grouped by cause.
    batch_causes: BatchId => BatchCauses;
    /// Results of a batch by the service's own number, whoever sent it.
    batch_lookup: BatchLookupRequest => BatchLookup;
    /// Cancel what has not been sent yet.
    batch_cancel: BatchId => BatchView;
    /// Say of a batch whose answer was lost whether it arrived.
    batch_decide: BatchDecision => BatchView;
    /// The outbox in a line.
    outbox_status: Nothing => OutboxStatus;
    /// Backups, checks of the data file, and what endangers it.
    backup_list: Nothing => DataSafety;
    /// Make a backup now.
    backup_make: Nothing => DataSafety;
    /// Check a backup from end to end.
    backup_check: BackupName => CheckedBackup;
    /// Have a backup take the place of the data file at the next start.
    backup_restore: BackupName => DataSafety;
    /// Have a backup from a file take the place of the data file at the next start.
    backup_restore_file: RecoveryKey => DataSafety;
    /// Save the key that opens sealed backups on another computer.
    recovery_key_save: Nothing => FileOutcome;
    /// Check the data file from end to end.
    data_check: Nothing => DataSafety;
    /// Have the data folder encrypted at the next start.
    data_encrypt: Nothing => DataSafety;
    /// Have the encryption of the data folder taken away at the next start.
    data_decrypt: Nothing => DataSafety;
    /// Save everything as open files.
    data_export: Nothing => DataExport;
    /// Count what erasing an insured or a year would remove.
    data_erase_preview: EraseRequest => EraseView;
    /// Erase an insured or a year from this computer.
    data_erase: EraseRequest => EraseView;
    /// How long data of the profile in use stays on this computer.
    data_retention: Nothing => RetentionView;
    /// Count what these rules would delete now.
    data_retention_preview: RetentionRules => RetentionView;
    /// Save the rules of the profile in use and delete what they say.
    data_retention_save: RetentionRules => RetentionView;
    /// Say that no other copy of this data folder sends.
    only_copy_confirm: Nothing => DataSafety;
    /// The audit log.
    audit_list: Nothing => AuditLog;
    /// Save the audit log as a table, as a document, or its head.
    audit_export: AuditExport => FileOutcome;
    /// Compare the audit log with a head that was saved before.
    audit_check_head: AuditHeadFile => AuditHeadCheck;
    /// A page of events, unread first.
    events_list: EventsRequest => EventsPage;
    /// All that is known of an event.
    events_detail: EventId => EventDetail;
    /// Mark events read or unread.
    events_mark: EventsMark => EventsStatus;
    /// The inbox in a line.
    events_status: Nothing => EventsStatus;
    /// The inbox in a line, as soon as there are news.
    events_news: EventsNews => EventsStatus;
    /// Deliveries that were refused.
    events_refused: Nothing => RefusedList;
    /// Settings of receiving events and notifications.
    events_settings: Nothing => EventsSettings;
    /// Change the settings of receiving events and notifications.
    events_settings_save: EventsSettingsChange => EventsSettings;
    /// Receive events: switch the receiver on and have the service's webhook point here.
    events_subscribe: Nothing => EventsSettings;
    /// Remove the webhook that points here.
    events_unsubscribe: Nothing => EventsSettings;
    /// Store the secret and the header of a webhook that was set up at the provider.
    events_secret: SetEventsSecret => EventsSettings;
    /// Follow a listener on a server, or no longer.
    events_follow: FollowListener => EventsSettings;
    /// The service's own notices about deliveries that it gave up.
    events_notices: Nothing => TrayNotices;
    /// Have the service send a delivery again.
    events_send_again: SendAgain => Nothing;
    /// Every webhook of the account.
    webhook_list: Nothing => WebhookList;
    /// Add a webhook or change one; the secret of a new one is in this answer only.
    webhook_save: SaveWebhook => WebhookSaved;
    /// Make a new secret for a webhook; the old one stops working at once.
    webhook_new_secret: WebhookId => WebhookSaved;
    /// Remove a webhook and what waits for it.
    webhook_remove: WebhookId => WebhookList;
    /// Have a test delivered to a webhook at once.
    webhook_try: WebhookId => DeliveryTry;
    /// Deliveries of a webhook, the newest first.
    deliveries_list: DeliveriesRequest => DeliveriesPage;
    /// A delivery's body and every attempt with its answer.
    delivery_log: DeliveryId => DeliveryLog;
    /// The practice service behind the scenes: clock, faults, queue, mail, notices.
    practice_show: Nothing => PracticeState;
    /// Simulate the state's decisions or service failures.
    practice_act: PracticeAct => PracticeOutcome;
    /// A window of the transactions that match, from the index on this computer.
    transactions_search: TransactionsSearch => TransactionsPage;
    /// Totals, facets and chart sums of all that match.
    transactions_summary: TransactionsFilter => TransactionsSummary;
    /// Sums of some rows of a search.
    transactions_sum: TransactionsSum => TransactionTotals;
    /// Start fetching what may have changed.
    transactions_refresh: TransactionsRefresh => RefreshState;
    /// The current state of the refresh.
    transactions_refresh_state: Nothing => RefreshState;
    /// Cancel the refresh; what was fetched is kept.
    transactions_refresh_cancel: Nothing => RefreshState;
    /// What the index holds, and when each day was fetched.
    transactions_overview: Nothing => TransactionsOverview;
    /// The person looks at the transactions now.
    transactions_visit: Nothing => TransactionsOverview;
    /// Everything about one transaction.
    transaction_detail: TransactionId => TransactionDetail;
    /// Ask the service for one transaction.
    transaction_status: TransactionQuestion => TransactionDetail;
    /// Saved searches.
    searches_list: Nothing => SavedSearches;
    /// Save a search.
    search_save: SavedSearch => SavedSearches;
    /// Remove a saved search.
    search_remove: SearchName => SavedSearches;
    /// Export search results as CSV or XLSX.
    transactions_export: TransactionsExport => FileOutcome;
    /// The file of transactions that is being written.
    transactions_export_state: Nothing => ExportState;
    /// End writing the file of transactions; nothing of it stays.
    transactions_export_cancel: Nothing => ExportState;
    /// Look at files before anything is stored or sent.
    documents_inspect: FileInspectionRequest => FileInspection;
    /// Choose files by a dialog.
    documents_choose: Nothing => ChosenFiles;
    /// Where documents and forms go now, and the word to type for it.
    confirmation_show: Nothing => SendConfirmation;
    /// Upload documents to a transaction: stored first, then sent.
    documents_upload: DocumentsUpload => DocumentsQueued;
    /// The queue of uploads.
    documents_queue: Nothing => UploadQueue;
    /// Take an upload back that was not begun.
    upload_cancel: UploadId => UploadQueue;
    /// Send an upload again that was refused or canceled.
    upload_retry: UploadRetry => UploadQueue;
    /// Say of an upload whose answer was lost that it arrived, that it is sent again, or that it is looked for once more.
    upload_decide: UploadDecision => UploadQueue;
    /// Everything that is still missing.
    documents_missing: MissingRequest => MissingList;
    /// The documents of one transaction: stored, required, being sent.
    transaction_documents: DocumentTarget => TransactionDocuments;
    /// Download a document of a transaction.
    transaction_document_download: KeptDocumentId => FileOutcome;
    /// Download a document and open it with the system's program; one that can carry macros once that is confirmed.
    transaction_document_open: OpenDocument => DocumentOpened;
    /// Documents that are being fetched, and how far.
    transaction_documents_fetching: Nothing => DocumentDownloads;
    /// End fetching a document; nothing of it stays.
    transaction_document_download_cancel: KeptDocumentId => DocumentDownloads;
    /// A state's diligent effort requirements, its forms, and carriers that declined before.
    form_list: FormsQuestion => FormList;
    /// Begin forms from a quote or a transaction.
    form_prefill: FormsPrefill => FormsRequest;
    /// Invalid and missing values of each form.
    form_check: FormsRequest => FormsCheck;
    /// Fill forms, by the service where it answers.
    form_fill: FormsRequest => FilledForms;
    /// Save a filled form.
    form_save: FormHandle => FileOutcome;
    /// Open a filled form with the system's program, to print it.
    form_print: FormHandle => Nothing;
    /// Upload a filled form to its transaction.
    form_upload: FormUpload => UploadView;
    /// Due dates of filings and payments.
    due_list: DueRequest => DueList;
    /// Save the due dates as an iCalendar file.
    due_export_ics: DueRequest => FileOutcome;
    /// Mark a due date as done or as not ours, or note something about it.
    due_mark: DueMark => DueMarkSaved;
}

/// The declarations of types in TypeScript, by name.
struct Declarations<'c> {
    config: &'c Config,
    by_name: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations<'_> {
    /// Adds a type, and those that it is made of.
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Types without a path are built into TypeScript.
        if T::output_path().is_some() {
            let declaration = format!("export {}", T::decl(self.config));
            if self.by_name.insert(T::ident(self.config), declaration).is_some() {
                return;
            }
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

/// Values that both sides need: the settings until the stored ones are there, choices and limits.
fn constants(config: &Config) -> String {
    // Plain texts, numbers and lists always serialize.
    let settings = serde_json::to_string_pretty(&crate::Settings::default()).unwrap_or_default();
    let list = |values: [u32; 4]| values.map(|value| value.to_string()).join(", ");
    let constants = [
        ("DUE_NOTICE_DAYS: readonly number[]", format!("[{}]", list(crate::DUE_NOTICE_DAYS))),
        ("LOCK_MINUTES: readonly number[]", format!("[{}]", list(crate::LOCK_MINUTES))),
        ("PASSPHRASE_CHARS_MIN", crate::PASSPHRASE_CHARS_MIN.to_string()),
        ("COMPARED_STATES_MAX", crate::COMPARED_STATES_MAX.to_string()),
    ];
    let constants = constants.map(|(name, value)| format!("export const {name} = {value};\n")).concat();
    let of_type = crate::Settings::ident(config);
    format!("export const DEFAULT_SETTINGS: {of_type} = {settings};\n{constants}")
}

/// The TypeScript bindings, as committed in `ui/src/bindings/operations.ts`.
pub fn typescript_bindings() -> String {
    let config = &Config::new().with_large_int("number");
    let mut declarations = Declarations { config, by_name: BTreeMap::new() };
    declarations.visit::<BoundaryError>();
    visit_operations(&mut declarations);
    let types: Vec<String> = declarations.by_name.into_values().collect();
    let names = OPERATIONS.iter().map(|name| format!("  '{name}',\n")).collect::<String>();
    format!(
        "// Made by `cargo xtask codegen` from crates/api/src. Do not edit.\n\n{}\n\n{}\nexport const OPERATIONS = [\n{names}] as const;\n\n{}",
        types.join("\n\n"),
        operation_types(config),
        constants(config),
    )
}
