//! Values that have to be there, by transaction type.

use std::sync::LazyLock;

use bordereau_contract::{REQUIREMENTS, Requirement, Scope};
use bordereau_mapping::Field;

use super::CheckSubject;
use crate::issue::{Code, FindingData};

/// The contract's requirements by field.
static REQUIRED: LazyLock<Vec<(Field, &Requirement)>> = LazyLock::new(|| {
    let of = |requirement: &'static Requirement| Some((Field::by_name(requirement.field)?, requirement));
    REQUIREMENTS.iter().filter_map(of).collect()
});

pub(super) fn check_required(subject: &mut CheckSubject<'_, '_, '_>) {
    let typed = &subject.gathered.typed;
    if !typed.is_present(Field::Id) {
        subject.add_finding(Field::Id, Code::Missing, FindingData::None);
    }
    for (field, requirement) in REQUIRED.iter() {
        if !is_there(subject, *field) && requirement.applies(typed.transaction_type, typed.written_as) {
            let code = code(requirement);
            let policy =
                typed.date(Field::PolicyEffectiveDate).filter(|_| code == Code::EndorsementDateMissing);
            let data = policy.map_or(FindingData::None, |day| FindingData::Dates(day, day));
            subject.add_finding(*field, code, data);
        }
    }
}

fn is_there(subject: &CheckSubject<'_, '_, '_>, field: Field) -> bool {
    let gathered = subject.gathered;
    gathered.typed.is_present(field)
        || match field {
            Field::Premium => gathered.lines.shared,
            Field::InsuranceCompany => gathered.typed.is_present(Field::Syndicate),
            _ => false,
        }
}

fn code(requirement: &Requirement) -> Code {
    match requirement.scope {
        _ if !requirement.is_required => Code::MissingWanted,
        Scope::Changing => Code::EndorsementDateMissing,
        Scope::Renewal => Code::ExpiringMissing,
        _ => Code::Missing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_requirement_is_of_a_field() {
        assert_eq!(REQUIRED.len(), REQUIREMENTS.len());
    }
}
