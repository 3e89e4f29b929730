//! `bordereau webhook`.

use std::sync::Arc;

use bordereau_contract::{
    DeliveryAttempt, DeliveryStatus, EventKind, Webhook, WebhookDelivery, WebhookRequest,
};
use bordereau_desk::Desk;
use clap::{Args, Subcommand};
use serde_json::json;

use crate::exit::CommandExit;
use crate::shared_arguments::GlobalArgs;
use crate::{open_desk, output, secret_entry, webhook_change};

/// The variable with the value of a webhook's header: an argument would be visible to every program.
pub(crate) const HEADER_VARIABLE: &str = "BORDEREAU_WEBHOOK_HEADER";

#[derive(Debug, Subcommand)]
pub(crate) enum WebhookCommand {
    /// Have the service send events to an address; shows the secret once
    Add(AddArguments),
    /// Change a webhook; what is not named stays as it is
    Change(webhook_change::ChangeArguments),
    /// Make a new secret for a webhook, shown once; the old one is dead at once
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
    /// Where deliveries go: https:, or http: to the service's own machine
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
    #[arg(long = "state", value_name = "STATE")]
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
        // What is wrong with the words is said before anything is opened.
        WebhookCommand::Add(asked) => Some(webhook_request(asked)?),
        _ => None,
    };
    let desk = open_desk::open_desk(place, Arc::default())?;
    let (desk, _) = open_desk::on_profile(place, desk).await?;
    match command {
        WebhookCommand::Add(_) => add_webhook(place, &desk, &request.unwrap_or_default()).await,
        WebhookCommand::Change(asked) => webhook_change::change_webhook(place, &desk, asked).await,
        WebhookCommand::NewSecret { id } => webhook_change::make_new_secret(place, &desk, id).await,
        WebhookCommand::List => list_webhooks(place, &desk).await,
        WebhookCommand::Test { id } => test_webhook(place, &desk, &id).await,
        WebhookCommand::Remove { id } => {
            desk.remove_webhook(&id).await?;
            if place.json {
                output::write_json(&json!({ "removed": id }))
            } else {
                output::write("Removed.\n")
            }
        }
        WebhookCommand::Deliveries { id, limit, failed } => {
            list_deliveries(place, &desk, &id, limit, failed).await
        }
        WebhookCommand::Redeliver { number, wait } => redeliver_event(place, &desk, number, wait).await,
    }
}

fn webhook_request(asked: &AddArguments) -> Result<WebhookRequest, CommandExit> {
    let states = asked.states.iter().map(|code| {
        let code = code.to_ascii_uppercase();
        code.parse().map_err(|_| {
            CommandExit::usage_error(format!("{code} is not a state; enter two letters such as TX"))
        })
    });
    let header_value = secret_entry::from_environment(HEADER_VARIABLE)?;
    if !asked.header.is_empty() && header_value.is_none() {
        return Err(CommandExit::usage_error(format!(
            "put the value of the header {} into {HEADER_VARIABLE}",
            asked.header
        )));
    }
    let header_value = if asked.header.is_empty() { None } else { header_value };
    Ok(WebhookRequest {
        title: asked.title.clone(),
        description: asked.description.clone(),
        events: if asked.events.is_empty() { EventKind::ALL.to_vec() } else { asked.events.clone() },
        url: asked.url.clone(),
        header_key: asked.header.clone(),
        header_value: header_value.unwrap_or_default(),
        states: states.collect::<Result<_, _>>()?,
    })
}

async fn add_webhook(place: &GlobalArgs, desk: &Desk, request: &WebhookRequest) -> Result<(), CommandExit> {
    let made = desk.add_webhook(request).await?;
    if place.json {
        return output::write_json(&json!(made));
    }
    let secret = made.secret.as_deref().unwrap_or("none was shown");
    output::write(&format!(
        "{}Secret: {secret}\nKeep it now: it is not shown again. Deliveries are signed with it (X-HMAC-Signature).\nTo receive them: bordereau listen, with the secret in BORDEREAU_WEBHOOK_SECRET.\n",
        webhook_text(&made)
    ))
}

async fn list_webhooks(place: &GlobalArgs, desk: &Desk) -> Result<(), CommandExit> {
    let found = desk.list_webhooks().await?;
    if place.json {
        return output::write_json(&json!(found));
    }
    let lines: String = found.webhooks.iter().map(webhook_text).collect();
    output::write(if lines.is_empty() { "No webhooks.\n" } else { &lines })
}

fn webhook_text(made: &Webhook) -> String {
    let events: Vec<&str> = made.events.iter().map(|kind| kind.identifier()).collect();
    let states: Vec<&str> = made.states.iter().map(|state| state.code()).collect();
    format!(
        "{}  {}  {}\n  events: {}\n  states: {}   waiting: {}\n",
        made.id,
        made.title,
        made.url,
        if made.events.len() == EventKind::ALL.len() { "all".to_owned() } else { events.join(", ") },
        if states.is_empty() { "all".to_owned() } else { states.join(", ") },
        made.waiting,
    )
}

/// A failing endpoint is a result of the test; programs see it by the exit code.
async fn test_webhook(place: &GlobalArgs, desk: &Desk, id: &str) -> Result<(), CommandExit> {
    let outcome = desk.test_webhook(id).await?;
    if place.json {
        output::write_json(&json!(outcome))?;
    } else if outcome.error.is_none() {
        output::write(&format!("Received: answered with 200 after {} ms.\n", outcome.milliseconds))?;
    }
    match outcome {
        DeliveryAttempt { error: Some(why), .. } => {
            Err(CommandExit::with_failure(format!("the test failed. {why}")))
        }
        _ => Ok(()),
    }
}

async fn list_deliveries(
    place: &GlobalArgs,
    desk: &Desk,
    id: &str,
    limit: u32,
    failed: bool,
) -> Result<(), CommandExit> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let found = desk.webhook_deliveries(id, failed.then_some(DeliveryStatus::Failed), limit).await?;
    if place.json {
        return output::write_json(&json!({ "deliveries": found }));
    }
    let lines: String = found.iter().map(delivery_line).collect();
    output::write(if lines.is_empty() { "No deliveries.\n" } else { &lines })
}

fn delivery_line(delivery: &WebhookDelivery) -> String {
    let status = match delivery.status {
        DeliveryStatus::Waiting => "waiting",
        DeliveryStatus::Delivered => "delivered",
        DeliveryStatus::Failed => "FAILED",
        DeliveryStatus::Unknown => "unknown",
    };
    let next = delivery
        .next_attempt_at
        .as_deref()
        .map(|at| format!("  next {}", output::local_time(at)))
        .unwrap_or_default();
    let why = delivery.error.as_ref().map(|why| format!("  {why}")).unwrap_or_default();
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
    /// The first two attempts follow at once; after them only half an hour helps.
    const LOOKS: u32 = 300;
    const PAUSE: std::time::Duration = std::time::Duration::from_millis(100);
    let mut delivery = desk.redeliver_event(number).await?;
    let mut looks = 0;
    while wait && delivery.status == DeliveryStatus::Waiting && delivery.attempts < 2 && looks < LOOKS {
        tokio::time::sleep(PAUSE).await;
        delivery = desk.webhook_delivery(number).await?.delivery;
        looks += 1;
    }
    if place.json {
        output::write_json(&json!(delivery))?;
    } else {
        output::write(&delivery_line(&delivery))?;
    }
    if wait && delivery.status != DeliveryStatus::Delivered {
        let why = delivery.error.unwrap_or_else(|| "It was not received yet.".to_owned());
        return Err(CommandExit::with_failure(why));
    }
    Ok(())
}
