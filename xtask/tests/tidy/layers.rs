//! Who may depend on whom.

use toml::Table;

use xtask::tree::SourceTree;

/// Crates of the workspace in order from the ground up, and which of the others each may depend on: every crate
/// of the named layers, and the crates named by themselves. Arrows point down only.
const MAY_DEPEND_ON: &[(&str, &[&str])] = &[
    // Ground: pure.
    ("money", &[]),
    ("contract", &["money"]),
    ("tax", &["money", "contract"]),
    ("calendar", &["money", "contract", "tax"]),
    ("rules", &["contract", "tax", "calendar"]),
    ("tables", &["money"]),
    ("mapping", &["money", "contract", "tax", "tables"]),
    ("spreadsheets", &["money", "contract", "tax", "tables", "mapping"]),
    ("pdf", &[]),
    ("forms", &["contract", "pdf"]),
    // Being reached, and reaching out.
    ("server", &[]),
    ("client", &["money", "contract"]),
    // What every feature needs.
    ("sqlite", &[]),
    ("sealing", &[]),
    ("database", &["sqlite"]),
    ("api", &["GROUND"]),
    ("file-storage", &["contract", "database"]),
    ("store", &["GROUND", "sqlite", "sealing", "database", "file-storage", "api"]),
    ("transaction-index", &["GROUND", "api", "store"]),
    ("session", &["GROUND", "client", "api", "store"]),
    // The features.
    ("quotes", &["GROUND", "client", "NEEDS"]),
    ("transactions", &["GROUND", "client", "NEEDS", "transaction-index", "quotes"]),
    ("outbox", &["GROUND", "client", "NEEDS"]),
    ("batches", &["GROUND", "NEEDS", "transactions", "outbox"]),
    ("documents", &["GROUND", "client", "NEEDS", "transactions", "outbox", "batches"]),
    ("events", &["GROUND", "server", "client", "NEEDS", "quotes", "transactions", "outbox"]),
    // The desk wires the features; the service is the other side; the shells.
    ("desk", &["GROUND", "client", "NEEDS", "FEATURES"]),
    ("dialects", &["contract"]),
    ("service-store", &["contract", "sqlite"]),
    (
        "service",
        &["server", "money", "contract", "tax", "pdf", "forms", "sealing", "dialects", "service-store"],
    ),
    ("host", &["contract", "server", "sealing", "desk", "api", "service"]),
    ("cli", &["server", "money", "contract", "spreadsheets", "api", "desk", "service", "host"]),
];

/// Names for several crates at once.
const LAYERS: &[(&str, &[&str])] = &[
    (
        "GROUND",
        &[
            "money",
            "contract",
            "tax",
            "calendar",
            "rules",
            "tables",
            "mapping",
            "spreadsheets",
            "pdf",
            "forms",
        ],
    ),
    ("NEEDS", &["api", "store", "session"]),
    ("FEATURES", &["quotes", "transactions", "outbox", "batches", "documents", "events"]),
];

fn may_depend(allowed: &[&str], other: &str) -> bool {
    let in_layer = |(layer, crates): &(&str, &[&str])| allowed.contains(layer) && crates.contains(&other);
    allowed.contains(&other) || LAYERS.iter().any(in_layer)
}

fn manifest(tree: &SourceTree, path: &str) -> Table {
    tree.read_text(path).and_then(|text| text.parse().ok()).unwrap_or_default()
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

pub fn arrows(tree: &SourceTree) -> Vec<String> {
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
                && !may_depend(allowed, other)
            {
                complaints.push(format!("{path}: {krate} must not depend on {other}"));
            }
        }
    }
    complaints
}

pub fn tauri_below_shell(tree: &SourceTree) -> Vec<String> {
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
            && tree.read_text(path).is_some_and(|text| text.contains("tauri::"))
        {
            complaints.push(format!("{path} names tauri; only the shell may"));
        }
    }
    complaints
}

/// One version: Tauri takes that of `Cargo.toml` where its own file gives none.
pub fn versions(tree: &SourceTree) -> Vec<String> {
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
                tree.read_text(path).and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
            let found = json["version"].as_str()?;
            (found != version).then(|| format!("{path} says version {found}, Cargo.toml {version}"))
        })
        .collect()
}

#[test]
fn the_table_of_layers_points_down() {
    for (at, (name, allowed)) in MAY_DEPEND_ON.iter().enumerate() {
        let above = MAY_DEPEND_ON[at..].iter().find(|(other, _)| may_depend(allowed, other));
        assert!(above.is_none(), "{name} may depend on {above:?}, which stands above it");
    }
}

#[test]
fn the_rules_of_layers_bite() {
    let tree = SourceTree::from_samples(&[
        ("Cargo.toml", "[workspace.package]\nversion = \"1.0.0\""),
        ("tauri.conf.json", "{\"version\": \"1.0.1\"}"),
        ("ui/package.json", "{\"version\": \"1.0.0\"}"),
        ("crates/tax/Cargo.toml", "[dependencies]\nbordereau-money = {}\nbordereau-client = {}"),
        ("crates/desk/Cargo.toml", "[target.'cfg(unix)'.dependencies]\ntauri-utils = \"2\""),
        ("crates/new/Cargo.toml", ""),
        (
            "crates/quotes/Cargo.toml",
            "[dependencies]\nbordereau-tax = {}\nbordereau-store = {}\nbordereau-batches = {}",
        ),
        ("crates/store/Cargo.toml", "[dependencies]\nbordereau-contract = {}\nbordereau-session = {}"),
    ]);
    assert_eq!(
        arrows(&tree),
        [
            "crates/tax/Cargo.toml: tax must not depend on client",
            "crates/new/Cargo.toml: give new its place in xtask/tests/tidy/layers.rs",
            "crates/quotes/Cargo.toml: quotes must not depend on batches",
            "crates/store/Cargo.toml: store must not depend on session",
        ]
    );
    assert_eq!(
        tauri_below_shell(&tree),
        ["crates/desk/Cargo.toml depends on tauri-utils; only the shell may"]
    );
    assert_eq!(versions(&tree), ["tauri.conf.json says version 1.0.1, Cargo.toml 1.0.0"]);
}
