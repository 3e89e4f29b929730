//! A folder of documents dropped on a review in the real window: which file belongs to which row is shown before
//! anything is attached, what belongs to none is listed, and each file is named by its content.

use std::path::Path;
use std::process::Command;

use fantoccini::key::Key;
use serde_json::json;

use crate::batches::{drops, waits_for_rows};
use crate::driver::Desktop;
use crate::person::Person;
use crate::within_limit;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/window/batch.csv");
const ROWS: usize = 6;

/// Writes a document and tells its SHA-256, as another program reckons it.
fn paper(path: &Path, text: &str) -> String {
    std::fs::write(path, format!("%PDF-1.7\n% {text}\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"))
        .expect("a document");
    let told = Command::new("sha256sum").arg(path).output().expect("sha256sum runs").stdout;
    String::from_utf8_lossy(&told).chars().take(64).collect()
}

/// The policy numbers of the first rows.
async fn policies(person: &Person) -> Vec<String> {
    let text = std::fs::read_to_string(FILE).expect("the file");
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let head = lines.next().expect("its head");
    let place = head.iter().position(|name| name == "policy_number").expect("a column of policies");
    let numbers: Vec<String> = lines.map(|line| line[place].clone()).collect();
    person.waits_for_text(&numbers[0]).await;
    numbers
}

/// A row of a table of the dialog, with the name of its file and the text beside it.
fn row(table: &str, file: &str, with: &[&str]) -> String {
    format!(
        "const rows = [...document.querySelectorAll('[role=dialog] section[aria-label=\"{table}\"] tbody tr')];
         const row = rows.find((row) => row.cells[0].innerText.trim() === {});
         const said = row ? row.innerText + (row.querySelector('[title]')?.title ?? '') : '';
         return row !== undefined && {}.every((words) => said.includes(words));",
        json!(file),
        json!(with)
    )
}

#[test]
fn a_dropped_folder_of_documents_is_matched_shown_and_attached() {
    within_limit(async {
        let desktop = Desktop::start().await;
        let person = desktop.open().await;
        drops(&desktop, &[Path::new(FILE)]).await;
        waits_for_rows(&person, ROWS).await;
        let numbers = policies(&person).await;

        let folder = tempfile::tempdir().expect("a folder");
        let deeper = folder.path().join("scans").join("march");
        std::fs::create_dir_all(&deeper).expect("folders within it");
        let first = format!("{}-POLIC.pdf", numbers[0]);
        let second = format!("Policy {}.pdf", numbers[1]);
        let first_hash = paper(&folder.path().join(&first), "one");
        let second_hash = paper(&deeper.join(&second), "two");
        let stranger_hash = paper(&folder.path().join("stranger.pdf"), "three");
        std::fs::write(folder.path().join(format!("{}.pdf", numbers[2])), b"MZ\x90\x00\x03\x00")
            .expect("a program that is called a document");
        drops(&desktop, &[folder.path()]).await;

        let matched = [(&first, &numbers[0], &first_hash), (&second, &numbers[1], &second_hash)];
        for (file, policy, hash) in matched {
            let script = row("Matched", file, &[policy, hash]);
            person.waits_until(&script, &format!("{file} with its policy and its content")).await;
        }
        let stranger = row("Not matched", "stranger.pdf", &[&stranger_hash]);
        person.waits_until(&stranger, "the file that belongs to no row").await;
        let program = row("Not matched", &format!("{}.pdf", numbers[2]), &["a program, not a document"]);
        person.waits_until(&program, "the program").await;
        person.pictures("papers-matched").await;
        person.waits_for_text(&format!("Documents 0 of {ROWS}")).await;

        person.tabs_to_button("Attach 2").await;
        person.presses(Key::Enter).await;
        person.waits_for_text(&format!("Documents 2 of {ROWS}")).await;
        person
            .waits_until("return document.querySelector('[role=dialog]') === null;", "the grid again")
            .await;
        let focused = "return document.activeElement?.matches('[role=grid]') ?? false;";
        person.waits_until(focused, "the focus in the grid").await;
        person.pictures("papers-attached").await;
        person.leaves().await;
    });
}
