//! What is being sent to a service: a part of a batch, or a document. Both go through the same engine.

use std::time::Duration;

use bordereau_api::{BoundaryError, Environment};
use bordereau_client::{Client, ClientError};
use bordereau_contract::TransactionRecord;
use bordereau_session::Context;
use bordereau_session::failure::{capitalize_first, end_sentence};
use bordereau_session::profile::{ServiceWords, address_origin, open_session, profile_by_id};
use bordereau_store::batches::outcome::RowOutcome;
use bordereau_store::batches::queue::environment_word;
use bordereau_store::{Destination, Store, StoreError};
use tokio::time::Instant;

use super::OutboxPace;

/// One thing being sent. Each step is a state in the store, committed before the next one begins.
pub trait OutboxJob: Clone + Send + Sync + 'static {
    /// What jobs of this kind are, in the names that an office holds.
    const KIND: &'static str;

    /// What distinguishes it from others of its kind.
    fn key(&self) -> (i64, i64);
    /// Where it was confirmed to go.
    fn destination(&self) -> &Destination;
    /// What comes first.
    fn rank(&self) -> JobRank;
    /// Whether it may be sent at the same time as these of the same profile.
    fn fits(&self, running: &[&Self], pace: &OutboxPace) -> bool;
    /// How long it was looked for while the service answered; milliseconds.
    fn observed_ms(&self) -> i64;
    /// Whether it was sent from here: its answer was lost. Else it waits in a copy of the data folder.
    fn was_sent(&self) -> bool;

    /// All that are not at their end and about which no person is asked, the oldest first.
    fn open(store: &Store) -> impl Future<Output = Result<Vec<Self>, StoreError>> + Send;
    /// Once no one else sends them: what was being sent when an earlier process ended is unknown. All of them, or the one
    /// of this key.
    fn recover(
        ctx: &Context,
        only: Option<(i64, i64)>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;
    /// One step.
    fn step(
        &self,
        ctx: &Context,
        memory: &mut JobMemory,
    ) -> impl Future<Output = Result<JobProgress, ServiceTrouble>> + Send;
    /// Keeps what it waits for, in words.
    fn keep_message(
        &self,
        store: &Store,
        text: String,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Adds to the time it was looked for.
    fn add_observed(&self, store: &Store, ms: i64) -> impl Future<Output = Result<(), StoreError>> + Send;
    /// Looks for it at the service and takes up what is found; whether there was anything.
    fn look(
        &self,
        ctx: &Context,
        service: &Service,
    ) -> impl Future<Output = Result<bool, ServiceTrouble>> + Send;
    /// What all questions together prove of it.
    fn prove(
        &self,
        ctx: &Context,
        service: &Service,
    ) -> impl Future<Output = Result<DeliveryProof, ServiceTrouble>> + Send;
    /// It is proven not to be there: it is sent again, with the same ids.
    fn send_again(&self, ctx: &Context) -> impl Future<Output = Result<(), ServiceTrouble>> + Send;
    /// It waits until a person has decided; `hint` is what the service showed that may be it.
    fn ask_person(
        &self,
        ctx: &Context,
        hint: String,
    ) -> impl Future<Output = Result<(), ServiceTrouble>> + Send;
}

/// What comes first: what may be lost before what waits to be sent, that before questions for results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JobRank {
    /// Its answer was lost.
    Lost,
    /// It waits to be sent.
    Waiting,
    /// The service has it, and is asked what became of it.
    Taken,
}

/// What all questions together prove of something whose answer was lost.
pub enum DeliveryProof {
    /// It is not there: the same questions find what the service is known to have.
    NotThere,
    /// It, or some of it, is there and was adopted.
    TakenUp,
    /// Nothing is proven; what the service showed that may be it, or empty.
    Open(String),
}

/// How a job went on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobProgress {
    /// It has moved on now.
    Moved,
    /// Nothing new: ask again later, each time later.
    Waits,
    /// Not found yet: it is looked up again after the pause for that.
    Recheck,
    /// Another desk of the office works on it.
    Elsewhere,
}

/// Why a step could not be done now.
pub struct ServiceTrouble {
    /// For the person.
    pub text: String,
    /// At least this long.
    pub pause: Option<Duration>,
    /// The service cannot be used at all: everything of the profile waits, not this alone.
    pub is_everywhere: bool,
}

impl ServiceTrouble {
    /// The trouble of this job alone.
    pub fn here(text: String) -> ServiceTrouble {
        ServiceTrouble { text, pause: None, is_everywhere: false }
    }
}

impl From<&ClientError> for ServiceTrouble {
    fn from(error: &ClientError) -> ServiceTrouble {
        let said = end_sentence(&capitalize_first(&error.to_string()));
        let (advice, pause) = match error {
            ClientError::RateLimited { retry_after } => ("It goes on by itself then.", Some(*retry_after)),
            ClientError::NotAuthorized { .. }
            | ClientError::NoCredentials
            | ClientError::SignInAgain { .. } => {
                ("Sending continues once the profile has a valid key or sign-in.", None)
            }
            _ => ("Sending continues when the service responds.", None),
        };
        // What the service says of one question holds up no other.
        let is_everywhere = !matches!(
            error,
            ClientError::Unreadable { .. }
                | ClientError::Rejected { .. }
                | ClientError::NotPermitted { .. }
                | ClientError::ServiceFailed { .. }
        );
        ServiceTrouble { text: format!("{said} {advice}"), pause, is_everywhere }
    }
}

impl From<ClientError> for ServiceTrouble {
    fn from(error: ClientError) -> ServiceTrouble {
        ServiceTrouble::from(&error)
    }
}

impl From<BoundaryError> for ServiceTrouble {
    fn from(error: BoundaryError) -> ServiceTrouble {
        ServiceTrouble::here(error.message)
    }
}

impl From<StoreError> for ServiceTrouble {
    fn from(error: StoreError) -> ServiceTrouble {
        BoundaryError::from(error).into()
    }
}

/// What this process knows of a job.
#[derive(Debug, Default)]
pub struct JobMemory {
    /// Looked for and not found, this often in a row.
    pub not_found: u32,
    /// Time during which the service answered that there is nothing new.
    pub observed: Duration,
    last_look: Option<Instant>,
}

impl JobMemory {
    /// The time since the last look, counted only while this program ran and the service answered: of a long pause,
    /// such as a machine that slept, no more than `most`.
    pub fn observe(&mut self, most: Duration) -> Duration {
        let now = Instant::now();
        let passed = self.last_look.replace(now).map_or(Duration::ZERO, |last| (now - last).min(most));
        self.observed += passed;
        passed
    }

    /// The service could not be asked: the time until it can be does not count.
    pub fn interrupt(&mut self) {
        self.last_look = None;
    }
}

/// Where a job goes, ready to be asked.
pub struct Service {
    /// Its client.
    pub client: Client,
    /// It is the practice service, which is known to answer every question.
    pub is_practice: bool,
    /// What its own words mean.
    pub words: ServiceWords,
}

impl Service {
    /// The outcome of a row that a look-up found.
    pub fn row_outcome(&self, record: &TransactionRecord, question: &str) -> RowOutcome {
        let status = self.words.transaction_status(&record.transaction_status);
        RowOutcome::of_record(record, question, status)
    }
}

/// The service a job was confirmed for; refused where its profile is one for another place now.
pub async fn service_of(ctx: &Context, destination: &Destination) -> Result<Service, ServiceTrouble> {
    let profile = profile_by_id(ctx, &destination.profile_id).await?;
    let back = "change the profile back, or cancel it and send it again";
    if profile.environment != destination.environment {
        let (was, is) = (environment_word(destination.environment), environment_word(profile.environment));
        return Err(ServiceTrouble::here(format!(
            "It was confirmed for {was}, and the profile \"{}\" is one for {is} now: nothing is sent there. To go on, {back}.",
            profile.name
        )));
    }
    if !destination.address.is_empty()
        && address_origin(&destination.address) != address_origin(&profile.base_url)
    {
        return Err(ServiceTrouble::here(format!(
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

/// Whether an answer means that the service does not know what it was asked. The practice service knows all of it:
/// what it answers otherwise is trouble that passes.
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
