//! Connections to endpoints: made to an address that was looked at, used for one delivery after the other, and
//! driven by the delivery itself, so that nothing has to be woken in between.

use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::{self, SendRequest};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// Connections kept open to one endpoint between deliveries: as many as are on their way to it.
const IDLE_MAX: usize = 32;
/// How long.
const IDLE_TIME: Duration = Duration::from_secs(60);
/// After this time the next address of a name is tried as well.
const NEXT_ADDRESS_TIME: Duration = Duration::from_millis(300);
/// Bytes of an answer's head and of what is read at once.
const READ_BYTES_MAX: usize = 64 * 1024;

/// What was to be sent.
pub(super) type Sent = Request<Full<Bytes>>;

type Driving = Pin<Box<dyn Future<Output = hyper::Result<()>> + Send>>;

/// A connection on which nothing is under way.
pub(super) struct Wire {
    sending: SendRequest<Full<Bytes>>,
    /// None once it has ended.
    driving: Option<Driving>,
}

/// Why there was no answer.
pub(super) enum Unanswered {
    /// The other side had closed it before anything was sent: the same may be sent on another one.
    Unsent(Box<Sent>),
    Failed(hyper::Error),
}

impl Wire {
    /// Speaks HTTP/1.1 over what was connected.
    pub(super) async fn over<T>(stream: T) -> hyper::Result<Wire>
    where
        T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let (sending, connection) =
            http1::Builder::new().max_buf_size(READ_BYTES_MAX).handshake(TokioIo::new(stream)).await?;
        Ok(Wire { sending, driving: Some(Box::pin(connection)) })
    }

    /// Sends a request and waits for the head of its answer.
    pub(super) async fn ask(&mut self, request: Sent) -> Result<Response<Incoming>, Unanswered> {
        let Wire { sending, driving } = self;
        let answered = sending.try_send_request(request);
        beside(driving, answered).await.map_err(|mut error| match error.take_message() {
            Some(request) => Unanswered::Unsent(Box::new(request)),
            None => Unanswered::Failed(error.into_error()),
        })
    }

    /// Reads an answer up to so many bytes; with whether that was all of it. What cannot be read is left out.
    pub(super) async fn beginning(&mut self, mut body: Incoming, most: usize) -> (Vec<u8>, bool) {
        let mut bytes = Vec::new();
        while bytes.len() <= most {
            match beside(&mut self.driving, body.frame()).await {
                Some(Ok(frame)) => {
                    let Ok(data) = frame.into_data() else { continue };
                    bytes.extend_from_slice(&data);
                }
                Some(Err(_)) => break,
                None => return (bytes, true),
            }
        }
        (bytes, false)
    }

    /// Whether another request can be sent on it.
    async fn is_good(&mut self) -> bool {
        let Wire { sending, driving } = self;
        beside(driving, sending.ready()).await.is_ok() && driving.is_some()
    }
}

/// Drives the connection while something on it is waited for.
async fn beside<T>(driving: &mut Option<Driving>, waited: impl Future<Output = T>) -> T {
    let mut waited = pin!(waited);
    poll_fn(|context| {
        if driving.as_mut().is_some_and(|driving| driving.as_mut().poll(context).is_ready()) {
            // Whoever waits on it is told by its end.
            *driving = None;
        }
        waited.as_mut().poll(context)
    })
    .await
}

/// Connections between deliveries, by scheme, host and port.
#[derive(Default)]
pub(super) struct Idle(Mutex<HashMap<String, Vec<(Instant, Wire)>>>);

impl Idle {
    fn kept(&self) -> MutexGuard<'_, HashMap<String, Vec<(Instant, Wire)>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The one that was used last.
    pub(super) fn take(&self, origin: &str) -> Option<Wire> {
        let (since, wire) = self.kept().get_mut(origin)?.pop()?;
        (since.elapsed() < IDLE_TIME).then_some(wire)
    }

    /// Keeps one on which an answer was read to its end.
    pub(super) async fn put(&self, origin: &str, mut wire: Wire) {
        if !wire.is_good().await {
            return;
        }
        let mut kept = self.kept();
        match kept.get_mut(origin) {
            Some(wires) if wires.len() < IDLE_MAX => wires.push((Instant::now(), wire)),
            Some(_) => {}
            None => {
                kept.insert(origin.to_owned(), vec![(Instant::now(), wire)]);
            }
        }
    }

    /// Closes those that nobody used for a while.
    pub(super) fn close_old(&self) {
        self.kept().retain(|_, wires| {
            wires.retain(|(since, _)| since.elapsed() < IDLE_TIME);
            !wires.is_empty()
        });
    }
}

/// Connects to the first of the addresses that answers.
pub(super) async fn connect(addresses: Vec<SocketAddr>) -> io::Result<TcpStream> {
    let mut failed = io::Error::from(io::ErrorKind::AddrNotAvailable);
    let mut untried = addresses.into_iter();
    let mut trying = JoinSet::new();
    loop {
        if let Some(address) = untried.next() {
            trying.spawn(TcpStream::connect(address));
        } else if trying.is_empty() {
            return Err(failed);
        }
        let others = untried.len() > 0;
        tokio::select! {
            Some(tried) = trying.join_next() => match tried {
                Ok(Ok(stream)) => {
                    stream.set_nodelay(true)?;
                    return Ok(stream);
                }
                Ok(Err(error)) => failed = error,
                Err(error) => failed = io::Error::other(error),
            },
            () = tokio::time::sleep(NEXT_ADDRESS_TIME), if others => {}
        }
    }
}
