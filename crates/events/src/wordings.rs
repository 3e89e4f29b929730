//! Stamp wordings: a change that no event told of is found by asking a question again.
//!
//! The interface has nothing to ask about a wording but a quote. So the first quote of each state that this
//! profile's service answered is the question, asked again ever more seldom, and at once when an event tells of
//! that state. Always the same question: another one may have another wording without any change. A state that
//! was never quoted is not asked about.

use bordereau_contract::Jurisdiction;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use super::Fact;
use super::fact::wording_value;
use super::shelf::{find, touch};
use crate::Inbox;
use crate::settings::event_settings;
use bordereau_api::{BoundaryError, QuoteRequest};
use bordereau_quotes::stamp_wording;
use bordereau_session::Context;
use bordereau_session::profile::profile_by_id;
use bordereau_store::{Store, StoreError};

/// Of a state without any wording.
const NONE: &str = "-";

/// The newest quote, and the profiles whose events were expected, when questions were last taken over.
#[derive(Default, PartialEq, Eq)]
pub(super) struct Gathered(Option<(i64, Vec<String>)>);

/// A question that is due.
pub(super) struct Due {
    pub(super) profile_id: String,
    state: String,
    question: String,
    in_vain: u32,
}

/// Takes over the states that were quoted since the last look, of profiles whose events are expected.
pub(super) async fn gather_wordings(ctx: &Context, known: &mut Gathered) -> Result<(), StoreError> {
    let newest = ctx.store().run(|connection| newest_quote(connection)).await?;
    let kept = event_settings(ctx).await.unwrap_or_default();
    let expected: Vec<String> = kept.profiles.keys().filter(|id| kept.expects(id)).cloned().collect();
    let now = Gathered(Some((newest, expected.clone())));
    if *known == now {
        return Ok(());
    }
    for id in expected {
        let Ok(profile) = profile_by_id(ctx, &id).await else { continue };
        ctx.store().run(move |connection| take_questions(connection, &id, &profile.name)).await?;
    }
    *known = now;
    Ok(())
}

/// Asks the question once more; whatever comes of it, the next time is later.
pub(super) async fn ask_for_wording(ctx: &Context, due: Due, now: i64) -> Result<(), BoundaryError> {
    let answered = wording_of(ctx, &due).await;
    let in_vain = due.in_vain.saturating_add(1);
    let pause = Inbox::of(ctx).pace().pause(in_vain).as_millis();
    let next = now.saturating_add(i64::try_from(pause).unwrap_or(i64::MAX));
    let (at, kept) = (ctx.stamp(), event_settings(ctx).await?);
    let is_gap = kept.expects(&due.profile_id);
    let value = answered.as_ref().ok().cloned();
    let changed = ctx
        .store()
        .run(move |connection| settle(connection, &due, value.as_deref(), &at, next, is_gap))
        .await?;
    if changed {
        Inbox::of(ctx).changed();
    }
    match answered {
        // The others of the profile are asked all the same: the calculator may be the one thing it refuses.
        Err(error) if error.retryable => Err(error),
        _ => Ok(()),
    }
}

async fn wording_of(ctx: &Context, due: &Due) -> Result<String, BoundaryError> {
    let profile = profile_by_id(ctx, &due.profile_id).await?;
    let question: QuoteRequest =
        serde_json::from_str(&due.question).map_err(|_| BoundaryError::internal("reading a kept quote"))?;
    let (text, updated_at) = stamp_wording(ctx, &profile, &question).await?;
    let value = wording_value(text.as_deref(), updated_at.as_deref());
    Ok(if value.is_empty() { NONE.to_owned() } else { value })
}

/// Questions that are due, and those of states an event has told of since they were asked.
pub(super) async fn due_wordings(store: &Store, now: i64, most: u32) -> Result<Vec<Due>, StoreError> {
    store
        .run(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT w.profile_id, w.state_code, w.question, w.in_vain FROM event_wordings w
             WHERE w.next_ms <= ?1 OR EXISTS (SELECT 1 FROM events e WHERE e.profile_id = w.profile_id
                 AND e.checked = 'unchecked' AND e.what = 'stamp_wording' AND e.state_code = w.state_code
                 AND e.received_at >= w.asked_at)
             ORDER BY w.next_ms LIMIT ?2",
            )?;
            let rows = statement.query_map(params![now, most], |row| {
                Ok(Due {
                    profile_id: row.get(0)?,
                    state: row.get(1)?,
                    question: row.get(2)?,
                    in_vain: row.get(3)?,
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
}

fn newest_quote(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.query_row("SELECT coalesce(max(turn), 0) FROM quotes", [], |row| row.get(0))?)
}

/// The quotes that this profile's service answered, one for each state; a state that has its question keeps it.
fn take_questions(connection: &Connection, profile_id: &str, name: &str) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT state, request FROM quotes WHERE json_extract(answer, '$.by') = 'service'
         AND json_extract(answer, '$.profile') = ?1 ORDER BY turn",
    )?;
    let quotes: Vec<(String, String)> =
        statement.query_map([name], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    let mut keep = connection.prepare_cached(
        "INSERT OR IGNORE INTO event_wordings (profile_id, state_code, question, next_ms) VALUES (?1, ?2, ?3, 0)",
    )?;
    for (state, question) in quotes {
        if let Ok(state) = state.trim().to_ascii_uppercase().parse::<Jurisdiction>() {
            keep.execute([profile_id, state.code(), &question])?;
        }
    }
    Ok(())
}

/// Writes down what was answered, or that nothing was. True where an event came of it or was confirmed.
fn settle(
    connection: &mut Connection,
    due: &Due,
    value: Option<&str>,
    at: &str,
    next: i64,
    is_gap: bool,
) -> Result<bool, StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let (known, asked_at): (String, String) = transaction
        .query_row(
            "SELECT known, asked_at FROM event_wordings WHERE profile_id = ?1 AND state_code = ?2",
            [&due.profile_id, &due.state],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()?
        .unwrap_or_default();
    let is_other = value.is_some_and(|value| value != known);
    let before = transaction.total_changes();
    if let Some(value) = value {
        let fact = Fact::of_wording(&due.state, value.to_owned());
        let is_told: bool = transaction.query_row(
            "SELECT EXISTS (SELECT 1 FROM events WHERE profile_id = ?1 AND fact = ?2)",
            [&due.profile_id, &fact.key()],
            |row| row.get(0),
        )?;
        let is_news = is_other && !known.is_empty();
        if is_told || (is_news && !is_explained(&transaction, due, at, &asked_at)?) {
            find(&transaction, &due.profile_id, &fact, at, is_gap)?;
        }
    }
    let changed = transaction.total_changes() > before;
    transaction.execute(
        "UPDATE event_wordings SET known = coalesce(?3, known), asked_at = ?4, next_ms = ?5, in_vain = ?6
         WHERE profile_id = ?1 AND state_code = ?2",
        params![
            due.profile_id,
            due.state,
            value,
            at,
            next,
            if is_other { 0 } else { due.in_vain.saturating_add(1) }
        ],
    )?;
    if changed {
        touch(&transaction)?;
    }
    transaction.commit()?;
    Ok(changed)
}

/// Whether an event that did not say the wording itself has told of the change.
fn is_explained(connection: &Connection, due: &Due, at: &str, asked_at: &str) -> Result<bool, StoreError> {
    let explained = connection.execute(
        "UPDATE events SET found_at = ?3, checked = 'confirmed', check_says = 'Asked, the service has another wording.'
         WHERE profile_id = ?1 AND what = 'stamp_wording' AND state_code = ?2 AND fact IS NULL AND received_at >= ?4",
        [&due.profile_id, &due.state, at, asked_at],
    )?;
    Ok(explained > 0)
}
