//! Facts: what must be true if an event is. The same fact is the same event, however it was learned.

use bordereau_contract::{EventKind, TransactionRecord, TransactionStatus};

use sha2::{Digest, Sha256};

use bordereau_api::EventWhat;
use bordereau_contract::format_day_text;
use bordereau_quotes::plain_text;
use bordereau_session::profile::ServiceWords;
use bordereau_store::events::inbox::{ConfirmedFact, EventNumbers};
use bordereau_transactions::is_all_paid;

/// The desk's name of a kind.
pub(super) const fn event_kind(kind: EventKind) -> EventWhat {
    match kind {
        EventKind::BatchProcessed => EventWhat::BatchProcessed,
        EventKind::BatchFailed => EventWhat::BatchFailed,
        EventKind::Filed => EventWhat::Filed,
        EventKind::SlTaxPaid => EventWhat::SlTaxPaid,
        EventKind::StampingFeePaid => EventWhat::StampingFeePaid,
        EventKind::TaxesAndFeesPaid => EventWhat::TaxesAndFeesPaid,
        EventKind::NumberAssigned => EventWhat::StateNumber,
        EventKind::StampWordingChanged => EventWhat::StampWording,
    }
}

/// A fact that can be asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventFact {
    /// What happened.
    pub what: EventWhat,
    /// To what.
    pub subject: EventNumbers,
    /// The date or number that makes it another fact when it changes; empty for none.
    pub value: String,
}

impl EventFact {
    /// The fact of an event, where it names what it is about.
    pub(super) fn new(what: EventWhat, subject: &EventNumbers, value: String) -> Option<EventFact> {
        let is_named = match what {
            EventWhat::BatchProcessed | EventWhat::BatchFailed => !subject.batch.is_empty(),
            EventWhat::StampWording => !subject.state.is_empty() && !value.is_empty(),
            EventWhat::Other => false,
            EventWhat::Filed | EventWhat::TaxesAndFeesPaid => !subject.transaction.is_empty(),
            EventWhat::StampingFeePaid | EventWhat::SlTaxPaid | EventWhat::StateNumber => {
                !subject.transaction.is_empty() && !value.is_empty()
            }
        };
        is_named.then(|| EventFact { what, subject: subject.clone(), value })
    }

    /// The end of a batch.
    pub fn of_batch(what: EventWhat, batch: String) -> EventFact {
        EventFact { what, subject: EventNumbers { batch, ..EventNumbers::default() }, value: String::new() }
    }

    /// A state's stamp has this wording.
    pub(super) fn of_wording(state: &str, value: String) -> EventFact {
        let subject = EventNumbers { state: state.to_owned(), ..EventNumbers::default() };
        EventFact { what: EventWhat::StampWording, subject, value }
    }

    /// Equal for the same fact. A date counts as its day: it comes with a time of zero or without.
    pub fn fact_key(&self) -> String {
        let EventNumbers { batch, transaction, state, .. } = &self.subject;
        let value = match self.value.split_once([' ', 'T']) {
            Some((day, _)) if day.len() == 10 => day,
            _ => &self.value,
        };
        match self.what {
            EventWhat::BatchProcessed => format!("batch {batch} processed"),
            EventWhat::BatchFailed => format!("batch {batch} failed"),
            EventWhat::Filed => format!("transaction {transaction} filed"),
            EventWhat::StampingFeePaid => format!("transaction {transaction} stamping fee paid {value}"),
            EventWhat::SlTaxPaid => format!("transaction {transaction} tax paid {value}"),
            EventWhat::StateNumber => format!("transaction {transaction} state number {value}"),
            EventWhat::TaxesAndFeesPaid => format!("transaction {transaction} all paid"),
            EventWhat::StampWording => format!("state {state} wording {value}"),
            EventWhat::Other => String::new(),
        }
    }

    /// As the store takes one that was found by asking.
    pub(super) fn confirmed(&self) -> ConfirmedFact {
        let title = event_title(self.what, &self.subject, "", &self.value);
        ConfirmedFact { key: self.fact_key(), what: self.what, subject: self.subject.clone(), title }
    }

    /// Everything that a record says has happened to its transaction. What a status means is known where the profile's
    /// table or the practice service says so; a day of filing says the same everywhere.
    pub fn of_record(record: &TransactionRecord, words: &ServiceWords) -> Vec<EventFact> {
        let subject = EventNumbers {
            batch: String::new(),
            transaction: record.id.to_string(),
            policy_number: record.policy_number.clone().unwrap_or_default(),
            invoice_number: record.extra_invoice_number.clone().unwrap_or_default(),
            state: record.physical_state.clone().unwrap_or_default(),
        };
        let text = |value: &Option<String>| value.as_deref().map(str::trim).unwrap_or_default().to_owned();
        let by_status =
            words.transaction_status(&record.transaction_status) == Some(TransactionStatus::Filed);
        let filed_on = text(&record.date_filed);
        let (fee, tax) = (text(&record.stamping_fee_paid_date), text(&record.sl_tax_paid_date));
        [
            (EventWhat::Filed, filed_on.clone(), by_status || !filed_on.is_empty()),
            (EventWhat::StateNumber, text(&record.transaction_id_number), true),
            (EventWhat::StampingFeePaid, fee, true),
            (EventWhat::SlTaxPaid, tax, true),
            (EventWhat::TaxesAndFeesPaid, String::new(), is_all_paid(record)),
        ]
        .into_iter()
        .filter(|(_, _, is_so)| *is_so)
        .filter_map(|(what, value, _)| EventFact::new(what, &subject, value))
        .collect()
    }
}

/// What tells one wording from another: its day and its words, whatever tags stand around them. Empty for none.
pub(super) fn wording_value(html: Option<&str>, updated_at: Option<&str>) -> String {
    let words: String = plain_text(html.unwrap_or_default()).split_whitespace().collect::<Vec<_>>().join(" ");
    if words.is_empty() {
        return String::new();
    }
    let day = updated_at.unwrap_or_default().trim().split([' ', 'T']).next().unwrap_or_default();
    let hash: String =
        Sha256::digest(words.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("{day}#{hash}")
}

/// An event in a sentence, with what it names.
pub(super) fn event_title(what: EventWhat, subject: &EventNumbers, event: &str, value: &str) -> String {
    let whose = match (subject.policy_number.is_empty(), subject.transaction.is_empty()) {
        (false, _) => format!("Policy {}", subject.policy_number),
        (true, false) => format!("Transaction {}", subject.transaction),
        (true, true) => "A transaction".to_owned(),
    };
    let value = format_day_text(value);
    let with = |word: &str| if value.is_empty() { String::new() } else { format!(" {word} {value}") };
    match what {
        EventWhat::BatchProcessed => "Batch processed".to_owned(),
        EventWhat::BatchFailed => "Batch failed".to_owned(),
        EventWhat::Filed => format!("{whose} filed with the state{}", with("on")),
        EventWhat::StampingFeePaid => format!("{whose}: stamping fee paid{}", with("on")),
        EventWhat::SlTaxPaid => format!("{whose}: tax paid{}", with("on")),
        EventWhat::StateNumber => format!("{whose} has the state's number{}", with("")).replace("  ", " "),
        EventWhat::StampWording if subject.state.is_empty() => "Stamp wording changed".to_owned(),
        EventWhat::StampWording => format!("{}: stamp wording changed", subject.state),
        EventWhat::TaxesAndFeesPaid => format!("{whose}: all taxes and fees paid"),
        EventWhat::Other if event == bordereau_contract::TEST_EVENT => {
            "Test delivery: this webhook works".to_owned()
        }
        EventWhat::Other if event.is_empty() => "An event without a name".to_owned(),
        EventWhat::Other => format!("Unknown event {event}"),
    }
}
