//! The operations on events.

use std::time::Duration;

use super::event_details::event_detail;
use crate::EventInbox;
use crate::settings::{change_event_settings, event_settings, store_event_secret};
use crate::worker::receiver_state;
use bordereau_api::*;
use bordereau_session::Context;
use bordereau_session::profile::{ServiceWords, active_profile};
use bordereau_session::secrets::{SecretName, SecretText};
use bordereau_store::events::events_revision;
use bordereau_store::events::listing::{
    find_event, inbox_status, list_events, list_events_after, mark_events,
};
use bordereau_store::events::refusals::list_refusals;

/// Longest wait for news.
const WAIT_MS_MAX: u32 = 25_000;
/// How often the store is checked for events that another process stored.
const GLANCE: Duration = Duration::from_millis(1_000);
/// Events marked at once.
const MARKED_MAX: usize = 10_000;
/// Characters of a secret, a header's name and its value.
const SECRET_CHARS: std::ops::RangeInclusive<usize> = 8..=200;
const HEADER_CHARS_MAX: usize = 100;

/// Reads new events one after the other.
#[derive(Debug)]
pub struct EventLook {
    last: Option<i64>,
    scope: LookScope,
}

#[derive(Clone, Copy, Debug)]
enum LookScope {
    ThisProfile,
    ToldByNotices,
}

impl EventLook {
    /// All events of the profile in use, from now on.
    pub fn at_profile() -> EventLook {
        EventLook { last: None, scope: LookScope::ThisProfile }
    }

    /// Unread events of all profiles with notifications, from now on.
    pub fn at_notices() -> EventLook {
        EventLook { last: None, scope: LookScope::ToldByNotices }
    }
}

/// A page of the active profile's events, unread first.
pub async fn events_list(ctx: &Context, request: EventsRequest) -> Result<EventsPage, BoundaryError> {
    let profile = active_profile(ctx).await?.id;
    Ok(ctx.store().with_connection(move |connection| list_events(connection, &profile, &request)).await?)
}

/// Everything known about an event.
pub async fn events_detail(ctx: &Context, request: EventId) -> Result<EventDetail, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let words = ServiceWords::from_profile(&profile);
    let found = ctx.store().with_connection(move |db| find_event(db, &profile.id, &request.id)).await?;
    Ok(event_detail(found, &words))
}

/// Marks events read or unread.
pub async fn events_mark(ctx: &Context, request: EventsMark) -> Result<EventsStatus, BoundaryError> {
    if request.ids.len() > MARKED_MAX {
        return Err(BoundaryError::with_code(
            ErrorCode::Validation,
            "Too many events. Mark fewer at once, or mark all.",
        ));
    }
    let profile = active_profile(ctx).await?.id;
    ctx.store().with_connection(move |connection| mark_events(connection, &profile, &request)).await?;
    EventInbox::from_context(ctx).announce_change();
    events_status(ctx, Nothing {}).await
}

/// The inbox in one line.
pub async fn events_status(ctx: &Context, _request: Nothing) -> Result<EventsStatus, BoundaryError> {
    let profile = active_profile(ctx).await?.id;
    let kept = event_settings(ctx).await?;
    let (receiver, trouble) = receiver_state(ctx, &kept, &profile);
    let status = ctx.store().with_connection(move |connection| inbox_status(connection, &profile)).await?;
    Ok(EventsStatus { receiver, trouble, ..status })
}

/// Waits for a change of the inbox, at most as long as requested, and returns its state.
pub async fn events_news(ctx: &Context, request: EventsNews) -> Result<EventsStatus, BoundaryError> {
    let until = tokio::time::Instant::now() + Duration::from_millis(request.wait_ms.min(WAIT_MS_MAX).into());
    let mut changes = EventInbox::from_context(ctx).changes();
    loop {
        changes.mark_unchanged();
        let revision = ctx.store().with_connection(|connection| events_revision(connection)).await?;
        if request.known != Some(revision) || tokio::time::Instant::now() >= until {
            return events_status(ctx, Nothing {}).await;
        }
        tokio::select! {
            // Only the receiver may have changed: that is a change as well.
            _ = changes.changed() => return events_status(ctx, Nothing {}).await,
            () = tokio::time::sleep_until(until.min(tokio::time::Instant::now() + GLANCE)) => {}
        }
    }
}

/// Deliveries that were refused.
pub async fn events_refused(ctx: &Context, _request: Nothing) -> Result<RefusedList, BoundaryError> {
    let profile = active_profile(ctx).await?.id;
    let stored = ctx.store().with_connection(move |connection| list_refusals(connection, &profile)).await?;
    let summary = EventInbox::from_context(ctx).refused.to_sentence().unwrap_or_default();
    Ok(RefusedList { summary, ..stored })
}

/// How events are received and reported.
pub async fn events_settings(ctx: &Context, _request: Nothing) -> Result<EventsSettings, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let kept = event_settings(ctx).await?;
    let of = kept.of(&profile.id);
    let (state, trouble) = receiver_state(ctx, &kept, &profile.id);
    let address = EventInbox::from_context(ctx).inbox_status().address;
    Ok(EventsSettings {
        receiver: kept.receiver,
        port: kept.port.into(),
        address: address
            .map(|address| super::subscribe::address_of(address, &profile.id))
            .unwrap_or_default(),
        subscribed: !of.webhook.is_empty(),
        one_click: super::subscribe::is_on_this_computer(&profile),
        has_secret: of.has_secret,
        header_name: of.header_name,
        follow: of.follow,
        has_follow_token: of.has_follow_token,
        notices: kept.notices,
        state,
        trouble,
    })
}

/// Changes how events are received and reported.
///
/// # Errors
/// [`ErrorCode::Validation`] for an invalid port; [`ErrorCode::Storage`].
pub async fn events_settings_save(
    ctx: &Context,
    request: EventsSettingsChange,
) -> Result<EventsSettings, BoundaryError> {
    let port = u16::try_from(request.port).ok().filter(|port| *port == 0 || *port >= 1_024);
    let Some(port) = port else {
        let message = format!("{} is not a valid port. Use 1024 to 65535, or 0.", request.port);
        return Err(BoundaryError::invalid_field("/port", message));
    };
    let change = |kept: &mut super::settings::ReceivingSettings| {
        kept.receiver = request.receiver;
        kept.port = port;
        kept.set_notices(request.notices);
    };
    change_event_settings(ctx, change).await?;
    events_settings(ctx, Nothing {}).await
}

/// Stores the secret and the header of a webhook that was set up at the provider.
///
/// # Errors
/// [`ErrorCode::Validation`] names the fields at fault; errors of the keychain.
pub async fn events_secret(ctx: &Context, request: SetEventsSecret) -> Result<EventsSettings, BoundaryError> {
    let profile = active_profile(ctx).await?.id;
    let secret = SecretText::new(request.secret.trim().to_owned());
    let header_name = request.header_name.trim().to_owned();
    let mut faults = Vec::new();
    if !secret.is_empty() && !SECRET_CHARS.contains(&secret.chars().count()) {
        faults.push(FieldError::at_pointer("/secret", "A secret has 8 to 200 characters; 20 are usual."));
    }
    let is_name = header_name.len() <= HEADER_CHARS_MAX
        && header_name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    if !is_name {
        faults.push(FieldError::at_pointer(
            "/header_name",
            "A header name can have only letters, digits, and hyphens.",
        ));
    }
    if !header_name.is_empty() && request.header_value.is_empty() {
        faults.push(FieldError::at_pointer("/header_value", "Enter the header's value."));
    }
    if !faults.is_empty() {
        return Err(BoundaryError::invalid_fields(faults));
    }
    let has_secret = !secret.is_empty();
    let value =
        (has_secret && !header_name.is_empty()).then(|| SecretText::new(request.header_value.clone()));
    store_event_secret(ctx, &profile, SecretName::WebhookSecret, has_secret.then_some(secret)).await?;
    store_event_secret(ctx, &profile, SecretName::WebhookHeader, value).await?;
    change_event_settings(ctx, |kept| {
        let of = kept.profiles.entry(profile).or_default();
        of.has_secret = has_secret;
        of.header_name = if has_secret { header_name } else { String::new() };
    })
    .await?;
    // Also when only the value changed.
    EventInbox::from_context(ctx).reset();
    events_settings(ctx, Nothing {}).await
}

/// Starts or stops following a listener on a server.
///
/// # Errors
/// [`ErrorCode::Validation`] names the field at fault; errors of the keychain.
pub async fn events_follow(ctx: &Context, request: FollowListener) -> Result<EventsSettings, BoundaryError> {
    let profile = active_profile(ctx).await?.id;
    let address = request.address.trim().trim_end_matches('/').to_owned();
    if !address.is_empty()
        && let Err(why) = bordereau_client::check_feed_address(&address)
    {
        let message = bordereau_session::failure::end_sentence(
            &bordereau_session::failure::capitalize_first(&why.to_string()),
        );
        return Err(BoundaryError::invalid_field("/address", message));
    }
    let token = SecretText::new(request.token.trim().to_owned());
    let of = event_settings(ctx).await?.of(&profile);
    // A token entered for one server must not reach another.
    let had = of.has_follow_token && is_same_origin(&of.follow, &address);
    if !address.is_empty() && token.is_empty() && !had {
        let message = if of.has_follow_token {
            "The address is another server's: enter the token of its listener."
        } else {
            "Enter the listener's token."
        };
        return Err(BoundaryError::invalid_field("/token", message));
    }
    if address.is_empty() || !token.is_empty() {
        let token = (!token.is_empty() && !address.is_empty()).then_some(token);
        store_event_secret(ctx, &profile, SecretName::FollowToken, token).await?;
    }
    change_event_settings(ctx, |kept| {
        let of = kept.profiles.entry(profile).or_default();
        of.has_follow_token = !address.is_empty();
        of.follow = address;
    })
    .await?;
    EventInbox::from_context(ctx).reset();
    events_settings(ctx, Nothing {}).await
}

/// Whether two addresses have the same scheme, host and port.
fn is_same_origin(one: &str, other: &str) -> bool {
    let origin = |address: &str| url::Url::parse(address).ok().map(|url| url.origin());
    origin(one).is_some_and(|of_one| of_one.is_tuple() && origin(other) == Some(of_one))
}

/// Events since the last call, oldest first; the first call returns nothing and only notes where to start.
pub async fn events_since(ctx: &Context, look: &mut EventLook) -> Result<Vec<EventView>, BoundaryError> {
    let profile = match look.scope {
        LookScope::ThisProfile => Some(active_profile(ctx).await?.id),
        LookScope::ToldByNotices => None,
    };
    let (after, of) = (look.last, profile.clone());
    let (last, events) = ctx
        .store()
        .with_connection(move |connection| list_events_after(connection, after, of.as_deref()))
        .await?;
    look.last = Some(last);
    if profile.is_some() {
        return Ok(events);
    }
    let told = event_settings(ctx).await?.notices;
    Ok(events.into_iter().filter(|event| !event.read && told.contains(&event.what)).collect())
}

#[cfg(test)]
mod tests {
    use super::is_same_origin;

    #[test]
    fn a_token_belongs_to_one_origin() {
        for (one, other, is_same) in [
            ("https://desk.example.com", "https://desk.example.com/events", true),
            ("https://desk.example.com:443", "https://DESK.example.com", true),
            ("https://desk.example.com", "https://desk.example.com:8443", false),
            ("https://desk.example.com", "http://desk.example.com", false),
            ("https://desk.example.com", "https://desk.example.org", false),
            ("", "https://desk.example.com", false),
            ("data:x", "data:x", false),
        ] {
            assert_eq!(is_same_origin(one, other), is_same, "{one} {other}");
        }
    }
}
