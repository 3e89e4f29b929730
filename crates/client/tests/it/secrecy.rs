//! No secret in an address, a log line, a message or a `Debug` output.

use std::io::Write;
use std::sync::{Arc, Mutex};

use bordereau_client::{Client, Credentials, MemoryTokens, Secret, TokenStore, UserTokens};
use bordereau_contract::CalculateRequest;
use tracing_subscriber::fmt::MakeWriter;

use crate::practice::{Practice, texas};

/// Keeps everything logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("the log").extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Log;
    fn make_writer(&'a self) -> Log {
        self.clone()
    }
}

/// Everything is logged at the finest level, by all crates and from all threads.
#[tokio::test]
async fn secrets_stay_secret() {
    let practice = Practice::start().await;
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::level_filters::LevelFilter::TRACE)
        .with_writer(log.clone())
        .finish();
    tracing::subscriber::set_global_default(subscriber).expect("no other test logs");
    let store = Arc::new(MemoryTokens::new());
    let credentials = Credentials {
        api_key: Some(Secret::new(practice.running.api_key.clone())),
        user: Some(UserTokens::default()),
    };
    let shown = format!("{credentials:?}");
    let client = Client::new(practice.config(), credentials, store.clone()).expect("a client");
    let wrong = client.sign_in("practice", &Secret::new("wrong-password-1")).await.expect_err("wrong");
    client.sign_in(&practice.running.username, &practice.password()).await.expect("signed in");
    let request = CalculateRequest { physical_state: "CA".to_owned(), ..texas() };
    let quote = client.calculate(&request).await.expect("a quote");
    let mut documents = quote.tax_rule.state_documents.into_iter();
    let link = documents.find_map(|document| document.document_download_link).expect("a template");
    client.download_document(&link, 1_000_000).await.expect("a document");
    let link = link.rsplit('/').next().expect("the end of a one-time link").to_owned();
    assert!(link.len() > 10, "{link}");
    practice.clock.advance(3_601);
    client.calculate(&texas()).await.expect("a quote after a refresh");
    practice.clock.advance(40 * 24 * 3_600);
    let refresh_token = store.load_tokens().expect("signed in").refresh_token;
    let over = client.calculate(&texas()).await.expect_err("a month is over");

    let log = String::from_utf8_lossy(&log.0.lock().expect("the log")).into_owned();
    assert!(log.contains("answered") && log.contains("refresh"), "the log is on: {} bytes", log.len());
    let everything = format!(
        "{log} {shown} {client:?} {store:?} {wrong} {wrong:?} {over} {over:?} {:?} {:?}",
        practice.config(),
        store.load_tokens()
    );
    let secrets = [
        practice.running.api_key.as_str(),
        practice.running.password.as_str(),
        "wrong-password-1",
        refresh_token.expose(),
        "Bearer bda_",
        link.as_str(),
    ];
    for secret in secrets {
        let at = everything.find(secret);
        assert!(at.is_none(), "{}", at.map_or("", |at| &everything[at.saturating_sub(200)..at]));
    }
}

#[tokio::test]
async fn the_key_is_a_header_and_never_in_the_address() {
    let service = crate::scripted::Scripted::start(|_| crate::scripted::quote_answer()).await;
    service.client().calculate(&texas()).await.expect("a quote");
    let request = service.requests().remove(0);
    let (line, head) = request.split_once("\r\n").expect("a head");
    assert_eq!(line, "POST /api/tax-calculator/calculate-general-taxes HTTP/1.1");
    assert!(head.to_ascii_lowercase().contains("\r\napikey: bdk_visible_key\r\n"), "{head}");
    assert!(
        head.contains("content-type: application/json") && head.contains("accept: application/json"),
        "{head}"
    );
}
