//! Faults to come: add, list, clear.

use std::collections::BTreeMap;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;

use super::answered;
use crate::faults::Fault;
use crate::refusal::Refusal;
use crate::service::App;

/// Longest delay, ten minutes.
const DELAY_MS_MAX: u64 = 600_000;

type FaultList = BTreeMap<&'static str, Vec<Fault>>;

fn listed(app: &App) -> FaultList {
    BTreeMap::from([("faults", app.faults.list())])
}

/// `GET /practice/faults`.
pub(super) async fn list(State(app): State<App>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let result = app.practice_caller(&parts).await.map(|_| listed(&app));
    answered(StatusCode::OK, result)
}

/// `POST /practice/faults`: `{"operation": "calculator", "kind": "delay", "times": 1, "delay_ms": 500}`.
pub(super) async fn add(State(app): State<App>, request: Request) -> Response {
    let result = async {
        let (_, fault) = app.practice_body::<Fault>(request).await?;
        add_checked(&app, fault)?;
        Ok(listed(&app))
    };
    answered(StatusCode::CREATED, result.await)
}

/// Adds a fault that makes sense.
pub(super) fn add_checked(app: &App, fault: Fault) -> Result<(), Refusal> {
    if fault.times == 0 {
        return Err(Refusal::field("/times", "At least 1 is expected."));
    }
    if fault.delay_ms > DELAY_MS_MAX {
        return Err(Refusal::field("/delay_ms", format!("At most {DELAY_MS_MAX} is possible.")));
    }
    app.faults.add(fault);
    Ok(())
}

/// `DELETE /practice/faults`.
pub(super) async fn clear(State(app): State<App>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let result = app.practice_caller(&parts).await.map(|_| {
        app.faults.clear();
        listed(&app)
    });
    answered(StatusCode::OK, result)
}
