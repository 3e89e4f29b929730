//! `bordereau rate-changes`.

use std::sync::Arc;

use bordereau_desk::api::{Nothing, RuleChangeView, RuleChanges};
use clap::Args;
use serde_json::json;

use crate::ending::Ending;
use crate::file_target::FileTarget;
use crate::shared_arguments::{Place, state};
use crate::{output, workplace};

#[derive(Args, Debug)]
pub(crate) struct RateChangesArguments {
    /// Only these states, such as TX,NY
    #[arg(long = "state", value_name = "STATES", value_delimiter = ',', value_parser = state)]
    states: Vec<String>,
}

pub(crate) async fn run(place: &Place, asked: RateChangesArguments) -> Result<(), Ending> {
    let desk = workplace::open(place, Arc::new(FileTarget::new(None)))?;
    let mut list = desk.rules_changes(Nothing {}).await?;
    if !asked.states.is_empty() {
        list.changes.retain(|change| change.states.iter().any(|state| asked.states.contains(state)));
    }
    if place.json {
        return output::write_json(&json!(list));
    }
    output::write(&listed_text(&list))
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
            text.push_str(&format!("{}\n", us_date(day)));
        }
        text.push_str(&format!("  {}{}: {}\n", change.states.join(", "), dates(change), change.text));
    }
    text
}

fn dates(change: &RuleChangeView) -> String {
    match (change.from.as_deref(), change.until.as_deref()) {
        (None, None) => String::new(),
        (Some(from), None) => format!(", from {}", us_date(from)),
        (None, Some(until)) => format!(", until {}", us_date(until)),
        (Some(from), Some(until)) => format!(", {} to {}", us_date(from), us_date(until)),
    }
}

/// `01/31/2026` of `2026-01-31`.
fn us_date(iso: &str) -> String {
    match iso.split('-').collect::<Vec<_>>()[..] {
        [year, month, day] => format!("{month}/{day}/{year}"),
        _ => iso.to_owned(),
    }
}
