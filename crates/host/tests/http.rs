//! The HTTP host: serves exactly the list of operations, to its own page only.
#![allow(clippy::unwrap_used, reason = "in a test a panic is the answer")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;

use bordereau_desk::api::OPERATIONS;
use bordereau_desk::{Desk, DeskConfig, MemorySecrets, Ports, SystemClock};
use bordereau_host::{
    AccessToken, BODY_MAX_BYTES, CONTENT_SECURITY_POLICY, DROP_MAX_BYTES, HttpHost, InProcessPractice,
    NoBrowser, SavedFolder, serve_http,
};
use serde_json::{Value, json};

struct Host {
    address: SocketAddr,
    data: tempfile::TempDir,
    _runtime: tokio::runtime::Runtime,
}

struct Answer {
    status: u16,
    head: String,
    body: String,
}

fn host() -> Host {
    let data = tempfile::tempdir().unwrap();
    let ui = data.path().join("ui");
    std::fs::create_dir(&ui).unwrap();
    std::fs::write(ui.join("index.html"), "<!doctype html>the page").unwrap();
    std::fs::write(data.path().join("secret.txt"), "secret").unwrap();
    let ports = Ports {
        clock: Arc::new(SystemClock),
        secrets: Arc::new(MemorySecrets::new()),
        practice: Arc::new(InProcessPractice::new(None)),
        dialogs: Arc::new(SavedFolder::new(data.path().join("saved"))),
        browser: Arc::new(NoBrowser),
        policy: Arc::default(),
        sign_in: None,
    };
    let desk = Desk::open(DeskConfig { data_dir: data.path().join("data"), ports }).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let host = HttpHost::new(desk, Some(ui), AccessToken::from_text("token"))
        .keeping_drops_in(data.path().join("dropped"));
    runtime.spawn(serve_http(host, listener, std::future::pending()));
    Host { address, data, _runtime: runtime }
}

impl Host {
    fn send(&self, head: &str, body: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let length = body.len();
        write!(stream, "{head}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n").unwrap();
        // The host may answer and close before a large body is read.
        let _ = stream.write_all(body);
        let mut text = Vec::new();
        let _ = stream.read_to_end(&mut text);
        let text = String::from_utf8(text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
        Answer { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    fn operation(&self, name: &str, request: &Value) -> (u16, Value) {
        let head = format!("POST /op/{name} HTTP/1.1\r\nhost: {}\r\nx-bordereau-token: token", self.address);
        let answer = self.send(&head, request.to_string().as_bytes());
        (answer.status, serde_json::from_str(&answer.body).unwrap_or(Value::Null))
    }
}

#[test]
fn it_serves_exactly_the_list_of_operations() {
    let host = host();
    for operation in OPERATIONS {
        let (_, error) = host.operation(operation, &json!("not an object"));
        let message = error["message"].as_str().unwrap_or_default();
        assert!(message.contains(operation), "{operation} is served and refuses a bad request: {error}");
    }
    let (status, error) = host.operation("quote_everything", &json!({}));
    assert_eq!((status, &error["code"]), (404, &json!("not_found")));
}

#[test]
fn a_quote_goes_through() {
    let host = host();
    let request = json!({
        "state": "TX", "transaction_type": "PN", "policy_effective": "2026-02-23",
        "lines": [{ "code": "GEN-1002", "premium": "9,521" }], "agency_fee": "400", "inspection_fee": "150.42",
    });
    for operation in ["quote_estimate", "quote_calculate"] {
        let (status, answer) = host.operation(operation, &request);
        assert_eq!((status, &answer["taxes"]), (200, &json!("492.49")), "{operation}: {answer}");
    }
    let (status, error) = host.operation("quote_estimate", &json!({ "state": "ZZ" }));
    assert_eq!((status, &error["code"]), (422, &json!("validation")), "{error}");
}

#[test]
fn strangers_are_kept_out() {
    let host = host();
    let (own, head) = (host.address, "POST /op/status_show HTTP/1.1");
    let cases = [
        ("no token", format!("{head}\r\nhost: {own}"), 401),
        ("wrong token", format!("{head}\r\nhost: {own}\r\nx-bordereau-token: tokem"), 401),
        ("rebound name", format!("{head}\r\nhost: evil.example\r\nx-bordereau-token: token"), 421),
        (
            "another page",
            format!("{head}\r\nhost: {own}\r\norigin: https://evil.example\r\nx-bordereau-token: token"),
            403,
        ),
        (
            "own page",
            format!("{head}\r\nhost: {own}\r\norigin: http://{own}\r\nx-bordereau-token: token"),
            200,
        ),
    ];
    for (who, head, status) in cases {
        assert_eq!(host.send(&head, b"{}").status, status, "{who}");
    }
}

#[test]
fn bodies_are_bounded_and_must_be_json() {
    let host = host();
    let head = format!("POST /op/status_show HTTP/1.1\r\nhost: {}\r\nx-bordereau-token: token", host.address);
    assert_eq!(host.send(&head, b"{").status, 400);
    let large = vec![b' '; BODY_MAX_BYTES + 1];
    assert!(matches!(host.send(&head, &large).status, 413 | 0), "refused, or cut off while sending");
}

#[test]
fn a_dropped_file_gets_a_handle_and_stays_inside_the_folder() {
    let host = host();
    let drop = |query: &str, token: &str, body: &[u8]| {
        let head =
            format!("POST /drop?{query} HTTP/1.1\r\nhost: {}\r\nx-bordereau-token: {token}", host.address);
        let answer = host.send(&head, body);
        (answer.status, serde_json::from_str::<Value>(&answer.body).unwrap_or(Value::Null))
    };
    let (status, file) = drop("name=..%2F..%2FRows%20of%20May.csv", "token", b"State,Premium\nTX,100\n");
    assert_eq!(
        (status, &file["name"], &file["bytes"]),
        (200, &json!("Rows of May.csv"), &json!(21)),
        "{file}"
    );
    let inside = host.data.path().join("dropped").join("0").join("Rows of May.csv");
    assert!(inside.exists(), "kept in the host's folder");
    let (_, again) = drop("name=Rows%20of%20May.csv", "token", b"other");
    assert_ne!(file["handle"], again["handle"], "equal names do not meet");
    assert_eq!(std::fs::read(inside).unwrap().len(), 21);
    assert_eq!(drop("name=x.csv", "wrong", b"1").0, 401);
    assert_eq!(drop("name=", "token", b"1").0, 422);
    assert_eq!(drop("", "token", b"1").0, 400);

    let start = json!({ "source": { "kind": "dropped", "handle": file["handle"] } });
    let (status, review) = host.operation("review_start", &start);
    assert_eq!((status, &review["name"]), (200, &json!("Rows of May.csv")), "{review}");
}

/// Refused while it arrives, by what was read and not by what was promised; nothing of it is left.
#[test]
fn a_dropped_file_beyond_the_bound_is_refused() {
    let host = host();
    let mut stream = TcpStream::connect(host.address).unwrap();
    let head = format!(
        "POST /drop?name=big.csv HTTP/1.1\r\nhost: {}\r\nx-bordereau-token: token\r\nconnection: close\r\n\
         transfer-encoding: chunked",
        host.address
    );
    write!(stream, "{head}\r\n\r\n").unwrap();
    let chunk = vec![b'x'; 1 << 20];
    for _ in 0..=DROP_MAX_BYTES >> 20 {
        if write!(stream, "100000\r\n").and_then(|()| stream.write_all(&chunk)).is_err() {
            break;
        }
        let _ = stream.write_all(b"\r\n");
    }
    let _ = stream.write_all(b"0\r\n\r\n");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 422"), "{answer}");
    let left = std::fs::read_dir(host.data.path().join("dropped")).unwrap().count();
    assert_eq!(left, 0, "half a file is removed");
}

#[test]
fn the_page_comes_with_its_policy_and_nothing_else_of_the_disk() {
    let host = host();
    let get = |path: &str| host.send(&format!("GET {path} HTTP/1.1\r\nhost: {}", host.address), b"");
    for path in ["/", "/quote"] {
        let answer = get(path);
        assert_eq!((answer.status, answer.body.as_str()), (200, "<!doctype html>the page"), "{path}");
        assert!(answer.head.contains("content-security-policy: default-src 'self'"), "{}", answer.head);
        assert!(answer.head.contains("x-content-type-options: nosniff"), "{}", answer.head);
    }
    for path in ["/../secret.txt", "/%2e%2e/secret.txt", "/missing.js"] {
        assert_eq!(get(path).status, 404, "{path}");
    }
}

/// What works under one policy must not fail under the other.
#[test]
fn the_policy_is_that_of_the_window() {
    let config: Value =
        serde_json::from_str(include_str!("../../../tauri.conf.json")).expect("tauri.conf.json is JSON");
    let of_the_window = config["app"]["security"]["csp"].as_object().unwrap();
    let own: Vec<(&str, &str)> = CONTENT_SECURITY_POLICY
        .split(';')
        .map(|directive| directive.trim().split_once(' ').unwrap())
        .collect();
    assert_eq!(own.len(), of_the_window.len(), "as many directives");
    for (directive, value) in own {
        let expected = if directive == "connect-src" { "ipc: http://ipc.localhost" } else { value };
        assert_eq!(of_the_window[directive], expected, "{directive}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_of_this_computer_is_in_the_way_is_said_at_the_start() {
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_bordereau-ui-host"));
    let ended = program.args(["--listen", "nowhere"]).env("SSL_CERT_FILE", "/dev/zero").output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.code() == Some(5) && said.contains("SSL_CERT_FILE"), "{said}");
}
