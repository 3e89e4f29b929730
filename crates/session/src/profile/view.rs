//! Profiles with the state of their secrets; never a secret itself.

use bordereau_client::StoredTokens;
use bordereau_contract::format_instant;
use chrono::{DateTime, TimeDelta, Utc};

use super::PRACTICE;
use crate::Context;
use crate::profile::active_profile;
use crate::profile::profile_by_id;
use crate::secrets::SecretName;
use bordereau_api::{BoundaryError, Profile, ProfileList, ProfileView, SecretsKind, SignIn};
use bordereau_store::profiles::list_profiles;

/// How long before its end a sign-in warns.
const WARNED_BEFORE: TimeDelta = TimeDelta::days(7);

/// Practice first, then in the order they were added.
pub(super) async fn profile_views(ctx: &Context) -> Result<ProfileList, BoundaryError> {
    let active = active_profile(ctx).await?.id;
    let mut profiles = vec![practice_view(profile_by_id(ctx, PRACTICE).await?, active == PRACTICE)];
    let own = ctx.store().with_connection(|db| list_profiles(db)).await?;
    // Without profiles besides Practice, don't touch the keychain.
    let answers = !own.is_empty() && ctx.secrets().secrets_status().await.kind != SecretsKind::Unavailable;
    for profile in own {
        let active = profile.id == active;
        profiles.push(own_view(ctx, profile, active, answers).await);
    }
    // Practice in use because no other profile was selected: something must be shown.
    let has_practice = ctx.ports().policy.profiles.practice;
    profiles.retain(|view| has_practice || view.active || view.profile.id != PRACTICE);
    Ok(ProfileList { profiles })
}

/// The view of one profile.
pub(super) async fn profile_view(ctx: &Context, profile: Profile) -> Result<ProfileView, BoundaryError> {
    let active = active_profile(ctx).await?.id == profile.id;
    if profile.id == PRACTICE {
        return Ok(practice_view(profile, active));
    }
    let answers = ctx.secrets().secrets_status().await.kind != SecretsKind::Unavailable;
    Ok(own_view(ctx, profile, active, answers).await)
}

async fn own_view(ctx: &Context, profile: Profile, active: bool, keychain_answers: bool) -> ProfileView {
    let has_key = keychain_answers && has_secret(ctx, &profile.id, SecretName::ApiKey).await;
    let token = if keychain_answers {
        ctx.secrets().get(&profile.id, SecretName::RefreshToken).await
    } else {
        Ok(None)
    };
    let token = token.ok().flatten();
    // For this run at least, where the service gave no refresh token.
    let signed_in = token.is_some() || ctx.sessions().grant(&profile).is_some();
    let ends =
        token.and_then(|text| StoredTokens::from_secret_text(&text)).map(|tokens| tokens.refresh_expires_at);
    let ends_soon =
        profile.sign_in != SignIn::ApiKey && ends.is_some_and(|end| is_soon(end, ctx.ports().clock.now()));
    let missing = missing_parts(&profile, has_key, signed_in, keychain_answers);
    ProfileView {
        profile,
        active,
        built_in: false,
        has_key,
        signed_in,
        sign_in_ends: ends.map(format_instant),
        sign_in_ends_soon: ends_soon,
        missing,
    }
}

/// Whether a sign-in ends soon: renewing it takes the password.
fn is_soon(end: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    end - now <= WARNED_BEFORE
}

async fn has_secret(ctx: &Context, profile: &str, name: SecretName) -> bool {
    matches!(ctx.secrets().get(profile, name).await, Ok(Some(_)))
}

fn practice_view(profile: Profile, active: bool) -> ProfileView {
    ProfileView {
        profile,
        active,
        built_in: true,
        has_key: true,
        signed_in: false,
        sign_in_ends: None,
        sign_in_ends_soon: false,
        missing: Vec::new(),
    }
}

fn missing_parts(profile: &Profile, has_key: bool, signed_in: bool, keychain_answers: bool) -> Vec<String> {
    let mut missing = Vec::new();
    if !keychain_answers {
        missing.push("A system keychain".to_owned());
    }
    if profile.sign_in != SignIn::User && !has_key {
        missing.push("API key".to_owned());
    }
    if profile.sign_in != SignIn::ApiKey && !signed_in {
        missing.push("Sign-in with username and password".to_owned());
    }
    missing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_in_is_warned_of_a_week_before_it_ends() {
        let now = DateTime::<Utc>::UNIX_EPOCH;
        for (days, expected) in [(30, false), (8, false), (7, true), (0, true), (-3, true)] {
            assert_eq!(is_soon(now + TimeDelta::days(days), now), expected, "{days} days");
        }
    }
}
