//! A bucket of S3 on this computer, of a test's own: what it is asked is signed with its key, or refused.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use sha2::{Digest, Sha256};

pub const KEY: &str = "AKIDEXAMPLE:a secret with = and / in it";
pub const BUCKET: &str = "office-files";

type Files = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

pub struct S3Server {
    pub address: String,
    files: Files,
    failing: Arc<AtomicUsize>,
}

impl S3Server {
    pub fn start() -> S3Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let files = Files::default();
        let (served, failing) = (Arc::clone(&files), Arc::<AtomicUsize>::default());
        let failures = Arc::clone(&failing);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (files, failing) = (Arc::clone(&served), Arc::clone(&failures));
                std::thread::spawn(move || answer(stream, &files, &failing));
            }
        });
        S3Server { address, files, failing }
    }

    /// Fails so many requests from now on: every other one says that it is busy, the others end in the middle of an answer.
    pub fn fail(&self, requests: usize) {
        self.failing.store(requests, Ordering::SeqCst);
    }

    /// Does something to the files by their names.
    pub fn with_files<T>(&self, work: impl FnOnce(&mut BTreeMap<String, Vec<u8>>) -> T) -> T {
        work(&mut self.files.lock().unwrap())
    }
}

struct HttpRequest {
    method: String,
    path: String,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

fn read_request(stream: &mut TcpStream) -> Option<HttpRequest> {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).ok()?;
    let mut lines = head.lines();
    let mut first = lines.next()?.split(' ');
    let (method, path) = (first.next()?.to_owned(), first.next()?.to_owned());
    let headers = lines.filter_map(|line| line.split_once(':'));
    let headers: BTreeMap<String, String> =
        headers.map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned())).collect();
    let mut body = vec![0; headers.get("content-length").map_or(0, |length| length.parse().unwrap())];
    stream.read_exact(&mut body).ok()?;
    Some(HttpRequest { method, path, headers, body })
}

fn answer(mut stream: TcpStream, files: &Files, failing: &AtomicUsize) {
    let Some(request) = read_request(&mut stream) else { return };
    if let Ok(left) = failing.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)) {
        let cut = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nthe beg";
        let busy = "HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        let _ = stream.write_all(if left % 2 == 0 { cut } else { busy }.as_bytes());
        return;
    }
    let (status, body) = if !is_signed(&request) {
        ("403 Forbidden", Vec::new())
    } else {
        let mut files = files.lock().unwrap();
        let path = request.path.split('?').next().unwrap_or_default();
        match (path.strip_prefix(&format!("/{BUCKET}/")), request.method.as_str()) {
            (None, _) => ("404 Not Found", Vec::new()),
            (Some(name), "PUT") => {
                files.insert(name.to_owned(), request.body);
                ("200 OK", Vec::new())
            }
            (Some(name), "DELETE") => {
                files.remove(name);
                ("204 No Content", Vec::new())
            }
            (Some(name), _) => match files.get(name) {
                Some(content) => ("200 OK", content.clone()),
                None => ("404 Not Found", Vec::new()),
            },
        }
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nETag: \"x\"\r\nLast-Modified: Tue, 24 Nov 2026 10:00:00 GMT\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
}

/// Whether the address is signed with the key for this request, and not for long: AWS Signature Version 4 in a query, from
/// <https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html>.
fn is_signed(request: &HttpRequest) -> bool {
    let (id, secret) = KEY.split_once(':').unwrap();
    let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
    let parts: BTreeMap<&str, &str> = query.split('&').filter_map(|part| part.split_once('=')).collect();
    let part = |name: &str| parts.get(name).copied().unwrap_or_default();
    let credential = part("X-Amz-Credential").replace("%2F", "/");
    let Some(scope) = credential.strip_prefix(&format!("{id}/")) else { return false };
    let is_short = part("X-Amz-Expires").parse().is_ok_and(|seconds: u32| (1..=900).contains(&seconds));
    if !is_short || part("X-Amz-Algorithm") != "AWS4-HMAC-SHA256" || part("X-Amz-SignedHeaders") != "host" {
        return false;
    }
    let signed: Vec<&str> = query.split('&').filter(|part| !part.starts_with("X-Amz-Signature=")).collect();
    let host = request.headers.get("host").map(String::as_str).unwrap_or_default();
    let canonical =
        format!("{}\n{path}\n{}\nhost:{host}\n\nhost\nUNSIGNED-PAYLOAD", request.method, signed.join("&"));
    let text = format!(
        "AWS4-HMAC-SHA256\n{}\n{scope}\n{}",
        part("X-Amz-Date"),
        hex(&Sha256::digest(canonical.as_bytes()))
    );
    let first = format!("AWS4{secret}").into_bytes();
    let key = scope.split('/').fold(first, |key, part| hmac(&key, part.as_bytes()));
    hex(&hmac(&key, text.as_bytes())) == part("X-Amz-Signature")
}

fn hmac(key: &[u8], text: &[u8]) -> Vec<u8> {
    let mut block = [0; 64];
    block[..key.len().min(64)].copy_from_slice(&key[..key.len().min(64)]);
    let padded = |with: u8| block.iter().map(|byte| byte ^ with).collect::<Vec<u8>>();
    let inner = Sha256::digest([padded(0x36), text.to_vec()].concat());
    Sha256::digest([padded(0x5c), inner.to_vec()].concat()).to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
