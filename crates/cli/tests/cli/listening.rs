//! `bordereau listen` and `bordereau events`: what was answered with 200 is there after the worst end, once.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;

use serde_json::Value;

use crate::command::Place;

pub(crate) const BODY: &str = r#"{"event_id":1,"event":"webhook.transaction.status.filed","timestamp":"2026-02-23 10:00:00","transaction_id":17,"policy_number":"P-17"}"#;
/// HMAC-SHA256 of it with the secret below.
pub(crate) const SIGNATURE: &str = "edbf20a6488bb6873c09a9eed7af821edf292478e0dbe0b7531db774b98cad1c";

pub(crate) struct Listening {
    pub(crate) child: Child,
    pub(crate) line: Value,
}

impl Listening {
    pub(crate) fn start(place: &Place) -> Listening {
        Listening::start_with(place, "")
    }

    pub(crate) fn start_with(place: &Place, more: &str) -> Listening {
        let mut listen = place.command();
        listen.args(["listen", "--bind", "127.0.0.1:0", "--json"]).args(more.split_whitespace());
        let mut child = listen.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Listening { child, line: serde_json::from_str(&line).unwrap() }
    }

    pub(crate) fn address(&self) -> &str {
        self.line["listening"].as_str().unwrap()
    }

    /// The status of a delivery.
    pub(crate) fn bring(&self, signature: &str) -> String {
        self.bring_to(signature, self.address())
    }

    /// The same for a host of this name.
    pub(crate) fn bring_to(&self, signature: &str, host: &str) -> String {
        let mut stream = TcpStream::connect(self.address()).unwrap();
        let head = format!(
            "POST /events HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\nx-hmac-signature: {signature}\r\ncontent-length: {}\r\n\r\n",
            BODY.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(BODY.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split_whitespace().nth(1).unwrap_or_default().to_owned()
    }
}

impl Drop for Listening {
    /// Kill -9, where there is such a thing.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Listens with the secret that the signature above was made with.
pub(crate) fn listening_place() -> Place {
    Place::new().with("BORDEREAU_WEBHOOK_SECRET", "secret of 20 letters")
}

#[test]
fn a_delivery_that_was_answered_is_there_once_after_a_kill() {
    let place = listening_place().with("BORDEREAU_LISTEN_TOKEN", "t");
    for _ in 0..2 {
        let listening = Listening::start(&place);
        assert_eq!(listening.bring(&"0".repeat(64)), "401");
        assert_eq!(listening.bring(SIGNATURE), "200");
    }
    let events = place.json("events")["events"].take();
    let events = events.as_array().unwrap();
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!((&events[0]["transaction"], &events[0]["repeats"]), (&"17".into(), &1.into()));
    let told = place.line("events --unread");
    assert!(told.out.contains("* Policy P-17 filed with the state"), "{told:?}");
}

#[test]
fn without_a_secret_nothing_is_listened_to() {
    let ended = Place::new().line("listen --bind 127.0.0.1:0");
    assert_eq!(ended.code, 4, "{ended:?}");
    assert!(ended.err.contains("HMAC secret"), "{ended:?}");
}
