//! The practice panel: simulate the state's decisions and service failures, inspect the queue. Practice only.

pub use bordereau_contract::{AccountRole, OutgoingMail, PracticeDialect};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Something to do to the practice service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PracticeAct {
    /// The state accepts transactions: they are filed today, by the service's clock.
    File {
        /// The service's ids of whole batches.
        batches: Vec<String>,
        /// The service's numbers of transactions.
        transactions: Vec<String>,
    },
    /// Taxes and fees are paid today.
    Pay {
        /// The service's ids of whole batches.
        batches: Vec<String>,
        /// The service's numbers of transactions.
        transactions: Vec<String>,
    },
    /// The state gives its own numbers.
    AssignNumbers {
        /// The service's ids of whole batches.
        batches: Vec<String>,
        /// The service's numbers of transactions.
        transactions: Vec<String>,
    },
    /// A batch that is being processed fails as a whole.
    FailBatch {
        /// The service's id.
        batch: String,
    },
    /// A state's stamp gets another wording.
    StampWording {
        /// State code of two letters, such as `TX`.
        state: String,
        /// Plain text; empty restores the rule's own wording.
        text: String,
    },
    /// The next requests fail, whatever they are.
    SimulateFailures {
        /// The kind of failure.
        fault: PracticeFault,
        /// How many requests, 1 to 1,000.
        times: u32,
        /// For a delay: milliseconds, at most 600,000.
        delay_ms: u32,
    },
    /// Cancels the simulated failures.
    EndFailures {},
    /// The service answers as other providers read the specification.
    Dialects {
        /// Names of the list in [`PracticeState`]; none is the contract as it is.
        names: Vec<String>,
    },
    /// Batches are processed at this pace.
    Speed {
        /// Rows a second; 0 pauses processing, null is as fast as possible.
        rows_per_second: Option<u32>,
    },
    /// The account gets a new API key; the old one stops working at once.
    NewKey {},
    /// The account gets a role.
    Role { role: AccountRole },
    /// The service's clock goes on.
    MoveClock {
        /// Seconds; negative goes back.
        seconds: i32,
    },
}

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum PracticeFault {
    /// The answer comes late.
    Delay,
    /// Error 500 before anything was done.
    ErrorBefore,
    /// Everything is done, then error 500.
    ErrorAfter,
    /// Everything is done, then the connection is cut.
    Cut,
    /// 429 until the next minute begins.
    RateLimit,
    /// 200 with half a body.
    Malformed,
}

/// Something that waits in the service's queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PracticeWaiting {
    /// Number of a delivery, id of a batch.
    pub id: String,
    /// Its description.
    pub what: String,
    /// RFC 3339 UTC of the next attempt, by the service's clock; empty for a batch.
    pub due: String,
    /// Failures so far.
    pub failures: u32,
}

/// The practice service behind the scenes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PracticeState {
    /// The service's clock, RFC 3339 UTC.
    pub now: String,
    pub moved_seconds: i64,
    /// Batches on their way.
    pub batches: Vec<PracticeWaiting>,
    /// Deliveries on their way, the next ones first.
    pub deliveries: Vec<PracticeWaiting>,
    /// How many deliveries there are.
    pub deliveries_waiting: u32,
    /// Requests that will still fail.
    pub faults: u32,
    /// Outgoing mail, newest first.
    pub mail: Vec<OutgoingMail>,
    /// All dialects, with those that are spoken.
    pub dialects: Vec<PracticeDialect>,
    /// What the account may do about API keys.
    pub role: AccountRole,
}

/// The result of an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PracticeOutcome {
    /// In a sentence.
    pub text: String,
    /// The service afterwards.
    pub state: PracticeState,
    /// A new API key, shown only once; empty where none was made.
    pub secret: String,
}
