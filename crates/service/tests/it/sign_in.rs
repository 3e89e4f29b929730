//! Authentication, rule by rule (contract section 1).

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{CALCULATOR, Service, service, texas};

/// Headers and query of a calculator call, and the status it must get.
struct Case {
    name: &'static str,
    key: Option<String>,
    query: Option<String>,
    authorization: Option<String>,
    status: u16,
}

fn case(name: &'static str, status: u16) -> Case {
    Case { name, key: None, query: None, authorization: None, status }
}

impl Case {
    fn key(mut self, key: &str) -> Case {
        self.key = Some(key.into());
        self
    }
    fn query(mut self, key: &str) -> Case {
        self.query = Some(key.into());
        self
    }
    fn authorization(mut self, value: impl Into<String>) -> Case {
        self.authorization = Some(value.into());
        self
    }
}

async fn check(service: &Service, case: Case) {
    let path = match &case.query {
        Some(key) => format!("{CALCULATOR}?apikey={key}"),
        None => CALCULATOR.to_owned(),
    };
    let mut request = service.bare(Method::POST, &path).json(&texas());
    if let Some(key) = &case.key {
        request = request.header("apiKey", key);
    }
    if let Some(value) = &case.authorization {
        request = request.header("authorization", value);
    }
    let answer = service.send(request).await;
    assert_eq!(answer.status.as_u16(), case.status, "{}: {}", case.name, answer.text);
    if case.status == 401 {
        assert_eq!(answer.header("content-type"), "application/problem+json", "{}", case.name);
        assert!(!answer.json()["detail"].as_str().unwrap().is_empty(), "{} has a sentence", case.name);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn key_and_token_table() {
    let service = service().await;
    let (access, refresh) = service.sign_in().await;
    let other = service
        .practice(Method::POST, "accounts", Some(json!({"name": "Other", "username": "other"})))
        .await
        .expect(201)
        .json();
    let other_key = other["api_key"].as_str().unwrap();
    let key = service.running.api_key.clone();
    let bearer = |token: &str| format!("Bearer {token}");
    for case in [
        case("nothing", 401),
        case("key", 200).key(&key),
        case("bearer", 200).authorization(bearer(&access)),
        case("scheme in lower case", 200).authorization(format!("bearer {access}")),
        case("both", 200).key(&key).authorization(bearer(&access)),
        case("query", 200).query(&key),
        case("query and header the same", 200).key(&key).query(&key),
        case("query and header differ", 401).key(&key).query(other_key),
        case("empty key", 401).key(""),
        case("unknown key", 401).key("bdk_unknown-unknown-unknown"),
        case("unknown query key", 401).query("bdk_unknown-unknown-unknown"),
        case("key with another case", 401).key(&key.to_uppercase()),
        case("unknown token", 401).authorization(bearer("bda_unknown")),
        case("refresh token as access token", 401).authorization(bearer(&refresh)),
        case("API key as bearer", 401).authorization(bearer(&key)),
        case("good key, bad bearer", 401).key(&key).authorization(bearer("bda_unknown")),
        case("bad key, good bearer", 401).key("bdk_unknown-unknown-unknown").authorization(bearer(&access)),
        case("key of another account than the bearer", 401).key(other_key).authorization(bearer(&access)),
        case("basic authorization", 401).authorization("Basic cHJhY3RpY2U6eA=="),
        case("bearer without a token", 401).authorization("Bearer "),
        case("another account's key", 200).key(other_key),
    ] {
        check(&service, case).await;
    }
    service.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_live_as_long_as_the_contract_says() {
    let service = service().await;
    let (access, refresh) = service.sign_in().await;
    let with = |token: &str| case("at this time", 200).authorization(format!("Bearer {token}"));
    let dead = |token: &str| Case { status: 401, ..with(token) };
    service.clock.advance(3_599);
    check(&service, with(&access)).await;
    service.clock.advance(1);
    check(&service, dead(&access)).await;
    let body = json!({"grant_type": "refresh_token", "refresh_token": refresh});
    let renewed = service.token(&body).await.expect(200).json();
    assert_eq!(renewed["expires_in"], 3600);
    assert!(renewed.get("refresh_token").is_none(), "the old refresh token stays the one to use");
    check(&service, with(renewed["access_token"].as_str().unwrap())).await;
    service.clock.advance(30 * 24 * 3_600 - 3_600 - 1);
    service.token(&body).await.expect(200);
    service.clock.advance(1);
    let denied = service.token(&body).await.expect(401).json();
    assert_eq!(denied["error"], "invalid_grant");
    assert!(denied["error_description"].as_str().unwrap().contains("expired"), "{denied}");
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_grants_table() {
    let service = service().await;
    let password = |username: Value, password: Value| json!({"grant_type": "password", "username": username, "password": password});
    let long = "x".repeat(2_000);
    for (body, status, error) in [
        (password(json!("practice"), json!("wrong")), 401, "invalid_grant"),
        (password(json!("nobody"), json!(service.running.password)), 401, "invalid_grant"),
        (password(json!("PRACTICE"), json!(service.running.password)), 401, "invalid_grant"),
        (json!({"grant_type": "refresh_token", "refresh_token": "bdr_unknown"}), 401, "invalid_grant"),
        (
            json!({"grant_type": "refresh_token", "refresh_token": service.running.api_key}),
            401,
            "invalid_grant",
        ),
        (json!({"grant_type": "client_credentials"}), 400, "unsupported_grant_type"),
        (json!({}), 400, "invalid_request"),
        (json!({"grant_type": 7}), 400, "invalid_request"),
        (json!({"grant_type": "password"}), 400, "invalid_request"),
        (json!({"grant_type": "refresh_token"}), 400, "invalid_request"),
        (password(json!(7), json!("x")), 400, "invalid_request"),
        (password(json!("practice"), json!(null)), 400, "invalid_request"),
        (password(json!("practice"), json!("")), 400, "invalid_request"),
        (password(json!("practice"), json!(long)), 400, "invalid_request"),
        (password(json!("' OR 1=1 --"), json!("x")), 401, "invalid_grant"),
    ] {
        let answer = service.token(&body).await;
        assert_eq!(answer.status.as_u16(), status, "{body}: {}", answer.text);
        let denied = answer.json();
        assert_eq!(denied["error"], error, "{body}");
        assert!(denied["error_description"].as_str().unwrap().ends_with('.'), "{denied}");
    }
    let both = service.token(&json!({"grant_type": "password"})).await;
    assert_eq!(both.pointers(), ["/username", "/password"], "every field at fault is named");
    for (content_type, body, status) in [
        ("application/json", "{", 400),
        ("application/json", "[]", 400),
        ("application/x-www-form-urlencoded", "grant_type=password", 415),
    ] {
        let request = service.bare(Method::POST, crate::harness::TOKEN).header("content-type", content_type);
        service.send(request.body(body)).await.expect(status);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_storm_of_wrong_passwords_does_not_stop_the_calculator() {
    let service = service().await;
    let wrong = json!({"grant_type": "password", "username": "practice", "password": "wrong"});
    let storm = async {
        for _ in 0..6 {
            tokio::join!(service.token(&wrong), service.token(&wrong), service.token(&wrong));
        }
    };
    let quote = async { service.calculate(&texas()).await.expect(200) };
    let both = async { tokio::join!(storm, quote) };
    tokio::time::timeout(Duration::from_secs(60), both).await.expect("both end");
}
