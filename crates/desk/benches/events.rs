//! Deliveries received a second, against a bare axum handler that stores the same body in SQLite.
//!
//! Ours: the receiver checks each signature, reads the event, looks whether it came before, stores it and answers
//! with 200 once it is committed and synced to the disk. Bare: an axum handler inserts each body, one commit a
//! body, which is synced as well. The same deliveries from the same client, as many side by side as the service
//! sends, in alternate rounds; the medians count. A handler whose commits may be lost with the power is
//! measured beside it. `cargo bench -p bordereau-desk --bench events`.

#[path = "../../service/benches/bare/mod.rs"]
mod bare;
mod no_ports;

use std::path::Path;
use std::sync::Arc;

use bare::{Delivery, events};
use bordereau_desk::{Desk, DeskConfig, EventListener, MemorySecrets, Ports, SecretText, SystemClock};
use no_ports::NoPorts;
use ring::hmac;

const ROUNDS: usize = 5;
const SECRET: &str = "secret of 20 letters";

fn main() {
    tokio::runtime::Runtime::new().expect("a runtime starts").block_on(run());
}

async fn run() {
    // A second one installed elsewhere is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let dir = tempfile::tempdir().expect("a directory");
    let (desk, url) = receiver(&dir.path().join("desk"));
    let durable = bare::handler(&dir.path().join("durable.sqlite"), "FULL").await;
    let quick = bare::handler(&dir.path().join("quick.sqlite"), "NORMAL").await;
    let (mut ours, mut theirs, mut quicker) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let deliveries = Arc::new(signed(round));
        let durable_time = bare::bring(&durable, &deliveries).await;
        let our_time = bare::bring(&url, &deliveries).await;
        let quick_time = bare::bring(&quick, &deliveries).await;
        println!(
            "round {round}: receiver {} a second; bare handler {} a second, without a sync {} a second",
            bare::rate(our_time),
            bare::rate(durable_time),
            bare::rate(quick_time)
        );
        // The first round warms up.
        if round > 0 {
            ours.push(our_time);
            theirs.push(durable_time);
            quicker.push(quick_time);
        }
    }
    let status = desk.events_status(bordereau_desk::api::Nothing {}).await.expect("the inbox");
    assert_eq!(status.unread as usize, events() * (ROUNDS + 1), "every event is stored");
    bare::verdict("received, proven, stored / bare handler that stores", ours.clone(), theirs);
    bare::verdict("received, proven, stored / bare handler without a sync", ours, quicker);
}

fn receiver(folder: &Path) -> (Desk, String) {
    let ports = Ports {
        clock: Arc::new(SystemClock),
        secrets: Arc::new(MemorySecrets::new()),
        practice: Arc::new(NoPorts),
        dialogs: Arc::new(NoPorts),
        browser: Arc::new(NoPorts),
        policy: Arc::default(),
        sign_in: None,
    };
    let desk = Desk::open(DeskConfig { data_dir: folder.to_owned(), ports }).expect("the desk opens");
    let socket = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let url = format!("http://{}/events", socket.local_addr().expect("an address"));
    let listener = EventListener::for_profile(&practice(), SECRET, ("", SecretText::default()), None);
    let receiving = desk.clone();
    tokio::spawn(async move { receiving.receive_events(listener, socket, std::future::pending()).await });
    (desk, url)
}

/// The events of a round; no two of all rounds are the same.
fn signed(round: usize) -> Vec<Delivery> {
    let key = hmac::Key::new(hmac::HMAC_SHA256, SECRET.as_bytes());
    let first = round * events();
    (first..first + events())
        .map(|number| {
            let body = bare::body(number);
            let tag = hmac::sign(&key, body.as_bytes());
            let signature = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
            Delivery { body, signature }
        })
        .collect()
}

fn practice() -> bordereau_desk::api::Profile {
    bordereau_desk::api::Profile { id: "practice".into(), ..bordereau_desk::api::Profile::default() }
}
