//! Following a listener on a server: what it stored comes here in order, and each only once.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bordereau_client::{Feed, FeedConfig, FeedEntry, Secret};
use serde::Deserialize;
use tokio::task::JoinSet;

use super::shelf::Arrival;
use crate::Desk;
use crate::api::{BoundaryError, EventSignature};
use crate::failure::{capital, ended, from_client};
use crate::secrets::SecretName;

/// What a listener forwards.
#[derive(Deserialize)]
struct Forwarded {
    body: String,
}

/// Follows every listener that the settings name, anew whenever they change.
pub(super) async fn follow_all(desk: Desk) {
    let mut resets = desk.inner.inbox.resets();
    loop {
        resets.mark_unchanged();
        let mut following = JoinSet::new();
        if let Ok(kept) = desk.event_settings().await {
            for (profile_id, of) in kept.profiles {
                if !of.follow.is_empty() {
                    following.spawn(follow(desk.clone(), profile_id, of.follow));
                }
            }
        }
        // The tasks end with the set.
        if resets.changed().await.is_err() {
            return;
        }
    }
}

/// Follows one listener for ever, with growing pauses while it is lost.
async fn follow(desk: Desk, profile_id: String, address: String) {
    let mut lost = 0u32;
    loop {
        let outcome = follow_once(&desk, &profile_id, &address, &mut lost).await;
        let why = match outcome {
            Ok(()) => "The listener ended the connection. It is followed again.".to_owned(),
            Err(error) => error.message,
        };
        desk.inner.inbox.note_follow(&profile_id, Some(why));
        lost = lost.saturating_add(1);
        tokio::time::sleep(pause(&desk, lost)).await;
    }
}

fn pause(desk: &Desk, lost: u32) -> Duration {
    const LONGEST: Duration = Duration::from_secs(60);
    let first = desk.inner.inbox.pace().refollow;
    first.saturating_mul(1u32.checked_shl(lost.saturating_sub(1).min(10)).unwrap_or(u32::MAX)).min(LONGEST)
}

async fn follow_once(
    desk: &Desk,
    profile_id: &str,
    address: &str,
    lost: &mut u32,
) -> Result<(), BoundaryError> {
    let token = desk.event_secret(profile_id, SecretName::FollowToken).await?;
    let last_id = desk.inner.store.followed_to(profile_id, address).await?;
    let profile = desk.profile_by_id(profile_id).await?;
    let config = FeedConfig {
        address: address.to_owned(),
        token: Secret::new(token.as_ref().map(|token| token.as_str()).unwrap_or_default()),
        last_id,
        extra_ca_pem: crate::profile::read_ca(&profile.ca_file).await?,
    };
    let mut feed = Feed::open(config).await.map_err(from_client)?;
    desk.inner.inbox.note_follow(profile_id, None);
    while let Some(entry) = feed.next().await.map_err(from_client)? {
        *lost = 0;
        keep(desk, profile_id, address, entry).await?;
    }
    Ok(())
}

async fn keep(desk: &Desk, profile_id: &str, address: &str, entry: FeedEntry) -> Result<(), BoundaryError> {
    let unreadable = |why: String| {
        let text = ended(&capital(&why));
        BoundaryError::of(
            crate::api::ErrorCode::Unreadable,
            format!("What the listener forwards cannot be read. {text}"),
        )
    };
    let forwarded: Forwarded =
        serde_json::from_str(&entry.data).map_err(|error| unreadable(error.to_string()))?;
    let body = STANDARD.decode(&forwarded.body).map_err(|error| unreadable(error.to_string()))?;
    let arrival = Arrival {
        profile_id: profile_id.to_owned(),
        body,
        signature: EventSignature::Forwarded,
        at: desk.stamp(),
    };
    desk.inner.store.keep_forwarded(arrival, address.to_owned(), entry.id).await?;
    desk.inner.inbox.changed();
    Ok(())
}
