//! When the first rows of a large file are on the screen: until then the rest leaves the machine to the window.

use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

/// A window that shows rows asks for them at once; a person may have to match columns first, or look elsewhere.
const ASKED_WITHIN: Duration = Duration::from_millis(200);
/// How long a window takes to draw what it was given. The whole of a small machine's processor is needed for it.
const DRAWN_WITHIN: Duration = Duration::from_millis(200);

/// Whether the first rows of a review are looked at.
#[derive(Default)]
pub struct Sight {
    asked: Notify,
}

impl Sight {
    /// Rows are asked for.
    pub fn asks(&self) {
        self.asked.notify_one();
    }

    /// Waits until rows that can be asked for now are drawn, and not for long where nobody asks.
    pub async fn is_drawn(&self) {
        if timeout(ASKED_WITHIN, self.asked.notified()).await.is_ok() {
            sleep(DRAWN_WITHIN).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Neither a window that asks at once nor one that never does holds the reading up.
    #[tokio::test]
    async fn the_rest_goes_on_whether_rows_are_asked_for_or_not() {
        let sight = Sight::default();
        sight.is_drawn().await;
        sight.asks();
        sight.is_drawn().await;
    }
}
