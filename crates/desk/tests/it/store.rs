//! The data file itself: two processes, newer versions, damage.

use bordereau_desk::api::*;
use bordereau_desk::{Desk, DeskConfig};

use crate::test_desk::{TestDesk, question};

fn reopen(test: &TestDesk) -> Result<Desk, BoundaryError> {
    let ports = test_ports();
    Desk::open(DeskConfig { data_dir: test.folder.path().join("data"), ports })
}

fn test_ports() -> bordereau_desk::Ports {
    use std::sync::Arc;
    let person = Arc::new(crate::test_desk::Scripted::default());
    bordereau_desk::Ports {
        clock: Arc::new(crate::test_desk::FixedClock),
        secrets: Arc::new(bordereau_desk::MemorySecrets::new()),
        practice: Arc::new(crate::test_desk::TestPractice(None)),
        dialogs: person.clone(),
        browser: person,
        policy: Arc::default(),
        sign_in: None,
    }
}

#[tokio::test]
async fn a_store_of_a_newer_version_is_refused_and_left_alone() {
    let test = TestDesk::offline();
    let path = test.folder.path().join("data/desk.sqlite");
    rusqlite::Connection::open(&path).unwrap().pragma_update(None, "user_version", 999).unwrap();
    let error = reopen(&test).err().unwrap();
    assert_eq!(error.code, ErrorCode::StoreTooNew);
    assert!(error.message.contains("newer version") && !error.message.contains('/'), "{}", error.message);
    let version: i64 = rusqlite::Connection::open(&path)
        .unwrap()
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .unwrap();
    assert_eq!(version, 999);
}

#[tokio::test]
async fn a_damaged_file_is_said_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("data")).unwrap();
    std::fs::write(folder.path().join("data/desk.sqlite"), "this is not a database at all, not even close")
        .unwrap();
    let error =
        Desk::open(DeskConfig { data_dir: folder.path().join("data"), ports: test_ports() }).err().unwrap();
    assert_eq!(error.code, ErrorCode::StoreDamaged);
    assert!(error.message.contains("damaged"), "{}", error.message);
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_is_said_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("data"), "a file in its place").unwrap();
    let error =
        Desk::open(DeskConfig { data_dir: folder.path().join("data"), ports: test_ports() }).err().unwrap();
    assert_eq!(error.code, ErrorCode::Storage);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_processes_write_at_once_and_nothing_is_lost() {
    let test = TestDesk::offline();
    let desks = [test.desk.clone(), test.again()];
    let mut writers = Vec::new();
    for number in 0..40 {
        let desk = desks[number % 2].clone();
        writers.push(tokio::spawn(async move {
            let request = question("TX", "PN", &[("GEN-1002", "1")]);
            desk.quote_save(SaveQuote {
                id: None,
                name: format!("q{number}"),
                request,
                answer: None,
                revision: None,
            })
            .await
            .unwrap();
        }));
    }
    for writer in writers {
        writer.await.unwrap();
    }
    assert_eq!(test.again().quote_list(Nothing {}).await.unwrap().saved.len(), 40);
}

#[cfg(unix)]
#[tokio::test]
async fn the_data_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let test = TestDesk::offline();
    let mode =
        |name: &str| std::fs::metadata(test.folder.path().join(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("data"), mode("data/desk.sqlite")), (0o700, 0o600));
}
