//! The bodies of the events (section 6), without the three members that all have.

use bordereau_money::Usd;
use serde::{Deserialize, Serialize};

use super::lenient;

/// A batch was processed, or given up [pub; failed ours].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BatchEvent {
    /// The batch.
    #[serde(deserialize_with = "lenient::text_or_empty")]
    pub batch_id: String,
    /// `processed` or `failed`.
    #[serde(deserialize_with = "lenient::text_or_empty")]
    pub status: String,
    /// One for each row that was processed.
    #[serde(deserialize_with = "lenient::list")]
    pub transactions: Vec<BatchEventRow>,
}

/// A row of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BatchEventRow {
    /// As it was sent.
    #[serde(deserialize_with = "lenient::text")]
    pub policy_number: Option<String>,
    /// The service's number.
    #[serde(deserialize_with = "lenient::whole")]
    pub transaction_id: Option<i64>,
    /// The same words as in the results.
    #[serde(deserialize_with = "lenient::text")]
    pub status_message: Option<String>,
    /// The texts alone, without their fields.
    #[serde(deserialize_with = "lenient::texts")]
    pub warnings: Vec<String>,
}

/// The state has a transaction [spec; members beyond the number ours].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[allow(missing_docs, reason = "the members carry the record's own names, described in section 8")]
pub struct FiledEvent {
    #[serde(deserialize_with = "lenient::text")]
    pub policy_number: Option<String>,
    #[serde(deserialize_with = "lenient::whole")]
    pub transaction_id: Option<i64>,
    #[serde(deserialize_with = "lenient::text")]
    pub invoice_number: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub physical_state: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub transaction_type: Option<String>,
    #[serde(deserialize_with = "lenient::whole")]
    pub transaction_status: Option<i64>,
    /// A day; whatever it is, it is kept as it came.
    #[serde(deserialize_with = "lenient::text")]
    pub date_filed: Option<String>,
}

/// The tax or the stamping fee was paid [pub]. On the wire `X_` is `sl_tax_` or `stamping_fee_`.
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
    /// `X_amount_type`: `percentage` [pub] or `fixed` [ours].
    pub amount_type: Option<String>,
    /// `X` itself [ours]: what the transaction owes of this charge, USD.
    pub charged: Option<Usd>,
}

/// The wire form of [`ChargePaid`] for one charge.
macro_rules! charge_paid {
    ($name:ident, $title:literal, $invoice:literal, $paid:literal, $amount:literal, $active:literal, $kind:literal, $charged:literal) => {
        #[derive(Default, Serialize, Deserialize)]
        #[serde(default)]
        pub(super) struct $name {
            #[serde(deserialize_with = "lenient::text")]
            policy_number: Option<String>,
            #[serde(deserialize_with = "lenient::whole")]
            transaction_id: Option<i64>,
            #[serde(deserialize_with = "lenient::text")]
            invoice_number: Option<String>,
            #[serde(rename = $title, deserialize_with = "lenient::text")]
            title: Option<String>,
            #[serde(rename = $invoice, deserialize_with = "lenient::text")]
            invoice_id: Option<String>,
            #[serde(rename = $paid, deserialize_with = "lenient::text")]
            paid_date: Option<String>,
            #[serde(rename = $amount, with = "lenient::amount")]
            amount: Option<Usd>,
            #[serde(rename = $active, deserialize_with = "lenient::flag")]
            active: Option<bool>,
            #[serde(rename = $kind, deserialize_with = "lenient::text")]
            amount_type: Option<String>,
            #[serde(rename = $charged, with = "lenient::amount")]
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

/// Everything a transaction owed is paid [ours].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[allow(missing_docs, reason = "the members carry the record's own names, described in section 8")]
pub struct TaxesAndFeesPaid {
    #[serde(deserialize_with = "lenient::text")]
    pub policy_number: Option<String>,
    #[serde(deserialize_with = "lenient::whole")]
    pub transaction_id: Option<i64>,
    #[serde(deserialize_with = "lenient::text")]
    pub invoice_number: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub sl_tax_paid_date: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub stamping_fee_paid_date: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub other_taxes_paid_date: Option<String>,
    /// Tax, stamping fee and every other tax, without premium and the agency's fees; USD.
    #[serde(with = "lenient::amount")]
    pub taxes_and_fees: Option<Usd>,
}

/// The state gave a transaction its number [ours].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[allow(missing_docs, reason = "the members carry the record's own names, described in section 8")]
pub struct NumberAssigned {
    #[serde(deserialize_with = "lenient::text")]
    pub policy_number: Option<String>,
    #[serde(deserialize_with = "lenient::whole")]
    pub transaction_id: Option<i64>,
    #[serde(deserialize_with = "lenient::text")]
    pub invoice_number: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub physical_state: Option<String>,
    /// The state's own number, as the record has it.
    #[serde(deserialize_with = "lenient::text")]
    pub transaction_id_number: Option<String>,
}

/// A state's stamp wording is another one [ours]; the names are those of `state_properties` (section 2).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[allow(missing_docs, reason = "the members carry the calculator's own names, described in section 2")]
pub struct StampWordingChanged {
    /// Two letters.
    #[serde(deserialize_with = "lenient::text_or_empty")]
    pub state: String,
    /// HTML from outside: sanitize before showing.
    #[serde(deserialize_with = "lenient::text")]
    pub state_stamp_wording_text: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub state_stamp_wording_updated_at: Option<String>,
}
