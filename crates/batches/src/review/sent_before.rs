//! What the review asks the outbox: what was sent before, and what came back.

use bordereau_spreadsheets::SentKeys;

use crate::outbox::rows_to_correct;
use crate::outbox::sent_keys;
use bordereau_api::BoundaryError;
use bordereau_session::Context;
use bordereau_session::profile::active_profile;
use bordereau_store::batches::rows::Correction;

/// Keys of everything sent with the profile in use, apart from those of the batch that is being corrected.
pub async fn sent_before(ctx: &Context, except: Option<&str>) -> Result<SentKeys, BoundaryError> {
    let profile = active_profile(ctx).await?;
    sent_keys(ctx, &profile.id, except).await
}

/// The rows of a batch that have to be corrected.
pub async fn correction_rows(ctx: &Context, batch: &str) -> Result<Correction, BoundaryError> {
    rows_to_correct(ctx, batch).await
}
