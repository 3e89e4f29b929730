//! The charges of the state: basis, rate, rounding, trace.

use std::sync::Arc;

use bordereau_contract::TransactionType;
use bordereau_money::{Rate, Usd};
use jiff::civil::Date;

use super::Case;
use crate::answer::{Basis, ChargeTrace, Field, LineResult, Note, Text};
use crate::explanation::{Explanation, Waived};
use crate::lines::Line;
use crate::rules::{Charge, DatedRate, Lookup, Selection, Value};

/// Adds a trace for every charge that applies.
pub(super) fn charge_all(
    case: &Case<'_>,
    traces: &mut Vec<ChargeTrace>,
    notes: &mut Vec<Arc<Note>>,
) -> Option<()> {
    let transaction = case.input.transaction_type;
    let mut every_line = None;
    for charge in &case.rules.charges {
        let first_time = matches!(transaction, TransactionType::New | TransactionType::Renewal);
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
            Lookup::Rate(rate) => rate,
            Lookup::NotYet => continue,
            Lookup::Unknown => {
                notes.push(Arc::clone(&charge.unknown_rate));
                continue;
            }
        };
        notes.extend(rate.caution.clone());
        notes.extend(charge.unsure_lines.clone());
        if charge.portions.is_empty() {
            traces.push(one(case, charge, rate, dated, &mut every_line)?);
        } else {
            per_line(case, charge, rate, dated, traces)?;
        }
    }
    Some(())
}

/// The date a rate is looked up by.
fn lookup_date(charge: &Charge, case: &Case<'_>) -> Date {
    let own = charge.extension_by_own_date && case.input.transaction_type == TransactionType::Extension;
    if own { case.input.transaction_effective } else { case.input.policy_effective }
}

/// A charge on all its lines together.
fn one(
    case: &Case<'_>,
    charge: &Charge,
    rate: &DatedRate,
    dated: Date,
    every_line: &mut Option<Arc<[Text]>>,
) -> Option<ChargeTrace> {
    let (lines, premium, share) = if charge.selection.is_all() {
        let all = every_line.get_or_insert_with(|| codes(case.lines.iter().map(|(line, _)| *line)));
        (Arc::clone(all), case.premium, Share::WHOLE)
    } else {
        selected(case, charge)?
    };
    let fee = |taken: bool, fee: Usd| if taken { share.of(fee) } else { Some(Usd::ZERO) };
    let basis = Basis {
        premium: case.signed(premium),
        agency_fee: case.signed(fee(charge.agency_fee, case.agency_fee)?),
        inspection_fee: case.signed(fee(charge.inspection_fee, case.inspection_fee)?),
        portion: Rate::ONE,
        total: Usd::ZERO,
        text: Arc::clone(&charge.basis_text),
    };
    trace(case, charge, rate, dated, lines, basis)
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

fn selected(case: &Case<'_>, charge: &Charge) -> Option<(Arc<[Text]>, Usd, Share)> {
    let taken = || case.lines.iter().filter(|(line, _)| charge.selection.takes(line, case.state()));
    let premium = Usd::checked_sum(taken().map(|(_, premium)| *premium))?;
    let share = Share::new(case, taken(), premium);
    Some((codes(taken().map(|(line, _)| *line)), premium, share))
}

pub(super) fn codes<'l>(lines: impl Iterator<Item = &'l Line>) -> Arc<[Text]> {
    lines.map(|line| Arc::clone(&line.code)).collect()
}

/// A charge on a portion of each line's premium, each line rounded by itself (Illinois).
fn per_line(
    case: &Case<'_>,
    charge: &Charge,
    rate: &DatedRate,
    dated: Date,
    traces: &mut Vec<ChargeTrace>,
) -> Option<()> {
    let mut done: Vec<&str> = Vec::new();
    for (line, _) in &case.lines {
        let Some(portion) = charge.portion(line, case.state()) else { continue };
        let Some(code) = line.state_code(case.state()) else { continue };
        // One coverage code is one line of the state's form, however often it was entered.
        if done.contains(&&**code) {
            continue;
        }
        done.push(code);
        let same = || case.lines.iter().filter(|(l, _)| l.state_code(case.state()) == Some(code));
        let premium = Usd::checked_sum(same().map(|(_, premium)| *premium))?;
        let basis = Basis {
            premium: case.signed(premium),
            agency_fee: Usd::ZERO,
            inspection_fee: Usd::ZERO,
            portion,
            total: Usd::ZERO,
            text: Arc::clone(&charge.basis_text),
        };
        let lines = codes(same().map(|(line, _)| *line));
        traces.push(trace(case, charge, rate, dated, lines, basis)?);
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

fn trace(
    case: &Case<'_>,
    charge: &Charge,
    rate: &DatedRate,
    dated: Date,
    lines: Arc<[Text]>,
    mut basis: Basis,
) -> Option<ChargeTrace> {
    let whole = basis.portion == Rate::ONE;
    let premium = if whole { basis.premium } else { basis.premium.checked_mul(basis.portion)? };
    basis.total = premium.checked_add(basis.agency_fee)?.checked_add(basis.inspection_fee)?;
    let waived = waived(case, charge);
    let (percent, flat, unrounded) = match rate.value {
        _ if waived.is_some() => (percent_of(rate), flat_of(rate), Usd::ZERO),
        Value::Percent(percent) => (Some(percent), None, basis.total.checked_mul(percent)?),
        Value::Flat(amount) => (None, Some(amount), case.signed(amount)),
    };
    let amount = unrounded.round(charge.rounding);
    let portion_of = (!whole).then_some((basis.premium, basis.portion));
    let explanation = Explanation {
        base: basis.total,
        portion_of,
        rate: percent,
        rounding: charge.rounding,
        amount,
        waived,
    };
    Some(ChargeTrace {
        kind: Arc::clone(&charge.kind),
        field: charge.field,
        title: Arc::clone(&charge.title),
        lines,
        basis,
        rate: percent,
        flat,
        rounding: charge.rounding,
        unrounded,
        amount,
        from: rate.from,
        until: rate.until,
        dated,
        dated_by: Arc::clone(&charge.dated_by),
        sources: Arc::clone(&rate.sources),
        checked: rate.checked.clone(),
        explanation,
        note: rate.note.clone(),
    })
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
        let charge = case
            .rules
            .charges
            .iter()
            .find(|c| c.field == Field::FmTax && c.selection.takes(line, case.state()))?;
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
