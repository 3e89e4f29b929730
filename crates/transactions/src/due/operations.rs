//! The operations on due dates.

use bordereau_api::to_u32;
use std::collections::{BTreeSet, HashSet};

use bordereau_contract::{FOUND_CHARS, contains_words, parse_calendar_day, pluralize, shorten_text};
use bordereau_session::run_off_thread;
use chrono::NaiveDate;

use super::{entries, ics};
use crate::refresh::FOLLOWED_DAYS;
use crate::transaction_indexes::active_index;
use bordereau_api::*;
use bordereau_quotes::read_date;
use bordereau_session::ports::FileFilter;
use bordereau_session::profile::active_profile;
use bordereau_session::{Context, files};
use bordereau_store::Connection;
use bordereau_store::assignments::list_assignments;
use bordereau_store::batches::sent_rows::list_sent_numbers;
use bordereau_store::due_marks::{list_due_marks, mark_due};
use bordereau_transaction_index::records::list_missing_records;

/// Entries that are listed.
const LISTED: usize = 5_000;
/// Characters of a note.
const NOTE_MAX: usize = 500;
/// Bytes of an entry's id.
const ID_MAX: usize = 300;

/// What is due, overdue first.
///
/// # Errors
/// [`ErrorCode::Validation`] for a day that is none; [`ErrorCode::Storage`].
pub async fn due_list(ctx: &Context, request: DueRequest) -> Result<DueList, BoundaryError> {
    let by = parse_day(&request.by)?;
    let today = ctx.ports().clock.today();
    let (profile, index) = active_index(ctx).await?;
    let mut known = index.records_with_duties(today).await?;
    let found = index.ids_with_words(&request.search).await?;
    let id = profile.id.clone();
    let since = today.checked_sub_days(FOLLOWED_DAYS).unwrap_or(today);
    let read = move |db: &mut Connection| {
        let own = list_sent_numbers(db, &id, Some(since))?;
        Ok((list_due_marks(db, &id)?, list_assignments(db, WorkKind::DueDate, &id)?, own))
    };
    let (marks, mut assigned, own) = ctx.store().with_connection(read).await?;
    let not_loaded = index.file.read(move |db| list_missing_records(db, &own)).await?.len();
    let (transactions, rules) = (known.total, ctx.rules());
    let work = move || {
        let (mut all, unreadable) = entries::due_entries(&known.records, &marks, today, rules.calendar());
        all.iter_mut().for_each(|entry| entry.assigned = assigned.remove(&entry.id));
        let states: BTreeSet<String> = all.iter().map(|entry| entry.state.clone()).collect();
        let found = found.map(|ids| {
            known.records.retain(|record| ids.contains(&record.id));
            let of_found = entries::due_entries(&known.records, &marks, today, rules.calendar()).0;
            of_found.into_iter().map(|entry| entry.id).collect::<HashSet<_>>()
        });
        let marked = all.iter().filter(|entry| is_settled(entry)).count();
        let is_found = |entry: &DueEntry| {
            found.as_ref().is_none_or(|ids| ids.contains(&entry.id)) || has_words(entry, &request.search)
        };
        let mut fitting: Vec<DueEntry> =
            all.into_iter().filter(|entry| matches_request(entry, &request, by) && is_found(entry)).collect();
        let count = |standing| {
            let of = fitting.iter().filter(|entry| entry.standing == standing).count();
            to_u32(of)
        };
        DueList {
            today: today.to_string(),
            total: to_u32(fitting.len()),
            overdue: count(DueUrgency::Overdue),
            soon: count(DueUrgency::Soon),
            undated: count(DueUrgency::Undated),
            marked: to_u32(marked),
            states: states.into_iter().collect(),
            transactions,
            unreadable,
            gaps: gap_sentences(unreadable, not_loaded),
            entries: {
                fitting.truncate(LISTED);
                fitting
            },
        }
    };
    run_off_thread("looking for due dates", work).await
}

/// What a list of due dates can't have: transactions whose state, type or day is not understood, and those that were
/// sent from here and that no search has brought.
fn gap_sentences(unreadable: u32, not_loaded: usize) -> Vec<String> {
    let unknown = "the state, type, or effective date is missing or can't be read.";
    let unreadable = (unreadable > 0)
        .then(|| format!("Due dates unknown for {}: {unknown}", pluralize(unreadable, "transaction")));
    let not_loaded = (not_loaded > 0).then(|| {
        format!(
            "Due dates unknown for {} sent from here that the service hasn't returned yet. Fetch, or search for them by their days.",
            pluralize(not_loaded, "transaction")
        )
    });
    unreadable.into_iter().chain(not_loaded).collect()
}

/// The due dates as an iCalendar file, through the save dialog.
///
/// # Errors
/// As [`due_list`], and those of writing.
pub async fn due_export_ics(ctx: &Context, request: DueRequest) -> Result<FileOutcome, BoundaryError> {
    let text = due_ics(ctx, request).await?;
    let filter = FileFilter { name: "Calendar".into(), extensions: vec!["ics".into()] };
    files::save_through(ctx.ports(), "due dates.ics".into(), filter, text.into_bytes()).await
}

/// The same as text.
pub async fn due_ics(ctx: &Context, request: DueRequest) -> Result<String, BoundaryError> {
    let list = due_list(ctx, request).await?;
    Ok(ics::build_calendar(&list.entries, ctx.ports().clock.now()))
}

/// Marks a due date as done or as not ours, with a note, or opens it again.
///
/// # Errors
/// [`ErrorCode::Validation`] for an id that is none, a long note, or no reason; [`ErrorCode::ChangedElsewhere`] where
/// someone else marked it since it was read; [`ErrorCode::Storage`].
pub async fn due_mark(ctx: &Context, request: DueMark) -> Result<DueMarkSaved, BoundaryError> {
    let mark = DueMark { note: request.note.trim().to_owned(), ..request };
    let refused = |pointer: &str, message: &str| Err(BoundaryError::invalid_field(pointer, message));
    if mark.id.is_empty() || mark.id.len() > ID_MAX || !mark.id.bytes().all(|byte| byte.is_ascii_graphic()) {
        return refused("/id", "This isn't the id of a due date.");
    }
    if mark.note.chars().count() > NOTE_MAX {
        return refused("/note", &format!("The note is longer than {NOTE_MAX} characters. Shorten it."));
    }
    if mark.kind == DueMarkKind::NotOurs && mark.note.is_empty() {
        return refused("/note", "Enter the reason, such as who files it.");
    }
    let profile = active_profile(ctx).await?;
    let now = ctx.now_stamp();
    let revision = ctx.store().with_connection(move |db| mark_due(db, &profile.id, &mark, &now)).await?;
    Ok(DueMarkSaved { revision })
}

/// A person said that nothing is left to do.
fn is_settled(entry: &DueEntry) -> bool {
    entry.mark.as_ref().is_some_and(|mark| mark.kind != DueMarkKind::Open)
}

fn parse_day(text: &str) -> Result<Option<NaiveDate>, BoundaryError> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let wrong = || {
        let typed = shorten_text(text, FOUND_CHARS);
        let message = format!("\"{typed}\" is not a date. Enter it as 02/23/2026 or 2026-02-23.");
        BoundaryError::invalid_field("/by", message)
    };
    read_date(text.trim()).map(Some).ok_or_else(wrong)
}

fn has_words(entry: &DueEntry, typed: &str) -> bool {
    let note = entry.mark.as_ref().map_or("", |mark| mark.note.as_str());
    contains_words(&[&entry.state, &entry.title, &entry.policy_number, &entry.insured, note], typed)
}

fn matches_request(entry: &DueEntry, request: &DueRequest, by: Option<NaiveDate>) -> bool {
    let is_asked_state = request.states.is_empty()
        || request.states.iter().any(|state| state.trim().eq_ignore_ascii_case(&entry.state));
    let in_time =
        by.is_none_or(|by| entry.due.as_deref().and_then(parse_calendar_day).is_some_and(|due| due <= by));
    in_time
        && is_settled(entry) == request.marked
        && is_asked_state
        && (request.kinds.is_empty() || request.kinds.iter().any(|kind| kind.word() == entry.kind))
        && request.assigned_to.as_deref().is_none_or(|person| is_assigned(entry.assigned.as_ref(), person))
        && (request.transaction_id.is_empty() || request.transaction_id.trim() == entry.transaction_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_told() {
        assert!(gap_sentences(0, 0).is_empty());
        let both = gap_sentences(6, 1);
        assert!(both[0].starts_with("Due dates unknown for 6 transactions: the state"), "{both:?}");
        assert!(both[1].starts_with("Due dates unknown for 1 transaction sent from here"), "{both:?}");
    }
}
