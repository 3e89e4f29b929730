//! Backups that are proven, damage that is found before anything is sent, and everything as open files.

use std::fs;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use bordereau_desk::MemorySecrets;
use bordereau_desk::api::*;

use crate::outbox_fixture::{OutboxFixture, ended, many, queue, sent};
use crate::test_keychain::{TestKeychain, desk_with};

fn name(safety: &DataSafety) -> BackupName {
    BackupName { name: safety.backups[0].name.clone() }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_is_sealed_checked_and_put_back() {
    let test = OutboxFixture::new().await;
    let keychain: Arc<TestKeychain> = Arc::default();
    let desk = desk_with(&test, keychain.clone());
    let waiting = queue(&desk, "waits.csv", many("w", 20)).await.unwrap();
    let safety = desk.backup_make(Nothing {}).await.unwrap();
    assert!(safety.backups[0].sealed && safety.sealing.contains("sealed with a key"), "{safety:?}");
    let file = test.folder.path().join("desk/backups").join(&safety.backups[0].name);
    let content = fs::read(&file).unwrap();
    assert!(!content.windows(13).any(|part| part == b"Example Diner"), "no insured can be read in it");
    assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1, "nothing else is left there");
    let checked = desk.backup_check(name(&safety)).await.unwrap();
    assert_eq!((checked.batches, checked.rows), (1, 20));

    // What happens after the backup: it is sent.
    desk.start_work();
    assert_eq!(ended(&desk, &waiting.id).await.state, BatchState::Processed);
    let staged = desk.backup_restore(name(&safety)).await.unwrap();
    assert!(staged.staged, "it waits until nobody has the data open");
    test.close(desk).await;

    let desk = desk_with(&test, keychain);
    let safety = desk.backup_list(Nothing {}).await.unwrap();
    assert!(!safety.staged && !safety.copied_at.is_empty(), "a restored store knows that it is one");
    assert!(test.folder.path().join("desk/desk.sqlite.replaced-1").is_file(), "what was there is kept");
    let batch = desk.batch_show(BatchId { id: waiting.id.clone() }).await.unwrap();
    assert_eq!(batch.state, BatchState::Unknown, "it is looked up first");
    desk.start_work();
    let batch = ended(&desk, &waiting.id).await;
    assert_eq!(batch.state, BatchState::Processed);
    test.exactly_once(&desk, &batch).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_its_key_or_with_a_changed_byte_a_backup_is_not_used() {
    let test = OutboxFixture::dark();
    // A data folder that is not encrypted.
    drop(desk_with(&test, Arc::new(MemorySecrets::new())));
    let desk = desk_with(&test, Arc::new(TestKeychain::default()));
    let safety = desk.backup_make(Nothing {}).await.unwrap();
    drop(desk);
    let other = desk_with(&test, Arc::new(TestKeychain::default()));
    let error = other.backup_restore(name(&safety)).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::KeychainUnavailable, "{error}");
    other.backup_make(Nothing {}).await.unwrap();
    assert!(other.backup_restore(name(&safety)).await.is_err(), "sealed with another key");
    drop(other);

    let plain = desk_with(&test, Arc::new(MemorySecrets::new()));
    let safety = plain.backup_make(Nothing {}).await.unwrap();
    assert!(!safety.backups[0].sealed && safety.sealing.contains("not sealed"), "{safety:?}");
    plain.backup_check(name(&safety)).await.unwrap();
    let file = test.folder.path().join("desk/backups").join(&safety.backups[0].name);
    let file = fs::File::options().write(true).open(file).unwrap();
    file.write_all_at(&[0; 4096], 4096 * 3).unwrap();
    assert_eq!(plain.backup_check(name(&safety)).await.unwrap_err().code, ErrorCode::StoreDamaged);
    assert_eq!(plain.backup_restore(name(&safety)).await.unwrap_err().code, ErrorCode::StoreDamaged);
    let error = plain.backup_check(BackupName { name: "../desk.sqlite".into() }).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_begin_as_a_backup_is_refused_before_it_is_copied() {
    let test = OutboxFixture::dark();
    let desk = desk_with(&test, Arc::new(MemorySecrets::new()));
    let safety = desk.backup_make(Nothing {}).await.unwrap();
    let folder = test.folder.path().join("desk/backups");
    // In the way of whatever is copied.
    fs::create_dir(folder.join("opened.unfinished")).unwrap();
    assert_ne!(desk.backup_check(name(&safety)).await.unwrap_err().code, ErrorCode::StoreDamaged);
    let zeros = vec![0; 1 << 16];
    for content in [
        Vec::new(),
        zeros.clone(),
        [b"SQLite format 3\0".as_slice(), &zeros].concat(),
        b"Example Diner".repeat(99),
    ] {
        let name = "desk-20261122-201503.sqlite";
        fs::write(folder.join(name), content).unwrap();
        let error = desk.backup_restore(BackupName { name: name.into() }).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::StoreDamaged, "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recovery_key_opens_a_backup_on_another_computer() {
    use std::os::unix::fs::PermissionsExt;
    let test = OutboxFixture::new().await;
    let keychain: Arc<TestKeychain> = Arc::default();
    let desk = desk_with(&test, keychain.clone());
    let waiting = queue(&desk, "waits.csv", many("w", 20)).await.unwrap();
    let safety = desk.backup_make(Nothing {}).await.unwrap();
    assert!(safety.has_keychain && safety.recovery_key_saved_at.is_empty());
    let saved = test.folder.path().join("recovery.txt");
    test.person.answers.lock().unwrap().push_back(saved.clone());
    assert!(desk.recovery_key_save(Nothing {}).await.unwrap().saved);
    assert_eq!(fs::metadata(&saved).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!desk.backup_list(Nothing {}).await.unwrap().recovery_key_saved_at.is_empty());
    let log = desk.audit_list(Nothing {}).await.unwrap();
    assert!(log.intact && log.entries[0].text.contains("recovery key"), "{:?}", log.entries[0]);
    let file = test.folder.path().join("desk/backups").join(&safety.backups[0].name);

    let other = OutboxFixture::dark();
    let own: Arc<TestKeychain> = Arc::default();
    let elsewhere = desk_with(&other, own.clone());
    let text = fs::read_to_string(&saved).unwrap();
    let restore = |key: &str| {
        other.person.answers.lock().unwrap().push_back(file.clone());
        elsewhere.backup_restore_file(RecoveryKey { key: key.to_owned() })
    };
    assert_eq!(restore("").await.unwrap_err().code, ErrorCode::KeychainUnavailable);
    let wrong = restore(&text.replace("Recovery", "").replacen('-', "0-", 1)).await.unwrap_err();
    assert_eq!((wrong.code, wrong.details[0].pointer.as_str()), (ErrorCode::Validation, "/key"));
    assert!(restore(&text).await.unwrap().staged);
    drop(elsewhere);
    let elsewhere = desk_with(&other, own);
    let batch = elsewhere.batch_show(BatchId { id: waiting.id.clone() }).await.unwrap();
    assert_eq!((batch.counts.total, batch.state), (20, BatchState::Unknown), "looked up before it is sent");
    let safety = elsewhere.backup_make(Nothing {}).await.unwrap();
    assert_eq!(safety.recovery_key_saved_at, "", "this computer has a key of its own");

    let plain = OutboxFixture::dark();
    let without = desk_with(&plain, Arc::new(MemorySecrets::new()));
    let error = without.recovery_key_save(Nothing {}).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::KeychainUnavailable);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_others_can_open_is_said_on_the_screen() {
    use std::os::unix::fs::PermissionsExt;
    let test = OutboxFixture::dark();
    let desk = desk_with(&test, Arc::new(MemorySecrets::new()));
    assert_eq!(desk.backup_list(Nothing {}).await.unwrap().exposure, "");
    let open = fs::Permissions::from_mode(0o755);
    fs::set_permissions(test.folder.path().join("desk"), open).unwrap();
    assert!(desk.backup_list(Nothing {}).await.unwrap().exposure.contains("open to others"));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_a_day_fourteen_kept_and_old_copies_go() {
    let test = OutboxFixture::dark();
    let desk = desk_with(&test, Arc::new(MemorySecrets::new()));
    let backups = test.folder.path().join("desk/backups");
    fs::create_dir(&backups).unwrap();
    for day in 1..=20 {
        fs::write(backups.join(format!("desk-202601{day:02}-120000.sqlite")), "").unwrap();
    }
    fs::write(backups.join("copy.unfinished"), "left behind").unwrap();
    let old = test.folder.path().join("desk/desk.sqlite.before-9");
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(31 * 24 * 3_600);
    fs::File::create(&old).unwrap().set_modified(long_ago).unwrap();
    fs::write(test.folder.path().join("desk/desk.sqlite.before-12"), "").unwrap();
    desk.run_upkeep_once().await.unwrap();
    desk.run_upkeep_once().await.unwrap();
    let safety = desk.backup_list(Nothing {}).await.unwrap();
    assert_eq!(safety.backups.len(), 14);
    assert!(!safety.backups[0].name.starts_with("desk-2026010") && !safety.checked_at.is_empty());
    assert_eq!(safety.backups[1].name, "desk-20260120-120000.sqlite", "one of today");
    assert!(!backups.join("copy.unfinished").exists() && !old.exists());
    assert!(test.folder.path().join("desk/desk.sqlite.before-12").exists());
}

/// The clock was ahead for a while: what was made then does not take the place of what is made now.
#[tokio::test(flavor = "multi_thread")]
async fn a_backup_is_kept_beside_those_of_a_clock_that_was_ahead() {
    let test = OutboxFixture::dark();
    let desk = desk_with(&test, Arc::new(MemorySecrets::new()));
    let backups = test.folder.path().join("desk/backups");
    fs::create_dir(&backups).unwrap();
    for day in 1..=14 {
        fs::write(backups.join(format!("desk-209901{day:02}-120000.sqlite")), "").unwrap();
    }
    for made in 1..=2 {
        let safety = desk.backup_make(Nothing {}).await.unwrap();
        let of_now: Vec<&str> = safety
            .backups
            .iter()
            .map(|b| b.name.as_str())
            .filter(|name| !name.starts_with("desk-2099"))
            .collect();
        assert_eq!((of_now.len(), safety.backups.len()), (made, 14), "{of_now:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn from_a_damaged_store_nothing_is_sent() {
    let test = OutboxFixture::new().await;
    let desk = test.desk_at_rest();
    queue(&desk, "waits.csv", many("w", 300)).await.unwrap();
    drop(desk);
    let path = test.folder.path().join("desk/desk.sqlite");
    let page: i64 = rusqlite::Connection::open(&path)
        .unwrap()
        .query_row("SELECT rootpage FROM sqlite_schema WHERE name = 'batch_rows'", [], |row| row.get(0))
        .unwrap();
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.write_all_at(&[0; 4096], u64::try_from(page - 1).unwrap() * 4096).unwrap();
    let desk = test.desk();
    tokio::time::sleep(std::time::Duration::from_millis(400)).await;
    let safety = desk.backup_list(Nothing {}).await.unwrap();
    assert!(safety.damage.contains("damaged") && safety.damage.contains("Restore"), "{safety:?}");
    assert_eq!(desk.data_check(Nothing {}).await.unwrap_err().code, ErrorCode::StoreDamaged);
    assert_eq!(desk.backup_make(Nothing {}).await.unwrap_err().code, ErrorCode::StoreDamaged);
    assert!(desk.backup_list(Nothing {}).await.unwrap().backups.is_empty(), "no copy of damage is kept");
    assert!(test.stored().await.is_empty(), "nothing was sent from it");
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_is_saved_as_open_files() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    sent(&desk, many("e", 3)).await;
    test.person.answers.lock().unwrap().push_back(test.folder.path().to_owned());
    let done = desk.data_export(Nothing {}).await.unwrap();
    assert!(done.saved && done.rows >= 4, "{done:?}");
    let folder = test.folder.path().join(&done.folder_name);
    let sheet = fs::read_to_string(folder.join("batch_rows.csv")).unwrap();
    assert!(sheet.lines().count() == 4 && sheet.contains("Example Diner LLC"), "{sheet}");
    let audit: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.join("audit.json")).unwrap()).unwrap();
    assert!(audit[0]["text"].as_str().unwrap().starts_with("Send \"week.csv\""));
    assert!(!desk.data_export(Nothing {}).await.unwrap().saved, "who cancels saves nothing");
}
