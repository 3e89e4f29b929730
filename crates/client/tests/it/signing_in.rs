//! Keys, sign-in, and the one refresh for all who wait (contract section 1).

use std::sync::{Arc, Mutex};

use bordereau_client::{
    Client, ClientConfig, ClientError, Credentials, MemoryTokens, Secret, StoredTokens, TokenStore,
    UserTokens,
};
use chrono::{DateTime, Utc};
use serde_json::json;
use tokio::task::JoinSet;

use crate::practice::{Practice, texas};
use crate::scripted::{Scripted, answer, json_answer, quote_answer};

const HOUR: i64 = 3_600;

/// Fifty quotes at once; all must succeed.
async fn fifty(client: &Client) {
    let mut calls = JoinSet::new();
    for _ in 0..50 {
        let client = client.clone();
        calls.spawn(async move { client.calculate(&texas()).await });
    }
    while let Some(outcome) = calls.join_next().await {
        outcome.expect("no panic").expect("a quote");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_calls_with_an_expired_token_make_one_refresh() {
    let practice = Practice::start().await;
    let client = practice.with_user(Arc::new(MemoryTokens::new()));
    client.sign_in(&practice.running.username, &practice.password()).await.expect("signed in");
    practice.clock.advance(HOUR + 1);
    fifty(&client).await;
    // The sign-in, one refresh, fifty quotes; what an expired token asked is nobody's and not counted.
    assert_eq!(practice.counted().await, 52);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_calls_without_a_token_make_one_refresh() {
    let practice = Practice::start().await;
    let store = Arc::new(MemoryTokens::new());
    let first = practice.with_user(store.clone());
    first.sign_in(&practice.running.username, &practice.password()).await.expect("signed in");
    let next_start = practice.with_user(store);
    fifty(&next_start).await;
    assert_eq!(practice.counted().await, 52);
    assert_eq!(next_start.request_usage().0, 51, "no request was refused on the way");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_calls_with_a_dead_sign_in_ask_once() {
    let practice = Practice::start().await;
    let store = Arc::new(MemoryTokens::new());
    store.save_tokens(&StoredTokens::given_at(Secret::new("bdr_never_given"), Utc::now()));
    let client = practice.with_user(store.clone());
    let mut calls = JoinSet::new();
    for _ in 0..50 {
        let client = client.clone();
        calls.spawn(async move { client.calculate(&texas()).await });
    }
    while let Some(outcome) = calls.join_next().await {
        let error = outcome.expect("no panic").expect_err("the sign-in is dead");
        assert!(matches!(error, ClientError::SignInAgain { .. }), "{error}");
    }
    assert_eq!(client.request_usage().0, 1);
    assert_eq!(store.load_tokens(), None, "a dead token is forgotten");
}

#[tokio::test]
async fn after_a_month_the_password_is_needed() {
    let practice = Practice::start().await;
    let store = Arc::new(MemoryTokens::new());
    let client = practice.with_user(store.clone());
    client.sign_in(&practice.running.username, &practice.password()).await.expect("signed in");
    client.calculate(&texas()).await.expect("a quote");
    practice.clock.advance(31 * 24 * HOUR);
    for _ in 0..2 {
        let error = client.calculate(&texas()).await.expect_err("a month is over");
        assert!(matches!(error, ClientError::SignInAgain { .. }), "{error}");
    }
    client.sign_in(&practice.running.username, &practice.password()).await.expect("signed in");
    client.calculate(&texas()).await.expect("a quote");
}

#[tokio::test]
async fn a_token_known_to_be_too_old_is_not_even_tried() {
    let practice = Practice::start().await;
    let store = Arc::new(MemoryTokens::new());
    let day = DateTime::from_timestamp(1_700_000_000, 0).expect("an instant");
    store.save_tokens(&StoredTokens { refresh_token: Secret::new("old"), refresh_expires_at: day });
    let client = practice.with_user(store);
    let error = client.calculate(&texas()).await.expect_err("too old");
    assert!(error.to_string().contains("older than a month"), "{error}");
    assert_eq!(client.request_usage().0, 0);
}

#[tokio::test]
async fn wrong_password_wrong_key_no_credentials() {
    let practice = Practice::start().await;
    let client = practice.with_user(Arc::new(MemoryTokens::new()));
    let error = client.sign_in("practice", &Secret::new("wrong password")).await.expect_err("wrong");
    assert!(
        matches!(&error, ClientError::NotAuthorized { status: 401, text } if !text.is_empty()),
        "{error}"
    );
    assert_eq!(client.calculate(&texas()).await, Err(ClientError::NoCredentials));
    for (key, expected) in [("bdk_unknown", "not known"), ("two\nlines", "cannot be sent")] {
        let client =
            Client::new(practice.config(), Credentials::with_api_key(key), Arc::new(MemoryTokens::new()));
        let error = client.expect("a client").calculate(&texas()).await.expect_err(key);
        assert!(error.to_string().contains(expected), "{error}");
    }
    let old = practice.with_key(practice.config());
    practice.drive("POST", "accounts/me/api-key", json!({})).await;
    let error = old.calculate(&texas()).await.expect_err("replaced");
    assert!(matches!(error, ClientError::NotAuthorized { .. }), "{error}");
}

#[tokio::test]
async fn key_and_bearer_together() {
    let practice = Practice::start().await;
    let credentials = Credentials {
        api_key: Some(Secret::new(practice.running.api_key.clone())),
        user: Some(UserTokens::default()),
    };
    let client =
        Client::new(practice.config(), credentials, Arc::new(MemoryTokens::new())).expect("a client");
    client.calculate(&texas()).await.expect("the key alone serves until somebody signs in");
    client.sign_in(&practice.running.username, &practice.password()).await.expect("signed in");
    client.calculate(&texas()).await.expect("both");
}

#[tokio::test]
async fn not_contracted_is_not_permitted() {
    let practice = Practice::start().await;
    practice.drive("PATCH", "accounts/me", json!({ "calculator": false })).await;
    let error = practice.with_key(practice.config()).calculate(&texas()).await.expect_err("not contracted");
    assert!(matches!(error, ClientError::NotPermitted { status: 403, .. }), "{error}");
}

/// Notes the order of what happens to it.
#[derive(Default)]
struct Noting {
    tokens: MemoryTokens,
    notes: Arc<Mutex<Vec<String>>>,
}

impl TokenStore for Noting {
    fn load_tokens(&self) -> Option<StoredTokens> {
        self.tokens.load_tokens()
    }
    fn save_tokens(&self, tokens: &StoredTokens) {
        self.notes.lock().expect("notes").push(format!("save {}", tokens.refresh_token.expose()));
        self.tokens.save_tokens(tokens);
    }
    fn forget_refused(&self, refused: &StoredTokens) {
        self.tokens.forget_refused(refused);
    }
}

/// The practice service never replaces a refresh token; others do.
#[tokio::test]
async fn a_replaced_refresh_token_is_stored_before_it_is_used() {
    let store = Arc::new(Noting::default());
    store.tokens.save_tokens(&StoredTokens::given_at(Secret::new("first"), Utc::now()));
    let notes = store.notes.clone();
    let service = Scripted::start(move |request| {
        if !request.starts_with("POST /api/oauth2/token") {
            notes.lock().expect("notes").push("quote".to_owned());
            return quote_answer();
        }
        notes.lock().expect("notes").push("refresh".to_owned());
        // Used up at once, so that the next call refreshes again.
        let answer = if request.contains("first") {
            r#"{"access_token":"a","refresh_token":"second","expires_in":0}"#
        } else {
            r#"{"access_token":"b","expires_in":3600}"#
        };
        json_answer(200, answer)
    })
    .await;
    let client = Client::new(service.config(), Credentials::for_user(), store.clone()).expect("a client");
    client.calculate(&texas()).await.expect("a quote");
    client.calculate(&texas()).await.expect("a quote");
    assert_eq!(*store.notes.lock().expect("notes"), ["refresh", "save second", "quote", "refresh", "quote"]);
    let kept = store.load_tokens().map(|tokens| tokens.refresh_token);
    assert_eq!(kept, Some(Secret::new("second")), "the old one stays when no new one comes");
}

#[tokio::test]
async fn another_process_may_have_refreshed() {
    let store = Arc::new(MemoryTokens::new());
    let elsewhere = store.clone();
    let service = Scripted::start(move |request| {
        if !request.starts_with("POST /api/oauth2/token") {
            return quote_answer();
        }
        if request.contains("replaced") {
            elsewhere.save_tokens(&StoredTokens::given_at(Secret::new("current"), Utc::now()));
            return json_answer(400, r#"{"error":"invalid_grant"}"#);
        }
        json_answer(200, r#"{"access_token":"a","expires_in":3600}"#)
    })
    .await;
    store.save_tokens(&StoredTokens::given_at(Secret::new("replaced"), Utc::now()));
    let client = Client::new(service.config(), Credentials::for_user(), store).expect("a client");
    client.calculate(&texas()).await.expect("the token in the store was tried");
    assert_eq!(service.requests().len(), 3);
}

#[tokio::test]
async fn a_token_refused_twice_asks_for_a_new_sign_in() {
    let service = Scripted::start(|request| {
        if request.starts_with("POST /api/oauth2/token") {
            json_answer(200, r#"{"access_token":"a","expires_in":3600}"#)
        } else {
            json_answer(401, r#"{"message":"No."}"#)
        }
    })
    .await;
    let store = Arc::new(MemoryTokens::new());
    store.save_tokens(&StoredTokens::given_at(Secret::new("refresh"), Utc::now()));
    let client = Client::new(service.config(), Credentials::for_user(), store).expect("a client");
    let error = client.calculate(&texas()).await.expect_err("refused");
    assert_eq!(error, ClientError::SignInAgain { reason: "No.".to_owned() });
    let asked: Vec<_> = service.requests().iter().map(|r| r.contains("oauth2")).collect();
    assert_eq!(asked, [true, false, true, false]);
}

#[tokio::test]
async fn a_sign_in_that_is_told_to_wait_waits_and_signs_in() {
    for retry_after in [1, 3_600] {
        let asked = Mutex::new(0);
        let service = Scripted::start(move |_| {
            let mut asked = asked.lock().expect("no panic");
            *asked += 1;
            if *asked == 1 {
                answer(429, &format!("retry-after: {retry_after}\r\n"), "Too many.")
            } else {
                json_answer(200, r#"{"access_token":"a","expires_in":3600}"#)
            }
        })
        .await;
        let client = Client::new(service.config(), Credentials::for_user(), Arc::new(MemoryTokens::new()))
            .expect("a client");
        let outcome = client.sign_in("u", &Secret::new("p")).await;
        match retry_after {
            1 => assert!(outcome.is_ok(), "{outcome:?}"),
            // Longer than a person waits: said at once.
            _ => assert!(matches!(outcome, Err(ClientError::RateLimited { .. })), "{outcome:?}"),
        }
    }
}

#[tokio::test]
async fn a_caller_that_goes_away_loses_no_refresh_token() {
    let service = Scripted::start(|_| {
        std::thread::sleep(std::time::Duration::from_millis(200));
        json_answer(200, r#"{"access_token":"a","refresh_token":"second","expires_in":3600}"#)
    })
    .await;
    let store = Arc::new(MemoryTokens::new());
    store.save_tokens(&StoredTokens::given_at(Secret::new("first"), Utc::now()));
    let client = Client::new(service.config(), Credentials::for_user(), store.clone()).expect("a client");
    let call = tokio::spawn(async move { client.calculate(&texas()).await });
    while service.requests().is_empty() {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    call.abort();
    for _ in 0..200 {
        if store.load_tokens().is_some_and(|tokens| tokens.refresh_token == Secret::new("second")) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("the new refresh token was lost");
}

#[tokio::test]
async fn token_answers_that_cannot_be_read_show_nothing_of_themselves() {
    for (body, path) in [
        (r#"{"access_token":{"token":"bda_visible"},"expires_in":5}"#, "access_token"),
        (r#"{"message":"bda_visible"}"#, ""),
        (r#"{"access_token":"","expires_in":5}"#, "access_token"),
        ("bda_visible", ""),
    ] {
        let service = Scripted::start(move |_| json_answer(200, body)).await;
        let client = Client::new(service.config(), Credentials::for_user(), Arc::new(MemoryTokens::new()))
            .expect("a client");
        let error = client.sign_in("u", &Secret::new("p")).await.expect_err(body);
        assert!(matches!(&error, ClientError::Unreadable { path: found, .. } if found == path), "{error}");
        assert!(!format!("{error} {error:?}").contains("bda_visible"), "{error:?}");
    }
}

#[test]
fn stored_tokens_survive_the_keychain() {
    let tokens = StoredTokens::given_at(
        Secret::new("a b c"),
        DateTime::from_timestamp(1_800_000_000, 0).expect("one"),
    );
    let text = tokens.to_secret_text();
    assert_eq!(StoredTokens::from_secret_text(&text), Some(tokens));
    for bad in ["", "x", "12", "12 ", "x y"] {
        assert_eq!(StoredTokens::from_secret_text(bad), None, "{bad}");
    }
    let _ = ClientConfig::for_address("https://h.example");
}
