//! From the text of a rule file to rules, refusing whatever is not complete.

mod charges;
mod rates;

use std::collections::BTreeMap;
use std::sync::Arc;

use bordereau_contract::Charge;
use chrono::NaiveDate;

use self::charges::read_charge;
use super::file::{
    AlternativeText, CapText, ExemptText, FeeText, FeesText, LineNoteText, RuleFile, TaxExemptText,
};
use super::model::{
    AgencyFee, CapAlternative, Exemption, FeeCap, FeeChargerNotes, FeeRule, LineSelection, RatedCharge,
    RecordedValue, StateRules, TaxExemptRule,
};
use super::stamps_and_documents::{read_document, read_stamps};
use super::values::{
    RuleProblem, derive_confidence, optional_date, parse_date, read_source, read_sources, select_lines,
    shared_note, shared_texts, value_problem,
};
use super::wire_form;
use crate::answer::{Confidence, FieldTitles, NoteLevel, QuoteNote};
use crate::{ApplicableDocuments, FeeChargedBy};

/// Reads one rule file.
///
/// # Errors
/// [`RuleProblem`] for the first thing that is not complete.
pub(crate) fn read(text: &str) -> Result<StateRules, RuleProblem> {
    let file: RuleFile = toml::from_str(text).map_err(|e| RuleProblem::Format(e.to_string()))?;
    let titles = Arc::new(read_titles(&file.titles));
    let checked_on = parse_date(&file.checked_on, "checked_on")?;
    let mut agency = agency_fee(&file.fees, checked_on)?;
    let inspection = read_fee(&file.fees.inspection, "inspection fee", checked_on)?;
    let mut charges = Vec::new();
    for text in &file.charge {
        charges.push(read_charge(text, &agency, &inspection, &titles, checked_on)?);
    }
    if charges.iter().any(|charge| charge.retail_fee != charge.licensee_fee) {
        agency.told = Some(fee_charger_notes(&agency));
    }
    let caps = file.fee_cap.iter().map(|text| read_cap(text, checked_on)).collect::<Result<Vec<_>, _>>()?;
    let exemptions = file
        .exempt
        .iter()
        .map(|text| read_exemption(text, &charges, checked_on))
        .collect::<Result<_, _>>()?;
    let tax_exempt =
        file.tax_exempt_insured.as_ref().map(|text| read_tax_exempt(text, checked_on)).transpose()?;
    let mut recorded = Vec::new();
    for text in &file.recorded {
        let sources = read_sources(&text.source, &text.kind)?;
        recorded.push(RecordedValue {
            kind: text.kind.as_str().into(),
            why: text.why.as_str().into(),
            value: text.value.as_str().into(),
            text: text.text.as_str().into(),
            checked: derive_confidence(&text.checked, &sources, checked_on, &text.kind)?,
            sources,
        });
    }
    let (mut notes, mut fee_notes) = (Vec::new(), Vec::new());
    for text in &file.note {
        let from = text.source.as_ref().map(|s| read_source(s, &text.code)).transpose()?;
        let place = if text.only_with_fees { &mut fee_notes } else { &mut notes };
        place.push(shared_note(text.level, &text.code, &text.text, from));
    }
    if file.document.len() > ApplicableDocuments::MAX {
        let message =
            format!("{} documents; at most {} are expected", file.document.len(), ApplicableDocuments::MAX);
        return Err(value_problem("document", message));
    }
    let mut rules = StateRules {
        state: file.state,
        checked_on,
        titles,
        premium_rounding: file.premium_rounding,
        no_fee_with_commission: file.no_fee_with_commission,
        local_tax: file.local_tax,
        agency,
        inspection,
        caps,
        exemptions,
        tax_exempt,
        charges,
        recorded,
        notes: notes.into(),
        fee_notes,
        line_notes: file.line_note.iter().map(line_note).collect::<Result<_, _>>()?,
        stamps: read_stamps(&file.stamp)?,
        documents: file.document.iter().map(read_document).collect::<Result<_, _>>()?,
        tax_rules: Vec::new(),
    };
    rules.tax_rules = wire_form::tax_rules(&rules, &file);
    Ok(rules)
}

/// Reads one rule file and says which jurisdiction it is of: what a test or a check of a new file needs.
///
/// # Errors
/// [`RuleProblem`] for the first thing that is not complete.
pub fn parse(text: &str) -> Result<bordereau_contract::Jurisdiction, RuleProblem> {
    read(text).map(|rules| rules.state)
}

fn read_titles(text: &BTreeMap<Charge, String>) -> FieldTitles {
    FieldTitles(
        Charge::ALL
            .map(|charge| text.get(&charge).cloned().unwrap_or_else(|| charge.printed_title().to_owned())),
    )
}

/// The agency fee: one rule, or one for each of those who may charge it.
fn agency_fee(text: &FeesText, checked_on: NaiveDate) -> Result<AgencyFee, RuleProblem> {
    let (retail, licensee, assumed) = match (&text.agency, &text.retail, &text.licensee, text.assumed) {
        (Some(both), None, None, None) => {
            let rule = Arc::new(read_fee(both, "agency fee", checked_on)?);
            (Arc::clone(&rule), rule, FeeChargedBy::SurplusLinesLicensee)
        }
        (None, Some(retail), Some(licensee), Some(assumed)) => (
            Arc::new(read_fee(retail, "agency fee (charged by the retail agent)", checked_on)?),
            Arc::new(read_fee(licensee, "agency fee (charged by the surplus lines licensee)", checked_on)?),
            assumed,
        ),
        _ => {
            return Err(value_problem("fees", "either agency, or retail, licensee and assumed, is expected"));
        }
    };
    Ok(AgencyFee { retail, licensee, assumed, told: None })
}

/// What is said of who charges the agency fee.
fn fee_charger_notes(fee: &AgencyFee) -> FeeChargerNotes {
    let taxed = |by| if fee.rule_for(by).taxed { "taxed" } else { "not taxed" };
    let (retail, licensee) = (FeeChargedBy::RetailAgent, FeeChargedBy::SurplusLinesLicensee);
    let say = |by: FeeChargedBy, other: FeeChargedBy, assumed: bool| {
        let (level, how) = if assumed {
            (NoteLevel::Warning, "nothing says who charges it, so it is assumed to be charged by")
        } else {
            (NoteLevel::Info, "it is charged by")
        };
        let words = format!(
            "Agency fee: {how} the {}, and is {} in this state; charged by the {}, it would be {}. {}",
            by.title().to_lowercase(),
            taxed(by),
            other.title().to_lowercase(),
            taxed(other),
            fee.rule_for(by).text
        );
        shared_note(level, "fee_charged_by", &words, fee.rule_for(by).sources.first().cloned())
    };
    let other = if fee.assumed == retail { licensee } else { retail };
    FeeChargerNotes {
        retail: say(retail, licensee, false),
        licensee: say(licensee, retail, false),
        assumed: say(fee.assumed, other, true),
    }
}

fn read_exemption(
    text: &ExemptText,
    charges: &[RatedCharge],
    checked_on: NaiveDate,
) -> Result<Exemption, RuleProblem> {
    let sources = read_sources(&text.source, "exempt")?;
    if let Some(unknown) = text.charges.iter().find(|kind| charges.iter().all(|c| &*c.kind != kind.as_str()))
    {
        return Err(value_problem("exempt", format!("there is no charge \"{unknown}\"")));
    }
    // One that takes off no charge depends on more than the insured: the person has to look.
    let usual = if text.charges.is_empty() { NoteLevel::Warning } else { NoteLevel::Info };
    let level = text.level.unwrap_or(usual);
    Ok(Exemption {
        entities: text.entities.clone(),
        charges: shared_texts(&text.charges).collect(),
        on: select_lines(&text.classes, &text.lines, "exempt")?,
        from: optional_date(text.from.as_ref(), "exempt")?,
        checked: derive_confidence(&text.checked, &sources, checked_on, "exempt")?,
        note: shared_note(level, "exempt_entity", &text.text, sources.first().cloned()),
    })
}

fn read_tax_exempt(text: &TaxExemptText, checked_on: NaiveDate) -> Result<TaxExemptRule, RuleProblem> {
    let place = "tax_exempt_insured";
    let sources = read_sources(&text.source, place)?;
    Ok(TaxExemptRule {
        charged: text.charged,
        text: text.text.as_str().into(),
        checked: derive_confidence(&text.checked, &sources, checked_on, place)?,
        sources,
    })
}

fn line_note(text: &LineNoteText) -> Result<(LineSelection, Arc<QuoteNote>), RuleProblem> {
    let on = select_lines(&text.classes, &text.lines, &text.code)?;
    Ok((on, shared_note(text.level, &text.code, &text.text, Some(read_source(&text.source, &text.code)?))))
}

fn read_fee(text: &FeeText, name: &str, checked_on: NaiveDate) -> Result<FeeRule, RuleProblem> {
    let sources = read_sources(&text.source, name)?;
    let checked = derive_confidence(&text.checked, &sources, checked_on, name)?;
    let (code, unsure) = match text.checked.level {
        Confidence::Confirmed | Confidence::Announced => ("", ""),
        Confidence::Secondary => ("fee_secondary", "only private tables or a carrier's tests say"),
        Confidence::Older => ("fee_older", "only an older page was found"),
        Confidence::Conflicting => ("fee_conflicting", "the sources disagree"),
        Confidence::NotFound => ("fee_not_found", "this was not found"),
    };
    let done = if text.taxed { "taxed" } else { "not taxed" };
    let caution = (!code.is_empty()).then(|| {
        let words = format!("Whether the {name} is taxed: {unsure}. It is {done} here. {}", text.text);
        shared_note(NoteLevel::Warning, code, &words, sources.first().cloned())
    });
    Ok(FeeRule { taxed: text.taxed, text: text.text.as_str().into(), checked, sources, caution })
}

fn read_cap(text: &CapText, checked_on: NaiveDate) -> Result<FeeCap, RuleProblem> {
    let alternative = |a: &AlternativeText| match (a.flat, a.percent) {
        (Some(flat), None) if a.at_most.is_none() => Ok(CapAlternative::Flat(flat)),
        (None, Some(percent)) => Ok(CapAlternative::Percent(percent, a.at_most)),
        _ => Err(value_problem("fee_cap", "either flat, or percent with or without at_most, is expected")),
    };
    if text.alternative.is_empty() {
        return Err(value_problem("fee_cap", "no alternative"));
    }
    let sources = read_sources(&text.source, "fee_cap")?;
    let (from, until) =
        (optional_date(text.from.as_ref(), "fee_cap")?, optional_date(text.until.as_ref(), "fee_cap")?);
    if from.zip(until).is_some_and(|(from, until)| until < from) {
        return Err(value_problem("fee_cap", "it ends before it begins"));
    }
    Ok(FeeCap {
        scope: text.lines,
        from,
        until,
        alternatives: text.alternative.iter().map(alternative).collect::<Result<_, _>>()?,
        enforced: text.enforced,
        text: text.text.as_str().into(),
        checked: derive_confidence(&text.checked, &sources, checked_on, "fee_cap")?,
        sources,
    })
}
