//! Services that answer in their own ways: nothing is claimed without proof, nothing is sent twice without proof or a
//! person's word, and what one batch waits for holds up no other.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bordereau_desk::api::*;
use bordereau_desk::{Desk, OutboxPace};
use serde_json::{Value, json};

use crate::other_service::{OtherService, Question, Reply, reply};
use crate::outbox_fixture::{OutboxFixture, ended, many, queue, quick, rows, sent};

pub const PDF: &str = "%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n";

pub async fn office(
    answer: impl Fn(&Question) -> Reply + Send + Sync + 'static,
) -> (OutboxFixture, Desk, OtherService) {
    let test = OutboxFixture::dark();
    let desk = test.desk();
    let service = OtherService::start(answer).await;
    service.select(&desk, test.folder.path()).await;
    (test, desk, service)
}

/// The rows of an import.
pub fn imported(question: &Question) -> Vec<Value> {
    let body: Value = serde_json::from_str(&question.body).unwrap();
    body["transactions"].as_array().unwrap().clone()
}

/// The result of a row under a number.
pub fn result(row: &Value, number: usize) -> Value {
    json!({ "id": row["id"], "policy_number": row["policy_number"], "transaction_id": number, "status": 0 })
}

fn in_the_store(test: &OutboxFixture, sql: &str) {
    let store = rusqlite::Connection::open(test.folder.path().join("desk").join("desk.sqlite")).unwrap();
    store.busy_timeout(Duration::from_secs(10)).unwrap();
    store.execute_batch(sql).unwrap();
}

pub async fn upload(test: &OutboxFixture, desk: &Desk, name: &str) -> UploadView {
    let path = test.folder.path().join(name);
    std::fs::write(&path, PDF).unwrap();
    let handle = desk.drop_files(vec![path]).remove(0).handle;
    let files =
        vec![UploadFile { handle, code: "POLIC".into(), sha256: String::new(), ..Default::default() }];
    let target = DocumentTarget { transaction_id: "7".into(), ..DocumentTarget::default() };
    let queued =
        desk.documents_upload(DocumentsUpload { target, files, ..Default::default() }).await.unwrap();
    settled(desk, &queued.uploads[0].id).await
}

/// An upload at its end, or about which a person is asked.
pub async fn settled(desk: &Desk, id: &str) -> UploadView {
    let ids = [id.to_owned()];
    let waited = tokio::time::timeout(Duration::from_secs(30), desk.documents_wait(&ids)).await;
    waited.expect("it settles").unwrap().remove(0)
}

/// C1: 200 with an error in words to an import, 200 with a message to look-ups.
#[tokio::test(flavor = "multi_thread")]
async fn a_batch_refused_in_words_is_not_accepted() {
    let (_test, desk, service) = office(|question| match question {
        import if import.is("/import") => reply(r#"{"success": false, "error": "The office is closed"}"#),
        _ => reply(r#"{"message": "Transaction not found"}"#),
    })
    .await;
    let batch = sent(&desk, many("c", 20)).await;
    assert_ne!(batch.state, BatchState::Processed, "{batch:?}");
    assert_eq!(
        (batch.counts.accepted, batch.counts.warning, service.count("/import")),
        (0, 0, 1),
        "{batch:?}"
    );
    assert!(rows(&desk, &batch.id, None, 0).await.iter().all(|row| row.transaction_id.is_none()));
}

/// C1 behind the work: the answer was lost, look-ups say a sentence.
#[tokio::test(flavor = "multi_thread")]
async fn a_sentence_is_no_record() {
    let (_test, desk, service) = office(|question| match question {
        import if import.is("/import") => None,
        _ => reply(r#"{"message": "Transaction not found"}"#),
    })
    .await;
    let batch = sent(&desk, many("c", 20)).await;
    assert_eq!((batch.state, batch.asks, batch.counts.pending), (BatchState::Unknown, true, 20), "{batch:?}");
    assert_eq!(service.count("/import"), 1);
    let row = rows(&desk, &batch.id, None, 0).await.remove(0);
    assert_eq!(row.stage, DeliveryStage::Unknown);
    assert_eq!(row.evidence.unwrap().question, "import of the batch");
}

/// C2: neither the answer to a document nor the look-up can be read.
#[tokio::test(flavor = "multi_thread")]
async fn a_document_whose_answer_cannot_be_read_is_sent_once() {
    let is_sent = AtomicBool::new(false);
    let (test, desk, service) = office(move |question| match question {
        // Before the upload the transaction is known.
        look if look.is("/status") && !is_sent.load(Ordering::SeqCst) => reply(record("https://none", false)),
        look if look.is("/status") => reply(r#"{"outcome": {"transaction": 7}}"#),
        _ => {
            is_sent.store(true, Ordering::SeqCst);
            reply(r#"{"outcome": [{"stored": "yes"}]}"#)
        }
    })
    .await;
    let view = upload(&test, &desk, "policy.pdf").await;
    assert_eq!(
        (view.state, view.asks, view.stage),
        (UploadState::Unknown, true, DeliveryStage::Unknown),
        "{view:?}"
    );
    assert!(view.message.contains("policy.pdf (POLIC"), "{}", view.message);
    assert_eq!(service.count("/documents"), 1);

    // A person decides; without their word nothing goes.
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(service.count("/documents"), 1);
    let decision =
        UploadDecision { id: view.id.clone(), decision: LostDecision::Arrived, typed: String::new() };
    desk.upload_decide(decision.clone()).await.unwrap();
    let view = settled(&desk, &view.id).await;
    assert_eq!((view.state, view.stage), (UploadState::Sent, DeliveryStage::Received));
    assert!(view.evidence.unwrap().question.contains("a person"));
    assert_eq!(desk.upload_decide(decision).await.unwrap_err().code, ErrorCode::Validation);
    let audit = desk.audit_list(Nothing {}).await.unwrap();
    assert!(audit.entries.iter().any(|entry| entry.text.contains("arrived, as a person confirmed")));
}

/// The record of transaction 7, with its document where it is shown.
pub fn record(base: &str, shows: bool) -> String {
    let document = json!({ "name": "Policy", "code": "POLIC", "download_url": format!("{base}/file") });
    let documents = if shows { vec![document] } else { Vec::new() };
    json!({ "id": 7, "policy_number": "P-7", "transaction_status": 1, "transaction_documents": documents })
        .to_string()
}

/// C3: documents are shown late, and the answer was lost.
#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_is_shown_late_is_not_sent_again() {
    let (base, shows) = (Arc::new(Mutex::new(String::new())), Arc::new(AtomicBool::new(false)));
    let (known, now_shows) = (Arc::clone(&base), Arc::clone(&shows));
    let (test, desk, service) = office(move |question| match question {
        look if look.is("/status") => reply(record(&known.lock().unwrap(), now_shows.load(Ordering::SeqCst))),
        file if file.is("/file") => reply(PDF),
        _ => None,
    })
    .await;
    base.lock().unwrap().clone_from(&service.base_url);
    let view = upload(&test, &desk, "policy.pdf").await;
    assert_eq!(
        (view.state, view.asks, service.count("/documents")),
        (UploadState::Unknown, true, 1),
        "{view:?}"
    );
    shows.store(true, Ordering::SeqCst);
    let again =
        UploadDecision { id: view.id.clone(), decision: LostDecision::LookAgain, typed: String::new() };
    desk.upload_decide(again).await.unwrap();
    let view = settled(&desk, &view.id).await;
    assert_eq!((view.state, service.count("/documents")), (UploadState::Sent, 1), "{view:?}");
    assert!(view.evidence.unwrap().answer.contains(&view.sha256));
}

/// C4: the answer says success in words of its own.
#[tokio::test(flavor = "multi_thread")]
async fn a_document_answered_in_other_words_is_looked_up_and_sent_once() {
    let base = Arc::new(Mutex::new(String::new()));
    let known = Arc::clone(&base);
    let (test, desk, service) = office(move |question| match question {
        look if look.is("/status") => reply(record(&known.lock().unwrap(), true)),
        file if file.is("/file") => reply(PDF),
        _ => reply(r#"{"status": "success", "documents": [{"file_name": "policy.pdf", "status": 0}]}"#),
    })
    .await;
    base.lock().unwrap().clone_from(&service.base_url);
    let view = upload(&test, &desk, "policy.pdf").await;
    assert_eq!((view.state, service.count("/documents")), (UploadState::Sent, 1), "{view:?}");
}

/// C5: results that name half of the rows; the others are unknown, and told, and not sent again.
#[tokio::test(flavor = "multi_thread")]
async fn rows_that_results_do_not_name_are_unknown() {
    let taken: Arc<Mutex<Vec<Value>>> = Arc::default();
    let kept = Arc::clone(&taken);
    let (_test, desk, service) = office(move |question| match question {
        import if import.is("/import") => {
            *kept.lock().unwrap() = imported(import);
            reply(r#"{"batch_id": "b-1", "status": "queued", "total_items": 10}"#)
        }
        results if results.path.starts_with("/results?batch_id=b-1") => {
            let named: Vec<Value> =
                kept.lock().unwrap().iter().take(10).enumerate().map(|(n, row)| result(row, n + 1)).collect();
            reply(json!({ "batch_id": "b-1", "status": "processed", "transactions": named }).to_string())
        }
        _ => Some((404, "{}".into())),
    })
    .await;
    let batch = sent(&desk, many("c", 20)).await;
    assert_eq!((batch.state, batch.asks), (BatchState::Unknown, true), "{batch:?}");
    let counts = batch.counts;
    assert_eq!((counts.accepted, counts.pending, counts.not_sent), (10, 10, 0), "{counts:?}");
    assert_eq!(service.count("/import"), 1);
    let all = rows(&desk, &batch.id, None, 0).await;
    assert_eq!(all[0].evidence.as_ref().unwrap().answer, "id c00000 is transaction 1, status 0");
    assert_eq!(all[19].stage, DeliveryStage::Unknown);
    let audit = desk.audit_list(Nothing {}).await.unwrap();
    assert!(audit.entries.iter().any(|entry| entry.text.contains("a person is asked")));
}

/// An id answered for another policy is told and not guessed.
#[tokio::test(flavor = "multi_thread")]
async fn an_id_answered_for_another_policy_is_not_taken() {
    let (_test, desk, service) = office(|question| match question {
        import if import.is("/import") => reply(r#"{"batch_id": "b-1", "status": "queued"}"#),
        results if results.path.starts_with("/results?batch_id=b-1") => {
            let other = json!({ "id": "c00000", "policy_number": "ZZ-9", "transaction_id": 5, "status": 0 });
            reply(json!({ "batch_id": "b-1", "status": "processed", "transactions": [other] }).to_string())
        }
        _ => Some((404, "{}".into())),
    })
    .await;
    let batch = sent(&desk, many("c", 1)).await;
    assert_eq!((batch.asks, batch.counts.accepted, service.count("/import")), (true, 0, 1), "{batch:?}");
    let row = rows(&desk, &batch.id, None, 0).await.remove(0);
    assert!(row.messages[0].text.contains("the policy ZZ-9"), "{row:?}");
    assert_eq!(row.transaction_id, None);
}

/// C6: another office has rows under the same policy, type, invoice and premium; ours were lost before the work.
#[tokio::test(flavor = "multi_thread")]
async fn rows_of_another_office_are_not_ours() {
    for (member, value) in [
        ("unique_id", json!("theirs")),
        ("created_date", json!("2020-01-01 00:00:00 UTC")),
        ("nothing", json!(0)),
    ] {
        let (_test, desk, service) = office(move |question| match question {
            import if import.is("/import") => None,
            look if look.path.starts_with("/status?invoice_number=INV-") => {
                let id = look.path.trim_start_matches("/status?invoice_number=INV-").to_owned();
                let mut theirs = json!({
                    "id": 99, "policy_number": format!("P-{id}"), "extra_invoice_number": format!("INV-{id}"),
                    "transaction_type": "PN", "premium": 1000
                });
                theirs[member] = value.clone();
                reply(theirs.to_string())
            }
            _ => Some((404, "{}".into())),
        })
        .await;
        let batch = sent(&desk, many("c", 3)).await;
        assert_eq!(
            (batch.asks, batch.counts.accepted, service.count("/import")),
            (true, 0, 1),
            "{member}: {batch:?}"
        );
        assert!(batch.trouble.contains("transaction 99 has the same content"), "{}", batch.trouble);
    }
}

/// A batch whose results can never be read, and one that is never done, hold up no other.
#[tokio::test(flavor = "multi_thread")]
async fn a_batch_that_does_not_end_holds_up_no_other() {
    let (turn, last) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let (_test, desk, _service) = office(move |question| match question {
        import if import.is("/import") => {
            *last.lock().unwrap() = imported(import);
            reply(format!(
                r#"{{"batch_id": "b-{}", "status": "queued"}}"#,
                turn.fetch_add(1, Ordering::SeqCst)
            ))
        }
        results if results.path.contains("batch_id=b-0") => reply("[[[["),
        results if results.path.contains("batch_id=b-1") => {
            reply(r#"{"batch_id": "b-1", "status": "resting"}"#)
        }
        results if results.path.contains("batch_id=b-2") => {
            let named: Vec<Value> =
                last.lock().unwrap().iter().enumerate().map(|(n, row)| result(row, n + 1)).collect();
            reply(json!({ "batch_id": "b-2", "status": "processed", "transactions": named }).to_string())
        }
        _ => Some((404, "{}".into())),
    })
    .await;
    let first = queue(&desk, "one.csv", many("one", 2)).await.unwrap();
    let second = queue(&desk, "two.csv", many("two", 2)).await.unwrap();
    let third = sent(&desk, many("three", 2)).await;
    assert_eq!((third.state, third.counts.accepted), (BatchState::Processed, 2), "{third:?}");
    for (id, words) in [(first.id, "cannot be read"), (second.id, "unknown status for batch b-1")] {
        let view = loop {
            let view = desk.batch_show(BatchId { id: id.clone() }).await.unwrap();
            if !view.trouble.is_empty() {
                break view;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        assert!(view.trouble.contains(words), "{}", view.trouble);
        assert_eq!(view.counts.pending, 2);
    }
}

/// A clock that is set forward or back sends nothing: only time counts during which the service answered.
#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_set_sends_nothing_again() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    test.office(&desk).await;
    sent(&desk, many("known", 3)).await;
    desk.set_outbox_pace(OutboxPace { lookup_window: Duration::from_secs(600), ..quick() });
    test.fault("batch_import", "cut_before", 1).await;
    let batch = queue(&desk, "week.csv", many("n", 5)).await.unwrap();
    for lost_ms in ["lost_ms - 36 * 60 * 1000", "lost_ms + 365 * 86400 * 1000"] {
        tokio::time::sleep(Duration::from_millis(600)).await;
        in_the_store(&test, &format!("UPDATE batch_parts SET lost_ms = {lost_ms} WHERE lost_ms IS NOT NULL"));
    }
    tokio::time::sleep(Duration::from_millis(600)).await;
    let view = desk.batch_show(BatchId { id: batch.id.clone() }).await.unwrap();
    assert_eq!((view.state, test.stored().await.len()), (BatchState::Unknown, 3), "{view:?}");
    assert!(view.trouble.contains("10 more minutes"), "{}", view.trouble);
    // A loss in the future blocks nothing: what was observed counts.
    in_the_store(&test, "UPDATE batch_parts SET observed_ms = 600000 WHERE state = 'unknown'");
    let view = ended(&desk, &batch.id).await;
    let taken = view.counts.accepted + view.counts.warning;
    assert_eq!((view.state, taken), (BatchState::Processed, 5), "{view:?}");
    assert!(test.stored().await.values().all(|count| *count == 1));
}

/// Three quick "not found" prove nothing of a document, not even at the practice service.
#[tokio::test(flavor = "multi_thread")]
async fn a_document_is_not_sent_again_after_quick_refusals() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let batch = sent(&desk, many("doc", 1)).await;
    let number = rows(&desk, &batch.id, None, 0).await.remove(0).transaction_id.unwrap();
    desk.transaction_documents(DocumentTarget { transaction_id: number.clone(), ..Default::default() })
        .await
        .unwrap();
    let path = test.folder.path().join("policy.pdf");
    std::fs::write(&path, PDF).unwrap();
    test.fault("document_import", "cut", 1).await;
    test.fault("transaction_status", "not_found", 100_000).await;
    let handle = desk.drop_files(vec![path]).remove(0).handle;
    let files =
        vec![UploadFile { handle, code: "POLIC".into(), sha256: String::new(), ..Default::default() }];
    let target = DocumentTarget { transaction_id: number, ..Default::default() };
    let queued =
        desk.documents_upload(DocumentsUpload { target, files, ..Default::default() }).await.unwrap();
    let view = settled(&desk, &queued.uploads[0].id).await;
    assert_eq!((view.state, view.asks), (UploadState::Unknown, true), "{view:?}");
    test.drive("DELETE", "faults", json!({})).await;
    let again =
        UploadDecision { id: view.id.clone(), decision: LostDecision::LookAgain, typed: String::new() };
    desk.upload_decide(again).await.unwrap();
    assert_eq!(settled(&desk, &view.id).await.state, UploadState::Sent);
    let audit = desk.audit_list(Nothing {}).await.unwrap();
    assert!(
        !audit.entries.iter().any(|entry| entry.text.contains("it is sent again")),
        "nothing was sent twice"
    );
}

/// What is queued goes to the address it was confirmed for, or waits and says so.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_confirmed_for_one_address_goes_to_no_other() {
    let test = OutboxFixture::new().await;
    let (desk, mut office) = (test.desk_at_rest(), None);
    test.office(&desk).await;
    for view in desk.profile_list(Nothing {}).await.unwrap().profiles {
        office = office.or((view.profile.name == "Office").then_some(view.profile));
    }
    let office = office.unwrap();
    let batch = queue(&desk, "week.csv", many("u", 3)).await.unwrap();
    in_the_store(&test, "UPDATE batches SET address = 'https://127.0.0.1:9'");
    desk.start_work();
    let view = loop {
        let view = desk.batch_show(BatchId { id: batch.id.clone() }).await.unwrap();
        if !view.trouble.is_empty() {
            break view;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert!(view.trouble.contains("confirmed for https://127.0.0.1:9"), "{}", view.trouble);
    assert!(view.trouble.contains(&office.base_url), "{}", view.trouble);
    assert!(view.can_cancel && test.stored().await.is_empty());
}

/// A row that changed in the store since it was confirmed is not sent; the others are.
#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_changed_in_the_store_is_not_sent() {
    let mut test = OutboxFixture::dark();
    let desk = test.desk();
    let batch = queue(&desk, "week.csv", many("w", 3)).await.unwrap();
    in_the_store(&test, "UPDATE batch_rows SET wire = replace(wire, '1000', '9000') WHERE row = 1");
    test.light().await;
    let batch = ended(&desk, &batch.id).await;
    assert_eq!((batch.counts.not_sent, batch.counts.accepted + batch.counts.warning), (1, 2), "{batch:?}");
    let row = rows(&desk, &batch.id, Some(RowState::NotSent), 0).await.remove(0);
    assert!(row.messages[0].text.contains("changed in the data file after you confirmed it"), "{row:?}");
    assert_eq!((row.stage, test.stored().await.len()), (DeliveryStage::NotSent, 2));
}

/// Results refuse a row and give it a number: whether it was kept shows the record under that number.
#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_was_refused_and_kept_is_known_to_be_there() {
    for (policy, state) in [("P-c00000", RowState::SavedIncomplete), ("P-other", RowState::Error)] {
        let (_test, desk, service) = office(move |question| match question {
            import if import.is("/import") => reply(r#"{"batch_id": "b-1", "status": "queued"}"#),
            results if results.path.starts_with("/results?batch_id=b-1") => {
                let kept =
                    json!({ "id": "c00000", "transaction_id": 5, "status": 1, "errors": ["No insurer."] });
                reply(json!({ "batch_id": "B-1", "status": "processed", "transactions": [kept] }).to_string())
            }
            look if look.path == "/status?transaction_id=5" => {
                reply(json!({ "id": 5, "unique_id": "c00000", "policy_number": policy }).to_string())
            }
            _ => Some((404, "{}".into())),
        })
        .await;
        let batch = sent(&desk, many("c", 1)).await;
        let row = rows(&desk, &batch.id, None, 0).await.remove(0);
        assert_eq!((row.row_state, service.count("/import")), (state, 1), "{row:?}");
        assert!(row.messages.iter().any(|message| message.text.contains("No insurer")), "{row:?}");
    }
}

/// A conflict is with something that is there: it proves no refusal.
#[tokio::test(flavor = "multi_thread")]
async fn a_conflict_is_looked_up() {
    let (_test, desk, service) = office(|question| match question {
        import if import.is("/import") => Some((409, r#"{"message": "There already"}"#.into())),
        look if look.path.starts_with("/status?id=c") => {
            let id = look.path.trim_start_matches("/status?id=");
            let number = 7 + id.trim_start_matches('c').parse::<i64>().unwrap();
            reply(json!({ "id": number, "unique_id": id, "policy_number": format!("P-{id}") }).to_string())
        }
        _ => Some((404, "{}".into())),
    })
    .await;
    let batch = sent(&desk, many("c", 2)).await;
    assert_eq!((batch.state, batch.counts.accepted), (BatchState::Processed, 2), "{batch:?}");
    assert_eq!(service.count("/import"), 1);
}

/// A service that reads policy numbers as numbers and leaves ids away: what it shows may be ours, so nothing proves that
/// ours is not there.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_written_in_another_way_is_no_proof_of_absence() {
    let shown: Arc<Mutex<Vec<Value>>> = Arc::default();
    let (kept, turn) = (Arc::clone(&shown), AtomicUsize::new(0));
    let (_test, desk, service) = office(move |question| match question {
        import if import.is("/import") => {
            let first = turn.fetch_add(1, Ordering::SeqCst) == 0;
            let mut shown = kept.lock().unwrap();
            for row in imported(import) {
                let policy = row["policy_number"].as_str().unwrap().trim_start_matches('0').to_owned();
                let number = shown.len() + 1;
                shown.push(json!({ "id": number, "policy_number": policy, "transaction_type": "New business",
                    "policy_effective_date": row["policy_effective_date"], "premium": row["premium"],
                    "own": row["id"] }));
            }
            if first { reply(r#"{"batch_id": "b-1", "status": "queued"}"#) } else { None }
        }
        results if results.path.starts_with("/results?batch_id=b-1") => {
            let all = kept.lock().unwrap();
            let named: Vec<Value> = all.iter().take(3).map(|record| {
                json!({ "id": record["own"], "transaction_id": record["id"], "status": 0 })
            }).collect();
            reply(json!({ "batch_id": "b-1", "status": "processed", "transactions": named }).to_string())
        }
        search if search.path.contains("search-transactions") => {
            let all = kept.lock().unwrap().clone();
            let total = all.len();
            reply(json!({ "data": all, "pagination": { "total": total, "pages": 1, "per_page": 50, "page": 1 } }).to_string())
        }
        _ => Some((404, "{}".into())),
    })
    .await;
    let zeros = |prefix: &str| {
        let mut all = many(prefix, 3);
        for (at, row) in all.iter_mut().enumerate() {
            row.policy_number = Some(format!("00{}{at}", if prefix == "a" { 7 } else { 8 }));
        }
        all
    };
    let known = sent(&desk, zeros("a")).await;
    assert_eq!(known.counts.accepted, 3, "{known:?}");
    let lost = sent(&desk, zeros("b")).await;
    assert_eq!((lost.asks, lost.counts.pending, service.count("/import")), (true, 3, 2), "{lost:?}");
}

/// Results with a flag in place of a status, with words that nobody knows beside numbers, and with the own id under
/// another name: each row gets its outcome, and only the record under its number accepts one.
#[tokio::test(flavor = "multi_thread")]
async fn results_in_other_words_land_on_their_rows() {
    type Form = fn(&Value, usize) -> Value;
    let forms: [(&str, &str, Form); 3] = [
        ("a flag", "processed", |row, at| match at {
            1 => json!({ "id": row["id"], "success": false, "errors": ["No insurer"] }),
            _ => json!({ "id": row["id"], "success": true, "transaction_id": at + 10 }),
        }),
        ("two unknown words", "completed", |row, at| match at {
            1 => json!({ "id": row["id"], "status": "error", "errors": ["No insurer"] }),
            _ => json!({ "id": row["id"], "status": "ok", "transaction_id": at + 10 }),
        }),
        ("an id of its own", "processed", |row, at| match at {
            1 => json!({ "external_id": row["id"], "id": null, "status": 1, "errors": ["No insurer"] }),
            _ => json!({ "external_id": row["id"], "id": at + 10, "status": 0 }),
        }),
    ];
    for (what, word, form) in forms {
        let rows_sent: Arc<Mutex<Vec<Value>>> = Arc::default();
        let (_test, desk, service) = office(move |question| match question {
            import if import.is("/import") => {
                *rows_sent.lock().unwrap() = imported(import);
                reply(r#"{"batch_id": "b-1", "status": "queued"}"#)
            }
            asked if asked.is("/results") => {
                let rows = rows_sent.lock().unwrap();
                let named: Vec<Value> = rows.iter().enumerate().map(|(at, row)| form(row, at)).collect();
                reply(json!({ "batch_id": "b-1", "status": word, "transactions": named }).to_string())
            }
            look if look.path.starts_with("/status?transaction_id=1") => {
                let number: usize = look.path.trim_start_matches("/status?transaction_id=").parse().unwrap();
                let row = rows_sent.lock().unwrap()[number - 10].clone();
                reply(json!({ "id": number, "unique_id": row["id"], "policy_number": row["policy_number"], "premium": row["premium"] }).to_string())
            }
            _ => Some((400, "{}".into())),
        })
        .await;
        let batch = sent(&desk, many("a", 3)).await;
        assert_eq!(
            (batch.state, batch.counts.accepted, batch.counts.error),
            (BatchState::Processed, 2, 1),
            "{what}: {batch:?}"
        );
        assert_eq!(service.count("/import"), 1, "{what}");
    }
}
