//! Batches survive the end of the service, however it ends: nothing lost, nothing twice.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use bordereau_service::{AccountSeed, ServiceConfig, StartError, start_service};
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Service, client, listener, standing_clock, try_start};
use crate::imports::rows;

const KEY: &str = "bdk_given-by-the-desk-0123456789";
const DIR_VARIABLE: &str = "BORDEREAU_TEST_SERVICE_DIR";

fn seed() -> AccountSeed {
    AccountSeed {
        api_key: Some(KEY.into()),
        password: Some("given by the desk".into()),
        ..AccountSeed::default()
    }
}

/// Starts on a directory whose last user may still be ending.
async fn start_again(dir: &Path) -> Service {
    for _ in 0..200 {
        match try_start(Some(dir), seed()).await {
            Ok(service) => return service,
            Err(StartError::InUse(_)) => tokio::time::sleep(Duration::from_millis(50)).await,
            Err(error) => panic!("{error}"),
        }
    }
    panic!("the directory stays in use")
}

async fn pace(service: &Service, pace: Value) {
    service.practice(Method::POST, "speed", Some(pace)).await.expect(200);
}

/// Every row once, each with its own result.
async fn assert_exactly_once(service: &Service, batch: &str, count: usize) {
    let results = service.processed(batch).await;
    assert_eq!(results.len(), count);
    for (number, result) in results.iter().enumerate() {
        assert_eq!(result["id"], format!("{number:05}"));
        // "Duplicate" would say that it was stored before and its result lost.
        assert_eq!(
            (&result["status"], &result["status_message"]),
            (&json!(0), &json!("Success")),
            "{result}"
        );
    }
    let stored = service.stored().await;
    assert_eq!(stored["count"], count);
    assert!(stored["transactions"].as_array().unwrap().iter().all(|row| row["count"] == 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn dropped_in_the_middle_again_and_again() {
    let dir = tempfile::tempdir().unwrap();
    let first = start_again(dir.path()).await;
    pace(&first, json!({"rows_per_second": 0})).await;
    let batch = first.accepted(&rows("", 1_000)).await;
    drop(first);
    let mut seen = Vec::new();
    for _ in 0..4 {
        let service = start_again(dir.path()).await;
        pace(&service, json!({"rows_per_second": 2_000})).await;
        tokio::time::sleep(Duration::from_millis(80)).await;
        seen.push(service.results(&batch).await["transactions"].as_array().unwrap().len());
        drop(service);
    }
    assert!(seen.is_sorted(), "{seen:?}");
    let service = start_again(dir.path()).await;
    assert_exactly_once(&service, &batch, 1_000).await;
    service.running.stop().await;
}

/// Not a test of its own: the process that is killed by the next one.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "run by the test that kills it"]
async fn child_service() {
    let Some(dir) = std::env::var_os(DIR_VARIABLE) else { return };
    let config = ServiceConfig {
        data_dir: Some(dir.into()),
        clock: standing_clock(),
        account: seed(),
        ..ServiceConfig::default()
    };
    let running = start_service(listener(), config).await.unwrap();
    println!("READY {}", json!({"base_url": running.base_url, "ca_pem": running.ca_pem}));
    std::future::pending::<()>().await;
}

struct Killed {
    child: Child,
    base_url: String,
    client: reqwest::Client,
}

impl Killed {
    fn start(dir: &Path) -> Killed {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "import_restarts::child_service", "--ignored", "--nocapture"])
            .env(DIR_VARIABLE, dir)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        // The test runner writes its own words before, perhaps on the same line.
        let ready = lines
            .map(Result::unwrap)
            .find_map(|line| line.split_once("READY ").map(|(_, json)| json.to_owned()));
        let ready: Value = serde_json::from_str(&ready.expect("the service answers")).unwrap();
        let base_url = ready["base_url"].as_str().unwrap().to_owned();
        Killed { child, base_url, client: client(ready["ca_pem"].as_str().unwrap()) }
    }

    async fn post(&self, path: &str, body: &Value) -> Value {
        let request = self.client.post(format!("{}{path}", self.base_url)).header("apiKey", KEY).json(body);
        request.send().await.unwrap().error_for_status().unwrap().json().await.unwrap()
    }

    /// How many rows have their result.
    async fn results(&self, batch: &str) -> usize {
        let url = format!("{}{}?batch_id={batch}", self.base_url, crate::imports::RESULTS);
        let answer = self.client.get(url).header("apiKey", KEY).send().await.unwrap();
        let results: Value = answer.json().await.unwrap();
        results["transactions"].as_array().unwrap().len()
    }
}

impl Drop for Killed {
    /// SIGKILL, where there are signals.
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_in_the_middle_again_and_again() {
    let dir = tempfile::tempdir().unwrap();
    let batch = {
        let first = Killed::start(dir.path());
        first.post("/practice/speed", &json!({"rows_per_second": 0})).await;
        let body = json!({"transactions": rows("", 2_000)});
        let accepted = first.post(crate::imports::BATCH, &body).await;
        accepted["batch_id"].as_str().unwrap().to_owned()
        // Killed right after the answer.
    };
    let mut seen: Vec<usize> = Vec::new();
    for wait in [30, 60, 90, 120] {
        let service = Killed::start(dir.path());
        service.post("/practice/speed", &json!({"rows_per_second": 10_000})).await;
        tokio::time::sleep(Duration::from_millis(wait)).await;
        // On a busy machine the first part may take longer.
        let before = seen.last().copied().unwrap_or_default();
        crate::receiver::until(|| async {
            let now = service.results(&batch).await;
            now > before || now == 2_000
        })
        .await;
        seen.push(service.results(&batch).await);
    }
    assert!(seen.is_sorted() && seen.iter().any(|count| (1..2_000).contains(count)), "{seen:?}");
    let service = start_again(dir.path()).await;
    assert_exactly_once(&service, &batch, 2_000).await;
    service.running.stop().await;
}
