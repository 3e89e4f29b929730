//! `bordereau rate-changes`.

use bordereau_contract::format_day_text;

use bordereau_desk::api::{Nothing, RuleChangeView, RuleChanges};
use clap::Args;

use crate::exit::CommandExit;
use crate::shared_arguments::{GlobalArgs, parse_state};
use crate::{open_desk, output};

#[derive(Args, Debug)]
pub(crate) struct RateChangesArguments {
    /// Only these states, such as TX,NY
    #[arg(long = "state", value_name = "STATES", value_delimiter = ',', value_parser = parse_state)]
    states: Vec<String>,
}

pub(crate) async fn run_rate_changes(
    place: &GlobalArgs,
    asked: RateChangesArguments,
) -> Result<(), CommandExit> {
    let desk = open_desk::open_desk(place)?;
    let mut list = desk.rules_changes(Nothing {}).await?;
    if !asked.states.is_empty() {
        list.changes.retain(|change| change.states.iter().any(|state| asked.states.contains(state)));
    }
    output::write_answer(place, &list, || listed_text(&list))
}

fn listed_text(list: &RuleChanges) -> String {
    if list.changes.is_empty() {
        return "No changes of the rules are recorded for these states.\n".to_owned();
    }
    let mut text = String::new();
    let mut day = "";
    for change in &list.changes {
        if change.published != day {
            day = &change.published;
            text.push_str(&format!("{}\n", format_day_text(day)));
        }
        text.push_str(&format!("  {}{}: {}\n", change.states.join(", "), dates_text(change), change.text));
    }
    text
}

fn dates_text(change: &RuleChangeView) -> String {
    match (change.from.as_deref(), change.until.as_deref()) {
        (None, None) => String::new(),
        (Some(from), None) => format!(", from {}", format_day_text(from)),
        (None, Some(until)) => format!(", until {}", format_day_text(until)),
        (Some(from), Some(until)) => format!(", {} to {}", format_day_text(from), format_day_text(until)),
    }
}
