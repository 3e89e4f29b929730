//! The values of a record that are filtered, counted and summed.

use bordereau_calendar::Calendar;
use bordereau_contract::{Charge, ChargeGroup, PaidCharge, TransactionRecord, leading_day};
use bordereau_money::Usd;

use bordereau_transaction_index::facts::{PaymentState, RecordFacts};

use super::units::to_units;

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
pub(super) fn record_facts(record: &TransactionRecord, calendar: &Calendar) -> RecordFacts {
    let (fees, taxes) = (total_fees(record), total_taxes(record));
    let premium = record.signed_premium().unwrap_or(Usd::ZERO);
    let all = Usd::checked_sum([premium, fees, taxes]).unwrap_or(Usd::MAX);
    let paid = payment_state(record);
    let filed = date_day(record.date_filed.as_deref());
    RecordFacts {
        state: trimmed_code(record.physical_state.as_deref()),
        kind: trimmed_code(record.transaction_type.as_deref()),
        status: record.transaction_status.to_string(),
        documents: i64::try_from(record.transaction_documents.len()).unwrap_or(i64::MAX),
        paid,
        due: crate::due::filing_due(record, calendar).map(|date| date.to_string()),
        open: filed.is_none() || matches!(paid, PaymentState::Unpaid | PaymentState::PartlyPaid),
        policy_effective: date_day(record.policy_effective_date.as_deref()),
        transaction_effective: date_day(record.transaction_effective_date.as_deref()),
        filed,
        premium: to_units(premium),
        fees: to_units(fees),
        taxes: to_units(taxes),
        total: to_units(all),
        lacks_amounts: !missing_amounts(record).is_empty(),
    }
}

fn trimmed_code(text: Option<&str>) -> String {
    text.unwrap_or_default().trim().to_ascii_uppercase()
}

/// The day of a date, with or without a time behind it; `None` where it is none.
pub(super) fn date_day(text: Option<&str>) -> Option<String> {
    leading_day(text?).map(|day| day.to_string())
}

/// Titles of the amounts that every record has by the specification and this one does not: absent is not zero, and a
/// sum is without them.
pub(super) fn missing_amounts(record: &TransactionRecord) -> Vec<&'static str> {
    let premium = record.premium.is_none().then_some("Premium");
    let charges = Charge::ALL.into_iter().filter(|charge| !charge.is_optional());
    let missing = charges.filter(|charge| record.charge(*charge).is_none()).map(Charge::title);
    premium.into_iter().chain(missing).collect()
}

/// Agency, inspection and collection fee.
pub(super) fn total_fees(record: &TransactionRecord) -> Usd {
    Charge::sum_fees(|charge| record.charge(charge)).unwrap_or(Usd::MAX)
}

/// Taxes and state fees.
pub(super) fn total_taxes(record: &TransactionRecord) -> Usd {
    Charge::sum_taxes(|charge| record.charge(charge)).unwrap_or(Usd::MAX)
}

/// Taxes and state fees as they are shown; nothing where the service gave none of them.
pub(super) fn shown_taxes(record: &TransactionRecord) -> Option<Usd> {
    let is_given =
        |charge: &Charge| charge.group() != ChargeGroup::AgencyFee && record.charge(*charge).is_some();
    Charge::ALL.iter().any(is_given).then(|| total_taxes(record))
}

/// Fees, taxes and the total with the premium, as the table shows them.
pub(super) fn shown_sums(record: &TransactionRecord) -> [Usd; 3] {
    let (fees, taxes) = (total_fees(record), total_taxes(record));
    let total = Usd::checked_sum([record.signed_premium().unwrap_or(Usd::ZERO), fees, taxes]);
    [fees, taxes, total.unwrap_or(Usd::MAX)]
}

/// What a payment settles, USD; `None` where the record does not say.
pub(super) fn owed(record: &TransactionRecord, payment: PaidCharge) -> Option<Usd> {
    Charge::sum_payment(payment, |charge| record.charge(charge))
}

/// Whether something was owed and all of it is paid.
pub fn is_all_paid(record: &TransactionRecord) -> bool {
    payment_state(record) == PaymentState::Paid
}

pub(super) fn payment_state(record: &TransactionRecord) -> PaymentState {
    let owed: Vec<bool> = PaidCharge::ALL
        .into_iter()
        .filter(|payment| owed(record, *payment).is_some_and(|amount| !amount.is_zero()))
        .map(|payment| record.paid_date(payment).is_some())
        .collect();
    match (owed.iter().any(|paid| *paid), owed.iter().all(|paid| *paid)) {
        _ if owed.is_empty() => PaymentState::NothingDue,
        (_, true) => PaymentState::Paid,
        (true, false) => PaymentState::PartlyPaid,
        (false, false) => PaymentState::Unpaid,
    }
}
