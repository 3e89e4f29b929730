//! A charge: what it is on, when it is given back, what is said of it.

use bordereau_contract::{Charge, ChargeGroup};
use bordereau_money::Rounding;
use chrono::NaiveDate;

use super::rates::{SharedRateTerms, dated_rate};
use crate::ChargeRule;
use crate::answer::{Confidence, ConfidenceNote, FieldTitles, NoteLevel, RuleText};
use crate::lines::StateCodes;
use crate::rules::file::{BasisOf, ChargeText, PortionText};
use crate::rules::model::{AgencyFee, CreditRule, FeeRule, LineSelection, PremiumPortion, RatedCharge};
use crate::rules::rate_series::{DatedRate, RateSeries};
use crate::rules::values::{
    RuleProblem, class_bits, optional_date, select_lines, shared_note, shared_texts, value_problem,
};

pub(super) fn read_charge(
    text: &ChargeText,
    agency: &AgencyFee,
    inspection: &FeeRule,
    titles: &FieldTitles,
    checked_on: NaiveDate,
) -> Result<RatedCharge, RuleProblem> {
    let (retail_fee, licensee_fee, inspection_fee) = match text.basis {
        BasisOf::Premium | BasisOf::Flat => (false, false, false),
        BasisOf::PremiumAndTaxableFees => (agency.retail.taxed, agency.licensee.taxed, inspection.taxed),
        BasisOf::PremiumAndInspectionFee => (false, false, inspection.taxed),
        BasisOf::PremiumAndBothFees => (true, true, true),
    };
    let credit = text.credit.unwrap_or(CreditRule::Mirrored);
    if text.once_per_policy && credit == CreditRule::Mirrored {
        return Err(value_problem(&text.kind, "a charge that falls once says when it is given back"));
    }
    if text.field.is_asked() {
        return Err(value_problem(&text.kind, "a fee is asked with the question; no rule charges it"));
    }
    let title = text.title.as_deref().unwrap_or_else(|| titles.of(text.field));
    let named = SharedRateTerms {
        kind: text.kind.as_str().into(),
        title: title.into(),
        dated_by: text.dated_by.as_str().into(),
        rounding: text.rounding.unwrap_or(Rounding::Cent),
    };
    let mut rates = Vec::new();
    for rate in &text.rate {
        rates.push(dated_rate(rate, text, &named, checked_on)?);
    }
    let entered = text.rate_entered.then(|| entered_rate_rule(&rates, text.field, &named)).flatten();
    let said = |level, code: &str, words: &str| shared_note(level, code, &format!("{title}: {words}"), None);
    let series = RateSeries::new(rates, text.begins, text.ends)
        .map_err(|problem| RuleProblem::Series { charge: text.kind.clone(), problem })?;
    Ok(RatedCharge {
        kind: named.kind,
        field: text.field,
        title: named.title,
        // A fee is no tax: it stays when the insured is tax exempt.
        is_tax: text.is_tax.unwrap_or(text.field.group() == ChargeGroup::Tax),
        retail_fee,
        licensee_fee,
        inspection_fee,
        basis_text: text.basis_text.as_str().into(),
        selection: read_selection(text)?,
        portions: text.portion.iter().map(|part| read_portion(part, &text.kind)).collect::<Result<_, _>>()?,
        portion_advice: text.portion_advice.as_deref().map(RuleText::from),
        entered,
        once_per_policy: text.once_per_policy,
        credit,
        reinstatement_charged: text.reinstatement_charged,
        except_purchasing_groups: text.except_purchasing_groups,
        rounding: named.rounding,
        extension_by_own_date: text.extension_by_own_date,
        dated_by: named.dated_by,
        admitted: text.admitted,
        unsure_lines: text.unsure_lines.as_ref().map(|words| said(NoteLevel::Warning, "lines_not_sure", words)),
        occupancy_unsaid: (!text.occupancy.is_empty()).then(|| said(NoteLevel::Warning, "occupancy_not_answered", "it depends on how the insured holds the dwelling. That was not answered, so it is charged here: answer the question.")),
        charged_once: (text.once_per_policy && credit == CreditRule::Never).then(|| said(NoteLevel::Info, "charged_once", "charged once and never given back. If this policy replaces one that was canceled flat, check whether it was charged already.")),
        return_unknown: text.credit.is_none().then(|| said(NoteLevel::Warning, "return_not_found", "whether it is given back with a returned premium was not found. It is credited here like the premium: ask the state or its stamping office.")),
        reinstated: (credit == CreditRule::FlatCancellationOnly && !text.reinstatement_charged).then(|| said(NoteLevel::Warning, "reinstated", "already charged on the policy, so not charged again. If the policy had been canceled flat, it was given back and is due again: add it.")),
        unknown_rate: said(
            NoteLevel::Warning,
            "no_rate_in_force",
            text.unknown_text.as_deref().unwrap_or("no rate is known for this date, so nothing is charged for it."),
        ),
        payee: text.payee.as_deref().map(RuleText::from),
        series,
    })
}

fn read_portion(text: &PortionText, place: &str) -> Result<PremiumPortion, RuleProblem> {
    let mut on = select_lines(&text.classes, &text.lines, place)?;
    on.state_codes = StateCodes::new(shared_texts(&text.state_codes));
    on.except_lines = shared_texts(&text.except_lines).collect();
    let from = optional_date(text.from.as_ref(), place)?;
    Ok(PremiumPortion { on, from, portion: text.portion, name: text.name.as_str().into() })
}

/// What a charge at an entered rate says, but for the rate.
fn entered_rate_rule(rates: &[DatedRate], field: Charge, named: &SharedRateTerms) -> Option<ChargeRule> {
    Some(ChargeRule {
        kind: named.kind.clone(),
        field,
        title: named.title.clone(),
        rate: None,
        at_most: None,
        flat: None,
        rounding: named.rounding,
        from: None,
        until: None,
        dated_by: named.dated_by.clone(),
        sources: rates.last()?.sources.clone(),
        checked: ConfidenceNote { level: Confidence::NotFound, text: "the rate was entered by hand".into() },
        note: None,
    })
}

fn read_selection(text: &ChargeText) -> Result<LineSelection, RuleProblem> {
    // Beside all classes but some, the codes bring single lines of those back.
    let classes_of_all = text.classes.is_empty() && !text.except_classes.is_empty();
    let mut on = select_lines(&text.classes, &text.lines, &text.kind)?;
    if classes_of_all {
        on.classes = LineSelection::ALL;
    }
    on.classes &= !class_bits(&text.except_classes, &text.kind)?;
    on.except_lines = shared_texts(&text.except_lines).collect();
    (on.personal, on.occupancy) = (text.personal, text.occupancy.clone());
    let portions = text.portion.iter().flat_map(|portion| shared_texts(&portion.state_codes));
    on.state_codes = StateCodes::new(shared_texts(&text.state_codes).chain(portions));
    Ok(on)
}
