//! Downloads in progress: their progress, and requests to cancel one.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use parking_lot::Mutex;
use tokio::io::AsyncWrite;
use tokio::sync::Notify;

use bordereau_api::{DocumentDownloads, DownloadView, KeptDocumentId, to_u32};

/// One download.
pub(super) struct RunningDownload {
    which: KeptDocumentId,
    bytes: AtomicU64,
    wish: Notify,
}

impl RunningDownload {
    fn start_for(which: KeptDocumentId) -> Arc<RunningDownload> {
        Arc::new(RunningDownload { which, bytes: AtomicU64::new(0), wish: Notify::new() })
    }

    /// Returns when someone cancels it.
    pub(super) async fn wait_canceled(&self) {
        self.wish.notified().await;
    }

    /// The writer, with its bytes counted.
    pub(super) fn counting_writer<W>(&self, writer: W) -> CountingWriter<'_, W> {
        CountingWriter { writer, bytes: &self.bytes }
    }
}

/// Every download of a desk that is in progress.
#[derive(Default)]
pub(super) struct RunningDownloads(Mutex<Vec<Arc<RunningDownload>>>);

impl RunningDownloads {
    /// Adds a download. It is removed when the guard is dropped, also if no one waits for it any more.
    pub(super) fn begin_download(&self, which: KeptDocumentId) -> DownloadGuard<'_> {
        let download = RunningDownload::start_for(which);
        self.lock_all().push(Arc::clone(&download));
        DownloadGuard { downloads: self, download }
    }

    pub(super) fn cancel_download(&self, which: &KeptDocumentId) {
        for download in self.lock_all().iter().filter(|download| download.which == *which) {
            download.wish.notify_one();
        }
    }

    pub(super) fn to_view(&self) -> DocumentDownloads {
        let shown = |download: &Arc<RunningDownload>| DownloadView {
            transaction_id: download.which.transaction_id.clone(),
            number: download.which.number,
            bytes: to_u32(download.bytes.load(Ordering::Relaxed)),
        };
        DocumentDownloads { downloads: self.lock_all().iter().map(shown).collect() }
    }

    fn lock_all(&self) -> parking_lot::MutexGuard<'_, Vec<Arc<RunningDownload>>> {
        self.0.lock()
    }
}

/// A download's entry among those in progress.
pub(super) struct DownloadGuard<'d> {
    downloads: &'d RunningDownloads,
    pub(super) download: Arc<RunningDownload>,
}

impl Drop for DownloadGuard<'_> {
    fn drop(&mut self) {
        self.downloads.lock_all().retain(|download| !Arc::ptr_eq(download, &self.download));
    }
}

/// Counts what is written through it.
pub(super) struct CountingWriter<'d, W> {
    writer: W,
    bytes: &'d AtomicU64,
}

impl<W: AsyncWrite + Unpin> AsyncWrite for CountingWriter<'_, W> {
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
