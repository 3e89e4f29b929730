//! Up to six states side by side: each column is an answer or what went wrong for this state.

use bordereau_contract::Jurisdiction;
use bordereau_tax::LocalTables;

use super::CalculatorQuestion;
use crate::ask_service::ask_service;
use crate::ask_service::estimate_quote;
use bordereau_api::{
    BoundaryError, COMPARED_STATES_MAX, CompareColumn, CompareRequest, Comparison, Profile, QuoteAnswer,
    QuoteRequest,
};
use bordereau_session::Context;
use bordereau_session::profile::Session;
use bordereau_session::profile::active_profile;
use bordereau_session::profile::load_tables;
use bordereau_session::profile::open_session;

/// The same question in several states, asked in parallel.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Validation`] when there are no states or too many; when the service
/// cannot be asked at all, each column says so.
pub async fn quote_compare(ctx: &Context, request: CompareRequest) -> Result<Comparison, BoundaryError> {
    let found = request.states.len();
    if found == 0 {
        return Err(states_fault("Choose at least one state to compare.".into()));
    }
    if found > COMPARED_STATES_MAX {
        return Err(states_fault(format!(
            "{found} states are too many. Choose at most {COMPARED_STATES_MAX}."
        )));
    }
    let profile = active_profile(ctx).await?;
    let local = load_tables(ctx, &profile).await?.local;
    let session = if request.offline || profile.has_no_calculator {
        None
    } else {
        Some(open_session(ctx, &profile).await)
    };
    let columns = request.states.iter().map(|state| {
        let (context, profile, local, session) =
            (ctx.clone(), profile.clone(), local.clone(), session.clone());
        let question = in_state(&request.request, state);
        tokio::spawn(async move { compare_column(&context, &question, session, &profile, &local).await })
    });
    let columns: Vec<_> = columns.collect();
    let mut comparison = Comparison { columns: Vec::with_capacity(found) };
    for (state, column) in request.states.iter().zip(columns) {
        let outcome = column.await.unwrap_or_else(|_| Err(BoundaryError::internal_error("comparing states")));
        let (answer, error) = match outcome {
            Ok(answer) => (Some(answer), None),
            Err(error) => (None, Some(error)),
        };
        comparison.columns.push(CompareColumn { state: state.trim().to_ascii_uppercase(), answer, error });
    }
    Ok(comparison)
}

async fn compare_column(
    ctx: &Context,
    question: &QuoteRequest,
    session: Option<Result<Session, BoundaryError>>,
    profile: &Profile,
    local: &LocalTables,
) -> Result<QuoteAnswer, BoundaryError> {
    match session {
        None => estimate_quote(ctx, question, profile, local),
        Some(session) => {
            let asked = CalculatorQuestion::read_now(ctx, question, profile)?;
            ask_service(ctx, &asked, &session?, local).await
        }
    }
}

/// The question in another state, without what is asked in one state only.
fn in_state(request: &QuoteRequest, state: &str) -> QuoteRequest {
    let kentucky = state.trim().eq_ignore_ascii_case(Jurisdiction::Ky.code());
    QuoteRequest { state: state.to_owned(), admitted: request.admitted && kentucky, ..request.clone() }
}

fn states_fault(message: String) -> BoundaryError {
    BoundaryError::invalid_field("/states", message)
}
