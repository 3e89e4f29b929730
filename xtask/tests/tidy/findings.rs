//! That each finding of the review stays closed: the table of `docs/threat-model.md` names what holds it and a test,
//! and the test is there.

use std::collections::BTreeSet;

use serde_json::Value;
use xtask::tree::SourceTree;

use crate::source_text::has_word;

const DOCUMENT: &str = "docs/threat-model.md";
const HEADING: &str = "| Finding | What holds it | Test |";
/// Letter of a kind, and how many there are: high, medium and low findings, claims.
const KINDS: [(char, u32); 4] = [('H', 5), ('M', 15), ('L', 23), ('C', 19)];

/// The cells of the table's rows.
fn rows(text: &str) -> Vec<Vec<String>> {
    let mut lines = text.lines().skip_while(|line| *line != HEADING);
    let rows = lines.by_ref().skip(2).take_while(|line| line.starts_with('|'));
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect()
    };
    rows.map(cells).collect()
}

/// What stands in backquotes.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// Every finding has its row; every row names tests that exist, or a rule of these.
pub fn findings(tree: &SourceTree) -> Vec<String> {
    let Some(text) = tree.read_text(DOCUMENT) else { return vec![format!("{DOCUMENT} is missing")] };
    let mut complaints = Vec::new();
    let mut missing: BTreeSet<String> =
        KINDS.iter().flat_map(|(kind, count)| (1..=*count).map(move |n| format!("{kind}{n}"))).collect();
    let sources: Vec<String> = tree.list_files("", &[".rs", ".ts", ".tsx"]).map(|(_, text)| text).collect();
    for row in rows(&text) {
        let [finding, _, test] = row.as_slice() else {
            complaints.push(format!("{DOCUMENT}: not three cells: {row:?}"));
            continue;
        };
        missing.remove(finding.as_str());
        let names: Vec<&str> = quoted(test).collect();
        if names.is_empty() {
            complaints.push(format!("{DOCUMENT}: {finding} names no test"));
        }
        let is_there = |name: &str| {
            let (function, title) = (format!("fn {name}"), format!("test('{name}'"));
            let rule = format!("    {name}: ");
            sources.iter().any(|source| {
                has_word(source, &function) || source.contains(&title) || source.contains(&rule)
            })
        };
        for name in names.iter().filter(|name| !is_there(name)) {
            complaints.push(format!("{DOCUMENT}: {finding} names the test {name}, which is not there"));
        }
    }
    complaints.extend(missing.iter().map(|finding| format!("{DOCUMENT}: {finding} has no row")));
    complaints
}

/// What no test of a program sees: how it is built, and how the tests are run.
pub fn build_settings(tree: &SourceTree) -> Vec<String> {
    let lacks = |path: &str, line: &str| {
        let text = tree.read_text(path).unwrap_or_default();
        (!text.lines().any(|found| found.trim() == line)).then(|| format!("{path} lacks: {line}"))
    };
    let mut complaints: Vec<String> = [
        ("Cargo.toml", "overflow-checks = true"),
        ("deny.toml", "yanked = \"deny\""),
        ("ui/.npmrc", "ignore-scripts=true"),
        ("xtask/src/parts.rs", "run: fuzz::try_new_input,"),
    ]
    .into_iter()
    .filter_map(|(path, line)| lacks(path, line))
    .collect();
    // What proves that nothing is lost or sent twice is not tried again until it passes.
    let nextest = tree.read_text(".config/nextest.toml").unwrap_or_default();
    let mut settings = nextest.split("[[profile.default.overrides]]");
    if !settings.any(|part| part.contains("kill|fault|lost|uploads|outbox") && part.contains("retries = 0")) {
        complaints.push(".config/nextest.toml: kills and faults may be tried again".to_owned());
    }
    // Another program that has the port would serve the page.
    let tauri = tree.read_text("tauri.conf.json").unwrap_or_default();
    let tauri: Value = serde_json::from_str(&tauri).unwrap_or_default();
    let address = tauri["build"]["devUrl"].as_str().unwrap_or_default().to_owned();
    let port = address.rsplit(':').next().unwrap_or_default().trim_end_matches('/');
    let vite = tree.read_text("ui/vite.config.ts").unwrap_or_default();
    if !vite.contains(&format!("port: {port}")) || !vite.contains("strictPort: true") {
        complaints.push(format!("ui/vite.config.ts does not insist on the port of {address:?}"));
    }
    complaints
}

#[test]
fn the_rules_of_the_findings_bite() {
    let rows: String = KINDS
        .iter()
        .flat_map(|(kind, count)| (1..=*count).map(move |n| format!("| {kind}{n} | bounds | `it_holds` |\n")))
        .filter(|row| !row.starts_with("| L7 "))
        .collect();
    let rows = rows.replace("| H3 | bounds | `it_holds` |", "| H3 | bounds | `it_is_gone` |");
    let rows = rows.replace("| M2 | bounds | `it_holds` |", "| M2 | bounds | none |");
    let document = format!("text\n{HEADING}\n|---|---|---|\n{rows}\nafter\n");
    let tree =
        SourceTree::from_samples(&[(DOCUMENT, &document), ("crates/a/tests/a.rs", "fn it_holds() {}")]);
    let found = findings(&tree);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found.iter().any(|line| line.contains("it_is_gone")), "{found:?}");
    assert_eq!(build_settings(&SourceTree::from_samples(&[])).len(), 6);
}
