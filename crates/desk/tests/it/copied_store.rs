//! A data folder that was copied, put back from an older copy, or restored from a backup: it knows, and looks up
//! what it believes unsent before it sends anything.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use bordereau_desk::Desk;
use bordereau_desk::api::*;

use crate::other_service::{OtherService, reply};
use crate::outbox_fixture::{OutboxFixture, ended, many, queue, sent};
use crate::outbox_proof::{PDF, record, settled};

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            // Onto what is there, as `cp` does it.
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

async fn is_copy(desk: &Desk) -> bool {
    !desk.backup_list(Nothing {}).await.unwrap().copied_at.is_empty()
}

async fn has_key(test: &OutboxFixture, desk: &Desk) {
    let profiles = desk.profile_list(Nothing {}).await.unwrap().profiles;
    let office = profiles.into_iter().find(|view| view.profile.name == "Office");
    if let Some(office) = office {
        let key = test.service.as_ref().unwrap().api_key.clone();
        desk.profile_set_key(SetApiKey { id: office.profile.id, key }).await.unwrap();
    }
}

/// A store with something that was sent and something that waits; the service is dark afterwards.
async fn prepared(is_office: bool) -> (OutboxFixture, BatchView) {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    if is_office {
        test.office(&desk).await;
    }
    let before = sent(&desk, many("before", 3)).await;
    assert_eq!(before.state, BatchState::Processed);
    drop(desk);
    let resting = test.desk_at_rest();
    if is_office {
        has_key(&test, &resting).await;
    }
    let batch = queue(&resting, "week.csv", many("w", 120)).await.unwrap();
    drop(resting);
    (test, batch)
}

async fn working(test: &OutboxFixture, desk: &Desk, id: &str) -> BatchView {
    has_key(test, desk).await;
    ended(desk, id).await
}

async fn never_twice(test: &OutboxFixture) {
    let stored = test.stored().await;
    assert!(stored.values().all(|count| *count == 1), "{stored:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copied_folder_sends_nothing_twice() {
    for is_office in [false, true] {
        let (test, batch) = prepared(is_office).await;
        let own = test.folder.path().join("desk");
        copy_folder(&own, &test.folder.path().join("copy"));
        let desk = test.desk();
        assert!(!is_copy(&desk).await, "the first one is none");
        assert_eq!(working(&test, &desk, &batch.id).await.state, BatchState::Processed);
        let copy = test.desk_at("copy");
        assert!(is_copy(&copy).await, "office {is_office}");
        let found = working(&test, &copy, &batch.id).await;
        assert_eq!((found.state, found.counts.pending), (BatchState::Processed, 0), "office {is_office}");
        never_twice(&test).await;
        assert_eq!(test.stored().await.len(), 123);
        let log = copy.audit_list(Nothing {}).await.unwrap();
        assert!(log.intact && log.entries.iter().any(|entry| entry.text.contains("is a copy")));
    }
}

/// A service that has what it was sent, and counts how often.
#[tokio::test(flavor = "multi_thread")]
async fn a_copied_folder_sends_no_document_twice() {
    let (base, is_there) = (Arc::new(Mutex::new(String::new())), Arc::new(AtomicBool::new(false)));
    let (known, shown) = (Arc::clone(&base), Arc::clone(&is_there));
    let service = OtherService::start(move |question| match question {
        look if look.is("/status") => reply(record(&known.lock().unwrap(), shown.load(Ordering::SeqCst))),
        file if file.is("/file") => reply(PDF),
        _ => {
            shown.store(true, Ordering::SeqCst);
            reply(r#"{"transaction_id": 7, "documents": [{"code": "POLIC", "imported": true}]}"#)
        }
    })
    .await;
    base.lock().unwrap().clone_from(&service.base_url);
    let test = OutboxFixture::dark();
    let resting = test.desk_at_rest();
    service.select(&resting, test.folder.path()).await;
    let path = test.folder.path().join("policy.pdf");
    fs::write(&path, PDF).unwrap();
    let handle = resting.drop_files(vec![path]).remove(0).handle;
    let files =
        vec![UploadFile { handle, code: "POLIC".into(), sha256: String::new(), ..Default::default() }];
    let target = DocumentTarget { transaction_id: "7".into(), ..DocumentTarget::default() };
    let request = DocumentsUpload { target, files, ..DocumentsUpload::default() };
    let queued = resting.documents_upload(request).await.unwrap().uploads.remove(0);
    drop(resting);
    copy_folder(&test.folder.path().join("desk"), &test.folder.path().join("copy"));

    for folder in ["desk", "copy"] {
        let desk = test.desk_at(folder);
        let profiles = desk.profile_list(Nothing {}).await.unwrap().profiles;
        let id = profiles.into_iter().find(|view| view.active).unwrap().profile.id;
        desk.profile_set_key(SetApiKey { id, key: "a-key".into() }).await.unwrap();
        let view = settled(&desk, &queued.id).await;
        assert_eq!((view.state, service.count("/documents")), (UploadState::Sent, 1), "{folder}: {view:?}");
        drop(desk);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_copy_put_back_over_the_store_sends_nothing_twice() {
    // The same file with older content, and what was written since beside it.
    put_back_an_older_copy(|own| {
        let _ = fs::remove_file(own.join("desk.sqlite-wal"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_copy_in_the_place_of_the_store_sends_nothing_twice() {
    put_back_an_older_copy(|own| fs::remove_dir_all(own).unwrap()).await;
}

/// Copies the data folder, sends, prepares the folder for what is put back, puts the copy back, and goes on.
async fn put_back_an_older_copy(prepare: impl Fn(&Path)) {
    let (test, batch) = prepared(true).await;
    let (own, saved) = (test.folder.path().join("desk"), test.folder.path().join("saved"));
    copy_folder(&own, &saved);
    let desk = test.desk();
    working(&test, &desk, &batch.id).await;
    test.close(desk).await;
    prepare(&own);
    copy_folder(&saved, &own);
    let desk = test.desk();
    assert!(is_copy(&desk).await);
    let found = working(&test, &desk, &batch.id).await;
    assert_eq!(found.state, BatchState::Processed);
    never_twice(&test).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_sent_elsewhere_is_sent_from_the_copy() {
    for is_office in [false, true] {
        let (test, batch) = prepared(is_office).await;
        copy_folder(&test.folder.path().join("desk"), &test.folder.path().join("copy"));
        let copy = test.desk_at("copy");
        has_key(&test, &copy).await;
        // What is new in a copy is looked up first as well, until a person says that there is no other.
        let new = queue(&copy, "new.csv", many("n", 5)).await.unwrap();
        assert_eq!(new.state, BatchState::Unknown, "{new:?}");
        assert!(new.trouble.contains("copy"), "{new:?}");
        for id in [&batch.id, &new.id] {
            let found = ended(&copy, id).await;
            assert_eq!((found.state, found.asks), (BatchState::Processed, false), "{found:?}");
        }
        never_twice(&test).await;
        assert_eq!(test.stored().await.len(), 128);
        let safety = copy.only_copy_confirm(Nothing {}).await.unwrap();
        assert_eq!(safety.copied_at, "");
        let later = queue(&copy, "later.csv", many("l", 5)).await.unwrap();
        assert_ne!(later.state, BatchState::Unknown);
        assert_eq!(ended(&copy, &later.id).await.state, BatchState::Processed);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_moved_is_no_copy() {
    let (test, batch) = prepared(false).await;
    fs::rename(test.folder.path().join("desk"), test.folder.path().join("elsewhere")).unwrap();
    let moved = test.desk_at("elsewhere");
    assert!(!is_copy(&moved).await);
    assert_eq!(ended(&moved, &batch.id).await.state, BatchState::Processed);
}
