//! `bordereau assign`: who in the office does what.

use std::sync::Arc;

use bordereau_desk::Desk;
use bordereau_desk::api::{AssignWork, Assignment, Nothing, WorkKind};
use bordereau_host::terminal_text::on_one_line;
use clap::Args;

use crate::exit::CommandExit;
use crate::shared_arguments::GlobalArgs;
use crate::{open_desk, output};

#[derive(Args, Debug)]
pub(crate) struct AssignArguments {
    /// Kind of work: batch, draft, event or due_date
    #[arg(value_name = "KIND")]
    kind: WorkKind,
    /// Their ids, as `batch list`, `today`, `events` and `due` show them with --json
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
    /// Person of the office; `me`, or `nobody` to unassign it
    #[arg(long, value_name = "NAME")]
    to: String,
    /// Note for that person; it replaces an earlier one
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

pub(crate) async fn run_assign(place: &GlobalArgs, asked: AssignArguments) -> Result<(), CommandExit> {
    let desk = open_desk::open_desk_to_save(place, Arc::default())?;
    let (desk, _) = open_desk::on_profile(place, desk).await?;
    let person = find_person(&desk, Some(asked.to)).await?.unwrap_or_default();
    let work = AssignWork { kind: asked.kind, ids: asked.ids, person, note: asked.note };
    desk.work_assign(work.clone()).await?;
    let whom = if work.person.is_empty() { "nobody" } else { &work.person };
    output::write_answer(place, &work, || format!("Assigned to {whom}.\n"))
}

/// `  for ann: the premium is missing`; empty if unassigned.
pub(crate) fn assigned_text(assigned: Option<&Assignment>) -> String {
    assigned.map_or_else(String::new, |Assignment { person, note, .. }| {
        on_one_line(&format!("  for {person}: {note}")).trim_end_matches([':', ' ']).to_owned()
    })
}

/// The person behind `me` and `nobody`; any other word is a name.
pub(crate) async fn find_person(desk: &Desk, word: Option<String>) -> Result<Option<String>, CommandExit> {
    Ok(match word.as_deref() {
        Some("me") => Some(desk.office_people(Nothing {}).await?.me),
        Some("nobody") => Some(String::new()),
        _ => word,
    })
}
