//! Forms in which other services answer an import: split into several batches, answered at once, received without a
//! number. Every row has the outcome that was said of it, and nothing is sent twice.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bordereau_desk::api::*;
use serde_json::{Value, json};

use crate::other_service::{Question, Reply, reply};
use crate::outbox_fixture::{ended, many, queue, rows, sent};
use crate::outbox_proof::{imported, office, result};

/// The record of a row under its number, from 1, where it is asked for by that.
fn record_of(rows: &[Value], question: &Question) -> Reply {
    let number: usize = question.path.strip_prefix("/status?transaction_id=")?.parse().ok()?;
    let row = rows.get(number.checked_sub(1)?)?;
    let record = json!({ "id": number, "unique_id": row["id"], "policy_number": row["policy_number"], "premium": row["premium"],
        "transaction_type": row["transaction_type"], "transaction_status": 1 });
    reply(record.to_string())
}

fn counts(batch: &BatchView) -> (u32, u32, u32) {
    (batch.counts.accepted + batch.counts.warning, batch.counts.error, batch.counts.pending)
}

/// Every number of a batch that the service split is kept, and the results under each are read once all are there.
#[tokio::test(flavor = "multi_thread")]
async fn a_batch_may_be_split_by_the_service() {
    let whole = (BatchState::Processed, (3, 1, 0));
    for (acceptance, named, expected) in [
        (r#"{"batches":[{"batch_id":"b-1","total_items":2},{"batch_id":"b-2","total_items":2}]}"#, 2, whole),
        (r#"{"batch_ids":["b-1","b-2"],"status":"queued","total_items":4}"#, 2, whole),
        (r#"[{"batch_id":"b-1","status":"queued"},{"batch_id":"b-2","status":"queued"}]"#, 2, whole),
        // The last row is in none of them: it is looked up.
        (r#"{"batch_ids":["b-1","b-2"]}"#, 1, (BatchState::Unknown, (2, 1, 1))),
    ] {
        let (all, asked): (Arc<Mutex<Vec<Value>>>, AtomicUsize) = Default::default();
        let (_test, desk, service) = office(move |question| match question {
            import if import.is("/import") => {
                all.lock().unwrap().extend(imported(import));
                reply(acceptance)
            }
            look if look.path.starts_with("/results?batch_id=b-") => {
                let rows = all.lock().unwrap();
                let is_second = look.path.ends_with('2');
                // The second one is processed later.
                let is_early = is_second && asked.fetch_add(1, Ordering::SeqCst) == 0;
                let results = match is_second {
                    false => vec![
                        result(&rows[0], 1),
                        json!({ "id": rows[1]["id"], "status": 1, "errors": ["No insurer."] }),
                    ],
                    true => (2..2 + named).map(|at| result(&rows[at], at + 1)).collect(),
                };
                let (number, status) = (&look.path[18..], if is_early { "processing" } else { "processed" });
                reply(json!({ "batch_id": number, "status": status, "transactions": results }).to_string())
            }
            _ => Some((404, "{}".into())),
        })
        .await;
        let batch = sent(&desk, many("a", 4)).await;
        assert_eq!((batch.state, counts(&batch)), expected, "{acceptance}: {batch:?}");
        assert_eq!(batch.batch_ids, ["b-1", "b-2"], "{acceptance}");
        assert_eq!(service.count("/import"), 1, "{acceptance}");
        let lookup = desk.batch_lookup(BatchLookupRequest { number: "b-2".into() }).await.unwrap();
        assert_eq!(lookup.batch.as_ref(), Some(&batch.id), "{acceptance}");
    }
}

/// An answer with the rows and no number has what became of them: numbers are confirmed by their records, refusals
/// count, and rows that are not in it are looked up.
#[tokio::test(flavor = "multi_thread")]
async fn rows_may_be_answered_at_once() {
    let done = BatchState::Processed;
    let lost = BatchState::Unknown;
    for (answer, expected) in [
        (
            json!({ "imported": 1, "transactions": [{ "id": "a00000", "transaction_id": 1 }],
                "errors": [{ "id": "a00001", "message": "No insurer." }] }),
            (done, (1, 1, 0)),
        ),
        (
            json!({ "responses": [{ "status": 201, "id": "a00000", "body": { "transaction_id": 1 } },
                { "status": 422, "id": "a00001", "body": { "errors": ["No insurer."] } }] }),
            (done, (1, 1, 0)),
        ),
        (
            json!([{ "id": "a00000", "transaction_id": 1 }, { "id": "a00001", "success": false, "errors": ["No insurer."] }]),
            (done, (1, 1, 0)),
        ),
        (
            json!({ "failed": 2, "errors": [{ "id": "a00000", "message": "No insurer." },
                { "id": "a00001", "message": "No insurer." }] }),
            (done, (0, 2, 0)),
        ),
        (json!({ "failed": 1, "errors": [{ "id": "a00001", "message": "No insurer." }] }), (lost, (0, 1, 1))),
        // The number of another transaction proves nothing.
        (
            json!({ "transactions": [{ "id": "a00000", "transaction_id": 2 }, { "id": "a00001", "transaction_id": 2 }] }),
            (lost, (0, 0, 2)),
        ),
    ] {
        let (all, body) = (Mutex::new(Vec::new()), answer.to_string());
        let (_test, desk, service) = office(move |question| {
            if question.is("/import") {
                all.lock().unwrap().extend(imported(question));
                return reply(body.clone());
            }
            record_of(&all.lock().unwrap(), question).or(Some((404, "{}".into())))
        })
        .await;
        let batch = sent(&desk, many("a", 2)).await;
        assert_eq!((batch.state, counts(&batch)), expected, "{answer}: {batch:?}");
        assert_eq!(service.count("/import"), 1, "{answer}");
        for row in rows(&desk, &batch.id, Some(RowState::Error), 0).await {
            assert!(row.messages.iter().any(|message| message.text == "No insurer."), "{answer}: {row:?}");
        }
    }
}

/// 202 says that it was received; what the service had to say besides cannot be read.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_received_without_a_number_is_told_as_received() {
    for (status, is_received) in [(202, true), (200, false)] {
        let (_test, desk, service) = office(move |question| {
            if question.is("/import") { Some((status, String::new())) } else { Some((404, "{}".into())) }
        })
        .await;
        let batch = queue(&desk, "week.csv", many("a", 2)).await.unwrap();
        let batch = ended(&desk, &batch.id).await;
        assert_eq!((batch.asks, service.count("/import")), (true, 1), "{batch:?}");
        let question = rows(&desk, &batch.id, None, 0).await.len();
        assert_eq!(question, 2);
        let is_told = batch.trouble.contains("received it without giving a batch number");
        assert_eq!(is_told, is_received, "{}", batch.trouble);
        assert_eq!(batch.trouble.contains("isn't confirmed that"), !is_received, "{}", batch.trouble);
    }
}

/// Numbers under a word that nobody knows, with records that don't show whose they are: each time one of them is asked
/// for, not all, so that a large batch doesn't use up the limit of requests.
#[tokio::test(flavor = "multi_thread")]
async fn records_that_show_nothing_are_not_all_asked_for_each_time() {
    let rows_sent: Arc<Mutex<Vec<Value>>> = Arc::default();
    let (_test, desk, service) = office(move |question| match question {
        import if import.is("/import") => {
            *rows_sent.lock().unwrap() = imported(import);
            reply(r#"{"batch_id": "b-1", "status": "queued"}"#)
        }
        asked if asked.is("/results") => {
            let rows = rows_sent.lock().unwrap();
            let form =
                |(at, row): (usize, &Value)| json!({ "id": row["id"], "success": true, "transaction_id": at + 1 });
            let named: Vec<Value> = rows.iter().enumerate().map(form).collect();
            reply(json!({ "batch_id": "b-1", "status": "held", "transactions": named }).to_string())
        }
        look if look.path.starts_with("/status?transaction_id=") => {
            let number = look.path.trim_start_matches("/status?transaction_id=");
            reply(format!(r#"{{"id": {number}, "policy_number": "hidden"}}"#))
        }
        _ => Some((404, "{}".into())),
    })
    .await;
    let batch = queue(&desk, "week.csv", many("a", 40)).await.unwrap();
    let answers = || service.count("/results");
    tokio::time::timeout(Duration::from_secs(60), async {
        while answers() < 4 {
            desk.outbox_status(Nothing {}).await.unwrap();
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await
    .unwrap();
    let looks = service.count("/status");
    assert!(looks <= 4 * answers(), "{looks} questions for {} answers", answers());
    let view = desk.batch_show(BatchId { id: batch.id }).await.unwrap();
    assert_eq!((view.state, counts(&view)), (BatchState::Accepted, (0, 0, 40)), "{view:?}");
}

/// A service that takes few transactions at once gets as many as its profile says.
#[tokio::test(flavor = "multi_thread")]
async fn a_request_has_no_more_rows_than_its_profile_says() {
    let stored: Arc<Mutex<Vec<Value>>> = Arc::default();
    let (_test, desk, service) = office(move |question| match question {
        import if import.is("/import") => {
            let rows = imported(import);
            if rows.len() > 2 {
                return Some((413, r#"{"message":"Too much"}"#.into()));
            }
            let mut stored = stored.lock().unwrap();
            let results = rows.iter().enumerate().map(|(at, row)| result(row, stored.len() + at + 1));
            let answer = json!({ "status": "processed", "transactions": results.collect::<Vec<_>>() });
            stored.extend(rows);
            reply(answer.to_string())
        }
        look => record_of(&stored.lock().unwrap(), look).or(Some((404, "{}".into()))),
    })
    .await;
    let refused = sent(&desk, many("a", 5)).await;
    assert_eq!((refused.state, service.count("/import")), (BatchState::Failed, 1), "{refused:?}");
    let profiles = desk.profile_list(Nothing {}).await.unwrap().profiles;
    let profile = profiles.into_iter().find(|view| view.active).unwrap().profile;
    desk.profile_save(Profile { rows_per_request: 2, ..profile }).await.unwrap();
    let batch = sent(&desk, many("b", 5)).await;
    assert_eq!((batch.state, counts(&batch)), (BatchState::Processed, (5, 0, 0)), "{batch:?}");
    assert_eq!(service.count("/import"), 1 + 3);
}
