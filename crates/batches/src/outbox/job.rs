//! Jobs: a part of a batch, or a document, which one engine sends.

use std::time::Duration;

use bordereau_api::{BoundaryError, Environment};
use bordereau_client::{Client, ClientError};
use bordereau_contract::{TransactionRecord, TransactionStatus};
use bordereau_session::Context;
use bordereau_session::failure::{capitalize_first, end_sentence};
use bordereau_session::profile::{ServiceWords, address_origin, open_session, profile_by_id};
use bordereau_store::batches::outcome::RowOutcome;
use bordereau_store::{Destination, Store, StoreError};
use tokio::time::Instant;

use super::OutboxPace;

/// A job of the outbox. Each step is a state in the store, committed before the next one begins.
pub trait OutboxJob: Clone + Send + Sync + 'static {
    /// Prefix of the lock name for jobs of this kind in an office's database.
    const KIND: &'static str;

    /// Identifies the job among those of its kind.
    fn key(&self) -> (i64, i64);
    /// The service and environment confirmed for it.
    fn destination(&self) -> &Destination;
    /// Its priority.
    fn rank(&self) -> JobRank;
    /// Whether it may be sent at the same time as these jobs of the same profile.
    fn fits(&self, running: &[&Self], pace: &OutboxPace) -> bool;
    /// Milliseconds for which it was looked up while the service answered.
    fn observed_ms(&self) -> i64;
    /// Why it is looked up, as the start of a sentence.
    fn lost_reason(&self, store: &Store) -> &'static str;

    /// All jobs that haven't ended and don't wait for a person's decision, the oldest first.
    fn open(store: &Store) -> impl Future<Output = Result<Vec<Self>, StoreError>> + Send;
    /// Marks jobs as unknown that were being sent when an earlier process ended; called once no one else sends them.
    /// Does all of them, or only the one with this key.
    fn recover(
        ctx: &Context,
        only: Option<(i64, i64)>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;
    /// Takes one step.
    fn step(
        &self,
        ctx: &Context,
        memory: &mut JobMemory,
    ) -> impl Future<Output = Result<JobProgress, ServiceTrouble>> + Send;
    /// Stores the reason why it waits, as a sentence.
    fn keep_message(
        &self,
        store: &Store,
        text: String,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Adds to the time for which it was looked up.
    fn add_observed(&self, store: &Store, ms: i64) -> impl Future<Output = Result<(), StoreError>> + Send;
    /// Looks it up at the service and adopts what is found; returns whether anything was.
    fn look_up(
        &self,
        ctx: &Context,
        service: &Service,
    ) -> impl Future<Output = Result<bool, ServiceTrouble>> + Send;
    /// Concludes from all lookups together whether it arrived.
    fn judge_delivery(
        &self,
        ctx: &Context,
        service: &Service,
    ) -> impl Future<Output = Result<DeliveryProof, ServiceTrouble>> + Send;
    /// Sends it again with the same ids, after proof that the service doesn't have it.
    fn send_again(&self, ctx: &Context) -> impl Future<Output = Result<(), ServiceTrouble>> + Send;
    /// Makes it wait for a person's decision; `hint` is what the service showed that may be it.
    fn wait_for_decision(
        &self,
        ctx: &Context,
        hint: String,
    ) -> impl Future<Output = Result<(), ServiceTrouble>> + Send;
}

/// Priority of jobs: lost ones before waiting ones, results last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JobRank {
    /// Its answer was lost.
    Lost,
    /// It waits to be sent for the first time, or again.
    Waiting,
    /// The service has accepted it; its results are fetched.
    Taken,
}

/// What all lookups together prove about a job whose answer was lost.
pub enum DeliveryProof {
    /// The service doesn't have it: the same questions do find records that it is known to have.
    Absent,
    /// The service has it, or some of it, which was adopted.
    Adopted,
    /// Nothing is proven. The text is what the service showed that may be it, or empty.
    Unproven(String),
}

/// Result of one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobProgress {
    /// It moved on; the next step follows.
    Moved,
    /// Nothing new: ask again, after a pause that grows each time.
    Waits,
    /// Not found yet: look it up again after `recheck_pause`.
    Recheck,
    /// Another desk of the office works on it.
    Elsewhere,
}

/// Why a step could not be done now.
pub struct ServiceTrouble {
    /// A sentence for the person.
    pub text: String,
    /// Wait at least this long.
    pub pause: Option<Duration>,
    /// The service can't be used at all: every job of the profile waits, not just this one.
    pub is_everywhere: bool,
    /// The service refuses the key, the sign-in or the account.
    pub is_refused: bool,
}

impl ServiceTrouble {
    /// Trouble that concerns this job only.
    pub fn of_job(text: String) -> ServiceTrouble {
        ServiceTrouble { text, pause: None, is_everywhere: false, is_refused: false }
    }
}

impl From<&ClientError> for ServiceTrouble {
    fn from(error: &ClientError) -> ServiceTrouble {
        let said = end_sentence(&capitalize_first(&error.to_string()));
        let (advice, pause) = match error {
            ClientError::RateLimited { retry_after } => ("It goes on by itself then.", Some(*retry_after)),
            ClientError::NotCounted { .. } => ("Sending continues once it can be used.", None),
            ClientError::NotAuthorized { .. }
            | ClientError::NoCredentials
            | ClientError::SignInAgain { .. } => {
                ("Sending continues once the profile has a valid key or sign-in.", None)
            }
            ClientError::NotPermitted { .. } => {
                ("Ask the provider whether the account is active. Sending continues once it is.", None)
            }
            ClientError::Offline { .. } | ClientError::Interrupted { .. } | ClientError::Timeout { .. } => {
                ("Sending continues when the service responds.", None)
            }
            ClientError::Unreadable { .. } | ClientError::TooLarge { .. } => (
                "The service responded; Bordereau will ask again. If this keeps happening, contact the provider.",
                None,
            ),
            _ => ("Bordereau will try again.", None),
        };
        // An answer about one job doesn't hold up the others.
        let is_everywhere = !matches!(
            error,
            ClientError::Unreadable { .. }
                | ClientError::Rejected { .. }
                | ClientError::NotPermitted { .. }
                | ClientError::ServiceFailed { .. }
        );
        let is_refused = matches!(
            error,
            ClientError::NotAuthorized { .. }
                | ClientError::NoCredentials
                | ClientError::SignInAgain { .. }
                | ClientError::NotPermitted { .. }
        );
        ServiceTrouble { text: format!("{said} {advice}"), pause, is_everywhere, is_refused }
    }
}

impl From<ClientError> for ServiceTrouble {
    fn from(error: ClientError) -> ServiceTrouble {
        ServiceTrouble::from(&error)
    }
}

impl From<BoundaryError> for ServiceTrouble {
    fn from(error: BoundaryError) -> ServiceTrouble {
        ServiceTrouble::of_job(error.message)
    }
}

impl From<StoreError> for ServiceTrouble {
    fn from(error: StoreError) -> ServiceTrouble {
        BoundaryError::from(error).into()
    }
}

/// What this process remembers about a job between steps.
#[derive(Debug, Default)]
pub struct JobMemory {
    /// Lookups in a row that didn't find it.
    pub not_found: u32,
    /// Time during which the service answered that nothing is new.
    pub observed: Duration,
    last_look: Option<Instant>,
}

impl JobMemory {
    /// The time since the last lookup, counted only while this program ran and the service answered. Of a long
    /// pause, such as when the machine slept, at most `most` counts.
    pub fn observe(&mut self, most: Duration) -> Duration {
        let now = Instant::now();
        let passed = self.last_look.replace(now).map_or(Duration::ZERO, |last| (now - last).min(most));
        self.observed += passed;
        passed
    }

    /// The service couldn't be asked: the time until it answers again doesn't count.
    pub fn interrupt(&mut self) {
        self.last_look = None;
    }
}

/// The service that a job goes to, ready for requests.
pub struct Service {
    /// Its client.
    pub client: Client,
    /// It is the practice service, which answers every question.
    pub is_practice: bool,
    /// The meanings of the service's own words.
    pub words: ServiceWords,
}

impl Service {
    /// The outcome of a row whose record a lookup found.
    pub fn row_outcome(&self, record: &TransactionRecord, question: &str) -> RowOutcome {
        let status = self.words.transaction_status(&record.transaction_status);
        RowOutcome::of_record(record, question, status)
    }

    /// Whether a record is shown as one that was just imported would be: what is filed may be in a list of its own.
    pub fn is_fresh(&self, record: &TransactionRecord) -> bool {
        let filed = TransactionStatus::Filed.wire_number();
        record.transaction_status != filed.into() && !self.row_outcome(record, "").is_filed
    }
}

/// The service a job was confirmed for. Refused where its profile now points to another address or environment.
pub async fn service_of(ctx: &Context, destination: &Destination) -> Result<Service, ServiceTrouble> {
    let profile = profile_by_id(ctx, &destination.profile_id).await?;
    let back = "change the profile back, or cancel it and send it again";
    if profile.environment != destination.environment {
        let (was, is): (&str, &str) = (destination.environment.into(), profile.environment.into());
        return Err(ServiceTrouble::of_job(format!(
            "It was confirmed for {was}, and the profile \"{}\" is one for {is} now: nothing is sent there. To go on, {back}.",
            profile.name
        )));
    }
    if !destination.address.is_empty()
        && address_origin(&destination.address) != address_origin(&profile.base_url)
    {
        return Err(ServiceTrouble::of_job(format!(
            "It was confirmed for {}, and the profile \"{}\" has the address {} now: nothing is sent there. To go on, {back}.",
            destination.address, profile.name, profile.base_url
        )));
    }
    let session = open_session(ctx, &profile).await?;
    Ok(Service {
        client: session.client,
        is_practice: profile.environment == Environment::Practice,
        words: ServiceWords::from_profile(&profile),
    })
}

/// Whether an error means that the service doesn't have this endpoint. The practice service has all of them; any
/// error of it is temporary.
pub fn is_unsupported_endpoint(error: &ClientError, is_practice: bool) -> bool {
    match error {
        ClientError::Rejected { status: 400 | 422, .. } => true,
        ClientError::Rejected { status, .. } => !is_practice && *status != 408,
        ClientError::NotPermitted { .. }
        | ClientError::Unreadable { .. }
        | ClientError::ServiceFailed { status: 501, .. } => !is_practice,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_silent_service_is_said_not_to_respond() {
        let host = || "filing.example".to_owned();
        for (error, is_silent) in [
            (ClientError::Offline { host: host(), reason: "closed".into() }, true),
            (ClientError::Timeout { host: host(), waited: Duration::from_secs(30) }, true),
            (ClientError::TooLarge { limit_bytes: 1 }, false),
            (ClientError::ServiceFailed { status: 500, text: String::new() }, false),
            (ClientError::Rejected { status: 418, text: String::new(), problems: Vec::new() }, false),
        ] {
            let told = ServiceTrouble::from(&error).text;
            assert_eq!(told.contains("when the service responds"), is_silent, "{told}");
        }
    }

    #[test]
    fn only_the_practice_service_is_known_to_know_every_question() {
        let rejected = |status| ClientError::Rejected { status, text: String::new(), problems: Vec::new() };
        let failed = |status| ClientError::ServiceFailed { status, text: String::new() };
        let cases = [
            (rejected(400), true, true),
            (rejected(422), true, true),
            (rejected(405), false, true),
            (rejected(408), false, false),
            (failed(501), false, true),
            (failed(500), false, false),
        ];
        for (error, practice, others) in cases {
            assert_eq!(is_unsupported_endpoint(&error, true), practice, "{error}");
            assert_eq!(is_unsupported_endpoint(&error, false), others, "{error}");
        }
    }
}
