//! `cargo xtask fuzz`: every reader of what comes from outside, against input that is made while it runs.
//!
//! libFuzzer on the stable toolchain: the passes that count what was reached are stable options of the compiler. They
//! see the readers and the parsers these use; everything else of the program is what the tests have compiled already.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use crate::arguments::Arguments;
use crate::command::{self, RunSummary, TaskFailure, from_words};
use crate::test_part::PartResult;
use crate::{children, repository};

/// What is found new is kept in `target/fuzz/new` for the next run; what has to stay is copied to `fuzz/corpus`.
const KEPT: &str = "fuzz/corpus";
/// The target with a known mistake: the engine has to find it.
const CANARY: &str = "canary";
/// Seconds for one input; a reader that takes longer hangs.
const INPUT_SECONDS: u32 = 10;
/// Megabytes of one process.
const MEMORY_MEGABYTES: u32 = 1536;
/// Bytes of one input.
const INPUT_BYTES_MAX: u32 = 32 * 1024;
/// What an input reached in these is counted, and they are optimized: the readers, and the libraries that take apart
/// what they read. That makes them other builds of these crates than those of the tests, beside them in one folder.
const COUNTED: [&str; 17] = [
    "bordereau-fuzz",
    "bordereau-tables",
    "bordereau-spreadsheets",
    "bordereau-contract",
    "bordereau-client",
    "bordereau-forms",
    "calamine",
    "cfb",
    "csv",
    "csv-core",
    "html5ever",
    "markup5ever",
    "quick-xml",
    "toml",
    "toml_parser",
    "x509-parser",
    "zip",
];
/// Optimized alone: the engine itself.
const ENGINE: &str = "libfuzzer-sys";
/// Stable options of the compiler: what each edge and each comparison saw.
const COUNTERS: [&str; 5] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
];
/// Set for the compiler's calls of [`build_engine`], which go through this program.
const COMPILES_COUNTED: &str = "BORDEREAU_FUZZ_COUNTED";
/// Compiling everything for it on two slow cores.
const BUILDS: Duration = Duration::from_secs(40 * 60);
/// Starting, reading what is kept, and ending.
const BESIDE: Duration = Duration::from_secs(120);

/// `cargo xtask fuzz [--minutes N] [--target T]...`.
pub fn run_fuzz(mut arguments: Arguments) -> Result<(), TaskFailure> {
    let minutes = arguments.values("--minutes")?;
    let wanted = arguments.values("--target")?;
    arguments.ensure_empty()?;
    let minutes = minutes.last().map_or("10", String::as_str);
    let minutes: u64 = minutes
        .parse()
        .map_err(|_| TaskFailure::usage_error(format!("--minutes {minutes} is no whole number")))?;
    if let Some(lack) = find_lack() {
        return Err(TaskFailure::new(format!("this machine cannot fuzz: {lack}")));
    }
    fuzz_targets(&wanted, Duration::from_secs(60 * minutes)).map(drop)
}

/// The part of `cargo xtask test`: two minutes for all targets together.
pub fn try_new_input() -> Result<PartResult, TaskFailure> {
    if let Some(lack) = find_lack() {
        println!("skipped: {lack}");
        return Ok(PartResult { left_out: Some(format!("all of it ({lack})")), ..PartResult::default() });
    }
    fuzz_targets(&[], Duration::from_secs(120)).map(PartResult::from)
}

/// Why this machine cannot.
fn find_lack() -> Option<&'static str> {
    if !cfg!(unix) {
        return Some("libFuzzer is linked on Linux and macOS only");
    }
    let has_compiler = ["c++", "clang++", "g++"].iter().any(|program| command::on_path(program));
    (!has_compiler).then_some("there is no C++ compiler for libFuzzer")
}

/// Runs the targets, as many at once as there are cores; all together take the given time.
fn fuzz_targets(wanted: &[String], time: Duration) -> Result<RunSummary, TaskFailure> {
    let known = kept_targets()?;
    if let Some(unknown) = wanted.iter().find(|name| !known.contains(name)) {
        let known = known.join(", ");
        return Err(TaskFailure::usage_error(format!("there is no \"{unknown}\"; there are {known}")));
    }
    let chosen: Vec<&String> =
        known.iter().filter(|name| wanted.is_empty() || wanted.contains(name)).collect();
    let engine = build_engine()?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(4).min(chosen.len().max(1));
    let rounds = chosen.len().div_ceil(cores).max(1);
    let seconds = (time.as_secs() / rounds as u64).max(1);
    println!("{} targets, {cores} at once, {seconds} s each", chosen.len());
    let (mut lines, mut findings) = (Vec::new(), Vec::new());
    for round in chosen.chunks(cores) {
        let running: Vec<FuzzRun> =
            round.iter().map(|name| FuzzRun::start(&engine, name, seconds)).collect::<Result<_, _>>()?;
        for run in running {
            let outcome = run.wait(Duration::from_secs(seconds) + BESIDE)?;
            println!("{}", outcome.line);
            findings.extend(outcome.finding);
            lines.push(outcome.line);
        }
    }
    if findings.is_empty() {
        return Ok(lines);
    }
    Err(TaskFailure::new(findings.join("\n")).with_summary(lines))
}

/// The targets are the folders of what is kept.
fn kept_targets() -> Result<Vec<String>, TaskFailure> {
    let folder = repository::repository_path(KEPT);
    let entries = fs::read_dir(&folder).map_err(|why| failed(&folder, &why))?;
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Ok(names)
}

/// The program with all targets. The whole workspace is named, so that what it shares with the tests is theirs.
fn build_engine() -> Result<PathBuf, TaskFailure> {
    let mut build = from_words(&["cargo", "build", "--locked", "--workspace", "--example", "engine"]);
    build.args(["--features", "bordereau-fuzz/engine"]);
    for package in COUNTED.iter().chain([&ENGINE]) {
        build.arg("--config").arg(format!("profile.dev.package.{package}.opt-level=2"));
    }
    let own = std::env::current_exe().map_err(|why| failed(Path::new("this program"), &why))?;
    build.env("RUSTC_WRAPPER", own).env(COMPILES_COUNTED, "1");
    command::run_command(build, BUILDS)?;
    Ok(repository::target_directory().join("debug/examples/engine"))
}

/// Calls the compiler as cargo asked for it, with counters in what is counted; `None` where this program was started for
/// something else.
pub fn compile_if_requested() -> Option<ExitCode> {
    std::env::var_os(COMPILES_COUNTED)?;
    let mut arguments = std::env::args_os().skip(1);
    let mut compiler = Command::new(arguments.next()?);
    compiler.args(arguments);
    let mut given = compiler.get_args().filter_map(OsStr::to_str);
    let name = given.find(|argument| *argument == "--crate-name").and_then(|_| given.next());
    if name.is_some_and(is_counted) {
        compiler.args(COUNTERS);
    }
    let ended = compiler.status().ok().filter(|status| status.success());
    Some(if ended.is_some() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn is_counted(name: &str) -> bool {
    COUNTED.iter().any(|package| package.replace('-', "_") == name)
}

fn folder() -> PathBuf {
    repository::target_directory().join("fuzz")
}

fn failed(path: &Path, why: &std::io::Error) -> TaskFailure {
    TaskFailure::new(format!("{}: {why}", path.display()))
}

/// One target being run.
struct FuzzRun {
    name: String,
    process: Child,
    log: PathBuf,
    started: Instant,
}

/// How it ended.
struct FuzzOutcome {
    line: String,
    finding: Option<String>,
}

impl FuzzRun {
    fn start(engine: &Path, name: &str, seconds: u64) -> Result<FuzzRun, TaskFailure> {
        let new = folder().join("new").join(name);
        let found = folder().join("found");
        for made in [&new, &found] {
            fs::create_dir_all(made).map_err(|why| failed(made, &why))?;
        }
        // What the last run learned of the canary is not to help this one.
        if name == CANARY {
            fs::remove_dir_all(&new).and_then(|()| fs::create_dir(&new)).map_err(|why| failed(&new, &why))?;
        }
        let log = folder().join(format!("{name}.log"));
        let output = File::create(&log).map_err(|why| failed(&log, &why))?;
        let errors = output.try_clone().map_err(|why| failed(&log, &why))?;
        let mut command = Command::new(engine);
        command.arg(&new).arg(repository::repository_path(KEPT).join(name));
        command.current_dir(repository::repository_root());
        command.arg(format!("-max_total_time={seconds}"));
        command.arg(format!("-timeout={INPUT_SECONDS}"));
        command.arg(format!("-rss_limit_mb={MEMORY_MEGABYTES}"));
        command.arg(format!("-max_len={INPUT_BYTES_MAX}"));
        command.arg(format!("-artifact_prefix={}/{name}-", found.display()));
        command.args(["-print_final_stats=1", "-reload=0", "-use_value_profile=1"]);
        command.env("BORDEREAU_FUZZ_TARGET", name);
        command.stdin(Stdio::null()).stdout(output).stderr(errors);
        let process = command.spawn().map_err(|why| failed(engine, &why))?;
        Ok(FuzzRun { name: name.to_owned(), process, log, started: Instant::now() })
    }

    fn wait(mut self, limit: Duration) -> Result<FuzzOutcome, TaskFailure> {
        let status = loop {
            match self.process.try_wait() {
                Ok(Some(status)) => break Some(status),
                Ok(None) if self.started.elapsed() > limit => {
                    children::end_tree(&mut self.process);
                    break None;
                }
                Ok(None) => std::thread::sleep(Duration::from_millis(50)),
                Err(why) => return Err(failed(&self.log, &why)),
            }
        };
        let log = String::from_utf8_lossy(&fs::read(&self.log).unwrap_or_default()).into_owned();
        let has_found = !status.is_some_and(|status| status.success());
        Ok(describe_run(&self.name, &log, has_found, self.started.elapsed(), &self.log))
    }
}

/// The line of the table, and what is wrong.
fn describe_run(name: &str, log: &str, has_found: bool, took: Duration, path: &Path) -> FuzzOutcome {
    let number = |name: &str| {
        let line = log.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|rest| rest.trim_start_matches(':').trim().parse::<u64>().ok()).unwrap_or_default()
    };
    let (runs, memory) = (number("stat::number_of_executed_units"), number("stat::peak_rss_mb"));
    let is_canary = name == CANARY;
    let verdict = match (has_found, is_canary) {
        (false, false) => "nothing found",
        (true, true) => "found, as it must be",
        (true, false) => "FOUND",
        (false, true) => "NOT FOUND",
    };
    let took = took.as_secs_f64();
    let line = format!("{name:<10} {runs:>9} executions  {took:>6.1} s  {memory:>5} MB  {verdict}");
    let finding = match (has_found, is_canary) {
        (true, false) => {
            let input =
                log.lines().find_map(|line| line.split_once("Test unit written to ")).map(|(_, path)| path);
            let input = input.unwrap_or("no input was written");
            Some(format!(
                "{name}: see {}; its input is {input}. Fix it, and keep the input in {KEPT}/{name}",
                path.display()
            ))
        }
        (false, true) => Some(format!(
            "{name}: the known mistake was not found in {runs} executions, so the others say nothing either"
        )),
        _ => None,
    };
    FuzzOutcome { line, finding }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_judged_by_how_it_ended() {
        let log = "INFO: x\n#1 NEW\nTest unit written to target/fuzz/found/pem-crash-1\n\
                   stat::number_of_executed_units: 1234\nstat::peak_rss_mb:               56\n";
        let run = |name: &str, has_found| {
            describe_run(name, log, has_found, Duration::from_secs(2), Path::new("a.log"))
        };
        let clean = run("pem", false);
        assert!(clean.finding.is_none() && clean.line.contains("1234 executions"), "{}", clean.line);
        assert!(clean.line.contains("56 MB"), "{}", clean.line);
        let found = run("pem", true).finding.expect("a finding");
        assert!(found.contains("target/fuzz/found/pem-crash-1"), "{found}");
        assert!(run(CANARY, true).finding.is_none());
        assert!(run(CANARY, false).finding.expect("a finding").contains("1234 executions"));
    }
}
