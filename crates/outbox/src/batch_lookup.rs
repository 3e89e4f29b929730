//! Looks up a batch by the service's number, from a portal, a colleague or an event. Changes nothing.

use bordereau_api::to_u32;
use bordereau_api::*;
use bordereau_client::ClientError;
use bordereau_contract::ImportResult;
use bordereau_session::Context;
use bordereau_session::failure::from_client;
use bordereau_session::profile::{ServiceWords, active_profile, open_session};
use bordereau_store::batches::lookup_keys::batch_of_remote;

use super::outcome::RowOutcome;
use super::part_lookup::is_same_batch;

const ROWS_MAX: usize = 1_000;
/// Longest number of a batch.
const NUMBER_CHARS_MAX: usize = 200;

/// Asks the service of the profile in use for a batch.
///
/// # Errors
/// [`ErrorCode::Validation`] for a text that can't be a number; [`ErrorCode::NotFound`] where the service has no
/// such batch; errors of the request.
pub async fn batch_lookup(ctx: &Context, request: BatchLookupRequest) -> Result<BatchLookup, BoundaryError> {
    let number = request.number.trim().to_owned();
    let is_number = !number.is_empty()
        && number.chars().count() <= NUMBER_CHARS_MAX
        && !number.chars().any(char::is_control);
    if !is_number {
        let text = "Enter the number of the batch as the service shows it.";
        return Err(BoundaryError::invalid_field("/number", text));
    }
    let profile = active_profile(ctx).await?;
    let session = open_session(ctx, &profile).await?;
    let words = ServiceWords::from_profile(&profile);
    let asked = session.client.import_results(&number).await;
    ctx.sessions().note_call(&profile.id, asked.as_ref().err(), 0);
    let results = asked.map_err(|error| match error {
        ClientError::Rejected { status: 404, .. } => {
            BoundaryError::with_code(ErrorCode::NotFound, format!("The service has no batch {number}."))
        }
        other => from_client(other),
    })?;
    if !is_same_batch(&results.batch_id, &number) {
        let text = format!(
            "Bordereau asked for batch {number}, and the service returned batch {}.",
            results.batch_id
        );
        return Err(BoundaryError::with_code(ErrorCode::Unreadable, text));
    }
    let batch = batch_of_remote(ctx.store(), &number).await?;
    let word = serde_json::to_value(&results.status).ok().and_then(|word| word.as_str().map(str::to_owned));
    Ok(BatchLookup {
        profile: profile.name,
        status: word.filter(|word| !word.is_empty()).unwrap_or_else(|| "no status".to_owned()),
        batch,
        total: to_u32(results.transactions.len()),
        rows: results.transactions.iter().take(ROWS_MAX).map(|result| row_of(result, &words)).collect(),
        unreadable: to_u32(results.losses.len()),
        number,
    })
}

fn row_of(result: &ImportResult, words: &ServiceWords) -> LookedUpRow {
    // A result that does not say how it ended has no outcome yet.
    let outcome = RowOutcome::of_result(result, words.ended_status(result), "results of a batch");
    LookedUpRow {
        id: result.id.clone(),
        policy_number: result.policy_number.clone().unwrap_or_default(),
        row_state: outcome.state,
        transaction_id: outcome.transaction_id.map(|number| number.to_string()),
        messages: outcome.messages,
    }
}
