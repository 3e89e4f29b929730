//! The service's clock: look at it, advance it, set it.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use bordereau_contract::{format_instant, parse_instant};
use serde::{Deserialize, Serialize};

use super::json_response;
use crate::Clock;
use crate::refusal::Refusal;
use crate::service::{AppState, Service};

/// Furthest one may go from the real time: a hundred years.
const SECONDS_MAX: u64 = 100 * 366 * 24 * 3_600;

#[derive(Serialize)]
struct ClockState {
    /// RFC 3339, UTC.
    now: String,
    /// Seconds by which it differs from the clock it was started with.
    offset_seconds: i64,
}

/// Exactly one of the two.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClockMove {
    /// Seconds to advance; negative goes back.
    seconds: Option<i64>,
    /// The instant to show now, RFC 3339.
    now: Option<String>,
}

fn clock_state(app: &Service) -> ClockState {
    ClockState { now: format_instant(app.clock.now()), offset_seconds: app.clock.offset_seconds() }
}

/// `GET /practice/clock`.
pub(super) async fn show_clock(State(app): State<AppState>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let result = app.practice_caller(&parts).await.map(|_| clock_state(&app));
    json_response(StatusCode::OK, result)
}

/// `POST /practice/clock`: `{"seconds": 3600}` advances, `{"now": "2027-01-01T00:00:00Z"}` sets.
pub(super) async fn move_it(State(app): State<AppState>, request: Request) -> Response {
    let result = async {
        let (_, asked) = app.practice_body::<ClockMove>(request).await?;
        match (asked.seconds, asked.now) {
            (Some(seconds), None) => advance_clock(&app, seconds)?,
            (None, Some(now)) => set_clock(&app, &now)?,
            _ => {
                return Err(Refusal::invalid_field(
                    "",
                    "Either seconds (to advance) or now (to set) is expected.",
                ));
            }
        }
        Ok(clock_state(&app))
    };
    json_response(StatusCode::OK, result.await)
}

/// Sets it, within the same bounds.
fn set_clock(app: &Service, text: &str) -> Result<(), Refusal> {
    let Some(now) = parse_instant(text) else {
        return Err(Refusal::invalid_field("/now", "An instant such as 2027-01-01T00:00:00Z is expected."));
    };
    let real = app.clock.now().timestamp() - app.clock.offset_seconds();
    if now.timestamp().abs_diff(real) > SECONDS_MAX {
        return Err(Refusal::invalid_field(
            "/now",
            "The clock cannot be moved by more than a hundred years.",
        ));
    }
    app.clock.set(now);
    app.webhooks.wake.notify_one();
    Ok(())
}

/// Moves it by seconds, within bounds; what became due by it is looked after at once.
pub(super) fn advance_clock(app: &Service, seconds: i64) -> Result<(), Refusal> {
    let offset = app.clock.offset_seconds().saturating_add(seconds);
    if offset.unsigned_abs() > SECONDS_MAX {
        return Err(Refusal::invalid_field(
            "/seconds",
            "The clock cannot be moved by more than a hundred years.",
        ));
    }
    app.clock.advance(seconds);
    app.webhooks.wake.notify_one();
    Ok(())
}
