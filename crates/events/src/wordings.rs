//! Stamp wordings: finds a change that no event reported, by asking the same question again.
//!
//! Only a quote contains a wording. So the first quote of each state that this profile's service answered is the
//! question. It is repeated less and less often, and at once when an event names that state. It must be the same
//! question, because another one may have another wording without any change. A state never quoted isn't asked
//! about.

use super::EventFact;
use super::event_content::wording_value;
use crate::EventInbox;
use crate::settings::event_settings;
use bordereau_api::{BoundaryError, QuoteRequest};
use bordereau_quotes::stamp_wording;
use bordereau_session::Context;
use bordereau_session::profile::profile_by_id;
use bordereau_store::StoreError;
use bordereau_store::events::wordings::{
    DueWording, WordingAnswer, adopt_quotes, newest_quote, record_wording_answer,
};

/// Value for a state without any wording.
const NONE: &str = "-";

/// The newest quote, and the profiles with events, when questions were last adopted.
#[derive(Default, PartialEq, Eq)]
pub(super) struct AdoptedQuotes(Option<(i64, Vec<String>)>);

/// Adopts the states quoted since the last round, for profiles with events.
pub(super) async fn adopt_new_quotes(ctx: &Context, known: &mut AdoptedQuotes) -> Result<(), StoreError> {
    let newest = ctx.store().with_connection(|connection| newest_quote(connection)).await?;
    let kept = event_settings(ctx).await.unwrap_or_default();
    let expected: Vec<String> = kept.profiles.keys().filter(|id| kept.expects(id)).cloned().collect();
    let now = AdoptedQuotes(Some((newest, expected.clone())));
    if *known == now {
        return Ok(());
    }
    for id in expected {
        let Ok(profile) = profile_by_id(ctx, &id).await else { continue };
        ctx.store().with_connection(move |connection| adopt_quotes(connection, &id, &profile.name)).await?;
    }
    *known = now;
    Ok(())
}

/// Repeats the question; whatever the answer, the next time is later.
pub(super) async fn check_wording(ctx: &Context, due: DueWording, now: i64) -> Result<(), BoundaryError> {
    let answered = wording_of(ctx, &due).await;
    let next =
        now.saturating_add(EventInbox::from_context(ctx).pace().pause_ms(due.in_vain.saturating_add(1)));
    let (at, kept) = (ctx.now_text(), event_settings(ctx).await?);
    let is_gap = kept.expects(&due.profile_id);
    let answer = answered.as_ref().ok().map(|value| WordingAnswer {
        value: value.clone(),
        fact: EventFact::of_wording(&due.state, value.clone()).confirmed(),
    });
    let record =
        move |connection: &mut _| record_wording_answer(connection, &due, answer.as_ref(), &at, next, is_gap);
    let changed = ctx.store().with_connection(record).await?;
    if changed {
        EventInbox::from_context(ctx).announce_change();
    }
    match answered {
        // Continue with the profile's other questions: perhaps it refuses only the calculator.
        Err(error) if error.retryable => Err(error),
        _ => Ok(()),
    }
}

async fn wording_of(ctx: &Context, due: &DueWording) -> Result<String, BoundaryError> {
    let profile = profile_by_id(ctx, &due.profile_id).await?;
    let question: QuoteRequest = serde_json::from_str(&due.question)
        .map_err(|_| BoundaryError::internal_error("reading a kept quote"))?;
    let (text, updated_at) = stamp_wording(ctx, &profile, &question).await?;
    let value = wording_value(text.as_deref(), updated_at.as_deref());
    Ok(if value.is_empty() { NONE.to_owned() } else { value })
}
