//! Files made from the Rust sources and committed: the same command writes them and checks them.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::arguments::Arguments;
use crate::command::{self, Failure, words};
use crate::repository;

/// A file, and the example that prints it.
struct Made {
    file: &'static str,
    package: &'static str,
    example: &'static str,
}

const MADE: &[Made] = &[
    Made { file: "ui/src/bindings/operations.ts", package: "bordereau-api", example: "bindings" },
    Made { file: "docs/rates.md", package: "bordereau-tax", example: "rates" },
    Made { file: "docs/errors.md", package: "bordereau-spreadsheets", example: "errors" },
    Made { file: "crates/service/openapi.json", package: "bordereau-service", example: "openapi" },
];

/// `cargo xtask codegen [--check]`.
pub fn run(mut arguments: Arguments) -> Result<(), Failure> {
    let only_check = arguments.switch("--check");
    arguments.finish()?;
    if only_check {
        return check();
    }
    for made in MADE {
        let text = print(made)?;
        if on_disk(made) == text {
            println!("{} is as it should be", made.file);
        } else {
            std::fs::write(repository::at(made.file), text)
                .map_err(|why| Failure::new(format!("{}: {why}", made.file)))?;
            println!("{} written", made.file);
        }
    }
    Ok(())
}

/// Fails when a file is not as its source says; names all of them. The examples are those of the whole
/// workspace, which the tests have compiled already.
pub fn check() -> Result<(), Failure> {
    let mut build = words(&["cargo", "build", "--workspace", "--all-targets", "--locked"]);
    build.arg("--quiet");
    command::run(build, Duration::from_secs(40 * 60))?;
    let mut stale = Vec::new();
    for made in MADE {
        let program = repository::target().join("debug/examples").join(made.example);
        let text = answer(Command::new(program), made)?;
        let fresh = on_disk(made) == text;
        println!("{} {}", made.file, if fresh { "is as it should be" } else { "is STALE" });
        if !fresh {
            stale.push(made.file);
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!("stale: {}; write them with `cargo xtask codegen`", stale.join(", "))))
}

/// A checkout with CRLF is not a difference.
fn on_disk(made: &Made) -> String {
    std::fs::read_to_string(repository::at(made.file)).unwrap_or_default().replace("\r\n", "\n")
}

fn print(made: &Made) -> Result<String, Failure> {
    answer(words(&["cargo", "run", "--quiet", "--package", made.package, "--example", made.example]), made)
}

fn answer(mut example: Command, made: &Made) -> Result<String, Failure> {
    let output =
        example.current_dir(repository::root()).stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = output.map_err(|why| Failure::new(format!("{}: {why}", made.example)))?;
    if !output.status.success() {
        let (example, package) = (made.example, made.package);
        return Err(Failure::new(format!("the example {example} of {package} ended with {}", output.status)));
    }
    String::from_utf8(output.stdout).map_err(|_| Failure::new(format!("{} is not text", made.example)))
}
