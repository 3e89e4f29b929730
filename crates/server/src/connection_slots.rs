//! Places for connections. When all are taken, one that asks for nothing leaves for one that may: half-open and
//! idle connections of one stranger never keep others out. Only where every place is busy with a request is the
//! newcomer refused.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use parking_lot::Mutex;
use tokio::sync::Notify;

/// New connections answered with 503 at once; beyond them a connection is closed without an answer.
const REFUSED_MAX: usize = 64;

/// All places of a listener.
pub(crate) struct ConnectionSlots {
    places: usize,
    open: Mutex<OpenConnections>,
}

#[derive(Default)]
struct OpenConnections {
    next: u64,
    list: BTreeMap<u64, OpenConnection>,
}

struct OpenConnection {
    from: IpAddr,
    /// Since when no request of it is in progress; `None` while one is.
    waits_since: Option<Instant>,
    leave: Arc<Notify>,
}

/// One connection's place, given back when it is dropped.
pub(crate) struct ConnectionPlace {
    id: u64,
    places: Arc<ConnectionSlots>,
    leave: Arc<Notify>,
    has_asked: AtomicBool,
    /// Every place was busy: its request is refused.
    pub(crate) is_beyond: bool,
}

impl ConnectionSlots {
    pub(crate) fn new(places: usize) -> Arc<ConnectionSlots> {
        Arc::new(ConnectionSlots { places, open: Mutex::default() })
    }

    /// A place for a newcomer; `None` where not even a refusal can be said.
    pub(crate) fn admit_connection(self: &Arc<Self>, from: IpAddr) -> Option<ConnectionPlace> {
        let mut open = self.open.lock();
        if open.list.len() >= self.places
            && let Some(id) = open.find_dispensable()
            && let Some(connection) = open.list.remove(&id)
        {
            connection.leave.notify_one();
        }
        let taken = open.list.len();
        if taken >= self.places + REFUSED_MAX {
            return None;
        }
        let (id, leave) = (open.next, Arc::new(Notify::new()));
        open.next += 1;
        let connection =
            OpenConnection { from, waits_since: Some(Instant::now()), leave: Arc::clone(&leave) };
        open.list.insert(id, connection);
        let (has_asked, is_beyond) = (AtomicBool::new(false), taken >= self.places);
        Some(ConnectionPlace { id, places: Arc::clone(self), leave, has_asked, is_beyond })
    }

    /// Connections open now.
    pub(crate) fn open_connections(&self) -> usize {
        self.open.lock().list.len()
    }

    fn set_waiting(&self, id: u64, since: Option<Instant>) {
        if let Some(connection) = self.open.lock().list.get_mut(&id) {
            connection.waits_since = since;
        }
    }
}

impl OpenConnections {
    /// Of those without a request the one that waits longest, of the address that has most of them.
    fn find_dispensable(&self) -> Option<u64> {
        let waiting = || self.list.iter().filter_map(|(id, one)| Some((id, one.from, one.waits_since?)));
        let mut by_address: HashMap<IpAddr, usize> = HashMap::new();
        for (_, from, _) in waiting() {
            *by_address.entry(from).or_default() += 1;
        }
        let rank = |from: &IpAddr| by_address.get(from).copied().unwrap_or_default();
        waiting()
            .max_by(|(_, a, a_since), (_, b, b_since)| rank(a).cmp(&rank(b)).then(b_since.cmp(a_since)))
            .map(|(id, ..)| *id)
    }
}

impl ConnectionPlace {
    /// Keeps its place while this is held.
    pub(crate) fn begin_request(self: &Arc<Self>) -> RequestInProgress {
        self.has_asked.store(true, Ordering::Relaxed);
        self.places.set_waiting(self.id, None);
        RequestInProgress(Arc::clone(self))
    }

    /// Whether it ever had a request: one that had and is idle now is an ordinary client's.
    pub(crate) fn has_asked(&self) -> bool {
        self.has_asked.load(Ordering::Relaxed)
    }

    /// Returns when another connection gets its place.
    pub(crate) async fn wait_to_leave(&self) {
        self.leave.notified().await;
    }
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        self.places.open.lock().list.remove(&self.id);
    }
}

/// A request whose answer is not sent yet.
pub(crate) struct RequestInProgress(Arc<ConnectionPlace>);

impl Drop for RequestInProgress {
    fn drop(&mut self) {
        self.0.places.set_waiting(self.0.id, Some(Instant::now()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    #[test]
    fn a_waiting_connection_leaves_for_a_new_one() {
        let places = ConnectionSlots::new(3);
        let office = Arc::new(places.admit_connection(address(1)).unwrap());
        let strangers: Vec<_> = (0..2).map(|_| places.admit_connection(address(9)).unwrap()).collect();
        let next = places.admit_connection(address(2)).unwrap();
        assert!(!next.is_beyond, "it has the place of the stranger that waits longest");
        let open = |place: &ConnectionPlace| places.open.lock().list.contains_key(&place.id);
        assert!(open(&office) && !open(&strangers[0]) && open(&strangers[1]));

        let busy = office.begin_request();
        let last = places.admit_connection(address(9)).unwrap();
        assert!(open(&office) && !last.is_beyond, "a request is never cut for a newcomer");
        drop(busy);
    }

    #[test]
    fn where_every_place_is_busy_the_newcomer_is_refused() {
        let places = ConnectionSlots::new(2);
        let open: Vec<_> = (0..2).map(|_| Arc::new(places.admit_connection(address(1)).unwrap())).collect();
        let busy: Vec<_> = open.iter().map(ConnectionPlace::begin_request).collect();
        let beyond = places.admit_connection(address(2)).unwrap();
        assert!(beyond.is_beyond);
        let more: Vec<_> = (0..200).filter_map(|_| places.admit_connection(address(3))).collect();
        assert!(places.open.lock().list.len() <= 2 + REFUSED_MAX, "{}", more.len());
        drop((busy, beyond, more));
        assert!(!places.admit_connection(address(2)).unwrap().is_beyond, "and then it is answered again");
    }
}
