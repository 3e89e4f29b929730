//! "Test connection": each step, its result, and what to do about it.

use std::time::Instant;

use bordereau_client::{ProbeOutcome, ProbeStep, probe_connection};

use super::PRACTICE;
use crate::Context;
use crate::profile::profile_by_id;
use crate::profile::session::client_parts;
use crate::profile::session::practice_endpoint;
use bordereau_api::{
    BoundaryError, ErrorCode, ProfileId, ServiceState, TestOutcome, TestReport, TestStep, to_u32,
};

/// Tests a profile's connection; a failure is a result, not an error.
///
/// # Errors
/// [`ErrorCode::NotFound`] for a profile that is not there.
pub async fn profile_test(ctx: &Context, request: ProfileId) -> Result<TestReport, BoundaryError> {
    let profile = profile_by_id(ctx, &request.id).await?;
    let started = Instant::now();
    let endpoint = if profile.id == PRACTICE {
        match practice_endpoint(ctx).await {
            Ok(endpoint) => Some(endpoint),
            Err(error) => return Ok(test_report(vec![failed_step(&error)], started)),
        }
    } else {
        None
    };
    let steps = match client_parts(ctx, &profile, endpoint.as_ref()).await {
        Ok((config, credentials, tokens)) => {
            probe_connection(config, credentials, tokens).await.into_iter().map(test_step).collect()
        }
        Err(error) if matches!(error.code, ErrorCode::NoCredentials) => {
            without_credentials(ctx, &profile).await?
        }
        Err(error) => vec![failed_step(&error)],
    };
    let report = test_report(steps, started);
    if report.ok {
        ctx.sessions().set_state(&profile.id, ServiceState::Ready);
    }
    Ok(report)
}

/// Without a key everything up to the sign-in can still be tested.
async fn without_credentials(
    ctx: &Context,
    profile: &bordereau_api::Profile,
) -> Result<Vec<TestStep>, BoundaryError> {
    let config = super::session::client_config(ctx, profile).await?;
    let tokens = std::sync::Arc::new(bordereau_client::MemoryTokens::new());
    let steps = probe_connection(config, bordereau_client::Credentials::default(), tokens).await;
    Ok(steps.into_iter().map(test_step).collect())
}

fn test_report(steps: Vec<TestStep>, started: Instant) -> TestReport {
    let took_ms = to_u32(started.elapsed().as_millis());
    let ok = !steps.is_empty() && steps.iter().all(|step| step.outcome == TestOutcome::Ok);
    TestReport { ok, steps, took_ms }
}

fn test_step(step: ProbeStep) -> TestStep {
    TestStep {
        name: step.name.to_string(),
        outcome: match step.outcome {
            ProbeOutcome::Ok => TestOutcome::Ok,
            ProbeOutcome::Failed => TestOutcome::Failed,
            ProbeOutcome::Skipped => TestOutcome::Skipped,
        },
        detail: step.detail,
        remedy: step.remedy,
    }
}

fn failed_step(error: &BoundaryError) -> TestStep {
    let name = match error.code {
        ErrorCode::KeychainUnavailable | ErrorCode::KeychainLocked => "Sign-in",
        _ => "Address",
    };
    TestStep {
        name: name.into(),
        outcome: TestOutcome::Failed,
        detail: error.message.clone(),
        remedy: String::new(),
    }
}
