//! The listener of `bordereau listen`: the deliveries and followers that it accepts.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::{SecureRandom, SystemRandom};

use super::receiver::EventListener;
use crate::settings::{event_secret, event_settings};
use bordereau_api::{BoundaryError, DeliveryProofKind, ErrorCode};
use bordereau_session::Context;
use bordereau_session::profile::active_profile;
use bordereau_session::secrets::{SecretName, SecretText};

/// Bytes of a token.
const TOKEN_BYTES: usize = 30;

/// Secrets passed to a listener; the others are in the keychain.
#[derive(Clone, Default)]
pub struct ListenSecrets {
    /// The secret that signs deliveries.
    pub secret: Option<SecretText>,
    /// Header of every delivery: name and value.
    pub header: Option<(String, SecretText)>,
    /// The token that following desks send.
    pub token: Option<SecretText>,
}

/// A listener for the profile in use, and the token for desks that follow it. A missing token is made and stored in
/// the keychain; without a keychain it is for this run only.
///
/// # Errors
/// [`ErrorCode::NoCredentials`] without a secret; errors of the keychain.
pub async fn open_listener(
    ctx: &Context,
    given: ListenSecrets,
) -> Result<(EventListener, SecretText), BoundaryError> {
    let active = active_profile(ctx).await?;
    let profile = active.id.clone();
    let of = event_settings(ctx).await?.of(&profile);
    let secret = match given.secret {
        Some(secret) => Some(secret),
        None if of.has_secret => event_secret(ctx, &profile, SecretName::WebhookSecret).await?,
        None => None,
    };
    let secret = secret.filter(|secret| !secret.is_empty());
    let is_signed = active.delivery_proof == DeliveryProofKind::Signature;
    if secret.is_none() && is_signed {
        return Err(BoundaryError::with_code(
            ErrorCode::NoCredentials,
            "The webhook has no HMAC secret, so the sender can't be verified.",
        ));
    }
    let secret = secret.unwrap_or_default();
    let header = match given.header {
        Some(header) => header,
        None if of.header_name.is_empty() => (String::new(), SecretText::default()),
        None => {
            let value = event_secret(ctx, &profile, SecretName::WebhookHeader).await?.unwrap_or_default();
            (of.header_name, value)
        }
    };
    if !is_signed && (header.0.is_empty() || header.1.is_empty()) {
        return Err(BoundaryError::with_code(
            ErrorCode::NoCredentials,
            "The profile says that the service does not sign its deliveries, so the agreed header is needed: its name and its value.",
        ));
    }
    let token = match given.token {
        Some(token) => token,
        None => listen_token(ctx, &profile).await?,
    };
    let listener = EventListener::for_profile(&active, &secret, (&header.0, header.1), Some(token.clone()));
    Ok((listener, token))
}

/// A random text that no one can guess.
pub(super) fn random_text() -> Result<String, BoundaryError> {
    let mut bytes = [0u8; TOKEN_BYTES];
    SystemRandom::new().fill(&mut bytes).map_err(|_| BoundaryError::internal_error("making a token"))?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

async fn listen_token(ctx: &Context, profile: &str) -> Result<SecretText, BoundaryError> {
    let kept = ctx.secrets().get(profile, SecretName::ListenToken).await;
    if let Ok(Some(token)) = &kept {
        return Ok(token.clone());
    }
    let token = SecretText::new(random_text()?);
    if let Err(error) = ctx.secrets().set_secret(profile, SecretName::ListenToken, Some(token.clone())).await
    {
        tracing::info!(%error, "the token holds for this run");
    }
    Ok(token)
}
