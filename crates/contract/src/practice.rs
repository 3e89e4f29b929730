//! What is asked of the practice service apart from the contract \[ours]: the state's part played by the
//! person who trains, and a look behind the scenes. The client crate never asks it; the shells do, inside
//! the process.

use serde::{Deserialize, Serialize};

use crate::Jurisdiction;

/// Which transactions are meant: all that are named in any of the ways.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WhichTransactions {
    /// Of this account; the practice account where none is named.
    pub account: Option<String>,
    /// The service's own numbers.
    pub transaction_ids: Vec<i64>,
    /// The caller's own ids.
    pub ids: Vec<String>,
    pub batch_id: Option<String>,
}

/// What can be paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaidCharge {
    /// The surplus lines tax.
    SlTax,
    StampingFee,
    OtherTaxes,
}

impl PaidCharge {
    /// Every payment.
    pub const ALL: [PaidCharge; 3] = [PaidCharge::SlTax, PaidCharge::StampingFee, PaidCharge::OtherTaxes];
}

/// What the person of an account may do about API keys \[spec]: agency administrators generate their own, filing
/// agency administrators and support reset those of others too.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum AccountRole {
    /// Generates the account's own key.
    #[default]
    AgencyAdministrator,
    /// Also resets keys of other accounts.
    FilingAgencyAdministrator,
    /// Also resets keys of other accounts.
    Support,
    /// Works with the key that others generate.
    User,
}

impl AccountRole {
    /// Whether the account may make a new key for itself, or for another one.
    pub const fn may_make_key(self, is_own: bool) -> bool {
        match self {
            AccountRole::AgencyAdministrator => is_own,
            AccountRole::FilingAgencyAdministrator | AccountRole::Support => true,
            AccountRole::User => false,
        }
    }
}

/// An action on the practice service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum PracticeAction {
    /// Takes transactions to the state.
    File {
        which: WhichTransactions,
        /// 2 ready to file, 3 sent to the state, 4 filed; 4 where it is not said.
        status: Option<i64>,
        /// The day, `yyyy-mm-dd`; today by the service's clock where it is not said.
        date: Option<String>,
    },
    /// Marks charges as paid. One that is paid already, or that the transaction does not owe, stays.
    Pay {
        which: WhichTransactions,
        /// What was paid; none means all.
        #[serde(default)]
        charges: Vec<PaidCharge>,
        /// The day, `yyyy-mm-dd`; today by the service's clock where it is not said.
        date: Option<String>,
        /// The state's invoice; one is made up where it is not said.
        invoice_id: Option<String>,
    },
    /// Gives transactions the state's own number.
    AssignNumber {
        which: WhichTransactions,
        /// The number, for one transaction only; one is made up where it is not said.
        number: Option<String>,
    },
    /// Puts another stamp wording in the place of a state's.
    ChangeStampWording {
        state: Jurisdiction,
        /// Plain text, paragraphs separated by a blank line; none brings the rule's own wording back.
        text: Option<String>,
    },
    /// Outgoing mail, the newest first.
    ReadMail,
    /// What waits.
    LookAtQueue,
    /// How fast batches are processed, in real time; neither means as fast as it goes.
    SetSpeed {
        /// Rows a second; 0 pauses processing.
        rows_per_second: Option<u64>,
        /// Seconds a batch takes.
        seconds_per_batch: Option<u64>,
    },
    /// Makes the next requests fail. Names as in the fault list of `/practice/faults`.
    AddFault {
        /// The operation it is aimed at, such as `calculator`, or `any`.
        operation: String,
        /// What goes wrong, such as `error_before`.
        kind: String,
        /// How many requests.
        times: u32,
        /// For a delay, milliseconds of real time.
        #[serde(default)]
        delay_ms: u64,
    },
    /// Cancels the waiting faults.
    ClearFaults,
    /// Moves the service's clock by seconds; 0 only looks.
    MoveClock {
        /// Negative goes back.
        seconds: i64,
    },
    /// Which dialects there are, and which are spoken.
    ListDialects,
    /// Speaks these dialects and no others; none is the contract as it is.
    SetDialects { names: Vec<String> },
    /// Fails a batch that is being processed.
    FailBatch { batch_id: String },
    /// Makes a new API key for the practice account; the old one stops working at once.
    NewKey,
    /// What the practice account may do.
    ShowRole,
    /// Gives the practice account a role.
    SetRole { role: AccountRole },
}

/// A way in which another provider reads the same specification.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(default)]
pub struct PracticeDialect {
    /// The name it is chosen by.
    pub name: String,
    /// What the service does differently.
    pub sentence: String,
    /// Whether the service answers in it now.
    pub spoken: bool,
}

/// A transaction an action was for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ActedOn {
    /// The service's number.
    pub transaction_id: i64,
    /// The caller's own id.
    pub id: String,
    /// Why nothing was changed; none where something was.
    pub skipped: Option<String>,
}

/// A mail the service would have sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(default)]
pub struct OutgoingMail {
    /// Number of the mail.
    pub id: i64,
    /// Made from the account's username: nothing is sent anywhere.
    pub to: String,
    /// Subject line.
    pub subject: String,
    /// Plain text.
    pub text: String,
    /// RFC 3339, UTC, by the service's clock.
    pub sent_at: String,
}

/// A delivery that waits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct QueuedDelivery {
    /// Number of the delivery.
    pub id: i64,
    pub webhook_title: String,
    /// Identifier of the event.
    pub event: String,
    /// Such as `transaction 17`.
    pub subject: String,
    /// Failures so far.
    pub failures: u32,
    /// RFC 3339, UTC, by the service's clock.
    pub next_attempt_at: String,
}

/// A batch that waits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct QueuedBatch {
    pub batch_id: String,
    /// `queued` or `processing`.
    pub status: String,
    pub total_items: i64,
}

/// What an action came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum PracticeAnswer {
    /// Of [`PracticeAction::File`], `Pay` and `AssignNumber`.
    Transactions {
        /// How many were changed.
        changed: u32,
        /// Each, at most the first 1,000.
        transactions: Vec<ActedOn>,
    },
    /// Of [`PracticeAction::ReadMail`].
    Mail {
        /// At most 200, the newest first.
        mail: Vec<OutgoingMail>,
    },
    /// Of [`PracticeAction::LookAtQueue`].
    Queue {
        /// Batches on their way, at most 200.
        batches: Vec<QueuedBatch>,
        /// Deliveries on their way, all of them counted.
        deliveries_waiting: i64,
        /// The next ones, at most 200.
        deliveries: Vec<QueuedDelivery>,
        /// Faults that wait.
        faults: u32,
    },
    /// Of [`PracticeAction::MoveClock`].
    Clock {
        /// RFC 3339, UTC.
        now: String,
        /// Seconds by which it differs from the clock the service was started with.
        offset_seconds: i64,
    },
    /// Of [`PracticeAction::ListDialects`].
    Dialects { dialects: Vec<PracticeDialect> },
    /// Of [`PracticeAction::NewKey`]; shown this once.
    Key {
        /// The new key.
        api_key: String,
    },
    /// Of [`PracticeAction::ShowRole`].
    Role { role: AccountRole },
    /// Of everything else.
    Done {
        /// A sentence on what was done.
        text: String,
    },
}
