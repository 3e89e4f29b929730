// Made by `cargo xtask codegen` from crates/api/src. Do not edit.

export type AccountRole = "agency_administrator" | "filing_agency_administrator" | "support" | "user";

export type AnswerHeader = { name: string, value: string, };

export type AnsweredBy = "estimate" | "service";

export type AreaChange = { area: CellArea, content: AreaContent, };

export type AreaContent = { "kind": "text", text: string, } | { "kind": "copy", area: CellArea, };

export type AssignWork = { kind: WorkKind, ids: Array<string>, 
/**
 * Name of the person; empty for nobody.
 */
person: string, 
/**
 * A note in place of the one that is there; null leaves that.
 */
note: string | null, };

export type Assignment = { 
/**
 * Their name in the office; empty where there is only a note.
 */
person: string, 
/**
 * A note; empty for none.
 */
note: string, 
/**
 * Who said so.
 */
by: string, 
/**
 * RFC 3339 UTC.
 */
at: string, };

export type AuditEntry = { 
/**
 * Number, from 1.
 */
number: number, 
/**
 * RFC 3339 UTC.
 */
at: string, 
/**
 * Account name of the person.
 */
by: string, 
/**
 * What was done.
 */
text: string, 
/**
 * Hash of this entry and the one before, hexadecimal.
 */
hash: string, 
/**
 * Who the office's database says wrote it; empty in a data folder.
 */
signed_by: string, };

export type AuditExport = { 
/**
 * The form.
 */
kind: AuditExportKind, };

export type AuditExportKind = "csv" | "pdf" | "head";

export type AuditHead = { 
/**
 * Day of the entry in UTC, ISO.
 */
day: string, 
/**
 * Its number.
 */
number: number, 
/**
 * Its hash, hexadecimal.
 */
hash: string, };

export type AuditHeadCheck = { 
/**
 * The head, or null when the person canceled.
 */
head: AuditHead | null, 
/**
 * Everything up to it is as it was.
 */
holds: boolean, 
/**
 * In a sentence.
 */
message: string, };

export type AuditHeadFile = { 
/**
 * Its handle; empty asks with the open dialog.
 */
handle: string, };

export type AuditLog = { entries: Array<AuditEntry>, 
/**
 * The chain of hashes holds, here and in what was copied.
 */
intact: boolean, 
/**
 * The logs of data folders that were copied into an office's workspace, log by log.
 */
copied: Array<AuditEntry>, };

export type AutoRefresh = "off" | "on" | "stopped";

export type BackupName = { name: string, };

export type BackupView = { name: string, 
/**
 * When it was made; RFC 3339, UTC.
 */
made_at: string, 
/**
 * Its size.
 */
bytes: number, 
/**
 * Whether it is sealed with a key from the keychain.
 */
sealed: boolean, };

export type BatchCauses = { causes: Array<RowCause>, };

export type BatchCounts = { 
/**
 * Number of transactions.
 */
total: number, 
/**
 * Not yet answered.
 */
pending: number, 
/**
 * Taken without a remark.
 */
accepted: number, 
/**
 * Taken with warnings.
 */
warning: number, 
/**
 * Refused.
 */
error: number, 
/**
 * Kept as incomplete.
 */
saved_incomplete: number, 
/**
 * Never sent.
 */
not_sent: number, };

export type BatchDecision = { 
/**
 * Id on this computer.
 */
id: string, decision: LostDecision, 
/**
 * The service's number of the batch, if its portal shows one: its results are then fetched. Else empty.
 */
batch_number: string, 
/**
 * Word typed where production asks for one before something is sent again; empty elsewhere.
 */
typed: string, };

export type BatchId = { 
/**
 * Id on this computer.
 */
id: string, };

export type BatchList = { batches: Array<BatchView>, };

export type BatchLookup = { 
/**
 * The number asked for.
 */
number: string, 
/**
 * Profile whose service was asked.
 */
profile: string, 
/**
 * Its status, in the service's word.
 */
status: string, 
/**
 * Local id of the batch, where it was sent from here.
 */
batch: string | null, 
/**
 * Transactions that it names.
 */
total: number, 
/**
 * At most the first 1,000.
 */
rows: Array<LookedUpRow>, 
/**
 * Members of the answer that cannot be read.
 */
unreadable: number, };

export type BatchLookupRequest = { 
/**
 * The service's number of the batch, as typed.
 */
number: string, };

export type BatchRow = { 
/**
 * The transaction's own id, as sent.
 */
id: string, 
/**
 * Line of the file it came from.
 */
line: number, policy_number: string, insured: string, 
/**
 * State code of two letters, such as `TX`.
 */
state: string, transaction_type: string, 
/**
 * Premium in USD, such as `1250.50`.
 */
premium: string, row_state: RowState, 
/**
 * How far it is known to be.
 */
stage: DeliveryStage, 
/**
 * Why that is known; null before the service was asked.
 */
evidence: StageEvidence | null, 
/**
 * The service's number, or null.
 */
transaction_id: string | null, messages: Array<RowMessage>, 
/**
 * Warnings that were acknowledged with a reason.
 */
kept: Array<KeptWarning>, 
/**
 * Fields of those messages that missed a document which was uploaded since.
 */
uploaded: Array<string>, };

export type BatchRowsPage = { 
/**
 * Number of rows in the requested state.
 */
total: number, rows: Array<BatchRow>, };

export type BatchRowsRequest = { 
/**
 * Id on this computer.
 */
id: string, 
/**
 * Only rows in this state; null for all.
 */
state: RowState | null, 
/**
 * Only rows with a message of this cause; empty for all.
 */
cause: string, 
/**
 * First row of the page.
 */
from: number, 
/**
 * At most 500.
 */
count: number, };

export type BatchState = "queued" | "sending" | "unknown" | "accepted" | "processing" | "processed" | "failed" | "canceled";

export type BatchView = { 
/**
 * Id on this computer.
 */
id: string, 
/**
 * Name: that of the file.
 */
name: string, state: BatchState, counts: BatchCounts, 
/**
 * Premium and taxes sent.
 */
totals: ReviewTotals, profile: string, environment: Environment, 
/**
 * The service's batch ids, one per part.
 */
batch_ids: Array<string>, 
/**
 * The batch this one corrects, or null.
 */
corrects: string | null, 
/**
 * Who sent it: name of the person's account on this machine.
 */
by: string, 
/**
 * RFC 3339 UTC.
 */
created_at: string, 
/**
 * RFC 3339 UTC, or null.
 */
ended_at: string | null, 
/**
 * Transactions answered per second, or null.
 */
per_second: number | null, 
/**
 * Seconds left, or null when not known.
 */
seconds_left: number | null, 
/**
 * The last failure, as a sentence; empty for none.
 */
trouble: string, can_cancel: boolean, 
/**
 * An answer was lost and the service cannot be asked: a person must decide whether it arrived; `trouble` is the
 * question.
 */
asks: boolean, 
/**
 * Work on it continues without the person.
 */
goes_on: boolean, 
/**
 * Why its state is known, in the order of its parts.
 */
evidence: Array<StageEvidence>, 
/**
 * Rows to be corrected: rejected, stored as incomplete or not sent, and not sent again since.
 */
to_correct: number, 
/**
 * Rows accepted with a warning that nobody acknowledged, and not sent again since.
 */
open_warnings: number, 
/**
 * One transaction that was entered by hand and sent as a single import.
 */
is_single: boolean, 
/**
 * The draft it was sent from, while that is there; null else.
 */
draft: string | null, 
/**
 * Who of the office does it, or null.
 */
assigned: Assignment | null, };

export type BoundaryError = { 
/**
 * The kind of error.
 */
code: ErrorCode, 
/**
 * A sentence on what happened, or what is wrong with the data; no secrets, and nothing that a shell names, such
 * as a button, a menu or a command.
 */
message: string, 
/**
 * Fields at fault; empty when no field is at fault.
 */
details: Array<FieldError>, 
/**
 * Whether the same request may work later.
 */
retryable: boolean, 
/**
 * What is there now, where someone else changed it: a save with this revision replaces theirs.
 */
revision?: string, };

export type CancellationAnswer = { 
/**
 * `yyyy-mm-dd`.
 */
effective: string, 
/**
 * `yyyy-mm-dd`.
 */
expires: string, 
/**
 * `yyyy-mm-dd`.
 */
canceled_on: string, 
/**
 * Days of the policy.
 */
days: number, 
/**
 * Days from the cancellation to the end.
 */
days_left: number, 
/**
 * Part of the premium that goes back, such as `0.748`; before the minimum earned premium.
 */
factor: string, 
/**
 * Canceled on its first day: everything goes back.
 */
flat: boolean, 
/**
 * What is earned at least, USD, where it left less to return; else null.
 */
minimum_earned: string | null, lines: Array<ReturnedLine>, 
/**
 * All lines, USD.
 */
premium: string, 
/**
 * All lines, USD.
 */
earned: string, 
/**
 * All lines, USD.
 */
returned: string, 
/**
 * The question of the credit, with the returned premiums.
 */
request: QuoteRequest, 
/**
 * Its estimate by the built-in rules.
 */
answer: QuoteAnswer, };

export type CancellationRequest = { 
/**
 * The policy as it was quoted. Its effective date, `sheet.policy_expires` (empty: a year later) and
 * `sheet.minimum_earned` count.
 */
request: QuoteRequest, 
/**
 * Day on which it ends, as typed.
 */
canceled_on: string, method: ReturnMethod, 
/**
 * Short rate: percent of the pro rata return that stays with the carrier, as typed; empty is 10%.
 */
penalty: string, 
/**
 * The factor has three decimals, as in printed tables.
 */
three_decimals: boolean, };

export type CellArea = { 
/**
 * Place of its first row among the rows shown.
 */
first: number, 
/**
 * Place of its last row; beyond the end is the end.
 */
last: number, 
/**
 * Columns of the table, in the order in which they are shown.
 */
columns: Array<number>, };

export type CellDate = { 
/**
 * What the cell says, `yyyy-mm-dd`; null where it says no date.
 */
date: string | null, 
/**
 * The date that was asked for, as the column writes dates; empty without one.
 */
text: string, };

export type CellDateRequest = { id: string, 
/**
 * Row of the table.
 */
row: number, 
/**
 * Column of the table.
 */
column: number, 
/**
 * The date to write, `yyyy-mm-dd`; empty to read the cell alone.
 */
date: string, };

export type CellEdit = { 
/**
 * Row of the table; rows beyond the end are added.
 */
row: number, 
/**
 * Column of the table.
 */
column: number, 
/**
 * New text.
 */
text: string, };

export type CellFigures = { 
/**
 * Cells with a value.
 */
filled: number, 
/**
 * Those of them that are amounts.
 */
amounts: number, 
/**
 * USD.
 */
sum: string, 
/**
 * USD to the cent, half a cent away from zero; `0.00` without an amount.
 */
average: string, };

export type CellId = { id: string, 
/**
 * Row of the table.
 */
row: number, 
/**
 * Column, or null for issues of the row.
 */
column: number | null, };

export type CellIssues = { 
/**
 * Issues, errors first.
 */
issues: Array<IssueView>, };

export type CellMark = { 
/**
 * Column of the table; null for the row itself.
 */
column: number | null, 
/**
 * `error`, `warning` or `kept`.
 */
severity: string, code: string, };

export type ChangeLock = { 
/**
 * One of `LOCK_MINUTES`; 0 switches it off and forgets the passphrase.
 */
minutes: number, 
/**
 * The passphrase in use; empty where there is none.
 */
current: string, 
/**
 * The new one; empty keeps the one in use.
 */
passphrase: string, };

export type ChargeRowsRule = { 
/**
 * Column of the table that says what each amount is for.
 */
charge: number, 
/**
 * Column of the table with the amounts.
 */
amount: number, 
/**
 * Whether the premium's words are the transaction's type as well, as `NB` beside `SLT`.
 */
is_type: boolean, 
/**
 * A request without words gets those that are known.
 */
words: Array<ChargeWord>, };

export type ChargeView = { 
/**
 * The contract's field, such as `sl_tax`.
 */
field: string, 
/**
 * Kind as in the rule file.
 */
kind: string, 
/**
 * Title as the service gives it, else as the rules do.
 */
title: string, 
/**
 * What it is on: `premium $2,800.00`, `40% of premium $2,000.00`.
 */
on: string, 
/**
 * `3.5%` or `flat`.
 */
rate: string, 
/**
 * Amount in USD, such as `48.50`.
 */
amount: string, 
/**
 * One line that recomputes the amount.
 */
explanation: string, 
/**
 * In force since, `yyyy-mm-dd`, or null when not found.
 */
from: string | null, 
/**
 * In force until, or null.
 */
until: string | null, 
/**
 * Which date decided.
 */
dated_by: string, 
/**
 * Line codes it is on.
 */
lines: Array<string>, sources: Array<SourceRef>, 
/**
 * How reliable the source is.
 */
sureness: Confidence, 
/**
 * How reliable the source is, as a sentence.
 */
checked: string, 
/**
 * Remark of the rule.
 */
note: string | null, };

export type ChargeWord = { 
/**
 * The text of the file, in upper or lower case.
 */
word: string, 
/**
 * The contract's field; null where nobody has chosen one, or the amounts are not imported.
 */
field: string | null, 
/**
 * Whether the amounts are not imported.
 */
ignored: boolean, 
/**
 * Rows that have it; of no matter in a request.
 */
rows: number, };

export type ChartBar = { 
/**
 * Member of the filter it sets: `states`, `months`, `statuses`.
 */
facet: string, 
/**
 * Value it sets.
 */
value: string, 
/**
 * Title, as shown.
 */
title: string, 
/**
 * Number of transactions.
 */
count: number, 
/**
 * Premium in USD, such as `1250.50`.
 */
premium: string, 
/**
 * Taxes in USD.
 */
taxes: string, 
/**
 * Longest bar of its chart is 1000 or -1000: premium.
 */
premium_share: number, 
/**
 * The same of taxes.
 */
taxes_share: number, 
/**
 * The same of the number of transactions.
 */
count_share: number, };

export type CheckedBackup = { name: string, batches: number, rows: number, 
/**
 * Documents in it that wait to be uploaded.
 */
documents: number, };

export type ChooseFile = { 
/**
 * The purpose, which decides title and filter.
 */
purpose: FilePurpose, };

export type ChosenFile = { 
/**
 * Its handle; empty when the person canceled.
 */
handle: string, 
/**
 * Its name, without its folder.
 */
name: string, };

export type ChosenFiles = { 
/**
 * Handles; empty when the person canceled.
 */
handles: Array<string>, };

export type ClientType = "enterprise" | "outsourced";

export type ColumnChange = { 
/**
 * Column of the table.
 */
column: number, 
/**
 * Field, or null to leave it out.
 */
field: string | null, };

export type ColumnFilter = { 
/**
 * Column of the table.
 */
column: number, 
/**
 * Text within the cell, in any case; empty for every text.
 */
text: string, 
/**
 * The cell is one of these; an empty list for every value, an empty text for cells without one.
 */
values: Array<string>, };

export type ColumnMatch = { 
/**
 * Column of the table.
 */
column: number, 
/**
 * Letters such as `AB`.
 */
letters: string, 
/**
 * Header as found.
 */
header: string, 
/**
 * The contract's field, or null where the column is ignored.
 */
field: string | null, 
/**
 * Why: `template`, `remembered`, `name`, `content`, `chosen`, `added` for a place that is not in the file,
 * `rule` for one that a rule of the mapping fills, `in_rule` for one that a rule takes its values from, or empty.
 */
reason: string, 
/**
 * Up to three values as found.
 */
examples: Array<string>, 
/**
 * Whether no row has a value or an issue in it.
 */
is_blank: boolean, 
/**
 * What it may be, where no field is matched.
 */
proposed: ProposedField | null, };

export type ColumnMergeRule = { 
/**
 * Columns of the table, in order.
 */
columns: Array<number>, 
/**
 * What is put between them.
 */
separator: string, 
/**
 * The contract's field.
 */
field: string, 
/**
 * What it is in the first rows; of no matter in a request.
 */
examples: Array<string>, };

export type ColumnRuleSet = { defaults: Array<FieldDefault>, splits: Array<ColumnSplitRule>, merges: Array<ColumnMergeRule>, charges: Array<ChargeRowsRule>, lines: Array<LinePremiumsRule>, };

export type ColumnSort = { 
/**
 * Column of the table.
 */
column: number, descending: boolean, };

export type ColumnSplitRule = { 
/**
 * Column of the table.
 */
column: number, method: SplitMethod, separators: Array<string>, positions: Array<number>, parts: Array<SplitPart>, 
/**
 * Rows whose text has fewer parts; of no matter in a request.
 */
short_rows: number, };

export type ColumnValue = { 
/**
 * Text of the cell without blanks around it; empty for cells without one.
 */
text: string, 
/**
 * Rows that have it.
 */
rows: number, };

export type ColumnValues = { 
/**
 * The first five hundred.
 */
values: Array<ColumnValue>, 
/**
 * Whether there are more.
 */
has_more: boolean, };

export type CompareColumn = { 
/**
 * State code of two letters, such as `TX`.
 */
state: string, answer: QuoteAnswer | null, error: BoundaryError | null, };

export type CompareRequest = { 
/**
 * The question; its own state is ignored.
 */
request: QuoteRequest, 
/**
 * Two letters each, at most six.
 */
states: Array<string>, 
/**
 * From the rules, without the service.
 */
offline: boolean, };

export type ComparedAmount = { 
/**
 * The contract's name; `total` for the sum.
 */
field: string, 
/**
 * Title, as shown.
 */
title: string, 
/**
 * USD, as this desk sent it, or null.
 */
provided: string | null, 
/**
 * USD, by the built-in rules, or null.
 */
calculated: string | null, 
/**
 * USD, as the record has it, or null.
 */
invoiced: string | null, 
/**
 * USD, of what is marked paid, or null.
 */
paid: string | null, 
/**
 * They are not all the same.
 */
differs: boolean, 
/**
 * Explanation of the calculated amount.
 */
why: Array<ChargeView>, };

export type Comparison = { 
/**
 * In the order asked.
 */
columns: Array<CompareColumn>, };

export type Confidence = "confirmed" | "announced" | "secondary" | "older" | "conflicting" | "not_found";

export type CopiedName = { 
/**
 * `profile`, `mapping` or `search`.
 */
kind: string, 
/**
 * Its name where it comes from.
 */
name: string, 
/**
 * Its name there.
 */
new_name: string, };

export type DataExport = { 
/**
 * Whether it was written; the person may have canceled.
 */
saved: boolean, folder_name: string, 
/**
 * Tables, each as CSV and JSON.
 */
tables: number, rows: number, 
/**
 * Documents, each as a file.
 */
documents: number, };

export type DataSafety = { 
/**
 * Newest first.
 */
backups: Array<BackupView>, 
/**
 * Whether backups are sealed, in a sentence.
 */
sealing: string, encryption: FolderEncryption, 
/**
 * Whether the data folder is encrypted, in a sentence.
 */
encryption_text: string, 
/**
 * Whether a keychain keeps the key that backups are sealed with.
 */
has_keychain: boolean, 
/**
 * When the recovery key was saved; empty where it was not.
 */
recovery_key_saved_at: string, 
/**
 * When the data file was last checked from end to end; empty where it was not yet.
 */
checked_at: string, 
/**
 * The data file is damaged: what to do, in a sentence. Empty where it is sound.
 */
damage: string, 
/**
 * The data folder cannot be written: why, in a sentence. Empty where it can.
 */
obstacle: string, 
/**
 * Who else on this computer can open the data folder, in a sentence; empty where nobody can.
 */
exposure: string, 
/**
 * Since when it is known that this data folder is a copy, or was restored; empty where it is not.
 */
copied_at: string, 
/**
 * A backup is restored when Bordereau is closed and opened again.
 */
staged: boolean, };

export type DayRange = { 
/**
 * `yyyy-mm-dd`, or empty.
 */
from: string, 
/**
 * `yyyy-mm-dd`, or empty.
 */
to: string, };

export type DefaultPaths = { token_path: string, calculator_path: string, import_path: string, results_path: string, search_path: string, status_path: string, documents_path: string, forms_path: string, single_path: string, webhooks_path: string, };

export type DeliveriesPage = { 
/**
 * The newest first.
 */
deliveries: Array<DeliveryView>, 
/**
 * Whether there are more than requested.
 */
more: boolean, };

export type DeliveriesRequest = { webhook: string, 
/**
 * Only those with this status, or null.
 */
state: DeliveryStatus | null, 
/**
 * How many at most; 10,000 at the most.
 */
count: number, };

export type DeliveryId = { 
/**
 * Its number.
 */
id: string, };

export type DeliveryLog = { delivery: DeliveryView, 
/**
 * The body, indented where it is JSON; of a long one its beginning.
 */
body: string, 
/**
 * Bytes of the whole body.
 */
bytes: number, 
/**
 * Every attempt of every round, the newest first.
 */
tries: Array<DeliveryTry>, };

export type DeliveryProofKind = "signature" | "header_pair";

export type DeliveryStage = "not_sent" | "on_its_way" | "received" | "valid" | "processed" | "filed" | "unknown" | "refused";

export type DeliveryStatus = "waiting" | "delivered" | "failed" | "unknown";

export type DeliveryTry = { 
/**
 * RFC 3339 UTC when it ended, by the service's clock.
 */
at: string, 
/**
 * Status of the answer, or null.
 */
response_status: number | null, 
/**
 * Beginning of the answer.
 */
response_body: string, 
/**
 * Why it failed, as a sentence; empty for success.
 */
error: string, 
/**
 * How long it took.
 */
milliseconds: number, };

export type DeliveryView = { 
/**
 * The service's number.
 */
id: string, 
/**
 * Identifier of the event.
 */
event: string, 
/**
 * Title of the event; the identifier where it is not known.
 */
title: string, 
/**
 * Its subject, such as `transaction 17`.
 */
subject: string, 
/**
 * `event_id` of its body.
 */
event_id: string, state: DeliveryStatus, 
/**
 * Attempts of this round.
 */
attempts: number, 
/**
 * RFC 3339 UTC, by the service's clock.
 */
created_at: string, 
/**
 * RFC 3339 UTC of the next attempt by the service's clock, while it waits.
 */
next_attempt_at: string | null, 
/**
 * RFC 3339 UTC when it was delivered or given up.
 */
finished_at: string | null, 
/**
 * Status of the last answer.
 */
response_status: number | null, 
/**
 * Why there was no answer or why it is no success, as a sentence; empty for none.
 */
error: string, };

export type DetectedView = { 
/**
 * `delimiter`, `encoding`, `header_row`, `decimal_mark`, `date_order`, `sheet`, `row_amounts` or `grouping`.
 */
what: string, 
/**
 * Title as people read it.
 */
title: string, 
/**
 * Value in force; null is an open question that the person has to answer.
 */
value: string | null, 
/**
 * What in the file led to this.
 */
evidence: string, 
/**
 * What can be chosen.
 */
choices: Array<NamedCode>, };

export type Diagnostics = { 
/**
 * Lines of text.
 */
text: string, };

export type Difference = { 
/**
 * The contract's field.
 */
field: string, title: string, 
/**
 * USD, our estimate.
 */
estimate: string, 
/**
 * USD, the service's answer; none where it gave no amount.
 */
service: string | null, 
/**
 * USD, service minus estimate; no amount counts as zero.
 */
difference: string, };

export type DocumentDownload = { 
/**
 * The question; asked again for a fresh one-minute link.
 */
request: QuoteRequest, 
/**
 * Key of the document in the answer.
 */
key: string, };

export type DocumentDownloads = { 
/**
 * In the order they were requested.
 */
downloads: Array<DownloadView>, };

export type DocumentMatch = { file_name: string, bytes: number, 
/**
 * SHA-256 of the content, hexadecimal.
 */
sha256: string, 
/**
 * Document code, such as `POLIC`.
 */
code: string, 
/**
 * Row of the table of its transaction, or null.
 */
row: number | null, 
/**
 * Policy number of the match; empty for none.
 */
policy_number: string, 
/**
 * Why: `policy number`, `invoice number`, `documents.csv`, or why not.
 */
reason: string, };

export type DocumentOpened = { 
/**
 * What a person has to confirm before it is opened; empty where it was.
 */
question: string, };

export type DocumentTarget = { 
/**
 * The service's number as digits, or empty.
 */
transaction_id: string, 
/**
 * The invoice it was imported with, or empty.
 */
invoice_number: string, };

export type DocumentView = { 
/**
 * Key of this document in this answer, for the download.
 */
key: string, name: string, 
/**
 * Code such as `POLIC`.
 */
code: string, group: string, 
/**
 * Remark.
 */
note: string | null, 
/**
 * Before binding.
 */
required_for_binding: boolean, required_for_filing: boolean, keep_on_hand: boolean, 
/**
 * Goes with the policy.
 */
include_with_policy: boolean, 
/**
 * Must be uploaded.
 */
upload_required: boolean, 
/**
 * `None`, `Producer`, ...
 */
signature: string | null, 
/**
 * A template can be downloaded.
 */
downloadable: boolean, 
/**
 * Part of the diligent effort.
 */
include_in_diligent_effort: boolean, 
/**
 * Transaction type codes it is for; none means all.
 */
transaction_types: Array<string>, 
/**
 * In force since, `yyyy-mm-dd`, or null.
 */
active_from: string | null, 
/**
 * In force until, or null.
 */
active_until: string | null, 
/**
 * When it was last changed, as the service writes it, or null.
 */
edited_at: string | null, 
/**
 * Which business it is for, such as `Risk purchasing groups only`; none means all.
 */
conditions: Array<string>, 
/**
 * Why it does not apply to this transaction; null where it does.
 */
left_out: string | null, };

export type DocumentsOutcome = { 
/**
 * Attached, or canceled or a preview when false.
 */
attached: boolean, matched: Array<DocumentMatch>, 
/**
 * Not matched.
 */
unmatched: Array<DocumentMatch>, 
/**
 * The review afterwards.
 */
review: ReviewView, };

export type DocumentsQueued = { 
/**
 * Stored and being sent; one that was sent before is returned with its status and not sent again.
 */
uploads: Array<UploadView>, 
/**
 * Files that were rejected.
 */
refused: Array<RefusedFile>, };

export type DocumentsUpload = { 
/**
 * Where files go that don't say their own.
 */
target: DocumentTarget, files: Array<UploadFile>, 
/**
 * The confirmation word that the person typed, for production.
 */
typed: string, };

export type DownloadView = { 
/**
 * The service's number of the transaction, as digits.
 */
transaction_id: string, 
/**
 * Its place in the record, from 1.
 */
number: number, bytes: number, };

export type Draft = { 
/**
 * The form, or null where nothing was typed yet.
 */
request: QuoteRequest | null, 
/**
 * RFC 3339 UTC, empty without a draft.
 */
at: string, };

export type DueEntry = { 
/**
 * The same for the same thing at every time: the UID of its calendar entry.
 */
id: string, 
/**
 * How urgent it is.
 */
standing: DueUrgency, 
/**
 * Kind as in the rule file.
 */
kind: string, 
/**
 * What people call it.
 */
title: string, state: string, 
/**
 * The service's number of the transaction; of the first where it is for several.
 */
transaction_id: string, 
/**
 * Transactions it is for: more than one for the report of a period.
 */
count: number, policy_number: string, insured: string, 
/**
 * Transaction type code.
 */
transaction_type: string, 
/**
 * Last day, `yyyy-mm-dd`; null where no day is known.
 */
due: string | null, 
/**
 * The day as the rule has it, where the state moves it.
 */
statutory: string | null, 
/**
 * Last business day on which it is certainly in time, where `due` is none.
 */
act_by: string | null, 
/**
 * Days until `due`; below zero when it has passed.
 */
days_left: number | null, 
/**
 * First and last day of its period, or null.
 */
period: [string, string] | null, 
/**
 * The period is of the days of filing, not of the effective dates.
 */
by_filing: boolean, 
/**
 * First and last day of the bill, or null.
 */
billed: [string, string] | null, 
/**
 * Amount, USD, where one is known.
 */
amount: string | null, 
/**
 * The rule's sentence on the date: where no date is known, what is known.
 */
rule: string, 
/**
 * What was assumed for a date that is not known.
 */
assumed: string | null, 
/**
 * The condition under which it is due.
 */
condition: string | null, 
/**
 * Remark of the rule.
 */
note: string | null, 
/**
 * What being late costs.
 */
late: string | null, 
/**
 * How reliable the source is.
 */
sureness: Confidence, 
/**
 * How reliable the source is, as a sentence.
 */
checked: string, sources: Array<SourceRef>, 
/**
 * What a person noted about it, or null.
 */
mark: DueMarkView | null, 
/**
 * Who of the office does it, or null.
 */
assigned: Assignment | null, };

export type DueKind = "filing" | "affidavit" | "report" | "tax" | "stamping_fee" | "other_tax";

export type DueList = { 
/**
 * In the order of their days; at most 5,000.
 */
entries: Array<DueEntry>, 
/**
 * Today on the person's calendar.
 */
today: string, 
/**
 * All that match, also beyond those listed.
 */
total: number, overdue: number, 
/**
 * Today or within seven days.
 */
soon: number, 
/**
 * Without a day.
 */
undated: number, 
/**
 * Marked as done or as not ours, whatever the filter.
 */
marked: number, 
/**
 * States with something due, whatever the filter.
 */
states: Array<string>, 
/**
 * Transactions this desk has seen.
 */
transactions: number, 
/**
 * Of them without a state, type or date: no due date can be given for these.
 */
unreadable: number, 
/**
 * Sentences on what the list can't have; empty where nothing is missing.
 */
gaps: Array<string>, };

export type DueMark = { 
/**
 * Id of the entry.
 */
id: string, 
/**
 * What is said of it.
 */
kind: DueMarkKind, 
/**
 * A note; the reason where it is not ours.
 */
note: string, 
/**
 * The revision of the mark that was changed, empty where there was none; null replaces whatever is there.
 */
revision?: string | null, };

export type DueMarkKind = "open" | "done" | "not_ours";

export type DueMarkSaved = { 
/**
 * Its revision; empty where it was removed.
 */
revision: string, };

export type DueMarkView = { 
/**
 * What it says.
 */
kind: DueMarkKind, 
/**
 * A note; the reason where it is not ours.
 */
note: string, 
/**
 * RFC 3339 UTC.
 */
at: string, 
/**
 * Who marked it: their name in the office, or their account on this computer.
 */
by: string, 
/**
 * Changes with each change of it.
 */
revision: string, };

export type DueRequest = { 
/**
 * Nothing due after this day, `yyyy-mm-dd`; empty for no limit.
 */
by: string, 
/**
 * States, two letters.
 */
states: Array<string>, kinds: Array<DueKind>, 
/**
 * Only of this transaction, the service's number as digits; empty for all.
 */
transaction_id: string, 
/**
 * What a person marked as done or as not ours, instead of what is open.
 */
marked: boolean, 
/**
 * Assigned to this person of the office, empty for those that nobody has; null for all.
 */
assigned_to: string | null, 
/**
 * Words of the due date or of a transaction that it is for; empty for all.
 */
search: string, };

export type DueUrgency = "overdue" | "soon" | "later" | "undated";

export type EmailOutcome = { 
/**
 * The sheet was saved and the mail program opened; false when the person canceled.
 */
opened: boolean, 
/**
 * Name of the file the sheet was saved as.
 */
file_name: string, 
/**
 * The mail program was given the sheet; otherwise the person attaches the file.
 */
attached: boolean, };

export type EndorsedLine = { code: string, 
/**
 * Premium of the whole term until now, USD.
 */
before: string, 
/**
 * Premium of the whole term from now on, USD.
 */
after: string, 
/**
 * What the days left cost more; negative where less, USD.
 */
difference: string, };

export type EndorsementAnswer = { 
/**
 * `yyyy-mm-dd`.
 */
effective: string, 
/**
 * `yyyy-mm-dd`.
 */
expires: string, 
/**
 * `yyyy-mm-dd`.
 */
endorsed_on: string, 
/**
 * Days of the policy.
 */
days: number, 
/**
 * Days from the change to the end.
 */
days_left: number, 
/**
 * Part of the difference that is for the days left, such as `0.748`.
 */
factor: string, lines: Array<EndorsedLine>, 
/**
 * All lines, USD.
 */
before: string, 
/**
 * All lines, USD.
 */
after: string, 
/**
 * All lines: additional premium, or return premium where negative, USD.
 */
difference: string, 
/**
 * The question of the endorsement, with its premiums.
 */
request: QuoteRequest, 
/**
 * Its estimate by the built-in rules.
 */
answer: QuoteAnswer, };

export type EndorsementRequest = { 
/**
 * The policy as it was quoted, with the premiums of its whole term. Its effective date and `sheet.policy_expires`
 * (empty: a year later) count.
 */
request: QuoteRequest, 
/**
 * Day on which the change begins, as typed.
 */
endorsed_on: string, 
/**
 * The lines with the premium that each would have for the whole term after the change; a line of the policy that
 * isn't among them stays as it is, and 0 removes it.
 */
after: Array<QuoteLine>, 
/**
 * The factor has three decimals, as in printed tables.
 */
three_decimals: boolean, };

export type Environment = "practice" | "sandbox" | "production";

export type EraseRequest = { 
/**
 * Name of the insured; upper and lower case and spaces don't matter. Empty for a year.
 */
insured: string, 
/**
 * The year in which it was sent, received, quoted or drafted, and of the policies; 0 for an insured.
 */
year: number, };

export type EraseView = { 
/**
 * Rows of batches.
 */
rows: number, 
/**
 * Batches of which no row is left.
 */
batches: number, 
/**
 * Documents of rows.
 */
documents: number, 
/**
 * Uploads of documents.
 */
uploads: number, events: number, 
/**
 * Saved and recent quotes.
 */
quotes: number, 
/**
 * Drafts of a year.
 */
drafts: number, 
/**
 * Saved searches.
 */
searches: number, 
/**
 * Answers of the service that were not understood.
 */
answers: number, 
/**
 * Transactions of the index.
 */
transactions: number, 
/**
 * Of the rows and uploads, those that are still being sent: nothing is erased while there are any.
 */
sending: number, 
/**
 * Drafts, which are not searched for an insured.
 */
unsearched_drafts: number, 
/**
 * Entries of the audit log that name the insured: they stay.
 */
log_entries: number, 
/**
 * Files that still hold it: backups, and copies from before an update or a restore.
 */
copies: Array<string>, 
/**
 * In an office, where else it may be and can't be seen from here, in a sentence; empty elsewhere.
 */
unseen: string, 
/**
 * With the name or year, this shows later which entry of the audit log it is; empty before it is erased.
 */
proof: string, };

export type ErrorCode = "validation" | "rejected" | "not_authorized" | "not_permitted" | "sign_in_again" | "no_credentials" | "keychain_unavailable" | "keychain_locked" | "offline" | "timeout" | "outcome_unknown" | "untrusted" | "rate_limited" | "service_failed" | "unreadable" | "profile_invalid" | "not_found" | "storage" | "disk_full" | "disk_failed" | "data_read_only" | "store_damaged" | "data_key_missing" | "store_too_new" | "office" | "changed_elsewhere" | "locked" | "canceled" | "no_program" | "internal";

export type EventCheck = "unchecked" | "confirmed" | "differs";

export type EventDetail = { event: EventView, 
/**
 * The event's details: amounts, dates, numbers. Empty for one found by asking.
 */
said: Array<EventField>, 
/**
 * Its body: indented where it is JSON, otherwise as it came.
 */
body: string, 
/**
 * Bytes of the body as it came.
 */
bytes: number, 
/**
 * The result of the signature check, as a sentence.
 */
signature_says: string, 
/**
 * The result of asking the service, as a sentence; empty where it was not asked.
 */
check_says: string, 
/**
 * The same subject's other events, newest first.
 */
related: Array<EventView>, };

export type EventField = { 
/**
 * Its label, such as `Paid on`.
 */
name: string, 
/**
 * As it came; for an amount, US dollars.
 */
value: string, is_amount: boolean, };

export type EventId = { id: string, };

export type EventKind = "batch_processed" | "batch_failed" | "filed" | "sl_tax_paid" | "stamping_fee_paid" | "taxes_and_fees_paid" | "state_number" | "stamp_wording" | "other";

export type EventKindInfo = { kind: EventKind, 
/**
 * As it travels; empty for other events.
 */
identifier: string, 
/**
 * For people.
 */
title: string, };

export type EventSignature = "valid" | "header_pair" | "forwarded" | "none";

export type EventView = { id: string, what: EventKind, 
/**
 * The identifier as it came; empty where it came empty or was found by asking.
 */
event: string, 
/**
 * In a sentence.
 */
title: string, 
/**
 * The timestamp as it came, read or not; empty for none.
 */
said_at: string, 
/**
 * RFC 3339 UTC when it came, or null: found by asking only.
 */
received_at: string | null, 
/**
 * RFC 3339 UTC when it was found by asking, or null.
 */
found_at: string | null, 
/**
 * RFC 3339 UTC: the earlier of the two.
 */
at: string, 
/**
 * Whether a person has opened it.
 */
read: boolean, 
/**
 * How often it came again; the repeats are not shown.
 */
repeats: number, 
/**
 * The service's batch id; empty for none.
 */
batch: string, 
/**
 * The batch in this desk's outbox, or null.
 */
batch_here: string | null, 
/**
 * The service's number of the transaction; empty for none.
 */
transaction: string, 
/**
 * Policy number; empty for none.
 */
policy_number: string, 
/**
 * Invoice number; empty for none.
 */
invoice_number: string, 
/**
 * Two letters; empty for none.
 */
state: string, 
/**
 * Whether it bears its signature.
 */
signature: EventSignature, 
/**
 * Whether the service says the same.
 */
check: EventCheck, 
/**
 * Who of the office does something about it, or null.
 */
assigned: Assignment | null, };

export type EventsMark = { 
/**
 * Which; ignored with `all`.
 */
ids: Array<string>, 
/**
 * All of the active profile.
 */
all: boolean, 
/**
 * Read, or unread again.
 */
read: boolean, };

export type EventsNews = { 
/**
 * `revision` of the last answer, or null for an answer at once.
 */
known: number | null, 
/**
 * Milliseconds to wait at most; 25,000 at the most.
 */
wait_ms: number, };

export type EventsPage = { 
/**
 * How many there are with these filters.
 */
total: number, 
/**
 * States that occur, for the filter.
 */
states: Array<string>, events: Array<EventView>, };

export type EventsRequest = { 
/**
 * Unread ones only.
 */
unread: boolean, 
/**
 * Only events that were found by asking and never received.
 */
missed: boolean, 
/**
 * Of this kind only, or null.
 */
what: EventKind | null, 
/**
 * Of this batch (the service's id), or empty.
 */
batch: string, 
/**
 * Of this transaction (the service's number), or empty.
 */
transaction: string, 
/**
 * Of this state (two letters), or empty.
 */
state: string, 
/**
 * Text to be found in title, subject or body; empty for all.
 */
search: string, 
/**
 * Assigned to this person of the office, empty for those that nobody has; null for all.
 */
assigned_to: string | null, 
/**
 * First, from 0.
 */
from: number, 
/**
 * At most this many; 200 at the most.
 */
count: number, };

export type EventsSettings = { 
/**
 * The receiver on this computer is switched on.
 */
receiver: boolean, 
/**
 * Port it listens on; 0 picks a free one and stores it.
 */
port: number, 
/**
 * Address for the service's webhook, or empty while it does not listen.
 */
address: string, 
/**
 * A webhook of the service points here.
 */
subscribed: boolean, 
/**
 * "Receive events" can do all of it: the service can reach this computer.
 */
one_click: boolean, 
/**
 * An HMAC secret is stored.
 */
has_secret: boolean, 
/**
 * Name of the header the service sends along; empty for none.
 */
header_name: string, 
/**
 * Address of the listener that is followed; empty for none.
 */
follow: string, 
/**
 * Its token is stored.
 */
has_follow_token: boolean, 
/**
 * Kinds that are shown as desktop notifications.
 */
notices: Array<EventKind>, 
/**
 * Whether events are received.
 */
state: ReceiverState, 
/**
 * Why not, in a sentence; empty where all is well.
 */
trouble: string, };

export type EventsSettingsChange = { 
/**
 * The receiver on this computer.
 */
receiver: boolean, 
/**
 * Port it listens on; 0 picks a free one and stores it.
 */
port: number, 
/**
 * Kinds that are shown as desktop notifications.
 */
notices: Array<EventKind>, };

export type EventsStatus = { 
/**
 * Grows with every change.
 */
revision: number, 
/**
 * Events not read.
 */
unread: number, 
/**
 * Id of the newest event, or null.
 */
newest: string | null, 
/**
 * Whether events are received.
 */
receiver: ReceiverState, 
/**
 * Why not, in a sentence; empty where all is well.
 */
trouble: string, 
/**
 * RFC 3339 UTC of the last event that came, or null.
 */
last_received_at: string | null, 
/**
 * Deliveries refused.
 */
refused: number, };

export type ExcludeOutcome = { 
/**
 * How many, with the other rows of their transactions.
 */
rows: number, 
/**
 * Whether they are excluded now.
 */
excluded: boolean, review: ReviewView, };

export type ExcludedSource = { name: string, 
/**
 * Why, as a sentence.
 */
why: string, 
/**
 * The same file is among those that were read: nothing of it is missing.
 */
is_duplicate: boolean, };

export type ExportStage = "idle" | "rows" | "packing";

export type ExportState = { 
/**
 * How far it is.
 */
stage: ExportStage, 
/**
 * Rows laid out.
 */
done: number, rows: number, };

export type Facet = { 
/**
 * Member of the filter: `states`, `types`, `statuses`, `documents`, `paid`, `due`.
 */
name: string, 
/**
 * Title, as shown.
 */
title: string, 
/**
 * Choices, most first.
 */
choices: Array<FacetChoice>, };

export type FacetChoice = { 
/**
 * Value as the filter takes it.
 */
value: string, 
/**
 * Title, as shown.
 */
title: string, 
/**
 * Transactions with it, where all other facets hold.
 */
count: number, 
/**
 * Chosen in the filter.
 */
chosen: boolean, };

export type FeeChargedByChoice = { 
/**
 * `retail_agent`, `surplus_lines_licensee`, or empty to forget it.
 */
fee_charged_by: string, };

export type FetchedDays = { 
/**
 * `filed`, `policy_effective` or `transaction_effective`.
 */
by: string, 
/**
 * First day.
 */
from: string, 
/**
 * Last day.
 */
to: string, 
/**
 * RFC 3339 UTC.
 */
at: string, };

export type FieldAmount = { 
/**
 * The contract's field.
 */
field: string, 
/**
 * Title that came.
 */
title: string, 
/**
 * The plain title, the same in every state.
 */
plain_title: string, 
/**
 * Amount in USD, such as `48.50`.
 */
amount: string, 
/**
 * Whether it is zero and the state has no such charge: may be omitted from a short view.
 */
idle: boolean, };

export type FieldChoice = { code: string, name: string, 
/**
 * What the trade calls it too, in lower case words without marks.
 */
trade_words: Array<string>, };

export type FieldDefault = { 
/**
 * The contract's field.
 */
field: string, 
/**
 * As typed; answered as it is read.
 */
value: string, 
/**
 * Rows that have it; of no matter in a request.
 */
rows: number, };

export type FieldError = { 
/**
 * JSON pointer into the request, such as `/lines/0/premium`.
 */
pointer: string, 
/**
 * Found, expected, what to do.
 */
message: string, };

export type FileInspection = { 
/**
 * Each file; folders are opened.
 */
files: Array<InspectedFile>, 
/**
 * The state's documents for this transaction, required ones first; the general codes where the
 * transaction is not known.
 */
choices: Array<WantedDocument>, };

export type FileInspectionRequest = { 
/**
 * Handles of dropped or chosen files and folders.
 */
handles: Array<string>, 
/**
 * For which transaction, so that its state's documents are known; may be empty.
 */
target: DocumentTarget, };

export type FileOutcome = { 
/**
 * Written; false when the person canceled.
 */
saved: boolean, 
/**
 * Name of the file, without its folder.
 */
file_name: string, 
/**
 * Size of the file in bytes.
 */
bytes: number, };

export type FilePurpose = "lines" | "kentucky_rates" | "ca_file" | "office_certificate" | "office_key";

export type FilledFormView = { handle: string, 
/**
 * Key of the template; empty for a form only the service knows.
 */
key: string, 
/**
 * Title.
 */
name: string, 
/**
 * Document code.
 */
code: string, 
/**
 * Filled by the service; otherwise on this computer.
 */
service: boolean, 
/**
 * Whether nothing is missing.
 */
complete: boolean, missing: Array<FormMissing>, file_name: string, 
/**
 * Size in bytes.
 */
bytes: number, 
/**
 * Its pages for the window; empty where only the file itself shows them.
 */
pages: Array<FormPage>, };

export type FilledForms = { 
/**
 * Why the service did not fill them, or another remark; may be empty.
 */
note: string, forms: Array<FilledFormView>, };

export type FirstSteps = { 
/**
 * A quote was calculated or saved.
 */
quoted: boolean, 
/**
 * A file was opened or sent.
 */
imported: boolean, 
/**
 * A profile besides the practice one can be used.
 */
connected: boolean, };

export type FixChange = { 
/**
 * Line as the file counts it.
 */
line: number, 
/**
 * Title of the column; empty when the row is excluded.
 */
header: string, before: string, 
/**
 * Text after; empty when the row is excluded.
 */
after: string, };

export type FixOutcome = { 
/**
 * Cells changed or rows excluded, altogether.
 */
total: number, 
/**
 * The first hundred.
 */
changes: Array<FixChange>, 
/**
 * The review afterwards; as it was for a preview.
 */
review: ReviewView, };

export type FolderEncryption = "off" | "on" | "begins_next" | "ends_next";

export type FollowListener = { 
/**
 * `https://...`, or empty to end it.
 */
address: string, 
/**
 * Its token; empty keeps the stored one.
 */
token: string, };

export type FormDeclination = { carrier: string, 
/**
 * NAIC code, five digits.
 */
naic: string, 
/**
 * Who declined, and how to reach them.
 */
contact: string, 
/**
 * `yyyy-mm-dd`.
 */
date: string, 
/**
 * The reason, as a sentence.
 */
reason: string, };

export type FormField = { 
/**
 * Name in the values.
 */
name: string, label: string, 
/**
 * `text`, `long`, `date`, `amount`, `yes_no`, `state` or `transaction`.
 */
kind: string, 
/**
 * Whether the form is incomplete without it.
 */
required: boolean, 
/**
 * Half the width.
 */
half: boolean, };

export type FormFinding = { 
/**
 * JSON pointer into the request.
 */
pointer: string, 
/**
 * It is an error; otherwise a warning.
 */
problem: boolean, 
/**
 * Found, expected.
 */
message: string, };

export type FormHandle = { handle: string, };

export type FormList = { 
/**
 * State code of two letters, such as `TX`.
 */
state: string, state_name: string, 
/**
 * `required`, `repealed` or `not_found`.
 */
status: string, 
/**
 * Since when repealed, or null.
 */
since: string | null, 
/**
 * The rule in a sentence.
 */
text: string, 
/**
 * Where it was read.
 */
sources: Array<SourceRef>, 
/**
 * How reliable the source is.
 */
sureness: Confidence, 
/**
 * The words for it.
 */
checked: string, forms: Array<FormView>, 
/**
 * Own templates that cannot be read, each with its reason.
 */
refused: Array<string>, 
/**
 * Carriers that declined before, newest first.
 */
carriers: Array<KnownCarrier>, };

export type FormMissing = { 
/**
 * Name: `insured_name`, `declinations`, `declinations/1/date`.
 */
name: string, 
/**
 * Label, as shown.
 */
label: string, };

export type FormPage = { 
/**
 * Width in points.
 */
width: number, 
/**
 * Height in points.
 */
height: number, 
/**
 * The page's content, in reading order.
 */
marks: Array<PageMark>, };

export type FormSection = { 
/**
 * Heading.
 */
title: string, 
/**
 * Paragraphs.
 */
text: Array<string>, 
/**
 * `fields`, `declinations` or `signatures`.
 */
kind: string, fields: Array<FormField>, };

export type FormStatus = { key: string, title: string, 
/**
 * Declinations required for the current values.
 */
asked: number, 
/**
 * What is missing; complete where it is empty.
 */
missing: Array<FormMissing>, };

export type FormUpload = { handle: string, 
/**
 * The service's number as digits.
 */
transaction_id: string, 
/**
 * The confirmation word that the person typed, for production.
 */
typed: string, };

export type FormView = { key: string, 
/**
 * Document code.
 */
code: string, title: string, 
/**
 * The state's form it prepares data for.
 */
prepares: string, 
/**
 * Declinations required, or null where no number was found.
 */
declinations: number | null, 
/**
 * What else there is to say on the number; may be empty.
 */
declinations_text: string, 
/**
 * Who is exempt; may be empty.
 */
exemptions: string, 
/**
 * When due; may be empty.
 */
due: string, 
/**
 * Where it was read.
 */
sources: Array<SourceRef>, 
/**
 * How reliable the source is.
 */
sureness: Confidence, 
/**
 * The words for it.
 */
checked: string, 
/**
 * Whether it is the person's own template.
 */
own: boolean, 
/**
 * Sections in order.
 */
sections: Array<FormSection>, };

export type FormsCheck = { 
/**
 * Not in order.
 */
findings: Array<FormFinding>, forms: Array<FormStatus>, };

export type FormsPrefill = { 
/**
 * A quote, or null.
 */
quote: QuoteRequest | null, 
/**
 * The service's number of a transaction, or empty.
 */
transaction_id: string, };

export type FormsQuestion = { 
/**
 * State code of two letters, such as `TX`.
 */
state: string, 
/**
 * Such as `PN`.
 */
transaction_type: string, 
/**
 * `yyyy-mm-dd`; today where it is empty.
 */
policy_effective_date: string, 
/**
 * Exempt commercial purchaser.
 */
ecp: boolean, 
/**
 * On the state's export list.
 */
export_list: boolean, };

export type FormsRequest = { 
/**
 * State code of two letters, such as `TX`.
 */
state: string, 
/**
 * Such as `PN`.
 */
transaction_type: string, 
/**
 * `yyyy-mm-dd`.
 */
policy_effective_date: string, 
/**
 * Exempt commercial purchaser.
 */
ecp: boolean, 
/**
 * On the state's export list.
 */
export_list: boolean, 
/**
 * Keys of the forms wanted; all that apply where it is empty.
 */
keys: Array<string>, 
/**
 * Values by the field's name; yes or no is `yes` or `no`.
 */
values: { [key in string]: string }, 
/**
 * Carriers that declined.
 */
declinations: Array<FormDeclination>, 
/**
 * Fill here, without the service.
 */
offline: boolean, };

export type FoundCell = { 
/**
 * Whether there is one.
 */
found: boolean, 
/**
 * Row of the table.
 */
row: number, 
/**
 * Its place among the rows shown.
 */
index: number, 
/**
 * Column of the table.
 */
column: number, 
/**
 * How many there are, at most 10,000 counted.
 */
total: number, };

export type GridLayout = { 
/**
 * Pixels at usual size, of those that are not as usual.
 */
widths: { [key in string]: number }, 
/**
 * Fields in the person's own order, those that are not named behind them; empty for the usual order.
 */
order: Array<string>, hidden: Array<string>, 
/**
 * Columns at the left that stay while the others scroll.
 */
frozen: number, 
/**
 * Columns in the order of the file.
 */
file_order: boolean, 
/**
 * Columns without a value in any row are shown.
 */
shows_blank: boolean, };

export type ImportField = { 
/**
 * The contract's name.
 */
field: string, title: string, 
/**
 * The heading of a narrow column.
 */
short_title: string, 
/**
 * What kind of value it takes.
 */
kind: 'identifier' | 'text' | 'date' | 'amount' | 'flag' | 'code' | 'list' | 'shares' | 'percent', 
/**
 * The most characters it takes.
 */
chars_max: number, 
/**
 * A value as the template shows it; empty where it shows none.
 */
example: string, 
/**
 * The codes it takes, by name; empty where it takes any text.
 */
choices: Array<FieldChoice>, };

export type InspectedFile = { handle: string, 
/**
 * Name it is sent under: safe on every system.
 */
file_name: string, 
/**
 * Size in bytes.
 */
bytes: number, 
/**
 * The detected type, such as `PDF document`; empty when the file was rejected.
 */
kind: string, 
/**
 * SHA-256, hexadecimal; empty when it was refused.
 */
sha256: string, 
/**
 * Why it cannot be sent, or null.
 */
refused: string | null, 
/**
 * Code of the document it probably is, by its name; empty when unknown.
 */
code: string, 
/**
 * Transactions whose policy or invoice number is in its name, where no transaction was given: one is the
 * proposal, several are to choose from.
 */
transactions: Array<NamedTransaction>, };

export type InstallRules = { 
/**
 * Handle of the file; empty to ask with the open dialog.
 */
handle: string, };

export type InstallUpdate = { 
/**
 * As the list of versions has it.
 */
version: string, };

export type IssueGroupView = { 
/**
 * Code of the issues, with the field behind a colon where groups differ by field: for filters and repairs.
 */
code: string, title: string, 
/**
 * How many rows have it, as a sentence without its full stop.
 */
headline: string, 
/**
 * `error`, `warning` or `kept`: warnings acknowledged with a reason.
 */
severity: string, 
/**
 * Rows concerned.
 */
rows: number, 
/**
 * What to do about it, with the largest or most frequent case.
 */
summary: string, 
/**
 * Up to two of the rows: what was found and what was expected.
 */
examples: Array<string>, 
/**
 * First cell concerned.
 */
first_row: number, 
/**
 * Its column, or null for an issue of the row.
 */
first_column: number | null, 
/**
 * Kind of the repair that can be done for all, or null.
 */
fix: string | null, 
/**
 * Text of its button, such as `Use calculated in 214 rows`.
 */
fix_label: string | null, };

export type IssueView = { code: string, title: string, 
/**
 * `error` or `warning`.
 */
severity: string, 
/**
 * Where: `Row 1,207, column "SLT"`.
 */
place: string, 
/**
 * Where, found, expected, what to do.
 */
message: string, 
/**
 * USD, for codes that compare.
 */
provided: string | null, 
/**
 * Calculated amount in USD, or null.
 */
calculated: string | null, 
/**
 * USD, calculated minus provided.
 */
difference: string | null, 
/**
 * Kind of the repair of this one, or null.
 */
fix: string | null, 
/**
 * Text of its button.
 */
fix_label: string | null, 
/**
 * One line that recomputes the calculated amount, or null.
 */
why: string | null, 
/**
 * The reason the person gave for acknowledging it, or null while it is open.
 */
kept: string | null, };

export type KeptAnswer = { 
/**
 * Its number.
 */
id: number, 
/**
 * RFC 3339 UTC: when it came last.
 */
at: string, 
/**
 * How often the same came.
 */
times: number, answer: UnreadAnswerView, };

export type KeptDocument = { 
/**
 * Place in the record, from 1.
 */
number: number, name: string, code: string, };

export type KeptDocumentId = { 
/**
 * The service's number as digits.
 */
transaction_id: string, 
/**
 * Position in the list, from 1.
 */
number: number, };

export type KeptWarning = { warning: string, 
/**
 * Reason for which it was acknowledged.
 */
reason: string, };

export type KnownCarrier = { carrier: string, 
/**
 * NAIC code, or empty.
 */
naic: string, 
/**
 * Contact, or empty.
 */
contact: string, 
/**
 * Reason it gave last, or empty.
 */
reason: string, };

export type LineColumnRule = { 
/**
 * Column of the table.
 */
column: number, 
/**
 * Code of the line, such as `GEN-1002`.
 */
line: string, };

export type LineInfo = { 
/**
 * Generic code such as `GEN-1002`.
 */
code: string, name: string, 
/**
 * Class such as `General liability`.
 */
class: string, 
/**
 * What the trade calls it too, in lower case words without marks: `gl`, `d and o`.
 */
trade_words: Array<string>, };

export type LinePremiumsRule = { columns: Array<LineColumnRule>, 
/**
 * The lines of the first rows; of no matter in a request.
 */
examples: Array<string>, };

export type LockStatus = { 
/**
 * Minutes without input after which it locks; 0 where it never does.
 */
minutes: number, 
/**
 * Whether it is locked now.
 */
locked: boolean, 
/**
 * Whether the computer's own sign-in can be asked for in place of the passphrase.
 */
system_sign_in: boolean, };

export type LookedUpRow = { 
/**
 * The id its sender gave it; empty where the service does not repeat it.
 */
id: string, 
/**
 * Policy number; empty where there is none.
 */
policy_number: string, 
/**
 * What the service says of it.
 */
row_state: RowState, 
/**
 * The service's number, or null.
 */
transaction_id: string | null, messages: Array<RowMessage>, };

export type LostDecision = "arrived" | "send_again" | "look_again";

export type MappingAdd = { 
/**
 * Handle of the file; empty to ask with the open dialog.
 */
handle: string, 
/**
 * Only say what would be saved.
 */
preview: boolean, };

export type MappingAdded = { 
/**
 * Its name; empty when the dialog was canceled.
 */
name: string, 
/**
 * Whether one of this name was saved already, which becomes an earlier version.
 */
replaces: boolean, };

export type MappingCopy = { name: string, 
/**
 * Name of the copy; no other mapping has it.
 */
to: string, 
/**
 * Remove the mapping under its old name.
 */
moves: boolean, };

export type MappingName = { name: string, };

export type MappingOpened = { 
/**
 * Name it is remembered under; empty when the dialog was canceled.
 */
name: string, 
/**
 * The review afterwards.
 */
review: ReviewView, };

export type MappingRestore = { name: string, 
/**
 * Number of the version.
 */
number: number, };

export type MappingVersion = { 
/**
 * Counted from 1.
 */
number: number, 
/**
 * RFC 3339 UTC: when it was replaced.
 */
replaced_at: string, 
/**
 * What restoring it would change, as short sentences.
 */
changes: Array<string>, };

export type MappingVersions = { versions: Array<MappingVersion>, };

export type MissingEntry = { 
/**
 * The service's number as digits.
 */
transaction_id: string, policy_number: string, insured: string, invoice_number: string, state: string, 
/**
 * Transaction type code.
 */
transaction_type: string, 
/**
 * Last day to file, `yyyy-mm-dd`, or null where none is known.
 */
due: string | null, required: Array<WantedDocument>, 
/**
 * Requested, but the filing does not wait for it.
 */
asked: Array<WantedDocument>, };

export type MissingList = { 
/**
 * Those that a filing waits for before those that are only requested, each with the first due first; at most
 * 1,000.
 */
entries: Array<MissingEntry>, 
/**
 * Transactions that miss a document, also beyond those listed.
 */
total: number, 
/**
 * Those of them whose filing waits for one.
 */
required: number, };

export type MissingRequest = { 
/**
 * Words of a document or of its transaction.
 */
search: string, };

export type NamedCode = { 
/**
 * Code as it travels.
 */
code: string, 
/**
 * Name as people read it.
 */
name: string, };

export type NamedSheetTemplate = { name: string, 
/**
 * Its TOML.
 */
text: string, 
/**
 * It is the one that comes with the program, as it came.
 */
built_in: boolean, 
/**
 * Changes with each change of it.
 */
revision: string, };

export type NamedTransaction = { 
/**
 * The service's number as digits.
 */
transaction_id: string, policy_number: string, insured: string, invoice_number: string, state: string, 
/**
 * Transaction type code.
 */
transaction_type: string, };

export type NewTransaction = { 
/**
 * The quote to file, as typed; null for a blank one.
 */
quote: QuoteRequest | null, 
/**
 * Its answer: the amounts of taxes and fees.
 */
answer: QuoteAnswer | null, 
/**
 * Further values by the contract's names of columns; they replace those of the quote.
 */
values: { [key in string]: string }, };

export type NoteSeverity = "info" | "warning";

export type NoteView = { severity: NoteSeverity, 
/**
 * What it is about.
 */
topic: string, 
/**
 * HTML from outside: sanitize.
 */
html: string, 
/**
 * Source, where known.
 */
source: SourceRef | null, };

export type Nothing = Record<symbol, never>;

export type OfficeCopy = { 
/**
 * Tables that were copied and found equal.
 */
tables: number, 
/**
 * Rows that were not there yet.
 */
rows: number, 
/**
 * Rows that were there already, from an earlier copy or of the same thing.
 */
present: number, 
/**
 * Those of them that are different there, and stay so.
 */
different: number, 
/**
 * Entries of the audit log that were not there yet.
 */
log_entries: number, 
/**
 * What is called otherwise there, since its name was taken.
 */
renamed: Array<CopiedName>, };

export type OfficeFilesKey = { 
/**
 * The access key ID, a colon, and the secret access key.
 */
key: string, };

export type OfficeName = { 
/**
 * Their role in the database; empty for the person at this desk.
 */
person: string, 
/**
 * The name; empty to show the role.
 */
name: string, };

export type OfficeNews = { 
/**
 * Grows with each change; null while this computer's own data is in use.
 */
turn: number | null, 
/**
 * What changed since the turn that was known.
 */
changed: Array<OfficeRoom>, };

export type OfficeNewsRequest = { 
/**
 * `turn` of the last answer, 0 at first.
 */
known: number, 
/**
 * Milliseconds to wait; at most 25,000.
 */
wait_ms: number, };

export type OfficePeople = { 
/**
 * The person at this desk; empty while this computer's own data is in use.
 */
me: string, 
/**
 * Whether they may change anything; a reader may not.
 */
may_assign: boolean, 
/**
 * Everyone whose role lets them work: their roles in the database.
 */
people: Array<string>, 
/**
 * The names that people are shown by, by role; who has none is shown by the role.
 */
names: { [key in string]: string }, };

export type OfficeRequest = { 
/**
 * Where it is; files are taken from the handles below.
 */
settings: OfficeSettings, 
/**
 * The password; empty for the one that is kept.
 */
password: string, 
/**
 * Handle of the authority's file; empty for the one that is kept.
 */
authority_file: string, 
/**
 * Handle of the certificate's file; empty for the one that is kept.
 */
certificate_file: string, 
/**
 * Handle of the file with the certificate's key; empty for the one that is kept.
 */
key_file: string, };

export type OfficeRoom = "batches" | "documents" | "drafts" | "mappings" | "events" | "quotes" | "profiles" | "due_dates" | "searches" | "audit_log" | "assignments";

export type OfficeSettings = { 
/**
 * Its host; several after commas, of which the one that can be written is used.
 */
host: string, 
/**
 * Its port.
 */
port: number, 
/**
 * Name of the database.
 */
database: string, 
/**
 * Name of the workspace in it.
 */
workspace: string, 
/**
 * The person's name there.
 */
user: string, 
/**
 * What proves who they are.
 */
sign_in: OfficeSignIn, 
/**
 * Whom this computer trusts.
 */
trust: OfficeTrustKind, 
/**
 * The authority that is trusted, PEM.
 */
authority: string, 
/**
 * The certificate that proves who signs in, PEM.
 */
certificate: string, 
/**
 * Where the key of the certificate is, or the password.
 */
secret_file: string, };

export type OfficeSignIn = "password" | "password_file" | "certificate" | "nothing";

export type OfficeTest = { 
/**
 * Who the database says is signed in.
 */
user: string, 
/**
 * The highest of the workspace's roles that they have.
 */
role: string, 
/**
 * Version of the server.
 */
server: string, 
/**
 * Batches in the workspace.
 */
batches: number, };

export type OfficeTrustKind = "system" | "authority" | "this_computer";

export type OfficeView = { 
/**
 * The database of the office; none for this computer's own data.
 */
office: OfficeSettings | null, 
/**
 * Whether it takes effect when Bordereau is started again.
 */
restart: boolean, 
/**
 * Why this office couldn't be used when Bordereau was started, in a sentence: until it can, nothing else is shown.
 */
trouble: string, 
/**
 * The role there; empty while this computer's own data is in use.
 */
role: string, 
/**
 * Batches, drafts and saved quotes among this computer's own data.
 */
own_work: number, 
/**
 * Where larger files of the office are, in a sentence; empty while this computer's own data is in use.
 */
files: string, 
/**
 * Whether each computer needs a key for them.
 */
files_need_key: boolean, };

export type OpenAddress = { 
/**
 * `https://` only; must be one of the sources the rules name.
 */
url: string, };

export type OpenDocument = { document: KeptDocumentId, 
/**
 * A person has confirmed it: it is opened also where it can carry macros or other files.
 */
confirmed: boolean, };

export type OpenProfile = { 
/**
 * Its handle; empty asks with the open dialog.
 */
handle: string, };

export type OpenedProfile = { 
/**
 * The profile, without id; null when the person canceled.
 */
profile: Profile | null, };

export type OutboxStatus = { 
/**
 * Batches that are not at an end.
 */
open: number, 
/**
 * Transactions answered of the open batches.
 */
answered: number, 
/**
 * Transactions of the open batches.
 */
total: number, 
/**
 * Seconds left, or null.
 */
seconds_left: number | null, 
/**
 * Batches with rows to be corrected, or with a question; accepted rows with warnings are none.
 */
attention: number, 
/**
 * Changes whenever anything changed, so that views know when to ask again.
 */
revision: number, };

export type OutgoingMail = { 
/**
 * Number of the mail.
 */
id: number, 
/**
 * Made from the account's username: nothing is sent anywhere.
 */
to: string, 
/**
 * Subject line.
 */
subject: string, 
/**
 * Plain text.
 */
text: string, 
/**
 * RFC 3339, UTC, by the service's clock.
 */
sent_at: string, };

export type OwnWork = { 
/**
 * Files that are being prepared.
 */
drafts: number, 
/**
 * Batches with rows to correct, or with a question.
 */
batches: number, 
/**
 * Events not read.
 */
events: number, 
/**
 * Due dates that are open.
 */
due_dates: number, };

export type PageMark = { 
/**
 * Left edge in points.
 */
x: number, 
/**
 * Base line of a text, upper edge of a box.
 */
y: number, 
/**
 * Width in points.
 */
width: number, 
/**
 * Height of a box, size of a text.
 */
height: number, 
/**
 * `black`, `gray`, `rule`, `alert` or `alert_ground`.
 */
ink: string, bold: boolean, 
/**
 * The text, or null for a box or a picture.
 */
text: string | null, 
/**
 * A picture as a `data:` address, or null.
 */
image: string | null, };

export type PlannedPayment = { 
/**
 * `Down payment` or `Installment 1`.
 */
title: string, 
/**
 * `yyyy-mm-dd`.
 */
due: string, 
/**
 * Its part of the total, USD.
 */
amount: string, 
/**
 * Fee of the installment, USD.
 */
fee: string, 
/**
 * Both, USD.
 */
payment: string, };

export type PolicyView = { 
/**
 * Its file; empty without a policy.
 */
place: string, 
/**
 * Why the file isn't used; empty where it is.
 */
fault: string, 
/**
 * What it sets, one sentence each.
 */
sets: Array<string>, };

export type PracticeAct = { "kind": "file", 
/**
 * The service's ids of whole batches.
 */
batches: Array<string>, 
/**
 * The service's numbers of transactions.
 */
transactions: Array<string>, } | { "kind": "pay", 
/**
 * The service's ids of whole batches.
 */
batches: Array<string>, 
/**
 * The service's numbers of transactions.
 */
transactions: Array<string>, } | { "kind": "assign_numbers", 
/**
 * The service's ids of whole batches.
 */
batches: Array<string>, 
/**
 * The service's numbers of transactions.
 */
transactions: Array<string>, } | { "kind": "fail_batch", 
/**
 * The service's id.
 */
batch: string, } | { "kind": "stamp_wording", 
/**
 * State code of two letters, such as `TX`.
 */
state: string, 
/**
 * Plain text; empty restores the rule's own wording.
 */
text: string, } | { "kind": "simulate_failures", 
/**
 * The kind of failure.
 */
fault: PracticeFault, 
/**
 * How many requests, 1 to 1,000.
 */
times: number, 
/**
 * For a delay: milliseconds, at most 600,000.
 */
delay_ms: number, } | { "kind": "end_failures", } | { "kind": "dialects", 
/**
 * Names of the list in [`PracticeState`]; none is the contract as it is.
 */
names: Array<string>, } | { "kind": "speed", 
/**
 * Rows a second; 0 pauses processing, null is as fast as possible.
 */
rows_per_second: number | null, } | { "kind": "new_key", } | { "kind": "role", role: AccountRole, } | { "kind": "move_clock", 
/**
 * Seconds; negative goes back.
 */
seconds: number, };

export type PracticeDialect = { 
/**
 * The name it is chosen by.
 */
name: string, 
/**
 * What the service does differently.
 */
sentence: string, 
/**
 * Whether the service answers in it now.
 */
spoken: boolean, };

export type PracticeFault = "delay" | "error_before" | "error_after" | "cut" | "rate_limit" | "malformed";

export type PracticeOutcome = { 
/**
 * In a sentence.
 */
text: string, 
/**
 * The service afterwards.
 */
state: PracticeState, 
/**
 * A new API key, shown only once; empty where none was made.
 */
secret: string, };

export type PracticeState = { 
/**
 * The service's clock, RFC 3339 UTC.
 */
now: string, moved_seconds: number, 
/**
 * Batches on their way.
 */
batches: Array<PracticeWaiting>, 
/**
 * Deliveries on their way, the next ones first.
 */
deliveries: Array<PracticeWaiting>, 
/**
 * How many deliveries there are.
 */
deliveries_waiting: number, 
/**
 * Requests that will still fail.
 */
faults: number, 
/**
 * Outgoing mail, newest first.
 */
mail: Array<OutgoingMail>, 
/**
 * All dialects, with those that are spoken.
 */
dialects: Array<PracticeDialect>, 
/**
 * What the account may do about API keys.
 */
role: AccountRole, };

export type PracticeWaiting = { 
/**
 * Number of a delivery, id of a batch.
 */
id: string, 
/**
 * Its description.
 */
what: string, 
/**
 * RFC 3339 UTC of the next attempt, by the service's clock; empty for a batch.
 */
due: string, 
/**
 * Failures so far.
 */
failures: number, };

export type PremiumMatch = { 
/**
 * USD.
 */
premium: string, 
/**
 * Premium, fees and taxes, USD.
 */
total: string, };

export type PremiumSearch = { 
/**
 * The question; the premium of one line is searched: the only line, or the one without a premium.
 */
request: QuoteRequest, 
/**
 * What the client pays in all, as typed.
 */
total: string, };

export type PremiumSearchResult = { 
/**
 * Place of the line that was searched, from 0.
 */
line: number, 
/**
 * The premium whose quote comes to exactly the total, or null.
 */
exact: PremiumMatch | null, 
/**
 * Where none does: the nearest total below; null where the fees and the other lines come to more.
 */
below: PremiumMatch | null, 
/**
 * Where none does: the nearest total above, or null.
 */
above: PremiumMatch | null, };

export type Profile = { 
/**
 * Id; empty for a new one. The built-in practice profile is `practice`.
 */
id: string, name: string, environment: Environment, 
/**
 * `https://...`; empty for practice.
 */
base_url: string, client_type: ClientType, sign_in: SignIn, 
/**
 * Username, where it signs in with one.
 */
username: string, 
/**
 * Extra CA file in PEM, or empty: the copy in the data folder, or the handle of a file just chosen.
 */
ca_file: string, 
/**
 * Path of the token endpoint, or empty for the contract's.
 */
token_path: string, 
/**
 * Path of the calculator, or empty for the contract's.
 */
calculator_path: string, 
/**
 * Path of the batch import, or empty for the contract's.
 */
import_path: string, 
/**
 * Path of a batch's results, or empty for the contract's.
 */
results_path: string, 
/**
 * Path of the search, or empty for the contract's.
 */
search_path: string, 
/**
 * Path of one transaction's status, or empty for the contract's.
 */
status_path: string, 
/**
 * Path of the document import, or empty for the contract's.
 */
documents_path: string, 
/**
 * Path of the diligent effort forms, or empty for the contract's.
 */
forms_path: string, 
/**
 * Path of the single import, or empty for the contract's.
 */
single_path: string, 
/**
 * Path of the webhooks, or empty for the contract's.
 */
webhooks_path: string, 
/**
 * Where newer rules packs are fetched from while the profile is in use, or empty for the settings' address.
 */
rules_address: string, 
/**
 * The service has no calculator: quotes are estimates.
 */
has_no_calculator: boolean, 
/**
 * What the service's own words mean.
 */
words: Array<ServiceWord>, 
/**
 * What shows that a delivery of a webhook comes from the service.
 */
delivery_proof: DeliveryProofKind, 
/**
 * Header of the signature, or empty for the contract's.
 */
signature_header: string, 
/**
 * How the signature is written.
 */
signature_form: SignatureForm, 
/**
 * The text before the signature, such as `sha256=`; empty for nothing.
 */
signature_prefix: string, 
/**
 * Requests per minute the client stays under; 0 for the contract's.
 */
requests_per_minute: number, 
/**
 * Transactions in one request of an import; 0 for [`bordereau_contract::ROWS_PER_REQUEST`].
 */
rows_per_request: number, 
/**
 * CSV file with an own table of lines of business, or empty; as the CA file.
 */
lines_file: string, 
/**
 * CSV file with the person's own Kentucky local rates, or empty; as the CA file.
 */
kentucky_file: string, 
/**
 * Who charges the agency fee where a quote or a row does not say: `retail_agent`, `surplus_lines_licensee`, or
 * empty for nobody.
 */
fee_charged_by: string, 
/**
 * The service understands who charges the agency fee, how a dwelling is held and an assessment's rate: they are
 * sent to it.
 */
sends_quote_details: boolean, 
/**
 * How long its data stays on this computer; null for the default.
 */
retention?: RetentionRules | null, 
/**
 * The person of an office whose own it is: nobody else sees or uses it; empty for everyone's.
 */
owner: string, 
/**
 * The revision that was read; null replaces whatever is there. It isn't stored.
 */
revision?: string | null, };

export type ProfileId = { id: string, };

export type ProfileList = { 
/**
 * Profiles, Practice first.
 */
profiles: Array<ProfileView>, };

export type ProfileView = { profile: Profile, 
/**
 * The one in use.
 */
active: boolean, 
/**
 * Built in: cannot be changed or removed.
 */
built_in: boolean, 
/**
 * An API key is stored.
 */
has_key: boolean, 
/**
 * A sign-in is stored.
 */
signed_in: boolean, 
/**
 * RFC 3339 UTC when the stored sign-in ends and the password is asked for again; null where there is none.
 */
sign_in_ends: string | null, 
/**
 * That is within seven days, or past.
 */
sign_in_ends_soon: boolean, 
/**
 * What is missing before it can be used; empty when ready.
 */
missing: Array<string>, };

export type ProposedCode = { code: string, 
/**
 * Why, as a sentence.
 */
reason: string, };

export type ProposedField = { 
/**
 * The contract's field; null where there is only the reason.
 */
field: string | null, 
/**
 * Why, as a sentence.
 */
reason: string, };

export type QuoteAnswer = { by: AnsweredBy, 
/**
 * When, RFC 3339 UTC.
 */
at: string, 
/**
 * Name of the profile that answered; empty for an estimate.
 */
profile: string, 
/**
 * State code.
 */
state: string, state_name: string, 
/**
 * Transaction type code.
 */
transaction_type: string, 
/**
 * Premium in USD, such as `1250.50`.
 */
premium: string, 
/**
 * USD, as adjusted by the service where a state restricts fees.
 */
agency_fee: string, 
/**
 * Inspection fee in USD.
 */
inspection_fee: string, 
/**
 * Whether the agency fee is taxed; null when that is not known.
 */
agency_fee_taxed: boolean | null, 
/**
 * Whether the inspection fee is taxed.
 */
inspection_fee_taxed: boolean | null, 
/**
 * What was taken of the questions that only some states ask.
 */
details: QuoteDetails, 
/**
 * The contract's fields with titles, in the order shown.
 */
fields: Array<FieldAmount>, 
/**
 * Taxes and state fees together, USD.
 */
taxes: string, 
/**
 * Premium, fees and taxes, USD.
 */
total: string, 
/**
 * Titles of charges that the total is without: the service gave no amount, or none could be calculated.
 */
missing_amounts: Array<string>, 
/**
 * Every charge explained; from the built-in rules also beside a service answer.
 */
charges: Array<ChargeView>, 
/**
 * Where estimate and service differ; empty when they agree or for an estimate.
 */
differences: Array<Difference>, 
/**
 * The service's own rates, limits and rounding beside the built-in ones; empty for an estimate.
 */
rules: Array<RuleRow>, 
/**
 * Notes, warnings first.
 */
notes: Array<NoteView>, 
/**
 * Stamp wordings.
 */
stamps: Array<StampView>, documents: Array<DocumentView>, 
/**
 * Milliseconds the service took; null for an estimate.
 */
took_ms: number | null, 
/**
 * Identifies this answer for downloads until the next answer of the same window.
 */
answer_id: string, 
/**
 * Version of the rules that the estimate and the explanations are from, `2026-11-22.34`; empty where a version of
 * Bordereau saved it that did not note it.
 */
rules_version: string, 
/**
 * Whether they are from a rules pack; else they are the built-in ones.
 */
rules_from_pack: boolean, };

export type QuoteDetails = { 
/**
 * `retail_agent` or `surplus_lines_licensee`.
 */
fee_charged_by: string, 
/**
 * `owned_dwelling`, `condominium`, `mobile_home`, `tenant` or `larger_building`.
 */
occupancy: string, 
/**
 * Percent: `6.25`.
 */
assessment_rate: string, };

export type QuoteFiling = { 
/**
 * Id of the draft; null for none.
 */
draft: string | null, 
/**
 * When it was sent, RFC 3339 UTC; null while it was not.
 */
sent_at: string | null, };

export type QuoteId = { id: string, };

export type QuoteLine = { code: string, 
/**
 * Premium as typed: `1,250.50`, `$900`.
 */
premium: string, };

export type QuoteList = { 
/**
 * Saved quotes, newest first.
 */
saved: Array<QuoteSummary>, 
/**
 * The last quotes, newest first.
 */
recent: Array<QuoteSummary>, };

export type QuotePayments = { 
/**
 * In order of their days; none where everything is paid at once.
 */
payments: Array<PlannedPayment>, 
/**
 * All fees of installments, USD; zero where there are none.
 */
fees: string, 
/**
 * The total with them, USD.
 */
total: string, };

export type QuotePdfRequest = { 
/**
 * The question, as typed.
 */
request: QuoteRequest, 
/**
 * The answer as shown.
 */
answer: QuoteAnswer, };

export type QuoteRequest = { 
/**
 * State code of two letters, such as `TX`.
 */
state: string, 
/**
 * Transaction type code.
 */
transaction_type: string, 
/**
 * Lines of business with premiums.
 */
lines: Array<QuoteLine>, 
/**
 * Broker or agency fee as typed; empty is none.
 */
agency_fee: string, 
/**
 * Carrier or inspection fee as typed; empty is none.
 */
inspection_fee: string, 
/**
 * `yyyy-mm-dd`; empty is today.
 */
policy_effective: string, 
/**
 * `yyyy-mm-dd`; empty is the policy date (PN, PR, BD).
 */
transaction_effective: string, 
/**
 * Entity type code; empty is commercial.
 */
entity: string, 
/**
 * Risk purchasing group.
 */
rpg: boolean, 
/**
 * Exempt commercial purchaser.
 */
ecp: boolean, 
/**
 * Tax exempt insured.
 */
tax_exempt: boolean, export_list: boolean, 
/**
 * New Hampshire: commission received.
 */
commission_received: boolean, 
/**
 * Kentucky: admitted business.
 */
admitted: boolean, 
/**
 * `B`, `DC` or empty.
 */
written_as: string, 
/**
 * Kentucky: street address.
 */
address: string, 
/**
 * Kentucky: city.
 */
city: string, 
/**
 * Kentucky: ZIP code.
 */
zip: string, 
/**
 * Kentucky: taxing city or county.
 */
municipality: string, 
/**
 * Who charges the agency fee: `retail_agent`, `surplus_lines_licensee`, or empty for what the profile remembers.
 */
fee_charged_by: string, 
/**
 * How the insured holds the dwelling, such as `owned_dwelling` or `mobile_home`; empty is not given.
 */
occupancy: string, 
/**
 * The assessment's present rate as typed, in percent: `6`, `6.25%`; empty is not given.
 */
assessment_rate: string, 
/**
 * Name of the insured, for the printed quote; not sent to the calculator.
 */
insured: string, 
/**
 * What else the client's sheet says; not sent to the calculator.
 */
sheet: SheetDetails, };

export type QuoteSheet = { 
/**
 * The pages as they are printed.
 */
pages: Array<FormPage>, };

export type QuoteSummary = { id: string, 
/**
 * Name; for a recent quote made from its content.
 */
name: string, 
/**
 * Saved by the person; false for a recent one.
 */
saved: boolean, 
/**
 * State code of two letters, such as `TX`.
 */
state: string, 
/**
 * Transaction type code.
 */
transaction_type: string, 
/**
 * USD, or null without an answer.
 */
total: string | null, 
/**
 * RFC 3339 UTC.
 */
at: string, };

export type RateList = { 
/**
 * The day they are seen from, `yyyy-mm-dd`.
 */
on: string, rules_version: string, 
/**
 * Whether they come from a rules pack; else they are the built-in ones.
 */
rules_from_pack: boolean, 
/**
 * The states, by name.
 */
states: Array<StateRatesView>, };

export type RatePeriod = "past" | "current" | "coming";

export type RateRemarkView = { 
/**
 * What it is about.
 */
title: string, 
/**
 * The rule in words.
 */
text: string, sureness: Confidence, 
/**
 * How sure it is, in words.
 */
checked: string, 
/**
 * Where it is from.
 */
sources: Array<SourceRef>, };

export type RateView = { 
/**
 * Title of the charge.
 */
charge: string, 
/**
 * `4.85%` or `$2.00`.
 */
rate: string, 
/**
 * What it falls on, and how.
 */
basis: string, 
/**
 * Where it is in time.
 */
standing: RatePeriod, 
/**
 * First day, `yyyy-mm-dd`; null where the start was not found.
 */
from: string | null, 
/**
 * The first day a source shows it, where its start was not found.
 */
known_from: string | null, 
/**
 * Last day; null where no end is known.
 */
until: string | null, 
/**
 * Which day of a transaction it is looked up by.
 */
dated_by: string, 
/**
 * Remark on the value; empty for none.
 */
note: string, sureness: Confidence, 
/**
 * How sure it is, in words.
 */
checked: string, 
/**
 * Where it is from.
 */
sources: Array<SourceRef>, };

export type RatesRequest = { 
/**
 * Two letters; empty for all states.
 */
state: string, 
/**
 * `yyyy-mm-dd` or as people write it; empty for today.
 */
on: string, };

export type ReceiverState = "off" | "on" | "follows" | "trouble";

export type RecoveryKey = { 
/**
 * The key: goes in, never comes out.
 */
key: string, };

export type ReferenceData = { 
/**
 * Version of the application.
 */
version: string, 
/**
 * Today in the person's time zone, `yyyy-mm-dd`.
 */
today: string, 
/**
 * Day the rules in use were checked, `yyyy-mm-dd`.
 */
rules_checked: string, 
/**
 * Their version: the day of the newest change and how many changes that day has, `2026-11-22.34`.
 */
rules_version: string, 
/**
 * Whether they come from a rules pack; else they are the built-in ones.
 */
rules_from_pack: boolean, 
/**
 * The 53 jurisdictions by name.
 */
states: Array<StateInfo>, 
/**
 * Transaction types in the contract's order.
 */
transaction_types: Array<TransactionTypeInfo>, entity_types: Array<NamedCode>, 
/**
 * Who may charge the agency fee.
 */
fee_chargers: Array<NamedCode>, 
/**
 * How a dwelling may be held.
 */
occupancies: Array<NamedCode>, 
/**
 * Who charges the agency fee where a quote does not say, as the active profile remembers; empty for nobody.
 */
fee_charged_by: string, 
/**
 * Lines of business: built in, or the profile's own table.
 */
lines: Array<LineInfo>, 
/**
 * Fields of an imported transaction, in the template's order.
 */
import_fields: Array<ImportField>, 
/**
 * Endings of the names of files with transactions, in lower case.
 */
table_endings: Array<string>, 
/**
 * Into how many fields a column can be split at most.
 */
column_parts_max: number, 
/**
 * Where the lines come from: `built in` or the file's name.
 */
lines_source: string, 
/**
 * Kinds of events in the contract's order; all others last.
 */
event_kinds: Array<EventKindInfo>, 
/**
 * Paths of the service where a profile names no others: the contract's own.
 */
service_paths: DefaultPaths, };

export type RefreshStage = "idle" | "running" | "done" | "canceled" | "failed";

export type RefreshState = { stage: RefreshStage, 
/**
 * Requests' worth of work done, of `steps`.
 */
done: number, 
/**
 * Work known so far.
 */
steps: number, 
/**
 * Records read.
 */
read: number, 
/**
 * Of these new.
 */
new: number, 
/**
 * Of these changed.
 */
changed: number, 
/**
 * RFC 3339 UTC, or empty.
 */
started_at: string, 
/**
 * RFC 3339 UTC, or empty.
 */
ended_at: string, 
/**
 * Why it failed, or empty.
 */
trouble: string, 
/**
 * What is being fetched now, as a phrase.
 */
now: string, };

export type RefusedDelivery = { 
/**
 * RFC 3339 UTC.
 */
at: string, 
/**
 * Why, in a sentence.
 */
why: string, 
/**
 * Bytes of the body, as far as it was read.
 */
bytes: number, beginning: string, };

export type RefusedFile = { file_name: string, 
/**
 * The reason, as a sentence.
 */
reason: string, };

export type RefusedList = { deliveries: Array<RefusedDelivery>, 
/**
 * What the receiver refused since it started, counted, in a sentence; empty for nothing.
 */
summary: string, };

export type RetentionCounts = { 
/**
 * Documents of rows.
 */
documents: number, rows: number, 
/**
 * Events, and deliveries that were refused.
 */
events: number, uploads: number, drafts: number, quotes: number, };

export type RetentionRules = { 
/**
 * The documents of a row that the service has taken; 0 lets them go as soon as its batch has ended.
 */
documents: number | null, 
/**
 * What was sent of a row, and what the service said of it. Its number, amounts, and state stay.
 */
rows: number | null, 
/**
 * The bodies of events that were read, and refused deliveries.
 */
events: number | null, 
/**
 * The copies of documents whose upload was refused or canceled.
 */
uploads: number | null, 
/**
 * Drafts that were sent as a whole.
 */
drafts: number | null, 
/**
 * Quotes that were calculated and not saved.
 */
quotes: number | null, };

export type RetentionView = { 
/**
 * Name of the profile.
 */
profile: string, rules: RetentionRules, 
/**
 * What they would delete now, or deleted when they were saved.
 */
counts: RetentionCounts, };

export type ReturnMethod = "pro_rata" | "short_rate";

export type ReturnedLine = { code: string, 
/**
 * USD.
 */
premium: string, 
/**
 * What stays with the carrier, USD.
 */
earned: string, 
/**
 * What goes back, USD.
 */
returned: string, };

export type ReviewAreas = { id: string, 
/**
 * Rows that are shown.
 */
rows: RowsQuery, 
/**
 * What the step is called before its number of cells, such as `Fill`.
 */
verb: string, changes: Array<AreaChange>, 
/**
 * The view's `changes_of_others` that it was decided on; null changes whatever is there.
 */
seen_changes: number | null, };

export type ReviewCounts = { 
/**
 * Rows with content.
 */
rows: number, 
/**
 * Transactions they make.
 */
transactions: number, 
/**
 * Transactions without an error and not excluded.
 */
ready: number, 
/**
 * Rows with errors, those of `sent` among them.
 */
errors: number, 
/**
 * Rows that were sent before, with nothing else to correct.
 */
sent: number, 
/**
 * Rows with warnings only.
 */
warnings: number, 
/**
 * Rows changed by the person.
 */
changed: number, excluded: number, };

export type ReviewDocuments = { id: string, 
/**
 * Handles of dropped files or folders; empty asks with the dialog.
 */
handles: Array<string>, 
/**
 * Attach what matches; otherwise a preview.
 */
attach: boolean, };

export type ReviewEdge = { id: string, 
/**
 * Rows that are shown.
 */
rows: RowsQuery, 
/**
 * Place among the rows shown to begin at.
 */
index: number, 
/**
 * Column of the table.
 */
column: number, 
/**
 * Towards the beginning.
 */
backwards: boolean, };

export type ReviewEdit = { id: string, 
/**
 * Title of the step, such as `Paste 12 cells`.
 */
label: string, edits: Array<CellEdit>, 
/**
 * The text that each cell had when its new one was typed; empty where that doesn't matter.
 */
typed_over: Array<string>, 
/**
 * The view's `changes_of_others` that it was decided on; null changes whatever is there.
 */
seen_changes: number | null, };

export type ReviewExclude = { id: string, 
/**
 * Rows that are shown.
 */
rows: RowsQuery, areas: Array<CellArea>, 
/**
 * Whether they are excluded or included; null excludes them, or includes them where all are excluded.
 */
excluded: boolean | null, 
/**
 * The view's `changes_of_others` that it was decided on; null changes whatever is there.
 */
seen_changes: number | null, };

export type ReviewFigures = { id: string, 
/**
 * Rows that are shown.
 */
rows: RowsQuery, areas: Array<CellArea>, };

export type ReviewFind = { id: string, 
/**
 * Text; empty for the next problem.
 */
text: string, 
/**
 * Rows that are shown.
 */
rows: RowsQuery, 
/**
 * Start after this row of the table.
 */
row: number, 
/**
 * And after this column.
 */
column: number, 
/**
 * Towards the beginning.
 */
backwards: boolean, 
/**
 * Columns as they are shown; those not named follow in the order of the file.
 */
order: Array<number>, };

export type ReviewFix = { id: string, 
/**
 * Code of the issues.
 */
code: string, 
/**
 * Kind of the repair.
 */
fix: string, 
/**
 * Only the issues of this row; null for all.
 */
row: number | null, 
/**
 * The value for all rows, as typed, where the repair is `set_value`; of no matter for others.
 */
value: string, 
/**
 * Preview the changes without making them.
 */
preview: boolean, 
/**
 * The view's `changes_of_others` that it was decided on; null changes whatever is there.
 */
seen_changes: number | null, };

export type ReviewId = { id: string, };

export type ReviewKeep = { id: string, 
/**
 * Code of the issues.
 */
code: string, 
/**
 * Only the issues of this row; null for all.
 */
row: number | null, 
/**
 * Only those of this column; null for all.
 */
column: number | null, 
/**
 * Keep them, or open them again.
 */
keep: boolean, 
/**
 * Why they are right, required when they are acknowledged; in the audit log when the rows are sent.
 */
reason: string, };

export type ReviewList = { 
/**
 * Drafts.
 */
reviews: Array<ReviewSummary>, 
/**
 * Saved mappings.
 */
mappings: Array<string>, };

export type ReviewMatch = { id: string, 
/**
 * Overrides: `what` and value.
 */
overrides: Array<NamedCode>, 
/**
 * Columns changed: column and field.
 */
columns: Array<ColumnChange>, 
/**
 * Values given a code.
 */
values: Array<ValueMatch>, 
/**
 * All rules, in place of those there were; null leaves them.
 */
rules: ColumnRuleSet | null, 
/**
 * Use a saved mapping by name; empty for none.
 */
use_mapping: string, 
/**
 * Remember the mapping under this name; empty for not.
 */
remember_as: string, 
/**
 * Go on to the review.
 */
done: boolean, 
/**
 * What is proposed for a column is proposed again for the next file: no one was asked.
 */
keeps_proposals: boolean, };

export type ReviewReplace = { id: string, 
/**
 * Rows that are shown.
 */
rows: RowsQuery, 
/**
 * Text to replace; empty fills cells without a value, and then `is_whole` is required.
 */
text: string, replacement: string, 
/**
 * Upper and lower case have to be the same.
 */
has_case: boolean, 
/**
 * Only cells that have this text and no other.
 */
is_whole: boolean, 
/**
 * Where it is replaced; empty for all rows shown and all columns that are matched.
 */
areas: Array<CellArea>, 
/**
 * Preview the changes without making them.
 */
preview: boolean, 
/**
 * The view's `changes_of_others` that it was decided on; null changes whatever is there.
 */
seen_changes: number | null, };

export type ReviewSource = { "kind": "dialog" } | { "kind": "dropped", 
/**
 * Handle; paths do not cross to the UI.
 */
handle: string, } | { "kind": "together", 
/**
 * Their handles, in order.
 */
handles: Array<string>, } | { "kind": "pasted", 
/**
 * The clipboard's text.
 */
text: string, } | { "kind": "batch", 
/**
 * Local id of the batch.
 */
batch: string, } | { "kind": "transaction" } & NewTransaction | { "kind": "sample" };

export type ReviewStage = "canceled" | "reading" | "match" | "review" | "refused";

export type ReviewStart = { 
/**
 * Where the cells come from.
 */
source: ReviewSource, };

export type ReviewSummary = { id: string, name: string, 
/**
 * Those that are not sent yet.
 */
rows: number, 
/**
 * Rows with errors when last stored.
 */
errors: number, 
/**
 * RFC 3339 UTC.
 */
stored_at: string, 
/**
 * Every row of it is excluded.
 */
excluded: boolean, 
/**
 * Who of the office does it, or null.
 */
assigned: Assignment | null, };

export type ReviewTotals = { 
/**
 * Number of transactions.
 */
count: number, 
/**
 * Premium in USD, such as `1250.50`.
 */
premium: string, 
/**
 * Taxes and state fees, USD.
 */
taxes: string, 
/**
 * Stamping fees within them, USD.
 */
stamping: string, states: Array<StateTotal>, };

export type ReviewUndo = { id: string, 
/**
 * The view's `changes_of_others` that it was decided on; null changes whatever is there.
 */
seen_changes: number | null, };

export type ReviewValues = { id: string, 
/**
 * Rows that are shown; what they ask of the column itself does not count.
 */
rows: RowsQuery, 
/**
 * Column of the table.
 */
column: number, };

export type ReviewView = { 
/**
 * Id; empty when canceled.
 */
id: string, 
/**
 * How far it is.
 */
stage: ReviewStage, 
/**
 * File or sheet name, `Pasted cells`.
 */
name: string, 
/**
 * Bytes read so far and altogether, while reading.
 */
read_bytes: number, 
/**
 * Bytes altogether.
 */
total_bytes: number, 
/**
 * While reading: rows of the file once they are counted, then they are checked; 0 before.
 */
read_rows: number, 
/**
 * While reading: rows that are checked.
 */
checked_rows: number, 
/**
 * While reading: an earlier draft that is opened again.
 */
is_draft: boolean, 
/**
 * Why the file was refused, and what to do.
 */
refusal: string | null, 
/**
 * Refused for a reason of this computer: the same file may be read later.
 */
refused_for_now: boolean, 
/**
 * Refused because reading its workbook did not come to its end the last time: a person decides whether to read
 * it again.
 */
can_read_again: boolean, 
/**
 * Sheets of a workbook.
 */
sheets: Array<string>, 
/**
 * Files that were not read with the others.
 */
left_out: Array<ExcludedSource>, detected: Array<DetectedView>, 
/**
 * Columns as they are shown: those of the file, then places for values that the file has no column for.
 */
columns: Array<ColumnMatch>, 
/**
 * Values to be matched: those without a code first.
 */
values: Array<ValueMatch>, 
/**
 * Values that no column of the file has by itself.
 */
rules: ColumnRuleSet, 
/**
 * Name of the mapping in use; empty for none.
 */
mapping: string, counts: ReviewCounts, 
/**
 * Totals of what would be sent.
 */
totals: ReviewTotals, 
/**
 * Issues grouped by repair, errors first.
 */
groups: Array<IssueGroupView>, 
/**
 * Documents attached: matched transactions.
 */
documents_matched: number, 
/**
 * Title of the step that undo would undo; empty for none.
 */
undo: string, 
/**
 * What redo would bring back; empty for nothing.
 */
redo: string, 
/**
 * RFC 3339 UTC: when the draft was last stored.
 */
stored_at: string, 
/**
 * How often someone else of the office changed it since this computer opened it.
 */
changes_of_others: number, 
/**
 * The batch whose rows these are, where it is a correction.
 */
batch: string | null, 
/**
 * One transaction that is entered by hand, shown as a form; its answer comes at once.
 */
is_single: boolean, };

export type RowCause = { 
/**
 * By which rows are asked for.
 */
key: string, 
/**
 * `error`, `warning` or `note`.
 */
severity: string, 
/**
 * Field as the service names it; empty where it names none.
 */
field: string, 
/**
 * What the service said; of amounts that differ, with those of one of the rows.
 */
text: string, rows: number, };

export type RowFilter = "all" | "ready" | "errors" | "sent" | "warnings" | "changed" | "excluded";

export type RowMessage = { 
/**
 * `warning` or `error`.
 */
severity: string, 
/**
 * Field as the service names it; empty where it names none.
 */
field: string, text: string, 
/**
 * USD, where the text has it.
 */
provided: string | null, 
/**
 * Calculated amount in USD, or null.
 */
calculated: string | null, 
/**
 * USD, calculated minus provided.
 */
difference: string | null, 
/**
 * It says that the row is looked up, and goes once the row has an outcome.
 */
is_lookup: boolean, };

export type RowState = "pending" | "accepted" | "warning" | "error" | "saved_incomplete" | "not_sent";

export type RowView = { 
/**
 * Row of the table, for edits.
 */
row: number, 
/**
 * Number as the file counts it, from 1.
 */
line: number, 
/**
 * Text of each column, in the order of the review's `columns`.
 */
cells: Array<string>, 
/**
 * Columns changed by the person.
 */
changed: Array<number>, 
/**
 * Issues on it.
 */
marks: Array<CellMark>, 
/**
 * Whether the row is excluded.
 */
excluded: boolean, 
/**
 * Documents attached to its transaction.
 */
documents: number, };

export type RowsPage = { 
/**
 * Rows that pass the filter.
 */
total: number, 
/**
 * First row of the page among them.
 */
from: number, rows: Array<RowView>, };

export type RowsQuery = { filter: RowFilter, 
/**
 * Only rows with issues of this code; empty for all.
 */
code: string, 
/**
 * A row meets all of them.
 */
columns: Array<ColumnFilter>, 
/**
 * Null for the order of the file.
 */
sort: ColumnSort | null, 
/**
 * Counts how often a person chose rows: those of one choice stay while cells change, so that none moves away from
 * the person who edits it. 0 for the rows as they are now.
 */
choice: number, };

export type RowsRequest = { id: string, 
/**
 * Which rows, in which order.
 */
rows: RowsQuery, 
/**
 * First row of the page, counted among these rows.
 */
from: number, 
/**
 * At most 500.
 */
count: number, };

export type RuleChangeView = { 
/**
 * Day it was published, `yyyy-mm-dd`.
 */
published: string, 
/**
 * Two letters of each state concerned.
 */
states: Array<string>, 
/**
 * First day of the policies or transactions concerned; none for no first day.
 */
from: string | null, 
/**
 * Last day; none for no last day.
 */
until: string | null, 
/**
 * What changed, in plain text.
 */
text: string, };

export type RuleChanges = { changes: Array<RuleChangeView>, };

export type RuleDifferenceView = { 
/**
 * Two letters.
 */
state: string, 
/**
 * Whether the pack has it; else only the built-in rules do.
 */
is_new: boolean, 
/**
 * The value in words.
 */
text: string, };

export type RuleRow = { 
/**
 * The contract's field of a charge; empty for what belongs to none.
 */
field: string, 
/**
 * Title, as the service gives it.
 */
title: string, 
/**
 * What the service says: `4.85%`, `$20.00`, `to the nearest dollar`, `none`.
 */
service: string, 
/**
 * The same of the built-in rules; null where they could not be used.
 */
builtin: string | null, differs: boolean, };

export type RulesView = { 
/**
 * Version of the rules in use, `2026-11-22.34`.
 */
version: string, 
/**
 * Day of their newest change, `yyyy-mm-dd`.
 */
day: string, builtin_version: string, 
/**
 * Whether they come from a rules pack.
 */
from_pack: boolean, 
/**
 * The key that signed the pack; empty for built-in rules.
 */
signed_by: string, 
/**
 * What the pack has that the built-in rules have not, and the other way around, by state.
 */
differences: Array<RuleDifferenceView>, 
/**
 * Keys that a pack may be signed with; without one no pack is used.
 */
trusted_keys: Array<string>, 
/**
 * Where the newest pack is fetched from; empty for nowhere.
 */
address: string, 
/**
 * Whether the policy of this computer names that address.
 */
address_by_policy: boolean, 
/**
 * Whether the profile in use names it.
 */
address_by_profile: boolean, 
/**
 * Why no pack can be used here; empty where one can.
 */
obstacle: string, 
/**
 * Why the pack that was taken before isn't used now; empty where it is, or there is none.
 */
unused: string, };

export type SaveAnswers = { 
/**
 * Their numbers; none for all.
 */
ids: Array<number>, };

export type SaveGridLayout = { 
/**
 * Name of the mapping; empty for files without one.
 */
mapping: string, layout: GridLayout, };

export type SaveQuote = { 
/**
 * Id of a saved quote, or null.
 */
id: string | null, 
/**
 * Name given; empty: made from state, insured and date.
 */
name: string, 
/**
 * The question, as typed.
 */
request: QuoteRequest, 
/**
 * The last answer, or null.
 */
answer: QuoteAnswer | null, 
/**
 * The revision that was changed; null replaces whatever is there.
 */
revision?: string | null, };

export type SaveRejects = { 
/**
 * A review or a batch.
 */
id: string, format: TableFormat, 
/**
 * Rows with warnings too, that the service accepted or would accept.
 */
with_warnings: boolean, };

export type SaveWebhook = { 
/**
 * The service's id; empty for a new one.
 */
id: string, title: string, 
/**
 * Notes.
 */
description: string, 
/**
 * Identifiers of the events that it receives.
 */
events: Array<string>, 
/**
 * Where deliveries go. That of a webhook which points at this computer is not changed.
 */
url: string, 
/**
 * Name of a header of every delivery; empty for none.
 */
header_name: string, 
/**
 * Its value; empty keeps the stored one.
 */
header_value: string, 
/**
 * States, two letters; none means all.
 */
states: Array<string>, };

export type SavedQuote = { id: string, name: string, 
/**
 * The question, as typed.
 */
request: QuoteRequest, 
/**
 * The answer when saved, or null.
 */
answer: QuoteAnswer | null, 
/**
 * RFC 3339 UTC.
 */
saved_at: string, 
/**
 * Changes with each change of it.
 */
revision: string, };

export type SavedSearch = { name: string, 
/**
 * The search; its window is not part of it.
 */
search: TransactionsSearch, 
/**
 * Columns shown, in order; empty for the usual ones.
 */
columns: Array<string>, };

export type SavedSearches = { searches: Array<SavedSearch>, };

export type SearchName = { name: string, };

export type SecretsKind = "keychain" | "memory" | "unavailable";

export type SecretsStatus = { 
/**
 * `keychain`, `memory` or `unavailable`.
 */
kind: SecretsKind, 
/**
 * Why it is not available, and how to get it.
 */
message: string, };

export type SendAgain = { 
/**
 * Its number.
 */
delivery: string, };

export type SendConfirmation = { 
/**
 * Profile they go to.
 */
profile: string, environment: Environment, 
/**
 * Word to be typed for the first production send of a day; empty otherwise.
 */
type_word: string, };

export type SendPreview = { 
/**
 * Profile it goes to.
 */
profile: string, environment: Environment, totals: ReviewTotals, 
/**
 * Transactions with errors among them.
 */
with_errors: number, 
/**
 * Transactions among them that give no tax and no state fee: the service calculates them.
 */
without_taxes: number, 
/**
 * Parts it is sent in.
 */
parts: number, 
/**
 * Documents that go along.
 */
documents: number, 
/**
 * Warnings acknowledged with a reason: of rows to be sent, and of rejected rows that stay unchanged.
 */
kept: number, 
/**
 * The word that has to be typed; empty for none.
 */
type_word: string, };

export type SendReview = { id: string, scope: SendScope, 
/**
 * The totals the person confirmed; refused when they are no longer those.
 */
confirmed: ReviewTotals, 
/**
 * Word typed for the first production send of the day; empty elsewhere.
 */
typed: string, };

export type SendReviewPreview = { id: string, scope: SendScope, };

export type SendScope = "valid" | "all";

export type SentRow = { 
/**
 * Local id of the batch.
 */
batch: string, batch_name: string, 
/**
 * The transaction's own id.
 */
own_id: string, 
/**
 * Line of the file it came from.
 */
line: number, row_state: RowState, 
/**
 * RFC 3339 UTC.
 */
sent_at: string, by: string, messages: Array<RowMessage>, };

export type ServiceState = "ready" | "offline" | "starting" | "needs_credentials";

export type ServiceWord = { 
/**
 * What it is about.
 */
kind: WordKind, 
/**
 * As the service writes it; case does not matter.
 */
word: string, 
/**
 * Of a transaction the words to show, such as `Filed`; of a batch `queued`, `processing`, `processed` or
 * `failed`; of a row `success`, `failed` or `saved`; of an event its identifier in the contract.
 */
meaning: string, };

export type SetApiKey = { id: string, 
/**
 * The key: goes in, never comes out.
 */
key: string, };

export type SetEventsSecret = { 
/**
 * HMAC secret; empty removes it.
 */
secret: string, 
/**
 * Name of the header the service sends along; empty for none.
 */
header_name: string, header_value: string, };

export type Settings = { 
/**
 * Appearance.
 */
theme: Theme, 
/**
 * Percent: 80 to 200.
 */
zoom: number, 
/**
 * Name of the agency, printed on quotes.
 */
agency: string, 
/**
 * Its address, lines.
 */
agency_address: string, agency_license: string, 
/**
 * Its logo, a PNG or JPEG in Base64; empty for none.
 */
agency_logo: string, 
/**
 * Name of the client's sheet's template that was chosen last; empty for the standard one.
 */
sheet_template: string, 
/**
 * Columns of the table of transactions by name; empty for the usual ones.
 */
transaction_columns: Array<string>, 
/**
 * The view that the window opens with, by its name in the window; empty for Today.
 */
first_view: string, 
/**
 * The first steps aren't shown anymore.
 */
first_steps_hidden: boolean, 
/**
 * How many days before a due date the desktop shows a notice, of those of `DUE_NOTICE_DAYS`.
 */
due_notice_days: Array<number>, 
/**
 * Where the newest rules pack is, an `https://` address; empty for none.
 */
rules_address: string, 
/**
 * Where the list of versions of the application is, an `https://` address; empty for none.
 */
updates_address: string, };

export type SheetDetails = { 
/**
 * The insured's address; lines.
 */
insured_address: string, carrier: string, 
/**
 * The agency's number of the quote.
 */
quote_number: string, 
/**
 * Last day of the policy.
 */
policy_expires: string, 
/**
 * Last day the quote is valid.
 */
valid_until: string, 
/**
 * What the quote is subject to; lines.
 */
subject_to: string, 
/**
 * What is earned at least, such as `25%`.
 */
minimum_earned: string, 
/**
 * Number of installments after the down payment; empty is payment at once.
 */
installments: string, 
/**
 * Percent paid first, such as `25%`; empty is none.
 */
down_payment: string, 
/**
 * Taxes and fees are paid with the down payment; else they are spread with the premium.
 */
taxes_first: boolean, 
/**
 * Fee of each installment, USD.
 */
installment_fee: string, 
/**
 * Day of the first installment; empty is a month after the policy begins.
 */
first_installment: string, 
/**
 * Name of the sheet's template; empty is the one that was chosen last.
 */
template: string, };

export type SheetSection = { show: SheetSectionKind, 
/**
 * Its heading; empty for none.
 */
title: string, 
/**
 * The text of a text section.
 */
text: string, };

export type SheetSectionKind = "policy" | "lines" | "amounts" | "installments" | "subject_to" | "stamp" | "documents" | "notes" | "explanations" | "text";

export type SheetTemplate = { title: string, 
/**
 * The sections in their order.
 */
section: Array<SheetSection>, };

export type SheetTemplateDraft = { 
/**
 * Its TOML. Empty, without sections: the built-in one.
 */
text: string, 
/**
 * Its sections, where these were changed: the TOML is then made from them.
 */
template: SheetTemplate | null, 
/**
 * The revision that was changed; null replaces whatever is there.
 */
revision?: string | null, };

export type SheetTemplateList = { 
/**
 * The standard one first, the others by name.
 */
templates: Array<NamedSheetTemplate>, 
/**
 * The one that was chosen last, for a sheet that names none.
 */
chosen: string, };

export type SheetTemplateName = { name: string, };

export type SheetTemplateSave = { 
/**
 * Its name from now on.
 */
name: string, 
/**
 * Its name until now; empty for a new one.
 */
previous: string, 
/**
 * What is on it.
 */
draft: SheetTemplateDraft, };

export type SheetTemplateView = { 
/**
 * Its TOML.
 */
text: string, template: SheetTemplate, 
/**
 * What could be on it and isn't, with the usual headings.
 */
left_out: Array<SheetSection>, 
/**
 * The sheet of a made-up quote with it.
 */
pages: Array<FormPage>, };

export type SignIn = "api_key" | "user" | "both";

export type SignInRequest = { id: string, username: string, 
/**
 * Password: used once.
 */
password: string, };

export type SignatureForm = "any" | "hex" | "base64";

export type SourceRef = { 
/**
 * Statute, bulletin or page.
 */
title: string, 
/**
 * Its address; empty for a private source, which has none.
 */
url: string, };

export type SplitMethod = "separators" | "separators_from_end" | "positions";

export type SplitPart = { 
/**
 * The contract's field, or null where the part is not imported.
 */
field: string | null, 
/**
 * What it is in the first rows; of no matter in a request.
 */
examples: Array<string>, };

export type StageEvidence = { 
/**
 * RFC 3339 UTC.
 */
at: string, 
/**
 * The question, such as `results of batch 8f3a`.
 */
question: string, 
/**
 * What the answer said, in short.
 */
answer: string, };

export type StampView = { 
/**
 * The wording as HTML.
 */
html: string, 
/**
 * The wording as plain text.
 */
text: string, 
/**
 * Where and how to put it.
 */
instructions: string | null, 
/**
 * Font size in points.
 */
font_size: number | null, bold: boolean, italic: boolean, color: string | null, 
/**
 * `12 pt bold black`.
 */
format: string, };

export type StateDue = { 
/**
 * Two letters.
 */
state: string, overdue: number, 
/**
 * How many are due today or within seven days.
 */
soon: number, 
/**
 * The first day, `yyyy-mm-dd`.
 */
first: string, 
/**
 * What is due first.
 */
title: string, };

export type StateInfo = { 
/**
 * State code of two letters, such as `TX`.
 */
code: string, name: string, 
/**
 * Asks for the address and municipality (Kentucky).
 */
asks_location: boolean, 
/**
 * Asks whether a commission is received (New Hampshire).
 */
asks_commission: boolean, 
/**
 * Has admitted business (Kentucky).
 */
asks_admitted: boolean, 
/**
 * Taxes the retail agent's fee and the surplus lines licensee's fee differently.
 */
asks_fee_charged_by: boolean, 
/**
 * Lines on which it matters how the insured holds the dwelling, by generic code.
 */
asks_occupancy_on: Array<string>, 
/**
 * Title of an assessment whose present rate was not found and may be entered, or null.
 */
assessment_title: string | null, 
/**
 * Lines that the assessment is on, by generic code.
 */
asks_assessment_on: Array<string>, 
/**
 * Something in its rules is not sure: number of values that are not confirmed.
 */
unsure: number, 
/**
 * Taxing jurisdictions known for the municipality field (Kentucky), by name.
 */
municipalities: Array<string>, };

export type StateRatesView = { 
/**
 * Two letters.
 */
state: string, name: string, 
/**
 * Day its rules were checked, `yyyy-mm-dd`.
 */
checked_on: string, 
/**
 * Values charge by charge, oldest first.
 */
rates: Array<RateView>, 
/**
 * The other rules.
 */
remarks: Array<RateRemarkView>, };

export type StateTotal = { 
/**
 * Two letters, or empty where it is not known.
 */
state: string, 
/**
 * Number of transactions.
 */
count: number, 
/**
 * Premium in USD, such as `1250.50`.
 */
premium: string, 
/**
 * Taxes and state fees, USD.
 */
taxes: string, 
/**
 * Stamping fees within them, USD.
 */
stamping: string, };

export type Status = { 
/**
 * Name of the active profile.
 */
profile: string, environment: Environment, 
/**
 * `ready`, `offline`, `starting`, `needs_credentials`.
 */
service: ServiceState, 
/**
 * The service refused the key, the sign-in or the account when something was last sent.
 */
is_refused: boolean, 
/**
 * Milliseconds of the last answer, or null.
 */
last_ms: number | null, 
/**
 * Requests made in the current minute.
 */
used_this_minute: number, 
/**
 * Most requests a minute.
 */
limit_per_minute: number, };

export type TableFormat = "xlsx" | "csv";

export type TestOutcome = "ok" | "failed" | "skipped";

export type TestReport = { 
/**
 * All steps worked.
 */
ok: boolean, 
/**
 * Steps in order.
 */
steps: Array<TestStep>, 
/**
 * Milliseconds altogether.
 */
took_ms: number, };

export type TestStep = { 
/**
 * `Address`, `Name lookup`, `Connection`, `Certificate`, `Sign-in`, `Calculator`.
 */
name: string, 
/**
 * `ok`, `failed` or `skipped`.
 */
outcome: TestOutcome, 
/**
 * Details: address, port, issuer, status.
 */
detail: string, 
/**
 * What to do when it failed.
 */
remedy: string, };

export type Theme = "system" | "light" | "dark" | "contrast";

export type TimelineStep = { 
/**
 * `imported`, `ready`, `filed`, `tax_paid`, `stamping_fee_paid`, `other_paid`, `state_number`.
 */
step: string, 
/**
 * Title, as shown.
 */
title: string, 
/**
 * Whether the step is reached.
 */
done: boolean, 
/**
 * Date as the service gave it, or empty.
 */
on: string, 
/**
 * What else is known: the invoice, the number.
 */
note: string, };

export type TodayView = { 
/**
 * Today on the person's calendar, `yyyy-mm-dd`.
 */
today: string, 
/**
 * States with something overdue or due within a week, the first day first.
 */
due: Array<StateDue>, overdue: number, 
/**
 * All that is due today or within seven days.
 */
soon: number, 
/**
 * Sentences on the due dates that are not known.
 */
due_gaps: Array<string>, 
/**
 * Batches with rows to correct, newest first.
 */
to_correct: Array<BatchView>, 
/**
 * How many batches these are.
 */
to_correct_total: number, 
/**
 * Batches with rows accepted with warnings and none to correct, newest first.
 */
with_warnings: Array<BatchView>, 
/**
 * How many batches these are.
 */
with_warnings_total: number, 
/**
 * Files that are being prepared, newest first.
 */
drafts: Array<ReviewSummary>, 
/**
 * How many files these are.
 */
drafts_total: number, 
/**
 * Transactions that miss a document: what a filing waits for first, the nearest filing first.
 */
missing: Array<MissingEntry>, 
/**
 * How many transactions these are.
 */
missing_total: number, 
/**
 * Those of them whose filing waits for a document; of the others it is only requested.
 */
missing_required: number, 
/**
 * Events not read, newest first.
 */
events: Array<EventView>, 
/**
 * How many events these are.
 */
events_total: number, 
/**
 * Batches that wait for a person's decision, newest first.
 */
to_decide: Array<BatchView>, 
/**
 * How many batches these are.
 */
to_decide_total: number, 
/**
 * Documents that the service refused.
 */
refused_uploads: number, 
/**
 * Batches that are being sent.
 */
sending: Array<BatchView>, 
/**
 * How many batches these are.
 */
sending_total: number, 
/**
 * Documents that are being sent.
 */
uploads: number, 
/**
 * Quotes of the last seven days, newest first.
 */
quotes: Array<QuoteSummary>, 
/**
 * How many quotes these are.
 */
quotes_total: number, 
/**
 * What is assigned to the person at this desk; null while this computer's own data is in use.
 */
own_work: OwnWork | null, 
/**
 * What a new person has tried.
 */
steps: FirstSteps, };

export type TransactionColumnInfo = { name: string, title: string, 
/**
 * How it is written.
 */
kind: TransactionColumnKind, 
/**
 * Shown where the person chose no columns.
 */
is_usual: boolean, 
/**
 * What orders by it, or null.
 */
sort: TransactionSort | null, };

export type TransactionColumnKind = "text" | "date" | "amount" | "number";

export type TransactionDetail = { 
/**
 * As in the table.
 */
row: TransactionRow, 
/**
 * Every field, in the contract's order.
 */
fields: Array<TransactionField>, 
/**
 * Steps in order.
 */
timeline: Array<TimelineStep>, 
/**
 * Amounts side by side.
 */
amounts: Array<ComparedAmount>, 
/**
 * Why there is no calculated amount; empty where there is.
 */
no_calculation: string, documents: Array<TransactionDocument>, 
/**
 * What this desk sent, newest first.
 */
sent: Array<SentRow>, };

export type TransactionDocument = { name: string, code: string, };

export type TransactionDocuments = { 
/**
 * The service's number as digits.
 */
transaction_id: string, policy_number: string, insured: string, state: string, 
/**
 * Transaction type code.
 */
transaction_type: string, 
/**
 * Documents that the service has.
 */
documents: Array<KeptDocument>, 
/**
 * Documents that the state requests, required ones first.
 */
wanted: Array<WantedDocument>, 
/**
 * Codes still missing for the filing.
 */
missing: Array<string>, 
/**
 * Uploads of this transaction, newest first.
 */
uploads: Array<UploadView>, };

export type TransactionField = { 
/**
 * The contract's name.
 */
name: string, 
/**
 * Title, as shown.
 */
title: string, 
/**
 * Value; empty where the service gave none.
 */
value: string, 
/**
 * `text`, `date` or `amount`.
 */
kind: string, };

export type TransactionId = { 
/**
 * The service's number.
 */
id: string, };

export type TransactionQuestion = { 
/**
 * The service's number, or empty.
 */
id: string, 
/**
 * Invoice number, or empty.
 */
invoice_number: string, };

export type TransactionRow = { 
/**
 * The service's number.
 */
id: string, policy_number: string, insured: string, 
/**
 * State code of two letters, such as `TX`.
 */
state: string, 
/**
 * Code.
 */
transaction_type: string, 
/**
 * As the service writes it: a number or a word; empty where it gave none.
 */
status: string, 
/**
 * What the profile's table says it means, else as it came: `Status n`.
 */
status_word: string, invoice_number: string, 
/**
 * `yyyy-mm-dd`, or empty.
 */
policy_effective: string, 
/**
 * `yyyy-mm-dd`, or empty.
 */
transaction_effective: string, 
/**
 * `yyyy-mm-dd`, or empty.
 */
date_filed: string, 
/**
 * USD; empty where the service gave none.
 */
premium: string, 
/**
 * USD: agency, inspection and collection fee.
 */
fees: string, 
/**
 * USD: all taxes and state fees; empty where the service gave none of them.
 */
taxes: string, 
/**
 * USD: premium, fees, taxes.
 */
total: string, 
/**
 * Titles of amounts that the service did not give: the sums are without them.
 */
missing_amounts: Array<string>, 
/**
 * Documents it has.
 */
documents: number, 
/**
 * `paid`, `partly`, `unpaid` or `nothing`.
 */
paid: string, 
/**
 * The same as a person reads it: `Partly paid`.
 */
paid_word: string, 
/**
 * Filing due, `yyyy-mm-dd`, or empty where no rule gives one.
 */
due: string, 
/**
 * Due before today and not filed.
 */
overdue: boolean, 
/**
 * The state's own number, or empty.
 */
state_number: string, 
/**
 * The caller's own id, or empty.
 */
own_id: string, 
/**
 * RFC 3339 UTC: when this was last read from the service.
 */
seen_at: string, 
/**
 * Batch of this desk that sent it last, or null.
 */
batch: string | null, };

export type TransactionSort = "id" | "policy_number" | "insured" | "state" | "transaction_type" | "status" | "invoice" | "policy_effective" | "transaction_effective" | "filed" | "premium" | "taxes" | "total" | "documents" | "due";

export type TransactionTotals = { count: number, 
/**
 * Premium; credits count negative.
 */
premium: string, 
/**
 * Agency, inspection and collection fees.
 */
fees: string, 
/**
 * Taxes and state fees.
 */
taxes: string, 
/**
 * All together.
 */
total: string, 
/**
 * Transactions of which the service did not give an amount: the sums are without it.
 */
without_amounts: number, 
/**
 * Transactions beside these whose effective date, which was asked for, is missing or can't be read.
 */
undated: number, };

export type TransactionTypeInfo = { 
/**
 * Code such as `PN`.
 */
code: string, name: string, 
/**
 * The amounts come back negative.
 */
credit: boolean, 
/**
 * Needs a transaction date of its own (everything but PN, PR and BD).
 */
needs_transaction_date: boolean, };

export type TransactionsExport = { 
/**
 * The search; all its rows are saved, whatever its window.
 */
search: TransactionsSearch, format: TableFormat, 
/**
 * Columns by name, in order; empty for all.
 */
columns: Array<string>, };

export type TransactionsFilter = { 
/**
 * Words as typed: each must begin a word of the transaction. Punctuation of policy numbers does not matter,
 * amounts are found as people write them.
 */
text: string, filed: DayRange, 
/**
 * Effective date of the policy.
 */
policy_effective: DayRange, 
/**
 * Effective date of the transaction.
 */
transaction_effective: DayRange, 
/**
 * RFC 3339 UTC: only what this desk saw new or changed since then; empty for all.
 */
changed_since: string, 
/**
 * States, two letters.
 */
states: Array<string>, 
/**
 * Transaction type codes.
 */
types: Array<string>, 
/**
 * Statuses as the service writes them, numbers too.
 */
statuses: Array<string>, 
/**
 * `with` or `without` documents.
 */
documents: Array<string>, 
/**
 * `paid`, `partly`, `unpaid` or `nothing` (nothing to pay).
 */
paid: Array<string>, 
/**
 * `overdue`, `due` or `unknown` (no rule, or filed).
 */
due: Array<string>, 
/**
 * Months `yyyy-mm` of the transaction's effective date.
 */
months: Array<string>, };

export type TransactionsOverview = { profile: string, environment: Environment, 
/**
 * Records held.
 */
records: number, 
/**
 * Records that may still change: not filed, or not paid.
 */
open: number, 
/**
 * Days fetched, newest fetch first.
 */
fetched: Array<FetchedDays>, 
/**
 * RFC 3339 UTC of the visit before this one; empty at the first.
 */
last_visit: string, refresh: RefreshState, 
/**
 * Changes whenever the index changed.
 */
revision: number, 
/**
 * The columns that the table can show, in its order.
 */
columns: Array<TransactionColumnInfo>, 
/**
 * RFC 3339 UTC when the service was last asked to the end; empty when it never was.
 */
fresh_at: string, 
/**
 * Whether transactions come in by themselves.
 */
auto_refresh: AutoRefresh, };

export type TransactionsPage = { 
/**
 * Rows that match.
 */
total: number, 
/**
 * The window.
 */
rows: Array<TransactionRow>, 
/**
 * Changes whenever the index changed.
 */
revision: number, };

export type TransactionsRefresh = { 
/**
 * Days it was filed; both ends empty for no question by it.
 */
filed: DayRange, 
/**
 * Effective dates of the policy.
 */
policy_effective: DayRange, 
/**
 * Effective dates of the transaction. Without any range: the last 12 months and the next 3.
 */
transaction_effective: DayRange, 
/**
 * Fetch days again that were fetched and are settled.
 */
again: boolean, };

export type TransactionsSearch = { filter: TransactionsFilter, 
/**
 * Order.
 */
sort: TransactionSort, 
/**
 * Smallest first; the default is largest or newest first.
 */
ascending: boolean, 
/**
 * First row of the window.
 */
from: number, 
/**
 * Rows of the window, at most 500.
 */
count: number, };

export type TransactionsSum = { search: TransactionsSearch, 
/**
 * First row.
 */
from: number, 
/**
 * Last row, included.
 */
to: number, };

export type TransactionsSummary = { 
/**
 * Sums of all matches.
 */
totals: TransactionTotals, 
/**
 * Facets with counts.
 */
facets: Array<Facet>, 
/**
 * Premium and taxes by state, most premium first.
 */
by_state: Array<ChartBar>, 
/**
 * Premium and taxes by month of the effective date, in order.
 */
by_month: Array<ChartBar>, 
/**
 * Transactions by status, in order.
 */
by_status: Array<ChartBar>, 
/**
 * Changes whenever the index changed.
 */
revision: number, };

export type TrayNotice = { 
/**
 * Number of the notice.
 */
id: string, webhook_title: string, 
/**
 * Identifier of the event.
 */
event: string, 
/**
 * Where the delivery went.
 */
endpoint_url: string, 
/**
 * When it was given up, as the service wrote it.
 */
timestamp: string, 
/**
 * The event that was not delivered.
 */
failed_event_id: string, 
/**
 * Status of the last answer, or null.
 */
response_status: number | null, 
/**
 * Beginning of the last answer, or why there was none.
 */
response_body: string, 
/**
 * The delivery, to be sent again.
 */
delivery_id: string, };

export type TrayNotices = { notices: Array<TrayNotice>, };

export type UnlockRequest = { 
/**
 * The passphrase: goes in, never comes out.
 */
passphrase: string, };

export type UnreadAnswerView = { 
/**
 * The operation in words, such as `batch import`.
 */
operation: string, 
/**
 * HTTP status.
 */
status: number, 
/**
 * Headers, without those that may have a secret.
 */
headers: Array<AnswerHeader>, 
/**
 * The body, at most 64 KiB of it; empty for a sign-in.
 */
body: string, 
/**
 * Bytes of the whole body.
 */
body_bytes: number, 
/**
 * Parts that could not be read, at most 50; none where the answer as a whole was not understood.
 */
parts: Array<UnreadPart>, 
/**
 * How many parts could not be read.
 */
lost: number, };

export type UnreadAnswers = { profile: string, 
/**
 * At most 50.
 */
answers: Array<KeptAnswer>, };

export type UnreadPart = { 
/**
 * Where it is, such as `transactions[3].warnings`.
 */
path: string, 
/**
 * What was there, as it came.
 */
found: string, 
/**
 * What was expected.
 */
reason: string, 
/**
 * A whole entry of a list is missing because of it.
 */
is_record: boolean, };

export type UpdateView = { 
/**
 * Version that runs.
 */
version: string, 
/**
 * The newest version of the list, where it is newer; else empty.
 */
newer: string, 
/**
 * Day it was published, `yyyy-mm-dd`; may be empty.
 */
published: string, 
/**
 * The page that tells how to get it; may be empty.
 */
page: string, 
/**
 * When the list was read, RFC 3339 UTC; empty where it wasn't.
 */
checked_at: string, 
/**
 * Where the list is; empty for nowhere.
 */
address: string, 
/**
 * Whether the policy of this computer names that address.
 */
address_by_policy: boolean, 
/**
 * Why nothing is looked for; empty where it is.
 */
obstacle: string, 
/**
 * Why a newer version can't be installed from here; empty where it can.
 */
install_obstacle: string, };

export type UploadDecision = { 
/**
 * Id on this computer.
 */
id: string, 
/**
 * What is said of it.
 */
decision: LostDecision, 
/**
 * Word typed where production asks for one before it is sent again; empty elsewhere.
 */
typed: string, };

export type UploadFile = { handle: string, 
/**
 * Document code, such as `POLIC`.
 */
code: string, 
/**
 * SHA-256 of the file as it was looked at; empty to take it as it is now.
 */
sha256: string, 
/**
 * Its transaction, where it isn't that of the request.
 */
target: DocumentTarget, };

export type UploadId = { 
/**
 * Id on this computer.
 */
id: string, };

export type UploadQueue = { 
/**
 * The newest uploads, at most 500.
 */
uploads: Array<UploadView>, 
/**
 * Not at their end.
 */
open: number, 
/**
 * Bytes not at their end.
 */
open_bytes: number, 
/**
 * Bytes of uploads begun since the queue was last empty that are at their end.
 */
ended_bytes: number, 
/**
 * Refused by the service and still in the list.
 */
refused: number, };

export type UploadRetry = { 
/**
 * Id on this computer.
 */
id: string, 
/**
 * Word typed where production asks for one; empty elsewhere.
 */
typed: string, };

export type UploadState = "queued" | "sending" | "unknown" | "sent" | "refused" | "canceled";

export type UploadView = { 
/**
 * Id on this computer.
 */
id: string, state: UploadState, 
/**
 * The service's number as digits; empty until it is known.
 */
transaction_id: string, 
/**
 * Invoice it was addressed by, or empty.
 */
invoice_number: string, code: string, name: string, file_name: string, 
/**
 * Its detected type.
 */
kind: string, 
/**
 * Size in bytes.
 */
bytes: number, 
/**
 * Of them on their way, while it is being sent from this process.
 */
sent_bytes: number, 
/**
 * SHA-256, hexadecimal.
 */
sha256: string, 
/**
 * Profile it goes to.
 */
profile: string, environment: Environment, 
/**
 * The service's message, or what the upload waits for; empty for neither.
 */
message: string, 
/**
 * RFC 3339 UTC.
 */
created_at: string, 
/**
 * Account on this machine.
 */
by: string, 
/**
 * RFC 3339 UTC, or null.
 */
ended_at: string | null, can_cancel: boolean, 
/**
 * Can be sent again.
 */
can_retry: boolean, 
/**
 * An answer was lost and the service cannot say whether it has the document: a person decides; `message` is the
 * question.
 */
asks: boolean, 
/**
 * How far it is known to be.
 */
stage: DeliveryStage, 
/**
 * Why that is known; null before the service was asked.
 */
evidence: StageEvidence | null, };

export type ValueMatch = { 
/**
 * The contract's field.
 */
field: string, found: string, 
/**
 * Code, or null where it is not known yet.
 */
code: string | null, rows: number, 
/**
 * What it may mean, where that is not known.
 */
proposed: ProposedCode | null, };

export type WantedDocument = { 
/**
 * Code such as `POLIC`.
 */
code: string, name: string, 
/**
 * Required for the filing and uploaded with it.
 */
required: boolean, 
/**
 * Requested, but the filing does not wait for it.
 */
upload: boolean, 
/**
 * Who signs, or empty.
 */
signature: string, 
/**
 * Remark of the state's list, or empty.
 */
note: string, 
/**
 * The service has it.
 */
there: boolean, queued: boolean, };

export type WatchView = { 
/**
 * The folder's name; empty when none is watched.
 */
folder: string, 
/**
 * What a person should know of it, as a sentence; else empty.
 */
remark: string, 
/**
 * The newest first.
 */
arrivals: Array<WatchedArrival>, };

export type WatchedArrival = { 
/**
 * Counted up while the program runs.
 */
number: number, name: string, 
/**
 * The draft it became; empty where it became none.
 */
review: string, 
/**
 * Why it became none, as a sentence; else empty.
 */
problem: string, };

export type WebhookId = { 
/**
 * The service's id.
 */
id: string, };

export type WebhookList = { 
/**
 * The service has webhooks managed from here; otherwise that is done in the account's own pages.
 */
available: boolean, webhooks: Array<WebhookView>, 
/**
 * Every kind of event that there is: identifier and words.
 */
kinds: Array<NamedCode>, };

export type WebhookSaved = { webhook: WebhookView, 
/**
 * The new secret, shown only once and never stored; empty where there is none, or where the receiver on
 * this computer stores it.
 */
secret: string, 
/**
 * A sentence where a secret was expected and none came; empty otherwise.
 */
note: string, };

export type WebhookView = { 
/**
 * The service's id.
 */
id: string, title: string, 
/**
 * Notes.
 */
description: string, 
/**
 * Identifiers of the events that it receives.
 */
events: Array<string>, 
/**
 * Where deliveries go.
 */
url: string, 
/**
 * Name of the header of every delivery; empty for none. Its value is never shown.
 */
header_name: string, 
/**
 * States it is about, two letters; none means all.
 */
states: Array<string>, 
/**
 * RFC 3339 UTC.
 */
created_at: string, 
/**
 * Deliveries on their way.
 */
waiting: number, 
/**
 * It points at this computer: "Receive events" made it and holds its secret.
 */
here: boolean, };

export type WordKind = "transaction" | "batch" | "row" | "event";

export type WorkKind = "batch" | "draft" | "event" | "due_date";

export interface Operations {
  /** Reference data that the forms need. */
  reference_data: { request: Nothing; answer: ReferenceData };
  /** What changed in the tax rules. */
  rules_changes: { request: Nothing; answer: RuleChanges };
  /** Which rules are in use, and what a rules pack changed. */
  rules_show: { request: Nothing; answer: RulesView };
  /** Use the rules of a pack from a file. */
  rules_install: { request: InstallRules; answer: RulesView };
  /** Fetch the newest rules pack from its address, and use its rules. */
  rules_fetch: { request: Nothing; answer: RulesView };
  /** Use the built-in rules again. */
  rules_reset: { request: Nothing; answer: RulesView };
  /** Where newer versions of the application are listed; nothing is fetched. */
  updates_show: { request: Nothing; answer: UpdateView };
  /** Look whether there is a newer version of the application. */
  updates_check: { request: Nothing; answer: UpdateView };
  /** Fetch a newer version, have the system install it, and close. */
  updates_install: { request: InstallUpdate; answer: Nothing };
  /** What the policy of this computer sets. */
  policy_show: { request: Nothing; answer: PolicyView };
  /** What each state charges, was charging and will charge, by the rules in use. */
  rates_list: { request: RatesRequest; answer: RateList };
  /** Where the data is that this computer works on. */
  office_show: { request: Nothing; answer: OfficeView };
  /** Try the database of an office; nothing is kept. */
  office_test: { request: OfficeRequest; answer: OfficeTest };
  /** Work on the database of an office when Bordereau is started next. */
  office_use: { request: OfficeRequest; answer: OfficeView };
  /** Work on this computer's own data when Bordereau is started next. */
  office_leave: { request: Nothing; answer: OfficeView };
  /** Copy this computer's own data into the workspace that it works on. */
  office_copy: { request: Nothing; answer: OfficeCopy };
  /** Keep this computer's key for the file storage of the office in its keychain. */
  office_files_key: { request: OfficeFilesKey; answer: OfficeView };
  /** What others changed in the office, as soon as they did. */
  office_news: { request: OfficeNewsRequest; answer: OfficeNews };
  /** Who works in the office, and who is at this desk. */
  office_people: { request: Nothing; answer: OfficePeople };
  /** Set the name that a person of the office is shown by. */
  office_name_save: { request: OfficeName; answer: OfficePeople };
  /** Assign batches, files, events or due dates to a person of the office, or release them. */
  work_assign: { request: AssignWork; answer: Nothing };
  /** Status line. */
  status_show: { request: Nothing; answer: Status };
  /** What helps to find a fault, to be read before it is shared. */
  diagnostics_show: { request: Nothing; answer: Diagnostics };
  /** The same as a file. */
  diagnostics_save: { request: Nothing; answer: FileOutcome };
  /** Open the folder of the logs. */
  logs_open: { request: Nothing; answer: Nothing };
  /** What a person has to look at now. */
  today_show: { request: Nothing; answer: TodayView };
  /** Offline estimate with its explanation. */
  quote_estimate: { request: QuoteRequest; answer: QuoteAnswer };
  /** Ask the service; the estimate is returned beside its answer. */
  quote_calculate: { request: QuoteRequest; answer: QuoteAnswer };
  /** Up to six states side by side. */
  quote_compare: { request: CompareRequest; answer: Comparison };
  /** The premium that a total comes from, by the built-in rules. */
  quote_premium_find: { request: PremiumSearch; answer: PremiumSearchResult };
  /** What a canceled policy returns: premium by days, taxes by the built-in rules. */
  quote_cancellation: { request: CancellationRequest; answer: CancellationAnswer };
  /** What an endorsement adds or returns: premium by days, taxes by the built-in rules. */
  quote_endorsement: { request: EndorsementRequest; answer: EndorsementAnswer };
  /** The payments of a quote, as its sheet says. */
  quote_payments_list: { request: QuotePdfRequest; answer: QuotePayments };
  /** Save a quote. */
  quote_save: { request: SaveQuote; answer: SavedQuote };
  /** Saved and recent quotes. */
  quote_list: { request: Nothing; answer: QuoteList };
  /** Open a saved or recent quote. */
  quote_open: { request: QuoteId; answer: SavedQuote };
  /** Remove a saved quote. */
  quote_remove: { request: QuoteId; answer: Nothing };
  /** Save a quote as PDF. */
  quote_pdf: { request: QuotePdfRequest; answer: FileOutcome };
  /** The pages of a quote's sheet, to look at and to print. */
  quote_sheet_show: { request: QuotePdfRequest; answer: QuoteSheet };
  /** Save a quote's sheet and open the person's mail program with it. */
  quote_email: { request: QuotePdfRequest; answer: EmailOutcome };
  /** Choose the agency's logo for its sheets, a PNG or JPEG. */
  agency_logo_choose: { request: Nothing; answer: Settings };
  /** The templates of the client's sheet. */
  sheet_template_list: { request: Nothing; answer: SheetTemplateList };
  /** Make, change or rename a template of the client's sheet. */
  sheet_template_save: { request: SheetTemplateSave; answer: SheetTemplateList };
  /** Delete a template of the client's sheet. */
  sheet_template_delete: { request: SheetTemplateName; answer: SheetTemplateList };
  /** A template that isn't saved: as TOML, as sections, and the sheet that it makes. */
  sheet_template_show: { request: SheetTemplateDraft; answer: SheetTemplateView };
  /** Download a state document's template. */
  form_template_download: { request: DocumentDownload; answer: FileOutcome };
  /** The stored draft. */
  draft_load: { request: Nothing; answer: Draft };
  /** Store the draft. */
  draft_save: { request: QuoteRequest; answer: Draft };
  /** All profiles. */
  profile_list: { request: Nothing; answer: ProfileList };
  /** Add or change a profile. */
  profile_save: { request: Profile; answer: ProfileView };
  /** Save a profile as a file without secrets, for a colleague. */
  profile_export: { request: ProfileId; answer: FileOutcome };
  /** Read a profile from a file. */
  profile_open: { request: OpenProfile; answer: OpenedProfile };
  /** Remove a profile and its secrets. */
  profile_remove: { request: ProfileId; answer: Nothing };
  /** Use a profile. */
  profile_select: { request: ProfileId; answer: ProfileList };
  /** Remember for the active profile who charges the agency fee. */
  profile_fee_charged_by_save: { request: FeeChargedByChoice; answer: ProfileView };
  /** Store or remove an API key. */
  profile_set_key: { request: SetApiKey; answer: ProfileView };
  /** Sign in. */
  profile_sign_in: { request: SignInRequest; answer: ProfileView };
  /** Sign out. */
  profile_sign_out: { request: ProfileId; answer: ProfileView };
  /** Test a profile's connection. */
  profile_test: { request: ProfileId; answer: TestReport };
  /** Answers of the profile's service that were not understood. */
  unread_answers: { request: Nothing; answer: UnreadAnswers };
  /** Save such answers as a file, to send to the provider. */
  unread_answers_save: { request: SaveAnswers; answer: FileOutcome };
  /** Forget the answers that were not understood. */
  unread_answers_clear: { request: Nothing; answer: Nothing };
  /** State of the keychain. */
  secrets_status: { request: Nothing; answer: SecretsStatus };
  /** Agree to keep secrets in memory for this run. */
  secrets_use_memory: { request: Nothing; answer: SecretsStatus };
  /** Settings. */
  settings_load: { request: Nothing; answer: Settings };
  /** Change settings. */
  settings_save: { request: Settings; answer: Settings };
  /** Whether the window is locked, and when it locks. */
  lock_status: { request: Nothing; answer: LockStatus };
  /** Lock the window now. */
  lock_now: { request: Nothing; answer: LockStatus };
  /** The person is there: the window doesn't lock yet. */
  lock_postpone: { request: Nothing; answer: LockStatus };
  /** Unlock the window. */
  unlock: { request: UnlockRequest; answer: LockStatus };
  /** Unlock the window by the computer's own sign-in. */
  unlock_with_system: { request: Nothing; answer: LockStatus };
  /** Switch the lock of the window on or off. */
  lock_change: { request: ChangeLock; answer: LockStatus };
  /** Choose a file. */
  choose_file: { request: ChooseFile; answer: ChosenFile };
  /** Open a source in the browser. */
  open_address: { request: OpenAddress; answer: Nothing };
  /** Start a review: read a file, a paste, or what came back from a batch. */
  review_start: { request: ReviewStart; answer: ReviewView };
  /** The current state of a review. */
  review_state: { request: ReviewId; answer: ReviewView };
  /** Answer questions, match columns and values. */
  review_match: { request: ReviewMatch; answer: ReviewView };
  /** Save a review's mapping as a file. */
  mapping_save: { request: ReviewId; answer: FileOutcome };
  /** Use a mapping file in a review. */
  mapping_open: { request: ReviewId; answer: MappingOpened };
  /** Read a workbook again whose reading did not come to its end. */
  review_read_again: { request: ReviewId; answer: ReviewView };
  /** A page of rows. */
  review_rows: { request: RowsRequest; answer: RowsPage };
  /** Issues of a cell or row, as sentences. */
  review_issues: { request: CellId; answer: CellIssues };
  /** Edit cells: one step of undo. */
  review_edit: { request: ReviewEdit; answer: ReviewView };
  /** Clear, fill or paste into ranges: one step of undo. */
  review_areas: { request: ReviewAreas; answer: FixOutcome };
  /** Count, sum and average of ranges. */
  review_figures: { request: ReviewFigures; answer: CellFigures };
  /** The date of a cell, and a date as its column writes it. */
  review_date: { request: CellDateRequest; answer: CellDate };
  /** Leave rows out or take them in again. */
  review_exclude: { request: ReviewExclude; answer: ExcludeOutcome };
  /** Repair one or a group, with a preview. */
  review_fix: { request: ReviewFix; answer: FixOutcome };
  /** Keep warnings with a reason, or open them again. */
  review_keep: { request: ReviewKeep; answer: ReviewView };
  /** Take the last step back. */
  review_undo: { request: ReviewUndo; answer: ReviewView };
  /** Bring the last step back. */
  review_redo: { request: ReviewUndo; answer: ReviewView };
  /** Find a text or the next problem. */
  review_find: { request: ReviewFind; answer: FoundCell };
  /** Find the edge of the data in a column. */
  review_edge: { request: ReviewEdge; answer: FoundCell };
  /** The values of a column. */
  review_values: { request: ReviewValues; answer: ColumnValues };
  /** Replace a text, or preview that. */
  review_replace: { request: ReviewReplace; answer: FixOutcome };
  /** Drafts and saved mappings. */
  review_list: { request: Nothing; answer: ReviewList };
  /** Discard a draft. */
  review_close: { request: ReviewId; answer: Nothing };
  /** How the columns of the grid are arranged for a mapping. */
  grid_layout: { request: MappingName; answer: GridLayout };
  /** Keep how they are arranged. */
  grid_layout_save: { request: SaveGridLayout; answer: GridLayout };
  /** Copy a saved mapping, or give it another name. */
  mapping_copy: { request: MappingCopy; answer: Nothing };
  /** Remove a saved mapping. */
  mapping_remove: { request: MappingName; answer: Nothing };
  /** Save the mapping of a file; one with the same name becomes an earlier version. */
  mapping_add: { request: MappingAdd; answer: MappingAdded };
  /** Save a saved mapping as a file. */
  mapping_export: { request: MappingName; answer: FileOutcome };
  /** The folder that is watched, and what came of it. */
  watch_state: { request: Nothing; answer: WatchView };
  /** Choose a folder whose new spreadsheets become drafts. */
  watch_choose: { request: Nothing; answer: WatchView };
  /** Watch no folder. */
  watch_end: { request: Nothing; answer: WatchView };
  /** What a saved mapping was before. */
  mapping_versions: { request: MappingName; answer: MappingVersions };
  /** Put an earlier version of a mapping into its place. */
  mapping_restore: { request: MappingRestore; answer: Nothing };
  /** Match documents to rows, with a preview. */
  review_documents: { request: ReviewDocuments; answer: DocumentsOutcome };
  /** Preview a send. */
  review_send_preview: { request: SendReviewPreview; answer: SendPreview };
  /** The draft that was made of a quote, and when it was sent. */
  quote_filing: { request: QuoteRequest; answer: QuoteFiling };
  /** Send. */
  review_send: { request: SendReview; answer: BatchView };
  /** Save rejected rows of a review or a batch. */
  rejects_save: { request: SaveRejects; answer: FileOutcome };
  /** All batches. */
  batch_list: { request: Nothing; answer: BatchList };
  /** A batch. */
  batch_show: { request: BatchId; answer: BatchView };
  /** A page of its rows. */
  batch_rows: { request: BatchRowsRequest; answer: BatchRowsPage };
  /** What the service said of its rows, grouped by cause. */
  batch_causes: { request: BatchId; answer: BatchCauses };
  /** Results of a batch by the service's own number, whoever sent it. */
  batch_lookup: { request: BatchLookupRequest; answer: BatchLookup };
  /** Cancel what has not been sent yet. */
  batch_cancel: { request: BatchId; answer: BatchView };
  /** Say of a batch whose answer was lost whether it arrived. */
  batch_decide: { request: BatchDecision; answer: BatchView };
  /** The outbox in a line. */
  outbox_status: { request: Nothing; answer: OutboxStatus };
  /** Backups, checks of the data file, and what endangers it. */
  backup_list: { request: Nothing; answer: DataSafety };
  /** Make a backup now. */
  backup_make: { request: Nothing; answer: DataSafety };
  /** Check a backup from end to end. */
  backup_check: { request: BackupName; answer: CheckedBackup };
  /** Have a backup take the place of the data file at the next start. */
  backup_restore: { request: BackupName; answer: DataSafety };
  /** Have a backup from a file take the place of the data file at the next start. */
  backup_restore_file: { request: RecoveryKey; answer: DataSafety };
  /** Save the key that opens sealed backups on another computer. */
  recovery_key_save: { request: Nothing; answer: FileOutcome };
  /** Check the data file from end to end. */
  data_check: { request: Nothing; answer: DataSafety };
  /** Have the data folder encrypted at the next start. */
  data_encrypt: { request: Nothing; answer: DataSafety };
  /** Have the encryption of the data folder taken away at the next start. */
  data_decrypt: { request: Nothing; answer: DataSafety };
  /** Save everything as open files. */
  data_export: { request: Nothing; answer: DataExport };
  /** Count what erasing an insured or a year would remove. */
  data_erase_preview: { request: EraseRequest; answer: EraseView };
  /** Erase an insured or a year from this computer. */
  data_erase: { request: EraseRequest; answer: EraseView };
  /** How long data of the profile in use stays on this computer. */
  data_retention: { request: Nothing; answer: RetentionView };
  /** Count what these rules would delete now. */
  data_retention_preview: { request: RetentionRules; answer: RetentionView };
  /** Save the rules of the profile in use and delete what they say. */
  data_retention_save: { request: RetentionRules; answer: RetentionView };
  /** Say that no other copy of this data folder sends. */
  only_copy_confirm: { request: Nothing; answer: DataSafety };
  /** The audit log. */
  audit_list: { request: Nothing; answer: AuditLog };
  /** Save the audit log as a table, as a document, or its head. */
  audit_export: { request: AuditExport; answer: FileOutcome };
  /** Compare the audit log with a head that was saved before. */
  audit_check_head: { request: AuditHeadFile; answer: AuditHeadCheck };
  /** A page of events, unread first. */
  events_list: { request: EventsRequest; answer: EventsPage };
  /** All that is known of an event. */
  events_detail: { request: EventId; answer: EventDetail };
  /** Mark events read or unread. */
  events_mark: { request: EventsMark; answer: EventsStatus };
  /** The inbox in a line. */
  events_status: { request: Nothing; answer: EventsStatus };
  /** The inbox in a line, as soon as there are news. */
  events_news: { request: EventsNews; answer: EventsStatus };
  /** Deliveries that were refused. */
  events_refused: { request: Nothing; answer: RefusedList };
  /** Settings of receiving events and notifications. */
  events_settings: { request: Nothing; answer: EventsSettings };
  /** Change the settings of receiving events and notifications. */
  events_settings_save: { request: EventsSettingsChange; answer: EventsSettings };
  /** Receive events: switch the receiver on and have the service's webhook point here. */
  events_subscribe: { request: Nothing; answer: EventsSettings };
  /** Remove the webhook that points here. */
  events_unsubscribe: { request: Nothing; answer: EventsSettings };
  /** Store the secret and the header of a webhook that was set up at the provider. */
  events_secret: { request: SetEventsSecret; answer: EventsSettings };
  /** Follow a listener on a server, or no longer. */
  events_follow: { request: FollowListener; answer: EventsSettings };
  /** The service's own notices about deliveries that it gave up. */
  events_notices: { request: Nothing; answer: TrayNotices };
  /** Have the service send a delivery again. */
  events_send_again: { request: SendAgain; answer: Nothing };
  /** Every webhook of the account. */
  webhook_list: { request: Nothing; answer: WebhookList };
  /** Add a webhook or change one; the secret of a new one is in this answer only. */
  webhook_save: { request: SaveWebhook; answer: WebhookSaved };
  /** Make a new secret for a webhook; the old one stops working at once. */
  webhook_new_secret: { request: WebhookId; answer: WebhookSaved };
  /** Remove a webhook and what waits for it. */
  webhook_remove: { request: WebhookId; answer: WebhookList };
  /** Have a test delivered to a webhook at once. */
  webhook_try: { request: WebhookId; answer: DeliveryTry };
  /** Deliveries of a webhook, the newest first. */
  deliveries_list: { request: DeliveriesRequest; answer: DeliveriesPage };
  /** A delivery's body and every attempt with its answer. */
  delivery_log: { request: DeliveryId; answer: DeliveryLog };
  /** The practice service behind the scenes: clock, faults, queue, mail, notices. */
  practice_show: { request: Nothing; answer: PracticeState };
  /** Simulate the state's decisions or service failures. */
  practice_act: { request: PracticeAct; answer: PracticeOutcome };
  /** A window of the transactions that match, from the index on this computer. */
  transactions_search: { request: TransactionsSearch; answer: TransactionsPage };
  /** Totals, facets and chart sums of all that match. */
  transactions_summary: { request: TransactionsFilter; answer: TransactionsSummary };
  /** Sums of some rows of a search. */
  transactions_sum: { request: TransactionsSum; answer: TransactionTotals };
  /** Start fetching what may have changed. */
  transactions_refresh: { request: TransactionsRefresh; answer: RefreshState };
  /** The current state of the refresh. */
  transactions_refresh_state: { request: Nothing; answer: RefreshState };
  /** Cancel the refresh; what was fetched is kept. */
  transactions_refresh_cancel: { request: Nothing; answer: RefreshState };
  /** What the index holds, and when each day was fetched. */
  transactions_overview: { request: Nothing; answer: TransactionsOverview };
  /** The person looks at the transactions now. */
  transactions_visit: { request: Nothing; answer: TransactionsOverview };
  /** Everything about one transaction. */
  transaction_detail: { request: TransactionId; answer: TransactionDetail };
  /** Ask the service for one transaction. */
  transaction_status: { request: TransactionQuestion; answer: TransactionDetail };
  /** Saved searches. */
  searches_list: { request: Nothing; answer: SavedSearches };
  /** Save a search. */
  search_save: { request: SavedSearch; answer: SavedSearches };
  /** Remove a saved search. */
  search_remove: { request: SearchName; answer: SavedSearches };
  /** Export search results as CSV or XLSX. */
  transactions_export: { request: TransactionsExport; answer: FileOutcome };
  /** The file of transactions that is being written. */
  transactions_export_state: { request: Nothing; answer: ExportState };
  /** End writing the file of transactions; nothing of it stays. */
  transactions_export_cancel: { request: Nothing; answer: ExportState };
  /** Look at files before anything is stored or sent. */
  documents_inspect: { request: FileInspectionRequest; answer: FileInspection };
  /** Choose files by a dialog. */
  documents_choose: { request: Nothing; answer: ChosenFiles };
  /** Where documents and forms go now, and the word to type for it. */
  confirmation_show: { request: Nothing; answer: SendConfirmation };
  /** Upload documents to a transaction: stored first, then sent. */
  documents_upload: { request: DocumentsUpload; answer: DocumentsQueued };
  /** The queue of uploads. */
  documents_queue: { request: Nothing; answer: UploadQueue };
  /** Take an upload back that was not begun. */
  upload_cancel: { request: UploadId; answer: UploadQueue };
  /** Send an upload again that was refused or canceled. */
  upload_retry: { request: UploadRetry; answer: UploadQueue };
  /** Say of an upload whose answer was lost that it arrived, that it is sent again, or that it is looked for once more. */
  upload_decide: { request: UploadDecision; answer: UploadQueue };
  /** Everything that is still missing. */
  documents_missing: { request: MissingRequest; answer: MissingList };
  /** The documents of one transaction: stored, required, being sent. */
  transaction_documents: { request: DocumentTarget; answer: TransactionDocuments };
  /** Download a document of a transaction. */
  transaction_document_download: { request: KeptDocumentId; answer: FileOutcome };
  /** Download a document and open it with the system's program; one that can carry macros once that is confirmed. */
  transaction_document_open: { request: OpenDocument; answer: DocumentOpened };
  /** Documents that are being fetched, and how far. */
  transaction_documents_fetching: { request: Nothing; answer: DocumentDownloads };
  /** End fetching a document; nothing of it stays. */
  transaction_document_download_cancel: { request: KeptDocumentId; answer: DocumentDownloads };
  /** A state's diligent effort requirements, its forms, and carriers that declined before. */
  form_list: { request: FormsQuestion; answer: FormList };
  /** Begin forms from a quote or a transaction. */
  form_prefill: { request: FormsPrefill; answer: FormsRequest };
  /** Invalid and missing values of each form. */
  form_check: { request: FormsRequest; answer: FormsCheck };
  /** Fill forms, by the service where it answers. */
  form_fill: { request: FormsRequest; answer: FilledForms };
  /** Save a filled form. */
  form_save: { request: FormHandle; answer: FileOutcome };
  /** Open a filled form with the system's program, to print it. */
  form_print: { request: FormHandle; answer: Nothing };
  /** Upload a filled form to its transaction. */
  form_upload: { request: FormUpload; answer: UploadView };
  /** Due dates of filings and payments. */
  due_list: { request: DueRequest; answer: DueList };
  /** Save the due dates as an iCalendar file. */
  due_export_ics: { request: DueRequest; answer: FileOutcome };
  /** Mark a due date as done or as not ours, or note something about it. */
  due_mark: { request: DueMark; answer: DueMarkSaved };
}

export const OPERATIONS = [
  'reference_data',
  'rules_changes',
  'rules_show',
  'rules_install',
  'rules_fetch',
  'rules_reset',
  'updates_show',
  'updates_check',
  'updates_install',
  'policy_show',
  'rates_list',
  'office_show',
  'office_test',
  'office_use',
  'office_leave',
  'office_copy',
  'office_files_key',
  'office_news',
  'office_people',
  'office_name_save',
  'work_assign',
  'status_show',
  'diagnostics_show',
  'diagnostics_save',
  'logs_open',
  'today_show',
  'quote_estimate',
  'quote_calculate',
  'quote_compare',
  'quote_premium_find',
  'quote_cancellation',
  'quote_endorsement',
  'quote_payments_list',
  'quote_save',
  'quote_list',
  'quote_open',
  'quote_remove',
  'quote_pdf',
  'quote_sheet_show',
  'quote_email',
  'agency_logo_choose',
  'sheet_template_list',
  'sheet_template_save',
  'sheet_template_delete',
  'sheet_template_show',
  'form_template_download',
  'draft_load',
  'draft_save',
  'profile_list',
  'profile_save',
  'profile_export',
  'profile_open',
  'profile_remove',
  'profile_select',
  'profile_fee_charged_by_save',
  'profile_set_key',
  'profile_sign_in',
  'profile_sign_out',
  'profile_test',
  'unread_answers',
  'unread_answers_save',
  'unread_answers_clear',
  'secrets_status',
  'secrets_use_memory',
  'settings_load',
  'settings_save',
  'lock_status',
  'lock_now',
  'lock_postpone',
  'unlock',
  'unlock_with_system',
  'lock_change',
  'choose_file',
  'open_address',
  'review_start',
  'review_state',
  'review_match',
  'mapping_save',
  'mapping_open',
  'review_read_again',
  'review_rows',
  'review_issues',
  'review_edit',
  'review_areas',
  'review_figures',
  'review_date',
  'review_exclude',
  'review_fix',
  'review_keep',
  'review_undo',
  'review_redo',
  'review_find',
  'review_edge',
  'review_values',
  'review_replace',
  'review_list',
  'review_close',
  'grid_layout',
  'grid_layout_save',
  'mapping_copy',
  'mapping_remove',
  'mapping_add',
  'mapping_export',
  'watch_state',
  'watch_choose',
  'watch_end',
  'mapping_versions',
  'mapping_restore',
  'review_documents',
  'review_send_preview',
  'quote_filing',
  'review_send',
  'rejects_save',
  'batch_list',
  'batch_show',
  'batch_rows',
  'batch_causes',
  'batch_lookup',
  'batch_cancel',
  'batch_decide',
  'outbox_status',
  'backup_list',
  'backup_make',
  'backup_check',
  'backup_restore',
  'backup_restore_file',
  'recovery_key_save',
  'data_check',
  'data_encrypt',
  'data_decrypt',
  'data_export',
  'data_erase_preview',
  'data_erase',
  'data_retention',
  'data_retention_preview',
  'data_retention_save',
  'only_copy_confirm',
  'audit_list',
  'audit_export',
  'audit_check_head',
  'events_list',
  'events_detail',
  'events_mark',
  'events_status',
  'events_news',
  'events_refused',
  'events_settings',
  'events_settings_save',
  'events_subscribe',
  'events_unsubscribe',
  'events_secret',
  'events_follow',
  'events_notices',
  'events_send_again',
  'webhook_list',
  'webhook_save',
  'webhook_new_secret',
  'webhook_remove',
  'webhook_try',
  'deliveries_list',
  'delivery_log',
  'practice_show',
  'practice_act',
  'transactions_search',
  'transactions_summary',
  'transactions_sum',
  'transactions_refresh',
  'transactions_refresh_state',
  'transactions_refresh_cancel',
  'transactions_overview',
  'transactions_visit',
  'transaction_detail',
  'transaction_status',
  'searches_list',
  'search_save',
  'search_remove',
  'transactions_export',
  'transactions_export_state',
  'transactions_export_cancel',
  'documents_inspect',
  'documents_choose',
  'confirmation_show',
  'documents_upload',
  'documents_queue',
  'upload_cancel',
  'upload_retry',
  'upload_decide',
  'documents_missing',
  'transaction_documents',
  'transaction_document_download',
  'transaction_document_open',
  'transaction_documents_fetching',
  'transaction_document_download_cancel',
  'form_list',
  'form_prefill',
  'form_check',
  'form_fill',
  'form_save',
  'form_print',
  'form_upload',
  'due_list',
  'due_export_ics',
  'due_mark',
] as const;

export const DEFAULT_SETTINGS: Settings = {
  "theme": "system",
  "zoom": 100,
  "agency": "",
  "agency_address": "",
  "agency_license": "",
  "agency_logo": "",
  "sheet_template": "",
  "transaction_columns": [],
  "first_view": "",
  "first_steps_hidden": false,
  "due_notice_days": [
    30,
    15,
    3,
    0
  ],
  "rules_address": "",
  "updates_address": ""
};
export const DUE_NOTICE_DAYS: readonly number[] = [30, 15, 3, 0];
export const LOCK_MINUTES: readonly number[] = [0, 5, 15, 30];
export const PASSPHRASE_CHARS_MIN = 8;
export const COMPARED_STATES_MAX = 6;
