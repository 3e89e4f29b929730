//! `bordereau due`.

use bordereau_contract::{
    DueKind, format_count, format_day_text, format_money_text, format_short_day, pluralize,
};
use std::path::PathBuf;
use std::sync::Arc;

use bordereau_desk::Desk;
use bordereau_desk::api::{DueEntry, DueList, DueMark, DueMarkKind, DueRequest, DueUrgency};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};

use crate::assign::{assigned_text, find_person};
use crate::exit::CommandExit;
use crate::file_target::FileTarget;
use crate::shared_arguments::{GlobalArgs, parse_state};
use crate::{open_desk, output};
use bordereau_host::terminal_text::on_one_line;

fn due_kinds() -> impl TypedValueParser<Value = DueKind> {
    PossibleValuesParser::new(DueKind::ALL.map(DueKind::word)).try_map(|word| word.parse::<DueKind>())
}

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct DueArguments {
    #[command(subcommand)]
    action: Option<DueCommand>,
    /// Nothing due after this day, such as 02/23/2026
    #[arg(long, value_name = "DATE", default_value = "", hide_default_value = true)]
    by: String,
    /// Only these states, such as TX,NY
    #[arg(long = "state", value_name = "STATES", value_delimiter = ',', value_parser = parse_state)]
    states: Vec<String>,
    /// Only these kinds
    #[arg(long = "kind", value_name = "KINDS", value_delimiter = ',', value_parser = due_kinds())]
    kinds: Vec<DueKind>,
    /// List the due dates marked as done or not ours instead
    #[arg(long)]
    marked: bool,
    /// Only work assigned to this person of the office; `me`, `nobody` or a name
    #[arg(long, value_name = "NAME")]
    assigned_to: Option<String>,
    /// Write the dates as an iCalendar file; an existing file is replaced
    #[arg(long, value_name = "FILE")]
    ics: Option<PathBuf>,
}

/// What to do with a due date.
#[derive(Debug, Subcommand)]
pub(crate) enum DueCommand {
    /// Mark a due date as done
    Mark {
        /// Id, as `due --json` shows it
        id: String,
        /// Reopen it instead
        #[arg(long, conflicts_with = "not_ours")]
        open: bool,
        /// Mark it as not ours; the note is the reason
        #[arg(long, requires = "note")]
        not_ours: bool,
        /// Note for the mark
        #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
        note: String,
    },
}

pub(crate) async fn run_due(place: &GlobalArgs, asked: DueArguments) -> Result<(), CommandExit> {
    let desk = open_desk::open_desk_to_save(place, Arc::new(FileTarget::new(asked.ics.clone())))?;
    let (desk, _) = open_desk::on_profile(place, desk).await?;
    if let Some(DueCommand::Mark { id, open, not_ours, note }) = asked.action {
        let kind = match (open, not_ours) {
            (true, _) => DueMarkKind::Open,
            (false, true) => DueMarkKind::NotOurs,
            (false, false) => DueMarkKind::Done,
        };
        return mark_entry(place, &desk, DueMark { id, kind, note, revision: None }).await;
    }
    let request = DueRequest {
        by: asked.by,
        states: asked.states,
        kinds: asked.kinds,
        marked: asked.marked,
        assigned_to: find_person(&desk, asked.assigned_to).await?,
        ..DueRequest::default()
    };
    let list = desk.due_list(request.clone()).await?;
    let mut text = due_text(&list);
    if asked.ics.is_some() {
        let file = desk.due_export_ics(request).await?;
        text.push_str(&format!("saved {} ({} bytes)\n", file.file_name, file.bytes));
    }
    output::write_answer(place, &list, || text)
}

/// Checks a typed id: it must be in one of the two lists.
async fn mark_entry(place: &GlobalArgs, desk: &Desk, mut mark: DueMark) -> Result<(), CommandExit> {
    let mut known = desk.due_list(DueRequest::default()).await?.entries;
    known.extend(desk.due_list(DueRequest { marked: true, ..DueRequest::default() }).await?.entries);
    let Some(entry) = known.into_iter().find(|entry| entry.id == mark.id) else {
        return Err(CommandExit::usage_error(format!(
            "nothing is due by the id {}; see: bordereau due",
            mark.id
        )));
    };
    mark.revision = Some(entry.mark.map(|mark| mark.revision).unwrap_or_default());
    desk.due_mark(mark.clone()).await?;
    output::write_answer(place, &mark, || match mark.kind {
        DueMarkKind::Open => "Open again.\n",
        DueMarkKind::Done => "Marked as done.\n",
        DueMarkKind::NotOurs => "Marked as not ours.\n",
    })
}

fn due_text(list: &DueList) -> String {
    let mut text: String = list.entries.iter().map(due_line).collect();
    text.push_str(&match (list.transactions, list.entries.is_empty(), list.gaps.is_empty()) {
        (0, ..) => "No transactions on this computer yet. Load them with `bordereau search`.\n".to_owned(),
        (_, true, true) => "Nothing is due.\n".to_owned(),
        (_, true, false) => "Nothing is known to be due.\n".to_owned(),
        _ => format!(
            "{} due: {} overdue, {} within a week, {} without a due date\n",
            format_count(list.total),
            format_count(list.overdue),
            format_count(list.soon),
            format_count(list.undated)
        ),
    });
    list.gaps.iter().for_each(|gap| text.push_str(&format!("{gap}\n")));
    text
}

fn due_line(entry: &DueEntry) -> String {
    let standing = match entry.standing {
        DueUrgency::Overdue => "OVERDUE",
        DueUrgency::Soon => "soon",
        DueUrgency::Later => "",
        DueUrgency::Undated => "no date",
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
        "{:<10}  {:<7}  {}  {}{amount}  {whose}{}\n",
        entry.due.as_deref().map_or_else(|| "-".to_owned(), format_short_day),
        standing,
        entry.state,
        entry.title,
        assigned_text(entry.assigned.as_ref()),
    );
    if let Some(day) = &entry.act_by {
        text.push_str(&format!(
            "            a weekend or holiday, and no rule was found that moves it: act by {}\n",
            format_day_text(day)
        ));
    }
    text.push_str(&format!("            {}; {}\n", entry.rule.trim_end_matches('.'), entry.checked));
    if let Some(mark) = &entry.mark {
        let what = match mark.kind {
            DueMarkKind::Open => "note",
            DueMarkKind::Done => "done",
            DueMarkKind::NotOurs => "not ours",
        };
        let (by, note) = (on_one_line(&mark.by), on_one_line(&mark.note));
        text.push_str(&format!("            {what}, {by}: {note}\n"));
    }
    if matches!(entry.kind.as_str(), "report" | "affidavit") {
        text.push_str(&format!("            when it is done: bordereau due mark \"{}\"\n", entry.id));
    }
    text
}
