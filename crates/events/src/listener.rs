//! The listener of `bordereau listen`: which deliveries and which followers it accepts.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::{SecureRandom, SystemRandom};

use super::receiver::EventListener;
use crate::settings::{event_secret, event_settings};
use bordereau_api::{BoundaryError, ErrorCode};
use bordereau_session::Context;
use bordereau_session::profile::active_profile;
use bordereau_session::secrets::{SecretName, SecretText};

/// Bytes of a token.
const TOKEN_BYTES: usize = 30;

/// Secrets of a listener that were given to it; what was not is in the keychain.
#[derive(Clone, Default)]
pub struct ListenSecrets {
    /// What deliveries are signed with.
    pub secret: Option<SecretText>,
    /// Header of every delivery: name and value.
    pub header: Option<(String, SecretText)>,
    /// What desks that follow show.
    pub token: Option<SecretText>,
}

/// A listener for the profile in use, and the token for desks that follow it. A token that is not given is
/// made and kept in the keychain where there is one; otherwise it holds for this run.
///
/// # Errors
/// [`ErrorCode::NoCredentials`] without a secret; those of the keychain.
pub async fn open_listener(
    ctx: &Context,
    given: ListenSecrets,
) -> Result<(EventListener, SecretText), BoundaryError> {
    let profile = active_profile(ctx).await?.id;
    let of = event_settings(ctx).await?.of(&profile);
    let secret = match given.secret {
        Some(secret) => Some(secret),
        None if of.has_secret => event_secret(ctx, &profile, SecretName::WebhookSecret).await?,
        None => None,
    };
    let secret = secret.filter(|secret| !secret.is_empty()).ok_or_else(|| {
        BoundaryError::with_code(
            ErrorCode::NoCredentials,
            "The webhook has no HMAC secret, so the sender can't be verified.",
        )
    })?;
    let header = match given.header {
        Some(header) => header,
        None if of.header_name.is_empty() => (String::new(), SecretText::default()),
        None => {
            let value = event_secret(ctx, &profile, SecretName::WebhookHeader).await?.unwrap_or_default();
            (of.header_name, value)
        }
    };
    let token = match given.token {
        Some(token) => token,
        None => listen_token(ctx, &profile).await?,
    };
    let listener = EventListener::for_profile(&profile, &secret, (&header.0, header.1), Some(token.clone()));
    Ok((listener, token))
}

async fn listen_token(ctx: &Context, profile: &str) -> Result<SecretText, BoundaryError> {
    let kept = ctx.secrets().get(profile, SecretName::ListenToken).await;
    if let Ok(Some(token)) = &kept {
        return Ok(token.clone());
    }
    let mut bytes = [0u8; TOKEN_BYTES];
    SystemRandom::new().fill(&mut bytes).map_err(|_| BoundaryError::internal_error("making a token"))?;
    let token = SecretText::new(URL_SAFE_NO_PAD.encode(bytes));
    if let Err(error) = ctx.secrets().set_secret(profile, SecretName::ListenToken, Some(token.clone())).await
    {
        tracing::info!(%error, "the token holds for this run");
    }
    Ok(token)
}
