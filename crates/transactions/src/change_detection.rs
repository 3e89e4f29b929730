//! Compares what a refresh read with the index, to find changes that no event announced.

use bordereau_api::Profile;
use bordereau_contract::TransactionRecord;
use bordereau_session::Context;
use bordereau_transaction_index::records::find_readable_records;

use super::index::ProfileIndex;
use super::transaction_indexes::TransactionIndexes;

/// Before records are stored, so that what changed shows. A refresh does not fail because of it.
pub(super) async fn record_changes(
    ctx: &Context,
    profile: &Profile,
    index: &ProfileIndex,
    read: &[TransactionRecord],
) {
    let transactions = TransactionIndexes::from_context(ctx);
    let Some(observe) = transactions.observer.get() else { return };
    let ids: Vec<i64> = read.iter().map(|record| record.id).collect();
    let outcome = async {
        let earlier = index.file.read(move |db| find_readable_records(db, &ids)).await?;
        observe(ctx, profile, &earlier, read).await
    };
    if let Err(error) = outcome.await {
        tracing::warn!(why = error.message, "what a refresh read was not compared with events");
    }
}
