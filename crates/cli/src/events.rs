//! `bordereau events`: lists events, or prints them as they arrive.

use std::sync::Arc;

use bordereau_desk::api::{EventView, EventsNews, EventsRequest};
use bordereau_desk::{Desk, EventLook};
use clap::Args;
use serde_json::json;

use crate::assign::{assigned_text, find_person};
use crate::exit::CommandExit;
use crate::shared_arguments::GlobalArgs;
use crate::{open_desk, output};
use bordereau_host::terminal_text;

#[derive(Args, Debug)]
pub(crate) struct EventsArguments {
    /// Receive events and print each one as it arrives, until Ctrl-C
    #[arg(long)]
    pub(crate) follow: bool,
    /// Unread ones only
    #[arg(long)]
    pub(crate) unread: bool,
    /// Only events of this transaction (the service's number)
    #[arg(long, value_name = "NUMBER", default_value = "", hide_default_value = true)]
    pub(crate) transaction: String,
    /// Only events of this batch (the service's id)
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true)]
    pub(crate) batch: String,
    /// Only events that contain this text
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(crate) search: String,
    /// Only work assigned to this person of the office; `me`, `nobody` or a name
    #[arg(long, value_name = "NAME")]
    pub(crate) assigned_to: Option<String>,
    /// At most this many, newest first
    #[arg(long, value_name = "COUNT", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=200))]
    pub(crate) limit: u32,
}

pub(crate) async fn run_events(place: &GlobalArgs, asked: EventsArguments) -> Result<(), CommandExit> {
    let desk = open_desk::open_desk_to_save(place, Arc::default())?;
    let (desk, _) = open_desk::on_profile(place, desk).await?;
    if asked.follow {
        return follow_events(place, &desk).await;
    }
    let request = EventsRequest {
        unread: asked.unread,
        transaction: asked.transaction,
        batch: asked.batch,
        search: asked.search,
        assigned_to: find_person(&desk, asked.assigned_to).await?,
        count: asked.limit,
        ..EventsRequest::default()
    };
    let page = desk.events_list(request).await?;
    output::write_answer(place, &page, || {
        output::list_lines(page.events.iter().map(event_line), "No events.\n")
    })
}

/// Prints events until the reader closes the output, or Ctrl-C.
async fn follow_events(place: &GlobalArgs, desk: &Desk) -> Result<(), CommandExit> {
    const WAIT_MS: u32 = 10_000;
    let _receiving = desk.begin_events();
    let mut look = EventLook::at_profile();
    desk.events_since(&mut look).await?;
    let mut known = None;
    loop {
        let news = desk.events_news(EventsNews { known, wait_ms: WAIT_MS }).await?;
        known = Some(news.revision);
        for event in desk.events_since(&mut look).await? {
            if place.json {
                output::write(&format!("{}\n", terminal_text::escape_json(&json!(event).to_string())))?
            } else {
                output::write(&event_line(&event))?
            }
        }
    }
}

/// `2026-11-21T15:00:00Z * Policy 123 filed with the state  TX  transaction 17`.
fn event_line(event: &EventView) -> String {
    let mark = if event.read { ' ' } else { '*' };
    let mut about = vec![event.state.clone()];
    if !event.transaction.is_empty() {
        about.push(format!("transaction {}", event.transaction));
    }
    if !event.batch.is_empty() {
        about.push(format!("batch {}", event.batch));
    }
    if event.received_at.is_none() {
        about.push("found by checking".to_owned());
    }
    about.retain(|part| !part.is_empty());
    let line = format!("{} {mark} {}  {}", output::local_time(&event.at), event.title, about.join(", "));
    format!("{}{}\n", line.trim_end(), assigned_text(event.assigned.as_ref()))
}
