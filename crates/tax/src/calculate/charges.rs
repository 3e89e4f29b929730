//! The charges of the state: basis, rate, rounding, trace.

use std::sync::Arc;

use bordereau_contract::{Charge, TransactionType};
use bordereau_money::{Rate, Usd};
use chrono::NaiveDate;

use super::{Case, CaseLine};
use crate::ChargeRule;
use crate::answer::{LineResult, Note, NoteLevel};
use crate::explanation::{Explanation, Waived};
use crate::rules::{Credit, DatedRate, Lookup, RatedCharge, Selection, StateRules, Value};
use crate::trace::{Basis, ChargeTrace, ChargedLines, LineSet};

/// The charges of a question in numbers.
#[derive(Debug)]
pub(super) struct Charged<'r>(Vec<Applied<'r>>);

/// A charge of the rules that applies. One that is on several parts of the premium is listed once for each.
#[derive(Debug)]
struct Applied<'r> {
    charge: &'r RatedCharge,
    known: Known<'r>,
    dated: NaiveDate,
    /// Whether it is not the same charge on another part.
    first: bool,
    /// `None` where there is no value, or no part of the premium counts.
    figure: Option<Figure>,
}

/// What is known of the value on the day.
#[derive(Clone, Copy, Debug)]
enum Known<'r> {
    Dated(&'r DatedRate),
    /// Entered by the person: the present rate was not found.
    Entered(&'r ChargeRule, Rate),
    Nothing,
}

impl Known<'_> {
    fn value(self) -> Option<Value> {
        match self {
            Known::Dated(rate) => Some(rate.value),
            Known::Entered(_, rate) => Some(Value::Percent(rate)),
            Known::Nothing => None,
        }
    }
}

/// One charge in numbers, USD; negative for a credit.
#[derive(Debug)]
struct Figure {
    lines: LineSet,
    premium: Usd,
    agency_fee: Usd,
    inspection_fee: Usd,
    portion: Rate,
    total: Usd,
    waived: Option<Waived>,
    unrounded: Usd,
    amount: Usd,
}

/// Computes every charge that applies.
pub(super) fn charge_all<'r>(case: &Case<'r>) -> Option<Charged<'r>> {
    let rules: &'r StateRules = case.rules;
    let every = case.places(|_| true);
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
        let known = match (charge.series.on(dated), entered) {
            (Lookup::NotYet, _) => continue,
            (_, Some((rule, rate))) => Known::Entered(rule, rate),
            (Lookup::Rate(rate), None) => Known::Dated(rate),
            (Lookup::Unknown, None) => Known::Nothing,
        };
        let on = Applied { charge, known, dated, first: true, figure: None };
        match known.value() {
            Some(value) if charge.portions.is_empty() => {
                applied.push(Applied { figure: Some(one(case, charge, value, lines, waived)?), ..on });
            }
            Some(value) => per_line(case, &on, value, &mut applied)?,
            None => applied.push(on),
        }
    }
    Some(Charged(applied))
}

impl Charged<'_> {
    /// Each amount with its field.
    pub(super) fn amounts(&self) -> impl Iterator<Item = (Charge, Usd)> {
        let figures = self.0.iter().filter_map(|on| on.figure.as_ref().map(|figure| (on.charge, figure)));
        figures.map(|(charge, figure)| (charge.field, figure.amount))
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
                Some(Waived::TaxExempt) => spared.push(&*on.charge.title),
                None => stay.push(&*on.charge.title),
                Some(_) => {}
            }
        }
        (spared, stay)
    }

    /// Adds the trace of every charge, and what is not sure about it.
    pub(super) fn explain(
        &self,
        case: &Case<'_>,
        lines: &Arc<[LineResult]>,
        traces: &mut Vec<ChargeTrace>,
        notes: &mut Vec<Arc<Note>>,
    ) {
        for on in &self.0 {
            let rule = match on.known {
                Known::Dated(rate) => Arc::clone(&rate.rule),
                Known::Entered(rule, rate) => entered_rule(on.charge, rule, rate, notes),
                Known::Nothing => {
                    notes.push(Arc::clone(&on.charge.unknown_rate));
                    continue;
                }
            };
            if on.first {
                if let Known::Dated(rate) = on.known {
                    notes.extend(rate.caution.clone());
                }
                notes.extend(on.charge.unsure_lines.clone());
                notes.extend(on.said_of_policy(case).cloned());
            }
            if let Some(figure) = &on.figure {
                traces.push(figure.trace(case, on.charge, rule, on.dated, lines));
            }
        }
    }
}

impl Applied<'_> {
    /// The note on the charge for this kind of transaction, or for a dwelling that nothing describes.
    fn said_of_policy(&self, case: &Case<'_>) -> Option<&Arc<Note>> {
        let (charge, figure) = (self.charge, self.figure.as_ref()?);
        let unsaid =
            |asked: &CaseLine<'_>| charge.selection.fits(asked.line, case.input.details.occupancy).is_none();
        if figure.waived.is_none()
            && charge.occupancy_unsaid.is_some()
            && case.lines_at(figure.lines).any(unsaid)
        {
            return charge.occupancy_unsaid.as_ref();
        }
        match case.input.transaction_type {
            TransactionType::New if figure.waived.is_none() => charge.charged_once.as_ref(),
            TransactionType::Reinstatement => charge.reinstated.as_ref(),
            _ => None,
        }
    }
}

/// What a charge at an entered rate says.
fn entered_rule(
    charge: &RatedCharge,
    entered: &ChargeRule,
    rate: Rate,
    notes: &mut Vec<Arc<Note>>,
) -> Arc<ChargeRule> {
    let words = format!(
        "{}: charged at {}%, the rate that was entered. No source confirms it: check it.",
        charge.title,
        rate.percent()
    );
    notes.push(Note::new(NoteLevel::Warning, "rate_entered", &words, None));
    Arc::new(ChargeRule { rate: Some(rate), ..entered.clone() })
}

/// The lines a charge is on. Where every line that could bear it is held so that it is not due, that is said on
/// all of them.
fn lines_of(case: &Case<'_>, charge: &RatedCharge, every: LineSet) -> (LineSet, Option<Waived>) {
    let selection = &charge.selection;
    if selection.is_all() {
        return (every, None);
    }
    let taken = case.places(|asked| selection.takes(asked.line, asked.names));
    if selection.occupancy.is_empty() || taken.is_empty() {
        return (taken, None);
    }
    let answered = case.input.details.occupancy;
    let fits = |asked: &CaseLine<'_>| selection.fits(asked.line, answered) != Some(false);
    let due = case.places(|asked| selection.takes(asked.line, asked.names) && fits(asked));
    if due.is_empty() { (taken, Some(Waived::Occupancy)) } else { (due, None) }
}

/// The date a rate is looked up by.
fn lookup_date(charge: &RatedCharge, case: &Case<'_>) -> NaiveDate {
    let own = charge.extension_by_own_date && case.input.transaction_type == TransactionType::Extension;
    if own { case.input.transaction_effective } else { case.input.policy_effective }
}

/// The date by which the state's rule is told: an extension's own where a charge goes by it.
pub(super) fn dated(case: &Case<'_>) -> NaiveDate {
    let own = case.rules.charges.iter().find(|charge| charge.extension_by_own_date);
    own.map_or(case.input.policy_effective, |charge| lookup_date(charge, case))
}

/// A charge on all its lines together.
fn one(
    case: &Case<'_>,
    charge: &RatedCharge,
    value: Value,
    lines: LineSet,
    unfit: Option<Waived>,
) -> Option<Figure> {
    let premium = if charge.selection.is_all() { case.premium } else { case.premium_at(lines)? };
    let share = Share::new(case, lines, premium);
    let fee = |taken: bool, fee: Usd| if taken { share.of(fee) } else { Some(Usd::ZERO) };
    let agency_fee = fee(charge.agency_fee(case.charged_by), case.agency_fee)?;
    let inspection_fee = fee(charge.inspection_fee, case.inspection_fee)?;
    let base = Base { premium, agency_fee, inspection_fee, portion: Rate::ONE };
    figure(case, charge, value, lines, base, unfit)
}

/// What a charge is on, USD, positive.
struct Base {
    premium: Usd,
    agency_fee: Usd,
    inspection_fee: Usd,
    portion: Rate,
}

/// Computes one charge.
fn figure(
    case: &Case<'_>,
    charge: &RatedCharge,
    value: Value,
    lines: LineSet,
    base: Base,
    unfit: Option<Waived>,
) -> Option<Figure> {
    let (premium, portion) = (case.signed(base.premium), base.portion);
    let (agency_fee, inspection_fee) = (case.signed(base.agency_fee), case.signed(base.inspection_fee));
    let counted = if portion.is_whole() { premium } else { premium.checked_mul(portion)? };
    let total = counted.checked_add(agency_fee)?.checked_add(inspection_fee)?;
    let waived = unfit.or_else(|| waived(case, charge));
    let unrounded = match value {
        _ if waived.is_some() => Usd::ZERO,
        Value::Percent(percent) => total.checked_mul(percent)?,
        Value::Flat(amount) => case.signed(amount),
    };
    let amount = unrounded.round(charge.rounding);
    Some(Figure { lines, premium, agency_fee, inspection_fee, portion, total, waived, unrounded, amount })
}

/// What part of the fees goes with some of the lines.
pub(super) struct Share {
    part: Usd,
    whole: Usd,
}

impl Share {
    pub(super) const WHOLE: Share = Share { part: Usd::ZERO, whole: Usd::ZERO };

    /// Fees follow the premium; where there is none at all, the kinds of insurance.
    pub(super) fn new(case: &Case<'_>, lines: LineSet, part: Usd) -> Share {
        if lines.len() == case.lines.len() {
            return Share::WHOLE;
        }
        if !case.premium.is_zero() {
            return Share { part, whole: case.premium };
        }
        let kinds = |lines: LineSet| {
            let classes = case.lines_at(lines).fold(0, |all, asked| all | Selection::bit(asked.line.class));
            Usd::from_cents(i64::from(classes.count_ones()))
        };
        Share { part: kinds(lines), whole: kinds(case.places(|_| true)) }
    }

    pub(super) fn of(&self, fee: Usd) -> Option<Usd> {
        if self.whole.is_zero() || fee.is_zero() {
            Some(fee)
        } else {
            fee.checked_share(self.part, self.whole)
        }
    }
}

/// A charge on a portion of each line's premium, each line rounded by itself (Illinois).
fn per_line<'r>(
    case: &Case<'r>,
    on: &Applied<'r>,
    value: Value,
    applied: &mut Vec<Applied<'r>>,
) -> Option<()> {
    let charge = on.charge;
    let begin = applied.len();
    let mut done = LineSet::default();
    for (at, asked) in case.lines.iter().enumerate() {
        // One coverage code is one line of the state's form, however often it was entered.
        if done.contains(at) {
            continue;
        }
        if !charge.selection.takes(asked.line, asked.names) {
            continue;
        }
        let Some(portion) = charge.portion(asked.line, asked.names) else { continue };
        let lines = case.places(|other| other.names.same_code(asked.names));
        done.extend(lines);
        let premium = case.premium_at(lines)?;
        let base = Base { premium, agency_fee: Usd::ZERO, inspection_fee: Usd::ZERO, portion };
        let figure = Some(figure(case, charge, value, lines, base, None)?);
        applied.push(Applied {
            charge,
            known: on.known,
            dated: on.dated,
            first: applied.len() == begin,
            figure,
        });
    }
    if applied.len() == begin {
        applied.push(Applied { charge, known: on.known, dated: on.dated, first: true, figure: None });
    }
    Some(())
}

/// Why nothing is charged although the rule applies.
fn waived(case: &Case<'_>, charge: &RatedCharge) -> Option<Waived> {
    use TransactionType as T;
    let (input, transaction) = (case.input, case.input.transaction_type);
    if !charge.credit.allows(transaction) {
        return Some(Waived::NoCredit);
    }
    let begins = transaction.starts_policy() || transaction.is_credit();
    if charge.once_per_policy && transaction == T::Binder {
        return Some(Waived::WithPolicy);
    }
    // What a cancellation does not give back is still paid when the policy is reinstated.
    let stays = charge.credit != Credit::Mirrored && transaction == T::Reinstatement;
    if stays || (charge.once_per_policy && !begins) {
        return Some(Waived::AlreadyCharged);
    }
    if input.tax_exempt && charge.is_tax {
        return Some(Waived::TaxExempt);
    }
    let (entity, policy) = (input.entity, input.policy_effective);
    let exempt = case.rules.exemptions.iter().filter(|exemption| exemption.concerns(entity, policy));
    exempt.flat_map(|exemption| &exemption.charges).any(|kind| *kind == charge.kind).then_some(Waived::Entity)
}

impl Figure {
    fn trace(
        &self,
        case: &Case<'_>,
        charge: &RatedCharge,
        rule: Arc<ChargeRule>,
        dated: NaiveDate,
        lines: &Arc<[LineResult]>,
    ) -> ChargeTrace {
        let basis = Basis {
            premium: self.premium,
            agency_fee: self.agency_fee,
            inspection_fee: self.inspection_fee,
            portion: self.portion,
            total: self.total,
            text: Arc::clone(&charge.basis_text),
        };
        let explanation = Explanation {
            base: self.total,
            sum_of: basis.sum(),
            fee_charged_by: case.rules.agency.told.is_some().then_some(case.charged_by),
            portion_of: (!self.portion.is_whole()).then_some((self.premium, self.portion)),
            rate: rule.rate,
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
pub(super) fn line_results(case: &Case<'_>) -> Arc<[LineResult]> {
    let fire = |asked: &CaseLine<'_>| {
        let falls = |c: &&RatedCharge| c.field == Charge::FmTax && c.falls_on(asked.line, asked.names);
        let charge = case.rules.charges.iter().find(falls)?;
        match charge.series.on(case.input.policy_effective) {
            Lookup::Rate(rate) => rate.rule.rate,
            _ => None,
        }
    };
    let line = |asked: &CaseLine<'_>| LineResult {
        names: Arc::clone(asked.names),
        premium: case.signed(asked.premium),
        fm_tax: fire(asked),
    };
    case.lines.iter().map(line).collect()
}
