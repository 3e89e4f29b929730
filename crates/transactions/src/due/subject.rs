//! The values of a record that due dates depend on.

use bordereau_calendar::{Calendar, DutySubject};
use bordereau_contract::{
    DueKind, Jurisdiction, PaidCharge, TransactionRecord, TransactionType, leading_day,
};
use bordereau_money::Usd;
use chrono::NaiveDate;

use crate::facts::owed;

/// What the calendar needs; `None` where state, type or effective date are missing or unreadable.
pub fn duty_subject(record: &TransactionRecord) -> Option<DutySubject> {
    let state: Jurisdiction = record.physical_state.as_deref()?.trim().parse().ok()?;
    let transaction_type: TransactionType = record.transaction_type.as_deref()?.trim().parse().ok()?;
    let policy = date_day(&record.policy_effective_date);
    let effective = date_day(&record.transaction_effective_date).or(policy)?;
    Some(DutySubject {
        state,
        transaction_type,
        policy_effective: policy.unwrap_or(effective),
        effective,
        // Section 8 has no date of issue or invoice.
        issued: None,
        filed: date_day(&record.date_filed),
        paid: PaidCharge::ALL.map(|payment| leading_day(record.paid_date(payment)?)),
    })
}

/// The day of a date, with or without a time behind it.
fn date_day(text: &Option<String>) -> Option<NaiveDate> {
    leading_day(text.as_deref()?)
}

/// The last day to file a transaction, by its state's rule.
pub fn filing_due(record: &TransactionRecord, calendar: &Calendar) -> Option<NaiveDate> {
    let subject = duty_subject(record)?;
    let duties = calendar.duties_for(&subject);
    duties.into_iter().find(|duty| duty.rule.kind == DueKind::Filing).and_then(|duty| duty.due)
}

/// What has to be paid for a duty; `None` where the record does not say.
pub(super) fn duty_amount(record: &TransactionRecord, kind: DueKind) -> Option<Usd> {
    owed(record, kind.payment()?)
}
