//! What would be sent: totals, and the transactions themselves.

use std::collections::BTreeMap;

use bordereau_contract::ImportTransaction;
use bordereau_intake::{Field, TypedRow};
use bordereau_money::Usd;

use super::documents::Attached;
use super::open::Open;
use super::operations::{Kept, with};
use super::reading::blocking;
use crate::Desk;
use crate::api::{BoundaryError, ErrorCode, ReviewTotals, SendScope, StateTotal};

/// Taxes and charges of a transaction; the stamping fee is one of them.
const TAXES: [Field; 7] = [
    Field::SlTax,
    Field::StampingFee,
    Field::SlServiceCharge,
    Field::MunicipalFee,
    Field::CountyFee,
    Field::FmTax,
    Field::EmpaTax,
];

/// A transaction ready to be stored for sending.
#[derive(Clone, Debug)]
pub(crate) struct PreparedRow {
    /// Its first row of the table.
    pub(crate) row: u32,
    /// That row as the file counts it.
    pub(crate) line: u32,
    /// As it travels, documents left out.
    pub(crate) transaction: ImportTransaction,
    /// It has an error.
    pub(crate) has_error: bool,
    /// Files that go along.
    pub(crate) documents: Vec<Attached>,
    /// The key by which it is recognised when it comes again.
    pub(crate) key: Option<bordereau_intake::SameTransaction>,
}

/// What a send takes out of a review.
#[derive(Clone, Debug)]
pub(crate) struct PreparedSend {
    /// Name of the review.
    pub(crate) name: String,
    /// The batch that is corrected.
    pub(crate) corrects: Option<String>,
    /// Transactions in the order of rows.
    pub(crate) transactions: Vec<PreparedRow>,
}

fn chosen(open: &Open, scope: SendScope) -> impl Iterator<Item = usize> {
    let transactions = open.review().transactions();
    (0..transactions.count()).filter(move |transaction| {
        let row = transactions.rows(*transaction)[0];
        // Of a correction only what was changed is sent again.
        // A row of which the service said nothing was never taken: it is sent as it is.
        let is_due = open.body.batch.is_none()
            || is_changed(open, *transaction)
            || !transactions.rows(*transaction).iter().any(|row| open.body.messages.contains_key(row));
        let is_in = match scope {
            SendScope::Valid => open.index.is_ready(row),
            SendScope::All => !open.review().is_excluded(row as usize),
        };
        is_in && is_due
    })
}

fn is_changed(open: &Open, transaction: usize) -> bool {
    let rows = open.review().transactions().rows(transaction);
    rows.iter().any(|row| open.index.changed.binary_search(row).is_ok())
}

fn sums(typed: &TypedRow) -> (Usd, Usd, Usd) {
    let is_credit = typed.transaction_type.is_some_and(|kind| kind.is_credit());
    let signed = |amount: Usd| if is_credit { amount.abs().negated() } else { amount };
    let amount = |field| typed.amount(field).unwrap_or(Usd::ZERO);
    let taxes = Usd::checked_sum(TAXES.map(amount)).unwrap_or(Usd::MAX);
    (signed(amount(Field::Premium)), signed(taxes), signed(amount(Field::StampingFee)))
}

#[derive(Default)]
struct Sum {
    count: u32,
    premium: Usd,
    taxes: Usd,
    stamping: Usd,
}

impl Sum {
    fn add(&mut self, (premium, taxes, stamping): (Usd, Usd, Usd)) {
        let sum = |a: Usd, b| a.checked_add(b).unwrap_or(Usd::MAX);
        self.count += 1;
        self.premium = sum(self.premium, premium);
        self.taxes = sum(self.taxes, taxes);
        self.stamping = sum(self.stamping, stamping);
    }
}

/// Totals of what a send would take; credits count negative.
pub(crate) fn totals(open: &Open, scope: SendScope) -> ReviewTotals {
    let mut whole = Sum::default();
    let mut states: BTreeMap<&'static str, Sum> = BTreeMap::new();
    for transaction in chosen(open, scope) {
        let typed = open.review().typed(transaction);
        let sums = sums(typed);
        whole.add(sums);
        states.entry(typed.state.map_or("", |state| state.code())).or_default().add(sums);
    }
    let state = |(state, sum): (&str, Sum)| StateTotal {
        state: state.to_owned(),
        count: sum.count,
        premium: sum.premium.to_string(),
        taxes: sum.taxes.to_string(),
        stamping: sum.stamping.to_string(),
    };
    ReviewTotals {
        count: whole.count,
        premium: whole.premium.to_string(),
        taxes: whole.taxes.to_string(),
        stamping: whole.stamping.to_string(),
        states: states.into_iter().map(state).collect(),
    }
}

/// The transactions a send would take.
pub(crate) fn prepare(open: &Open, scope: SendScope) -> PreparedSend {
    let review = open.review();
    let mut documents: BTreeMap<u32, Vec<Attached>> = BTreeMap::new();
    for document in &open.body.documents {
        documents.entry(document.row).or_default().push(document.clone());
    }
    let row = |transaction: usize| {
        let row = review.transactions().rows(transaction)[0];
        PreparedRow {
            row,
            line: open.line(row as usize),
            transaction: review.wire(transaction),
            has_error: !open.index.is_ready(row),
            documents: documents.get(&row).cloned().unwrap_or_default(),
            key: review.key(transaction),
        }
    };
    let transactions: Vec<PreparedRow> = chosen(open, scope).map(row).collect();
    PreparedSend { name: open.name.clone(), corrects: open.body.batch.clone(), transactions }
}

impl Desk {
    /// The transactions a send of this review would take, with what has to be confirmed.
    ///
    /// # Errors
    /// [`ErrorCode::NotFound`]; [`ErrorCode::Validation`] while it is read or a question is open.
    pub(crate) async fn review_transactions(
        &self,
        id: &str,
        scope: SendScope,
    ) -> Result<PreparedSend, BoundaryError> {
        let slot = self.slot(id).await?;
        let prepared = blocking(move || {
            with(&slot, |open| {
                if !open.body.matched {
                    return Err(BoundaryError::of(
                        ErrorCode::Validation,
                        "Columns are not matched yet. Answer the open questions first.",
                    ));
                }
                Ok(prepare(open, scope))
            })
        });
        prepared.await?
    }

    /// Checks an open review again against what was sent before, the profile's tables and the day.
    ///
    /// # Errors
    /// [`ErrorCode::NotFound`], [`ErrorCode::Storage`].
    pub(crate) async fn review_refresh(&self, id: &str) -> Result<(), BoundaryError> {
        let slot = self.slot(id).await?;
        let batch = blocking(move || with(&slot, |open| Ok(open.body.batch.clone()))).await??;
        let bench = self.bench(batch.as_deref()).await?;
        self.change(id, move |open| {
            open.bench = bench;
            open.check_again();
            Ok((Kept::State, ()))
        })
        .await
    }
}
