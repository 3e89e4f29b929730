//! What survives a restart, and what a data directory refuses.

use bordereau_service::{AccountSeed, StartError, StoreError};
use reqwest::Method;
use serde_json::json;

use crate::harness::{CALCULATOR, texas, try_start};

fn seed() -> AccountSeed {
    AccountSeed {
        api_key: Some("bdk_given-by-the-desk-0123456789".into()),
        password: Some("given by the desk".into()),
        ..AccountSeed::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_keeps_authority_accounts_and_sessions() {
    let dir = tempfile::tempdir().unwrap();
    let first = try_start(Some(dir.path()), seed()).await.unwrap();
    let (access, refresh) = first.sign_in().await;
    let other = json!({"name": "Other", "username": "other"});
    let other = first.practice(Method::POST, "accounts", Some(other)).await.expect(201).json();
    let change = json!({"calculator": false});
    let path = format!("accounts/{}", other["id"].as_str().unwrap());
    first.practice(Method::PATCH, &path, Some(change)).await.expect(200);
    let ca = first.running.ca_pem.clone();
    assert_eq!(std::fs::read_to_string(first.running.ca_file.as_ref().unwrap()).unwrap(), ca);
    first.running.stop().await;

    let second = try_start(Some(dir.path()), seed()).await.unwrap();
    assert_eq!(second.running.ca_pem, ca, "whoever trusts the authority goes on trusting it");
    second.calculate(&texas()).await.expect(200);
    second.send(second.bare(Method::POST, CALCULATOR).bearer_auth(&access).json(&texas())).await.expect(200);
    second.token(&json!({"grant_type": "refresh_token", "refresh_token": refresh})).await.expect(200);
    let foreign = second.bare(Method::POST, CALCULATOR).header("apiKey", other["api_key"].as_str().unwrap());
    second.send(foreign.json(&texas())).await.expect(403);
    second.running.stop().await;

    // Without a seed both secrets are fresh, and the old ones are dead.
    let third = try_start(Some(dir.path()), AccountSeed::default()).await.unwrap();
    let old = third.bare(Method::POST, CALCULATOR).header("apiKey", "bdk_given-by-the-desk-0123456789");
    third.send(old.json(&texas())).await.expect(401);
    third.token(&json!({"grant_type": "refresh_token", "refresh_token": refresh})).await.expect(401);
    third.sign_in().await;
    third.running.stop().await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn pipes_and_devices_in_the_data_directory_are_refused_and_never_waited_for() {
    for name in ["practice.sqlite", "practice.sqlite-wal", "service.lock", "practice-ca.pem", "webhooks.key"]
    {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join(name);
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let refused = try_start(Some(dir.path()), seed()).await.map(drop).unwrap_err().to_string();
        let expected = format!("cannot use {}: it is a device or a pipe, and no file", pipe.display());
        assert_eq!(refused, expected);
    }
    let dir = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/dev/zero", dir.path().join("practice.sqlite")).unwrap();
    assert!(
        try_start(Some(dir.path()), seed()).await.map(drop).unwrap_err().to_string().contains("a device")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_stands_in_the_data_directory() {
    let dir = tempfile::tempdir().unwrap();
    let service = try_start(Some(dir.path()), seed()).await.unwrap();
    let (access, refresh) = service.sign_in().await;
    let key = service.running.api_key.clone();
    service.running.stop().await;
    for entry in std::fs::read_dir(dir.path()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        for secret in [key.as_str(), "given by the desk", &access, &refresh] {
            let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "{} holds a secret in clear", path.display());
        }
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn only_the_owner_reads_keys_and_data() {
    use std::os::unix::fs::PermissionsExt;
    let parent = tempfile::tempdir().unwrap();
    let dir = parent.path().join("practice");
    let service = try_start(Some(&dir), seed()).await.unwrap();
    let mode = |name: &str| std::fs::metadata(dir.join(name)).unwrap().permissions().mode() & 0o777;
    for name in ["practice-tls.json", "practice.sqlite", "practice.sqlite-wal", "webhooks.key"] {
        assert_eq!(mode(name), 0o600, "{name}");
    }
    assert_eq!(mode("."), 0o700);
    service.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_directories_table() {
    let dir = tempfile::tempdir().unwrap();
    let service = try_start(Some(dir.path()), seed()).await.unwrap();
    let Err(second) = try_start(Some(dir.path()), seed()).await else { panic!("a second one started") };
    assert!(matches!(second, StartError::InUse(_)), "{second}");
    assert!(second.to_string().contains("in use"), "{second}");
    service.running.stop().await;

    let database = dir.path().join("practice.sqlite");
    let db = rusqlite::Connection::open(&database).unwrap();
    db.execute("UPDATE schema_version SET version = 99", []).unwrap();
    drop(db);
    let Err(newer) = try_start(Some(dir.path()), seed()).await else { panic!("newer data was accepted") };
    assert!(matches!(newer, StartError::Store(StoreError::NewerData { found: 99, .. })), "{newer}");
    assert!(newer.to_string().contains("newer version"), "{newer}");

    let file = tempfile::NamedTempFile::new().unwrap();
    let Err(no_dir) = try_start(Some(file.path()), seed()).await else { panic!("a file is no directory") };
    assert!(matches!(no_dir, StartError::File { .. }), "{no_dir}");

    for account in [
        AccountSeed { api_key: Some("short".into()), ..AccountSeed::default() },
        AccountSeed { password: Some("short".into()), ..AccountSeed::default() },
    ] {
        let Err(refused) = try_start(None, account).await else { panic!("a weak secret was accepted") };
        assert!(matches!(refused, StartError::Account(_)), "{refused}");
    }
}
