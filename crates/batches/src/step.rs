//! Steps of a review: what a person did, undone and redone whole.

use bordereau_spreadsheets::Mapping;
use serde::{Deserialize, Serialize};

use super::acknowledged_warnings::AcknowledgementStep;

/// One cell before and after; `None` is the text as found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellStep {
    pub row: u32,
    pub column: u32,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// One step of undo: an edit, a paste, a repair of a whole group, rows excluded, values matched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct UndoStep {
    pub label: String,
    pub cells: Vec<CellStep>,
    /// Rows whose exclusion changed, and whether they are excluded afterwards.
    pub excluded: Vec<(u32, bool)>,
    /// Mapping before and after.
    pub mapping: Option<Box<(Mapping, Mapping)>>,
    /// Warnings kept with a reason, or opened again.
    pub kept: Vec<AcknowledgementStep>,
}

impl UndoStep {
    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty() && self.excluded.is_empty() && self.mapping.is_none() && self.kept.is_empty()
    }

    /// The step that takes this one back.
    pub fn to_reversed(&self) -> UndoStep {
        let cell = |cell: &CellStep| CellStep {
            before: cell.after.clone(),
            after: cell.before.clone(),
            ..cell.clone()
        };
        UndoStep {
            label: self.label.clone(),
            // Backwards, so that a cell changed twice in one step gets its first text again.
            cells: self.cells.iter().rev().map(cell).collect(),
            excluded: self.excluded.iter().map(|(row, out)| (*row, !out)).collect(),
            mapping: self.mapping.as_ref().map(|both| Box::new((both.1.clone(), both.0.clone()))),
            kept: self.kept.iter().map(reverse_keep_step).collect(),
        }
    }
}

fn reverse_keep_step(kept: &AcknowledgementStep) -> AcknowledgementStep {
    AcknowledgementStep { before: kept.after.clone(), after: kept.before.clone(), ..kept.clone() }
}
