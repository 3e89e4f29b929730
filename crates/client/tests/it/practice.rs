//! A practice service with a stopped clock, and its `/practice/` side.

use std::sync::Arc;
use std::time::Duration;

use bordereau_client::{Client, ClientConfig, Credentials, MemoryTokens, RetryPolicy, Secret, TokenStore};
use bordereau_contract::CalculateRequest;
use bordereau_money::Usd;
use bordereau_service::{RunningService, ServiceConfig, SettableClock, start_service};
use serde_json::{Value, json};

use crate::driver::driver;

/// A running practice service.
pub struct Practice {
    pub running: RunningService,
    pub clock: Arc<SettableClock>,
    driver: reqwest::Client,
}

impl Practice {
    /// In memory, on its own port, at ten in the morning.
    pub async fn start() -> Practice {
        let clock = Arc::new(SettableClock::starting_at("2026-11-20T10:00:00Z".parse().expect("an instant")));
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let config = ServiceConfig { clock: clock.clone(), ..ServiceConfig::default() };
        let running = start_service(listener, config).await.expect("the practice service starts");
        let driver = driver(&running.ca_pem);
        Practice { running, clock, driver }
    }

    /// The settings of a client: patient as always, quick in its retries.
    pub fn config(&self) -> ClientConfig {
        ClientConfig {
            base_url: self.running.base_url.clone(),
            extra_ca_pem: Some(self.running.ca_pem.clone()),
            only_extra_ca: true,
            retry: RetryPolicy { first_pause: Duration::from_millis(5), ..RetryPolicy::default() },
            ..ClientConfig::default()
        }
    }

    pub fn with_key(&self, config: ClientConfig) -> Client {
        let credentials = Credentials::with_api_key(self.running.api_key.clone());
        Client::new(config, credentials, Arc::new(MemoryTokens::new())).expect("a client")
    }

    pub fn with_user(&self, store: Arc<dyn TokenStore>) -> Client {
        Client::new(self.config(), Credentials::for_user(), store).expect("a client")
    }

    pub fn password(&self) -> Secret {
        Secret::new(self.running.password.clone())
    }

    /// Something under `/practice/`, which the client itself never calls.
    pub async fn drive(&self, method: &str, path: &str, body: Value) -> Value {
        let method = method.parse().expect("a method");
        let url = format!("{}/practice/{path}", self.running.base_url);
        let request = self.driver.request(method, url).header("apiKey", &self.running.api_key).json(&body);
        let answer = request.send().await.expect("an answer");
        let status = answer.status();
        let value: Value = answer.json().await.expect("JSON");
        assert!(status.is_success(), "{path}: {status} {value}");
        value
    }

    pub async fn fault(&self, operation: &str, kind: &str, times: u32) {
        self.drive("POST", "faults", json!({ "operation": operation, "kind": kind, "times": times })).await;
    }

    pub async fn faults_left(&self) -> usize {
        let left = self.drive("GET", "faults", json!({})).await;
        left["faults"].as_array().map_or(0, Vec::len)
    }

    /// Requests the service counted for the practice account since it started.
    pub async fn counted(&self) -> u64 {
        let counts = self.drive("GET", "requests", json!({})).await;
        counts["accounts"][0]["total"].as_u64().expect("a count")
    }
}

pub fn usd(text: &str) -> Usd {
    text.parse().expect("an amount")
}

/// The example of the public documentation: Texas, three lines, both fees.
pub fn texas() -> CalculateRequest {
    CalculateRequest {
        physical_state: "TX".to_owned(),
        transaction_type: "PN".to_owned(),
        transaction_line_of_business_list: "GEN-1002 | GEN-1001 | GEN-1007".to_owned(),
        transaction_line_of_business_coverage: "9000 | 500.50 | 20.50".to_owned(),
        agency_fee: usd("400"),
        inspection_fee: usd("150.42"),
        policy_effective_date: Some("2026-02-23".to_owned()),
        transaction_effective_date: Some("2026-02-23".to_owned()),
        ..CalculateRequest::default()
    }
}
