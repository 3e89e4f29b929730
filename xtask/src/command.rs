//! Runs a command with its output shown as it comes, a time limit, and the runner's own summary kept.

use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::{children, repository};

/// Why something did not work.
#[derive(Debug)]
pub struct TaskFailure {
    what: String,
    code: u8,
    /// How the runner summed up before it failed.
    pub summary: RunSummary,
}

impl TaskFailure {
    /// A step did not work.
    pub fn new(what: impl Into<String>) -> Self {
        TaskFailure { what: what.into(), code: 1, summary: Vec::new() }
    }

    /// The same, with how the runner summed up.
    pub fn with_summary(self, summary: RunSummary) -> Self {
        TaskFailure { summary, ..self }
    }

    /// The words after `cargo xtask` were not understood.
    pub fn usage_error(what: impl Into<String>) -> Self {
        TaskFailure { what: what.into(), code: 2, summary: Vec::new() }
    }

    /// Exit code of the process.
    pub fn exit_code(&self) -> u8 {
        self.code
    }
}

impl fmt::Display for TaskFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

/// What a file's error says, behind the file's path.
pub fn at_file(path: &Path) -> impl Fn(std::io::Error) -> TaskFailure + Copy {
    move |why| TaskFailure::new(format!("{}: {why}", path.display()))
}

/// A command from words, run at the top of the repository.
pub fn from_words(line: &[&str]) -> Command {
    let mut command = Command::new(line[0]);
    command.args(&line[1..]).current_dir(repository::repository_root());
    command
}

/// The command as a person would type it.
pub fn command_line(command: &Command) -> String {
    let mut text = command.get_program().to_string_lossy().into_owned();
    for word in command.get_args() {
        text.push(' ');
        text.push_str(&word.to_string_lossy());
    }
    text
}

/// Lines a runner sums itself up with, as printed.
pub type RunSummary = Vec<String>;

/// Runs to the end or to the limit; standard input is closed, the output is shown as it comes.
pub fn run_command(mut command: Command, limit: Duration) -> Result<RunSummary, TaskFailure> {
    let line = command_line(&command);
    println!("$ {line}");
    let started = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|why| TaskFailure::new(format!("`{line}` could not be started: {why}")))?;
    let lines = echo_output(&mut child);
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if started.elapsed() > limit => {
                children::end_tree(&mut child);
                let minutes = limit.as_secs().div_ceil(60);
                return Err(TaskFailure::new(format!(
                    "`{line}` was ended after {minutes} minutes without an end"
                )));
            }
            Ok(None) => std::thread::sleep(Duration::from_millis(20)),
            Err(why) => return Err(TaskFailure::new(format!("`{line}`: {why}"))),
        }
    };
    let summary = gather_summary(&lines);
    if status.success() {
        return Ok(summary);
    }
    Err(TaskFailure::new(format!("`{line}` ended with {status}")).with_summary(summary))
}

/// What a command prints, without showing it; `None` when it is missing or fails.
pub fn command_output(mut command: Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Whether a program is on the path.
pub fn on_path(program: &str) -> bool {
    let Some(path) = std::env::var_os("PATH") else { return false };
    std::env::split_paths(&path)
        .any(|dir| dir.join(program).is_file() || dir.join(format!("{program}.exe")).is_file())
}

fn echo_output(child: &mut Child) -> mpsc::Receiver<String> {
    let (send, receive) = mpsc::channel();
    let streams: [Option<Box<dyn Read + Send>>; 2] = [
        child.stdout.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>),
        child.stderr.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>),
    ];
    for stream in streams.into_iter().flatten() {
        let send = send.clone();
        std::thread::spawn(move || {
            let mut reader = BufReader::new(stream);
            let mut bytes = Vec::new();
            while reader.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
                let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
                println!("{line}");
                let plain = without_color(&line);
                if is_summary(plain.trim()) {
                    send.send(plain.trim().to_owned()).ok();
                }
                bytes.clear();
            }
        });
    }
    receive
}

/// Waits for the readers, but not for a process left behind that still holds the pipe.
fn gather_summary(lines: &mpsc::Receiver<String>) -> RunSummary {
    let mut summary = Vec::new();
    let until = Instant::now() + Duration::from_secs(2);
    while let Ok(line) = lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
        summary.push(line);
    }
    summary
}

/// How nextest, rustdoc, vitest, Playwright, cargo-deny and npm end.
fn is_summary(line: &str) -> bool {
    let counts = line.split_once(' ').is_some_and(|(count, rest)| {
        count.parse::<u32>().is_ok()
            && ["passed", "failed", "skipped", "flaky", "did not run"]
                .iter()
                .any(|word| rest.starts_with(word))
    });
    counts
        || (line.starts_with("Summary [") && line.contains("tests run"))
        || line.starts_with("test result:")
        || line.starts_with("Test Files ")
        || (line.starts_with("Tests ") && line.contains("passed"))
        || line.starts_with("found ") && line.contains("vulnerabilities")
        || (line.contains("bans ok") || line.contains("licenses ok") || line.contains("advisories ok"))
}

fn without_color(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        if character == '\u{1b}' {
            characters.by_ref().find(char::is_ascii_alphabetic);
        } else {
            plain.push(character);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognises_the_runners_summaries() {
        for (line, expected) in [
            ("Summary [   3.084s] 41 tests run: 41 passed, 0 skipped", true),
            ("test result: ok. 5 passed; 0 failed; 0 ignored", true),
            ("Test Files  12 passed (12)", true),
            ("Tests  80 passed (80)", true),
            ("12 passed (30.1s)", true),
            ("bans ok, licenses ok, sources ok", true),
            ("found 0 vulnerabilities", true),
            ("12 lines were written", false),
            ("Compiling bordereau-tax v0.1.0", false),
        ] {
            assert_eq!(is_summary(line), expected, "{line}");
        }
    }

    #[test]
    fn colors_are_taken_off() {
        assert_eq!(
            without_color("\u{1b}[2m Tests \u{1b}[22m\u{1b}[1m\u{1b}[32m29 passed\u{1b}[39m"),
            " Tests 29 passed"
        );
    }

    #[test]
    #[cfg(unix)]
    fn a_command_over_its_limit_is_ended_with_its_children() {
        let started = Instant::now();
        let failure =
            run_command(from_words(&["sh", "-c", "sleep 60 & sleep 60"]), Duration::from_millis(200));
        assert!(failure.is_err_and(|why| why.to_string().contains("was ended after")));
        assert!(started.elapsed() < Duration::from_secs(10));
    }
}
