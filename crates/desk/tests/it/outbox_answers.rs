//! What other services answer about batches, and that it is read whole: nothing sent twice, no reason thrown away.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bordereau_contract::ImportTransaction;
use bordereau_desk::api::*;
use bordereau_desk::{Desk, OutboxPace};
use serde_json::{Value, json};

use crate::other_service::{Question, Reply, reply};
use crate::outbox_fixture::{ended, many, queue, quick, rows, sent};
use crate::outbox_proof::{imported, office, result};

/// Rows of the imports so far, one list each.
type Imports = Arc<Mutex<Vec<Vec<Value>>>>;

/// Answers an import of a service that accepts the first and loses the others.
fn only_first_accepted(imports: &Imports, import: &Question) -> Reply {
    let mut all = imports.lock().unwrap();
    all.push(imported(import));
    if all.len() == 1 { reply(r#"{"batch_id": "b-1", "status": "queued"}"#) } else { None }
}

/// A page of a search.
fn page(data: &[Value]) -> Reply {
    let pagination = json!({ "total": data.len(), "pages": 1, "per_page": 50, "page": 1 });
    reply(json!({ "data": data, "pagination": pagination }).to_string())
}

/// A list of filed transactions proves nothing of those that are not filed yet.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_shown_of_filed_rows_proves_nothing_of_others() {
    let imports = Imports::default();
    let (_test, desk, service) = office(move |question| match question {
        import if import.is("/import") => only_first_accepted(&imports, import),
        results if results.path.starts_with("/results?batch_id=b-1") => {
            let first = imports.lock().unwrap()[0].clone();
            let named: Vec<Value> = first.iter().zip(1..).map(|(row, at)| result(row, at)).collect();
            reply(json!({ "batch_id": "b-1", "status": "processed", "transactions": named }).to_string())
        }
        search if search.path.contains("search-transactions") => {
            let first = imports.lock().unwrap()[0].clone();
            let record = |(row, at): (&Value, i64)| {
                json!({ "id": at, "policy_number": row["policy_number"], "transaction_type": "PN",
                    "premium": row["premium"], "date_filed": "2026-02-24" })
            };
            page(&first.iter().zip(1..).map(record).collect::<Vec<Value>>())
        }
        _ => Some((400, "{}".into())),
    })
    .await;
    assert_eq!(sent(&desk, many("a", 3)).await.counts.accepted, 3);
    let lost = sent(&desk, many("b", 3)).await;
    assert_eq!((lost.asks, lost.counts.pending, service.count("/import")), (true, 3, 2), "{lost:?}");
    assert!(rows(&desk, &lost.id, None, 0).await.iter().all(|row| row.transaction_id.is_none()));
}

/// The rows of the first import.
fn first(imports: &Imports) -> Vec<Value> {
    imports.lock().unwrap().first().cloned().unwrap_or_default()
}

fn results(status: &str, rows: &[Value]) -> Reply {
    reply(json!({ "batch_id": "b-1", "status": status, "transactions": rows }).to_string())
}

/// A person's word that a batch arrived makes nothing accepted that the service rejected, and is not needed for what
/// its results or records say.
#[tokio::test(flavor = "multi_thread")]
async fn a_person_s_word_accepts_no_row_that_the_results_reject() {
    let imports = Imports::default();
    let (_test, desk, _service) = office(move |question| match question {
        import if import.is("/import") => only_first_accepted(&imports, import),
        asked if asked.path.starts_with("/results?batch_id=b-1") => {
            let word = |(row, at): (&Value, usize)| match at {
                2 => json!({ "id": row["id"], "status": "Invalid",
                    "errors": { "lineOfBusiness": "Line of business is invalid." } }),
                _ => json!({ "id": row["id"], "status": "imported", "transaction_id": at + 10 }),
            };
            results("processed", &first(&imports).iter().zip(0..).map(word).collect::<Vec<Value>>())
        }
        look if look.path == "/status?transaction_id=10" => {
            let row = first(&imports).remove(0);
            reply(
                json!({ "id": 10, "unique_id": row["id"], "policy_number": row["policy_number"] })
                    .to_string(),
            )
        }
        _ => Some((400, "{}".into())),
    })
    .await;
    let batch = sent(&desk, many("a", 3)).await;
    // The first row is found by the number that its result gives.
    assert_eq!((batch.asks, batch.counts.accepted, batch.counts.pending), (true, 1, 1), "{batch:?}");
    assert!(batch.trouble.starts_with("The service accepted the batch"), "{}", batch.trouble);
    let batch = decided(&desk, &batch.id, LostDecision::Arrived, "").await.unwrap();
    let counts = batch.counts;
    assert_eq!((batch.state, counts.accepted, counts.error), (BatchState::Processed, 2, 1), "{batch:?}");
    let refused = rows(&desk, &batch.id, Some(RowState::Error), 0).await.remove(0);
    assert_eq!(refused.messages[0].text, "Line of business is invalid.", "{refused:?}");
}

/// A service that refuses the key or the account is not one that does not respond, and a command can tell.
#[tokio::test(flavor = "multi_thread")]
async fn a_refused_key_or_account_is_told_as_that() {
    for (status, advice) in [
        (401, "Sending continues once the profile has a valid key or sign-in."),
        (403, "Ask the provider whether the account is active."),
    ] {
        let is_open = Arc::new(AtomicBool::new(false));
        let opened = Arc::clone(&is_open);
        let (_test, desk, service) = office(move |question| match question {
            import if import.is("/import") && !opened.load(Ordering::Relaxed) => {
                Some((status, r#"{"message":"The account is inactive"}"#.into()))
            }
            import if import.is("/import") => reply(r#"{"batch_id": "b-1", "status": "queued"}"#),
            _ => Some((400, "{}".into())),
        })
        .await;
        let batch = queue(&desk, "week.csv", many("a", 2)).await.unwrap();
        let mut view = batch;
        while view.trouble.is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
            desk.outbox_status(Nothing {}).await.unwrap();
            view = desk.batch_show(BatchId { id: view.id }).await.unwrap();
        }
        assert!(
            view.trouble.contains("The account is inactive") && view.trouble.contains(advice),
            "{view:?}"
        );
        assert!(!view.trouble.contains("when the service responds"), "{view:?}");
        assert!(desk.status_show(Nothing {}).await.unwrap().is_refused, "{status}");
        is_open.store(true, Ordering::Relaxed);
        while desk.status_show(Nothing {}).await.unwrap().is_refused {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let refused = service.count("/import");
        assert!(refused >= 2, "{refused}");
    }
}

async fn decided(
    desk: &Desk,
    id: &str,
    decision: LostDecision,
    number: &str,
) -> Result<BatchView, BoundaryError> {
    let typed = String::new();
    let request = BatchDecision { id: id.into(), decision, batch_number: number.into(), typed };
    desk.batch_decide(request).await?;
    Ok(ended(desk, id).await)
}

/// While a service works on a batch, what it says of its rows may still change.
#[tokio::test(flavor = "multi_thread")]
async fn results_count_once_the_batch_is_done() {
    let (imports, asked) = (Imports::default(), AtomicUsize::new(0));
    let (_test, desk, _service) = office(move |question| match question {
        import if import.is("/import") => only_first_accepted(&imports, import),
        look if look.path.starts_with("/results?batch_id=b-1") => {
            let is_done = asked.fetch_add(1, Ordering::SeqCst) > 1;
            let of = |(row, at): (&Value, usize)| match (is_done, at) {
                (false, _) => result(row, 5000 + at),
                (true, 0) => json!({ "id": row["id"], "status": 1, "errors": ["No insurer."] }),
                (true, _) => result(row, at),
            };
            let word = if is_done { "processed" } else { "processing" };
            results(word, &first(&imports).iter().zip(0..).map(of).collect::<Vec<Value>>())
        }
        _ => Some((404, "{}".into())),
    })
    .await;
    let batch = sent(&desk, many("a", 3)).await;
    assert_eq!((batch.counts.accepted, batch.counts.error), (2, 1), "{batch:?}");
    let numbers: Vec<_> =
        rows(&desk, &batch.id, None, 0).await.into_iter().map(|row| row.transaction_id).collect();
    assert_eq!(numbers, [None, Some("1".to_owned()), Some("2".to_owned())]);
    // Asked for several times, accepted once.
    let audit = desk.audit_list(Nothing {}).await.unwrap();
    assert_eq!(
        audit.entries.iter().filter(|entry| entry.text.contains("was accepted by the service")).count(),
        1
    );
}

/// A processed batch whose results come late, or whose words the profile learns later, is asked for again.
#[tokio::test(flavor = "multi_thread")]
async fn results_that_come_late_are_asked_for_again() {
    let (imports, is_there) = (Imports::default(), Arc::new(AtomicBool::new(false)));
    let is_ready = Arc::clone(&is_there);
    let (_test, desk, service) = office(move |question| match question {
        import if import.is("/import") => only_first_accepted(&imports, import),
        look if look.path.starts_with("/results?batch_id=b-1") => {
            let all: Vec<Value> = first(&imports).iter().zip(1..).map(|(row, at)| result(row, at)).collect();
            results("processed", if is_ready.load(Ordering::SeqCst) { &all } else { &all[..1] })
        }
        _ => Some((404, "{}".into())),
    })
    .await;
    let batch = sent(&desk, many("a", 3)).await;
    assert_eq!((batch.asks, batch.counts.pending), (true, 2), "{batch:?}");
    is_there.store(true, Ordering::SeqCst);
    // Its own number is not the number of another batch.
    let batch = decided(&desk, &batch.id, LostDecision::LookAgain, "").await.unwrap();
    assert_eq!((batch.state, batch.counts.accepted), (BatchState::Processed, 3), "{batch:?}");
    assert_eq!(service.count("/import"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_may_be_told_its_own_number() {
    let imports = Imports::default();
    let (_test, desk, _service) = office(move |question| match question {
        import if import.is("/import") => only_first_accepted(&imports, import),
        look if look.path.starts_with("/results?batch_id=b-1") => results("processed", &[]),
        _ => Some((404, "{}".into())),
    })
    .await;
    let batch = sent(&desk, many("a", 2)).await;
    assert!(batch.asks && batch.trouble.contains("only answers \"not found\""), "{batch:?}");
    let again = decided(&desk, &batch.id, LostDecision::Arrived, "b-1").await.unwrap();
    assert_eq!((again.asks, again.counts.pending), (true, 2), "{again:?}");
    let other = sent(&desk, many("b", 2)).await;
    let refused = decided(&desk, &other.id, LostDecision::Arrived, "b-1").await.unwrap_err();
    assert!(refused.message.contains("the number of another batch"), "{}", refused.message);
}

/// What a service answers to an import, of rows with the ids 1 to 3, and whether that is the number of a batch.
#[tokio::test(flavor = "multi_thread")]
async fn a_batch_number_may_be_equal_to_an_id() {
    for (member, accepted) in [("batch_id", 3), ("id", 0)] {
        let (_test, desk, _service) = office(move |question| match question {
            import if import.is("/import") => reply(format!(r#"{{"{member}": 3, "status": "queued"}}"#)),
            look if look.path == "/results?batch_id=3" => {
                let of = |id: i64| json!({ "id": id, "transaction_id": id + 10, "status": 0 });
                reply(json!({ "status": "processed", "transactions": [of(1), of(2), of(3)] }).to_string())
            }
            _ => Some((404, "{}".into())),
        })
        .await;
        let three = many("a", 3).into_iter().zip(["1", "2", "3"]);
        let three = three.map(|(row, id)| ImportTransaction { id: id.into(), ..row }).collect();
        let batch = sent(&desk, three).await;
        assert_eq!(batch.counts.accepted, accepted, "{member}: {batch:?}");
    }
}

/// Results that are not ready are waited for, whatever says so.
#[tokio::test(flavor = "multi_thread")]
async fn results_that_are_not_ready_are_waited_for() {
    for status in [204, 409] {
        let (imports, asked) = (Imports::default(), AtomicUsize::new(0));
        let (_test, desk, _service) = office(move |question| match question {
            import if import.is("/import") => only_first_accepted(&imports, import),
            look if look.path.starts_with("/results?batch_id=b-1") => {
                if asked.fetch_add(1, Ordering::SeqCst) < 4 {
                    return Some((status, String::new()));
                }
                results(
                    "processed",
                    &first(&imports).iter().zip(1..).map(|(row, at)| result(row, at)).collect::<Vec<Value>>(),
                )
            }
            _ => Some((404, "{}".into())),
        })
        .await;
        let queued = queue(&desk, "week.csv", many("a", 2)).await.unwrap();
        let mut said = Vec::new();
        let batch = loop {
            let view = desk.batch_show(BatchId { id: queued.id.clone() }).await.unwrap();
            if view.state == BatchState::Processed {
                break view;
            }
            said.push(view.trouble);
            tokio::time::sleep(Duration::from_millis(5)).await;
        };
        assert_eq!(batch.counts.accepted, 2, "{status}");
        assert!(said.iter().any(|text| text.contains("no results for batch b-1 yet")), "{status}: {said:?}");
        assert!(!said.iter().any(|text| text.contains("rejected") || text.contains("read")), "{said:?}");
    }
}

/// A batch of three rows whose answer is lost, then two rows that the service has, by which it shows what it knows; the
/// batch when it has ended.
async fn lost_then_ended(desk: &Desk) -> BatchView {
    desk.set_outbox_pace(OutboxPace { lookup_window: Duration::from_secs(600), ..quick() });
    let lost = queue(desk, "week.csv", many("a", 3)).await.unwrap();
    while desk.batch_show(BatchId { id: lost.id.clone() }).await.unwrap().state != BatchState::Unknown {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(sent(desk, many("known", 2)).await.counts.accepted, 2);
    desk.set_outbox_pace(quick());
    ended(desk, &lost.id).await
}

/// A batch that the service gave up is called failed, and its rows are not sent by themselves.
#[tokio::test(flavor = "multi_thread")]
async fn a_batch_that_the_service_gave_up_failed() {
    let (imports, turn) = (Imports::default(), AtomicUsize::new(0));
    let (_test, desk, service) = office(move |question| match question {
        import if import.is("/import") => {
            imports.lock().unwrap().push(imported(import));
            reply(format!(
                r#"{{"batch_id": "b-{}", "status": "queued"}}"#,
                turn.fetch_add(1, Ordering::SeqCst)
            ))
        }
        look if look.path.starts_with("/results?batch_id=b-0") => {
            reply(json!({ "batch_id": "b-0", "status": "failed", "transactions": [] }).to_string())
        }
        look if look.path.starts_with("/results?batch_id=b-1") => {
            let known = imports.lock().unwrap()[1].clone();
            results(
                "processed",
                &known.iter().zip(1..).map(|(row, at)| result(row, at)).collect::<Vec<Value>>(),
            )
        }
        look if look.path.starts_with("/status?id=known") => {
            let id = look.path.trim_start_matches("/status?id=");
            let number = 1 + id.trim_start_matches("known").parse::<i64>().unwrap();
            reply(json!({ "id": number, "unique_id": id }).to_string())
        }
        _ => Some((404, "{}".into())),
    })
    .await;
    let batch = lost_then_ended(&desk).await;
    assert_eq!(
        (batch.state, batch.counts.not_sent, service.count("/import")),
        (BatchState::Failed, 3, 2),
        "{batch:?}"
    );
    assert!(batch.trouble.contains("without accepting any row"), "{}", batch.trouble);
    assert_eq!(batch.evidence[0].answer, "failed, 0 of 3 rows answered");
}

/// A service that makes two batches of one and gives the second up: its rows have the reason at once, the others theirs.
#[tokio::test(flavor = "multi_thread")]
async fn a_part_that_failed_says_why_at_once() {
    const WHY: &str = "The file of this part is damaged.";
    for is_named in [true, false] {
        let imports = Imports::default();
        let (_test, desk, service) = office(move |question| match question {
            import if import.is("/import") => {
                imports.lock().unwrap().push(imported(import));
                reply(r#"{"batch_ids": ["b-1", "b-2"], "status": "queued"}"#)
            }
            look if look.path.starts_with("/results?batch_id=b-1") => {
                let rows = first(&imports);
                results(
                    "processed",
                    &[
                        result(&rows[0], 17),
                        json!({ "id": rows[1]["id"], "status": 1, "errors": ["No insurer."] }),
                    ],
                )
            }
            look if look.path.starts_with("/results?batch_id=b-2") => {
                let rows: Vec<Value> =
                    first(&imports)[2..].iter().map(|row| json!({ "id": row["id"] })).collect();
                let rows = if is_named { rows } else { Vec::new() };
                reply(
                    json!({ "batch_id": "b-2", "status": "failed", "message": WHY, "transactions": rows })
                        .to_string(),
                )
            }
            _ => Some((404, "{}".into())),
        })
        .await;
        let batch = sent(&desk, many("a", 4)).await;
        let (errors, pending) = if is_named { (3, 0) } else { (1, 2) };
        assert_eq!(
            (batch.counts.accepted, batch.counts.error, batch.counts.pending, service.count("/import")),
            (1, errors, pending, 1),
            "{batch:?}"
        );
        let shown = rows(&desk, &batch.id, None, 0).await;
        let said = |at: usize| shown[at].messages.iter().any(|message| message.text.contains(WHY));
        assert_eq!((said(1), said(2), said(3)), (false, true, true), "{shown:?}");
    }
}

/// A batch that is sent again is waited for as long as the first time: its number is not thrown away at once.
#[tokio::test(flavor = "multi_thread")]
async fn a_batch_that_is_sent_again_has_its_own_patience() {
    let (imports, asked) = (Imports::default(), AtomicUsize::new(0));
    let (_test, desk, service) = office(move |question| match question {
        import if import.is("/import") => {
            let mut all = imports.lock().unwrap();
            all.push(imported(import));
            if all.len() == 1 {
                None
            } else {
                reply(format!(r#"{{"batch_id": "b-{}", "status": "queued"}}"#, all.len()))
            }
        }
        look if look.path.starts_with("/results?batch_id=b-") => {
            let at: usize = look.path.trim_start_matches("/results?batch_id=b-").parse().unwrap();
            if at == 3 && asked.fetch_add(1, Ordering::SeqCst) < 3 {
                return Some((404, "{}".into()));
            }
            let rows = imports.lock().unwrap()[at - 1].clone();
            let named: Vec<Value> =
                rows.iter().zip(at * 10..).map(|(row, number)| result(row, number)).collect();
            reply(json!({ "status": "processed", "transactions": named }).to_string())
        }
        look if look.path.starts_with("/status?id=known") => {
            let id = look.path.trim_start_matches("/status?id=");
            let number = 20 + id.trim_start_matches("known").parse::<i64>().unwrap();
            reply(json!({ "id": number, "unique_id": id }).to_string())
        }
        _ => Some((404, "{}".into())),
    })
    .await;
    let batch = lost_then_ended(&desk).await;
    assert_eq!(
        (batch.state, batch.counts.accepted, service.count("/import")),
        (BatchState::Processed, 3, 3),
        "{batch:?}"
    );
    assert_eq!(batch.batch_ids, ["b-3"]);
}

/// A record of a service by the letter: none of our ids, the time it was made with a zone name.
pub fn record_by_the_letter(row: &Value, number: i64) -> Value {
    let made = chrono::Utc::now() - chrono::TimeDelta::seconds(2);
    json!({ "id": number, "policy_number": row["policy_number"], "transaction_type": row["transaction_type"],
        "premium": row["premium"], "extra_invoice_number": null, "unique_id": null,
        "created_date": made.format("%Y-%m-%d %H:%M:%S Coordinated Universal Time").to_string() })
}

/// A service that returns neither our id nor our invoice, and whose clock is behind, shows what it has of a lost batch
/// to a question by invoice.
#[tokio::test(flavor = "multi_thread")]
async fn a_lost_row_is_found_by_its_invoice_alone() {
    let kept = Imports::default();
    let (_test, desk, service) = office(move |question| match question {
        import if import.is("/import") => {
            kept.lock().unwrap().push(imported(import));
            None
        }
        look if look.path.starts_with("/status?invoice_number=INV-") => {
            let invoice = look.path.trim_start_matches("/status?invoice_number=");
            let all = first(&kept);
            let at = all.iter().position(|row| row["invoice_number"] == invoice).unwrap();
            reply(record_by_the_letter(&all[at], 1001 + i64::try_from(at).unwrap()).to_string())
        }
        _ => Some((400, "{}".into())),
    })
    .await;
    let batch = sent(&desk, many("a", 3)).await;
    assert_eq!((batch.state, batch.counts.accepted), (BatchState::Processed, 3), "{batch:?}");
    assert_eq!(service.count("/import"), 1);
}

/// A refusal names its reasons and their rows in whatever form it has them.
#[tokio::test(flavor = "multi_thread")]
async fn the_reasons_of_a_refusal_are_shown() {
    let cases = [
        (r#"{"errors":["Row 1: no insurer"]}"#, None),
        (r#"{"errors":[{"id":"a00001","message":"no insurer"}]}"#, Some("a00001")),
        (r#"{"errors":[{"source":{"pointer":"/transactions/1"},"detail":"no insurer"}]}"#, Some("a00001")),
        (r#"{"title":"Bad","errors":{"$.transactions[1].insurer":["no insurer"]}}"#, Some("a00001")),
        (r#"{"detail":[{"loc":["body","transactions",1,"insurer"],"msg":"no insurer"}]}"#, Some("a00001")),
        (
            r#"{"status":"failed","transactions":[{"id":"a00001","errors":{"insurer":["no insurer"]}}]}"#,
            Some("a00001"),
        ),
    ];
    for (body, at_fault) in cases {
        let (_test, desk, _service) = office(move |_| Some((422, body.into()))).await;
        let batch = sent(&desk, many("a", 2)).await;
        assert_eq!(batch.state, BatchState::Failed, "{body}: {batch:?}");
        assert!(!batch.trouble.contains("did not say why"), "{body}: {}", batch.trouble);
        let refused = rows(&desk, &batch.id, Some(RowState::Error), 0).await;
        assert_eq!(refused.first().map(|row| row.id.as_str()), at_fault, "{body}");
        let reasons = refused.iter().flat_map(|row| &row.messages).map(|message| message.text.as_str());
        assert!(reasons.chain([batch.trouble.as_str()]).any(|text| text.contains("no insurer")), "{body}");
        assert!(
            batch.evidence.iter().any(|evidence| evidence.answer.len() > "refused with status 422: ".len())
        );
    }
}

/// What the answer to an import says of single rows is on them at once, and they are refused once the batch has ended
/// without them: not before, and not where the service may have them.
#[tokio::test(flavor = "multi_thread")]
async fn rows_that_an_acceptance_refuses_are_refused_once_the_batch_ended() {
    let by_id = r#""total_items":1,"errors":[{"id":"a00001","message":"no insurer"}]"#;
    let cases = [
        (by_id, "ended without it", (1, 1, 0)),
        (
            r#""rejected":[{"id":"a00001","errors":{"insurer":["no insurer"]}}]"#,
            "ended without it",
            (1, 1, 0),
        ),
        (r#""errors":{"[1].insurer":"no insurer"}"#, "ended without it", (1, 1, 0)),
        (r#""errors":{"a00001":{"insurer":"no insurer"}}"#, "ended without it", (1, 1, 0)),
        // The results have it after all, it is found, it is counted among those accepted, or the batch goes on.
        (by_id, "ended with it", (2, 0, 0)),
        (by_id, "found", (2, 0, 0)),
        (
            r#""total_items":2,"errors":[{"id":"a00001","message":"no insurer"}]"#,
            "ended without it",
            (1, 0, 1),
        ),
    ];
    for (said, how, counts) in cases {
        let imports = Imports::default();
        let (_test, desk, service) = office(move |question| match question {
            import if import.is("/import") => {
                imports.lock().unwrap().push(imported(import));
                Some((207, format!(r#"{{"batch_id":"b-1","status":"queued",{said}}}"#)))
            }
            look if look.path.starts_with("/results?batch_id=b-1") => {
                let all: Vec<Value> =
                    first(&imports).iter().zip(1..).map(|(row, at)| result(row, at)).collect();
                results("processed", if how == "ended with it" { &all } else { &all[..1] })
            }
            look if how == "found" && look.path == "/status?id=a00001" => {
                let row = &first(&imports)[1];
                reply(
                    json!({ "id": 2, "unique_id": row["id"], "policy_number": row["policy_number"] })
                        .to_string(),
                )
            }
            _ => Some((404, "{}".into())),
        })
        .await;
        let batch = sent(&desk, many("a", 2)).await;
        let taken = batch.counts.accepted + batch.counts.warning;
        assert_eq!((taken, batch.counts.error, batch.counts.pending), counts, "{said}, {how}: {batch:?}");
        assert_eq!(service.count("/import"), 1, "{said}");
        let row = rows(&desk, &batch.id, None, 0).await.remove(1);
        let has_reason = row.messages.iter().any(|message| message.text == "no insurer");
        assert_eq!(has_reason, how != "ended with it", "{said}, {how}: {row:?}");
    }
}

/// Results in place of a number count, and rows that they do not have are looked up, not sent again.
#[tokio::test(flavor = "multi_thread")]
async fn an_import_may_be_answered_with_its_results() {
    for (named, state, counts) in [
        (3, BatchState::Processed, (2, 1, 0)),
        // The third is neither there nor refused.
        (2, BatchState::Unknown, (1, 1, 1)),
    ] {
        let (_test, desk, service) = office(move |question| {
            if !question.is("/import") {
                return Some((404, "{}".into()));
            }
            let import = imported(question);
            let of = |(row, at): (&Value, usize)| match at {
                1 => json!({ "id": row["id"], "status": 1, "errors": ["No insurer."] }),
                _ => result(row, at + 1),
            };
            let all: Vec<Value> = import.iter().zip(0..).map(of).take(named).collect();
            reply(json!({ "status": "processed", "transactions": all }).to_string())
        })
        .await;
        let batch = sent(&desk, many("a", 3)).await;
        let found = (batch.counts.accepted, batch.counts.error, batch.counts.pending);
        assert_eq!((batch.state, found, batch.seconds_left), (state, counts, None), "{batch:?}");
        assert_eq!(service.count("/import"), 1);
    }
}

/// What a service says of a batch that it accepts stays with it.
#[tokio::test(flavor = "multi_thread")]
async fn what_an_acceptance_warns_of_is_shown() {
    let imports = Imports::default();
    let (_test, desk, _service) = office(move |question| match question {
        import if import.is("/import") => {
            imports.lock().unwrap().push(imported(import));
            reply(r#"{"batch_id":"b-1","warnings":["Row 3: the invoice was used before"]}"#)
        }
        look if look.path.starts_with("/results?batch_id=b-1") => {
            let all: Vec<Value> = first(&imports).iter().zip(1..).map(|(row, at)| result(row, at)).collect();
            results("processed", &all)
        }
        _ => Some((404, "{}".into())),
    })
    .await;
    let batch = sent(&desk, many("a", 2)).await;
    assert_eq!((batch.state, batch.counts.accepted), (BatchState::Processed, 2), "{batch:?}");
    assert_eq!(batch.trouble, "The service says of the batch: Row 3: the invoice was used before.");
}
