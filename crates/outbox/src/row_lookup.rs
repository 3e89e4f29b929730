//! Looks up one row at the service: by its own id, by its invoice, or by a number of the service.

use bordereau_client::TransactionLookup;
use bordereau_contract::{RecordMatch, TransactionRecord, match_asked_record, match_record};
use bordereau_store::Store;

use super::job::{Service, ServiceTrouble};
use super::lookup_keys::{KnownRow, WaitingRow, is_number_of_other};
use super::transition::OpenPart;

pub(super) enum LookupResult {
    /// The service has it; found by this question.
    Here(Box<TransactionRecord>, &'static str),
    /// The service says that it has none, to these questions.
    Absent(LookupQuestions),
    /// No conclusion: empty, or a description of a record that may be it.
    Unclear(String),
}

/// Which questions a service answered with "none", or can answer at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LookupQuestions {
    /// By the caller's own id.
    pub(super) own_id: bool,
    /// By the invoice number.
    pub(super) invoice: bool,
    /// By a search over policy dates.
    pub(super) search: bool,
}

impl LookupQuestions {
    pub(super) const fn any(self) -> bool {
        self.own_id || self.invoice || self.search
    }

    pub(super) const fn and(self, other: LookupQuestions) -> LookupQuestions {
        LookupQuestions {
            own_id: self.own_id && other.own_id,
            invoice: self.invoice && other.invoice,
            search: self.search && other.search,
        }
    }
}

/// Looks up by own id, then by invoice number.
pub(super) async fn look_up(
    store: &Store,
    service: &Service,
    part: &OpenPart,
    row: &WaitingRow,
) -> Result<LookupResult, ServiceTrouble> {
    let sent = &row.transaction;
    let invoice = sent.invoice_number.clone().filter(|number| !number.trim().is_empty());
    let questions = [
        Some((TransactionLookup::OwnId(sent.id.clone()), "transaction by its id")),
        invoice.map(|number| (TransactionLookup::InvoiceNumber(number), "transaction by its invoice number")),
    ];
    let (mut absent, mut hint) = (LookupQuestions::default(), String::new());
    for (lookup, question) in questions.into_iter().flatten() {
        let is_by_id = matches!(lookup, TransactionLookup::OwnId(_));
        let compare = if is_by_id { match_record } else { match_asked_record };
        match lookup_transaction(service, &lookup).await? {
            LookupAnswer::Record(record) => match compare(&record, sent, part.sent_ms) {
                RecordMatch::Same
                    if is_number_of_other(store, &part.destination.profile_id, record.id, &sent.id)
                        .await? =>
                {
                    hint = format!("transaction {} belongs to another row", record.id);
                }
                RecordMatch::Same => return Ok(LookupResult::Here(record, question)),
                RecordMatch::Unclear(why) => hint = why,
                // An invoice may have several transactions; the service returns one of them.
                RecordMatch::Other => {}
            },
            LookupAnswer::None if is_by_id => absent.own_id = true,
            LookupAnswer::None => absent.invoice = true,
            LookupAnswer::NoSuchQuestion => {}
        }
    }
    Ok(if absent.any() && hint.is_empty() {
        LookupResult::Absent(absent)
    } else {
        LookupResult::Unclear(hint)
    })
}

/// The service's answer to a question about one transaction.
enum LookupAnswer {
    Record(Box<TransactionRecord>),
    None,
    NoSuchQuestion,
}

async fn lookup_transaction(
    service: &Service,
    lookup: &TransactionLookup,
) -> Result<LookupAnswer, ServiceTrouble> {
    match service.client.transaction_status(lookup).await {
        Ok(Some(record)) if record.id > 0 => Ok(LookupAnswer::Record(Box::new(record))),
        // An object without a number is a message: neither a transaction nor proof that there is none.
        Ok(Some(_)) => Ok(LookupAnswer::NoSuchQuestion),
        Ok(None) => Ok(LookupAnswer::None),
        Err(error) if error.is_unsupported_endpoint(service.is_practice) => Ok(LookupAnswer::NoSuchQuestion),
        Err(error) => Err(ServiceTrouble::from(&error)),
    }
}

/// The record under a number of the service, if it returns one.
pub(super) async fn find_record(
    service: &Service,
    number: i64,
) -> Result<Option<Box<TransactionRecord>>, ServiceTrouble> {
    match lookup_transaction(service, &TransactionLookup::TransactionId(number)).await? {
        LookupAnswer::Record(record) if record.id == number => Ok(Some(record)),
        _ => Ok(None),
    }
}

/// Which questions find transactions that the service is known to have.
pub(super) async fn knows_transactions(
    service: &Service,
    known: &[KnownRow],
) -> Result<LookupQuestions, ServiceTrouble> {
    let mut questions = LookupQuestions::default();
    for row in known {
        let is_it = |answer| match answer {
            LookupAnswer::Record(record) => record.id == row.transaction_id && service.is_fresh(&record),
            _ => false,
        };
        let by_id = TransactionLookup::OwnId(row.sent.id.clone());
        questions.own_id |= is_it(lookup_transaction(service, &by_id).await?);
        if let Some(invoice) = row.sent.invoice_number.clone().filter(|number| !number.trim().is_empty()) {
            let by_invoice = TransactionLookup::InvoiceNumber(invoice);
            questions.invoice |= is_it(lookup_transaction(service, &by_invoice).await?);
        }
    }
    Ok(questions)
}
