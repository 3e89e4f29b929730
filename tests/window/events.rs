//! Events in the real window: subscribed with one key press, a batch turns to processed and filed by itself; with the
//! receiver switched off the service tries, writes and gives up, and what was missed is found when it is on again.

use std::path::Path;
use std::time::Duration;

use fantoccini::key::Key;

use crate::batches::{drops, sends, waits_for_end, waits_for_rows};
use crate::driver::Desktop;
use crate::person::Person;
use crate::whole_way::{sees, tabs_to_named, uses};
use crate::within;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/window/batch.csv");
const ROWS: usize = 6;

/// Receives events with one key press and sends the file.
async fn subscribes_and_sends(desktop: &Desktop, person: &Person) {
    person.presses_control('8').await;
    person.waits_for_text("No events yet").await;
    person.tabs_to_button("Receive events").await;
    person.presses(Key::Enter).await;
    shows_status(person, "Receiving").await;
    drops(desktop, &[Path::new(FILE)]).await;
    waits_for_rows(person, ROWS).await;
    person.waits_for_text(&format!("Send {ROWS} ready rows")).await;
    sends(person, ROWS).await;
    waits_for_end(person).await;
}

/// The receiver's status, as the view of events shows it.
async fn shows_status(person: &Person, word: &str) {
    let script = format!(
        "return document.querySelector('.events-status')?.innerText.trim().startsWith('{word}') ?? false;"
    );
    sees(person, &script, word).await;
}

/// Plays the state in the Practice panel.
async fn files_with_the_state(person: &Person) {
    person.presses_control('9').await;
    person.waits_for_text("Practice only").await;
    let batch = "return [...document.querySelectorAll('button')]
        .some((button) => button.innerText === 'File with the state'
            && button.matches(':not(:disabled, [aria-disabled=true])'));";
    person.waits_until(batch, "the batch to file").await;
    person.pictures("practice").await;
    person.tabs_to_button("File with the state").await;
    person.presses(Key::Enter).await;
    person.waits_for_text("changed.").await;
}

/// Switches the receiver on or off under "Receiving".
async fn switches_the_receiver(person: &Person, picture: &str) {
    person.presses_control('8').await;
    person.waits_for_text("batch.csv processed").await;
    // The exact word: "Receive events" is another button.
    uses(person, "Receiving").await;
    person.waits_for_text("On this computer").await;
    tabs_to_named(person, "Receiver on").await;
    let is_on = "return document.activeElement.checked;";
    let before = person.asks(is_on).await;
    person.presses(' ').await;
    let changed = format!("return document.activeElement?.checked === {};", before != true);
    sees(person, &changed, "the receiver switched").await;
    person.pictures(picture).await;
    person.presses(Key::Escape).await;
    sees(person, "return document.querySelector('[role=dialog]') === null;", "the page again").await;
}

/// So many transactions are reported as filed, so many of them found by checking.
async fn is_told_of(person: &Person, filed: usize, by_polling: usize) {
    let script = format!(
        "const rows = [...document.querySelectorAll('.event-row')]
             .filter((row) => row.innerText.includes('filed with the state'));
         const found = rows.filter((row) => row.innerText.includes('found by checking'));
         return rows.length === {filed} && found.length === {by_polling};"
    );
    sees(person, &script, &format!("{filed} filed, {by_polling} of them found by checking")).await;
}

/// Lines of a card of the Practice panel.
async fn lists(person: &Person, card: &str, with: &str, count: usize) {
    let script = format!(
        "const lines = [...document.querySelectorAll('section[aria-label=\"{card}\"] li')];
         return lines.filter((line) => line.innerText.includes('{with}')).length === {count};"
    );
    sees(person, &script, &format!("{count} of \"{with}\" under {card}")).await;
}

#[test]
fn what_was_missed_while_the_receiver_was_off_for_two_hours_is_found() {
    within(Duration::from_secs(420), async {
        let desktop = Desktop::start().await;
        let person = desktop.open().await;
        subscribes_and_sends(&desktop, &person).await;
        switches_the_receiver(&person, "plug-pulled").await;
        shows_status(&person, "Not receiving").await;

        // Twice at once, then it waits; two hours later it has given up, with a letter and a notice for each.
        files_with_the_state(&person).await;
        lists(&person, "Queue", "2 failed", ROWS).await;
        person.pictures("plug-retries").await;
        person.tabs_to_button("Ahead 2 hours").await;
        person.presses(Key::Enter).await;
        lists(&person, "Outgoing mail", "could not be delivered", ROWS).await;
        person.waits_for_text("No deliveries waiting.").await;
        person.pictures("plug-mail").await;

        person.presses_control('8').await;
        let given_up = format!(
            "return document.querySelector('.tray')?.innerText.includes('stopped trying to deliver {ROWS} events') ?? false;"
        );
        sees(&person, &given_up, "the notices of the service").await;
        person.pictures("plug-notices").await;

        switches_the_receiver(&person, "plug-back").await;
        shows_status(&person, "Receiving").await;
        is_told_of(&person, ROWS, ROWS).await;
        person.pictures("plug-found").await;
        // Sent again by hand it is the same event, received now.
        uses(&person, "Send again").await;
        is_told_of(&person, ROWS, ROWS - 1).await;
        person.pictures("plug-sent-again").await;
        person.leaves().await;
    });
}

#[test]
fn subscribed_from_the_window_a_batch_turns_to_processed_and_filed() {
    within(Duration::from_secs(150), async {
        let desktop = Desktop::start().await;
        let person = desktop.open().await;
        subscribes_and_sends(&desktop, &person).await;

        person.presses_control('8').await;
        person.waits_for_text("batch.csv processed").await;
        files_with_the_state(&person).await;

        person.presses_control('8').await;
        let told = format!(
            "return [...document.querySelectorAll('.event-row')]
                .filter((row) => row.innerText.includes('filed with the state')
                    && !row.innerText.includes('found by checking')).length === {ROWS};"
        );
        person.waits_until(&told, "every transaction filed, told by the service").await;
        person.pictures("events").await;
        person.leaves().await;
    });
}
