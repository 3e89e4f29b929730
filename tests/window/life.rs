//! The life of the window: what a restart keeps, and what a second start does.

use std::process::Child;
use std::time::{Duration, Instant};

use crate::driver::Desktop;
use crate::quotes::{Policy, quotes};
use crate::within_limit;

fn policy() -> Policy<'static> {
    Policy {
        state: "Texas",
        transaction: "PN",
        effective: "02/23/2026",
        lines: &[("GEN-1002", "9521")],
        agency_fee: "400",
        ..Policy::default()
    }
}

#[test]
fn a_restart_keeps_what_was_typed() {
    within_limit(async {
        let desktop = Desktop::start().await;
        let person = desktop.open().await;
        quotes(&person, &policy()).await;
        person.waits_for_text("Draft saved").await;
        // The draft is stored half a second after the last key.
        tokio::time::sleep(Duration::from_millis(1500)).await;
        person.leaves().await;

        let person = desktop.open().await;
        let script = "return [...document.querySelectorAll('[data-pointer] input')]
            .map((field) => field.closest('[data-pointer]').dataset.pointer + '=' + field.value);";
        let fields = person.asks(script).await.to_string();
        for expected in ["/state=Texas", "/policy_effective=02/23/2026", "/lines/0/premium=9,521.00"] {
            assert!(fields.contains(expected), "no {expected} in {fields}");
        }
        // The estimate of the draft comes by itself: 4.85% and 0.04% of 9,921.
        person.waits_for_text("481.17").await;
        person.leaves().await;
    });
}

#[test]
fn a_second_start_ends_and_leaves_one_window() {
    within_limit(async {
        let desktop = Desktop::start().await;
        let person = desktop.open().await;
        ends_by_itself(desktop.second_start(&[])).await;
        assert_eq!(desktop.windows(), 1);
        person.waits_for_text("Calculate taxes").await;
        person.leaves().await;
    });
}

#[test]
fn a_file_and_a_link_given_to_a_second_start_open_in_the_first() {
    within_limit(async {
        let desktop = Desktop::start().await;
        let person = desktop.open().await;
        const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/batches/good.csv");
        ends_by_itself(desktop.second_start(&[FILE])).await;
        person.waits_for_text("good.csv").await;
        ends_by_itself(desktop.second_start(&["bordereau://transaction/1042"])).await;
        person
            .waits_until("return document.title.includes('Transactions');", "the view of transactions")
            .await;
        assert_eq!(desktop.windows(), 1);
        person.leaves().await;
    });
}

/// The first one has taken over what it was given.
async fn ends_by_itself(mut second: Child) {
    let started = Instant::now();
    let status = loop {
        if let Some(status) = second.try_wait().expect("the second process") {
            break status;
        }
        if started.elapsed() > Duration::from_secs(15) {
            second.kill().ok();
            panic!("the second start did not end by itself");
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert!(status.success(), "the second start ended with {status}");
}
