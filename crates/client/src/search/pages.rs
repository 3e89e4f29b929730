//! The pages of one part of a search: which to ask for next, and when all are there.

use std::collections::{BTreeMap, HashSet};

use bordereau_contract::{AnswerLoss, SearchAnswer, SearchRequest, TransactionRecord};
use url::Url;

/// Records added or taken away while a part is read shift the others from page to page, so that one may fall
/// between two pages. The part is then read once more, at most this often altogether.
const PASSES_MAX: u32 = 3;
/// Pages of a single day that are asked for at most, whatever the service announces: 100,000 records.
const DAY_PAGES_MAX: u64 = 2_000;

/// One part of a search.
pub(super) struct SearchPart {
    /// Tells it from the others for as long as the search lasts.
    pub(super) number: u64,
    pub(super) request: SearchRequest,
    /// Pages there are; unknown until the first was read.
    pages: Option<u64>,
    /// Records there are, as the first page of this pass said.
    total: u64,
    next: u64,
    again: Vec<u64>,
    outstanding: usize,
    /// Pages that wait for their turn.
    waiting: BTreeMap<u64, Vec<TransactionRecord>>,
    hand_out: u64,
    ids: HashSet<i64>,
    pass: u32,
    changed: bool,
    refused: bool,
    /// Records that came and could not be read.
    unread: u64,
    /// The service does not say how many there are.
    is_unannounced: bool,
    /// Then a page showed only what was on those before.
    repeats: bool,
    /// The link to the next page, of a service whose pages have no numbers, and which page that is.
    linked: Option<(u64, Url)>,
    /// The service says of page 1 that there is one before it, which is asked for as page 0.
    begins_at_zero: bool,
    /// It has no page 0.
    lacks_first: bool,
}

/// What an answer means for its part.
pub(super) enum PageOutcome {
    /// These records came.
    Records(Vec<TransactionRecord>),
    /// It has so many pages that it must be split first, if that is possible.
    TooMany {
        /// Pages there are.
        pages: u64,
        /// The answer, for where it is not.
        answer: SearchAnswer,
    },
}

impl SearchPart {
    pub(super) fn new(number: u64, request: SearchRequest) -> SearchPart {
        SearchPart {
            number,
            request,
            pages: None,
            total: 0,
            next: 1,
            again: Vec::new(),
            outstanding: 0,
            waiting: BTreeMap::new(),
            hand_out: 1,
            ids: HashSet::new(),
            pass: 1,
            changed: false,
            refused: false,
            unread: 0,
            is_unannounced: false,
            repeats: false,
            linked: None,
            begins_at_zero: false,
            lacks_first: false,
        }
    }

    /// Records the service says there are; `None` until the first page was read.
    pub(super) fn record_total(&self) -> Option<u64> {
        self.pages.map(|_| self.total.max(self.record_count()))
    }

    /// Different records that came.
    pub(super) fn record_count(&self) -> u64 {
        self.ids.len() as u64
    }

    /// Pages that came and wait for their turn.
    pub(super) fn waiting_pages(&self) -> usize {
        self.waiting.len()
    }

    /// The next page to ask for, if there is one now.
    pub(super) fn next_page(&mut self) -> Option<u64> {
        let page = match (self.again.pop(), self.pages) {
            (Some(page), _) => page,
            (None, None) if self.next == 1 => self.advance_page(),
            (None, Some(pages)) if self.next <= pages => self.advance_page(),
            _ => return None,
        };
        self.outstanding += 1;
        Some(page)
    }

    /// Where a page is, if its number is not what to ask for it by.
    pub(super) fn link_to(&self, page: u64) -> Option<Url> {
        self.linked.as_ref().filter(|(linked, _)| *linked == page).map(|(_, link)| link.clone())
    }

    fn advance_page(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    /// A page could not be read: it is asked for again when the search goes on.
    pub(super) fn mark_failed(&mut self, page: u64) {
        self.outstanding -= 1;
        self.again.push(page);
    }

    /// The service gives out no page from this one on.
    pub(super) fn ends_before(&mut self, page: u64) {
        self.outstanding -= 1;
        self.refused = true;
        self.shorten_to(page - 1);
    }

    fn shorten_to(&mut self, pages: u64) {
        self.pages = self.pages.map(|known| known.min(pages));
        self.again.retain(|page| *page <= pages);
    }

    /// A page came.
    pub(super) fn take_page(&mut self, page: u64, answer: SearchAnswer, pages_max: u64) -> PageOutcome {
        self.outstanding -= 1;
        if page == 0 {
            return PageOutcome::Records(self.page_records(page, answer));
        }
        if page == 1 && answer.has_page_before() && !std::mem::replace(&mut self.begins_at_zero, true) {
            self.again.push(0);
            self.hand_out = 0;
        }
        if !answer.next.is_empty() || self.link_to(page).is_some() {
            return PageOutcome::Records(self.take_linked(page, answer));
        }
        let mut found = answer.pagination;
        // Some services count the records of the page: that is not how many there are.
        if found.pages > 1 && found.total <= answer.data.len() as u64 {
            found.total = 0;
        }
        if !found.is_told() && !answer.data.is_empty() {
            return PageOutcome::Records(self.take_unannounced(page, answer));
        }
        // A number of records alone: each page is taken for as large as this one.
        let announced = match (found.page_count(), answer.data.len() as u64) {
            (0, per_page) if page == 1 && per_page > 0 => found.total.div_ceil(per_page),
            (count, _) => count,
        };
        if self.pages.is_none() {
            self.total = found.total;
            self.pages = Some(announced.clamp(1, DAY_PAGES_MAX));
            if announced > pages_max {
                return PageOutcome::TooMany { pages: announced, answer };
            }
        } else if found.is_told() && found.total != self.total {
            self.changed = true;
            self.pages = self.pages.map(|known| known.max(announced.min(DAY_PAGES_MAX)));
        }
        PageOutcome::Records(self.page_records(page, answer))
    }

    /// A page of a service that links each page to the next one: the last has no link.
    fn take_linked(&mut self, page: u64, answer: SearchAnswer) -> Vec<TransactionRecord> {
        let is_new = answer.data.iter().any(|record| !self.ids.contains(&record.id));
        let next = answer.next.parse().ok();
        self.total = self.total.max(answer.pagination.total);
        self.repeats = next.is_some() && !is_new;
        self.refused = next.is_some() && page == DAY_PAGES_MAX;
        let goes_on = next.is_some() && is_new && !self.refused;
        self.pages = Some(if goes_on { page + 1 } else { page });
        self.linked = next.map(|next| (page + 1, next));
        self.page_records(page, answer)
    }

    /// A page of a service that does not say how many there are: there is one more until nothing new comes.
    fn take_unannounced(&mut self, page: u64, answer: SearchAnswer) -> Vec<TransactionRecord> {
        let is_new = answer.data.iter().any(|record| !self.ids.contains(&record.id));
        let records = self.page_records(page, answer);
        self.is_unannounced = true;
        self.repeats |= !is_new;
        self.pages = Some(if is_new { (page + 1).min(DAY_PAGES_MAX) } else { page });
        self.total = self.record_count();
        records
    }

    /// The records of a page; an empty one is the end, whatever was announced.
    pub(super) fn page_records(&mut self, page: u64, answer: SearchAnswer) -> Vec<TransactionRecord> {
        // A part of a record that cannot be read, such as one of its documents, leaves the record.
        let is_whole = |loss: &&AnswerLoss| loss.is_record && !loss.path.contains('.');
        let unread = answer.losses.iter().filter(is_whole).count() as u64;
        self.unread += unread;
        if answer.data.is_empty() && unread == 0 && page > 1 {
            self.shorten_to(page);
        }
        self.ids.extend(answer.data.iter().map(|record| record.id));
        answer.data
    }

    /// Puts a page where it waits for its turn.
    pub(super) fn wait(&mut self, page: u64, records: Vec<TransactionRecord>) {
        self.waiting.insert(page, records);
    }

    /// The next page in order, if it is there. Where the service ended sooner than it announced there may be gaps.
    pub(super) fn hand_out(&mut self) -> Option<Vec<TransactionRecord>> {
        if !self.waiting.contains_key(&self.hand_out) && self.is_read() {
            self.hand_out = *self.waiting.keys().next()?;
        }
        let records = self.waiting.remove(&self.hand_out)?;
        self.hand_out += 1;
        Some(records)
    }

    /// Whether nothing more is to be asked for in this pass.
    fn is_read(&self) -> bool {
        let asked = self.pages.is_some_and(|pages| self.next > pages);
        asked && self.outstanding == 0 && self.again.is_empty()
    }

    /// Whether every page came; begins again where records moved meanwhile.
    pub(super) fn is_done(&mut self) -> bool {
        if !self.is_read() || !self.waiting.is_empty() {
            return false;
        }
        if self.changed && self.pass < PASSES_MAX {
            (self.pages, self.next, self.hand_out) = (None, 1, 1);
            (self.changed, self.pass, self.unread) = (false, self.pass + 1, 0);
            return false;
        }
        true
    }

    /// Whether records kept moving to the end.
    pub(super) fn is_changing(&self) -> bool {
        self.changed
    }

    /// Records that came and could not be read.
    pub(super) fn unread(&self) -> u64 {
        self.unread
    }

    /// The service has no such page: where it never said how many there are, that is the end. Whether it is.
    pub(super) fn ends_unannounced(&mut self, page: u64) -> bool {
        let ends = self.is_unannounced && page > 1;
        if ends {
            self.outstanding -= 1;
            self.shorten_to(page - 1);
        }
        ends
    }

    /// Page 0 is refused: what is before page 1 can't be asked for. Whether it is about that page.
    pub(super) fn misses_first(&mut self, page: u64) -> bool {
        if page == 0 {
            self.outstanding -= 1;
            self.lacks_first = true;
        }
        page == 0
    }

    /// Whether there is something before page 1 that can't be asked for.
    pub(super) fn lacks_first(&self) -> bool {
        self.lacks_first
    }

    /// Whether pages repeated those before, with no word how many there are.
    pub(super) fn is_repeating(&self) -> bool {
        self.repeats
    }

    /// Whether the service refused pages that it announced.
    pub(super) fn is_refused(&self) -> bool {
        self.refused
    }
}
