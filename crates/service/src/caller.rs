//! Who calls (contract section 1): an API key, an access token, or both together.

use std::sync::Arc;

use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use bordereau_contract::{API_KEY_HEADER, API_KEY_QUERY};
use bordereau_service_store::accounts::Account;

use crate::Clock;
use crate::directory::CredentialLookup;
use crate::refusal::Refusal;
use crate::secrets;
use crate::service::Service;

impl Service {
    /// The account that calls, by key or token; both must be of the same account.
    ///
    /// This says who it is, not what it may do: see [`Service::admit_caller`].
    pub(crate) async fn identify_caller(&self, parts: &Parts) -> Result<Arc<Account>, Refusal> {
        let key = api_key(parts)?;
        let bearer = bearer_token(&parts.headers)?;
        let by_key = match key {
            Some(key) => Some(self.by_key(&key).await?),
            None => None,
        };
        let by_bearer = match bearer {
            Some(token) => Some(self.by_bearer(token).await?),
            None => None,
        };
        match (by_key, by_bearer) {
            (Some(key), Some(bearer)) if key.id != bearer.id => {
                Err(Refusal::not_signed_in("The API key and the access token belong to different accounts."))
            }
            (Some(account), _) | (None, Some(account)) => Ok(account),
            (None, None) => Err(Refusal::not_signed_in(
                "Send the API key in the header apiKey, or an access token as Authorization: Bearer.",
            )),
        }
    }

    /// Identifies the caller, counts the request, and refuses accounts that may not call at all.
    pub(crate) async fn admit_caller(&self, parts: &Parts) -> Result<Arc<Account>, Refusal> {
        let account = self.identify_caller(parts).await?;
        self.limits.count(&account.id, self.clock.now())?;
        if !account.active {
            return Err(Refusal::forbidden("The account is inactive."));
        }
        if !account.api_access {
            return Err(Refusal::forbidden("API access is switched off for this account."));
        }
        Ok(account)
    }

    async fn by_key(&self, key: &str) -> Result<Arc<Account>, Refusal> {
        match self.directory.by_key(secrets::hash(key)).await? {
            CredentialLookup::Live(account) => Ok(account),
            CredentialLookup::Replaced => Err(Refusal::not_signed_in(
                "This API key is inactive: a newer one was generated for the account.",
            )),
            CredentialLookup::Unknown => Err(Refusal::not_signed_in("The API key is not known.")),
        }
    }

    async fn by_bearer(&self, token: &str) -> Result<Arc<Account>, Refusal> {
        match self.directory.by_bearer(secrets::hash(token)).await? {
            CredentialLookup::Live((account, expires_at)) if self.clock.now().timestamp() < expires_at => {
                Ok(account)
            }
            CredentialLookup::Live(_) => Err(Refusal::not_signed_in("The access token has expired.")),
            CredentialLookup::Replaced | CredentialLookup::Unknown => {
                Err(Refusal::not_signed_in("The access token is not known."))
            }
        }
    }
}

/// The key of the header or the query; several must agree.
fn api_key(parts: &Parts) -> Result<Option<String>, Refusal> {
    let mut found: Option<String> = None;
    let mut take = |key: String| match &found {
        Some(before) if *before != key => {
            Err(Refusal::not_signed_in("Two different API keys were sent with one request."))
        }
        _ => {
            found = Some(key);
            Ok(())
        }
    };
    for value in parts.headers.get_all(API_KEY_HEADER) {
        let key = value.to_str().map_err(|_| Refusal::not_signed_in("The API key is not plain text."))?;
        take(key.trim().to_owned())?;
    }
    if let Some(query) = parts.uri.query() {
        let pairs = url::form_urlencoded::parse(query.as_bytes());
        for (_, key) in pairs.filter(|(name, _)| name == API_KEY_QUERY) {
            take(key.into_owned())?;
        }
    }
    Ok(found.filter(|key| !key.is_empty()))
}

/// The token of `Authorization: Bearer`.
fn bearer_token(headers: &HeaderMap) -> Result<Option<&str>, Refusal> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(Refusal::not_signed_in("Two Authorization headers were sent with one request."));
    }
    let text = value.to_str().unwrap_or_default().trim();
    let token = match text.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => token.trim(),
        _ => "",
    };
    if token.is_empty() {
        return Err(Refusal::not_signed_in("Authorization must be \"Bearer\" and an access token."));
    }
    Ok(Some(token))
}
