//! Profiles: the service's address, the sign-in, and the profile's tables.

mod connection_test;
mod edit_profiles;
mod profile_file;
mod profile_files;
mod quote_details;
mod request_limit;
mod rules;
mod session;
mod sign_in;
mod status;
mod tables;
mod tokens;
mod unread_answers;
mod view;
mod words;

pub use rules::read_ca;
pub use session::{Session, SessionCache};
pub use tables::TableCache;

use crate::Context;
use bordereau_api::{BoundaryError, Environment, Profile};
use bordereau_store::profiles::find_profile;
use bordereau_store::{Connection, StoreError, ValueName, find_value};
pub use connection_test::profile_test;
pub use edit_profiles::{
    address_origin, profile_list, profile_remove, profile_save, profile_select, profile_set_key,
};
pub use profile_file::{profile_export, profile_open};
pub use quote_details::{fit_details, profile_fee_charged_by_save, remembered_charger};
pub use session::open_session;
pub use sign_in::{profile_sign_in, profile_sign_out};
pub use status::{secrets_status, secrets_use_memory, status_show};
pub use tables::load_tables;
pub use unread_answers::{unread_answers, unread_answers_clear, unread_answers_save};
pub use words::ServiceWords;

/// Id of the built-in practice profile.
pub const PRACTICE: &str = "practice";

/// The practice profile: needs no settings.
pub fn new_practice_profile() -> Profile {
    Profile {
        id: PRACTICE.into(),
        name: "Practice".into(),
        environment: Environment::Practice,
        sends_quote_details: true,
        ..Profile::default()
    }
}

/// The profile in use; Practice where none was selected or the selected one is gone.
pub async fn active_profile(ctx: &Context) -> Result<Profile, BoundaryError> {
    if let Some(id) = ctx.chosen_profile() {
        return profile_by_id(ctx, id).await;
    }
    let own = |db: &mut Connection| {
        Ok((find_value::<String>(db, ValueName::ActiveProfile)?, find_practice_profile(db)?))
    };
    let (chosen, practice) = ctx.store().with_own_connection(own).await?;
    let Some((id, _)) = chosen.filter(|(id, _)| id != PRACTICE) else { return Ok(practice) };
    Ok(ctx.store().with_connection(move |db| find_profile(db, &id)).await?.unwrap_or(practice))
}

/// A profile by id.
pub async fn profile_by_id(ctx: &Context, id: &str) -> Result<Profile, BoundaryError> {
    if id == PRACTICE {
        return Ok(ctx.store().with_own_connection(|db| find_practice_profile(db)).await?);
    }
    let id = id.to_owned();
    let found = ctx.store().with_connection(move |db| find_profile(db, &id)).await?;
    found.ok_or_else(|| BoundaryError::not_found("profile"))
}

/// The practice profile with its remembered choices.
fn find_practice_profile(connection: &Connection) -> Result<Profile, StoreError> {
    let remembered = find_value::<String>(connection, ValueName::PracticeFeeChargedBy)?;
    let fee_charged_by = remembered.map(|(code, _)| code).unwrap_or_default();
    let retention = find_value(connection, ValueName::PracticeRetention)?.map(|(rules, _)| rules);
    Ok(Profile { fee_charged_by, retention, ..new_practice_profile() })
}
