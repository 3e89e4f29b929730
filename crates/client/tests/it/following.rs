//! A listener that is followed and is hostile, or is none: each of its answers ends within bounds, in a sentence.

use std::time::Duration;

use bordereau_client::{ClientError, EventStream, FeedConfig, FeedEntry, FeedPatience, Secret};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";

/// What a listener sends: first this, then the piece so many times, each after the pause; then it ends or is silent.
#[derive(Clone, Copy)]
struct Sent {
    first: &'static [u8],
    piece: &'static [u8],
    count: usize,
    pause: Duration,
    ends: bool,
}

const NOTHING_MORE: Sent = Sent { first: HEAD, piece: b"", count: 0, pause: Duration::ZERO, ends: true };

async fn send(mut stream: TcpStream, sent: Sent) -> std::io::Result<()> {
    let mut request = [0; 4096];
    let _ = stream.read(&mut request).await?;
    stream.write_all(sent.first).await?;
    for _ in 0..sent.count {
        stream.write_all(sent.piece).await?;
        tokio::time::sleep(sent.pause).await;
    }
    if !sent.ends {
        std::future::pending::<()>().await;
    }
    stream.shutdown().await
}

/// All that comes of following it: the entries before the end, and the error it ends with.
async fn follow(sent: Sent) -> (Vec<FeedEntry>, Option<ClientError>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let serving = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(send(stream, sent));
        }
    });
    let seconds = Duration::from_secs;
    let config = FeedConfig {
        address,
        token: Secret::new("a token of a listener"),
        last_id: None,
        extra_ca_pem: None,
        patience: FeedPatience { answer: seconds(5), silence: seconds(5), entry: seconds(10) },
    };
    let mut entries = Vec::new();
    let ended = async {
        let mut stream = EventStream::open(config).await?;
        while let Some(entry) = stream.next().await? {
            entries.push(entry);
        }
        Ok::<(), ClientError>(())
    };
    let error = ended.await.err();
    serving.abort();
    (entries, error)
}

#[tokio::test]
async fn a_hostile_listener_ends_in_a_sentence() {
    let begun = |piece: &'static [u8]| Sent { piece, count: usize::MAX, ..NOTHING_MORE };
    let slow = |first, piece| Sent {
        first,
        piece,
        count: usize::MAX,
        pause: Duration::from_millis(100),
        ends: true,
    };
    let only = |first| Sent { first, ..NOTHING_MORE };
    static LINE: [u8; 1 << 16] = [b'x'; 1 << 16];
    static LINES: [[u8; 8]; 1 << 13] = [*b"data: x\n"; 1 << 13];
    let cases: [(&str, Sent, &str); 13] = [
        ("a line without end", begun(&LINE), "the answer is larger than 24 MB"),
        ("lines without end", begun(LINES.as_flattened()), "the answer is larger than 24 MB"),
        ("an entry byte by byte", slow(HEAD, b"x"), "an entry did not come to its end"),
        (
            "a head byte by byte",
            slow(b"HTTP/1.1 200 OK\r\nx-more: ", b"x"),
            "did not answer within 5 s",
        ),
        (
            "interim answers without end",
            slow(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
            "did not answer within 5 s",
        ),
        ("silence", Sent { ends: false, ..NOTHING_MORE }, "broke before the answer was complete"),
        (
            "the same entry without end",
            begun(b"id: 1\ndata: {}\n\n"),
            "an entry has no number behind the one before",
        ),
        (
            "a number that is too large",
            begun(b"id: 99999999999999999999999999\ndata: {}\n\n"),
            "an entry has no number behind the one before",
        ),
        ("a number below zero", begun(b"id: -5\ndata: {}\n\n"), "no number behind the one before"),
        (
            "a redirect",
            only(b"HTTP/1.1 302 Found\r\nlocation: https://evil.example/follow\r\ncontent-length: 0\r\n\r\n"),
            "isn't a listener that can be followed",
        ),
        (
            "a page",
            only(b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<html>Sign in"),
            "isn't a listener that can be followed",
        ),
        (
            "a length that is none",
            only(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: -1\r\n\r\n"),
            "broke before the answer was complete",
        ),
        (
            "a piece longer than memory",
            only(
                b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffff\r\nid: 1\n",
            ),
            "broke before the answer was complete",
        ),
    ];
    let following = cases.map(|(name, sent, sentence)| {
        (name, sentence, tokio::spawn(tokio::time::timeout(Duration::from_secs(60), follow(sent))))
    });
    let mut complaints = Vec::new();
    for (name, sentence, following) in following {
        match following.await.expect("no panic") {
            Ok((entries, Some(error))) if entries.len() <= 1 && error.to_string().contains(sentence) => {}
            Ok((entries, error)) => complaints.push(format!("{name}: {} entries, {error:?}", entries.len())),
            Err(_) => complaints.push(format!("{name}: it does not end")),
        }
    }
    assert!(complaints.is_empty(), "{complaints:#?}");
}

/// Comments keep a connection alive however long they come, and entries between them are read; bytes that are no UTF-8
/// stay within their entry.
#[tokio::test]
async fn entries_come_between_signs_of_life() {
    let alive =
        Sent { first: HEAD, piece: b": \n\n", count: 50, pause: Duration::from_millis(100), ends: true };
    assert_eq!(follow(alive).await, (Vec::new(), None));
    const FIRST: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n: follows\n\n\n\n\n\nid: 3\ndata: \xff\xfe\n\nid: 9223372036854775807\ndata: {}\n\n";
    let (entries, error) = follow(Sent { first: FIRST, ..NOTHING_MORE }).await;
    let found: Vec<(i64, &str)> = entries.iter().map(|entry| (entry.id, entry.data.as_str())).collect();
    assert_eq!((found, error), (vec![(3, "\u{fffd}\u{fffd}"), (i64::MAX, "{}")], None));
}
