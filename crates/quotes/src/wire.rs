//! The question on the wire, and the way back from the wire's fields to the person's.

use bordereau_contract::{CalculateRequest, Jurisdiction};
use bordereau_tax::Input;

/// The question as the service takes it (contract section 2).
pub(super) fn wire(input: &Input) -> CalculateRequest {
    let joined = |texts: Vec<String>| texts.join(" | ");
    let kentucky = input.state == Jurisdiction::Ky;
    let location = |text: &Option<String>| text.clone().filter(|_| kentucky);
    CalculateRequest {
        physical_state: input.state.code().into(),
        transaction_type: input.transaction_type.code().into(),
        transaction_line_of_business_list: joined(input.lines.iter().map(|line| line.code.clone()).collect()),
        transaction_line_of_business_coverage: joined(
            input.lines.iter().map(|line| line.premium.to_string()).collect(),
        ),
        agency_fee: input.agency_fee,
        inspection_fee: input.inspection_fee,
        line_of_business: None,
        premium: None,
        rpg: u8::from(input.rpg),
        policy_effective_date: Some(input.policy_effective.to_string()),
        transaction_effective_date: Some(input.transaction_effective.to_string()),
        mailing_entity_type: Some(input.entity.code().into()),
        commission_received: u8::from(input.commission_received),
        admitted: u8::from(input.admitted),
        physical_address: location(&input.location.address),
        physical_city: location(&input.location.city),
        physical_zip_code: location(&input.location.zip),
        municipality_name: location(&input.location.municipality),
        account_written_as: input.written_as.map(|written| written.code().into()),
        tax_exempt: u8::from(input.tax_exempt),
        ecp: u8::from(input.ecp),
        export_list: u8::from(input.export_list),
    }
}
