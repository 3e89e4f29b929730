//! What the window may do, and what it shows on each platform.

use serde_json::Value;

use xtask::tree::SourceTree;

fn json(tree: &SourceTree, path: &str) -> Value {
    tree.read_text(path).and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

/// Exact windows and exact permissions: no wildcard, no set whose content another release may widen.
pub fn capabilities(tree: &SourceTree) -> Vec<String> {
    let mut complaints = Vec::new();
    let files = tree.paths.iter().filter(|path| path.starts_with("src-tauri/capabilities/"));
    let mut count = 0;
    for path in files {
        count += 1;
        let capability = json(tree, path);
        let mut complain = |what: String| complaints.push(format!("{path}: {what}"));
        if capability["windows"].as_array().is_none_or(Vec::is_empty) {
            complain("names no window".into());
        }
        for key in ["windows", "webviews", "permissions"] {
            for entry in capability[key].as_array().into_iter().flatten() {
                let name = entry.as_str().or_else(|| entry["identifier"].as_str()).unwrap_or_default();
                if name.contains('*') {
                    complain(format!("{key} has the wildcard \"{name}\""));
                }
                if key == "permissions" && (name == "default" || name.ends_with(":default")) {
                    complain(format!("\"{name}\" is a set; list the commands"));
                }
            }
        }
        if !capability["remote"].is_null() {
            complain("gives a remote page access".into());
        }
    }
    if count == 0 {
        complaints.push("src-tauri/capabilities/ has no file: the window could call nothing".into());
    }
    complaints
}

/// `tauri.linux.conf.json` and its like replace the whole list of windows: a key left out there is lost.
pub fn platform_windows(tree: &SourceTree) -> Vec<String> {
    let base = json(tree, "tauri.conf.json");
    let mut complaints = Vec::new();
    for platform in ["linux", "macos", "windows"] {
        let path = format!("tauri.{platform}.conf.json");
        let own = json(tree, &path);
        for (index, window) in own["app"]["windows"].as_array().into_iter().flatten().enumerate() {
            let keys = base["app"]["windows"][index].as_object().into_iter().flat_map(|keys| keys.keys());
            for key in keys.filter(|key| window.get(key.as_str()).is_none()) {
                complaints.push(format!("{path}: window {index} loses the key \"{key}\""));
            }
        }
    }
    complaints
}

/// What a foreign script could change of the language itself is frozen.
pub fn frozen_prototypes(tree: &SourceTree) -> Vec<String> {
    let frozen = &json(tree, "tauri.conf.json")["app"]["security"]["freezePrototype"];
    if frozen == &Value::Bool(true) {
        Vec::new()
    } else {
        vec!["tauri.conf.json: freezePrototype is not on".into()]
    }
}

/// Whatever script runs in the window stays on its page and opens no other.
pub fn window_guards(tree: &SourceTree) -> Vec<String> {
    const PATH: &str = "src-tauri/window.rs";
    let text: String = tree.read_text(PATH).unwrap_or_default().split_whitespace().collect();
    let builders = text.matches("WebviewWindowBuilder::new(").count();
    let lacks = |guard: &str| {
        (text.matches(guard).count() != builders || builders == 0)
            .then(|| format!("{PATH}: not every window has {guard}"))
    };
    [".on_navigation(is_own_page)", ".on_new_window(", "NewWindowResponse::Deny"]
        .into_iter()
        .filter_map(lacks)
        .collect()
}

/// On macOS every file that the application makes is marked as one from outside.
pub fn quarantined_files(tree: &SourceTree) -> Vec<String> {
    let path = &json(tree, "tauri.conf.json")["bundle"]["macOS"]["infoPlist"];
    let text = path.as_str().and_then(|path| tree.read_text(path)).unwrap_or_default();
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.windows(2).any(|pair| pair == ["<key>LSFileQuarantineEnabled</key>", "<true/>"]) {
        Vec::new()
    } else {
        vec!["tauri.conf.json: infoPlist names no file with LSFileQuarantineEnabled".into()]
    }
}

/// Scripts come from the application itself; and the empty window of the benches has the same policy.
pub fn content_policy(tree: &SourceTree) -> Vec<String> {
    let mut complaints = Vec::new();
    let policy = &json(tree, "tauri.conf.json")["app"]["security"]["csp"];
    let text = policy_text(policy);
    if !text.contains("default-src") {
        complaints.push("tauri.conf.json: no content policy with default-src".into());
    }
    for directive in text.split(';').map(str::trim) {
        let name = directive.split(' ').next().unwrap_or_default();
        for source in directive.split(' ').skip(1) {
            let script = ["script-src", "default-src", "script-src-elem"].contains(&name);
            if source == "*" || (script && source.starts_with("'unsafe-")) {
                complaints.push(format!("tauri.conf.json: {name} allows {source}"));
            }
            let local = ["http://ipc.localhost", "http://asset.localhost"].contains(&source);
            if source.starts_with("http") && !local {
                complaints.push(format!("tauri.conf.json: {name} reaches out to {source}"));
            }
        }
    }
    let empty = &json(tree, "src-tauri/examples/empty/tauri.conf.json")["app"]["security"]["csp"];
    if policy_text(empty) != text {
        complaints.push(
            "src-tauri/examples/empty/tauri.conf.json: the policy is not that of tauri.conf.json".into(),
        );
    }
    complaints
}

/// As one text, whether written as text or as an object of directives.
fn policy_text(policy: &Value) -> String {
    if let Some(text) = policy.as_str() {
        return text.trim().to_owned();
    }
    let sources = |value: &Value| match value {
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
        other => other.as_str().unwrap_or_default().to_owned(),
    };
    let directives = policy.as_object().into_iter().flatten();
    directives.map(|(name, value)| format!("{name} {}", sources(value))).collect::<Vec<_>>().join("; ")
}

/// A lock file that records where one person's registry was sends everybody there.
pub fn lock_addresses(tree: &SourceTree) -> Vec<String> {
    tree.list_files("", &["package-lock.json"])
        .filter(|(_, text)| text.lines().any(|line| line.contains("\"resolved\"") && line.contains("\"http")))
        .map(|(path, _)| format!("{path} records download addresses; npm's omit-lockfile-registry-resolved"))
        .collect()
}

#[test]
fn the_rules_of_the_shell_bite() {
    let tree = SourceTree::from_samples(&[
        (
            "src-tauri/capabilities/a.json",
            r#"{"windows": ["*"], "permissions": ["core:default", "allow-call"]}"#,
        ),
        (
            "tauri.conf.json",
            r#"{"app": {"windows": [{"visible": false}], "security": {"csp": "default-src 'self'; script-src 'unsafe-inline'; img-src https://x.org"}}}"#,
        ),
        ("tauri.macos.conf.json", r#"{"app": {"windows": [{"title": "x"}]}}"#),
        ("ui/package-lock.json", "\"resolved\": \"https://registry\""),
    ]);
    assert_eq!(
        capabilities(&tree),
        [
            "src-tauri/capabilities/a.json: windows has the wildcard \"*\"",
            "src-tauri/capabilities/a.json: \"core:default\" is a set; list the commands"
        ]
    );
    assert_eq!(platform_windows(&tree), ["tauri.macos.conf.json: window 0 loses the key \"visible\""]);
    assert_eq!(frozen_prototypes(&tree).len(), 1);
    assert_eq!(window_guards(&tree).len(), 3);
    assert_eq!(content_policy(&tree).len(), 3, "{:?}", content_policy(&tree));
    assert_eq!(lock_addresses(&tree).len(), 1);
    assert_eq!(quarantined_files(&tree).len(), 1);
    assert_eq!(capabilities(&SourceTree::from_samples(&[])).len(), 1);
}
