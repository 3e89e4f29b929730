//! The environments, in capitals: no one should mistake practice for production.

use bordereau_desk::api::Environment;

use crate::exit::CommandExit;

pub(crate) fn environment_word(environment: Environment) -> &'static str {
    match environment {
        Environment::Practice => "PRACTICE",
        Environment::Sandbox => "SANDBOX",
        Environment::Production => "PRODUCTION",
    }
}

/// The environment as the first line of a quote.
pub(crate) fn environment_line(environment: Option<Environment>) -> String {
    match environment {
        None => String::new(),
        Some(Environment::Practice) => "PRACTICE: nothing leaves this computer\n".to_owned(),
        Some(environment) => format!("{}\n", environment_word(environment)),
    }
}

/// Refuses to send `what` to production without `--yes`.
pub(crate) fn confirm_production(
    environment: Environment,
    profile: &str,
    yes: bool,
    what: &str,
) -> Result<(), CommandExit> {
    if environment != Environment::Production || yes {
        return Ok(());
    }
    Err(CommandExit::usage_error(format!(
        "nothing was sent: {what} would go to PRODUCTION ({profile}); add --yes"
    )))
}
