//! What the review adds up to: totals, and issues grouped by repair.

use std::collections::BTreeMap;

use bordereau_money::Usd;
use serde::{Deserialize, Serialize};

use crate::field::Field;
use crate::issue::{Code, Severity};
use crate::review::Review;

/// The taxes and charges of a transaction.
const TAXES: [Field; 7] = [
    Field::SlTax,
    Field::StampingFee,
    Field::SlServiceCharge,
    Field::MunicipalFee,
    Field::CountyFee,
    Field::FmTax,
    Field::EmpaTax,
];

/// Totals of one state; credits count negative.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateTotals {
    /// Transactions.
    pub count: usize,
    /// Premium in USD.
    pub premium: Usd,
    /// Taxes and charges as provided, in USD.
    pub taxes: Usd,
}

/// Totals of what is not left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Transactions.
    pub count: usize,
    /// Transactions with at least one error.
    pub with_errors: usize,
    /// Transactions without errors and with at least one warning.
    pub with_warnings: usize,
    /// Rows left out.
    pub excluded: usize,
    /// Premium in USD; credits count negative.
    pub premium: Usd,
    /// Taxes and charges as provided, in USD.
    pub taxes: Usd,
    /// By state; rows without a readable state under the empty name.
    pub states: BTreeMap<String, StateTotals>,
}

/// Issues of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssueGroup {
    /// What is wrong.
    pub code: Code,
    /// In words.
    pub title: String,
    /// The field, where all are about one.
    pub field: Option<Field>,
    /// How bad it is.
    pub severity: Severity,
    /// How many.
    pub count: usize,
    /// Rows of the table with the first of them, at most 20.
    pub rows: Vec<usize>,
    /// The kind of repair of the first, when it can be done for all.
    pub repair: Option<String>,
}

impl Review {
    /// Totals of all transactions that are not left out.
    #[must_use]
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for transaction in 0..self.transactions().count() {
            let rows = self.transactions().rows(transaction);
            if self.is_excluded(rows[0] as usize) {
                totals.excluded += rows.len();
                continue;
            }
            let typed = self.typed(transaction);
            let is_credit = typed.transaction_type.is_some_and(|t| t.is_credit());
            let signed = |cents: i64| if is_credit { -cents.saturating_abs() } else { cents };
            let premium = Usd::from_cents(signed(typed.cents(Field::Premium).unwrap_or(0)));
            let taxes = TAXES.iter().filter_map(|f| typed.cents(*f)).fold(0i64, i64::saturating_add);
            let taxes = Usd::from_cents(signed(taxes));
            let state = totals.states.entry(typed.state.map_or("", |s| s.code()).to_owned()).or_default();
            state.count += 1;
            state.premium = state.premium.checked_add(premium).unwrap_or(Usd::MAX);
            state.taxes = state.taxes.checked_add(taxes).unwrap_or(Usd::MAX);
            totals.count += 1;
            totals.premium = totals.premium.checked_add(premium).unwrap_or(Usd::MAX);
            totals.taxes = totals.taxes.checked_add(taxes).unwrap_or(Usd::MAX);
            let findings = || rows.iter().flat_map(|r| self.findings_of(*r as usize));
            if findings().any(|f| f.severity() == Severity::Error) {
                totals.with_errors += 1;
            } else if findings().next().is_some() {
                totals.with_warnings += 1;
            }
        }
        totals
    }

    /// Issues grouped by code and field, errors first, the most frequent first.
    #[must_use]
    pub fn groups(&self) -> Vec<IssueGroup> {
        let mut groups: BTreeMap<(Code, Option<Field>), IssueGroup> = BTreeMap::new();
        for finding in self.findings().iter().filter(|f| !self.is_excluded(f.row())) {
            let group = groups.entry((finding.code(), finding.field())).or_insert_with(|| IssueGroup {
                code: finding.code(),
                title: finding.code().title().to_owned(),
                field: finding.field(),
                severity: finding.severity(),
                count: 0,
                rows: Vec::new(),
                repair: self.issue(finding).fix.filter(|f| f.certain).map(|f| f.kind),
            });
            group.count += 1;
            if group.rows.len() < 20 {
                group.rows.push(finding.row());
            }
        }
        let mut groups: Vec<IssueGroup> = groups.into_values().collect();
        groups.sort_by_key(|g| (std::cmp::Reverse(g.severity), std::cmp::Reverse(g.count), g.code));
        groups
    }

    /// Every certain repair of one kind, to preview or do at once.
    #[must_use]
    pub fn repairs(&self, kind: &str) -> Vec<crate::issue::Fix> {
        let open = self.findings().iter().filter(|f| !self.is_excluded(f.row()));
        open.filter_map(|f| self.issue(f).fix).filter(|fix| fix.certain && fix.kind == kind).collect()
    }
}
