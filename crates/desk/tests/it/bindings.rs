//! One list of operations: what dispatch serves, and the committed TypeScript.

use bordereau_desk::api::{OPERATIONS, typescript_bindings};
use bordereau_desk::{SERVED, dispatch};
use serde_json::json;

use crate::test_desk::TestDesk;

#[test]
fn dispatch_serves_exactly_the_list() {
    assert_eq!(SERVED, OPERATIONS);
}

#[test]
fn the_committed_bindings_are_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ui/src/bindings/operations.ts");
    let committed = std::fs::read_to_string(path).unwrap();
    assert_eq!(committed.replace("\r\n", "\n"), typescript_bindings(), "run `cargo xtask codegen`");
}

#[tokio::test]
async fn by_name_with_json_in_and_out() {
    let test = TestDesk::offline();
    let settings = dispatch(&test.desk, "settings_load", json!({})).await.unwrap();
    assert_eq!(settings["zoom"], 100);
    let unknown = dispatch(&test.desk, "no_such_thing", json!({})).await.unwrap_err();
    assert!(!unknown.message.contains("no_such_thing"));
    let broken = dispatch(&test.desk, "profile_set_key", json!({"id": "x", "key": 5})).await.unwrap_err();
    assert_eq!(broken.message, "The request of profile_set_key cannot be read.");
}

#[tokio::test]
async fn every_operation_answers_something_to_an_empty_request() {
    let test = TestDesk::offline();
    for operation in OPERATIONS {
        if let Err(error) = dispatch(&test.desk, operation, json!({})).await {
            assert!(!error.message.is_empty(), "{operation}");
        }
    }
}
