//! Everything that goes wrong between a question and its answer.

use std::time::{Duration, Instant};

use bordereau_client::ClientError;

use crate::practice::{Practice, texas, usd};
use crate::scripted::{QUOTE, Scripted, answer, json_answer, quote_answer};

/// Faults of a write, and whether the service did it: the client cannot know from the error.
pub const LOST_ANSWERS: [(&str, bool); 7] = [
    ("cut", true),
    ("error_after", true),
    ("cut_body", true),
    ("malformed", true),
    ("delay_after", true),
    ("error_before", false),
    ("cut_before", false),
];

#[tokio::test]
async fn reads_are_repeated_after_passing_faults() {
    let practice = Practice::start().await;
    let client = practice.with_key(practice.config());
    for kind in ["error_before", "error_after", "cut"] {
        practice.fault("calculator", kind, 2).await;
        let quote = client.calculate(&texas()).await.expect(kind);
        assert_eq!(quote.sl_tax, Some(usd("488.46")));
        assert_eq!(practice.faults_left().await, 0, "{kind}");
    }
}

#[tokio::test]
async fn repeating_ends() {
    let practice = Practice::start().await;
    let client = practice.with_key(practice.config());
    for (kind, expected) in [("error_before", "the service failed (status 500)"), ("cut", "broke before")] {
        practice.fault("calculator", kind, 4).await;
        let error = client.calculate(&texas()).await.expect_err(kind);
        assert!(error.to_string().contains(expected), "{error}");
        assert!(error.is_retryable() && error.is_outcome_unknown());
        // Three attempts were made, so one fault is left.
        assert_eq!(practice.faults_left().await, 1);
        practice.drive("DELETE", "faults", serde_json::json!({})).await;
    }
}

#[tokio::test]
async fn writes_are_not_repeated() {
    let practice = Practice::start().await;
    for kind in ["error_before", "error_after", "cut"] {
        practice.fault("token", kind, 1).await;
        let client = practice.with_user(std::sync::Arc::new(bordereau_client::MemoryTokens::new()));
        client.sign_in(&practice.running.username, &practice.password()).await.expect_err(kind);
        assert_eq!(client.request_usage().0, 1, "{kind}");
    }
}

#[tokio::test]
async fn half_a_body_names_what_is_missing_and_is_not_repeated() {
    let practice = Practice::start().await;
    let client = practice.with_key(practice.config());
    practice.fault("calculator", "malformed", 1).await;
    let error = client.calculate(&texas()).await.expect_err("half a body");
    assert!(matches!(error, ClientError::Unreadable { status: 200, .. }), "{error}");
    assert_eq!(client.request_usage().0, 1);
}

#[tokio::test]
async fn a_slow_answer_is_a_timeout() {
    let practice = Practice::start().await;
    let body =
        serde_json::json!({ "operation": "calculator", "kind": "delay", "times": 9, "delay_ms": 5_000 });
    practice.drive("POST", "faults", body).await;
    for (read, overall) in [(200, 700), (5_000, 300)] {
        let mut config = practice.config();
        config.timeouts.read = Duration::from_millis(read);
        config.timeouts.overall = Duration::from_millis(overall);
        let started = Instant::now();
        let error = practice.with_key(config).calculate(&texas()).await.expect_err("slow");
        assert!(matches!(error, ClientError::Timeout { .. }), "{error}");
        assert!(started.elapsed() < Duration::from_millis(overall + 3_000), "{:?}", started.elapsed());
    }
}

#[tokio::test]
async fn a_connection_cut_in_the_middle_of_the_body() {
    let cut = Scripted::start(|_| {
        let mut bytes = quote_answer();
        bytes.truncate(bytes.len() - 40);
        bytes
    })
    .await;
    let error = cut.client().calculate(&texas()).await.expect_err("cut");
    assert!(matches!(error, ClientError::Interrupted { .. }), "{error}");
    assert_eq!(cut.requests().len(), 3);
}

#[tokio::test]
async fn oversized_bodies_are_not_read() {
    let announced = Scripted::start(|_| json_answer(200, &" ".repeat(300_000))).await;
    let chunked = Scripted::start(|_| {
        let mut bytes = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n".to_vec();
        for _ in 0..100 {
            bytes.extend_from_slice(format!("1000\r\n{}\r\n", " ".repeat(0x1000)).as_bytes());
        }
        bytes
    })
    .await;
    for service in [announced, chunked] {
        let config = bordereau_client::ClientConfig { answer_bytes_max: 200_000, ..service.config() };
        let client = bordereau_client::Client::new(
            config,
            bordereau_client::Credentials::with_api_key("k"),
            std::sync::Arc::new(bordereau_client::MemoryTokens::new()),
        )
        .expect("a client");
        let error = client.calculate(&texas()).await.expect_err("too large");
        assert_eq!(error, ClientError::TooLarge { limit_bytes: 200_000 });
        assert_eq!(service.requests().len(), 1);
    }
}

#[tokio::test]
async fn an_error_body_without_end_is_cut_short() {
    let service = Scripted::start(|_| answer(400, "", &"word ".repeat(1_000_000))).await;
    let error = service.client().calculate(&texas()).await.expect_err("rejected");
    assert!(error.to_string().len() < 700, "{}", error.to_string().len());
}

#[tokio::test]
async fn answers_that_are_not_quotes() {
    for (body, expected) in [
        (QUOTE.replace("4.85", "\"four\""), "at sl_tax: a number is expected, found \"four\""),
        (QUOTE.replace("\"premium\":100,", ""), "it has no \"premium\""),
        ("<html><body><h1>Please sign in</h1></body></html>".to_owned(), "it is a web page: Please sign in"),
        (String::new(), "it is empty"),
        ("[".repeat(100_000), "cannot be read"),
    ] {
        let sent = body.clone();
        let service = Scripted::start(move |_| answer(200, "content-type: text/html\r\n", &sent)).await;
        let error = service.client().calculate(&texas()).await.expect_err("not a quote").to_string();
        assert!(error.contains("(status 200)") && error.contains(expected), "{error}");
    }
}

#[tokio::test]
async fn loose_answers_are_read() {
    let exotic = QUOTE
        .replace("4.85", "\"4.850\"")
        .replace("}", ",\"municipal_fee\":null,\"unknown\":{\"a\":[1]},\"municipal_tax_settings\":{\"municipal_tax_setting\":{\"municipality_name\":\"Louisville\"}}}");
    let service =
        Scripted::start(move |_| answer(201, "content-type: text/plain\r\n", &format!("\u{feff}{exotic}")))
            .await;
    let quote = service.client().calculate(&texas()).await.expect("a quote");
    assert_eq!(quote.sl_tax, Some(usd("4.85")));
    assert_eq!(quote.municipal_tax_settings.iter().count(), 1);
}

#[tokio::test]
async fn refusals_of_every_kind() {
    for (status, headers, body, expected) in [
        (
            422,
            "content-type: application/problem+json\r\n",
            r#"{"title":"Bad","errors":[{"pointer":"/premium","detail":"negative"}]}"#,
            "/premium: negative",
        ),
        (400, "", r#"{"message":"what it is"}"#, "(status 400): what it is"),
        (403, "", "<p>Not <b>for</b> you</p>", "(status 403): Not for you"),
        (
            401,
            "",
            r#"{"error":"invalid_token","error_description":"The key bdk_visible_key is dead"}"#,
            "The key [hidden] is dead",
        ),
        (501, "", "plain words", "(status 501): plain words"),
        (418, "", "", "(status 418)"),
        (304, "", "", "(status 304)"),
    ] {
        let service = Scripted::start(move |_| answer(status, headers, body)).await;
        let error = service.client().calculate(&texas()).await.expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
        assert_eq!(service.requests().len(), 1, "{status}");
    }
}

#[tokio::test]
async fn redirects_stay_on_the_host_and_keep_the_request() {
    let other = Scripted::start(|_| quote_answer()).await;
    let elsewhere = format!("location: {}/x\r\n", other.base_url);
    let service = Scripted::start(move |request| match request.split(' ').nth(1) {
        Some("/moved") => quote_answer(),
        _ => answer(307, "location: /moved\r\n", ""),
    })
    .await;
    service.client().calculate(&texas()).await.expect("307 on the same host");
    let requests = service.requests();
    assert!(requests[1].starts_with("POST /moved") && requests[1].contains("GEN-1002"), "{}", requests[1]);

    let leaving = Scripted::start(move |_| answer(307, &elsewhere, "")).await;
    let error = leaving.client().calculate(&texas()).await.expect_err("leaves the host");
    assert!(matches!(error, ClientError::CrossHostRedirect { .. }), "{error}");
    assert!(other.requests().is_empty(), "nothing was sent there");

    let plain = Scripted::start(|_| answer(308, "location: http://127.0.0.1/x\r\n", "")).await;
    let error = plain.client().calculate(&texas()).await.expect_err("leaves https");
    assert!(matches!(error, ClientError::CrossHostRedirect { .. }), "{error}");

    let turning = Scripted::start(|_| answer(302, "location: /login\r\n", "")).await;
    let error = turning.client().calculate(&texas()).await.expect_err("would become a GET");
    assert!(error.to_string().contains("points to /login"), "{error}");

    let endless = Scripted::start(|_| answer(307, "location: /again\r\n", "")).await;
    let error = endless.client().calculate(&texas()).await.expect_err("endless");
    assert!(matches!(error, ClientError::BadRedirect { .. }), "{error}");
    assert_eq!(endless.requests().len(), 6);
}

#[tokio::test]
async fn nothing_listens() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let config = bordereau_client::ClientConfig::for_address(format!("https://{address}"));
    let store = std::sync::Arc::new(bordereau_client::MemoryTokens::new());
    let credentials = bordereau_client::Credentials::with_api_key("k");
    let client = bordereau_client::Client::new(config, credentials, store).expect("a client");
    let error = client.calculate(&texas()).await.expect_err("nothing listens");
    assert!(matches!(&error, ClientError::Offline { host, .. } if *host == address.to_string()), "{error}");
}

/// An address of a port that speaks plain HTTP.
#[tokio::test]
async fn a_port_without_tls_is_named_as_the_likely_mistake() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let served = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let plain = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n";
            let _ = tokio::io::AsyncWriteExt::write_all(&mut stream, plain).await;
        }
    });
    let config = bordereau_client::ClientConfig::for_address(format!("https://{address}"));
    let store = std::sync::Arc::new(bordereau_client::MemoryTokens::new());
    let credentials = bordereau_client::Credentials::with_api_key("k");
    let client = bordereau_client::Client::new(config, credentials, store).expect("a client");
    let error = client.calculate(&texas()).await.expect_err("no TLS");
    served.abort();
    let expected =
        format!("{address} cannot be reached: the server does not use TLS, so the port may be wrong");
    assert_eq!(error.to_string(), expected);
}
