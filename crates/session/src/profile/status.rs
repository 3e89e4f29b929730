//! The status line: the service, its response time, and how much of the rate limit is used.

use bordereau_contract::REQUESTS_PER_MINUTE;

use super::PRACTICE;
use crate::Context;
use crate::profile::active_profile;
use crate::profile::session::open_session;
use crate::profile::view::profile_view;
use bordereau_api::{BoundaryError, Nothing, Profile, SecretsKind, SecretsStatus, ServiceState, Status};

/// The status line. It never waits for the service. On the practice profile the first call starts the service.
pub async fn status_show(ctx: &Context, _request: Nothing) -> Result<Status, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let seen = ctx.sessions().last_seen(&profile.id);
    let last_ms = seen.as_ref().and_then(|seen| seen.last_ms);
    let is_refused = seen.as_ref().is_some_and(|seen| seen.is_refused);
    let service = match seen {
        Some(seen) => seen.state,
        None => first_state(ctx, &profile).await?,
    };
    let limit =
        if profile.requests_per_minute == 0 { REQUESTS_PER_MINUTE } else { profile.requests_per_minute };
    let (used_this_minute, limit_per_minute) =
        ctx.sessions().request_usage(&profile.id).unwrap_or((0, limit));
    Ok(Status {
        profile: profile.name,
        environment: profile.environment,
        service,
        is_refused,
        last_ms,
        used_this_minute,
        limit_per_minute,
    })
}

/// The state of a service that wasn't asked yet.
async fn first_state(ctx: &Context, profile: &Profile) -> Result<ServiceState, BoundaryError> {
    if profile.id == PRACTICE && !ctx.ports().policy.profiles.practice {
        return Ok(ServiceState::Offline);
    }
    if profile.id == PRACTICE {
        ctx.sessions().set_state(PRACTICE, ServiceState::Starting);
        let context = ctx.clone();
        tokio::spawn(async move {
            // Also builds the client, so that the first quote is fast.
            if open_session(&context, &super::new_practice_profile()).await.is_ok() {
                context.sessions().set_state(PRACTICE, ServiceState::Ready);
            }
        });
        return Ok(ServiceState::Starting);
    }
    let view = profile_view(ctx, profile.clone()).await?;
    let state = if view.missing.is_empty() { ServiceState::Ready } else { ServiceState::NeedsCredentials };
    ctx.sessions().set_state(&profile.id, state);
    Ok(state)
}

/// Whether a keychain answers.
pub async fn secrets_status(ctx: &Context, _request: Nothing) -> Result<SecretsStatus, BoundaryError> {
    Ok(ctx.secrets().secrets_status().await)
}

/// The person agrees to keep secrets in memory for this run.
pub async fn secrets_use_memory(ctx: &Context, _request: Nothing) -> Result<SecretsStatus, BoundaryError> {
    let status = ctx.secrets().use_memory();
    debug_assert!(status.kind != SecretsKind::Unavailable);
    Ok(status)
}
