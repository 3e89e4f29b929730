//! What the service thinks of a transaction: what is missing, what it warns of (contract section 3).

use std::borrow::Cow;
use std::collections::BTreeMap;

use bordereau_contract::{CoverageItem, ImportTransaction, REQUIREMENTS, TransactionType, message_key};
use bordereau_tax::{LocalTables, RuleBook};
use chrono::NaiveDate;
use serde::Serialize;

use super::form::nonblank_text;
use super::taxes;

/// Texts keyed by field, as they travel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct AssessmentMessages(BTreeMap<Cow<'static, str>, Cow<'static, str>>);

impl AssessmentMessages {
    /// Adds a message to a field; the first one stays.
    pub(crate) fn add_message(
        &mut self,
        key: impl Into<Cow<'static, str>>,
        text: impl Into<Cow<'static, str>>,
    ) {
        self.0.entry(key.into()).or_insert_with(|| text.into());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Withdraws the warning that a document of this code is missing.
    pub(crate) fn has_document(&mut self, code: &str) {
        self.0.remove(document_key(code).as_str());
    }
}

fn document_key(code: &str) -> String {
    format!("documents.{code}")
}

/// The opinion on one transaction.
#[derive(Debug, Default)]
pub(crate) struct TransactionAssessment {
    /// Required values that are not there: the transaction is kept as Saved.
    pub(crate) missing: AssessmentMessages,
    pub(crate) warnings: AssessmentMessages,
}

/// Looks at a transaction whose form is right. Pure: the same transaction on the same day is seen alike.
pub(crate) fn assess_transaction(
    row: &ImportTransaction,
    rules: &RuleBook,
    local: &LocalTables,
    today: NaiveDate,
) -> TransactionAssessment {
    let mut opinion = TransactionAssessment::default();
    let written_as = nonblank_text(row.account_written_as.as_deref()).and_then(|code| code.parse().ok());
    for requirement in REQUIREMENTS {
        if requirement.applies(kind(row), written_as) && !is_there(row, requirement.field) {
            let messages = if requirement.is_required { &mut opinion.missing } else { &mut opinion.warnings };
            messages.add_message(message_key(requirement.field), requirement.message);
        }
    }
    let documents = taxes::compare_taxes(row, rules, local, today, &mut opinion.warnings);
    for document in
        documents.iter().filter(|document| document.required_for_filing && document.upload_required)
    {
        if !row.documents.iter().any(|attached| attached.code == document.code) {
            opinion.warnings.add_message(document_key(&document.code), "Required document is missing");
        }
    }
    opinion
}

/// Whether a transaction has a field of the table of requirements.
fn is_there(row: &ImportTransaction, field: &str) -> bool {
    let has = |text: &Option<String>| nonblank_text(text.as_deref()).is_some();
    let lines = &row.line_of_business_list;
    let is_named = |items: &[CoverageItem]| items.iter().any(|item| !item.item.trim().is_empty());
    match field {
        "policy_number" => has(&row.policy_number),
        "policy_effective_date" => has(&row.policy_effective_date),
        "transaction_type" => kind(row).is_some(),
        "physical_state" => has(&row.physical_state),
        "line_of_business_list" => is_named(lines),
        "mailing_insured_name" => has(&row.mailing_insured_name),
        "premium" => {
            row.premium.is_some() || (is_named(lines) && lines.iter().all(|line| line.coverage.is_some()))
        }
        "invoice_number" => has(&row.invoice_number),
        "insurance_company_list" => is_named(&row.insurance_company_list) || is_named(&row.syndicate_list),
        "risk_description" => has(&row.risk_description),
        "retail_producer" => has(&row.retail_producer),
        "layered_risk" => row.layered_risk.is_some(),
        "risk_retention_group" => row.risk_retention_group.is_some(),
        "transaction_effective_date" => has(&row.transaction_effective_date),
        "expiring_policy_number" => has(&row.expiring_policy_number),
        _ => false,
    }
}

fn kind(row: &ImportTransaction) -> Option<TransactionType> {
    nonblank_text(row.transaction_type.as_deref()).and_then(|code| code.parse().ok())
}
