//! A record, as far as dates depend on it.

use bordereau_calendar::{Calendar, DutyKind, Subject};
use bordereau_contract::{Jurisdiction, TransactionRecord, TransactionType, parse_calendar_day};
use bordereau_money::Usd;
use chrono::NaiveDate;

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
    match kind {
        DutyKind::Tax => record.sl_tax,
        DutyKind::StampingFee => record.stamping_fee,
        DutyKind::OtherTax => {
            let others = [
                record.municipal_fee,
                record.county_fee,
                record.fm_tax,
                record.empa_tax,
                record.sl_service_charge,
            ];
            if others.iter().all(Option::is_none) {
                return None;
            }
            Usd::checked_sum(others.into_iter().flatten())
        }
        DutyKind::Filing | DutyKind::Affidavit | DutyKind::Report => None,
    }
}
