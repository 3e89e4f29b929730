//! Bad input gets a 4xx with a pointer and a sentence; it never panics, never answers 200.

use serde_json::{Value, json};

use crate::harness::{Answer, service, texas};

/// Texas with one or more fields changed; a null removes a field.
fn changed(changes: Value) -> Value {
    let mut body = texas();
    let fields = body.as_object_mut().unwrap();
    for (name, value) in changes.as_object().unwrap() {
        if value.is_null() {
            fields.remove(name);
        } else {
            fields.insert(name.clone(), value.clone());
        }
    }
    body
}

#[track_caller]
fn check_problem(name: &str, answer: &Answer, status: u16) {
    assert_eq!(answer.status.as_u16(), status, "{name}: {}", answer.text);
    assert_eq!(answer.header("content-type"), "application/problem+json", "{name}");
    let problem = answer.json();
    assert_eq!(problem["status"], status, "{name}");
    assert!(problem["detail"].as_str().is_some_and(|text| text.ends_with('.')), "{name}: {}", answer.text);
    for error in problem["errors"].as_array().into_iter().flatten() {
        assert!(error["detail"].as_str().is_some_and(|text| text.len() > 5), "{name}: {}", answer.text);
    }
}

const LIST: &str = "transaction_line_of_business_list";
const COVERAGE: &str = "transaction_line_of_business_coverage";

#[tokio::test(flavor = "multi_thread")]
async fn fields_table() {
    let service = service().await;
    let long_list = vec!["GEN-1002"; 101].join("|");
    let long_coverage = vec!["1"; 101].join("|");
    let deep = (0..20).fold(json!(1), |inner, _| json!([inner]));
    let premium = |text: &str| json!({COVERAGE: text});
    for (changes, pointers) in [
        (json!({"physical_state": null}), vec!["physical_state"]),
        (json!({"physical_state": ""}), vec!["physical_state"]),
        (json!({"physical_state": "ZZ"}), vec!["physical_state"]),
        (json!({"physical_state": "tx"}), vec!["physical_state"]),
        (json!({"physical_state": "Texas"}), vec!["physical_state"]),
        (json!({"physical_state": 48}), vec!["physical_state"]),
        (json!({"physical_state": ["TX"]}), vec!["physical_state"]),
        (json!({"physical_state": {"code": "TX"}}), vec!["physical_state"]),
        (json!({"physical_state": "TX\u{0}"}), vec!["physical_state"]),
        (json!({"transaction_type": null}), vec!["transaction_type"]),
        (json!({"transaction_type": "NP"}), vec!["transaction_type"]),
        (json!({"transaction_type": "pn"}), vec!["transaction_type"]),
        (json!({"transaction_type": true}), vec!["transaction_type"]),
        (json!({LIST: null}), vec![LIST]),
        (json!({LIST: ""}), vec![LIST]),
        (json!({LIST: "GEN-9999"}), vec![LIST]),
        (json!({LIST: "GEN-1002'; DROP TABLE account; --"}), vec![LIST]),
        (json!({LIST: ["GEN-1002"]}), vec![LIST]),
        (json!({LIST: "GEN-1002 | GEN-1010"}), vec![COVERAGE]),
        (json!({LIST: "GEN-1002 |", COVERAGE: "1 | 2"}), vec![LIST]),
        (json!({LIST: long_list, COVERAGE: long_coverage}), vec![LIST]),
        (json!({COVERAGE: null}), vec![COVERAGE]),
        (premium(""), vec![COVERAGE]),
        (premium("1|2"), vec![COVERAGE]),
        (premium("-9521"), vec![COVERAGE]),
        (premium("NaN"), vec![COVERAGE]),
        (premium("Infinity"), vec![COVERAGE]),
        (premium("1e3"), vec![COVERAGE]),
        (premium("0x10"), vec![COVERAGE]),
        (premium("1,250.50"), vec![COVERAGE]),
        (premium("1250.505"), vec![COVERAGE]),
        (premium("99999999999999999999999999999999"), vec![COVERAGE]),
        (premium("1000000000000"), vec![COVERAGE]),
        (premium("٣٠٠"), vec![COVERAGE]),
        (json!({COVERAGE: 9521}), vec![COVERAGE]),
        (json!({COVERAGE: [9521]}), vec![COVERAGE]),
        (json!({"agency_fee": -1}), vec!["agency_fee"]),
        (json!({"agency_fee": "abc"}), vec!["agency_fee"]),
        (json!({"agency_fee": "NaN"}), vec!["agency_fee"]),
        (json!({"agency_fee": ""}), vec!["agency_fee"]),
        (json!({"agency_fee": [1]}), vec!["agency_fee"]),
        (json!({"agency_fee": deep}), vec!["agency_fee"]),
        (json!({"agency_fee": {}}), vec!["agency_fee"]),
        (json!({"agency_fee": true}), vec!["agency_fee"]),
        (json!({"agency_fee": 0.001}), vec!["agency_fee"]),
        (json!({"agency_fee": 1e300}), vec!["agency_fee"]),
        (json!({"agency_fee": 1e13}), vec!["agency_fee"]),
        (json!({"inspection_fee": -0.01}), vec!["inspection_fee"]),
        (json!({"inspection_fee": "1 000"}), vec!["inspection_fee"]),
        (json!({"premium": 9520}), vec!["premium"]),
        (json!({"premium": "many"}), vec!["premium"]),
        (json!({LIST: null, COVERAGE: null, "line_of_business": "GEN-1002"}), vec!["premium"]),
        (
            json!({LIST: null, COVERAGE: null, "line_of_business": "GEN-1002|GEN-1010", "premium": 1}),
            vec!["line_of_business"],
        ),
        (json!({LIST: null, COVERAGE: null, "premium": 1}), vec![LIST, COVERAGE]),
        (json!({"policy_effective_date": "2026-02-30"}), vec!["policy_effective_date"]),
        (json!({"policy_effective_date": "02/23/2026"}), vec!["policy_effective_date"]),
        (json!({"policy_effective_date": "2026-2-3"}), vec!["policy_effective_date"]),
        (json!({"policy_effective_date": "2026-02-23T00:00:00Z"}), vec!["policy_effective_date"]),
        (json!({"policy_effective_date": 20260223}), vec!["policy_effective_date"]),
        (json!({"policy_effective_date": "0000-01-01"}), vec!["policy_effective_date"]),
        (json!({"policy_effective_date": "9999-12-31"}), vec!["policy_effective_date"]),
        (json!({"policy_effective_date": "tomorrow"}), vec!["policy_effective_date"]),
        (json!({"transaction_effective_date": "2026-02-24"}), vec!["transaction_effective_date"]),
        (json!({"transaction_effective_date": "2026-13-01"}), vec!["transaction_effective_date"]),
        (json!({"mailing_entity_type": "martian"}), vec!["mailing_entity_type"]),
        (json!({"mailing_entity_type": 1}), vec!["mailing_entity_type"]),
        (json!({"account_written_as": "X"}), vec!["account_written_as"]),
        (json!({"agency_fee_charged_by": "both"}), vec!["agency_fee_charged_by"]),
        (json!({"occupancy": 1}), vec!["occupancy"]),
        (json!({"assessment_rate": 6}), vec!["assessment_rate"]),
        (json!({"assessment_rate": "six"}), vec!["assessment_rate"]),
        (json!({"rpg": 2}), vec!["rpg"]),
        (json!({"rpg": true}), vec!["rpg"]),
        (json!({"ecp": -1}), vec!["ecp"]),
        (json!({"tax_exempt": "yes"}), vec!["tax_exempt"]),
        (json!({"export_list": [0]}), vec!["export_list"]),
        (json!({"commission_received": 0.5}), vec!["commission_received"]),
        (json!({"admitted": 1}), vec!["admitted"]),
        (json!({"physical_city": 7}), vec!["physical_city"]),
        (json!({"physical_address": "x".repeat(300)}), vec!["physical_address"]),
        (
            json!({"physical_state": "ZZ", "transaction_type": "??", "agency_fee": -1, "rpg": 9}),
            vec!["physical_state", "transaction_type", "agency_fee", "rpg"],
        ),
        (
            json!({LIST: "GEN-9999", "policy_effective_date": "soon", "inspection_fee": "x"}),
            vec!["inspection_fee", "policy_effective_date", LIST],
        ),
    ] {
        let body = changed(changes.clone());
        let answer = service.calculate(&body).await;
        let name: String = changes.to_string().chars().take(120).collect();
        check_problem(&name, &answer, 422);
        let pointers: Vec<String> = pointers.iter().map(|field| format!("/{field}")).collect();
        assert_eq!(answer.pointers(), pointers, "{name}: {}", answer.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_table() {
    let service = service().await;
    let texas = texas().to_string();
    let inside = |more: &str| format!("{}, {more}}}", &texas[..texas.len() - 1]);
    let open = |bracket: &str, count: usize| bracket.repeat(count);
    for (name, body, status, pointers) in [
        ("nothing", Vec::new(), 400, vec![]),
        ("a blank", b" ".to_vec(), 400, vec![]),
        ("null", b"null".to_vec(), 400, vec![]),
        ("a number", b"7".to_vec(), 400, vec![]),
        ("a string", b"\"TX\"".to_vec(), 400, vec![]),
        ("an array", format!("[{texas}]").into_bytes(), 400, vec![]),
        (
            "an empty object",
            b"{}".to_vec(),
            422,
            vec![
                "/physical_state",
                "/transaction_type",
                "/transaction_line_of_business_list",
                "/transaction_line_of_business_coverage",
            ],
        ),
        ("half an object", texas.as_bytes()[..40].to_vec(), 400, vec![]),
        ("two objects", format!("{texas}{texas}").into_bytes(), 400, vec![]),
        ("something after", format!("{texas} x").into_bytes(), 400, vec![]),
        ("a comment", format!("/* x */ {texas}").into_bytes(), 400, vec![]),
        ("a comma too many", inside("").into_bytes(), 400, vec![]),
        ("single quotes", texas.replace('"', "'").into_bytes(), 400, vec![]),
        ("a byte order mark", format!("\u{feff}{texas}").into_bytes(), 400, vec![]),
        ("UTF-16", texas.encode_utf16().flat_map(u16::to_le_bytes).collect(), 400, vec![]),
        ("no UTF-8", [texas.as_bytes(), b"\xff"].concat(), 400, vec![]),
        (
            "no UTF-8 in a string",
            inside("\"physical_city\": \"\u{1}\"")
                .into_bytes()
                .into_iter()
                .map(|b| if b == 1 { 0xff } else { b })
                .collect(),
            400,
            vec![],
        ),
        ("a control character", inside("\"physical_city\": \"\u{1}\"").into_bytes(), 400, vec![]),
        (
            "half a surrogate",
            inside(r#""physical_city": "\ud800""#).into_bytes(),
            422,
            vec!["/physical_city"],
        ),
        ("NaN", inside("\"rpg\": NaN").into_bytes(), 400, vec![]),
        ("Infinity", inside("\"rpg\": -Infinity").into_bytes(), 400, vec![]),
        ("a leading zero", inside("\"rpg\": 01").into_bytes(), 400, vec![]),
        ("a plus", inside("\"rpg\": +1").into_bytes(), 400, vec![]),
        ("hexadecimal", inside("\"rpg\": 0x1").into_bytes(), 400, vec![]),
        ("twice", inside("\"physical_state\": \"TX\"").into_bytes(), 422, vec!["/physical_state"]),
        (
            "twice, escaped",
            inside(r#""physical_\u0073tate": "TX""#).into_bytes(),
            422,
            vec!["/physical_state"],
        ),
        ("deep arrays", open("[", 100_000).into_bytes(), 400, vec![]),
        ("deep objects", open("{\"a\":", 100_000).into_bytes(), 400, vec![]),
        (
            "deep and unknown",
            inside(&format!("\"x\": {}{}", open("[", 50_000), open("]", 50_000))).into_bytes(),
            400,
            vec![],
        ),
        (
            "many digits",
            inside(&format!("\"premium\": 9521.{}1", open("0", 5_000))).into_bytes(),
            422,
            vec!["/premium"],
        ),
        ("a huge exponent", inside("\"premium\": 1e999999999").into_bytes(), 422, vec!["/premium"]),
        ("a tiny exponent", inside("\"premium\": 1e-999999999").into_bytes(), 422, vec!["/premium"]),
        ("minus zero", inside("\"premium\": -0").into_bytes(), 422, vec!["/premium"]),
        ("over a megabyte", vec![b' '; 1_048_577], 413, vec![]),
    ] {
        let answer = service.calculate_text(body).await;
        check_problem(name, &answer, status);
        assert_eq!(answer.pointers(), pointers, "{name}: {}", answer.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_megabytes_are_refused_unread() {
    let service = service().await;
    let started = std::time::Instant::now();
    let request = service.keyed(reqwest::Method::POST, crate::harness::CALCULATOR);
    let request = request.header("content-type", "application/json").body(vec![b'['; 50 * 1024 * 1024]);
    // The service answers before the body is through; a client still sending may see only the end.
    match request.send().await {
        Ok(response) => assert_eq!(response.status().as_u16(), 413),
        Err(error) => assert!(error.is_request() || error.is_body(), "{error:?}"),
    }
    assert!(started.elapsed().as_secs() < 10);
    service.calculate(&texas()).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn content_types_table() {
    let service = service().await;
    for (content_type, status) in [
        (Some("application/json"), 200),
        (Some("application/json; charset=utf-8"), 200),
        (Some("Application/JSON"), 200),
        (Some("text/plain"), 415),
        (Some("application/xml"), 415),
        (Some("application/x-www-form-urlencoded"), 415),
        (Some("application/jsonp"), 415),
        (Some(""), 415),
        (None, 415),
    ] {
        let mut request = service.keyed(reqwest::Method::POST, crate::harness::CALCULATOR);
        if let Some(content_type) = content_type {
            request = request.header("content-type", content_type);
        }
        let answer = service.send(request.body(texas().to_string())).await;
        assert_eq!(answer.status.as_u16(), status, "{content_type:?}: {}", answer.text);
    }
}
