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

pub(crate) use rules::read_ca;
pub(crate) use session::{Session, Sessions};
pub(crate) use tables::TableCache;

use crate::Desk;
use crate::api::{BoundaryError, ClientType, Environment, Profile, SignIn};
use crate::store::Value;

/// Id of the built-in practice profile.
pub(crate) const PRACTICE: &str = "practice";

/// The practice profile: nothing to fill in.
pub(crate) fn practice() -> Profile {
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

impl Desk {
    /// The profile in use; practice where none was chosen or the chosen one is gone.
    pub(crate) async fn active_profile(&self) -> Result<Profile, BoundaryError> {
        if let Some(id) = &self.using {
            return self.profile_by_id(id).await;
        }
        let chosen = self.inner.store.value::<String>(Value::ActiveProfile).await?;
        let id = chosen.map_or_else(|| PRACTICE.to_owned(), |(id, _)| id);
        match self.inner.store.profile(&id).await? {
            Some(profile) => Ok(profile),
            None => self.practice_profile().await,
        }
    }

    /// A profile by id.
    pub(crate) async fn profile_by_id(&self, id: &str) -> Result<Profile, BoundaryError> {
        if id == PRACTICE {
            return self.practice_profile().await;
        }
        self.inner.store.profile(id).await?.ok_or_else(|| BoundaryError::not_found("profile"))
    }

    /// The practice profile with what it remembers.
    async fn practice_profile(&self) -> Result<Profile, BoundaryError> {
        let remembered = self.inner.store.value::<String>(Value::PracticeFeeChargedBy).await?;
        let fee_charged_by = remembered.map(|(code, _)| code).unwrap_or_default();
        Ok(Profile { fee_charged_by, ..practice() })
    }
}
