//! From the text of a rule file to rules, refusing whatever is not complete.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Arc;

use bordereau_contract::{Charge, parse_calendar_day};
use bordereau_money::{Rate, Rounding, Usd};
use chrono::NaiveDate;

use super::accompanying::{document, stamps};
use super::dated::{DatedRate, Series, SeriesProblem, Value};
use super::file::{
    AlternativeText, BasisOf, CapText, ChargeText, CheckedText, CreditText, ExemptText, FeeText, FeesText,
    LineNoteText, PortionText, RateText, RuleFile, ScopeText, SourceText, StatusText, UnitText,
};
use super::model::{
    AgencyFee, Cap, CapAlternative, Credit, Exemption, FeeRule, Portion, RatedCharge, Recorded, Scope,
    Selection, StateRules, Told,
};
use super::wire_form;
use crate::answer::{Checked, Confidence, Note, NoteLevel, Source, Text, Titles};
use crate::lines::{Class, StateCodes};
use crate::{ChargeRule, Documents, FeeChargedBy};

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
    let titles = Arc::new(titles(&file.titles));
    let checked_on = date(&file.checked_on, "checked_on")?;
    let mut agency = agency_fee(&file.fees, checked_on)?;
    let inspection = fee(&file.fees.inspection, "inspection fee", checked_on)?;
    let mut charges = Vec::new();
    for text in &file.charge {
        charges.push(charge(text, &agency, &inspection, &titles, checked_on)?);
    }
    if charges.iter().any(|charge| charge.retail_fee != charge.licensee_fee) {
        agency.told = Some(told(&agency));
    }
    let caps = file.fee_cap.iter().map(|text| cap(text, checked_on)).collect::<Result<Vec<_>, _>>()?;
    let exemptions =
        file.exempt.iter().map(|text| exemption(text, &charges, checked_on)).collect::<Result<_, _>>()?;
    let mut recorded = Vec::new();
    for text in &file.recorded {
        let sources = sources(&text.source, &text.kind)?;
        recorded.push(Recorded {
            kind: text.kind.as_str().into(),
            why: text.why.as_str().into(),
            value: text.value.as_str().into(),
            text: text.text.as_str().into(),
            checked: stands_on(&text.checked, &sources, checked_on, &text.kind)?,
            sources,
        });
    }
    let mut notes = Vec::new();
    for text in &file.note {
        let from = text.source.as_ref().map(|s| source(s, &text.code)).transpose()?;
        notes.push(note(text.level, &text.code, &text.text, from));
    }
    if file.document.len() > Documents::MAX {
        let message = format!("{} documents; at most {} are expected", file.document.len(), Documents::MAX);
        return Err(value_problem("document", message));
    }
    let mut rules = StateRules {
        state: file.state,
        checked_on,
        titles,
        premium_rounding: file.premium_rounding.map(rounding),
        no_fee_with_commission: file.no_fee_with_commission,
        local_tax: file.local_tax,
        agency,
        inspection,
        caps,
        exemptions,
        charges,
        recorded,
        notes: notes.into(),
        line_notes: file.line_note.iter().map(line_note).collect::<Result<_, _>>()?,
        stamps: stamps(&file.stamp)?,
        documents: file.document.iter().map(document).collect::<Result<_, _>>()?,
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

fn titles(text: &BTreeMap<Charge, String>) -> Titles {
    Titles(
        Charge::ALL
            .map(|charge| text.get(&charge).cloned().unwrap_or_else(|| charge.printed_title().to_owned())),
    )
}

pub(super) fn checked(text: &CheckedText) -> Checked {
    Checked { level: text.level, text: text.text.as_str().into() }
}

/// How sure a value is, how many sources stand behind it, and of when.
fn stands_on(
    text: &CheckedText,
    sources: &[Source],
    checked_on: NaiveDate,
    place: &str,
) -> Result<Checked, RuleProblem> {
    if text.level == Confidence::Confirmed && sources.iter().all(|source| source.url.is_empty()) {
        return Err(value_problem(place, "what only private sources say is secondary, not confirmed"));
    }
    // Two pages of one site are one source.
    let mut sites: Vec<&str> = sources.iter().map(site).collect();
    sites.sort_unstable();
    sites.dedup();
    let count = match sites.len() {
        1 => "1 source".to_owned(),
        count => format!("{count} sources"),
    };
    let (level, words) = (text.level, &text.text);
    let has_year = words.split(|c: char| !c.is_ascii_digit()).any(|number| number.len() == 4);
    let text = if has_year {
        format!("{words}; {count}")
    } else {
        format!("{words}; {count}, looked at {checked_on}")
    };
    Ok(Checked { level, text: text.into() })
}

/// What tells two sources apart: the site, or the title of a private one.
fn site(source: &Source) -> &str {
    let address = source.url.split("//").nth(1).and_then(|rest| rest.split('/').next());
    address.map_or(&*source.title, |host| host.trim_start_matches("www."))
}

pub(super) fn source(text: &SourceText, place: &str) -> Result<Source, RuleProblem> {
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
    Ok(Source { title: text.title.as_str().into(), url: url.into() })
}

fn sources(texts: &[SourceText], place: &str) -> Result<Arc<[Source]>, RuleProblem> {
    if texts.is_empty() {
        return Err(RuleProblem::Source { place: place.into() });
    }
    texts.iter().map(|text| source(text, place)).collect()
}

fn note(level: NoteLevel, code: &str, text: &str, source: Option<Source>) -> Arc<Note> {
    Note::new(level, code, text, source.as_ref())
}

fn date(text: &str, place: &str) -> Result<NaiveDate, RuleProblem> {
    parse_calendar_day(text)
        .ok_or_else(|| value_problem(place, format!("\"{text}\" is not a date like 2026-07-01")))
}

pub(super) fn optional_date(text: Option<&String>, place: &str) -> Result<Option<NaiveDate>, RuleProblem> {
    text.map(|text| date(text, place)).transpose()
}

fn rounding(unit: UnitText) -> Rounding {
    match unit {
        UnitText::Cent => Rounding::CENT,
        UnitText::Dollar => Rounding::DOLLAR,
    }
}

/// The agency fee: one rule, or one for each of those who may charge it.
fn agency_fee(text: &FeesText, checked_on: NaiveDate) -> Result<AgencyFee, RuleProblem> {
    let (retail, licensee, assumed) = match (&text.agency, &text.retail, &text.licensee, text.assumed) {
        (Some(both), None, None, None) => {
            let rule = Arc::new(fee(both, "agency fee", checked_on)?);
            (Arc::clone(&rule), rule, FeeChargedBy::SurplusLinesLicensee)
        }
        (None, Some(retail), Some(licensee), Some(assumed)) => (
            Arc::new(fee(retail, "agency fee (charged by the retail agent)", checked_on)?),
            Arc::new(fee(licensee, "agency fee (charged by the surplus lines licensee)", checked_on)?),
            assumed,
        ),
        _ => {
            return Err(value_problem("fees", "either agency, or retail, licensee and assumed, is expected"));
        }
    };
    Ok(AgencyFee { retail, licensee, assumed, told: None })
}

/// What is said of who charges the agency fee.
fn told(fee: &AgencyFee) -> Told {
    let taxed = |by| if fee.of(by).taxed { "taxed" } else { "not taxed" };
    let (retail, licensee) = (FeeChargedBy::RetailAgent, FeeChargedBy::SurplusLinesLicensee);
    let say = |by: FeeChargedBy, other: FeeChargedBy, assumed: bool| {
        let (level, how) = if assumed {
            (NoteLevel::Warning, "not given who charges it, so assumed to be charged by")
        } else {
            (NoteLevel::Info, "charged by")
        };
        let words = format!(
            "Agency fee: {how} the {}, and {} in this state; charged by the {} it would be {}. {}",
            by.title().to_lowercase(),
            taxed(by),
            other.title().to_lowercase(),
            taxed(other),
            fee.of(by).text
        );
        note(level, "fee_charged_by", &words, fee.of(by).sources.first().cloned())
    };
    let other = if fee.assumed == retail { licensee } else { retail };
    Told {
        retail: say(retail, licensee, false),
        licensee: say(licensee, retail, false),
        assumed: say(fee.assumed, other, true),
    }
}

fn exemption(
    text: &ExemptText,
    charges: &[RatedCharge],
    checked_on: NaiveDate,
) -> Result<Exemption, RuleProblem> {
    let sources = sources(&text.source, "exempt")?;
    if let Some(unknown) = text.charges.iter().find(|kind| charges.iter().all(|c| &*c.kind != kind.as_str()))
    {
        return Err(value_problem("exempt", format!("there is no charge \"{unknown}\"")));
    }
    // One that takes off no charge depends on more than the insured: the person has to look.
    let usual = if text.charges.is_empty() { NoteLevel::Warning } else { NoteLevel::Info };
    let level = text.level.unwrap_or(usual);
    Ok(Exemption {
        entities: text.entities.clone(),
        charges: texts(&text.charges).collect(),
        from: optional_date(text.from.as_ref(), "exempt")?,
        checked: stands_on(&text.checked, &sources, checked_on, "exempt")?,
        note: note(level, "exempt_entity", &text.text, sources.first().cloned()),
    })
}

fn line_note(text: &LineNoteText) -> Result<(Selection, Arc<Note>), RuleProblem> {
    let on = selected(&text.classes, &text.lines, &text.code)?;
    Ok((on, note(text.level, &text.code, &text.text, Some(source(&text.source, &text.code)?))))
}

fn fee(text: &FeeText, name: &str, checked_on: NaiveDate) -> Result<FeeRule, RuleProblem> {
    let sources = sources(&text.source, name)?;
    let checked = stands_on(&text.checked, &sources, checked_on, name)?;
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
        note(NoteLevel::Warning, code, &words, sources.first().cloned())
    });
    Ok(FeeRule { taxed: text.taxed, text: text.text.as_str().into(), checked, sources, caution })
}

fn cap(text: &CapText, checked_on: NaiveDate) -> Result<Cap, RuleProblem> {
    let alternative = |a: &AlternativeText| match (a.flat, a.percent) {
        (Some(flat), None) if a.at_most.is_none() => Ok(CapAlternative::Flat(flat)),
        (None, Some(percent)) => Ok(CapAlternative::Percent(percent, a.at_most)),
        _ => Err(value_problem("fee_cap", "either flat, or percent with or without at_most, is expected")),
    };
    if text.alternative.is_empty() {
        return Err(value_problem("fee_cap", "no alternative"));
    }
    let sources = sources(&text.source, "fee_cap")?;
    Ok(Cap {
        scope: match text.lines {
            ScopeText::All => Scope::All,
            ScopeText::Personal => Scope::Personal,
            ScopeText::Commercial => Scope::Commercial,
        },
        alternatives: text.alternative.iter().map(alternative).collect::<Result<_, _>>()?,
        other_pay_counts: text.other_pay_counts,
        enforced: text.enforced,
        text: text.text.as_str().into(),
        checked: stands_on(&text.checked, &sources, checked_on, "fee_cap")?,
        sources,
    })
}

fn charge(
    text: &ChargeText,
    agency: &AgencyFee,
    inspection: &FeeRule,
    titles: &Titles,
    checked_on: NaiveDate,
) -> Result<RatedCharge, RuleProblem> {
    let (retail_fee, licensee_fee, inspection_fee) = match text.basis {
        BasisOf::Premium | BasisOf::Flat => (false, false, false),
        BasisOf::PremiumAndTaxableFees => (agency.retail.taxed, agency.licensee.taxed, inspection.taxed),
        BasisOf::PremiumAndInspectionFee => (false, false, inspection.taxed),
        BasisOf::PremiumAndBothFees => (true, true, true),
    };
    let credit = match text.credit {
        CreditText::Mirrored => Credit::Mirrored,
        CreditText::FlatCancellationOnly => Credit::FlatCancellationOnly,
        CreditText::Never => Credit::Never,
    };
    if text.once_per_policy && credit == Credit::Mirrored {
        return Err(value_problem(&text.kind, "a charge that falls once says when it is given back"));
    }
    if text.field.is_asked() {
        return Err(value_problem(&text.kind, "a fee is asked with the question; no rule charges it"));
    }
    let title = text.title.as_deref().unwrap_or_else(|| titles.of(text.field));
    let named = Named {
        kind: text.kind.as_str().into(),
        title: title.into(),
        dated_by: text.dated_by.as_str().into(),
        rounding: text.rounding.map_or(Rounding::CENT, rounding),
    };
    let mut rates = Vec::new();
    for rate in &text.rate {
        rates.push(dated_rate(rate, text, &named, checked_on)?);
    }
    let entered = text.rate_entered.then(|| entered(&rates, text.field, &named)).flatten();
    let said = |level, code: &str, words: &str| note(level, code, &format!("{title}: {words}"), None);
    let series = Series::new(rates, text.begins)
        .map_err(|problem| RuleProblem::Series { charge: text.kind.clone(), problem })?;
    Ok(RatedCharge {
        kind: named.kind,
        field: text.field,
        title: named.title,
        // Fees for a service are no taxes: they stay when the insured is tax exempt.
        is_tax: text.is_tax.unwrap_or(matches!(
            text.field,
            Charge::SlTax | Charge::FmTax | Charge::PremiumTax | Charge::PremiumTaxLife
        )),
        retail_fee,
        licensee_fee,
        inspection_fee,
        basis_text: text.basis_text.as_str().into(),
        selection: selection(text)?,
        portions: text.portion.iter().map(|part| portion(part, &text.kind)).collect::<Result<_, _>>()?,
        portion_advice: text.portion_advice.as_deref().map(Text::from),
        entered,
        once_per_policy: text.once_per_policy,
        credit,
        rounding: named.rounding,
        extension_by_own_date: text.extension_by_own_date,
        dated_by: named.dated_by,
        admitted: text.admitted,
        unsure_lines: text.unsure_lines.as_ref().map(|words| said(NoteLevel::Warning, "lines_not_sure", words)),
        occupancy_unsaid: (!text.occupancy.is_empty()).then(|| said(NoteLevel::Warning, "occupancy_not_answered", "it depends on how the insured holds the dwelling. That was not answered, so it is charged here: answer the question.")),
        charged_once: (text.once_per_policy && credit == Credit::Never).then(|| said(NoteLevel::Info, "charged_once", "charged once and never given back. If this policy replaces one that was canceled flat, check whether it was charged already.")),
        reinstated: (credit == Credit::FlatCancellationOnly).then(|| said(NoteLevel::Warning, "reinstated", "already charged on the policy, so not charged again. If the policy had been canceled flat, it was given back and is due again: add it.")),
        unknown_rate: said(
            NoteLevel::Warning,
            "no_rate_in_force",
            text.unknown_text.as_deref().unwrap_or("no rate is known for this date, so nothing is charged for it."),
        ),
        payee: text.payee.as_deref().map(Text::from),
        series,
    })
}

fn portion(text: &PortionText, place: &str) -> Result<Portion, RuleProblem> {
    let mut on = selected(&text.classes, &text.lines, place)?;
    on.state_codes = StateCodes::new(texts(&text.state_codes));
    on.except_lines = texts(&text.except_lines).collect();
    Ok(Portion { on, portion: text.portion, name: text.name.as_str().into() })
}

/// What a charge at an entered rate says, but for the rate.
fn entered(rates: &[DatedRate], field: Charge, named: &Named) -> Option<ChargeRule> {
    Some(ChargeRule {
        kind: named.kind.clone(),
        field,
        title: named.title.clone(),
        rate: None,
        flat: None,
        rounding: named.rounding,
        from: None,
        until: None,
        dated_by: named.dated_by.clone(),
        sources: rates.last()?.sources.clone(),
        checked: Checked { level: Confidence::NotFound, text: "the rate was entered by hand".into() },
        note: None,
    })
}

fn texts(list: &[String]) -> impl Iterator<Item = Text> {
    list.iter().map(|text| Text::from(text.as_str()))
}

fn class_bits(names: &[String], place: &str) -> Result<u64, RuleProblem> {
    names.iter().try_fold(0, |bits, name| {
        let class = Class::from_str(name).map_err(|e| value_problem(place, e.to_string()))?;
        Ok(bits | Selection::bit(class))
    })
}

/// Lines of the classes or of the generic codes; all lines where neither is named.
fn selected(classes: &[String], lines: &[String], place: &str) -> Result<Selection, RuleProblem> {
    let all = classes.is_empty() && lines.is_empty();
    Ok(Selection {
        classes: if all { Selection::ALL } else { class_bits(classes, place)? },
        lines: texts(lines).collect(),
        except_lines: Vec::new(),
        personal: None,
        occupancy: Vec::new(),
        state_codes: StateCodes::new(std::iter::empty()),
    })
}

fn selection(text: &ChargeText) -> Result<Selection, RuleProblem> {
    // Beside all classes but some, the codes bring single lines of those back.
    let classes_of_all = text.classes.is_empty() && !text.except_classes.is_empty();
    let mut on = selected(&text.classes, &text.lines, &text.kind)?;
    if classes_of_all {
        on.classes = Selection::ALL;
    }
    on.classes &= !class_bits(&text.except_classes, &text.kind)?;
    on.except_lines = texts(&text.except_lines).collect();
    (on.personal, on.occupancy) = (text.personal, text.occupancy.clone());
    let portions = text.portion.iter().flat_map(|portion| texts(&portion.state_codes));
    on.state_codes = StateCodes::new(texts(&text.state_codes).chain(portions));
    Ok(on)
}

/// What the rates of a charge have in common.
struct Named {
    kind: Text,
    title: Text,
    dated_by: Text,
    rounding: Rounding,
}

fn dated_rate(
    text: &RateText,
    charge: &ChargeText,
    named: &Named,
    checked_on: NaiveDate,
) -> Result<DatedRate, RuleProblem> {
    let place = charge.kind.as_str();
    let value = match (text.rate, text.flat, charge.basis) {
        (Some(rate), None, basis) if !matches!(basis, BasisOf::Flat) => Value::Percent(rate),
        (None, Some(flat), BasisOf::Flat) if !flat.is_negative() && flat.is_whole_cents() => {
            Value::Flat(flat)
        }
        _ => return Err(value_problem(place, "a rate, or with basis flat an amount, is expected")),
    };
    let sources = sources(&text.source, place)?;
    let checked = stands_on(&text.checked, &sources, checked_on, place)?;
    let caution = caution(text, charge, &checked, sources.first().cloned());
    let (from, until) =
        (optional_date(text.from.as_ref(), place)?, optional_date(text.until.as_ref(), place)?);
    let note = text.note.as_deref().map(Text::from);
    let rule = ChargeRule {
        kind: named.kind.clone(),
        field: charge.field,
        title: named.title.clone(),
        rate: text.rate,
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
        rule: Arc::new(rule),
        caution,
    })
}

fn caution(
    text: &RateText,
    charge: &ChargeText,
    checked: &Checked,
    source: Option<Source>,
) -> Option<Arc<Note>> {
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
    Some(note(level, code, &format!("{name}: {words} ({}).{remark}", checked.text), source))
}
