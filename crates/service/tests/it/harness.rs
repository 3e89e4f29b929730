//! A running service with a stopped clock, and a client that trusts its authority.

use std::net::TcpListener;
use std::path::Path;
use std::sync::{Arc, Once};

use bordereau_service::{
    AccountSeed, RunningService, ServiceConfig, SettableClock, StartError, start_service,
};
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

pub const CALCULATOR: &str = "/api/tax-calculator/calculate-general-taxes";
pub const TOKEN: &str = "/api/oauth2/token";

/// A running service and what a test needs to talk to it.
pub struct Service {
    pub running: RunningService,
    pub clock: Arc<SettableClock>,
    pub client: Client,
}

/// An answer that was read whole.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: reqwest::header::HeaderMap,
    pub text: String,
}

impl Answer {
    pub async fn read(response: Response) -> Answer {
        let (status, headers) = (response.status(), response.headers().clone());
        Answer { status, headers, text: response.text().await.unwrap() }
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|e| panic!("{e}: {}", self.text))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Fails with the whole answer in sight.
    #[track_caller]
    pub fn expect(self, status: u16) -> Answer {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        self
    }

    /// The pointers of a problem's errors.
    pub fn pointers(&self) -> Vec<String> {
        let problem = self.json();
        let errors = problem["errors"].as_array().cloned().unwrap_or_default();
        errors.iter().map(|error| error["pointer"].as_str().unwrap().to_owned()).collect()
    }
}

pub fn client(ca_pem: &str) -> Client {
    static PROVIDER: Once = Once::new();
    PROVIDER.call_once(|| {
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    Client::builder()
        .no_proxy()
        .tls_certs_only([reqwest::Certificate::from_pem(ca_pem.as_bytes()).unwrap()])
        .build()
        .unwrap()
}

pub fn listener() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").unwrap()
}

/// 23 February 2026, 15:00:30 UTC.
pub fn standing_clock() -> Arc<SettableClock> {
    Arc::new(SettableClock::starting_at("2026-02-23T15:00:30Z".parse().unwrap()))
}

pub async fn try_start(dir: Option<&Path>, account: AccountSeed) -> Result<Service, StartError> {
    let clock = standing_clock();
    let config = ServiceConfig {
        data_dir: dir.map(Path::to_path_buf),
        clock: clock.clone(),
        account,
        ..ServiceConfig::default()
    };
    let running = start_service(listener(), config).await?;
    let client = client(&running.ca_pem);
    Ok(Service { running, clock, client })
}

pub async fn service() -> Service {
    try_start(None, AccountSeed::default()).await.unwrap()
}

/// A policy in Texas of 9,521.00 USD: 488.46 tax and 4.03 stamping fee.
pub fn texas() -> Value {
    json!({
        "physical_state": "TX",
        "transaction_type": "PN",
        "transaction_line_of_business_list": "GEN-1002",
        "transaction_line_of_business_coverage": "9521",
        "agency_fee": 400,
        "inspection_fee": 150.42,
        "policy_effective_date": "2026-02-23"
    })
}

impl Service {
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.running.base_url)
    }

    /// A request without credentials.
    pub fn bare(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, self.url(path))
    }

    /// A request with the practice account's key.
    pub fn keyed(&self, method: Method, path: &str) -> RequestBuilder {
        self.bare(method, path).header("apiKey", &self.running.api_key)
    }

    pub async fn send(&self, request: RequestBuilder) -> Answer {
        Answer::read(request.send().await.unwrap()).await
    }

    pub async fn calculate(&self, body: &Value) -> Answer {
        self.send(self.keyed(Method::POST, CALCULATOR).json(body)).await
    }

    pub async fn calculate_text(&self, body: impl Into<reqwest::Body>) -> Answer {
        let request = self.keyed(Method::POST, CALCULATOR).header("content-type", "application/json");
        self.send(request.body(body)).await
    }

    /// A call below `/practice/`.
    pub async fn practice(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let request = self.keyed(method, &format!("/practice/{path}"));
        self.send(match body {
            Some(body) => request.json(&body),
            None => request,
        })
        .await
    }

    pub async fn token(&self, body: &Value) -> Answer {
        self.send(self.bare(Method::POST, TOKEN).json(body)).await
    }

    /// Signs the practice account in: access and refresh token.
    pub async fn sign_in(&self) -> (String, String) {
        let (username, password) = (&self.running.username, &self.running.password);
        let body = json!({"grant_type": "password", "username": username, "password": password});
        let granted = self.token(&body).await.expect(200).json();
        let text = |name: &str| granted[name].as_str().unwrap().to_owned();
        (text("access_token"), text("refresh_token"))
    }
}
