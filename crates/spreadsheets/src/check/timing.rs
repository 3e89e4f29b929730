//! Dates in order, and signs that fit the transaction type.

use bordereau_contract::TransactionType;
use bordereau_mapping::Field;
use chrono::Months;

use super::CheckSubject;
use crate::issue::{Code, FindingData};
use crate::policy_term::usual_end;

pub(super) fn check_timing(subject: &mut CheckSubject<'_, '_, '_>) {
    propose_dates(subject);
    check_term(subject);
    check_dates(subject);
    check_signs(subject);
}

/// Says of a date that cannot be read what it most likely is, by the other two.
fn propose_dates(subject: &mut CheckSubject<'_, '_, '_>) {
    let typed = &subject.gathered.typed;
    let day = |field| typed.date(field);
    let [effective, expiration, transaction] =
        [Field::PolicyEffectiveDate, Field::PolicyExpirationDate, Field::TransactionEffectiveDate].map(day);
    if effective.and(expiration).and(transaction).is_some() {
        return;
    }
    let starts = typed.transaction_type.is_some_and(TransactionType::starts_policy);
    let row = subject.gathered.row;
    let end = effective.and_then(|day| subject.reader.term_end(row, day).or_else(|| usual_end(day)));
    let year_before = expiration.and_then(|day| day.checked_sub_months(Months::new(12)));
    let likely = [
        (Field::PolicyEffectiveDate, transaction.filter(|_| starts).or(year_before)),
        (Field::PolicyExpirationDate, end),
        (Field::TransactionEffectiveDate, effective.filter(|_| starts)),
    ];
    for (field, day) in likely {
        if let Some(day) = day.filter(|_| typed.date(field).is_none()) {
            subject.put_likely_value(field, Code::DateUnreadable, FindingData::Dates(day, day));
        }
    }
}

/// Without an expiration date the service takes a year, whatever the file says in a column that isn't imported.
fn check_term(subject: &mut CheckSubject<'_, '_, '_>) {
    let typed = &subject.gathered.typed;
    let (Some(effective), false) =
        (typed.date(Field::PolicyEffectiveDate), typed.is_present(Field::PolicyExpirationDate))
    else {
        return;
    };
    let end = subject.reader.term_end(subject.gathered.row, effective);
    if let Some(day) = end.filter(|day| Some(*day) != usual_end(effective)) {
        let data = FindingData::Dates(effective, day);
        subject.add_finding(Field::PolicyExpirationDate, Code::TermNotDated, data);
    }
}

fn check_dates(subject: &mut CheckSubject<'_, '_, '_>) {
    let typed = &subject.gathered.typed;
    let kind = typed.transaction_type;
    let Some(effective) = typed.date(Field::PolicyEffectiveDate) else { return };
    let expiration = typed.date(Field::PolicyExpirationDate);
    let transaction = typed.date(Field::TransactionEffectiveDate);
    if let Some(expiration) = expiration
        && expiration <= effective
    {
        let data = FindingData::Dates(expiration, effective);
        subject.add_finding(Field::PolicyExpirationDate, Code::DatesOutOfOrder, data);
    }
    let (Some(transaction), Some(kind)) = (transaction, kind) else { return };
    let data = FindingData::Dates(transaction, effective);
    if kind.starts_policy() {
        if transaction != effective {
            subject.add_finding(Field::TransactionEffectiveDate, Code::TransactionDateDiffers, data);
        }
    } else if transaction < effective {
        subject.add_finding(Field::TransactionEffectiveDate, Code::DatesOutOfOrder, data);
    } else if let Some(expiration) = expiration.filter(|e| transaction > *e)
        && kind != TransactionType::Extension
        && kind != TransactionType::Audit
        && kind != TransactionType::AuditReturn
    {
        // Audits and extensions come after the policy's end by their nature.
        let data = FindingData::Dates(transaction, expiration);
        subject.add_finding(Field::TransactionEffectiveDate, Code::OutsidePolicy, data);
    }
}

fn check_signs(subject: &mut CheckSubject<'_, '_, '_>) {
    let typed = &subject.gathered.typed;
    let (Some(kind), Some(premium)) = (typed.transaction_type, typed.amount_cents(Field::Premium)) else {
        return;
    };
    let data = FindingData::Cents(premium, premium.saturating_abs());
    if kind == TransactionType::ZeroPremium && premium != 0 {
        subject.add_finding(Field::Premium, Code::PremiumNotZero, FindingData::Cents(premium, 0));
    } else if premium < 0 && kind.is_credit() {
        subject.add_finding(Field::Premium, Code::CreditNegative, data);
    } else if premium < 0 {
        // "Endorsement" and "Audit" are what exports call both, with the sign to tell them apart; "RP" is a renewal or
        // a return premium.
        let is_rp = || {
            let word = subject.reader.field_text(subject.gathered.row, Field::TransactionType);
            word.trim().eq_ignore_ascii_case("rp")
        };
        let returned = match kind {
            TransactionType::AdditionalPremium => Some(TransactionType::ReturnPremium),
            TransactionType::Audit => Some(TransactionType::AuditReturn),
            TransactionType::Renewal if is_rp() => Some(TransactionType::ReturnPremium),
            _ => None,
        };
        match returned {
            Some(kind) => {
                let data = FindingData::Text(kind.code().into());
                subject.add_finding(Field::Premium, Code::ReturnAsCharge, data);
            }
            None => subject.add_finding(Field::Premium, Code::NegativePremium, data),
        }
    }
}
