//! "Test connection": each thing that can be wrong is found at its step.

use std::sync::Arc;

use bordereau_client::{ClientConfig, Credentials, MemoryTokens, ProbeOutcome, ProbeStep, probe_connection};
use serde_json::json;

use crate::practice::Practice;
use crate::scripted::{Scripted, quote_answer};

const NAMES: [&str; 6] = ["Address", "Name lookup", "Connection", "Certificate", "Sign-in", "Calculator"];

async fn run(config: ClientConfig, credentials: Credentials) -> Vec<ProbeStep> {
    probe_connection(config, credentials, Arc::new(MemoryTokens::new())).await
}

/// The step that failed: its name, detail and remedy; all before it worked, all after were not reached.
fn failed(steps: &[ProbeStep]) -> (&'static str, &str) {
    let names: Vec<_> = steps.iter().map(|step| step.name).collect();
    assert_eq!(names, NAMES);
    let at = steps.iter().position(|step| step.outcome == ProbeOutcome::Failed).expect("a failure");
    assert!(steps[..at].iter().all(|step| step.outcome != ProbeOutcome::Failed), "{steps:?}");
    assert!(steps[at + 1..].iter().all(|step| step.outcome == ProbeOutcome::Skipped), "{steps:?}");
    assert!(!steps[at].remedy.is_empty(), "{steps:?}");
    (steps[at].name, &steps[at].detail)
}

#[tokio::test]
async fn all_is_well() {
    let practice = Practice::start().await;
    let steps = practice.with_key(practice.config()).test_connection().await;
    assert!(
        steps.iter().all(|step| step.outcome == ProbeOutcome::Ok && step.remedy.is_empty()),
        "{steps:#?}"
    );
    assert!(
        steps[3].detail.contains("issued by") && steps[3].detail.contains("127.0.0.1"),
        "{}",
        steps[3].detail
    );
}

#[tokio::test]
async fn each_failure_at_its_step() {
    let practice = Practice::start().await;
    let key = || Credentials::with_api_key(practice.running.api_key.clone());
    let with = |change: fn(&mut ClientConfig)| {
        let mut config = practice.config();
        change(&mut config);
        config
    };
    let plain = with(|config| config.base_url = config.base_url.replace("https:", "http:"));
    let nowhere = with(|config| config.base_url = "https://no-such-name.invalid".to_owned());
    let closed = with(|config| config.base_url = "https://127.0.0.1:1".to_owned());
    let no_pem = with(|config| config.extra_ca_pem = Some("nothing".to_owned()));
    let no_path = with(|config| config.paths.calculator = "/api/none".to_owned());
    for (config, credentials, step, part) in [
        (plain, key(), "Address", "not https"),
        (nowhere, key(), "Name lookup", "no-such-name.invalid"),
        (closed, key(), "Connection", "127.0.0.1:1"),
        (no_pem, key(), "Certificate", "no certificate in PEM"),
        (practice.config(), Credentials::default(), "Sign-in", "no API key"),
        (practice.config(), Credentials::with_api_key("bdk_wrong"), "Sign-in", "401"),
        (practice.config(), Credentials::for_user(), "Sign-in", "no API key"),
        (no_path, key(), "Calculator", "404"),
    ] {
        let steps = run(config, credentials).await;
        let (name, detail) = failed(&steps);
        assert_eq!(name, step, "{steps:#?}");
        assert!(detail.contains(part), "{detail}");
    }
    practice.drive("PATCH", "accounts/me", json!({ "calculator": false })).await;
    let steps = run(practice.config(), key()).await;
    // Without a calculator the test passes, and says what that means.
    assert!(steps.iter().all(|step| step.outcome == ProbeOutcome::Ok), "{steps:#?}");
    assert!(
        steps[5].detail.contains("may not use it") && steps[5].detail.contains("estimates"),
        "{steps:#?}"
    );
    let without = ClientConfig { has_calculator: false, ..practice.config() };
    let steps = run(without.clone(), key()).await;
    assert!(steps.iter().all(|step| step.outcome == ProbeOutcome::Ok), "{steps:#?}");
    let steps = run(without, Credentials::with_api_key("bdk_wrong")).await;
    assert_eq!(failed(&steps).0, "Sign-in", "{steps:#?}");
}

#[tokio::test]
async fn the_issuer_of_an_untrusted_certificate_is_told() {
    let practice = Practice::start().await;
    let foreign = Scripted::start(|_| quote_answer()).await;
    let config = ClientConfig { base_url: foreign.base_url.clone(), ..practice.config() };
    let steps = run(config, Credentials::with_api_key("bdk_visible_key")).await;
    let (name, detail) = failed(&steps);
    assert_eq!(name, "Certificate");
    assert!(detail.contains("issued by A Foreign Authority"), "{detail}");
    assert!(foreign.requests().is_empty());
}
