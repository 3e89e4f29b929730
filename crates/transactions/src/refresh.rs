//! Fetches what may have changed: a job with progress that can be canceled and resumes where it stopped.

use bordereau_api::to_u32;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use bordereau_client::{ClientError, SearchOptions, TransactionLookup};
use bordereau_contract::{DateRange, SearchRequest, TransactionRecord, parse_calendar_day};
use chrono::{Months, NaiveDate};
use tokio::task::JoinSet;

use super::coverage::{join_days, missing_days, settled_days};
use super::index::ProfileIndex;
use super::search;
use crate::change_detection::record_changes;
use crate::refresh_job::{RefreshJob, idle_state};
use crate::transaction_indexes::{TransactionIndexes, active_index};
use bordereau_api::*;
use bordereau_contract::{format_long_day, pluralize};
use bordereau_session::Context;
use bordereau_session::failure::from_client;
use bordereau_session::profile::{Session, active_profile, open_session};
use bordereau_store::batches::sent_rows::{find_sent_days, list_sent_numbers};
use bordereau_transaction_index::fetched_days::{Days, SearchDate, list_fetches, note_fetch};
use bordereau_transaction_index::records::{list_missing_records, list_open_records};

/// Months fetched without any range asked for: those behind today, and those before it.
const MONTHS_BACK: Months = Months::new(12);
const MONTHS_AHEAD: Months = Months::new(3);
/// Records that may still change are asked for one by one up to so many; beyond that by their days.
const ONE_BY_ONE: usize = 40;
/// Records that are asked for at once; the client keeps to the limit of requests.
const AT_ONCE: usize = 8;
/// Days between records that are asked for together.
const GAP_DAYS: i64 = 4;
/// Days after its effective date a record is no longer followed by itself \[ours].
pub(crate) const FOLLOWED_DAYS: chrono::Days = chrono::Days::new(400);
/// Transactions sent from here that one refresh asks for; the next one goes on.
const OWN_AT_ONCE: usize = 2_000;

/// One question to the service.
#[derive(Clone, Debug, PartialEq, Eq)]
enum RefreshStep {
    /// All of these days; noted as fetched where they are whole.
    Days(SearchDate, Days, bool),
    /// One transaction.
    One(i64),
}

/// Starts fetching what may have changed; answers at once. A refresh that runs goes on instead.
///
/// # Errors
/// [`ErrorCode::Validation`] names a date that is none; those of asking the service.
pub async fn transactions_refresh(
    ctx: &Context,
    request: TransactionsRefresh,
) -> Result<RefreshState, BoundaryError> {
    let ranges = requested_ranges(&request, ctx.ports().clock.today())?;
    let (profile, index) = active_index(ctx).await?;
    let session = open_session(ctx, &profile).await?;
    let transactions = TransactionIndexes::from_context(ctx);
    let mut jobs = transactions.refresh_jobs();
    if let Some(job) = jobs.get(&profile.id)
        && job.refresh_state().stage == RefreshStage::Running
    {
        return Ok(job.refresh_state());
    }
    let job = Arc::new(RefreshJob::new(ctx.now_text()));
    jobs.insert(profile.id.clone(), Arc::clone(&job));
    drop(jobs);
    let (context, running) = (ctx.clone(), Arc::clone(&job));
    tokio::spawn(async move {
        let outcome = run_refresh(&context, &running, &session, &index, &ranges, request.again).await;
        let ended_at = context.now_text();
        running.update_state(|state| {
            state.stage = match &outcome {
                Ok(()) if running.is_canceled() => RefreshStage::Canceled,
                Ok(()) => RefreshStage::Done,
                Err(_) => RefreshStage::Failed,
            };
            if let Err(error) = outcome {
                state.trouble = error.message;
            }
            state.ended_at = ended_at;
            state.now.clear();
        });
    });
    Ok(job.refresh_state())
}

/// The current state of the refresh.
pub async fn transactions_refresh_state(
    ctx: &Context,
    _request: Nothing,
) -> Result<RefreshState, BoundaryError> {
    let profile = active_profile(ctx).await?;
    Ok(refresh_state(ctx, &profile.id))
}

pub(super) fn refresh_state(ctx: &Context, profile: &str) -> RefreshState {
    TransactionIndexes::from_context(ctx)
        .refresh_jobs()
        .get(profile)
        .map_or_else(idle_state, |job| job.refresh_state())
}

/// Whether the last refresh left transactions sent from here for the next one.
pub(super) fn has_more_sent(ctx: &Context, profile: &str) -> bool {
    TransactionIndexes::from_context(ctx).refresh_jobs().get(profile).is_some_and(|job| job.has_more())
}

/// Ends the refresh after the request in flight; what was fetched is kept.
pub async fn transactions_refresh_cancel(
    ctx: &Context,
    _request: Nothing,
) -> Result<RefreshState, BoundaryError> {
    let profile = active_profile(ctx).await?;
    if let Some(job) = TransactionIndexes::from_context(ctx).refresh_jobs().get(&profile.id) {
        job.cancel();
    }
    Ok(refresh_state(ctx, &profile.id))
}

/// Waits for the refresh to end, for the command line.
pub async fn transactions_refresh_wait(ctx: &Context) -> Result<RefreshState, BoundaryError> {
    loop {
        let state = transactions_refresh_state(ctx, Nothing {}).await?;
        if state.stage != RefreshStage::Running {
            return Ok(state);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn run_refresh(
    ctx: &Context,
    job: &RefreshJob,
    session: &Session,
    index: &ProfileIndex,
    ranges: &[(SearchDate, Days)],
    again: bool,
) -> Result<(), BoundaryError> {
    let (steps, has_more) = plan_steps(ctx, session, index, ranges, again).await?;
    job.set_has_more(has_more);
    job.update_state(|state| state.steps = to_u32(steps.len()));
    let mut shortfalls = Vec::new();
    let (mut alone, mut steps) = (Vec::new(), steps.into_iter().peekable());
    while let Some(step) = steps.next() {
        if job.is_canceled() {
            return Ok(());
        }
        job.update_state(|state| state.now = describe_step(&step));
        match step {
            RefreshStep::Days(by, days, is_whole) => {
                fetch_days(ctx, job, session, index, (by, days, is_whole), &mut shortfalls).await?;
                job.update_state(|state| state.done += 1);
            }
            RefreshStep::One(id) => alone.push(id),
        }
        if alone.len() == AT_ONCE || steps.peek().is_none() {
            shortfalls.extend(fetch_alone(ctx, job, session, index, std::mem::take(&mut alone)).await?);
        }
    }
    match shortfalls.as_slice() {
        [] => Ok(()),
        some => Err(BoundaryError::with_code(
            ErrorCode::Unreadable,
            format!("Not everything was read: {}.", some.join("; ")),
        )),
    }
}

async fn fetch_days(
    ctx: &Context,
    job: &RefreshJob,
    session: &Session,
    index: &ProfileIndex,
    (by, days, is_whole): (SearchDate, Days, bool),
    shortfalls: &mut Vec<String>,
) -> Result<(), BoundaryError> {
    let at = ctx.ports().clock.now();
    let range = Some(DateRange { from: days.0, to: days.1 });
    let mut request = SearchRequest::default();
    match by {
        SearchDate::Filed => request.date_filed = range,
        SearchDate::PolicyEffective => request.policy_effective_date = range,
        SearchDate::TransactionEffective => request.transaction_effective_date = range,
    }
    let mut found = session.client.search_transactions(&request, SearchOptions::default());
    while let Some(part) = found.next().await {
        ctx.sessions().note_call(&session.profile.id, part.as_ref().err(), 0);
        store_records(ctx, job, session, index, part.map_err(from_client)?.records).await?;
        if job.is_canceled() {
            return Ok(());
        }
    }
    shortfalls.extend(found.shortfalls().iter().map(ToString::to_string));
    if is_whole && found.shortfalls().is_empty() {
        index.file.write(move |db| note_fetch(db, by, days, at)).await?;
    }
    Ok(())
}

/// Fetches transactions by their numbers, all at once. Returns those whose answer could not be read: it costs no other.
async fn fetch_alone(
    ctx: &Context,
    job: &RefreshJob,
    session: &Session,
    index: &ProfileIndex,
    numbers: Vec<i64>,
) -> Result<Vec<String>, BoundaryError> {
    let mut asked = JoinSet::new();
    for number in numbers {
        let client = session.client.clone();
        asked.spawn(async move {
            (number, client.transaction_status(&TransactionLookup::TransactionId(number)).await)
        });
    }
    let (mut records, mut unread) = (Vec::new(), Vec::new());
    while let Some(answered) = asked.join_next().await {
        let (number, found) = answered.map_err(|error| BoundaryError::internal_error(&error.to_string()))?;
        match found {
            Err(ClientError::Unreadable { .. }) => unread.push(number.to_string()),
            found => records.extend(found.map_err(from_client)?),
        }
        job.update_state(|state| state.done += 1);
    }
    store_records(ctx, job, session, index, records).await?;
    let are_unread = || {
        format!(
            "the answer for {} {} could not be read",
            pluralize(unread.len(), "transaction"),
            unread.join(", ")
        )
    };
    Ok((!unread.is_empty()).then(are_unread).into_iter().collect())
}

async fn store_records(
    ctx: &Context,
    job: &RefreshJob,
    session: &Session,
    index: &ProfileIndex,
    records: Vec<TransactionRecord>,
) -> Result<(), BoundaryError> {
    record_changes(ctx, &session.profile, index, &records).await;
    let read = to_u32(records.len());
    let counts = index.store_records(records, ctx.ports().clock.now()).await?;
    job.update_state(|state| {
        state.read += read;
        state.new += counts.new;
        state.changed += counts.changed;
    });
    Ok(())
}

/// What has to be asked: days never fetched or not yet settled, records that may still change, and what this
/// desk sent that no search has brought. Also whether more of the latter is left for the next refresh.
async fn plan_steps(
    ctx: &Context,
    session: &Session,
    index: &ProfileIndex,
    ranges: &[(SearchDate, Days)],
    again: bool,
) -> Result<(Vec<RefreshStep>, bool), BoundaryError> {
    let mut steps = Vec::new();
    for (by, days) in ranges.iter().copied() {
        let settled = settled_days(index.file.read(move |db| list_fetches(db, by)).await?);
        let missing = missing_days(days, if again { &[] } else { &settled });
        steps.extend(missing.into_iter().map(|days| RefreshStep::Days(by, days, true)));
    }
    let since = ctx.ports().clock.today();
    let since = since.checked_sub_days(FOLLOWED_DAYS).unwrap_or(since);
    let open = index.file.read(move |db| list_open_records(db, since)).await?;
    follow_records(&mut steps, open);
    let has_more = follow_sent(ctx, &session.profile.id, index, &mut steps).await?;
    Ok((steps, has_more))
}

/// Asks for what was sent from here and isn't in the index: those never asked for first, the newest of them before
/// the others. Returns whether some were not asked for yet.
async fn follow_sent(
    ctx: &Context,
    profile: &str,
    index: &ProfileIndex,
    steps: &mut Vec<RefreshStep>,
) -> Result<bool, BoundaryError> {
    let id = profile.to_owned();
    let own = ctx.store().with_connection(move |db| list_sent_numbers(db, &id, None)).await?;
    let mut missing = index.file.read(move |db| list_missing_records(db, &own)).await?;
    let transactions = TransactionIndexes::from_context(ctx);
    {
        let mut all = transactions.asked_in_vain();
        let asked = all.entry(profile.to_owned()).or_default();
        let still: HashSet<i64> = missing.iter().copied().collect();
        asked.retain(|number, _| still.contains(number));
        missing.sort_by_key(|number| asked.get(number).copied().unwrap_or_default());
    }
    let rest = missing.split_off(missing.len().min(OWN_AT_ONCE));
    let (id, of) = (profile.to_owned(), missing.clone());
    let days = ctx.store().with_connection(move |db| find_sent_days(db, &id, &of)).await?;
    let left: HashSet<i64> = follow_records(steps, days).into_iter().collect();
    let mut all = transactions.asked_in_vain();
    let asked = all.entry(profile.to_owned()).or_default();
    for number in missing.iter().filter(|number| !left.contains(number)) {
        *asked.entry(*number).or_default() += 1;
    }
    Ok(rest.iter().chain(&left).any(|number| !asked.contains_key(number)))
}

/// Asks for records that no step covers: one by one, or many by their days. Returns those that are too many.
fn follow_records(steps: &mut Vec<RefreshStep>, records: Vec<(i64, Option<NaiveDate>)>) -> Vec<i64> {
    let covers = |step: &RefreshStep, day: NaiveDate| matches!(step, RefreshStep::Days(SearchDate::TransactionEffective, (from, to), _) if *from <= day && day <= *to);
    let rest: Vec<(i64, Option<NaiveDate>)> = records
        .into_iter()
        .filter(|(_, day)| day.is_none_or(|day| !steps.iter().any(|step| covers(step, day))))
        .collect();
    let is_many = rest.len() > ONE_BY_ONE;
    let days: Vec<NaiveDate> = rest.iter().filter_map(|(_, day)| day.filter(|_| is_many)).collect();
    let days = join_days(&days, GAP_DAYS).into_iter();
    steps.extend(days.map(|days| RefreshStep::Days(SearchDate::TransactionEffective, days, false)));
    let alone = rest.iter().filter(|(_, day)| !is_many || day.is_none()).map(|(number, _)| *number);
    let mut alone: Vec<i64> = alone.collect();
    let left = alone.split_off(alone.len().min(ONE_BY_ONE));
    steps.extend(alone.into_iter().map(RefreshStep::One));
    left
}

const fn date_title(by: SearchDate) -> &'static str {
    match by {
        SearchDate::Filed => "filed",
        SearchDate::PolicyEffective => "policy effective",
        SearchDate::TransactionEffective => "transaction effective",
    }
}

fn describe_step(step: &RefreshStep) -> String {
    match step {
        RefreshStep::Days(by, (from, to), _) => {
            format!("{} {} to {}", date_title(*by), format_long_day(*from), format_long_day(*to))
        }
        RefreshStep::One(id) => format!("transaction {id}"),
    }
}

/// The days asked for; an open end is the usual one.
fn requested_ranges(
    request: &TransactionsRefresh,
    today: NaiveDate,
) -> Result<Vec<(SearchDate, Days)>, BoundaryError> {
    let (first, last) = (today.checked_sub_months(MONTHS_BACK), today.checked_add_months(MONTHS_AHEAD));
    let usual = (first.unwrap_or(today), last.unwrap_or(today));
    let asked = [
        (SearchDate::Filed, "/filed", &request.filed),
        (SearchDate::PolicyEffective, "/policy_effective", &request.policy_effective),
        (SearchDate::TransactionEffective, "/transaction_effective", &request.transaction_effective),
    ];
    let (mut ranges, mut faults) = (Vec::new(), Vec::new());
    for (by, pointer, range) in asked {
        let mut range = range.clone();
        search::tidy_range(pointer, &mut range, &mut faults);
        if range.from.is_empty() && range.to.is_empty() {
            continue;
        }
        let end = |text: &str, usual: NaiveDate| parse_calendar_day(text).unwrap_or(usual);
        let (from, to) = (end(&range.from, usual.0), end(&range.to, usual.1));
        ranges.push((by, (from.min(to), to.max(from))));
    }
    if !faults.is_empty() {
        return Err(BoundaryError::invalid_fields(faults));
    }
    if ranges.is_empty() {
        ranges.push((SearchDate::TransactionEffective, usual));
    }
    Ok(ranges)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sent_is_asked_for_once_and_many_by_their_days() {
        let day = |text: &str| parse_calendar_day(text).unwrap();
        let (first, last) = (day("2026-03-01"), day("2026-03-31"));
        let march = || vec![RefreshStep::Days(SearchDate::TransactionEffective, (first, last), true)];
        let mut steps = march();
        follow_records(
            &mut steps,
            vec![(1, Some(day("2026-03-10"))), (2, Some(day("2026-05-01"))), (3, None)],
        );
        assert_eq!(steps[1..], [RefreshStep::One(2), RefreshStep::One(3)], "March is asked for already");

        let mut steps = Vec::new();
        let many = (0..100).map(|number| (number, (number > 0).then_some(day("2026-05-01"))));
        follow_records(&mut steps, many.collect());
        let may = (day("2026-05-01"), day("2026-05-01"));
        let by_day = RefreshStep::Days(SearchDate::TransactionEffective, may, false);
        assert_eq!(steps, [by_day, RefreshStep::One(0)]);
    }
}
