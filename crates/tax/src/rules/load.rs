//! From the text of a rule file to rules, refusing whatever is not complete.

use std::str::FromStr;
use std::sync::Arc;

use bordereau_contract::parse_calendar_day;
use bordereau_money::{Rate, Rounding, Usd};
use chrono::NaiveDate;

use super::accompanying::{document, stamps};
use super::dated::{DatedRate, Series, SeriesProblem, Value};
use super::file::{
    AlternativeText, BasisOf, CapText, ChargeText, CheckedText, CreditText, FeeText, PortionText, RateText,
    RuleFile, ScopeText, SourceText, StatusText, TitlesText, UnitText,
};
use super::model::{
    Cap, CapAlternative, Charge, Credit, Exemption, FeeRule, Portion, Recorded, Scope, Selection, StateRules,
};
use super::wire_form;
use crate::answer::{Checked, Confidence, Field, Note, NoteLevel, Source, Text, Titles};
use crate::lines::{Class, StateCodes};
use crate::{ChargeRule, Documents};

/// Why a rule file is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleProblem {
    /// Not TOML, an unknown key, a missing value.
    #[error("{0}")]
    Format(String),
    /// A value without a source.
    #[error("{place}: a source with title and https address is missing")]
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
    let agency = fee(&file.fees.agency, "agency fee")?;
    let inspection = fee(&file.fees.inspection, "inspection fee")?;
    let mut charges = Vec::new();
    for text in &file.charge {
        charges.push(charge(text, &agency, &inspection, &titles)?);
    }
    let caps = file.fee_cap.iter().map(cap).collect::<Result<Vec<_>, _>>()?;
    let mut exemptions = Vec::new();
    for text in &file.exempt {
        let sources = sources(&text.source, "exempt")?;
        // One that takes off no field depends on more than the insured: the person has to look.
        let level = if text.fields.is_empty() { NoteLevel::Warning } else { NoteLevel::Info };
        let note = note(level, "exempt_entity", &text.text, sources.first().cloned());
        exemptions.push(Exemption {
            entities: text.entities.clone(),
            fields: text.fields.clone(),
            checked: checked(&text.checked),
            note,
        });
    }
    let mut recorded = Vec::new();
    for text in &file.recorded {
        recorded.push(Recorded {
            kind: text.kind.as_str().into(),
            why: text.why.as_str().into(),
            value: text.value.as_str().into(),
            text: text.text.as_str().into(),
            checked: checked(&text.checked),
            sources: sources(&text.source, &text.kind)?,
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
        checked_on: date(&file.checked_on, "checked_on")?,
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

fn titles(text: &TitlesText) -> Titles {
    let or = |title: &Option<String>, plain: &str| title.clone().unwrap_or_else(|| plain.to_string());
    Titles {
        sl_tax: or(&text.sl_tax, "Surplus Lines Tax"),
        stamping_fee: or(&text.stamping_fee, "Stamping Fee"),
        sl_service_charge: or(&text.sl_service_charge, "Surplus Lines Service Charge"),
        fm_tax: or(&text.fm_tax, "Fire Marshal Tax"),
        empa_tax: or(&text.empa_tax, "EMPA Surcharge"),
        municipal_fee: or(&text.municipal_fee, "Municipal Tax"),
        county_fee: or(&text.county_fee, "County Tax"),
        collection_fee: or(&text.collection_fee, "Collection Fee"),
        premium_tax: "Premium Tax".into(),
        premium_tax_life: "Premium Tax (Life)".into(),
    }
}

/// The title of a field.
pub(crate) fn title_of(titles: &Titles, field: Field) -> &str {
    match field {
        Field::SlTax => &titles.sl_tax,
        Field::StampingFee => &titles.stamping_fee,
        Field::SlServiceCharge => &titles.sl_service_charge,
        Field::FmTax => &titles.fm_tax,
        Field::EmpaTax => &titles.empa_tax,
        Field::MunicipalFee => &titles.municipal_fee,
        Field::CountyFee => &titles.county_fee,
        Field::CollectionFee => &titles.collection_fee,
        Field::PremiumTax => &titles.premium_tax,
        Field::PremiumTaxLife => &titles.premium_tax_life,
    }
}

pub(super) fn checked(text: &CheckedText) -> Checked {
    Checked { level: text.level, text: text.text.as_str().into() }
}

pub(super) fn source(text: &SourceText, place: &str) -> Result<Source, RuleProblem> {
    let address = text.url.strip_prefix("https://").or_else(|| text.url.strip_prefix("http://"));
    if text.title.trim().is_empty() || address.is_none_or(|a| a.len() < 4 || a.contains(char::is_whitespace))
    {
        return Err(RuleProblem::Source { place: place.into() });
    }
    Ok(Source { title: text.title.as_str().into(), url: text.url.as_str().into() })
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

fn fee(text: &FeeText, name: &str) -> Result<FeeRule, RuleProblem> {
    let sources = sources(&text.source, name)?;
    let (code, unsure) = match text.checked.level {
        Confidence::Confirmed | Confidence::Announced => ("", ""),
        Confidence::Older => ("fee_older", "only an older page was found"),
        Confidence::Conflicting => ("fee_conflicting", "the sources disagree"),
        Confidence::NotFound => ("fee_not_found", "this was not found"),
    };
    let done = if text.taxed { "taxed" } else { "not taxed" };
    let caution = (!code.is_empty()).then(|| {
        let words = format!("Whether the {name} is taxed: {unsure}. It is {done} here. {}", text.text);
        note(NoteLevel::Warning, code, &words, sources.first().cloned())
    });
    let text_of = text.text.as_str().into();
    Ok(FeeRule { taxed: text.taxed, text: text_of, checked: checked(&text.checked), sources, caution })
}

fn cap(text: &CapText) -> Result<Cap, RuleProblem> {
    let alternative = |a: &AlternativeText| match (a.flat, a.percent) {
        (Some(flat), None) if a.at_most.is_none() => Ok(CapAlternative::Flat(flat)),
        (None, Some(percent)) => Ok(CapAlternative::Percent(percent, a.at_most)),
        _ => Err(value_problem("fee_cap", "either flat, or percent with or without at_most, is expected")),
    };
    if text.alternative.is_empty() {
        return Err(value_problem("fee_cap", "no alternative"));
    }
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
        checked: checked(&text.checked),
        sources: sources(&text.source, "fee_cap")?,
    })
}

fn charge(
    text: &ChargeText,
    agency: &FeeRule,
    inspection: &FeeRule,
    titles: &Titles,
) -> Result<Charge, RuleProblem> {
    let (agency_fee, inspection_fee) = match text.basis {
        BasisOf::Premium | BasisOf::Flat => (false, false),
        BasisOf::PremiumAndTaxableFees => (agency.taxed, inspection.taxed),
        BasisOf::PremiumAndInspectionFee => (false, inspection.taxed),
        BasisOf::PremiumAndBothFees => (true, true),
    };
    let title = text.title.as_deref().unwrap_or_else(|| title_of(titles, text.field));
    let named = Named {
        kind: text.kind.as_str().into(),
        title: title.into(),
        dated_by: text.dated_by.as_str().into(),
        rounding: text.rounding.map_or(Rounding::CENT, rounding),
    };
    let mut rates = Vec::new();
    for rate in &text.rate {
        rates.push(dated_rate(rate, text, &named)?);
    }
    let series = Series::new(rates, text.begins)
        .map_err(|problem| RuleProblem::Series { charge: text.kind.clone(), problem })?;
    Ok(Charge {
        kind: named.kind,
        field: text.field,
        title: named.title,
        agency_fee,
        inspection_fee,
        basis_text: text.basis_text.as_str().into(),
        selection: selection(text)?,
        portions: text.portion.iter().map(portion).collect(),
        once_per_policy: text.once_per_policy,
        credit: match text.credit {
            CreditText::Mirrored => Credit::Mirrored,
            CreditText::FlatCancellationOnly => Credit::FlatCancellationOnly,
            CreditText::Never => Credit::Never,
        },
        rounding: named.rounding,
        extension_by_own_date: text.extension_by_own_date,
        dated_by: named.dated_by,
        admitted: text.admitted,
        unsure_lines: text.unsure_lines.as_ref().map(|words| {
            let words = format!("{title}: {words}");
            note(NoteLevel::Warning, "lines_not_sure", &words, None)
        }),
        unknown_rate: note(
            NoteLevel::Warning,
            "no_rate_in_force",
            &format!("{title}: no rate is known for this date, so nothing is charged for it."),
            None,
        ),
        payee: text.payee.as_deref().map(Text::from),
        series,
    })
}

fn portion(text: &PortionText) -> Portion {
    Portion {
        state_codes: StateCodes::new(texts(&text.state_codes)),
        portion: text.portion,
        name: text.name.as_str().into(),
    }
}

fn texts(list: &[String]) -> impl Iterator<Item = Text> {
    list.iter().map(|text| Text::from(text.as_str()))
}

fn selection(text: &ChargeText) -> Result<Selection, RuleProblem> {
    let bits = |names: &[String]| {
        names.iter().try_fold(0, |bits, name| {
            let class = Class::from_str(name).map_err(|e| value_problem(&text.kind, e.to_string()))?;
            Ok::<u64, RuleProblem>(bits | Selection::bit(class))
        })
    };
    let include = if text.classes.is_empty() { Selection::ALL } else { bits(&text.classes)? };
    let portions = text.portion.iter().flat_map(|portion| texts(&portion.state_codes));
    let state_codes = StateCodes::new(texts(&text.state_codes).chain(portions));
    Ok(Selection { classes: include & !bits(&text.except_classes)?, state_codes })
}

/// What the rates of a charge have in common.
struct Named {
    kind: Text,
    title: Text,
    dated_by: Text,
    rounding: Rounding,
}

fn dated_rate(text: &RateText, charge: &ChargeText, named: &Named) -> Result<DatedRate, RuleProblem> {
    let place = charge.kind.as_str();
    let value = match (text.rate, text.flat, charge.basis) {
        (Some(rate), None, basis) if !matches!(basis, BasisOf::Flat) => Value::Percent(rate),
        (None, Some(flat), BasisOf::Flat) if !flat.is_negative() && flat.is_whole_cents() => {
            Value::Flat(flat)
        }
        _ => return Err(value_problem(place, "a rate, or with basis flat an amount, is expected")),
    };
    let sources = sources(&text.source, place)?;
    let caution = caution(text, charge, sources.first().cloned());
    let (from, until) =
        (optional_date(text.from.as_ref(), place)?, optional_date(text.until.as_ref(), place)?);
    let (checked, note) = (checked(&text.checked), text.note.as_deref().map(Text::from));
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

fn caution(text: &RateText, charge: &ChargeText, source: Option<Source>) -> Option<Arc<Note>> {
    let (level, code, words) = match text.checked.level {
        Confidence::Confirmed => return None,
        Confidence::Announced => (NoteLevel::Info, "rate_announced", "announced, not in force when checked"),
        Confidence::Older => (NoteLevel::Info, "rate_older", "only an older page was found"),
        Confidence::Conflicting => (NoteLevel::Warning, "rate_conflicting", "the sources disagree"),
        Confidence::NotFound => (NoteLevel::Warning, "rate_not_found", "this was not found"),
    };
    let name = charge.title.as_deref().unwrap_or(&charge.kind).replace('_', " ");
    let remark = text.note.as_deref().map(|note| format!(" {note}")).unwrap_or_default();
    Some(note(level, code, &format!("{name}: {words} ({}).{remark}", text.checked.text), source))
}

/// A rate in percent as an amount of the contract's form; a rate is at most 100 %, so it always fits.
pub(crate) fn percent(rate: Rate) -> Usd {
    Usd::parse(&rate.percent().to_string()).unwrap_or(Usd::ZERO)
}
