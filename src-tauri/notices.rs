//! A notice of the desktop when a batch ends, also when the window is behind others.
//!
//! The store is asked, not the worker of this process: another one may be sending (`bordereau import`).

use std::collections::HashSet;
use std::time::{Duration, Instant};

use bordereau_desk::api::{BatchState, BatchView, BoundaryError, DueNotice, EventView, Nothing};
use bordereau_desk::{Desk, EventLook, WATCH_EVERY};

use crate::desk_slot::DeskSlot;
use crate::notice_center::{self, DesktopNotice};

/// How often the outbox is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// How often due dates are looked at: the day may have changed.
const DUE_LOOK_EVERY: Duration = Duration::from_mins(10);

/// Looks at the outbox and at events as long as the program runs, and receives events meanwhile. `identifier` is
/// the program's, as its installer made it known to the system.
pub(crate) async fn watch_notices(slot: DeskSlot, identifier: String) {
    let mut watched = WatchedBatches::default();
    let mut events = EventLook::at_notices();
    let mut receiving = None;
    let mut next_due_look = Instant::now();
    loop {
        // First: the window's start has the processor to itself.
        tokio::time::sleep(LOOK_EVERY).await;
        if let Ok(desk) = slot.desk().await {
            receiving.get_or_insert_with(|| {
                desk.begin_auto_refresh();
                desk.begin_watch(WATCH_EVERY);
                desk.begin_events()
            });
            // Who looks at a locked window reads nothing of the data on the desktop either.
            let is_shown = !desk.is_locked().await.unwrap_or(true);
            let show = |notice| {
                if is_shown {
                    send_notice(notice, &identifier)
                }
            };
            match desk.events_since(&mut events).await {
                Ok(came) => of_events(&came).into_iter().for_each(show),
                Err(error) => tracing::debug!("events were not looked at: {}", error.message),
            }
            // While it is locked they wait: each is shown once.
            if is_shown && next_due_look <= Instant::now() {
                next_due_look = Instant::now() + DUE_LOOK_EVERY;
                match desk.due_notices().await {
                    Ok(due) => due
                        .into_iter()
                        .map(|DueNotice { title, text }| DesktopNotice { title, text })
                        .for_each(show),
                    Err(error) => tracing::debug!("due dates were not looked at: {}", error.message),
                }
            }
            match watched.ended_batches(desk).await {
                Ok(ended) => ended.into_iter().for_each(show),
                Err(error) => tracing::debug!("the outbox was not looked at: {}", error.message),
            }
        }
    }
}

/// Batches that were on their way when last looked at.
#[derive(Default)]
struct WatchedBatches {
    revision: Option<u32>,
    open: HashSet<String>,
}

impl WatchedBatches {
    /// The notices that are due; nothing at the first look, which only finds what is open.
    async fn ended_batches(&mut self, desk: &Desk) -> Result<Vec<DesktopNotice>, BoundaryError> {
        let revision = desk.outbox_status(Nothing {}).await?.revision;
        if self.revision == Some(revision) {
            return Ok(Vec::new());
        }
        let notices = self.compare_batches(&desk.batch_list(Nothing {}).await?.batches);
        self.revision = Some(revision);
        Ok(notices)
    }

    fn compare_batches(&mut self, batches: &[BatchView]) -> Vec<DesktopNotice> {
        let is_first = self.revision.is_none();
        let (ended, open): (Vec<_>, Vec<_>) = batches.iter().partition(|batch| batch.state.is_ended());
        let due = ended.iter().filter(|batch| self.open.contains(&batch.id) && !is_first);
        let notices = due.filter_map(|batch| batch_notice(batch)).collect();
        self.open = open.into_iter().map(|batch| batch.id.clone()).collect();
        notices
    }
}

/// A notice for each event, or one for all where there are many.
fn of_events(came: &[EventView]) -> Vec<DesktopNotice> {
    const EACH_MAX: usize = 3;
    if came.len() > EACH_MAX {
        let titles: Vec<&str> = came.iter().take(EACH_MAX).map(|event| event.title.as_str()).collect();
        let text = format!("{} and {} more", titles.join("; "), came.len() - EACH_MAX);
        return vec![DesktopNotice { title: format!("{} events", came.len()), text }];
    }
    let origin = |event: &EventView| {
        if event.received_at.is_some() { "Reported by the service." } else { "Found by asking the service." }
    };
    came.iter()
        .map(|event| DesktopNotice { title: event.title.clone(), text: origin(event).to_owned() })
        .collect()
}

/// No notice of what the person did: a canceled batch is known to be.
fn batch_notice(batch: &BatchView) -> Option<DesktopNotice> {
    let counts = batch.counts;
    let title = match batch.state {
        BatchState::Processed => format!("{} is processed", batch.name),
        BatchState::Failed => format!("{} was rejected", batch.name),
        _ => return None,
    };
    let mut parts = vec![format!("{} of {} accepted", counts.accepted + counts.warning, counts.total)];
    let correct = counts.error + counts.saved_incomplete + counts.not_sent;
    for (count, what) in [(counts.warning, "with warnings"), (correct, "to correct")] {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    Some(DesktopNotice { title, text: parts.join(", ") })
}

/// A desktop without notices is no trouble; the log says it.
fn send_notice(notice: DesktopNotice, identifier: &str) {
    let identifier = identifier.to_owned();
    tauri::async_runtime::spawn_blocking(move || {
        if let Err(error) = notice_center::show_notice(&notice, &identifier) {
            tracing::info!(title = notice.title, %error, "no desktop notice");
        }
    });
}

#[cfg(test)]
pub(crate) mod tests {
    use bordereau_desk::api::{BatchCounts, Environment, ReviewTotals};

    use super::*;

    pub(crate) fn batch(id: &str, state: BatchState) -> BatchView {
        BatchView {
            id: id.into(),
            name: "may.csv".into(),
            state,
            counts: BatchCounts { total: 10, accepted: 5, warning: 3, error: 2, ..BatchCounts::default() },
            to_correct: 2,
            open_warnings: 3,
            is_single: false,
            draft: None,
            assigned: None,
            totals: ReviewTotals::default(),
            profile: "Practice".into(),
            environment: Environment::Practice,
            batch_ids: Vec::new(),
            corrects: None,
            by: String::new(),
            created_at: String::new(),
            ended_at: None,
            per_second: None,
            seconds_left: None,
            trouble: String::new(),
            can_cancel: false,
            asks: false,
            evidence: Vec::new(),
            goes_on: false,
        }
    }

    #[test]
    fn a_batch_that_ends_is_told_once_and_old_ones_never() {
        use BatchState::{Canceled, Failed, Processed, Processing, Queued};
        let mut watched = WatchedBatches::default();
        let titles = |notices: Vec<DesktopNotice>| notices.into_iter().map(|n| n.title).collect::<Vec<_>>();
        let first = [batch("1", Processed), batch("2", Processing), batch("3", Queued), batch("4", Queued)];
        assert_eq!(
            titles(watched.compare_batches(&first)),
            Vec::<String>::new(),
            "what ended before is known"
        );
        watched.revision = Some(1);
        let then = [batch("1", Processed), batch("2", Processed), batch("3", Failed), batch("4", Canceled)];
        assert_eq!(titles(watched.compare_batches(&then)), ["may.csv is processed", "may.csv was rejected"]);
        assert_eq!(titles(watched.compare_batches(&then)), Vec::<String>::new(), "once");
        let told = batch_notice(&batch("1", Processed)).map(|n| n.text);
        assert_eq!(told.as_deref(), Some("8 of 10 accepted, 3 with warnings, 2 to correct"));
    }
}
