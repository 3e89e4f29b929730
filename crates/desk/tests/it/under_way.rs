//! A profile stays what it was as long as something that was confirmed for it is on its way.

use bordereau_desk::Desk;
use bordereau_desk::api::*;

use crate::house::{House, profile};
use crate::outbox_house::{ended, many, quick};

/// Nothing listens there.
const NOWHERE: &str = "https://127.0.0.1:9";

/// A desk with three rows queued for a service that does not answer.
async fn queued(house: &House) -> (Desk, Profile, BatchView) {
    let desk = house.desk.clone();
    desk.set_outbox_pace(quick());
    let saved = desk.profile_save(Profile { base_url: NOWHERE.into(), ..profile("Office") }).await.unwrap();
    let id = saved.profile.id.clone();
    desk.profile_set_key(SetApiKey { id: id.clone(), key: "key-of-nobody".into() }).await.unwrap();
    desk.profile_select(ProfileId { id }).await.unwrap();
    let batch = desk.outbox_queue("week.csv", many("u", 3)).await.unwrap();
    (desk, saved.profile, batch)
}

/// As the store has it: what another process, or an older version, may have left.
fn in_the_store(house: &House, sql: &str) {
    let path = house.folder.path().join("data").join("desk.sqlite");
    let store = rusqlite::Connection::open(path).unwrap();
    store.busy_timeout(std::time::Duration::from_secs(10)).unwrap();
    store.execute_batch(sql).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_confirmed_for_one_place_goes_to_no_other() {
    let house = House::offline();
    let (desk, office, batch) = queued(&house).await;
    let production = Profile { environment: Environment::Production, ..office.clone() };
    let refused = desk.profile_save(production.clone()).await.unwrap_err();
    assert_eq!((refused.code, refused.details[0].pointer.as_str()), (ErrorCode::Validation, "/environment"));
    assert!(refused.message.contains("Nothing was changed"), "{}", refused.message);
    let removed = desk.profile_remove(ProfileId { id: office.id.clone() }).await.unwrap_err();
    assert_eq!(removed.code, ErrorCode::Validation, "{removed:?}");
    // A wrong address must be correctable before anything has left.
    let moved = Profile { base_url: "https://127.0.0.1:19".into(), ..office.clone() };
    desk.profile_save(moved.clone()).await.unwrap();

    desk.batch_cancel(BatchId { id: batch.id.clone() }).await.unwrap();
    assert_eq!(ended(&desk, &batch.id).await.state, BatchState::Cancelled);
    desk.profile_save(Profile { base_url: moved.base_url, ..production }).await.unwrap();
    desk.profile_remove(ProfileId { id: office.id }).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_begun_is_looked_up_where_it_went() {
    let house = House::offline();
    let (desk, office, _) = queued(&house).await;
    in_the_store(&house, "UPDATE batch_parts SET state = 'unknown'");
    let moved = Profile { base_url: "https://127.0.0.1:19".into(), ..office.clone() };
    let refused = desk.profile_save(moved).await.unwrap_err();
    assert_eq!(refused.details[0].pointer, "/base_url", "{refused:?}");
    let renamed = Profile { name: "Other".into(), import_path: "/v9/import".into(), ..office };
    desk.profile_save(renamed).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_changed_behind_its_back_sends_nothing() {
    let house = House::new().await;
    let desk = house.desk.clone();
    desk.set_outbox_pace(quick());
    let office = house.sandbox(|_| {}).await.profile;
    in_the_store(&house, "UPDATE profiles SET body = replace(body, '\"sandbox\"', '\"production\"')");
    // Stored as confirmed for the sandbox.
    let batch = desk.outbox_queue("week.csv", many("u", 3)).await.unwrap();
    in_the_store(&house, "UPDATE batches SET environment = '\"sandbox\"'");
    let mut told = desk.batch_show(BatchId { id: batch.id.clone() }).await.unwrap();
    for _ in 0..600 {
        if told.trouble.contains("confirmed for sandbox") || told.state == BatchState::Processed {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        told = desk.batch_show(BatchId { id: batch.id.clone() }).await.unwrap();
    }
    assert!(told.trouble.contains("one for production now"), "{told:?}");
    assert_eq!((told.state, told.counts.pending), (BatchState::Queued, 3));
    in_the_store(&house, "UPDATE profiles SET body = replace(body, '\"production\"', '\"sandbox\"')");
    assert_eq!(ended(&desk, &batch.id).await.state, BatchState::Processed, "{office:?}");
}
