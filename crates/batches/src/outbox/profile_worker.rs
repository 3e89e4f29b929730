//! All parts of one profile, one step at a time: a service that is slow or gone holds up no other.

use std::collections::HashMap;
use std::time::Duration;

use tokio::time::Instant;

use super::step::{Memory, Progress};
use super::transition::OpenPart;
use super::transition::keep_trouble;
use super::transition::open_parts;
use crate::outbox::Outbox;
use crate::outbox::step::step;
use bordereau_api::BatchState;
use bordereau_session::Context;

/// The longest pause after trouble, whatever the service asks for.
const PAUSE_MAX: Duration = Duration::from_secs(15 * 60);

/// When a part is due, and what is known of it.
struct Turn {
    due: Instant,
    /// Times in a row that nothing came of it.
    in_vain: u32,
    memory: Memory,
}

impl Turn {
    fn now() -> Turn {
        Turn { due: Instant::now(), in_vain: 0, memory: Memory::default() }
    }
}

/// Works until no part of the profile is open.
pub(super) async fn work(ctx: Context, profile_id: String) {
    let outbox = Outbox::of(&ctx);
    let mut turns: HashMap<(i64, i64), Turn> = HashMap::new();
    let mut failures = 0u32;
    loop {
        let pace = outbox.pace();
        let open = match open_parts(ctx.store()).await {
            Ok(open) => open.into_iter().filter(|part| part.profile_id == profile_id).collect::<Vec<_>>(),
            Err(error) => {
                tracing::warn!(%error, "outbox");
                tokio::time::sleep(pace.longest).await;
                continue;
            }
        };
        if open.is_empty() {
            return;
        }
        turns.retain(|at, _| open.iter().any(|part| (part.batch, part.part) == *at));
        let Some(part) = next(&open, &mut turns) else {
            let due = turns.values().map(|turn| turn.due).min().unwrap_or_else(Instant::now);
            // New parts and cancelled ones are looked at meanwhile.
            let soon = due.min(Instant::now() + pace.idle);
            tokio::select! {
                () = tokio::time::sleep_until(soon) => {}
                () = outbox.woken() => {}
            }
            continue;
        };
        let turn = turns.entry((part.batch, part.part)).or_insert_with(Turn::now);
        let progress = step(&ctx, part, &mut turn.memory).await;
        let pause = match progress {
            Progress::Moved => {
                failures = 0;
                turn.in_vain = 0;
                if part.state == BatchState::Accepted || part.state == BatchState::Processing {
                    pace.first
                } else {
                    Duration::ZERO
                }
            }
            Progress::Waits => {
                failures = 0;
                turn.in_vain += 1;
                pace.pause(turn.in_vain)
            }
            Progress::Recheck => pace.recheck,
            Progress::Trouble(trouble) => {
                failures += 1;
                let pause = pace.pause(failures).max(trouble.pause.unwrap_or_default());
                tracing::info!(trouble = trouble.text, pause_ms = pause.as_millis(), "outbox waits");
                let _ = keep_trouble(ctx.store(), part.batch, trouble.text).await;
                // The service is at fault, not the part: all of them wait. A service may ask for years; the client
                // keeps to its limits by itself, so looking again costs nothing.
                tokio::time::sleep(pause.min(PAUSE_MAX)).await;
                Duration::ZERO
            }
        };
        turn.due = Instant::now() + pause;
    }
}

/// The part to go on with: what may be lost before what waits to be sent, that before questions for results.
fn next<'p>(open: &'p [OpenPart], turns: &mut HashMap<(i64, i64), Turn>) -> Option<&'p OpenPart> {
    let now = Instant::now();
    let rank = |state: BatchState| match state {
        BatchState::Sending | BatchState::Unknown => 0,
        BatchState::Queued => 1,
        _ => 2,
    };
    open.iter()
        .filter(|part| turns.entry((part.batch, part.part)).or_insert_with(Turn::now).due <= now)
        .min_by_key(|part| rank(part.state))
}
