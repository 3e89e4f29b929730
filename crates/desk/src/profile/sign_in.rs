//! Signing in and out. The password is used once and kept nowhere; the refresh token is in the keychain.

use std::sync::Arc;

use bordereau_client::{Client, Credentials, Secret, UserTokens};

use super::session::{client_config, refuse_practice};
use super::tokens::ProfileTokens;
use crate::Desk;
use crate::api::{
    BoundaryError, ErrorCode, FieldError, ProfileId, ProfileView, SecretsKind, SignIn, SignInRequest,
};
use crate::failure::from_client;
use crate::secrets::SecretName;

impl Desk {
    /// Signs in with user name and password.
    ///
    /// # Errors
    /// [`ErrorCode::NotAuthorised`] for a wrong user name or password;
    /// [`ErrorCode::KeychainUnavailable`] before anything is sent when the sign-in could not be kept.
    pub async fn profile_sign_in(&self, request: SignInRequest) -> Result<ProfileView, BoundaryError> {
        refuse_practice(&request.id)?;
        let mut profile = self.profile_by_id(&request.id).await?;
        let password = Secret::new(request.password);
        let username = request.username.trim();
        let faults = missing(username, &password);
        if !faults.is_empty() {
            return Err(BoundaryError::fields(faults));
        }
        if profile.sign_in == SignIn::ApiKey {
            return Err(BoundaryError::of(
                ErrorCode::ProfileInvalid,
                "This profile signs in with an API key alone. Change its kind of sign-in first.",
            ));
        }
        let keychain = self.inner.secrets.status().await;
        if keychain.kind == SecretsKind::Unavailable {
            return Err(BoundaryError::of(ErrorCode::KeychainUnavailable, keychain.message));
        }
        let tokens = Arc::new(ProfileTokens::new(&profile.id, self.inner.secrets.clone()));
        let user = Credentials { api_key: None, user: Some(UserTokens::default()) };
        let client =
            Client::new(client_config(&profile).await?, user, tokens.clone()).map_err(from_client)?;
        client.sign_in(username, &password).await.map_err(from_client)?;
        if let Some(error) = tokens.take_failure() {
            return Err(error.into());
        }
        if profile.username != username {
            profile.username = username.to_owned();
            profile = self.inner.store.keep_profile(profile).await?;
        }
        self.inner.sessions.forget(&profile.id).await;
        self.profile_view(profile).await
    }

    /// Forgets the sign-in.
    ///
    /// # Errors
    /// [`ErrorCode::KeychainLocked`] while it cannot be removed.
    pub async fn profile_sign_out(&self, request: ProfileId) -> Result<ProfileView, BoundaryError> {
        refuse_practice(&request.id)?;
        let profile = self.profile_by_id(&request.id).await?;
        self.inner.secrets.set(&profile.id, SecretName::RefreshToken, None).await?;
        self.inner.sessions.forget(&profile.id).await;
        self.profile_view(profile).await
    }
}

fn missing(username: &str, password: &Secret) -> Vec<FieldError> {
    let username =
        username.is_empty().then(|| FieldError::at("/username", "Enter the user name of the account."));
    let password =
        password.is_empty().then(|| FieldError::at("/password", "Enter the password of the account."));
    username.into_iter().chain(password).collect()
}
