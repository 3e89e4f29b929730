//! Signing in and out. The password is used once and never stored; the refresh token is in the keychain.

use std::sync::Arc;

use bordereau_client::{Client, Credentials, Secret, UserTokens};

use super::session::bind_secrets;
use super::session::{client_config, refuse_practice};
use super::tokens::ProfileTokens;
use crate::Context;
use crate::failure::from_client;
use crate::profile::profile_by_id;
use crate::profile::view::profile_view;
use crate::secrets::SecretName;
use bordereau_api::{
    BoundaryError, ErrorCode, FieldError, ProfileId, ProfileView, SecretsKind, SignIn, SignInRequest,
};
use bordereau_store::profiles::store_profile;

/// Signs in with username and password.
///
/// # Errors
/// [`ErrorCode::NotAuthorized`] for a wrong username or password;
/// [`ErrorCode::KeychainUnavailable`] before anything is sent, when the sign-in couldn't be stored.
pub async fn profile_sign_in(ctx: &Context, request: SignInRequest) -> Result<ProfileView, BoundaryError> {
    refuse_practice(&request.id)?;
    let mut profile = profile_by_id(ctx, &request.id).await?;
    let password = Secret::new(request.password);
    let username = request.username.trim();
    let faults = missing_fields(username, &password);
    if !faults.is_empty() {
        return Err(BoundaryError::invalid_fields(faults));
    }
    if profile.sign_in == SignIn::ApiKey {
        return Err(BoundaryError::with_code(
            ErrorCode::ProfileInvalid,
            "This profile signs in with an API key alone. Change its kind of sign-in first.",
        ));
    }
    let keychain = ctx.secrets().secrets_status().await;
    if keychain.kind == SecretsKind::Unavailable {
        return Err(BoundaryError::with_code(ErrorCode::KeychainUnavailable, keychain.message));
    }
    let tokens = Arc::new(ProfileTokens::new(&profile.id, ctx.secrets().clone()));
    let user = Credentials { api_key: None, user: Some(UserTokens::default()) };
    let client =
        Client::new(client_config(ctx, &profile).await?, user, tokens.clone()).map_err(from_client)?;
    let grant = client.sign_in(username, &password).await.map_err(from_client)?;
    if let Some(error) = tokens.take_save_error() {
        return Err(error.into());
    }
    bind_secrets(ctx, &profile).await?;
    // An office's profiles are shared, and each person has their own username.
    if profile.username != username && ctx.store().office().is_none() {
        profile.username = username.to_owned();
        profile = ctx.store().with_connection(|db| store_profile(db, profile)).await?;
    }
    ctx.sessions().forget_client(&profile.id).await;
    ctx.sessions().keep_grant(&profile, grant);
    profile_view(ctx, profile).await
}

/// Removes the sign-in.
///
/// # Errors
/// [`ErrorCode::KeychainLocked`] while it can't be removed.
pub async fn profile_sign_out(ctx: &Context, request: ProfileId) -> Result<ProfileView, BoundaryError> {
    refuse_practice(&request.id)?;
    let profile = profile_by_id(ctx, &request.id).await?;
    ctx.secrets().set_secret(&profile.id, SecretName::RefreshToken, None).await?;
    ctx.sessions().forget_client(&profile.id).await;
    profile_view(ctx, profile).await
}

fn missing_fields(username: &str, password: &Secret) -> Vec<FieldError> {
    let username = username
        .is_empty()
        .then(|| FieldError::at_pointer("/username", "Enter the username of the account."));
    let password = password
        .is_empty()
        .then(|| FieldError::at_pointer("/password", "Enter the password of the account."));
    username.into_iter().chain(password).collect()
}
