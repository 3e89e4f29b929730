//! The charges of the state: basis, rate, rounding, trace.

use std::sync::Arc;

use bordereau_contract::{Charge, TransactionType};
use bordereau_money::{Rate, Usd};
use chrono::NaiveDate;

use super::{CaseLine, QuoteCase};
use crate::ChargeRule;
use crate::answer::{LineResult, NoteLevel, QuoteNote};
use crate::explanation::{ChargeExplanation, WaiverReason};
use crate::rules::{
    CreditRule, DatedRate, Exemption, LineSelection, RateLookup, RateValue, RatedCharge, StateRules,
};
use crate::trace::{ChargeBasis, ChargeTrace, ChargedLines, LineSet};

/// The charges of a question in numbers.
#[derive(Debug)]
pub(super) struct ComputedCharges<'r>(Vec<AppliedCharge<'r>>);

/// A charge of the rules that applies. One that is on several parts of the premium is listed once for each.
#[derive(Debug)]
struct AppliedCharge<'r> {
    charge: &'r RatedCharge,
    known: ValueOnDate<'r>,
    dated: NaiveDate,
    /// Whether it is not the same charge on another part.
    first: bool,
    /// `None` where there is no value, or no part of the premium counts.
    figure: Option<ChargeFigure>,
}

/// What is known of the value on the day.
#[derive(Clone, Copy, Debug)]
enum ValueOnDate<'r> {
    Dated(&'r DatedRate),
    /// Entered by the person: the present rate was not found.
    Entered(&'r ChargeRule, Rate),
    Nothing,
}

impl ValueOnDate<'_> {
    fn value(self) -> Option<RateValue> {
        match self {
            ValueOnDate::Dated(rate) => Some(rate.value),
            ValueOnDate::Entered(_, rate) => Some(RateValue::Percent(rate, None)),
            ValueOnDate::Nothing => None,
        }
    }
}

/// One charge in numbers, USD; negative for a credit.
#[derive(Debug)]
struct ChargeFigure {
    lines: LineSet,
    premium: Usd,
    agency_fee: Usd,
    inspection_fee: Usd,
    portion: Rate,
    total: Usd,
    waived: Option<WaiverReason>,
    unrounded: Usd,
    amount: Usd,
}

/// Computes every charge that applies.
pub(super) fn charge_all<'r>(case: &QuoteCase<'r>) -> Option<ComputedCharges<'r>> {
    let rules: &'r StateRules = case.rules;
    let every = case.lines_where(|_| true);
    let mut applied = Vec::with_capacity(rules.charges.len());
    for charge in &rules.charges {
        if charge.admitted != case.input.admitted {
            continue;
        }
        let (lines, waived) = lines_of(case, charge, every);
        if lines.is_empty() {
            continue;
        }
        let dated = lookup_date(charge, case);
        let entered = charge.entered.as_ref().zip(case.input.details.assessment_rate);
        let known = match (charge.series.value_on(dated), entered) {
            (RateLookup::NotCharged, _) => continue,
            (_, Some((rule, rate))) => ValueOnDate::Entered(rule, rate),
            (RateLookup::Rate(rate), None) => ValueOnDate::Dated(rate),
            (RateLookup::Unknown, None) => ValueOnDate::Nothing,
        };
        let on = AppliedCharge { charge, known, dated, first: true, figure: None };
        match known.value() {
            Some(value) if charge.portions.is_empty() => {
                applied.push(AppliedCharge {
                    figure: Some(charge_all_lines(case, charge, value, lines, waived)?),
                    ..on
                });
            }
            Some(value) => per_line(case, &on, value, (lines, waived), &mut applied)?,
            None => applied.push(on),
        }
    }
    Some(ComputedCharges(applied))
}

impl ComputedCharges<'_> {
    /// Each amount with its field.
    pub(super) fn field_amounts(&self) -> impl Iterator<Item = (Charge, Usd)> {
        let figures = self.0.iter().filter_map(|on| on.figure.as_ref().map(|figure| (on.charge, figure)));
        figures.map(|(charge, figure)| (charge.field, figure.amount))
    }

    /// The charges of which no rate is known.
    pub(super) fn unknown(&self) -> impl Iterator<Item = (Charge, Arc<QuoteNote>)> {
        let unknown = self.0.iter().filter(|on| matches!(on.known, ValueOnDate::Nothing));
        unknown.map(|on| (on.charge.field, Arc::clone(&on.charge.unknown_rate)))
    }

    /// The charges that are due only on a dwelling held in some ways, which nobody said, with what is charged for them.
    pub(super) fn unanswered<'s>(
        &'s self,
        case: &'s QuoteCase<'_>,
    ) -> impl Iterator<Item = (Charge, Usd)> + 's {
        let open = self.0.iter().filter(|on| on.unsaid_note(case).is_some());
        open.filter_map(|on| Some((on.charge.field, on.figure.as_ref()?.amount)))
    }

    /// At most so many traces.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Titles of the charges that a tax exempt insured does not pay, and of those that stay.
    pub(super) fn of_tax_exempt(&self) -> (Vec<&str>, Vec<&str>) {
        let (mut spared, mut stay) = (Vec::new(), Vec::new());
        for on in self.0.iter().filter(|on| on.first) {
            let Some(figure) = &on.figure else { continue };
            match figure.waived {
                Some(WaiverReason::TaxExempt) => spared.push(&*on.charge.title),
                None => stay.push(&*on.charge.title),
                Some(_) => {}
            }
        }
        (spared, stay)
    }

    /// Adds the trace of every charge, and what is not sure about it.
    pub(super) fn add_traces(
        &self,
        case: &QuoteCase<'_>,
        lines: &Arc<[LineResult]>,
        traces: &mut Vec<ChargeTrace>,
        notes: &mut Vec<Arc<QuoteNote>>,
    ) {
        for on in &self.0 {
            let rule = match on.known {
                ValueOnDate::Dated(rate) => Arc::clone(&rate.rule),
                ValueOnDate::Entered(rule, rate) => entered_rule(on.charge, rule, rate, notes),
                ValueOnDate::Nothing => {
                    notes.push(Arc::clone(&on.charge.unknown_rate));
                    continue;
                }
            };
            if on.first {
                if let ValueOnDate::Dated(rate) = on.known {
                    notes.extend(rate.caution.clone());
                    let is_later = !case.input.transaction_type.starts_policy();
                    notes.extend(rate.charged_before.clone().filter(|_| is_later));
                }
                notes.extend(on.charge.unsure_lines.clone());
                notes.extend(on.policy_note(case).cloned());
            }
            if let Some(figure) = &on.figure {
                traces.push(figure.to_trace(case, on.charge, rule, on.dated, lines));
            }
        }
    }
}

impl AppliedCharge<'_> {
    /// The note on the charge for a dwelling of which nobody said how it is held.
    fn unsaid_note(&self, case: &QuoteCase<'_>) -> Option<&Arc<QuoteNote>> {
        let (charge, figure) = (self.charge, self.figure.as_ref().filter(|figure| figure.waived.is_none())?);
        let is_unsaid = |asked: &CaseLine<'_>| {
            charge.selection.matches_occupancy(asked.line, case.input.details.occupancy).is_none()
        };
        let note = charge.occupancy_unsaid.as_ref()?;
        case.lines_at(figure.lines).any(is_unsaid).then_some(note)
    }

    /// The note on the charge for this kind of transaction, or for a dwelling that nothing describes.
    fn policy_note(&self, case: &QuoteCase<'_>) -> Option<&Arc<QuoteNote>> {
        let (charge, figure) = (self.charge, self.figure.as_ref()?);
        if let Some(note) = self.unsaid_note(case) {
            return Some(note);
        }
        match case.input.transaction_type {
            TransactionType::New if figure.waived.is_none() => charge.charged_once.as_ref(),
            TransactionType::Reinstatement => charge.reinstated.as_ref(),
            transaction if transaction.is_credit() && !figure.amount.is_zero() => {
                charge.return_unknown.as_ref()
            }
            _ => None,
        }
    }
}

/// What a charge at an entered rate says.
fn entered_rule(
    charge: &RatedCharge,
    entered: &ChargeRule,
    rate: Rate,
    notes: &mut Vec<Arc<QuoteNote>>,
) -> Arc<ChargeRule> {
    let words = format!(
        "{}: charged at {}%, the rate that was entered. No source confirms it: check it.",
        charge.title,
        rate.to_percent()
    );
    notes.push(QuoteNote::new(NoteLevel::Warning, "rate_entered", &words, None));
    Arc::new(ChargeRule { rate: Some(rate), ..entered.clone() })
}

/// The lines a charge is on. Where it is not due on any line that could bear it, that is said on all of them.
fn lines_of(case: &QuoteCase<'_>, charge: &RatedCharge, every: LineSet) -> (LineSet, Option<WaiverReason>) {
    match selected_lines(case, charge, every) {
        (taken, None) => without_exempt_lines(case, charge, taken),
        unfit => unfit,
    }
}

/// Without the lines on which the insured's kind is exempt. Where that is all of them, it is said on them.
fn without_exempt_lines(
    case: &QuoteCase<'_>,
    charge: &RatedCharge,
    taken: LineSet,
) -> (LineSet, Option<WaiverReason>) {
    let (entity, policy) = (case.input.entity, case.input.policy_effective);
    let concerns = |e: &&Exemption| !e.on.is_all() && e.applies_to(entity, policy) && e.spares(charge);
    let Some(exemption) = case.rules.exemptions.iter().find(concerns) else { return (taken, None) };
    let exempt = case.lines_where(|asked| exemption.on.includes_line(asked.line, asked.names));
    let due: LineSet =
        (0..case.lines.len()).filter(|at| taken.contains(*at) && !exempt.contains(*at)).collect();
    if due.is_empty() && !taken.is_empty() { (taken, Some(WaiverReason::Entity)) } else { (due, None) }
}

/// The lines that could bear it, or why none of them does.
fn selected_lines(
    case: &QuoteCase<'_>,
    charge: &RatedCharge,
    every: LineSet,
) -> (LineSet, Option<WaiverReason>) {
    let selection = &charge.selection;
    if selection.is_all() {
        return (every, None);
    }
    let taken = case.lines_where(|asked| selection.includes_line(asked.line, asked.names));
    if selection.occupancy.is_empty() || taken.is_empty() {
        return (taken, None);
    }
    let answered = case.input.details.occupancy;
    let fits = |asked: &CaseLine<'_>| selection.matches_occupancy(asked.line, answered) != Some(false);
    let due = case.lines_where(|asked| selection.includes_line(asked.line, asked.names) && fits(asked));
    if due.is_empty() { (taken, Some(WaiverReason::Occupancy)) } else { (due, None) }
}

/// The date a rate is looked up by.
fn lookup_date(charge: &RatedCharge, case: &QuoteCase<'_>) -> NaiveDate {
    let own = charge.extension_by_own_date && case.input.transaction_type == TransactionType::Extension;
    if own { case.input.transaction_effective } else { case.input.policy_effective }
}

/// The date by which the state's rule is reported: an extension's own where a charge goes by it.
pub(super) fn rule_date(case: &QuoteCase<'_>) -> NaiveDate {
    let own = case.rules.charges.iter().find(|charge| charge.extension_by_own_date);
    own.map_or(case.input.policy_effective, |charge| lookup_date(charge, case))
}

/// A charge on all its lines together.
fn charge_all_lines(
    case: &QuoteCase<'_>,
    charge: &RatedCharge,
    value: RateValue,
    lines: LineSet,
    unfit: Option<WaiverReason>,
) -> Option<ChargeFigure> {
    let premium = if lines.len() == case.lines.len() { case.premium } else { case.premium_at(lines)? };
    let share = FeeShare::new(case, lines, premium);
    let fee = |taken: bool, fee: Usd| if taken { share.portion_of(fee) } else { Some(Usd::ZERO) };
    let agency_fee = fee(charge.agency_fee(case.charged_by), case.agency_fee)?;
    let inspection_fee = fee(charge.inspection_fee, case.inspection_fee)?;
    let base = ChargeBase { premium, agency_fee, inspection_fee, portion: Rate::ONE };
    compute_figure(case, charge, value, lines, base, unfit)
}

/// What a charge is on, USD, positive.
struct ChargeBase {
    premium: Usd,
    agency_fee: Usd,
    inspection_fee: Usd,
    portion: Rate,
}

/// Computes one charge.
fn compute_figure(
    case: &QuoteCase<'_>,
    charge: &RatedCharge,
    value: RateValue,
    lines: LineSet,
    base: ChargeBase,
    unfit: Option<WaiverReason>,
) -> Option<ChargeFigure> {
    let (premium, portion) = (case.with_sign(base.premium), base.portion);
    let (agency_fee, inspection_fee) = (case.with_sign(base.agency_fee), case.with_sign(base.inspection_fee));
    let counted = if portion.is_whole() { premium } else { premium.checked_mul(portion)? };
    let total = counted.checked_add(agency_fee)?.checked_add(inspection_fee)?;
    let waived = unfit.or_else(|| waiver_reason(case, charge));
    let unrounded = match value {
        _ if waived.is_some() => Usd::ZERO,
        RateValue::Percent(percent, at_most) => {
            let amount = total.checked_mul(percent)?;
            at_most.filter(|most| *most < amount.abs()).map_or(amount, |most| case.with_sign(most))
        }
        RateValue::Flat(amount) => case.with_sign(amount),
    };
    let amount = unrounded.round(charge.rounding);
    Some(ChargeFigure {
        lines,
        premium,
        agency_fee,
        inspection_fee,
        portion,
        total,
        waived,
        unrounded,
        amount,
    })
}

/// What part of the fees goes with some of the lines.
pub(super) struct FeeShare {
    part: Usd,
    whole: Usd,
}

impl FeeShare {
    pub(super) const WHOLE: FeeShare = FeeShare { part: Usd::ZERO, whole: Usd::ZERO };

    /// Fees follow the premium; where there is none at all, the kinds of insurance.
    pub(super) fn new(case: &QuoteCase<'_>, lines: LineSet, part: Usd) -> FeeShare {
        if lines.len() == case.lines.len() {
            return FeeShare::WHOLE;
        }
        if !case.premium.is_zero() {
            return FeeShare { part, whole: case.premium };
        }
        let kinds = |lines: LineSet| {
            let classes =
                case.lines_at(lines).fold(0, |all, asked| all | LineSelection::class_bit(asked.line.class));
            Usd::from_cents(i64::from(classes.count_ones()))
        };
        FeeShare { part: kinds(lines), whole: kinds(case.lines_where(|_| true)) }
    }

    pub(super) fn portion_of(&self, fee: Usd) -> Option<Usd> {
        if self.whole.is_zero() || fee.is_zero() {
            Some(fee)
        } else {
            fee.checked_share(self.part, self.whole)
        }
    }
}

/// A charge on a portion of each line's premium, each line rounded by itself (Illinois).
fn per_line<'r>(
    case: &QuoteCase<'r>,
    on: &AppliedCharge<'r>,
    value: RateValue,
    (taken, unfit): (LineSet, Option<WaiverReason>),
    applied: &mut Vec<AppliedCharge<'r>>,
) -> Option<()> {
    let (charge, date) = (on.charge, case.input.policy_effective);
    let begin = applied.len();
    let mut done = LineSet::default();
    for (at, asked) in case.lines.iter().enumerate() {
        // One coverage code is one line of the state's form, however often it was entered.
        if done.contains(at) || !taken.contains(at) {
            continue;
        }
        let Some(portion) = charge.portion(asked.line, asked.names, date) else { continue };
        let same = case.lines_where(|other| other.names.same_code(asked.names));
        let lines: LineSet =
            (at..case.lines.len()).filter(|at| taken.contains(*at) && same.contains(*at)).collect();
        done.extend(lines);
        let premium = case.premium_at(lines)?;
        let base = ChargeBase { premium, agency_fee: Usd::ZERO, inspection_fee: Usd::ZERO, portion };
        let figure = Some(compute_figure(case, charge, value, lines, base, unfit)?);
        applied.push(AppliedCharge {
            charge,
            known: on.known,
            dated: on.dated,
            first: applied.len() == begin,
            figure,
        });
    }
    if applied.len() == begin {
        applied.push(AppliedCharge { charge, known: on.known, dated: on.dated, first: true, figure: None });
    }
    Some(())
}

/// Why nothing is charged although the rule applies.
fn waiver_reason(case: &QuoteCase<'_>, charge: &RatedCharge) -> Option<WaiverReason> {
    use TransactionType as T;
    let (input, transaction) = (case.input, case.input.transaction_type);
    if charge.except_purchasing_groups && input.rpg {
        return Some(WaiverReason::PurchasingGroup);
    }
    if !charge.credit.allows_for(transaction) {
        return Some(WaiverReason::NoCredit);
    }
    let begins = transaction.starts_policy() || transaction.is_credit();
    if charge.once_per_policy && transaction == T::Binder {
        return Some(WaiverReason::WithPolicy);
    }
    // What a cancellation does not give back is still paid when the policy is reinstated, unless the state
    // charges it again.
    let stays = charge.credit != CreditRule::Mirrored
        && transaction == T::Reinstatement
        && !charge.reinstatement_charged;
    if stays || (charge.once_per_policy && !begins) {
        return Some(WaiverReason::AlreadyCharged);
    }
    if input.tax_exempt && charge.is_tax && case.rules.spares_tax_exempt() {
        return Some(WaiverReason::TaxExempt);
    }
    let (entity, policy) = (input.entity, input.policy_effective);
    let exempt = |e: &Exemption| e.on.is_all() && e.applies_to(entity, policy) && e.spares(charge);
    case.rules.exemptions.iter().any(exempt).then_some(WaiverReason::Entity)
}

impl ChargeFigure {
    fn to_trace(
        &self,
        case: &QuoteCase<'_>,
        charge: &RatedCharge,
        rule: Arc<ChargeRule>,
        dated: NaiveDate,
        lines: &Arc<[LineResult]>,
    ) -> ChargeTrace {
        let basis = ChargeBasis {
            premium: self.premium,
            agency_fee: self.agency_fee,
            inspection_fee: self.inspection_fee,
            portion: self.portion,
            total: self.total,
            text: Arc::clone(&charge.basis_text),
        };
        let explanation = ChargeExplanation {
            base: self.total,
            sum_of: basis.sum(),
            fee_charged_by: case.rules.agency.told.is_some().then_some(case.charged_by),
            portion_of: (!self.portion.is_whole()).then_some((self.premium, self.portion)),
            rate: rule.rate,
            at_most: rule.at_most.filter(|most| *most == self.unrounded.abs()),
            rounding: charge.rounding,
            amount: self.amount,
            waived: self.waived,
        };
        ChargeTrace {
            rule,
            lines: ChargedLines::new(lines, self.lines),
            basis,
            unrounded: self.unrounded,
            amount: self.amount,
            dated,
            explanation,
        }
    }
}

/// The lines as they were resolved.
pub(super) fn line_results(case: &QuoteCase<'_>) -> Arc<[LineResult]> {
    let date = case.input.policy_effective;
    let fire = |asked: &CaseLine<'_>| {
        let falls = |c: &&RatedCharge| c.field == Charge::FmTax && c.falls_on(asked.line, asked.names, date);
        let charge = case.rules.charges.iter().find(falls)?;
        match charge.series.value_on(date) {
            RateLookup::Rate(rate) => rate.rule.rate,
            _ => None,
        }
    };
    let line = |asked: &CaseLine<'_>| LineResult {
        names: Arc::clone(asked.names),
        premium: case.with_sign(asked.premium),
        fm_tax: fire(asked),
    };
    case.lines.iter().map(line).collect()
}
