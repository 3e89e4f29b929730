//! A webhook's endpoint that answers as it is told and remembers what it was sent.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::Service;

/// A delivery as it arrived.
#[derive(Clone, Debug)]
pub struct Received {
    pub headers: HeaderMap,
    pub text: String,
}

impl Received {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }
}

#[derive(Default)]
struct ReceiverState {
    received: Vec<Received>,
    /// What to answer next; 200 when there is nothing.
    answers: VecDeque<u16>,
    /// Takes the request and never answers.
    silent: bool,
}

#[derive(Clone, Default)]
pub struct Receiver {
    state: Arc<Mutex<ReceiverState>>,
    address: Option<SocketAddr>,
}

async fn hook(State(receiver): State<Receiver>, headers: HeaderMap, body: Bytes) -> Response {
    let (answer, silent) = {
        let mut told = receiver.state.lock().unwrap();
        let text = String::from_utf8(body.to_vec()).unwrap();
        told.received.push(Received { headers, text });
        (told.answers.pop_front().unwrap_or(200), told.silent)
    };
    if silent {
        std::future::pending::<()>().await;
    }
    let status = StatusCode::from_u16(answer).unwrap();
    (status, [(header::LOCATION, "https://example.com/")], format!("said {answer}")).into_response()
}

impl Receiver {
    pub async fn start() -> Receiver {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let receiver = Receiver { address: Some(listener.local_addr().unwrap()), ..Receiver::default() };
        let router = Router::new().route("/hook", post(hook)).with_state(receiver.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        receiver
    }

    pub fn url(&self) -> String {
        format!("http://{}/hook", self.address.unwrap())
    }

    /// Answers these, then 200.
    pub fn answer(&self, statuses: &[u16]) {
        self.state.lock().unwrap().answers.extend(statuses);
    }

    pub fn fall_silent(&self) {
        self.state.lock().unwrap().silent = true;
    }

    pub fn received(&self) -> Vec<Received> {
        self.state.lock().unwrap().received.clone()
    }

    /// How many deliveries arrived.
    pub fn count(&self) -> usize {
        self.state.lock().unwrap().received.len()
    }

    /// Waits until there are this many.
    pub async fn wait_for(&self, count: usize) -> Vec<Received> {
        until(|| async { self.count() >= count }).await;
        self.received()
    }
}

/// Waits for a condition; a machine may be slow.
pub async fn until<F: Future<Output = bool>>(mut holds: impl FnMut() -> F) {
    for _ in 0..6_000 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it never came to this");
}

pub const WEBHOOKS: &str = "/api/v1/webhooks";

impl Service {
    /// A call about webhooks, below their path.
    pub async fn hooks(&self, method: Method, path: &str, body: Option<Value>) -> crate::harness::Answer {
        let request = self.keyed(method, &format!("{WEBHOOKS}{path}"));
        self.send(match body {
            Some(body) => request.json(&body),
            None => request,
        })
        .await
    }

    /// Subscribes to events: id and secret.
    pub async fn subscribe(&self, url: &str, events: &[&str]) -> (String, String) {
        let body = json!({"title": "Desk", "events": events, "url": url});
        let made = self.hooks(Method::POST, "", Some(body)).await.expect(201).json();
        (made["id"].as_str().unwrap().to_owned(), made["secret"].as_str().unwrap().to_owned())
    }

    /// An action on the practice service.
    pub async fn act(&self, action: Value) -> Value {
        self.practice(Method::POST, "actions", Some(action)).await.expect(200).json()
    }

    /// The deliveries of a webhook, the newest first.
    pub async fn deliveries(&self, id: &str) -> Vec<Value> {
        let found = self.hooks(Method::GET, &format!("/{id}/deliveries"), None).await.expect(200).json();
        found["deliveries"].as_array().unwrap().clone()
    }

    /// Waits until the newest delivery of a webhook has this many attempts and status.
    pub async fn wait_for_delivery(&self, id: &str, attempts: u64, status: &str) -> Value {
        until(|| async {
            let newest = self.deliveries(id).await.into_iter().next().unwrap_or_default();
            newest["attempts"] == attempts && newest["status"] == status
        })
        .await;
        self.deliveries(id).await.remove(0)
    }
}
