//! Transactions in the real window: what was imported is fetched, found by the insured's name, opened, narrowed.
//! Saving ends in the system's own dialog, so here the file is only asked for; what is in it is tested in the desk.

use std::path::Path;

use fantoccini::key::Key;
use serde_json::json;

use crate::batches::{drops, sends, waits_for_end, waits_for_rows};
use crate::driver::Desktop;
use crate::person::Person;
use crate::within_limit;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/window/batch.csv");
const ROWS: usize = 6;
const INSURED: &str = "Old Mill Bakery LLC";

/// Waits until the table has this many rows.
async fn waits_for_found(person: &Person, rows: usize) {
    let script = format!(
        "return document.querySelector('.tx-grid')?.getAttribute('aria-rowcount') === '{}'
             && document.querySelectorAll('.tx-grid [role=gridcell]').length > 0;",
        rows + 1
    );
    person.waits_until(&script, &format!("{rows} transactions in the table")).await;
}

#[test]
fn what_was_imported_is_found_by_the_insureds_name_and_followed() {
    within_limit(async {
        let desktop = Desktop::start().await;
        let person = desktop.open().await;
        drops(&desktop, &[Path::new(FILE)]).await;
        waits_for_rows(&person, ROWS).await;
        person.waits_for_text(&format!("Send {ROWS} ready rows")).await;
        sends(&person, ROWS).await;
        waits_for_end(&person).await;

        person.presses_control('5').await;
        // Nothing has to be fetched: what was sent comes in by itself.
        waits_for_found(&person, ROWS).await;
        person.pictures("transactions").await;

        person.presses_control('f').await;
        person.types("old mill").await;
        waits_for_found(&person, 1).await;
        // Into the table, and the transaction open beside it.
        person.presses(Key::Down).await;
        person.presses(Key::Enter).await;
        let opened = format!(
            "const detail = document.querySelector('.tx-detail')?.innerText ?? '';
             return detail.includes({}) && detail.includes('Timeline') && detail.includes('Calculated');",
            json!(INSURED)
        );
        person.waits_until(&opened, "the transaction beside the table").await;
        person.pictures("transaction").await;
        person.leaves().await;
    });
}
