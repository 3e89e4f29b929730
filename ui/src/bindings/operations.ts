// Made by `cargo xtask codegen` from crates/desk/src/api. Do not edit.

export type Nothing = Record<symbol, never>;

export type ErrorCode = "validation" | "rejected" | "not_authorised" | "not_permitted" | "sign_in_again" | "no_credentials" | "keychain_unavailable" | "keychain_locked" | "offline" | "timeout" | "untrusted" | "rate_limited" | "service_failed" | "unreadable" | "profile_invalid" | "not_found" | "storage" | "store_too_new" | "cancelled" | "internal";

export type FieldError = { 
/**
 * JSON pointer into the request, such as `/lines/0/premium`.
 */
pointer: string, 
/**
 * Found, expected, what to do.
 */
message: string, };

export type BoundaryError = { 
/**
 * The kind of trouble.
 */
code: ErrorCode, 
/**
 * A sentence for the person; no secrets.
 */
message: string, 
/**
 * Fields at fault; empty when the trouble is not one of fields.
 */
details: Array<FieldError>, 
/**
 * Whether the same request may work later.
 */
retryable: boolean, };

export type Coded = { 
/**
 * Code as it travels.
 */
code: string, 
/**
 * Name as people read it.
 */
name: string, };

export type TransactionTypeInfo = { 
/**
 * Code such as `PN`.
 */
code: string, 
/**
 * Name.
 */
name: string, 
/**
 * The amounts come back negative.
 */
credit: boolean, 
/**
 * Needs a transaction date of its own (everything but PN, PR and BD).
 */
needs_transaction_date: boolean, };

export type LineInfo = { 
/**
 * Generic code such as `GEN-1002`.
 */
code: string, 
/**
 * Name.
 */
name: string, 
/**
 * Class such as `General liability`.
 */
class: string, };

export type StateInfo = { 
/**
 * Two letters.
 */
code: string, 
/**
 * Name.
 */
name: string, 
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
 * Something in its rules is not sure: number of values that are not confirmed.
 */
unsure: number, 
/**
 * Taxing jurisdictions known for the municipality field (Kentucky), by name.
 */
municipalities: Array<string>, };

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
 * Day the built-in rules were checked, `yyyy-mm-dd`.
 */
rules_checked: string, 
/**
 * The 53 jurisdictions by name.
 */
states: Array<StateInfo>, 
/**
 * Transaction types in the contract's order.
 */
transaction_types: Array<TransactionTypeInfo>, 
/**
 * Entity types.
 */
entity_types: Array<Coded>, 
/**
 * Lines of business: built in, or the profile's own table.
 */
lines: Array<LineInfo>, 
/**
 * Where the lines come from: `built in` or the file's name.
 */
lines_source: string, };

export type QuoteLine = { 
/**
 * Line code.
 */
code: string, 
/**
 * Premium as typed: `1,250.50`, `$900`.
 */
premium: string, };

export type QuoteRequest = { 
/**
 * Two letters.
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
tax_exempt: boolean, 
/**
 * On the export list.
 */
export_list: boolean, 
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
 * Name of the insured, for the printed quote; not sent to the calculator.
 */
insured: string, };

export type Sureness = "confirmed" | "announced" | "older" | "conflicting" | "not_found";

export type SourceRef = { 
/**
 * Title.
 */
title: string, 
/**
 * Address.
 */
url: string, };

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
 * What it is on: `premium 2,800.00`, `40 % of 2,000.00`.
 */
on: string, 
/**
 * `3.5 %` or `flat`.
 */
rate: string, 
/**
 * USD.
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
lines: Array<string>, 
/**
 * Sources.
 */
sources: Array<SourceRef>, 
/**
 * How sure.
 */
sureness: Sureness, 
/**
 * How sure, in words.
 */
checked: string, 
/**
 * Remark of the rule.
 */
note: string | null, };

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
 * USD.
 */
amount: string, 
/**
 * Whether it is zero and the state has no such charge: may be left out of a short view.
 */
idle: boolean, };

export type Difference = { 
/**
 * The contract's field.
 */
field: string, 
/**
 * Title.
 */
title: string, 
/**
 * USD, our estimate.
 */
estimate: string, 
/**
 * USD, the service's answer.
 */
service: string, 
/**
 * USD, service minus estimate.
 */
difference: string, };

export type NoteSeverity = "info" | "warning";

export type NoteView = { 
/**
 * Severity.
 */
severity: NoteSeverity, 
/**
 * What it is about.
 */
topic: string, 
/**
 * HTML from outside: sanitise.
 */
html: string, 
/**
 * Source, where known.
 */
source: SourceRef | null, };

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
 * Points.
 */
font_size: number | null, 
/**
 * Bold.
 */
bold: boolean, 
/**
 * Italic.
 */
italic: boolean, 
/**
 * Colour.
 */
color: string | null, 
/**
 * `12 pt bold black`.
 */
format: string, };

export type DocumentView = { 
/**
 * Key of this document in this answer, for the download.
 */
key: string, 
/**
 * Name.
 */
name: string, 
/**
 * Code such as `POLIC`.
 */
code: string, 
/**
 * Group.
 */
group: string, 
/**
 * Remark.
 */
note: string | null, 
/**
 * Before binding.
 */
required_for_binding: boolean, 
/**
 * For filing.
 */
required_for_filing: boolean, 
/**
 * Keep on hand.
 */
keep_on_hand: boolean, 
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
downloadable: boolean, };

export type AnsweredBy = "estimate" | "service";

export type QuoteAnswer = { 
/**
 * Who answered.
 */
by: AnsweredBy, 
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
state: string, 
/**
 * State name.
 */
state_name: string, 
/**
 * Transaction type code.
 */
transaction_type: string, 
/**
 * USD.
 */
premium: string, 
/**
 * USD, as adjusted by the service where a state restricts fees.
 */
agency_fee: string, 
/**
 * USD.
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
 * Every charge explained; from the built-in rules also beside a service answer.
 */
charges: Array<ChargeView>, 
/**
 * Where estimate and service differ; empty when they agree or for an estimate.
 */
differences: Array<Difference>, 
/**
 * Notes, warnings first.
 */
notes: Array<NoteView>, 
/**
 * Stamp wordings.
 */
stamps: Array<StampView>, 
/**
 * Documents.
 */
documents: Array<DocumentView>, 
/**
 * Milliseconds the service took; null for an estimate.
 */
took_ms: number | null, 
/**
 * Identifies this answer for downloads until the next answer of the same window.
 */
answer_id: string, };

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

export type CompareColumn = { 
/**
 * Two letters.
 */
state: string, 
/**
 * The answer.
 */
answer: QuoteAnswer | null, 
/**
 * Or the error.
 */
error: BoundaryError | null, };

export type Comparison = { 
/**
 * In the order asked.
 */
columns: Array<CompareColumn>, };

export type QuotePdfRequest = { 
/**
 * The question.
 */
request: QuoteRequest, 
/**
 * The answer as shown.
 */
answer: QuoteAnswer, };

export type DocumentDownload = { 
/**
 * The question; asked again for a fresh one-minute link.
 */
request: QuoteRequest, 
/**
 * Key of the document in the answer.
 */
key: string, };

export type FileOutcome = { 
/**
 * Written; false when the person cancelled.
 */
saved: boolean, 
/**
 * Name of the file, without its folder.
 */
file_name: string, 
/**
 * Bytes written.
 */
bytes: number, };

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
 * The question.
 */
request: QuoteRequest, 
/**
 * The last answer, or null.
 */
answer: QuoteAnswer | null, };

export type SavedQuote = { 
/**
 * Id.
 */
id: string, 
/**
 * Name.
 */
name: string, 
/**
 * The question.
 */
request: QuoteRequest, 
/**
 * The answer when saved, or null.
 */
answer: QuoteAnswer | null, 
/**
 * RFC 3339 UTC.
 */
saved_at: string, };

export type QuoteSummary = { 
/**
 * Id.
 */
id: string, 
/**
 * Name; for a recent quote made from its content.
 */
name: string, 
/**
 * Saved by the person; false for a recent one.
 */
saved: boolean, 
/**
 * Two letters.
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

export type QuoteList = { 
/**
 * Newest first.
 */
saved: Array<QuoteSummary>, 
/**
 * Newest first.
 */
recent: Array<QuoteSummary>, };

export type QuoteId = { 
/**
 * Id.
 */
id: string, };

export type Draft = { 
/**
 * The form, or null where nothing was typed yet.
 */
request: QuoteRequest | null, 
/**
 * RFC 3339 UTC, empty without a draft.
 */
at: string, };

export type Environment = "practice" | "sandbox" | "production";

export type ClientType = "enterprise" | "outsourced";

export type SignIn = "api_key" | "user" | "both";

export type Profile = { 
/**
 * Id; empty for a new one. The built-in practice profile is `practice`.
 */
id: string, 
/**
 * Name.
 */
name: string, 
/**
 * Environment.
 */
environment: Environment, 
/**
 * `https://...`; empty for practice.
 */
base_url: string, 
/**
 * Client type.
 */
client_type: ClientType, 
/**
 * How it signs in.
 */
sign_in: SignIn, 
/**
 * User name, where it signs in with one.
 */
username: string, 
/**
 * Extra CA file in PEM, or empty: a path typed or chosen.
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
 * Requests per minute the client stays under; 0 for the contract's.
 */
requests_per_minute: number, 
/**
 * CSV file with an own table of lines of business, or empty.
 */
lines_file: string, 
/**
 * CSV file with Kentucky local rates of one's own, or empty.
 */
kentucky_file: string, };

export type ProfileView = { 
/**
 * The profile.
 */
profile: Profile, 
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
 * What is missing before it can be used; empty when ready.
 */
missing: Array<string>, };

export type ProfileList = { 
/**
 * Practice first.
 */
profiles: Array<ProfileView>, };

export type ProfileId = { 
/**
 * Id.
 */
id: string, };

export type SetApiKey = { 
/**
 * Profile.
 */
id: string, 
/**
 * The key: goes in, never comes out.
 */
key: string, };

export type SignInRequest = { 
/**
 * Profile.
 */
id: string, 
/**
 * User name.
 */
username: string, 
/**
 * Password: used once.
 */
password: string, };

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
 * What was seen: address, port, issuer, status.
 */
detail: string, 
/**
 * What to do when it failed.
 */
remedy: string, };

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

export type SecretsStatus = { 
/**
 * `keychain`, `memory` or `unavailable`.
 */
kind: SecretsKind, 
/**
 * Why it is not available, and how to get it.
 */
message: string, };

export type SecretsKind = "keychain" | "memory" | "unavailable";

export type Theme = "system" | "light" | "dark" | "contrast";

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
agency: string, };

export type Status = { 
/**
 * Name of the active profile.
 */
profile: string, 
/**
 * Its environment.
 */
environment: Environment, 
/**
 * `ready`, `offline`, `starting`, `needs_credentials`.
 */
service: ServiceState, 
/**
 * Milliseconds of the last answer, or null.
 */
last_ms: number | null, 
/**
 * Requests made in the current minute.
 */
used_this_minute: number, 
/**
 * The limit.
 */
limit_per_minute: number, };

export type ServiceState = "ready" | "offline" | "starting" | "needs_credentials";

export type ChooseFile = { 
/**
 * What it is for; decides title and filter.
 */
purpose: FilePurpose, };

export type FilePurpose = "lines" | "kentucky_rates" | "ca_file";

export type ChosenFile = { 
/**
 * Its path as text, or null when the person cancelled.
 */
path: string | null, };

export type OpenAddress = { 
/**
 * `https://` only; must be one of the sources the rules name.
 */
url: string, };

export type ReviewSource = { "kind": "dialog" } | { "kind": "dropped", 
/**
 * Handle; paths do not cross to the UI.
 */
handle: string, } | { "kind": "pasted", 
/**
 * The clipboard's text.
 */
text: string, } | { "kind": "batch", 
/**
 * Local id of the batch.
 */
batch: string, } | { "kind": "sample" };

export type ReviewStart = { 
/**
 * Where the cells come from.
 */
source: ReviewSource, };

export type ReviewId = { 
/**
 * Id.
 */
id: string, };

export type ReviewStage = "cancelled" | "reading" | "match" | "review" | "refused";

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
 * Why.
 */
evidence: string, 
/**
 * What can be chosen.
 */
choices: Array<Coded>, };

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
 * The contract's field, or null where the column is left out.
 */
field: string | null, 
/**
 * Why: `template`, `remembered`, `name`, `content`, `chosen`, `added` for a place that is not in the file,
 * or empty.
 */
reason: string, 
/**
 * Up to three values as found.
 */
examples: Array<string>, };

export type ValueMatch = { 
/**
 * The contract's field.
 */
field: string, 
/**
 * Text as found.
 */
found: string, 
/**
 * Code, or null where it is not known yet.
 */
code: string | null, 
/**
 * Rows it is in.
 */
rows: number, };

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
 * Transactions without an error, not left out.
 */
ready: number, 
/**
 * Rows with errors.
 */
errors: number, 
/**
 * Rows with warnings only.
 */
warnings: number, 
/**
 * Rows changed by the person.
 */
changed: number, 
/**
 * Rows left out.
 */
excluded: number, };

export type StateTotal = { 
/**
 * Two letters, or empty where it is not known.
 */
state: string, 
/**
 * Transactions.
 */
count: number, 
/**
 * USD.
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

export type ReviewTotals = { 
/**
 * Transactions.
 */
count: number, 
/**
 * USD.
 */
premium: string, 
/**
 * Taxes and state fees, USD.
 */
taxes: string, 
/**
 * Stamping fees within them, USD.
 */
stamping: string, 
/**
 * By state.
 */
states: Array<StateTotal>, };

export type IssueGroupView = { 
/**
 * Code of the issues, with the field behind a colon where groups differ by field: for filters and repairs.
 */
code: string, 
/**
 * Title of the group.
 */
title: string, 
/**
 * `error` or `warning`.
 */
severity: string, 
/**
 * Rows concerned.
 */
rows: number, 
/**
 * What it is about, with the largest or most frequent case.
 */
summary: string, 
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

export type ReviewView = { 
/**
 * Id; empty when cancelled.
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
 * Why the file was refused, and what to do.
 */
refusal: string | null, 
/**
 * Sheets of a workbook.
 */
sheets: Array<string>, 
/**
 * What was detected.
 */
detected: Array<DetectedView>, 
/**
 * Columns as they are shown: those of the file, then places for values that the file has no column for.
 */
columns: Array<ColumnMatch>, 
/**
 * Values to be matched: those without a code first.
 */
values: Array<ValueMatch>, 
/**
 * Name of the mapping in use; empty for none.
 */
mapping: string, 
/**
 * Counts.
 */
counts: ReviewCounts, 
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
 * What undo would take back; empty for nothing.
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
 * The batch whose rows these are, where it is a correction.
 */
batch: string | null, };

export type ReviewMatch = { 
/**
 * Review.
 */
id: string, 
/**
 * Overrides: `what` and value.
 */
overrides: Array<Coded>, 
/**
 * Columns changed: column and field.
 */
columns: Array<ColumnChange>, 
/**
 * Values given a code.
 */
values: Array<ValueMatch>, 
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
done: boolean, };

export type ColumnChange = { 
/**
 * Column of the table.
 */
column: number, 
/**
 * Field, or null to leave it out.
 */
field: string | null, };

export type RowFilter = "all" | "ready" | "errors" | "warnings" | "changed" | "excluded";

export type RowsRequest = { 
/**
 * Review.
 */
id: string, 
/**
 * Filter.
 */
filter: RowFilter, 
/**
 * Only rows with issues of this code; empty for all.
 */
code: string, 
/**
 * First row of the page, counted among the filtered rows.
 */
from: number, 
/**
 * At most 500.
 */
count: number, };

export type CellMark = { 
/**
 * Column of the table; null for the row itself.
 */
column: number | null, 
/**
 * `error` or `warning`.
 */
severity: string, 
/**
 * Code.
 */
code: string, };

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
 * Left out.
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
from: number, 
/**
 * The rows.
 */
rows: Array<RowView>, };

export type CellId = { 
/**
 * Review.
 */
id: string, 
/**
 * Row of the table.
 */
row: number, 
/**
 * Column, or null for issues of the row.
 */
column: number | null, };

export type IssueView = { 
/**
 * Code.
 */
code: string, 
/**
 * Title.
 */
title: string, 
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
 * USD.
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
why: string | null, };

export type CellIssues = { 
/**
 * Errors first.
 */
issues: Array<IssueView>, };

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

export type ReviewEdit = { 
/**
 * Review.
 */
id: string, 
/**
 * What the step is called, such as `Paste 12 cells`.
 */
label: string, 
/**
 * The edits.
 */
edits: Array<CellEdit>, };

export type ReviewExclude = { 
/**
 * Review.
 */
id: string, 
/**
 * Rows of the table.
 */
rows: Array<number>, 
/**
 * Left out or in.
 */
excluded: boolean, };

export type ReviewFix = { 
/**
 * Review.
 */
id: string, 
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
 * Show what it would change instead of doing it.
 */
preview: boolean, };

export type FixChange = { 
/**
 * Line as the file counts it.
 */
line: number, 
/**
 * Header of the column; empty when the row is left out.
 */
header: string, 
/**
 * Text before.
 */
before: string, 
/**
 * Text after; empty when the row is left out.
 */
after: string, };

export type FixOutcome = { 
/**
 * Cells changed or rows left out, altogether.
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

export type ReviewFind = { 
/**
 * Review.
 */
id: string, 
/**
 * Text; empty for the next problem.
 */
text: string, 
/**
 * Filter in force.
 */
filter: RowFilter, 
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
backwards: boolean, };

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
 * Its place among the filtered rows.
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

export type ReviewSummary = { 
/**
 * Id.
 */
id: string, 
/**
 * Name.
 */
name: string, 
/**
 * Rows.
 */
rows: number, 
/**
 * Rows with errors when last stored.
 */
errors: number, 
/**
 * RFC 3339 UTC.
 */
stored_at: string, };

export type ReviewList = { 
/**
 * Drafts.
 */
reviews: Array<ReviewSummary>, 
/**
 * Saved mappings.
 */
mappings: Array<string>, };

export type ReviewDocuments = { 
/**
 * Review.
 */
id: string, 
/**
 * Handles of dropped files or folders; empty asks with the dialog.
 */
handles: Array<string>, 
/**
 * Attach what matches; otherwise a preview.
 */
attach: boolean, };

export type DocumentMatch = { 
/**
 * File name.
 */
file_name: string, 
/**
 * Bytes.
 */
bytes: number, 
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

export type DocumentsOutcome = { 
/**
 * Attached, or cancelled or a preview when false.
 */
attached: boolean, 
/**
 * Matched to a transaction.
 */
matched: Array<DocumentMatch>, 
/**
 * Not matched.
 */
unmatched: Array<DocumentMatch>, 
/**
 * The review afterwards.
 */
review: ReviewView, };

export type SaveRejects = { 
/**
 * A review or a batch.
 */
id: string, 
/**
 * `xlsx` or `csv`.
 */
format: string, };

export type SendScope = "valid" | "all";

export type SendReview = { 
/**
 * Review.
 */
id: string, 
/**
 * Which rows.
 */
scope: SendScope, 
/**
 * The totals the person confirmed; refused when they are no longer those.
 */
confirmed: ReviewTotals, 
/**
 * Word typed for the first production send of the day; empty elsewhere.
 */
typed: string, };

export type SendReviewPreview = { 
/**
 * Review.
 */
id: string, 
/**
 * Which rows.
 */
scope: SendScope, };

export type SendPreview = { 
/**
 * Profile it goes to.
 */
profile: string, 
/**
 * Its environment.
 */
environment: Environment, 
/**
 * Totals.
 */
totals: ReviewTotals, 
/**
 * Transactions with errors among them.
 */
with_errors: number, 
/**
 * Parts it is sent in.
 */
parts: number, 
/**
 * Documents that go along.
 */
documents: number, 
/**
 * The word that has to be typed; empty for none.
 */
type_word: string, };

export type BatchState = "queued" | "sending" | "unknown" | "accepted" | "processing" | "processed" | "failed" | "cancelled";

export type RowState = "pending" | "accepted" | "warning" | "error" | "saved_incomplete" | "not_sent";

export type BatchCounts = { 
/**
 * Transactions.
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

export type BatchView = { 
/**
 * Local id.
 */
id: string, 
/**
 * Name: that of the file.
 */
name: string, 
/**
 * State.
 */
state: BatchState, 
/**
 * Counts.
 */
counts: BatchCounts, 
/**
 * Premium and taxes sent.
 */
totals: ReviewTotals, 
/**
 * Profile.
 */
profile: string, 
/**
 * Its environment.
 */
environment: Environment, 
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
 * The last trouble, in words; empty for none.
 */
trouble: string, 
/**
 * Can be cancelled.
 */
can_cancel: boolean, };

export type BatchList = { 
/**
 * Batches.
 */
batches: Array<BatchView>, };

export type BatchId = { 
/**
 * Local id.
 */
id: string, };

export type BatchRowsRequest = { 
/**
 * Local id.
 */
id: string, 
/**
 * Only rows in this state; null for all.
 */
state: RowState | null, 
/**
 * First row of the page.
 */
from: number, 
/**
 * At most 500.
 */
count: number, };

export type RowMessage = { 
/**
 * `warning` or `error`.
 */
severity: string, 
/**
 * Field as the service names it; empty where it names none.
 */
field: string, 
/**
 * Its text.
 */
text: string, 
/**
 * USD, where the text has it.
 */
provided: string | null, 
/**
 * USD.
 */
calculated: string | null, 
/**
 * USD, calculated minus provided.
 */
difference: string | null, };

export type BatchRow = { 
/**
 * The transaction's own id, as sent.
 */
id: string, 
/**
 * Line of the file it came from.
 */
line: number, 
/**
 * Policy number.
 */
policy_number: string, 
/**
 * Insured.
 */
insured: string, 
/**
 * Two letters.
 */
state: string, 
/**
 * Transaction type.
 */
transaction_type: string, 
/**
 * USD.
 */
premium: string, 
/**
 * Where it is.
 */
row_state: RowState, 
/**
 * The service's number, or null.
 */
transaction_id: string | null, 
/**
 * What the service says.
 */
messages: Array<RowMessage>, };

export type BatchRowsPage = { 
/**
 * Rows altogether in the state asked for.
 */
total: number, 
/**
 * The rows.
 */
rows: Array<BatchRow>, };

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
 * Batches with rows to be corrected.
 */
attention: number, 
/**
 * Changes whenever anything changed, so that views know when to ask again.
 */
revision: number, };

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
 * Who.
 */
by: string, 
/**
 * What was done.
 */
text: string, 
/**
 * Hash of this entry and the one before, hexadecimal.
 */
hash: string, };

export type AuditLog = { 
/**
 * Entries.
 */
entries: Array<AuditEntry>, 
/**
 * The chain of hashes holds.
 */
intact: boolean, };

export interface Operations {
  /** What the forms need to know. */
  reference_data: { request: Nothing; answer: ReferenceData };
  /** Status line. */
  status: { request: Nothing; answer: Status };
  /** Offline estimate with its explanation. */
  quote_estimate: { request: QuoteRequest; answer: QuoteAnswer };
  /** Ask the service; the estimate stands beside it. */
  quote_calculate: { request: QuoteRequest; answer: QuoteAnswer };
  /** Up to six states side by side. */
  quote_compare: { request: CompareRequest; answer: Comparison };
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
  /** Download a state document's template. */
  document_download: { request: DocumentDownload; answer: FileOutcome };
  /** The stored draft. */
  draft_load: { request: Nothing; answer: Draft };
  /** Store the draft. */
  draft_save: { request: QuoteRequest; answer: Draft };
  /** All profiles. */
  profile_list: { request: Nothing; answer: ProfileList };
  /** Add or change a profile. */
  profile_save: { request: Profile; answer: ProfileView };
  /** Remove a profile and its secrets. */
  profile_remove: { request: ProfileId; answer: Nothing };
  /** Use a profile. */
  profile_select: { request: ProfileId; answer: ProfileList };
  /** Store or remove an API key. */
  profile_set_key: { request: SetApiKey; answer: ProfileView };
  /** Sign in. */
  profile_sign_in: { request: SignInRequest; answer: ProfileView };
  /** Sign out. */
  profile_sign_out: { request: ProfileId; answer: ProfileView };
  /** Test a profile's connection. */
  profile_test: { request: ProfileId; answer: TestReport };
  /** State of the keychain. */
  secrets_status: { request: Nothing; answer: SecretsStatus };
  /** Agree to keep secrets in memory for this run. */
  secrets_use_memory: { request: Nothing; answer: SecretsStatus };
  /** Settings. */
  settings_load: { request: Nothing; answer: Settings };
  /** Change settings. */
  settings_save: { request: Settings; answer: Settings };
  /** Choose a file. */
  choose_file: { request: ChooseFile; answer: ChosenFile };
  /** Open a source in the browser. */
  open_address: { request: OpenAddress; answer: Nothing };
  /** Start a review: read a file, a paste, or what came back from a batch. */
  review_start: { request: ReviewStart; answer: ReviewView };
  /** A review as it stands. */
  review_state: { request: ReviewId; answer: ReviewView };
  /** Answer questions, match columns and values. */
  review_match: { request: ReviewMatch; answer: ReviewView };
  /** A page of rows. */
  review_rows: { request: RowsRequest; answer: RowsPage };
  /** Issues of a cell or row in words. */
  review_issues: { request: CellId; answer: CellIssues };
  /** Edit cells: one step of undo. */
  review_edit: { request: ReviewEdit; answer: ReviewView };
  /** Leave rows out or take them in again. */
  review_exclude: { request: ReviewExclude; answer: ReviewView };
  /** Repair one or a group, with a preview. */
  review_fix: { request: ReviewFix; answer: FixOutcome };
  /** Take the last step back. */
  review_undo: { request: ReviewId; answer: ReviewView };
  /** Bring the last step back. */
  review_redo: { request: ReviewId; answer: ReviewView };
  /** Find a text or the next problem. */
  review_find: { request: ReviewFind; answer: FoundCell };
  /** Drafts and saved mappings. */
  review_list: { request: Nothing; answer: ReviewList };
  /** Discard a draft. */
  review_close: { request: ReviewId; answer: Nothing };
  /** Match documents to rows, with a preview. */
  review_documents: { request: ReviewDocuments; answer: DocumentsOutcome };
  /** What a send would do. */
  review_send_preview: { request: SendReviewPreview; answer: SendPreview };
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
  /** Cancel what has not been sent yet. */
  batch_cancel: { request: BatchId; answer: BatchView };
  /** The outbox in a line. */
  outbox_status: { request: Nothing; answer: OutboxStatus };
  /** The audit log. */
  audit_list: { request: Nothing; answer: AuditLog };
}

export const OPERATIONS = [
  'reference_data',
  'status',
  'quote_estimate',
  'quote_calculate',
  'quote_compare',
  'quote_save',
  'quote_list',
  'quote_open',
  'quote_remove',
  'quote_pdf',
  'document_download',
  'draft_load',
  'draft_save',
  'profile_list',
  'profile_save',
  'profile_remove',
  'profile_select',
  'profile_set_key',
  'profile_sign_in',
  'profile_sign_out',
  'profile_test',
  'secrets_status',
  'secrets_use_memory',
  'settings_load',
  'settings_save',
  'choose_file',
  'open_address',
  'review_start',
  'review_state',
  'review_match',
  'review_rows',
  'review_issues',
  'review_edit',
  'review_exclude',
  'review_fix',
  'review_undo',
  'review_redo',
  'review_find',
  'review_list',
  'review_close',
  'review_documents',
  'review_send_preview',
  'review_send',
  'rejects_save',
  'batch_list',
  'batch_show',
  'batch_rows',
  'batch_cancel',
  'outbox_status',
  'audit_list',
] as const;
