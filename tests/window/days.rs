//! A day each of a broker, a clerk and a manager, on the Practice profile. `cargo xtask screenshots` puts their pictures
//! into `docs/screenshots/`, and `docs/days.md` tells the days beside them.

use std::path::Path;
use std::time::Duration;

use fantoccini::key::Key;
use serde_json::json;

use crate::batches::{drops, sends, waits_for_count, waits_for_end, waits_for_rows};
use crate::driver::Desktop;
use crate::file_dialog::saves_as;
use crate::messy::{Export, Hand, SHORT, WHOLE, Worker, button, does, from_the_drop_to_the_last_correction};
use crate::openers::Openers;
use crate::person::Person;
use crate::quotes::{TEXAS, quotes};
use crate::whole_way::{sees, tabs_to_named, uses};
use crate::within;

/// A small screen of an office.
const SCREEN: (u32, u32) = (1280, 720);
const BATCH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/window/batch.csv");
const ROWS: usize = 6;
/// In so many of them the tax is a dollar too low.
const WRONG: usize = 4;

/// Left on Friday with its errors.
const LEFT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/batches/bad.csv");
const ZOOM: &str = "return getComputedStyle(document.documentElement).getPropertyValue('--zoom').trim();";

/// By keyboard, light: a client on the phone, and the sheet in the mail a minute later.
#[test]
fn day_of_a_broker() {
    within(Duration::from_secs(170), async {
        let openers = Openers::ending_with(0);
        let desktop = Desktop::start_on(SCREEN, &[("PATH", &openers.search_path())]).await;
        let person = desktop.open().await;
        does(&person, "Light theme").await;
        person.presses_control('1').await;
        person.waits_for_text("Calculate taxes").await;
        let answer = quotes(&person, &TEXAS).await;
        assert_eq!(answer.total, "10563.91");
        person.pictures("day-broker-quote").await;

        person.presses_control('p').await;
        person.waits_for_text("Sheet for the client").await;
        for (field, text) in [
            ("Insured", "Old Mill Bakery LLC"),
            ("Insured\u{2019}s address", "1 Mill Road, Austin, TX 78701"),
            ("Carrier", "Example Specialty"),
            ("Quote number", "Q-1042"),
            ("Valid until", "03/25/2026"),
            ("Minimum earned", "25%"),
            ("Installments", "3"),
            ("Down payment", "25%"),
        ] {
            tabs_to_named(&person, field).await;
            person.types(text).await;
        }
        let drawn = "const pages = document.querySelector('.client-sheet-pages')?.textContent ?? '';
            return ['Old Mill Bakery LLC', 'Example Specialty', 'Q-1042', 'Payment plan'].every((each) => pages.includes(each));";
        sees(&person, drawn, "the sheet").await;
        person.pictures("day-broker-sheet").await;

        let folder = tempfile::tempdir().expect("a folder");
        let sheet = folder.path().join("Old Mill Bakery.pdf");
        uses(&person, "E-mail").await;
        saves_as(&desktop, &sheet).await;
        person.waits_for_text("Check that the e-mail has it attached").await;
        person.pictures("day-broker-mailed").await;
        let email = openers.given("xdg-email").await;
        for given in ["Quote Q-1042: Old Mill Bakery LLC", "$10,563.91", &sheet.display().to_string()] {
            assert!(email.contains(given), "no {given} in {email}");
        }
        assert!(std::fs::read(&sheet).expect("the sheet").starts_with(b"%PDF-"), "a PDF");
        person.leaves().await;
    });
}

const INSURED: &str = "Cedar Bakery";

/// By mouse, light: yesterday's export, and everything about it afterwards.
async fn clerks_day(export: Export, album: &'static str) {
    let desktop = Desktop::start_on(SCREEN, &[]).await;
    let person = desktop.open().await;
    does(&person, "Light theme").await;
    let worker = Worker { desktop, person, hand: Hand::Mouse, export, album };
    let sent = from_the_drop_to_the_last_correction(&worker).await;

    worker.person.clicks(&button("nav", "Transactions")).await;
    // Nothing has to be fetched: what was sent comes in by itself.
    let found = format!(
        "return document.querySelector('.tx-grid')?.getAttribute('aria-rowcount') === '{}'
             && document.querySelectorAll('.tx-grid [role=gridcell]').length > 0;",
        sent + 1
    );
    worker.sees(&found, "all that was sent").await;
    worker.pictures("transactions").await;
    worker.person.clicks("document.querySelector('.tx-find input')").await;
    worker.person.types(INSURED).await;
    let searched = format!(
        "const rows = [...document.querySelectorAll('.tx-grid [data-row]')];
         return rows.length > 0 && rows.every((row) => row.innerText.includes({}));",
        json!(INSURED)
    );
    worker.sees(&searched, "what was searched for").await;
    worker.pictures("search").await;
    worker.person.clicks(&format!(
        "[...document.querySelectorAll('.tx-grid [role=gridcell]')].find((cell) => cell.innerText.includes({}))",
        json!(INSURED)
    ))
    .await;
    worker.person.presses(Key::Enter).await;
    let opened = format!(
        "const detail = document.querySelector('.tx-detail')?.innerText ?? '';
         return detail.includes({}) && detail.includes('Timeline');",
        json!(INSURED)
    );
    worker.sees(&opened, "the transaction beside the table").await;
    worker.pictures("transaction").await;
    for (view, name) in [("Documents", "documents"), ("Due dates", "due")] {
        worker.person.clicks(&button("nav", view)).await;
        let shown = "return document.querySelectorAll('main tbody tr').length > 0;";
        worker.sees(shown, view).await;
        worker.pictures(name).await;
    }
    worker.person.leaves().await;
}

#[test]
fn day_of_a_clerk() {
    within(Duration::from_secs(170), clerks_day(SHORT, "clerk"));
}

#[test]
#[ignore = "a story of minutes: all 5,000 rows by mouse"]
fn day_of_a_clerk_with_5_000_rows() {
    within(Duration::from_secs(900), clerks_day(WHOLE, "day-clerk"));
}

/// A small paper as PDF.
fn paper(path: &Path) {
    std::fs::write(path, "%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n").expect("a document");
}

/// What is on Today in a card, by its title; nothing where it is not there.
fn card(title: &str) -> String {
    format!("document.querySelector('.today section[aria-label={}]')", json!(title))
}

async fn goes_to_today(person: &Person) {
    does(person, "Today").await;
    let shown = "return document.querySelector('main h1')?.innerText === 'Today'
        && document.querySelector('.today-line') !== null;";
    sees(person, shown, "Today").await;
}

/// Friday's work: rows are sent of which some come back with warnings, and a file is left for later.
async fn leaves_a_desk_for_monday(desktop: &Desktop) {
    let person = desktop.open().await;
    quotes(&person, &TEXAS).await;
    goes_to_today(&person).await;
    person.clicks(&button(".today", "Hide")).await;
    does(&person, "Dark theme").await;
    while person.asks(ZOOM).await != json!("1.5") {
        person.presses_control('=').await;
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    drops(desktop, &[Path::new(BATCH)]).await;
    waits_for_rows(&person, ROWS).await;
    person.waits_for_text(&format!("Send {ROWS} ready rows")).await;
    sends(&person, ROWS).await;
    waits_for_count(&person, "Warnings", WRONG).await;
    waits_for_end(&person).await;
    drops(desktop, &[Path::new(LEFT)]).await;
    waits_for_rows(&person, 60).await;
    person.leaves().await;
}

/// By keyboard and mouse, dark, at 150 %: Monday morning.
#[test]
fn day_of_a_manager() {
    within(Duration::from_secs(170), async {
        let desktop = Desktop::start_on(SCREEN, &[]).await;
        leaves_a_desk_for_monday(&desktop).await;

        let person = desktop.open_as_set().await;
        let shown = "return document.documentElement.dataset.theme === 'dark'
            && document.querySelectorAll('.today-line').length > 2;";
        sees(&person, shown, "Today, dark").await;
        assert_eq!(person.asks(ZOOM).await, json!("1.5"));
        person.pictures("day-manager-today").await;

        // By keyboard to what is due, and why.
        tabs_to_named(&person, "All due dates").await;
        person.presses(Key::Tab).await;
        person.presses(Key::Down).await;
        person.presses(Key::Up).await;
        person.presses(Key::Enter).await;
        sees(&person, "return document.querySelector('.due-body tbody tr') !== null;", "what is due").await;
        person.pictures("day-manager-due").await;
        uses(&person, "Details of ").await;
        person.waits_for_text("Done by me").await;
        tabs_to_named(&person, "Note").await;
        person.types("Filed on the portal").await;
        person.pictures("day-manager-why").await;
        uses(&person, "Done by me").await;
        person.waits_for_text("Marked as done").await;

        // By mouse to the rows that came back.
        goes_to_today(&person).await;
        person.clicks(&format!("{}.querySelector('.today-line')", card("Accepted with warnings"))).await;
        person.clicks(&button(".totals", "Correct ")).await;
        waits_for_rows(&person, WRONG).await;
        person.pictures("day-manager-correct").await;
        person.clicks(&button(".group-buttons", "Use calculated in")).await;
        person.clicks(&button("[role=dialog]", &format!("Apply {WRONG} change"))).await;
        waits_for_count(&person, "Changed", WRONG).await;
        person.clicks(&button(".totals", "Send")).await;
        person.clicks(&button("[role=dialog]", &format!("Send {WRONG} transactions"))).await;
        waits_for_count(&person, "Accepted", WRONG).await;
        waits_for_end(&person).await;
        person.pictures("day-manager-corrected").await;

        // To the document that a filing misses.
        goes_to_today(&person).await;
        person.clicks(&format!("{}.querySelector('.today-line')", card("Documents missing"))).await;
        person.waits_for_text("To upload").await;
        let folder = tempfile::tempdir().expect("a folder");
        let policy = folder.path().join("policy.pdf");
        paper(&policy);
        drops(&desktop, &[policy.as_path()]).await;
        person.clicks(&button("[role=dialog]", "Upload 1 document")).await;
        sees(&person, "return document.querySelector('tr[data-state=sent]') !== null;", "the upload sent")
            .await;
        person.pictures("day-manager-document").await;

        goes_to_today(&person).await;
        let corrected = format!("return {} === null;", card("Accepted with warnings"));
        sees(&person, &corrected, "nothing to correct").await;
        person.pictures("day-manager-later").await;
        person.leaves().await;
    });
}
