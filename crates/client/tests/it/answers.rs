//! Answers as other services give them: read with the same meaning, or told as not understood and kept to look at.

use std::io::Write;
use std::sync::Arc;

use bordereau_client::{
    Client, ClientError, Credentials, MemoryTokens, SearchOptions, Secret, ShortfallReason, StoredTokens,
    TokenStore, TransactionLookup, UserTokens,
};
use bordereau_contract::{
    BatchStatus, DiligentRequest, FieldProblem, ImportTransaction, SearchRequest, WebhookRequest,
};
use chrono::Utc;

use crate::practice::texas;
use crate::scripted::{QUOTE, Scripted, answer, json_answer, quote_answer};

fn user(service: &Scripted) -> (Client, Arc<MemoryTokens>) {
    let store = Arc::new(MemoryTokens::new());
    store.save_tokens(&StoredTokens::given_at(Secret::new("refresh-1"), Utc::now()));
    (Client::new(service.config(), Credentials::for_user(), store.clone()).expect("a client"), store)
}

#[tokio::test]
async fn a_refresh_with_the_access_token_alone_is_enough() {
    for body in [r#"{"access_token":"a"}"#, r#"{"access_token":"a","expires_in":"3600"}"#] {
        let service = Scripted::start(move |request| {
            if request.contains("oauth2/token") { json_answer(200, body) } else { quote_answer() }
        })
        .await;
        let (client, store) = user(&service);
        for _ in 0..3 {
            client.calculate(&texas()).await.expect(body);
        }
        let asked = service.requests().iter().filter(|request| request.contains("oauth2/token")).count();
        assert_eq!(asked, 1, "{body}");
        assert!(store.load_tokens().is_some_and(|tokens| tokens.refresh_token == Secret::new("refresh-1")));
    }
}

#[tokio::test]
async fn a_refresh_that_gives_no_token_is_not_asked_for_again_and_again() {
    let service = Scripted::start(|_| json_answer(200, r#"{"token":"other"}"#)).await;
    let (client, _) = user(&service);
    for _ in 0..20 {
        let error = client.calculate(&texas()).await.expect_err("no token");
        assert!(matches!(error, ClientError::Unreadable { .. }), "{error}");
    }
    assert_eq!(service.requests().len(), 1);
}

#[tokio::test]
async fn a_batch_is_accepted_by_its_number() {
    for body in [
        r#"{"batch_id":123}"#,
        r#"{"batch_id":"123","status":"Received"}"#,
        r#"{"success":true,"data":{"batchId":"123","totalItems":"1"}}"#,
        // What has a number was taken, in part at least: its results tell of its rows.
        r#"{"success":false,"batch_id":"123","message":"2 of 6 rows have errors"}"#,
        r#"{"batch_id":"123","status":"queued","success":0,"errors":0}"#,
    ] {
        let service = Scripted::start(move |_| json_answer(200, body)).await;
        let accepted = service.client().import_batch(&[ImportTransaction::default()]).await.expect(body);
        assert_eq!(accepted.batch_id, "123", "{body}");
    }
}

/// What is read is not listed as an answer that was not understood.
#[tokio::test]
async fn an_import_may_be_answered_with_a_list_or_a_text() {
    let batch = r#"{"batch_id":"123","status":"queued"}"#;
    for (body, number, rows) in [
        (r#"[{"id":"a","transaction_id":17,"status":0},{"id":"b","status":1}]"#.to_owned(), "", 2),
        (r#"[{"batch_id":"1f"},{"batch_id":"20"}]"#.to_owned(), "1f, 20", 0),
        (
            r#"{"accepted":[{"id":"a","transaction_id":17}],"rejected":[{"id":"b","reason":"No"}]}"#
                .to_owned(),
            "",
            2,
        ),
        (serde_json::json!(batch).to_string(), "123", 0),
        (serde_json::json!({ "statusCode": 200, "body": batch }).to_string(), "123", 0),
    ] {
        let shown = body.clone();
        let service = Scripted::start(move |_| json_answer(200, &body)).await;
        let client = service.client();
        let accepted = client.import_batch(&[ImportTransaction::default()]).await.expect(&shown);
        assert_eq!((accepted.batch_id.as_str(), accepted.transactions.len()), (number, rows), "{shown}");
        assert!(client.unread_answers().is_empty(), "{shown}: {:?}", client.unread_answers());
    }
    let refusal = serde_json::json!(r#"{"message":"The batch was refused."}"#).to_string();
    let service = Scripted::start(move |_| json_answer(422, &refusal)).await;
    let error = service.client().import_batch(&[ImportTransaction::default()]).await.expect_err("refused");
    assert!(error.to_string().ends_with("The batch was refused."), "{error}");
    // The same in the answer of a gateway, and what was not found or failed there.
    let of = |status: u16, body: &str| serde_json::json!({ "statusCode": status, "body": body }).to_string();
    let at_fault = r#"{"message":"1 row","errors":[{"pointer":"/transactions/0/premium","detail":"No"}]}"#;
    for (status, body, is_unknown) in [(422, at_fault, false), (502, "", true)] {
        let answer = of(status, body);
        let service = Scripted::start(move |_| json_answer(200, &answer)).await;
        let error =
            service.client().import_batch(&[ImportTransaction::default()]).await.expect_err("refused");
        assert_eq!(error.is_outcome_unknown(), is_unknown, "{error}");
        let problems = if let ClientError::Rejected { problems, .. } = &error { problems.len() } else { 0 };
        assert_eq!((problems, service.requests().len()), (usize::from(!is_unknown), 1), "{error}");
    }
    let answer = of(404, r#"{"message":"Not found"}"#);
    let service = Scripted::start(move |_| json_answer(200, &answer)).await;
    let lookup = TransactionLookup::InvoiceNumber("I-1".into());
    assert!(service.client().transaction_status(&lookup).await.expect("answered").is_none());
}

#[tokio::test]
async fn a_refusal_with_status_200_has_the_words_of_the_service() {
    let service =
        Scripted::start(|_| json_answer(200, r#"{"success":false,"error":"The batch was refused."}"#)).await;
    let error = service.client().import_batch(&[ImportTransaction::default()]).await.expect_err("refused");
    assert!(matches!(&error, ClientError::Rejected { status: 200, .. }), "{error:?}");
    assert!(error.to_string().contains("The batch was refused.") && !error.is_outcome_unknown(), "{error}");
}

/// A sentence is never a transaction; what it says decides whether there is none, or nothing is known.
#[tokio::test]
async fn a_sentence_is_no_transaction() {
    for (status, body, is_none) in [
        (200, r#"{"message":"Transaction not found"}"#, true),
        (200, r#"{"success":false,"error":"Transaction not found"}"#, true),
        (200, r#"{"id":null,"message":"Transaction not found"}"#, true),
        (400, r#"{"errors":["Unknown transaction"]}"#, true),
        (410, r#"{"detail":"The transaction does not exist."}"#, true),
        (500, r#"{"error":{"code":"NOT_FOUND","message":"No transaction with this invoice number"}}"#, true),
        (200, r#"{"message":"The service is closed"}"#, false),
        (400, r#"{"message":"API key not found"}"#, false),
        (400, r#"{"message":"transaction_id must be a number"}"#, false),
    ] {
        let service = Scripted::start(move |_| json_answer(status, body)).await;
        let lookup = TransactionLookup::InvoiceNumber("I-1".into());
        let found = service.client().transaction_status(&lookup).await;
        assert_eq!(found.as_ref().ok(), is_none.then_some(&None), "{status} {body}: {found:?}");
        let newest = service.client().import_results_with("a").await;
        assert_eq!(newest.is_ok(), is_none || status == 400, "{status} {body}: {newest:?}");
    }
}

#[tokio::test]
async fn what_is_not_understood_can_be_looked_at() {
    let body = r#"{"batch_id":"b","status":"Processed","transactions":[{"id":"a","warnings":null,"transaction_id":{}},7]}"#;
    let service = Scripted::start(move |_| {
        answer(
            200,
            "content-type: application/json\r\nset-cookie: s=secret\r\nx-key: bdk_visible_key\r\n",
            body,
        )
    })
    .await;
    let client = service.client();
    let results = client.import_results("b").await.expect("results");
    assert_eq!(
        (results.status, results.transactions.len(), results.losses.len()),
        (BatchStatus::Processed, 1, 2)
    );
    let kept = client.unread_answers();
    assert_eq!((kept.len(), kept[0].lost, kept[0].body.as_str()), (1, 2, body));
    assert!(
        !format!("{kept:?}").contains("secret") && !format!("{kept:?}").contains("bdk_visible_key"),
        "{kept:?}"
    );
    let garbled =
        Scripted::start(|_| json_answer(200, &format!("{{\"x\":\"{}\"}}", "y".repeat(100_000)))).await;
    let error = garbled.client().calculate(&texas()).await.expect_err("garbled");
    let ClientError::Unreadable { answer, .. } = error else { panic!("{error}") };
    assert_eq!((answer.status, answer.body.len(), answer.body_bytes), (200, 64 * 1024, 100_008));
}

#[tokio::test]
async fn one_odd_record_does_not_cost_the_page() {
    let body = r#"{"data":[{"id":1,"premium":5},{"id":2,"premium":"twelve"},{"id":"3","created_by":{"name":"A"}}],
        "pagination":{"total":3,"per_page":50,"page":1,"pages":1}}"#;
    let service = Scripted::start(move |_| json_answer(200, body)).await;
    let outcome = crate::searching::search_all(
        &service.client(),
        &SearchRequest::default(),
        SearchOptions::default(),
        |_| (),
    )
    .await;
    let outcome = outcome.expect("a page");
    assert_eq!(outcome.records.iter().map(|record| record.id).collect::<Vec<_>>(), [1, 3]);
    let short = &outcome.shortfalls[0];
    assert_eq!((short.reason, short.of, short.records), (ShortfallReason::Unreadable, 3, 2));
}

/// A JSON answer as some services send it: compressed, whether that was asked for or not.
fn compressed_answer(status: u16, body: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(body).expect("room");
    let packed = packed.finish().expect("room");
    let length = packed.len();
    let head = format!(
        "HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-encoding: gzip\r\ncontent-length: {length}\r\n\r\n"
    );
    [head.into_bytes(), packed].concat()
}

/// Read within the same bound as any other: a few kilobytes unpack to as much as one likes. One that is cut is an
/// answer that was lost.
#[tokio::test]
async fn a_compressed_answer_is_read_within_bounds() {
    let service = Scripted::start(|_| compressed_answer(200, QUOTE.as_bytes())).await;
    service.client().calculate(&texas()).await.expect("a quote");

    let spaces = vec![b' '; 9 * 1024 * 1024];
    let packed = compressed_answer(200, &spaces);
    let service = Scripted::start(move |_| packed.clone()).await;
    let error = service.client().calculate(&texas()).await.expect_err("too much");
    assert!(matches!(error, ClientError::TooLarge { .. }), "{error}");
    assert_eq!(error.to_string(), "the answer is larger than 8 MB");

    let accepted = br#"{"batch_id":"b-1","status":"queued","total_items":1,"note":"............"}"#;
    let whole = compressed_answer(200, accepted);
    let service = Scripted::start(move |_| whole[..whole.len() - 20].to_vec()).await;
    let error = service.client().import_batch(&[ImportTransaction::default()]).await.expect_err("cut");
    assert!(error.is_outcome_unknown(), "{error}");
}

/// Results of which some or all rows failed may say so of the whole.
#[tokio::test]
async fn results_are_read_whatever_is_said_of_the_whole() {
    let row = r#"{"id":"INV-1","status":1,"errors":{"premium":"negative"}}"#;
    for (body, rows) in [
        (
            format!(r#"{{"success":false,"batch_id":"b","status":"processed","transactions":[{row}]}}"#),
            Some(1),
        ),
        (format!(r#"{{"success":0,"status":"processed","data":{{"transactions":[{row}]}}}}"#), Some(1)),
        (r#"{"success":false,"batch_id":"b","message":"There is no such batch"}"#.to_owned(), None),
        (r#"{"success":false,"errors":[{"detail":"No"}]}"#.to_owned(), None),
    ] {
        let answered = body.clone();
        let service = Scripted::start(move |_| json_answer(200, &answered)).await;
        let read = service.client().import_results("b").await;
        assert_eq!(read.as_ref().map(|results| results.transactions.len()).ok(), rows, "{body}: {read:?}");
    }
}

/// A webhook whose creation is answered with a sentence may be there.
#[tokio::test]
async fn a_webhook_may_have_been_added_without_its_number() {
    let service = Scripted::start(|_| json_answer(201, r#"{"message":"Webhook created"}"#)).await;
    let added = service.client().add_webhook(&WebhookRequest::default()).await.expect_err("no webhook");
    assert!(matches!(added, ClientError::OutcomeUnknown { .. }), "{added}");
    assert!(added.to_string().contains("Webhook created"), "{added}");
}

/// What the answer to an import says of single rows comes along.
#[tokio::test]
async fn an_acceptance_says_which_rows_it_refused() {
    for (body, problems, warnings, message) in [
        (r#"{"batch_id":"b","total_items":1}"#, "", "", ""),
        (
            r#"{"batch_id":"b","errors":[{"id":"INV-1","message":"No insurer"}]}"#,
            "/INV-1: No insurer",
            "",
            "",
        ),
        (
            r#"{"success":true,"message":"Thank you","data":{"batch_id":"b","rejected":[{"id":"INV-1","reason":"No insurer"}]}}"#,
            "/INV-1: No insurer",
            "",
            "Thank you",
        ),
        (
            r#"{"success":false,"batch_id":"b","message":"1 of 2 rows","errors":{"INV-1":["No insurer"]}}"#,
            "/INV-1: No insurer",
            "",
            "1 of 2 rows",
        ),
        (
            r#"{"batch_id":"b","warnings":["Row 3 is odd",{"id":"INV-1","message":"Used before"}]}"#,
            "",
            ": Row 3 is odd; /INV-1: Used before",
            "",
        ),
    ] {
        let service = Scripted::start(move |_| json_answer(207, body)).await;
        let accepted = service.client().import_batch(&[ImportTransaction::default()]).await.expect(body);
        let list = |problems: &[FieldProblem]| {
            let one = |problem: &FieldProblem| format!("{}: {}", problem.pointer, problem.detail);
            problems.iter().map(one).collect::<Vec<_>>().join("; ")
        };
        assert_eq!(accepted.batch_id, "b", "{body}");
        assert_eq!((list(&accepted.problems), list(&accepted.warnings)), (problems.into(), warnings.into()));
        assert_eq!(accepted.message, message, "{body}");
    }
}

/// Results in pages are read to their end, and no service is asked without end.
#[tokio::test]
async fn results_in_pages_are_read_to_the_end() {
    let row = |at: usize| format!(r#"{{"id":"INV-{at}","status":0,"transaction_id":{at}}}"#);
    let page = |request: &str| -> usize {
        let rest = request.split("page=").nth(1).unwrap_or("1");
        rest.split([' ', '&']).next().and_then(|page| page.parse().ok()).unwrap_or(1)
    };
    for (how, rows, asked) in [
        ("numbers", 6, 3),
        ("more", 6, 3),
        ("next", 6, 3),
        // The same page each time, of one that knows no pages, or names the same one without end.
        ("numbers without pages", 2, 2),
        ("next without end", 4, 3),
        ("next elsewhere", 2, 1),
        ("fewer than announced", 6, 4),
    ] {
        let service = Scripted::start(move |request| {
            let at = if how == "numbers without pages" { 1 } else { page(request) };
            let rows = format!("{},{}", row(at * 2), row(at * 2 + 1));
            let rest = match how {
                "next" if at < 3 => format!(r#""next":"/results?batch_id=b&page={}""#, at + 1),
                "more" => format!(r#""has_more":{},"page":{at}"#, at < 3),
                "next without end" => r#""next":"?batch_id=b&page=2""#.to_owned(),
                "next elsewhere" => r#""next":"https://other.example/results?page=2""#.to_owned(),
                "fewer than announced" if at > 3 => {
                    return json_answer(404, r#"{"message":"There is no such page"}"#);
                }
                "fewer than announced" => r#""pagination":{"pages":9}"#.to_owned(),
                "next" => r#""next":null"#.to_owned(),
                _ => format!(r#""pagination":{{"total":6,"per_page":2,"page":{at},"pages":3}}"#),
            };
            json_answer(
                200,
                &format!(r#"{{"batch_id":"b","status":"processed","transactions":[{rows}],{rest}}}"#),
            )
        })
        .await;
        let results = service.client().import_results("b").await.expect(how);
        assert_eq!((results.transactions.len(), service.requests().len()), (rows, asked), "{how}");
    }
}

/// No body, or an empty one, has no transaction: for a lookup of what was sent that alone proves nothing.
#[tokio::test]
async fn an_empty_answer_has_no_transaction() {
    for (status, body) in [
        (204, ""),
        (200, ""),
        (200, "{}"),
        (200, "[]"),
        (200, " null "),
        (200, "\u{feff} \r\n"),
        (200, r#"{"data":null}"#),
        (200, r#"{"transactions":[]}"#),
        (404, "{}"),
    ] {
        let service = Scripted::start(move |_| json_answer(status, body)).await;
        let lookup = TransactionLookup::TransactionId(1);
        assert_eq!(service.client().transaction_status(&lookup).await, Ok(None), "{status} {body}");
    }
}

/// A webhook that was changed without a word is what the list has of it.
#[tokio::test]
async fn a_webhook_may_be_changed_without_a_word() {
    let service = Scripted::start(|request| match request.starts_with("PUT") {
        true => answer(204, "", ""),
        false => json_answer(200, r#"{"webhooks":[{"id":"w1","title":"Ledger"}]}"#),
    })
    .await;
    let changed = service.client().change_webhook("w1", &WebhookRequest::default()).await.expect("changed");
    assert_eq!((changed.id.as_str(), changed.title.as_str()), ("w1", "Ledger"));
}

/// The list of webhooks comes under any name or alone, and the secret of a new one beside it.
#[tokio::test]
async fn webhooks_are_read_in_any_form() {
    let one = r#"{"id":"w1","title":"Office","events":["webhook.transaction.status.filed"]}"#;
    for list in [
        format!(r#"{{"webhooks":[{one}]}}"#),
        format!(r#"{{"data":[{one}]}}"#),
        format!(r#"{{"items":[{one}],"total":1}}"#),
        format!("[{one}]"),
    ] {
        let made = format!(r#"{{"webhook":{one},"signing_secret":"abc","message":"Webhook created"}}"#);
        let (body, answered) = (list.clone(), made);
        let service = Scripted::start(move |request| {
            json_answer(200, if request.starts_with("GET") { &body } else { &answered })
        })
        .await;
        let client = service.client();
        let known = client.list_webhooks().await.expect(&list);
        assert_eq!(
            known.webhooks.iter().map(|known| known.id.as_str()).collect::<Vec<_>>(),
            ["w1"],
            "{list}"
        );
        client.change_webhook("w1", &WebhookRequest::default()).await.expect(&list);
        let added = client.add_webhook(&WebhookRequest::default()).await.expect("added");
        assert_eq!((added.id.as_str(), added.secret.as_deref()), ("w1", Some("abc")));
    }
}

/// The number of a batch may be in the address of its results.
#[tokio::test]
async fn an_acceptance_may_name_its_batch_in_its_location() {
    for (status, location, expected) in [
        (202, "/api/v4/transaction-import-results.json?batch_id=c9f0", Some("c9f0")),
        (201, "/api/v4/batches/c9f0", Some("c9f0")),
        (200, "/api/v4/batches/c9f0", None),
        (202, "https://elsewhere.example/batches/c9f0", None),
        (202, "/api/v4/batches", None),
    ] {
        let header = format!("location: {location}\r\n");
        let service = Scripted::start(move |_| answer(status, &header, "")).await;
        let accepted = service.client().import_batch(&[ImportTransaction::default()]).await;
        assert_eq!(
            accepted.ok().map(|accepted| accepted.batch_id).as_deref(),
            expected,
            "{status} {location}"
        );
    }
}

/// A webhook whose events and states this version does not know in full is not changed: the change would end them.
#[tokio::test]
async fn a_webhook_is_not_changed_or_removed_against_the_services_word() {
    for (known, is_changed) in [
        (r#"{"id":"w1","events":["webhook.transaction.status.filed"],"states":["TX"]}"#, true),
        (r#"{"id":"w1","events":["webhook.transaction.status.filed","webhook.policy.bound"]}"#, false),
        (r#"{"id":"w1","events":["webhook.transaction.status.filed"],"states":["TX","ZZ"]}"#, false),
    ] {
        let list = format!(r#"{{"webhooks":[{{"id":"w0","events":["webhook.other"]}},{known}]}}"#);
        let service = Scripted::start(move |request| match request.split(' ').next() {
            Some("GET") => json_answer(200, &list),
            Some("DELETE") => json_answer(200, r#"{"success":false,"message":"Deliveries are waiting"}"#),
            _ => json_answer(201, r#"{"id":"w1","signing_secret":"abc"}"#),
        })
        .await;
        let client = service.client();
        let changed = client.change_webhook("w1", &WebhookRequest::default()).await;
        assert_eq!(changed.is_ok(), is_changed, "{known}: {changed:?}");
        let puts = service.requests().iter().filter(|request| request.starts_with("PUT")).count();
        assert_eq!(puts, usize::from(is_changed), "{known}");
        let added = client.add_webhook(&WebhookRequest::default()).await;
        assert_eq!(added.map(|webhook| webhook.secret).ok(), Some(Some("abc".to_owned())));
        let stays = client.remove_webhook("w1").await.expect_err("it stays");
        assert!(stays.to_string().contains("Deliveries are waiting"), "{stays}");
    }
}

/// One form without its file costs that form, not the others.
#[tokio::test]
async fn each_filled_form_has_its_file_or_the_reason_why_not() {
    const PDF: &str = "JVBERi0xLjcK";
    const NO_FILE: &str = "neither the file of the form nor its address";
    for (answered, expected) in [
        (r#"{"forms":[{"code":"A","url":"/f/1"},{"code":"B","download_url":"/gone"},{"code":"C","link":"/f/2"}]}"#.to_owned(),
            vec![("A", None), ("B", Some("has expired")), ("C", None)]),
        (r#"[{"code":"A","href":"/f/1"},{"code":"B"}]"#.to_owned(), vec![("A", None), ("B", Some(NO_FILE))]),
        (r#"{"success":true,"data":[{"code":"A","download_url":""},{"code":"B","download_url":" "}]}"#.to_owned(),
            vec![("A", Some(NO_FILE)), ("B", Some(NO_FILE))]),
        (format!(r#"{{"forms":[{{"code":"A","content":"{PDF}"}},{{"code":"B","content":"JVBE\n Ri0xLjcK","download_url":null}}]}}"#),
            vec![("A", None), ("B", None)]),
        (format!(r#"{{"forms":[{{"code":"A","download_url":"data:application/pdf;base64,{PDF}"}}]}}"#), vec![("A", None)]),
        // A web page in base64 is no form, and nothing is none.
        (r#"{"forms":[{"code":"A","content":"PGh0bWw+PC9odG1sPg=="},{"code":"B","content":""}]}"#.to_owned(),
            vec![("A", Some(NO_FILE)), ("B", Some(NO_FILE))]),
        (r#"{"forms":[]}"#.to_owned(), vec![]),
        ("[]".to_owned(), vec![]),
    ] {
        let body = answered.clone();
        let service = Scripted::start(move |request| match request.split(' ').nth(1) {
            Some("/gone") => json_answer(410, r#"{"message":"The link has expired"}"#),
            Some(path) if path.starts_with("/f/") => {
                answer(200, "content-type: application/pdf\r\n", "%PDF-1.7\n")
            }
            Some("/") => panic!("an empty address is asked for"),
            _ => json_answer(200, &body),
        })
        .await;
        let fetched = service.client().fill_forms(&DiligentRequest::default()).await.expect(&answered);
        assert_eq!((fetched.forms.len(), fetched.unread), (expected.len(), 0), "{answered}");
        for (form, (code, why)) in fetched.forms.iter().zip(expected) {
            assert_eq!(form.form.code, code, "{answered}");
            match (&form.file, why) {
                (Ok(file), None) => assert!(file.bytes.starts_with(b"%PDF-1.7"), "{answered}: {file:?}"),
                (Err(error), Some(why)) => assert!(error.to_string().contains(why), "{answered}: {error}"),
                (file, why) => panic!("{answered}, {code}: {file:?}, {why:?}"),
            }
        }
    }
}

/// A sign-in that is refused in words is refused, whatever its status.
#[tokio::test]
async fn a_refused_sign_in_is_told_in_the_words_of_the_service() {
    const WRONG: &str = "The user name or password is incorrect";
    for (status, body, expected) in [
        (200, r#"{"error":"invalid_grant","error_description":"WRONG"}"#, Some(WRONG)),
        (200, r#"{"success":false,"message":"WRONG"}"#, Some(WRONG)),
        (200, r#"{"error":"invalid_grant"}"#, Some("invalid_grant")),
        (400, r#"{"errorCode":7,"errorMessage":"WRONG"}"#, Some(WRONG)),
        (400, r#"{"error":"invalid_grant","error_description":"WRONG"}"#, Some(WRONG)),
        (422, r#"{"errors":{"password":["WRONG"]}}"#, Some(WRONG)),
        (401, r#"{"message":"WRONG"}"#, Some(WRONG)),
        (400, r#"{"error":"unsupported_grant_type"}"#, None),
        (200, r#"{"error":"temporarily_unavailable"}"#, None),
        (200, r#"{"token":"a-token-of-theirs"}"#, None),
        (404, r#"{"message":"WRONG"}"#, None),
    ] {
        let body = body.replace("WRONG", WRONG);
        let answered = body.clone();
        let service = Scripted::start(move |_| json_answer(status, &answered)).await;
        let client = Client::new(service.config(), Credentials::for_user(), Arc::new(MemoryTokens::new()));
        let error =
            client.expect("a client").sign_in("joe", &Secret::new("a-password")).await.expect_err(&body);
        let is_refused = matches!(error, ClientError::NotAuthorized { .. });
        assert_eq!(is_refused, expected.is_some(), "{status} {body}: {error:?}");
        assert!(error.to_string().contains(expected.unwrap_or_default()), "{status} {body}: {error}");
        assert!(!error.to_string().contains("a-token-of-theirs"), "{error}");
    }
}

/// A refusal of the refresh in a success ends the sign-in only where it says so.
#[tokio::test]
async fn a_refused_refresh_asks_for_a_new_sign_in() {
    for (body, is_forgotten) in [
        (r#"{"error":"invalid_grant"}"#, true),
        (r#"{"success":false,"message":"Refresh token is expired"}"#, false),
        (r#"{"error":"temporarily_unavailable"}"#, false),
    ] {
        let service = Scripted::start(move |_| json_answer(200, body)).await;
        let (client, store) = user(&service);
        let error = client.calculate(&texas()).await.expect_err(body);
        assert!(matches!(error, ClientError::SignInAgain { .. }), "{body}: {error:?}");
        assert_eq!(store.load_tokens().is_none(), is_forgotten, "{body}");
    }
}

/// What a sign-in gave is used, also where it is all there is.
#[tokio::test]
async fn an_access_token_alone_is_used_for_the_run() {
    let service = Scripted::start(|request| {
        if request.contains("oauth2/token") {
            json_answer(200, r#"{"access_token":" a-token\n","expires_in":3600}"#)
        } else if request.contains("Bearer a-token\r\n") {
            quote_answer()
        } else {
            json_answer(401, "{}")
        }
    })
    .await;
    let client = |credentials| {
        Client::new(service.config(), credentials, Arc::new(MemoryTokens::new())).expect("a client")
    };
    let signed_in = client(Credentials::for_user());
    let grant = signed_in.sign_in("joe", &Secret::new("a-password")).await.expect("a token");
    assert!(!format!("{grant:?}").contains("a-token"), "{grant:?}");
    let user = UserTokens { access: Some(grant), ..UserTokens::default() };
    let other = client(Credentials { api_key: None, user: Some(user) });
    other.calculate(&texas()).await.expect("a quote");
    assert_eq!(service.requests().len(), 2);
}

/// What goes wrong below an answer is told in plain words, not in those of a library.
#[tokio::test]
async fn a_broken_answer_is_told_in_plain_words() {
    let many = format!("x-long: {}\r\n", "y".repeat(9_000)).repeat(100);
    for (bytes, expected) in [
        (
            answer(200, "content-encoding: gzip\r\n", "this is not compressed"),
            "its compression cannot be read",
        ),
        (answer(200, &many, "{}"), "the headers of its answer are too large"),
        (
            b"HTTP/1.1 200 X\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}".to_vec(),
            "not in the form of HTTP",
        ),
        (b"this is something else\r\n\r\n".to_vec(), "not in the form of HTTP"),
        (
            b"HTTP/1.1 200 X\r\nconnection: close\r\ncontent-length: 99\r\n\r\n{}".to_vec(),
            "before its answer was complete",
        ),
    ] {
        let service = Scripted::start(move |_| bytes.clone()).await;
        let error = service.client().calculate(&texas()).await.expect_err(expected);
        assert!(matches!(error, ClientError::Interrupted { .. }), "{error:?}");
        assert!(error.to_string().contains(expected), "{expected}: {error}");
    }
}
