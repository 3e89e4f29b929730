//! Downloads in progress: how far they are, and requests to cancel one.

use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use tokio::io::AsyncWrite;
use tokio::sync::Notify;

use bordereau_api::{DocumentDownloads, DownloadView, KeptDocumentId};

/// One download.
pub(super) struct Download {
    which: KeptDocumentId,
    bytes: AtomicU64,
    wish: Notify,
}

impl Download {
    fn of(which: KeptDocumentId) -> Arc<Download> {
        Arc::new(Download { which, bytes: AtomicU64::new(0), wish: Notify::new() })
    }

    /// Comes when somebody wants it to end.
    pub(super) async fn ended(&self) {
        self.wish.notified().await;
    }

    /// The writer, with its bytes counted.
    pub(super) fn counting<W>(&self, writer: W) -> Counting<'_, W> {
        Counting { writer, bytes: &self.bytes }
    }
}

/// Every download of a desk that is in progress.
#[derive(Default)]
pub(super) struct Downloads(Mutex<Vec<Arc<Download>>>);

impl Downloads {
    /// One more; it is gone when the turn is dropped, also when nobody waits for it any more.
    pub(super) fn begin(&self, which: KeptDocumentId) -> Turn<'_> {
        let download = Download::of(which);
        self.all().push(Arc::clone(&download));
        Turn { downloads: self, download }
    }

    pub(super) fn cancel(&self, which: &KeptDocumentId) {
        for download in self.all().iter().filter(|download| download.which == *which) {
            download.wish.notify_one();
        }
    }

    pub(super) fn view(&self) -> DocumentDownloads {
        let shown = |download: &Arc<Download>| DownloadView {
            transaction_id: download.which.transaction_id.clone(),
            number: download.which.number,
            bytes: u32::try_from(download.bytes.load(Ordering::Relaxed)).unwrap_or(u32::MAX),
        };
        DocumentDownloads { downloads: self.all().iter().map(shown).collect() }
    }

    fn all(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Download>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A download's entry among those in progress.
pub(super) struct Turn<'d> {
    downloads: &'d Downloads,
    pub(super) download: Arc<Download>,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.downloads.all().retain(|download| !Arc::ptr_eq(download, &self.download));
    }
}

/// Counts what is written through it.
pub(super) struct Counting<'d, W> {
    writer: W,
    bytes: &'d AtomicU64,
}

impl<W: AsyncWrite + Unpin> AsyncWrite for Counting<'_, W> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        piece: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        let written = Pin::new(&mut self.writer).poll_write(context, piece);
        if let Poll::Ready(Ok(bytes)) = &written {
            self.bytes.fetch_add(u64::try_from(*bytes).unwrap_or_default(), Ordering::Relaxed);
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.writer).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.writer).poll_shutdown(context)
    }
}
