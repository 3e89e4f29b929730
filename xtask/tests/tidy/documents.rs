//! That the documents are true.

use xtask::tree::SourceTree;

/// Relative links lead to a file of the tree.
pub fn links(tree: &SourceTree) -> Vec<String> {
    let mut complaints = Vec::new();
    for (path, text) in tree.list_files("", &[".md"]) {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for target in text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next()) {
            let file = target.split('#').next().unwrap_or_default();
            let outside = file.contains("://") || file.starts_with("mailto:");
            if !file.is_empty() && !outside && !tree.contains_path(&joined(folder, file)) {
                complaints.push(format!("{path}: {target} leads nowhere"));
            }
        }
    }
    complaints
}

fn joined(folder: &str, file: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in file.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}

pub fn changelog(tree: &SourceTree) -> Vec<String> {
    let text = tree.read_text("CHANGELOG.md").unwrap_or_default();
    let there = text.lines().any(|line| line.trim_end() == "## [Unreleased]");
    if there { Vec::new() } else { vec!["CHANGELOG.md has no \"## [Unreleased]\"".into()] }
}

/// `docs/rates.md` has a chapter for each rule file, so that none is in force without being shown.
pub fn rates(tree: &SourceTree) -> Vec<String> {
    let rates = tree.read_text("docs/rates.md").unwrap_or_default();
    let files: Vec<_> =
        tree.list_files("crates/tax/rules/", &[".toml"]).map(|(path, _)| path.to_owned()).collect();
    if files.is_empty() {
        return vec!["crates/tax/rules/ has no rule file".into()];
    }
    files
        .iter()
        .filter(|path| {
            let code = path.trim_start_matches("crates/tax/rules/").trim_end_matches(".toml").to_uppercase();
            !rates.lines().any(|line| line.starts_with(&format!("## {code} ")))
        })
        .map(|path| format!("docs/rates.md has no chapter for {path}"))
        .collect()
}

/// `docs/errors.md` has a line for each code of an issue, and a fixture stands behind each.
pub fn errors(tree: &SourceTree) -> Vec<String> {
    let catalog = tree.read_text("docs/errors.md").unwrap_or_default();
    let source = tree.read_text("crates/spreadsheets/src/issue.rs").unwrap_or_default();
    let codes: Vec<&str> = source
        .lines()
        .filter_map(|line| line.split_once(" = \"")?.1.split_once("\", "))
        .filter(|(_, rest)| rest.starts_with("Error,") || rest.starts_with("Warning,"))
        .map(|(code, _)| code)
        .collect();
    if codes.is_empty() {
        return vec!["crates/spreadsheets/src/issue.rs has no code of an issue".into()];
    }
    let mut complaints = Vec::new();
    for code in codes {
        if !catalog.contains(&format!("| [`{code}`](#{code}) |")) {
            complaints.push(format!("docs/errors.md does not have {code}"));
        }
        let fixture = format!("crates/spreadsheets/tests/fixtures/errors/{code}/");
        if !tree.paths.iter().any(|path| path.starts_with(&fixture)) {
            complaints.push(format!("{code} has no fixture in {fixture}"));
        }
    }
    complaints
}

/// Each sample is described beside it.
pub fn samples(tree: &SourceTree) -> Vec<String> {
    let described = tree.read_text("samples/batches/README.md").unwrap_or_default();
    tree.paths
        .iter()
        .filter_map(|path| path.strip_prefix("samples/batches/"))
        .filter(|name| *name != "README.md" && !described.contains(&format!("`{name}`")))
        .map(|name| format!("samples/batches/README.md does not describe {name}"))
        .collect()
}

/// The contract names every default path there is.
pub fn paths(tree: &SourceTree) -> Vec<String> {
    let contract = tree.read_text("docs/contract.md").unwrap_or_default();
    let source = tree.read_text("crates/contract/src/paths.rs").unwrap_or_default();
    let paths: Vec<&str> = source.split('"').filter(|text| text.starts_with("/api/")).collect();
    if paths.is_empty() {
        return vec!["crates/contract/src/paths.rs has no path".into()];
    }
    paths
        .into_iter()
        .filter(|path| !contract.contains(path))
        .map(|path| format!("docs/contract.md does not name {path}"))
        .collect()
}

pub fn map(tree: &SourceTree) -> Vec<String> {
    let mut complaints = Vec::new();
    let map = tree.read_text("ARCHITECTURE.md").unwrap_or_default();
    let crates =
        tree.paths.iter().filter_map(|path| path.strip_prefix("crates/")?.strip_suffix("/Cargo.toml"));
    for name in crates {
        if !map.contains(&format!("`crates/{name}`")) {
            complaints.push(format!("ARCHITECTURE.md does not name `crates/{name}`"));
        }
    }
    let readme = tree.read_text("README.md").unwrap_or_default();
    for command in ["cargo xtask run", "cargo xtask test"] {
        if !readme.contains(command) {
            complaints.push(format!("README.md does not give `{command}`"));
        }
    }
    complaints
}

/// `NNNN-words.md`, numbered without a gap, with a line `Date: yyyy-mm-dd`.
pub fn decisions(tree: &SourceTree) -> Vec<String> {
    let mut complaints = Vec::new();
    for (index, (path, text)) in tree.list_files("docs/decisions/", &[".md"]).enumerate() {
        let number = format!("{:04}-", index + 1);
        if !path.trim_start_matches("docs/decisions/").starts_with(&number) {
            complaints.push(format!("{path}: expected the number {number}"));
        }
        let dated = text.lines().filter_map(|line| line.strip_prefix("Date: ")).any(|date| {
            date.len() == 10 && date.chars().enumerate().all(|(at, c)| matches!(at, 4 | 7) == (c == '-'))
        });
        if !dated {
            complaints.push(format!("{path}: no line \"Date: yyyy-mm-dd\""));
        }
    }
    complaints
}

#[test]
fn the_rules_of_documents_bite() {
    let tree = SourceTree::from_samples(&[
        ("README.md", "cargo xtask run [map](docs/map.md#top) [out](https://example.org) [no](docs/gone.md)"),
        ("docs/map.md", "[up](../README.md) [itself](#top)"),
        ("docs/decisions/0002-second.md", "Date: today"),
        ("crates/tax/rules/tx.toml", ""),
        ("crates/tax/Cargo.toml", ""),
        ("CHANGELOG.md", "# Changes"),
        (
            "crates/spreadsheets/src/issue.rs",
            "    CellCut = \"cell_cut\", Error, \"A cell\";\n    const A: &str = \"b\";",
        ),
        ("docs/errors.md", "nothing"),
        ("samples/batches/README.md", "| `good.csv` |"),
        ("samples/batches/good.csv", ""),
        ("samples/batches/bad.csv", ""),
        ("crates/contract/src/paths.rs", "token: \"/api/a\".into(), other: \"/api/b\".into()"),
        ("docs/contract.md", "`POST /api/a`"),
    ]);
    assert_eq!(
        errors(&tree),
        [
            "docs/errors.md does not have cell_cut",
            "cell_cut has no fixture in crates/spreadsheets/tests/fixtures/errors/cell_cut/"
        ]
    );
    assert_eq!(samples(&tree), ["samples/batches/README.md does not describe bad.csv"]);
    assert_eq!(paths(&tree), ["docs/contract.md does not name /api/b"]);
    assert_eq!(links(&tree), ["README.md: docs/gone.md leads nowhere"]);
    assert_eq!(changelog(&tree).len(), 1);
    assert_eq!(rates(&tree), ["docs/rates.md has no chapter for crates/tax/rules/tx.toml"]);
    assert_eq!(
        map(&tree),
        ["ARCHITECTURE.md does not name `crates/tax`", "README.md does not give `cargo xtask test`"]
    );
    assert_eq!(decisions(&tree).len(), 2);
}
