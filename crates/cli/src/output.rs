//! Writes the output: complete, in one go, and without a panic when no one reads it.

use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use serde::Serialize;

use bordereau_contract::{format_timestamp, parse_instant};

use crate::exit::CommandExit;
use crate::shared_arguments::GlobalArgs;
use bordereau_host::terminal_text;

/// Writes the text to standard output; control characters from files and services are escaped.
pub(crate) fn write(text: &str) -> Result<(), CommandExit> {
    write_as_it_is(&terminal_text::escape_terminal(text))
}

fn write_as_it_is(text: &str) -> Result<(), CommandExit> {
    let mut output = std::io::stdout().lock();
    let written = output.write_all(text.as_bytes()).and_then(|()| output.flush());
    match written {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(CommandExit::output_closed()),
        Err(error) => Err(CommandExit::with_failure(format!("cannot write the answer: {error}"))),
    }
}

/// Writes a line to standard error. Dropped if that is closed.
pub(crate) fn print_note(sentence: String) {
    let _ = writeln!(std::io::stderr(), "bordereau: {}", terminal_text::escape_terminal(&sentence));
}

/// `Nov 22, 2026, 3:08 PM` in this computer's time zone; other text stays as it is.
pub(crate) fn local_time(text: &str) -> String {
    parse_instant(text)
        .map_or_else(|| text.to_owned(), |at| format_timestamp(&at.with_timezone(&chrono::Local)))
}

/// Writes an answer: its JSON where `--json` asks for it, otherwise the text that `text` makes.
pub(crate) fn write_answer<T: AsRef<str>>(
    place: &GlobalArgs,
    answer: &impl Serialize,
    text: impl FnOnce() -> T,
) -> Result<(), CommandExit> {
    if !place.json {
        return write(text().as_ref());
    }
    let answer = serde_json::to_value(answer).map_err(|_| {
        CommandExit::with_failure("the answer could not be written as JSON; try without --json")
    })?;
    write_json(&answer)
}

/// A list's lines, or the sentence that there are none.
pub(crate) fn list_lines(lines: impl Iterator<Item = String>, none: &str) -> String {
    let text: String = lines.collect();
    if text.is_empty() { none.to_owned() } else { text }
}

/// Writes one JSON value: indented for people, one line for programs.
pub(crate) fn write_json(value: &serde_json::Value) -> Result<(), CommandExit> {
    let text = if std::io::stdout().is_terminal() { format!("{value:#}") } else { value.to_string() };
    write_as_it_is(&format!("{}\n", terminal_text::escape_json(&text)))
}

/// Help and version are output; anything else is wrong usage, as one line. An incomplete command shows its help.
pub(crate) fn print_clap_message(error: &clap::Error) -> ExitCode {
    let said = error.render().to_string();
    if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = std::io::stderr().write_all(said.as_bytes());
        return ExitCode::from(2);
    }
    if error.use_stderr() {
        return CommandExit::usage_error(in_one_line(&said)).print_line();
    }
    match write_as_it_is(&error.render().to_string()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(ending) => ending.print_line(),
    }
}

/// What is wrong and what to do, without the usage pattern, which `--help` has.
fn in_one_line(said: &str) -> String {
    let is_kept = |line: &&str| !line.is_empty() && !line.starts_with("Usage:");
    let lines: Vec<&str> = said.lines().map(str::trim).filter(is_kept).collect();
    let text = lines.join(" ").replace("For more information, try '--help'.", "(see --help)");
    text.strip_prefix("error: ").unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_usage_is_one_line() {
        let said = "error: the following required arguments were not provided:\n  <ID>\n\nUsage: bordereau batch show <ID>\n\nFor more information, try '--help'.\n";
        assert_eq!(
            in_one_line(said),
            "the following required arguments were not provided: <ID> (see --help)"
        );
    }
}
