//! What a practice service has stored: each own id and how often.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::service::Served;

/// Own ids with how often each is stored.
pub(crate) fn stored(served: &Served) -> BTreeMap<String, u64> {
    let mut all = BTreeMap::new();
    loop {
        // Pages follow the ids.
        let after = all.last_key_value().map_or_else(String::new, |(id, _): (&String, _)| id.clone());
        let answer = get(served, &format!("/practice/transactions?after={after}"));
        let listed = answer["transactions"].as_array().unwrap_or_else(|| panic!("{answer}"));
        if listed.is_empty() {
            return all;
        }
        all.extend(
            listed.iter().map(|row| {
                (row["id"].as_str().unwrap_or_default().to_owned(), row["count"].as_u64().unwrap())
            }),
        );
    }
}

/// Requests of the account that the service has counted.
#[cfg(unix)]
pub(crate) fn counted(served: &Served) -> u64 {
    let answer = get(served, "/practice/requests");
    answer["accounts"][0]["total"].as_u64().unwrap_or_else(|| panic!("{answer}"))
}

/// How fast the service processes batches; 0 is not at all.
pub(crate) fn speed(served: &Served, rows_per_second: u32) {
    ask(served, "POST", "/practice/speed", &json!({ "rows_per_second": rows_per_second }));
}

/// The next requests of an operation that fail in this way.
pub(crate) fn fault(served: &Served, operation: &str, kind: &str, times: u32) {
    let fault = json!({ "operation": operation, "kind": kind, "times": times });
    ask(served, "POST", "/practice/faults", &fault);
}

/// Takes the faults back.
pub(crate) fn no_faults(served: &Served) {
    ask(served, "DELETE", "/practice/faults", &json!({}));
}

fn get(served: &Served, path: &str) -> Value {
    ask(served, "GET", path, &Value::Null)
}

fn ask(served: &Served, method: &str, path: &str, body: &Value) -> Value {
    // Several tests of one process come here.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let authority = std::fs::read(served.text("ca_file")).unwrap();
        let authority = reqwest::Certificate::from_pem(&authority).unwrap();
        let client = reqwest::Client::builder().tls_certs_only([authority]).no_proxy().build().unwrap();
        let url = format!("{}{path}", served.text("base_url"));
        let mut asked = client.request(method.parse().unwrap(), url).header("apiKey", served.text("api_key"));
        if !body.is_null() {
            asked = asked.header("content-type", "application/json").body(body.to_string());
        }
        let answer = asked.send().await.unwrap();
        assert!(answer.status().is_success(), "{path}: {}", answer.status());
        answer.json().await.unwrap_or_default()
    })
}
