//! Adding, changing, choosing and removing profiles.

use url::Url;

use super::rules::{faults, read_ca, tidied};
use super::session::refuse_practice;
use crate::Desk;
use crate::api::{
    BoundaryError, FieldError, Nothing, Profile, ProfileId, ProfileList, ProfileView, SetApiKey,
};
use crate::secrets::{SecretName, SecretText, SecretsError};
use crate::store::Value;

/// Characters of an API key [ours]: more is a pasted page, not a key.
const KEY_MAX: usize = 1_000;

impl Desk {
    /// All profiles, practice first.
    ///
    /// # Errors
    /// [`crate::api::ErrorCode::Storage`].
    pub async fn profile_list(&self, _request: Nothing) -> Result<ProfileList, BoundaryError> {
        self.profile_views().await
    }

    /// Adds a profile (empty id) or changes one. A new host loses the stored secrets: they go to the
    /// host they were given for, to no other.
    ///
    /// # Errors
    /// [`crate::api::ErrorCode::Validation`] names the fields at fault.
    pub async fn profile_save(&self, request: Profile) -> Result<ProfileView, BoundaryError> {
        refuse_practice(&request.id)?;
        let profile = tidied(request);
        let others = self.inner.store.profiles().await?;
        let before = others.iter().find(|other| other.id == profile.id).cloned();
        if before.is_none() && !profile.id.is_empty() {
            return Err(BoundaryError::not_found("profile"));
        }
        let mut faults = faults(&profile, &others);
        faults.extend(self.file_faults(&profile).await);
        if !faults.is_empty() {
            return Err(BoundaryError::fields(faults));
        }
        if let Some(before) = before
            && origin(&before.base_url) != origin(&profile.base_url)
        {
            self.forget_secrets(&before.id).await?;
        }
        let profile = self.inner.store.keep_profile(profile).await?;
        self.inner.sessions.forget(&profile.id).await;
        self.profile_view(profile).await
    }

    async fn file_faults(&self, profile: &Profile) -> Vec<FieldError> {
        let mut faults = Vec::new();
        if let Err(error) = read_ca(&profile.ca_file).await {
            faults.push(FieldError::at("/ca_file", error.message));
        }
        if !profile.lines_file.is_empty()
            && let Err(why) = self.check_lines(&profile.lines_file).await
        {
            faults.push(FieldError::at("/lines_file", why));
        }
        if !profile.kentucky_file.is_empty()
            && let Err(why) = self.check_kentucky(&profile.kentucky_file).await
        {
            faults.push(FieldError::at("/kentucky_file", why));
        }
        faults
    }

    /// Removes a profile and its secrets. Practice takes its place when it was in use.
    ///
    /// # Errors
    /// [`crate::api::ErrorCode::NotFound`]; [`crate::api::ErrorCode::KeychainLocked`] while its secrets
    /// cannot be removed.
    pub async fn profile_remove(&self, request: ProfileId) -> Result<Nothing, BoundaryError> {
        refuse_practice(&request.id)?;
        self.profile_by_id(&request.id).await?;
        self.forget_secrets(&request.id).await?;
        self.inner.store.remove_profile(&request.id).await?;
        self.inner.sessions.forget(&request.id).await;
        self.inner.transactions.forget(&request.id);
        Ok(Nothing {})
    }

    /// Where there is no keychain, there is nothing of ours in it.
    async fn forget_secrets(&self, profile: &str) -> Result<(), BoundaryError> {
        match self.inner.secrets.remove_all(profile).await {
            Err(SecretsError::Unavailable(_)) | Ok(()) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Uses a profile from now on.
    ///
    /// # Errors
    /// [`crate::api::ErrorCode::NotFound`].
    pub async fn profile_select(&self, request: ProfileId) -> Result<ProfileList, BoundaryError> {
        let profile = self.profile_by_id(&request.id).await?;
        self.inner.store.keep_value(Value::ActiveProfile, &profile.id, self.stamp()).await?;
        self.profile_views().await
    }

    /// Stores an API key in the keychain, or removes it when empty.
    ///
    /// # Errors
    /// [`crate::api::ErrorCode::KeychainUnavailable`] or [`crate::api::ErrorCode::KeychainLocked`].
    pub async fn profile_set_key(&self, request: SetApiKey) -> Result<ProfileView, BoundaryError> {
        refuse_practice(&request.id)?;
        let profile = self.profile_by_id(&request.id).await?;
        let given = SecretText::new(request.key);
        let key = given.trim();
        if key.len() > KEY_MAX || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            let message = "This is not an API key: only letters, digits and signs without blanks are expected. Copy it again from the account's settings.";
            return Err(BoundaryError::fields(vec![FieldError::at("/key", message)]));
        }
        let key = (!key.is_empty()).then(|| SecretText::new(key.to_owned()));
        self.inner.secrets.set(&profile.id, SecretName::ApiKey, key).await?;
        self.inner.sessions.forget(&profile.id).await;
        self.profile_view(profile).await
    }
}

/// Scheme, host and port.
fn origin(address: &str) -> Option<String> {
    Url::parse(address).ok().map(|url| url.origin().ascii_serialization())
}
