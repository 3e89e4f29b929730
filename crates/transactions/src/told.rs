//! What a refresh reads is looked through for what an event should have told.

use bordereau_contract::TransactionRecord;
use rusqlite::OptionalExtension;

use super::Transactions;
use super::index::Index;
use bordereau_api::Profile;
use bordereau_session::Context;
use bordereau_store::StoreError;

/// Before records are taken in, so that what changed shows. A refresh does not fail because of it.
pub(super) async fn tell_changes(
    ctx: &Context,
    profile: &Profile,
    index: &Index,
    read: &[TransactionRecord],
) {
    let transactions = Transactions::of(ctx);
    let Some(observe) = transactions.observer.get() else { return };
    let ids: Vec<i64> = read.iter().map(|record| record.id).collect();
    let outcome = async {
        let earlier = index.read(move |db, _| earlier(db, &ids)).await?;
        observe(ctx, profile, &earlier, read).await
    };
    if let Err(error) = outcome.await {
        tracing::warn!(why = error.message, "what a refresh read was not compared with events");
    }
}

/// The records as they were read before; one that cannot be read any more was never known.
fn earlier(db: &rusqlite::Connection, ids: &[i64]) -> Result<Vec<TransactionRecord>, StoreError> {
    let mut statement = db.prepare_cached("SELECT body FROM bodies WHERE id = ?1")?;
    let mut found = Vec::new();
    for id in ids {
        let body: Option<String> = statement.query_row([id], |row| row.get(0)).optional()?;
        found.extend(body.and_then(|body| serde_json::from_str(&body).ok()));
    }
    Ok(found)
}
