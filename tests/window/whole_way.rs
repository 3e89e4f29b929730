//! What a new user does after the import, by keyboard once the files are dropped: the batch of the samples is
//! sent, found by the insured's name while the service does not answer, completed with documents, its affidavit
//! filled and uploaded, filed by the practice state, paid, followed to the state's number, exported, and nothing is
//! due any more.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use calamine::{Data, Reader, Xlsx, open_workbook};
use fantoccini::key::Key;
use serde_json::json;

use crate::batches::{drops, sends, waits_for_count, waits_for_end, waits_for_rows};
use crate::driver::Desktop;
use crate::file_dialog::saves_as;
use crate::person::Person;
use crate::within;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/batches/good.csv");
const ROWS: usize = 60;
/// A machine that does something else beside it.
const PATIENCE: Duration = Duration::from_secs(90);
/// New York asks for an affidavit.
const INSURED: &str = "Harbor Bakery LLC";
const POLICY: &str = "0010000888";
/// Texas requires the policy; its file is omitted at first.
const MISSING: &str = "0010001147";
const AFFIDAVIT: &str = "Affidavit of the excess line broker";

/// A row of the sample, as far as it is looked for later.
struct Row {
    policy: String,
    insured: String,
    premium: f64,
}

fn sample() -> Vec<Row> {
    let text = std::fs::read_to_string(SAMPLE).expect("the sample");
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().expect("its head");
    let place = |name: &str| head.iter().position(|each| *each == name).expect(name);
    let row = |cells: Vec<&str>| Row {
        policy: cells[place("policy_number")].to_owned(),
        insured: cells[place("mailing_insured_name")].to_owned(),
        premium: cells[place("premium")].parse().expect("a premium"),
    };
    lines.map(row).collect()
}

/// A small PDF of its own for each name.
fn paper(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    let text = format!("%PDF-1.7\n% {name}\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n");
    std::fs::write(&path, text).expect("a document");
    path
}

/// Goes on with Tab until the control with this name has the focus.
pub async fn tabs_to_named(person: &Person, name: &str) {
    let script = format!(
        "const at = document.activeElement;
         if (!at?.matches('button, input, textarea, select') || at.ariaDisabled === 'true') return false;
         const name = at.getAttribute('aria-label') ?? at.labels?.[0]?.innerText ?? at.innerText;
         return (at.innerText.trim() || name.trim()).startsWith({0}) || name.trim().startsWith({0});",
        json!(name)
    );
    for _ in 0..200 {
        if person.asks(&script).await == json!(true) {
            return;
        }
        person.presses(Key::Tab).await;
    }
    person.pictures("given-up").await;
    panic!("Tab never came to \"{name}\"");
}

pub async fn uses(person: &Person, control: &str) {
    tabs_to_named(person, control).await;
    person.presses(Key::Enter).await;
}

pub async fn sees(person: &Person, script: &str, what: &str) {
    person.waits_at_most(PATIENCE, script, what).await;
}

async fn reads(person: &Person, text: &str) {
    let script = format!("return document.body.innerText.includes({});", json!(text));
    sees(person, &script, text).await;
}

async fn no_dialog(person: &Person) {
    sees(person, "return document.querySelector('[role=dialog]') === null;", "the page again").await;
}

async fn finds(person: &Person, rows: usize) {
    let script = format!(
        "return document.querySelector('.tx-grid')?.getAttribute('aria-rowcount') === '{}'
             && document.querySelectorAll('.tx-grid [role=gridcell]').length > 0;",
        rows + 1
    );
    sees(person, &script, &format!("{rows} transactions in the table")).await;
}

/// The sample is dropped, its policies with it but one, and sent.
async fn imports(desktop: &Desktop, person: &Person, folder: &Path) {
    drops(desktop, &[Path::new(SAMPLE)]).await;
    waits_for_rows(person, ROWS).await;
    waits_for_count(person, "Errors", 0).await;
    let papers = folder.join("policies");
    std::fs::create_dir(&papers).expect("a folder");
    for row in sample().iter().filter(|row| row.policy != MISSING) {
        paper(&papers, &format!("{}-POLIC.pdf", row.policy));
    }
    drops(desktop, &[papers.as_path()]).await;
    let attach = format!("Attach {}", ROWS - 1);
    reads(person, &attach).await;
    person.pictures("way-papers").await;
    uses(person, &attach).await;
    no_dialog(person).await;
    sends(person, ROWS).await;
    waits_for_end(person).await;
    waits_for_count(person, "Accepted", ROWS - 1).await;
    waits_for_count(person, "Warnings", 1).await;
    person.pictures("way-sent").await;
}

/// The insured's name; several policies have it.
fn looked_for() -> String {
    format!("{} ny new policy", INSURED.to_lowercase())
}

/// Every connection is cut: what was fetched is found all the same.
async fn finds_offline(person: &Person) {
    person.presses_control('5').await;
    // Nothing has to be fetched: what was sent comes in by itself.
    finds(person, ROWS).await;
    person.presses_control('9').await;
    uses(person, "Responds 5 seconds late").await;
    sees(person, "return document.activeElement?.matches('[role=option]') ?? false;", "the troubles").await;
    for _ in 0..3 {
        person.presses(Key::Down).await;
    }
    person.presses(Key::Enter).await;
    tabs_to_named(person, "Number of requests").await;
    person.types("1000").await;
    uses(person, "Simulate failures").await;
    sees(
        person,
        "return [...document.querySelectorAll('button')].some((button) => /left\\)$/.test(button.innerText));",
        "the trouble",
    )
    .await;

    person.presses_control('5').await;
    finds(person, ROWS).await;
    person.presses_control('f').await;
    person.types(&looked_for()).await;
    finds(person, 1).await;
    person.presses(Key::Down).await;
    person.presses(Key::Enter).await;
    let opened = format!(
        "const detail = document.querySelector('.tx-detail')?.innerText ?? '';
         return detail.includes({}) && detail.includes({}) && detail.includes('Timeline');",
        json!(INSURED),
        json!(POLICY)
    );
    sees(person, &opened, "the transaction beside the table").await;
    uses(person, "Update from service").await;
    sees(person, "return document.querySelector('.notice.failure') !== null;", "no answer").await;
    person.pictures("way-offline").await;
    person.presses_control('9').await;
    uses(person, "Stop").await;
    reads(person, "All simulated failures were removed").await;
}

/// The work list names what is missing; it is dropped on its transaction.
async fn completes(desktop: &Desktop, person: &Person, folder: &Path) {
    person.presses_control('6').await;
    reads(person, MISSING).await;
    person.pictures("way-missing").await;
    uses(person, &format!("Documents for {MISSING}")).await;
    reads(person, "Missing for filing: Policy").await;
    let policy = paper(folder, &format!("{MISSING} policy.pdf"));
    drops(desktop, &[policy.as_path()]).await;
    let ready =
        "return [...document.querySelectorAll('[role=dialog] button:not(:disabled, [data-disabled])')]
        .some((button) => button.innerText.startsWith('Upload 1 document'));";
    sees(person, ready, "a document that can be uploaded").await;
    person.pictures("way-upload").await;
    uses(person, "Upload 1 document").await;
    no_dialog(person).await;
    reads(person, "No documents missing for filing").await;
    sees(person, "return document.querySelector('tr[data-state=sent]') !== null;", "the upload sent").await;
    person.pictures("way-complete").await;
    uses(person, "All documents").await;
    reads(person, "No documents are missing for the transactions on this computer").await;
}

/// The affidavit is begun from the transaction, filled, looked at and uploaded to it.
async fn swears(person: &Person) {
    person.presses_control('5').await;
    finds(person, 1).await;
    uses(person, "Fill forms").await;
    let begun = format!(
        "return document.querySelector('[data-pointer=\"/values/insured_name\"] input')?.value === {};",
        json!(INSURED)
    );
    sees(person, &begun, "the insured's name in the form").await;
    person.pictures("way-form").await;
    let open = "return [...document.querySelectorAll('.diligent-left [data-pointer^=\"/values/\"]')]
        .filter((field) => field.querySelector('label')?.innerText.trim().endsWith('*'))
        .filter((field) => (field.querySelector('input, textarea')?.value ?? '-') === '')
        .map((field) => field.dataset.pointer);";
    let pointers = person.asks(open).await;
    for pointer in pointers.as_array().into_iter().flatten().filter_map(|pointer| pointer.as_str()) {
        person.tabs_to(pointer).await;
        person.types("as the policy says").await;
    }
    person.presses_control(Key::Enter).await;
    let filled = format!(
        "const form = [...document.querySelectorAll('.filled-form')].find((form) => form.ariaLabel === {});
         return (form?.innerText.includes('complete') && form.querySelector('svg') !== null) ?? false;",
        json!(AFFIDAVIT)
    );
    sees(person, &filled, "the filled affidavit").await;
    person.pictures("way-affidavit").await;
    uses(person, &format!("Upload {AFFIDAVIT}")).await;
    let ready =
        "return [...document.querySelectorAll('[role=dialog] button:not(:disabled, [data-disabled])')]
        .some((button) => button.innerText === 'Upload');";
    sees(person, ready, "the transaction's number in the dialog").await;
    person.pictures("way-affidavit-upload").await;
    uses(person, "Upload").await;
    reads(person, " to transaction ").await;
    person.presses_control('6').await;
    let sent = "const rows = [...document.querySelectorAll('tr[data-state]')];
        return rows.length === 2 && rows.every((row) => row.dataset.state === 'sent');";
    sees(person, sent, "both uploads sent").await;
}

/// What is due opens its transaction.
async fn looks_at_what_is_due(person: &Person) {
    person.presses_control('7').await;
    uses(person, "Details of ").await;
    reads(person, "Open transaction").await;
    person.pictures("way-due").await;
    uses(person, "Open transaction").await;
    let opened = "return document.activeElement?.closest('.tx-detail') !== null
        && document.querySelector('.tx-detail .tx-timeline') !== null;";
    sees(person, opened, "the transaction, with the focus").await;
}

/// Asks the service again until it says so.
async fn refreshes_until(person: &Person, script: &str, what: &str) {
    let started = Instant::now();
    loop {
        person.presses_control('r').await;
        for _ in 0..40 {
            if person.asks(script).await == json!(true) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        if started.elapsed() > PATIENCE {
            person.pictures("given-up").await;
            panic!("no refresh brought: {what}");
        }
    }
}

/// Everything again that was fetched.
async fn shows_all(person: &Person) {
    person.presses_control('f').await;
    person.presses_control('a').await;
    person.presses(Key::Delete).await;
    finds(person, ROWS).await;
}

/// The practice state files, numbers and takes the money; the transaction tells.
async fn is_filed_and_paid(person: &Person) {
    person.presses_control('9').await;
    for button in ["File with the state", "Assign state numbers", "Mark taxes and fees paid"] {
        uses(person, button).await;
        let done = format!(
            "return document.querySelector('.notices').innerText.includes('{ROWS} transactions changed.')
                 && [...document.querySelectorAll('button:not(:disabled, [data-disabled])')]
                     .some((button) => button.innerText === {});",
            json!(button)
        );
        sees(person, &done, button).await;
    }
    person.presses_control('5').await;
    reads(person, "Show all").await;
    shows_all(person).await;
    let facets = format!(
        "const facets = document.querySelector('.tx-facets').innerText;
         return /Filed\\s+{ROWS}/.test(facets) && /Paid\\s+{ROWS}/.test(facets);"
    );
    refreshes_until(person, &facets, "everything filed and paid").await;
    person.presses_control('f').await;
    person.types(&looked_for()).await;
    finds(person, 1).await;
    person.asks("document.querySelector('.tx-grid').focus(); return null;").await;
    person.presses(Key::Enter).await;
    let followed = format!(
        "const detail = document.querySelector('.tx-detail');
         if (!detail?.innerText.includes({})) return false;
         const done = [...detail.querySelectorAll('.tx-timeline .done')].map((step) => step.innerText).join(' ');
         return ['Imported', 'Filed', 'Tax paid', 'Stamping fee paid', 'State number']
             .every((step) => done.includes(step)) && /NY-\\d{{4}}-\\d{{7}}/.test(done)
             && detail.innerText.includes('AFFIDC');",
        json!(POLICY)
    );
    sees(person, &followed, "the state's number").await;
    person.pictures("way-followed").await;
}

/// Saved as a workbook through the system's dialog, and read back.
async fn exports(desktop: &Desktop, person: &Person, folder: &Path) {
    shows_all(person).await;
    let path = folder.join("filed.xlsx");
    person.presses_control('s').await;
    saves_as(desktop, &path).await;
    reads(person, "Saved filed.xlsx").await;
    person.pictures("way-exported").await;

    let mut book: Xlsx<_> = open_workbook(&path).expect("a workbook");
    let sheet = book.worksheet_range("Transactions").expect("its sheet");
    let titles: Vec<String> = sheet.rows().next().expect("titles").iter().map(ToString::to_string).collect();
    let place = |title: &str| titles.iter().position(|each| each == title).expect(title);
    assert_eq!(sheet.height(), ROWS + 1);
    for row in sample() {
        let found = sheet.rows().find(|cells| cells[place("Policy")] == Data::String(row.policy.clone()));
        let cells = found.unwrap_or_else(|| panic!("{} is not in the file", row.policy));
        assert_eq!(cells[place("Insured")], Data::String(row.insured.clone()));
        assert_eq!(cells[place("Status")], Data::String("Filed".into()), "{}", row.policy);
        assert_eq!(cells[place("Payment")], Data::String("Paid".into()), "{}", row.policy);
        assert!(matches!(cells[place("Effective")], Data::DateTime(_)), "{}", row.policy);
        let Data::Float(premium) = cells[place("Premium")] else { panic!("{}: no number", row.policy) };
        assert!((premium.abs() - row.premium).abs() < 0.001, "{}: {premium}", row.policy);
    }
}

/// Affidavits of a period are marked as done; then nothing is due.
async fn has_nothing_due(person: &Person) {
    person.presses_control('7').await;
    sees(person, "return document.querySelector('.due-body .empty, .due-body tbody') !== null;", "the list")
        .await;
    let count = "return document.querySelectorAll('.due-body tbody tr').length;";
    let mut left = person.asks(count).await.as_u64().unwrap_or_default();
    assert!(left <= 30, "{left} things are still due");
    person.pictures("way-affidavits-due").await;
    while left > 0 {
        uses(person, "Details of ").await;
        reads(person, "Done by me").await;
        uses(person, "Done by me").await;
        no_dialog(person).await;
        let fewer = format!("return document.querySelectorAll('.due-body tbody tr').length < {left};");
        sees(person, &fewer, "one thing less").await;
        left = person.asks(count).await.as_u64().unwrap_or_default();
    }
    reads(person, "Nothing is due").await;
    person.pictures("way-nothing-due").await;
}

#[test]
fn the_batch_of_the_samples_is_followed_to_the_states_number_and_nothing_is_due() {
    within(Duration::from_secs(420), async {
        let desktop = Desktop::start().await;
        let person = desktop.open().await;
        let folder = tempfile::tempdir().expect("a folder of files");
        imports(&desktop, &person, folder.path()).await;
        finds_offline(&person).await;
        completes(&desktop, &person, folder.path()).await;
        swears(&person).await;
        looks_at_what_is_due(&person).await;
        is_filed_and_paid(&person).await;
        exports(&desktop, &person, folder.path()).await;
        has_nothing_due(&person).await;
        person.leaves().await;
    });
}
