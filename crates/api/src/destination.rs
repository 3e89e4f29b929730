//! Where something was confirmed to go.

use crate::{Environment, Profile};

/// Where something was confirmed to go: it goes to no other place, whatever becomes of its profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    pub profile_id: String,
    /// What the profile was.
    pub environment: Environment,
    /// Its address; empty for the practice service, whose port changes, and for what an earlier version left of a
    /// profile that is gone.
    pub address: String,
}

/// The address of a profile as it is bound to what is queued for it.
pub fn bound_address(profile: &Profile) -> &str {
    match profile.environment {
        Environment::Practice => "",
        _ => profile.base_url.trim(),
    }
}
