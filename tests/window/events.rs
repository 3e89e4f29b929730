//! Events in the real window: subscribed with one key press, a batch turns to processed and filed by itself.

use std::path::Path;
use std::time::Duration;

use fantoccini::key::Key;

use crate::batches::{drops, sends, waits_for_end, waits_for_rows};
use crate::driver::Desktop;
use crate::within;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/window/batch.csv");
const ROWS: usize = 6;

#[test]
fn subscribed_from_the_window_a_batch_turns_to_processed_and_filed() {
    within(Duration::from_secs(150), async {
        let desktop = Desktop::start().await;
        let person = desktop.open().await;
        person.presses_control('8').await;
        person.waits_for_text("No events yet").await;
        person.tabs_to_button("Receive events").await;
        person.presses(Key::Enter).await;
        let receives =
            "return document.querySelector('.events-status')?.innerText.trim().startsWith('Receiving');";
        person.waits_until(receives, "the receiver").await;

        drops(&desktop, &[Path::new(FILE)]).await;
        waits_for_rows(&person, ROWS).await;
        person.waits_for_text(&format!("Send {ROWS} ready rows")).await;
        sends(&person, ROWS).await;
        waits_for_end(&person).await;

        person.presses_control('8').await;
        person.waits_for_text("batch.csv processed").await;
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

        person.presses_control('8').await;
        let told = format!(
            "return [...document.querySelectorAll('.event-row')]
                .filter((row) => row.innerText.includes('filed with the state')
                    && !row.innerText.includes('found by polling')).length === {ROWS};"
        );
        person.waits_until(&told, "every transaction filed, told by the service").await;
        person.pictures("events").await;
        person.leaves().await;
    });
}
