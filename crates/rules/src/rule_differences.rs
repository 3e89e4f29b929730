//! What differs between two sets of rules, state by state.

use std::collections::BTreeSet;

use bordereau_calendar::StateCalendar;
use bordereau_contract::{Jurisdiction, format_day_text};
use bordereau_tax::{RateLine, RuleBook};
use chrono::NaiveDate;

use crate::RuleSet;

/// A value that one set has and the other one has not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleDifference {
    /// Whose.
    pub state: Jurisdiction,
    /// Whether the newer set has it; else only the older one had it.
    pub is_new: bool,
    /// The value in words.
    pub text: String,
}

/// What `newer` has and `older` has not, and the other way around.
#[must_use]
pub fn rule_differences(older: &RuleSet, newer: &RuleSet) -> Vec<RuleDifference> {
    let mut found = Vec::new();
    for state in Jurisdiction::ALL {
        let (before, after) = (state_values(older.book(), *state), state_values(newer.book(), *state));
        let difference =
            |is_new| move |text: &String| RuleDifference { state: *state, is_new, text: text.clone() };
        found.extend(before.difference(&after).map(difference(false)));
        found.extend(after.difference(&before).map(difference(true)));
        if !has_same_dates(older.calendar().state_calendar(*state), newer.calendar().state_calendar(*state)) {
            found.push(RuleDifference { state: *state, is_new: true, text: "Due dates changed".to_owned() });
        }
    }
    found
}

/// Whether the same is due on the same days; when that was checked is no difference.
fn has_same_dates(one: &StateCalendar, other: &StateCalendar) -> bool {
    (one.moves, &one.duties, &one.penalties) == (other.moves, &other.duties, &other.penalties)
}

/// Every rate and every rule in words; how sure it is and where it is from is no difference.
fn state_values(book: &RuleBook, state: Jurisdiction) -> BTreeSet<String> {
    let rates = book.state_rates(state, NaiveDate::MIN);
    let remarks = rates.remarks.iter().map(|remark| format!("{}: {}", remark.title, remark.text));
    rates.lines.iter().map(describe_rate).chain(remarks).collect()
}

fn describe_rate(line: &RateLine<'_>) -> String {
    let day = |what: &str, day: Option<NaiveDate>| {
        day.map(|day| format!(", {what} {}", format_day_text(&day.to_string()))).unwrap_or_default()
    };
    let (from, until) = (day("from", line.from.or(line.known_from)), day("until", line.until));
    format!("{} {}, {}{from}{until}", line.charge, line.rate, line.basis)
}
