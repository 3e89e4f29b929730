//! Filled diligent effort forms (contract section 5).

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, Service, service};

const PATH: &str = "/api/v1/diligent-forms.json";

fn texas() -> Value {
    let declination = |at: usize| {
        json!({"carrier": format!("Carrier {at}"), "naic": format!("1000{at}"), "contact": "A. Person",
               "date": "2026-02-02", "reason": "Class not written"})
    };
    json!({
        "state": "TX", "transaction_type": "PN", "policy_effective_date": "2026-02-23",
        "values": {
            "insured_name": "Café LLC", "insured_address": "12 Main Street", "coverage_description": "Bakery",
            "insurer_name": "Surplus Insurance", "producer_name": "P", "producer_license": "1",
            "broker_name": "B", "broker_license": "2"
        },
        "declinations": [declination(1), declination(2), declination(3)]
    })
}

async fn ask(service: &Service, body: &Value) -> Answer {
    service.send(service.keyed(Method::POST, PATH).json(body)).await
}

async fn fetch(service: &Service, form: &Value) -> (u16, Vec<u8>) {
    let link = form["download_url"].as_str().unwrap();
    let response = service.client.get(link).send().await.unwrap();
    (response.status().as_u16(), response.bytes().await.unwrap().to_vec())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_is_filled_and_fetched_once_within_a_minute() {
    let service = service().await;
    let answer = ask(&service, &texas()).await.expect(200).json();
    let form = &answer["forms"][0];
    assert_eq!(
        (&form["code"], &form["state"], &form["complete"]),
        (&json!("DEF"), &json!("TX"), &json!(true))
    );
    assert_eq!(form["missing_fields"], json!([]));
    assert_eq!(answer["requirement"]["status"], "required");
    let (status, bytes) = fetch(&service, form).await;
    assert!(status == 200 && bytes.starts_with(b"%PDF-"));
    assert_eq!(fetch(&service, form).await.0, 410, "one use only");
    let other = ask(&service, &texas()).await.expect(200).json();
    service.clock.advance(60);
    assert_eq!(fetch(&service, &other["forms"][0]).await.0, 410, "a minute is over");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_missing_is_named_and_the_form_is_filled_in_part() {
    let service = service().await;
    let mut sent = texas();
    sent["values"]["producer_license"] = json!("");
    sent["declinations"].as_array_mut().unwrap().pop();
    let answer = ask(&service, &sent).await.expect(200).json();
    let form = &answer["forms"][0];
    assert_eq!(form["complete"], false);
    assert_eq!(form["missing_fields"], json!(["producer_license", "declinations"]));
    assert_eq!(fetch(&service, form).await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_state_that_repealed_it_says_so_with_day_and_source() {
    let service = service().await;
    let mut sent = texas();
    sent["state"] = json!("FL");
    let answer = ask(&service, &sent).await.expect(200).json();
    let requirement = &answer["requirement"];
    assert_eq!((&requirement["status"], &requirement["since"]), (&json!("repealed"), &json!("2025-07-01")));
    assert!(requirement["sources"][0].as_str().unwrap().starts_with("https://"));
    let codes: Vec<&Value> = answer["forms"].as_array().unwrap().iter().map(|form| &form["code"]).collect();
    assert_eq!(codes, ["DISCL"], "the signed disclosure remains");
    sent["state"] = json!("LA");
    assert_eq!(ask(&service, &sent).await.expect(200).json()["forms"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_is_refused_by_pointer() {
    let service = service().await;
    type Change = fn(&mut Value);
    let cases: &[(Change, &str)] = &[
        (|sent| sent["state"] = json!("XX"), "/state"),
        (|sent| sent["policy_effective_date"] = json!("02/23/2026"), "/policy_effective_date"),
        (|sent| sent["declinations"][1]["naic"] = json!("12"), "/declinations/1/naic"),
        (|sent| sent["declinations"][0]["date"] = json!("soon"), "/declinations/0/date"),
        (|sent| sent["declinations"][0]["carrier"] = json!(1), "/declinations/0/carrier"),
        (|sent| sent["values"]["insured_name"] = json!("x".repeat(100_000)), "/values/insured_name"),
        (|sent| sent["forms"] = json!(["SL2"]), "/forms/0"),
    ];
    for (change, pointer) in cases {
        let mut sent = texas();
        change(&mut sent);
        assert_eq!(ask(&service, &sent).await.expect(422).pointers(), [*pointer]);
    }
    service.send(service.bare(Method::POST, PATH).json(&texas())).await.expect(401);
}
