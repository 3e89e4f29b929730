//! One quote: the estimate of the built-in rules, or the service's answer with the estimate beside it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use bordereau_contract::CalculateResponse;
use bordereau_tax::{InputProblem, LocalTables, Quote};

use super::from_rules::AnswerStamp;
use super::read_request::CalculatorQuestion;
use super::{from_rules, from_service, html};
use bordereau_api::{
    BoundaryError, FieldError, NoteSeverity, NoteView, Profile, QuoteAnswer, QuoteRequest, to_u32,
};
use bordereau_session::Context;
use bordereau_session::failure::pointer_of;
use bordereau_session::failure::{capitalize_first, end_sentence, from_client};
use bordereau_session::profile::Session;
use bordereau_session::profile::active_profile;
use bordereau_session::profile::load_tables;
use bordereau_session::profile::open_session;
use bordereau_store::quotes::{NewQuote, remember_quote};

/// Answers given so far, for their ids.
struct AnswerCounter(AtomicU64);

/// Offline estimate with its explanation, from the active profile's own tables.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Validation`] names the fields at fault;
/// [`bordereau_api::ErrorCode::ProfileInvalid`] when a table of the profile cannot be read.
pub async fn quote_estimate(ctx: &Context, request: QuoteRequest) -> Result<QuoteAnswer, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let local = load_tables(ctx, &profile).await?.local;
    estimate_quote(ctx, &request, &profile, &local)
}

/// The estimate of the built-in rules.
pub fn estimate_quote(
    ctx: &Context,
    request: &QuoteRequest,
    profile: &Profile,
    local: &LocalTables,
) -> Result<QuoteAnswer, BoundaryError> {
    let asked = CalculatorQuestion::read_now(ctx, request, profile)?;
    let quote = calculate_estimate(ctx, &asked, local)
        .map_err(|problems| BoundaryError::invalid_fields(field_faults(problems)))?;
    let mut answer = from_rules::build_answer(&quote, &asked.input, answer_stamp(ctx));
    answer.notes.extend(asked.words_read.iter().map(|sentence| word_note(sentence)));
    if profile.has_no_calculator {
        let note = no_calculator_note(&profile.name, &answer.rules_name());
        answer.notes.push(note);
    }
    Ok(answer)
}

fn no_calculator_note(profile: &str, rules: &str) -> NoteView {
    NoteView {
        severity: NoteSeverity::Info,
        topic: "Estimate".into(),
        html: html::from_plain(&format!(
            "{profile} has no calculator, so this is an estimate by {rules}. What the service charges is known once it has the transaction."
        )),
        source: None,
    }
}

/// Asks the active profile's service; the estimate is shown beside its answer. A service without a calculator is not
/// asked: the estimate is the answer.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Validation`] before anything is sent;
/// [`bordereau_api::ErrorCode::Rejected`] when the service names fields; others when it cannot be asked.
pub async fn quote_calculate(ctx: &Context, request: QuoteRequest) -> Result<QuoteAnswer, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let asked = CalculatorQuestion::read_now(ctx, &request, &profile)?;
    let local = load_tables(ctx, &profile).await?.local;
    let answer = if profile.has_no_calculator {
        estimate_quote(ctx, &request, &profile, &local)?
    } else {
        let session = open_session(ctx, &profile).await?;
        ask_service(ctx, &asked, &session, &local).await?
    };
    let request = asked.with_codes(request);
    let quote = NewQuote {
        id: String::new(),
        name: super::saved_quotes::name_of(&request, &answer.state),
        request,
        answer: Some(answer.clone()),
        at: answer.at.clone(),
        by: super::saved_quotes::author(ctx),
        revision: None,
    };
    // An answer that is there is not withheld because the list of recent quotes cannot be written.
    if let Err(error) = ctx.store().with_connection(move |db| remember_quote(db, &quote)).await {
        tracing::warn!(%error, "recent quote not kept");
    }
    Ok(answer)
}

pub(super) async fn ask_service(
    ctx: &Context,
    asked: &CalculatorQuestion,
    session: &Session,
    local: &LocalTables,
) -> Result<QuoteAnswer, BoundaryError> {
    let (response, took_ms) = fetch_response(ctx, asked, session).await?;
    let estimate = calculate_estimate(ctx, asked, local);
    let why = estimate.as_ref().err().map(|problems| problem_sentence(problems));
    let question = from_service::AnswerContext {
        state: asked.input.state,
        kind: asked.input.transaction_type,
        details: &asked.input.details,
        input: Some(&asked.input),
        unsent: &asked.unsent,
        profile: &session.profile.name,
        took_ms,
    };
    let beside = estimate.as_ref().map_err(|_| why.as_deref().unwrap_or_default());
    let mut answer = from_service::build_answer(response, beside, &question, answer_stamp(ctx))?;
    answer.notes.extend(asked.words_read.iter().map(|sentence| word_note(sentence)));
    Ok(answer)
}

fn word_note(sentence: &str) -> NoteView {
    NoteView {
        severity: NoteSeverity::Info,
        topic: "Line of business".into(),
        html: html::from_plain(sentence),
        source: None,
    }
}

/// The service's answer as it came, and the milliseconds it took.
pub(super) async fn fetch_response(
    ctx: &Context,
    asked: &CalculatorQuestion,
    session: &Session,
) -> Result<(CalculateResponse, u32), BoundaryError> {
    let started = Instant::now();
    let outcome = session.client.calculate(&asked.wire).await;
    let took_ms = to_u32(started.elapsed().as_millis());
    ctx.sessions().note_call(&session.profile.id, outcome.as_ref().err(), took_ms);
    Ok((outcome.map_err(from_client)?, took_ms))
}

fn answer_stamp(ctx: &Context) -> AnswerStamp {
    let number = ctx.feature_state(|_| AnswerCounter(AtomicU64::new(1))).0.fetch_add(1, Ordering::Relaxed);
    let now = ctx.ports().clock.now();
    let rules = ctx.rules();
    AnswerStamp {
        at: ctx.now_text(),
        rules_version: rules.version().to_string(),
        rules_from_pack: rules.pack_key().is_some(),
        answer_id: format!("{}-{number}", now.timestamp_millis()),
    }
}

fn calculate_estimate(
    ctx: &Context,
    asked: &CalculatorQuestion,
    local: &LocalTables,
) -> Result<Quote, Vec<InputProblem>> {
    ctx.rules().book().calculate(&asked.input, local)
}

pub(crate) fn field_faults(problems: Vec<InputProblem>) -> Vec<FieldError> {
    let fault = |problem: InputProblem| {
        FieldError::at_pointer(
            pointer_of(problem.field, problem.line),
            end_sentence(&capitalize_first(&problem.message)),
        )
    };
    problems.into_iter().map(fault).collect()
}

fn problem_sentence(problems: &[InputProblem]) -> String {
    problems
        .iter()
        .map(|problem| end_sentence(&capitalize_first(&problem.message)))
        .collect::<Vec<_>>()
        .join(" ")
}
