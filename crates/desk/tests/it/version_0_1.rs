//! A data folder that version 0.1 wrote opens with everything in it.
//!
//! `tests/data/version-0.1` was written once by [`write_the_data_folder`] and is never written again: a change of the
//! format is proven by a migration of it.

use std::path::{Path, PathBuf};

use bordereau_desk::api::*;
use bordereau_desk::{Desk, DeskConfig, MemorySecrets, Ports, PracticeAction, SecretStore};
use serde_json::json;

use crate::erase::is_anywhere;
use crate::events_receiver::until;
use crate::outbox_fixture::{OutboxFixture, ended, many, queue, rows, sent};
use crate::review_flow::{HEAD, good};
use crate::test_desk::{FixedClock, Scripted, TestPractice, profile, texas};
use crate::test_keychain::TestKeychain;

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/version-0.1")
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

async fn reviewed(desk: &Desk, test: &OutboxFixture, name: &str, text: &str) -> ReviewView {
    let path = test.folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    test.person.answers.lock().unwrap().push_back(path);
    settled(desk, desk.review_start(ReviewStart { source: ReviewSource::Dialog }).await.unwrap()).await
}

async fn settled(desk: &Desk, mut view: ReviewView) -> ReviewView {
    while view.stage == ReviewStage::Reading {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        view = desk.review_state(ReviewId { id: view.id }).await.unwrap();
    }
    view
}

fn keep(review: &str, code: &str, reason: &str) -> ReviewKeep {
    let (id, code, reason) = (review.to_owned(), code.to_owned(), reason.to_owned());
    ReviewKeep { id, code, row: None, column: None, keep: true, reason }
}

#[tokio::test]
async fn everything_of_version_0_1_is_found() {
    let folder = tempfile::tempdir().unwrap();
    copy(&fixture(), folder.path());
    // As of a command that only looks: nothing that waits is sent.
    let desk = at_rest(folder.path(), std::sync::Arc::new(MemorySecrets::new()));
    assert_everything_is_found(&desk).await;
    assert_eq!(desk.audit_list(Nothing {}).await.unwrap().entries.len(), 11);
}

#[tokio::test]
async fn everything_of_version_0_1_is_found_once_it_is_encrypted() {
    let folder = tempfile::tempdir().unwrap();
    copy(&fixture(), folder.path());
    let insured = "Example Diner";
    assert!(is_anywhere(folder.path(), insured));
    let keychain = std::sync::Arc::new(TestKeychain::default());
    let desk = at_rest(folder.path(), keychain.clone());
    let asked = desk.data_encrypt(Nothing {}).await.unwrap();
    assert_eq!(asked.encryption, FolderEncryption::BeginsNext, "an older folder is, once it is asked for");
    drop(desk);
    let desk = opened_alone(folder.path(), keychain).await;
    let safety = desk.backup_list(Nothing {}).await.unwrap();
    assert_eq!(safety.encryption, FolderEncryption::On, "{}", safety.encryption_text);
    assert!(safety.copied_at.is_empty(), "it is no copy: {safety:?}");
    assert!(!is_anywhere(folder.path(), insured), "the copy from before the update is encrypted as well");
    assert_everything_is_found(&desk).await;
    assert_eq!(desk.audit_list(Nothing {}).await.unwrap().entries.len(), 12);
}

async fn assert_everything_is_found(desk: &Desk) {
    let profiles = desk.profile_list(Nothing {}).await.unwrap().profiles;
    let names: Vec<&str> = profiles.iter().map(|view| view.profile.name.as_str()).collect();
    assert_eq!(names, ["Practice", "Head office", "Office"]);
    let settings = desk.settings_load(Nothing {}).await.unwrap();
    assert_eq!(
        (settings.theme, settings.zoom, settings.agency.as_str()),
        (Theme::Dark, 110, "Example Agency")
    );
    assert_eq!(
        desk.grid_layout(MappingName { name: String::new() }).await.unwrap().widths["policy_number"],
        180
    );

    let quotes = desk.quote_list(Nothing {}).await.unwrap();
    assert_eq!((quotes.saved.len(), quotes.recent.len()), (1, 1));
    let saved = desk.quote_open(QuoteId { id: quotes.saved[0].id.clone() }).await.unwrap();
    assert_eq!((saved.name.as_str(), saved.request), ("Diner", texas()));
    assert_eq!(saved.answer.unwrap().total, "10563.91");
    assert_eq!(desk.draft_load(Nothing {}).await.unwrap().request, Some(texas()));

    let reviews = desk.review_list(Nothing {}).await.unwrap();
    let drafts: Vec<(&str, u32)> =
        reviews.reviews.iter().map(|review| (review.name.as_str(), review.rows)).collect();
    assert_eq!((drafts, reviews.mappings), (DRAFTS.to_vec(), vec!["AMS nightly".to_owned()]));
    for draft in reviews.reviews {
        let view = settled(desk, desk.review_state(ReviewId { id: draft.id }).await.unwrap()).await;
        assert_eq!((view.stage, view.counts.rows), (ReviewStage::Review, 3), "{view:?}");
    }

    let batches = desk.batch_list(Nothing {}).await.unwrap().batches;
    assert!(batches.iter().any(|batch| batch.name == "week.csv" && batch.draft.is_some()), "{batches:?}");
    let states: Vec<(&str, BatchState, u32)> =
        batches.iter().map(|batch| (batch.name.as_str(), batch.state, batch.counts.total)).collect();
    let expected = [
        ("back.csv", BatchState::Canceled, 2),
        ("waits.csv", BatchState::Sending, 2),
        ("week.csv", BatchState::Unknown, 2),
        ("week.csv", BatchState::Processed, 3),
    ];
    assert_eq!(states, expected);
    assert!(batches[2].asks && batches[2].trouble.contains("it arrived, or send again"));
    let sent = rows(desk, &batches[3].id, None, 0).await;
    assert_eq!(sent[0].kept[0].reason, "agreed with the state");
    assert!(sent.iter().all(|row| row.transaction_id.is_some()));
    assert!(desk.audit_list(Nothing {}).await.unwrap().intact);

    let transactions = desk.transactions_overview(Nothing {}).await.unwrap();
    assert_eq!((transactions.records, transactions.fetched.is_empty()), (3, false));
    let searches = desk.searches_list(Nothing {}).await.unwrap().searches;
    assert_eq!(searches[0].name, "Insureds");
    let found = desk
        .transactions_search(TransactionsSearch { count: 50, ..searches[0].search.clone() })
        .await
        .unwrap();
    assert_eq!(found.total, 3);
    let detail = desk.transaction_detail(TransactionId { id: found.rows[0].id.clone() }).await.unwrap();
    assert_eq!(detail.sent[0].batch, batches[3].id);

    let uploads = desk.documents_queue(Nothing {}).await.unwrap().uploads;
    assert_eq!((uploads.len(), uploads[0].state, uploads[0].sha256.len()), (1, UploadState::Sent, 64));
    let question =
        FormsQuestion { state: "TX".into(), transaction_type: "PN".into(), ..FormsQuestion::default() };
    assert_eq!(desk.form_list(question).await.unwrap().carriers.len(), 3);

    let events =
        desk.events_list(EventsRequest { count: 50, ..EventsRequest::default() }).await.unwrap().events;
    assert_eq!(events.iter().filter(|event| event.what == EventKind::Filed).count(), 3);
    assert!(events.iter().all(|event| event.signature == EventSignature::Valid), "{events:?}");
    let receiving = desk.events_settings(Nothing {}).await.unwrap();
    assert!(receiving.receiver && receiving.port == 45_935 && receiving.subscribed, "{receiving:?}");
}

/// The draft whose rows were all sent is reached from its batch.
const DRAFTS: [(&str, u32); 2] = [("agency.csv", 3), ("week.csv", 3)];

/// Opened once nothing else has the folder open.
async fn opened_alone(folder: &Path, secrets: std::sync::Arc<dyn SecretStore>) -> Desk {
    let lock = std::fs::File::open(folder.join("store.lock")).unwrap();
    while lock.try_lock().is_err() {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    drop(lock);
    at_rest(folder, secrets)
}

fn at_rest(folder: &Path, secrets: std::sync::Arc<dyn SecretStore>) -> Desk {
    let person = std::sync::Arc::new(Scripted::default());
    let ports = Ports {
        clock: std::sync::Arc::new(FixedClock),
        secrets,
        practice: std::sync::Arc::new(TestPractice(None)),
        dialogs: person.clone(),
        browser: person,
        policy: std::sync::Arc::default(),
        sign_in: None,
    };
    Desk::open_idle(DeskConfig { data_dir: folder.to_owned(), ports }).unwrap()
}

/// What each part of the data folder is made of, in the order a person would come to it.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "wrote the data folder once; the folder must stay as that version wrote it"]
async fn write_the_data_folder() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    desk.profile_save(profile("Head office")).await.unwrap();
    let settings =
        Settings { theme: Theme::Dark, zoom: 110, agency: "Example Agency".into(), ..Settings::default() };
    desk.settings_save(settings).await.unwrap();
    let answer = desk.quote_calculate(texas()).await.unwrap();
    let save =
        SaveQuote { id: None, name: "Diner".into(), request: texas(), answer: Some(answer), revision: None };
    desk.quote_save(save).await.unwrap();
    desk.draft_save(texas()).await.unwrap();
    let layout = GridLayout { widths: [("policy_number".into(), 180)].into(), ..GridLayout::default() };
    desk.grid_layout_save(SaveGridLayout { mapping: String::new(), layout }).await.unwrap();

    let work = desk.begin_events();
    desk.events_subscribe(Nothing {}).await.unwrap();
    until(&desk, "it receives", |status| status.receiver == ReceiverState::On).await;

    // A batch with a warning kept with a reason, another one that is open, and a draft begun to correct it.
    let text = format!("{HEAD}{}{}{}", good(1).replace("48.50", "50.00"), good(2), good(3));
    let review = reviewed(&desk, &test, "week.csv", &text).await;
    desk.review_keep(keep(&review.id, "tax_differs", "agreed with the state")).await.unwrap();
    let preview = SendReviewPreview { id: review.id.clone(), scope: SendScope::Valid };
    let confirmed = desk.review_send_preview(preview).await.unwrap().totals;
    let send = SendReview { id: review.id, scope: SendScope::Valid, confirmed, typed: String::new() };
    let week = ended(&desk, &desk.review_send(send).await.unwrap().id).await;
    let source = ReviewSource::Batch { batch: week.id.clone() };
    settled(&desk, desk.review_start(ReviewStart { source }).await.unwrap()).await;
    let file = json!({ "action": "file", "which": { "batch_id": week.batch_ids[0] } });
    let action: PracticeAction = serde_json::from_value(file).unwrap();
    test.service.as_ref().unwrap().practice_controls().perform_action(action).await.unwrap();

    until(&desk, "the batch and its rows are announced", |status| status.unread >= 4).await;
    drop(work);

    // A draft of a file with another agency's headings, its mapping remembered.
    let foreign = text.replace("policy_number", "Pol. No.").replace("mailing_insured_name", "Client");
    let draft = reviewed(&desk, &test, "agency.csv", &foreign).await;
    let remember = ReviewMatch {
        id: draft.id.clone(),
        remember_as: "AMS nightly".into(),
        done: true,
        ..ReviewMatch::default()
    };
    desk.review_match(remember).await.unwrap();

    // The transactions of the service, a search, and a look at the due dates.
    desk.transactions_refresh(TransactionsRefresh::default()).await.unwrap();
    while desk.transactions_refresh_state(Nothing {}).await.unwrap().stage == RefreshStage::Running {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let filter = TransactionsFilter { text: "insured".into(), ..TransactionsFilter::default() };
    let search = TransactionsSearch { filter, count: 50, ..TransactionsSearch::default() };
    let found = desk.transactions_search(search.clone()).await.unwrap().rows;
    assert_eq!(found.len(), 3);
    desk.search_save(SavedSearch { name: "Insureds".into(), search, columns: Vec::new() }).await.unwrap();
    let due = desk.due_list(DueRequest::default()).await.unwrap();
    if let Some(entry) = due.entries.iter().find(|entry| entry.count > 1) {
        let mark =
            DueMark { id: entry.id.clone(), kind: DueMarkKind::Done, note: String::new(), revision: None };
        desk.due_mark(mark).await.unwrap();
    }

    // A document that was sent and one that waits, and a form with carriers that declined.
    let policy = test.folder.path().join("Policy.pdf");
    std::fs::write(&policy, b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n").unwrap();
    let upload = async |transaction: &str| {
        let handle = desk.drop_files(vec![policy.clone()]).remove(0).handle;
        let target = DocumentTarget { transaction_id: transaction.into(), ..DocumentTarget::default() };
        let files =
            vec![UploadFile { handle, code: "POLIC".into(), sha256: String::new(), ..Default::default() }];
        let queued = desk
            .documents_upload(DocumentsUpload { target, files, ..DocumentsUpload::default() })
            .await
            .unwrap();
        assert!(queued.refused.is_empty(), "{queued:?}");
        queued.uploads.into_iter().map(|upload| upload.id).collect::<Vec<_>>()
    };
    desk.documents_wait(&upload(&found[0].id).await).await.unwrap();
    desk.form_fill(crate::diligent::texas_form()).await.unwrap();

    // An answer that was lost, asked about; then the service is away: one batch waits, one is canceled.
    test.fault("batch_import", "cut", 1).await;
    test.fault("import_results", "not_found", 100_000).await;
    test.fault("transaction_status", "not_found", 100_000).await;
    test.office(&desk).await;
    sent(&desk, many("lost", 2)).await;
    desk.profile_select(ProfileId { id: "practice".into() }).await.unwrap();
    let mut test = test;
    test.darken().await;
    let waits = queue(&desk, "waits.csv", many("w", 2)).await.unwrap();
    let back = queue(&desk, "back.csv", many("b", 2)).await.unwrap();
    desk.batch_cancel(BatchId { id: back.id }).await.unwrap();
    assert_ne!(desk.batch_show(BatchId { id: waits.id }).await.unwrap().state, BatchState::Processed);

    let request = EventsRequest { count: 50, ..EventsRequest::default() };
    assert!(desk.events_list(request).await.unwrap().total > 0);
    drop(desk);
    let from = test.folder.path().join("desk");
    for file in ["desk.sqlite", "transactions/practice.sqlite"] {
        let connection = rusqlite::Connection::open(from.join(file)).unwrap();
        // The certificate of the service that was asked lies in a folder that is gone.
        let _ = connection.execute("UPDATE profiles SET body = json_set(body, '$.ca_file', '')", []);
        connection.execute_batch("PRAGMA journal_mode = DELETE; PRAGMA page_size = 1024; VACUUM;").unwrap();
    }
    for file in ["desk.sqlite", "transactions/practice.sqlite"] {
        std::fs::create_dir_all(fixture().join(file).parent().unwrap()).unwrap();
        std::fs::copy(from.join(file), fixture().join(file)).unwrap();
    }
}
