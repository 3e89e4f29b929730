//! Searching transactions by their dates (contract section 3): one page, or everything there is.
//!
//! A search that has more pages than can be asked for is split by its dates until every part fits. Pages come
//! side by side, a bounded number at a time; what is not taken is not asked for.

mod pages;
mod split_request;
mod stream;

use std::fmt;

use bordereau_contract::{SEARCH_PAGES_MAX, SearchAnswer, SearchRequest, TransactionRecord};
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, LINK};
use tokio::time::Instant;
use url::Url;

use crate::documents::fill_addresses;
use crate::transport::OutgoingRequest;
use crate::unread_answer::UnreadAnswer;
use crate::{Client, ClientError, ServiceOperation};

pub use stream::RecordSearch;

/// In which order records are handed out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchOrder {
    /// As the pages arrive: fastest, least memory.
    #[default]
    AsTheyCome,
    /// Page by page, and part by part of a split search from the earliest day on.
    ByPage,
}

/// How a search is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// Pages asked for side by side, at least 1.
    pub concurrent: usize,
    /// In which order records are handed out.
    pub order: SearchOrder,
    /// Pages of one search that can be asked for: 50 [pub, section 3].
    pub pages_max: u32,
}

impl Default for SearchOptions {
    fn default() -> Self {
        SearchOptions { concurrent: 12, order: SearchOrder::default(), pages_max: SEARCH_PAGES_MAX }
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchProgress {
    /// Records handed out so far, each once.
    pub records: u64,
    /// Records there are, as far as known; `None` before the first answer.
    pub of: Option<u64>,
    /// Answers read so far.
    pub answers: u64,
}

/// Some records of a search; perhaps none, where all of a page were there before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundRecords {
    /// Records not handed out before.
    pub records: Vec<TransactionRecord>,
    /// How far the search is with them.
    pub progress: SearchProgress,
}

/// A part of a search that could not be read to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchShortfall {
    /// What was asked.
    pub request: SearchRequest,
    /// Records the service says there are.
    pub of: u64,
    /// Records of it that came.
    pub records: u64,
    /// Why not all.
    pub reason: ShortfallReason,
}

/// Why a part of a search is not complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShortfallReason {
    /// More pages on a single day than the service gives out.
    TooManyOnOneDay,
    /// Records without these dates cannot be reached by splitting.
    WithoutDates,
    /// Records kept being added or taken away while it was read.
    Changing,
    /// The service gave out fewer than it announced.
    Missing,
    /// Every page shows the same records, and the service does not say how many there are.
    Repeated,
    /// The service says that there are pages before the first one, and returns none.
    BeforeFirst,
    /// Records came that cannot be read: see [`Client::unread_answers`].
    Unreadable,
}

impl fmt::Display for SearchShortfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SearchShortfall { of, records, .. } = self;
        match self.reason {
            ShortfallReason::TooManyOnOneDay => write!(
                f,
                "{of} transactions fall on one day, more than the service returns; {records} of them were read"
            ),
            ShortfallReason::WithoutDates => write!(
                f,
                "of {of} transactions {records} were read; the others have no dates by which they could be asked for"
            ),
            ShortfallReason::Changing => write!(
                f,
                "transactions were added or removed while they were read; {records} of {of} were read: search again"
            ),
            ShortfallReason::Repeated => write!(
                f,
                "the service shows the same {records} transactions on every page and does not say how many there are; there may be more"
            ),
            ShortfallReason::BeforeFirst => write!(
                f,
                "the service says that there are transactions before its first page and doesn't return them; {records} were read"
            ),
            ShortfallReason::Unreadable => {
                write!(
                    f,
                    "of {of} transactions {records} were read; the others came in a form that cannot be read"
                )
            }
            ShortfallReason::Missing => {
                write!(f, "the service announced {of} transactions and returned {records}")
            }
        }
    }
}

/// The next page of a `Link` header: `<address>; rel="next"`.
fn linked_page(headers: &HeaderMap) -> Option<String> {
    let links = headers.get_all(LINK).iter().filter_map(|header| header.to_str().ok());
    links.flat_map(|header| header.split(",")).find_map(|link| {
        let (address, rest) = link.trim().strip_prefix('<')?.split_once('>')?;
        let is_next = rest.split(';').any(|part| {
            part.trim()
                .strip_prefix("rel=")
                .is_some_and(|kind| kind.trim_matches('"').eq_ignore_ascii_case("next"))
        });
        is_next.then(|| address.to_owned())
    })
}

impl Client {
    /// One page of a search, from 1; past the end it is empty. Dates are sent with the earlier end first.
    /// Repeated after a failure: it changes nothing.
    pub async fn search_page(&self, request: &SearchRequest, page: u32) -> Result<SearchAnswer, ClientError> {
        self.search_numbered_page(&split_request::in_order(request), page.into(), None).await
    }

    /// A page by its number, or by the link that the page before it gave. Waiting for the limit of requests does not
    /// count against the call's own time.
    pub(crate) async fn search_numbered_page(
        &self,
        request: &SearchRequest,
        page: u64,
        link: Option<Url>,
    ) -> Result<SearchAnswer, ClientError> {
        let transport = &self.inner.transport;
        let config = &transport.config;
        let mut url = transport.base.endpoint_url(&config.paths.search)?;
        url.query_pairs_mut().append_pair("page", &page.to_string());
        let url = link.unwrap_or(url);
        let body = serde_json::to_vec(request).expect("dates serialize");
        let request = OutgoingRequest::post(ServiceOperation::Search, url, body, config.answer_bytes_max);
        let deadline = Instant::now() + config.timeouts.overall + config.limit_window;
        let mut answer = match self.inner.call_service(&request, deadline).await {
            Err(ClientError::Rejected { status: 204, .. }) => return Ok(SearchAnswer::default()),
            answer => answer?,
        };
        // An answer without content where nothing was found.
        if answer.status == StatusCode::NO_CONTENT {
            answer.body = b"[]".to_vec();
        }
        answer.wrap_list();
        let mut read = self.inner.understand::<SearchAnswer>(&answer)?;
        // An empty list is an answer, whatever else is in the body.
        let is_empty_list = || {
            serde_json::from_slice::<serde_json::Value>(&answer.body)
                .is_ok_and(|body| body["data"].as_array().is_some_and(Vec::is_empty))
        };
        let is_lost = read.value.data.is_empty() && read.losses.iter().any(|loss| !loss.is_record);
        if is_lost && !is_empty_list() {
            return Err(ClientError::Unreadable {
                status: answer.status.as_u16(),
                path: "data".to_owned(),
                detail: "neither transactions nor their number can be read".to_owned(),
                answer: Box::new(UnreadAnswer::of(&answer, read.losses)),
            });
        }
        read.value.data.iter_mut().for_each(fill_addresses);
        // Pages with numbers are asked for by number.
        let next = match read.value.next.trim() {
            "" => linked_page(&answer.headers),
            next => Some(next.to_owned()),
        };
        let next = next.and_then(|next| transport.base.own_link(&answer.url, &next));
        let number = (page + 1).to_string();
        let next =
            next.filter(|next| !next.query_pairs().any(|(name, value)| name == "page" && value == number));
        let next = next.filter(|next| next.query().is_some()).map(String::from).unwrap_or_default();
        Ok(SearchAnswer { losses: read.losses, next, ..read.value })
    }

    /// Everything a search finds, piece by piece: see [`RecordSearch::next`]. Nothing is sent before the first piece
    /// is asked for; dropping it ends it.
    pub fn search_transactions(&self, request: &SearchRequest, options: SearchOptions) -> RecordSearch {
        RecordSearch::new(self.clone(), split_request::in_order(request), options)
    }
}
