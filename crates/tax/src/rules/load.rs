//! From the text of a rule file to rules, refusing whatever is not complete.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Arc;

use bordereau_contract::{Charge, ChargeGroup, format_long_day, format_money, parse_calendar_day, pluralize};
use bordereau_money::{Rounding, Usd};
use chrono::NaiveDate;

use super::file::{
    AlternativeText, BasisOf, CapText, ChargeText, CheckedText, ExemptText, FeeText, FeesText, LineNoteText,
    PortionText, RateText, RuleFile, SourceText, StatusText, TaxExemptText,
};
use super::model::{
    AgencyFee, CapAlternative, CreditRule, Exemption, FeeCap, FeeChargerNotes, FeeRule, LineSelection,
    PremiumPortion, RatedCharge, RecordedValue, StateRules, TaxExemptRule,
};
use super::rate_series::{DatedRate, RateSeries, RateValue, SeriesProblem};
use super::stamps_and_documents::{read_document, read_stamps};
use super::wire_form;
use crate::answer::{Confidence, ConfidenceNote, FieldTitles, NoteLevel, QuoteNote, RuleSource, RuleText};
use crate::lines::{Class, StateCodes};
use crate::{ApplicableDocuments, ChargeRule, FeeChargedBy};

/// Why a rule file is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleProblem {
    /// Not TOML, an unknown key, a missing value.
    #[error("{0}")]
    Format(String),
    /// A value without a source.
    #[error("{place}: a source with a title, and an https address or `private = true`, is missing")]
    Source {
        /// Which value.
        place: String,
    },
    /// A charge's rates leave a gap, overlap or stand open.
    #[error("{charge}: {problem}")]
    Series {
        /// Kind of the charge.
        charge: String,
        /// What is wrong.
        problem: SeriesProblem,
    },
    /// A value that makes no sense.
    #[error("{place}: {message}")]
    Value {
        /// Which value.
        place: String,
        /// What was found, what is expected.
        message: String,
    },
}

pub(super) fn value_problem(place: &str, message: impl Into<String>) -> RuleProblem {
    RuleProblem::Value { place: place.into(), message: message.into() }
}

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

pub(super) fn read_confidence(text: &CheckedText) -> ConfidenceNote {
    ConfidenceNote { level: text.level, text: text.text.as_str().into() }
}

/// How sure a value is, how many sources stand behind it, and of when.
fn derive_confidence(
    text: &CheckedText,
    sources: &[RuleSource],
    checked_on: NaiveDate,
    place: &str,
) -> Result<ConfidenceNote, RuleProblem> {
    if text.level == Confidence::Confirmed && sources.iter().all(|source| source.url.is_empty()) {
        return Err(value_problem(place, "what only private sources say is secondary, not confirmed"));
    }
    // Two pages of one site are one source.
    let mut sites: Vec<&str> = sources.iter().map(source_site).collect();
    sites.sort_unstable();
    sites.dedup();
    let count = pluralize(sites.len(), "source");
    let (level, words) = (text.level, &text.text);
    let has_year = words.split(|c: char| !c.is_ascii_digit()).any(|number| number.len() == 4);
    let text = if has_year {
        format!("{words}; {count}")
    } else {
        format!("{words}; {count}, checked {}", format_long_day(checked_on))
    };
    Ok(ConfidenceNote { level, text: text.into() })
}

/// What tells two sources apart: the site, or the title of a private one.
fn source_site(source: &RuleSource) -> &str {
    let address = source.url.split("//").nth(1).and_then(|rest| rest.split('/').next());
    address.map_or(&*source.title, |host| host.trim_start_matches("www."))
}

pub(super) fn read_source(text: &SourceText, place: &str) -> Result<RuleSource, RuleProblem> {
    let is_address = |url: &String| {
        let address = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
        address.is_some_and(|a| a.len() >= 4 && !a.contains(char::is_whitespace))
    };
    let url = match (&text.url, text.private) {
        (Some(url), false) if is_address(url) => url.as_str(),
        (None, true) => "",
        _ => return Err(RuleProblem::Source { place: place.into() }),
    };
    if text.title.trim().is_empty() {
        return Err(RuleProblem::Source { place: place.into() });
    }
    Ok(RuleSource { title: text.title.as_str().into(), url: url.into() })
}

fn read_sources(texts: &[SourceText], place: &str) -> Result<Arc<[RuleSource]>, RuleProblem> {
    if texts.is_empty() {
        return Err(RuleProblem::Source { place: place.into() });
    }
    texts.iter().map(|text| read_source(text, place)).collect()
}

fn shared_note(level: NoteLevel, code: &str, text: &str, source: Option<RuleSource>) -> Arc<QuoteNote> {
    QuoteNote::new(level, code, text, source.as_ref())
}

fn parse_date(text: &str, place: &str) -> Result<NaiveDate, RuleProblem> {
    parse_calendar_day(text)
        .ok_or_else(|| value_problem(place, format!("\"{text}\" is not a date like 2026-07-01")))
}

pub(super) fn optional_date(text: Option<&String>, place: &str) -> Result<Option<NaiveDate>, RuleProblem> {
    text.map(|text| parse_date(text, place)).transpose()
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

fn read_charge(
    text: &ChargeText,
    agency: &AgencyFee,
    inspection: &FeeRule,
    titles: &FieldTitles,
    checked_on: NaiveDate,
) -> Result<RatedCharge, RuleProblem> {
    let (retail_fee, licensee_fee, inspection_fee) = match text.basis {
        BasisOf::Premium | BasisOf::Flat => (false, false, false),
        BasisOf::PremiumAndTaxableFees => (agency.retail.taxed, agency.licensee.taxed, inspection.taxed),
        BasisOf::PremiumAndInspectionFee => (false, false, inspection.taxed),
        BasisOf::PremiumAndBothFees => (true, true, true),
    };
    let credit = text.credit.unwrap_or(CreditRule::Mirrored);
    if text.once_per_policy && credit == CreditRule::Mirrored {
        return Err(value_problem(&text.kind, "a charge that falls once says when it is given back"));
    }
    if text.field.is_asked() {
        return Err(value_problem(&text.kind, "a fee is asked with the question; no rule charges it"));
    }
    let title = text.title.as_deref().unwrap_or_else(|| titles.of(text.field));
    let named = SharedRateTerms {
        kind: text.kind.as_str().into(),
        title: title.into(),
        dated_by: text.dated_by.as_str().into(),
        rounding: text.rounding.unwrap_or(Rounding::Cent),
    };
    let mut rates = Vec::new();
    for rate in &text.rate {
        rates.push(dated_rate(rate, text, &named, checked_on)?);
    }
    let entered = text.rate_entered.then(|| entered_rate_rule(&rates, text.field, &named)).flatten();
    let said = |level, code: &str, words: &str| shared_note(level, code, &format!("{title}: {words}"), None);
    let series = RateSeries::new(rates, text.begins, text.ends)
        .map_err(|problem| RuleProblem::Series { charge: text.kind.clone(), problem })?;
    Ok(RatedCharge {
        kind: named.kind,
        field: text.field,
        title: named.title,
        // A fee is no tax: it stays when the insured is tax exempt.
        is_tax: text.is_tax.unwrap_or(text.field.group() == ChargeGroup::Tax),
        retail_fee,
        licensee_fee,
        inspection_fee,
        basis_text: text.basis_text.as_str().into(),
        selection: read_selection(text)?,
        portions: text.portion.iter().map(|part| read_portion(part, &text.kind)).collect::<Result<_, _>>()?,
        portion_advice: text.portion_advice.as_deref().map(RuleText::from),
        entered,
        once_per_policy: text.once_per_policy,
        credit,
        reinstatement_charged: text.reinstatement_charged,
        except_purchasing_groups: text.except_purchasing_groups,
        rounding: named.rounding,
        extension_by_own_date: text.extension_by_own_date,
        dated_by: named.dated_by,
        admitted: text.admitted,
        unsure_lines: text.unsure_lines.as_ref().map(|words| said(NoteLevel::Warning, "lines_not_sure", words)),
        occupancy_unsaid: (!text.occupancy.is_empty()).then(|| said(NoteLevel::Warning, "occupancy_not_answered", "it depends on how the insured holds the dwelling. That was not answered, so it is charged here: answer the question.")),
        charged_once: (text.once_per_policy && credit == CreditRule::Never).then(|| said(NoteLevel::Info, "charged_once", "charged once and never given back. If this policy replaces one that was canceled flat, check whether it was charged already.")),
        return_unknown: text.credit.is_none().then(|| said(NoteLevel::Warning, "return_not_found", "whether it is given back with a returned premium was not found. It is credited here like the premium: ask the state or its stamping office.")),
        reinstated: (credit == CreditRule::FlatCancellationOnly && !text.reinstatement_charged).then(|| said(NoteLevel::Warning, "reinstated", "already charged on the policy, so not charged again. If the policy had been canceled flat, it was given back and is due again: add it.")),
        unknown_rate: said(
            NoteLevel::Warning,
            "no_rate_in_force",
            text.unknown_text.as_deref().unwrap_or("no rate is known for this date, so nothing is charged for it."),
        ),
        payee: text.payee.as_deref().map(RuleText::from),
        series,
    })
}

fn read_portion(text: &PortionText, place: &str) -> Result<PremiumPortion, RuleProblem> {
    let mut on = select_lines(&text.classes, &text.lines, place)?;
    on.state_codes = StateCodes::new(shared_texts(&text.state_codes));
    on.except_lines = shared_texts(&text.except_lines).collect();
    let from = optional_date(text.from.as_ref(), place)?;
    Ok(PremiumPortion { on, from, portion: text.portion, name: text.name.as_str().into() })
}

/// What a charge at an entered rate says, but for the rate.
fn entered_rate_rule(rates: &[DatedRate], field: Charge, named: &SharedRateTerms) -> Option<ChargeRule> {
    Some(ChargeRule {
        kind: named.kind.clone(),
        field,
        title: named.title.clone(),
        rate: None,
        at_most: None,
        flat: None,
        rounding: named.rounding,
        from: None,
        until: None,
        dated_by: named.dated_by.clone(),
        sources: rates.last()?.sources.clone(),
        checked: ConfidenceNote { level: Confidence::NotFound, text: "the rate was entered by hand".into() },
        note: None,
    })
}

fn shared_texts(list: &[String]) -> impl Iterator<Item = RuleText> {
    list.iter().map(|text| RuleText::from(text.as_str()))
}

fn class_bits(names: &[String], place: &str) -> Result<u64, RuleProblem> {
    names.iter().try_fold(0, |bits, name| {
        let class = Class::from_str(name).map_err(|e| value_problem(place, e.to_string()))?;
        Ok(bits | LineSelection::class_bit(class))
    })
}

/// Lines of the classes or of the generic codes; all lines where neither is named.
fn select_lines(classes: &[String], lines: &[String], place: &str) -> Result<LineSelection, RuleProblem> {
    let all = classes.is_empty() && lines.is_empty();
    Ok(LineSelection {
        classes: if all { LineSelection::ALL } else { class_bits(classes, place)? },
        lines: shared_texts(lines).collect(),
        except_lines: Vec::new(),
        personal: None,
        occupancy: Vec::new(),
        state_codes: StateCodes::new(std::iter::empty()),
    })
}

fn read_selection(text: &ChargeText) -> Result<LineSelection, RuleProblem> {
    // Beside all classes but some, the codes bring single lines of those back.
    let classes_of_all = text.classes.is_empty() && !text.except_classes.is_empty();
    let mut on = select_lines(&text.classes, &text.lines, &text.kind)?;
    if classes_of_all {
        on.classes = LineSelection::ALL;
    }
    on.classes &= !class_bits(&text.except_classes, &text.kind)?;
    on.except_lines = shared_texts(&text.except_lines).collect();
    (on.personal, on.occupancy) = (text.personal, text.occupancy.clone());
    let portions = text.portion.iter().flat_map(|portion| shared_texts(&portion.state_codes));
    on.state_codes = StateCodes::new(shared_texts(&text.state_codes).chain(portions));
    Ok(on)
}

/// What the rates of a charge have in common.
struct SharedRateTerms {
    kind: RuleText,
    title: RuleText,
    dated_by: RuleText,
    rounding: Rounding,
}

fn dated_rate(
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
