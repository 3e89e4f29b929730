//! The rule of a state in the contract's form (`tax_rule`, section 2), for each stretch of time.

use std::sync::Arc;

use bordereau_contract::{Charge, TaxRule};
use bordereau_money::{Rounding, Usd};
use chrono::NaiveDate;

use super::file::RuleFile;
use super::model::{CapAlternative, CreditRule, StateRules, WireForm};
use super::rate_series::{DatedRate, RateLookup, RateValue, next_day, percent_amount};

const PERCENT: u8 = 1;
const FIXED: u8 = 2;

/// The form from every day on which something changes.
pub(crate) fn tax_rules(rules: &StateRules, file: &RuleFile) -> Vec<WireForm> {
    let mut days: Vec<NaiveDate> = Vec::new();
    for charge in &rules.charges {
        days.extend(charge.series.start_dates());
        let lasts = |rate: &DatedRate| if rate.end_not_found { rate.from } else { rate.until };
        days.extend(charge.series.iter().filter_map(lasts).map(next_day));
    }
    for cap in &rules.caps {
        days.extend(cap.from.into_iter().chain(cap.until.map(next_day)));
    }
    days.sort_unstable();
    days.dedup();
    let form_from = |from, day| WireForm { from, rule: Arc::new(build_tax_rule(rules, file, day)) };
    let mut forms = vec![form_from(None, NaiveDate::MIN)];
    forms.extend(days.into_iter().map(|day| form_from(Some(day), day)));
    forms
}

fn build_tax_rule(rules: &StateRules, file: &RuleFile, day: NaiveDate) -> TaxRule {
    let (sl, sl_type, sl_amount) = in_force(rules, Charge::SlTax, day);
    let (stamping, stamping_type, stamping_amount) = in_force(rules, Charge::StampingFee, day);
    let (service, service_type, service_amount) = in_force(rules, Charge::SlServiceCharge, day);
    let titles = &*rules.titles;
    let mut form = TaxRule {
        is_sl_tax_active: Some(sl),
        sl_tax_amount_type: sl_type,
        sl_tax_amount: Some(sl_amount),
        sl_tax_title: titles.of(Charge::SlTax).to_owned(),
        is_stamping_fee_active: Some(stamping),
        stamping_fee_amount_type: stamping_type,
        stamping_fee_amount: Some(stamping_amount),
        stamping_fee_title: titles.of(Charge::StampingFee).to_owned(),
        is_sl_service_charge_active: Some(service),
        sl_service_charge_amount_type: service_type,
        sl_service_charge_amount: Some(service_amount),
        sl_service_charge_title: titles.of(Charge::SlServiceCharge).to_owned(),
        is_municipal_fee_active: Some(rules.local_tax),
        municipal_fee_amount_type: PERCENT,
        municipal_fee_amount: Some(Usd::ZERO),
        // Without a match in the table the person has to supply the figure.
        is_municipal_fee_input_manual: rules.local_tax,
        municipal_fee_title: titles.of(Charge::MunicipalFee).to_owned(),
        exclude_stamping_fee_when_negative_premium: Some(excludes_stamping_fee(rules)),
        fee_restrictions: Some(
            file.fee_restrictions
                || rules.caps.iter().any(|cap| cap.is_in_force(day))
                || rules.no_fee_with_commission,
        ),
        max_fee: Some(false),
        fee_restriction_apply_to: file.fee_restriction_apply_to.clone(),
        fee_restriction_apply_from: file.fee_restriction_apply_from.clone(),
        both_fees_allowed: Some(true),
        ask_if_commission_received: rules.no_fee_with_commission,
        zero_agency_fee_if_commission_received: Some(rules.no_fee_with_commission),
        round_taxes_to_the_nearest_dollar: Some(rules.charges.iter().any(|c| c.rounding == Rounding::Dollar)),
        round_premium_to_the_nearest_dollar: Some(rules.premium_rounding == Some(Rounding::Dollar)),
        round_fees_to_the_nearest_dollar: Some(false),
        round_up_taxes_to_the_nearest_dollar: Some(false),
        round_up_premium_to_the_nearest_dollar: Some(false),
        round_up_fees_to_the_nearest_dollar: Some(false),
        ..TaxRule::default()
    };
    add_fee_limits(&mut form, rules, day);
    form
}

fn in_force(rules: &StateRules, field: Charge, day: NaiveDate) -> (bool, u8, Usd) {
    for charge in rules.charges.iter().filter(|charge| charge.field == field) {
        if let RateLookup::Rate(rate) = charge.series.value_on(day) {
            return match rate.value {
                RateValue::Percent(rate, _) => (true, PERCENT, percent_amount(rate)),
                RateValue::Flat(amount) => (true, FIXED, amount),
            };
        }
    }
    (false, PERCENT, Usd::ZERO)
}

fn excludes_stamping_fee(rules: &StateRules) -> bool {
    rules.charges.iter().any(|c| c.field == Charge::StampingFee && c.credit != CreditRule::Mirrored)
}

fn add_fee_limits(form: &mut TaxRule, rules: &StateRules, day: NaiveDate) {
    let enforced = rules.caps.iter().filter(|cap| cap.enforced && cap.is_in_force(day));
    for alternative in enforced.flat_map(|cap| &cap.alternatives) {
        match alternative {
            CapAlternative::Flat(amount) => {
                form.fee_restriction_amount_fixed = Some(*amount);
                form.fee_restriction_amount_fixed_active = true;
            }
            CapAlternative::Percent(rate, at_most) => {
                form.fee_restriction_amount_percentage = Some(percent_amount(*rate));
                form.fee_restriction_amount_percentage_active = true;
                if let Some(amount) = at_most {
                    form.max_fee = Some(true);
                    form.max_fee_amount_type = Some(FIXED);
                    form.max_fee_amount = Some(*amount);
                }
            }
        }
    }
}
