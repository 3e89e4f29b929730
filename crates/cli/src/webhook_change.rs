//! `bordereau webhook change`.

use bordereau_contract::EventKind;
use bordereau_desk::Desk;
use bordereau_desk::api::{Nothing, SaveWebhook, WebhookView};
use clap::Args;

use crate::exit::CommandExit;
use crate::shared_arguments::{GlobalArgs, parse_state};
use crate::webhook::{HEADER_VARIABLE, identifiers, parse_event, print_saved};

#[derive(Args, Debug)]
pub(crate) struct ChangeArguments {
    /// Id, as `webhook list` shows it
    id: String,
    /// Address for deliveries
    #[arg(long, value_name = "ADDRESS")]
    url: Option<String>,
    /// Name of the webhook
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Notes
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Only these events; may be repeated
    #[arg(long = "event", value_name = "EVENT", value_parser = parse_event, conflicts_with = "all_events")]
    events: Vec<EventKind>,
    /// All events
    #[arg(long)]
    all_events: bool,
    /// Only these states; may be repeated
    #[arg(long = "state", value_name = "STATE", value_parser = parse_state, conflicts_with = "all_states")]
    states: Vec<String>,
    /// All states
    #[arg(long)]
    all_states: bool,
    /// Name of a header sent with every delivery, empty for none; its value is read from BORDEREAU_WEBHOOK_HEADER,
    /// without which the stored one stays
    #[arg(long, value_name = "NAME")]
    header: Option<String>,
}

pub(crate) async fn change_webhook(
    place: &GlobalArgs,
    desk: &Desk,
    asked: ChangeArguments,
) -> Result<(), CommandExit> {
    let found = desk.webhook_list(Nothing {}).await?.webhooks.into_iter().find(|view| view.id == asked.id);
    let Some(view) = found else {
        return Err(CommandExit::usage_error(format!(
            "there is no webhook {}; see: bordereau webhook list",
            asked.id
        )));
    };
    let saved = desk.webhook_save(change_request(asked, view)?).await?;
    print_saved(place, &saved)
}

fn change_request(asked: ChangeArguments, view: WebhookView) -> Result<SaveWebhook, CommandExit> {
    let events = match (asked.all_events, asked.events.as_slice()) {
        (true, _) => identifiers(&EventKind::ALL),
        (false, []) => view.events,
        (false, chosen) => identifiers(chosen),
    };
    let states = match (asked.all_states, asked.states.is_empty()) {
        (true, _) => Vec::new(),
        (false, true) => view.states,
        (false, false) => asked.states,
    };
    Ok(SaveWebhook {
        id: view.id,
        title: asked.title.unwrap_or(view.title),
        description: asked.description.unwrap_or(view.description),
        events,
        url: asked.url.unwrap_or(view.url),
        header_name: asked.header.unwrap_or(view.header_name),
        header_value: bordereau_host::from_environment(HEADER_VARIABLE)?.unwrap_or_default(),
        states,
    })
}
