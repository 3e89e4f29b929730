//! What others changed in a workspace, as its server tells it.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;
use tokio_postgres::AsyncMessage;

/// Names that are told apart; whoever may connect can say any.
const NAMES_MAX: usize = 32;
const NAME_BYTES_MAX: usize = 40;

/// What others changed, gathered by name until it is asked for. Cheap to clone; all clones are one.
#[derive(Clone, Debug, Default)]
pub struct ChangeNotices {
    turns: watch::Sender<ChangeTurns>,
    /// The process of the server that does this connection's own work.
    own_process: Arc<AtomicI32>,
}

/// As of which turn each name was changed last.
#[derive(Clone, Debug, Default)]
pub struct ChangeTurns {
    now: u32,
    of_everything: u32,
    of_names: BTreeMap<String, u32>,
}

impl ChangeTurns {
    /// The turn until now.
    pub fn now(&self) -> u32 {
        self.now
    }

    /// Whether this may have changed behind a turn.
    pub fn is_changed(&self, name: &str, behind: u32) -> bool {
        behind > self.now
            || self.of_everything > behind
            || self.of_names.get(name).is_some_and(|turn| *turn > behind)
    }
}

impl ChangeNotices {
    /// For whoever waits.
    pub fn subscribe(&self) -> watch::Receiver<ChangeTurns> {
        self.turns.subscribe()
    }

    /// Notices were missed: anything may have changed.
    pub(crate) fn note_everything(&self) {
        self.turns.send_modify(|turns| {
            turns.now = turns.now.saturating_add(1);
            turns.of_everything = turns.now;
            turns.of_names.clear();
        });
    }

    pub(crate) fn set_own_process(&self, process: i32) {
        self.own_process.store(process, Ordering::Relaxed);
    }

    fn note_change(&self, process: i32, name: &str) {
        if process == self.own_process.load(Ordering::Relaxed) || name.len() > NAME_BYTES_MAX {
            return;
        }
        self.turns.send_modify(|turns| {
            if turns.of_names.contains_key(name) || turns.of_names.len() < NAMES_MAX {
                turns.now = turns.now.saturating_add(1);
                turns.of_names.insert(name.to_owned(), turns.now);
            }
        });
    }

    /// Runs a connection until it ends, and notes what its server tells.
    pub(crate) async fn run_connection<S, T>(self, mut connection: tokio_postgres::Connection<S, T>)
    where
        S: AsyncRead + AsyncWrite + Unpin,
        T: AsyncRead + AsyncWrite + Unpin,
    {
        while let Some(message) = poll_fn(|context| connection.poll_message(context)).await {
            match message {
                Ok(AsyncMessage::Notification(notice)) => {
                    self.note_change(notice.process_id(), notice.payload())
                }
                Ok(_) => {}
                Err(error) => {
                    tracing::debug!(%error, "a connection to the office ended");
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_gathered_by_name_and_bounded() {
        let notices = ChangeNotices::default();
        notices.set_own_process(7);
        notices.note_change(7, "drafts");
        let turns = || notices.subscribe().borrow().clone();
        assert_eq!(turns().now(), 0, "this desk knows what it did itself");
        for _ in 0..3 {
            notices.note_change(8, "drafts");
        }
        let seen = turns().now();
        assert!(turns().is_changed("drafts", 0) && !turns().is_changed("batches", 0));
        assert!(!turns().is_changed("drafts", seen));
        notices.note_everything();
        assert!(turns().is_changed("batches", seen) && turns().is_changed("drafts", seen));
        assert!(turns().is_changed("batches", u32::MAX), "a turn of an earlier run says nothing");
        (0..1_000).for_each(|number| notices.note_change(8, &format!("name {number}")));
        notices.note_change(8, &"x".repeat(8_000));
        assert_eq!(turns().of_names.len(), NAMES_MAX);
    }
}
