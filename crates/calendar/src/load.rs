//! From a rule file to rules; refuses what is wrong with it.

use bordereau_contract::{Jurisdiction, parse_calendar_day};
use bordereau_money::Usd;
use bordereau_tax::RuleSource;
use chrono::NaiveDate;

use crate::file::{
    BilledText, CheckedText, DutyText, FileText, PenaltyText, PeriodText, RestDayShift, SourceText,
};
use crate::rule::{
    BillingWindow, DueRule, DutyPeriod, DutyRule, MonthDay, PenaltyRule, PeriodDue, PeriodLength,
    StateCalendar,
};

/// Most days a duty may be counted: longer is a slip of the hand.
const DAYS_MAX: u16 = 366;

/// Why a rule file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CalendarProblem {
    /// Not the form of a rule file.
    #[error("the file cannot be read: {0}")]
    Form(String),
    /// One value is wrong.
    #[error("{place}: {what}")]
    Value {
        /// Which rule.
        place: String,
        /// What is wrong.
        what: String,
    },
}

fn calendar_problem(place: &str, what: impl Into<String>) -> CalendarProblem {
    CalendarProblem::Value { place: place.to_owned(), what: what.into() }
}

/// Reads one file.
pub(crate) fn read(text: &str) -> Result<StateCalendar, CalendarProblem> {
    let file: FileText = toml::from_str(text).map_err(|error| CalendarProblem::Form(error.to_string()))?;
    let state: Jurisdiction =
        file.state.parse().map_err(|error| calendar_problem("state", format!("{error}")))?;
    if let Some(rest) = &file.rest_days {
        check_sources(&rest.checked, &rest.source, "rest_days")?;
    }
    Ok(StateCalendar {
        state,
        checked_on: parse_date(&file.checked_on, "checked_on")?,
        moves: file.rest_days.is_some_and(|rest| rest.moves == RestDayShift::ToTheNextBusinessDay),
        duties: file.duty.iter().map(read_duty).collect::<Result<_, _>>()?,
        penalties: file.penalty.iter().map(read_penalty).collect::<Result<_, _>>()?,
    })
}

fn parse_date(text: &str, place: &str) -> Result<NaiveDate, CalendarProblem> {
    parse_calendar_day(text)
        .ok_or_else(|| calendar_problem(place, format!("\"{text}\" is not a date (yyyy-mm-dd)")))
}

fn optional_date(text: Option<&String>, place: &str) -> Result<Option<NaiveDate>, CalendarProblem> {
    text.map(|text| parse_date(text, place)).transpose()
}

fn require_text(text: &str, place: &str) -> Result<(), CalendarProblem> {
    if text.trim().is_empty() { Err(calendar_problem(place, "a text is empty")) } else { Ok(()) }
}

/// Every value has a source with an address, and words for how sure it is.
fn check_sources(
    checked: &CheckedText,
    sources: &[SourceText],
    place: &str,
) -> Result<Vec<RuleSource>, CalendarProblem> {
    require_text(&checked.text, place)?;
    let is_address = |source: &SourceText| {
        !source.title.trim().is_empty()
            && (source.url.starts_with("https://") || source.url.starts_with("http://"))
    };
    if sources.is_empty() || !sources.iter().all(is_address) {
        return Err(calendar_problem(place, "a source with title and address is missing"));
    }
    Ok(sources.iter().map(SourceText::to_source).collect())
}

fn read_duty(text: &DutyText) -> Result<DutyRule, CalendarProblem> {
    let place = text.title.as_str();
    require_text(place, "title")?;
    let (from, until) =
        (optional_date(text.from.as_ref(), place)?, optional_date(text.until.as_ref(), place)?);
    if from.is_some_and(|from| until.is_some_and(|until| until < from)) {
        return Err(calendar_problem(place, "it ends before it begins"));
    }
    Ok(DutyRule {
        kind: text.kind,
        title: text.title.clone(),
        when: read_due_rule(text, place)?,
        billing: text.billed.map(|billed| read_billing(billed, place)).transpose()?,
        moves: text.moves.map(|moves| moves == RestDayShift::ToTheNextBusinessDay),
        from,
        until,
        condition: text.condition.clone(),
        note: text.note.clone(),
        checked: text.checked.to_note(),
        sources: check_sources(&text.checked, &text.source, place)?,
    })
}

fn read_due_rule(text: &DutyText, place: &str) -> Result<DueRule, CalendarProblem> {
    match (&text.after, &text.period, &text.undated) {
        (Some(after), None, None) if (1..=DAYS_MAX).contains(&after.days) => {
            Ok(DueRule::After(after.days, after.from))
        }
        (Some(_), None, None) => Err(calendar_problem(place, format!("days are 1 to {DAYS_MAX}"))),
        (None, Some(text), None) => Ok(DueRule::Period(read_period(text, place)?)),
        (None, None, Some(sentence)) => {
            require_text(sentence, place)?;
            Ok(DueRule::Undated(sentence.clone()))
        }
        _ => Err(calendar_problem(place, "exactly one of after, period and undated is expected")),
    }
}

fn read_period(text: &PeriodText, place: &str) -> Result<DutyPeriod, CalendarProblem> {
    let due = match (&text.due, text.days_after, text.months_after, text.day) {
        (Some(days), None, None, None) => PeriodDue::Days(month_days(days, text.length, place)?),
        (None, Some(days), None, None) if (1..=DAYS_MAX).contains(&days) => PeriodDue::DaysAfter(days),
        (None, None, Some(months), Some(day)) if (1..=12).contains(&months) && (1..=31).contains(&day) => {
            PeriodDue::DayOfMonth(months, day)
        }
        _ => {
            return Err(calendar_problem(
                place,
                "a period has one of: due, days_after, or months_after (1-12) with day (1-31)",
            ));
        }
    };
    Ok(DutyPeriod { length: text.length, by: text.by, due })
}

/// One day for each period of a year, in order.
fn month_days(texts: &[String], length: PeriodLength, place: &str) -> Result<Vec<MonthDay>, CalendarProblem> {
    let expected = 12 / length.month_count();
    if u32::try_from(texts.len()) != Ok(expected) {
        return Err(calendar_problem(place, format!("{} days, {expected} expected", texts.len())));
    }
    let read = |text: &String| -> Option<MonthDay> {
        let (month, day) = text.split_once('-')?;
        let (month, day): (u32, u32) = (month.parse().ok()?, day.parse().ok()?);
        // Every due day exists in every year: February 29 would not.
        NaiveDate::from_ymd_opt(2025, month, day).map(|_| (month, day))
    };
    texts
        .iter()
        .map(|text| {
            read(text).ok_or_else(|| calendar_problem(place, format!("\"{text}\" is not a day (MM-DD)")))
        })
        .collect()
}

fn read_billing(text: BilledText, place: &str) -> Result<BillingWindow, CalendarProblem> {
    let BilledText { months_after, from, until } = text;
    if !(1..=12).contains(&months_after) || from < 1 || until < from || until > 28 {
        return Err(calendar_problem(place, "billed: months_after 1-12, from and until 1-28 in order"));
    }
    Ok(BillingWindow { months_after, from, until })
}

fn read_penalty(text: &PenaltyText) -> Result<PenaltyRule, CalendarProblem> {
    let place = "penalty";
    require_text(&text.text, place)?;
    let amount = |value: &Option<String>| -> Result<Option<Usd>, CalendarProblem> {
        let read = |text: &String| {
            Usd::parse(text).map_err(|_| calendar_problem(place, format!("\"{text}\" is not an amount")))
        };
        value.as_ref().map(read).transpose()
    };
    Ok(PenaltyRule {
        kind: text.kind,
        text: text.text.clone(),
        standard: amount(&text.standard)?,
        late: amount(&text.late)?,
        passed_on: text.passed_on,
        from: optional_date(text.from.as_ref(), place)?,
        checked: text.checked.to_note(),
        sources: check_sources(&text.checked, &text.source, place)?,
    })
}
