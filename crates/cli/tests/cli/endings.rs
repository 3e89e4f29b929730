//! How commands end: the code, and one clear line.

use std::io::Read;

use crate::command::Place;

/// Arguments, exit code, and what standard error must say.
#[test]
fn exit_codes_and_their_lines() {
    let cases: &[(&str, i32, &str)] = &[
        ("quote --state TX --line GEN-1002=1000 --offline", 0, ""),
        ("--version", 0, ""),
        ("--help", 0, ""),
        ("quote --help", 0, ""),
        ("completions bash", 0, ""),
        ("", 2, "Usage"),
        ("quote", 2, "--state"),
        ("quote --state TX", 2, "--line"),
        ("quote --state TX --line GEN-1002 --offline", 2, "CODE=PREMIUM"),
        ("quote --state TX --line GEN-1002=1 --shade", 2, "--shade"),
        ("quote --state TX --line GEN-1002=1 --profile nobody", 2, "nobody"),
        ("completions tcl", 2, "tcl"),
        ("profile remove", 2, "which profile"),
        ("profile remove nobody", 2, "nobody"),
        ("serve --listen nowhere", 2, "--listen"),
        // A shell variable that isn't set: it must not mean today, all of them, or the usual folder.
        ("quote --state TX --line GEN-1002=1 --offline --effective=", 2, "--effective is empty"),
        ("rates TX --on=", 2, "--on is empty"),
        ("search --offline --filed=", 2, "--filed is empty"),
        ("due --by=", 2, "--by is empty"),
        ("events --transaction=", 2, "--transaction is empty"),
        ("rates TX --data-dir=", 2, "--data-dir"),
        ("quote --state ZZ --line GEN-1002=1000 --offline", 3, "ZZ"),
        ("quote --state TX --line GEN-1002=1000 --type XX --offline", 3, "XX"),
        ("quote --state TX --line GEN-1002=many --offline", 3, "many"),
        ("quote --state TX --line GEN-1002=-5 --offline", 3, "-5"),
        ("quote --state TX --line GEN-1002=1000 --agency-fee -5 --offline", 3, ""),
        ("quote --state TX --line NOPE=1000 --offline", 3, "NOPE"),
        ("quote --state TX --line GEN-1002=1000 --effective 2026-02-30 --offline", 3, "2026-02-30"),
        ("quote --state ZZ --line GEN-1002=1000", 3, "ZZ"),
    ];
    let place = Place::new();
    for (line, code, says) in cases {
        let ended = place.line(line);
        assert_eq!(ended.code, *code, "{line}: {ended:?}");
        assert!(ended.err.contains(says), "{line} says {says}: {ended:?}");
        if *code == 0 {
            assert_eq!(ended.err, "", "{line}: nothing to complain about");
            assert!(!ended.out.is_empty(), "{line} answers");
        } else {
            assert_eq!(ended.out, "", "{line}: no answer that could be taken for one");
        }
        if *code > 2 {
            assert_eq!(ended.err.trim_end().lines().count(), 1, "{line}: one line: {}", ended.err);
        }
    }
}

/// What the environment says of certificates is never read without an end.
#[cfg(target_os = "linux")]
#[test]
fn certificates_without_an_end_are_refused() {
    for (variable, value) in [("SSL_CERT_FILE", "/dev/zero"), ("SSL_CERT_DIR", "/proc")] {
        let place = Place::new();
        let ended = place.command().args(["rates", "TX"]).env(variable, value).output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.code() == Some(5) && said.contains(variable), "{said}");
    }
}

/// A limit on the size of files is said, and leaves no half of a backup.
#[cfg(unix)]
#[test]
fn a_file_that_may_not_grow_ends_with_a_sentence() {
    let place = Place::new();
    assert_eq!(place.line("rates TX").code, 0);
    let (program, data) = (place.command().get_program().to_owned(), place.folder().join("data"));
    let script = "ulimit -f 40; exec \"$0\" --data-dir \"$1\" backup make";
    let mut shell = std::process::Command::new("sh");
    let ended = shell.args(["-c", script]).arg(program).arg(&data).output().unwrap();
    assert_eq!(ended.status.code(), Some(5), "{ended:?}");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(said.contains("limit on the size of files") && said.contains("nothing was saved"), "{said}");
    let left: Vec<_> = std::fs::read_dir(data.join("backups")).into_iter().flatten().collect();
    assert!(left.is_empty(), "{left:?}");
}

/// The code for this machine, not that for a file with errors.
#[test]
fn a_damaged_data_file_is_no_fault_of_the_file_that_is_read() {
    let place = Place::new();
    let (path, good) = (place.folder().join("data/desk.sqlite"), crate::imports::sample("good.csv"));
    assert_eq!(place.line("batch list").code, 0);
    let mut content = std::fs::read(&path).unwrap();
    // Free pages that are none.
    content[32..40].copy_from_slice(&[0, 0, 0, 3, 0, 0xff, 0xff, 0xff]);
    std::fs::write(&path, content).unwrap();
    let ended = place.line(&format!("import {good} --send valid --wait"));
    assert!(ended.code == 5 && ended.err.contains("damaged"), "{ended:?}");
}

#[test]
fn an_option_moves_all_state() {
    let place = Place::new();
    let elsewhere = place.folder().join("elsewhere");
    let line = format!("--data-dir {} quote --state TX --line GEN-1002=1000", elsewhere.display());
    assert_eq!(place.line(&line).code, 0);
    assert!(elsewhere.join("desk.sqlite").exists(), "the store is where the option says");
    let left: Vec<_> = std::fs::read_dir(place.folder()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["elsewhere"], "and nothing is anywhere else");
}

#[test]
fn a_folder_that_cannot_be_used_is_named() {
    let place = Place::new();
    let file = place.folder().join("file");
    std::fs::write(&file, "").unwrap();
    let ended = place
        .line(&format!("--data-dir {}/data quote --state TX --line GEN-1002=1 --offline", file.display()));
    assert_eq!(ended.code, 5, "{ended:?}");
    assert!(ended.err.contains(&file.join("data").display().to_string()), "{ended:?}");
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let place = Place::new();
    let mut child = place.command().args(["completions", "bash"]).spawn().unwrap();
    drop(child.stdout.take());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(said, "");
}

#[test]
#[cfg(unix)]
fn arguments_that_are_not_text_are_wrong_usage() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let broken = OsStr::from_bytes(b"T\xff");
    let ended = Place::new().run([OsStr::new("quote"), OsStr::new("--state"), broken]);
    assert_eq!(ended.code, 2, "{ended:?}");
    let folder = OsStr::from_bytes(b"fold\xffer");
    let place = Place::new();
    let data = place.folder().join(folder);
    let arguments = ["quote", "--state", "TX", "--line", "GEN-1002=1", "--offline", "--data-dir"];
    let ended = place.run(arguments.map(OsStr::new).into_iter().chain([data.as_os_str()]));
    assert_eq!(ended.code, 0, "a folder may have any name: {ended:?}");
}

#[test]
fn packages_get_a_page_for_each_command_and_a_completion_for_each_shell() {
    let place = Place::new();
    let folder = place.folder().join("manual");
    assert_eq!(place.run(["manual".as_ref(), folder.as_os_str()]).code, 0);
    for (file, text) in [
        ("man1/bordereau.1", "Surplus lines"),
        ("man1/bordereau-import.1", "rejects"),
        ("man1/bordereau-batch-resend.1", "resend"),
        ("completions/bordereau.bash", "complete"),
        ("completions/bordereau.fish", "complete"),
        ("completions/_bordereau", "#compdef bordereau"),
        ("completions/_bordereau.ps1", "Register-ArgumentCompleter"),
    ] {
        let written = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
        assert!(written.contains(text), "{file}");
    }
}
