//! Who of an office does what.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use strum::{EnumIter, EnumString, IntoStaticStr};
use ts_rs::TS;

/// What can be assigned.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS, EnumIter, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum WorkKind {
    Batch,
    /// A file in review.
    Draft,
    Event,
    /// A due date of the profile in use.
    DueDate,
}

/// Who does something.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Assignment {
    /// Their name in the office; empty where there is only a note.
    pub person: String,
    /// A note; empty for none.
    pub note: String,
    /// Who said so.
    pub by: String,
    /// RFC 3339 UTC.
    pub at: String,
}

/// Whether something is assigned to this person, or to nobody where the name is empty.
pub fn is_assigned(assigned: Option<&Assignment>, person: &str) -> bool {
    assigned.map_or("", |assigned| &assigned.person) == person
}

/// Assign work to a person, release it, or note something about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AssignWork {
    pub kind: WorkKind,
    pub ids: Vec<String>,
    /// Name of the person; empty for nobody.
    pub person: String,
    /// A note in place of the one that is there; null leaves that.
    pub note: Option<String>,
}

/// Who works in the office.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OfficePeople {
    /// The person at this desk; empty while this computer's own data is in use.
    pub me: String,
    /// Whether they may change anything; a reader may not.
    pub may_assign: bool,
    /// Everyone whose role lets them work: their roles in the database.
    pub people: Vec<String>,
    /// The names that people are shown by, by role; who has none is shown by the role.
    pub names: BTreeMap<String, String>,
}

/// Set the name that a person of the office is shown by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OfficeName {
    /// Their role in the database; empty for the person at this desk.
    pub person: String,
    /// The name; empty to show the role.
    pub name: String,
}

/// What is assigned to the person at this desk and still to be done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OwnWork {
    /// Files that are being prepared.
    pub drafts: u32,
    /// Batches with rows to correct, or with a question.
    pub batches: u32,
    /// Events not read.
    pub events: u32,
    /// Due dates that are open.
    pub due_dates: u32,
}

impl OwnWork {
    /// Each count with what it counts.
    pub fn counts(&self) -> [(u32, &'static str); 4] {
        [
            (self.drafts, "files being prepared"),
            (self.batches, "batches to correct or decide"),
            (self.due_dates, "due dates"),
            (self.events, "unread events"),
        ]
    }
}
