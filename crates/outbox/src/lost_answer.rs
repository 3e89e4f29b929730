//! A job whose answer was lost. It is looked up for a while and adopted if found. It is sent again only after a
//! lookup has proven that the service doesn't have it. Where nothing can be proven, a person decides.
//!
//! "Not found" alone proves nothing: a service without that endpoint answers the same. So the service is also asked
//! for a record that it is known to have, and "not found" counts only if that one is found. Waiting time counts only
//! while this program ran and the service answered: setting the clock sends nothing.

use std::time::Duration;

use bordereau_session::Context;

use super::job::{DeliveryProof, JobMemory, JobProgress, OutboxJob, ServiceTrouble, service_of};
use super::worker::Outbox;

pub fn as_millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// One lookup of a job whose answer was lost.
pub async fn look_for<J: OutboxJob>(
    ctx: &Context,
    job: &J,
    memory: &mut JobMemory,
) -> Result<JobProgress, ServiceTrouble> {
    let service = service_of(ctx, job.destination()).await?;
    if job.look_up(ctx, &service).await? {
        *memory = JobMemory::default();
        return Ok(JobProgress::Moved);
    }
    let pace = Outbox::from_context(ctx).pace();
    let passed = as_millis(memory.observe(pace.longest_pause * 2));
    job.add_observed(ctx.store(), passed).await?;
    memory.not_found += 1;
    let left = as_millis(pace.lookup_window) - job.observed_ms() - passed;
    let is_window_over = left <= 0;
    if memory.not_found <= pace.rechecks_max && service.is_practice {
        return Ok(JobProgress::Recheck);
    }
    if memory.not_found <= pace.rechecks_max || !(is_window_over || service.is_practice) {
        job.keep_message(ctx.store(), lookup_message(job.lost_reason(ctx.store()), left)).await?;
        return Ok(JobProgress::Waits);
    }
    match job.judge_delivery(ctx, &service).await? {
        DeliveryProof::Absent => job.send_again(ctx).await?,
        DeliveryProof::Adopted => {}
        DeliveryProof::Unproven(_) if !is_window_over => {
            job.keep_message(ctx.store(), lookup_message(job.lost_reason(ctx.store()), left)).await?;
            return Ok(JobProgress::Waits);
        }
        DeliveryProof::Unproven(hint) => job.wait_for_decision(ctx, hint).await?,
    }
    *memory = JobMemory::default();
    Ok(JobProgress::Moved)
}

fn lookup_message(lost: &str, left_ms: i64) -> String {
    let minutes = (left_ms / 60_000 + 1).max(1);
    let minutes = if minutes == 1 { "1 more minute".to_owned() } else { format!("{minutes} more minutes") };
    format!(
        "{lost}. Bordereau keeps asking the service for {minutes} while it runs, because results can appear late; until then it isn't sent again."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_said_in_minutes() {
        for (left, expected) in
            [(-1, "1 more minute "), (59_000, "1 more minute "), (2_040_000, "35 more minutes")]
        {
            assert!(lookup_message("", left).contains(expected), "{left}");
        }
    }
}
