//! `bordereau due`.

use bordereau_contract::{
    format_count, format_day, format_day_text, format_money_text, parse_day, pluralize,
};
use std::path::PathBuf;
use std::sync::Arc;

use bordereau_desk::Desk;
use bordereau_desk::api::{DueEntry, DueList, DueMark, DueRequest, DueStanding};
use clap::{Args, Subcommand};
use serde_json::json;

use crate::exit::CommandExit;
use crate::file_target::FileTarget;
use crate::shared_arguments::{GlobalArgs, parse_state};
use crate::terminal_text::on_one_line;
use crate::{open_desk, output};

/// The kinds of due dates.
const KINDS: [&str; 6] = ["filing", "affidavit", "report", "tax", "stamping_fee", "other_tax"];

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct DueArguments {
    #[command(subcommand)]
    action: Option<DueCommand>,
    /// Nothing due after this day, yyyy-mm-dd
    #[arg(long, value_name = "DATE", default_value = "", hide_default_value = true)]
    by: String,
    /// Only these states, such as TX,NY
    #[arg(long = "state", value_name = "STATES", value_delimiter = ',', value_parser = parse_state)]
    states: Vec<String>,
    /// Only these kinds
    #[arg(long = "kind", value_name = "KINDS", value_delimiter = ',', value_parser = KINDS)]
    kinds: Vec<String>,
    /// Write the dates as an iCalendar file; an existing file is replaced
    #[arg(long, value_name = "FILE")]
    ics: Option<PathBuf>,
}

/// What is done about a due date.
#[derive(Debug, Subcommand)]
pub(crate) enum DueCommand {
    /// Mark a report or an affidavit of a period as done
    Mark {
        /// Id, as `due` shows it
        id: String,
        /// Open again instead
        #[arg(long)]
        open: bool,
    },
}

pub(crate) async fn run_due(place: &GlobalArgs, asked: DueArguments) -> Result<(), CommandExit> {
    let desk = open_desk::open_desk(place, Arc::new(FileTarget::new(asked.ics.clone())))?;
    let (desk, _) = open_desk::on_profile(place, desk).await?;
    if let Some(DueCommand::Mark { id, open }) = asked.action {
        return mark_entry(place, &desk, id, !open).await;
    }
    let request =
        DueRequest { by: asked.by, states: asked.states, kinds: asked.kinds, ..DueRequest::default() };
    let list = desk.due_list(request.clone()).await?;
    let mut text = due_text(&list);
    if asked.ics.is_some() {
        let file = desk.due_export_ics(request).await?;
        text.push_str(&format!("saved {} ({} bytes)\n", file.file_name, file.bytes));
    }
    if place.json {
        return output::write_json(&json!(list));
    }
    output::write(&text)
}

/// A typed id is checked: what is open has to be in the list, what was done is not.
async fn mark_entry(place: &GlobalArgs, desk: &Desk, id: String, done: bool) -> Result<(), CommandExit> {
    let list = desk.due_list(DueRequest::default()).await?;
    if done && !list.entries.iter().any(|entry| entry.id == id) {
        return Err(CommandExit::usage_error(format!("nothing is due by the id {id}; see: bordereau due")));
    }
    desk.due_mark(DueMark { id: id.clone(), done }).await?;
    if place.json {
        return output::write_json(&json!({ "id": id, "done": done }));
    }
    output::write(if done { "Marked as done.\n" } else { "Open again.\n" })
}

fn due_text(list: &DueList) -> String {
    if list.transactions == 0 {
        return "No transactions on this computer yet. Load them with `bordereau search`.\n".to_owned();
    }
    if list.entries.is_empty() {
        return "Nothing is due.\n".to_owned();
    }
    let mut text: String = list.entries.iter().map(due_line).collect();
    text.push_str(&format!(
        "{} due: {} overdue, {} within a week, {} without a due date\n",
        format_count(list.total),
        format_count(list.overdue),
        format_count(list.soon),
        format_count(list.undated)
    ));
    if list.unreadable > 0 {
        text.push_str(&format!(
            "Due dates unknown for {}: the state, type, or effective date is missing.\n",
            pluralize(list.unreadable, "transaction")
        ));
    }
    text
}

fn due_line(entry: &DueEntry) -> String {
    let standing = match entry.standing {
        DueStanding::Overdue => "OVERDUE",
        DueStanding::Soon => "soon",
        DueStanding::Later => "",
        DueStanding::Undated => "no date",
    };
    let whose = match entry.count {
        1 => format!(
            "{} {} (transaction {})",
            on_one_line(&entry.policy_number),
            on_one_line(&entry.insured),
            entry.transaction_id
        ),
        count => pluralize(count, "transaction"),
    };
    let amount =
        entry.amount.as_deref().map(|amount| format!(" {}", format_money_text(amount))).unwrap_or_default();
    let mut text = format!(
        "{:<10}  {:<7}  {}  {}{amount}  {whose}\n",
        entry.due.as_deref().and_then(parse_day).map_or_else(|| "-".to_owned(), format_day),
        standing,
        entry.state,
        entry.title,
    );
    if let Some(day) = &entry.act_by {
        text.push_str(&format!(
            "            a weekend or holiday, and no rule was found that moves it: act by {}\n",
            format_day_text(day)
        ));
    }
    text.push_str(&format!("            {}; {}\n", entry.rule, entry.checked));
    if entry.can_mark {
        text.push_str(&format!("            when it is done: bordereau due mark \"{}\"\n", entry.id));
    }
    text
}
