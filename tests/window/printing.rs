//! The system's own print dialog.

use crate::driver::Desktop;
use crate::file_dialog::{waits_for_window, xdotool};
use crate::quotes::{TEXAS, quotes};
use crate::whole_way::{tabs_to_named, uses};
use crate::within_limit;

async fn closes_print_dialog(desktop: &Desktop) {
    let dialog = waits_for_window(desktop, "^Print$").await;
    xdotool(desktop, &["key", "--window", &dialog, "Escape"]);
}

#[test]
fn rates_are_printed_through_the_systems_dialog() {
    within_limit(async {
        let desktop = Desktop::start_on((1280, 720), &[]).await;
        let person = desktop.open().await;
        let rates = "[...document.querySelectorAll('nav a, nav button')].find((e) => e.textContent.startsWith('Rates'))";
        person.clicks(rates).await;
        person.waits_for_text("Charged on").await;
        person.presses_control('p').await;
        closes_print_dialog(&desktop).await;
        person.leaves().await;
    });
}

#[test]
fn the_sheet_for_the_client_is_printed_through_the_systems_dialog() {
    within_limit(async {
        let desktop = Desktop::start_on((1280, 720), &[]).await;
        let person = desktop.open().await;
        quotes(&person, &TEXAS).await;
        person.presses_control('p').await;
        person.waits_for_text("Sheet for the client").await;
        tabs_to_named(&person, "Insured").await;
        person.types("Old Mill Bakery LLC").await;
        let drawn = "return (document.querySelector('.client-sheet-pages')?.textContent ?? '').includes('Old Mill Bakery');";
        person.waits_until(drawn, "the sheet").await;
        uses(&person, "Print").await;
        closes_print_dialog(&desktop).await;
        person.leaves().await;
    });
}
