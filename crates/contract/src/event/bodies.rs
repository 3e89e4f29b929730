//! The bodies of the events (section 6), without the three members that all have.

use bordereau_money::Usd;
use serde::{Deserialize, Deserializer, Serialize};

use super::EventSubject;
use crate::FieldMessages;

/// Texts of a list, or of an object keyed by field.
fn message_texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let messages = FieldMessages::deserialize(deserializer)?;
    Ok(messages.iter().map(|(_, text)| text.to_owned()).collect())
}

/// An amount of an event, in quotes or not; anything else is none, never zero, and costs nothing else: what an event
/// says is confirmed by asking. Written as a number.
mod event_amount {
    use bordereau_money::{Usd, json_number_option};
    use serde::{Deserialize, Deserializer};

    pub(super) use bordereau_money::json_number_option::serialize;

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Usd>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        let quoted = serde_json::to_string(&text).unwrap_or_default();
        let mut reader = serde_json::Deserializer::from_str(&quoted);
        Ok(json_number_option::deserialize(&mut reader).unwrap_or_default())
    }
}

/// A batch was processed, or given up [pub; failed ours].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BatchEvent {
    pub batch_id: String,
    /// `processed` or `failed`.
    pub status: String,
    /// One for each row that was processed.
    pub transactions: Vec<BatchEventRow>,
}

/// A row of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BatchEventRow {
    /// As it was sent.
    pub policy_number: Option<String>,
    /// The service's number.
    pub transaction_id: Option<i64>,
    /// The same words as in the results.
    pub status_message: Option<String>,
    /// The texts alone, without their fields.
    #[serde(deserialize_with = "message_texts")]
    pub warnings: Vec<String>,
}

/// The state has a transaction [spec; members beyond the number ours].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FiledEvent {
    pub policy_number: Option<String>,
    pub transaction_id: Option<i64>,
    pub invoice_number: Option<String>,
    pub physical_state: Option<String>,
    pub transaction_type: Option<String>,
    pub transaction_status: Option<i64>,
    /// A day; what is none is kept as it came.
    #[serde(deserialize_with = "crate::day::deserialize_date")]
    pub date_filed: Option<String>,
}

/// The tax or the stamping fee was paid \[pub]. On the wire `X_` is `sl_tax_` or `stamping_fee_`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChargePaid {
    /// As it was imported.
    pub policy_number: Option<String>,
    /// The service's number.
    pub transaction_id: Option<i64>,
    /// As it was imported.
    pub invoice_number: Option<String>,
    /// `X_title`: what the state calls the charge.
    pub title: Option<String>,
    /// `X_invoice_id`: the state's invoice.
    pub invoice_id: Option<String>,
    /// `X_paid_date`, as it came: a day, mostly with a time of zero.
    pub paid_date: Option<String>,
    /// `X_amount`: the figure of the state's rule, in percent or USD as `amount_type` says, as in the
    /// calculator's `tax_rule`; not what was paid.
    pub amount: Option<Usd>,
    /// `is_X_active`.
    pub active: Option<bool>,
    /// `X_amount_type`: `percentage` \[pub] or `fixed` \[ours].
    pub amount_type: Option<String>,
    /// `X` itself \[ours]: what the transaction owes of this charge, USD.
    pub charged: Option<Usd>,
}

/// The wire form of [`ChargePaid`] for one charge.
macro_rules! charge_paid {
    ($name:ident, $title:literal, $invoice:literal, $paid:literal, $amount:literal, $active:literal, $kind:literal, $charged:literal) => {
        #[derive(Default, Serialize, Deserialize)]
        #[serde(default)]
        pub(super) struct $name {
            policy_number: Option<String>,
            transaction_id: Option<i64>,
            invoice_number: Option<String>,
            #[serde(rename = $title)]
            title: Option<String>,
            #[serde(rename = $invoice)]
            invoice_id: Option<String>,
            #[serde(rename = $paid, deserialize_with = "crate::day::deserialize_date")]
            paid_date: Option<String>,
            #[serde(rename = $amount, with = "event_amount")]
            amount: Option<Usd>,
            #[serde(rename = $active)]
            active: Option<bool>,
            #[serde(rename = $kind)]
            amount_type: Option<String>,
            #[serde(rename = $charged, with = "event_amount")]
            charged: Option<Usd>,
        }

        impl From<$name> for ChargePaid {
            fn from(wire: $name) -> ChargePaid {
                ChargePaid {
                    policy_number: wire.policy_number,
                    transaction_id: wire.transaction_id,
                    invoice_number: wire.invoice_number,
                    title: wire.title,
                    invoice_id: wire.invoice_id,
                    paid_date: wire.paid_date,
                    amount: wire.amount,
                    active: wire.active,
                    amount_type: wire.amount_type,
                    charged: wire.charged,
                }
            }
        }

        impl From<ChargePaid> for $name {
            fn from(paid: ChargePaid) -> $name {
                $name {
                    policy_number: paid.policy_number,
                    transaction_id: paid.transaction_id,
                    invoice_number: paid.invoice_number,
                    title: paid.title,
                    invoice_id: paid.invoice_id,
                    paid_date: paid.paid_date,
                    amount: paid.amount,
                    active: paid.active,
                    amount_type: paid.amount_type,
                    charged: paid.charged,
                }
            }
        }
    };
}

charge_paid!(
    SlTaxPaid,
    "sl_tax_title",
    "sl_tax_invoice_id",
    "sl_tax_paid_date",
    "sl_tax_amount",
    "is_sl_tax_active",
    "sl_tax_amount_type",
    "sl_tax"
);
charge_paid!(
    StampingFeePaid,
    "stamping_fee_title",
    "stamping_fee_invoice_id",
    "stamping_fee_paid_date",
    "stamping_fee_amount",
    "is_stamping_fee_active",
    "stamping_fee_amount_type",
    "stamping_fee"
);

/// By what an event names its subject: each kind has some of these.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct EventReference {
    pub batch_id: Option<String>,
    pub transaction_id: Option<i64>,
    pub policy_number: Option<String>,
    pub invoice_number: Option<String>,
    pub physical_state: Option<String>,
    /// Of an event that is about a state itself.
    pub state: Option<String>,
    /// Where a notification service wants the subscription confirmed: shown, never asked for.
    #[serde(alias = "subscribe_url", alias = "validation_url", alias = "confirmation_url")]
    pub confirm_url: Option<String>,
}

impl EventReference {
    pub(super) fn into_subject(self) -> Option<EventSubject> {
        let named = |text: Option<String>| text.filter(|text| !text.is_empty());
        let (batch, state) = (named(self.batch_id), named(self.state));
        let transaction = self.transaction_id.map(EventSubject::Transaction);
        transaction.or(batch.map(EventSubject::Batch)).or(state.map(EventSubject::State))
    }
}

/// Everything a transaction owed is paid \[ours].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TaxesAndFeesPaid {
    pub policy_number: Option<String>,
    pub transaction_id: Option<i64>,
    pub invoice_number: Option<String>,
    #[serde(deserialize_with = "crate::day::deserialize_date")]
    pub sl_tax_paid_date: Option<String>,
    #[serde(deserialize_with = "crate::day::deserialize_date")]
    pub stamping_fee_paid_date: Option<String>,
    #[serde(deserialize_with = "crate::day::deserialize_date")]
    pub other_taxes_paid_date: Option<String>,
    /// Tax, stamping fee and every other tax, without premium and the agency's fees; USD.
    #[serde(with = "event_amount")]
    pub taxes_and_fees: Option<Usd>,
}

/// The state gave a transaction its number \[ours].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NumberAssigned {
    pub policy_number: Option<String>,
    pub transaction_id: Option<i64>,
    pub invoice_number: Option<String>,
    pub physical_state: Option<String>,
    /// The state's own number, as the record has it.
    #[serde(deserialize_with = "crate::lenient::optional_text")]
    pub transaction_id_number: Option<String>,
}

/// A state's stamp wording is another one \[ours]; the names are those of `state_properties` (section 2).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StampWordingChanged {
    /// Two letters.
    pub state: String,
    /// HTML from outside: sanitize before showing.
    pub state_stamp_wording_text: Option<String>,
    pub state_stamp_wording_updated_at: Option<String>,
}
