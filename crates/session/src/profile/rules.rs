//! Validates a profile: reports what was found, what is expected, and what to do.

use bordereau_client::ClientError;
use bordereau_contract::{CodeError, FeeChargedBy, REQUESTS_PER_MINUTE, ROWS_PER_REQUEST};
use url::Url;

use super::profile_files::find_profile_file;
use super::words;
use crate::Context;
use crate::files::read_text;
use crate::web_address::check_address;
use bordereau_api::{BoundaryError, Environment, ErrorCode, FieldError, Profile};

/// Largest CA file, in bytes.
pub(super) const CA_BYTES_MAX: u64 = 1024 * 1024;
const NAME_MAX: usize = 60;
/// Characters of a header's name.
const HEADER_CHARS_MAX: usize = 100;
/// Characters before a signature.
const PREFIX_CHARS_MAX: usize = 20;

/// Trims the profile's texts and removes a slash at the end of its address.
pub(super) fn tidy_profile(mut profile: Profile) -> Profile {
    let texts = [
        &mut profile.id,
        &mut profile.name,
        &mut profile.base_url,
        &mut profile.username,
        &mut profile.ca_file,
        &mut profile.token_path,
        &mut profile.calculator_path,
        &mut profile.import_path,
        &mut profile.results_path,
        &mut profile.search_path,
        &mut profile.status_path,
        &mut profile.documents_path,
        &mut profile.forms_path,
        &mut profile.single_path,
        &mut profile.webhooks_path,
        &mut profile.rules_address,
        &mut profile.signature_header,
        &mut profile.signature_prefix,
        &mut profile.lines_file,
        &mut profile.kentucky_file,
        &mut profile.fee_charged_by,
    ];
    for text in texts {
        *text = text.trim().to_owned();
    }
    for word in &mut profile.words {
        word.word = word.word.trim().to_owned();
        word.meaning = word.meaning.trim().to_owned();
    }
    profile.words.retain(|word| !word.word.is_empty() || !word.meaning.is_empty());
    profile.base_url.truncate(profile.base_url.trim_end_matches('/').len());
    profile
}

/// Everything wrong with the profile's own fields; its files are checked elsewhere.
pub(super) fn profile_faults(profile: &Profile, others: &[Profile]) -> Vec<FieldError> {
    let mut faults = Vec::new();
    faults.extend(name_fault(profile, others));
    if profile.environment == Environment::Practice {
        faults.push(FieldError::at_pointer(
            "/environment",
            "Practice is the built-in profile. Choose Sandbox for a provider's test site or Production for the real one.",
        ));
    }
    faults.extend(charger_fault(&profile.fee_charged_by));
    faults
        .extend(address_fault(&profile.base_url).map(|message| FieldError::at_pointer("/base_url", message)));
    let paths = [
        ("/token_path", &profile.token_path),
        ("/calculator_path", &profile.calculator_path),
        ("/import_path", &profile.import_path),
        ("/results_path", &profile.results_path),
        ("/search_path", &profile.search_path),
        ("/status_path", &profile.status_path),
        ("/documents_path", &profile.documents_path),
        ("/forms_path", &profile.forms_path),
        ("/single_path", &profile.single_path),
        ("/webhooks_path", &profile.webhooks_path),
    ];
    for (pointer, path) in paths {
        faults.extend(path_fault(path).map(|message| FieldError::at_pointer(pointer, message)));
    }
    if let Err(message) = check_address(&profile.rules_address)
        && !profile.rules_address.is_empty()
    {
        faults.push(FieldError::at_pointer("/rules_address", message));
    }
    faults.extend(words::word_faults(&profile.words));
    faults.extend(header_fault(profile));
    for (pointer, asked, most, trouble) in [
        (
            "/requests_per_minute",
            profile.requests_per_minute,
            REQUESTS_PER_MINUTE,
            "requests per minute are more than the service allows",
        ),
        (
            "/rows_per_request",
            profile.rows_per_request,
            ROWS_PER_REQUEST,
            "transactions in a request are too many",
        ),
    ] {
        if asked > most {
            let message = format!("{asked} {trouble}. At most {most} are expected; 0 means that limit.");
            faults.push(FieldError::at_pointer(pointer, message));
        }
    }
    faults
}

fn name_fault(profile: &Profile, others: &[Profile]) -> Option<FieldError> {
    let taken = |other: &Profile| other.id != profile.id && other.name.eq_ignore_ascii_case(&profile.name);
    let message = if profile.name.is_empty() {
        "Enter a name for the profile, such as the service or the office.".to_owned()
    } else if profile.name.chars().count() > NAME_MAX {
        format!("The name is longer than {NAME_MAX} characters. Shorten it.")
    } else if others.iter().any(taken) || taken(&super::new_practice_profile()) {
        format!("There is another profile named \"{}\". Choose a name that tells them apart.", profile.name)
    } else {
        return None;
    };
    Some(FieldError::at_pointer("/name", message))
}

/// Empty means nobody.
pub(super) fn charger_fault(code: &str) -> Option<FieldError> {
    let fault = |error: CodeError| {
        FieldError::at_pointer("/fee_charged_by", format!("{error}. Choose one of these or leave it empty."))
    };
    if code.is_empty() { None } else { code.parse::<FeeChargedBy>().err().map(fault) }
}

/// Faults of the signature's header and prefix.
fn header_fault(profile: &Profile) -> Option<FieldError> {
    let is_name = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if !is_name(&profile.signature_header) || profile.signature_header.len() > HEADER_CHARS_MAX {
        let message = "A header has a name of letters, digits and hyphens, such as X-Signature. Leave it empty for the usual one.";
        return Some(FieldError::at_pointer("/signature_header", message));
    }
    let is_short = profile.signature_prefix.len() <= PREFIX_CHARS_MAX;
    (!is_short || !profile.signature_prefix.bytes().all(|byte| byte.is_ascii_graphic())).then(|| {
        let message = "The text before a signature is short and without blanks, such as sha256=.";
        FieldError::at_pointer("/signature_prefix", message)
    })
}

fn address_fault(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some("The address of the service is missing. It begins with https://, such as https://api.example.com.".into());
    }
    let url = match Url::parse(text) {
        Ok(url) if url.has_host() => url,
        _ => {
            return Some("This is not a valid address. Enter one that starts with https://, such as https://api.example.com.".into());
        }
    };
    match url.scheme() {
        "https" => {}
        "http" => {
            return Some("http:// isn't allowed: the key and amounts would be sent unencrypted. Use the service's https:// address.".into());
        }
        other => {
            return Some(format!("{other}:// is not supported. Use the https:// address of the service."));
        }
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Some("The address contains a username or password. Remove it and sign in below, so that it's saved in the keychain.".into());
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Some("The address contains ? or #. Only host, port and a leading path are expected; a key belongs in the field for the key.".into());
    }
    None
}

/// Faults of a path. It may contain the transaction's number: `/transactions/{transaction_id}/documents`.
fn path_fault(path: &str) -> Option<String> {
    let plain = path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains(['?', '#', '\\'])
        && !path.contains("..")
        && !path.chars().any(|c| c.is_whitespace() || c.is_control());
    (!path.is_empty() && !plain).then(|| {
        format!("\"{path}\" is not a path below the address. One that begins with a single / is expected; leave it empty for the usual one.")
    })
}

/// The PEM text of an extra CA file; `None` without one.
///
/// # Errors
/// [`ErrorCode::ProfileInvalid`] when it can't be read or has no certificate.
pub async fn read_ca(ctx: &Context, profile: &Profile) -> Result<Option<String>, BoundaryError> {
    if profile.ca_file.is_empty() {
        return Ok(None);
    }
    let path = find_profile_file(ctx, &profile.ca_file).await?;
    let read = read_text(&path, CA_BYTES_MAX).await;
    let checked = read.and_then(|text| check_ca(&text).map(|()| text)).map_err(|why| {
        let message = format!("The extra CA file of the profile cannot be used: {why}");
        BoundaryError::with_code(ErrorCode::ProfileInvalid, message)
    })?;
    Ok(Some(checked))
}

/// Whether a text may be an extra CA file.
pub(super) fn check_ca(text: &str) -> Result<(), String> {
    if !text.contains("-----BEGIN CERTIFICATE-----") {
        return Err("It holds no certificate. A PEM file with BEGIN CERTIFICATE is expected; convert a DER file first.".into());
    }
    bordereau_client::check_authorities(text).map_err(|why| {
        let reason = match why {
            ClientError::BadTrust { reason } => reason,
            other => other.to_string(),
        };
        format!("A certificate in it cannot be used: {reason}. Ask for the file again, in PEM form.")
    })
}
