//! The details of an event, for people: its amounts, dates and numbers, read from the stored body.

use bordereau_api::{EventDetail, EventSaid, EventSignature, EventView};
use bordereau_contract::{BatchEvent, ChargePaid, Event, EventBody, TaxesAndFeesPaid, format_day_text};
use bordereau_money::Usd;

use bordereau_quotes::plain_text;
use bordereau_session::profile::ServiceWords;
use bordereau_store::events::listing::StoredEvent;

use super::parsed_event::read_event;

/// Characters of a value; the body below has all of it.
const VALUE_CHARS_MAX: usize = 1_000;
/// Bytes of a body that are shown; the rest can be had from the service.
const SHOWN_BYTES: usize = 256 * 1024;

/// An event with what its body says.
pub(super) fn event_detail(stored: StoredEvent, words: &ServiceWords) -> EventDetail {
    let StoredEvent { event, body, check_says, related } = stored;
    EventDetail {
        bytes: u32::try_from(body.len()).unwrap_or(u32::MAX),
        said: read_event(&body, words).map(|(_, event)| list_fields(&event)).unwrap_or_default(),
        body: readable_body(&body),
        signature_says: signature_sentence(&event).to_owned(),
        check_says,
        related,
        event,
    }
}

/// Indented where it is JSON, and never longer than a person would read.
pub(super) fn readable_body(body: &[u8]) -> String {
    let whole = if body.len() <= SHOWN_BYTES {
        serde_json::from_slice::<serde_json::Value>(body).ok().map(|value| format!("{value:#}"))
    } else {
        None
    };
    let mut text = whole
        .unwrap_or_else(|| String::from_utf8_lossy(body.get(..SHOWN_BYTES).unwrap_or(body)).into_owned());
    if body.len() > SHOWN_BYTES {
        text.push_str("\n... (the rest is not shown)");
    }
    text
}

fn signature_sentence(event: &EventView) -> &'static str {
    match event.signature {
        EventSignature::Valid => "The signature matches: the event came from the service, unchanged.",
        EventSignature::HeaderPair => {
            "The agreed header matches. The service does not sign its deliveries, so whoever knows the header's value could have sent it: rely on what the service says when it is asked."
        }
        EventSignature::Forwarded => "The listener on the server checked the signature and forwarded it.",
        EventSignature::None => "Not received as an event; found by polling the service.",
    }
}

/// Everything it says beyond its subject. A date or number that cannot be read is shown as it came.
fn list_fields(event: &Event) -> Vec<EventSaid> {
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
        EventBody::Other(_) => {}
    }
    details.0
}

struct EventDetails(Vec<EventSaid>);

impl EventDetails {
    fn add_field(&mut self, name: &str, value: String, is_amount: bool) {
        let value: String = value.trim().chars().take(VALUE_CHARS_MAX).collect();
        if !value.is_empty() {
            self.0.push(EventSaid { name: name.to_owned(), value, is_amount });
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

    /// `X_amount` is the figure of the state's rule, not what was paid; what was paid is `X` itself.
    fn paid(&mut self, charge: &str, paid: &ChargePaid) {
        self.amount(&format!("{charge} paid"), paid.charged);
        self.day("Paid on", &paid.paid_date);
        self.text("Called", &paid.title);
        match paid.amount_type.as_deref() {
            Some("fixed") => self.amount("By the state's rule", paid.amount),
            // Whatever else it may be called: the public samples know percentages only.
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
