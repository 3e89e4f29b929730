//! Erasing an insured or a year from this computer.

use bordereau_contract::{pluralize, pluralize_as};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What is to be erased: an insured, or a year.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EraseRequest {
    /// Name of the insured; upper and lower case and spaces don't matter. Empty for a year.
    pub insured: String,
    /// The year in which it was sent, received, quoted or drafted, and of the policies; 0 for an insured.
    pub year: u32,
}

/// What is erased, or was.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EraseView {
    /// Rows of batches.
    pub rows: u32,
    /// Batches of which no row is left.
    pub batches: u32,
    /// Documents of rows.
    pub documents: u32,
    /// Uploads of documents.
    pub uploads: u32,
    pub events: u32,
    /// Saved and recent quotes.
    pub quotes: u32,
    /// Drafts of a year.
    pub drafts: u32,
    /// Saved searches.
    pub searches: u32,
    /// Answers of the service that were not understood.
    pub answers: u32,
    /// Transactions of the index.
    pub transactions: u32,
    /// Of the rows and uploads, those that are still being sent: nothing is erased while there are any.
    pub sending: u32,
    /// Drafts, which are not searched for an insured.
    pub unsearched_drafts: u32,
    /// Entries of the audit log that name the insured: they stay.
    pub log_entries: u32,
    /// Files that still hold it: backups, and copies from before an update or a restore.
    pub copies: Vec<String>,
    /// In an office, where else it may be and can't be seen from here, in a sentence; empty elsewhere.
    pub unseen: String,
    /// With the name or year, this shows later which entry of the audit log it is; empty before it is erased.
    pub proof: String,
}

impl EraseView {
    /// Everything that goes, counted: `2 rows with 1 document (0 batches whole), ...`.
    pub fn count_words(&self) -> String {
        format!(
            "{} with {} ({} whole), {}, {}, {}, {}, {}, {}, {}",
            pluralize(self.rows, "row"),
            pluralize(self.documents, "document"),
            pluralize_as(self.batches, "batch", "batches"),
            pluralize(self.uploads, "upload"),
            pluralize(self.events, "event"),
            pluralize(self.quotes, "quote"),
            pluralize(self.drafts, "draft"),
            pluralize_as(self.searches, "search", "searches"),
            pluralize(self.answers, "answer"),
            pluralize(self.transactions, "transaction"),
        )
    }
}
