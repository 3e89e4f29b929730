//! Dates in order, and signs that fit the transaction type.

use bordereau_contract::TransactionType;

use super::Subject;
use crate::field::Field;
use crate::issue::{Code, Data};

pub(super) fn check(subject: &mut Subject<'_, '_, '_>) {
    dates(subject);
    signs(subject);
}

fn dates(subject: &mut Subject<'_, '_, '_>) {
    let typed = &subject.gathered.typed;
    let kind = typed.transaction_type;
    let Some(effective) = typed.date(Field::PolicyEffectiveDate) else { return };
    let expiration = typed.date(Field::PolicyExpirationDate);
    let transaction = typed.date(Field::TransactionEffectiveDate);
    if let Some(expiration) = expiration
        && expiration <= effective
    {
        let data = Data::Dates(expiration, effective);
        subject.find(Field::PolicyExpirationDate, Code::DatesOutOfOrder, data);
    }
    let (Some(transaction), Some(kind)) = (transaction, kind) else { return };
    let data = Data::Dates(transaction, effective);
    if kind.starts_policy() {
        if transaction != effective {
            subject.find(Field::TransactionEffectiveDate, Code::TransactionDateDiffers, data);
        }
    } else if transaction < effective {
        subject.find(Field::TransactionEffectiveDate, Code::DatesOutOfOrder, data);
    } else if let Some(expiration) = expiration.filter(|e| transaction > *e)
        && kind != TransactionType::Extension
        && kind != TransactionType::Audit
        && kind != TransactionType::AuditReturn
    {
        // Audits and extensions come after the policy's end by their nature.
        let data = Data::Dates(transaction, expiration);
        subject.find(Field::TransactionEffectiveDate, Code::OutsidePolicy, data);
    }
}

fn signs(subject: &mut Subject<'_, '_, '_>) {
    let typed = &subject.gathered.typed;
    let (Some(kind), Some(premium)) = (typed.transaction_type, typed.cents(Field::Premium)) else { return };
    let data = Data::Cents(premium, premium.saturating_abs());
    if kind == TransactionType::ZeroPremium && premium != 0 {
        subject.find(Field::Premium, Code::PremiumNotZero, Data::Cents(premium, 0));
    } else if premium < 0 && kind.is_credit() {
        subject.find(Field::Premium, Code::CreditNegative, data);
    } else if premium < 0 {
        subject.find(Field::Premium, Code::NegativePremium, data);
    }
}
