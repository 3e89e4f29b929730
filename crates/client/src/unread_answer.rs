//! Answers that were not understood, or not in all their parts: kept so that a person can look at them.

use std::collections::VecDeque;
use std::sync::OnceLock;

use bordereau_contract::AnswerLoss;
use parking_lot::Mutex;

use crate::transport::ServiceAnswer;

/// Bytes kept of a body.
const BODY_BYTES_MAX: usize = 64 * 1024;
/// Losses kept of one answer; how many there were is in [`UnreadAnswer::lost`].
const LOSSES_MAX: usize = 50;
/// Answers kept by a client.
const ANSWERS_MAX: usize = 16;
/// Headers that may carry a secret.
const SECRET_HEADERS: [&str; 5] = ["set-cookie", "authorization", "apikey", "www-authenticate", "location"];

/// An answer that was not understood, or not in all its parts. Free of secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnreadAnswer {
    /// The operation in words, such as `batch import`.
    pub operation: String,
    /// HTTP status.
    pub status: u16,
    /// Headers without those that may carry a secret.
    pub headers: Vec<(String, String)>,
    /// The body, at most 64 KiB of it; empty for a sign-in, whose body is a secret.
    pub body: String,
    /// Bytes of the whole body.
    pub body_bytes: u64,
    /// Parts that could not be read, at most 50; none where the answer as a whole was not understood.
    pub losses: Vec<AnswerLoss>,
    /// How many parts could not be read.
    pub lost: u64,
}

impl UnreadAnswer {
    pub(crate) fn of(answer: &ServiceAnswer, mut losses: Vec<AnswerLoss>) -> UnreadAnswer {
        let lost = losses.len() as u64;
        losses.truncate(LOSSES_MAX);
        let hidden = |text: &str| {
            let secrets = answer.secrets.iter().filter(|secret| secret.expose().len() >= 4);
            secrets.fold(text.to_owned(), |text, secret| text.replace(secret.expose(), "[hidden]"))
        };
        let headers = answer.headers.iter().filter(|(name, _)| !SECRET_HEADERS.contains(&name.as_str()));
        let body = if answer.is_secret { &[][..] } else { answer.body.as_slice() };
        for loss in &mut losses {
            loss.found = if answer.is_secret { String::new() } else { hidden(&loss.found) };
        }
        UnreadAnswer {
            operation: answer.operation.to_owned(),
            status: answer.status.as_u16(),
            headers: headers
                .map(|(name, value)| (name.to_string(), hidden(&String::from_utf8_lossy(value.as_bytes()))))
                .collect(),
            body: hidden(&String::from_utf8_lossy(&body[..body.len().min(BODY_BYTES_MAX)])),
            body_bytes: answer.body.len() as u64,
            losses,
            lost,
        }
    }
}

/// What hears of an answer that was not understood.
pub type UnreadObserver = Box<dyn Fn(UnreadAnswer) + Send + Sync>;

/// The last answers that were not understood.
#[derive(Default)]
pub(crate) struct UnreadAnswers(Mutex<VecDeque<UnreadAnswer>>, OnceLock<UnreadObserver>);

impl UnreadAnswers {
    pub(crate) fn observe(&self, observer: UnreadObserver) {
        let _ = self.1.set(observer);
    }

    pub(crate) fn keep(&self, answer: UnreadAnswer) {
        if let Some(observer) = self.1.get() {
            observer(answer.clone());
        }
        let mut kept = self.0.lock();
        kept.push_front(answer);
        kept.truncate(ANSWERS_MAX);
    }

    pub(crate) fn all(&self) -> Vec<UnreadAnswer> {
        self.0.lock().iter().cloned().collect()
    }
}
