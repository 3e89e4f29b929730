//! `cargo xtask`: everything a person or the CI does with the repository, in one place.
//!
//! It builds without the desktop libraries and without a dependency, because it is what installs them.

mod arguments;
mod bench;
pub mod children;
mod codegen;
mod command;
pub mod desktop_session;
mod dist;
mod fresh_machine;
mod fuzz;
pub mod house;
mod made_file;
mod measure_window;
mod open;
mod opened_files;
mod outbox_faults;
mod package_part;
mod part_table;
mod parts;
mod rates;
mod release_list;
mod repository;
mod rules_pack;
mod screenshots;
mod system_packages;
mod system_parts;
mod test;
mod test_part;
pub mod tree;
mod workflows;

use std::process::ExitCode;

use arguments::Arguments;
use command::TaskFailure;

const HELP: &str = "\
cargo xtask COMMAND

  run [--release] [--terminal]
      Installs what is missing, builds, and opens the window on the Practice profile.
      Without a display (or with --terminal) it makes a quote in the terminal instead.
  test [--systems] [--only PART]... [--skip PART]... [--keep-going] [--strict] [--list]
      Installs what is missing and runs every check; prints the time of each part.
      --systems runs those of other systems instead: Windows under Wine, and macOS as far as a compiler sees.
      --strict fails where a part could not look at everything, such as advisories without a network.
  codegen [--check]
      Writes what is made from the Rust sources: UI bindings, docs/rates.md, docs/errors.md, the OpenAPI document,
      .github/workflows/*.yml, and what is opened with Bordereau in the packages of each system.
      --check writes nothing and fails when one of them is stale.
  ui
      Installs the UI's packages when the lock changed, and builds ui/dist.
  tidy
      Checks the project rules that the compiler can't check.
  house [--write-ratchet]
      Prints how the sources measure against the figures they are to reach.
      --write-ratchet lowers the figures that the tidy tests allow, and refuses to raise one.
  rates FROM [TO]
      Prints what differs between the tax rules of two commits, state by state, in words for their changelog.
      Without TO, the rules as they are on disk.
  rules-pack --key FILE | --new-key FILE
      Signs the rules as they are on disk with an Ed25519 key, in target/packages: what desks take without a new version
      of the application. --new-key makes a key and prints its public part, for crates/rules/project-keys.txt or a policy.
  release-list --key FILE --at ADDRESS
      Signs the packages that dist made and lists them in target/packages/versions.json: put it and them at the address.
  bench [--only BENCH]...
      Measures (calculator, service, command line, window) in release, with target and verdict.
  faults [--only rows|events|service|worlds|office]... [--kills N] [--rows N] [--events N] [--seeds N]
      Kills the core at random points while it sends (rows), the service and the desk while one sends events and
      the other receives them (events), and tries every fault of the practice service (service): every row arrives
      exactly once, every event is shown exactly once. 100 kills, 5000 rows and 100000 events unless told otherwise.
      worlds: the same in simulated worlds of one computer and of an office, each from a seed that repeats it, whose
      clocks, network, disk and database fail; 10000 seeds unless told otherwise.
      office: eight workers and three desks, whose database is cut off, crashed and replaced by its standby.
  fuzz [--minutes N] [--target T]...
      Makes input for every reader of what comes from outside, and counts it; ten minutes for all of them unless told
      otherwise. What is found is in target/fuzz/found.
  screenshots
      Takes the pictures of the README and of docs/days.md, of the real window.
  dist [--only PACKAGE]... [--compare] [--list]
      Makes what people install, in target/packages: on Linux deb, rpm, AppImage, the command line as tar.gz, and for
      Windows a zip and an installer; on Windows both and an MSI; on macOS a dmg. With sums, list of parts and licenses.
      --compare lists what differs from the run before: the same sources give the same packages.
  install [--for run|test|dist|systems]
      Only installs what is missing.
";

/// The whole of `cargo xtask`.
pub fn main() -> ExitCode {
    if let Some(ended) = fuzz::compile_if_requested() {
        return ended;
    }
    let mut arguments = Arguments::from_process();
    let Some(name) = arguments.subcommand() else {
        eprint!("{HELP}");
        return ExitCode::from(2);
    };
    let outcome = match name.as_str() {
        "run" => open::run_open(arguments),
        "test" => test::run_test(arguments),
        "codegen" => codegen::run_codegen(arguments),
        "ui" => arguments.ensure_empty().and_then(|()| fresh_machine::ui_built()),
        "tidy" => arguments.ensure_empty().and_then(|()| parts::run_tidy().map(drop)),
        "house" => house::run_house(arguments),
        "rates" => rates::run_rates(arguments),
        "rules-pack" => rules_pack::run_rules_pack(arguments),
        "release-list" => release_list::run_release_list(arguments),
        "bench" => bench::run_benches(arguments),
        "faults" => outbox_faults::run_outbox_faults(arguments),
        "fuzz" => fuzz::run_fuzz(arguments),
        "dist" => dist::run_dist(arguments),
        "screenshots" => arguments.ensure_empty().and_then(|()| screenshots::run_screenshots()),
        "install" => fresh_machine::run_install(arguments),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(())
        }
        other => Err(TaskFailure::usage_error(format!(
            "unknown command \"{other}\"; cargo xtask --help lists them"
        ))),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("\nxtask: {failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}
