//! Jobs: a part of a batch, or a document, which one engine sends.

use std::time::Duration;

use bordereau_api::Environment;
use bordereau_client::Client;
use bordereau_contract::{TransactionRecord, TransactionStatus};
use bordereau_session::Context;
pub use bordereau_session::ServiceTrouble;
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
    fn priority(&self) -> JobPriority;
    /// Whether it may be sent at the same time as these jobs of the same profile.
    fn can_run_with(&self, running: &[&Self], pace: &OutboxPace) -> bool;
    /// Milliseconds for which it was looked up while the service answered.
    fn observed_ms(&self) -> i64;
    /// Why it is looked up, as the start of a sentence.
    fn lost_reason(&self, store: &Store) -> &'static str;

    /// All jobs that haven't ended and don't wait for a person's decision, the oldest first; or only the one with this key.
    fn list_open(
        store: &Store,
        only: Option<(i64, i64)>,
    ) -> impl Future<Output = Result<Vec<Self>, StoreError>> + Send;
    /// Marks jobs as unknown that were being sent when an earlier process ended; called once no one else sends them.
    /// Does all of them, or only the one with this key.
    fn recover(
        ctx: &Context,
        only: Option<(i64, i64)>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;
    /// Takes one step.
    fn run_step(
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
pub enum JobPriority {
    /// Its answer was lost.
    Lost,
    /// It waits to be sent for the first time, or again.
    Waiting,
    /// The service has accepted it; its results are fetched.
    Accepted,
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
    let session = open_session(ctx, &profile).await;
    let session = session.map_err(|error| ServiceTrouble { is_everywhere: true, ..error.into() })?;
    Ok(Service {
        client: session.client,
        is_practice: profile.environment == Environment::Practice,
        words: ServiceWords::from_profile(&profile),
    })
}
