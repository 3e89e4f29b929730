//! The workflow files of a public CI host, made from templates: what is pinned is here once.

/// A made file and its text.
pub struct WorkflowFile {
    /// Where it is committed.
    pub path: &'static str,
    /// What it has to be.
    pub text: String,
}

/// Parts of the tests that run on every system without a screen or a browser.
const SCREENLESS: &[&str] = &["tidy", "ui-lint", "ui-unit", "ui-build", "clippy", "rust", "doc"];

/// Actions by the commit of a release: a tag can be moved.
const ACTIONS: &[(&str, &str)] = &[
    ("{checkout}", "actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0"),
    ("{upload}", "actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2"),
    ("{download}", "actions/download-artifact@634f93cb2916e3fdff6788551b99b062d0335ce0 # v5.0.0"),
    ("{attest}", "actions/attest-build-provenance@977bb373ede98d70efdf65b84cb5f73e068dcc2a # v3.0.0"),
];

const TEMPLATES: &[(&str, &str)] = &[
    (".github/workflows/test.yml", include_str!("workflows/test.yml")),
    (".github/workflows/release.yml", include_str!("workflows/release.yml")),
];

/// Every workflow file as it has to be.
pub fn workflow_files() -> Vec<WorkflowFile> {
    let rust = env!("CARGO_PKG_RUST_VERSION");
    let screenless = SCREENLESS.iter().map(|name| format!("--only {name}")).collect::<Vec<_>>().join(" ");
    TEMPLATES
        .iter()
        .map(|(path, template)| {
            let mut text = template.replace("{rust}", rust).replace("{screenless}", &screenless);
            for (name, action) in ACTIONS {
                text = text.replace(name, action);
            }
            WorkflowFile { path, text: format!("# Made by `cargo xtask codegen`.\n{text}") }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_to_fill_in_and_every_action_is_pinned() {
        for file in workflow_files() {
            let unfilled = file.text.replace("${{", "").replace("}}", "").replace("permissions: {}", "");
            assert!(
                !unfilled.contains("{c") && !unfilled.contains("{r") && !unfilled.contains("{s"),
                "{}",
                file.path
            );
            for line in file.text.lines().filter(|line| line.contains("uses: ")) {
                let pin = line.split('@').nth(1).and_then(|rest| rest.split(' ').next()).unwrap_or_default();
                assert_eq!(pin.len(), 40, "{line}");
            }
        }
    }
}
