//! What the review asks the outbox: what was sent before, and what came back.

use bordereau_intake::SentKeys;

use super::Correction;
use crate::Desk;
use crate::api::BoundaryError;

impl Desk {
    /// Keys of everything sent with the profile in use, apart from those of the batch that is being corrected.
    pub(crate) async fn sent_before(&self, except: Option<&str>) -> Result<SentKeys, BoundaryError> {
        let profile = self.active_profile().await?;
        self.sent_keys(&profile.id, except).await
    }

    /// The rows of a batch that have to be corrected.
    pub(crate) async fn correction_rows(&self, batch: &str) -> Result<Correction, BoundaryError> {
        self.rows_to_correct(batch).await
    }
}
