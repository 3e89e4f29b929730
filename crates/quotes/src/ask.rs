//! One quote: the estimate of the built-in rules, or the service's answer with the estimate beside it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use bordereau_contract::CalculateResponse;
use bordereau_tax::{InputProblem, Local, Quote, RuleBook};

use super::from_rules::Made;
use super::typed::Asked;
use super::{from_rules, from_service};
use bordereau_api::{BoundaryError, FieldError, Profile, QuoteAnswer, QuoteRequest};
use bordereau_session::Context;
use bordereau_session::failure::pointer_of;
use bordereau_session::failure::{capital, ended, from_client};
use bordereau_session::profile::Session;
use bordereau_session::profile::active_profile;
use bordereau_session::profile::session;
use bordereau_session::profile::tables;
use bordereau_store::quotes::{NewQuote, remember_quote};

/// Answers given so far, for their ids.
struct Answers(AtomicU64);

/// Offline estimate with its explanation, from the active profile's own tables.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Validation`] names the fields at fault;
/// [`bordereau_api::ErrorCode::ProfileInvalid`] when a table of the profile cannot be read.
pub async fn quote_estimate(ctx: &Context, request: QuoteRequest) -> Result<QuoteAnswer, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let local = tables(ctx, &profile).await?.local;
    estimate(ctx, &request, &profile, &local)
}

/// The estimate of the built-in rules.
pub fn estimate(
    ctx: &Context,
    request: &QuoteRequest,
    profile: &Profile,
    local: &Local,
) -> Result<QuoteAnswer, BoundaryError> {
    let asked = Asked::read(request, ctx.ports().clock.today(), profile)?;
    let quote = calculate(&asked, local).map_err(|problems| BoundaryError::fields(faults(problems)))?;
    Ok(from_rules::answer(&quote, &asked.input, made(ctx)))
}

/// Asks the active profile's service; the estimate is shown beside its answer.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Validation`] before anything is sent;
/// [`bordereau_api::ErrorCode::Rejected`] when the service names fields; others when it cannot be asked.
pub async fn quote_calculate(ctx: &Context, request: QuoteRequest) -> Result<QuoteAnswer, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let asked = Asked::read(&request, ctx.ports().clock.today(), &profile)?;
    let local = tables(ctx, &profile).await?.local;
    let session = session(ctx, &profile).await?;
    let answer = ask(ctx, &asked, &session, &local).await?;
    let quote = NewQuote {
        id: String::new(),
        name: super::saved::name_of(&request, &answer.state),
        request,
        answer: Some(answer.clone()),
        at: answer.at.clone(),
    };
    // An answer that is there is not withheld because the list of recent quotes cannot be written.
    if let Err(error) = ctx.store().run(move |db| remember_quote(db, &quote)).await {
        tracing::warn!(%error, "recent quote not kept");
    }
    Ok(answer)
}

pub(super) async fn ask(
    ctx: &Context,
    asked: &Asked,
    session: &Session,
    local: &Local,
) -> Result<QuoteAnswer, BoundaryError> {
    let (response, took_ms) = response(ctx, asked, session).await?;
    let estimate = calculate(asked, local);
    let why = estimate.as_ref().err().map(|problems| sentence(problems));
    let question = from_service::Asked {
        state: asked.input.state,
        kind: asked.input.transaction_type,
        details: &asked.input.details,
        unsent: &asked.unsent,
        profile: &session.profile.name,
        took_ms,
    };
    let beside = estimate.as_ref().map_err(|_| why.as_deref().unwrap_or_default());
    from_service::answer(&response, beside, &question, made(ctx))
}

/// The service's answer as it came, and the milliseconds it took.
pub(super) async fn response(
    ctx: &Context,
    asked: &Asked,
    session: &Session,
) -> Result<(CalculateResponse, u32), BoundaryError> {
    let started = Instant::now();
    let outcome = session.client.calculate(&asked.wire).await;
    let took_ms = u32::try_from(started.elapsed().as_millis()).unwrap_or(u32::MAX);
    ctx.sessions().saw(&session.profile.id, outcome.as_ref().err(), took_ms);
    Ok((outcome.map_err(from_client)?, took_ms))
}

fn made(ctx: &Context) -> Made {
    let number = ctx.state(|_| Answers(AtomicU64::new(1))).0.fetch_add(1, Ordering::Relaxed);
    let now = ctx.ports().clock.now();
    Made { at: ctx.stamp(), answer_id: format!("{}-{number}", now.timestamp_millis()) }
}

fn calculate(asked: &Asked, local: &Local) -> Result<Quote, Vec<InputProblem>> {
    RuleBook::builtin().calculate(&asked.input, local)
}

fn faults(problems: Vec<InputProblem>) -> Vec<FieldError> {
    let fault = |problem: InputProblem| {
        FieldError::at(pointer_of(problem.field, problem.line), ended(&capital(&problem.message)))
    };
    problems.into_iter().map(fault).collect()
}

fn sentence(problems: &[InputProblem]) -> String {
    problems.iter().map(|problem| ended(&capital(&problem.message))).collect::<Vec<_>>().join(" ")
}
