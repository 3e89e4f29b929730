//! Values that have to be there, by transaction type.

use bordereau_contract::{TransactionType, WrittenAs};

use super::Subject;
use crate::field::Field;
use crate::issue::{Code, Data};

/// Without these the service keeps a transaction as Saved, incomplete (contract, section 3).
const REQUIRED: [Field; 7] = [
    Field::Id,
    Field::PolicyNumber,
    Field::PolicyEffectiveDate,
    Field::TransactionType,
    Field::PhysicalState,
    Field::LineOfBusiness,
    Field::InsuredName,
];

/// The service warns when these are missing (contract, section 3; the invoice number is ours).
const WANTED: [Field; 3] = [Field::InvoiceNumber, Field::InsuranceCompany, Field::RiskDescription];

/// The service warns of these on a new policy or renewal.
const WANTED_AT_START: [Field; 2] = [Field::LayeredRisk, Field::RiskRetentionGroup];

pub(super) fn check(subject: &mut Subject<'_, '_, '_>) {
    let gathered = subject.gathered;
    let typed = &gathered.typed;
    let kind = typed.transaction_type;
    for field in REQUIRED {
        if !typed.is_present(field) {
            subject.find(field, Code::Missing, Data::None);
        }
    }
    let premium = typed.is_present(Field::Premium) || gathered.lines.shared;
    if !premium && kind != Some(TransactionType::ZeroPremium) {
        subject.find(Field::Premium, Code::Missing, Data::None);
    }
    for field in WANTED {
        if !typed.is_present(field) {
            subject.find(field, Code::MissingWanted, Data::None);
        }
    }
    if typed.written_as == Some(WrittenAs::Broker) && !typed.is_present(Field::RetailProducer) {
        subject.find(Field::RetailProducer, Code::MissingWanted, Data::None);
    }
    let Some(kind) = kind else { return };
    if kind.starts_policy() {
        for field in WANTED_AT_START {
            if !typed.is_present(field) {
                subject.find(field, Code::MissingWanted, Data::None);
            }
        }
    } else if !typed.is_present(Field::TransactionEffectiveDate) {
        subject.find(Field::TransactionEffectiveDate, Code::EndorsementDateMissing, Data::None);
    }
    if kind == TransactionType::Renewal && !typed.is_present(Field::ExpiringPolicyNumber) {
        subject.find(Field::ExpiringPolicyNumber, Code::ExpiringMissing, Data::None);
    }
}
