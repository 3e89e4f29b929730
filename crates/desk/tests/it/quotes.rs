//! Quotes from an empty machine: through client and practice service, to the cent.

use bordereau_desk::api::*;
use bordereau_desk::text;
use bordereau_money::Usd;

use crate::test_desk::{TestDesk, amount, file_handle, profile, question, texas};

#[tokio::test]
async fn the_published_texas_case_at_first_start() {
    let test = TestDesk::new().await;
    let answer = test.desk.quote_calculate(texas()).await.unwrap();
    assert_eq!(answer.by, AnsweredBy::Service);
    assert_eq!((answer.state.as_str(), answer.profile.as_str()), ("TX", "Practice"));
    assert_eq!(answer.premium, "9521.00");
    assert_eq!(amount(&answer, "sl_tax"), Some("488.46"));
    assert_eq!(amount(&answer, "stamping_fee"), Some("4.03"));
    assert_eq!(amount(&answer, "fm_tax"), Some("0.00"));
    assert_eq!(answer.taxes, "492.49");
    assert_eq!(answer.total, "10563.91");
    assert!(answer.differences.is_empty(), "{:?}", answer.differences);
    assert!(answer.took_ms.is_some());
    let explained: Vec<&str> = answer.charges.iter().map(|charge| charge.field.as_str()).collect();
    assert!(explained.contains(&"sl_tax") && explained.contains(&"stamping_fee"), "{explained:?}");
    assert!(!answer.charges[0].sources.is_empty());
    let idle: Vec<&str> = answer.fields.iter().filter(|f| f.idle).map(|f| f.field.as_str()).collect();
    assert!(idle.contains(&"fm_tax"), "{idle:?}");
}

/// State, type, lines, what else is typed, and the amounts expected.
struct Case {
    name: &'static str,
    request: QuoteRequest,
    expected: &'static [(&'static str, &'static str)],
}

fn cases() -> Vec<Case> {
    let kentucky = QuoteRequest {
        agency_fee: "100".into(),
        inspection_fee: "50".into(),
        policy_effective: "2026-02-18".into(),
        municipality: "Lexington-Fayette".into(),
        ..question("KY", "PN", &[("GEN-1002", "400"), ("GEN-1002", "1299"), ("GEN-1002", "7822")])
    };
    let returned = QuoteRequest {
        transaction_effective: "2026-02-24".into(),
        ..question("TX", "RPE", &[("GEN-1002", "1000")])
    };
    vec![
        Case {
            name: "Kentucky with a municipality",
            request: kentucky,
            expected: &[("sl_tax", "290.13"), ("stamping_fee", "174.08"), ("municipal_fee", "483.55")],
        },
        Case {
            name: "a return premium is negative",
            request: returned,
            expected: &[
                ("premium", "-1000.00"),
                ("sl_tax", "-48.50"),
                ("stamping_fee", "-0.40"),
                ("total", "-1048.90"),
            ],
        },
        Case {
            name: "Illinois, to the dollar, with fire marshal tax on a portion",
            request: question("IL", "PN", &[("GEN-1001", "2800")]),
            expected: &[("sl_tax", "98.00")],
        },
    ]
}

fn found<'a>(answer: &'a QuoteAnswer, field: &str) -> Option<&'a str> {
    match field {
        "premium" => Some(&answer.premium),
        "agency_fee" => Some(&answer.agency_fee),
        "total" => Some(&answer.total),
        other => amount(answer, other),
    }
}

#[tokio::test]
async fn the_service_and_the_offline_estimate_agree_to_the_cent() {
    let test = TestDesk::new().await;
    for case in cases() {
        let service = test.desk.quote_calculate(case.request.clone()).await.unwrap();
        let estimate = test.desk.quote_estimate(case.request).await.unwrap();
        for answer in [&service, &estimate] {
            for (field, expected) in case.expected {
                assert_eq!(
                    found(answer, field),
                    Some(*expected),
                    "{}: {field} by {:?}",
                    case.name,
                    answer.by
                );
            }
            let shown = [&answer.premium, &answer.agency_fee, &answer.inspection_fee, &answer.taxes];
            let sum = Usd::checked_sum(shown.map(|text| Usd::parse(text).unwrap())).unwrap();
            assert_eq!(sum.to_string(), answer.total, "{}", case.name);
        }
        assert!(service.differences.is_empty(), "{}: {:?}", case.name, service.differences);
        assert_eq!(service.total, estimate.total, "{}", case.name);
        assert!(estimate.took_ms.is_none() && estimate.profile.is_empty());
    }
}

#[tokio::test]
async fn new_hampshire_allows_no_agency_fee_beside_a_commission() {
    let test = TestDesk::new().await;
    let request = QuoteRequest { agency_fee: "100".into(), ..question("NH", "PN", &[("GEN-1002", "1000")]) };
    let with_fee = test.desk.quote_calculate(request.clone()).await.unwrap();
    assert_eq!(with_fee.agency_fee, "100.00");
    let commission =
        test.desk.quote_calculate(QuoteRequest { commission_received: true, ..request }).await.unwrap();
    assert_eq!(commission.agency_fee, "0.00");
}

#[tokio::test]
async fn offline_there_is_an_estimate_and_the_service_says_why_not() {
    let test = TestDesk::offline();
    let estimate = test.desk.quote_estimate(texas()).await.unwrap();
    assert_eq!((estimate.by, estimate.total.as_str()), (AnsweredBy::Estimate, "10563.91"));
    let error = test.desk.quote_calculate(texas()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Offline);
    assert!(error.retryable && error.message.contains("no port is free"), "{}", error.message);
}

#[tokio::test]
async fn a_difference_is_shown_and_the_service_wins() {
    let test = TestDesk::new().await;
    let lines_file = test.folder.path().join("own lines.csv");
    std::fs::write(&lines_file, "code,name,class\nGEN-1001,Property by our own table,general_liability\n")
        .unwrap();
    let handle = file_handle(&test.desk, &lines_file);
    test.sandbox(|profile| profile.lines_file = handle).await;

    let answer = test.desk.quote_calculate(question("IL", "PN", &[("GEN-1001", "10,000")])).await.unwrap();
    let fire = answer.differences.iter().find(|difference| difference.field == "fm_tax").unwrap();
    assert_eq!(fire.estimate, "0.00");
    assert_eq!(fire.service.as_deref(), amount(&answer, "fm_tax"));
    assert_eq!(Some(&fire.difference), fire.service.as_ref());
    assert_eq!(answer.differences.last().unwrap().field, "total");
    assert_eq!(answer.notes[0].topic, "Difference");
    assert_eq!(answer.notes[0].severity, NoteSeverity::Warning);
    assert!(text::quote_table(&answer).contains("! "));
}

#[tokio::test]
async fn six_states_side_by_side_each_an_answer_or_an_error() {
    let test = TestDesk::new().await;
    let states = ["TX", "CA", "FL", "IL", "zz", "NY"].map(String::from).to_vec();
    let request =
        CompareRequest { request: question("", "PN", &[("GEN-1002", "10,000")]), states, offline: false };
    for offline in [false, true] {
        let comparison =
            test.desk.quote_compare(CompareRequest { offline, ..request.clone() }).await.unwrap();
        let columns: Vec<(&str, bool)> = comparison
            .columns
            .iter()
            .map(|column| (column.state.as_str(), column.answer.is_some()))
            .collect();
        assert_eq!(
            columns,
            [("TX", true), ("CA", true), ("FL", true), ("IL", true), ("ZZ", false), ("NY", true)]
        );
        assert_eq!(comparison.columns[4].error.as_ref().unwrap().details[0].pointer, "/state");
        let table = text::comparison_table(&comparison);
        assert_eq!(table.lines().count(), 7, "{table}");
    }
    for (states, sentence) in [(0, "at least one"), (7, "at most 6")] {
        let request = CompareRequest { states: vec!["TX".into(); states], ..request.clone() };
        let error = test.desk.quote_compare(request).await.unwrap_err();
        assert_eq!(error.details[0].pointer, "/states");
        assert!(error.message.contains(sentence), "{}", error.message);
    }
}

#[tokio::test]
async fn the_rejection_of_a_service_names_our_own_fields() {
    let test = TestDesk::new().await;
    let error = test.desk.quote_calculate(question("TX", "PN", &[("GEN-9999", "100")])).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Rejected, "{error:?}");
    assert!(error.details.iter().all(|fault| fault.pointer.starts_with("/lines")), "{:?}", error.details);
    assert!(!error.details.is_empty());
}

#[tokio::test]
async fn the_forms_know_states_lines_and_types() {
    let test = TestDesk::offline();
    let reference = test.desk.reference_data(Nothing {}).await.unwrap();
    assert_eq!((reference.states.len(), reference.transaction_types.len()), (53, 13));
    assert_eq!(reference.today, "2026-03-01");
    assert_eq!(reference.lines_source, "built in");
    assert!(reference.lines.iter().any(|line| line.code == "GEN-1002"));
    let kentucky = reference.states.iter().find(|state| state.code == "KY").unwrap();
    assert!(kentucky.asks_location && kentucky.asks_admitted);
    assert!(kentucky.municipalities.iter().any(|name| name.contains("Lexington")));
    let names: Vec<&String> = reference.states.iter().map(|state| &state.name).collect();
    assert!(names.is_sorted());
}

/// As it is typed at a terminal; in the window the code is chosen.
#[tokio::test]
async fn words_of_the_trade_are_read_as_their_codes_and_said() {
    let test = TestDesk::new().await;
    let typed = |line: &str, kind: &str| QuoteRequest {
        state: "Texas".into(),
        transaction_type: kind.into(),
        lines: vec![QuoteLine { code: line.into(), premium: "10000".into() }],
        ..texas()
    };
    let cases = [
        ("GL", "Renewal", Some(("GEN-1002", "PR"))),
        ("general liability", "new business", Some(("GEN-1002", "PN"))),
        ("gen-1002", "pn", Some(("GEN-1002", "PN"))),
        // Commercial or residential; a renewal or a return premium.
        ("flood", "PN", None),
        ("GL", "RP", None),
    ];
    for (line, kind, expected) in cases {
        let answer = test.desk.quote_calculate(typed(line, kind)).await;
        let Some((code, kind)) = expected else {
            let refused = answer.unwrap_err().code;
            assert!(
                matches!(refused, ErrorCode::Validation | ErrorCode::Rejected),
                "{line} {kind}: {refused:?}"
            );
            continue;
        };
        let answer = answer.unwrap();
        let said = format!("was read as {code}, Commercial general liability.");
        let is_said = answer.notes.iter().any(|note| note.html.contains(&said));
        assert_eq!(is_said, !line.eq_ignore_ascii_case(code), "{line}: {:?}", answer.notes);
        let recent = test.desk.quote_list(Nothing {}).await.unwrap().recent.remove(0);
        let opened = test.desk.quote_open(QuoteId { id: recent.id }).await.unwrap().request;
        assert_eq!((opened.state.as_str(), opened.transaction_type.as_str()), ("TX", kind));
        assert_eq!((opened.lines[0].code.as_str(), opened.lines[0].premium.as_str()), (code, "10000"));
    }
    let changed = EndorsementRequest {
        request: typed("GL", "PN"),
        endorsed_on: "05/24/2026".into(),
        after: vec![QuoteLine { code: "GEN-1002".into(), premium: "12000".into() }],
        three_decimals: false,
    };
    let answer = test.desk.quote_endorsement(changed).await.unwrap();
    assert_eq!(answer.lines.len(), 1, "{:?}", answer.lines);
}

#[tokio::test]
async fn the_status_line_follows_the_service() {
    let test = TestDesk::new().await;
    assert_eq!(test.desk.status_show(Nothing {}).await.unwrap().service, ServiceState::Starting);
    test.desk.quote_calculate(texas()).await.unwrap();
    let status = test.desk.status_show(Nothing {}).await.unwrap();
    assert_eq!(status.service, ServiceState::Ready);
    assert!(status.last_ms.is_some() && status.used_this_minute >= 1);

    let offline = Profile { base_url: "https://127.0.0.1:1".into(), ..profile("Nobody") };
    let id = test.desk.profile_save(offline).await.unwrap().profile.id;
    test.desk.profile_select(ProfileId { id: id.clone() }).await.unwrap();
    assert_eq!(test.desk.status_show(Nothing {}).await.unwrap().service, ServiceState::NeedsCredentials);
    test.desk.profile_set_key(SetApiKey { id, key: "k-123".into() }).await.unwrap();
    let error = test.desk.quote_calculate(texas()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Offline, "{error:?}");
    assert_eq!(test.desk.status_show(Nothing {}).await.unwrap().service, ServiceState::Offline);
}

#[tokio::test]
async fn text_for_terminal_and_scripts() {
    let test = TestDesk::offline();
    let answer = test.desk.quote_estimate(texas()).await.unwrap();
    let table = text::quote_table(&answer);
    assert!(
        table.contains("488.46") && table.contains("10,563.91") && table.contains("Texas (TX)"),
        "{table}"
    );
    let json = text::quote_json(&answer);
    assert_eq!(json["sl_tax"], "488.46");
    assert_eq!(json["total"], "10563.91");
    assert_eq!(json["trace"][0]["field"], "sl_tax");
}

/// Maine taxes the licensee's fee and not the retail agent's; it is taken for the licensee's where nobody says.
fn maine(charger: &str) -> QuoteRequest {
    QuoteRequest {
        agency_fee: "100".into(),
        fee_charged_by: charger.into(),
        ..question("ME", "PN", &[("GEN-1002", "1000")])
    }
}

#[tokio::test]
async fn what_few_states_ask_changes_their_amounts_and_reaches_the_service() {
    let test = TestDesk::new().await;
    let homeowners = |occupancy: &str| QuoteRequest {
        occupancy: occupancy.into(),
        ..question("CT", "PN", &[("GEN-1005", "1000")])
    };
    let malpractice = |rate: &str| QuoteRequest {
        assessment_rate: rate.into(),
        ..question("SC", "PN", &[("GEN-1011", "1000")])
    };
    for (request, field, expected) in [
        (maine(""), "sl_tax", "33.00"),
        (maine("surplus_lines_licensee"), "sl_tax", "33.00"),
        (maine("retail_agent"), "sl_tax", "30.00"),
        (homeowners("owned_dwelling"), "sl_service_charge", "12.00"),
        (homeowners("mobile_home"), "sl_service_charge", "0.00"),
        (malpractice("6 %"), "sl_service_charge", "60.00"),
        (malpractice("2.5"), "sl_service_charge", "25.00"),
        (malpractice(""), "sl_service_charge", "0.00"),
    ] {
        let estimate = test.desk.quote_estimate(request.clone()).await.unwrap();
        assert_eq!(amount(&estimate, field), Some(expected), "{request:?}");
        let answer = test.desk.quote_calculate(request.clone()).await.unwrap();
        assert_eq!(amount(&answer, field), Some(expected), "{request:?}");
        assert!(answer.differences.is_empty(), "{:?}", answer.differences);
        assert_eq!(answer.details, estimate.details);
    }
    let taken = test.desk.quote_estimate(malpractice("6.25%")).await.unwrap().details;
    assert_eq!(taken, QuoteDetails { assessment_rate: "6.25".into(), ..QuoteDetails::default() });
    let json = text::quote_json(&test.desk.quote_estimate(maine("retail_agent")).await.unwrap());
    assert_eq!(json["agency_fee_charged_by"], "retail_agent");
    let states = test.desk.reference_data(Nothing {}).await.unwrap().states;
    let of = |code: &str| states.iter().find(|state| state.code == code).unwrap();
    assert!(of("ME").asks_fee_charged_by && !of("IL").asks_fee_charged_by);
    assert!(
        of("CT").asks_occupancy_on.contains(&"GEN-1005".to_owned()) && of("TX").asks_occupancy_on.is_empty()
    );
    assert!(of("SC").assessment_title.is_some() && of("SC").asks_assessment_on == ["GEN-1011"]);
}

#[tokio::test]
async fn the_remembered_choice_is_taken_in_each_state_that_asks() {
    let test = TestDesk::new().await;
    let choice = FeeChargedByChoice { fee_charged_by: "retail_agent".into() };
    test.desk.profile_fee_charged_by_save(choice).await.unwrap();
    let states = vec!["ME".to_owned(), "IL".to_owned()];
    for offline in [true, false] {
        let request = CompareRequest { request: maine(""), states: states.clone(), offline };
        let columns = test.desk.quote_compare(request).await.unwrap().columns;
        let answers: Vec<_> = columns.iter().map(|column| column.answer.as_ref().unwrap()).collect();
        assert_eq!(amount(answers[0], "sl_tax"), Some("30.00"));
        assert_eq!(answers[0].details.fee_charged_by, "retail_agent");
        assert_eq!(answers[1].details, QuoteDetails::default(), "Illinois does not ask");
        assert!(answers.iter().all(|answer| answer.differences.is_empty()));
    }
    let own = test.desk.quote_estimate(maine("surplus_lines_licensee")).await.unwrap();
    assert_eq!(amount(&own, "sl_tax"), Some("33.00"), "the quote's own answer wins");
}

#[tokio::test]
async fn a_service_that_was_not_told_differs_and_it_is_said_why() {
    let test = TestDesk::new().await;
    let view = test.sandbox(|_| {}).await;
    let answer = test.desk.quote_calculate(maine("retail_agent")).await.unwrap();
    assert_eq!(amount(&answer, "sl_tax"), Some("33.00"), "the service was not told");
    let note = text::note_text(&answer.notes[0]);
    assert!(note.contains("Not sent to the service: who charges the agency fee"), "{note}");
    let agrees = test.desk.quote_calculate(maine("surplus_lines_licensee")).await.unwrap();
    let note = text::note_text(&agrees.notes[0]);
    assert!(agrees.differences.is_empty() && !note.contains("Not sent to the service"));

    test.desk.profile_save(Profile { sends_quote_details: true, ..view.profile }).await.unwrap();
    let told = test.desk.quote_calculate(maine("retail_agent")).await.unwrap();
    assert_eq!(amount(&told, "sl_tax"), Some("30.00"));
    assert!(told.differences.is_empty(), "{:?}", told.differences);
}
