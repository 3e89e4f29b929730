//! Which fees may be charged at all: limits, and fees beside a commission.

use std::sync::Arc;

use bordereau_contract::TransactionType;
use bordereau_money::{Rounding, Usd};

use crate::Input;
use crate::answer::{Note, NoteLevel, Source, Text};
use crate::lines::Line;
use crate::rules::{Cap, CapAlternative, Scope, StateRules};

/// The fees that are charged, and a note for each that was changed.
pub(super) fn allowed(
    rules: &StateRules,
    input: &Input,
    lines: &[(&Line, Usd)],
    premium: Usd,
    notes: &mut Vec<Arc<Note>>,
) -> Option<(Usd, Usd)> {
    let mut agency_fee = input.agency_fee;
    if rules.no_fee_with_commission && input.commission_received && !agency_fee.is_zero() {
        let words = format!(
            "A commission is received, so no fee may be charged for the same work: the agency fee {} was set to 0.00.",
            agency_fee.to_grouped()
        );
        notes.push(adjusted(&words, rules.agency.sources.first()));
        agency_fee = Usd::ZERO;
    }
    let starts = matches!(
        input.transaction_type,
        TransactionType::New | TransactionType::Renewal | TransactionType::Binder
    );
    for cap in rules.caps.iter().filter(|cap| starts && concerns(cap.scope, lines)) {
        let limit = limit(cap, premium, Usd::ZERO)?;
        if agency_fee <= limit {
            continue;
        }
        let (fee, limit_words) = (agency_fee.to_grouped(), limit.to_grouped());
        if cap.enforced {
            let words = format!("The agency fee {fee} was lowered to {limit_words}. {}", cap.text);
            notes.push(adjusted(&words, cap.sources.first()));
            agency_fee = limit;
        } else {
            let words =
                format!("The agency fee {fee} is above {limit_words}; it was left as it is. {}", cap.text);
            notes.push(note("fee_above_limit", &words, cap.sources.first()));
        }
    }
    if !agency_fee.is_zero()
        && let Some(caution) = &rules.agency.caution
    {
        notes.push(Arc::clone(caution));
    }
    if !input.inspection_fee.is_zero()
        && let Some(caution) = &rules.inspection.caution
    {
        notes.push(Arc::clone(caution));
    }
    Some((agency_fee, input.inspection_fee))
}

fn concerns(scope: Scope, lines: &[(&Line, Usd)]) -> bool {
    match scope {
        Scope::All => true,
        Scope::Personal => lines.iter().all(|(line, _)| line.personal),
    }
}

/// The limit of a fee: the largest alternative, less what else is paid where that counts.
pub(crate) fn limit(cap: &Cap, premium: Usd, other_pay: Usd) -> Option<Usd> {
    let mut largest = Usd::ZERO;
    for alternative in &cap.alternatives {
        largest = largest.max(alternative_limit(*alternative, premium)?);
    }
    if cap.other_pay_counts {
        largest = largest.checked_sub(other_pay)?.max(Usd::ZERO);
    }
    Some(largest)
}

/// What one alternative allows, to the cent.
pub(crate) fn alternative_limit(alternative: CapAlternative, premium: Usd) -> Option<Usd> {
    match alternative {
        CapAlternative::Flat(amount) => Some(amount),
        CapAlternative::Percent(rate, at_most) => {
            let amount = premium.checked_mul(rate)?.round(Rounding::CENT);
            Some(at_most.map_or(amount, |most| amount.min(most)))
        }
    }
}

fn adjusted(words: &str, source: Option<&Source>) -> Arc<Note> {
    note("fee_adjusted", words, source)
}

fn note(code: &str, words: &str, source: Option<&Source>) -> Arc<Note> {
    Arc::new(Note {
        level: NoteLevel::Warning,
        code: code.into(),
        text: Text::from(words),
        source: source.cloned(),
    })
}
