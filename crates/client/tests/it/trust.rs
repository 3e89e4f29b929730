//! Whom the client trusts, and what it says of the others.

use std::sync::Arc;

use bordereau_client::{Client, ClientConfig, ClientError, Credentials, MemoryTokens};

use crate::practice::{Practice, texas};
use crate::scripted::{Scripted, quote_answer};

fn client(config: ClientConfig) -> Result<Client, ClientError> {
    Client::new(config, Credentials::with_api_key("bdk_visible_key"), Arc::new(MemoryTokens::new()))
}

#[tokio::test]
async fn an_unknown_authority_is_named_and_gets_nothing() {
    let service = Scripted::start(|_| quote_answer()).await;
    let other = Scripted::start(|_| quote_answer()).await;
    let practice = Practice::start().await;
    let practice_ca = || Some(practice.running.ca_pem.clone());
    for (extra_ca_pem, only_extra_ca, why) in [
        (None, false, "issuer is not among the trusted"),
        (practice_ca(), false, "issuer is not among the trusted"),
        (practice_ca(), true, "issuer is not among the trusted"),
        // Both authorities have the same name, as after a practice service made itself a new one.
        (Some(other.ca_pem.clone()), false, "another authority of the same name"),
    ] {
        // A machine without any CA certificate cannot build a client without one of its own.
        let config = ClientConfig { extra_ca_pem, only_extra_ca, ..service.config() };
        let Ok(client) = client(config) else { continue };
        match client.calculate(&texas()).await {
            Err(ClientError::Untrusted { issuer, host, reason }) => {
                assert_eq!(issuer, "A Foreign Authority");
                assert!(service.base_url.ends_with(&host), "{host}");
                assert!(reason.contains(why), "{reason}");
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(service.requests().is_empty());
}

#[tokio::test]
async fn a_certificate_for_another_name_is_refused() {
    let service = Scripted::start_for("other.example", |_| quote_answer()).await;
    let error = service.client().calculate(&texas()).await.expect_err("another name").to_string();
    assert!(error.contains("it is for other.example, not for 127.0.0.1"), "{error}");
    assert!(service.requests().is_empty());
}

#[tokio::test]
async fn plain_http_is_refused() {
    let practice = Practice::start().await;
    let plain = practice.running.base_url.replace("https:", "http:");
    let error = client(ClientConfig { base_url: plain, ..practice.config() }).expect_err("plain");
    assert!(matches!(&error, ClientError::InsecureAddress { .. }), "{error}");
    assert!(error.to_string().contains("only encrypted connections"), "{error}");
}

#[tokio::test]
async fn what_does_not_speak_tls_is_told() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let task = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ =
                tokio::io::AsyncWriteExt::write_all(&mut stream, b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    let ca = Scripted::start(|_| Vec::new()).await;
    let base_url = format!("https://{address}");
    let error = client(ClientConfig { base_url, ..ca.config() }).expect("a client");
    let error = error.calculate(&texas()).await.expect_err("no TLS there");
    assert!(error.to_string().contains("does not use TLS"), "{error}");
    task.abort();
}

#[test]
fn unusable_ca_files_are_told() {
    for (pem, part) in [
        ("", "no certificate"),
        ("not PEM at all", "no certificate"),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "cannot be used"),
        ("-----BEGIN CERTIFICATE-----\n%%%%\n-----END CERTIFICATE-----\n", "not readable"),
    ] {
        let config = ClientConfig {
            extra_ca_pem: Some(pem.to_owned()),
            ..ClientConfig::for_address("https://h.example")
        };
        let error = client(config).expect_err(pem);
        assert!(matches!(&error, ClientError::BadTrust { .. }), "{error}");
        assert!(error.to_string().contains(part), "{error}");
    }
}
