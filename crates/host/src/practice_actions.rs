//! Acts on a practice service through `/practice/actions`, whichever process runs it. The client crate never calls
//! it; the window's panel does, through the desk's port.

use std::sync::Arc;
use std::time::Duration;

use bordereau_desk::{PracticeAction, PracticeAnswer, PracticeEndpoint};
use reqwest::Client;
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;
use serde::Deserialize;

/// Filing a batch of ten thousand takes a while on a slow computer.
const WITHIN: Duration = Duration::from_secs(60);

/// What a refusal says.
#[derive(Default, Deserialize)]
#[serde(default)]
struct RefusalProblem {
    title: String,
    detail: String,
    errors: Vec<ProblemDetail>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ProblemDetail {
    detail: String,
}

/// Performs the action, or returns a sentence on why not.
pub(crate) async fn perform_action(
    endpoint: &PracticeEndpoint,
    action: &PracticeAction,
) -> Result<PracticeAnswer, String> {
    let lost =
        |error: reqwest::Error| format!("The practice service did not answer: {}.", error.without_url());
    let body = serde_json::to_vec(action).map_err(|error| error.to_string())?;
    let response = practice_client(&endpoint.ca_pem)?
        .post(format!("{}/practice/actions", endpoint.base_url))
        .header("apiKey", &endpoint.api_key)
        .header("content-type", "application/json")
        .body(body)
        .send()
        .await
        .map_err(lost)?;
    let is_done = response.status().is_success();
    let text = response.bytes().await.map_err(lost)?;
    if is_done {
        return serde_json::from_slice(&text)
            .map_err(|error| format!("The practice service's answer cannot be read: {error}."));
    }
    let problem: RefusalProblem = serde_json::from_slice(&text).unwrap_or_default();
    let said = problem.errors.into_iter().next().map(|first| first.detail);
    let said = said.into_iter().chain([problem.detail, problem.title]).find(|text| !text.is_empty());
    Err(said.unwrap_or_else(|| "The practice service refused it and did not say why.".to_owned()))
}

/// Trusts only the service's own authority.
fn practice_client(ca_pem: &str) -> Result<Client, String> {
    let mut roots = rustls::RootCertStore::empty();
    let authority = CertificateDer::from_pem_slice(ca_pem.as_bytes()).map_err(|error| error.to_string())?;
    roots.add(authority).map_err(|error| error.to_string())?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Client::builder()
        .tls_backend_preconfigured(tls)
        .no_proxy()
        .timeout(WITHIN)
        .build()
        .map_err(|error| error.without_url().to_string())
}
