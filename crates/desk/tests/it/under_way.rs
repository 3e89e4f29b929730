//! A profile cannot be changed while something that was confirmed for it is being sent.

use std::time::Duration;

use bordereau_desk::Desk;
use bordereau_desk::api::*;

use crate::outbox_fixture::{OutboxFixture, ended, many, queue};
use crate::test_desk::profile;

/// A profile in use at this address, with three rows queued. The desk is at rest: they stay queued.
async fn queued(
    test: &OutboxFixture,
    change: impl FnOnce(&Desk, &mut Profile),
    key: &str,
) -> (Desk, Profile, BatchView) {
    let desk = test.desk_at_rest();
    let mut office = Profile { base_url: "https://127.0.0.1:9".into(), ..profile("Office") };
    change(&desk, &mut office);
    let office = desk.profile_save(office).await.unwrap().profile;
    desk.profile_set_key(SetApiKey { id: office.id.clone(), key: key.into() }).await.unwrap();
    desk.profile_select(ProfileId { id: office.id.clone() }).await.unwrap();
    let batch = queue(&desk, "week.csv", many("u", 3)).await.unwrap();
    (desk, office, batch)
}

/// As the store has it: what another process, or an older version, may have left.
fn in_the_store(test: &OutboxFixture, sql: &str) {
    let path = test.folder.path().join("desk").join("desk.sqlite");
    let store = rusqlite::Connection::open(path).unwrap();
    store.busy_timeout(Duration::from_secs(10)).unwrap();
    store.execute_batch(sql).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_confirmed_for_one_place_goes_to_no_other() {
    let test = OutboxFixture::dark();
    let (desk, office, batch) = queued(&test, |_, _| {}, "key-of-nobody").await;
    let production = Profile { environment: Environment::Production, ..office.clone() };
    let refused = desk.profile_save(production.clone()).await.unwrap_err();
    assert_eq!((refused.code, refused.details[0].pointer.as_str()), (ErrorCode::Validation, "/environment"));
    assert!(refused.message.contains("Nothing was changed"), "{}", refused.message);
    let removed = desk.profile_remove(ProfileId { id: office.id.clone() }).await.unwrap_err();
    assert_eq!(removed.code, ErrorCode::Validation, "{removed:?}");
    // A wrong address must be correctable before anything has left.
    let moved = Profile { base_url: "https://127.0.0.1:19".into(), ..office.clone() };
    desk.profile_save(moved.clone()).await.unwrap();

    let canceled = desk.batch_cancel(BatchId { id: batch.id }).await.unwrap();
    assert_eq!(canceled.state, BatchState::Canceled);
    let elsewhere = Profile { base_url: moved.base_url, revision: None, ..production };
    desk.profile_save(elsewhere).await.unwrap();
    desk.profile_remove(ProfileId { id: office.id }).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_begun_is_looked_up_where_it_went() {
    let test = OutboxFixture::dark();
    let (desk, office, _) = queued(&test, |_, _| {}, "key-of-nobody").await;
    in_the_store(&test, "UPDATE batch_parts SET state = 'unknown'");
    let moved = Profile { base_url: "https://127.0.0.1:19".into(), ..office.clone() };
    let refused = desk.profile_save(moved).await.unwrap_err();
    assert_eq!(refused.details[0].pointer, "/base_url", "{refused:?}");
    let renamed = Profile { name: "Other".into(), import_path: "/v9/import".into(), ..office };
    desk.profile_save(renamed).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_changed_behind_its_back_sends_nothing() {
    let test = OutboxFixture::new().await;
    let (address, authority, key) = {
        let running = test.service.as_ref().unwrap();
        (running.base_url.clone(), running.ca_pem.clone(), running.api_key.clone())
    };
    let ca_file = test.folder.path().join("ca.pem");
    std::fs::write(&ca_file, authority).unwrap();
    let at_the_service = |desk: &Desk, office: &mut Profile| {
        office.base_url = address;
        office.ca_file = crate::test_desk::file_handle(desk, &ca_file);
    };
    let (desk, _, batch) = queued(&test, at_the_service, &key).await;
    in_the_store(&test, "UPDATE profiles SET body = replace(body, '\"sandbox\"', '\"production\"')");
    desk.start_work();
    let mut told = desk.batch_show(BatchId { id: batch.id.clone() }).await.unwrap();
    for _ in 0..1_200 {
        if !told.trouble.is_empty() || told.state != BatchState::Queued {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        told = desk.batch_show(BatchId { id: batch.id.clone() }).await.unwrap();
    }
    assert!(told.trouble.contains("confirmed for sandbox"), "{told:?}");
    assert!(told.trouble.contains("one for production now"), "{told:?}");
    assert_eq!((told.state, told.counts.pending), (BatchState::Queued, 3));
    assert!(test.stored().await.is_empty());
    in_the_store(&test, "UPDATE profiles SET body = replace(body, '\"production\"', '\"sandbox\"')");
    assert_eq!(ended(&desk, &batch.id).await.state, BatchState::Processed);
}
