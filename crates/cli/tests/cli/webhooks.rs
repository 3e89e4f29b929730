//! `bordereau webhook` against a served practice service and a real endpoint.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};

use crate::command::Place;
use crate::service::{Served, add};

/// An endpoint that answers every delivery with one status and keeps the requests.
fn endpoint(status: &'static str) -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let received = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&received);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut text = String::new();
            let mut piece = [0u8; 4096];
            // The bodies of these tests are small and end with a brace.
            while !text.ends_with('}') {
                let read = stream.read(&mut piece).unwrap_or(0);
                if read == 0 {
                    break;
                }
                text.push_str(&String::from_utf8_lossy(&piece[..read]));
            }
            kept.lock().unwrap().push(text);
            let _ = write!(stream, "HTTP/1.1 {status}\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok");
        }
    });
    (address, received)
}

#[test]
fn set_up_tried_looked_at_and_removed() {
    let served = Served::start();
    let place = Place::new()
        .with("BORDEREAU_API_KEY", served.text("api_key"))
        .with("BORDEREAU_WEBHOOK_HEADER", "open sesame");
    add(&place, &served, "sandbox", "");
    let (address, received) = endpoint("200 OK");
    let line = |words: &str| format!("webhook {words} --profile Office");
    assert_eq!(place.line(&line("list")).out, "No webhooks.\n");
    let made = place.json(&line(&format!(
        "add http://{address}/hook --event webhook.transaction.status.filed --state tx --header X-Token"
    )));
    let (id, secret) = (made["webhook"]["id"].as_str().unwrap(), made["secret"].as_str().unwrap());
    assert_eq!(secret.len(), 20);
    let listed = place.line(&line("list"));
    assert!(listed.out.contains(id) && listed.out.contains("states: TX"), "{listed:?}");
    assert!(!listed.out.contains(secret) && !listed.out.contains("sesame"), "{listed:?}");

    let tested = place.line(&line(&format!("test {id}")));
    assert!(tested.code == 0 && tested.out.starts_with("Received: answered with 200"), "{tested:?}");
    let request = received.lock().unwrap().remove(0).to_ascii_lowercase();
    assert!(request.contains("x-hmac-signature: ") && request.contains("x-token: open sesame"), "{request}");
    assert_eq!(place.line(&line(&format!("deliveries {id}"))).out, "No deliveries.\n");

    let removed = place.line(&line(&format!("remove {id}")));
    assert_eq!((removed.code, removed.out.as_str()), (0, "Removed.\n"));
    assert_ne!(place.line(&line(&format!("test {id}"))).code, 0);

    let (failing, _) = endpoint("500 No");
    let made = place.json(&line(&format!("add http://{failing}/ --title Failing")));
    let tested = place.line(&line(&format!("test {}", made["webhook"]["id"].as_str().unwrap())));
    assert!(tested.code == 5 && tested.err.contains("Answered with 500"), "{tested:?}");
}

#[test]
fn wrong_words_and_refused_addresses() {
    let served = Served::start();
    let place = Place::new().with("BORDEREAU_API_KEY", served.text("api_key"));
    add(&place, &served, "sandbox", "");
    for (words, code, said) in [
        ("add https://example.com --event webhook.unknown", 2, "webhook.transaction.status.filed"),
        ("add https://example.com --state XX", 2, "two letters, such as TX"),
        ("add https://example.com --header X-Token", 2, "BORDEREAU_WEBHOOK_HEADER"),
        ("add http://example.com", 3, "to this machine only"),
        ("add https://user:pass@example.com", 3, "must not carry"),
        ("add https://10.0.0.1", 3, "private networks"),
        ("remove 00", 3, "no such webhook"),
        ("redeliver 77", 3, "no such delivery"),
    ] {
        let ended = place.line(&format!("webhook {words} --profile Office"));
        assert!(ended.code == code && ended.err.contains(said), "{words}: {ended:?}");
    }
}
