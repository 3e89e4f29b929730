//! A listener with its own certificate, and what a monitor asks of it.

use std::net::SocketAddr;
use std::path::Path;

use reqwest::StatusCode;

use crate::listening::{BODY, Listening, SIGNATURE, listening_place};

const NAME: &str = "events.example.com";

/// Writes a certificate for the name with its key; the certificate, to be trusted.
fn write_certificate(cert: &Path, key: &Path) -> reqwest::Certificate {
    let pair = rcgen::generate_simple_self_signed([NAME.to_owned()]).unwrap();
    std::fs::write(cert, pair.cert.pem()).unwrap();
    std::fs::write(key, pair.signing_key.serialize_pem()).unwrap();
    reqwest::Certificate::from_pem(pair.cert.pem().as_bytes()).unwrap()
}

/// Trusts this certificate alone and finds the name at the address.
fn trusting_client(certificate: reqwest::Certificate, address: SocketAddr) -> reqwest::Client {
    install_provider();
    reqwest::Client::builder()
        .tls_certs_only([certificate])
        .resolve(NAME, address)
        .no_proxy()
        .pool_max_idle_per_host(0)
        .build()
        .unwrap()
}

fn install_provider() {
    // Another test of this process may have been first.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

#[tokio::test]
async fn a_listener_shows_its_certificate_and_the_renewed_one() {
    let place = listening_place();
    let (cert, key) = (place.folder().join("cert.pem"), place.folder().join("key.pem"));
    let first = write_certificate(&cert, &key);
    let listening =
        Listening::start_with(&place, &format!("--cert {} --key {}", cert.display(), key.display()));
    let address: SocketAddr = listening.address().parse().unwrap();
    let base = format!("https://{NAME}:{}", address.port());
    assert_eq!(listening.line["deliveries"], format!("{base}/events"));
    let deliver = async |client: &reqwest::Client| {
        let request = client.post(format!("{base}/events")).header("x-hmac-signature", SIGNATURE);
        request.body(BODY).send().await.map(|answer| answer.status())
    };
    let trusts_first = trusting_client(first.clone(), address);
    assert_eq!(deliver(&trusts_first).await.unwrap(), StatusCode::OK);
    let second = trusting_client(write_certificate(&cert, &key), address);
    assert_eq!(deliver(&second).await.unwrap(), StatusCode::OK);
    // Another client: a session that is resumed shows no certificate.
    assert!(deliver(&trusting_client(first, address)).await.is_err());
    // A renewal that went wrong: what was good goes on.
    std::fs::write(&cert, "no certificate").unwrap();
    assert_eq!(deliver(&second).await.unwrap(), StatusCode::OK);
}

#[tokio::test]
async fn a_monitor_sees_what_was_answered_and_refused() {
    let place = listening_place();
    let listening = Listening::start(&place);
    assert_eq!(listening.bring(SIGNATURE), "200");
    assert_eq!(listening.bring(&"0".repeat(64)), "401");
    install_provider();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let base = format!("http://{}", listening.address());
    for (page, text) in [("healthz", "ok\n"), ("readyz", "ready\n")] {
        let answer = client.get(format!("{base}/{page}")).send().await.unwrap();
        assert_eq!((answer.status(), answer.text().await.unwrap().as_str()), (StatusCode::OK, text));
    }
    let metrics = client.get(format!("{base}/metrics")).send().await.unwrap().text().await.unwrap();
    for line in [
        "bordereau_answers_total{status=\"200\"} 1",
        "bordereau_answers_total{status=\"401\"} 1",
        "bordereau_refusals_total{reason=\"deliveries without proof of their sender\"} 1",
    ] {
        assert!(metrics.lines().any(|found| found == line), "{line} in {metrics}");
    }
    // Through a web server in front the counters are not for everybody.
    let forwarded = client.get(format!("{base}/metrics")).header("x-forwarded-for", "203.0.113.7");
    assert_eq!(forwarded.send().await.unwrap().status(), StatusCode::NOT_FOUND);
}

#[test]
fn what_cannot_be_served_is_said_before_anything_listens() {
    let place = listening_place();
    let (cert, key, other) =
        (place.folder().join("cert.pem"), place.folder().join("key.pem"), place.folder().join("other.pem"));
    write_certificate(&cert, &other);
    write_certificate(&cert, &key);
    let with = |cert: &Path, key: &Path| format!("listen --cert {} --key {}", cert.display(), key.display());
    for (line, sentence) in [
        ("listen --bind 0.0.0.0:0".to_owned(), "a certificate is needed"),
        ("serve --listen 0.0.0.0:0".to_owned(), "a certificate is needed"),
        ("serve --listen [::]:0".to_owned(), "a certificate is needed"),
        ("serve --listen 192.0.2.1:0".to_owned(), "192.0.2.1 can be reached from other computers"),
        (with(&place.folder().join("none.pem"), &key), "cannot be read"),
        (with(&key, &key), "holds no certificate"),
        (with(&cert, &cert), "holds no private key"),
        (with(&cert, &other), "cannot be used together"),
    ] {
        let ended = place.line(&line);
        assert_eq!(ended.code, 2, "{line}: {ended:?}");
        assert!(ended.err.contains(sentence), "{line}: {ended:?}");
    }
}
