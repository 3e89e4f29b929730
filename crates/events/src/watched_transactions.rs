//! Watched transactions: asked about less and less often, until nothing can change any more.

use bordereau_api::BoundaryError;
use bordereau_contract::TransactionRecord;
use bordereau_session::Context;
use bordereau_store::StoreError;
use bordereau_store::events::watches::{
    AskedTransaction, make_watches_due, postpone_watches, watch_sent_transactions,
};
use bordereau_transactions::is_all_paid;

use crate::EventInbox;

/// Watches the transactions whose numbers the outbox learned since the last round.
pub(super) async fn watch_new_transactions(ctx: &Context, known: &mut Option<i64>) -> Result<(), StoreError> {
    let (before, first) = (*known, EventInbox::from_context(ctx).pace().pause_ms(0));
    let next = ctx.ports().clock.now().timestamp_millis().saturating_add(first);
    let revision = ctx
        .store()
        .with_connection(move |connection| watch_sent_transactions(connection, before, next))
        .await?;
    *known = Some(revision);
    Ok(())
}

/// Schedules a check of everything, a few at a time: while nothing listened, no event arrived.
pub(super) async fn schedule_checks(ctx: &Context) -> Result<(), StoreError> {
    let now = ctx.ports().clock.now().timestamp_millis();
    ctx.store().with_connection(move |connection| make_watches_due(connection, now)).await
}

/// Postpones the next question about transactions: longer each time nothing is new, and forever once nothing can
/// change.
pub(super) async fn postpone_questions(
    ctx: &Context,
    profile_id: &str,
    asked: Vec<AskedTransaction>,
    is_news: bool,
) -> Result<(), BoundaryError> {
    let (profile_id, pace) = (profile_id.to_owned(), EventInbox::from_context(ctx).pace());
    let now = ctx.ports().clock.now().timestamp_millis();
    let postpone = move |connection: &mut _| {
        postpone_watches(connection, &profile_id, &asked, is_news, now, |in_vain| pace.pause_ms(in_vain))
    };
    Ok(ctx.store().with_connection(postpone).await?)
}

/// Whether no further event can come: it is filed, numbered, and paid.
pub(super) fn is_settled(record: &TransactionRecord) -> bool {
    let is_there = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.trim().is_empty());
    record.filed_date().is_some() && is_there(&record.transaction_id_number) && is_all_paid(record)
}
