//! What the index holds, what was fetched when, and the visits.

use bordereau_contract::{format_instant, parse_instant};
use chrono::TimeDelta;

use super::columns::table_columns;
use crate::auto_refresh::auto_refresh;
use crate::refresh::refresh_state;
use crate::transaction_indexes::active_index;
use bordereau_api::*;
use bordereau_session::Context;
use bordereau_transaction_index::fetched_days::list_fetched_days;
use bordereau_transaction_index::index_revision;
use bordereau_transaction_index::records::count_records;
use bordereau_transaction_index::visits::{LastVisits, last_visits, store_visits};

/// Minutes without a look after which the next one is another visit \[ours].
const AWAY: TimeDelta = TimeDelta::minutes(30);

/// What the index of the profile in use holds.
pub async fn transactions_overview(
    ctx: &Context,
    _request: Nothing,
) -> Result<TransactionsOverview, BoundaryError> {
    let (profile, index) = active_index(ctx).await?;
    let (refresh, auto_refresh) = (refresh_state(ctx, &profile.id), auto_refresh(ctx, &profile.id));
    let overview = index.file.read(move |db| {
        let (records, open) = count_records(db)?;
        let fetched = list_fetched_days(db)?;
        let last = fetched.iter().map(|days| days.at.clone()).max().unwrap_or_default();
        let is_done = refresh.stage == RefreshStage::Done;
        Ok(TransactionsOverview {
            fresh_at: if is_done { refresh.ended_at.clone().max(last) } else { last },
            auto_refresh,
            refresh,
            profile: profile.name,
            environment: profile.environment,
            records,
            open,
            fetched,
            last_visit: last_visits(db)?.before,
            revision: index_revision(db)?,
            columns: table_columns(),
        })
    });
    Ok(overview.await?)
}

/// The person looks at the transactions now: what changed since the visit before can be asked for.
pub async fn transactions_visit(
    ctx: &Context,
    request: Nothing,
) -> Result<TransactionsOverview, BoundaryError> {
    let (_, index) = active_index(ctx).await?;
    let now = ctx.ports().clock.now();
    let visit = index.file.write(move |db| {
        let LastVisits { before, seen } = last_visits(db)?;
        let is_another = parse_instant(&seen).is_some_and(|seen| now.signed_duration_since(seen) > AWAY);
        let before = if is_another { seen } else { before };
        store_visits(db, &LastVisits { before, seen: format_instant(now) })
    });
    visit.await?;
    transactions_overview(ctx, request).await
}
