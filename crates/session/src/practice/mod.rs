//! The practice panel: simulates the state's decisions and service failures, and shows the service's queue. It uses
//! a port, because the client crate makes only the contract's calls.

mod act;

use bordereau_contract::{PracticeAction, PracticeAnswer};

use crate::Context;
use crate::failure::{capitalize_first, end_sentence};
use crate::profile::PRACTICE;
use crate::profile::active_profile;
use bordereau_api::*;

/// Shows the state of the practice service.
///
/// # Errors
/// [`ErrorCode::Validation`] on any other profile; [`ErrorCode::Offline`] where it doesn't answer.
pub async fn practice_show(ctx: &Context, _request: Nothing) -> Result<PracticeState, BoundaryError> {
    only_practice(ctx).await?;
    let mut state = PracticeState {
        now: String::new(),
        moved_seconds: 0,
        batches: Vec::new(),
        deliveries: Vec::new(),
        deliveries_waiting: 0,
        faults: 0,
        mail: Vec::new(),
        dialects: Vec::new(),
        role: AccountRole::default(),
    };
    if let PracticeAnswer::Clock { now, offset_seconds } =
        act_on_service(ctx, PracticeAction::MoveClock { seconds: 0 }).await?
    {
        (state.now, state.moved_seconds) = (now, offset_seconds);
    }
    if let PracticeAnswer::Queue { batches, deliveries_waiting, deliveries, faults } =
        act_on_service(ctx, PracticeAction::LookAtQueue).await?
    {
        state.batches = batches.into_iter().map(waiting_batch).collect();
        state.deliveries = deliveries.into_iter().map(waiting_delivery).collect();
        state.deliveries_waiting = u32::try_from(deliveries_waiting).unwrap_or_default();
        state.faults = faults;
    }
    if let PracticeAnswer::Mail { mail } = act_on_service(ctx, PracticeAction::ReadMail).await? {
        state.mail = mail;
    }
    if let PracticeAnswer::Role { role } = act_on_service(ctx, PracticeAction::ShowRole).await? {
        state.role = role;
    }
    if let PracticeAnswer::Dialects { dialects } = act_on_service(ctx, PracticeAction::ListDialects).await? {
        state.dialects = dialects;
    }
    Ok(state)
}

/// Acts on the practice service.
///
/// # Errors
/// [`ErrorCode::Validation`] on any other profile and for impossible actions; [`ErrorCode::Offline`].
pub async fn practice_act(ctx: &Context, request: PracticeAct) -> Result<PracticeOutcome, BoundaryError> {
    only_practice(ctx).await?;
    let mut said = Vec::new();
    for action in act::actions_of(request)? {
        said.push(act::describe_answer(act_on_service(ctx, action).await?));
    }
    let state = practice_show(ctx, Nothing {}).await?;
    let secret = said.iter().find_map(|outcome| match outcome {
        act::ActOutcome::Key(key) => Some(key.clone()),
        _ => None,
    });
    Ok(PracticeOutcome { text: act::join_outcomes(said), state, secret: secret.unwrap_or_default() })
}

async fn only_practice(ctx: &Context) -> Result<(), BoundaryError> {
    if active_profile(ctx).await?.id == PRACTICE {
        return Ok(());
    }
    Err(BoundaryError::with_code(
        ErrorCode::Validation,
        "This is for practice only. Switch to the Practice profile: only its service can simulate the state.",
    ))
}

async fn act_on_service(ctx: &Context, action: PracticeAction) -> Result<PracticeAnswer, BoundaryError> {
    let acted = ctx.ports().practice.perform_action(action).await;
    acted.map_err(|why| {
        BoundaryError::with_code(ErrorCode::Offline, end_sentence(&capitalize_first(&why))).mark_retryable()
    })
}

fn waiting_batch(batch: bordereau_contract::QueuedBatch) -> PracticeWaiting {
    let rows = if batch.total_items == 1 { "row" } else { "rows" };
    PracticeWaiting {
        what: format!("Batch of {} {rows}, {}", batch.total_items, batch.status),
        id: batch.batch_id,
        due: String::new(),
        failures: 0,
    }
}

fn waiting_delivery(delivery: bordereau_contract::QueuedDelivery) -> PracticeWaiting {
    let what = bordereau_contract::EventKind::from_identifier(&delivery.event)
        .map_or(delivery.event, |kind| kind.title().to_owned());
    PracticeWaiting {
        id: delivery.id.to_string(),
        what: format!("{what}, {}, to {}", delivery.subject, delivery.webhook_title),
        due: delivery.next_attempt_at,
        failures: delivery.failures,
    }
}
