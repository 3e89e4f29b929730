//! What goes wrong around the service: connections that break, keys made at once, clocks moved far.

use std::sync::Arc;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::harness::{Service, service, texas, try_start};
use crate::imports::{BATCH, RESULTS, SINGLE, STATUS, row, rows};
use crate::receiver::{Receiver, until};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Sends the beginning of a request and breaks the connection off.
async fn break_off(service: &Service, sent: &[u8]) -> Outcome {
    // Dropped without a word, as a cable that is pulled.
    begin_request(service, sent).await.map(drop)
}

/// Sends the beginning of a request and holds the connection.
pub async fn begin_request(
    service: &Service,
    sent: &[u8],
) -> Result<TlsStream<TcpStream>, Box<dyn std::error::Error>> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(service.running.ca_pem.as_bytes())?)?;
    let tls = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    let stream = TcpStream::connect(service.running.address).await?;
    let name = ServerName::try_from("127.0.0.1")?;
    let mut stream = TlsConnector::from(Arc::new(tls)).connect(name, stream).await?;
    stream.write_all(sent).await?;
    stream.flush().await?;
    Ok(stream)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_breaks_off_anywhere_leaves_nothing() -> Outcome {
    let service = service().await;
    let batch = json!({ "transactions": rows("cut", 20) }).to_string();
    let single = row("cut").to_string();
    for (path, body) in [(BATCH, &batch), (SINGLE, &single)] {
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\napikey: {}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n",
            service.running.api_key,
            body.len()
        );
        let request = format!("{head}{body}");
        for part in 0..10 {
            let end = head.len() + body.len() * part / 10;
            break_off(&service, &request.as_bytes()[..end]).await?;
        }
        break_off(&service, &request.as_bytes()[..head.len() / 2]).await?;
        break_off(&service, &request.as_bytes()[..request.len() - 1]).await?;
    }
    service.calculate(&texas()).await.expect(200);
    // All but the last byte was there: still nothing of it is kept, and the same ids are free.
    assert_eq!(service.stored().await["count"], 0);
    let results = service.imported(&rows("cut", 20)).await;
    assert!(results.iter().all(|result| result["status_message"] == "Success"), "{results:?}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn of_keys_made_at_once_one_is_good() -> Outcome {
    let service = Arc::new(service().await);
    let other = json!({"name": "Other", "username": "other"});
    let other = service.practice(Method::POST, "accounts", Some(other)).await.expect(201).json();
    let path = format!("accounts/{}/api-key", other["id"].as_str().ok_or("no id")?);
    let making = (0..8).map(|_| {
        let (service, path) = (Arc::clone(&service), path.clone());
        tokio::spawn(async move { service.practice(Method::POST, &path, None).await })
    });
    let mut keys = vec![other["api_key"].as_str().ok_or("no key")?.to_owned()];
    for made in making.collect::<Vec<_>>() {
        let made = made.await?.json();
        keys.push(made["api_key"].as_str().ok_or("no key")?.to_owned());
    }
    let mut good = 0;
    for key in &keys {
        let request = service.bare(Method::POST, crate::harness::CALCULATOR).header("apiKey", key);
        match service.send(request.json(&texas())).await.status.as_u16() {
            200 => good += 1,
            status => assert_eq!(status, 401),
        }
    }
    assert_eq!(good, 1);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_moved_far_breaks_nothing() {
    let service = service().await;
    service.imported(&[row("before")]).await;
    let move_to =
        async |now: &str| service.practice(Method::POST, "clock", Some(json!({ "now": now }))).await;
    for (number, now) in
        ["2126-01-01T00:00:00Z", "1927-01-01T00:00:00Z", "2026-02-28T23:59:59Z"].iter().enumerate()
    {
        move_to(now).await.expect(200);
        let answer = service.calculate(&texas()).await;
        assert!(answer.status.as_u16() == 200 || answer.status.as_u16() == 422, "{now}: {}", answer.text);
        service.sign_in().await;
        let imported = service.imported(&[row(&format!("at-{number}"))]).await;
        assert_eq!(imported[0]["status"], 0, "{now}: {imported:?}");
        service.record("before").await;
        service.act(json!({"action": "file", "which": {"ids": [format!("at-{number}")]}})).await;
    }
    for now in ["9999-12-30T22:00:00Z", "-009999-01-02T01:59:59Z", "2126-12-31T00:00:00Z"] {
        assert_eq!(move_to(now).await.expect(422).pointers(), ["/now"], "{now}");
    }
    service.practice(Method::POST, "clock", Some(json!({"seconds": i64::MAX}))).await.expect(422);
    service.practice(Method::POST, "clock", Some(json!({"seconds": i64::MIN}))).await.expect(422);
}

/// A slow batch, the clock moved far ahead, webhooks that retry, and a restart in the middle of both.
#[tokio::test(flavor = "multi_thread")]
async fn a_restart_in_the_middle_of_everything() -> Outcome {
    const PROCESSED: &str = "webhook.batch.status.processed";
    let dir = tempfile::tempdir()?;
    let seed = || bordereau_service::AccountSeed {
        api_key: Some("bdk_given-by-the-desk-0123456789".into()),
        password: Some("given by the desk".into()),
        ..bordereau_service::AccountSeed::default()
    };
    let receiver = Receiver::start().await;
    receiver.answer(&[500, 500]);
    let first = try_start(Some(dir.path()), seed()).await?;
    let (hook, _) = first.subscribe(&receiver.url(), &[PROCESSED]).await;
    first.imported(&[row("one")]).await;
    first.wait_for_delivery(&hook, 2, "waiting").await;
    first.practice(Method::POST, "speed", Some(json!({"seconds_per_batch": 3_600}))).await.expect(200);
    let batch = first.accepted(&rows("slow", 40)).await;
    for _ in 0..3 {
        first.practice(Method::POST, "clock", Some(json!({"seconds": 300}))).await.expect(200);
    }
    let waits: Value = first.results(&batch).await;
    assert!(waits["status"] == "queued" || waits["status"] == "processing", "{waits}");
    first.running.stop().await;

    let second = try_start(Some(dir.path()), seed()).await?;
    let results = second.processed(&batch).await;
    assert_eq!(results.len(), 40);
    assert!(results.iter().all(|result| result["status_message"] == "Success"), "{results:?}");
    second.clock.advance(1_800);
    for body in ["one", "slow00000"] {
        second.record(body).await;
    }
    // Twice refused, then each of the two events once.
    receiver.wait_for(4).await;
    until(|| async { second.deliveries(&hook).await.iter().all(|one| one["status"] == "delivered") }).await;
    assert_eq!(receiver.count(), 4);
    let path = format!("{RESULTS}?batch_id={batch}");
    second.send(second.keyed(Method::GET, &path)).await.expect(200);
    second.send(second.keyed(Method::GET, &format!("{STATUS}?id=slow00039"))).await.expect(200);
    Ok(())
}
