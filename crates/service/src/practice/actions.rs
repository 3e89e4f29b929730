//! Every action on the practice service, for `/practice/actions` and for the process it runs in.

use axum::extract::State;
use bordereau_contract::{
    EventKind, PracticeAction, PracticeAnswer, PracticeDialect, QueuedDelivery, format_instant,
};
use bordereau_service_store::accounts::Account;
use bordereau_service_store::{accounts, batches, state as state_store, webhooks_notices, webhooks_queue};
use chrono::{DateTime, Utc};

use super::accounts::{make_key, set_role};
use super::{PracticeBody, PracticeCaller, PracticeResult, clock, faults, imports, state};
use crate::Clock;
use crate::answer::JsonAnswer;
use crate::body;
use crate::faults::PendingFault;
use crate::imports::ProcessingPace;
use crate::refusal::Refusal;
use crate::service::AppState;
use crate::webhooks::outbox;

/// Mails, batches or deliveries one answer lists.
const LISTED_MAX: i64 = 200;

/// Simulates the state and inspects a running service, from the process it runs in. Cheap to
/// clone; the service ends without asking it.
#[derive(Clone)]
pub struct PracticeControls {
    pub(crate) app: AppState,
}

impl PracticeControls {
    /// The practice account's API key as it is now, and when it changes.
    pub fn api_key(&self) -> tokio::sync::watch::Receiver<String> {
        self.app.practice_key.subscribe()
    }

    /// Performs an action as the practice account.
    pub async fn perform_action(&self, action: PracticeAction) -> Result<PracticeAnswer, String> {
        let found = self
            .app
            .store
            .with_connection(accounts::list_accounts)
            .await
            .map_err(|error| error.to_string())?;
        let practice = found.into_iter().find(|account| account.practice);
        let account = practice.ok_or("There is no practice account.")?;
        perform_action(&self.app, &account, action).await.map_err(|refusal| refusal.to_sentence())
    }
}

/// `POST /practice/actions`.
pub(super) async fn post_action(
    State(app): State<AppState>,
    PracticeBody(caller, action): PracticeBody<PracticeAction>,
) -> PracticeResult<PracticeAnswer> {
    perform_action(&app, &caller, action).await.map(JsonAnswer)
}

/// `GET /practice/mail`.
pub(super) async fn list_mail(
    State(app): State<AppState>,
    PracticeCaller(caller): PracticeCaller,
) -> PracticeResult<PracticeAnswer> {
    perform_action(&app, &caller, PracticeAction::ReadMail).await.map(JsonAnswer)
}

/// `GET /practice/queue`.
pub(super) async fn show_queue(
    State(app): State<AppState>,
    PracticeCaller(caller): PracticeCaller,
) -> PracticeResult<PracticeAnswer> {
    perform_action(&app, &caller, PracticeAction::LookAtQueue).await.map(JsonAnswer)
}

async fn perform_action(
    app: &AppState,
    caller: &Account,
    action: PracticeAction,
) -> Result<PracticeAnswer, Refusal> {
    use PracticeAction as A;
    let account = caller.id.clone();
    match action {
        A::File { which, status, date } => state::file_transactions(app, account, which, status, date).await,
        A::Pay { which, charges, date, invoice_id } => {
            state::pay_charges(app, account, which, charges, date, invoice_id).await
        }
        A::AssignNumber { which, number } => state::assign_number(app, account, which, number).await,
        A::ChangeStampWording { state, text } => state::change_wording(app, state, text).await,
        A::ReadMail => {
            let mail = app.store.with_connection(|db| webhooks_notices::list_mail(db, LISTED_MAX)).await?;
            Ok(PracticeAnswer::Mail { mail })
        }
        A::LookAtQueue => look_at_queue(app).await,
        A::SetSpeed { rows_per_second, seconds_per_batch } => {
            imports::change_speed(app, ProcessingPace { rows_per_second, seconds_per_batch })?;
            done_answer("The speed was changed, also for waiting batches.")
        }
        A::AddFault { operation, kind, times, delay_ms } => {
            faults::add_checked(app, named_fault(&operation, &kind, times, delay_ms)?)?;
            done_answer("The failure is set.")
        }
        A::ClearFaults => {
            app.faults.clear();
            done_answer("All simulated failures were removed.")
        }
        A::MoveClock { seconds } => {
            clock::advance_clock(app, seconds)?;
            let now: DateTime<Utc> = app.clock.now();
            Ok(PracticeAnswer::Clock { now: format_instant(now), offset_seconds: app.clock.offset_seconds() })
        }
        A::ListDialects => {
            let dialects = bordereau_dialects::dialects().iter().map(|dialect| PracticeDialect {
                name: dialect.name.to_owned(),
                sentence: dialect.sentence.to_owned(),
                spoken: app.dialects.speaks(dialect.name),
            });
            Ok(PracticeAnswer::Dialects { dialects: dialects.collect() })
        }
        A::SetDialects { names } => {
            let chosen = bordereau_dialects::parse_dialects(&names.join(","));
            let chosen = chosen.map_err(|why| Refusal::invalid_field("/names", why))?;
            app.dialects.replace(&chosen);
            match chosen.len() {
                0 => done_answer("The service answers as the contract says."),
                1 => done_answer("The service uses 1 dialect."),
                count => done_answer(&format!("The service uses {count} dialects.")),
            }
        }
        A::NewKey => Ok(PracticeAnswer::Key { api_key: make_key(app, caller, caller).await? }),
        A::ShowRole => Ok(PracticeAnswer::Role { role: caller.role }),
        A::SetRole { role } => {
            set_role(app, caller, role).await?;
            done_answer("The role was changed.")
        }
        A::FailBatch { batch_id } => {
            if fail_batch(app, batch_id).await? {
                done_answer("The batch was marked as failed.")
            } else {
                Err(Refusal::not_found("No batch with this id is being processed."))
            }
        }
    }
}

fn done_answer(text: &str) -> Result<PracticeAnswer, Refusal> {
    Ok(PracticeAnswer::Done { text: text.to_owned() })
}

/// Operation and kind have one list of names, that of the fault list.
fn named_fault(operation: &str, kind: &str, times: u32, delay_ms: u64) -> Result<PendingFault, Refusal> {
    let fault = serde_json::json!({
        "operation": operation, "kind": kind, "times": times, "delay_ms": delay_ms
    });
    body::parse_object(&fault.to_string())
}

async fn look_at_queue(app: &AppState) -> Result<PracticeAnswer, Refusal> {
    let found = app.store.with_connection(|db| {
        let batches = state_store::batches_waiting(db, LISTED_MAX)?;
        Ok((batches, webhooks_queue::list_waiting(db, LISTED_MAX)?))
    });
    let (batches, (deliveries_waiting, next)) = found.await?;
    let queued = |listed: webhooks_queue::DeliveryEntry| QueuedDelivery {
        id: listed.id,
        webhook_title: listed.webhook_title,
        event: listed.event,
        subject: listed.subject,
        failures: listed.failures,
        next_attempt_at: format_instant(DateTime::from_timestamp_millis(listed.due_at).unwrap_or_default()),
    };
    Ok(PracticeAnswer::Queue {
        batches,
        deliveries_waiting,
        deliveries: next.into_iter().map(queued).collect(),
        faults: u32::try_from(app.faults.list_waiting().len()).unwrap_or(u32::MAX),
    })
}

/// Fails a batch as a whole and announces it; false if it is not being processed.
pub(super) async fn fail_batch(app: &AppState, batch_id: String) -> Result<bool, Refusal> {
    let now = app.clock.now();
    let failed = app
        .store
        .with_connection(move |db| {
            let Some((account, seq)) = state_store::find_batch(db, &batch_id)? else { return Ok(false) };
            if !batches::fail_batch(db, None, &batch_id)? {
                return Ok(false);
            }
            outbox::batch_ended(db, &account, seq, EventKind::BatchFailed, now)?;
            Ok(true)
        })
        .await?;
    app.webhooks.wake.notify_one();
    Ok(failed)
}
