//! The policy of the computer, for display.

use crate::Context;
use bordereau_api::{BoundaryError, Nothing, PolicyView};

/// What the policy of this computer decides.
pub async fn policy_show(ctx: &Context, _request: Nothing) -> Result<PolicyView, BoundaryError> {
    let policy = &ctx.ports().policy;
    Ok(PolicyView { place: policy.place.clone(), fault: policy.fault.clone(), sets: policy.sentences() })
}
