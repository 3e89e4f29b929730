//! Advice on errors, by code, in the command line's words. The core says what happened.

use bordereau_desk::api::ErrorCode;

/// The next step where an office's larger files are in a storage of their own.
pub(crate) const FILE_STORAGE_ADVICE: &str =
    "Enter the key for its files with `bordereau workspace files key`.";

/// The next step; empty where the error's own sentence has it.
pub(crate) const fn error_advice(code: ErrorCode) -> &'static str {
    match code {
        // These messages name the fields, when a limit ends, or whom to ask; a person who canceled knows why.
        ErrorCode::Validation
        | ErrorCode::Rejected
        | ErrorCode::RateLimited
        | ErrorCode::Canceled
        | ErrorCode::Office => "",
        ErrorCode::NotAuthorized => {
            "Store the current key with `bordereau profile set-key`, or sign in with `bordereau profile sign-in`. A new key deactivates the old one right away."
        }
        ErrorCode::NotPermitted => {
            "Ask the service whether the account is active and its contract includes this."
        }
        ErrorCode::SignInAgain => "Run `bordereau profile sign-in`.",
        ErrorCode::NoCredentials => {
            "Store its key with `bordereau profile set-key`, sign in with `bordereau profile sign-in`, or set BORDEREAU_API_KEY or BORDEREAU_PASSWORD."
        }
        ErrorCode::KeychainUnavailable | ErrorCode::KeychainLocked => {
            "Without it, for this run, set BORDEREAU_API_KEY or BORDEREAU_PASSWORD, and BORDEREAU_WORKSPACE_PASSWORD in an office."
        }
        ErrorCode::Offline => "Check the network.",
        ErrorCode::Timeout => "Try again.",
        ErrorCode::OutcomeUnknown => {
            "It may have arrived: look a transaction up with `bordereau status` or `bordereau search`, and a webhook with `bordereau webhook list`, before you send it again."
        }
        ErrorCode::Untrusted => {
            "Behind a company proxy, add the proxy's certificate to this computer's trusted ones, or set it as the profile's extra CA file."
        }
        ErrorCode::ServiceFailed => "Your entries are fine. Try again later.",
        ErrorCode::Unreadable => {
            "See what was received with `bordereau profile answers`; if it isn't from the service, check the address and the paths with `bordereau profile test`."
        }
        ErrorCode::ProfileInvalid => {
            "Check the profile with `bordereau profile list` and `bordereau profile test`."
        }
        ErrorCode::NotFound => "Check the name or number, and the profile in use.",
        ErrorCode::Storage => "Check the free space on the disk and the permissions.",
        ErrorCode::DiskFull => "Free some space on the disk and run the command again.",
        ErrorCode::DiskFailed => "Check the disk and its quota, and copy the data folder to another one.",
        ErrorCode::DataReadOnly => "Allow writing to the data folder, or choose another one with --data-dir.",
        ErrorCode::StoreDamaged => {
            "List the backups with `bordereau backup list`; restore one with `bordereau backup restore`."
        }
        ErrorCode::DataKeyMissing => {
            "Name its key file with --data-key-file or BORDEREAU_DATA_KEY_FILE; where the folder opens, `bordereau data key save` writes it."
        }
        ErrorCode::StoreTooNew => "Run the newer version, or choose another folder with --data-dir.",
        ErrorCode::ChangedElsewhere => {
            "Look at what is there now, and run the command again if it is still needed."
        }
        ErrorCode::Locked => {
            "Unlock the window; a forgotten passphrase is removed with `bordereau lock off --yes`."
        }
        ErrorCode::NoProgram => "Open it yourself; what was saved is kept.",
        ErrorCode::Internal => "Please report it with this message.",
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::arguments::CliArguments;

    /// Whether these words are a command of the command line, as far as they are subcommands.
    fn is_command(words: &str) -> bool {
        let mut command = CliArguments::command();
        for word in words.split(' ').filter(|word| !word.starts_with("--")) {
            let Some(below) = command.find_subcommand(word) else { return false };
            command = below.clone();
        }
        let has = |option: &str| command.get_arguments().any(|argument| argument.get_long() == Some(option));
        words.split(' ').filter_map(|word| word.strip_prefix("--")).all(has)
    }

    #[test]
    fn every_error_code_has_advice_and_every_command_it_names_exists() {
        let without = [
            ErrorCode::Validation,
            ErrorCode::Rejected,
            ErrorCode::RateLimited,
            ErrorCode::Canceled,
            ErrorCode::Office,
        ];
        for &code in ErrorCode::ALL {
            let advice = error_advice(code);
            assert_eq!(advice.is_empty(), without.contains(&code), "{code:?}");
            assert!(advice.is_empty() || advice.ends_with('.'), "{code:?}: {advice}");
            for command in advice.split('`').skip(1).step_by(2) {
                let words = command.strip_prefix("bordereau ").unwrap_or_default();
                assert!(is_command(words), "{code:?}: there is no `{command}`");
            }
        }
        assert!(!is_command("profile renew") && !is_command("quote --online"));
    }
}
