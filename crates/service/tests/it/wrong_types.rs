//! Every address of the contract with every field of its body in the wrong type, a table made from the
//! service's own OpenAPI document: always an answer that says what is wrong and where, never a failure.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, Service, service, texas};
use crate::imports::row;

/// A body the service takes, for each kind of body.
fn right(schema: &str) -> Value {
    match schema {
        "TokenRequest" => json!({"grant_type": "refresh_token", "refresh_token": "bdr_unknown"}),
        "CalculateRequest" => texas(),
        "DiligentRequest" => {
            json!({"state": "TX", "transaction_type": "PN", "values": {}, "declinations": []})
        }
        "DocumentImport" => json!({"transaction_id": 1, "documents": []}),
        "SearchRequest" => json!({}),
        "SingleTransaction" => {
            json!({"batch_id": "b", "total_items": 1, "current_item": 1, "transaction": row("single")})
        }
        "WebhookRequest" => {
            json!({"title": "W", "url": "https://example.com/", "events": ["webhook.batch.status.failed"]})
        }
        "ImportTransaction" => row("flat"),
        "ImportRequest" => json!({"transactions": [row("batch")]}),
        other => panic!("say what a right {other} looks like"),
    }
}

/// The schema behind a reference, and behind "this or null".
fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    if let Some([one, other]) = schema["oneOf"].as_array().map(Vec::as_slice)
        && (one["type"] == "null" || other["type"] == "null")
    {
        return resolved(document, if one["type"] == "null" { other } else { one });
    }
    let name = schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next());
    name.map_or(schema, |name| resolved(document, &document["components"]["schemas"][name]))
}

/// What no field of this type takes, and what hardly any does.
fn wrong(kind: &str) -> (Vec<Value>, Vec<Value>) {
    let never = match kind {
        "array" => vec![json!({"a": 1}), json!("text")],
        "object" => vec![json!([7]), json!("text")],
        "string" => vec![(0..20).fold(json!(1), |inner, _| json!({ "deep": inner }))],
        _ => vec![json!({}), json!("text")],
    };
    let odd: Value = serde_json::from_str("99999999999999999999999999999999").unwrap_or_default();
    (never, vec![odd, json!("\0'; DROP TABLE filing; --")])
}

/// The paths of the fields of a body, two deep, with the schema's type.
fn fields(document: &Value, schema: &Value, at: &str, deeper: usize) -> Vec<(String, String)> {
    let mut found = Vec::new();
    // A body of several forms is tried in each of them.
    for form in schema["oneOf"].as_array().into_iter().flatten() {
        found.extend(fields(document, form, at, deeper));
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let field = resolved(document, field);
        let pointer = format!("{at}/{name}");
        let kind = field["type"].as_array().map_or(&field["type"], |kinds| &kinds[0]);
        found.push((pointer.clone(), kind.as_str().expect("a type").to_owned()));
        if deeper > 0 {
            found.extend(fields(document, field, &pointer, deeper - 1));
            let item = resolved(document, &field["items"]);
            found.extend(fields(document, item, &format!("{pointer}/0"), deeper - 1));
        }
    }
    found
}

/// The body with one value changed; what the way there lacks is put in.
fn changed(mut body: Value, pointer: &str, value: &Value) -> Value {
    let mut place = &mut body;
    for part in pointer.split('/').skip(1) {
        place = match part {
            "0" => {
                if place.as_array().is_none_or(Vec::is_empty) {
                    *place = json!([{}]);
                }
                &mut place[0]
            }
            name => {
                if !place.is_object() {
                    *place = json!({});
                }
                &mut place[name]
            }
        };
    }
    *place = value.clone();
    body
}

/// Fields that are not read beside the others of the right body.
const NOT_READ: [&str; 1] = ["/line_of_business"];

/// What serde says of a value that does not fit.
const RUST_WORDS: [&str; 6] =
    ["invalid type", "invalid value", "unknown variant", "missing field", "expected ", "`"];

/// What is wrong with an answer, if anything is.
fn fault(answer: &Answer, must_refuse: bool) -> Option<String> {
    let status = answer.status.as_u16();
    let beginning = || answer.text.chars().take(200).collect::<String>();
    if status >= 500 || must_refuse && status < 400 {
        return Some(format!("{status} {}", beginning()));
    }
    if status < 400 {
        return None;
    }
    let problem: Value = serde_json::from_str(&answer.text).unwrap_or_default();
    let sentence = problem["detail"].as_str().or_else(|| problem["error_description"].as_str());
    let said = sentence.is_some_and(|text| text.len() > 10) && answer.text.len() < 20_000;
    if !said || RUST_WORDS.iter().any(|word| answer.text.contains(word)) {
        return Some(format!("{status} says nothing, too much, or names Rust's types: {}", beginning()));
    }
    None
}

async fn each_field(
    service: &Service,
    document: &Value,
    method: &Method,
    path: &str,
    schema: &str,
) -> Vec<String> {
    let body = right(schema);
    let mut faults = Vec::new();
    // The fields of a transaction are tried where it is on its own.
    let deeper = usize::from(!matches!(schema, "SingleTransaction" | "ImportRequest"));
    for (pointer, kind) in fields(document, &document["components"]["schemas"][schema], "", deeper) {
        let (never, odd) = wrong(&kind);
        let read = !NOT_READ.contains(&pointer.as_str());
        let values = never.iter().map(|value| (value, read)).chain(odd.iter().map(|value| (value, false)));
        for (value, must_refuse) in values {
            let request = service.keyed(method.clone(), path).json(&changed(body.clone(), &pointer, value));
            if let Some(fault) = fault(&service.send(request).await, must_refuse) {
                let shown: String = value.to_string().chars().take(60).collect();
                faults.push(format!("{method} {path} {pointer} = {shown}: {fault}"));
            }
        }
    }
    faults
}

#[tokio::test(flavor = "multi_thread")]
async fn every_field_of_every_body() {
    let service = service().await;
    let document: Value = serde_json::from_str(bordereau_service::openapi::document_text()).unwrap();
    let (mut tried, mut faults) = (0, Vec::new());
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let schema = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].as_str();
            // The same operation with the ending `.json` is tried once.
            let twin = path.strip_suffix(".json").is_some_and(|plain| document["paths"].get(plain).is_some());
            let Some(schema) = schema.and_then(|reference| reference.rsplit('/').next()).filter(|_| !twin)
            else {
                continue;
            };
            let method: Method = method.to_uppercase().parse().unwrap();
            let path = path.replace("{id}", "none");
            faults.extend(each_field(&service, &document, &method, &path, schema).await);
            // A minute of its own for each, so that the limit of requests is not what refuses.
            service.clock.advance(60);
            tried += 1;
        }
    }
    assert!(tried >= 8, "{tried}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    service.calculate(&texas()).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_address_with_odd_parts() {
    let service = service().await;
    let document: Value = serde_json::from_str(bordereau_service::openapi::document_text()).unwrap();
    let odd =
        ["%00", "-1", "0", "9223372036854775808", "1e5", "..%2F..", "%F0%9F%98%80", "%FF", "a%20b", "'--"];
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let method: Method = method.to_uppercase().parse().unwrap();
            for value in odd {
                let mut asked = path.clone();
                for name in ["token", "id", "transaction", "document"] {
                    asked = asked.replace(&format!("{{{name}}}"), value);
                }
                let parameters = operation["parameters"].as_array().into_iter().flatten();
                let query: Vec<String> = parameters
                    .filter(|parameter| parameter["in"] == "query")
                    .map(|parameter| format!("{0}={value}&{0}={value}", parameter["name"].as_str().unwrap()))
                    .collect();
                let asked = format!("{asked}?{}", query.join("&"));
                let answer = service.send(service.keyed(method.clone(), &asked)).await;
                assert_eq!(fault(&answer, false), None, "{method} {asked}");
            }
        }
    }
}
