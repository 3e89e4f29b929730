//! Following a listener of one's own (`bordereau listen`): server-sent events with a token of its own.
//!
//! It is no part of the service's interface: no credential of the profile ever goes there.

use std::time::Duration;

use reqwest::Response;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::redirect::Policy;
use tokio::time::{Instant, timeout, timeout_at};
use url::Url;

use crate::address::{host_and_port, is_loopback};
use crate::transport_error::{ErrorContext, root_cause};
use crate::trust::ProfileTrust;
use crate::{ClientError, Secret, Timeouts, connection};

/// Bytes of the longest entry: the largest event in base64, and the lines around it.
const ENTRY_BYTES_MAX: usize = 24 * 1024 * 1024;

/// How long a listener is waited for.
#[derive(Clone, Copy, Debug)]
pub struct FeedPatience {
    /// Until it answers whether it can be followed.
    pub answer: Duration,
    /// From one sign of life to the next; it sends one every 15 seconds.
    pub silence: Duration,
    /// From the first byte of an entry to its last: a minute for every 2 MB of the longest.
    pub entry: Duration,
}

impl Default for FeedPatience {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        FeedPatience { answer: seconds(45), silence: seconds(45), entry: seconds(12 * 60) }
    }
}

/// Where a listener is.
#[derive(Clone)]
pub struct FeedConfig {
    /// `https://...`, or `http:` on this computer; `/follow` is put behind it.
    pub address: String,
    /// What it lets in.
    pub token: Secret,
    /// The last entry that was kept; it goes on behind it.
    pub last_id: Option<i64>,
    /// A CA to trust beside the operating system's.
    pub extra_ca_pem: Option<String>,
    /// How long it is waited for.
    pub patience: FeedPatience,
}

/// An entry of a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedEntry {
    /// Its number, to go on behind it.
    pub id: i64,
    /// Its content.
    pub data: String,
}

/// A feed that is followed.
pub struct EventStream {
    response: Response,
    host: String,
    buffer: FeedBuffer,
    entry_time: Duration,
    /// When the first byte of the entry came that is not whole.
    begun: Option<Instant>,
    last_id: i64,
}

/// What has come of a feed and was not read yet.
#[derive(Default)]
pub struct FeedBuffer {
    bytes: Vec<u8>,
    /// Where what was not read yet begins.
    unread: usize,
    /// How far it was looked through.
    seen: usize,
}

/// Whether a listener can be followed there.
///
/// # Errors
/// [`ClientError::InsecureAddress`] without TLS on another computer, [`ClientError::BadAddress`].
pub fn check_feed_address(address: &str) -> Result<(), ClientError> {
    url_of(address).map(|_| ())
}

fn url_of(address: &str) -> Result<Url, ClientError> {
    let bad =
        |reason: &str| ClientError::BadAddress { address: address.to_owned(), reason: reason.to_owned() };
    let mut url = Url::parse(address).map_err(|error| bad(&error.to_string()))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(ClientError::BadAddress {
            address: host_and_port(&url),
            reason: "a username or password does not belong in an address".to_owned(),
        });
    }
    match url.scheme() {
        "https" => {}
        "http" if is_loopback(&url) => {}
        "http" => return Err(ClientError::InsecureAddress { address: host_and_port(&url) }),
        _ => return Err(bad("https:// is expected")),
    }
    url.set_query(None);
    url.set_fragment(None);
    url.path_segments_mut().map_err(|()| bad("it has no path"))?.pop_if_empty().push("follow");
    Ok(url)
}

/// The profile's own client speaks TLS only; a listener on this computer may do without.
fn build(trust: &ProfileTrust, timeouts: &Timeouts, url: &Url) -> Result<reqwest::Client, ClientError> {
    if url.scheme() == "https" {
        return connection::build(trust, timeouts, is_loopback(url));
    }
    let builder = reqwest::Client::builder()
        .tls_backend_preconfigured(trust.tls_config()?)
        .redirect(Policy::none())
        .no_proxy()
        .connect_timeout(timeouts.connect)
        .read_timeout(timeouts.read);
    builder.build().map_err(|error| ClientError::BadTrust { reason: error.without_url().to_string() })
}

impl EventStream {
    /// Connects to a listener.
    ///
    /// # Errors
    /// [`ClientError::NotAuthorized`] for a wrong token; others as everywhere.
    pub async fn open(config: FeedConfig) -> Result<EventStream, ClientError> {
        let url = url_of(&config.address)?;
        let host = host_and_port(&url);
        let patience = config.patience;
        let timeouts = Timeouts { read: patience.silence, ..Timeouts::default() };
        let trust = ProfileTrust::new(config.extra_ca_pem.as_deref(), &url)?;
        let http = build(&trust, &timeouts, &url)?;
        let mut bearer = HeaderValue::from_str(&format!("Bearer {}", config.token.expose()))
            .map_err(|_| ClientError::BadCredential { what: "the listener's token".to_owned() })?;
        bearer.set_sensitive(true);
        let mut request =
            http.get(url.clone()).header(AUTHORIZATION, bearer).header(ACCEPT, "text/event-stream");
        if let Some(last) = config.last_id {
            request = request.header("last-event-id", last);
        }
        let name = url.host_str().unwrap_or_default();
        let place = ErrorContext { host: &host, name, trust: &trust, timeouts: &timeouts };
        // Interim answers and lines of a head could come without end.
        let Ok(answered) = timeout(patience.answer, request.send()).await else {
            return Err(ClientError::Timeout { host, waited: patience.answer });
        };
        let response = answered.map_err(|error| place.describe_error(error))?;
        let kind = response.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
        match response.status().as_u16() {
            200 if kind.starts_with(b"text/event-stream") => Ok(EventStream {
                response,
                host,
                buffer: FeedBuffer::default(),
                entry_time: patience.entry,
                begun: None,
                last_id: 0,
            }),
            status @ (401 | 403) => {
                let text = "the listener does not know this token".to_owned();
                Err(ClientError::NotAuthorized { status, text })
            }
            status => Err(ClientError::Rejected {
                status,
                text: format!("{host} isn't a listener that can be followed"),
                problems: Vec::new(),
            }),
        }
    }

    /// The next entry; `None` when the listener ended. Waits as long as it shows signs of life.
    ///
    /// # Errors
    /// [`ClientError::Interrupted`] when the connection breaks or falls silent, an entry does not come to its end, or
    /// one has no number behind that of the last; [`ClientError::TooLarge`].
    pub async fn next(&mut self) -> Result<Option<FeedEntry>, ClientError> {
        loop {
            let before = self.buffer.unread;
            if let Some(entry) = self.buffer.next_entry()? {
                self.begun = None;
                if entry.id <= self.last_id {
                    return Err(self.interrupted("an entry has no number behind the one before".to_owned()));
                }
                self.last_id = entry.id;
                return Ok(Some(entry));
            }
            if self.buffer.is_empty() || self.buffer.unread > before {
                self.begun = None;
            }
            let begun = *self.begun.get_or_insert_with(Instant::now);
            let Ok(piece) = timeout_at(begun + self.entry_time, self.response.chunk()).await else {
                return Err(self.interrupted("an entry did not come to its end".to_owned()));
            };
            match piece.map_err(|error| self.interrupted(root_cause(&error.without_url())))? {
                Some(piece) => self.buffer.add_piece(&piece),
                None => return Ok(None),
            }
        }
    }

    fn interrupted(&self, reason: String) -> ClientError {
        ClientError::Interrupted { host: self.host.clone(), reason }
    }
}

impl FeedBuffer {
    /// The next piece, as it came.
    pub fn add_piece(&mut self, piece: &[u8]) {
        self.bytes.drain(..self.unread);
        self.seen -= self.unread;
        self.unread = 0;
        self.bytes.extend_from_slice(piece);
    }

    /// Whether nothing of an entry is here.
    fn is_empty(&self) -> bool {
        self.bytes.len() == self.unread
    }

    /// The next entry that is whole; `None` where more has to come.
    ///
    /// # Errors
    /// [`ClientError::TooLarge`] where what came is longer than any entry and none of it is whole.
    pub fn next_entry(&mut self) -> Result<Option<FeedEntry>, ClientError> {
        while let Some(block) = self.next_block() {
            if let Some(entry) = read_entry(&block) {
                return Ok(Some(entry));
            }
        }
        if self.bytes.len() - self.unread > ENTRY_BYTES_MAX {
            return Err(ClientError::TooLarge { limit_bytes: ENTRY_BYTES_MAX as u64 });
        }
        Ok(None)
    }

    /// The text before the next empty line.
    fn next_block(&mut self) -> Option<String> {
        let from = self.unread.max(self.seen.saturating_sub(1));
        let found = self.bytes.get(from..)?.windows(2).position(|pair| pair == b"\n\n");
        let Some(at) = found else {
            self.seen = self.bytes.len();
            return None;
        };
        let end = from + at + 2;
        let block = String::from_utf8_lossy(self.bytes.get(self.unread..end)?).into_owned();
        (self.unread, self.seen) = (end, end);
        Some(block)
    }
}

/// An entry, whose number is 0 where it cannot be read; a comment is none.
fn read_entry(block: &str) -> Option<FeedEntry> {
    let (mut id, mut data) = (0, None::<String>);
    for line in block.lines() {
        if let Some(number) = line.strip_prefix("id:") {
            id = number.trim().parse().unwrap_or_default();
        } else if let Some(text) = line.strip_prefix("data:") {
            data.get_or_insert_default().push_str(text.strip_prefix(' ').unwrap_or(text));
        }
    }
    Some(FeedEntry { id, data: data? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listener_elsewhere_is_followed_over_tls_only() {
        let cases = [
            ("https://events.example.org", true),
            ("https://events.example.org/bordereau/", true),
            ("http://127.0.0.1:4000", true),
            ("http://localhost:4000", true),
            ("http://events.example.org", false),
            ("http://127.0.0.1.example.org", false),
            ("https://user:word@events.example.org", false),
            ("ftp://events.example.org", false),
            ("events.example.org", false),
        ];
        for (address, fits) in cases {
            assert_eq!(check_feed_address(address).is_ok(), fits, "{address}");
        }
        let url = |address: &str| url_of(address).map(|url| url.to_string()).unwrap_or_default();
        assert_eq!(url("https://e.example/base/"), "https://e.example/base/follow");
        assert_eq!(url("https://e.example"), "https://e.example/follow");
    }

    #[test]
    fn entries_are_read_and_signs_of_life_are_not() {
        assert_eq!(read_entry(": follows\n\n"), None);
        assert_eq!(read_entry("id: 7\nevent: delivery\n\n"), None);
        let no_number = FeedEntry { id: 0, data: "{}".into() };
        assert_eq!(read_entry("event: delivery\ndata: {}\n\n"), Some(no_number.clone()));
        assert_eq!(read_entry("id: 99999999999999999999\ndata: {}\n\n"), Some(no_number));
        let entry = FeedEntry { id: 7, data: "{}".into() };
        assert_eq!(read_entry("id: 7\nevent: delivery\ndata: {}\n\n"), Some(entry));
    }
}
