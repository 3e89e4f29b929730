//! The parts of `cargo xtask test --systems`: Windows under Wine, and macOS as far as a compiler sees from here.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::command::{self, TaskFailure, command_output, from_words, on_path};
use crate::dist::windows::{cross_lack, mingw_tool, rust_target_lack, with_mingw};
use crate::fresh_machine::{self, MachinePurpose};
use crate::repository;
use crate::test_part::{PartResult, TestPart};

const COMPILES: Duration = Duration::from_secs(60 * 60);
const WINE_STARTS: Duration = Duration::from_secs(5 * 60);
const WINDOWS: &str = "x86_64-pc-windows-gnu";
const MACOS: &str = "aarch64-apple-darwin";
const CFLAGS_OF_MACOS: &str = "CFLAGS_aarch64_apple_darwin";

/// All parts of other systems.
pub const SYSTEM_PARTS: &[TestPart] = &[
    TestPart { name: "install", about: "what is missing on this machine", run: check_installed },
    TestPart {
        name: "windows",
        about: "the workspace compiled for Windows, its tests under Wine",
        run: run_windows,
    },
    TestPart { name: "macos", about: "the workspace type-checked for macOS", run: check_macos },
];

const NO_STREAMS: &str =
    "streams of a file: the mark of where it came from is a second file in the folder that is counted";
const NO_REVOCATION: &str = "a check of authorities as Windows has it: of an unknown one it says that its revocation can't be checked";

const NUMBERS_AGAIN: &str =
    "a number of its own for each file: it gives a new file that of a removed one, as the disk below does";

/// Tests whose subject Wine lacks, and what it lacks: each was looked at, and none is a fault of Bordereau. What is not listed
/// passes there.
const WINE_LACKS: &[(&str, &str)] = &[
    ("rules_and_documents_of_the_service_are_in_the_answer", NO_STREAMS),
    ("a_missing_policy_is_uploaded_found_and_downloaded", NO_STREAMS),
    ("an_older_copy_in_the_place_of_the_store_sends_nothing_twice", NUMBERS_AGAIN),
    ("an_unknown_authority_is_named_and_gets_nothing", NO_REVOCATION),
    ("a_profiles_authorities_count_for_its_own_host_alone", NO_REVOCATION),
];

/// Everything whose tests need no window: the window's crate has its own, and xtask is no part of what people install.
const LEFT_OUT_CRATES: &[&str] = &["bordereau-desktop", "xtask", "bordereau-fuzz"];

fn check_installed() -> Result<PartResult, TaskFailure> {
    fresh_machine::ready_for(MachinePurpose::Systems)?;
    Ok(PartResult::default())
}

fn skip_part(why: impl Into<String>) -> Result<PartResult, TaskFailure> {
    Ok(PartResult { left_out: Some(why.into()), ..PartResult::default() })
}

/// Everything is compiled, the window with it; then the tests run as on Windows.
fn run_windows() -> Result<PartResult, TaskFailure> {
    if let Some(lack) = cross_lack() {
        return skip_part(lack);
    }
    fresh_machine::ui_built_unless_there()?;
    let mut lint = from_words(&["cargo", "clippy", "--workspace", "--all-targets", "--locked"]);
    lint.args(["--target", WINDOWS, "--", "-D", "warnings"]);
    with_mingw(&mut lint);
    command::run_command(lint, COMPILES)?;
    if !on_path("wine") {
        return skip_part("wine is not on this machine: compiled only");
    }
    // Several programs that start at once would each begin to make Wine's folder.
    let mut folder = from_words(&["wine", "wineboot", "--init"]);
    with_wine(&mut folder)?;
    command::run_command(folder, WINE_STARTS)?;
    let lacks = WINE_LACKS.iter().map(|(test, _)| format!(" and not test({test})")).collect::<String>();
    let mut tests =
        from_words(&["cargo", "nextest", "run", "--locked", "--target", WINDOWS, "--no-fail-fast"]);
    tests.arg("--workspace");
    for name in LEFT_OUT_CRATES {
        tests.args(["--exclude", name]);
    }
    // A PostgreSQL of this machine is no program of Wine's.
    tests.args(["--filterset", &format!("not binary(engines){lacks}")]);
    with_mingw(&mut tests);
    with_wine(&mut tests)?;
    let mut result = PartResult::from(command::run_command(tests, COMPILES)?);
    for (test, lack) in WINE_LACKS {
        println!("not under Wine: {test}: {lack}");
    }
    if !WINE_LACKS.is_empty() {
        result.left_out = Some(format!("{} tests of what Wine lacks", WINE_LACKS.len()));
    }
    Ok(result)
}

/// cargo runs what it compiled through Wine, with its own folder and the libraries that are Windows' or mingw's.
fn with_wine(command: &mut Command) -> Result<(), TaskFailure> {
    let folder = repository::target_directory().join("wine");
    let mut paths = vec![write_missing_library(&folder)?];
    for library in ["libgcc_s_seh-1.dll", "libstdc++-6.dll", "libwinpthread-1.dll"] {
        let found = command_output(from_words(&[&mingw_tool("gcc"), &format!("-print-file-name={library}")]));
        let found = found.map(PathBuf::from).and_then(|file| file.parent().map(PathBuf::from));
        paths.extend(found.filter(|folder| folder.is_absolute()));
    }
    let paths = paths.iter().map(|path| format!("Z:{}", path.display())).collect::<Vec<_>>().join(";");
    command.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", "wine");
    command.env("WINEPREFIX", folder.join("prefix")).env("WINEPATH", paths).env("WINEDEBUG", "-all");
    // Wine would offer to install what .NET and the old browser need.
    command.env("WINEDLLOVERRIDES", "mscoree,mshtml=");
    Ok(())
}

/// Wine 8 has no `bcryptprimitives.dll`, of which Rust's standard library wants one function.
fn write_missing_library(folder: &std::path::Path) -> Result<PathBuf, TaskFailure> {
    const SOURCE: &str = "#include <windows.h>\n#include <ntsecapi.h>\n\
        __declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count)\n\
        { return RtlGenRandom(bytes, (ULONG)count); }\n";
    let folder = folder.join("library");
    let failed = |why: std::io::Error| TaskFailure::new(format!("{}: {why}", folder.display()));
    std::fs::create_dir_all(&folder).map_err(failed)?;
    let source = folder.join("bcryptprimitives.c");
    std::fs::write(&source, SOURCE).map_err(failed)?;
    let mut compile = from_words(&[&mingw_tool("gcc"), "-shared", "-o"]);
    compile.arg(folder.join("bcryptprimitives.dll")).arg(&source).arg("-ladvapi32");
    command::run_command(compile, Duration::from_secs(60))?;
    Ok(folder)
}

/// C parts are compiled by zig, which has the headers of macOS's C library; those of Apple's kit no one else has.
fn check_macos() -> Result<PartResult, TaskFailure> {
    if let Some(lack) = rust_target_lack(MACOS) {
        return skip_part(lack);
    }
    fresh_machine::ui_built_unless_there()?;
    let Some(tools) = fresh_machine::python_tools(&["ziglang", "cargo-zigbuild"])? else {
        return skip_part("Python with venv is not on this machine, or PyPI cannot be reached");
    };
    let mut check = from_words(&["cargo-zigbuild", "clippy", "--workspace", "--all-targets", "--locked"]);
    check.args(["--target", MACOS, "--", "-D", "warnings"]);
    let path = std::env::join_paths(
        std::iter::once(tools).chain(std::env::split_paths(&fresh_machine::path_with_tools())),
    );
    check.env("PATH", path.map_err(|why| TaskFailure::new(format!("the path: {why}")))?);
    check.env(CFLAGS_OF_MACOS, format!("-idirafter {}", write_missing_header()?.display()));
    let checked = command::run_command(check, COMPILES);
    // zig leaves an empty file beside what it compiles.
    std::fs::remove_file(repository::repository_path("crates/sqlite/a.o")).ok();
    checked.map(PartResult::from)
}

/// zig's headers of macOS lack `sys/syscall.h`, which SQLite's cipher includes everywhere and uses on Linux only. The
/// folder is searched after all others, so a zig that has the header is given its own.
fn write_missing_header() -> Result<PathBuf, TaskFailure> {
    let folder = repository::target_directory().join("macos/include");
    let header = folder.join("sys/syscall.h");
    std::fs::create_dir_all(folder.join("sys")).map_err(command::at_file(&folder))?;
    std::fs::write(&header, "").map_err(command::at_file(&header))?;
    Ok(folder)
}
