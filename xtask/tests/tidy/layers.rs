//! Who may depend on whom.

use toml::Table;

use crate::tree::Tree;

/// Crates of the workspace and which of the others each may depend on. Arrows point down only.
const MAY_DEPEND_ON: &[(&str, &[&str])] = &[
    ("money", &[]),
    ("contract", &["money"]),
    ("tax", &["money", "contract"]),
    ("calendar", &["money", "contract", "tax"]),
    ("intake", &["money", "contract", "tax"]),
    ("paper", &[]),
    ("forms", &["contract", "paper"]),
    ("client", &["money", "contract"]),
    ("api", &[]),
    ("store", &["money", "contract", "intake", "api"]),
    ("session", &["money", "contract", "tax", "calendar", "intake", "forms", "client", "api", "store"]),
    ("quotes", &["money", "contract", "tax", "paper", "client", "api", "store", "session"]),
    ("transactions", &["money", "contract", "calendar", "client", "api", "store", "session", "quotes"]),
    ("batches", &["money", "contract", "tax", "intake", "client", "api", "store", "session"]),
    (
        "documents",
        &[
            "money", "contract", "tax", "paper", "forms", "client", "api", "store", "session", "transactions",
            "batches",
        ],
    ),
    (
        "events",
        &["money", "contract", "client", "api", "store", "session", "quotes", "transactions", "batches"],
    ),
    (
        "desk",
        &["contract", "api", "session", "quotes", "transactions", "batches", "documents", "events"],
    ),
    ("service", &["money", "contract", "tax", "paper", "forms"]),
    ("host", &["desk", "service"]),
    ("cli", &["money", "contract", "intake", "desk", "service", "host"]),
];

fn manifest(tree: &Tree, path: &str) -> Table {
    tree.text(path).and_then(|text| text.parse().ok()).unwrap_or_default()
}

/// Names in the tables that end up in the product (tests may look sideways).
fn dependencies(manifest: &Table) -> Vec<String> {
    let mut names = Vec::new();
    let mut gather = |table: &Table| {
        for section in ["dependencies", "build-dependencies"] {
            let found = table.get(section).and_then(toml::Value::as_table);
            names.extend(found.into_iter().flat_map(|table| table.keys().cloned()));
        }
    };
    gather(manifest);
    for target in
        manifest.get("target").and_then(toml::Value::as_table).into_iter().flat_map(|table| table.values())
    {
        target.as_table().into_iter().for_each(&mut gather);
    }
    names
}

pub fn arrows(tree: &Tree) -> Vec<String> {
    let mut complaints = Vec::new();
    for path in tree.paths.iter().filter(|path| path.starts_with("crates/") && path.ends_with("/Cargo.toml"))
    {
        let krate = path.split('/').nth(1).unwrap_or_default();
        let Some((_, allowed)) = MAY_DEPEND_ON.iter().find(|(name, _)| *name == krate) else {
            complaints.push(format!("{path}: give {krate} its place in xtask/tests/tidy/layers.rs"));
            continue;
        };
        for name in dependencies(&manifest(tree, path)) {
            if let Some(other) = name.strip_prefix("bordereau-")
                && !allowed.contains(&other)
            {
                complaints.push(format!("{path}: {krate} must not depend on {other}"));
            }
        }
    }
    complaints
}

pub fn tauri_below_shell(tree: &Tree) -> Vec<String> {
    let mut complaints = Vec::new();
    for path in tree.paths.iter().filter(|path| path.starts_with("crates/") || path.starts_with("xtask/")) {
        if path.ends_with("Cargo.toml") {
            let named = dependencies(&manifest(tree, path));
            complaints.extend(
                named
                    .iter()
                    .filter(|name| name.starts_with("tauri"))
                    .map(|name| format!("{path} depends on {name}; only the shell may")),
            );
        }
        if path.ends_with(".rs")
            && path.starts_with("crates/")
            && tree.text(path).is_some_and(|text| text.contains("tauri::"))
        {
            complaints.push(format!("{path} names tauri; only the shell may"));
        }
    }
    complaints
}

/// One version: Tauri takes that of `Cargo.toml` where its own file gives none.
pub fn versions(tree: &Tree) -> Vec<String> {
    let workspace = manifest(tree, "Cargo.toml");
    let version = workspace
        .get("workspace")
        .and_then(|table| table.get("package")?.get("version")?.as_str())
        .unwrap_or("none")
        .to_owned();
    ["tauri.conf.json", "ui/package.json"]
        .iter()
        .filter_map(|path| {
            let json: serde_json::Value =
                tree.text(path).and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
            let found = json["version"].as_str()?;
            (found != version).then(|| format!("{path} says version {found}, Cargo.toml {version}"))
        })
        .collect()
}

#[test]
fn the_rules_of_layers_bite() {
    let tree = Tree::made_up(&[
        ("Cargo.toml", "[workspace.package]\nversion = \"1.0.0\""),
        ("tauri.conf.json", "{\"version\": \"1.0.1\"}"),
        ("ui/package.json", "{\"version\": \"1.0.0\"}"),
        ("crates/tax/Cargo.toml", "[dependencies]\nbordereau-money = {}\nbordereau-client = {}"),
        ("crates/desk/Cargo.toml", "[target.'cfg(unix)'.dependencies]\ntauri-utils = \"2\""),
        ("crates/new/Cargo.toml", ""),
    ]);
    assert_eq!(
        arrows(&tree),
        [
            "crates/tax/Cargo.toml: tax must not depend on client",
            "crates/new/Cargo.toml: give new its place in xtask/tests/tidy/layers.rs"
        ]
    );
    assert_eq!(
        tauri_below_shell(&tree),
        ["crates/desk/Cargo.toml depends on tauri-utils; only the shell may"]
    );
    assert_eq!(versions(&tree), ["tauri.conf.json says version 1.0.1, Cargo.toml 1.0.0"]);
}
