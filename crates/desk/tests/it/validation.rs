//! What a person may type wrong: the field at fault and the sentence.

use bordereau_desk::api::*;

use crate::test_desk::{TestDesk, question};

type Change = fn(&mut QuoteRequest);

#[tokio::test]
async fn each_fault_names_its_field_and_says_what_to_do() {
    let cases: &[(Change, &str, &str)] = &[
        (|q| q.state = String::new(), "/state", "Choose the state"),
        (|q| q.state = "XX".into(), "/state", "\"XX\" is not a state"),
        (|q| q.transaction_type = String::new(), "/transaction_type", "Choose the transaction type"),
        (|q| q.transaction_type = "RP".into(), "/transaction_type", "\"RP\" is not a transaction type"),
        (|q| q.lines.clear(), "/lines", "Add at least one line"),
        (|q| q.lines[0].code = " ".into(), "/lines/0/code", "Choose the line of business"),
        (|q| q.lines[0].code = "GEN-1001|GEN-1002".into(), "/lines/0/code", "not a line code"),
        (|q| q.lines[0].premium = String::new(), "/lines/0/premium", "premium of this line is missing"),
        (|q| q.lines[0].premium = "12,50".into(), "/lines/0/premium", "\"12,50\" is not an amount"),
        (|q| q.lines[0].premium = "1.005".into(), "/lines/0/premium", "more than two decimals"),
        (|q| q.lines[0].premium = "-5".into(), "/lines/0/premium", "choose the transaction type RPE"),
        (|q| q.lines[0].premium = "NaN".into(), "/lines/0/premium", "is not an amount"),
        (|q| q.lines[0].premium = "9999999999999".into(), "/lines/0/premium", "larger than"),
        (|q| q.agency_fee = "ten".into(), "/agency_fee", "Leave it empty for no agency fee."),
        (|q| q.inspection_fee = "-1".into(), "/inspection_fee", "is negative"),
        (|q| q.policy_effective = "23.02.2026".into(), "/policy_effective", "Enter it as 02/23/2026"),
        (|q| q.policy_effective = "2026-02-30".into(), "/policy_effective", "is not a date"),
        (|q| q.policy_effective = "02/23/26".into(), "/policy_effective", "is not a date"),
        (
            |q| q.transaction_effective = "2026-03-05".into(),
            "/transaction_effective",
            "takes effect with its policy",
        ),
        (|q| q.entity = "church".into(), "/entity", "\"church\" is not an entity type"),
        (|q| q.written_as = "X".into(), "/written_as", "\"X\" is not B"),
        (|q| q.fee_charged_by = "both".into(), "/fee_charged_by", "is not retail_agent or"),
        (|q| q.occupancy = "castle".into(), "/occupancy", "\"castle\" is not owned_dwelling"),
        (|q| q.assessment_rate = "six".into(), "/assessment_rate", "\"six\" is not a percent"),
        (|q| q.assessment_rate = "101%".into(), "/assessment_rate", "from 0 to 100"),
        (|q| q.zip = "4020".into(), "/zip", "is not a ZIP code"),
        (|q| q.admitted = true, "/admitted", "Kentucky only"),
        (|q| q.insured = "x".repeat(201), "/insured", "longer than 200"),
    ];
    let test = TestDesk::offline();
    for (change, pointer, sentence) in cases {
        let mut request = question("TX", "PN", &[("GEN-1002", "100")]);
        change(&mut request);
        for error in [
            test.desk.quote_estimate(request.clone()).await.unwrap_err(),
            test.desk.quote_calculate(request.clone()).await.unwrap_err(),
        ] {
            assert_eq!(error.code, ErrorCode::Validation, "{pointer}");
            assert_eq!(error.details.len(), 1, "{pointer}: {:?}", error.details);
            assert_eq!(error.details[0].pointer, *pointer);
            assert!(error.details[0].message.contains(sentence), "{pointer}: {}", error.details[0].message);
        }
    }
}

#[tokio::test]
async fn all_faults_are_named_at_once() {
    let test = TestDesk::offline();
    let request = QuoteRequest { lines: vec![QuoteLine::default()], ..QuoteRequest::default() };
    let error = test.desk.quote_estimate(request).await.unwrap_err();
    let pointers: Vec<&str> = error.details.iter().map(|fault| fault.pointer.as_str()).collect();
    assert_eq!(pointers, ["/state", "/transaction_type", "/lines/0/code", "/lines/0/premium"]);
    assert_eq!(error.message, "4 entries need attention.");
}

#[tokio::test]
async fn amounts_and_dates_are_read_as_people_write_them() {
    let test = TestDesk::offline();
    let cases = [("1,250.50", "02/23/2026"), ("$1250.5", "2/23/2026"), (" 1250.50 USD", "2026-02-23")];
    for (premium, date) in cases {
        let request = QuoteRequest {
            policy_effective: date.into(),
            ..question("Texas", "pn", &[("gen-1002", premium)])
        };
        let answer = test.desk.quote_estimate(request).await.unwrap();
        assert_eq!(answer.premium, "1250.50", "{premium}");
        assert_eq!(answer.state, "TX");
    }
}

#[tokio::test]
async fn a_line_that_the_rules_do_not_know_is_named() {
    let test = TestDesk::offline();
    let request = question("TX", "PN", &[("GEN-1002", "100"), ("GEN-9999", "100")]);
    let error = test.desk.quote_estimate(request).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Validation);
    assert_eq!(error.details[0].pointer, "/lines/1/code", "{error:?}");
}
