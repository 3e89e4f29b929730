//! Drafts of commands: no draft of the person's until the command leaves them one; what an ended command left
//! behind is removed by the next.

use std::sync::atomic::Ordering;

use crate::Desk;
use crate::api::BoundaryError;

impl Desk {
    /// From now on new drafts are this command's own: the window does not list them.
    pub fn work_unattended(&self) {
        self.inner.reviews.unattended.store(true, Ordering::Relaxed);
    }

    /// Leaves a draft to the person: the window lists it.
    ///
    /// # Errors
    /// [`crate::api::ErrorCode::Storage`], [`crate::api::ErrorCode::NotFound`].
    pub async fn leave_draft(&self, review: &str) -> Result<(), BoundaryError> {
        Ok(self.inner.store.leave_review(review).await?)
    }

    /// Removes what commands left behind that ended before their time. Only while no other command is at work.
    /// Tells how many drafts there were.
    ///
    /// # Errors
    /// [`crate::api::ErrorCode::Storage`].
    pub async fn remove_left_behind(&self) -> Result<usize, BoundaryError> {
        Ok(self.inner.store.remove_unattended().await?)
    }
}
