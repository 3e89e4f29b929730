//! The workflow files of a public CI host, made from templates: what is pinned is here once.

use crate::made_file::MadeFile;

/// Parts of the tests that run on every system without a screen or a browser.
const SCREENLESS: &[&str] = &["tidy", "ui-lint", "ui-unit", "ui-build", "clippy", "rust", "doc"];

/// Actions by the commit of a release: a tag can be moved.
const ACTIONS: &[(&str, &str)] = &[
    ("{checkout}", "actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0"),
    ("{upload}", "actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2"),
    ("{download}", "actions/download-artifact@634f93cb2916e3fdff6788551b99b062d0335ce0 # v5.0.0"),
    ("{attest}", "actions/attest-build-provenance@977bb373ede98d70efdf65b84cb5f73e068dcc2a # v3.0.0"),
];

/// What a clean Debian is made with on Ubuntu, which has other keys.
const CLEAN_DEBIAN_NEEDS: &str =
    "sudo apt-get update && sudo apt-get install --yes mmdebstrap debian-archive-keyring rpm";
/// The part wants root, whose home has no Rust: the program that `cargo xtask dist` compiled runs by itself.
const CLEAN_DEBIAN: &str = "sudo env \"PATH=$PATH\" target/debug/xtask test --only package --strict";

const TEMPLATES: &[(&str, &str)] = &[
    (".github/workflows/test.yml", include_str!("workflows/test.yml")),
    (".github/workflows/release.yml", include_str!("workflows/release.yml")),
];

/// Every workflow file as it has to be.
pub fn workflow_files() -> Vec<MadeFile> {
    let rust = env!("CARGO_PKG_RUST_VERSION");
    let screenless = SCREENLESS.iter().map(|name| format!("--only {name}")).collect::<Vec<_>>().join(" ");
    TEMPLATES
        .iter()
        .map(|(path, template)| {
            let mut text = template.replace("{rust}", rust).replace("{screenless}", &screenless);
            text = text.replace("{clean_debian_needs}", CLEAN_DEBIAN_NEEDS);
            text = text.replace("{clean_debian}", CLEAN_DEBIAN);
            for (name, action) in ACTIONS {
                text = text.replace(name, action);
            }
            MadeFile { path, text: format!("# Made by `cargo xtask codegen`.\n{text}") }
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

    #[test]
    fn every_part_and_package_that_a_job_names_is_there() {
        for file in workflow_files() {
            for line in file.text.lines().filter(|line| line.contains("xtask ")) {
                let words = line.split_whitespace().collect::<Vec<_>>();
                let is_dist = words.contains(&"dist");
                for pair in words.windows(2).filter(|pair| pair[0] == "--only") {
                    let is_there = if is_dist {
                        crate::dist::is_package_kind(pair[1])
                    } else {
                        crate::parts::PARTS.iter().any(|part| part.name == pair[1])
                    };
                    assert!(is_there, "{line}");
                }
            }
        }
    }

    /// The script of a step, as the host's shell gets it.
    #[cfg(target_os = "linux")]
    fn script_of(file: &str, step: &str) -> String {
        let file = workflow_files().into_iter().find(|made| made.path.ends_with(file)).unwrap();
        let step = file.text.split("      - name: ").find(|text| text.starts_with(step)).unwrap();
        let script = step.split("        run: |\n").nth(1).unwrap().lines();
        script.map_while(|line| line.strip_prefix("          ")).collect::<Vec<_>>().join("\n")
    }

    /// Runs it where the packages of three systems were fetched to; what it printed and whether it passed.
    #[cfg(target_os = "linux")]
    fn join_packages(folder: &std::path::Path, files: &[&str]) -> (bool, String) {
        for file in files {
            let path = folder.join("made").join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, file).unwrap();
        }
        let script = script_of("release.yml", "One folder, one list of sums");
        let mut shell = std::process::Command::new("bash");
        let output = shell.args(["-e", "-c", &script]).current_dir(folder).output().unwrap();
        (output.status.success(), String::from_utf8(output.stdout).unwrap())
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_draft_has_each_systems_packages_once_with_their_sums() {
        let folder = crate::repository::target_directory().join("draft-test");
        std::fs::remove_dir_all(&folder).ok();
        let fetched = [
            "packages-ubuntu-22.04/a b.deb",
            "packages-ubuntu-22.04/RELEASE-NOTES.md",
            "packages-ubuntu-22.04/SHA256SUMS",
            "packages-windows-2022/-setup.exe",
            "packages-windows-2022/SHA256SUMS",
            "packages-macos-14/b.dmg",
        ];
        let (passed, told) = join_packages(&folder, &fetched);
        assert!(passed, "{told}");
        let sums = std::fs::read_to_string(folder.join("packages/SHA256SUMS")).unwrap();
        let names = sums.lines().map(|line| line.split_once("  ").unwrap().1).collect::<Vec<_>>();
        assert_eq!(names, ["-setup.exe", "a b.deb", "b.dmg"]);
        let notes = std::fs::read_to_string(folder.join("notes.md")).unwrap();
        assert_eq!(notes, "packages-ubuntu-22.04/RELEASE-NOTES.md");
        // A second installer of the same name would take the place of the signed one.
        std::fs::remove_dir_all(folder.join("packages")).unwrap();
        let (passed, told) = join_packages(&folder, &["packages-ubuntu-22.04/-setup.exe"]);
        assert!(!passed && told.contains("made twice: -setup.exe"), "{told}");
    }
}
