//! What an event says, for people: its amounts, days and numbers, read from the body that was kept.

use bordereau_contract::{BatchEvent, ChargePaid, Event, EventBody, TaxesAndFeesPaid};
use bordereau_money::Usd;

use bordereau_api::EventSaid;
use bordereau_quotes::plain_text;

/// Characters of a value; the body below has all of it.
const VALUE_CHARS_MAX: usize = 1_000;

/// Everything it says beyond its subject. A date or number that cannot be read is shown as it came.
pub(super) fn of_event(event: &Event) -> Vec<EventSaid> {
    let mut said = Said(Vec::new());
    match &event.body {
        EventBody::BatchProcessed(batch) | EventBody::BatchFailed(batch) => said.batch(batch),
        EventBody::Filed(filed) => {
            said.text("Filed on", &filed.date_filed);
            said.text("Transaction type", &filed.transaction_type);
        }
        EventBody::SlTaxPaid(paid) => said.paid("Tax", paid),
        EventBody::StampingFeePaid(paid) => said.paid("Stamping fee", paid),
        EventBody::TaxesAndFeesPaid(paid) => said.all_paid(paid),
        EventBody::NumberAssigned(number) => said.text("State's number", &number.transaction_id_number),
        EventBody::StampWordingChanged(wording) => {
            said.text("New wording", &wording.state_stamp_wording_text.as_deref().map(plain_text));
            said.text("Updated", &wording.state_stamp_wording_updated_at);
        }
        EventBody::Other(_) => {}
    }
    said.0
}

struct Said(Vec<EventSaid>);

impl Said {
    fn say(&mut self, name: &str, value: String, is_amount: bool) {
        let value: String = value.trim().chars().take(VALUE_CHARS_MAX).collect();
        if !value.is_empty() {
            self.0.push(EventSaid { name: name.to_owned(), value, is_amount });
        }
    }

    fn text(&mut self, name: &str, value: &Option<String>) {
        self.say(name, value.clone().unwrap_or_default(), false);
    }

    fn amount(&mut self, name: &str, amount: Option<Usd>) {
        self.say(name, amount.map(|amount| amount.to_string()).unwrap_or_default(), true);
    }

    fn batch(&mut self, batch: &BatchEvent) {
        let warned = batch.transactions.iter().filter(|row| !row.warnings.is_empty()).count();
        self.say("Rows told of", batch.transactions.len().to_string(), false);
        self.say("With warnings", warned.to_string(), false);
    }

    /// `X_amount` is the figure of the state's rule, not what was paid; what was paid is `X` itself.
    fn paid(&mut self, charge: &str, paid: &ChargePaid) {
        self.amount(&format!("{charge} paid"), paid.charged);
        self.text("Paid on", &paid.paid_date);
        self.text("Called", &paid.title);
        match paid.amount_type.as_deref() {
            Some("fixed") => self.amount("By the state's rule", paid.amount),
            // Whatever else it may be called: the public samples know percentages only.
            _ => {
                let rate = paid.amount.map(|rate| format!("{rate} %")).unwrap_or_default();
                self.say("By the state's rule", rate, false);
            }
        }
        if paid.active == Some(false) {
            self.say("In force", "no longer".to_owned(), false);
        }
        self.text("State's invoice", &paid.invoice_id);
    }

    fn all_paid(&mut self, paid: &TaxesAndFeesPaid) {
        self.amount("Taxes and fees paid", paid.taxes_and_fees);
        self.text("Tax paid on", &paid.sl_tax_paid_date);
        self.text("Stamping fee paid on", &paid.stamping_fee_paid_date);
        self.text("Other taxes paid on", &paid.other_taxes_paid_date);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_and_days_are_told_as_they_came() -> Result<(), Box<dyn std::error::Error>> {
        let told = |body: &str| -> Result<Vec<String>, Box<dyn std::error::Error>> {
            let said = of_event(&Event::read(body.as_bytes())?);
            Ok(said.iter().map(|said| format!("{}: {}", said.name, said.value)).collect())
        };
        let tax = r#"{"event":"webhook.transaction.sl-tax-paid-date.updated","transaction_id":1,"sl_tax":48.5,
            "sl_tax_title":"Surplus Lines Tax","sl_tax_amount":4.85,"sl_tax_amount_type":"percentage",
            "sl_tax_paid_date":"31/02/20","sl_tax_invoice_id":"INV-TX-1","is_sl_tax_active":true}"#;
        let expected = [
            "Tax paid: 48.50",
            "Paid on: 31/02/20",
            "Called: Surplus Lines Tax",
            "By the state's rule: 4.85 %",
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
