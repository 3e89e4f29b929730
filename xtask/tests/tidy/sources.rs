//! What sources must not say.

use xtask::house::rust_source::RustSource;
use xtask::tree::SourceTree;

use crate::source_text::{has_word, without_comment};

/// Crates that only compute: the same question always has the same answer.
const PURE: &[&str] = &[
    "crates/money/src/",
    "crates/contract/src/",
    "crates/tax/src/",
    "crates/rules/src/",
    "crates/tables/src/",
    "crates/mapping/src/",
    "crates/spreadsheets/src/",
];

/// Ways to the outside, and the reason in a word.
const OUTSIDE: &[(&str, &str)] = &[
    ("std::fs", "files"),
    ("std::net", "network"),
    ("std::env", "environment"),
    ("env!", "environment"),
    ("option_env!", "environment"),
    ("std::process", "processes"),
    ("std::time", "a clock"),
    ("SystemTime", "a clock"),
    ("Instant", "a clock"),
    ("Utc::now", "a clock"),
    ("Local::now", "a clock"),
    ("rand", "randomness"),
    ("RandomState", "randomness"),
    ("tokio", "a runtime"),
    ("println!", "output"),
    ("eprintln!", "output"),
    ("stdin", "input"),
];

/// Warned about from the first, refused from the second number of lines.
const LINES_WARN: usize = 400;
const LINES_STOP: usize = 600;

const CODE: &[&str] = &[".rs", ".ts", ".tsx"];

pub fn impure(tree: &SourceTree) -> Vec<String> {
    in_lines(tree, PURE, |line| {
        OUTSIDE.iter().find(|(word, _)| has_word(line, word)).map(|(word, what)| format!("{word}: {what}"))
    })
}

pub fn floats(tree: &SourceTree) -> Vec<String> {
    in_lines(tree, PURE, |line| {
        ["f32", "f64"].iter().find(|word| has_word(line, word)).map(|word| format!("{word}: use Usd or Rate"))
    })
}

fn in_lines(tree: &SourceTree, folders: &[&str], check: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let mut complaints = Vec::new();
    for folder in folders {
        for (path, text) in tree.list_files(folder, &[".rs"]) {
            for (index, line) in text.lines().enumerate() {
                if let Some(what) = check(without_comment(line)) {
                    complaints.push(format!("{path}:{}: {what}", index + 1));
                }
            }
        }
    }
    complaints
}

pub fn tauri_in_ui(tree: &SourceTree) -> Vec<String> {
    tree.list_files("ui/src/", &[".ts", ".tsx"])
        .filter(|(path, text)| !path.starts_with("ui/src/platform/") && text.contains("@tauri-apps"))
        .map(|(path, _)| format!("{path} imports @tauri-apps; only ui/src/platform/ may"))
        .collect()
}

pub fn names(tree: &SourceTree) -> Vec<String> {
    const EMPTY: &[&str] =
        &["util", "utils", "helper", "helpers", "common", "misc", "manager", "managers", "stuff"];
    tree.paths
        .iter()
        .filter(|path| {
            path.split('/').any(|part| {
                let stem = part.split('.').next().unwrap_or_default().to_ascii_lowercase();
                EMPTY.contains(&stem.as_str())
            })
        })
        .map(|path| format!("{path}: say what is in it"))
        .collect()
}

pub fn lengths(tree: &SourceTree) -> Vec<String> {
    let mut complaints = Vec::new();
    let endings = [CODE, &[".css"]].concat();
    for (path, text) in
        tree.list_files("", &endings).filter(|(path, _)| !path.starts_with("ui/src/bindings/"))
    {
        let lines = text.lines().count();
        if lines > LINES_STOP {
            complaints.push(format!("{path}: {lines} lines, at most {LINES_STOP}"));
        } else if lines > LINES_WARN {
            println!("note: {path} has {lines} lines; {LINES_WARN} are plenty");
        }
    }
    complaints
}

pub fn leftovers(tree: &SourceTree) -> Vec<String> {
    const MACROS: &[&str] = &["todo!", "unimplemented!", "dbg!", "console.log", "test.only", "it.only"];
    const MARKS: &[&str] = &["TODO", "FIXME", "XXX", "HACK"];
    let mut complaints = Vec::new();
    for (path, text) in tree.list_files("", CODE).filter(|(path, _)| !path.starts_with("xtask/tests/tidy/")) {
        for (index, line) in text.lines().enumerate() {
            let words = line.trim_start().strip_prefix("///").or(line.trim_start().strip_prefix("//!"));
            if words.is_some_and(|words| words.trim().starts_with("```rust")) {
                complaints
                    .push(format!("{path}:{}: an example that nothing runs: make it a test", index + 1));
            }
            let macros = MACROS.iter().find(|word| has_word(without_comment(line), word));
            if let Some(word) = macros.or_else(|| MARKS.iter().find(|word| has_word(line, word))) {
                complaints.push(format!("{path}:{}: {word}", index + 1));
            }
        }
    }
    complaints
}

/// What a shell has and the core does not: each shell says in its own words what to do about an error.
pub fn shell_words(tree: &SourceTree) -> Vec<String> {
    const OTHER_SIDE: &[&str] = &["crates/cli/", "crates/host/", "crates/service/"];
    const WORDS: &[&str] = &["click", "button", "menu", "Settings", "under Receiving"];
    let mut complaints = Vec::new();
    for (path, text) in tree.list_files("crates/", &[".rs"]) {
        if !path.contains("/src/") || OTHER_SIDE.iter().any(|under| path.starts_with(under)) {
            continue;
        }
        // A word alone is a name, not a sentence.
        let sentences = RustSource::read(path, &text).strings.into_iter().filter(|text| text.contains(' '));
        for sentence in sentences {
            let word = WORDS.iter().find(|word| has_word(&sentence, word));
            if let Some(word) =
                word.or_else(|| ["BORDEREAU_", "bordereau "].iter().find(|word| sentence.contains(**word)))
            {
                complaints.push(format!("{path}: \"{word}\" is for a shell to say: {sentence}"));
            }
        }
    }
    complaints
}

/// A command that is not `async` runs on the thread that draws.
pub fn blocking_commands(tree: &SourceTree) -> Vec<String> {
    let mut complaints = Vec::new();
    for (path, text) in tree.list_files("src-tauri/", &[".rs"]) {
        let lines: Vec<_> = text.lines().map(str::trim).collect();
        for (index, _) in lines.iter().enumerate().filter(|(_, line)| line.starts_with("#[tauri::command")) {
            let function =
                lines[index..].iter().find(|line| has_word(line, "fn")).copied().unwrap_or_default();
            if !has_word(function, "async") {
                complaints.push(format!("{path}:{}: make `{function}` async", index + 1));
            }
        }
    }
    complaints
}

#[test]
fn the_rules_of_sources_bite() {
    let long = "line\n".repeat(LINES_STOP + 1);
    let tree = SourceTree::from_samples(&[
        ("crates/tax/src/a.rs", "let x: f64 = 1.0; // f32 in a comment\nlet t = Instant::now();"),
        ("crates/client/src/a.rs", "let x: f64 = 1.0;"),
        ("ui/src/quote/a.tsx", "import { invoke } from '@tauri-apps/api/core';"),
        ("ui/src/platform/a.ts", "import { invoke } from '@tauri-apps/api/core';"),
        (
            "crates/events/src/a.rs",
            "// A button.\nconst A: &str = \"Set it under Settings, Profiles.\";\nconst B: &str = \"button\";",
        ),
        (
            "crates/session/src/a.rs",
            "fn a() { fail(\"Put it into BORDEREAU_KEY.\"); fail(\"Run bordereau listen.\") }",
        ),
        ("crates/cli/src/a.rs", "const A: &str = \"Run bordereau listen.\";"),
        ("crates/desk/src/utils.rs", "dbg!(1);\n// FIXME later\n/// ```rust"),
        ("crates/desk/src/long.rs", &long),
        ("src-tauri/a.rs", "#[tauri::command]\npub fn call() {}\n#[tauri::command]\nasync fn other() {}"),
    ]);
    assert_eq!(floats(&tree), ["crates/tax/src/a.rs:1: f64: use Usd or Rate"]);
    assert_eq!(impure(&tree), ["crates/tax/src/a.rs:2: Instant: a clock"]);
    assert_eq!(
        shell_words(&tree),
        [
            "crates/events/src/a.rs: \"Settings\" is for a shell to say: Set it under Settings, Profiles.",
            "crates/session/src/a.rs: \"BORDEREAU_\" is for a shell to say: Put it into BORDEREAU_KEY.",
            "crates/session/src/a.rs: \"bordereau \" is for a shell to say: Run bordereau listen.",
        ]
    );
    assert_eq!(tauri_in_ui(&tree), ["ui/src/quote/a.tsx imports @tauri-apps; only ui/src/platform/ may"]);
    assert_eq!(names(&tree), ["crates/desk/src/utils.rs: say what is in it"]);
    assert_eq!(lengths(&tree), ["crates/desk/src/long.rs: 601 lines, at most 600"]);
    assert_eq!(
        leftovers(&tree),
        [
            "crates/desk/src/utils.rs:1: dbg!",
            "crates/desk/src/utils.rs:2: FIXME",
            "crates/desk/src/utils.rs:3: an example that nothing runs: make it a test",
        ]
    );
    assert_eq!(blocking_commands(&tree), ["src-tauri/a.rs:1: make `pub fn call() {}` async"]);
}
