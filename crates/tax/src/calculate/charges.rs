//! The charges of the state: basis, rate, rounding, trace.

use std::sync::Arc;

use bordereau_contract::TransactionType;
use bordereau_money::{Rate, Usd};
use jiff::civil::Date;

use super::Case;
use crate::answer::{Basis, ChargeTrace, Field, LineResult, Note, Text};
use crate::explanation::{Explanation, Waived};
use crate::lines::Line;
use crate::rules::{Charge, DatedRate, Lookup, Selection, StateRules, Value};

/// The charges of a question in numbers.
#[derive(Debug)]
pub(super) struct Charged<'r> {
    applied: Vec<Applied<'r>>,
    /// In the order of what was applied, as many for each as it says.
    figures: Vec<Figure<'r>>,
}

/// A charge of the rules that applies.
#[derive(Debug)]
struct Applied<'r> {
    charge: &'r Charge,
    /// `None` where no value is known for the day.
    rate: Option<&'r DatedRate>,
    dated: Date,
    figures: usize,
}

/// One charge in numbers, USD; negative for a credit.
#[derive(Debug)]
struct Figure<'r> {
    field: Field,
    on: On<'r>,
    premium: Usd,
    agency_fee: Usd,
    inspection_fee: Usd,
    portion: Rate,
    total: Usd,
    waived: Option<Waived>,
    unrounded: Usd,
    amount: Usd,
}

/// Which lines a figure is on.
#[derive(Clone, Copy, Debug)]
enum On<'r> {
    All,
    Selected,
    /// Those with this code of the state.
    StateCode(&'r Text),
}

/// Computes every charge that applies.
pub(super) fn charge_all<'r>(case: &Case<'r>) -> Option<Charged<'r>> {
    let transaction = case.input.transaction_type;
    let first_time = matches!(transaction, TransactionType::New | TransactionType::Renewal);
    let rules: &'r StateRules = case.rules;
    let count = rules.charges.len();
    let mut charged = Charged { applied: Vec::with_capacity(count), figures: Vec::with_capacity(count) };
    for charge in &rules.charges {
        if charge.admitted != case.input.admitted || (charge.once_per_policy && !first_time) {
            continue;
        }
        if !charge.selection.is_all()
            && !case.lines.iter().any(|(line, _)| charge.selection.takes(line, case.state()))
        {
            continue;
        }
        let dated = lookup_date(charge, case);
        let rate = match charge.series.on(dated) {
            Lookup::Rate(rate) => Some(rate),
            Lookup::NotYet => continue,
            Lookup::Unknown => None,
        };
        let begin = charged.figures.len();
        match rate {
            Some(rate) if charge.portions.is_empty() => charged.figures.push(one(case, charge, rate)?),
            Some(rate) => per_line(case, charge, rate, &mut charged.figures)?,
            None => {}
        }
        let figures = charged.figures.len() - begin;
        charged.applied.push(Applied { charge, rate, dated, figures });
    }
    Some(charged)
}

impl Charged<'_> {
    /// Each amount with its field.
    pub(super) fn amounts(&self) -> impl Iterator<Item = (Field, Usd)> {
        self.figures.iter().map(|figure| (figure.field, figure.amount))
    }

    /// Adds the trace of every charge, and what is not sure about it.
    pub(super) fn explain(&self, case: &Case<'_>, traces: &mut Vec<ChargeTrace>, notes: &mut Vec<Arc<Note>>) {
        let mut figures = self.figures.iter();
        let mut every_line = None;
        for applied in &self.applied {
            let charge = applied.charge;
            let Some(rate) = applied.rate else {
                notes.push(Arc::clone(&charge.unknown_rate));
                continue;
            };
            notes.extend(rate.caution.clone());
            notes.extend(charge.unsure_lines.clone());
            for figure in figures.by_ref().take(applied.figures) {
                let lines = figure.lines(case, charge, &mut every_line);
                traces.push(figure.trace(charge, rate, applied.dated, lines));
            }
        }
    }
}

/// The date a rate is looked up by.
fn lookup_date(charge: &Charge, case: &Case<'_>) -> Date {
    let own = charge.extension_by_own_date && case.input.transaction_type == TransactionType::Extension;
    if own { case.input.transaction_effective } else { case.input.policy_effective }
}

/// The date by which the state's rule is told: an extension's own where a charge goes by it.
pub(super) fn dated(case: &Case<'_>) -> Date {
    let own = case.rules.charges.iter().find(|charge| charge.extension_by_own_date);
    own.map_or(case.input.policy_effective, |charge| lookup_date(charge, case))
}

/// A charge on all its lines together.
fn one<'r>(case: &Case<'r>, charge: &Charge, rate: &DatedRate) -> Option<Figure<'r>> {
    let (on, premium, share) = if charge.selection.is_all() {
        (On::All, case.premium, Share::WHOLE)
    } else {
        let taken = || case.lines.iter().filter(|(line, _)| charge.selection.takes(line, case.state()));
        let premium = Usd::checked_sum(taken().map(|(_, premium)| *premium))?;
        (On::Selected, premium, Share::new(case, taken(), premium))
    };
    let fee = |taken: bool, fee: Usd| if taken { share.of(fee) } else { Some(Usd::ZERO) };
    let agency_fee = fee(charge.agency_fee, case.agency_fee)?;
    let inspection_fee = fee(charge.inspection_fee, case.inspection_fee)?;
    figure(case, charge, rate, on, Base { premium, agency_fee, inspection_fee, portion: Rate::ONE })
}

/// What a charge is on, USD, positive.
struct Base {
    premium: Usd,
    agency_fee: Usd,
    inspection_fee: Usd,
    portion: Rate,
}

/// Computes one charge.
fn figure<'r>(
    case: &Case<'r>,
    charge: &Charge,
    rate: &DatedRate,
    on: On<'r>,
    base: Base,
) -> Option<Figure<'r>> {
    let (premium, portion) = (case.signed(base.premium), base.portion);
    let (agency_fee, inspection_fee) = (case.signed(base.agency_fee), case.signed(base.inspection_fee));
    let counted = if portion == Rate::ONE { premium } else { premium.checked_mul(portion)? };
    let total = counted.checked_add(agency_fee)?.checked_add(inspection_fee)?;
    let waived = waived(case, charge);
    let unrounded = match rate.value {
        _ if waived.is_some() => Usd::ZERO,
        Value::Percent(percent) => total.checked_mul(percent)?,
        Value::Flat(amount) => case.signed(amount),
    };
    let (field, amount) = (charge.field, unrounded.round(charge.rounding));
    Some(Figure { field, on, premium, agency_fee, inspection_fee, portion, total, waived, unrounded, amount })
}

/// What part of the fees goes with some of the lines.
pub(super) struct Share {
    part: Usd,
    whole: Usd,
}

impl Share {
    pub(super) const WHOLE: Share = Share { part: Usd::ZERO, whole: Usd::ZERO };

    /// Fees follow the premium; where there is none at all, the kinds of insurance.
    pub(super) fn new<'l>(
        case: &Case<'_>,
        taken: impl Iterator<Item = &'l (&'l Line, Usd)>,
        part: Usd,
    ) -> Share {
        let (mut count, mut classes) = (0, 0);
        for (line, _) in taken {
            count += 1;
            classes |= Selection::bit(line.class);
        }
        if count == case.lines.len() {
            return Share::WHOLE;
        }
        if !case.premium.is_zero() {
            return Share { part, whole: case.premium };
        }
        let all = case.lines.iter().fold(0, |all, (line, _)| all | Selection::bit(line.class));
        let kinds = |classes: u64| Usd::from_cents(i64::from(classes.count_ones()));
        Share { part: kinds(classes), whole: kinds(all) }
    }

    pub(super) fn of(&self, fee: Usd) -> Option<Usd> {
        if self.whole.is_zero() || fee.is_zero() {
            Some(fee)
        } else {
            fee.checked_share(self.part, self.whole)
        }
    }
}

pub(super) fn codes<'l>(lines: impl Iterator<Item = &'l Line>) -> Arc<[Text]> {
    lines.map(|line| Arc::clone(&line.code)).collect()
}

/// A charge on a portion of each line's premium, each line rounded by itself (Illinois).
fn per_line<'r>(
    case: &Case<'r>,
    charge: &Charge,
    rate: &DatedRate,
    figures: &mut Vec<Figure<'r>>,
) -> Option<()> {
    let mut done: Vec<&Text> = Vec::new();
    for (line, _) in &case.lines {
        let line: &'r Line = line;
        let Some(portion) = charge.portion(line, case.state()) else { continue };
        let Some(code) = line.state_code(case.state()) else { continue };
        // One coverage code is one line of the state's form, however often it was entered.
        if done.contains(&code) {
            continue;
        }
        done.push(code);
        let on = On::StateCode(code);
        let premium = Usd::checked_sum(on.lines(case, charge).map(|(_, premium)| *premium))?;
        let base = Base { premium, agency_fee: Usd::ZERO, inspection_fee: Usd::ZERO, portion };
        figures.push(figure(case, charge, rate, on, base)?);
    }
    Some(())
}

impl On<'_> {
    /// The lines it is on.
    fn lines<'c, 'l>(
        &'c self,
        case: &'c Case<'l>,
        charge: &'c Charge,
    ) -> impl Iterator<Item = &'c (&'l Line, Usd)> {
        let state = case.state();
        case.lines.iter().filter(move |(line, _)| match self {
            On::All => true,
            On::Selected => charge.selection.takes(line, state),
            On::StateCode(code) => line.state_code(state) == Some(*code),
        })
    }
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

impl Figure<'_> {
    /// Codes of the lines it is on. Most charges are on every line: those are listed once.
    fn lines(&self, case: &Case<'_>, charge: &Charge, every_line: &mut Option<Arc<[Text]>>) -> Arc<[Text]> {
        let list = || codes(self.on.lines(case, charge).map(|(line, _)| *line));
        match self.on {
            On::All => Arc::clone(every_line.get_or_insert_with(list)),
            _ => list(),
        }
    }

    fn trace(&self, charge: &Charge, rate: &DatedRate, dated: Date, lines: Arc<[Text]>) -> ChargeTrace {
        let percent = percent_of(rate);
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
            portion_of: (self.portion != Rate::ONE).then_some((self.premium, self.portion)),
            rate: percent,
            rounding: charge.rounding,
            amount: self.amount,
            waived: self.waived,
        };
        ChargeTrace {
            kind: Arc::clone(&charge.kind),
            field: charge.field,
            title: Arc::clone(&charge.title),
            lines,
            basis,
            rate: percent,
            flat: flat_of(rate),
            rounding: charge.rounding,
            unrounded: self.unrounded,
            amount: self.amount,
            from: rate.from,
            until: rate.until,
            dated,
            dated_by: Arc::clone(&charge.dated_by),
            sources: Arc::clone(&rate.sources),
            checked: rate.checked.clone(),
            explanation,
            note: rate.note.clone(),
        }
    }
}

fn percent_of(rate: &DatedRate) -> Option<Rate> {
    match rate.value {
        Value::Percent(rate) => Some(rate),
        Value::Flat(_) => None,
    }
}

fn flat_of(rate: &DatedRate) -> Option<Usd> {
    match rate.value {
        Value::Percent(_) => None,
        Value::Flat(amount) => Some(amount),
    }
}

/// The lines as they were resolved.
pub(super) fn line_results(case: &Case<'_>) -> Vec<LineResult> {
    let rate_of = |line: &Line| {
        let charge =
            case.rules.charges.iter().find(|c| c.field == Field::FmTax && c.falls_on(line, case.state()))?;
        match charge.series.on(case.input.policy_effective) {
            Lookup::Rate(rate) => percent_of(rate),
            _ => None,
        }
    };
    case.lines
        .iter()
        .map(|(line, premium)| LineResult {
            generic_code: Arc::clone(&line.code),
            name: Arc::clone(&line.name),
            state_code: line.state_code(case.state()).cloned(),
            premium: case.signed(*premium),
            fm_tax: rate_of(line),
        })
        .collect()
}
