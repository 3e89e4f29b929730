//! Converts internal errors into the one error that leaves the core: sentences without secrets, ids or paths.

use bordereau_client::ClientError;

use crate::secrets::SecretsError;
use bordereau_api::{BoundaryError, ErrorCode, FieldError};

impl From<SecretsError> for BoundaryError {
    fn from(error: SecretsError) -> Self {
        let message = capitalize_first(&error.to_string());
        match error {
            SecretsError::Unavailable(_) => BoundaryError::with_code(ErrorCode::KeychainUnavailable, message),
            SecretsError::Locked(_) => {
                BoundaryError::with_code(ErrorCode::KeychainLocked, message).mark_retryable()
            }
            SecretsError::TooLarge { .. } => BoundaryError::with_code(
                ErrorCode::ProfileInvalid,
                format!("{message}. Sign in with the key or the username alone instead of both."),
            ),
            SecretsError::Damaged => {
                BoundaryError::with_code(ErrorCode::ProfileInvalid, format!("{message}."))
            }
        }
    }
}

/// Turns a failed call into its code and what happened. Advice is up to the shells.
pub fn from_client(error: ClientError) -> BoundaryError {
    let mut boundary =
        BoundaryError::with_code(code_of(&error), end_sentence(&capitalize_first(&error.to_string())));
    if let ClientError::Rejected { problems, text, status } = &error {
        let detail = |text: &str| end_sentence(&capitalize_first(text));
        boundary.details = problems
            .iter()
            .map(|p| FieldError::at_pointer(pointer_of(&p.pointer, None), detail(&p.detail)))
            .collect();
        boundary.message = rejection_text(*status, text, &boundary.details);
    }
    boundary.retryable = error.is_retryable();
    boundary
}

fn code_of(error: &ClientError) -> ErrorCode {
    match error {
        ClientError::NotAuthorized { .. } => ErrorCode::NotAuthorized,
        ClientError::NotPermitted { .. } => ErrorCode::NotPermitted,
        ClientError::SignInAgain { .. } => ErrorCode::SignInAgain,
        ClientError::NoCredentials => ErrorCode::NoCredentials,
        ClientError::Offline { .. } | ClientError::Interrupted { .. } => ErrorCode::Offline,
        ClientError::Timeout { .. } => ErrorCode::Timeout,
        ClientError::Untrusted { .. } => ErrorCode::Untrusted,
        ClientError::RateLimited { .. } => ErrorCode::RateLimited,
        ClientError::NotCounted { .. } => ErrorCode::Office,
        ClientError::Rejected { .. } => ErrorCode::Rejected,
        ClientError::ServiceFailed { .. } => ErrorCode::ServiceFailed,
        // What the service names is the service's: only it can mend it.
        ClientError::BadLink { .. } => ErrorCode::ServiceFailed,
        // A redirect that isn't followed is what the service does, whatever address the profile has.
        ClientError::Unreadable { .. }
        | ClientError::TooLarge { .. }
        | ClientError::CrossHostRedirect { .. }
        | ClientError::BadRedirect { .. } => ErrorCode::Unreadable,
        // Its message says what is too large or unreadable; the profile isn't at fault.
        ClientError::NotSendable { .. } => ErrorCode::Validation,
        ClientError::OutcomeUnknown { .. } => ErrorCode::OutcomeUnknown,
        ClientError::InsecureAddress { .. }
        | ClientError::BadAddress { .. }
        | ClientError::BadTrust { .. }
        | ClientError::BadCredential { .. } => ErrorCode::ProfileInvalid,
    }
}

/// The status, the service's text, and the fields' problems: of several only how many, as each is shown at its field.
fn rejection_text(status: u16, text: &str, details: &[FieldError]) -> String {
    let said = if text.is_empty() { String::new() } else { end_sentence(text) };
    let fields = match details {
        [] if said.is_empty() => {
            return format!("The service rejected the request (status {status}) and gave no reason.");
        }
        [] => String::new(),
        [one] if said == one.message => String::new(),
        [one] => one.message.clone(),
        many => format!("{} entries need attention.", many.len()),
    };
    format!("The service rejected the request (status {status}): {}", [said, fields].join(" ").trim())
}

/// Ends a sentence with a period.
pub fn end_sentence(sentence: &str) -> String {
    let sentence = sentence.trim();
    if sentence.ends_with(['.', '!', '?']) { sentence.to_owned() } else { format!("{sentence}.") }
}

/// Capitalizes the first letter, unless the text begins with an address, a path or a name.
pub fn capitalize_first(text: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_word = first
        .trim_end_matches([',', '.', ':', ';'])
        .chars()
        .all(|c| c.is_alphabetic() || matches!(c, '\'' | '-'));
    if !is_word || matches!(first, "http:" | "https:") {
        return text.to_owned();
    }
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The request's field for a field of the contract, for faults reported by the rules or the service.
pub fn pointer_of(field: &str, line: Option<usize>) -> String {
    let at =
        |member: &str| line.map_or_else(|| "/lines".to_owned(), |line| format!("/lines/{line}/{member}"));
    match field.trim_start_matches('/') {
        "physical_state" => "/state".into(),
        "transaction_line_of_business_list" | "line_of_business" => at("code"),
        "transaction_line_of_business_coverage" | "premium" => at("premium"),
        "policy_effective_date" => "/policy_effective".into(),
        "transaction_effective_date" => "/transaction_effective".into(),
        "mailing_entity_type" => "/entity".into(),
        "account_written_as" => "/written_as".into(),
        "agency_fee_charged_by" => "/fee_charged_by".into(),
        "physical_address" => "/address".into(),
        "physical_city" => "/city".into(),
        "physical_zip_code" => "/zip".into(),
        "municipality_name" => "/municipality".into(),
        // `/transaction_line_of_business_list/1`: the index is the line.
        other => match other.rsplit_once('/') {
            Some((field, index)) if index.parse::<usize>().is_ok() => pointer_of(field, index.parse().ok()),
            _ => format!("/{other}"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rejection_has_its_status_and_all_that_the_service_said() {
        let problem = |pointer: &str, detail: &str| bordereau_contract::FieldProblem {
            pointer: pointer.into(),
            detail: detail.into(),
        };
        let two = vec![problem("/premium", "too small"), problem("/physical_state", "Unknown.")];
        for (text, problems, message, details) in [
            ("", vec![], "The service rejected the request (status 422) and gave no reason.", vec![]),
            ("Not valid", vec![], "The service rejected the request (status 422): Not valid.", vec![]),
            (
                "Not valid",
                vec![problem("/premium", "too small")],
                "The service rejected the request (status 422): Not valid. Too small.",
                vec!["Too small."],
            ),
            (
                "Not valid",
                two,
                "The service rejected the request (status 422): Not valid. 2 entries need attention.",
                vec!["Too small.", "Unknown."],
            ),
        ] {
            let told = from_client(ClientError::Rejected { status: 422, text: text.into(), problems });
            let of_fields: Vec<&str> = told.details.iter().map(|field| field.message.as_str()).collect();
            assert_eq!((told.message.as_str(), of_fields), (message, details));
        }
    }

    #[test]
    fn what_cannot_be_sent_or_is_not_known_is_not_blamed_on_the_profile() {
        let not_sendable = || ClientError::NotSendable { reason: "policy.pdf is empty".into() };
        let told = from_client(not_sendable());
        assert_eq!(told.code, ErrorCode::Validation);
        assert_eq!(told.message, "Nothing was sent: policy.pdf is empty.");
        let cut = ClientError::Interrupted { host: "filing.example".into(), reason: "closed".into() };
        let told = from_client(ClientError::OutcomeUnknown { cause: Box::new(cut) });
        assert_eq!((told.code, told.retryable), (ErrorCode::OutcomeUnknown, false));
        let (from, to) = ("https://filing.example".to_owned(), "https://elsewhere.example".to_owned());
        let redirect = ClientError::CrossHostRedirect { from: from.clone(), to };
        let loops = ClientError::BadRedirect { from, status: 302, reason: "too many".into() };
        assert_eq!([redirect, loops].map(|error| from_client(error).code), [ErrorCode::Unreadable; 2]);
        assert!(told.message.starts_with("It is not known whether the service accepted"), "{}", told.message);
        let key = from_client(ClientError::BadCredential { what: "the API key".into() });
        assert!(
            key.code == ErrorCode::ProfileInvalid && key.message.starts_with("The API key cannot be sent")
        );
    }

    #[test]
    fn words_begin_large_and_names_stay() {
        for (text, expected) in [
            ("the answer is empty", "The answer is empty"),
            ("don't", "Don't"),
            ("amount: wrong", "Amount: wrong"),
            ("http: is allowed on this machine only", "http: is allowed on this machine only"),
            ("https://a.example cannot be used", "https://a.example cannot be used"),
            ("filing.example:443 did not answer", "filing.example:443 did not answer"),
            ("/premium is negative", "/premium is negative"),
            ("sl_tax is missing", "sl_tax is missing"),
            ("\u{e4}rger", "\u{c4}rger"),
            ("", ""),
        ] {
            assert_eq!(capitalize_first(text), expected, "{text}");
        }
    }
}
