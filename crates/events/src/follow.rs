//! Follows a listener on a server: gets its stored deliveries in order, each once.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bordereau_client::{EventStream, FeedConfig, FeedEntry, FeedPatience, Secret};
use bordereau_contract::{format_count, format_instant};
use serde::Deserialize;
use tokio::task::JoinSet;

use super::parsed_event::parse_delivery;
use crate::EventInbox;
use crate::settings::{event_secret, event_settings};
use bordereau_api::{BoundaryError, EventSignature};
use bordereau_session::Context;
use bordereau_session::failure::{capitalize_first, end_sentence, from_client};
use bordereau_session::profile::{ServiceWords, profile_by_id};
use bordereau_session::secrets::SecretName;
use bordereau_store::events::follows::{count_unconfirmed, last_followed_id};
use bordereau_store::events::inbox::{Delivery, store_deliveries};

/// Unconfirmed messages are counted over this time.
const DAY: Duration = Duration::from_secs(24 * 3_600);
/// Bytes of unconfirmed messages in one day.
const UNCONFIRMED_BYTES_MAX: i64 = 512 << 20;

/// A delivery that a listener forwards.
#[derive(Deserialize)]
struct ForwardedBody {
    body: String,
}

/// Follows every listener in the settings; restarts whenever they change.
pub(super) async fn follow_all(ctx: Context) {
    let mut resets = EventInbox::from_context(&ctx).resets();
    loop {
        resets.mark_unchanged();
        let mut following = JoinSet::new();
        if let Ok(kept) = event_settings(&ctx).await {
            for (profile_id, of) in kept.profiles {
                if !of.follow.is_empty() {
                    following.spawn(follow_listener(ctx.clone(), profile_id, of.follow));
                }
            }
        }
        // The tasks end with the set.
        if resets.changed().await.is_err() {
            return;
        }
    }
}

/// Follows one listener forever, with growing pauses while it can't be reached.
async fn follow_listener(ctx: Context, profile_id: String, address: String) {
    let mut lost = 0u32;
    loop {
        let outcome = follow_once(&ctx, &profile_id, &address, &mut lost).await;
        let why = match outcome {
            Ok(()) => "The listener ended the connection. Reconnecting.".to_owned(),
            Err(error) => error.message,
        };
        EventInbox::from_context(&ctx).note_follow(&profile_id, Some(why));
        lost = lost.saturating_add(1);
        tokio::time::sleep(retry_pause(&ctx, lost)).await;
    }
}

fn retry_pause(ctx: &Context, lost: u32) -> Duration {
    const LONGEST: Duration = Duration::from_secs(60);
    let first = EventInbox::from_context(ctx).pace().refollow;
    first.saturating_mul(1u32.checked_shl(lost.saturating_sub(1).min(10)).unwrap_or(u32::MAX)).min(LONGEST)
}

async fn follow_once(
    ctx: &Context,
    profile_id: &str,
    address: &str,
    lost: &mut u32,
) -> Result<(), BoundaryError> {
    let token = event_secret(ctx, profile_id, SecretName::FollowToken).await?;
    let (id, of) = (profile_id.to_owned(), address.to_owned());
    let last_id =
        ctx.store().with_connection(move |connection| last_followed_id(connection, &id, &of)).await?;
    let mut room = room_for_unconfirmed(ctx, profile_id).await?;
    let profile = profile_by_id(ctx, profile_id).await?;
    let config = FeedConfig {
        address: address.to_owned(),
        token: Secret::new(token.as_ref().map(|token| token.as_str()).unwrap_or_default()),
        last_id,
        extra_ca_pem: bordereau_session::profile::read_ca(ctx, &profile).await?,
        patience: FeedPatience::default(),
    };
    let mut feed = EventStream::open(config).await.map_err(from_client)?;
    EventInbox::from_context(ctx).note_follow(profile_id, None);
    while let Some(entry) = feed.next().await.map_err(from_client)? {
        if room.count == 0 || room.bytes < 0 {
            room = room_for_unconfirmed(ctx, profile_id).await?;
        }
        room.count -= 1;
        room.bytes -= i64::try_from(entry.data.len()).unwrap_or(i64::MAX);
        store_entry(ctx, profile_id, address, entry).await?;
        // Only now: a message that can never be stored would otherwise be requested without a pause.
        *lost = 0;
    }
    Ok(())
}

/// What may still be read before unconfirmed messages are counted again.
struct UnconfirmedRoom {
    count: u32,
    bytes: i64,
}

/// A listener can make up messages until the disk is full.
async fn room_for_unconfirmed(ctx: &Context, profile_id: &str) -> Result<UnconfirmedRoom, BoundaryError> {
    let (id, since) = (profile_id.to_owned(), format_instant(ctx.ports().clock.now() - DAY));
    let (count, bytes) =
        ctx.store().with_connection(move |connection| count_unconfirmed(connection, &id, &since)).await?;
    let most = EventInbox::from_context(ctx).pace().unconfirmed_max;
    if count < most && bytes < UNCONFIRMED_BYTES_MAX {
        return Ok(UnconfirmedRoom { count: most - count, bytes: UNCONFIRMED_BYTES_MAX - bytes });
    }
    let count = format_count(count);
    Err(BoundaryError::with_code(
        bordereau_api::ErrorCode::Unreadable,
        format!(
            "The listener sent {count} messages in a day that the service has not confirmed. No more are read until \
             it has confirmed some of them, or until tomorrow. If you don't expect that many, check the listener's \
             server and stop following it."
        ),
    ))
}

async fn store_entry(
    ctx: &Context,
    profile_id: &str,
    address: &str,
    entry: FeedEntry,
) -> Result<(), BoundaryError> {
    let unreadable = |why: String| {
        let text = end_sentence(&capitalize_first(&why));
        BoundaryError::with_code(
            bordereau_api::ErrorCode::Unreadable,
            format!("A message from the listener can't be read. {text}"),
        )
    };
    let forwarded: ForwardedBody =
        serde_json::from_str(&entry.data).map_err(|error| unreadable(error.to_string()))?;
    let body = STANDARD.decode(&forwarded.body).map_err(|error| unreadable(error.to_string()))?;
    let delivery = Delivery {
        profile_id: profile_id.to_owned(),
        body,
        signature: EventSignature::Forwarded,
        at: ctx.now_text(),
    };
    let words = ServiceWords::from_profile(&profile_by_id(ctx, profile_id).await?);
    let (events, address) = (parse_delivery(delivery, &words), address.to_owned());
    ctx.store()
        .run_durably(move |connection| store_deliveries(connection, &events, Some((&address, entry.id))))
        .await?;
    EventInbox::from_context(ctx).announce_change();
    Ok(())
}
