//! Stores deliveries. Those that arrive while one is being written are committed together with the next: one disk
//! sync serves all of them, and no delivery is answered before its sync.

use tokio::sync::{mpsc, oneshot};

use super::EventInbox;
use super::parsed_event::parse_delivery;
use bordereau_session::Context;
use bordereau_session::profile::ServiceWords;
use bordereau_store::Store;
use bordereau_store::events::inbox::{Delivery, ParsedEvent, StoreOutcome, store_deliveries};

/// Deliveries in the queue; beyond them the sender waits too.
const WAITING_MAX: usize = 1_024;
/// Deliveries of one commit, and their bytes.
const TOGETHER_MAX: usize = 256;
const TOGETHER_BYTES_MAX: usize = 32 * 1024 * 1024;

type Waiting = ((Delivery, ParsedEvent), oneshot::Sender<Option<StoreOutcome>>);

/// Queue for the writer. Cheap to clone; the writer ends with the last clone.
#[derive(Clone)]
pub(super) struct DeliveryIntake {
    waiting: mpsc::Sender<Waiting>,
}

impl DeliveryIntake {
    /// Starts the writer.
    pub(super) fn start_intake(ctx: &Context) -> DeliveryIntake {
        let (waiting, deliveries) = mpsc::channel(WAITING_MAX);
        tokio::spawn(write(ctx.store().clone(), ctx.without_workers(), deliveries));
        DeliveryIntake { waiting }
    }

    /// The results for the events of a delivery once they are committed; `None` where one couldn't be stored.
    pub(super) async fn store_delivery(
        &self,
        delivery: Delivery,
        words: &ServiceWords,
    ) -> Option<Vec<StoreOutcome>> {
        let (mut stored, mut outcomes) = (Vec::new(), Vec::new());
        // Parsed here, in parallel: the writer only writes.
        for event in parse_delivery(delivery, words) {
            let (told, kept) = oneshot::channel();
            self.waiting.send((event, told)).await.ok()?;
            stored.push(kept);
        }
        for kept in stored {
            outcomes.push(kept.await.ok()??);
        }
        Some(outcomes)
    }
}

async fn write(store: Store, ctx: Context, mut deliveries: mpsc::Receiver<Waiting>) {
    while let Some(first) = deliveries.recv().await {
        let mut bytes = first.0.0.body.len();
        let (mut together, mut tell) = (vec![first.0], vec![first.1]);
        while together.len() < TOGETHER_MAX
            && bytes < TOGETHER_BYTES_MAX
            && let Ok((arrival, told)) = deliveries.try_recv()
        {
            bytes += arrival.0.body.len();
            together.push(arrival);
            tell.push(told);
        }
        match store.run_durably(move |connection| store_deliveries(connection, &together, None)).await {
            Ok(kept) => {
                EventInbox::from_context(&ctx).announce_change();
                for (told, kept) in tell.into_iter().zip(kept) {
                    // A sender that hung up sends again; the repeat is recognized.
                    let _ = told.send(Some(kept));
                }
            }
            Err(error) => {
                tracing::warn!(%error, "events were not stored");
                for told in tell {
                    let _ = told.send(None);
                }
            }
        }
    }
}
