//! Writing the answer: whole, at once, and without a panic when nobody reads.

use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use crate::ending::Ending;
use crate::plain;

/// Writes the text to standard output; what came from files and services moves no cursor.
pub(crate) fn write(text: &str) -> Result<(), Ending> {
    write_as_it_is(&plain::plain(text))
}

fn write_as_it_is(text: &str) -> Result<(), Ending> {
    let mut output = std::io::stdout().lock();
    let written = output.write_all(text.as_bytes()).and_then(|()| output.flush());
    match written {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Ending::reader_gone()),
        Err(error) => Err(Ending::failed(format!("cannot write the answer: {error}"))),
    }
}

/// Writes one JSON value: indented for people, one line for programs.
pub(crate) fn write_json(value: &serde_json::Value) -> Result<(), Ending> {
    let text = if std::io::stdout().is_terminal() { format!("{value:#}") } else { value.to_string() };
    write_as_it_is(&format!("{}\n", plain::json(&text)))
}

/// Help and version are answers; anything else is wrong usage, said in one paragraph.
pub(crate) fn clap_says(error: &clap::Error) -> ExitCode {
    if error.use_stderr() {
        let _ = std::io::stderr().write_all(error.render().to_string().as_bytes());
        return ExitCode::from(2);
    }
    match write_as_it_is(&error.render().to_string()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(ending) => ending.tell(),
    }
}
