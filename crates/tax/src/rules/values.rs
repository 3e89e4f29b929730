//! What every part of a rule file has: dates, sources, how sure a value is, selections of lines.

use std::str::FromStr;
use std::sync::Arc;

use bordereau_contract::{format_long_day, parse_calendar_day, pluralize};
use chrono::NaiveDate;

use super::file::{CheckedText, SourceText};
use super::model::LineSelection;
use super::rate_series::SeriesProblem;
use crate::answer::{Confidence, ConfidenceNote, NoteLevel, QuoteNote, RuleSource, RuleText};
use crate::lines::{Class, StateCodes};

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

pub(super) fn read_confidence(text: &CheckedText) -> ConfidenceNote {
    ConfidenceNote { level: text.level, text: text.text.as_str().into() }
}

/// How sure a value is, how many sources stand behind it, and of when.
pub(super) fn derive_confidence(
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

pub(super) fn read_sources(texts: &[SourceText], place: &str) -> Result<Arc<[RuleSource]>, RuleProblem> {
    if texts.is_empty() {
        return Err(RuleProblem::Source { place: place.into() });
    }
    texts.iter().map(|text| read_source(text, place)).collect()
}

pub(super) fn shared_note(
    level: NoteLevel,
    code: &str,
    text: &str,
    source: Option<RuleSource>,
) -> Arc<QuoteNote> {
    QuoteNote::new(level, code, text, source.as_ref())
}

pub(super) fn parse_date(text: &str, place: &str) -> Result<NaiveDate, RuleProblem> {
    parse_calendar_day(text)
        .ok_or_else(|| value_problem(place, format!("\"{text}\" is not a date like 2026-07-01")))
}

pub(super) fn optional_date(text: Option<&String>, place: &str) -> Result<Option<NaiveDate>, RuleProblem> {
    text.map(|text| parse_date(text, place)).transpose()
}

pub(super) fn shared_texts(list: &[String]) -> impl Iterator<Item = RuleText> {
    list.iter().map(|text| RuleText::from(text.as_str()))
}

pub(super) fn class_bits(names: &[String], place: &str) -> Result<u64, RuleProblem> {
    names.iter().try_fold(0, |bits, name| {
        let class = Class::from_str(name).map_err(|e| value_problem(place, e.to_string()))?;
        Ok(bits | LineSelection::class_bit(class))
    })
}

/// Lines of the classes or of the generic codes; all lines where neither is named.
pub(super) fn select_lines(
    classes: &[String],
    lines: &[String],
    place: &str,
) -> Result<LineSelection, RuleProblem> {
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
