//! The end of a failed command: an exit code and one clear line.

use std::path::Path;
use std::process::ExitCode;

use bordereau_contract::without_error_numbers;
use bordereau_desk::api::{BoundaryError, ErrorCode};
use bordereau_host::DataFolderError;

use crate::error_advice::{FILE_STORAGE_ADVICE, error_advice};
use bordereau_host::terminal_text::on_one_line;

/// An exit code and its line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CommandExit {
    code: u8,
    line: String,
}

/// Wrong usage.
const USAGE: u8 = 2;
/// Rejected by validation, here or by the service.
const REJECTED: u8 = 3;
/// Not authorized.
const NOT_AUTHORIZED: u8 = 4;
/// The service, the network or this computer failed.
const FAILED: u8 = 5;

impl CommandExit {
    pub(crate) fn usage_error(line: impl Into<String>) -> CommandExit {
        CommandExit { code: USAGE, line: without_error_numbers(line) }
    }

    pub(crate) fn rejected(line: impl Into<String>) -> CommandExit {
        CommandExit { code: REJECTED, line: without_error_numbers(line) }
    }

    pub(crate) fn not_authorized(line: impl Into<String>) -> CommandExit {
        CommandExit { code: NOT_AUTHORIZED, line: without_error_numbers(line) }
    }

    pub(crate) fn with_failure(line: impl Into<String>) -> CommandExit {
        CommandExit { code: FAILED, line: without_error_numbers(line) }
    }

    /// The reason, in one line.
    pub(crate) fn line(&self) -> &str {
        &self.line
    }

    /// Whether the service, the network or this machine failed, or no one is signed in: the same command may work later.
    pub(crate) fn is_failed(&self) -> bool {
        matches!(self.code, FAILED | NOT_AUTHORIZED)
    }

    /// No message: the reader of the output closed it, which isn't an error.
    pub(crate) fn output_closed() -> CommandExit {
        CommandExit { code: 0, line: String::new() }
    }

    /// The data can't be used: the message names its folder.
    pub(crate) fn of_data(error: BoundaryError, folder: &Path) -> CommandExit {
        let is_office = error.code == ErrorCode::Office;
        let mut ending = CommandExit::from(error);
        if is_office {
            ending
                .line
                .push_str(" To work on this computer's own data meanwhile: `bordereau workspace leave`.");
        }
        ending.line.push_str(&format!(" The data folder is {}.", folder.display()));
        ending
    }

    /// A quote is estimated without the service where there is none.
    pub(crate) fn of_quote(error: BoundaryError) -> CommandExit {
        let is_away = matches!(error.code, ErrorCode::Offline | ErrorCode::Timeout);
        let mut ending = CommandExit::from(error);
        ending.line.push_str(if is_away { " `bordereau quote --offline` works meanwhile." } else { "" });
        ending
    }

    pub(crate) fn print_line(self) -> ExitCode {
        if !self.line.is_empty() {
            // Standard error may be closed too; then there is no one to tell.
            let _ = std::io::Write::write_all(
                &mut std::io::stderr(),
                format!("bordereau: {}\n", on_one_line(&self.line)).as_bytes(),
            );
        }
        ExitCode::from(self.code)
    }
}

impl From<BoundaryError> for CommandExit {
    fn from(error: BoundaryError) -> CommandExit {
        CommandExit { code: code_of(error.code), line: line_of(&error) }
    }
}

impl From<DataFolderError> for CommandExit {
    fn from(error: DataFolderError) -> CommandExit {
        match error {
            DataFolderError::Unknown => CommandExit::usage_error(error.to_string()),
            _ => CommandExit::with_failure(error.to_string()),
        }
    }
}

fn code_of(code: ErrorCode) -> u8 {
    match code {
        ErrorCode::Validation | ErrorCode::Rejected => REJECTED,
        ErrorCode::NotAuthorized
        | ErrorCode::NotPermitted
        | ErrorCode::SignInAgain
        | ErrorCode::NoCredentials
        | ErrorCode::KeychainUnavailable
        | ErrorCode::KeychainLocked => NOT_AUTHORIZED,
        ErrorCode::ProfileInvalid | ErrorCode::NotFound => USAGE,
        ErrorCode::Offline
        | ErrorCode::Timeout
        | ErrorCode::OutcomeUnknown
        | ErrorCode::Untrusted
        | ErrorCode::RateLimited
        | ErrorCode::ServiceFailed
        | ErrorCode::Unreadable
        | ErrorCode::Storage
        | ErrorCode::DiskFull
        | ErrorCode::DiskFailed
        | ErrorCode::DataReadOnly
        | ErrorCode::StoreDamaged
        | ErrorCode::DataKeyMissing
        | ErrorCode::StoreTooNew
        | ErrorCode::Office
        | ErrorCode::ChangedElsewhere
        | ErrorCode::Locked
        | ErrorCode::Canceled
        | ErrorCode::NoProgram
        | ErrorCode::Internal => FAILED,
    }
}

/// One line: what happened, every field at fault, and what to do.
fn line_of(error: &BoundaryError) -> String {
    let mut fields = error.field_sentences();
    // Two fields with the same value have the same message.
    fields.dedup();
    let all = match fields.as_slice() {
        [] => error.message.clone(),
        [one] if error.message.contains(one) => error.message.clone(),
        many => format!("{} {}", error.message, many.join(" ")),
    };
    let advice = match error.code {
        ErrorCode::Office if error.message.contains("file storage") => FILE_STORAGE_ADVICE,
        code => error_advice(code),
    };
    let line = match advice {
        "" => all,
        _ if all.ends_with('?') => format!("{all} {advice}"),
        _ => format!("{}. {advice}", all.trim_end_matches('.')),
    };
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use bordereau_desk::api::FieldError;

    use super::*;

    #[test]
    fn an_error_is_one_line_with_every_field() {
        let field = |message: &str| FieldError { pointer: "/x".into(), message: message.into() };
        let error = |message: &str, details: Vec<FieldError>| BoundaryError {
            details,
            ..BoundaryError::with_code(ErrorCode::Validation, message)
        };
        let cases = [
            (error("Plain.", vec![]), "Plain."),
            (error("A state is missing.", vec![field("A state is missing.")]), "A state is missing."),
            (
                error("2 entries need attention.", vec![field("One."), field("Two.")]),
                "2 entries need attention. One. Two.",
            ),
            (error("Two\nlines.", vec![]), "Two lines."),
        ];
        for (error, line) in cases {
            assert_eq!(CommandExit::from(error), CommandExit { code: 3, line: line.into() });
        }
        let of = |pointer: &str, message: &str| FieldError::at_pointer(pointer, message);
        let rejected = BoundaryError {
            code: ErrorCode::Rejected,
            ..error("Rejected.", vec![of("/lines/1/code", "Unknown."), of("/agency_fee", "Too large.")])
        };
        let line = "Rejected. Lines 2 code: Unknown. Agency fee: Too large.";
        assert_eq!(CommandExit::from(rejected).line, line);
        let advised =
            CommandExit::from(BoundaryError::with_code(ErrorCode::SignInAgain, "The sign-in has ended"));
        assert_eq!(advised.line, "The sign-in has ended. Run `bordereau profile sign-in`.");
        let asked = CommandExit::from(BoundaryError::with_code(ErrorCode::SignInAgain, "Is the port right?"));
        assert_eq!(asked.line, "Is the port right? Run `bordereau profile sign-in`.");
        // An estimate helps where a quote was asked for and the service is away, nowhere else.
        let hint = "`bordereau quote --offline` works meanwhile.";
        for (code, is_quote, expected) in [
            (ErrorCode::Offline, true, true),
            (ErrorCode::Timeout, true, true),
            (ErrorCode::Rejected, true, false),
            (ErrorCode::Offline, false, false),
            (ErrorCode::Timeout, false, false),
        ] {
            let error = BoundaryError::with_code(code, "It can't be reached.");
            let exit = if is_quote { CommandExit::of_quote(error) } else { CommandExit::from(error) };
            assert_eq!(exit.line.contains(hint), expected, "{code:?} {is_quote}: {exit:?}");
        }
        let missing = std::io::Error::from_raw_os_error(2);
        let of_system = CommandExit::with_failure(format!("a.csv cannot be read: {missing}"));
        assert!(!of_system.line.contains("os error"), "{of_system:?}");
        let office =
            |message: &str| CommandExit::from(BoundaryError::with_code(ErrorCode::Office, message)).line;
        assert!(office("The office's file storage refused.").contains("files key"));
        assert!(!office("The office database can't be reached.").contains("files key"));
    }
}
