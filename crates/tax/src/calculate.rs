//! One question, one answer: from the lines and fees to every charge.
//!
//! Everything is computed as a positive amount and turned at the very end for a credit: so a credit is
//! the exact negative of its charge.

mod charges;
mod fees;
mod local_tax;
mod notes;
mod question;

use std::sync::Arc;

use bordereau_contract::{Charge, Jurisdiction, StateDocument};
use bordereau_money::Usd;

use crate::answer::{Quote, QuoteAmounts, QuoteNote};
use crate::lines::BusinessLine;
use crate::rulebook::LocalTables;
use crate::rules::StateRules;
use crate::trace::LineSet;
use crate::{ApplicableDocuments, FeeChargedBy, InputProblem, LineNames, QuoteInput, QuoteNotes};

/// What every step works on.
#[derive(Debug)]
pub(crate) struct QuoteCase<'a> {
    pub input: &'a QuoteInput,
    pub rules: &'a StateRules,
    pub local: &'a LocalTables,
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
    pub line: &'a BusinessLine,
    /// Its names in the state.
    pub names: &'a Arc<LineNames>,
    /// The premium as it was asked, USD, positive.
    pub premium: Usd,
    /// What the charges are computed on: the premium, rounded where the state enters whole dollars.
    pub base: Usd,
}

impl<'a> QuoteCase<'a> {
    pub(crate) fn state(&self) -> Jurisdiction {
        self.rules.state
    }

    /// Places of the lines that are taken.
    pub(crate) fn lines_where(&self, taken: impl Fn(&CaseLine<'a>) -> bool) -> LineSet {
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
    pub(crate) fn with_sign(&self, amount: Usd) -> Usd {
        if self.input.transaction_type.is_credit() { amount.negated() } else { amount }
    }
}

/// A calculation in numbers: every amount, and no words yet.
///
/// This is the one calculation there is. [`TaxCalculation::to_quote`] puts it into words without computing any
/// amount again, so the amounts and their explanation cannot differ.
#[derive(Debug)]
pub struct TaxCalculation<'a> {
    case: QuoteCase<'a>,
    fees: fees::AllowedFees<'a>,
    charges: charges::ComputedCharges<'a>,
    local: local_tax::LocalTaxes<'a>,
    amounts: QuoteAmounts,
    total: Usd,
}

/// Computes, or names everything wrong with the question.
pub(crate) fn calculate_amounts<'a>(
    rules: &'a StateRules,
    input: &'a QuoteInput,
    local: &'a LocalTables,
) -> Result<TaxCalculation<'a>, Vec<InputProblem>> {
    let lines = question::resolve_lines(rules, input, local)?;
    compute_numbers(rules, input, local, lines).ok_or_else(question::too_large)
}

/// `None` when an amount no longer fits; the limits of a question leave room, so it does not happen.
fn compute_numbers<'a>(
    rules: &'a StateRules,
    input: &'a QuoteInput,
    local: &'a LocalTables,
    lines: Vec<CaseLine<'a>>,
) -> Option<TaxCalculation<'a>> {
    let asked = Usd::checked_sum(lines.iter().map(|line| line.premium))?;
    let premium = Usd::checked_sum(lines.iter().map(|line| line.base))?;
    let charged_by = input.details.fee_charged_by.unwrap_or(rules.agency.assumed);
    let fees = fees::compute_allowed_fees(rules, input, &lines, asked)?;
    let (agency_fee, inspection_fee) = (fees.agency, fees.inspection);
    let case = QuoteCase { input, rules, local, lines, charged_by, premium, agency_fee, inspection_fee };
    let charges = charges::charge_all(&case)?;
    let mut amounts = QuoteAmounts { premium: case.with_sign(asked), ..QuoteAmounts::default() };
    amounts.charges.set(Charge::AgencyFee, case.with_sign(agency_fee));
    amounts.charges.set(Charge::InspectionFee, case.with_sign(inspection_fee));
    let local = local_tax::compute_local_taxes(&case, &mut amounts)?;
    let total = add_up(&mut amounts, charges.field_amounts().chain(local.field_amounts()))?;
    Some(TaxCalculation { case, fees, charges, local, amounts, total })
}

impl<'a> TaxCalculation<'a> {
    /// Amounts on the contract's fields.
    pub fn amounts(&self) -> &QuoteAmounts {
        &self.amounts
    }

    /// Premium, fees and all charges, USD: the sum of what is shown.
    pub fn total(&self) -> Usd {
        self.total
    }

    /// Documents that apply to this transaction.
    pub fn documents(&self) -> impl Iterator<Item = &'a Arc<StateDocument>> {
        notes::applicable_documents(&self.case)
    }

    /// The note for a date for which rates are not kept; `None` where they are.
    pub fn outside_rate_years(&self) -> Option<Arc<QuoteNote>> {
        notes::rate_years_note(&self.case)
    }

    /// The charges that are due and that nobody can compute, each with the note that says why: no rate is known for the
    /// day, or the table of local taxes has not the place. What else is on the field is in its amount.
    pub fn unknown_charges(&self) -> Vec<(Charge, Arc<QuoteNote>)> {
        self.charges.unknown().chain(self.local.unknown(&self.case)).collect()
    }

    /// The charges that may be due or not, with what is charged for them: nobody said how the insured holds the dwelling.
    pub fn unanswered_charges(&self) -> Vec<(Charge, Usd)> {
        self.charges.unanswered(&self.case).collect()
    }

    /// The whole answer: the same numbers with titles, trace, notes, stamps and documents.
    pub fn to_quote(&self) -> Quote {
        let case = &self.case;
        let lines = charges::line_results(case);
        let mut notes = Vec::new();
        self.fees.add_notes(case, &mut notes);
        let mut traces = Vec::with_capacity(self.charges.count() + self.local.count());
        self.charges.add_traces(case, &lines, &mut traces, &mut notes);
        self.local.add_traces(case, &lines, &mut traces, &mut notes);
        notes::add_question_notes(case, &self.charges, &self.amounts, &mut notes);
        let matched = self.local.matched_jurisdictions();
        Quote {
            total: self.total,
            charges: traces,
            lines,
            titles: Arc::clone(&case.rules.titles),
            agency_fee_taxable: case.rules.agency.rule_for(case.charged_by).taxed_if_known(),
            inspection_fee_taxable: case.rules.inspection.taxed_if_known(),
            notes: QuoteNotes::new(notes, &case.rules.notes),
            stamps: notes::stamps_in_use(case),
            documents: ApplicableDocuments::new(&case.rules.documents, case.input),
            tax_rule: notes::tax_rule(case, !matched.is_empty(), self.local.city_rate(case)),
            local: matched,
            amounts: self.amounts.clone(),
        }
    }
}

/// Puts each charge on its field and answers the total: the sum of what is shown.
fn add_up(amounts: &mut QuoteAmounts, charged: impl Iterator<Item = (Charge, Usd)>) -> Option<Usd> {
    charged.map(|(charge, amount)| amounts.charges.add(charge, amount)).collect::<Option<()>>()?;
    let counted = Charge::ALL.into_iter().filter(|charge| charge.is_counted());
    Usd::checked_sum(counted.filter_map(|charge| amounts.charges.get(charge)))?.checked_add(amounts.premium)
}
