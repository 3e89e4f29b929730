//! What the index holds, what was fetched when, and the visits.

use bordereau_contract::{format_instant, parse_instant};
use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::{Connection, OptionalExtension, params};

use super::columns::table_columns;
use super::coverage;
use super::index::revision;
use crate::index;
use crate::refresh::refresh_state;
use bordereau_api::*;
use bordereau_session::Context;
use bordereau_store::StoreError;

/// Minutes without a look after which the next one is another visit [ours].
const AWAY: TimeDelta = TimeDelta::minutes(30);

/// What the index of the profile in use holds.
///
/// # Errors
/// [`ErrorCode::Storage`].
pub async fn transactions_overview(
    ctx: &Context,
    _request: Nothing,
) -> Result<TransactionsOverview, BoundaryError> {
    let (profile, index) = index(ctx).await?;
    let (records, open) = index.counts().await?;
    let read = |db: &Connection, _: &super::index::Inner| {
        Ok((coverage::list(db)?, visits(db)?.map(|(before, _)| before).unwrap_or_default(), revision(db)?))
    };
    let (fetched, last_visit, revision) = index.read(read).await?;
    Ok(TransactionsOverview {
        refresh: refresh_state(ctx, &profile.id),
        profile: profile.name,
        environment: profile.environment,
        records,
        open,
        fetched,
        last_visit,
        revision,
        columns: table_columns(),
    })
}

/// The person looks at the transactions now: what changed since the visit before can be asked for.
///
/// # Errors
/// [`ErrorCode::Storage`].
pub async fn transactions_visit(
    ctx: &Context,
    request: Nothing,
) -> Result<TransactionsOverview, BoundaryError> {
    let (_, index) = index(ctx).await?;
    let now = ctx.ports().clock.now();
    index.write(move |db, _| visit(db, now)).await?;
    transactions_overview(ctx, request).await
}

/// End of the visit before this one, and when this one was last seen.
fn visits(db: &Connection) -> Result<Option<(String, String)>, StoreError> {
    let mut statement = db.prepare_cached("SELECT before, seen FROM visits")?;
    Ok(statement.query_row([], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
}

fn visit(db: &Connection, now: DateTime<Utc>) -> Result<(), StoreError> {
    let (before, seen) = visits(db)?.unwrap_or_default();
    let away = parse_instant(&seen).is_some_and(|seen| now.signed_duration_since(seen) > AWAY);
    let before = if away { seen } else { before };
    db.execute("INSERT OR REPLACE INTO visits VALUES (1, ?1, ?2)", params![before, format_instant(now)])?;
    Ok(())
}
