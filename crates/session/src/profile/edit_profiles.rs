//! Adds, changes, selects and removes profiles.

use url::Url;

use super::profile_files::{check_files, remove_unused_files, share_files, store_files};
use super::rules::{profile_faults, tidy_profile};
use super::session::bind_secrets;
use super::session::{ensure_allowed, refuse_practice};
use crate::Context;
use crate::profile::profile_by_id;
use crate::profile::view::profile_view;
use crate::profile::view::profile_views;
use crate::secrets::{SecretName, SecretText, SecretsError};
use bordereau_api::{
    BoundaryError, ErrorCode, FieldError, Nothing, Profile, ProfileId, ProfileList, ProfileView, SetApiKey,
};
use bordereau_store::ValueName;
use bordereau_store::profiles::{ensure_unchanged, list_profiles, remove_profile, store_profile};
use bordereau_store::under_way::count_in_progress;

/// Characters of an API key \[ours]: more is a pasted page, not a key.
const KEY_MAX: usize = 1_000;

/// All profiles, practice first.
pub async fn profile_list(ctx: &Context, _request: Nothing) -> Result<ProfileList, BoundaryError> {
    profile_views(ctx).await
}

/// Adds a profile (empty id) or changes one. A new host loses the stored secrets: they are sent only to the host for
/// which they were entered.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Validation`] names the fields at fault;
/// [`bordereau_api::ErrorCode::ChangedElsewhere`] where someone else changed it since it was read.
pub async fn profile_save(ctx: &Context, request: Profile) -> Result<ProfileView, BoundaryError> {
    refuse_practice(&request.id)?;
    let mut profile = tidy_profile(request);
    ensure_allowed(ctx, &profile)?;
    let others = ctx.store().with_connection(|db| list_profiles(db)).await?;
    let before = others.iter().find(|other| other.id == profile.id).cloned();
    if before.is_none() && !profile.id.is_empty() {
        return Err(BoundaryError::not_found("profile"));
    }
    if let Some(before) = &before {
        ensure_unchanged(before, &profile)?;
    }
    let mut faults = profile_faults(&profile, &others);
    let me = ctx.store().office().map_or("", |seat| &seat.database.user);
    if ![me, ""].contains(&profile.owner.as_str()) {
        faults.push(FieldError::at_pointer("/owner", "A profile is everyone's in an office, or your own."));
    }
    let (chosen, file_faults) = check_files(ctx, before.as_ref(), &mut profile).await;
    faults.extend(file_faults);
    if !faults.is_empty() {
        return Err(BoundaryError::invalid_fields(faults));
    }
    if let Some(before) = &before {
        ensure_nothing_pending(ctx, before, &profile).await?;
    }
    share_files(ctx, &chosen).await?;
    store_files(ctx, chosen).await?;
    if let Some(before) = &before
        && address_origin(&before.base_url) != address_origin(&profile.base_url)
    {
        forget_secrets(ctx, &before.id).await?;
    }
    let profile = ctx.store().with_connection(|db| store_profile(db, profile)).await?;
    if let Some(before) = before {
        remove_unused_files(ctx, before, ctx.store().with_connection(|db| list_profiles(db)).await?);
    }
    ctx.sessions().forget_client(&profile.id).await;
    profile_view(ctx, profile).await
}

/// Rows being sent were confirmed for this environment, and lost answers are looked up at this host.
async fn ensure_nothing_pending(
    ctx: &Context,
    before: &Profile,
    after: &Profile,
) -> Result<(), BoundaryError> {
    let is_other_host = address_origin(&before.base_url) != address_origin(&after.base_url);
    let is_other_environment = before.environment != after.environment;
    if !is_other_host && !is_other_environment {
        return Ok(());
    }
    let id = before.id.clone();
    let under_way = ctx.store().with_connection(move |db| count_in_progress(db, &id)).await?;
    let (count, pointer) = match under_way {
        _ if is_other_environment && under_way.all() > 0 => (under_way.all(), "/environment"),
        _ if is_other_host && under_way.begun > 0 => (under_way.begun, "/base_url"),
        _ => return Ok(()),
    };
    let message = format!(
        "{} in progress with this profile, and what was confirmed for one service must not go to another. Wait until everything is sent, cancel what is still queued under Batches, or add a separate profile for the other service. Nothing was changed.",
        sends_are(count)
    );
    Err(BoundaryError::invalid_field(pointer, message))
}

/// Removes a profile and its secrets. If it was in use, Practice is used instead.
///
/// # Errors
/// [`bordereau_api::ErrorCode::NotFound`]; [`bordereau_api::ErrorCode::Validation`] while something is being sent
/// with it, whose result would never be known; [`bordereau_api::ErrorCode::KeychainLocked`] while its secrets can't
/// be removed.
pub async fn profile_remove(ctx: &Context, request: ProfileId) -> Result<Nothing, BoundaryError> {
    refuse_practice(&request.id)?;
    let removed = profile_by_id(ctx, &request.id).await?;
    let id = request.id.clone();
    let under_way = ctx.store().with_connection(move |db| count_in_progress(db, &id)).await?.all();
    if under_way > 0 {
        let message = format!(
            "{} in progress with this profile, and the result could no longer be looked up. Wait until everything is sent, or cancel what is still queued under Batches. Nothing was removed.",
            sends_are(under_way)
        );
        return Err(BoundaryError::with_code(ErrorCode::Validation, message));
    }
    forget_secrets(ctx, &request.id).await?;
    let id = request.id.clone();
    ctx.store().with_connection(move |db| remove_profile(db, &id)).await?;
    remove_unused_files(ctx, removed, ctx.store().with_connection(|db| list_profiles(db)).await?);
    ctx.sessions().forget_client(&request.id).await;
    Ok(Nothing {})
}

/// Without a keychain there is no secret to remove.
pub(super) async fn forget_secrets(ctx: &Context, profile: &str) -> Result<(), BoundaryError> {
    match ctx.secrets().remove_all(profile).await {
        Err(SecretsError::Unavailable(_)) | Ok(()) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Selects a profile.
///
/// # Errors
/// [`bordereau_api::ErrorCode::NotFound`].
pub async fn profile_select(ctx: &Context, request: ProfileId) -> Result<ProfileList, BoundaryError> {
    let profile = profile_by_id(ctx, &request.id).await?;
    ensure_allowed(ctx, &profile)?;
    ctx.store().save_value(ValueName::ActiveProfile, &profile.id, ctx.now_text()).await?;
    profile_views(ctx).await
}

/// Stores an API key in the keychain, or removes it when empty.
///
/// # Errors
/// [`bordereau_api::ErrorCode::KeychainUnavailable`] or [`bordereau_api::ErrorCode::KeychainLocked`].
pub async fn profile_set_key(ctx: &Context, request: SetApiKey) -> Result<ProfileView, BoundaryError> {
    refuse_practice(&request.id)?;
    let profile = profile_by_id(ctx, &request.id).await?;
    let given = SecretText::new(request.key);
    let key = given.trim();
    if key.len() > KEY_MAX || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        let message = "This is not an API key: only letters, digits and signs without blanks are expected. Copy it again from the account's settings.";
        return Err(BoundaryError::invalid_field("/key", message));
    }
    let key = (!key.is_empty()).then(|| SecretText::new(key.to_owned()));
    ctx.secrets().set_secret(&profile.id, SecretName::ApiKey, key).await?;
    bind_secrets(ctx, &profile).await?;
    ctx.sessions().forget_client(&profile.id).await;
    profile_view(ctx, profile).await
}

fn sends_are(count: u32) -> String {
    if count == 1 { "One send is".to_owned() } else { format!("{count} sends are") }
}

/// Scheme, host and port of an address: the destination of credentials and data.
pub fn address_origin(address: &str) -> Option<String> {
    Url::parse(address).ok().map(|url| url.origin().ascii_serialization())
}
