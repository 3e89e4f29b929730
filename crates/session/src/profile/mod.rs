//! Profiles: where the service is, who signs in, and the tables that go with it.

mod connection_test;
mod keeping;
mod quote_details;
mod rules;
mod session;
mod sign_in;
mod status;
mod tables;
mod tokens;
mod view;

pub use rules::read_ca;
pub use session::{Session, Sessions};
pub use tables::TableCache;

use crate::Context;
use bordereau_api::{BoundaryError, ClientType, Environment, Profile, SignIn};
use bordereau_store::Value;
use bordereau_store::profiles::find_profile;
pub use connection_test::profile_test;
pub use keeping::{origin, profile_list, profile_remove, profile_save, profile_select, profile_set_key};
pub use quote_details::{fit_details, profile_fee_charged_by_save, remembered_charger};
pub use session::session;
pub use sign_in::{profile_sign_in, profile_sign_out};
pub use status::{secrets_status, secrets_use_memory, status};
pub use tables::tables;

/// Id of the built-in practice profile.
pub const PRACTICE: &str = "practice";

/// The practice profile: nothing to fill in.
pub fn practice() -> Profile {
    Profile {
        id: PRACTICE.into(),
        name: "Practice".into(),
        environment: Environment::Practice,
        base_url: String::new(),
        client_type: ClientType::Enterprise,
        sign_in: SignIn::ApiKey,
        username: String::new(),
        ca_file: String::new(),
        token_path: String::new(),
        calculator_path: String::new(),
        import_path: String::new(),
        results_path: String::new(),
        search_path: String::new(),
        status_path: String::new(),
        documents_path: String::new(),
        forms_path: String::new(),
        requests_per_minute: 0,
        lines_file: String::new(),
        kentucky_file: String::new(),
        fee_charged_by: String::new(),
        sends_quote_details: true,
    }
}

/// The profile in use; practice where none was chosen or the chosen one is gone.
pub async fn active_profile(ctx: &Context) -> Result<Profile, BoundaryError> {
    if let Some(id) = ctx.chosen_profile() {
        return profile_by_id(ctx, id).await;
    }
    let chosen = ctx.store().value::<String>(Value::ActiveProfile).await?;
    let id = chosen.map_or_else(|| PRACTICE.to_owned(), |(id, _)| id);
    match ctx.store().run(move |db| find_profile(db, &id)).await? {
        Some(profile) => Ok(profile),
        None => practice_profile(ctx).await,
    }
}

/// A profile by id.
pub async fn profile_by_id(ctx: &Context, id: &str) -> Result<Profile, BoundaryError> {
    if id == PRACTICE {
        return practice_profile(ctx).await;
    }
    let id = id.to_owned();
    let found = ctx.store().run(move |db| find_profile(db, &id)).await?;
    found.ok_or_else(|| BoundaryError::not_found("profile"))
}

/// The practice profile with what it remembers.
async fn practice_profile(ctx: &Context) -> Result<Profile, BoundaryError> {
    let remembered = ctx.store().value::<String>(Value::PracticeFeeChargedBy).await?;
    let fee_charged_by = remembered.map(|(code, _)| code).unwrap_or_default();
    Ok(Profile { fee_charged_by, ..practice() })
}
