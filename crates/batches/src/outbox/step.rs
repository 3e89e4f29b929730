//! One step of one part: send it, look it up, or ask what became of it. One call of the service at a time,
//! and the store knows of it before and after.

use std::time::Duration;

use bordereau_client::{Client, ClientError};
use bordereau_contract::{BatchStatus, ImportResult};

use super::lost::{Seen, millis};
use super::matching::outcomes;
use super::outcome::RowOutcome;
use super::queue::environment_word;
use super::transition::keep_trouble;
use super::transition::land;
use super::transition::move_part;
use super::transition::named_rows;
use super::transition::waiting_rows;
use super::transition::{OpenPart, said};
use crate::outbox::Outbox;
use crate::outbox::lost::look_for;
use crate::outbox::lost::look_up;
use bordereau_api::{BatchState, BoundaryError, Environment, RowState};
use bordereau_session::Context;
use bordereau_session::failure::{capital, ended};
use bordereau_session::profile::session;
use bordereau_session::profile::{fit_details, profile_by_id};

/// Answers "no such batch" in a row until its number counts as lost.
const LOST_AFTER: u32 = 3;

/// What is said of a row that the service took and then knew nothing of.
const UNANSWERED: &str = "The service processed the batch without a result for this row, and does not find it by its id or its invoice number. It counts as not sent.";

/// The same where the service may not know the question.
const UNANSWERED_UNSURE: &str = "The service processed the batch without a result for this row, and asking for it by its id or its invoice number brought nothing, which proves nothing. Look for it in the service's portal before it is sent again.";

/// How a part went on.
pub enum Progress {
    /// It stands elsewhere now.
    Moved,
    /// Nothing new: ask again later, each time later.
    Waits,
    /// Not found yet: look once more after the pause for that.
    Recheck,
    /// The service cannot be used now.
    Trouble(Trouble),
}

/// Why the service cannot be used now.
pub struct Trouble {
    pub text: String,
    /// At least this long.
    pub pause: Option<Duration>,
}

impl Trouble {
    pub(super) fn of(error: &ClientError) -> Trouble {
        let said = ended(&capital(&error.to_string()));
        let (advice, pause) = match error {
            ClientError::RateLimited { retry_after } => ("It goes on by itself then.", Some(*retry_after)),
            ClientError::NotAuthorized { .. }
            | ClientError::NoCredentials
            | ClientError::SignInAgain { .. } => {
                ("It goes on by itself once the profile has a valid key or sign-in.", None)
            }
            _ => ("It goes on by itself when the service answers.", None),
        };
        Trouble { text: format!("{said} {advice}"), pause }
    }
}

impl From<BoundaryError> for Trouble {
    fn from(error: BoundaryError) -> Trouble {
        Trouble { text: error.message, pause: None }
    }
}

impl From<bordereau_store::StoreError> for Trouble {
    fn from(error: bordereau_store::StoreError) -> Trouble {
        BoundaryError::from(error).into()
    }
}

/// What a part was answered before, as far as this process knows.
#[derive(Default)]
pub struct Memory {
    /// Looked for and not found, this often in a row.
    pub not_found: u32,
    /// Since when the service does not know the number it gave; milliseconds since 1970.
    pub lost_since_ms: Option<i64>,
}

/// One step of a part.
pub async fn step(ctx: &Context, part: &OpenPart, memory: &mut Memory) -> Progress {
    let outcome = match part.state {
        BatchState::Queued => send_part(ctx, part).await,
        BatchState::Sending | BatchState::Unknown => look_for(ctx, part, memory).await,
        _ => ask_results(ctx, part, memory).await,
    };
    let progress = outcome.unwrap_or_else(Progress::Trouble);
    if matches!(progress, Progress::Moved | Progress::Waits) {
        // The status line knows from any call that the service answers.
        ctx.sessions().answers(&part.profile_id);
    }
    progress
}

pub(super) async fn client_of(ctx: &Context, part: &OpenPart) -> Result<(Client, bool), Trouble> {
    let profile = profile_by_id(ctx, &part.profile_id).await?;
    if profile.environment != part.environment {
        let (was, is) = (environment_word(part.environment), environment_word(profile.environment));
        let text = format!(
            "It was confirmed for {was}, and the profile \"{}\" is one for {is} now: nothing is sent there. Make the profile one for {was} again.",
            profile.name
        );
        return Err(Trouble { text, pause: None });
    }
    let session = session(ctx, &profile).await?;
    Ok((session.client, profile.environment == Environment::Practice))
}

async fn send_part(ctx: &Context, part: &OpenPart) -> Result<Progress, Trouble> {
    let store = &ctx.store();
    let (client, _) = client_of(ctx, part).await?;
    let profile = profile_by_id(ctx, &part.profile_id).await?;
    let waiting = waiting_rows(store, part, true).await?;
    if waiting.is_empty() {
        land(store, part, Vec::new(), BatchState::Processed, String::new(), ctx.moment()).await?;
        return Ok(Progress::Moved);
    }
    if !move_part(store, part, BatchState::Sending, None, ctx.moment()).await? {
        return Ok(Progress::Moved);
    }
    let part = &OpenPart { state: BatchState::Sending, ..part.clone() };
    let fitted = waiting.into_iter().map(|mut row| {
        fit_details(&profile, &mut row.transaction);
        (row.row, row.transaction)
    });
    let (rows, transactions): (Vec<i64>, Vec<_>) = fitted.unzip();
    let error = match client.import_batch(&transactions).await {
        Ok(accepted) => {
            move_part(store, part, BatchState::Accepted, Some(accepted.batch_id), ctx.moment()).await?;
            return Ok(Progress::Moved);
        }
        Err(error) => error,
    };
    match &error {
        error if error.is_outcome_unknown() => {
            move_part(store, part, BatchState::Unknown, None, ctx.moment()).await?;
            let text = format!(
                "{} It is looked up before anything is sent again.",
                ended(&capital(&error.to_string()))
            );
            keep_trouble(store, part.batch, text).await?;
            Ok(Progress::Recheck)
        }
        ClientError::Rejected { problems, .. } => {
            let at_fault = |problem: &bordereau_contract::FieldProblem| -> Option<(i64, String, String)> {
                let rest = problem.pointer.strip_prefix("/transactions/")?;
                let (number, field) = rest.split_once('/').unwrap_or((rest, ""));
                let row = rows.get(number.parse::<usize>().ok()?)?;
                Some((*row, field.to_owned(), problem.detail.clone()))
            };
            let mut outcomes: Vec<(i64, RowOutcome)> = Vec::new();
            for (row, field, detail) in problems.iter().filter_map(at_fault) {
                let message = super::message::message("error", &field, &detail);
                match outcomes.iter_mut().rfind(|(at, _)| *at == row) {
                    Some((_, outcome)) => outcome.messages.push(message),
                    None => {
                        let outcome =
                            RowOutcome { messages: vec![message], ..RowOutcome::of(RowState::Error) };
                        outcomes.push((row, outcome));
                    }
                }
            }
            let text = refused(&error, outcomes.len());
            land(store, part, outcomes, BatchState::Failed, text, ctx.moment()).await?;
            Ok(Progress::Moved)
        }
        ClientError::NotSendable { .. } => {
            let text = ended(&capital(&error.to_string()));
            land(store, part, Vec::new(), BatchState::Failed, text, ctx.moment()).await?;
            Ok(Progress::Moved)
        }
        // Nothing was taken: it waits for the service.
        _ => {
            move_part(store, part, BatchState::Queued, None, ctx.moment()).await?;
            Err(Trouble::of(&error))
        }
    }
}

async fn ask_results(ctx: &Context, part: &OpenPart, memory: &mut Memory) -> Result<Progress, Trouble> {
    let store = &ctx.store();
    let (client, is_practice) = client_of(ctx, part).await?;
    let Some(remote_id) = part.remote_id.clone() else {
        move_part(store, part, BatchState::Unknown, None, ctx.moment()).await?;
        return Ok(Progress::Moved);
    };
    let results = match client.import_results(&remote_id).await {
        Ok(results) => results,
        Err(ClientError::Rejected { status: 404, .. }) => {
            memory.not_found += 1;
            if memory.not_found < LOST_AFTER {
                return Ok(Progress::Recheck);
            }
            let now = ctx.moment().ms;
            let since = *memory.lost_since_ms.get_or_insert(now);
            // Another service may know its own number only later.
            if !is_practice && now - since < millis(Outbox::of(ctx).pace().settles) {
                return Ok(Progress::Waits);
            }
            memory.not_found = 0;
            move_part(store, part, BatchState::Unknown, None, ctx.moment()).await?;
            return Ok(Progress::Moved);
        }
        Err(error) => return Err(Trouble::of(&error)),
    };
    *memory = Memory::default();
    let is_done = results.status == BatchStatus::Processed;
    let is_failed = results.status == BatchStatus::Failed;
    let rows = named_rows(store, part).await?;
    let is_over = is_done || is_failed;
    // A result that does not say yet how it ended is none before the batch is at its end.
    let told = |result: &&ImportResult| is_over || result.is_told();
    let told: Vec<ImportResult> = results.transactions.iter().filter(told).cloned().collect();
    let mut outcomes = outcomes(&rows, &told);
    if is_done && outcomes.len() < rows.len() {
        outcomes.extend(unanswered(ctx, part, &client, &outcomes, is_practice).await?);
    }
    let (to, text) = match results.status {
        BatchStatus::Processed => (BatchState::Processed, String::new()),
        BatchStatus::Failed => {
            let text = "The service gave the batch up. Rows without an outcome were not taken and can be sent again.";
            (BatchState::Failed, text.to_owned())
        }
        BatchStatus::Processing => (BatchState::Processing, String::new()),
        _ => (part.state, String::new()),
    };
    let landed = land(store, part, outcomes, to, text, ctx.moment()).await?;
    Ok(if is_done || is_failed || landed > 0 { Progress::Moved } else { Progress::Waits })
}

/// Rows that the results of a processed batch do not name: what a look-up says of each.
async fn unanswered(
    ctx: &Context,
    part: &OpenPart,
    client: &Client,
    answered: &[(i64, RowOutcome)],
    is_practice: bool,
) -> Result<Vec<(i64, RowOutcome)>, Trouble> {
    let mut outcomes = Vec::new();
    for row in waiting_rows(ctx.store(), part, false).await? {
        if answered.iter().any(|(at, _)| *at == row.row) {
            continue;
        }
        let unanswered = |text: &str| RowOutcome {
            messages: vec![said("error", text)],
            ..RowOutcome::of(RowState::NotSent)
        };
        let outcome = match look_up(client, &row, is_practice).await? {
            Seen::Here(record) => RowOutcome::of_record(&record, is_practice),
            Seen::Absent(_) if is_practice => unanswered(UNANSWERED),
            Seen::Absent(_) | Seen::Unclear => unanswered(UNANSWERED_UNSURE),
        };
        outcomes.push((row.row, outcome));
    }
    Ok(outcomes)
}

fn refused(error: &ClientError, at_fault: usize) -> String {
    let ClientError::Rejected { text, .. } = error else { return String::new() };
    let said =
        if text.is_empty() { "and did not say why".to_owned() } else { format!("and says: {}", ended(text)) };
    match at_fault {
        0 => format!("The service refused it {said}"),
        1 => format!(
            "The service refused it because of 1 row {said} The others were not taken; they can be sent again."
        ),
        n => format!(
            "The service refused it because of {n} rows {said} The others were not taken; they can be sent again."
        ),
    }
}
