//! The calculator's answers (contract section 2); figures are those of public API examples of 2026.

use bordereau_contract::{CalculateRequest, CalculateResponse, MunicipalSettings, TransactionType};
use bordereau_money::Usd;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{CALCULATOR, Service, service, texas};

/// A policy in `state` with its lines and fees.
fn policy(state: &str, lines: &str, premiums: &str, fees: (&str, &str), effective: &str) -> CalculateRequest {
    CalculateRequest {
        physical_state: state.into(),
        transaction_type: "PN".into(),
        transaction_line_of_business_list: lines.into(),
        transaction_line_of_business_coverage: premiums.into(),
        agency_fee: fees.0.parse().unwrap(),
        inspection_fee: fees.1.parse().unwrap(),
        policy_effective_date: Some(effective.into()),
        ..CalculateRequest::default()
    }
}

async fn answer(service: &Service, request: &CalculateRequest) -> CalculateResponse {
    let answer = service.calculate(&serde_json::to_value(request).unwrap()).await.expect(200);
    serde_json::from_str(&answer.text).unwrap()
}

fn usd(text: &str) -> Usd {
    text.parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn texas_to_the_cent_with_everything_that_belongs_to_it() {
    let service = service().await;
    let lines = "GEN-1002 | GEN-1001";
    let request = policy("TX", lines, "9000 | 521", ("400", "150.42"), "2026-02-23");
    let answer = answer(&service, &request).await;
    assert_eq!(
        (answer.premium, answer.sl_tax, answer.stamping_fee, answer.fm_tax, answer.empa_tax),
        (usd("9521"), Some(usd("488.46")), Some(usd("4.03")), Some(Usd::ZERO), Some(Usd::ZERO))
    );
    assert_eq!((answer.agency_fee, answer.inspection_fee), (Some(usd("400")), Some(usd("150.42"))));
    assert_eq!((answer.municipal_fee, answer.county_fee, answer.premium_tax), (None, None, None));
    assert_eq!(answer.tax_rule.sl_tax_amount, Some(usd("4.85")), "in percent");
    assert_eq!(answer.tax_rule.sl_tax_amount_type, 1);
    assert_eq!(answer.tax_rule.sl_tax_title, "Surplus Lines Tax");
    assert_eq!(answer.line_of_business_list.len(), 2);
    assert_eq!(answer.line_of_business_list[0].generic_code, "GEN-1002");
    assert_eq!(answer.line_of_business_list[0].id, 1002);
    let wording = answer.state_properties.state_stamp_wording_text.as_deref().unwrap();
    assert!(wording.starts_with("<p>") && wording.ends_with("</p>"), "{wording}");
    assert!(!answer.tax_rule.state_notes.is_empty());
    for note in &answer.tax_rule.state_notes {
        assert!(note.note.starts_with("<p>"), "{}", note.note);
        assert!([1, 3].contains(&note.notification_type_data.id));
        assert_eq!(note.note_type, note.note_type_data.id);
    }
    let names: Vec<&str> = answer.tax_rule.state_documents.iter().map(|d| d.name.as_str()).collect();
    assert!(names.contains(&"Policy"), "{names:?}");
    assert_eq!(answer.municipal_tax_settings, MunicipalSettings::default());
    assert_eq!(
        (answer.physical_state.as_deref(), answer.transaction_type.as_deref()),
        (Some("TX"), Some("PN"))
    );
    assert_eq!(answer.line_of_business.as_deref(), Some(lines));
}

#[tokio::test(flavor = "multi_thread")]
async fn florida_by_its_own_titles() {
    let service = service().await;
    let request = policy("FL", "GEN-1002|GEN-1010", "2500|750", ("0", "0"), "2026-02-05");
    let answer = answer(&service, &request).await;
    assert_eq!(
        (answer.sl_tax, answer.stamping_fee, answer.empa_tax),
        (Some(usd("160.55")), Some(usd("1.95")), Some(Usd::ZERO))
    );
    assert_eq!(answer.tax_rule.stamping_fee_title, "FSLSO Fee");
    assert_eq!(answer.tax_rule.sl_tax_title, "Florida Tax");
}

#[tokio::test(flavor = "multi_thread")]
async fn kentucky_with_its_municipality() {
    let service = service().await;
    let mut request =
        policy("KY", "GEN-1002|GEN-1002|GEN-1002", "400|1299|7822", ("100", "50"), "2026-02-18");
    request.municipality_name = Some("Lexington-Fayette".into());
    request.physical_city = Some("Lexington".into());
    let answer = answer(&service, &request).await;
    assert_eq!((answer.sl_tax, answer.stamping_fee), (Some(usd("290.13")), Some(usd("174.08"))));
    assert_eq!(answer.municipal_fee, Some(usd("483.55")));
    assert_eq!(answer.tax_rule.stamping_fee_title, "Surcharge");
    assert_eq!(answer.tax_rule.municipal_fee_title, "Municipal Tax");
    assert!(matches!(answer.municipal_tax_settings, MunicipalSettings::Many(_)));
    let names: Vec<&str> =
        answer.municipal_tax_settings.iter().map(|one| one.municipality_name.as_str()).collect();
    assert_eq!(names.len(), 1, "{names:?}");
    assert!(names[0].contains("Lexington"), "{names:?}");
    assert_eq!(answer.physical_city.as_deref(), Some("Lexington"));
}

#[tokio::test(flavor = "multi_thread")]
async fn kentucky_admitted_answers_with_premium_tax_and_one_object() {
    let service = service().await;
    let mut request = policy("KY", "GEN-1002", "1000", ("0", "0"), "2026-02-18");
    request.admitted = 1;
    request.municipality_name = Some("Lexington-Fayette".into());
    let body = serde_json::to_value(&request).unwrap();
    let answer = service.calculate(&body).await.expect(200).json();
    assert!(answer["premium_tax"].is_number() && answer["premium_tax_life"].is_number(), "{answer}");
    assert!(answer["municipal_tax_settings"].is_object(), "{}", answer["municipal_tax_settings"]);
    let plain = service.calculate(&texas()).await.expect(200).json();
    assert!(plain.get("premium_tax").is_none(), "Kentucky admitted only");
}

#[tokio::test(flavor = "multi_thread")]
async fn both_paths_with_and_without_json() {
    let service = service().await;
    for path in [
        CALCULATOR,
        "/api/tax-calculator/calculate-general-taxes.json",
        "/api/v2/tax-calculator/calculate-general-taxes",
        "/api/v2/tax-calculator/calculate-general-taxes.json",
    ] {
        let answer = service.send(service.keyed(Method::POST, path).json(&texas())).await.expect(200);
        assert_eq!(answer.header("content-type"), "application/json");
        assert_eq!(answer.json()["sl_tax"].to_string(), "488.46", "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn other_forms_of_the_same_question_table() {
    let service = service().await;
    let without_lines = || {
        let mut body = texas();
        let fields = body.as_object_mut().unwrap();
        fields.remove("transaction_line_of_business_list");
        fields.remove("transaction_line_of_business_coverage");
        body
    };
    let with = |mut body: Value, more: Value| {
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let list = |codes: &str, premiums: &str| json!({"transaction_line_of_business_list": codes, "transaction_line_of_business_coverage": premiums});
    for (name, body) in [
        ("legacy", with(without_lines(), json!({"line_of_business": "GEN-1002", "premium": 9521}))),
        (
            "legacy in quotes",
            with(without_lines(), json!({"line_of_business": "GEN-1002", "premium": "9521.00"})),
        ),
        ("blanks around", with(texas(), list("  GEN-1002  ", " 9521.00 "))),
        ("two lines", with(texas(), list("GEN-1002|GEN-1010", "9000|521"))),
        ("blanks around the bar", with(texas(), list("GEN-1002  |  GEN-1010", "9000 | 521"))),
        ("the sum besides", with(texas(), json!({"premium": 9521.00}))),
        ("unknown fields", with(texas(), json!({"color": [1, {"a": null}]}))),
        ("nulls", with(texas(), json!({"rpg": null, "physical_city": null, "premium": null}))),
        ("an exponent", with(texas(), json!({"agency_fee": 4e2}))),
        ("flags in quotes", with(texas(), json!({"rpg": "0", "ecp": "0"}))),
        ("the same date twice", with(texas(), json!({"transaction_effective_date": "2026-02-23"}))),
        ("blank text", with(texas(), json!({"physical_city": "  "}))),
    ] {
        let text = if name == "unknown fields" {
            serde_json::to_string(&body).unwrap().replace("null}]", "null}], \"y\": 1e999")
        } else {
            serde_json::to_string(&body).unwrap()
        };
        let answer = service.calculate_text(text).await;
        assert_eq!(answer.status.as_u16(), 200, "{name}: {}", answer.text);
        let answer = answer.json();
        assert_eq!(
            (answer["sl_tax"].to_string(), answer["stamping_fee"].to_string()),
            ("488.46".into(), "4.03".into()),
            "{name}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_type_of_transaction_answers_and_credits_are_negative() {
    let service = service().await;
    for kind in TransactionType::ALL {
        let mut request = policy("TX", "GEN-1002", "1000", ("0", "0"), "2026-02-23");
        request.transaction_type = kind.code().into();
        if *kind == TransactionType::ZeroPremium {
            request.transaction_line_of_business_coverage = "0".into();
        }
        let answer = answer(&service, &request).await;
        let expected = match kind {
            TransactionType::ZeroPremium => usd("0"),
            credit if credit.is_credit() => usd("-48.50"),
            _ => usd("48.50"),
        };
        assert_eq!(answer.sl_tax, Some(expected), "{kind}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_state_answers_what_the_client_can_read() {
    let service = service().await;
    for state in bordereau_contract::Jurisdiction::ALL {
        let request = policy(state.code(), "GEN-1002", "1000", ("50", "25"), "2026-03-01");
        let text = service.calculate(&serde_json::to_value(&request).unwrap()).await.expect(200).text;
        let answer: CalculateResponse = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&answer).unwrap(), text, "{state}: written like the wire type");
        assert_eq!(answer.physical_state.as_deref(), Some(state.code()));
        assert_eq!(answer.premium, usd("1000"), "{state}");
        assert!(!answer.tax_rule.sl_tax_title.is_empty(), "{state}");
        for document in &answer.tax_rule.state_documents {
            assert!(document.document_download_link.is_some(), "{state} {}", document.name);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn echoes_what_was_sent() {
    let service = service().await;
    let mut body = texas();
    body.as_object_mut().unwrap().extend(
        json!({
            "account_written_as": "DC", "physical_address": "1 Main <b>St</b>", "physical_city": "Äußerst \"gut\"",
            "physical_zip_code": "78701", "rpg": 1, "export_list": 1, "continuous_coverage": 1
        })
        .as_object()
        .unwrap()
        .clone(),
    );
    let answer = service.calculate(&body).await.expect(200).json();
    for name in [
        "account_written_as",
        "physical_address",
        "physical_city",
        "physical_zip_code",
        "rpg",
        "export_list",
        "continuous_coverage",
        "physical_state",
        "transaction_type",
    ] {
        assert_eq!(answer[name], body[name], "{name}");
    }
}

/// Maine taxes the licensee's fee and not the retail agent's; Connecticut asks how the dwelling is held; South
/// Carolina's assessment has no present rate.
#[tokio::test(flavor = "multi_thread")]
async fn answers_that_few_states_ask_for_are_understood() {
    let service = service().await;
    for (state, line, members, field, expected) in [
        ("ME", "GEN-1002", json!({}), "sl_tax", "33"),
        ("ME", "GEN-1002", json!({"agency_fee_charged_by": "retail_agent"}), "sl_tax", "30"),
        ("CT", "GEN-1005", json!({"occupancy": "owned_dwelling"}), "sl_service_charge", "12"),
        ("CT", "GEN-1005", json!({"occupancy": "mobile_home"}), "sl_service_charge", "0"),
        ("SC", "GEN-1011", json!({"assessment_rate": 0.06}), "sl_service_charge", "60"),
        ("SC", "GEN-1011", json!({"assessment_rate": "0.025"}), "sl_service_charge", "25"),
    ] {
        let request = policy(state, line, "1000", ("100", "0"), "2026-03-01");
        let mut body = serde_json::to_value(&request).unwrap();
        body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        let text = service.calculate(&body).await.expect(200).text;
        let answer: CalculateResponse = serde_json::from_str(&text).unwrap();
        let found = if field == "sl_tax" { answer.sl_tax } else { answer.sl_service_charge };
        assert_eq!(found, Some(usd(expected)), "{state} {members}");
    }
}
