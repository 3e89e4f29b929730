//! "Receive events": points the service's webhook at this computer's receiver.
//!
//! Only a service on this computer reaches a receiver on loopback. For other services the window explains what to
//! set up at the provider, and a listener on a server forwards.

use std::net::SocketAddr;

use bordereau_contract::{EventKind, Webhook, WebhookRequest};
use url::{Host, Url};

use crate::EventInbox;
use crate::listener::random_text;
use crate::operations::events_settings;
use crate::settings::{change_event_settings, event_secret, event_settings, store_event_secret};
use bordereau_api::*;
use bordereau_session::Context;
use bordereau_session::failure::from_client;
use bordereau_session::profile::{PRACTICE, active_profile, open_session};
use bordereau_session::secrets::{SecretName, SecretText};

/// Name of the webhook at the service.
const TITLE: &str = "Bordereau on this computer";
/// The header of a webhook whose service does not sign.
const HEADER_NAME: &str = "X-Bordereau-Key";
/// Time for the receiver to start listening.
const LISTENS_WITHIN: std::time::Duration = std::time::Duration::from_secs(5);

/// Address of the receiver for a profile's webhook.
pub(super) fn address_of(address: SocketAddr, profile_id: &str) -> String {
    format!("http://{address}/events/{profile_id}")
}

/// Whether the profile's service can reach a receiver on this computer.
pub(super) fn is_on_this_computer(profile: &Profile) -> bool {
    profile.id == PRACTICE
        || Url::parse(&profile.base_url).is_ok_and(|url| match url.host() {
            Some(Host::Ipv4(ip)) => ip.is_loopback(),
            Some(Host::Ipv6(ip)) => ip.is_loopback(),
            Some(Host::Domain(name)) => name == "localhost",
            None => false,
        })
}

/// The service's own notices about deliveries that it gave up on.
pub async fn events_notices(ctx: &Context, _request: Nothing) -> Result<TrayNotices, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let client = open_session(ctx, &profile).await?.client;
    let notices = match client.webhook_notices().await {
        Ok(found) => found.notices,
        // A service without notices has nothing to report.
        Err(bordereau_client::ClientError::Rejected { status: 404 | 405, .. }) => Vec::new(),
        Err(error) => return Err(from_client(error)),
    };
    let shown = |notice: bordereau_contract::WebhookNotice| TrayNotice {
        id: notice.id.to_string(),
        webhook_title: notice.webhook_title,
        event: notice.event,
        endpoint_url: notice.endpoint_url,
        timestamp: notice.timestamp,
        failed_event_id: notice.failed_event_id,
        response_status: notice.response_status,
        response_body: notice.response_body,
        delivery_id: notice.delivery_id.to_string(),
    };
    Ok(TrayNotices { notices: notices.into_iter().map(shown).collect() })
}

/// Asks the service to send a delivery again.
///
/// # Errors
/// [`ErrorCode::NotFound`]; errors of the service.
pub async fn events_send_again(ctx: &Context, request: SendAgain) -> Result<Nothing, BoundaryError> {
    let number = request.delivery.parse().map_err(|_| BoundaryError::not_found("delivery"))?;
    let profile = active_profile(ctx).await?;
    let client = open_session(ctx, &profile).await?.client;
    client.redeliver_event(number).await.map_err(from_client)?;
    Ok(Nothing {})
}

/// Switches the receiver on and points the service's webhook at it.
///
/// # Errors
/// [`ErrorCode::Validation`] where the service can't reach this computer; errors of the service and the keychain.
pub async fn events_subscribe(ctx: &Context, _request: Nothing) -> Result<EventsSettings, BoundaryError> {
    let profile = active_profile(ctx).await?;
    if !is_on_this_computer(&profile) {
        return Err(BoundaryError::with_code(
            ErrorCode::Validation,
            "This service cannot reach a receiver on your computer. Set the webhook up at the provider, with a listener on a server that it reaches.",
        ));
    }
    change_event_settings(ctx, |kept| kept.receiver = true).await?;
    let address = listening_address(ctx).await?;
    point_webhook(ctx, &profile, address).await?;
    events_settings(ctx, Nothing {}).await
}

/// Removes the webhook that points here; received events stay.
pub async fn events_unsubscribe(ctx: &Context, _request: Nothing) -> Result<EventsSettings, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let webhook = event_settings(ctx).await?.of(&profile.id).webhook;
    if !webhook.is_empty() {
        let client = open_session(ctx, &profile).await?.client;
        client.remove_webhook(&webhook).await.or_else(ignore_missing).map_err(from_client)?;
    }
    store_event_secret(ctx, &profile.id, SecretName::WebhookSecret, None).await?;
    store_event_secret(ctx, &profile.id, SecretName::WebhookHeader, None).await?;
    change_event_settings(ctx, |kept| {
        if let Some(of) = kept.profiles.get_mut(&profile.id) {
            (of.webhook, of.webhook_url, of.header_name) = Default::default();
            of.has_secret = false;
        }
    })
    .await?;
    events_settings(ctx, Nothing {}).await
}

/// Waits for the receiver's address.
async fn listening_address(ctx: &Context) -> Result<SocketAddr, BoundaryError> {
    let mut changes = EventInbox::from_context(ctx).changes();
    let listens = async {
        loop {
            changes.mark_unchanged();
            let receiver = EventInbox::from_context(ctx).inbox_status();
            if let Some(address) = receiver.address {
                return Ok(address);
            }
            if !receiver.trouble.is_empty() {
                return Err(BoundaryError::with_code(ErrorCode::Validation, receiver.trouble));
            }
            // This desk holds the sender.
            let _ = changes.changed().await;
        }
    };
    tokio::time::timeout(LISTENS_WITHIN, listens).await.unwrap_or_else(|_| {
        Err(BoundaryError::with_code(
            ErrorCode::Validation,
            "The receiver didn't start. It runs while the window is open, or on a server as a listener.",
        ))
    })
}

/// Points the webhook here and gets a secret. An existing webhook gets a new secret, which is shown only once, so
/// that deliveries waiting for it still arrive.
async fn point_webhook(ctx: &Context, profile: &Profile, address: SocketAddr) -> Result<(), BoundaryError> {
    let url = address_of(address, &profile.id);
    let client = open_session(ctx, profile).await?.client;
    let request = WebhookRequest {
        title: TITLE.to_owned(),
        description: "Created by \"Receive events\".".to_owned(),
        events: EventKind::ALL.to_vec(),
        url: url.clone(),
        ..WebhookRequest::default()
    };
    let request = if profile.delivery_proof == DeliveryProofKind::HeaderPair {
        let header_value = random_text()?;
        WebhookRequest { header_key: HEADER_NAME.to_owned(), header_value, ..request }
    } else {
        request
    };
    let before = event_settings(ctx).await?.of(&profile.id).webhook;
    let made = match renew_webhook(&client, &before, &request).await? {
        Some(renewed) => renewed,
        None => client.add_webhook(&request).await.map_err(from_client)?,
    };
    let secret = made.secret.map(SecretText::new);
    if secret.is_none() && request.header_key.is_empty() {
        return Err(BoundaryError::with_code(
            ErrorCode::Unreadable,
            "The service created the webhook but returned no secret. If it does not sign its deliveries, choose the header pair in the profile.",
        ));
    }
    let has_secret = secret.is_some();
    let header = Some(SecretText::new(request.header_value)).filter(|value| !value.is_empty());
    let kept = async {
        store_event_secret(ctx, &profile.id, SecretName::WebhookSecret, secret).await?;
        store_event_secret(ctx, &profile.id, SecretName::WebhookHeader, header).await
    };
    if let Err(error) = kept.await {
        // Without its secret the webhook would only bring deliveries to refuse.
        let _ = client.remove_webhook(&made.id).await;
        return Err(error);
    }
    let (id, header_name) = (made.id, request.header_key);
    change_event_settings(ctx, |kept| {
        let of = kept.profiles.entry(profile.id.clone()).or_default();
        (of.webhook, of.webhook_url, of.has_secret) = (id, url, has_secret);
        of.header_name = header_name;
    })
    .await?;
    // Also when only the secret changed.
    EventInbox::from_context(ctx).reset();
    Ok(())
}

/// The practice service belongs to this computer: if its webhook no longer fits the receiver (another port, or a
/// secret that was only in memory), it is created again without asking.
pub(super) async fn renew_practice_webhook(ctx: &Context, address: SocketAddr) {
    let fits = async {
        let of = event_settings(ctx).await?.of(PRACTICE);
        if of.webhook.is_empty() {
            return Ok(());
        }
        let secret = event_secret(ctx, PRACTICE, SecretName::WebhookSecret).await.unwrap_or_default();
        if of.webhook_url == address_of(address, PRACTICE) && secret.is_some() {
            return Ok(());
        }
        point_webhook(ctx, &bordereau_session::profile::new_practice_profile(), address).await
    };
    if let Err(error) = fits.await {
        tracing::warn!(why = error.message, "the practice webhook does not fit the receiver");
    }
}

/// Points the existing webhook here with a new secret; `None` if it is gone.
async fn renew_webhook(
    client: &bordereau_client::Client,
    id: &str,
    request: &WebhookRequest,
) -> Result<Option<Webhook>, BoundaryError> {
    if id.is_empty() {
        return Ok(None);
    }
    let changed = async {
        let mut request = request.clone();
        // Keep what a person chose for it meanwhile; only the address is this computer's.
        if let Some(there) = client.list_webhooks().await?.webhooks.into_iter().find(|there| there.id == id) {
            (request.title, request.description) = (there.title, there.description);
            (request.events, request.states) = (there.events, there.states);
        }
        client.change_webhook(id, &request).await?;
        client.renew_webhook_secret(id).await
    };
    match changed.await {
        Ok(webhook) => Ok(Some(webhook)),
        Err(bordereau_client::ClientError::Rejected { status: 404, .. }) => Ok(None),
        Err(error) => Err(from_client(error)),
    }
}

/// A webhook that no longer exists counts as removed.
fn ignore_missing(error: bordereau_client::ClientError) -> Result<(), bordereau_client::ClientError> {
    match error {
        bordereau_client::ClientError::Rejected { status: 404, .. } => Ok(()),
        error => Err(error),
    }
}
