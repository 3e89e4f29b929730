//! What the service thinks of a transaction: what is missing, what it warns of (contract section 3).

use std::borrow::Cow;
use std::collections::BTreeMap;

use bordereau_contract::{ImportTransaction, TransactionType, WrittenAs};
use bordereau_tax::{Local, RuleBook};
use chrono::NaiveDate;
use serde::Serialize;

use super::form::given;
use super::taxes;

/// Texts keyed by field, as they travel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct Messages(BTreeMap<Cow<'static, str>, Cow<'static, str>>);

impl Messages {
    /// Says something of a field; what was said of it first stays.
    pub(crate) fn say(&mut self, key: impl Into<Cow<'static, str>>, text: impl Into<Cow<'static, str>>) {
        self.0.entry(key.into()).or_insert_with(|| text.into());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes back that a document of this code is missing.
    pub(crate) fn has_document(&mut self, code: &str) {
        self.0.remove(document_key(code).as_str());
    }
}

fn document_key(code: &str) -> String {
    format!("documents.{code}")
}

/// The opinion on one transaction.
#[derive(Debug, Default)]
pub(crate) struct Opinion {
    /// Required values that are not there: the transaction is kept as Saved.
    pub(crate) missing: Messages,
    pub(crate) warnings: Messages,
}

/// Looks at a transaction whose form is right. Pure: the same transaction on the same day is seen alike.
pub(crate) fn assess(row: &ImportTransaction, rules: &RuleBook, local: &Local, today: NaiveDate) -> Opinion {
    let mut opinion = Opinion::default();
    let kind = given(row.transaction_type.as_deref()).and_then(|code| code.parse().ok());
    missing(row, kind, &mut opinion.missing);
    wanted(row, kind, &mut opinion.warnings);
    let documents = taxes::compare(row, rules, local, today, &mut opinion.warnings);
    for document in
        documents.iter().filter(|document| document.required_for_filing && document.upload_required)
    {
        if !row.documents.iter().any(|attached| attached.code == document.code) {
            opinion.warnings.say(document_key(&document.code), "Required document is missing");
        }
    }
    opinion
}

/// Values without which a transaction is incomplete.
fn missing(row: &ImportTransaction, kind: Option<TransactionType>, missing: &mut Messages) {
    let mut require = |key: &'static str, there: bool, text: &'static str| {
        if !there {
            missing.say(key, text);
        }
    };
    let has = |text: &Option<String>| given(text.as_deref()).is_some();
    require("policyNumber", has(&row.policy_number), "Policy number not provided");
    require("policyEffectiveDate", has(&row.policy_effective_date), "Policy effective date not provided");
    require("transactionType", kind.is_some(), "Transaction type not provided");
    require("physicalState", has(&row.physical_state), "State not provided");
    require("mailingInsuredName", has(&row.mailing_insured_name), "Name of the insured not provided");
    let lines = &row.line_of_business_list;
    let named = lines.iter().any(|line| !line.item.trim().is_empty());
    require("lineOfBusiness", named, "Line of business not provided");
    let premium = row.premium.is_some() || (named && lines.iter().all(|line| line.coverage.is_some()));
    let zero = kind == Some(TransactionType::ZeroPremium);
    require("premium", premium || zero, "Premium not provided");
    let Some(kind) = kind else { return };
    let dated = kind.starts_policy() || has(&row.transaction_effective_date);
    require("transactionEffectiveDate", dated, "Transaction effective date not provided");
    let renews = kind != TransactionType::Renewal || has(&row.expiring_policy_number);
    require("expiringPolicyNumber", renews, "Expiring policy number not provided");
}

/// Values the service only warns of.
fn wanted(row: &ImportTransaction, kind: Option<TransactionType>, warnings: &mut Messages) {
    let mut want = |key: &'static str, there: bool, text: &'static str| {
        if !there {
            warnings.say(key, text);
        }
    };
    let has = |text: &Option<String>| given(text.as_deref()).is_some();
    let carriers = row.insurance_company_list.iter().chain(&row.syndicate_list);
    let insured = carriers.into_iter().any(|carrier| !carrier.item.trim().is_empty());
    want("insuranceCompany", insured, "Missing Insurance Company");
    let described = has(&row.risk_description);
    want("riskDescription", described, "Description of risk not provided or not found");
    let broker = given(row.account_written_as.as_deref()) == Some(WrittenAs::Broker.code());
    want("retailProducer", !broker || has(&row.retail_producer), "Retail producer not provided");
    want("invoiceNumber", has(&row.invoice_number), "Invoice number not provided");
    if kind.is_some_and(TransactionType::starts_policy) {
        want("layeredRisk", row.layered_risk.is_some(), "Layered risk not provided");
        let group = row.risk_retention_group.is_some();
        want("riskRetentionGroup", group, "Risk retention group not provided");
    }
}
