//! No secret and no download link in the data folder or in any answer.

use bordereau_desk::api::*;
use bordereau_desk::{SecretName, SecretStore, dispatch};
use serde_json::json;

use crate::other_service::OtherService;
use crate::outbox_fixture::{OutboxFixture, many, queue};
use crate::test_desk::{TestDesk, texas};

/// Every byte below the data folder, the write-ahead log included.
fn data(test: &TestDesk) -> Vec<u8> {
    bytes_below(&test.folder.path().join("data"))
}

fn bytes_below(folder: &std::path::Path) -> Vec<u8> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { bytes_below(&path) } else { std::fs::read(path).unwrap() })
        .collect()
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[tokio::test]
async fn secrets_and_links_are_nowhere() {
    let test = TestDesk::new().await;
    let id = test.sandbox(|profile| profile.sign_in = SignIn::Both).await.profile.id;
    let (key, password) = (test.running().api_key.clone(), test.running().password.clone());
    let sign_in = SignInRequest {
        id: id.clone(),
        username: test.running().username.clone(),
        password: password.clone(),
    };
    test.desk.profile_sign_in(sign_in).await.unwrap();
    let refresh = test.secrets.get(&id, SecretName::RefreshToken).unwrap().unwrap();
    let refresh = refresh.split(' ').next_back().unwrap().to_owned();
    assert!(refresh.len() > 10);

    let answer = test.desk.quote_calculate(texas()).await.unwrap();
    test.desk
        .quote_save(SaveQuote {
            id: None,
            name: "s".into(),
            request: texas(),
            answer: Some(answer.clone()),
            revision: None,
        })
        .await
        .unwrap();
    let mut answers = serde_json::to_string(&answer).unwrap();
    for operation in
        ["profile_list", "status_show", "secrets_status", "quote_list", "settings_load", "reference_data"]
    {
        answers.push_str(&dispatch(&test.desk, operation, json!({})).await.unwrap().to_string());
    }
    let tested = dispatch(&test.desk, "profile_test", json!({"id": id})).await.unwrap();
    answers.push_str(&tested.to_string());

    let stored = data(&test);
    assert!(holds(&stored, "Example LLC"), "the search finds what is there");
    for (what, secret) in [("API key", &key), ("password", &password), ("refresh token", &refresh)] {
        assert!(!holds(&stored, secret), "{what} in the data folder");
        assert!(!answers.contains(secret.as_str()), "{what} in an answer");
    }
    let links = [format!("{}/", test.running().base_url), "download_link".to_owned()];
    let saved = serde_json::to_string(&answer).unwrap();
    for link in &links {
        assert!(!saved.contains(link.as_str()), "{link} in the answer");
    }
    assert!(!holds(&stored, "download_link"));
}

#[tokio::test]
async fn removed_quotes_leave_no_trace() {
    let test = TestDesk::offline();
    let save = SaveQuote {
        id: None,
        name: "Vanishing Insured".into(),
        request: texas(),
        answer: None,
        revision: None,
    };
    let id = test.desk.quote_save(save).await.unwrap().id;
    test.desk.quote_remove(QuoteId { id }).await.unwrap();
    let folder = test.folder.path().join("data");
    let connection = rusqlite::Connection::open(folder.join("desk.sqlite")).unwrap();
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    assert!(!holds(&data(&test), "Vanishing Insured"));
}

/// What a service says of a row may name an insured. A person sees it; the log, as it usually is, does not have it.
#[tokio::test]
async fn what_a_service_says_is_shown_and_not_logged() {
    let test = OutboxFixture::dark();
    let path = test.folder.path().join("desk.log");
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::INFO)
        .with_writer(std::sync::Mutex::new(std::fs::File::create(&path).unwrap()))
        .finish();
    // Of all threads: the outbox has its own.
    tracing::subscriber::set_global_default(subscriber).expect("no other test logs");
    tracing::info!("the log is on");
    let service =
        OtherService::start(|_| Some((503, r#"{"message": "Example Diner LLC is in use"}"#.to_owned())))
            .await;
    let desk = test.desk();
    service.select(&desk, test.folder.path()).await;
    let batch = queue(&desk, "week.csv", many("w", 2)).await.unwrap();
    let log = loop {
        let shown = desk.batch_show(BatchId { id: batch.id.clone() }).await.unwrap();
        let log = std::fs::read_to_string(&path).unwrap();
        if shown.trouble.contains("Example Diner") && log.contains("outbox waits") {
            break log;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    };
    assert!(log.contains("the log is on"), "{log}");
    assert!(!log.contains("Example Diner"), "{log}");
}
