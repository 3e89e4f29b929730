//! What goes with the amounts: notes, stamps, documents, the rule in the contract's form.

use std::sync::{Arc, LazyLock};

use bordereau_contract::{Charge, EntityType, StateDocument, TaxRule, format_long_day};
use bordereau_money::{Rate, Rounding, Usd};
use chrono::{Datelike, NaiveDate};

use super::charges::{self, ComputedCharges};
use super::{CaseLine, QuoteCase};
use crate::QuoteInput;
use crate::answer::{NoteLevel, QuoteAmounts, QuoteNote, RuleText, StampWording};
use crate::lines::{Class, LineRemark};
use crate::rules::{Exemption, RatedCharge, StateRules};

/// Adds the notes that depend on the question; the state's own follow them.
pub(super) fn add_question_notes(
    case: &QuoteCase<'_>,
    charged: &ComputedCharges<'_>,
    amounts: &QuoteAmounts,
    notes: &mut Vec<Arc<QuoteNote>>,
) {
    notes.extend(rate_years_note(case));
    add_exemption_notes(case, charged, notes);
    if !case.agency_fee.is_zero() || !case.inspection_fee.is_zero() {
        notes.extend(case.rules.fee_notes.iter().cloned());
    }
    for (on, note) in &case.rules.line_notes {
        if case.lines.iter().any(|asked| on.includes_line(asked.line, asked.names)) {
            notes.push(Arc::clone(note));
        }
    }
    collection_fee(case, amounts, notes);
    lines_without_code(case, notes);
    untaxed_lines(case, notes);
}

/// Rates are kept for at least one full calendar year: before that, and in years to come, it is said.
pub(super) fn rate_years_note(case: &QuoteCase<'_>) -> Option<Arc<QuoteNote>> {
    let (date, today) = (case.input.policy_effective, case.input.today);
    let first = today.year() - 1;
    if date.year() < first {
        let words = format!(
            "Rates are verified from Jan 1, {first} on. For {} the quote uses the rates known for that time; check them.",
            format_long_day(date)
        );
        return Some(warning_note("outside_kept_years", &words));
    }
    if date.year() > today.year() && !changes_in(case, date) {
        let words = format!(
            "No rate announced for {} is known; the latest known rates are used for {}.",
            date.year(),
            format_long_day(date)
        );
        return Some(warning_note("outside_kept_years", &words));
    }
    None
}

/// Whether a rate of the state is known to begin between this year and that date.
fn changes_in(case: &QuoteCase<'_>, date: NaiveDate) -> bool {
    let after = case.input.today;
    case.rules
        .charges
        .iter()
        .any(|charge| charge.series.start_dates().any(|start| start > after && start <= date))
}

fn add_exemption_notes(case: &QuoteCase<'_>, charged: &ComputedCharges<'_>, notes: &mut Vec<Arc<QuoteNote>>) {
    let input = case.input;
    let concerns = |e: &&Exemption| e.applies_to(input.entity, input.policy_effective);
    let before = notes.len();
    notes.extend(case.rules.exemptions.iter().filter(concerns).map(|e| Arc::clone(&e.note)));
    let is_public = matches!(
        input.entity,
        EntityType::Governmental | EntityType::Federal | EntityType::Tribal | EntityType::HospitalAlliance
    );
    if is_public && notes.len() == before {
        let words = format!(
            "No exemption for this kind of insured ({}) was found for {}, so it is taxed here like any other. Ask the state before you rely on it.",
            input.entity.title().to_lowercase(),
            case.state().title()
        );
        notes.push(warning_note("entity_not_exempt", &words));
    }
    if input.tax_exempt {
        notes.push(tax_exempt_note(case, charged));
    }
    if input.ecp {
        notes.push(info_note(
            "ecp",
            "Exempt commercial purchaser: the diligent effort may be waived; taxes and fees are the same.",
        ));
    }
}

/// What is not charged to a tax exempt insured, what stays, and what the state says of it.
fn tax_exempt_note(case: &QuoteCase<'_>, charged: &ComputedCharges<'_>) -> Arc<QuoteNote> {
    let (spared, stay) = charged.of_tax_exempt();
    let mut words = if case.rules.spares_tax_exempt() {
        let spared = if spared.is_empty() { "no tax" } else { &spared.join(", ") };
        let stay =
            if stay.is_empty() { String::new() } else { format!(" Still charged: {}.", stay.join(", ")) };
        format!("The insured is marked tax exempt. Not charged: {spared}.{stay} Keep the proof of exemption.")
    } else {
        "The insured is marked tax exempt, but nothing is taken off.".to_owned()
    };
    let rule = case.rules.tax_exempt.as_ref();
    if let Some(rule) = rule {
        words = format!("{words} {}", rule.text);
    }
    QuoteNote::new(NoteLevel::Warning, "tax_exempt", &words, rule.and_then(|rule| rule.sources.first()))
}

/// Where the state charges by its own codes, a property line without one is not charged: a note says so, as
/// for a package in Kentucky, whose parts belong to different categories of the city and county tax.
fn lines_without_code(case: &QuoteCase<'_>, notes: &mut Vec<Arc<QuoteNote>>) {
    let by_code = case.rules.charges.iter().find(|charge| !charge.selection.state_codes.is_empty());
    let by_part = case.rules.charges.iter().find(|charge| charge.is_by_part());
    let date = case.input.policy_effective;
    for CaseLine { line, names, .. } in &case.lines {
        let without = |_: &&RatedCharge| line.class.is_property() && names.state_code.is_none();
        if let Some(charge) = by_code.filter(without) {
            let (title, code, state) = (&charge.title, &line.code, case.state().title());
            let advice = charge.portion_advice.as_deref().unwrap_or_default();
            let words = format!(
                "{title}: the code {state} uses for {code} is not known, so none was charged on it. {advice}"
            );
            notes.push(warning_note("no_state_code", words.trim_end()));
        }
        let no_part = |charge: &&RatedCharge| {
            charge.selection.includes_line(line, names) && charge.portion(line, names, date).is_none()
        };
        if let Some(charge) = by_part.filter(no_part) {
            let advice = charge.portion_advice.as_deref().unwrap_or_default();
            let words = format!(
                "{}: what part of the premium of {} ({}) counts is not known, so none was charged on it. {advice}",
                charge.title, line.code, line.name
            );
            notes.push(warning_note("portion_not_known", words.trim_end()));
        }
        if case.rules.local_tax && line.class == Class::CommercialMultiPeril {
            notes.push(line.note_about(LineRemark::Package));
        }
    }
}

/// A line that the state's tax leaves out is named: the exemption may ask for more than the kind of line.
fn untaxed_lines(case: &QuoteCase<'_>, notes: &mut Vec<Arc<QuoteNote>>) {
    let taxes = || case.rules.charges.iter().filter(|charge| charge.field == Charge::SlTax);
    if case.input.admitted || taxes().any(|charge| charge.selection.is_all()) {
        return;
    }
    for CaseLine { line, names, .. } in &case.lines {
        if !taxes().any(|charge| charge.selection.includes_line(line, names)) {
            notes.push(line.note_about(LineRemark::NotTaxed));
        }
    }
}

/// Kentucky's limit of a collection fee (KRS 91A.080(4), 806 KAR 2:150): told, not charged.
fn collection_fee(case: &QuoteCase<'_>, amounts: &QuoteAmounts, notes: &mut Vec<Arc<QuoteNote>>) {
    let both = [Charge::MunicipalFee, Charge::CountyFee].map(|charge| amounts.charges.get(charge));
    let Some(municipal) = Usd::checked_sum(both.into_iter().flatten()).filter(|fee| !fee.is_zero()) else {
        return;
    };
    let (of_tax, of_premium) = (Rate::from_percent(15), Rate::from_percent(2));
    let base = Usd::checked_sum([case.premium, case.agency_fee, case.inspection_fee]);
    let limit = |amount: Usd, rate| amount.checked_mul(rate).map(|l| l.round(Rounding::Cent));
    if let (Some(a), Some(b)) =
        (limit(municipal.abs(), of_tax), base.and_then(|base| limit(base, of_premium)))
    {
        let limit = a.min(b).to_grouped();
        let words = [
            "A collection fee may be kept by the collector: at most ",
            &limit,
            ", the lesser of 15% of the city and county tax and 2% of the taxable premium (KRS 91A.080(4), 806 KAR 2:150). It is not charged here.",
        ];
        let code = Arc::clone(&COLLECTION_FEE_LIMIT);
        notes.push(QuoteNote::new_shared(NoteLevel::Info, code, words.concat().into(), None));
    }
}

static COLLECTION_FEE_LIMIT: LazyLock<RuleText> = LazyLock::new(|| "collection_fee_limit".into());

fn warning_note(code: &'static str, words: &str) -> Arc<QuoteNote> {
    QuoteNote::new(NoteLevel::Warning, code, words, None)
}

fn info_note(code: &'static str, words: &str) -> Arc<QuoteNote> {
    QuoteNote::new(NoteLevel::Info, code, words, None)
}

/// The stamp wordings in use on the policy date.
pub(super) fn stamps_in_use(case: &QuoteCase<'_>) -> Arc<[StampWording]> {
    let date = case.input.policy_effective;
    let in_use = case.rules.stamps.iter().rev().find(|(from, _)| from.is_none_or(|from| from <= date));
    in_use.map_or_else(|| Arc::from([]), |(_, wordings)| Arc::clone(wordings))
}

/// The documents that apply to this transaction.
pub(super) fn applicable_documents<'a>(
    case: &QuoteCase<'a>,
) -> impl Iterator<Item = &'a Arc<StateDocument>> + use<'a> {
    let (rules, input): (&'a StateRules, &'a QuoteInput) = (case.rules, case.input);
    rules.documents.iter().filter(move |rule| rule.applies_to(input)).map(|rule| &rule.document)
}

/// The rule in the contract's form, with the city's rate where a city or county was matched.
pub(super) fn tax_rule(case: &QuoteCase<'_>, matched: bool, city: Option<Rate>) -> Arc<TaxRule> {
    let date = charges::rule_date(case);
    let forms = &case.rules.tax_rules;
    let at = forms.partition_point(|form| form.from.is_none_or(|from| from <= date));
    let Some(form) = at.checked_sub(1).and_then(|at| forms.get(at)) else { return Arc::default() };
    if matched { Arc::new(form.with_local_rate(city)) } else { Arc::clone(&form.rule) }
}
