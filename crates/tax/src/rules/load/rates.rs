//! The rates of a charge, each with its days.

use std::sync::Arc;

use bordereau_contract::format_money;
use bordereau_money::{Rounding, Usd};
use chrono::NaiveDate;

use crate::ChargeRule;
use crate::answer::{Confidence, ConfidenceNote, NoteLevel, QuoteNote, RuleSource, RuleText};
use crate::rules::file::{BasisOf, ChargeText, RateText, StatusText};
use crate::rules::rate_series::{DatedRate, RateValue};
use crate::rules::values::{
    RuleProblem, derive_confidence, optional_date, read_sources, shared_note, value_problem,
};

/// What the rates of a charge have in common.
pub(super) struct SharedRateTerms {
    pub(super) kind: RuleText,
    pub(super) title: RuleText,
    pub(super) dated_by: RuleText,
    pub(super) rounding: Rounding,
}

pub(super) fn dated_rate(
    text: &RateText,
    charge: &ChargeText,
    named: &SharedRateTerms,
    checked_on: NaiveDate,
) -> Result<DatedRate, RuleProblem> {
    let place = charge.kind.as_str();
    let is_amount = |amount: Usd| !amount.is_negative() && amount.is_whole_cents();
    let value = match (text.rate, text.flat, charge.basis) {
        (Some(rate), None, basis) if !matches!(basis, BasisOf::Flat) => {
            RateValue::Percent(rate, text.at_most)
        }
        (None, Some(flat), BasisOf::Flat) if is_amount(flat) && text.at_most.is_none() => {
            RateValue::Flat(flat)
        }
        _ => return Err(value_problem(place, "a rate, or with basis flat an amount, is expected")),
    };
    if text.at_most.is_some_and(|most| {
        !is_amount(most) || most != most.round(named.rounding) || !charge.portion.is_empty()
    }) {
        return Err(value_problem(
            place,
            "at_most is an amount as the charge is rounded, of a charge on the whole premium",
        ));
    }
    let sources = read_sources(&text.source, place)?;
    let checked = derive_confidence(&text.checked, &sources, checked_on, place)?;
    let caution = caution_note(text, charge, &checked, sources.first().cloned());
    let (from, until) =
        (optional_date(text.from.as_ref(), place)?, optional_date(text.until.as_ref(), place)?);
    let note = text.note.as_deref().map(RuleText::from);
    let rule = ChargeRule {
        kind: named.kind.clone(),
        field: charge.field,
        title: named.title.clone(),
        rate: text.rate,
        at_most: text.at_most,
        flat: text.flat,
        rounding: named.rounding,
        from,
        until,
        dated_by: named.dated_by.clone(),
        sources: sources.clone(),
        checked: checked.clone(),
        note: note.clone(),
    };
    Ok(DatedRate {
        from,
        known_from: optional_date(text.known_from.as_ref(), place)?,
        until,
        end_not_found: text.end_not_found,
        gap_after: text.gap_after,
        value,
        announced: text.status == StatusText::Announced,
        checked,
        sources,
        note,
        charged_before: text.at_most.map(|most| {
            let words = format!(
                "{}: a policy is charged {} at most. What was charged on it before is not known here: check the amount.",
                named.title,
                format_money(most)
            );
            shared_note(NoteLevel::Warning, "charged_before", &words, None)
        }),
        rule: Arc::new(rule),
        caution,
    })
}

fn caution_note(
    text: &RateText,
    charge: &ChargeText,
    checked: &ConfidenceNote,
    source: Option<RuleSource>,
) -> Option<Arc<QuoteNote>> {
    let (level, code, words) = match text.checked.level {
        Confidence::Confirmed => return None,
        Confidence::Announced => (NoteLevel::Info, "rate_announced", "announced, not in force when checked"),
        Confidence::Secondary => {
            (NoteLevel::Info, "rate_secondary", "only private tables or a carrier's tests say it")
        }
        Confidence::Older => (NoteLevel::Info, "rate_older", "only an older page was found"),
        Confidence::Conflicting => (NoteLevel::Warning, "rate_conflicting", "the sources disagree"),
        Confidence::NotFound => (NoteLevel::Warning, "rate_not_found", "this was not found"),
    };
    let name = charge.title.as_deref().unwrap_or(&charge.kind).replace('_', " ");
    let remark = text.note.as_deref().map(|note| format!(" {note}")).unwrap_or_default();
    Some(shared_note(level, code, &format!("{name}: {words} ({}).{remark}", checked.text), source))
}
