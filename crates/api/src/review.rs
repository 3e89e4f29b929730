//! Reviewing a bordereau: a file or a paste becomes rows with issues, repaired in place, then sent.
//! The whole table stays in the core; the UI sees pages of it. Rows and columns are counted from 0 here.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Assignment, ColumnRuleSet, ReviewCounts, TableFormat};

/// Where the cells come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ReviewSource {
    /// Ask with the open dialog.
    Dialog,
    /// A file dropped on the window: the handle the core gave for it.
    Dropped {
        /// Handle; paths do not cross to the UI.
        handle: String,
    },
    /// Several files dropped together, as one batch.
    Together {
        /// Their handles, in order.
        handles: Vec<String>,
    },
    /// Cells pasted from a spreadsheet.
    Pasted {
        /// The clipboard's text.
        text: String,
    },
    /// What came back from a batch: its rows with warnings, errors and missing values.
    Batch {
        /// Local id of the batch.
        batch: String,
    },
    /// One transaction that is entered by hand.
    Transaction(Box<NewTransaction>),
    /// A sample that comes with the application, to try things on.
    Sample,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReviewStart {
    /// Where the cells come from.
    pub source: ReviewSource,
}

/// What a transaction begins with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct NewTransaction {
    /// The quote to file, as typed; null for a blank one.
    pub quote: Option<super::QuoteRequest>,
    /// Its answer: the amounts of taxes and fees.
    pub answer: Option<super::QuoteAnswer>,
    /// Further values by the contract's names of columns; they replace those of the quote.
    pub values: BTreeMap<String, String>,
}

/// The draft that was made of a quote, where there is one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct QuoteFiling {
    /// Id of the draft; null for none.
    pub draft: Option<String>,
    /// When it was sent, RFC 3339 UTC; null while it was not.
    pub sent_at: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReviewId {
    pub id: String,
}

/// Undo a step, or redo it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReviewUndo {
    pub id: String,
    /// The view's `changes_of_others` that it was decided on; null changes whatever is there.
    #[serde(default)]
    pub seen_changes: Option<u32>,
}

/// How far a review is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ReviewStage {
    /// The person canceled the dialog: there is no review.
    Canceled,
    /// Being read.
    #[default]
    Reading,
    /// Columns are to be matched, or a question is open.
    Match,
    /// Rows can be reviewed.
    Review,
    /// The file was refused; `refusal` says why.
    Refused,
}

/// Something that was detected, with its evidence; can be overridden.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DetectedView {
    /// `delimiter`, `encoding`, `header_row`, `decimal_mark`, `date_order`, `sheet`, `row_amounts` or `grouping`.
    pub what: String,
    /// Title as people read it.
    pub title: String,
    /// Value in force; null is an open question that the person has to answer.
    pub value: Option<String>,
    /// What in the file led to this.
    pub evidence: String,
    /// What can be chosen.
    pub choices: Vec<super::NamedCode>,
}

/// A file of several that was not read with the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ExcludedSource {
    pub name: String,
    /// Why, as a sentence.
    pub why: String,
    /// The same file is among those that were read: nothing of it is missing.
    pub is_duplicate: bool,
}

/// A column of the source and the field it is matched to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ColumnMatch {
    /// Column of the table.
    pub column: u32,
    /// Letters such as `AB`.
    pub letters: String,
    /// Header as found.
    pub header: String,
    /// The contract's field, or null where the column is ignored.
    pub field: Option<String>,
    /// Why: `template`, `remembered`, `name`, `content`, `chosen`, `added` for a place that is not in the file,
    /// `rule` for one that a rule of the mapping fills, `in_rule` for one that a rule takes its values from, or empty.
    pub reason: String,
    /// Up to three values as found.
    pub examples: Vec<String>,
    /// Whether no row has a value or an issue in it.
    pub is_blank: bool,
    /// What it may be, where no field is matched.
    #[serde(default)]
    pub proposed: Option<ProposedField>,
}

/// A field that a column may be, or why it has none. It is used only when a person chooses it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProposedField {
    /// The contract's field; null where there is only the reason.
    pub field: Option<String>,
    /// Why, as a sentence.
    pub reason: String,
}

/// A value that is mapped to a code, such as `New` to `PN`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ValueMatch {
    /// The contract's field.
    pub field: String,
    pub found: String,
    /// Code, or null where it is not known yet.
    pub code: Option<String>,
    pub rows: u32,
    /// What it may mean, where that is not known.
    #[serde(default)]
    pub proposed: Option<ProposedCode>,
}

/// A code that a value may stand for. It is used only when a person chooses it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProposedCode {
    pub code: String,
    /// Why, as a sentence.
    pub reason: String,
}

/// Totals of a state, of what would be sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StateTotal {
    /// Two letters, or empty where it is not known.
    pub state: String,
    /// Number of transactions.
    pub count: u32,
    /// Premium in USD, such as `1250.50`.
    pub premium: String,
    /// Taxes and state fees, USD.
    pub taxes: String,
    /// Stamping fees within them, USD.
    pub stamping: String,
}

/// Totals of what would be sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReviewTotals {
    /// Number of transactions.
    pub count: u32,
    /// Premium in USD, such as `1250.50`.
    pub premium: String,
    /// Taxes and state fees, USD.
    pub taxes: String,
    /// Stamping fees within them, USD.
    pub stamping: String,
    pub states: Vec<StateTotal>,
}

/// A group of issues with one repair.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct IssueGroupView {
    /// Code of the issues, with the field behind a colon where groups differ by field: for filters and repairs.
    pub code: String,
    pub title: String,
    /// How many rows have it, as a sentence without its full stop.
    pub headline: String,
    /// `error`, `warning` or `kept`: warnings acknowledged with a reason.
    pub severity: String,
    /// Rows concerned.
    pub rows: u32,
    /// What to do about it, with the largest or most frequent case.
    pub summary: String,
    /// Up to two of the rows: what was found and what was expected.
    pub examples: Vec<String>,
    /// First cell concerned.
    pub first_row: u32,
    /// Its column, or null for an issue of the row.
    pub first_column: Option<u32>,
    /// Kind of the repair that can be done for all, or null.
    pub fix: Option<String>,
    /// Text of its button, such as `Use calculated in 214 rows`.
    pub fix_label: Option<String>,
}

/// A review as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReviewView {
    /// Id; empty when canceled.
    pub id: String,
    /// How far it is.
    pub stage: ReviewStage,
    /// File or sheet name, `Pasted cells`.
    pub name: String,
    /// Bytes read so far and altogether, while reading.
    pub read_bytes: u32,
    /// Bytes altogether.
    pub total_bytes: u32,
    /// While reading: rows of the file once they are counted, then they are checked; 0 before.
    pub read_rows: u32,
    /// While reading: rows that are checked.
    pub checked_rows: u32,
    /// While reading: an earlier draft that is opened again.
    pub is_draft: bool,
    /// Why the file was refused, and what to do.
    pub refusal: Option<String>,
    /// Refused for a reason of this computer: the same file may be read later.
    pub refused_for_now: bool,
    /// Refused because reading its workbook did not come to its end the last time: a person decides whether to read
    /// it again.
    pub can_read_again: bool,
    /// Sheets of a workbook.
    pub sheets: Vec<String>,
    /// Files that were not read with the others.
    pub left_out: Vec<ExcludedSource>,
    pub detected: Vec<DetectedView>,
    /// Columns as they are shown: those of the file, then places for values that the file has no column for.
    pub columns: Vec<ColumnMatch>,
    /// Values to be matched: those without a code first.
    pub values: Vec<ValueMatch>,
    /// Values that no column of the file has by itself.
    pub rules: ColumnRuleSet,
    /// Name of the mapping in use; empty for none.
    pub mapping: String,
    pub counts: ReviewCounts,
    /// Totals of what would be sent.
    pub totals: ReviewTotals,
    /// Issues grouped by repair, errors first.
    pub groups: Vec<IssueGroupView>,
    /// Documents attached: matched transactions.
    pub documents_matched: u32,
    /// Title of the step that undo would undo; empty for none.
    pub undo: String,
    /// What redo would bring back; empty for nothing.
    pub redo: String,
    /// RFC 3339 UTC: when the draft was last stored.
    pub stored_at: String,
    /// How often someone else of the office changed it since this computer opened it.
    pub changes_of_others: u32,
    /// The batch whose rows these are, where it is a correction.
    pub batch: Option<String>,
    /// One transaction that is entered by hand, shown as a form; its answer comes at once.
    pub is_single: bool,
}

/// Answers to what was detected, and the matching of columns and values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ReviewMatch {
    pub id: String,
    /// Overrides: `what` and value.
    pub overrides: Vec<super::NamedCode>,
    /// Columns changed: column and field.
    pub columns: Vec<ColumnChange>,
    /// Values given a code.
    pub values: Vec<ValueMatch>,
    /// All rules, in place of those there were; null leaves them.
    pub rules: Option<ColumnRuleSet>,
    /// Use a saved mapping by name; empty for none.
    pub use_mapping: String,
    /// Remember the mapping under this name; empty for not.
    pub remember_as: String,
    /// Go on to the review.
    pub done: bool,
    /// What is proposed for a column is proposed again for the next file: no one was asked.
    pub keeps_proposals: bool,
}

/// A column matched to a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ColumnChange {
    /// Column of the table.
    pub column: u32,
    /// Field, or null to leave it out.
    pub field: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CellMark {
    /// Column of the table; null for the row itself.
    pub column: Option<u32>,
    /// `error`, `warning` or `kept`.
    pub severity: String,
    pub code: String,
}

/// One row of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RowView {
    /// Row of the table, for edits.
    pub row: u32,
    /// Number as the file counts it, from 1.
    pub line: u32,
    /// Text of each column, in the order of the review's `columns`.
    pub cells: Vec<String>,
    /// Columns changed by the person.
    pub changed: Vec<u32>,
    /// Issues on it.
    pub marks: Vec<CellMark>,
    /// Whether the row is excluded.
    pub excluded: bool,
    /// Documents attached to its transaction.
    pub documents: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RowsPage {
    /// Rows that pass the filter.
    pub total: u32,
    /// First row of the page among them.
    pub from: u32,
    pub rows: Vec<RowView>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CellId {
    pub id: String,
    /// Row of the table.
    pub row: u32,
    /// Column, or null for issues of the row.
    pub column: Option<u32>,
}

/// An issue, as sentences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct IssueView {
    pub code: String,
    pub title: String,
    /// `error` or `warning`.
    pub severity: String,
    /// Where: `Row 1,207, column "SLT"`.
    pub place: String,
    /// Where, found, expected, what to do.
    pub message: String,
    /// USD, for codes that compare.
    pub provided: Option<String>,
    /// Calculated amount in USD, or null.
    pub calculated: Option<String>,
    /// USD, calculated minus provided.
    pub difference: Option<String>,
    /// Kind of the repair of this one, or null.
    pub fix: Option<String>,
    /// Text of its button.
    pub fix_label: Option<String>,
    /// One line that recomputes the calculated amount, or null.
    pub why: Option<String>,
    /// The reason the person gave for acknowledging it, or null while it is open.
    pub kept: Option<String>,
}

/// Issues of a cell or row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CellIssues {
    /// Issues, errors first.
    pub issues: Vec<IssueView>,
}

/// A cell's new text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CellEdit {
    /// Row of the table; rows beyond the end are added.
    pub row: u32,
    /// Column of the table.
    pub column: u32,
    /// New text.
    pub text: String,
}

/// Edits that are one step of undo: a cell, a paste, a fill.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReviewEdit {
    pub id: String,
    /// Title of the step, such as `Paste 12 cells`.
    pub label: String,
    pub edits: Vec<CellEdit>,
    /// The text that each cell had when its new one was typed; empty where that doesn't matter.
    pub typed_over: Vec<String>,
    /// The view's `changes_of_others` that it was decided on; null changes whatever is there.
    #[serde(default)]
    pub seen_changes: Option<u32>,
}

/// Repair one cell or a whole group.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReviewFix {
    pub id: String,
    /// Code of the issues.
    pub code: String,
    /// Kind of the repair.
    pub fix: String,
    /// Only the issues of this row; null for all.
    pub row: Option<u32>,
    /// The value for all rows, as typed, where the repair is `set_value`; of no matter for others.
    #[serde(default)]
    pub value: String,
    /// Preview the changes without making them.
    pub preview: bool,
    /// The view's `changes_of_others` that it was decided on; null changes whatever is there.
    #[serde(default)]
    pub seen_changes: Option<u32>,
}

/// One change a repair makes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FixChange {
    /// Line as the file counts it.
    pub line: u32,
    /// Title of the column; empty when the row is excluded.
    pub header: String,
    pub before: String,
    /// Text after; empty when the row is excluded.
    pub after: String,
}

/// The changes of a repair, previewed or made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FixOutcome {
    /// Cells changed or rows excluded, altogether.
    pub total: u32,
    /// The first hundred.
    pub changes: Vec<FixChange>,
    /// The review afterwards; as it was for a preview.
    pub review: ReviewView,
}

/// A draft in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReviewSummary {
    pub id: String,
    pub name: String,
    /// Those that are not sent yet.
    pub rows: u32,
    /// Rows with errors when last stored.
    pub errors: u32,
    /// RFC 3339 UTC.
    pub stored_at: String,
    /// Every row of it is excluded.
    pub excluded: bool,
    /// Who of the office does it, or null.
    pub assigned: Option<Assignment>,
}

/// Drafts with rows to send, newest first, and the names of saved mappings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReviewList {
    /// Drafts.
    pub reviews: Vec<ReviewSummary>,
    /// Saved mappings.
    pub mappings: Vec<String>,
}

/// Attach documents: a folder chosen in the dialog, or dropped files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReviewDocuments {
    pub id: String,
    /// Handles of dropped files or folders; empty asks with the dialog.
    pub handles: Vec<String>,
    /// Attach what matches; otherwise a preview.
    pub attach: bool,
}

/// A file and the transaction it was matched to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DocumentMatch {
    pub file_name: String,
    pub bytes: u32,
    /// SHA-256 of the content, hexadecimal.
    pub sha256: String,
    /// Document code, such as `POLIC`.
    pub code: String,
    /// Row of the table of its transaction, or null.
    pub row: Option<u32>,
    /// Policy number of the match; empty for none.
    pub policy_number: String,
    /// Why: `policy number`, `invoice number`, `documents.csv`, or why not.
    pub reason: String,
}

/// The result of matching files to transactions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DocumentsOutcome {
    /// Attached, or canceled or a preview when false.
    pub attached: bool,
    pub matched: Vec<DocumentMatch>,
    /// Not matched.
    pub unmatched: Vec<DocumentMatch>,
    /// The review afterwards.
    pub review: ReviewView,
}

/// Save rows with errors as a file that can be imported again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SaveRejects {
    /// A review or a batch.
    pub id: String,
    pub format: TableFormat,
    /// Rows with warnings too, that the service accepted or would accept.
    #[serde(default)]
    pub with_warnings: bool,
}
