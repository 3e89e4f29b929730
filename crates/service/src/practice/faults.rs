//! Faults to come: add, list, clear.

use std::collections::BTreeMap;

use axum::extract::State;

use super::{CreatedResult, PracticeBody, PracticeCaller, PracticeResult, created_answer};
use crate::answer::JsonAnswer;
use crate::faults::PendingFault;
use crate::refusal::Refusal;
use crate::service::AppState;

/// Longest delay, ten minutes.
const DELAY_MS_MAX: u64 = 600_000;

type FaultList = BTreeMap<&'static str, Vec<PendingFault>>;

fn fault_list(app: &AppState) -> FaultList {
    BTreeMap::from([("faults", app.faults.list_waiting())])
}

/// `GET /practice/faults`.
pub(super) async fn list_faults(State(app): State<AppState>, _: PracticeCaller) -> PracticeResult<FaultList> {
    Ok(JsonAnswer(fault_list(&app)))
}

/// `POST /practice/faults`: `{"operation": "calculator", "kind": "delay", "times": 1, "delay_ms": 500}`.
pub(super) async fn add_fault(
    State(app): State<AppState>,
    PracticeBody(_, fault): PracticeBody<PendingFault>,
) -> CreatedResult<FaultList> {
    add_checked(&app, fault)?;
    created_answer(fault_list(&app))
}

/// Adds a fault that makes sense.
pub(super) fn add_checked(app: &AppState, fault: PendingFault) -> Result<(), Refusal> {
    if fault.times == 0 {
        return Err(Refusal::invalid_field("/times", "At least 1 is expected."));
    }
    if fault.delay_ms > DELAY_MS_MAX {
        return Err(Refusal::invalid_field("/delay_ms", format!("At most {DELAY_MS_MAX} is allowed.")));
    }
    app.faults.add(fault);
    Ok(())
}

/// `DELETE /practice/faults`.
pub(super) async fn clear_faults(
    State(app): State<AppState>,
    _: PracticeCaller,
) -> PracticeResult<FaultList> {
    app.faults.clear();
    Ok(JsonAnswer(fault_list(&app)))
}
