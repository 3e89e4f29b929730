//! The service's clock: look at it, advance it, set it.

use axum::extract::State;
use bordereau_contract::{format_instant, parse_instant};
use serde::{Deserialize, Serialize};

use super::{PracticeBody, PracticeCaller, PracticeResult};
use crate::Clock;
use crate::answer::JsonAnswer;
use crate::refusal::Refusal;
use crate::service::{AppState, Service};

/// Furthest one may go from the real time: a hundred years.
const SECONDS_MAX: u64 = 100 * 366 * 24 * 3_600;

#[derive(Serialize)]
pub(super) struct ClockState {
    /// RFC 3339, UTC.
    now: String,
    /// Seconds by which it differs from the clock it was started with.
    offset_seconds: i64,
}

/// Exactly one of the two.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClockMove {
    /// Seconds to advance; negative goes back.
    seconds: Option<i64>,
    /// The instant to show now, RFC 3339.
    now: Option<String>,
}

fn clock_state(app: &Service) -> ClockState {
    ClockState { now: format_instant(app.clock.now()), offset_seconds: app.clock.offset_seconds() }
}

/// `GET /practice/clock`.
pub(super) async fn show_clock(State(app): State<AppState>, _: PracticeCaller) -> PracticeResult<ClockState> {
    Ok(JsonAnswer(clock_state(&app)))
}

/// `POST /practice/clock`: `{"seconds": 3600}` advances, `{"now": "2027-01-01T00:00:00Z"}` sets.
pub(super) async fn move_it(
    State(app): State<AppState>,
    PracticeBody(_, asked): PracticeBody<ClockMove>,
) -> PracticeResult<ClockState> {
    match (asked.seconds, asked.now) {
        (Some(seconds), None) => advance_clock(&app, seconds)?,
        (None, Some(now)) => set_clock(&app, &now)?,
        _ => {
            let why = "Either seconds (to advance) or now (to set) is expected.";
            return Err(Refusal::invalid_field("", why));
        }
    }
    Ok(JsonAnswer(clock_state(&app)))
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
