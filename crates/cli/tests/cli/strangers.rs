//! Strangers at `bordereau listen` and `bordereau serve`, and people who read what lies on the disk.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::Value;

use crate::command::Place;
use crate::listening::{Listening, SIGNATURE, listening_place};
use crate::service::{ASKED, Served, add};

const HALF_OPEN: usize = 900;

/// Connections that send the beginning of a request, or nothing, and stay.
fn half_open(address: &str) -> Vec<TcpStream> {
    (0..HALF_OPEN)
        .map(|number| {
            let mut stream = TcpStream::connect(address).unwrap();
            let begun: &[u8] = if number % 2 == 0 { b"" } else { b"POST /events HTTP/1.1\r\n" };
            // Whoever was closed to make room may notice it here.
            let _ = stream.write_all(begun);
            stream
        })
        .collect()
}

#[test]
fn nine_hundred_half_open_connections_leave_the_listener_answering() {
    let place = listening_place();
    let listening = Listening::start(&place);
    let strangers = half_open(listening.address());
    for _ in 0..5 {
        assert_eq!(listening.bring(SIGNATURE), "200");
        assert_eq!(listening.bring(&"0".repeat(64)), "401");
    }
    drop(strangers);
}

#[test]
fn nine_hundred_half_open_connections_leave_the_service_answering() {
    let served = Served::start();
    let strangers = half_open(served.text("base_url").strip_prefix("https://").unwrap());
    let place = Place::new().with("BORDEREAU_API_KEY", served.text("api_key"));
    add(&place, &served, "sandbox", "");
    assert_eq!(place.json(ASKED)["sl_tax"], "488.46");
    drop(strangers);
}

/// Sixty at once: what proves nothing is not read, and what may be proven is read up to the bound alone.
#[test]
#[cfg(target_os = "linux")]
fn bodies_without_end_cost_no_memory() {
    let place = listening_place();
    let listening = Listening::start(&place);
    assert_eq!(listening.bring(SIGNATURE), "200");
    let before = peak_memory_kib(listening.child.id());
    std::thread::scope(|scope| {
        for number in 0..60 {
            let address = listening.address();
            scope.spawn(move || {
                let shown = if number % 2 == 0 { "x".to_owned() } else { "0".repeat(64) };
                let mut stream = TcpStream::connect(address).unwrap();
                let head = format!(
                    "POST /events HTTP/1.1\r\nhost: {address}\r\nx-hmac-signature: {shown}\r\ntransfer-encoding: chunked\r\n\r\n"
                );
                stream.write_all(head.as_bytes()).unwrap();
                let chunk = [b"10000\r\n".as_slice(), &[0; 0x10000], b"\r\n"].concat();
                // Refused early: then writing fails.
                for _ in 0..256 {
                    if stream.write_all(&chunk).is_err() {
                        break;
                    }
                }
            });
        }
    });
    assert_eq!(listening.bring(SIGNATURE), "200");
    let grown = peak_memory_kib(listening.child.id()).saturating_sub(before);
    assert!(grown < 64 * 1024, "{grown} KiB for 60 bodies of 16 MiB");
}

#[cfg(target_os = "linux")]
fn peak_memory_kib(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn a_listener_answers_to_its_own_names() {
    let place = listening_place();
    let listening = Listening::start_with(&place, "--host events.example.com");
    for (host, status) in [
        ("localhost", "200"),
        ("events.example.com", "200"),
        ("events.example.com:443", "200"),
        ("evil.example", "421"),
        ("events.example.com.evil.example", "421"),
        ("10.0.0.1", "421"),
    ] {
        assert_eq!(listening.bring_to(SIGNATURE, host), status, "{host}");
    }
}

#[test]
fn a_delivery_may_be_as_large_as_the_listener_was_told() {
    let place = listening_place();
    for (limit, status) in [("--body-limit 64", "413"), ("--body-limit 128", "401")] {
        let listening = Listening::start_with(&place, limit);
        let mut stream = TcpStream::connect(listening.address()).unwrap();
        let body = "x".repeat(100 * 1024);
        let request = format!(
            "POST /events HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx-hmac-signature: {}\r\ncontent-length: {}\r\n\r\n{body}",
            "0".repeat(64),
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert_eq!(answer.split_whitespace().nth(1), Some(status), "{limit}: {answer}");
    }
}

/// What `serve` and `listen` print into a pipe, and what standard error says beside it.
fn printed(place: &Place, arguments: &[&str]) -> (String, String) {
    let mut child = place.command().args(arguments).spawn().unwrap();
    let mut line = String::new();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    output.read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    output.read_to_string(&mut line).unwrap();
    let mut note = String::new();
    child.stderr.take().unwrap().read_to_string(&mut note).unwrap();
    (line, note)
}

#[test]
fn no_secret_goes_into_a_pipe() {
    const KEY: &str = "bdk_given-by-the-desk-0123456789";
    const TOKEN: &str = "token-from-the-environment";
    let given = listening_place()
        .with("BORDEREAU_API_KEY", KEY)
        .with("BORDEREAU_PASSWORD", "given by the desk")
        .with("BORDEREAU_LISTEN_TOKEN", TOKEN);
    let serve = ["serve", "--json"];
    let listen = ["listen", "--bind", "127.0.0.1:0", "--json"];
    for arguments in [&serve[..], &serve[..1], &listen, &listen[..3]] {
        let (line, note) = printed(&given, arguments);
        assert!(line.contains("http"), "{line} {note}");
        for secret in [KEY, "given by the desk", TOKEN, "secret of 20 letters"] {
            assert!(!line.contains(secret) && !note.contains(secret), "{arguments:?}: {line}{note}");
        }
        assert!(!note.contains("generated"), "nothing was: {note}");
    }
    for (arguments, names) in [(&serve[..], vec!["api_key", "password"]), (&listen, vec!["token"])] {
        let (line, note) = printed(&listening_place(), arguments);
        let line: Value = serde_json::from_str(line.lines().next().unwrap()).unwrap();
        for name in names {
            assert_eq!(line[name], Value::Null, "{arguments:?}");
            assert!(note.contains(name) && note.contains("--credentials-file"), "{note}");
        }
    }
}

#[test]
#[cfg(unix)]
fn generated_secrets_go_into_a_file_of_their_owner() {
    use std::os::unix::fs::PermissionsExt;
    let place = listening_place();
    let file = place.folder().join("secrets.json");
    std::fs::write(&file, "what others could read").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    for (arguments, name) in
        [(vec!["serve", "--json"], "api_key"), (vec!["listen", "--bind", "127.0.0.1:0"], "token")]
    {
        let path = file.to_str().unwrap();
        let (line, note) = printed(&place, &[arguments, vec!["--credentials-file", path]].concat());
        let text = std::fs::read_to_string(&file).unwrap();
        let secrets: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text} {note}"));
        let secret = secrets[name].as_str().unwrap();
        assert!(secret.len() >= 20 && !line.contains(secret), "{line}");
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

/// A folder that everybody can open was there before: what is put into it is still its owner's alone, and it is said.
#[test]
#[cfg(unix)]
fn what_lies_in_an_open_folder_is_readable_by_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let place = listening_place();
    let data = place.folder().join("data");
    std::fs::create_dir(&data).unwrap();
    std::fs::set_permissions(&data, std::fs::Permissions::from_mode(0o755)).unwrap();
    let (_, note) = printed(&place, &["serve", "--json", "--data", data.to_str().unwrap()]);
    assert!(note.contains("open to others") && note.contains("chmod"), "{note}");
    let looked = place.line("profile list");
    assert!(looked.code == 0 && looked.err.contains("open to others"), "{looked:?}");
    let mut folders = vec![data];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let metadata = entry.metadata().unwrap();
            let mode = metadata.permissions().mode() & 0o777;
            let is_public = entry.file_name() == "practice-ca.pem";
            assert!(is_public || mode & 0o077 == 0, "{}: {mode:o}", entry.path().display());
            count += 1;
            if metadata.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    assert!(count >= 5, "there is something to look at");
}

#[test]
#[cfg(target_os = "linux")]
fn a_crash_leaves_no_image_of_the_memory() {
    let served = Served::start();
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", served.id())).unwrap();
    let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
    let values: Vec<&str> = core.split_whitespace().skip(4).take(2).collect();
    assert_eq!(values, ["0", "0"], "{core}");
    assert!(served.data().is_dir());
}
