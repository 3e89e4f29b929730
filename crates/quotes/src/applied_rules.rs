//! The rates, fee limits and rounding that the service says it applies, beside those of the built-in rules.

use bordereau_api::RuleRow;
use bordereau_contract::{Charge, TaxRule};
use bordereau_money::Usd;

use super::html;

/// 1 percent, 2 fixed (contract section 2).
const FIXED: u8 = 2;

/// One charge of a rule, as the contract writes it.
struct ServiceChargeRule<'a> {
    /// None where it is not said.
    is_active: Option<bool>,
    amount_type: u8,
    amount: Option<Usd>,
    is_manual: bool,
    title: &'a str,
}

fn charge_rule(rule: &TaxRule, charge: Charge) -> Option<ServiceChargeRule<'_>> {
    let (is_active, amount_type, amount, is_manual, title) = match charge {
        Charge::SlTax => (
            rule.is_sl_tax_active,
            rule.sl_tax_amount_type,
            rule.sl_tax_amount,
            rule.is_sl_tax_input_manual,
            &rule.sl_tax_title,
        ),
        Charge::StampingFee => (
            rule.is_stamping_fee_active,
            rule.stamping_fee_amount_type,
            rule.stamping_fee_amount,
            rule.is_stamping_fee_input_manual,
            &rule.stamping_fee_title,
        ),
        Charge::SlServiceCharge => (
            rule.is_sl_service_charge_active,
            rule.sl_service_charge_amount_type,
            rule.sl_service_charge_amount,
            rule.is_sl_service_charge_input_manual,
            &rule.sl_service_charge_title,
        ),
        Charge::MunicipalFee => (
            rule.is_municipal_fee_active,
            rule.municipal_fee_amount_type,
            rule.municipal_fee_amount,
            rule.is_municipal_fee_input_manual,
            &rule.municipal_fee_title,
        ),
        _ => return None,
    };
    Some(ServiceChargeRule { is_active, amount_type, amount, is_manual, title })
}

const CHARGES: [Charge; 4] =
    [Charge::SlTax, Charge::StampingFee, Charge::SlServiceCharge, Charge::MunicipalFee];

/// A rule in words: empty where there is none, and nothing where that isn't said.
type RuleDescription = fn(&TaxRule) -> Option<String>;

/// Row by row what the service says and what the built-in rules have; nothing where the service says nothing.
pub(super) fn rule_rows(service: &TaxRule, builtin: Option<&TaxRule>) -> Vec<RuleRow> {
    if says_nothing(service) {
        return Vec::new();
    }
    let mut rows: Vec<RuleRow> =
        CHARGES.into_iter().filter_map(|charge| charge_row(service, builtin, charge)).collect();
    let others: [(&str, RuleDescription); 8] = [
        ("Limit of fees", fee_limit),
        ("Highest fee", highest_fee),
        ("Both fees together", |rule| yes_no(rule.both_fees_allowed, "allowed")),
        ("Agency fee with a commission", |rule| {
            yes_no(rule.zero_agency_fee_if_commission_received, "set to zero")
        }),
        ("Stamping fee of a return premium", |rule| {
            yes_no(rule.exclude_stamping_fee_when_negative_premium, "not charged")
        }),
        ("Rounding of taxes", |rule| {
            rounding(rule.round_taxes_to_the_nearest_dollar, rule.round_up_taxes_to_the_nearest_dollar)
        }),
        ("Rounding of the premium", |rule| {
            rounding(rule.round_premium_to_the_nearest_dollar, rule.round_up_premium_to_the_nearest_dollar)
        }),
        ("Rounding of fees", |rule| {
            rounding(rule.round_fees_to_the_nearest_dollar, rule.round_up_fees_to_the_nearest_dollar)
        }),
    ];
    for (title, text_of) in others {
        let Some(said) = text_of(service) else { continue };
        let ours = builtin.map(|rule| text_of(rule).unwrap_or_default());
        // What neither has is no row.
        if !said.is_empty() || ours.as_ref().is_some_and(|ours| !ours.is_empty()) {
            rows.push(row("", title, said, ours));
        }
    }
    rows
}

/// A provider that sends no rule at all is not one without taxes.
fn says_nothing(rule: &TaxRule) -> bool {
    let bare = TaxRule { state_notes: Vec::new(), state_documents: Vec::new(), ..rule.clone() };
    bare == TaxRule::default()
}

fn charge_row(service: &TaxRule, builtin: Option<&TaxRule>, charge: Charge) -> Option<RuleRow> {
    let said = charge_rule(service, charge)?;
    let ours = builtin.and_then(|rule| charge_rule(rule, charge));
    let is_bare = said.amount.is_none_or(Usd::is_zero) && !said.is_manual;
    let is_unsaid = said.is_active.is_none() && is_bare;
    let is_charged = |rule: &ServiceChargeRule<'_>| rule.is_active != Some(false);
    if is_unsaid || !is_charged(&said) && !ours.as_ref().is_some_and(is_charged) {
        return None;
    }
    let title = html::plain_text(said.title);
    let title = if title.is_empty() { charge.title().to_owned() } else { title };
    Some(row(charge.name(), &title, charge_text(&said), ours.as_ref().map(charge_text)))
}

fn charge_text(rule: &ServiceChargeRule<'_>) -> String {
    match (rule.is_active, rule.amount) {
        (Some(false), _) => "not charged".to_owned(),
        (_, _) if rule.is_manual => "entered by hand".to_owned(),
        (_, None) => "charged, no rate given".to_owned(),
        (_, Some(amount)) if rule.amount_type == FIXED => format!("${}", amount.to_grouped()),
        (_, Some(amount)) => format!("{}%", plain_number(amount)),
    }
}

/// `4.85`, `4`: without zeros at the end.
fn plain_number(amount: Usd) -> String {
    amount.as_decimal().normalize().to_string()
}

fn fee_limit(rule: &TaxRule) -> Option<String> {
    let fixed = rule.fee_restriction_amount_fixed.filter(|_| rule.fee_restriction_amount_fixed_active);
    let percent =
        rule.fee_restriction_amount_percentage.filter(|_| rule.fee_restriction_amount_percentage_active);
    let parts = [
        fixed.map(|amount| format!("${}", amount.to_grouped())),
        percent.map(|amount| format!("{}% of the premium", plain_number(amount))),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    Some(match (rule.fee_restrictions?, parts.is_empty()) {
        (false, _) => String::new(),
        (true, true) => "limited, no amount given".to_owned(),
        (true, false) => parts.join(" and "),
    })
}

fn highest_fee(rule: &TaxRule) -> Option<String> {
    Some(match (rule.max_fee?, rule.max_fee_amount) {
        (false, _) => String::new(),
        (true, None) => "limited, no amount given".to_owned(),
        (true, Some(amount)) if rule.max_fee_amount_type == Some(FIXED) => {
            format!("${}", amount.to_grouped())
        }
        (true, Some(amount)) => format!("{}% of the premium", plain_number(amount)),
    })
}

fn yes_no(is_set: Option<bool>, text: &str) -> Option<String> {
    is_set.map(|is_set| if is_set { text.to_owned() } else { String::new() })
}

fn rounding(nearest: Option<bool>, up: Option<bool>) -> Option<String> {
    let text = match (nearest, up) {
        (None, None) => return None,
        (_, Some(true)) => "up to the dollar",
        (Some(true), _) => "to the nearest dollar",
        _ => "",
    };
    Some(text.to_owned())
}

fn row(field: &str, title: &str, service: String, builtin: Option<String>) -> RuleRow {
    let or_none = |text: String| if text.is_empty() { "none".to_owned() } else { text };
    let service = or_none(service);
    let builtin = builtin.map(or_none);
    RuleRow {
        field: field.to_owned(),
        title: title.to_owned(),
        differs: builtin.as_ref().is_some_and(|builtin| *builtin != service),
        service,
        builtin,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texas() -> TaxRule {
        TaxRule {
            is_sl_tax_active: Some(true),
            sl_tax_amount_type: 1,
            sl_tax_amount: Usd::parse("4.85").ok(),
            sl_tax_title: "Surplus lines tax".into(),
            is_stamping_fee_active: Some(true),
            stamping_fee_amount_type: 1,
            stamping_fee_amount: Usd::parse("0.04").ok(),
            ..TaxRule::default()
        }
    }

    fn shown(service: &TaxRule, builtin: Option<&TaxRule>) -> Vec<String> {
        let text = |row: &RuleRow| {
            let mark = if row.differs { " !" } else { "" };
            format!("{}: {} | {}{mark}", row.title, row.service, row.builtin.as_deref().unwrap_or("-"))
        };
        rule_rows(service, builtin).iter().map(text).collect()
    }

    #[test]
    fn what_the_service_applies_stands_beside_the_built_in_rules() {
        let ours = texas();
        let same = shown(&ours, Some(&ours));
        assert_eq!(same, ["Surplus lines tax: 4.85% | 4.85%", "Stamping fee: 0.04% | 0.04%"]);
        let other = TaxRule {
            sl_tax_amount: Usd::parse("5").ok(),
            stamping_fee_amount_type: 2,
            stamping_fee_amount: Usd::parse("20").ok(),
            fee_restrictions: Some(true),
            fee_restriction_amount_fixed: Usd::parse("1250").ok(),
            fee_restriction_amount_fixed_active: true,
            round_up_taxes_to_the_nearest_dollar: Some(true),
            ..texas()
        };
        let differs = shown(&other, Some(&ours));
        assert_eq!(
            differs,
            [
                "Surplus lines tax: 5% | 4.85% !",
                "Stamping fee: $20.00 | 0.04% !",
                "Limit of fees: $1,250.00 | none !",
                "Rounding of taxes: up to the dollar | none !",
            ]
        );
        assert_eq!(shown(&ours, None)[0], "Surplus lines tax: 4.85% | -");
        assert!(shown(&TaxRule::default(), Some(&ours)).is_empty(), "a provider that says nothing");
        // What is missing is not "no".
        let untold = TaxRule { is_sl_tax_active: None, is_stamping_fee_active: None, ..texas() };
        let both = TaxRule {
            both_fees_allowed: Some(true),
            max_fee: Some(true),
            round_taxes_to_the_nearest_dollar: Some(true),
            ..texas()
        };
        assert_eq!(shown(&untold, Some(&both)), same);
        let bare = TaxRule { stamping_fee_amount: None, ..untold };
        assert_eq!(shown(&bare, Some(&both)), same[..1]);
        let refused = TaxRule { both_fees_allowed: Some(false), ..texas() };
        assert_eq!(shown(&refused, Some(&both))[2], "Both fees together: none | allowed !");
    }
}
