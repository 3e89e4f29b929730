//! The first production send of a day, of any kind, is confirmed by typing the profile's name.

use crate::Context;
use crate::profile::active_profile;
use bordereau_api::{BoundaryError, Environment, ErrorCode, Nothing, Profile, SendConfirmation};
use bordereau_store::under_way::has_sent;

/// Where documents and forms would be sent now, and the confirmation word to type.
pub async fn confirmation_show(ctx: &Context, _request: Nothing) -> Result<SendConfirmation, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let type_word = word_to_type(ctx, &profile).await?;
    Ok(SendConfirmation { profile: profile.name, environment: profile.environment, type_word })
}

/// The confirmation word; empty where none is required.
pub async fn word_to_type(ctx: &Context, profile: &Profile) -> Result<String, BoundaryError> {
    if profile.environment != Environment::Production {
        return Ok(String::new());
    }
    let (id, day, person) = (profile.id.clone(), ctx.ports().clock.today().to_string(), ctx.person());
    let has_sent = ctx.store().with_connection(move |db| has_sent(db, &id, &day, &person)).await?;
    Ok(if has_sent { String::new() } else { profile.name.trim().to_owned() })
}

/// In an office any desk may do the sending. So the practice service of this computer is refused, and what the
/// person's role may not send.
fn ensure_office_sends(ctx: &Context, profile: &Profile) -> Result<(), BoundaryError> {
    let Some(seat) = ctx.store().office() else { return Ok(()) };
    if profile.base_url.is_empty() {
        let message = "The built-in practice service runs only on this computer, so no office work is sent to it. Ask your administrator for a profile of a practice service that every desk can reach.";
        return Err(BoundaryError::with_code(ErrorCode::Validation, message));
    }
    if seat.may_send(profile.environment) {
        return Ok(());
    }
    let message = format!(
        "Your role in the office ({}) doesn't let you send to \"{}\". Nothing was sent. Ask someone who may.",
        seat.role, profile.name
    );
    Err(BoundaryError::with_code(ErrorCode::Office, message))
}

/// Refuses a send without the confirmation word.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Validation`] at `/typed`; [`bordereau_api::ErrorCode::Storage`].
pub async fn ensure_confirmed(ctx: &Context, profile: &Profile, typed: &str) -> Result<(), BoundaryError> {
    ensure_office_sends(ctx, profile)?;
    let word = word_to_type(ctx, profile).await?;
    if word.is_empty() || typed.trim().to_lowercase() == word.to_lowercase() {
        return Ok(());
    }
    let message = format!(
        "This is the first send of the day to a production profile. Type {word} to confirm it. Nothing was sent."
    );
    Err(BoundaryError::invalid_field("/typed", message))
}
