//! The values of a record that are filtered, counted and summed.

use bordereau_contract::{Charge, PaidCharge, TransactionRecord, parse_calendar_day};
use bordereau_money::Usd;

use bordereau_store::transaction_index::facts::{PaymentState, RecordFacts};

use super::units::units;

/// What a person reads of a payment.
pub(super) const fn payment_title(paid: PaymentState) -> &'static str {
    match paid {
        PaymentState::NothingDue => "Nothing to pay",
        PaymentState::Unpaid => "Not paid",
        PaymentState::PartlyPaid => "Partly paid",
        PaymentState::Paid => "Paid",
    }
}

/// What of a record is filtered, counted and summed.
pub(super) fn record_facts(record: &TransactionRecord) -> RecordFacts {
    let (fees, taxes) = (fees(record), taxes(record));
    let premium = record.premium.unwrap_or(Usd::ZERO);
    let all = Usd::checked_sum([premium, fees, taxes]).unwrap_or(Usd::MAX);
    let paid = paid(record);
    let filed = day(record.date_filed.as_deref());
    RecordFacts {
        state: code(record.physical_state.as_deref()),
        kind: code(record.transaction_type.as_deref()),
        status: record.transaction_status,
        documents: i64::try_from(record.transaction_documents.len()).unwrap_or(i64::MAX),
        paid,
        due: crate::due::filing_due(record).map(|date| date.to_string()),
        open: filed.is_none() || matches!(paid, PaymentState::Unpaid | PaymentState::PartlyPaid),
        policy_effective: day(record.policy_effective_date.as_deref()),
        transaction_effective: day(record.transaction_effective_date.as_deref()),
        filed,
        premium: units(premium),
        fees: units(fees),
        taxes: units(taxes),
        total: units(all),
    }
}

fn code(text: Option<&str>) -> String {
    text.unwrap_or_default().trim().to_ascii_uppercase()
}

/// The day of a date, with or without a time behind it; `None` where it is none.
pub(super) fn day(text: Option<&str>) -> Option<String> {
    let date = parse_calendar_day(text?.trim().get(..10)?)?;
    Some(date.to_string())
}

/// Agency, inspection and collection fee.
pub(super) fn fees(record: &TransactionRecord) -> Usd {
    Charge::sum_fees(|charge| record.charge(charge)).unwrap_or(Usd::MAX)
}

/// Taxes and state fees.
pub(super) fn taxes(record: &TransactionRecord) -> Usd {
    Charge::sum_taxes(|charge| record.charge(charge)).unwrap_or(Usd::MAX)
}

/// The date on which what a payment settles was paid; `None` where it is not.
pub(super) fn paid_on(record: &TransactionRecord, payment: PaidCharge) -> Option<&str> {
    let date = match payment {
        PaidCharge::SlTax => &record.sl_tax_paid_date,
        PaidCharge::StampingFee => &record.stamping_fee_paid_date,
        PaidCharge::OtherTaxes => &record.other_taxes_paid_date,
    };
    date.as_deref().filter(|date| !date.trim().is_empty())
}

/// What a payment settles, USD; `None` where the record does not say.
pub(super) fn owed(record: &TransactionRecord, payment: PaidCharge) -> Option<Usd> {
    Charge::sum_payment(payment, |charge| record.charge(charge))
}

/// Whether something was owed and all of it is paid.
pub fn is_all_paid(record: &TransactionRecord) -> bool {
    paid(record) == PaymentState::Paid
}

fn paid(record: &TransactionRecord) -> PaymentState {
    let owed: Vec<bool> = PaidCharge::ALL
        .into_iter()
        .filter(|payment| owed(record, *payment).is_some_and(|amount| !amount.is_zero()))
        .map(|payment| paid_on(record, payment).is_some())
        .collect();
    match (owed.iter().any(|paid| *paid), owed.iter().all(|paid| *paid)) {
        _ if owed.is_empty() => PaymentState::NothingDue,
        (_, true) => PaymentState::Paid,
        (true, false) => PaymentState::PartlyPaid,
        (false, false) => PaymentState::Unpaid,
    }
}
