//! What of a record is filtered, counted and summed.

use bordereau_contract::{TransactionRecord, parse_calendar_day};
use bordereau_money::Usd;

use super::units::units;

/// What is paid of a transaction's taxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paid {
    Nothing,
    Unpaid,
    Partly,
    Whole,
}

impl Paid {
    pub(super) const ALL: [Paid; 4] = [Paid::Unpaid, Paid::Partly, Paid::Whole, Paid::Nothing];

    /// As it stands in the index.
    pub(super) const fn number(self) -> i64 {
        self as i64
    }

    pub(super) fn of(number: i64) -> Paid {
        Paid::ALL.into_iter().find(|paid| paid.number() == number).unwrap_or(Paid::Unpaid)
    }

    /// As the filter has it.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Paid::Nothing => "nothing",
            Paid::Unpaid => "unpaid",
            Paid::Partly => "partly",
            Paid::Whole => "paid",
        }
    }

    pub(super) const fn title(self) -> &'static str {
        match self {
            Paid::Nothing => "Nothing to pay",
            Paid::Unpaid => "Not paid",
            Paid::Partly => "Partly paid",
            Paid::Whole => "Paid",
        }
    }
}

/// A record in numbers. Amounts are hundredths of a cent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) state: String,
    pub(super) kind: String,
    pub(super) status: i64,
    pub(super) documents: i64,
    pub(super) paid: Paid,
    /// `yyyy-mm-dd`.
    pub(super) due: Option<String>,
    /// It may still change.
    pub(super) open: bool,
    pub(super) policy_effective: Option<String>,
    pub(super) transaction_effective: Option<String>,
    pub(super) filed: Option<String>,
    pub(super) premium: i64,
    pub(super) fees: i64,
    pub(super) taxes: i64,
    pub(super) total: i64,
}

impl Facts {
    pub(super) fn of(record: &TransactionRecord) -> Facts {
        let (fees, taxes) = (fees(record), taxes(record));
        let premium = record.premium.unwrap_or(Usd::ZERO);
        let all = Usd::checked_sum([premium, fees, taxes]).unwrap_or(Usd::MAX);
        let paid = paid(record);
        let filed = day(record.date_filed.as_deref());
        Facts {
            state: code(record.physical_state.as_deref()),
            kind: code(record.transaction_type.as_deref()),
            status: record.transaction_status,
            documents: i64::try_from(record.transaction_documents.len()).unwrap_or(i64::MAX),
            paid,
            due: crate::due::filing_due(record).map(|date| date.to_string()),
            open: filed.is_none() || matches!(paid, Paid::Unpaid | Paid::Partly),
            policy_effective: day(record.policy_effective_date.as_deref()),
            transaction_effective: day(record.transaction_effective_date.as_deref()),
            filed,
            premium: units(premium),
            fees: units(fees),
            taxes: units(taxes),
            total: units(all),
        }
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
    paid(record) == Paid::Whole && !collection_open
}

fn paid(record: &TransactionRecord) -> Paid {
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
        _ if owed.is_empty() => Paid::Nothing,
        (_, true) => Paid::Whole,
        (true, false) => Paid::Partly,
        (false, false) => Paid::Unpaid,
    }
}
