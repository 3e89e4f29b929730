//! Which rows pass which filter: rebuilt after a change, so that a page is a slice.

use bordereau_api::{ReviewCounts, RowFilter};

/// Rows of the table by filter, in order.
#[derive(Default)]
pub struct RowIndex {
    pub all: Vec<u32>,
    pub ready: Vec<u32>,
    pub errors: Vec<u32>,
    pub sent: Vec<u32>,
    pub warnings: Vec<u32>,
    pub changed: Vec<u32>,
    pub excluded: Vec<u32>,
    pub counts: ReviewCounts,
}

impl RowIndex {
    pub fn rows(&self, filter: RowFilter) -> &[u32] {
        match filter {
            RowFilter::All => &self.all,
            RowFilter::Ready => &self.ready,
            RowFilter::Errors => &self.errors,
            RowFilter::Sent => &self.sent,
            RowFilter::Warnings => &self.warnings,
            RowFilter::Changed => &self.changed,
            RowFilter::Excluded => &self.excluded,
        }
    }

    /// Whether the transaction is ready to be sent.
    pub fn is_ready(&self, row: u32) -> bool {
        self.ready.binary_search(&row).is_ok()
    }
}
