//! Settings for receiving events and for notifications: in the store, without secrets.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::EventInbox;
use bordereau_api::{BoundaryError, EventKind};
use bordereau_session::Context;
use bordereau_session::secrets::{SecretName, SecretText};
use bordereau_store::ValueName;

/// The stored settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ReceivingSettings {
    pub(super) receiver: bool,
    pub(super) port: u16,
    pub(super) notices: Vec<EventKind>,
    /// By profile.
    pub(super) profiles: BTreeMap<String, OfProfile>,
}

/// The stored settings of a profile.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct OfProfile {
    /// The service's id of the webhook made here; empty for none.
    pub(super) webhook: String,
    /// The address in that webhook.
    pub(super) webhook_url: String,
    /// Whether a secret is stored.
    pub(super) has_secret: bool,
    pub(super) header_name: String,
    /// Address of the followed listener; empty for none.
    pub(super) follow: String,
    pub(super) has_follow_token: bool,
}

impl Default for ReceivingSettings {
    fn default() -> Self {
        // The end of a batch is reported anyway.
        let told = [EventKind::Filed, EventKind::TaxesAndFeesPaid, EventKind::StampWordingChanged];
        ReceivingSettings { receiver: false, port: 0, notices: told.to_vec(), profiles: BTreeMap::new() }
    }
}

impl ReceivingSettings {
    pub(super) fn of(&self, profile_id: &str) -> OfProfile {
        self.profiles.get(profile_id).cloned().unwrap_or_default()
    }

    /// Whether events of the profile should arrive: then a missing one is a gap. A webhook made here continues to
    /// report while the receiver is off.
    pub(super) fn expects(&self, profile_id: &str) -> bool {
        self.profiles.get(profile_id).is_some_and(|of| {
            !of.follow.is_empty() || !of.webhook.is_empty() || (self.receiver && of.has_secret)
        })
    }

    /// Sets the kinds, without repetition.
    pub(super) fn set_notices(&mut self, notices: Vec<EventKind>) {
        let words: BTreeSet<&str> = notices.into_iter().map(<&str>::from).collect();
        self.notices = words.into_iter().filter_map(|word| word.parse().ok()).collect();
    }
}

pub(super) async fn event_settings(ctx: &Context) -> Result<ReceivingSettings, BoundaryError> {
    let kept = ctx.store().load_value::<ReceivingSettings>(ValueName::Events).await?;
    Ok(kept.map(|(kept, _)| kept).unwrap_or_default())
}

/// Changes the settings, one change at a time, and notifies the receiver.
pub(super) async fn change_event_settings(
    ctx: &Context,
    change: impl FnOnce(&mut ReceivingSettings) + Send,
) -> Result<ReceivingSettings, BoundaryError> {
    let inbox = EventInbox::from_context(ctx);
    let _alone = inbox.changing.lock().await;
    let mut kept = event_settings(ctx).await?;
    let before = kept.clone();
    change(&mut kept);
    if kept != before {
        ctx.store().save_value(ValueName::Events, &kept, ctx.now_text()).await?;
        EventInbox::from_context(ctx).reset();
    }
    Ok(kept)
}

/// A secret for events: from memory if it is there for this run, else from the keychain.
pub(super) async fn event_secret(
    ctx: &Context,
    profile_id: &str,
    name: SecretName,
) -> Result<Option<SecretText>, BoundaryError> {
    if let Some(held) = EventInbox::from_context(ctx).held_secret(profile_id, name) {
        return Ok(Some(held));
    }
    Ok(ctx.secrets().get(profile_id, name).await?)
}

/// Stores a secret for events in the keychain. The practice service's secret stays in memory where there is no
/// keychain: it is made again at every start.
pub(super) async fn store_event_secret(
    ctx: &Context,
    profile_id: &str,
    name: SecretName,
    secret: Option<SecretText>,
) -> Result<(), BoundaryError> {
    let inbox = &EventInbox::from_context(ctx);
    inbox.hold_secret(profile_id, name, None);
    match ctx.secrets().set_secret(profile_id, name, secret.clone()).await {
        Ok(()) => Ok(()),
        Err(error) if profile_id == bordereau_session::profile::PRACTICE => {
            tracing::info!(%error, "the practice webhook's secret stays in memory");
            inbox.hold_secret(profile_id, name, secret);
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}
