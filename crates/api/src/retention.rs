//! How long data stays on this computer.

use bordereau_contract::pluralize;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// For how many days what is finished with a profile stays on this computer; null for always. What is unfinished
/// stays whatever is said here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct RetentionRules {
    /// The documents of a row that the service has taken; 0 lets them go as soon as its batch has ended.
    pub documents: Option<u32>,
    /// What was sent of a row, and what the service said of it. Its number, amounts, and state stay.
    pub rows: Option<u32>,
    /// The bodies of events that were read, and refused deliveries.
    pub events: Option<u32>,
    /// The copies of documents whose upload was refused or canceled.
    pub uploads: Option<u32>,
    /// Drafts that were sent as a whole.
    pub drafts: Option<u32>,
    /// Quotes that were calculated and not saved.
    pub quotes: Option<u32>,
}

impl Default for RetentionRules {
    /// Two years of events and one of drafts: what is of use later is in the rows and in the audit log.
    fn default() -> RetentionRules {
        RetentionRules {
            documents: Some(0),
            rows: None,
            events: Some(730),
            uploads: None,
            drafts: Some(365),
            quotes: None,
        }
    }
}

impl RetentionRules {
    /// Each by its name.
    #[must_use]
    pub const fn named_days(&self) -> [(&'static str, Option<u32>); 6] {
        [
            ("documents", self.documents),
            ("rows", self.rows),
            ("events", self.events),
            ("uploads", self.uploads),
            ("drafts", self.drafts),
            ("quotes", self.quotes),
        ]
    }

    /// `documents 0 days, rows always, ...`.
    #[must_use]
    pub fn describe(&self) -> String {
        let said = self.named_days().map(|(name, days)| match days {
            Some(days) => format!("{name} {}", pluralize(days, "day")),
            None => format!("{name} always"),
        });
        said.join(", ")
    }
}

/// How much is deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RetentionCounts {
    /// Documents of rows.
    pub documents: u32,
    pub rows: u32,
    /// Events, and deliveries that were refused.
    pub events: u32,
    pub uploads: u32,
    pub drafts: u32,
    pub quotes: u32,
}

impl RetentionCounts {
    /// `3 documents of rows, 2 drafts`; empty for nothing.
    #[must_use]
    pub fn count_words(&self) -> String {
        let counts = [
            (self.documents, "document"),
            (self.rows, "row"),
            (self.events, "event"),
            (self.uploads, "upload"),
            (self.drafts, "draft"),
            (self.quotes, "quote"),
        ];
        let counted: Vec<String> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, name)| pluralize(*count, name))
            .collect();
        counted.join(", ")
    }

    /// Both together.
    #[must_use]
    pub const fn plus(self, other: RetentionCounts) -> RetentionCounts {
        RetentionCounts {
            documents: self.documents + other.documents,
            rows: self.rows + other.rows,
            events: self.events + other.events,
            uploads: self.uploads + other.uploads,
            drafts: self.drafts + other.drafts,
            quotes: self.quotes + other.quotes,
        }
    }
}

/// The rules of the profile in use, and what goes by them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RetentionView {
    /// Name of the profile.
    pub profile: String,
    pub rules: RetentionRules,
    /// What they would delete now, or deleted when they were saved.
    pub counts: RetentionCounts,
}
