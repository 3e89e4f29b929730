//! Files in a folder and in a bucket of S3: what is read is what was written, or it is said.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics, in its helpers too")]

mod s3_server;

use std::collections::BTreeMap;

use bordereau_file_storage::{FilePlace, FileStorage, FileStorageError, OfficeFiles, name_content};
use s3_server::{BUCKET, KEY, S3Server};

fn bucket(name: &str, endpoint: &str, prefix: &str) -> OfficeFiles {
    let place = FilePlace::Bucket {
        bucket: name.into(),
        region: "us-east-1".into(),
        endpoint: endpoint.into(),
        prefix: prefix.into(),
        authority: String::new(),
    };
    OfficeFiles { place, bound_kb: 1_024, under: "office-1f".into() }
}

/// Written twice, read, removed twice; `change` does something to what is there.
fn write_and_read(storage: &FileStorage, change: impl Fn(&str, Option<&[u8]>)) {
    storage.try_out().unwrap();
    let content: Vec<u8> = (0..3_000_000_u32).map(|at| (at % 251) as u8).collect();
    for _ in 0..2 {
        assert_eq!(storage.write_file(content.clone()).unwrap(), name_content(&content));
    }
    let name = name_content(&content);
    assert_eq!(storage.read_file(&name).unwrap(), content);
    let changed = [b"another file".as_slice(), &content[..content.len() - 1], &[]];
    for other in changed {
        change(&name, Some(other));
        assert_eq!(storage.read_file(&name), Err(FileStorageError::Changed(name.clone())));
    }
    // What is written again is whole again.
    storage.write_file(content.clone()).unwrap();
    assert_eq!(storage.read_file(&name).unwrap(), content);
    change(&name, None);
    assert_eq!(storage.read_file(&name), Err(FileStorageError::Missing(name.clone())));
    storage.write_file(content).unwrap();
    for _ in 0..2 {
        storage.remove_file(&name).unwrap();
        assert_eq!(storage.read_file(&name), Err(FileStorageError::Missing(name.clone())));
    }
    for name in ["", "../../etc/passwd", &"g".repeat(64), &format!("{}/x", &name[..62])] {
        assert_eq!(storage.read_file(name), Err(FileStorageError::Missing(name.to_owned())));
    }
}

#[test]
fn a_folder_has_what_was_written_under_its_hash() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("files");
    let place = FilePlace::Folder { path: path.to_string_lossy().into_owned() };
    let files = OfficeFiles { place, bound_kb: 1_024, under: "office-1f".into() };
    assert!(
        matches!(FileStorage::open(&files, ""), Err(FileStorageError::Unreachable(_))),
        "no folder is made"
    );
    std::fs::create_dir(&path).unwrap();
    let storage = FileStorage::open(&files, "").unwrap();
    write_and_read(&storage, |name, content| {
        let file = path.join("office-1f").join(&name[..2]).join(name);
        match content {
            Some(content) => std::fs::write(file, content).unwrap(),
            None => std::fs::remove_file(file).unwrap(),
        }
    });
    let name = storage.write_file(b"one".to_vec()).unwrap();
    std::fs::rename(&path, folder.path().join("elsewhere")).unwrap();
    assert!(
        matches!(storage.read_file(&name), Err(FileStorageError::Unreachable(_))),
        "a share that is gone"
    );
}

#[test]
fn a_bucket_has_it_for_who_has_the_key() {
    let server = S3Server::start();
    let files = bucket(BUCKET, &server.address, "desks/2026/");
    let storage = FileStorage::open(&files, KEY).unwrap();
    assert!(!format!("{storage:?}").contains("secret"));
    write_and_read(&storage, |name, content| {
        server.with_files(|files: &mut BTreeMap<_, _>| {
            let name = format!("desks/2026/office-1f/{}/{name}", &name[..2]);
            match content {
                Some(content) => assert!(files.insert(name, content.to_vec()).is_some(), "it is there"),
                None => drop(files.remove(&name).unwrap()),
            }
        });
    });
    assert!(server.with_files(|files| files.is_empty()), "nothing is left");

    let name = storage.write_file(b"one".to_vec()).unwrap();
    let other = FileStorage::open(&files, "AKIDEXAMPLE:another secret").unwrap();
    for refused in [other.read_file(&name).map(drop), other.remove_file(&name), other.try_out()] {
        assert!(matches!(refused, Err(FileStorageError::Refused(_))), "{refused:?}");
    }
    assert_eq!(storage.read_file(&name).unwrap(), b"one");
    for key in ["", ":", "AKIDEXAMPLE", "AKIDEXAMPLE:"] {
        assert_eq!(FileStorage::open(&files, key).unwrap_err(), FileStorageError::NoKey, "{key}");
    }
    // A service that is busy, or gone in the middle of its answer, is asked twice more.
    server.fail(2);
    assert_eq!(storage.read_file(&name).unwrap(), b"one");
    server.fail(3);
    let failed = storage.read_file(&name).unwrap_err();
    assert!(matches!(failed, FileStorageError::Unreachable(_)), "{failed:?}");
    assert!(!failed.to_string().contains("X-Amz"), "no signature is shown: {failed}");
    server.fail(1);
    storage.write_file(b"one".to_vec()).unwrap();

    let nowhere = FileStorage::open(&bucket("no-such-bucket", &server.address, ""), KEY).unwrap();
    assert!(matches!(nowhere.try_out(), Err(FileStorageError::Unreachable(_))));
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let gone = FileStorage::open(&bucket(BUCKET, &format!("http://127.0.0.1:{port}"), ""), KEY).unwrap();
    assert!(matches!(gone.read_file(&name), Err(FileStorageError::Unreachable(_))));
}
