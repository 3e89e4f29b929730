//! What of a record is filtered, counted and summed.

use bordereau_contract::{Charge, PaidCharge, TransactionRecord, parse_calendar_day};
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
    paid(record) == Paid::Whole
}

fn paid(record: &TransactionRecord) -> Paid {
    let owed: Vec<bool> = PaidCharge::ALL
        .into_iter()
        .filter(|payment| owed(record, *payment).is_some_and(|amount| !amount.is_zero()))
        .map(|payment| paid_on(record, payment).is_some())
        .collect();
    match (owed.iter().any(|paid| *paid), owed.iter().all(|paid| *paid)) {
        _ if owed.is_empty() => Paid::Nothing,
        (_, true) => Paid::Whole,
        (true, false) => Paid::Partly,
        (false, false) => Paid::Unpaid,
    }
}
