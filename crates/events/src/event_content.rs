//! What the desk knows about each kind of event: how to recognize one without a name, the fact it reports, its
//! title, and the fields shown. The same fact is the same event, however it was learned.

use bordereau_api::{EventField, EventKind};
use bordereau_contract::{
    BatchEvent, BatchStatus, ChargePaid, Event, EventBody, PaidCharge, TaxesAndFeesPaid, TransactionRecord,
    TransactionStatus, format_day_text, leading_day,
};
use bordereau_money::Usd;
use bordereau_quotes::plain_text;
use bordereau_session::profile::ServiceWords;
use bordereau_store::events::inbox::{ConfirmedFact, EventNumbers};
use bordereau_transactions::is_all_paid;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// Characters of a value shown; the body has all of it.
const VALUE_CHARS_MAX: usize = 1_000;

/// A fact that the service can confirm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventFact {
    /// What happened.
    pub what: EventKind,
    /// What it happened to.
    pub subject: EventNumbers,
    /// A date or number; if it changes, it is another fact. Empty for none.
    pub value: String,
}

impl EventFact {
    /// The fact of an event, if the event names its subject.
    pub(super) fn new(what: EventKind, subject: &EventNumbers, value: String) -> Option<EventFact> {
        let is_named = match what {
            EventKind::BatchProcessed | EventKind::BatchFailed => !subject.batch.is_empty(),
            EventKind::StampWordingChanged => !subject.state.is_empty() && !value.is_empty(),
            EventKind::Other => false,
            EventKind::Filed | EventKind::TaxesAndFeesPaid => !subject.transaction.is_empty(),
            EventKind::StampingFeePaid | EventKind::SlTaxPaid | EventKind::NumberAssigned => {
                !subject.transaction.is_empty() && !value.is_empty()
            }
        };
        is_named.then(|| EventFact { what, subject: subject.clone(), value })
    }

    /// The fact that a batch has ended.
    pub fn of_batch(what: EventKind, batch: String) -> EventFact {
        EventFact { what, subject: EventNumbers { batch, ..EventNumbers::default() }, value: String::new() }
    }

    /// The fact that a state's stamp has this wording.
    pub(super) fn of_wording(state: &str, value: String) -> EventFact {
        let subject = EventNumbers { state: state.to_owned(), ..EventNumbers::default() };
        EventFact { what: EventKind::StampWordingChanged, subject, value }
    }

    /// The same for the same fact. A date counts by its day: it comes with or without a time of zero.
    pub fn fact_key(&self) -> String {
        let EventNumbers { batch, transaction, state, .. } = &self.subject;
        let value = match self.value.split_once([' ', 'T']) {
            Some((day, _)) if day.len() == 10 => day,
            _ => &self.value,
        };
        match self.what {
            EventKind::BatchProcessed => format!("batch {batch} processed"),
            EventKind::BatchFailed => format!("batch {batch} failed"),
            EventKind::Filed => format!("transaction {transaction} filed"),
            EventKind::StampingFeePaid => format!("transaction {transaction} stamping fee paid {value}"),
            EventKind::SlTaxPaid => format!("transaction {transaction} tax paid {value}"),
            EventKind::NumberAssigned => format!("transaction {transaction} state number {value}"),
            EventKind::TaxesAndFeesPaid => format!("transaction {transaction} all paid"),
            EventKind::StampWordingChanged => format!("state {state} wording {value}"),
            EventKind::Other => String::new(),
        }
    }

    /// In the store's form, for a fact found by asking.
    pub(super) fn confirmed(&self) -> ConfirmedFact {
        let title = event_title(self.what, &self.subject, "", &self.value);
        ConfirmedFact { key: self.fact_key(), what: self.what, subject: self.subject.clone(), title }
    }

    /// All facts that a record shows about its transaction. The meaning of a status must be known from the profile's
    /// table or the practice service; a filing date always means the same.
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
        let filed_on = record.filed_date().unwrap_or_default().to_owned();
        let paid = |charge| record.paid_date(charge).unwrap_or_default().trim().to_owned();
        let (fee, tax) = (paid(PaidCharge::StampingFee), paid(PaidCharge::SlTax));
        [
            (EventKind::Filed, filed_on.clone(), by_status || !filed_on.is_empty()),
            (EventKind::NumberAssigned, text(&record.transaction_id_number), true),
            (EventKind::StampingFeePaid, fee, true),
            (EventKind::SlTaxPaid, tax, true),
            (EventKind::TaxesAndFeesPaid, String::new(), is_all_paid(record)),
        ]
        .into_iter()
        .filter(|(_, _, is_so)| *is_so)
        .filter_map(|(what, value, _)| EventFact::new(what, &subject, value))
        .collect()
    }
}

/// Identifies a wording: its date and a hash of its words without tags. Empty for none.
pub(super) fn wording_value(html: Option<&str>, updated_at: Option<&str>) -> String {
    let words: String = plain_text(html.unwrap_or_default()).split_whitespace().collect::<Vec<_>>().join(" ");
    if words.is_empty() {
        return String::new();
    }
    let day = updated_at.unwrap_or_default().trim().split([' ', 'T']).next().unwrap_or_default();
    let hash = bordereau_contract::hex_text(Sha256::digest(words.as_bytes()).iter().take(8));
    format!("{day}#{hash}")
}

/// The title of an event, with its subject.
pub(super) fn event_title(what: EventKind, subject: &EventNumbers, event: &str, value: &str) -> String {
    let whose = match (subject.policy_number.is_empty(), subject.transaction.is_empty()) {
        (false, _) => format!("Policy {}", subject.policy_number),
        (true, false) => format!("Transaction {}", subject.transaction),
        (true, true) => "A transaction".to_owned(),
    };
    // A word such as N/A is shown, and claims nothing.
    let is_day = leading_day(value).is_some();
    let value = format_day_text(value);
    let with = |word: &str| if value.is_empty() { String::new() } else { format!(" {word} {value}") };
    match what {
        EventKind::BatchProcessed => "Batch processed".to_owned(),
        EventKind::BatchFailed => "Batch failed".to_owned(),
        EventKind::Filed if !is_day => format!("{whose} filed with the state"),
        EventKind::Filed => format!("{whose} filed with the state{}", with("on")),
        // The date was removed, or never given.
        EventKind::StampingFeePaid if value.is_empty() => {
            format!("{whose}: no payment date of the stamping fee")
        }
        EventKind::SlTaxPaid if value.is_empty() => format!("{whose}: no payment date of the tax"),
        EventKind::StampingFeePaid if !is_day => {
            format!("{whose}: the payment date of the stamping fee is \"{value}\"")
        }
        EventKind::SlTaxPaid if !is_day => format!("{whose}: the payment date of the tax is \"{value}\""),
        EventKind::StampingFeePaid => format!("{whose}: stamping fee paid{}", with("on")),
        EventKind::SlTaxPaid => format!("{whose}: tax paid{}", with("on")),
        EventKind::NumberAssigned => format!("{whose} has the state's number{}", with("")).replace("  ", " "),
        EventKind::StampWordingChanged if subject.state.is_empty() => "Stamp wording changed".to_owned(),
        EventKind::StampWordingChanged => format!("{}: stamp wording changed", subject.state),
        EventKind::TaxesAndFeesPaid => format!("{whose}: all taxes and fees paid"),
        EventKind::Other if event == bordereau_contract::TEST_EVENT => {
            "Test delivery: this webhook works".to_owned()
        }
        EventKind::Other if asks_to_confirm(event) => {
            "The sender asks to confirm this subscription".to_owned()
        }
        EventKind::Other if event.is_empty() => "An event without a name".to_owned(),
        EventKind::Other => format!("Unknown event {event}"),
    }
}

/// Whether a notification service asks whether the subscription is wanted: a person opens its address, nothing here does.
fn asks_to_confirm(event: &str) -> bool {
    let event = event.to_ascii_lowercase();
    event.contains("subscription") && (event.contains("confirm") || event.contains("validation"))
}

/// Recognizes an event without a name by its members.
pub(super) fn infer_kind(object: &Map<String, Value>) -> Option<EventKind> {
    let plain = |name: &str| name.replace(['_', '-'], "").to_ascii_lowercase();
    let of =
        |wanted: &str| object.iter().find(|(name, _)| plain(name) == plain(wanted)).map(|(_, value)| value);
    let has = |name: &str| of(name).is_some_and(|value| !value.is_null());
    if has("batch_id") && !has("transaction_id") {
        return match BatchStatus::of(of("status")?.as_str()?) {
            BatchStatus::Processed => Some(EventKind::BatchProcessed),
            BatchStatus::Failed => Some(EventKind::BatchFailed),
            _ => None,
        };
    }
    if has("state") && has("state_stamp_wording_text") {
        return Some(EventKind::StampWordingChanged);
    }
    let signs = [
        ("taxes_and_fees", EventKind::TaxesAndFeesPaid),
        ("stamping_fee_paid_date", EventKind::StampingFeePaid),
        ("sl_tax_paid_date", EventKind::SlTaxPaid),
        ("transaction_id_number", EventKind::NumberAssigned),
        ("date_filed", EventKind::Filed),
    ];
    signs.into_iter().find(|(name, _)| has("transaction_id") && has(name)).map(|(_, kind)| kind)
}

/// The date or number of the fact; empty for none.
pub(super) fn event_value(body: &EventBody) -> String {
    let value = match body {
        EventBody::Filed(filed) => &filed.date_filed,
        EventBody::SlTaxPaid(paid) | EventBody::StampingFeePaid(paid) => &paid.paid_date,
        EventBody::NumberAssigned(number) => &number.transaction_id_number,
        EventBody::StampWordingChanged(wording) => {
            let (text, at) = (&wording.state_stamp_wording_text, &wording.state_stamp_wording_updated_at);
            return wording_value(text.as_deref(), at.as_deref());
        }
        EventBody::BatchProcessed(_)
        | EventBody::BatchFailed(_)
        | EventBody::TaxesAndFeesPaid(_)
        | EventBody::Other(_) => &None,
    };
    value.clone().unwrap_or_default()
}

/// All fields besides the subject. A date or number that can't be read is shown as received.
pub(super) fn list_fields(event: &Event) -> Vec<EventField> {
    let mut details = EventDetails(Vec::new());
    match &event.body {
        EventBody::BatchProcessed(batch) | EventBody::BatchFailed(batch) => details.batch(batch),
        EventBody::Filed(filed) => {
            details.day("Filed on", &filed.date_filed);
            details.text("Transaction type", &filed.transaction_type);
        }
        EventBody::SlTaxPaid(paid) => details.paid("Tax", paid),
        EventBody::StampingFeePaid(paid) => details.paid("Stamping fee", paid),
        EventBody::TaxesAndFeesPaid(paid) => details.all_paid(paid),
        EventBody::NumberAssigned(number) => details.text("State's number", &number.transaction_id_number),
        EventBody::StampWordingChanged(wording) => {
            details.text("New wording", &wording.state_stamp_wording_text.as_deref().map(plain_text));
            details.day("Updated", &wording.state_stamp_wording_updated_at);
        }
        EventBody::Other(reference) => details.text("Address to confirm", &reference.confirm_url),
    }
    details.0
}

struct EventDetails(Vec<EventField>);

impl EventDetails {
    fn add_field(&mut self, name: &str, value: String, is_amount: bool) {
        let value: String = value.trim().chars().take(VALUE_CHARS_MAX).collect();
        if !value.is_empty() {
            self.0.push(EventField { name: name.to_owned(), value, is_amount });
        }
    }

    fn text(&mut self, name: &str, value: &Option<String>) {
        self.add_field(name, value.clone().unwrap_or_default(), false);
    }

    fn day(&mut self, name: &str, value: &Option<String>) {
        self.add_field(name, format_day_text(value.as_deref().unwrap_or_default().trim()), false);
    }

    fn amount(&mut self, name: &str, amount: Option<Usd>) {
        self.add_field(name, amount.map(|amount| amount.to_string()).unwrap_or_default(), true);
    }

    fn batch(&mut self, batch: &BatchEvent) {
        let warned = batch.transactions.iter().filter(|row| !row.warnings.is_empty()).count();
        self.add_field("Rows reported", batch.transactions.len().to_string(), false);
        self.add_field("With warnings", warned.to_string(), false);
    }

    /// `X_amount` is the figure of the state's rule; the amount that was paid is `X` itself.
    fn paid(&mut self, charge: &str, paid: &ChargePaid) {
        self.amount(&format!("{charge} paid"), paid.charged);
        self.day("Paid on", &paid.paid_date);
        self.text("Called", &paid.title);
        match paid.amount_type.as_deref() {
            Some("fixed") => self.amount("By the state's rule", paid.amount),
            // Any other type counts as a percentage, the only one in the public samples.
            _ => {
                let rate = paid.amount.map(|rate| format!("{rate}%")).unwrap_or_default();
                self.add_field("By the state's rule", rate, false);
            }
        }
        if paid.active == Some(false) {
            self.add_field("In force", "no longer".to_owned(), false);
        }
        self.text("State's invoice", &paid.invoice_id);
    }

    fn all_paid(&mut self, paid: &TaxesAndFeesPaid) {
        self.amount("Taxes and fees paid", paid.taxes_and_fees);
        self.day("Tax paid on", &paid.sl_tax_paid_date);
        self.day("Stamping fee paid on", &paid.stamping_fee_paid_date);
        self.day("Other taxes paid on", &paid.other_taxes_paid_date);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_called_paid_without_a_date() {
        let subject = EventNumbers { policy_number: "P-1".into(), ..EventNumbers::default() };
        for (kind, day, title) in [
            (EventKind::SlTaxPaid, "2026-03-01", "Policy P-1: tax paid on "),
            (EventKind::SlTaxPaid, "", "Policy P-1: no payment date of the tax"),
            (EventKind::StampingFeePaid, "", "Policy P-1: no payment date of the stamping fee"),
            (EventKind::SlTaxPaid, "unpaid", "Policy P-1: the payment date of the tax is \"unpaid\""),
            (EventKind::StampingFeePaid, "-", "Policy P-1: the payment date of the stamping fee is \"-\""),
        ] {
            assert!(event_title(kind, &subject, "", day).starts_with(title), "{title}");
        }
    }

    #[test]
    fn amounts_and_days_are_told_as_they_came() -> Result<(), Box<dyn std::error::Error>> {
        let told = |body: &str| -> Result<Vec<String>, Box<dyn std::error::Error>> {
            let said = list_fields(&Event::read(body.as_bytes())?);
            Ok(said.iter().map(|said| format!("{}: {}", said.name, said.value)).collect())
        };
        let tax = r#"{"event":"webhook.transaction.sl-tax-paid-date.updated","transaction_id":1,"sl_tax":48.5,
            "sl_tax_title":"Surplus Lines Tax","sl_tax_amount":4.85,"sl_tax_amount_type":"percentage",
            "sl_tax_paid_date":"31/02/20","sl_tax_invoice_id":"INV-TX-1","is_sl_tax_active":true}"#;
        let expected = [
            "Tax paid: 48.50",
            "Paid on: 31/02/20",
            "Called: Surplus Lines Tax",
            "By the state's rule: 4.85%",
            "State's invoice: INV-TX-1",
        ];
        assert_eq!(told(tax)?, expected);
        let all = r#"{"event":"webhook.transaction.taxes-and-fees.paid","taxes_and_fees":"1,048.90"}"#;
        assert!(told(all)?.len() <= 1, "an amount that cannot be read is in the body");
        let wording = r#"{"event":"webhook.state.stamp-wording.updated","state":"TX",
            "state_stamp_wording_text":"<p>One</p><script>x</script>"}"#;
        assert_eq!(told(wording)?, ["New wording: One"]);
        assert!(told(r#"{"event":"webhook.policy.bound"}"#)?.is_empty());
        Ok(())
    }
}
