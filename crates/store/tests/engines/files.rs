//! Larger files of an office, in a folder and in S3: two desks share them, and what was changed or is gone is said.

use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bordereau_api::{Profile, UploadState};
use bordereau_database::DatabaseError;
use bordereau_file_storage::{FileStorageError, name_content};
use bordereau_store::batches::documents::BatchFile;
use bordereau_store::batches::queue::QueueOutcome;
use bordereau_store::batches::transition;
use bordereau_store::uploads::{
    NewUpload, UploadChange, change_upload, insert_upload, open_uploads, upload_content,
};
use bordereau_store::workspace::{
    FilePlace, OfficeDatabase, OfficeFiles, OfficeObstacle, WorkspaceCheck, change_files, check_workspace,
    copy_from_office, copy_to_office, create_workspace, files_in_use,
};
use bordereau_store::{ActorTimestamp, Store, StoreError, StoredReview, export, stored_files};

use crate::cluster::Cluster;
use crate::s3_server::{BUCKET, KEY, S3Server};
use crate::work::batch;
use crate::{blocking, join, office_at};

const AT: &str = "2026-11-24T10:00:00Z";

fn now() -> ActorTimestamp {
    ActorTimestamp { at: AT.into(), ms: 1_795_000_000_000, by: "carl".into() }
}

/// Different for each, and of no length that anything is cut at.
fn content(first: u8, bytes: usize) -> Vec<u8> {
    (0..bytes).map(|at| first.wrapping_add((at % 253) as u8)).collect()
}

async fn queue(store: &Store, content: &[u8]) -> i64 {
    let profile = Profile { id: "office".into(), name: "Office".into(), ..Profile::default() };
    let upload = NewUpload {
        transaction_id: Some(502),
        invoice_number: None,
        name: "Policy".into(),
        code: "POLIC".into(),
        file_name: "p.pdf".into(),
        kind: "PDF".into(),
        bytes: content.len() as u64,
        sha256: name_content(content),
        content_file: String::new(),
        content: content.to_vec(),
    };
    let (view, _) = insert_upload(store, profile, upload, now(), "2026-11-24".into()).await.unwrap();
    open_uploads(store, None).await.unwrap().into_iter().find(|open| open.id == view.id).unwrap().seq
}

/// Sends a row with this document; the workspace has no other batch.
async fn send_row(store: &Store, content: &[u8]) {
    let file = BatchFile { code: "POLIC".into(), content: content.to_vec(), ..BatchFile::default() };
    let mut batch = batch("with a document", 1);
    batch.by = store
        .with_connection(|db| Ok(db.query_row("SELECT CAST(session_user AS TEXT)", [], |row| row.get(0))?))
        .await
        .unwrap();
    batch.rows[0].documents = vec![file];
    batch.set_aside_documents(store).await.unwrap();
    let totals = batch.compute_totals();
    let stored = store.run_durably(move |db| batch.store_batch(db, &totals)).await.unwrap();
    assert!(matches!(stored, QueueOutcome::As(_)));
}

/// The document of that row, as it would be sent.
async fn sent_document(store: &Store) -> Result<String, StoreError> {
    let parts = transition::open_parts(store, None).await?;
    let rows = transition::waiting_rows(store, &parts[0], true).await?;
    assert!(rows.len() == 1 && rows[0].is_intact);
    Ok(rows[0].transaction.documents[0].content.clone())
}

async fn change(database: &OfficeDatabase, place: FilePlace) -> Result<(), StoreError> {
    let (database, files) = (database.clone(), OfficeFiles { place, bound_kb: 64, ..OfficeFiles::default() });
    blocking(move || change_files(&database, &files, AT)).await
}

async fn check(database: &OfficeDatabase) -> WorkspaceCheck {
    let database = database.clone();
    blocking(move || check_workspace(&database)).await.unwrap()
}

fn bucket(server: &S3Server) -> FilePlace {
    FilePlace::Bucket {
        bucket: BUCKET.into(),
        region: "us-east-1".into(),
        endpoint: server.address.clone(),
        prefix: "office".into(),
        authority: String::new(),
    }
}

/// A file by its content, in the folder that is the workspace's alone.
fn in_folder(folder: &Path, content: &[u8]) -> PathBuf {
    let own = std::fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    let name = name_content(content);
    own.join(&name[..2]).join(name)
}

/// A workspace of this name and its administrator.
async fn made(cluster: &Cluster, name: &str) -> OfficeDatabase {
    let database = office_at(cluster, name, "postgres");
    let owner = database.clone();
    blocking(move || create_workspace(&owner)).await.unwrap();
    database
}

#[tokio::test(flavor = "multi_thread")]
async fn desks_share_larger_files_wherever_they_were_written() {
    let Some(cluster) = Cluster::start() else { return };
    made(&cluster, "files").await;
    cluster.run(
        "CREATE ROLE anna LOGIN IN ROLE files_administrator; CREATE ROLE carl LOGIN IN ROLE files_clerk",
    );
    let (server, shared) = (S3Server::start(), tempfile::tempdir().unwrap());
    let at = |user: &str, key: &str| OfficeDatabase {
        storage_key: key.into(),
        ..office_at(&cluster, "files", user)
    };
    let (admin, clerk) = (at("anna", KEY), at("carl", KEY));
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let anna = join(folders[0].path(), &admin).unwrap();
    let carl = join(folders[1].path(), &clerk).unwrap();
    let place = FilePlace::Folder { path: shared.path().to_string_lossy().into_owned() };

    let refused = change(&clerk, place.clone()).await.unwrap_err();
    assert!(
        matches!(&refused, StoreError::Database(DatabaseError::Office(error)) if error.obstacle == OfficeObstacle::Role),
        "{refused}"
    );
    let nowhere = FilePlace::Folder { path: shared.path().join("none").to_string_lossy().into_owned() };
    assert!(matches!(change(&admin, nowhere).await, Err(StoreError::FileStorage(_))));
    assert_eq!(carl.with_connection(|db| files_in_use(db)).await.unwrap(), OfficeFiles::default());

    // In the database first, then in the folder, then in the bucket; small ones stay in the database.
    let contents = [content(1, 300_000), content(2, 300_000), content(3, 300_000), content(4, 65_536)];
    let mut queued = vec![queue(&carl, &contents[0]).await];
    change(&admin, place).await.unwrap();
    queued.push(queue(&carl, &contents[1]).await);
    assert_eq!(std::fs::read(in_folder(shared.path(), &contents[1])).unwrap(), contents[1]);
    // So has a document that goes along with its row.
    let along = content(6, 300_000);
    send_row(&carl, &along).await;
    assert_eq!(std::fs::read(in_folder(shared.path(), &along)).unwrap(), along);
    change(&admin, bucket(&server)).await.unwrap();
    queued.push(queue(&carl, &contents[2]).await);
    queued.push(queue(&carl, &contents[3]).await);
    assert_eq!(server.with_files(|files| files.keys().cloned().collect::<Vec<_>>()).len(), 1);
    let told = |sql: &str| cluster.told("postgres", &format!("SET search_path = files; {sql}"));
    let rows =
        "SELECT string_agg(place || ':' || length(content), ' ' ORDER BY upload) FROM document_contents";
    assert_eq!(told(rows), "0:300000 1:0 2:0 0:65536");
    let source = content(5, 5_000_000);
    let draft = StoredReview { name: "may.csv".into(), at: AT.into(), ..StoredReview::default() };
    let draft = carl.begin_review(draft, false).await.unwrap();
    carl.save_source(&draft, &source).await.unwrap();
    assert_eq!(told("SELECT string_agg(place || ':' || length(bytes), ' ') FROM review_sources"), "2:0 2:0");

    for store in [&anna, &carl] {
        for (seq, content) in queued.iter().zip(&contents) {
            assert_eq!(upload_content(store, *seq).await.unwrap(), *content, "{seq}");
        }
        assert_eq!(store.review_source(&draft).await.unwrap(), source);
    }
    assert_eq!(told("SELECT place || ':' || length(content) FROM batch_documents"), "1:0");
    for store in [&anna, &carl] {
        assert_eq!(sent_document(store).await.unwrap(), STANDARD.encode(&along));
    }
    assert_eq!((check(&admin).await.files, check(&admin).await.faults), (5, Vec::new()));
    let (kept, moved) = (in_folder(shared.path(), &along), shared.path().join("moved"));
    std::fs::rename(&kept, &moved).unwrap();
    let refused = sent_document(&carl).await.unwrap_err();
    assert!(matches!(refused, StoreError::FileStorage(FileStorageError::Missing(_))), "{refused}");
    std::fs::rename(&moved, &kept).unwrap();

    // Who has no key is told so; what is in the folder is read all the same.
    let keyless = join(folders[2].path(), &at("carl", "")).unwrap();
    let refused = upload_content(&keyless, queued[2]).await.unwrap_err();
    assert!(matches!(refused, StoreError::FileStorage(FileStorageError::NoKey)), "{refused}");
    assert_eq!(upload_content(&keyless, queued[1]).await.unwrap(), contents[1]);

    see_what_is_changed(&anna, &admin, &in_folder(shared.path(), &contents[1]), queued[1]).await;
    remove_what_no_row_needs(&carl, &cluster, &server).await;
    // Whoever exports has every file.
    let exported = tempfile::tempdir().unwrap();
    let (into, storages) = (exported.path().to_owned(), std::sync::Arc::clone(&anna.office().unwrap().files));
    anna.with_connection(move |db| export::export_tables(db, &into, Some(&storages))).await.unwrap();
    let file = exported.path().join("documents").join(name_content(&contents[1]));
    assert_eq!(std::fs::read(file).unwrap(), contents[1]);
}

/// A file that is changed under its name is refused, one that is gone is told; put back, all goes on.
async fn see_what_is_changed(store: &Store, admin: &OfficeDatabase, file: &Path, upload: i64) {
    let whole = std::fs::read(file).unwrap();
    std::fs::write(file, b"another file").unwrap();
    let refused = upload_content(store, upload).await.unwrap_err();
    assert!(matches!(refused, StoreError::FileStorage(FileStorageError::Changed(_))), "{refused}");
    std::fs::remove_file(file).unwrap();
    let refused = upload_content(store, upload).await.unwrap_err();
    assert!(matches!(refused, StoreError::FileStorage(FileStorageError::Missing(_))), "{refused}");
    let found = check(admin).await;
    let name = file.file_name().unwrap().to_string_lossy();
    assert!(found.files == 5 && found.faults.len() == 1 && found.faults[0].contains(&*name), "{found:?}");
    assert!(open_uploads(store, None).await.unwrap().iter().any(|open| open.seq == upload), "it waits");
    std::fs::write(file, whole).unwrap();
    assert!(check(admin).await.faults.is_empty() && upload_content(store, upload).await.is_ok());
}

/// A day after it was noted, and never while a row names it.
async fn remove_what_no_row_needs(store: &Store, cluster: &Cluster, server: &S3Server) {
    let count = || server.with_files(|files| files.len());
    let before = count();
    let open = open_uploads(store, None).await.unwrap();
    for upload in open.iter().filter(|open| open.bytes == 300_000).skip(2) {
        for to in [UploadState::Sending, UploadState::Sent] {
            let now = open_uploads(store, None)
                .await
                .unwrap()
                .into_iter()
                .find(|open| open.seq == upload.seq)
                .unwrap();
            assert!(change_upload(store, &now, UploadChange::to(to), self::now()).await.unwrap());
        }
    }
    assert_eq!(stored_files::remove_unused_files(store).await.unwrap(), 0, "it is not a day");
    cluster.run("UPDATE files.stored_files SET noted_at = noted_at - 90000");
    assert_eq!(stored_files::remove_unused_files(store).await.unwrap(), 1);
    assert_eq!(count(), before - 1);
    assert_eq!(stored_files::remove_unused_files(store).await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn larger_files_are_copied_out_and_in() {
    let Some(cluster) = Cluster::start() else { return };
    let (server, shared) = (S3Server::start(), tempfile::tempdir().unwrap());
    let from = OfficeDatabase { storage_key: KEY.into(), ..made(&cluster, "here").await };
    change(&from, bucket(&server)).await.unwrap();
    let desk = tempfile::tempdir().unwrap();
    let store = join(desk.path(), &from).unwrap();
    let (document, source) = (content(1, 200_000), content(2, 4_300_000));
    queue(&store, &document).await;
    let draft = StoredReview { name: "may.csv".into(), at: AT.into(), ..StoredReview::default() };
    let draft = store.begin_review(draft, false).await.unwrap();
    store.save_source(&draft, &source).await.unwrap();
    let along = content(3, 250_000);
    send_row(&store, &along).await;
    cluster.run("UPDATE here.document_uploads SET state = 'canceled'; UPDATE here.batch_parts SET state = 'processed'");

    let laptop = tempfile::tempdir().unwrap();
    let (folder, database) = (laptop.path().to_owned(), from.clone());
    blocking(move || copy_from_office(&database, &folder, None)).await.unwrap();
    let own = Store::open(laptop.path()).unwrap();
    assert_eq!(own.review_source(&draft).await.unwrap(), source);
    assert_eq!(upload_content(&own, 1).await.unwrap(), document);
    let sql = "SELECT content FROM batch_documents WHERE place = 0";
    let copied: Vec<u8> =
        own.with_connection(|db| Ok(db.query_row(sql, [], |row| row.get(0))?)).await.unwrap();
    assert_eq!(copied, along);

    let to = made(&cluster, "there").await;
    change(&to, FilePlace::Folder { path: shared.path().to_string_lossy().into_owned() }).await.unwrap();
    let copy_in = async || {
        let (folder, database) = (laptop.path().to_owned(), to.clone());
        blocking(move || copy_to_office(&folder, None, &database, AT)).await.unwrap()
    };
    assert!(copy_in().await.rows > 3);
    assert_eq!(std::fs::read(in_folder(shared.path(), &document)).unwrap(), document);
    let found = check(&to).await;
    assert_eq!(std::fs::read(in_folder(shared.path(), &along)).unwrap(), along);
    assert_eq!((found.files, found.faults), (4, Vec::new()));
    assert_eq!(cluster.told("postgres", "SELECT sum(length(bytes)) FROM there.review_sources"), "0");
    let again = copy_in().await;
    assert_eq!((again.rows, again.different), (0, 0), "{again:?}");
    let other = tempfile::tempdir().unwrap();
    let there = join(other.path(), &to).unwrap();
    assert_eq!(there.review_source(&draft).await.unwrap(), source);
}
