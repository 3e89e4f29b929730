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

use bordereau_contract::{Charge, Jurisdiction, StateDocument};
use bordereau_money::Usd;

use crate::answer::{Amounts, Note, Quote};
use crate::lines::Line;
use crate::rulebook::Local;
use crate::rules::StateRules;
use crate::trace::LineSet;
use crate::{Documents, FeeChargedBy, Input, InputProblem, LineNames, Notes};

/// What every step works on.
#[derive(Debug)]
pub(crate) struct Case<'a> {
    pub input: &'a Input,
    pub rules: &'a StateRules,
    pub local: &'a Local,
    pub lines: Vec<CaseLine<'a>>,
    /// Who charges the agency fee: as said, or as assumed in the state.
    pub charged_by: FeeChargedBy,
    /// What the charges are computed on, USD: rounded where the state enters whole dollars.
    pub premium: Usd,
    pub agency_fee: Usd,
    pub inspection_fee: Usd,
}

/// A line of the question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CaseLine<'a> {
    pub line: &'a Line,
    /// Its names in the state.
    pub names: &'a Arc<LineNames>,
    /// The premium as it was asked, USD, positive.
    pub premium: Usd,
    /// What the charges are computed on: the premium, rounded where the state enters whole dollars.
    pub base: Usd,
}

impl<'a> Case<'a> {
    pub(crate) fn state(&self) -> Jurisdiction {
        self.rules.state
    }

    /// Places of the lines that are taken.
    pub(crate) fn places(&self, taken: impl Fn(&CaseLine<'a>) -> bool) -> LineSet {
        self.lines.iter().enumerate().filter(|(_, line)| taken(line)).map(|(at, _)| at).collect()
    }

    /// The lines at these places.
    pub(crate) fn lines_at(&self, places: LineSet) -> impl Iterator<Item = &CaseLine<'a>> {
        self.lines.iter().enumerate().filter(move |(at, _)| places.contains(*at)).map(|(_, line)| line)
    }

    /// What the charges on the lines at these places are computed on, USD, positive.
    pub(crate) fn premium_at(&self, places: LineSet) -> Option<Usd> {
        Usd::checked_sum(self.lines_at(places).map(|line| line.base))
    }

    /// The amount with the sign of the transaction.
    pub(crate) fn signed(&self, amount: Usd) -> Usd {
        if self.input.transaction_type.is_credit() { amount.negated() } else { amount }
    }
}

/// A calculation in numbers: every amount, and no words yet.
///
/// This is the one calculation there is. [`Reckoning::quote`] puts it into words without computing any
/// amount again, so the amounts and their explanation cannot differ.
#[derive(Debug)]
pub struct Reckoning<'a> {
    case: Case<'a>,
    fees: fees::Allowed<'a>,
    charges: charges::Charged<'a>,
    local: local_tax::Levied<'a>,
    amounts: Amounts,
    total: Usd,
}

/// Computes, or names everything wrong with the question.
pub(crate) fn reckon<'a>(
    rules: &'a StateRules,
    input: &'a Input,
    local: &'a Local,
) -> Result<Reckoning<'a>, Vec<InputProblem>> {
    let lines = question::resolve(rules, input, local)?;
    numbers(rules, input, local, lines).ok_or_else(question::too_large)
}

/// `None` when an amount no longer fits; the limits of a question leave room, so it does not happen.
fn numbers<'a>(
    rules: &'a StateRules,
    input: &'a Input,
    local: &'a Local,
    lines: Vec<CaseLine<'a>>,
) -> Option<Reckoning<'a>> {
    let asked = Usd::checked_sum(lines.iter().map(|line| line.premium))?;
    let premium = Usd::checked_sum(lines.iter().map(|line| line.base))?;
    let charged_by = input.details.fee_charged_by.unwrap_or(rules.agency.assumed);
    let fees = fees::allowed(rules, input, &lines, asked)?;
    let (agency_fee, inspection_fee) = (fees.agency, fees.inspection);
    let case = Case { input, rules, local, lines, charged_by, premium, agency_fee, inspection_fee };
    let charges = charges::charge_all(&case)?;
    let mut amounts = Amounts { premium: case.signed(asked), ..Amounts::default() };
    amounts.charges.set(Charge::AgencyFee, case.signed(agency_fee));
    amounts.charges.set(Charge::InspectionFee, case.signed(inspection_fee));
    let local = local_tax::charge(&case, &mut amounts)?;
    let total = add_up(&mut amounts, charges.amounts().chain(local.amounts()))?;
    Some(Reckoning { case, fees, charges, local, amounts, total })
}

impl<'a> Reckoning<'a> {
    /// Amounts on the contract's fields.
    #[must_use]
    pub fn amounts(&self) -> &Amounts {
        &self.amounts
    }

    /// Premium, fees and all charges, USD: the sum of what is shown.
    #[must_use]
    pub fn total(&self) -> Usd {
        self.total
    }

    /// Documents that apply to this transaction.
    pub fn documents(&self) -> impl Iterator<Item = &'a Arc<StateDocument>> {
        notes::documents(&self.case)
    }

    /// The note for a date for which rates are not kept; `None` where they are.
    #[must_use]
    pub fn outside_kept_years(&self) -> Option<Arc<Note>> {
        notes::kept_years(&self.case)
    }

    /// The whole answer: the same numbers with titles, trace, notes, stamps and documents.
    #[must_use]
    pub fn quote(&self) -> Quote {
        let case = &self.case;
        let lines = charges::line_results(case);
        let mut notes = Vec::new();
        self.fees.explain(case, &mut notes);
        let mut traces = Vec::with_capacity(self.charges.count() + self.local.count());
        self.charges.explain(case, &lines, &mut traces, &mut notes);
        self.local.explain(case, &lines, &mut traces, &mut notes);
        notes::finish(case, &self.charges, &self.amounts, &mut notes);
        let matched = self.local.matched();
        Quote {
            total: self.total,
            charges: traces,
            lines,
            titles: Arc::clone(&case.rules.titles),
            agency_fee_taxable: case.rules.agency.of(case.charged_by).known(),
            inspection_fee_taxable: case.rules.inspection.known(),
            notes: Notes::new(notes, &case.rules.notes),
            stamps: notes::stamps(case),
            documents: Documents::new(&case.rules.documents, case.input),
            tax_rule: notes::tax_rule(case, !matched.is_empty(), self.local.city_rate(case)),
            local: matched,
            amounts: self.amounts.clone(),
        }
    }
}

/// Puts each charge on its field and answers the total: the sum of what is shown.
fn add_up(amounts: &mut Amounts, charged: impl Iterator<Item = (Charge, Usd)>) -> Option<Usd> {
    charged.map(|(charge, amount)| amounts.charges.add(charge, amount)).collect::<Option<()>>()?;
    let counted = Charge::ALL.into_iter().filter(|charge| charge.is_counted());
    Usd::checked_sum(counted.map(|charge| amounts.of(charge)))?.checked_add(amounts.premium)
}
