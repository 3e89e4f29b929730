//! Transactions as the service knows them: found in the index on this computer, followed, exported.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{ChargeView, Environment, RowMessage, RowState, TableFormat};

/// Days from one to another, both included; an empty end is open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct DayRange {
    /// `yyyy-mm-dd`, or empty.
    pub from: String,
    /// `yyyy-mm-dd`, or empty.
    pub to: String,
}

/// Which transactions. Everything given must match; of a list any one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct TransactionsFilter {
    /// Words as typed: each must begin a word of the transaction. Punctuation of policy numbers does not matter,
    /// amounts are found as people write them.
    pub text: String,
    pub filed: DayRange,
    /// Effective date of the policy.
    pub policy_effective: DayRange,
    /// Effective date of the transaction.
    pub transaction_effective: DayRange,
    /// RFC 3339 UTC: only what this desk saw new or changed since then; empty for all.
    pub changed_since: String,
    /// States, two letters.
    pub states: Vec<String>,
    /// Transaction type codes.
    pub types: Vec<String>,
    /// Statuses as the service writes them, numbers too.
    pub statuses: Vec<String>,
    /// `with` or `without` documents.
    pub documents: Vec<String>,
    /// `paid`, `partly`, `unpaid` or `nothing` (nothing to pay).
    pub paid: Vec<String>,
    /// `overdue`, `due` or `unknown` (no rule, or filed).
    pub due: Vec<String>,
    /// Months `yyyy-mm` of the transaction's effective date.
    pub months: Vec<String>,
}

/// By what rows are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TransactionSort {
    /// The service's number: the newest first when descending.
    #[default]
    Id,
    PolicyNumber,
    Insured,
    State,
    TransactionType,
    /// Status number.
    Status,
    /// Invoice number.
    Invoice,
    /// Effective date of the policy.
    PolicyEffective,
    /// Effective date of the transaction.
    TransactionEffective,
    /// Day it was filed.
    Filed,
    Premium,
    Taxes,
    Total,
    Documents,
    /// Due date.
    Due,
}

/// A window of the rows that match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct TransactionsSearch {
    pub filter: TransactionsFilter,
    /// Order.
    pub sort: TransactionSort,
    /// Smallest first; the default is largest or newest first.
    pub ascending: bool,
    /// First row of the window.
    pub from: u32,
    /// Rows of the window, at most 500.
    pub count: u32,
}

/// Where a transaction's row in a batch of this desk is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SentRow {
    /// Local id of the batch.
    pub batch: String,
    pub batch_name: String,
    /// The transaction's own id.
    pub own_id: String,
    /// Line of the file it came from.
    pub line: u32,
    pub row_state: RowState,
    /// RFC 3339 UTC.
    pub sent_at: String,
    pub by: String,
    pub messages: Vec<RowMessage>,
}

/// A line of the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TransactionRow {
    /// The service's number.
    pub id: String,
    pub policy_number: String,
    pub insured: String,
    /// State code of two letters, such as `TX`.
    pub state: String,
    /// Code.
    pub transaction_type: String,
    /// As the service writes it: a number or a word; empty where it gave none.
    pub status: String,
    /// What the profile's table says it means, else as it came: `Status n`.
    pub status_word: String,
    pub invoice_number: String,
    /// `yyyy-mm-dd`, or empty.
    pub policy_effective: String,
    /// `yyyy-mm-dd`, or empty.
    pub transaction_effective: String,
    /// `yyyy-mm-dd`, or empty.
    pub date_filed: String,
    /// USD; empty where the service gave none.
    pub premium: String,
    /// USD: agency, inspection and collection fee.
    pub fees: String,
    /// USD: all taxes and state fees; empty where the service gave none of them.
    pub taxes: String,
    /// USD: premium, fees, taxes.
    pub total: String,
    /// Titles of amounts that the service did not give: the sums are without them.
    pub missing_amounts: Vec<String>,
    /// Documents it has.
    pub documents: u32,
    /// `paid`, `partly`, `unpaid` or `nothing`.
    pub paid: String,
    /// The same as a person reads it: `Partly paid`.
    pub paid_word: String,
    /// Filing due, `yyyy-mm-dd`, or empty where no rule gives one.
    pub due: String,
    /// Due before today and not filed.
    pub overdue: bool,
    /// The state's own number, or empty.
    pub state_number: String,
    /// The caller's own id, or empty.
    pub own_id: String,
    /// RFC 3339 UTC: when this was last read from the service.
    pub seen_at: String,
    /// Batch of this desk that sent it last, or null.
    pub batch: Option<String>,
}

/// A window of rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TransactionsPage {
    /// Rows that match.
    pub total: u32,
    /// The window.
    pub rows: Vec<TransactionRow>,
    /// Changes whenever the index changed.
    pub revision: u32,
}

/// Sums of a number of transactions, USD.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TransactionTotals {
    pub count: u32,
    /// Premium; credits count negative.
    pub premium: String,
    /// Agency, inspection and collection fees.
    pub fees: String,
    /// Taxes and state fees.
    pub taxes: String,
    /// All together.
    pub total: String,
    /// Transactions of which the service did not give an amount: the sums are without it.
    pub without_amounts: u32,
    /// Transactions beside these whose effective date, which was asked for, is missing or can't be read.
    pub undated: u32,
}

/// Sums of some rows of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct TransactionsSum {
    pub search: TransactionsSearch,
    /// First row.
    pub from: u32,
    /// Last row, included.
    pub to: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FacetChoice {
    /// Value as the filter takes it.
    pub value: String,
    /// Title, as shown.
    pub title: String,
    /// Transactions with it, where all other facets hold.
    pub count: u32,
    /// Chosen in the filter.
    pub chosen: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Facet {
    /// Member of the filter: `states`, `types`, `statuses`, `documents`, `paid`, `due`.
    pub name: String,
    /// Title, as shown.
    pub title: String,
    /// Choices, most first.
    pub choices: Vec<FacetChoice>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChartBar {
    /// Member of the filter it sets: `states`, `months`, `statuses`.
    pub facet: String,
    /// Value it sets.
    pub value: String,
    /// Title, as shown.
    pub title: String,
    /// Number of transactions.
    pub count: u32,
    /// Premium in USD, such as `1250.50`.
    pub premium: String,
    /// Taxes in USD.
    pub taxes: String,
    /// Longest bar of its chart is 1000 or -1000: premium.
    pub premium_share: i32,
    /// The same of taxes.
    pub taxes_share: i32,
    /// The same of the number of transactions.
    pub count_share: i32,
}

/// What all matches come to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TransactionsSummary {
    /// Sums of all matches.
    pub totals: TransactionTotals,
    /// Facets with counts.
    pub facets: Vec<Facet>,
    /// Premium and taxes by state, most premium first.
    pub by_state: Vec<ChartBar>,
    /// Premium and taxes by month of the effective date, in order.
    pub by_month: Vec<ChartBar>,
    /// Transactions by status, in order.
    pub by_status: Vec<ChartBar>,
    /// Changes whenever the index changed.
    pub revision: u32,
}

/// What is fetched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct TransactionsRefresh {
    /// Days it was filed; both ends empty for no question by it.
    pub filed: DayRange,
    /// Effective dates of the policy.
    pub policy_effective: DayRange,
    /// Effective dates of the transaction. Without any range: the last 12 months and the next 3.
    pub transaction_effective: DayRange,
    /// Fetch days again that were fetched and are settled.
    pub again: bool,
}

/// Where a refresh is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RefreshStage {
    /// None was started in this run.
    Idle,
    /// Fetching.
    Running,
    Done,
    /// Canceled by the person; what was fetched is kept.
    Canceled,
    /// Stopped by an error; what was fetched is kept.
    Failed,
}

/// The current state of a refresh.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RefreshState {
    pub stage: RefreshStage,
    /// Requests' worth of work done, of `steps`.
    pub done: u32,
    /// Work known so far.
    pub steps: u32,
    /// Records read.
    pub read: u32,
    /// Of these new.
    pub new: u32,
    /// Of these changed.
    pub changed: u32,
    /// RFC 3339 UTC, or empty.
    pub started_at: String,
    /// RFC 3339 UTC, or empty.
    pub ended_at: String,
    /// Why it failed, or empty.
    pub trouble: String,
    /// What is being fetched now, as a phrase.
    pub now: String,
}

/// Days that were fetched, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FetchedDays {
    /// `filed`, `policy_effective` or `transaction_effective`.
    pub by: String,
    /// First day.
    pub from: String,
    /// Last day.
    pub to: String,
    /// RFC 3339 UTC.
    pub at: String,
}

/// What the index holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TransactionsOverview {
    pub profile: String,
    pub environment: Environment,
    /// Records held.
    pub records: u32,
    /// Records that may still change: not filed, or not paid.
    pub open: u32,
    /// Days fetched, newest fetch first.
    pub fetched: Vec<FetchedDays>,
    /// RFC 3339 UTC of the visit before this one; empty at the first.
    pub last_visit: String,
    pub refresh: RefreshState,
    /// Changes whenever the index changed.
    pub revision: u32,
    /// The columns that the table can show, in its order.
    pub columns: Vec<TransactionColumnInfo>,
    /// RFC 3339 UTC when the service was last asked to the end; empty when it never was.
    pub fresh_at: String,
    /// Whether transactions come in by themselves.
    pub auto_refresh: AutoRefresh,
}

/// Whether transactions come in by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum AutoRefresh {
    /// They are fetched on request.
    Off,
    /// The service is asked every few minutes and after each event.
    On,
    /// A person stopped it; it goes on with the next refresh.
    Stopped,
}

/// How a column of the table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TransactionColumnKind {
    Text,
    Date,
    /// An amount in USD.
    Amount,
    /// A whole number.
    Number,
}

/// A column of the table of transactions; an export has it under the same name and title.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TransactionColumnInfo {
    pub name: String,
    pub title: String,
    /// How it is written.
    pub kind: TransactionColumnKind,
    /// Shown where the person chose no columns.
    pub is_usual: bool,
    /// What orders by it, or null.
    pub sort: Option<TransactionSort>,
}

/// A transaction by the service's number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TransactionId {
    /// The service's number.
    pub id: String,
}

/// Ask the service for one transaction: by its number or by an invoice number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct TransactionQuestion {
    /// The service's number, or empty.
    pub id: String,
    /// Invoice number, or empty.
    pub invoice_number: String,
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TransactionField {
    /// The contract's name.
    pub name: String,
    /// Title, as shown.
    pub title: String,
    /// Value; empty where the service gave none.
    pub value: String,
    /// `text`, `date` or `amount`.
    pub kind: String,
}

/// A step of a filing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TimelineStep {
    /// `imported`, `ready`, `filed`, `tax_paid`, `stamping_fee_paid`, `other_paid`, `state_number`.
    pub step: String,
    /// Title, as shown.
    pub title: String,
    /// Whether the step is reached.
    pub done: bool,
    /// Date as the service gave it, or empty.
    pub on: String,
    /// What else is known: the invoice, the number.
    pub note: String,
}

/// One amount four ways.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ComparedAmount {
    /// The contract's name; `total` for the sum.
    pub field: String,
    /// Title, as shown.
    pub title: String,
    /// USD, as this desk sent it, or null.
    pub provided: Option<String>,
    /// USD, by the built-in rules, or null.
    pub calculated: Option<String>,
    /// USD, as the record has it, or null.
    pub invoiced: Option<String>,
    /// USD, of what is marked paid, or null.
    pub paid: Option<String>,
    /// They are not all the same.
    pub differs: bool,
    /// Explanation of the calculated amount.
    pub why: Vec<ChargeView>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TransactionDocument {
    pub name: String,
    pub code: String,
}

/// Everything about one transaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TransactionDetail {
    /// As in the table.
    pub row: TransactionRow,
    /// Every field, in the contract's order.
    pub fields: Vec<TransactionField>,
    /// Steps in order.
    pub timeline: Vec<TimelineStep>,
    /// Amounts side by side.
    pub amounts: Vec<ComparedAmount>,
    /// Why there is no calculated amount; empty where there is.
    pub no_calculation: String,
    pub documents: Vec<TransactionDocument>,
    /// What this desk sent, newest first.
    pub sent: Vec<SentRow>,
}

/// A search under a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SavedSearch {
    pub name: String,
    /// The search; its window is not part of it.
    pub search: TransactionsSearch,
    /// Columns shown, in order; empty for the usual ones.
    pub columns: Vec<String>,
}

/// All saved searches of the profile, by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SavedSearches {
    pub searches: Vec<SavedSearch>,
}

/// A saved search by its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SearchName {
    pub name: String,
}

/// How far a file of transactions is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ExportStage {
    /// None is being written.
    Idle,
    /// Rows are read and laid out.
    Rows,
    /// The rows are there; they are packed and written to the disk.
    Packing,
}

/// The file of transactions that is being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ExportState {
    /// How far it is.
    pub stage: ExportStage,
    /// Rows laid out.
    pub done: u32,
    pub rows: u32,
}

/// Export search results as a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct TransactionsExport {
    /// The search; all its rows are saved, whatever its window.
    pub search: TransactionsSearch,
    pub format: TableFormat,
    /// Columns by name, in order; empty for all.
    pub columns: Vec<String>,
}
