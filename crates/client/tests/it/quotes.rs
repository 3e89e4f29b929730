//! Quotes over the wire, to the cent, and what is wrong with a bad one.

use bordereau_client::ClientError;
use bordereau_contract::{CalculateRequest, ServicePaths};

use crate::practice::{Practice, texas, usd};
use crate::scripted::{Scripted, WITHOUT_END, quote_answer};

#[tokio::test]
async fn texas_to_the_cent() {
    let practice = Practice::start().await;
    let quote = practice.with_key(practice.config()).calculate(&texas()).await.expect("a quote");
    assert_eq!(quote.premium, usd("9521"));
    assert_eq!(quote.sl_tax, Some(usd("488.46")));
    assert_eq!(quote.stamping_fee, Some(usd("4.03")));
    assert_eq!(quote.fm_tax, Some(usd("0")));
    assert_eq!(quote.empa_tax, Some(usd("0")));
    assert_eq!(quote.physical_state.as_deref(), Some("TX"));
    assert_eq!(quote.line_of_business_list.len(), 3);
    assert_eq!(quote.tax_rule.is_sl_tax_active, Some(true));
}

#[tokio::test]
async fn every_path_of_the_calculator() {
    let practice = Practice::start().await;
    for path in [ServicePaths::default().calculator, ServicePaths::CALCULATOR_V2.to_owned()] {
        for suffix in ["", ".json"] {
            let mut config = practice.config();
            config.paths.calculator = format!("{path}{suffix}");
            let quote = practice.with_key(config).calculate(&texas()).await.expect("a quote");
            assert_eq!(quote.sl_tax, Some(usd("488.46")), "{path}{suffix}");
        }
    }
}

#[tokio::test]
async fn a_credit_is_the_exact_negative() {
    let practice = Practice::start().await;
    let client = practice.with_key(practice.config());
    let fees_apart = CalculateRequest { agency_fee: usd("0"), inspection_fee: usd("0"), ..texas() };
    let charge = CalculateRequest { transaction_type: "APE".to_owned(), ..fees_apart.clone() };
    let credit = CalculateRequest { transaction_type: "RPE".to_owned(), ..fees_apart };
    let charge = client.calculate(&charge).await.expect("a quote");
    let credit = client.calculate(&credit).await.expect("a quote");
    assert_eq!(credit.sl_tax, charge.sl_tax.map(|tax| tax.negated()));
    assert_eq!(credit.stamping_fee, charge.stamping_fee.map(bordereau_money::Usd::negated));
}

#[tokio::test]
async fn bad_requests_name_the_field() {
    let practice = Practice::start().await;
    let client = practice.with_key(practice.config());
    let state = |state: &str| CalculateRequest { physical_state: state.to_owned(), ..texas() };
    let kind = |code: &str| CalculateRequest { transaction_type: code.to_owned(), ..texas() };
    let premiums =
        |text: &str| CalculateRequest { transaction_line_of_business_coverage: text.to_owned(), ..texas() };
    for (request, field) in [
        (state("ZZ"), "/physical_state"),
        (state(""), "/physical_state"),
        (kind("XX"), "/transaction_type"),
        (premiums("1 | 2"), "/transaction_line_of_business_coverage"),
        (premiums("a | b | c"), "/transaction_line_of_business_coverage"),
        (premiums("-9000 | 1 | 1"), "/transaction_line_of_business_coverage"),
        (
            CalculateRequest { policy_effective_date: Some("soon".to_owned()), ..texas() },
            "/policy_effective_date",
        ),
    ] {
        match client.calculate(&request).await {
            Err(ClientError::Rejected { status, problems, .. }) => {
                assert!((400..500).contains(&status), "{field}: {status}");
                assert!(problems.iter().any(|p| p.pointer.starts_with(field)), "{field}: {problems:?}");
            }
            other => panic!("{field}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn a_wrong_path_is_told_with_its_status() {
    let practice = Practice::start().await;
    let mut config = practice.config();
    config.paths.calculator = "/api/no-such-thing".to_owned();
    let error = practice.with_key(config).calculate(&texas()).await.expect_err("there is no such path");
    assert!(matches!(error, ClientError::Rejected { status: 404, .. }), "{error}");
}

/// HTTP/1.0 as many gateways speak it: the answer ends with its connection, and nothing else says that it is whole.
#[tokio::test]
async fn an_answer_that_ends_with_its_connection_is_read_where_it_is_whole() {
    let whole = String::from_utf8(quote_answer()).expect("text");
    let body = whole.split_once("\r\n\r\n").expect("a body").1.to_owned();
    let end = String::from_utf8_lossy(WITHOUT_END).into_owned();
    let longer = format!("content-length: {}\r\n", body.len() + 1);
    for (head, body, is_read) in [
        ("", body.clone(), true),
        ("", format!("\u{feff}{body}  \r\n"), true),
        ("", body[..body.len() - 1].to_owned(), false),
        ("", String::new(), false),
        // Where a length is announced, it counts.
        (&longer, body.clone(), false),
    ] {
        let bytes = format!("HTTP/1.0 200 X\r\n{head}{end}\r\n{body}").into_bytes();
        let service = Scripted::start(move |_| bytes.clone()).await;
        let answered = service.client().calculate(&texas()).await;
        assert_eq!(answered.is_ok(), is_read, "{head}{body}: {answered:?}");
    }
}
