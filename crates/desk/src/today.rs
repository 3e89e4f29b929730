//! The view Today, assembled from other views' data: it has no data of its own.

use std::collections::BTreeMap;

use bordereau_api::*;
use bordereau_batches::review_list;
use bordereau_contract::format_instant;
use bordereau_documents::{documents_missing, documents_queue};
use bordereau_events::events_list;
use bordereau_outbox::batch_list;
use bordereau_quotes::quote_list;
use bordereau_session::Context;
use bordereau_session::profile::profile_list;
use bordereau_transactions::due::due_list;
use chrono::TimeDelta;

/// Entries of a list; all of them are one click away in their own view.
const LISTED: u32 = 6;
/// Age in days of the quotes listed.
const QUOTE_DAYS: i64 = 7;

/// What needs the person's attention now.
///
/// # Errors
/// Errors of the lists in it.
pub(crate) async fn today_show(ctx: &Context, _request: Nothing) -> Result<TodayView, BoundaryError> {
    let due = due_list(ctx, DueRequest::default()).await?;
    let batches = batch_list(ctx, Nothing {}).await?.batches;
    let drafts = review_list(ctx, Nothing {}).await?.reviews;
    let missing = documents_missing(ctx, MissingRequest::default()).await?;
    let unread = EventsRequest { unread: true, count: LISTED, ..EventsRequest::default() };
    let unread = events_list(ctx, unread).await?;
    let queue = documents_queue(ctx, Nothing {}).await?;
    let quotes = quote_list(ctx, Nothing {}).await?;
    let profiles = profile_list(ctx, Nothing {}).await?.profiles;
    let steps = FirstSteps {
        quoted: !quotes.saved.is_empty() || !quotes.recent.is_empty(),
        imported: !batches.is_empty() || !drafts.is_empty(),
        connected: profiles.iter().any(|view| !view.built_in && view.missing.is_empty()),
    };
    let own_work = own_work(ctx, &batches, &drafts, &due.entries).await?;
    let open = batches.iter().filter(|batch| !batch.state.is_ended()).cloned();
    let (to_decide, sending): (Vec<_>, Vec<_>) = open.partition(|batch| batch.asks);
    let (to_decide, to_decide_total) = first_of(to_decide);
    let (sending, sending_total) = first_of(sending);
    let (to_correct, batches): (Vec<_>, Vec<_>) = batches.into_iter().partition(BatchView::needs_correction);
    let (to_correct, to_correct_total) = first_of(to_correct);
    let warned = batches.into_iter().filter(|batch| batch.open_warnings > 0 && batch.has_ended());
    let (with_warnings, with_warnings_total) = first_of(warned);
    let (drafts, drafts_total) = first_of(drafts.into_iter().filter(is_open_draft));
    let (quotes, quotes_total) = first_of(recent_quotes(ctx, quotes));
    Ok(TodayView {
        due: due_by_state(&due.entries),
        today: due.today,
        overdue: due.overdue,
        soon: due.soon,
        due_gaps: due.gaps,
        to_correct,
        to_correct_total,
        with_warnings,
        with_warnings_total,
        drafts,
        drafts_total,
        missing: first_of(missing.entries).0,
        missing_total: missing.total,
        missing_required: missing.required,
        events: unread.events,
        events_total: unread.total,
        to_decide,
        to_decide_total,
        refused_uploads: queue.refused,
        sending,
        sending_total,
        uploads: queue.open,
        quotes,
        quotes_total,
        own_work,
        steps,
    })
}

/// The work assigned to the person at this desk; empty outside of an office.
async fn own_work(
    ctx: &Context,
    batches: &[BatchView],
    drafts: &[ReviewSummary],
    due: &[DueEntry],
) -> Result<Option<OwnWork>, BoundaryError> {
    if ctx.store().office().is_none() {
        return Ok(None);
    }
    let me = ctx.person();
    let is_own = |assigned: &Option<Assignment>| is_assigned(assigned.as_ref(), &me);
    let count = |own: usize| u32::try_from(own).unwrap_or(u32::MAX);
    let events =
        EventsRequest { unread: true, count: 1, assigned_to: Some(me.clone()), ..EventsRequest::default() };
    Ok(Some(OwnWork {
        drafts: count(drafts.iter().filter(|draft| is_open_draft(draft) && is_own(&draft.assigned)).count()),
        batches: count(
            batches
                .iter()
                .filter(|batch| (batch.needs_correction() || batch.asks) && is_own(&batch.assigned))
                .count(),
        ),
        events: events_list(ctx, events).await?.total,
        due_dates: count(due.iter().filter(|entry| is_own(&entry.assigned)).count()),
    }))
}

/// Whether it is still in preparation.
fn is_open_draft(draft: &ReviewSummary) -> bool {
    !draft.excluded
}

/// The first entries, and the number of all.
fn first_of<T>(all: impl IntoIterator<Item = T>) -> (Vec<T>, u32) {
    let mut all: Vec<T> = all.into_iter().collect();
    let total = u32::try_from(all.len()).unwrap_or(u32::MAX);
    all.truncate(LISTED as usize);
    (all, total)
}

/// The entries are sorted by day, so that the first one of a state has its earliest day.
fn due_by_state(entries: &[DueEntry]) -> Vec<StateDue> {
    let mut states: BTreeMap<&str, StateDue> = BTreeMap::new();
    for entry in entries {
        let Some(first) = &entry.due else { continue };
        if !matches!(entry.standing, DueUrgency::Overdue | DueUrgency::Soon) {
            continue;
        }
        let of = states.entry(&entry.state).or_insert_with(|| StateDue {
            state: entry.state.clone(),
            overdue: 0,
            soon: 0,
            first: first.clone(),
            title: entry.title.clone(),
        });
        match entry.standing {
            DueUrgency::Overdue => of.overdue += 1,
            _ => of.soon += 1,
        }
    }
    let mut states: Vec<StateDue> = states.into_values().collect();
    states.sort_by(|a, b| a.first.cmp(&b.first));
    states
}

fn recent_quotes(ctx: &Context, list: QuoteList) -> Vec<QuoteSummary> {
    let since = ctx.ports().clock.now() - TimeDelta::days(QUOTE_DAYS);
    let since = format_instant(since);
    let mut quotes: Vec<QuoteSummary> = list.saved.into_iter().chain(list.recent).collect();
    quotes.retain(|quote| quote.at >= since);
    quotes.sort_by(|a, b| b.at.cmp(&a.at));
    quotes
}
