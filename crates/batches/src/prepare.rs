//! Preview of a send: totals, and the transactions themselves.

use std::collections::BTreeMap;

use bordereau_contract::ImportTransaction;
use bordereau_money::Usd;
use bordereau_spreadsheets::{Field, SOURCE_COLUMN, TransactionFigures};

use super::acknowledgement::{kept_message, kept_of_row};
use super::draft::AttachedDocument;
use super::session::{ReviewSession, single_name};
use bordereau_api::totals::{TransactionAmounts, by_state};
use bordereau_api::{KeptWarning, ReviewTotals, SendScope};
use bordereau_store::batches::acknowledgments::AcknowledgedTransaction;

/// A transaction ready to be stored for sending.
#[derive(Clone, Debug)]
pub struct PreparedRow {
    /// Its first row of the table.
    pub row: u32,
    /// That row as the file counts it.
    pub line: u32,
    /// The file or sheet it is from, where there are several; else empty.
    pub source: String,
    /// As it travels, without documents.
    pub transaction: ImportTransaction,
    pub has_error: bool,
    /// Files that go along.
    pub documents: Vec<AttachedDocument>,
    /// The key by which it is recognized when it comes again.
    pub key: Option<bordereau_spreadsheets::SameTransaction>,
    pub kept: Vec<KeptWarning>,
}

/// What a send takes out of a review.
#[derive(Clone, Debug)]
pub struct PreparedSend {
    pub name: String,
    pub corrects: Option<String>,
    /// One transaction that was entered by hand.
    pub is_single: bool,
    pub transactions: Vec<PreparedRow>,
    /// Of a correction: those that stay as they are.
    pub kept_back: Vec<AcknowledgedTransaction>,
}

fn rows_in_scope(session: &ReviewSession, scope: SendScope) -> impl Iterator<Item = usize> {
    let transactions = session.review().transactions();
    (0..transactions.count()).filter(move |transaction| {
        let row = transactions.rows_of(*transaction)[0];
        // Of a correction only what was changed is sent again.
        // A row of which the service said nothing was never taken: it is sent as it is.
        let is_due = session.draft.batch.is_none()
            || is_changed(session, *transaction)
            || !transactions.rows_of(*transaction).iter().any(|row| session.draft.messages.contains_key(row));
        let is_in = match scope {
            SendScope::Valid => session.index.is_ready(row),
            SendScope::All => !session.review().is_excluded(row as usize),
        };
        is_in && is_due
    })
}

fn is_changed(session: &ReviewSession, transaction: usize) -> bool {
    let rows = session.review().transactions().rows_of(transaction);
    rows.iter().any(|row| session.index.changed.binary_search(row).is_ok())
}

fn row_amounts(figures: &TransactionFigures) -> TransactionAmounts {
    TransactionAmounts {
        premium: figures.premium().unwrap_or(Usd::ZERO),
        taxes: figures.taxes(),
        stamping: figures.stamping().unwrap_or(Usd::ZERO),
    }
}

/// Totals of what a send would take; credits count negative.
pub fn send_totals(session: &ReviewSession, scope: SendScope) -> ReviewTotals {
    by_state(rows_in_scope(session, scope).map(|transaction| {
        let figures = session.review().figures(transaction);
        (figures.transaction_type, figures.state.map_or("", |state| state.code()), row_amounts(figures))
    }))
}

/// Transactions of a correction that stay as they are, because every warning on them is kept with a reason.
fn unsent_transactions(session: &ReviewSession) -> Vec<AcknowledgedTransaction> {
    if session.draft.batch.is_none() {
        return Vec::new();
    }
    let transactions = session.review().transactions();
    let of = |transaction: usize| {
        let rows = transactions.rows_of(transaction);
        let row = rows[0] as usize;
        let is_left = session.review().is_excluded(row) || is_changed(session, transaction);
        let told =
            || rows.iter().flat_map(|row| session.messages(*row as usize).map(|told| (*row as usize, told)));
        let is_kept = !is_left
            && told().next().is_some()
            && told().all(|(row, (column, message))| kept_message(session, row, column, message).is_some());
        is_kept.then(|| AcknowledgedTransaction {
            own_id: session.review().to_wire(transaction).id,
            line: session.line(row),
            kept: acknowledged_warnings(session, transaction),
        })
    };
    (0..transactions.count()).filter_map(of).collect()
}

fn acknowledged_warnings(session: &ReviewSession, transaction: usize) -> Vec<KeptWarning> {
    let rows = session.review().transactions().rows_of(transaction);
    rows.iter().flat_map(|row| kept_of_row(session, *row as usize)).collect()
}

/// What the column of sources says: of several files, and of a correction or rejected rows of such a batch.
fn source_of_row(session: &ReviewSession, row: usize) -> String {
    let column = session.proposed.iter().find(|proposed| proposed.header == SOURCE_COLUMN);
    let table = &session.review().source().table;
    column.map_or_else(String::new, |column| table.text_at(row, column.column).to_owned())
}

/// The transactions a send would take.
pub fn prepare_send(session: &ReviewSession, scope: SendScope) -> PreparedSend {
    let review = session.review();
    let mut documents: BTreeMap<u32, Vec<AttachedDocument>> = BTreeMap::new();
    for document in &session.draft.documents {
        documents.entry(document.row).or_default().push(document.clone());
    }
    let row = |transaction: usize| {
        let row = review.transactions().rows_of(transaction)[0];
        PreparedRow {
            row,
            line: session.line(row as usize),
            source: source_of_row(session, row as usize),
            transaction: review.to_wire(transaction),
            has_error: !session.index.is_ready(row),
            documents: documents.get(&row).cloned().unwrap_or_default(),
            key: review.duplicate_key(transaction),
            kept: acknowledged_warnings(session, transaction),
        }
    };
    let transactions: Vec<PreparedRow> = rows_in_scope(session, scope).map(row).collect();
    let corrects = session.draft.batch.clone();
    PreparedSend {
        // The audit log keeps it for good, so that it has no insured's name.
        name: match session.draft.is_single && session.draft.batch.is_none() {
            true => single_name(session, &[Field::PolicyNumber]).unwrap_or_else(|| "Transaction".into()),
            false => session.name.clone(),
        },
        corrects,
        is_single: session.draft.is_single && transactions.len() == 1,
        transactions,
        kept_back: unsent_transactions(session),
    }
}
