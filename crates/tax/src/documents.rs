//! The documents of an answer: those of the state's that apply, named by their places in the rules' list.

use std::fmt;
use std::sync::Arc;

use bordereau_contract::{StateDocument, TransactionType};
use chrono::NaiveDate;

use crate::QuoteInput;

/// A document and when it applies.
#[derive(Debug)]
pub(crate) struct DocumentRule {
    pub document: Arc<StateDocument>,
    pub transactions: Vec<TransactionType>,
    pub from: Option<NaiveDate>,
    pub until: Option<NaiveDate>,
}

impl DocumentRule {
    /// Whether it applies to the transaction.
    pub(crate) fn applies_to(&self, input: &QuoteInput) -> bool {
        let date = input.policy_effective;
        let flag =
            |wanted: Option<u8>, is: bool| wanted.is_none_or(|wanted| wanted == 2 || (wanted == 1) == is);
        self.transactions.contains(&input.transaction_type)
            && self.from.is_none_or(|from| from <= date)
            && self.until.is_none_or(|until| date <= until)
            && flag(self.document.rpg, input.rpg)
            && flag(self.document.ecp, input.ecp)
            && flag(self.document.exempt, input.tax_exempt)
            && flag(self.document.export_list, input.export_list)
    }
}

/// The documents that apply, in the order of the rules.
#[derive(Clone)]
pub struct ApplicableDocuments {
    of: Arc<[DocumentRule]>,
    /// One bit per place in the list.
    apply: u64,
}

impl ApplicableDocuments {
    /// The most documents one state may have.
    pub(crate) const MAX: usize = 64;

    pub(crate) fn new(of: &Arc<[DocumentRule]>, input: &QuoteInput) -> ApplicableDocuments {
        let bit = |(at, rule): (usize, &DocumentRule)| u64::from(rule.applies_to(input)) << at;
        let apply =
            of.iter().take(ApplicableDocuments::MAX).enumerate().map(bit).fold(0, |all, bit| all | bit);
        ApplicableDocuments { of: Arc::clone(of), apply }
    }

    /// Each document.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<StateDocument>> {
        let rules = self.of.iter().take(ApplicableDocuments::MAX).enumerate();
        rules.filter(|(at, _)| self.apply & (1 << at) != 0).map(|(_, rule)| &rule.document)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.apply == 0
    }
}

impl PartialEq for ApplicableDocuments {
    fn eq(&self, other: &ApplicableDocuments) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for ApplicableDocuments {}

impl fmt::Debug for ApplicableDocuments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
