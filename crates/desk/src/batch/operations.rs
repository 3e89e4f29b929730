//! The operations on batches.

use bordereau_intake::SentKeys;

use super::{audit, is_ended, rows, view};
use crate::Desk;
use crate::api::*;
use crate::review::Correction;

impl Desk {
    /// All batches, newest first.
    ///
    /// # Errors
    /// [`ErrorCode::Storage`].
    pub async fn batch_list(&self, _request: Nothing) -> Result<BatchList, BoundaryError> {
        self.ensure_worker();
        let batches = self.inner.store.run(|connection| view::all(connection)).await?;
        Ok(BatchList { batches })
    }

    /// A batch.
    ///
    /// # Errors
    /// [`ErrorCode::NotFound`], [`ErrorCode::Storage`].
    pub async fn batch_show(&self, request: BatchId) -> Result<BatchView, BoundaryError> {
        Ok(self.inner.store.run(move |connection| view::one(connection, &request.id)).await?)
    }

    /// A page of a batch's rows.
    ///
    /// # Errors
    /// [`ErrorCode::NotFound`], [`ErrorCode::Storage`].
    pub async fn batch_rows(&self, request: BatchRowsRequest) -> Result<BatchRowsPage, BoundaryError> {
        Ok(self.inner.store.run(move |connection| view::page(connection, &request)).await?)
    }

    /// Takes back what was not begun to be sent.
    ///
    /// # Errors
    /// [`ErrorCode::Validation`] when all of it was begun; [`ErrorCode::NotFound`], [`ErrorCode::Storage`].
    pub async fn batch_cancel(&self, request: BatchId) -> Result<BatchView, BoundaryError> {
        if !self.inner.store.cancel_parts(&request.id, self.moment()).await? {
            return Err(BoundaryError::of(
                ErrorCode::Validation,
                "Nothing of this batch waits to be sent any more: what the service has taken cannot be taken back here.",
            ));
        }
        self.inner.outbox.wake();
        self.batch_show(request).await
    }

    /// The outbox in a line.
    ///
    /// # Errors
    /// [`ErrorCode::Storage`].
    pub async fn outbox_status(&self, _request: Nothing) -> Result<OutboxStatus, BoundaryError> {
        self.ensure_worker();
        Ok(self.inner.store.run(|connection| view::status(connection)).await?)
    }

    /// The audit log, newest first, and whether its chain holds.
    ///
    /// # Errors
    /// [`ErrorCode::Storage`].
    pub async fn audit_list(&self, _request: Nothing) -> Result<AuditLog, BoundaryError> {
        Ok(self.inner.store.run(|connection| audit::list(connection)).await?)
    }

    /// Waits until a batch is at its end or waits for a person's decision only, however long that takes, and
    /// whichever process works on it.
    ///
    /// # Errors
    /// [`ErrorCode::NotFound`], [`ErrorCode::Storage`].
    pub async fn batch_wait(&self, request: BatchId) -> Result<BatchView, BoundaryError> {
        loop {
            self.ensure_worker();
            let view = self.batch_show(request.clone()).await?;
            if is_ended(view.state) || (view.asks && !view.goes_on) {
                return Ok(view);
            }
            let pace = self.inner.outbox.pace();
            tokio::time::sleep(pace.first.min(std::time::Duration::from_millis(300))).await;
        }
    }

    /// Keys of everything sent to a profile.
    pub(crate) async fn sent_keys(
        &self,
        profile_id: &str,
        except: Option<&str>,
    ) -> Result<SentKeys, BoundaryError> {
        let (profile_id, except) = (profile_id.to_owned(), except.map(str::to_owned));
        let keys = move |connection: &mut rusqlite::Connection| {
            rows::sent_keys(connection, &profile_id, except.as_deref())
        };
        Ok(self.inner.store.run(keys).await?)
    }

    /// The rows of a batch that have to be corrected.
    pub(crate) async fn rows_to_correct(&self, batch: &str) -> Result<Correction, BoundaryError> {
        let batch = batch.to_owned();
        Ok(self.inner.store.run(move |connection| rows::to_correct(connection, &batch)).await?)
    }
}
