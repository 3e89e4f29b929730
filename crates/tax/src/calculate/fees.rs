//! Which fees may be charged at all: limits, and fees beside a commission.

use std::sync::Arc;

use bordereau_money::{Rounding, Usd};

use super::{CaseLine, QuoteCase};
use crate::QuoteInput;
use crate::answer::{NoteLevel, QuoteNote, RuleSource};
use crate::rules::{CapAlternative, CapScope, FeeCap, StateRules};

/// The fees that are charged, and what was done to them.
#[derive(Debug)]
pub(super) struct AllowedFees<'r> {
    pub agency: Usd,
    pub inspection: Usd,
    changes: Vec<FeeChange<'r>>,
}

/// What a rule says about the agency fee that was asked.
#[derive(Debug)]
enum FeeChange<'r> {
    /// A commission is received: no fee beside it.
    Commission { fee: Usd },
    /// The fee is above a limit, which lowers it where it is enforced.
    Limit { cap: &'r FeeCap, fee: Usd, limit: Usd },
}

/// The fees that are charged.
pub(super) fn compute_allowed_fees<'r>(
    rules: &'r StateRules,
    input: &QuoteInput,
    lines: &[CaseLine<'_>],
    premium: Usd,
) -> Option<AllowedFees<'r>> {
    let mut allowed =
        AllowedFees { agency: input.agency_fee, inspection: input.inspection_fee, changes: Vec::new() };
    if rules.no_fee_with_commission && input.commission_received && !allowed.agency.is_zero() {
        allowed.changes.push(FeeChange::Commission { fee: allowed.agency });
        allowed.agency = Usd::ZERO;
    }
    let starts = input.transaction_type.starts_policy();
    let applies =
        |cap: &&FeeCap| cap.is_in_force(input.policy_effective) && applies_to_lines(cap.scope, lines);
    for cap in rules.caps.iter().filter(|_| starts).filter(applies) {
        let limit = fee_limit(cap, premium)?;
        if allowed.agency > limit {
            allowed.changes.push(FeeChange::Limit { cap, fee: allowed.agency, limit });
            if cap.enforced {
                allowed.agency = limit;
            }
        }
    }
    Some(allowed)
}

impl AllowedFees<'_> {
    /// A note for each fee that was changed, and for each that is not sure.
    pub(super) fn add_notes(&self, case: &QuoteCase<'_>, notes: &mut Vec<Arc<QuoteNote>>) {
        for change in &self.changes {
            notes.push(change.to_note(case.rules));
        }
        if !self.agency.is_zero() {
            let agency = &case.rules.agency;
            notes.extend(agency.charger_note(case.input.details.fee_charged_by).cloned());
            notes.extend(agency.rule_for(case.charged_by).caution.clone());
        }
        if !self.inspection.is_zero() {
            notes.extend(case.rules.inspection.caution.clone());
        }
    }
}

impl FeeChange<'_> {
    fn to_note(&self, rules: &StateRules) -> Arc<QuoteNote> {
        match self {
            FeeChange::Commission { fee } => {
                let words = format!(
                    "A commission is received, so no fee may be charged for the same work: the agency fee {} was set to 0.00.",
                    fee.to_grouped()
                );
                adjustment_note(&words, rules.agency.licensee.sources.first())
            }
            FeeChange::Limit { cap, fee, limit } => {
                let (fee, limit) = (fee.to_grouped(), limit.to_grouped());
                if cap.enforced {
                    let words = format!("The agency fee {fee} was lowered to {limit}. {}", cap.text);
                    adjustment_note(&words, cap.sources.first())
                } else {
                    let words =
                        format!("The agency fee {fee} is above {limit}; it was left as it is. {}", cap.text);
                    QuoteNote::new(NoteLevel::Warning, "fee_above_limit", &words, cap.sources.first())
                }
            }
        }
    }
}

fn applies_to_lines(scope: CapScope, lines: &[CaseLine<'_>]) -> bool {
    let personal = || lines.iter().all(|asked| asked.line.personal);
    match scope {
        CapScope::All => true,
        CapScope::Personal => personal(),
        CapScope::Commercial => !personal(),
    }
}

/// The limit of a fee: the largest alternative.
fn fee_limit(cap: &FeeCap, premium: Usd) -> Option<Usd> {
    let mut largest = Usd::ZERO;
    for alternative in &cap.alternatives {
        largest = largest.max(alternative_limit(*alternative, premium)?);
    }
    Some(largest)
}

/// What one alternative allows, to the cent.
pub(crate) fn alternative_limit(alternative: CapAlternative, premium: Usd) -> Option<Usd> {
    match alternative {
        CapAlternative::Flat(amount) => Some(amount),
        CapAlternative::Percent(rate, at_most) => {
            let amount = premium.checked_mul(rate)?.round(Rounding::Cent);
            Some(at_most.map_or(amount, |most| amount.min(most)))
        }
    }
}

fn adjustment_note(words: &str, source: Option<&RuleSource>) -> Arc<QuoteNote> {
    QuoteNote::new(NoteLevel::Warning, "fee_adjusted", words, source)
}
