//! A search in progress: parts, pages in flight, records handed out once.

use std::collections::{HashSet, VecDeque};

use bordereau_contract::{SearchAnswer, SearchRequest, TransactionRecord};
use tokio::task::JoinSet;

use super::pages::{PageOutcome, SearchPart};
use super::{
    FoundRecords, SearchOptions, SearchOrder, SearchProgress, SearchShortfall, ShortfallReason, split_request,
};
use crate::{Client, ClientError};

/// What came of one page.
struct FetchedPage {
    part: u64,
    page: u64,
    outcome: Result<SearchAnswer, ClientError>,
}

/// A search in progress: see [`Client::search_transactions`].
pub struct RecordSearch {
    client: Client,
    options: SearchOptions,
    request: SearchRequest,
    /// Earliest days first.
    parts: VecDeque<SearchPart>,
    parts_made: u64,
    in_flight: JoinSet<FetchedPage>,
    ready: VecDeque<Vec<TransactionRecord>>,
    seen: HashSet<i64>,
    progress: SearchProgress,
    /// Records announced by the parts that are done.
    announced: u64,
    /// Records announced before the search was split, where that could lose some.
    announced_at_first: u64,
    shortfalls: Vec<SearchShortfall>,
    ended: bool,
}

impl RecordSearch {
    pub(super) fn new(client: Client, request: SearchRequest, options: SearchOptions) -> RecordSearch {
        RecordSearch {
            client,
            options,
            parts: VecDeque::from([SearchPart::new(0, request.clone())]),
            request,
            parts_made: 1,
            in_flight: JoinSet::new(),
            ready: VecDeque::new(),
            seen: HashSet::new(),
            progress: SearchProgress::default(),
            announced: 0,
            announced_at_first: 0,
            shortfalls: Vec::new(),
            ended: false,
        }
    }

    /// The next records; `None` at the end.
    ///
    /// May be dropped at any time without losing a record. After an error the search is not over: asked once
    /// more, it goes on with the page that failed.
    ///
    /// # Errors
    /// [`ClientError`] of the page that failed in spite of its retries.
    pub async fn next(&mut self) -> Option<Result<FoundRecords, ClientError>> {
        loop {
            if let Some(records) = self.ready.pop_front() {
                return Some(Ok(self.unique_records(records)));
            }
            self.request_pages();
            let Some(joined) = self.in_flight.join_next().await else {
                self.finish_search();
                return None;
            };
            match joined {
                Ok(page) => {
                    if let Err(error) = self.take_page(page) {
                        return Some(Err(error));
                    }
                }
                Err(ended) if ended.is_panic() => std::panic::resume_unwind(ended.into_panic()),
                // Only this search ends its tasks, and then it is dropped.
                Err(_) => {}
            }
        }
    }

    /// How far it is.
    pub fn progress(&self) -> SearchProgress {
        self.progress
    }

    /// What could not be read, as far as known; final once [`RecordSearch::next`] gave `None`.
    pub fn shortfalls(&self) -> &[SearchShortfall] {
        &self.shortfalls
    }

    /// Asks for pages until enough are on their way. What waits for its turn counts too, so that one slow page
    /// does not pile up all others.
    fn request_pages(&mut self) {
        let concurrent = self.options.concurrent.max(1);
        let waiting: usize = self.parts.iter().map(SearchPart::waiting_pages).sum();
        let room = concurrent.min((2 * concurrent).saturating_sub(waiting).max(1));
        while self.in_flight.len() < room {
            let next = self.parts.iter_mut().find_map(|part| Some((part.next_page()?, part)));
            let Some((page, part)) = next else { return };
            let (number, request, link) = (part.number, part.request.clone(), part.link_to(page));
            let client = self.client.clone();
            self.in_flight.spawn(async move {
                let outcome = client.search_numbered_page(&request, page, link).await;
                FetchedPage { part: number, page, outcome }
            });
        }
    }

    fn take_page(&mut self, FetchedPage { part, page, outcome }: FetchedPage) -> Result<(), ClientError> {
        let pages_max = u64::from(self.options.pages_max.max(1));
        // A part that was split has no page in flight.
        let mut parts = self.parts.iter_mut().enumerate();
        let Some((at, part)) = parts.find(|(_, known)| known.number == part) else { return Ok(()) };
        match outcome {
            Ok(answer) => {
                self.progress.answers += 1;
                let records = match part.take_page(page, answer, pages_max) {
                    PageOutcome::Records(records) => Some(records),
                    PageOutcome::TooMany { pages, answer } => {
                        match split_request::split_request(&part.request, pages, pages_max) {
                            Some(parts) => {
                                self.split_part(at, parts);
                                None
                            }
                            None => Some(part.page_records(page, answer)),
                        }
                    }
                };
                if let Some(records) = records {
                    self.place_records(at, page, records);
                }
            }
            // Beyond the pages there can be, the service may say so: then this is all it gives out.
            Err(ClientError::Rejected { .. }) if page > pages_max => part.ends_before(page),
            Err(ClientError::Rejected { .. }) if part.ends_unannounced(page) || part.misses_first(page) => {}
            Err(error) => {
                part.mark_failed(page);
                return Err(error);
            }
        }
        self.release_ready();
        Ok(())
    }

    fn place_records(&mut self, at: usize, page: u64, records: Vec<TransactionRecord>) {
        match self.options.order {
            SearchOrder::AsTheyCome => self.ready.push_back(records),
            SearchOrder::ByPage => {
                if let Some(part) = self.parts.get_mut(at) {
                    part.wait(page, records);
                }
            }
        }
    }

    fn split_part(&mut self, at: usize, requests: Vec<SearchRequest>) {
        let Some(whole) = self.parts.remove(at) else { return };
        if split_request::is_open(&whole.request) {
            self.announced_at_first = whole.record_total().unwrap_or_default();
        }
        self.progress.of = self.progress.of.max(whole.record_total());
        for (offset, request) in requests.into_iter().enumerate() {
            self.parts.insert(at + offset, SearchPart::new(self.parts_made, request));
            self.parts_made += 1;
        }
    }

    /// Hands out what has its turn and takes leave of the parts that are done.
    fn release_ready(&mut self) {
        let mut at = 0;
        while let Some(part) = self.parts.get_mut(at) {
            // In order only the first part has its turn.
            if at == 0 {
                while let Some(records) = part.hand_out() {
                    self.ready.push_back(records);
                }
            }
            if part.is_done() {
                if let Some(done) = self.parts.remove(at) {
                    self.close(&done);
                }
            } else {
                at += 1;
            }
        }
        let known: u64 = self.parts.iter().filter_map(SearchPart::record_total).sum();
        self.progress.of = self.progress.of.max(Some(self.announced + known));
    }

    fn close(&mut self, part: &SearchPart) {
        let of = part.record_total().unwrap_or_default();
        self.announced += of;
        let reason = match () {
            () if part.is_refused() => ShortfallReason::TooManyOnOneDay,
            () if part.is_changing() => ShortfallReason::Changing,
            () if part.lacks_first() => ShortfallReason::BeforeFirst,
            () if part.is_repeating() => ShortfallReason::Repeated,
            () if part.unread() > 0 => ShortfallReason::Unreadable,
            () if part.record_count() < of => ShortfallReason::Missing,
            () => return,
        };
        let request = part.request.clone();
        self.shortfalls.push(SearchShortfall { request, of, records: part.record_count(), reason });
    }

    fn finish_search(&mut self) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        let (of, records) = (self.announced_at_first, self.progress.records);
        if self.shortfalls.is_empty() && records < of {
            let (request, reason) = (self.request.clone(), ShortfallReason::WithoutDates);
            self.shortfalls.push(SearchShortfall { request, of, records, reason });
        }
    }

    /// Each record once.
    fn unique_records(&mut self, mut records: Vec<TransactionRecord>) -> FoundRecords {
        records.retain(|record| self.seen.insert(record.id));
        self.progress.records += records.len() as u64;
        FoundRecords { records, progress: self.progress }
    }
}
