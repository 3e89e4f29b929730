//! `cargo xtask bench`: every figure the product promises, measured in release, with target and verdict.
//!
//! Where a figure depends on the machine it is a ratio of two measurements measured in the same run.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::arguments::Arguments;
use crate::command::{self, TaskFailure, from_words};
use crate::desktop_session::PrivateHome;
use crate::dist;
use crate::fresh_machine::{self, MachinePurpose};
use crate::measure_window::{self, WindowStart};
use crate::repository;

const COMPILES: Duration = Duration::from_secs(60 * 60);

/// A measured figure beside what it has to reach.
struct BenchFigure {
    what: String,
    measured: String,
    target: String,
    reached: bool,
}

/// A bench by name.
struct NamedBench {
    name: &'static str,
    run: fn() -> Result<Vec<BenchFigure>, TaskFailure>,
}

const BENCHES: &[NamedBench] = &[
    NamedBench { name: "tax", run: || cargo_bench("bordereau-tax", "quote") },
    NamedBench { name: "service", run: || cargo_bench("bordereau-service", "calculator") },
    NamedBench { name: "spreadsheets", run: || cargo_bench("bordereau-spreadsheets", "spreadsheets") },
    NamedBench { name: "import", run: || cargo_bench("bordereau-service", "import") },
    NamedBench { name: "webhooks", run: || cargo_bench("bordereau-service", "webhooks") },
    NamedBench { name: "events", run: || cargo_bench("bordereau-desk", "events") },
    NamedBench { name: "transactions", run: || cargo_bench("bordereau-desk", "transactions") },
    NamedBench { name: "uploads", run: || cargo_bench("bordereau-desk", "uploads") },
    NamedBench { name: "encryption", run: || cargo_bench("bordereau-desk", "encryption") },
    NamedBench { name: "first-rows", run: || cargo_bench("bordereau-desk", "first_rows") },
    NamedBench { name: "office", run: || cargo_bench("bordereau-desk", "office") },
    NamedBench { name: "wire", run: || cargo_bench("bordereau-client", "wire") },
    NamedBench { name: "cli", run: command_line },
    NamedBench { name: "sizes", run: bench_sizes },
    NamedBench { name: "window", run: bench_window },
    NamedBench { name: "grid", run: bench_grid },
    NamedBench { name: "live", run: || in_the_window("live::bench") },
];

/// Runs the chosen benches; a target missed is a failure.
pub fn run_benches(mut arguments: Arguments) -> Result<(), TaskFailure> {
    let only = arguments.values("--only")?;
    arguments.ensure_empty()?;
    if let Some(unknown) = only.iter().find(|name| !BENCHES.iter().any(|bench| bench.name == **name)) {
        let names = BENCHES.iter().map(|bench| bench.name).collect::<Vec<_>>().join(", ");
        return Err(TaskFailure::usage_error(format!("no bench is called \"{unknown}\"; there are {names}")));
    }
    let mut figures = Vec::new();
    for bench in BENCHES {
        if only.is_empty() || only.iter().any(|name| name == bench.name) {
            println!("\n== {}", bench.name);
            figures.extend((bench.run)()?);
        }
    }
    println!("\n{:<50} {:<44} {:<22} verdict", "figure", "measured", "target");
    for figure in &figures {
        let verdict = if figure.reached { "pass" } else { "MISS" };
        println!("{:<50} {:<44} {:<22} {verdict}", figure.what, figure.measured, figure.target);
    }
    let missed = figures.iter().filter(|figure| !figure.reached).count();
    if missed == 0 {
        Ok(())
    } else {
        Err(TaskFailure::new(format!("{missed} of {} targets missed", figures.len())))
    }
}

/// Two files; each has its first problems, and two ways of scrolling with two figures.
fn bench_grid() -> Result<Vec<BenchFigure>, TaskFailure> {
    let figures = in_the_window("grid::bench")?;
    match figures.len() {
        10 => Ok(figures),
        some => Err(TaskFailure::new(format!("the grid's bench ended early: {some} of 10 figures"))),
    }
}

/// The real window: the tests that measure it print figures, as the benches of crates do.
fn in_the_window(bench: &str) -> Result<Vec<BenchFigure>, TaskFailure> {
    fresh_machine::ready_for(MachinePurpose::Test)?;
    fresh_machine::ui_built_unless_there()?;
    let test = ["--release", "--locked", "--package", "bordereau-desktop", "--test", "window"];
    let mut build = from_words(&["cargo", "test", "--no-run"]);
    build.args(test);
    command::run_command(build, COMPILES)?;
    let mut measure = from_words(&["cargo", "test", "--quiet"]);
    // One after the other: two windows at once would measure each other.
    measure.args(test).args([bench, "--", "--ignored", "--nocapture", "--test-threads=1"]);
    figures_of(measure)
}

/// A bench of a crate prints its figures as `figure | measured | target | pass`.
fn cargo_bench(package: &str, bench: &str) -> Result<Vec<BenchFigure>, TaskFailure> {
    let mut build = from_words(&["cargo", "bench", "--locked", "--no-run"]);
    build.args(["--package", package, "--bench", bench]);
    command::run_command(build, COMPILES)?;
    let mut measure = from_words(&["cargo", "bench", "--quiet", "--locked"]);
    measure.args(["--package", package, "--bench", bench]);
    // As many heaps as the programs have (decision 55): they set it when they start, which a bench doesn't.
    measure.env("MALLOC_ARENA_MAX", "4");
    figures_of(measure)
}

fn figures_of(mut measure: Command) -> Result<Vec<BenchFigure>, TaskFailure> {
    let spelled = command::command_line(&measure);
    println!("$ {spelled}");
    let output = measure.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output =
        output.map_err(|why| TaskFailure::new(format!("`{spelled}` could not be started: {why}")))?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}");
    let figures = text.lines().filter_map(parse_figure).collect::<Vec<_>>();
    if figures.is_empty() {
        return Err(TaskFailure::new(format!("`{spelled}` printed no figure ({})", output.status)));
    }
    Ok(figures)
}

fn parse_figure(line: &str) -> Option<BenchFigure> {
    let parts = line.split('|').map(str::trim).collect::<Vec<_>>();
    let [what, measured, target, verdict] = parts[..] else { return None };
    let reached = match verdict.to_ascii_lowercase().as_str() {
        "pass" => true,
        "miss" => false,
        _ => return None,
    };
    Some(BenchFigure { what: what.into(), measured: measured.into(), target: target.into(), reached })
}

/// `bordereau quote --offline` as a whole process, beside the smallest process there is.
fn command_line() -> Result<Vec<BenchFigure>, TaskFailure> {
    let program = release_build("bordereau-cli", &["--bin", "bordereau"], "bordereau")?;
    let home = PrivateHome::new().map_err(|why| TaskFailure::new(format!("a private home: {why}")))?;
    let quote = || {
        let mut command = Command::new(&program);
        command.args(["quote", "--offline", "--state", "TX", "--type", "PN", "--line", "GEN-1002=9521"]);
        command.args(["--agency-fee", "400", "--inspection-fee", "150.42", "--effective", "2026-02-23"]);
        command.env("BORDEREAU_DATA_DIR", home.data_dir());
        command
    };
    let offline = median_run(quote)?;
    let nothing = median_run(|| Command::new("true"))?;
    Ok(vec![BenchFigure {
        what: "bordereau quote --offline, median of 50".into(),
        measured: format!(
            "{} (an empty process {})",
            format_milliseconds(offline),
            format_milliseconds(nothing)
        ),
        target: "under 30 ms".into(),
        reached: offline < Duration::from_millis(30),
    }])
}

fn median_run(command: impl Fn() -> Command) -> Result<Duration, TaskFailure> {
    let mut times = Vec::new();
    for round in 0..53 {
        let mut command = command();
        let line = command::command_line(&command);
        let started = Instant::now();
        let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status();
        let took = started.elapsed();
        if !status.is_ok_and(|status| status.success()) {
            return Err(TaskFailure::new(format!("`{line}` failed")));
        }
        // The first three fill the caches.
        if round >= 3 {
            times.push(took);
        }
    }
    Ok(median_of(times))
}

/// The window and the empty one take turns, so that neither has the warmer machine.
fn bench_window() -> Result<Vec<BenchFigure>, TaskFailure> {
    fresh_machine::ready_for(MachinePurpose::Test)?;
    fresh_machine::ui_built_unless_there()?;
    // One build for both: the same features, the same flags.
    let bordereau = release_build("bordereau-desktop", &["--bins", "--examples"], "bordereau-desktop")?;
    let empty = bordereau.with_file_name(format!("examples/empty{}", std::env::consts::EXE_SUFFIX));
    let homes = [new_home()?, new_home()?];
    let mut starts: [Vec<WindowStart>; 2] = [Vec::new(), Vec::new()];
    for round in 0..8 {
        for (index, program) in [&bordereau, &empty].into_iter().enumerate() {
            let start = measure_window::start_once(program, &homes[index])?;
            println!(
                "{}: first paint {}, {} KiB",
                program.display(),
                format_milliseconds(start.first_paint),
                start.memory_kib
            );
            if round > 0 {
                starts[index].push(start);
            }
        }
    }
    let paint = starts.each_ref().map(|all| median_of(all.iter().map(|start| start.first_paint).collect()));
    let memory = starts.each_ref().map(|all| median_of(all.iter().map(|start| start.memory_kib).collect()));
    let time_ratio = paint[0].as_secs_f64() / paint[1].as_secs_f64();
    let memory_ratio = memory[0] as f64 / memory[1] as f64;
    Ok(vec![
        BenchFigure {
            what: "window to first paint, median of 7".into(),
            measured: format!(
                "{} / empty {} = {time_ratio:.2}",
                format_milliseconds(paint[0]),
                format_milliseconds(paint[1])
            ),
            target: "at most 1.3".into(),
            reached: time_ratio <= 1.3,
        },
        BenchFigure {
            what: "memory of all processes (PSS), median of 7".into(),
            measured: format!(
                "{} MiB / empty {} MiB = {memory_ratio:.2}",
                memory[0] / 1024,
                memory[1] / 1024
            ),
            target: "at most 1.4".into(),
            reached: memory_ratio <= 1.4,
        },
    ])
}

/// What people download and install.
fn bench_sizes() -> Result<Vec<BenchFigure>, TaskFailure> {
    const MEGABYTE: u64 = 1_000_000;
    let sizes = dist::package_sizes()?;
    Ok(sizes
        .into_iter()
        .map(|size| BenchFigure {
            what: format!("size of {}", size.name),
            measured: format!("{:.1} MB", size.bytes as f64 / MEGABYTE as f64),
            target: format!("under {} MB", size.limit_megabytes),
            reached: size.bytes < size.limit_megabytes * MEGABYTE,
        })
        .collect())
}

fn new_home() -> Result<PrivateHome, TaskFailure> {
    PrivateHome::new().map_err(|why| TaskFailure::new(format!("a private home: {why}")))
}

fn release_build(package: &str, what: &[&str], program: &str) -> Result<PathBuf, TaskFailure> {
    let mut build = from_words(&["cargo", "build", "--release", "--locked", "--package", package]);
    build.args(what);
    command::run_command(build, COMPILES)?;
    Ok(repository::target_directory()
        .join("release")
        .join(format!("{program}{}", std::env::consts::EXE_SUFFIX)))
}

fn median_of<T: Ord + Copy>(mut values: Vec<T>) -> T {
    values.sort_unstable();
    values[values.len() / 2]
}

fn format_milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

#[cfg(test)]
mod tests {
    use super::parse_figure;

    #[test]
    fn figures_of_a_bench_are_read() {
        let read = parse_figure("quote with trace | 1.4 us | at most 2 us | pass").expect("a figure");
        assert_eq!(
            (read.what.as_str(), read.measured.as_str(), read.reached),
            ("quote with trace", "1.4 us", true)
        );
        assert!(parse_figure("x | y | z | MISS").is_some_and(|figure| !figure.reached));
        assert!(parse_figure("running 3 benches").is_none());
    }
}
