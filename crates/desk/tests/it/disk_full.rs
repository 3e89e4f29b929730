//! A disk that is full at each of its writes, or may only be read: said as what it is, everything can still be
//! looked at, nothing is lost and nothing sent twice.
//!
//! On a file system of a few hundred kilobytes, which only an administrator can mount: for others these tests are
//! skipped, and they say so.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use bordereau_desk::Desk;
use bordereau_desk::api::*;

use crate::erase::is_anywhere;
use crate::outbox_fixture::{OutboxFixture, ended, many, queue, rows, sent};
use crate::test_desk::question;
use crate::test_keychain::{TestKeychain, desk_with};

/// A small disk for the data folder of the desks of a test.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(test: &OutboxFixture, kilobytes: u32) -> Option<SmallDisk> {
        let folder = test.folder.path().join("desk");
        fs::create_dir_all(&folder).unwrap();
        let size = format!("size={kilobytes}k,mode=700");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(&folder).output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(SmallDisk(folder));
        }
        println!("skipped: only an administrator can mount a small disk");
        None
    }

    /// Leaves so many kilobytes; more of it or less than before.
    fn leave(&self, kilobytes: u64) {
        let path = self.0.join("ballast");
        let _ = fs::remove_file(&path);
        let mut file = File::create(&path).unwrap();
        while file.write_all(&[0; 4096]).is_ok() {}
        let length = file.metadata().unwrap().len();
        file.set_len(length.saturating_sub(kilobytes * 1024)).unwrap();
    }

    fn free(&self) {
        fs::remove_file(self.0.join("ballast")).unwrap();
    }

    fn allow_writing(&self, allowed: bool) {
        let how = if allowed { "remount,rw" } else { "remount,ro" };
        assert!(Command::new("mount").args(["-o", how]).arg(&self.0).status().unwrap().success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

async fn save_quote(desk: &Desk, name: &str) -> Result<SavedQuote, BoundaryError> {
    let request = question("TX", "PN", &[("GEN-1002", "1")]);
    desk.quote_save(SaveQuote { id: None, name: name.into(), request, answer: None, revision: None }).await
}

/// Everything that was sent can be looked at, and every write is refused with this code.
async fn only_reads(desk: &Desk, batch: &BatchView, code: ErrorCode) {
    let shown = desk.batch_show(BatchId { id: batch.id.clone() }).await.unwrap();
    assert_eq!((shown.state, shown.counts), (batch.state, batch.counts));
    assert_eq!(rows(desk, &batch.id, None, 0).await.len(), 30);
    assert_eq!(desk.batch_list(Nothing {}).await.unwrap().batches.len(), 1);
    assert!(desk.audit_list(Nothing {}).await.unwrap().intact);
    let found =
        desk.transactions_search(TransactionsSearch { count: 5, ..Default::default() }).await.unwrap();
    assert_eq!(found.total, 1);
    assert_eq!(desk.due_list(DueRequest::default()).await.unwrap().transactions, 1);
    desk.today_show(Nothing {}).await.unwrap();
    // Asked of the service, and shown where it can't be kept.
    let id = rows(desk, &batch.id, None, 0).await.remove(1).transaction_id.unwrap();
    let asked = TransactionQuestion { id: id.clone(), ..Default::default() };
    assert_eq!(desk.transaction_status(asked).await.unwrap().row.id, id);
    let target = DocumentTarget { transaction_id: id.clone(), ..DocumentTarget::default() };
    assert_eq!(desk.transaction_documents(target).await.unwrap().transaction_id, id);
    let error = queue(desk, "more.csv", many("m", 500)).await.unwrap_err();
    assert_eq!(error.code, code, "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_and_a_read_only_one_can_be_read() {
    let test = OutboxFixture::new().await;
    let Some(disk) = SmallDisk::mount(&test, 2_000) else { return };
    let desk = test.desk();
    let batch = sent(&desk, many("r", 30)).await;
    let id = rows(&desk, &batch.id, None, 0).await.remove(0).transaction_id.unwrap();
    desk.transaction_status(TransactionQuestion { id, ..Default::default() }).await.unwrap();
    let office = Profile { base_url: "https://office.example".into(), ..crate::test_desk::profile("Office") };
    let id = desk.profile_save(office).await.unwrap().profile.id;
    let key = || SetApiKey { id: id.clone(), key: "a-key".into() };
    desk.profile_set_key(key()).await.unwrap();
    disk.leave(0);
    // As an unattended command does at each start.
    desk.profile_set_key(key()).await.unwrap();
    only_reads(&desk, &batch, ErrorCode::DiskFull).await;
    // As after kill -9: what was written last is in the log beside the data file, and there is no room to map it.
    let wal = fs::read(disk.0.join("desk.sqlite-wal")).unwrap();
    disk.free();
    test.close(desk).await;
    fs::write(disk.0.join("desk.sqlite-wal"), wal).unwrap();
    let _ = fs::remove_file(disk.0.join("desk.sqlite-shm"));
    disk.leave(0);
    // Not even the file of a lock.
    let full = test.desk_at_rest();
    only_reads(&full, &batch, ErrorCode::DiskFull).await;
    let safety = full.backup_list(Nothing {}).await.unwrap();
    assert!(safety.obstacle.contains("disk is full"), "{safety:?}");
    disk.free();
    test.close(full).await;
    disk.allow_writing(false);
    let locked = test.desk_at_rest();
    only_reads(&locked, &batch, ErrorCode::DataReadOnly).await;
    locked.profile_set_key(key()).await.unwrap();
    assert!(locked.backup_list(Nothing {}).await.unwrap().obstacle.contains("read-only"));
    // A check needs a draft, which ends with it.
    assert!(locked.work_in_memory().unwrap());
    save_quote(&locked, "in memory").await.unwrap();
    assert_eq!(locked.batch_list(Nothing {}).await.unwrap().batches.len(), 1);
    drop(locked);
    // What was never there can't be made: it is empty.
    disk.allow_writing(true);
    fs::remove_dir_all(disk.0.join("transactions")).unwrap();
    disk.allow_writing(false);
    let locked = test.desk_at_rest();
    assert_eq!(locked.due_list(DueRequest::default()).await.unwrap().transactions, 0);
    assert!(!disk.0.join("transactions").exists());
    drop(locked);

    disk.allow_writing(true);
    let desk = test.desk();
    assert!(!desk.work_in_memory().unwrap());
    save_quote(&desk, "there is room again").await.unwrap();
    assert_eq!(desk.quote_list(Nothing {}).await.unwrap().saved.len(), 1);
    let safety = desk.backup_list(Nothing {}).await.unwrap();
    assert_eq!((safety.obstacle.as_str(), safety.copied_at.as_str()), ("", ""));
}

/// What is queued at a disk with so much room, in the end.
async fn queued(desk: &Desk, disk: &SmallDisk, prefix: &str) -> BatchView {
    match queue(desk, "full.csv", many(prefix, 30)).await {
        Ok(batch) => batch,
        Err(error) => {
            assert_eq!(error.code, ErrorCode::DiskFull, "{error}");
            disk.free();
            let batch = queue(desk, "full.csv", many(prefix, 30)).await.unwrap();
            disk.leave(4);
            batch
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_full_at_each_write_of_a_batch_loses_nothing() {
    let mut told = 0;
    for kilobytes in (0..=240).step_by(12) {
        let test = OutboxFixture::new().await;
        let Some(disk) = SmallDisk::mount(&test, 3_000) else { return };
        let desk = test.desk();
        disk.leave(kilobytes);
        let batch = queued(&desk, &disk, "f").await;
        told += u32::from(is_told(&desk, &batch.id).await);
        // Every other time the process ends while there is no room.
        if kilobytes % 24 == 0 {
            drop(desk);
            disk.free();
            let desk = test.desk();
            let batch = ended(&desk, &batch.id).await;
            assert_eq!(batch.state, BatchState::Processed, "{kilobytes} KB: {batch:?}");
            test.exactly_once(&desk, &batch).await;
            assert!(desk.audit_list(Nothing {}).await.unwrap().intact);
        } else {
            disk.free();
            let batch = ended(&desk, &batch.id).await;
            assert_eq!(batch.state, BatchState::Processed, "{kilobytes} KB: {batch:?}");
            test.exactly_once(&desk, &batch).await;
        }
    }
    assert!(told > 0, "a batch that was stored with the last room waits for more");
}

/// Whether a batch says that the disk is full, before it ends.
async fn is_told(desk: &Desk, id: &str) -> bool {
    let told = async {
        loop {
            let batch = desk.batch_show(BatchId { id: id.into() }).await.unwrap();
            if batch.has_ended() || batch.trouble.contains("disk is full") {
                return !batch.has_ended();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), told).await.expect("it ends, or says why not")
}

fn pdf(folder: &Path) -> PathBuf {
    let path = folder.join("Policy.pdf");
    let mut content = b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n".to_vec();
    content.extend(std::iter::repeat_n(b"% some more of it\n", 3_000).flatten());
    content.extend(b"trailer\n<<>>\n%%EOF\n");
    fs::write(&path, content).unwrap();
    path
}

async fn upload(desk: &Desk, transaction: &str, path: &Path) -> Result<DocumentsQueued, BoundaryError> {
    let handle = desk.drop_files(vec![path.to_owned()]).remove(0).handle;
    let files =
        vec![UploadFile { handle, code: "POLIC".into(), sha256: String::new(), ..Default::default() }];
    let target = DocumentTarget { transaction_id: transaction.into(), ..DocumentTarget::default() };
    desk.documents_upload(DocumentsUpload { target, files, ..DocumentsUpload::default() }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_full_at_each_write_of_an_upload_loses_nothing() {
    for kilobytes in (0..=160).step_by(16) {
        let test = OutboxFixture::new().await;
        let Some(disk) = SmallDisk::mount(&test, 3_000) else { return };
        let desk = test.desk();
        let batch = sent(&desk, many("u", 1)).await;
        let transaction = rows(&desk, &batch.id, None, 0).await.remove(0).transaction_id.unwrap();
        let path = pdf(test.folder.path());
        disk.leave(kilobytes);
        let queued = match upload(&desk, &transaction, &path).await {
            Ok(queued) => queued,
            Err(error) => {
                assert_eq!(error.code, ErrorCode::DiskFull, "{error}");
                let left: Vec<_> = fs::read_dir(disk.0.join("uploads")).into_iter().flatten().collect();
                assert!(left.is_empty(), "half a copy is left: {left:?}");
                disk.free();
                let queued = upload(&desk, &transaction, &path).await.unwrap();
                disk.leave(4);
                queued
            }
        };
        tokio::time::sleep(Duration::from_millis(200)).await;
        disk.free();
        let ids: Vec<String> = queued.uploads.iter().map(|upload| upload.id.clone()).collect();
        let waited = tokio::time::timeout(Duration::from_secs(60), desk.documents_wait(&ids)).await;
        let views = waited.unwrap().unwrap();
        assert_eq!(views[0].state, UploadState::Sent, "{kilobytes} KB: {views:?}");
        let target = DocumentTarget { transaction_id: transaction, ..DocumentTarget::default() };
        let there = desk.transaction_documents(target).await.unwrap();
        assert_eq!(there.documents.len(), 1, "{kilobytes} KB");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_full_at_each_write_of_encrypting_loses_nothing_and_is_said() {
    let (mut failed, mut done) = (0, 0);
    for kilobytes in (0..=1_400).step_by(100) {
        let test = OutboxFixture::new().await;
        let Some(disk) = SmallDisk::mount(&test, 8_000) else { return };
        let folder = test.folder.path().join("desk");
        let insured = "Example Diner";
        let desk = test.desk_at_rest();
        let batch = queue(&desk, "full.csv", many("e", 30)).await.unwrap();
        desk.backup_make(Nothing {}).await.unwrap();
        test.close(desk).await;
        let keychain: Arc<TestKeychain> = Arc::default();
        let desk = desk_with(&test, keychain.clone());
        desk.data_encrypt(Nothing {}).await.unwrap();
        test.close(desk).await;
        assert!(is_anywhere(&folder, insured));

        disk.leave(kilobytes);
        let desk = desk_with(&test, keychain.clone());
        let safety = desk.backup_list(Nothing {}).await.unwrap();
        let text = &safety.encryption_text;
        match safety.encryption {
            FolderEncryption::BeginsNext => {
                assert!(text.contains("not done the last time") && text.contains("full"), "{text}");
                failed += 1;
            }
            // The data file is done and another one is not: where that one needs more room.
            FolderEncryption::On if is_anywhere(&folder, insured) => {
                assert!(text.contains("Not every file") && text.contains("full"), "{kilobytes} KB: {text}");
            }
            FolderEncryption::On => done += 1,
            other => panic!("{kilobytes} KB: {other:?} {text}"),
        }
        // Whatever was done of it, everything can be read.
        assert_eq!(desk.batch_show(BatchId { id: batch.id.clone() }).await.unwrap().counts.total, 30);
        assert!(desk.audit_list(Nothing {}).await.unwrap().intact);
        test.close(desk).await;

        disk.free();
        let desk = desk_with(&test, keychain);
        let safety = desk.backup_list(Nothing {}).await.unwrap();
        assert_eq!(safety.encryption, FolderEncryption::On, "{kilobytes} KB: {}", safety.encryption_text);
        assert!(safety.copied_at.is_empty() && !is_anywhere(&folder, insured), "{kilobytes} KB: {safety:?}");
        desk.start_work();
        let batch = ended(&desk, &batch.id).await;
        assert_eq!(batch.state, BatchState::Processed, "{kilobytes} KB: {batch:?}");
        test.exactly_once(&desk, &batch).await;
    }
    assert!(failed > 0 && done > 0, "{failed}, {done}");
}
