//! Erasing an insured or a year: all of it on this computer, nothing of others, with proof and without the name.

use std::fs;

use bordereau_desk::api::*;

use crate::outbox_fixture::{OutboxFixture, ended, many, queue};

fn insured(name: &str) -> EraseRequest {
    EraseRequest { insured: name.into(), year: 0 }
}

/// Whether a text is in any file of the data folder.
pub(crate) fn is_anywhere(folder: &std::path::Path, text: &str) -> bool {
    let held = |path: &std::path::Path| {
        // SQLite's log goes when its file is closed.
        fs::read(path)
            .unwrap_or_default()
            .windows(text.len())
            .any(|part| part.eq_ignore_ascii_case(text.as_bytes()))
    };
    fs::read_dir(folder).unwrap().flatten().any(|entry| {
        let path = entry.path();
        // What the service of this machine has is the service's.
        if path.is_dir() { !path.ends_with("practice") && is_anywhere(&path, text) } else { held(&path) }
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn an_insured_is_erased_everywhere_and_others_stay() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let mut rows = many("e", 20);
    for (at, row) in rows.iter_mut().enumerate() {
        row.mailing_insured_name = Some(if at < 3 { "Zephyrine  Diner LLC" } else { "Other Office" }.into());
    }
    let sent = ended(&desk, &queue(&desk, "rows.csv", rows).await.unwrap().id).await;
    let mut whole = many("w", 2);
    whole.iter_mut().for_each(|row| row.mailing_insured_name = Some("zephyrine diner llc".into()));
    let own = ended(&desk, &queue(&desk, "own.csv", whole).await.unwrap().id).await;
    desk.quote_save(SaveQuote {
        id: None,
        name: "Lunch".into(),
        request: QuoteRequest {
            state: "TX".into(),
            insured: "Zephyrine Diner LLC".into(),
            ..Default::default()
        },
        answer: None,
        revision: None,
    })
    .await
    .unwrap();
    desk.transactions_refresh(TransactionsRefresh::default()).await.unwrap();
    desk.transactions_refresh_wait().await.unwrap();

    let asked = insured(" ZEPHYRINE diner LLC ");
    let preview = desk.data_erase_preview(asked.clone()).await.unwrap();
    assert_eq!((preview.rows, preview.batches, preview.quotes, preview.sending), (5, 1, 1, 0), "{preview:?}");
    assert!(preview.transactions >= 3 && preview.proof.is_empty(), "{preview:?}");
    let folder = test.folder.path().join("desk");
    assert!(is_anywhere(&folder, "Zephyrine"), "the preview removes nothing");
    let backup = desk.backup_make(Nothing {}).await.unwrap().backups[0].name.clone();

    let done = desk.data_erase(asked.clone()).await.unwrap();
    assert_eq!((done.rows, done.transactions), (preview.rows, preview.transactions));
    assert!(done.copies.contains(&backup), "the backup that still holds it is named");
    fs::remove_dir_all(folder.join("backups")).unwrap();
    let log = desk.audit_list(Nothing {}).await.unwrap();
    assert!(log.intact);
    assert!(log.entries[0].text.starts_with("Erased an insured: 5 rows"), "{}", log.entries[0].text);
    let hash =
        ring::digest::digest(&ring::digest::SHA256, format!("{}:zephyrine diner llc", done.proof).as_bytes());
    let hash: String = hash.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(log.entries[0].text.contains(&hash), "name and proof show which entry it is");
    let batch = desk.batch_show(BatchId { id: sent.id }).await.unwrap();
    assert_eq!((batch.state, batch.counts.total), (BatchState::Processed, 17));
    assert_eq!(desk.batch_show(BatchId { id: own.id }).await.unwrap_err().code, ErrorCode::NotFound);
    let again = desk.data_erase_preview(asked).await.unwrap();
    assert_eq!((again.rows, again.quotes, again.transactions, again.events), (0, 0, 0, 0), "{again:?}");
    desk.data_check(Nothing {}).await.unwrap();
    assert!(!is_anywhere(&folder, "Zephyrine"), "not in a free page or a log either");
    assert!(is_anywhere(&folder, "Other Office"));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_erased_while_it_is_being_sent() {
    let test = OutboxFixture::new().await;
    let desk = test.desk_at_rest();
    let waiting = queue(&desk, "waits.csv", many("w", 20)).await.unwrap();
    let preview = desk.data_erase_preview(insured("Example Diner LLC")).await.unwrap();
    assert!(preview.sending > 0 && preview.sending == preview.rows, "{preview:?}");
    let refused = desk.data_erase(insured("Example Diner LLC")).await.unwrap_err();
    assert!(
        refused.code == ErrorCode::Validation && refused.message.contains("still being sent"),
        "{refused}"
    );
    assert_eq!(desk.batch_show(BatchId { id: waiting.id }).await.unwrap().counts.total, 20);
    assert!(!desk.audit_list(Nothing {}).await.unwrap().entries[0].text.contains("Erased"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_year_is_erased_and_nonsense_is_refused() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let sent = ended(&desk, &queue(&desk, "rows.csv", many("y", 20)).await.unwrap().id).await;
    let year: u32 = sent.created_at[..4].parse().unwrap();
    let of = |year| EraseRequest { insured: String::new(), year };
    let before = desk.data_erase(of(year - 1)).await.unwrap();
    assert_eq!((before.rows, before.batches), (0, 0), "another year is not this one");
    let done = desk.data_erase(of(year)).await.unwrap();
    assert_eq!((done.rows, done.batches), (20, 1), "{done:?}");
    assert!(desk.batch_list(Nothing {}).await.unwrap().batches.is_empty());
    for (request, pointer) in [
        (of(0), "/insured"),
        (of(24), "/year"),
        (EraseRequest { insured: "Diner".into(), year: 2024 }, "/year"),
    ] {
        let refused = desk.data_erase(request).await.unwrap_err();
        assert_eq!(refused.details[0].pointer, pointer);
    }
}
