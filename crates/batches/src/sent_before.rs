//! What was sent before, and what came back.

use bordereau_api::BoundaryError;
use bordereau_session::Context;
use bordereau_session::profile::active_profile;
use bordereau_spreadsheets::SentKeys;
use bordereau_store::batches::rows::{self, BatchCorrection};

/// Keys of everything sent with the profile in use, apart from those of the batch that is being corrected.
pub async fn sent_before(ctx: &Context, except: Option<&str>) -> Result<SentKeys, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let (profile_id, except) = (profile.id, except.map(str::to_owned));
    let store = ctx.store();
    Ok(store
        .with_connection(move |connection| rows::sent_keys(connection, &profile_id, except.as_deref()))
        .await?)
}

pub async fn correction_rows(ctx: &Context, batch: &str) -> Result<BatchCorrection, BoundaryError> {
    let batch = batch.to_owned();
    Ok(ctx.store().with_connection(move |connection| rows::open_rows(connection, &batch)).await?)
}
