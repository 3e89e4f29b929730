//! `bordereau webhook`.

use std::sync::Arc;

use bordereau_contract::EventKind;
use bordereau_desk::Desk;
use bordereau_desk::api::{
    DeliveriesRequest, DeliveryId, DeliveryStatus, DeliveryView, Nothing, SaveWebhook, SendAgain, WebhookId,
    WebhookSaved, WebhookView,
};
use clap::{Args, Subcommand};
use serde_json::json;

use crate::exit::CommandExit;
use crate::shared_arguments::{GlobalArgs, parse_state};
use crate::{open_desk, output, webhook_change};
use bordereau_host::terminal_text::on_one_line;

/// Variable with the value of a webhook's header: every program could read an argument.
pub(crate) const HEADER_VARIABLE: &str = "BORDEREAU_WEBHOOK_HEADER";

#[derive(Debug, Subcommand)]
pub(crate) enum WebhookCommand {
    /// Have the service send events to an address; shows the secret once
    Add(AddArguments),
    /// Change a webhook; options that aren't given stay as they are
    Change(webhook_change::ChangeArguments),
    /// Create a new secret for a webhook, shown once; the old one stops working at once
    NewSecret {
        /// Id, as `webhook list` shows it
        id: String,
    },
    /// Every webhook of the account
    List,
    /// Send a test delivery now and report the result
    Test {
        /// Id, as `webhook list` shows it
        id: String,
    },
    /// Remove a webhook and its waiting deliveries
    Remove {
        /// Id, as `webhook list` shows it
        id: String,
    },
    /// Deliveries to a webhook and their status, newest first
    Deliveries {
        /// Id, as `webhook list` shows it
        id: String,
        /// At most this many
        #[arg(long, value_name = "COUNT", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        limit: u32,
        /// Only deliveries that were given up
        #[arg(long)]
        failed: bool,
    },
    /// Send a delivery again, at once
    Redeliver {
        /// Number, as `webhook deliveries` shows it
        number: i64,
        /// Wait until it is received or given up
        #[arg(long)]
        wait: bool,
    },
}

#[derive(Args, Debug)]
pub(crate) struct AddArguments {
    /// Address for deliveries: https:, or http: on the service's own machine
    #[arg(value_name = "ADDRESS")]
    url: String,
    /// Name of the webhook
    #[arg(long, value_name = "TEXT", default_value = "Bordereau")]
    title: String,
    /// Notes
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    description: String,
    /// An event such as webhook.transaction.status.filed; may be repeated; default: all
    #[arg(long = "event", value_name = "EVENT", value_parser = parse_event)]
    events: Vec<EventKind>,
    /// A state such as TX; may be repeated; default: all
    #[arg(long = "state", value_name = "STATE", value_parser = parse_state)]
    states: Vec<String>,
    /// Name of a header sent with every delivery; its value is read from BORDEREAU_WEBHOOK_HEADER
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    header: String,
}

pub(crate) fn parse_event(text: &str) -> Result<EventKind, String> {
    EventKind::from_identifier(text).ok_or_else(|| {
        let known: Vec<&str> = EventKind::ALL.iter().map(|kind| kind.identifier()).collect();
        format!("there are {}", known.join(", "))
    })
}

pub(crate) async fn run_webhook(place: &GlobalArgs, command: WebhookCommand) -> Result<(), CommandExit> {
    let request = match &command {
        // Report errors in the arguments before anything is opened.
        WebhookCommand::Add(asked) => Some(new_webhook(asked)?),
        _ => None,
    };
    let desk = open_desk::open_desk_to_save(place, Arc::default())?;
    let (desk, _) = open_desk::on_profile(place, desk).await?;
    match command {
        WebhookCommand::Add(_) => print_saved(place, &desk.webhook_save(request.unwrap_or_default()).await?),
        WebhookCommand::Change(asked) => webhook_change::change_webhook(place, &desk, asked).await,
        WebhookCommand::NewSecret { id } => {
            print_saved(place, &desk.webhook_new_secret(WebhookId { id }).await?)
        }
        WebhookCommand::List => list_webhooks(place, &desk).await,
        WebhookCommand::Test { id } => test_webhook(place, &desk, id).await,
        WebhookCommand::Remove { id } => {
            desk.webhook_remove(WebhookId { id: id.clone() }).await?;
            output::write_answer(place, &json!({ "removed": id }), || "Removed.\n")
        }
        WebhookCommand::Deliveries { id, limit, failed } => {
            list_deliveries(place, &desk, id, limit, failed).await
        }
        WebhookCommand::Redeliver { number, wait } => redeliver_event(place, &desk, number, wait).await,
    }
}

fn new_webhook(asked: &AddArguments) -> Result<SaveWebhook, CommandExit> {
    let header_value = bordereau_host::from_environment(HEADER_VARIABLE)?;
    if !asked.header.is_empty() && header_value.is_none() {
        return Err(CommandExit::usage_error(format!(
            "put the value of the header {} into {HEADER_VARIABLE}",
            asked.header
        )));
    }
    let header_value = if asked.header.is_empty() { None } else { header_value };
    let events = if asked.events.is_empty() { &EventKind::ALL[..] } else { &asked.events };
    Ok(SaveWebhook {
        id: String::new(),
        title: asked.title.clone(),
        description: asked.description.clone(),
        events: identifiers(events),
        url: asked.url.clone(),
        header_name: asked.header.clone(),
        header_value: header_value.unwrap_or_default(),
        states: asked.states.clone(),
    })
}

/// Event names as in the list of operations.
pub(crate) fn identifiers(kinds: &[EventKind]) -> Vec<String> {
    kinds.iter().map(|kind| kind.identifier().to_owned()).collect()
}

pub(crate) fn print_saved(place: &GlobalArgs, saved: &WebhookSaved) -> Result<(), CommandExit> {
    let mut text = webhook_text(&saved.webhook);
    let WebhookSaved { secret, note, .. } = saved;
    if !secret.is_empty() {
        text.push_str(&format!(
            "Secret: {secret}\nKeep it now: it is not shown again. Deliveries are signed with it (X-HMAC-Signature).\nTo receive them: bordereau listen, with the secret in BORDEREAU_WEBHOOK_SECRET.\n"
        ));
    }
    text.push_str(&if note.is_empty() { String::new() } else { format!("{note}\n") });
    output::write_answer(place, saved, || text)
}

async fn list_webhooks(place: &GlobalArgs, desk: &Desk) -> Result<(), CommandExit> {
    let found = desk.webhook_list(Nothing {}).await?;
    output::write_answer(place, &found, || match found.available {
        false => {
            "This service has no list of webhooks: they are set up on the provider's own pages.\n".to_owned()
        }
        true => output::list_lines(found.webhooks.iter().map(webhook_text), "No webhooks.\n"),
    })
}

fn webhook_text(view: &WebhookView) -> String {
    let are_all = view.events.len() == EventKind::ALL.len();
    format!(
        "{}  {}  {}\n  events: {}\n  states: {}   waiting: {}\n",
        view.id,
        on_one_line(&view.title),
        on_one_line(&view.url),
        if are_all { "all".to_owned() } else { view.events.join(", ") },
        if view.states.is_empty() { "all".to_owned() } else { view.states.join(", ") },
        view.waiting,
    )
}

/// A failing endpoint is a result of the test; scripts see it in the exit code.
async fn test_webhook(place: &GlobalArgs, desk: &Desk, id: String) -> Result<(), CommandExit> {
    let outcome = desk.webhook_try(WebhookId { id }).await?;
    if place.json {
        output::write_json(&json!(outcome))?;
    } else if outcome.error.is_empty() {
        output::write(&format!("Received: answered with 200 after {} ms.\n", outcome.milliseconds))?;
    }
    if outcome.error.is_empty() {
        return Ok(());
    }
    Err(CommandExit::with_failure(format!("the test failed. {}", outcome.error)))
}

async fn list_deliveries(
    place: &GlobalArgs,
    desk: &Desk,
    webhook: String,
    count: u32,
    failed: bool,
) -> Result<(), CommandExit> {
    let state = failed.then_some(DeliveryStatus::Failed);
    let found = desk.deliveries_list(DeliveriesRequest { webhook, state, count }).await?;
    output::write_answer(place, &found, || {
        output::list_lines(found.deliveries.iter().map(delivery_line), "No deliveries.\n")
    })
}

fn delivery_line(delivery: &DeliveryView) -> String {
    let status = match delivery.state {
        DeliveryStatus::Waiting => "waiting",
        DeliveryStatus::Delivered => "delivered",
        DeliveryStatus::Failed => "FAILED",
        DeliveryStatus::Unknown => "unknown",
    };
    let next = delivery.next_attempt_at.as_deref().map(output::local_time);
    let next = next.map(|at| format!("  next {at}")).unwrap_or_default();
    let why = if delivery.error.is_empty() { String::new() } else { format!("  {}", delivery.error) };
    let attempts = if delivery.attempts == 1 { "attempt " } else { "attempts" };
    format!(
        "{:>8}  {}  {status:<9} {:>2} {attempts}  {}  {}{next}{why}\n",
        delivery.id,
        output::local_time(&delivery.created_at),
        delivery.attempts,
        delivery.event,
        delivery.subject
    )
}

async fn redeliver_event(
    place: &GlobalArgs,
    desk: &Desk,
    number: i64,
    wait: bool,
) -> Result<(), CommandExit> {
    /// The first two attempts follow at once; the next one comes only after half an hour.
    const LOOKS: u32 = 300;
    const PAUSE: std::time::Duration = std::time::Duration::from_millis(100);
    let id = number.to_string();
    desk.events_send_again(SendAgain { delivery: id.clone() }).await?;
    let look =
        async || Ok::<_, CommandExit>(desk.delivery_log(DeliveryId { id: id.clone() }).await?.delivery);
    let mut delivery = look().await?;
    let mut looks = 0;
    while wait && delivery.state == DeliveryStatus::Waiting && delivery.attempts < 2 && looks < LOOKS {
        tokio::time::sleep(PAUSE).await;
        delivery = look().await?;
        looks += 1;
    }
    output::write_answer(place, &delivery, || delivery_line(&delivery))?;
    if wait && delivery.state != DeliveryStatus::Delivered {
        let why = Some(delivery.error).filter(|why| !why.is_empty());
        return Err(CommandExit::with_failure(why.unwrap_or_else(|| "It was not received yet.".to_owned())));
    }
    Ok(())
}
