//! Documents on their way: through faults and restarts, never twice, never lost.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bordereau_desk::Desk;
use bordereau_desk::api::*;

use crate::outbox_fixture::{OutboxFixture, many, rows, sent};

const PDF: &[u8] = b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n";

/// A Texas transaction at the service; its number.
pub(crate) async fn transaction(test: &OutboxFixture, desk: &Desk) -> String {
    let batch = sent(desk, many("doc", 1)).await;
    let row = rows(desk, &batch.id, None, 0).await.remove(0);
    assert!(test.service.is_some());
    row.transaction_id.unwrap()
}

fn file(test: &OutboxFixture, name: &str, content: &[u8]) -> PathBuf {
    let path = test.folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    path
}

fn target(id: &str) -> DocumentTarget {
    DocumentTarget { transaction_id: id.into(), ..DocumentTarget::default() }
}

async fn queue(desk: &Desk, target: DocumentTarget, path: PathBuf, code: &str) -> DocumentsQueued {
    let handle = desk.drop_files(vec![path]).remove(0).handle;
    let files = vec![UploadFile { handle, code: code.into(), sha256: String::new(), ..Default::default() }];
    desk.documents_upload(DocumentsUpload { target, files, ..DocumentsUpload::default() }).await.unwrap()
}

async fn ended(desk: &Desk, queued: &DocumentsQueued) -> Vec<UploadView> {
    assert!(queued.refused.is_empty(), "{:?}", queued.refused);
    let ids: Vec<String> = queued.uploads.iter().map(|upload| upload.id.clone()).collect();
    let waited = tokio::time::timeout(Duration::from_secs(60), desk.documents_wait(&ids)).await;
    match waited {
        Ok(views) => views.unwrap(),
        Err(_) => panic!("it does not end: {:?}", desk.documents_queue(Nothing {}).await),
    }
}

async fn there(desk: &Desk, id: &str) -> TransactionDocuments {
    desk.transaction_documents(target(id)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_policy_is_uploaded_found_and_downloaded() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let id = transaction(&test, &desk).await;
    let before = there(&desk, &id).await;
    assert_eq!((before.missing.as_slice(), before.documents.len()), (["POLIC".to_owned()].as_slice(), 0));
    assert_eq!(before.wanted[0].code, "POLIC", "required ones come first");
    let list = desk.documents_missing(MissingRequest::default()).await.unwrap();
    assert_eq!((list.total, list.entries[0].transaction_id.as_str()), (1, id.as_str()));
    for (search, total) in [("p-doc", 1), ("policy tx", 1), (&id, 1), ("affidavit", 0), ("p-doc ny", 0)] {
        let request = MissingRequest { search: search.into() };
        assert_eq!(desk.documents_missing(request).await.unwrap().total, total, "{search}");
    }

    let path = file(&test, "Policy P-doc.pdf", PDF);
    let views = ended(&desk, &queue(&desk, target(&id), path.clone(), "polic").await).await;
    assert_eq!((views[0].state, views[0].name.as_str()), (UploadState::Sent, "Policy"));
    assert_eq!(views[0].sha256.len(), 64);
    let after = there(&desk, &id).await;
    assert_eq!((after.missing.len(), after.documents.len()), (0, 1));
    assert_eq!(desk.documents_missing(MissingRequest::default()).await.unwrap().total, 0);

    // The same file again returns the upload that is there.
    let again = queue(&desk, target(&id), path, "POLIC").await;
    assert_eq!(again.uploads[0].id, views[0].id);
    let into = test.folder.path().join("down");
    std::fs::create_dir(&into).unwrap();
    let fetched = desk.documents_fetch(&target(&id), &[], &into).await.unwrap();
    assert_eq!(std::fs::read(&fetched[0].path).unwrap(), PDF);
    assert_eq!((fetched[0].sha256.as_str(), fetched[0].already), (views[0].sha256.as_str(), false));
    assert!(desk.documents_fetch(&target(&id), &[], &into).await.unwrap()[0].already);
    // Where the data folder can't be written, it is downloaded beside its name.
    let opened = test.folder.path().join("desk/opened");
    std::fs::remove_dir_all(&opened).unwrap();
    std::fs::write(&opened, "").unwrap();
    assert!(desk.documents_fetch(&target(&id), &[], &into).await.unwrap()[0].already);
    assert_eq!(std::fs::read_dir(&into).unwrap().count(), 1, "nothing else stays");
    let audit = desk.audit_list(Nothing {}).await.unwrap();
    assert!(audit.entries.iter().any(|entry| entry.text.contains(&views[0].sha256)), "told in the audit log");
}

/// A workbook of the older format can carry macros: the person is asked before another program opens it.
#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_can_carry_macros_is_opened_once_that_is_confirmed() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let id = transaction(&test, &desk).await;
    let old_office = [b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".as_slice(), &[0; 600]].concat();
    for (at, (name, bytes)) in [("Policy.pdf", PDF), ("Rates.xls", &old_office)].into_iter().enumerate() {
        ended(&desk, &queue(&desk, target(&id), file(&test, name, bytes), "POLIC").await).await;
        let number = u32::try_from(at).unwrap() + 1;
        let document = KeptDocumentId { transaction_id: id.clone(), number };
        let open = async |confirmed: bool| {
            let request = OpenDocument { document: document.clone(), confirmed };
            desk.transaction_document_open(request).await.unwrap().question
        };
        let opened = || test.person.opened.lock().unwrap().pop();
        let question = open(false).await;
        if name == "Policy.pdf" {
            assert_eq!((question.as_str(), opened().is_some_and(|path| path.ends_with(name))), ("", true));
        } else {
            assert!(question.starts_with("Rates.xls was not opened") && opened().is_none(), "{question}");
            assert_eq!(
                (open(true).await.as_str(), opened().is_some_and(|path| path.ends_with(name))),
                ("", true)
            );
        }
    }
    test.person.opens_nothing.store(true, Ordering::Relaxed);
    let request =
        OpenDocument { document: KeptDocumentId { transaction_id: id, number: 1 }, confirmed: false };
    let refused = desk.transaction_document_open(request).await.unwrap_err();
    let said = "Policy.pdf wasn't opened. No program could be started for it. Save it instead.";
    assert_eq!((refused.code, refused.message.as_str()), (ErrorCode::NoProgram, said));
}

/// The service answers ten minutes late: who does not want to wait ends it.
#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_is_fetched_is_seen_and_can_be_given_up() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let id = transaction(&test, &desk).await;
    let path = file(&test, "Policy P-doc.pdf", PDF);
    ended(&desk, &queue(&desk, target(&id), path, "POLIC").await).await;
    test.late("document_download", 600_000).await;
    let which = KeptDocumentId { transaction_id: id.clone(), number: 1 };
    let (fetching, asked) = (desk.clone(), which.clone());
    let fetching = tokio::spawn(async move { fetching.transaction_document_download(asked).await });
    while desk.transaction_documents_fetching(Nothing {}).await.unwrap().downloads.is_empty() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let seen = desk.transaction_documents_fetching(Nothing {}).await.unwrap().downloads.remove(0);
    assert_eq!((seen.transaction_id.as_str(), seen.number), (id.as_str(), 1));
    let other = KeptDocumentId { number: 2, ..which.clone() };
    assert_eq!(
        desk.transaction_document_download_cancel(other).await.unwrap().downloads.len(),
        1,
        "only its own"
    );
    desk.transaction_document_download_cancel(which).await.unwrap();
    assert_eq!(fetching.await.unwrap().unwrap_err().code, ErrorCode::Canceled);
    assert!(desk.transaction_documents_fetching(Nothing {}).await.unwrap().downloads.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_only_missed_a_document_needs_no_correction_once_it_is_uploaded() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let mut wrong = many("late", 2);
    wrong[1].sl_tax = Some(bordereau_money::Usd::parse("1.00").unwrap());
    let batch = sent(&desk, wrong).await;
    let show = async || desk.batch_show(BatchId { id: batch.id.clone() }).await.unwrap();
    let list = async || rows(&desk, &batch.id, None, 0).await;
    let attention = async || desk.outbox_status(Nothing {}).await.unwrap().attention;
    // (accepted with warnings, batches with rows to correct): a row that was accepted is none of these.
    assert_eq!((show().await.open_warnings, attention().await), (2, 0));
    // The second has a wrong tax too.
    for (at, left) in [(1, (2, 0)), (0, (1, 0))] {
        let row = list().await.remove(at);
        assert!(row.messages.iter().any(|message| message.field == "documents.POLIC"), "{:?}", row.messages);
        assert_eq!(row.uploaded, Vec::<String>::new());
        let path = file(&test, &format!("late {at}.pdf"), &[PDF, format!("% {at}").as_bytes()].concat());
        let target = target(&row.transaction_id.unwrap());
        let revision = desk.outbox_status(Nothing {}).await.unwrap().revision;
        assert_eq!(
            ended(&desk, &queue(&desk, target, path, "POLIC").await).await[0].state,
            UploadState::Sent
        );
        assert_eq!(list().await.remove(at).uploaded, ["documents.POLIC"]);
        assert_eq!((show().await.open_warnings, attention().await), left, "row {at}");
        assert_ne!(desk.outbox_status(Nothing {}).await.unwrap().revision, revision, "views refresh");
    }
    let source = ReviewSource::Batch { batch: batch.id.clone() };
    let review = desk.review_start(ReviewStart { source }).await.unwrap();
    assert_eq!(review.counts.rows, 1, "only the wrong tax is corrected");
    let groups: Vec<&str> = review.groups.iter().map(|group| group.title.as_str()).collect();
    // The service's tax is in the card of our check, and what it said of the document is settled.
    assert!(groups.contains(&"A tax that differs from the calculation"), "{groups:?}");
    let is_settled =
        |title: &&str| title.starts_with("Reported by the service") || title.contains("document");
    assert!(!groups.iter().any(is_settled), "{groups:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_was_lost_is_looked_up_and_nothing_is_sent_twice() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let id = transaction(&test, &desk).await;
    // What was done before the fault is not sent again: a second send would meet the second fault.
    for (turn, kind) in ["cut", "error_after", "cut_body"].into_iter().enumerate() {
        test.fault("document_import", kind, 1).await;
        let content = [PDF, format!("% {turn}\n%%EOF\n").as_bytes()].concat();
        let path = file(&test, &format!("a{turn}.pdf"), &content);
        let views = ended(&desk, &queue(&desk, target(&id), path, "MISC").await).await;
        assert_eq!(views[0].state, UploadState::Sent, "{kind}: {}", views[0].message);
        assert!(views[0].message.contains("didn't confirm"), "{kind}: {}", views[0].message);
        assert_eq!(there(&desk, &id).await.documents.len(), turn + 1, "{kind}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_did_not_arrive_is_sent_again() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let id = transaction(&test, &desk).await;
    for (turn, kind) in ["cut_before", "error_before"].into_iter().enumerate() {
        test.fault("document_import", kind, 1).await;
        let content = [PDF, format!("% {turn}\n%%EOF\n").as_bytes()].concat();
        let path = file(&test, &format!("b{turn}.pdf"), &content);
        let views = ended(&desk, &queue(&desk, target(&id), path, "MISC").await).await;
        assert_eq!(views[0].state, UploadState::Sent, "{kind}: {}", views[0].message);
        assert_eq!(there(&desk, &id).await.documents.len(), turn + 1, "{kind}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_goes_on_with_what_is_stored() {
    let mut test = OutboxFixture::new().await;
    let desk = test.desk();
    let id = transaction(&test, &desk).await;
    test.darken().await;
    let path = file(&test, "policy.pdf", PDF);
    let queued = queue(&desk, target(&id), path.clone(), "POLIC").await;
    assert_eq!(queued.uploads[0].state, UploadState::Queued);
    // The file may go: what is sent is stored.
    std::fs::remove_file(path).unwrap();
    drop(desk);
    test.light().await;
    let desk = test.desk();
    let views = ended(&desk, &queued).await;
    assert_eq!(views[0].state, UploadState::Sent, "{}", views[0].message);
    assert_eq!(there(&desk, &id).await.documents.len(), 1);
}

/// Copies that wait to be sent.
fn copies(test: &OutboxFixture) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(test.folder.path().join("desk").join("uploads")).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_sent_is_what_was_stored_and_its_copy_goes() {
    let mut test = OutboxFixture::new().await;
    let desk = test.desk();
    let id = transaction(&test, &desk).await;
    test.darken().await;
    let one = queue(&desk, target(&id), file(&test, "one.pdf", PDF), "POLIC").await;
    let spoilt = copies(&test).remove(0);
    let other = [PDF, b"% two\n%%EOF\n"].concat();
    let two = queue(&desk, target(&id), file(&test, "two.pdf", &other), "MISC").await;
    assert_eq!(copies(&test).len(), 2);
    let again = queue(&desk, target(&id), file(&test, "copy of two.pdf", &other), "MISC").await;
    assert_eq!((again.uploads[0].id.as_str(), copies(&test).len()), (two.uploads[0].id.as_str(), 2));
    std::fs::write(&spoilt, PDF.to_ascii_uppercase()).unwrap();
    test.light().await;
    let refused = ended(&desk, &one).await.remove(0);
    assert_eq!(refused.state, UploadState::Refused, "{}", refused.message);
    let today = desk.today_show(Nothing {}).await.unwrap();
    assert_eq!((today.refused_uploads, today.uploads), (1, 0));
    assert!(refused.message.contains("Choose the file again"), "{}", refused.message);
    assert_eq!(ended(&desk, &two).await[0].state, UploadState::Sent);
    let kept: Vec<String> = there(&desk, &id).await.documents.into_iter().map(|kept| kept.code).collect();
    assert_eq!(kept, ["MISC"], "nothing of the other one is there");
    assert_eq!(copies(&test), [spoilt], "it may be looked at; what was sent needs no copy");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_earlier_version_left_in_the_store_is_sent() {
    let mut test = OutboxFixture::new().await;
    let desk = test.desk();
    let id = transaction(&test, &desk).await;
    test.darken().await;
    let queued = queue(&desk, target(&id), file(&test, "policy.pdf", PDF), "POLIC").await;
    let store = rusqlite::Connection::open(test.folder.path().join("desk").join("desk.sqlite")).unwrap();
    store.busy_timeout(Duration::from_secs(30)).unwrap();
    store
        .execute(
            "INSERT INTO document_contents (upload, content) SELECT seq, ?1 FROM document_uploads",
            [PDF],
        )
        .unwrap();
    store.execute("UPDATE document_uploads SET content_file = ''", []).unwrap();
    test.light().await;
    assert_eq!(ended(&desk, &queued).await[0].state, UploadState::Sent);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_is_taken_back_and_sent_after_all() {
    let mut test = OutboxFixture::new().await;
    let desk = test.desk();
    let id = transaction(&test, &desk).await;
    test.darken().await;
    let queued = queue(&desk, target(&id), file(&test, "policy.pdf", PDF), "POLIC").await;
    let upload = UploadId { id: queued.uploads[0].id.clone() };
    // While the service is away it is queued again and again.
    let canceled = loop {
        match desk.upload_cancel(upload.clone()).await {
            Ok(queue) => break queue,
            Err(error) => assert_eq!(error.code, ErrorCode::Validation),
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    assert_eq!((canceled.uploads[0].state, canceled.open), (UploadState::Canceled, 0));
    assert!(desk.upload_cancel(upload.clone()).await.is_err());
    test.light().await;
    desk.upload_retry(UploadRetry { id: upload.id, typed: String::new() }).await.unwrap();
    assert_eq!(ended(&desk, &queued).await[0].state, UploadState::Sent);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_sent_says_why() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let id = transaction(&test, &desk).await;
    let paths = vec![
        file(&test, "empty.pdf", b""),
        file(&test, "program.pdf", b"MZ\x90\0"),
        file(&test, "image.png", PDF),
        test.folder.path().join("gone.pdf"),
        file(&test, "policy.pdf", PDF),
    ];
    let handles: Vec<String> = desk.drop_files(paths).into_iter().map(|file| file.handle).collect();
    let look = FileInspectionRequest { handles, target: target(&id) };
    let looked = desk.documents_inspect(look).await.unwrap();
    let said: Vec<&str> = looked.files.iter().map(|file| file.refused.as_deref().unwrap_or("")).collect();
    for (found, expected) in said.iter().zip(["empty", "a program", "named as a PNG", "no longer there", ""])
    {
        assert!(found.contains(expected), "{found} / {expected}");
    }
    assert_eq!((looked.files[4].code.as_str(), looked.files[4].kind.as_str()), ("POLIC", "PDF document"));
    assert!(looked.choices[0].required && looked.choices.iter().any(|choice| choice.code == "MISC"));
    let files = looked.files.iter().map(|file| UploadFile {
        handle: file.handle.clone(),
        code: "POLIC".into(),
        sha256: file.sha256.clone(),
        ..UploadFile::default()
    });
    let upload =
        DocumentsUpload { target: target(&id), files: files.collect(), ..DocumentsUpload::default() };
    let queued = desk.documents_upload(upload).await.unwrap();
    assert_eq!((queued.uploads.len(), queued.refused.len()), (1, 4), "one bad file keeps no other out");

    let handle = desk.drop_files(vec![file(&test, "y.pdf", PDF)]).remove(0).handle;
    let files =
        vec![UploadFile { handle, code: "POLIC".into(), sha256: String::new(), ..Default::default() }];
    let error = desk.documents_upload(DocumentsUpload {
        target: target("999999"),
        files,
        ..DocumentsUpload::default()
    });
    let error = error.await.unwrap_err();
    assert_eq!(error.code, ErrorCode::NotFound, "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_several_transactions_go_where_their_names_say() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let batch = sent(&desk, many("named", 2)).await;
    let ids: Vec<String> =
        rows(&desk, &batch.id, None, 0).await.into_iter().map(|row| row.transaction_id.unwrap()).collect();
    // The index has what was looked at.
    let policies = [there(&desk, &ids[0]).await.policy_number, there(&desk, &ids[1]).await.policy_number];
    let names = [
        format!("{} policy.pdf", policies[0]),
        format!("{} - Binder.pdf", policies[1]),
        "scan001.pdf".into(),
    ];
    let paths = names.iter().map(|name| file(&test, name, PDF)).collect();
    let handles: Vec<String> = desk.drop_files(paths).into_iter().map(|file| file.handle).collect();
    let looked = desk
        .documents_inspect(FileInspectionRequest { handles, ..FileInspectionRequest::default() })
        .await
        .unwrap();
    let found: Vec<(Vec<&str>, &str)> = looked
        .files
        .iter()
        .map(|file| {
            let ids = file.transactions.iter().map(|each| each.transaction_id.as_str()).collect();
            (ids, file.code.as_str())
        })
        .collect();
    assert_eq!(found, [(vec![&*ids[0]], "POLIC"), (vec![&*ids[1]], "POLIC"), (vec![], "")]);

    let upload = |other: &str| {
        let targets = [target(&ids[0]), target(other)];
        let files = looked.files.iter().zip(targets).map(|(file, target)| UploadFile {
            handle: file.handle.clone(),
            code: "POLIC".into(),
            sha256: file.sha256.clone(),
            target,
        });
        desk.documents_upload(DocumentsUpload { files: files.collect(), ..DocumentsUpload::default() })
    };
    let refused = upload("first").await.unwrap_err();
    assert_eq!(refused.details[0].pointer, "/files/1/target/transaction_id");
    assert!(desk.documents_queue(Nothing {}).await.unwrap().uploads.is_empty(), "nothing is stored");
    let sent = ended(&desk, &upload(&ids[1]).await.unwrap()).await;
    assert!(sent.iter().all(|upload| upload.state == UploadState::Sent), "{sent:?}");
    for id in &ids {
        assert_eq!(there(&desk, id).await.documents.len(), 1, "{id}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_document_of_a_day_to_production_is_confirmed_by_a_word() {
    let test = OutboxFixture::dark();
    let desk = test.desk();
    assert_eq!(desk.confirmation_show(Nothing {}).await.unwrap().type_word, "", "practice asks for none");
    let profile =
        Profile { environment: Environment::Production, ..crate::test_desk::profile("Head office") };
    let id = desk.profile_save(profile).await.unwrap().profile.id;
    desk.profile_select(ProfileId { id }).await.unwrap();
    let shown = desk.confirmation_show(Nothing {}).await.unwrap();
    assert_eq!((shown.profile.as_str(), shown.environment), ("Head office", Environment::Production));
    assert_eq!(shown.type_word, "Head office");

    let upload = |name: &str, typed: &str| {
        let handle = desk.drop_files(vec![file(&test, name, PDF)]).remove(0).handle;
        let files =
            vec![UploadFile { handle, code: "POLIC".into(), sha256: String::new(), ..Default::default() }];
        desk.documents_upload(DocumentsUpload { target: target("1042"), files, typed: typed.into() })
    };
    for typed in ["", "Practice"] {
        let refused = upload("a.pdf", typed).await.unwrap_err();
        assert_eq!(refused.details[0].pointer, "/typed", "{typed:?}");
    }
    assert!(desk.documents_queue(Nothing {}).await.unwrap().uploads.is_empty(), "nothing is stored");
    let queued = upload("a.pdf", " head OFFICE ").await.unwrap();
    assert_eq!(queued.uploads[0].environment, Environment::Production);
    assert_eq!(desk.confirmation_show(Nothing {}).await.unwrap().type_word, "", "once a day");
    assert!(upload("b.pdf", "").await.is_ok());

    // On another day one that was canceled is sent only with the word again.
    let id = queued.uploads[0].id.clone();
    desk.upload_cancel(UploadId { id: id.clone() }).await.unwrap();
    let store = rusqlite::Connection::open(test.folder.path().join("desk").join("desk.sqlite")).unwrap();
    store.busy_timeout(Duration::from_secs(30)).unwrap();
    store.execute("UPDATE document_uploads SET day = '2020-01-01'", []).unwrap();
    let retry = |typed: &str| desk.upload_retry(UploadRetry { id: id.clone(), typed: typed.into() });
    assert_eq!(retry("").await.unwrap_err().details[0].pointer, "/typed");
    let state = async || desk.documents_queue(Nothing {}).await.unwrap().uploads.into_iter();
    assert!(state().await.any(|upload| upload.id == id && upload.state == UploadState::Canceled));
    retry("Head office").await.unwrap();
    assert!(!state().await.any(|upload| upload.state == UploadState::Canceled));
}

#[tokio::test(flavor = "multi_thread")]
async fn due_dates_of_what_was_sent() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    assert!(desk.due_list(DueRequest::default()).await.unwrap().entries.is_empty());
    let id = transaction(&test, &desk).await;
    there(&desk, &id).await;
    let list = desk.due_list(DueRequest::default()).await.unwrap();
    let dated = list.entries.iter().filter_map(|entry| Some((entry.kind.as_str(), entry.due.as_deref()?)));
    assert_eq!(dated.collect::<Vec<_>>(), [("filing", "2026-04-24"), ("tax", "2027-03-01")]);
    assert!(list.entries.iter().all(|entry| entry.transaction_id == id && !entry.sources.is_empty()));
    let by = DueRequest { by: "2026-12-31".into(), ..DueRequest::default() };
    assert_eq!(desk.due_list(by).await.unwrap().entries.len(), 1);
    let wrong = DueRequest { by: "soon".into(), ..DueRequest::default() };
    assert_eq!(desk.due_list(wrong).await.unwrap_err().details[0].pointer, "/by");
    let all = list.total;
    for (search, total) in [("p-doc", all), ("tx filing", 1), (&id, all), ("48.50 tx", all), ("p-other", 0)] {
        let request = DueRequest { search: search.into(), ..DueRequest::default() };
        let found = desk.due_list(request).await.unwrap();
        assert_eq!((found.total, found.states.len()), (total, 1), "{search}");
    }
    let path = test.folder.path().join("due.ics");
    test.person.answers.lock().unwrap().push_back(path.clone());
    assert!(desk.due_export_ics(DueRequest::default()).await.unwrap().saved);
    let text = std::fs::read_to_string(path).unwrap();
    assert_eq!(text.matches("BEGIN:VEVENT\r\n").count(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_due_date_is_marked_noted_and_opened_again() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let id = transaction(&test, &desk).await;
    there(&desk, &id).await;
    let entries = async |marked| {
        let request = DueRequest { marked, ..DueRequest::default() };
        desk.due_list(request).await.unwrap().entries
    };
    let open = entries(false).await;
    let first = open[0].clone();
    let mark = |kind, note: &str| DueMark { id: first.id.clone(), kind, note: note.into(), revision: None };
    let refused = desk.due_mark(mark(DueMarkKind::NotOurs, " ")).await.unwrap_err();
    assert_eq!(refused.details[0].pointer, "/note", "a reason is needed");
    desk.due_mark(mark(DueMarkKind::NotOurs, "The retail agent files it.")).await.unwrap();
    assert_eq!(entries(false).await.len(), open.len() - 1);
    let [marked] = &entries(true).await[..] else { panic!("one is marked") };
    let told = marked.mark.as_ref().map(|mark| (mark.kind, mark.note.as_str()));
    assert_eq!(told, Some((DueMarkKind::NotOurs, "The retail agent files it.")));
    assert_eq!(desk.due_list(DueRequest::default()).await.unwrap().marked, 1);
    // A note alone leaves it open.
    desk.due_mark(mark(DueMarkKind::Open, "Waiting for the policy.")).await.unwrap();
    assert_eq!(entries(false).await[0].mark.as_ref().unwrap().note, "Waiting for the policy.");
    desk.due_mark(mark(DueMarkKind::Open, "")).await.unwrap();
    assert_eq!(entries(false).await[0].mark, None);
}
