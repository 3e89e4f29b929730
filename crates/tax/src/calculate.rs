//! One question, one answer: from the lines and fees to every charge.
//!
//! Everything is computed as a positive amount and turned at the very end for a credit: so a credit is
//! the exact negative of its charge.

mod charges;
mod fees;
mod local_tax;
mod notes;
mod question;

pub(crate) use fees::limit as fee_limit;

use std::sync::Arc;

use bordereau_contract::Jurisdiction;
use bordereau_money::Usd;

use crate::answer::{Amounts, ChargeTrace, Field, Quote};
use crate::lines::Line;
use crate::rulebook::Local;
use crate::rules::StateRules;
use crate::{Input, InputProblem};

/// What every step works on.
pub(crate) struct Case<'a> {
    pub input: &'a Input,
    pub rules: &'a StateRules,
    pub local: &'a Local,
    /// The lines with the premium that counts, USD, positive.
    pub lines: Vec<(&'a Line, Usd)>,
    pub premium: Usd,
    pub agency_fee: Usd,
    pub inspection_fee: Usd,
}

impl Case<'_> {
    pub(crate) fn state(&self) -> Jurisdiction {
        self.rules.state
    }

    /// The amount with the sign of the transaction.
    pub(crate) fn signed(&self, amount: Usd) -> Usd {
        if self.input.transaction_type.is_credit() { amount.negated() } else { amount }
    }
}

/// Answers, or names everything wrong with the question.
pub(crate) fn calculate(
    rules: &StateRules,
    input: &Input,
    local: &Local,
) -> Result<Quote, Vec<InputProblem>> {
    let lines = question::resolve(rules, input, local)?;
    answer(rules, input, local, lines).ok_or_else(question::too_large)
}

/// `None` when an amount no longer fits; the limits of a question leave room, so it does not happen.
fn answer<'a>(
    rules: &'a StateRules,
    input: &'a Input,
    local: &'a Local,
    lines: Vec<(&'a Line, Usd)>,
) -> Option<Quote> {
    let premium = Usd::checked_sum(lines.iter().map(|(_, premium)| *premium))?;
    let mut notes = Vec::with_capacity(rules.notes.len() + 4);
    let (agency_fee, inspection_fee) = fees::allowed(rules, input, &lines, premium, &mut notes)?;
    let case = Case { input, rules, local, lines, premium, agency_fee, inspection_fee };
    let mut traces = Vec::with_capacity(rules.charges.len() + 1);
    charges::charge_all(&case, &mut traces, &mut notes)?;
    let mut amounts = Amounts {
        premium: case.signed(premium),
        agency_fee: case.signed(agency_fee),
        inspection_fee: case.signed(inspection_fee),
        ..Amounts::default()
    };
    let matched = local_tax::charge(&case, &mut traces, &mut amounts, &mut notes)?;
    let total = add_up(&mut amounts, &traces)?;
    let results = charges::line_results(&case);
    notes::finish(&case, &amounts, &mut notes);
    Some(Quote {
        total,
        charges: traces,
        lines: results,
        titles: Arc::clone(&rules.titles),
        agency_fee_taxable: rules.agency.known(),
        inspection_fee_taxable: rules.inspection.known(),
        notes,
        stamps: notes::stamps(&case),
        documents: notes::documents(&case),
        tax_rule: notes::tax_rule(&case, &matched),
        local: matched,
        amounts,
    })
}

/// Puts each charge on its field and answers the total: the sum of what is shown.
fn add_up(amounts: &mut Amounts, traces: &[ChargeTrace]) -> Option<Usd> {
    let mut total = amounts.premium.checked_add(amounts.agency_fee)?.checked_add(amounts.inspection_fee)?;
    for trace in traces {
        let field = match trace.field {
            Field::SlTax => &mut amounts.sl_tax,
            Field::StampingFee => &mut amounts.stamping_fee,
            Field::SlServiceCharge => &mut amounts.sl_service_charge,
            Field::FmTax => &mut amounts.fm_tax,
            Field::EmpaTax => &mut amounts.empa_tax,
            Field::CollectionFee => &mut amounts.collection_fee,
            Field::MunicipalFee => amounts.municipal_fee.get_or_insert(Usd::ZERO),
            Field::CountyFee => amounts.county_fee.get_or_insert(Usd::ZERO),
            Field::PremiumTax => amounts.premium_tax.get_or_insert(Usd::ZERO),
            Field::PremiumTaxLife => amounts.premium_tax_life.get_or_insert(Usd::ZERO),
        };
        *field = field.checked_add(trace.amount)?;
        // The life rate stands beside the general one: it applies instead of it, never with it.
        if trace.field != Field::PremiumTaxLife {
            total = total.checked_add(trace.amount)?;
        }
    }
    Some(total)
}
