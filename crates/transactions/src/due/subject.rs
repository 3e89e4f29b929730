//! The values of a record that due dates depend on.

use bordereau_calendar::{Calendar, DutyKind, Subject};
use bordereau_contract::{Jurisdiction, PaidCharge, TransactionRecord, TransactionType, parse_calendar_day};
use bordereau_money::Usd;
use chrono::NaiveDate;

use crate::facts::owed;

/// What the calendar needs; `None` where state, type or effective date are missing or unreadable.
pub fn subject(record: &TransactionRecord) -> Option<Subject> {
    let state: Jurisdiction = record.physical_state.as_deref()?.trim().parse().ok()?;
    let transaction_type: TransactionType = record.transaction_type.as_deref()?.trim().parse().ok()?;
    let policy = day(&record.policy_effective_date);
    let effective = day(&record.transaction_effective_date).or(policy)?;
    Some(Subject {
        state,
        transaction_type,
        policy_effective: policy.unwrap_or(effective),
        effective,
        // Section 8 has no date of issue or invoice.
        issued: None,
        filed: day(&record.date_filed),
        tax_paid: day(&record.sl_tax_paid_date),
        stamping_fee_paid: day(&record.stamping_fee_paid_date),
        other_taxes_paid: day(&record.other_taxes_paid_date),
    })
}

/// The day of a date, with or without a time behind it.
fn day(text: &Option<String>) -> Option<NaiveDate> {
    parse_calendar_day(text.as_deref()?.trim().get(..10)?)
}

/// The last day to file a transaction, by its state's rule.
pub fn filing_due(record: &TransactionRecord) -> Option<NaiveDate> {
    let subject = subject(record)?;
    let duties = Calendar::builtin().duties(&subject);
    duties.into_iter().find(|duty| duty.rule.kind == DutyKind::Filing).and_then(|duty| duty.due)
}

/// What has to be paid for a duty; `None` where the record does not say.
pub(super) fn amount(record: &TransactionRecord, kind: DutyKind) -> Option<Usd> {
    let payment = match kind {
        DutyKind::Tax => PaidCharge::SlTax,
        DutyKind::StampingFee => PaidCharge::StampingFee,
        DutyKind::OtherTax => PaidCharge::OtherTaxes,
        DutyKind::Filing | DutyKind::Affidavit | DutyKind::Report => return None,
    };
    owed(record, payment)
}
