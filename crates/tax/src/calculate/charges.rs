//! The charges of the state: basis, rate, rounding, trace.

use std::sync::Arc;

use bordereau_contract::TransactionType;
use bordereau_money::{Rate, Usd};
use chrono::NaiveDate;

use super::{Case, CaseLine};
use crate::answer::{Field, LineResult, Note};
use crate::explanation::{Explanation, Waived};
use crate::rules::{Charge, DatedRate, Lookup, Selection, StateRules, Value};
use crate::trace::{Basis, ChargeTrace, ChargedLines, LineSet};

/// The charges of a question in numbers.
#[derive(Debug)]
pub(super) struct Charged<'r>(Vec<Applied<'r>>);

/// A charge of the rules that applies. One that is on several parts of the premium stands here once for each.
#[derive(Debug)]
struct Applied<'r> {
    charge: &'r Charge,
    /// `None` where no value is known for the day.
    rate: Option<&'r DatedRate>,
    dated: NaiveDate,
    /// Whether it is not the same charge on another part.
    first: bool,
    /// `None` where there is no value, or no part of the premium counts.
    figure: Option<Figure>,
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
    let transaction = case.input.transaction_type;
    let first_time = matches!(transaction, TransactionType::New | TransactionType::Renewal);
    let rules: &'r StateRules = case.rules;
    let every = case.places(|_| true);
    let mut applied = Vec::with_capacity(rules.charges.len());
    for charge in &rules.charges {
        if charge.admitted != case.input.admitted || (charge.once_per_policy && !first_time) {
            continue;
        }
        let lines = if charge.selection.is_all() {
            every
        } else {
            case.places(|asked| charge.selection.takes(asked.line.class, asked.names))
        };
        if lines.is_empty() {
            continue;
        }
        let dated = lookup_date(charge, case);
        let rate = match charge.series.on(dated) {
            Lookup::Rate(rate) => Some(rate),
            Lookup::NotYet => continue,
            Lookup::Unknown => None,
        };
        let on = Applied { charge, rate, dated, first: true, figure: None };
        match rate {
            Some(rate) if charge.portions.is_empty() => {
                applied.push(Applied { figure: Some(one(case, charge, rate, lines)?), ..on });
            }
            Some(rate) => per_line(case, &on, rate, &mut applied)?,
            None => applied.push(on),
        }
    }
    Some(Charged(applied))
}

impl Charged<'_> {
    /// Each amount with its field.
    pub(super) fn amounts(&self) -> impl Iterator<Item = (Field, Usd)> {
        let figures = self.0.iter().filter_map(|on| on.figure.as_ref().map(|figure| (on.charge, figure)));
        figures.map(|(charge, figure)| (charge.field, figure.amount))
    }

    /// At most so many traces.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Adds the trace of every charge, and what is not sure about it.
    pub(super) fn explain(
        &self,
        lines: &Arc<[LineResult]>,
        traces: &mut Vec<ChargeTrace>,
        notes: &mut Vec<Arc<Note>>,
    ) {
        for on in &self.0 {
            let Some(rate) = on.rate else {
                notes.push(Arc::clone(&on.charge.unknown_rate));
                continue;
            };
            if on.first {
                notes.extend(rate.caution.clone());
                notes.extend(on.charge.unsure_lines.clone());
            }
            if let Some(figure) = &on.figure {
                traces.push(figure.trace(on.charge, rate, on.dated, lines));
            }
        }
    }
}

/// The date a rate is looked up by.
fn lookup_date(charge: &Charge, case: &Case<'_>) -> NaiveDate {
    let own = charge.extension_by_own_date && case.input.transaction_type == TransactionType::Extension;
    if own { case.input.transaction_effective } else { case.input.policy_effective }
}

/// The date by which the state's rule is told: an extension's own where a charge goes by it.
pub(super) fn dated(case: &Case<'_>) -> NaiveDate {
    let own = case.rules.charges.iter().find(|charge| charge.extension_by_own_date);
    own.map_or(case.input.policy_effective, |charge| lookup_date(charge, case))
}

/// A charge on all its lines together.
fn one(case: &Case<'_>, charge: &Charge, rate: &DatedRate, lines: LineSet) -> Option<Figure> {
    let premium = if charge.selection.is_all() { case.premium } else { case.premium_at(lines)? };
    let share = Share::new(case, lines, premium);
    let fee = |taken: bool, fee: Usd| if taken { share.of(fee) } else { Some(Usd::ZERO) };
    let agency_fee = fee(charge.agency_fee, case.agency_fee)?;
    let inspection_fee = fee(charge.inspection_fee, case.inspection_fee)?;
    figure(case, charge, rate, lines, Base { premium, agency_fee, inspection_fee, portion: Rate::ONE })
}

/// What a charge is on, USD, positive.
struct Base {
    premium: Usd,
    agency_fee: Usd,
    inspection_fee: Usd,
    portion: Rate,
}

/// Computes one charge.
fn figure(case: &Case<'_>, charge: &Charge, rate: &DatedRate, lines: LineSet, base: Base) -> Option<Figure> {
    let (premium, portion) = (case.signed(base.premium), base.portion);
    let (agency_fee, inspection_fee) = (case.signed(base.agency_fee), case.signed(base.inspection_fee));
    let counted = if portion.is_whole() { premium } else { premium.checked_mul(portion)? };
    let total = counted.checked_add(agency_fee)?.checked_add(inspection_fee)?;
    let waived = waived(case, charge);
    let unrounded = match rate.value {
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
    rate: &DatedRate,
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
        let Some(portion) = charge.portion(asked.names) else { continue };
        let lines = case.places(|other| other.names.same_code(asked.names));
        done.extend(lines);
        let premium = case.premium_at(lines)?;
        let base = Base { premium, agency_fee: Usd::ZERO, inspection_fee: Usd::ZERO, portion };
        let (first, figure) = (applied.len() == begin, Some(figure(case, charge, rate, lines, base)?));
        applied.push(Applied { charge, rate: on.rate, dated: on.dated, first, figure });
    }
    if applied.len() == begin {
        applied.push(Applied { charge, rate: on.rate, dated: on.dated, first: true, figure: None });
    }
    Some(())
}

/// Why nothing is charged although the rule applies.
fn waived(case: &Case<'_>, charge: &Charge) -> Option<Waived> {
    let input = case.input;
    if !charge.credit.allows(input.transaction_type) {
        return Some(Waived::NoCredit);
    }
    // A tax exempt insured pays no tax; fees for a service are not taxes.
    let is_tax =
        matches!(charge.field, Field::SlTax | Field::FmTax | Field::PremiumTax | Field::PremiumTaxLife);
    if input.tax_exempt && is_tax {
        return Some(Waived::TaxExempt);
    }
    let exempt =
        |e: &crate::rules::Exemption| e.entities.contains(&input.entity) && e.fields.contains(&charge.field);
    case.rules.exemptions.iter().any(exempt).then_some(Waived::Entity)
}

impl Figure {
    fn trace(
        &self,
        charge: &Charge,
        rate: &DatedRate,
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
            portion_of: (!self.portion.is_whole()).then_some((self.premium, self.portion)),
            rate: rate.rule.rate,
            rounding: charge.rounding,
            amount: self.amount,
            waived: self.waived,
        };
        ChargeTrace {
            rule: Arc::clone(&rate.rule),
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
        let falls = |c: &&Charge| c.field == Field::FmTax && c.falls_on(asked.line.class, asked.names);
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
