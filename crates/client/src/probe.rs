//! "Test connection": what works, what does not, why, and what to do about it.

use std::sync::Arc;

use bordereau_contract::{CalculateRequest, DateRange, SearchRequest, format_day_text};
use chrono::NaiveDate;
use tokio::net::TcpStream;
use tokio::time::Instant;

use crate::client::ClientInner;
use crate::probe_wire::{
    HandshakeTrouble, SystemProxy, connect_first, look_up, open_tunnel, proxy_for, tls_handshake,
};
use crate::transport_error::ErrorContext;
use crate::trust::list_names;
use crate::{Client, ClientConfig, ClientError, Credentials, TokenStore};

/// Outcome of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeOutcome {
    /// Worked.
    Ok,
    /// Failed.
    Failed,
    /// Not reached, or not needed.
    Skipped,
}

/// One step of a connection test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbeStep {
    /// `Address`, `Name lookup`, `Connection`, `Certificate`, `Sign-in` or `Calculator`.
    pub name: &'static str,
    /// How it went.
    pub outcome: ProbeOutcome,
    /// What was seen: address, port, issuer, status.
    pub detail: String,
    /// What to do when it failed; empty otherwise.
    pub remedy: String,
}

/// The steps in order.
const STEPS: [&str; 6] = ["Address", "Name lookup", "Connection", "Certificate", "Sign-in", "Calculator"];

/// Tests a connection that may not even have a usable address: what [`Client::test_connection`] does, with a
/// failure of [`Client::new`] reported as the step it belongs to.
pub async fn probe_connection(
    config: ClientConfig,
    credentials: Credentials,
    token_store: Arc<dyn TokenStore>,
) -> Vec<ProbeStep> {
    match Client::new(config, credentials, token_store) {
        Ok(client) => client.test_connection().await,
        Err(error) => {
            let mut steps = ProbeSteps::default();
            if matches!(error, ClientError::BadTrust { .. }) {
                steps.add_ok("the address can be used");
                steps.add_skipped("not tried: the certificates to trust cannot be used");
                steps.add_skipped("not tried: the certificates to trust cannot be used");
                steps.add_failure(
                    error.to_string(),
                    "Choose a CA file with certificates in PEM form, or none.",
                );
            } else {
                steps.add_failure(error.to_string(), "Correct the address or the paths of the profile.");
            }
            steps.finish_steps()
        }
    }
}

/// Steps as they are taken; those never reached are filled in at the end.
#[derive(Default)]
struct ProbeSteps(Vec<ProbeStep>);

impl ProbeSteps {
    fn add_ok(&mut self, detail: impl Into<String>) {
        self.push(ProbeOutcome::Ok, detail.into(), "");
    }

    fn add_failure(&mut self, detail: impl Into<String>, remedy: &str) {
        self.push(ProbeOutcome::Failed, detail.into(), remedy);
    }

    fn add_skipped(&mut self, detail: &str) {
        self.push(ProbeOutcome::Skipped, detail.to_owned(), "");
    }

    fn push(&mut self, outcome: ProbeOutcome, detail: String, remedy: &str) {
        if let Some(name) = STEPS.get(self.0.len()) {
            self.0.push(ProbeStep { name, outcome, detail, remedy: remedy.to_owned() });
        }
    }

    fn finish_steps(mut self) -> Vec<ProbeStep> {
        while self.0.len() < STEPS.len() {
            self.add_skipped("not reached");
        }
        self.0
    }
}

impl ClientInner {
    pub(crate) async fn run_probe(self: &Arc<Self>) -> Vec<ProbeStep> {
        let mut steps = ProbeSteps::default();
        let url = self.transport.base.url().clone();
        steps.add_ok(url.as_str());
        let proxy = proxy_for(&url);
        let reached = match proxy.as_ref().filter(|proxy| !proxy.is_http) {
            Some(proxy) => {
                let detail = format!("left to the proxy {}:{}", proxy.host, proxy.port);
                (0..3).for_each(|_| steps.add_skipped(&detail));
                Some(())
            }
            None => match self.probe_connection(&mut steps, proxy.as_ref()).await {
                Some(stream) => self.probe_certificate(&mut steps, stream).await,
                None => None,
            },
        };
        if reached.is_some() {
            self.probe_service(&mut steps).await;
        }
        steps.finish_steps()
    }

    /// Name lookup and connection: of the service, or of the proxy before it.
    async fn probe_connection(
        &self,
        steps: &mut ProbeSteps,
        proxy: Option<&SystemProxy>,
    ) -> Option<TcpStream> {
        let url = self.transport.base.url();
        let limit = self.transport.config.timeouts.connect;
        let host = url.host_str().unwrap_or_default();
        let port = url.port_or_known_default().unwrap_or(443);
        let (ask, ask_port, what) = match proxy {
            Some(proxy) => (proxy.host.as_str(), proxy.port, "proxy "),
            None => (host, port, ""),
        };
        let addresses = match look_up(ask, ask_port, limit).await {
            Ok(addresses) => addresses,
            Err(why) => {
                steps.add_failure(
                    format!("{what}{ask}: {why}"),
                    "Check the name in the address, and whether this machine is online.",
                );
                return None;
            }
        };
        let listed: Vec<_> = addresses.iter().take(4).map(|address| address.ip().to_string()).collect();
        steps.add_ok(format!("{what}{ask} is {}", listed.join(", ")));
        let started = Instant::now();
        let (stream, address) = match connect_first(&addresses, limit).await {
            Ok(connected) => connected,
            Err(why) => {
                steps.add_failure(
                    why,
                    "Check the port, the firewall, and whether a proxy is needed to get outside.",
                );
                return None;
            }
        };
        let took_ms = started.elapsed().as_millis();
        let Some(proxy) = proxy else {
            steps.add_ok(format!("{address} answered in {took_ms} ms"));
            return Some(stream);
        };
        match open_tunnel(stream, proxy, &format!("{host}:{port}"), limit).await {
            Ok(stream) => {
                steps.add_ok(format!("through the proxy {address}"));
                Some(stream)
            }
            Err(why) => {
                steps.add_failure(
                    why,
                    "Check the proxy settings of this machine; the proxy may want a sign-in.",
                );
                None
            }
        }
    }

    /// The certificate; its issuer is reported also when it is refused.
    async fn probe_certificate(&self, steps: &mut ProbeSteps, stream: TcpStream) -> Option<()> {
        let url = self.transport.base.url();
        let name = url.host_str().unwrap_or_default();
        let host = self.transport.base.host();
        let timeouts = &self.transport.config.timeouts;
        let tls = self.transport.trust.tls_config().ok()?;
        let trouble = match tls_handshake(stream, name, tls, timeouts.connect).await {
            Ok(()) => {
                let shown = self.transport.trust.shown_by(name).map(|shown| shown.certificate);
                let seen = shown.unwrap_or_default();
                steps.add_ok(format!(
                    "issued by {} for {}, valid until {}",
                    seen.issuer,
                    list_names(&seen.names),
                    format_day_text(&seen.not_after)
                ));
                return Some(());
            }
            Err(trouble) => trouble,
        };
        match trouble {
            HandshakeTrouble::Tls(error) => {
                let place = ErrorContext { host: &host, name, trust: &self.transport.trust, timeouts };
                let error = place.explain_tls(&error);
                let remedy = if matches!(error, ClientError::Untrusted { .. }) {
                    "If your office inspects its traffic or runs its own authority, choose its CA file in the profile. Otherwise do not continue."
                } else {
                    "Check the port: something other than the service seems to answer there."
                };
                steps.add_failure(error.to_string(), remedy);
            }
            HandshakeTrouble::Io(why) => steps.add_failure(
                format!("no secure connection: {why}"),
                "Check the port; a firewall or middlebox may be cutting the connection.",
            ),
        }
        None
    }

    /// Sign-in and calculator, with the smallest quote there is.
    async fn probe_service(self: &Arc<Self>, steps: &mut ProbeSteps) {
        let bearer = match self.bearer_access().await {
            Ok(bearer) => bearer,
            Err(error) => return steps.add_failure(error.to_string(), sign_in_remedy(&error)),
        };
        let proof = match (&bearer, &self.api_key) {
            (Some(_), Some(_)) => "user and API key accepted",
            (Some(_), None) => "user accepted",
            (None, Some(_)) => "API key accepted",
            (None, None) => {
                let error = ClientError::NoCredentials;
                return steps.add_failure(error.to_string(), sign_in_remedy(&error));
            }
        };
        if !self.transport.config.has_calculator {
            return self.probe_without_calculator(steps, proof, "there is none, as the profile says").await;
        }
        let started = Instant::now();
        match self.calculate(&sample_request()).await {
            Ok(_) => {
                steps.add_ok(proof);
                steps.add_ok(format!("answered in {} ms", started.elapsed().as_millis()));
            }
            Err(error @ (ClientError::NotAuthorized { .. } | ClientError::SignInAgain { .. })) => {
                steps.add_failure(error.to_string(), sign_in_remedy(&error));
            }
            Err(ClientError::NotPermitted { text, .. }) => {
                let said = if text.is_empty() { String::new() } else { format!(" ({text})") };
                let why = format!("this account may not use it{said}");
                self.probe_without_calculator(steps, proof, &why).await;
            }
            Err(error) => {
                let judged = bearer.is_some()
                    || matches!(error, ClientError::NotPermitted { .. } | ClientError::Rejected { .. });
                if judged {
                    steps.add_ok(proof)
                } else {
                    steps.add_skipped("not judged: the calculator failed")
                }
                steps.add_failure(error.to_string(), calculator_remedy(&error));
            }
        }
    }

    /// The sign-in, tried with a search of one day; quotes are estimates then.
    async fn probe_without_calculator(self: &Arc<Self>, steps: &mut ProbeSteps, proof: &str, why: &str) {
        let day = NaiveDate::from_ymd_opt(2000, 1, 1).unwrap_or_default();
        let policy_effective_date = Some(DateRange { from: day, to: day });
        let request = SearchRequest { policy_effective_date, ..SearchRequest::default() };
        match (Client { inner: Arc::clone(self) }).search_page(&request, 1).await {
            Ok(_) => {
                steps.add_ok(proof);
                steps.add_ok(format!("{why}: quotes are estimates by the built-in rules"));
            }
            Err(error @ (ClientError::NotAuthorized { .. } | ClientError::SignInAgain { .. })) => {
                steps.add_failure(error.to_string(), sign_in_remedy(&error));
            }
            Err(error) => {
                let remedy = "The calculator is not used, and a search failed: check the path of the search in the profile. If the account should work, ask the provider to activate it.";
                steps.add_failure(error.to_string(), remedy);
            }
        }
    }
}

/// One line, a hundred dollars, today.
fn sample_request() -> CalculateRequest {
    CalculateRequest {
        physical_state: "TX".to_owned(),
        transaction_type: "PN".to_owned(),
        transaction_line_of_business_list: "GEN-1002".to_owned(),
        transaction_line_of_business_coverage: "100".to_owned(),
        ..CalculateRequest::default()
    }
}

fn sign_in_remedy(error: &ClientError) -> &'static str {
    match error {
        ClientError::NoCredentials => "Store an API key in the profile, or sign in.",
        ClientError::SignInAgain { .. } => "Sign in again with username and password.",
        ClientError::NotAuthorized { .. } => {
            "Store the current API key, or sign in again. A new key deactivates the old one right away."
        }
        other => calculator_remedy(other),
    }
}

fn calculator_remedy(error: &ClientError) -> &'static str {
    match error {
        ClientError::NotPermitted { .. } => {
            "Ask the provider to activate the account and add the calculator to its contract."
        }
        ClientError::Rejected { status: 404 | 405, .. } | ClientError::BadRedirect { .. } => {
            "Check the path of the calculator in the profile."
        }
        ClientError::CrossHostRedirect { .. } => {
            "Put the address of the new host into the profile if you trust it."
        }
        ClientError::RateLimited { .. } => "Wait for the time named, then try again.",
        ClientError::Unreadable { .. } => {
            "Check the address and path: the response does not look like the service's."
        }
        _ => "Try again later; if it continues, show this text to the provider.",
    }
}
