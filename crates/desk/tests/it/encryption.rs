//! An encrypted data folder: nothing can be read in its files, everything works in it, and without its key it is told
//! and left alone.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

use bordereau_desk::api::*;
use bordereau_desk::{
    Desk, DeskConfig, KeyFileSecrets, KeyFileUse, MemorySecrets, Ports, SecretName, SecretStore, SystemClock,
};

use crate::erase::is_anywhere;
use crate::outbox_fixture::{OutboxFixture, ended, many, queue};
use crate::test_keychain::{TestKeychain, desk_with};
use crate::uploads::transaction;

const INSURED: &str = "Zephyrine Diner LLC";
const ADDRESS: &str = "417 Quillfeather Lane";
const DOCUMENT: &str = "Declined by Thistlewood Mutual";

fn named_rows(prefix: &str, count: u32) -> Vec<bordereau_contract::ImportTransaction> {
    let mut rows = many(prefix, count);
    for row in &mut rows {
        row.mailing_insured_name = Some(INSURED.into());
        row.mailing_address = Some(ADDRESS.into());
    }
    rows
}

/// Puts a document into the queue of a transaction.
async fn upload(test: &OutboxFixture, desk: &Desk, id: &str) -> String {
    let path = test.folder.path().join("policy.pdf");
    fs::write(&path, format!("%PDF-1.7\n1 0 obj\n({DOCUMENT})\nendobj\ntrailer\n%%EOF\n")).unwrap();
    let handle = desk.drop_files(vec![path]).remove(0).handle;
    let target = DocumentTarget { transaction_id: id.into(), ..DocumentTarget::default() };
    let files =
        vec![UploadFile { handle, code: "POLIC".into(), sha256: String::new(), ..Default::default() }];
    let request = DocumentsUpload { target, files, ..DocumentsUpload::default() };
    let queued = desk.documents_upload(request).await.unwrap();
    assert!(queued.refused.is_empty(), "{queued:?}");
    queued.uploads[0].id.clone()
}

/// A transaction that the service has, sent from a folder of its own.
async fn known_transaction(test: &OutboxFixture) -> String {
    let other = test.desk_at("other");
    let id = transaction(test, &other).await;
    drop(other);
    id
}

fn open(folder: &Path, test: &OutboxFixture, secrets: Arc<dyn SecretStore>) -> Result<Desk, BoundaryError> {
    let ports = Ports {
        clock: Arc::new(SystemClock),
        secrets,
        practice: test.switch.clone(),
        dialogs: test.person.clone(),
        browser: test.person.clone(),
        policy: Arc::default(),
        sign_in: None,
    };
    Desk::open_idle(DeskConfig { data_dir: folder.to_owned(), ports })
}

/// The rows of the batch and the transaction of the document.
async fn assert_stored_once(test: &OutboxFixture) {
    let stored = test.stored().await;
    assert_eq!((stored.len(), stored.values().all(|count| *count == 1)), (21, true), "{stored:?}");
}

async fn encryption(desk: &Desk) -> FolderEncryption {
    desk.backup_list(Nothing {}).await.unwrap().encryption
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_what_was_done_can_be_read_in_the_files_of_an_encrypted_folder() {
    let test = OutboxFixture::new().await;
    let keychain: Arc<TestKeychain> = Arc::default();
    let folder = test.folder.path().join("desk");
    let known = known_transaction(&test).await;
    let desk = desk_with(&test, keychain.clone());
    assert_eq!(encryption(&desk).await, FolderEncryption::On, "a new folder is, where there is a keychain");
    desk.quote_save(SaveQuote {
        id: None,
        name: INSURED.into(),
        request: QuoteRequest { state: "TX".into(), insured: INSURED.into(), ..Default::default() },
        answer: None,
        revision: None,
    })
    .await
    .unwrap();
    let waiting = queue(&desk, "rows.csv", named_rows("z", 20)).await.unwrap();
    let uploaded = upload(&test, &desk, &known).await;
    let in_files = |when: &str| {
        for text in [INSURED, ADDRESS, DOCUMENT, "insured", "CREATE TABLE"] {
            assert!(!is_anywhere(&folder, text), "{text} can be read {when}");
        }
    };
    in_files("while it waits");
    assert!(fs::read_dir(folder.join("uploads")).unwrap().count() == 1, "the document is there");

    desk.start_work();
    let batch = ended(&desk, &waiting.id).await;
    assert_eq!(batch.state, BatchState::Processed);
    assert_stored_once(&test).await;
    let sent = desk.documents_wait(&[uploaded]).await.unwrap();
    assert_eq!(sent[0].state, UploadState::Sent, "{}", sent[0].message);
    desk.transactions_refresh(TransactionsRefresh::default()).await.unwrap();
    desk.transactions_refresh_wait().await.unwrap();
    let request = EventsRequest { count: 50, ..EventsRequest::default() };
    desk.events_list(request).await.unwrap();
    desk.backup_make(Nothing {}).await.unwrap();
    desk.data_check(Nothing {}).await.unwrap();
    in_files("while it is open");
    test.close(desk).await;
    in_files("when it is closed");

    let desk = desk_with(&test, keychain);
    assert!(desk.audit_list(Nothing {}).await.unwrap().intact);
    assert!(desk.backup_list(Nothing {}).await.unwrap().copied_at.is_empty(), "it is no copy");
    assert_eq!(desk.batch_show(BatchId { id: waiting.id }).await.unwrap().counts.total, 20);
    // Also in files of the person's choice nothing is lost: an export is open.
    let exported = test.folder.path().join("export");
    desk.export_data(exported.clone()).await.unwrap();
    assert!(is_anywhere(&exported, INSURED));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_is_encrypted_and_not_any_more_and_sends_once() {
    let test = OutboxFixture::new().await;
    let folder = test.folder.path().join("desk");
    let known = known_transaction(&test).await;
    let plain = desk_with(&test, Arc::new(MemorySecrets::new()));
    assert_eq!(encryption(&plain).await, FolderEncryption::Off);
    assert_eq!(
        plain.data_encrypt(Nothing {}).await.unwrap_err().code,
        ErrorCode::KeychainUnavailable,
        "there is no key"
    );
    let waiting = queue(&plain, "rows.csv", named_rows("z", 20)).await.unwrap();
    upload(&test, &plain, &known).await;
    let old = plain.backup_make(Nothing {}).await.unwrap().backups[0].name.clone();
    assert!(is_anywhere(&folder, INSURED) && is_anywhere(&folder, DOCUMENT));
    test.close(plain).await;

    let keychain: Arc<TestKeychain> = Arc::default();
    let desk = desk_with(&test, keychain.clone());
    let asked = desk.data_encrypt(Nothing {}).await.unwrap();
    assert_eq!(asked.encryption, FolderEncryption::BeginsNext, "{}", asked.encryption_text);
    test.close(desk).await;
    let desk = desk_with(&test, keychain.clone());
    let safety = desk.backup_list(Nothing {}).await.unwrap();
    assert_eq!(safety.encryption, FolderEncryption::On, "{}", safety.encryption_text);
    assert!(safety.copied_at.is_empty() && !is_anywhere(&folder, INSURED) && !is_anywhere(&folder, DOCUMENT));
    let log = desk.audit_list(Nothing {}).await.unwrap();
    assert!(log.intact && log.entries[0].text.contains("Encryption"), "{:?}", log.entries[0]);
    desk.start_work();
    let batch = ended(&desk, &waiting.id).await;
    assert_eq!(batch.state, BatchState::Processed);
    assert_stored_once(&test).await;

    // A backup from before is put back, encrypted as the folder is.
    let sealed = old.replace(".sqlite", ".sealed");
    assert!(desk.backup_restore(BackupName { name: sealed }).await.unwrap().staged);
    test.close(desk).await;
    let desk = desk_with(&test, keychain.clone());
    let safety = desk.backup_list(Nothing {}).await.unwrap();
    assert!(!safety.copied_at.is_empty() && safety.encryption == FolderEncryption::On);
    assert!(!is_anywhere(&folder, INSURED));
    assert_eq!(desk.batch_show(BatchId { id: waiting.id.clone() }).await.unwrap().state, BatchState::Unknown);

    desk.data_decrypt(Nothing {}).await.unwrap();
    test.close(desk).await;
    let desk = desk_with(&test, keychain);
    assert_eq!(encryption(&desk).await, FolderEncryption::Off);
    assert!(is_anywhere(&folder, INSURED));
    desk.start_work();
    ended(&desk, &waiting.id).await;
    assert_stored_once(&test).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_its_key_a_folder_is_told_and_left_alone_and_a_key_file_opens_it() {
    let test = OutboxFixture::dark();
    let folder = test.folder.path().join("desk");
    let desk = desk_with(&test, Arc::new(TestKeychain::default()));
    let waiting = queue(&desk, "rows.csv", named_rows("z", 3)).await.unwrap();
    let file = test.folder.path().join("key.txt");
    test.person.answers.lock().unwrap().push_back(file.clone());
    assert!(desk.recovery_key_save(Nothing {}).await.unwrap().saved);
    test.close(desk).await;
    let whole = fs::read(folder.join("desk.sqlite")).unwrap();

    for secrets in [Arc::new(MemorySecrets::new()) as Arc<dyn SecretStore>, Arc::new(TestKeychain::default())]
    {
        let error = open(&folder, &test, secrets).map(drop).unwrap_err();
        assert_eq!(error.code, ErrorCode::DataKeyMissing);
        assert!(error.message.contains("Nothing was changed"), "{error}");
    }
    let with_file =
        |inner: Arc<dyn SecretStore>, usage| KeyFileSecrets::open(inner, &file, usage).map(Arc::new);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let refused = with_file(Arc::new(MemorySecrets::new()), KeyFileUse::Unattended).map(drop).unwrap_err();
    assert!(refused.message.contains("0600"), "{refused}");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let unattended = with_file(Arc::new(MemorySecrets::new()), KeyFileUse::Unattended).unwrap();
    let other = tempfile::tempdir().unwrap();
    let elsewhere = open(other.path(), &test, Arc::new(TestKeychain::default())).unwrap();
    assert_eq!(encryption(&elsewhere).await, FolderEncryption::On);
    drop(elsewhere);
    let wrong = open(other.path(), &test, unattended.clone()).map(drop).unwrap_err();
    assert!(wrong.message.contains("another one"), "{wrong}");
    assert_eq!(fs::read(folder.join("desk.sqlite")).unwrap(), whole, "nothing was written");

    let desk = open(&folder, &test, unattended).unwrap();
    assert_eq!(desk.batch_show(BatchId { id: waiting.id.clone() }).await.unwrap().counts.total, 3);
    let safety = desk.backup_make(Nothing {}).await.unwrap();
    assert!(safety.backups[0].sealed && safety.encryption_text.contains("key file"), "{safety:?}");
    drop(desk);

    // On a computer whose keychain has a key of its own, it keeps this one beside it.
    let keychain: Arc<TestKeychain> = Arc::default();
    drop(open(&tempfile::tempdir().unwrap().keep(), &test, keychain.clone()).unwrap());
    let chosen = with_file(keychain.clone(), KeyFileUse::Chosen).unwrap();
    drop(open(&folder, &test, chosen.clone()).unwrap());
    chosen.remember_key().unwrap();
    let desk = open(&folder, &test, keychain).unwrap();
    assert_eq!(desk.batch_show(BatchId { id: waiting.id }).await.unwrap().counts.total, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_keychain_that_fails_keeps_its_key() {
    let test = OutboxFixture::dark();
    let folder = test.folder.path().join("desk");
    let keychain: Arc<TestKeychain> = Arc::default();
    let desk = desk_with(&test, keychain.clone());
    let waiting = queue(&desk, "rows.csv", named_rows("z", 3)).await.unwrap();
    test.close(desk).await;
    let key = || keychain.get("backups", SecretName::BackupKey).unwrap().unwrap();
    let kept = key();

    // What it is given it would take: the key that it has and doesn't give now would be lost.
    keychain.fail(true);
    let error = open(&folder, &test, keychain.clone()).map(drop).unwrap_err();
    assert!(error.code == ErrorCode::DataKeyMissing && error.message.contains("can't be read"), "{error}");
    let new = tempfile::tempdir().unwrap();
    let desk = open(new.path(), &test, keychain.clone()).unwrap();
    assert_eq!(encryption(&desk).await, FolderEncryption::Off);
    assert_eq!(desk.data_encrypt(Nothing {}).await.unwrap_err().code, ErrorCode::KeychainUnavailable);
    assert_eq!(desk.recovery_key_save(Nothing {}).await.unwrap_err().code, ErrorCode::KeychainUnavailable);
    assert!(!desk.backup_make(Nothing {}).await.unwrap().backups[0].sealed);
    drop(desk);

    keychain.fail(false);
    assert_eq!(*key(), *kept, "it is the key that it was");
    let desk = open(&folder, &test, keychain).unwrap();
    assert_eq!(desk.batch_show(BatchId { id: waiting.id }).await.unwrap().counts.total, 3);
}
