//! Requests that travel inside of this process instead of over the network: to a service that is part of a simulation.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use url::Url;

/// A request as it would leave.
#[derive(Clone, Debug)]
pub struct ExchangedRequest {
    /// `GET` or `POST`.
    pub method: String,
    /// Where it goes.
    pub url: Url,
    /// What it carries; empty for none.
    pub body: Vec<u8>,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExchangeFailure {
    /// Nothing has arrived there.
    NotReached,
    /// What arrived is not known.
    AnswerLost,
}

/// A status and a body, as JSON.
pub type ExchangedAnswer = Result<(u16, Vec<u8>), ExchangeFailure>;

/// Carries requests to a service inside of this process.
pub trait RequestExchange: Send + Sync {
    /// Carries one there, and its answer back.
    fn carry_request(
        &self,
        request: ExchangedRequest,
    ) -> Pin<Box<dyn Future<Output = ExchangedAnswer> + Send + '_>>;
}

/// What carries the requests of a client.
#[derive(Clone)]
pub struct SharedExchange(pub Arc<dyn RequestExchange>);

impl fmt::Debug for SharedExchange {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("inside of this process")
    }
}
