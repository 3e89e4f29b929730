//! Why the outbox can't send or ask something now: for the person, and for when it is tried again.

use std::time::Duration;

use bordereau_api::BoundaryError;
use bordereau_client::ClientError;
use bordereau_store::StoreError;

use crate::failure::{capitalize_first, end_sentence};

/// Why something can't be sent or asked now.
pub struct ServiceTrouble {
    /// A sentence for the person.
    pub text: String,
    /// Wait at least this long.
    pub pause: Option<Duration>,
    /// The service can't be used at all: every job of the profile waits, not just this one.
    pub is_everywhere: bool,
    /// The service refuses the key, the sign-in or the account.
    pub is_refused: bool,
    /// What this computer lacks: another desk of the office may do the job, and doesn't see the text.
    pub is_of_desk: bool,
}

impl ServiceTrouble {
    /// Trouble that concerns this job only.
    pub fn of_job(text: String) -> ServiceTrouble {
        ServiceTrouble { text, pause: None, is_everywhere: false, is_refused: false, is_of_desk: false }
    }
}

impl From<&ClientError> for ServiceTrouble {
    fn from(error: &ClientError) -> ServiceTrouble {
        let said = end_sentence(&capitalize_first(&error.to_string()));
        let (advice, pause) = match error {
            ClientError::RateLimited { retry_after } => ("It goes on by itself then.", Some(*retry_after)),
            ClientError::NotCounted { .. } => ("Sending continues once it can be used.", None),
            ClientError::NotAuthorized { .. }
            | ClientError::NoCredentials
            | ClientError::SignInAgain { .. } => {
                ("Sending continues once the profile has a valid key or sign-in.", None)
            }
            ClientError::NotPermitted { .. } => {
                ("Ask the provider whether the account is active. Sending continues once it is.", None)
            }
            ClientError::Offline { .. } | ClientError::Interrupted { .. } | ClientError::Timeout { .. } => {
                ("Sending continues when the service responds.", None)
            }
            ClientError::Unreadable { .. } | ClientError::TooLarge { .. } => (
                "The service responded; Bordereau will ask again. If this keeps happening, contact the provider.",
                None,
            ),
            _ => ("Bordereau will try again.", None),
        };
        // An answer about one job doesn't hold up the others.
        let is_everywhere = !matches!(
            error,
            ClientError::Unreadable { .. }
                | ClientError::Rejected { .. }
                | ClientError::NotPermitted { .. }
                | ClientError::ServiceFailed { .. }
        );
        let is_refused = matches!(
            error,
            ClientError::NotAuthorized { .. }
                | ClientError::NoCredentials
                | ClientError::SignInAgain { .. }
                | ClientError::NotPermitted { .. }
        );
        let is_of_desk = is_everywhere || is_refused;
        ServiceTrouble { text: format!("{said} {advice}"), pause, is_everywhere, is_refused, is_of_desk }
    }
}

impl From<ClientError> for ServiceTrouble {
    fn from(error: ClientError) -> ServiceTrouble {
        ServiceTrouble::from(&error)
    }
}

impl From<BoundaryError> for ServiceTrouble {
    fn from(error: BoundaryError) -> ServiceTrouble {
        ServiceTrouble { is_of_desk: true, ..ServiceTrouble::of_job(error.message) }
    }
}

impl From<StoreError> for ServiceTrouble {
    fn from(error: StoreError) -> ServiceTrouble {
        let is_of_job = matches!(&error, StoreError::FileStorage(error) if error.is_of_one_file());
        ServiceTrouble { is_of_desk: !is_of_job, ..BoundaryError::from(error).into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_silent_service_is_said_not_to_respond() {
        let host = || "filing.example".to_owned();
        for (error, is_silent) in [
            (ClientError::Offline { host: host(), reason: "closed".into() }, true),
            (ClientError::Timeout { host: host(), waited: Duration::from_secs(30) }, true),
            (ClientError::TooLarge { limit_bytes: 1 }, false),
            (ClientError::ServiceFailed { status: 500, text: String::new() }, false),
            (ClientError::Rejected { status: 418, text: String::new(), problems: Vec::new() }, false),
        ] {
            let told = ServiceTrouble::from(&error).text;
            assert_eq!(told.contains("when the service responds"), is_silent, "{told}");
        }
    }
}
