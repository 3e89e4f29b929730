//! The question on the wire, and the wire's fields mapped to the form's.

use bordereau_contract::{CalculateRequest, Jurisdiction};
use bordereau_tax::{QuoteInput, RiskDetails};

/// The question as the service takes it (contract section 2); `with_details` where it understands our own members.
pub(super) fn to_wire_request(input: &QuoteInput, with_details: bool) -> CalculateRequest {
    let details = if with_details { input.details } else { RiskDetails::default() };
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
        agency_fee_charged_by: details.fee_charged_by.map(|who| who.code().into()),
        occupancy: details.occupancy.map(|how| how.code().into()),
        assessment_rate: details.assessment_rate,
    }
}

#[cfg(test)]
mod tests {
    use bordereau_contract::{FeeChargedBy, Occupancy};
    use bordereau_money::Rate;
    use bordereau_tax::RiskDetails;

    use super::super::read_request::CalculatorQuestion;
    use super::*;
    use bordereau_api::{QuoteLine, QuoteRequest};
    use bordereau_session::profile::new_practice_profile;
    use bordereau_tax::RuleBook;

    #[test]
    fn our_own_members_are_on_the_wire_only_where_they_are_understood() {
        let request = QuoteRequest {
            state: "TX".into(),
            transaction_type: "PN".into(),
            lines: vec![QuoteLine { code: "GEN-1002".into(), premium: "1000".into() }],
            ..QuoteRequest::default()
        };
        let today = chrono::NaiveDate::from_ymd_opt(2026, 3, 1).unwrap();
        let mut input =
            CalculatorQuestion::read(&request, today, &new_practice_profile(), RuleBook::builtin())
                .unwrap()
                .input;
        input.details = RiskDetails {
            fee_charged_by: Some(FeeChargedBy::RetailAgent),
            occupancy: Some(Occupancy::MobileHome),
            assessment_rate: Rate::parse("0.0625").ok(),
        };
        let text =
            |with_details: bool| serde_json::to_string(&to_wire_request(&input, with_details)).unwrap();
        for (name, value) in [
            ("agency_fee_charged_by", r#""retail_agent""#),
            ("occupancy", r#""mobile_home""#),
            ("assessment_rate", "0.0625"),
        ] {
            assert!(text(true).contains(&format!(r#""{name}":{value}"#)), "{name}");
            assert!(!text(false).contains(name), "{name}");
        }
    }
}
