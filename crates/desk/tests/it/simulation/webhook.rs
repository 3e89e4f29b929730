//! The webhook of a simulated service: what happens there is told until it was answered, over connections that break,
//! and now and then once more. What was answered may never be lost, and nothing may be there twice.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

use bordereau_desk::api::*;
use bordereau_desk::{Desk, EventListener, SecretText};
use ring::hmac;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use super::seed::Seed;

const SECRET: &str = "secret of 20 letters";

/// A process that listens, until it is dropped.
pub struct SimReceiver {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl SimReceiver {
    pub fn start(desk: &Desk, profile_id: &str) -> SimReceiver {
        let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = socket.local_addr().unwrap();
        let profile = Profile { id: profile_id.to_owned(), ..Profile::default() };
        let listener = EventListener::for_profile(&profile, SECRET, ("", SecretText::default()), None);
        let desk = desk.clone();
        let task = tokio::spawn(async move {
            let _ = desk.receive_events(listener, socket, std::future::pending()).await;
        });
        SimReceiver { address, task }
    }

    /// Ends as a killed process does.
    pub async fn end(self) {
        self.task.abort();
        let _ = self.task.await;
    }
}

/// What happened at the service, and how often it was told.
struct SimEvent {
    body: String,
    tries: u32,
    is_answered: bool,
}

/// The webhook.
pub struct SimWebhook {
    seed: Seed,
    /// By transaction.
    events: BTreeMap<i64, SimEvent>,
}

impl SimWebhook {
    pub fn new(seed: &Seed) -> SimWebhook {
        SimWebhook { seed: seed.derive("webhook"), events: BTreeMap::new() }
    }

    /// Transactions of which something new is told.
    pub fn note_filed(&mut self, transactions: impl Iterator<Item = i64>) {
        for number in transactions {
            self.events.entry(number).or_insert_with(|| {
                let body = format!(
                    r#"{{"event_id":{number},"event":"webhook.transaction.status.filed","timestamp":"2026-03-01 12:00:00","transaction_id":{number},"physical_state":"TX"}}"#
                );
                SimEvent { body, tries: 0, is_answered: false }
            });
        }
    }

    pub fn all_answered(&self) -> bool {
        self.events.values().all(|event| event.is_answered)
    }

    /// What was answered until now.
    pub fn answered(&self) -> BTreeSet<i64> {
        self.events.iter().filter(|(_, event)| event.is_answered).map(|(number, _)| *number).collect()
    }

    /// Of what was answered only this is asked for: the rest may be lost with a server that it was on.
    pub fn expect_answered(&mut self, answered: &BTreeSet<i64>) {
        for (number, event) in &mut self.events {
            event.is_answered = answered.contains(number);
        }
    }

    /// One round: everything that was not answered, and a few that were. How many were answered.
    pub async fn deliver(&mut self, receiver: Option<&SimReceiver>, faults_percent: usize) -> usize {
        let mut answered = 0;
        for (number, event) in &mut self.events {
            event.tries += 1;
            let mut seed = self.seed.derive(&format!("{number} {}", event.tries));
            if event.is_answered && !seed.chance(15) {
                continue;
            }
            let fate = if seed.chance(faults_percent) { 1 + seed.below(3) } else { 0 };
            let Some(receiver) = receiver else { continue };
            if standing_still(send(receiver.address, &event.body, fate)).await == Some(200) {
                event.is_answered = true;
                answered += 1;
            }
        }
        answered
    }

    /// What is wrong with the events that a desk shows; nothing where its disk cannot be read now.
    pub async fn find_fault(&self, desk: &Desk) -> Option<String> {
        let mut shown: BTreeMap<String, u32> = BTreeMap::new();
        for from in (0..).step_by(200) {
            let request = EventsRequest { from, count: 200, ..EventsRequest::default() };
            let page = desk.events_list(request).await.ok()?;
            let is_last = page.events.len() < 200;
            for event in page.events {
                *shown.entry(event.transaction).or_default() += 1;
            }
            if is_last {
                break;
            }
        }
        let twice = shown.iter().find(|(_, count)| **count > 1);
        let lost = self
            .events
            .iter()
            .find(|(number, event)| event.is_answered && !shown.contains_key(&number.to_string()));
        let twice = twice.map(|(number, count)| format!("the event of {number} is there {count} times"));
        twice.or_else(|| {
            lost.map(|(number, _)| format!("the event of {number} was answered and is not there"))
        })
    }
}

/// What comes over a real connection takes no time of the world: as long as something is ready to run, none passes.
async fn standing_still<T>(real: impl Future<Output = T>) -> T {
    let mut real = std::pin::pin!(real);
    loop {
        tokio::select! {
            biased;
            done = &mut real => return done,
            () = tokio::task::yield_now() => {}
        }
    }
}

/// The status that was answered. The connection may not come about (1), break in the body (2), or before the
/// answer (3).
async fn send(address: SocketAddr, body: &str, fate: usize) -> Option<u16> {
    if fate == 1 {
        return None;
    }
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, SECRET.as_bytes()), body.as_bytes());
    let tag: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    let request = format!(
        "POST /events HTTP/1.1\r\nhost: {address}\r\nx-hmac-signature: {tag}\r\ncontent-length: {}\r\n\
         connection: close\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(address).await.ok()?;
    let sent = if fate == 2 { &request[..request.len() - body.len() / 2] } else { &request };
    stream.write_all(sent.as_bytes()).await.ok()?;
    if fate >= 2 {
        return None;
    }
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.ok()?;
    String::from_utf8_lossy(&answer).split(' ').nth(1)?.parse().ok()
}
