//! Files made from the Rust sources and committed: the same command writes them and checks them.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::arguments::Arguments;
use crate::command::{self, TaskFailure, from_words};
use crate::made_file::MadeFile;
use crate::repository;
use crate::{opened_files, workflows};

/// A file, and the example that prints it.
struct GeneratedFile {
    file: &'static str,
    package: &'static str,
    example: &'static str,
}

const MADE: &[GeneratedFile] = &[
    GeneratedFile { file: "ui/src/bindings/operations.ts", package: "bordereau-api", example: "bindings" },
    GeneratedFile { file: "docs/rates.md", package: "bordereau-tax", example: "rates" },
    GeneratedFile { file: "docs/errors.md", package: "bordereau-spreadsheets", example: "errors" },
    GeneratedFile { file: "crates/service/openapi.json", package: "bordereau-service", example: "openapi" },
];

/// `cargo xtask codegen [--check]`.
pub fn run_codegen(mut arguments: Arguments) -> Result<(), TaskFailure> {
    let only_check = arguments.switch("--check");
    arguments.ensure_empty()?;
    if only_check {
        return check_generated();
    }
    for file in files_from_lists() {
        let path = repository::repository_path(file.path);
        let folder = path.parent().unwrap_or(&path);
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(&path, file.text))
            .map_err(|why| TaskFailure::new(format!("{}: {why}", file.path)))?;
        println!("{} written", file.path);
    }
    for made in MADE {
        let text = print_example(made)?;
        if on_disk(made) == text {
            println!("{} is as it should be", made.file);
        } else {
            std::fs::write(repository::repository_path(made.file), text)
                .map_err(|why| TaskFailure::new(format!("{}: {why}", made.file)))?;
            println!("{} written", made.file);
        }
    }
    Ok(())
}

/// Fails when a file is not as its source says; names all of them. The examples are those of the whole
/// workspace, which the tests have compiled already.
pub fn check_generated() -> Result<(), TaskFailure> {
    let mut build =
        from_words(&["cargo", "build", "--workspace", "--bins", "--tests", "--examples", "--locked"]);
    build.arg("--quiet");
    command::run_command(build, Duration::from_secs(40 * 60))?;
    let mut stale = Vec::new();
    for file in files_from_lists() {
        if read_text(file.path) != file.text {
            stale.push(file.path);
        }
    }
    for made in MADE {
        let program = repository::target_directory().join("debug/examples").join(made.example);
        let text = example_output(Command::new(program), made)?;
        let fresh = on_disk(made) == text;
        println!("{} {}", made.file, if fresh { "is as it should be" } else { "is STALE" });
        if !fresh {
            stale.push(made.file);
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    Err(TaskFailure::new(format!("stale: {}; write them with `cargo xtask codegen`", stale.join(", "))))
}

fn files_from_lists() -> impl Iterator<Item = MadeFile> {
    workflows::workflow_files().into_iter().chain(opened_files::made_files())
}

fn on_disk(made: &GeneratedFile) -> String {
    read_text(made.file)
}

/// A checkout with CRLF is not a difference.
fn read_text(path: &str) -> String {
    std::fs::read_to_string(repository::repository_path(path)).unwrap_or_default().replace("\r\n", "\n")
}

fn print_example(made: &GeneratedFile) -> Result<String, TaskFailure> {
    example_output(
        from_words(&["cargo", "run", "--quiet", "--package", made.package, "--example", made.example]),
        made,
    )
}

fn example_output(mut example: Command, made: &GeneratedFile) -> Result<String, TaskFailure> {
    let output = example
        .current_dir(repository::repository_root())
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output();
    let output = output.map_err(|why| TaskFailure::new(format!("{}: {why}", made.example)))?;
    if !output.status.success() {
        let (example, package) = (made.example, made.package);
        return Err(TaskFailure::new(format!(
            "the example {example} of {package} ended with {}",
            output.status
        )));
    }
    String::from_utf8(output.stdout).map_err(|_| TaskFailure::new(format!("{} is not text", made.example)))
}
