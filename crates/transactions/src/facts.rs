//! What of a record is filtered, counted and summed.

use bordereau_contract::{TransactionRecord, parse_calendar_day};
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

/// Every amount of a record by the contract's name, in its order.
pub(super) fn amounts(record: &TransactionRecord) -> Vec<(&'static str, Usd)> {
    let all = [
        ("premium", record.premium),
        ("agency_fee", record.agency_fee),
        ("inspection_fee", record.inspection_fee),
        ("sl_tax", record.sl_tax),
        ("stamping_fee", record.stamping_fee),
        ("sl_service_charge", record.sl_service_charge),
        ("municipal_fee", record.municipal_fee),
        ("county_fee", record.county_fee),
        ("fm_tax", record.fm_tax),
        ("empa_tax", record.empa_tax),
        ("collection_fee", record.collection_fee),
    ];
    all.into_iter().filter_map(|(name, amount)| Some((name, amount?))).collect()
}

/// Agency and inspection fee.
pub(super) fn fees(record: &TransactionRecord) -> Usd {
    sum(&[record.agency_fee, record.inspection_fee])
}

/// All taxes and state fees.
pub(super) fn taxes(record: &TransactionRecord) -> Usd {
    sum(&[record.sl_tax, record.stamping_fee, others(record), record.collection_fee])
}

/// What `other_taxes_paid_date` speaks of.
pub(super) fn others(record: &TransactionRecord) -> Option<Usd> {
    Some(sum(&[
        record.sl_service_charge,
        record.municipal_fee,
        record.county_fee,
        record.fm_tax,
        record.empa_tax,
    ]))
}

fn sum(amounts: &[Option<Usd>]) -> Usd {
    Usd::checked_sum(amounts.iter().copied().flatten()).unwrap_or(Usd::MAX)
}

/// Whether something was owed and all of it is paid.
pub fn is_all_paid(record: &TransactionRecord) -> bool {
    let collection_open = record.collection_fee.is_some_and(|fee| !fee.is_zero())
        && record.other_taxes_paid_date.as_deref().is_none_or(|date| date.trim().is_empty());
    paid(record) == PaymentState::Paid && !collection_open
}

fn paid(record: &TransactionRecord) -> PaymentState {
    let charges = [
        (record.sl_tax, &record.sl_tax_paid_date),
        (record.stamping_fee, &record.stamping_fee_paid_date),
        (others(record), &record.other_taxes_paid_date),
    ];
    let owed: Vec<bool> = charges
        .into_iter()
        .filter(|(amount, _)| amount.is_some_and(|amount| !amount.is_zero()))
        .map(|(_, date)| date.as_deref().is_some_and(|date| !date.trim().is_empty()))
        .collect();
    match (owed.iter().any(|paid| *paid), owed.iter().all(|paid| *paid)) {
        _ if owed.is_empty() => PaymentState::NothingDue,
        (_, true) => PaymentState::Paid,
        (true, false) => PaymentState::PartlyPaid,
        (false, false) => PaymentState::Unpaid,
    }
}
