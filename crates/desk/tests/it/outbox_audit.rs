//! The audit log: what it says, and that it shows when somebody changed it.

use bordereau_desk::api::*;
use rusqlite::Connection;

use crate::outbox_fixture::{OutboxFixture, many, sent};

#[tokio::test(flavor = "multi_thread")]
async fn the_log_tells_what_was_sent_and_what_came_of_it() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let batch = sent(&desk, many("a", 150)).await;
    let log = desk.audit_list(Nothing {}).await.unwrap();
    assert!(log.intact);
    assert_eq!(log.entries.len(), 4, "{:?}", log.entries);
    let oldest = log.entries.last().unwrap();
    assert_eq!(oldest.number, 1);
    for part in [
        &batch.id,
        "profile \"Practice\" (practice)",
        "150 transactions",
        "premium $150,000.00",
        "taxes $7,335.00",
    ] {
        assert!(oldest.text.contains(part), "{part} in {}", oldest.text);
    }
    assert!(log.entries[0].text.contains("ended (processed): "), "{}", log.entries[0].text);
}

#[tokio::test(flavor = "multi_thread")]
async fn tampering_is_refused_and_where_it_is_forced_it_shows() {
    let cases = [
        "UPDATE audit SET text = replace(text, '150', '15') WHERE number = 1",
        "UPDATE audit SET by_whom = 'somebody' WHERE number = 2",
        "DELETE FROM audit WHERE number = 2",
        "DELETE FROM audit WHERE number = (SELECT max(number) FROM audit)",
        "INSERT OR REPLACE INTO audit (number, at, by_whom, text, hash) SELECT 1, at, by_whom, 'x', hash FROM audit WHERE number = 1",
    ];
    for tampering in cases {
        let test = OutboxFixture::new().await;
        let desk = test.desk();
        sent(&desk, many("t", 150)).await;
        let other = Connection::open(test.folder.path().join("desk/desk.sqlite")).unwrap();
        assert!(other.execute(tampering, []).is_err(), "{tampering}");
        assert!(desk.audit_list(Nothing {}).await.unwrap().intact, "{tampering}");
        other
            .execute_batch(
                "DROP TRIGGER audit_is_not_changed; DROP TRIGGER audit_is_not_removed; DROP TRIGGER audit_is_not_replaced;",
            )
            .unwrap();
        assert_eq!(other.execute(tampering, []).unwrap(), 1, "{tampering}");
        assert!(!desk.audit_list(Nothing {}).await.unwrap().intact, "{tampering}");
    }
}
