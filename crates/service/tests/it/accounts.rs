//! Accounts: permissions, keys, what only the practice account may do.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, CALCULATOR, Service, service, texas};

async fn calculate_as(service: &Service, key: &str) -> Answer {
    let request = service.bare(Method::POST, CALCULATOR).header("apiKey", key).json(&texas());
    service.send(request).await
}

async fn set(service: &Service, id: &str, change: Value) {
    service.practice(Method::PATCH, &format!("accounts/{id}"), Some(change)).await.expect(200);
}

async fn add(service: &Service, username: &str, kind: &str) -> Value {
    let body = json!({"name": "Agency", "username": username, "kind": kind});
    service.practice(Method::POST, "accounts", Some(body)).await.expect(201).json()
}

#[tokio::test(flavor = "multi_thread")]
async fn permissions_take_effect_at_once() {
    let service = service().await;
    for kind in ["enterprise", "outsourced"] {
        let account = add(&service, kind, kind).await;
        assert_eq!(account["kind"], kind);
        let (id, key) = (account["id"].as_str().unwrap(), account["api_key"].as_str().unwrap());
        for (change, status, word) in [
            (json!({}), 200, ""),
            (json!({"calculator": false}), 403, "contracted"),
            (json!({"calculator": true}), 200, ""),
            (json!({"active": false}), 403, "inactive"),
            (json!({"active": true, "api_access": false}), 403, "API access"),
            (json!({"api_access": true}), 200, ""),
        ] {
            set(&service, id, change.clone()).await;
            let answer = calculate_as(&service, key).await;
            assert_eq!(answer.status.as_u16(), status, "{kind} {change}: {}", answer.text);
            if status == 403 {
                assert!(answer.json()["detail"].as_str().unwrap().contains(word), "{}", answer.text);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_at_the_same_time_undo_none_of_each_other() {
    let service = service().await;
    let account = add(&service, "other", "enterprise").await;
    let id = account["id"].as_str().unwrap();
    for turn in 0..20 {
        let (name, calculator) = (format!("Agency {turn}"), turn % 2 == 0);
        tokio::join!(
            set(&service, id, json!({ "name": name })),
            set(&service, id, json!({ "calculator": calculator })),
        );
        let found = service.practice(Method::GET, &format!("accounts/{id}"), None).await.expect(200).json();
        assert_eq!((&found["name"], &found["calculator"]), (&json!(name), &json!(calculator)), "{turn}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_inactive_account_does_not_sign_in() {
    let service = service().await;
    let account = add(&service, "other", "outsourced").await;
    set(&service, account["id"].as_str().unwrap(), json!({"active": false})).await;
    let body = json!({"grant_type": "password", "username": "other", "password": account["password"]});
    service.token(&body).await.expect(403);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_key_kills_the_old_one_at_once() {
    let service = service().await;
    let account = add(&service, "other", "enterprise").await;
    let (id, first) = (account["id"].as_str().unwrap(), account["api_key"].as_str().unwrap());
    calculate_as(&service, first).await.expect(200);
    let path = format!("accounts/{id}/api-key");
    let second = service.practice(Method::POST, &path, None).await.expect(201).json();
    let second = second["api_key"].as_str().unwrap();
    let refused = calculate_as(&service, first).await.expect(401);
    assert!(refused.json()["detail"].as_str().unwrap().contains("inactive"), "{}", refused.text);
    calculate_as(&service, second).await.expect(200);
    let shown = service.practice(Method::GET, &format!("accounts/{id}"), None).await.expect(200);
    assert!(!shown.text.contains(second), "a key is shown once only");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_password_ends_the_sessions() {
    let service = service().await;
    let (access, refresh) = service.sign_in().await;
    let body = json!({"password": "a new password"});
    service.practice(Method::POST, "accounts/me/password", Some(body)).await.expect(201);
    let request = service.bare(Method::POST, CALCULATOR).bearer_auth(&access).json(&texas());
    service.send(request).await.expect(401);
    service.token(&json!({"grant_type": "refresh_token", "refresh_token": refresh})).await.expect(401);
    let body = json!({"grant_type": "password", "username": "practice", "password": "a new password"});
    service.token(&body).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn practice_is_for_the_practice_account() {
    let service = service().await;
    let other = add(&service, "other", "enterprise").await;
    let (access, _) = service.sign_in().await;
    let paths = ["clock", "faults", "requests", "accounts", "accounts/me"];
    for path in paths {
        let path = format!("/practice/{path}");
        service.send(service.bare(Method::GET, &path)).await.expect(401);
        let foreign = service.bare(Method::GET, &path).header("apiKey", other["api_key"].as_str().unwrap());
        service.send(foreign).await.expect(403);
        service.send(service.bare(Method::GET, &path).bearer_auth(&access)).await.expect(200);
    }
    // Whoever locked the practice account must be able to open it again.
    set(&service, "me", json!({"active": false, "api_access": false})).await;
    service.calculate(&texas()).await.expect(403);
    set(&service, "me", json!({"active": true, "api_access": true})).await;
    service.calculate(&texas()).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_account_requests_table() {
    let service = service().await;
    for (method, path, body, status, pointer) in [
        (Method::POST, "accounts", json!({"username": "x"}), 422, Some("/name")),
        (Method::POST, "accounts", json!({"name": "", "username": "x"}), 422, Some("/name")),
        (Method::POST, "accounts", json!({"name": "x", "username": "practice"}), 409, Some("/username")),
        (
            Method::POST,
            "accounts",
            json!({"name": "x", "username": "y", "password": "short"}),
            422,
            Some("/password"),
        ),
        (Method::POST, "accounts", json!({"name": "x", "username": "y", "kind": "free"}), 422, Some("/kind")),
        (Method::PATCH, "accounts/me", json!({"active": "yes"}), 422, Some("/active")),
        (Method::PATCH, "accounts/me", json!({"practice": false}), 422, Some("/practice")),
        (Method::PATCH, "accounts/nobody", json!({}), 404, None),
        (Method::POST, "faults", json!({"operation": "calculator", "kind": "fire"}), 422, Some("/kind")),
        (
            Method::POST,
            "faults",
            json!({"operation": "calculator", "kind": "cut", "times": 0}),
            422,
            Some("/times"),
        ),
        (Method::POST, "clock", json!({}), 422, Some("")),
        (Method::POST, "clock", json!({"seconds": 1, "now": "2026-01-01T00:00:00Z"}), 422, Some("")),
        (Method::POST, "clock", json!({"now": "yesterday"}), 422, Some("/now")),
        (Method::POST, "clock", json!({"seconds": i64::MAX}), 422, Some("/seconds")),
        (Method::POST, "clock", json!({"seconds": i64::MIN}), 422, Some("/seconds")),
        (Method::DELETE, "clock", json!({}), 405, None),
    ] {
        let answer = service.practice(method.clone(), path, Some(body.clone())).await;
        assert_eq!(answer.status.as_u16(), status, "{method} {path} {body}: {}", answer.text);
        if let Some(pointer) = pointer {
            assert_eq!(answer.pointers(), [pointer], "{method} {path} {body}: {}", answer.text);
        }
    }
}
