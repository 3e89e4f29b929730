//! Warnings that a person keeps, each with a reason: a step like any other, stored with the draft, undone and
//! done again, and written into the audit log when the rows are sent.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A reason, and what the warning said when it was given: a warning that says something else is a new one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarningReason {
    pub about: String,
    pub text: String,
}

/// One warning before and after; `None` is a warning that is not kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcknowledgementStep {
    pub row: u32,
    pub column: Option<u32>,
    pub code: String,
    pub before: Option<WarningReason>,
    pub after: Option<WarningReason>,
}

struct AcknowledgedWarning {
    column: Option<u32>,
    code: String,
    reason: WarningReason,
}

/// What is kept in a review, by row.
#[derive(Default)]
pub struct AcknowledgedWarnings {
    rows: BTreeMap<u32, Vec<AcknowledgedWarning>>,
}

impl AcknowledgedWarnings {
    /// As the steps say, in order.
    pub fn apply(&mut self, steps: &[AcknowledgementStep]) {
        for step in steps {
            let row = self.rows.entry(step.row).or_default();
            row.retain(|kept| kept.column != step.column || kept.code != step.code);
            if let Some(reason) = &step.after {
                row.push(AcknowledgedWarning {
                    column: step.column,
                    code: step.code.clone(),
                    reason: reason.clone(),
                });
            }
            if row.is_empty() {
                self.rows.remove(&step.row);
            }
        }
    }

    pub fn reason(&self, row: u32, column: Option<u32>, code: &str) -> Option<&WarningReason> {
        let kept = self.rows.get(&row)?.iter().find(|kept| kept.column == column && kept.code == code)?;
        Some(&kept.reason)
    }

    /// Whether something is kept of a row, whether it still holds or not.
    pub fn has_row(&self, row: u32) -> bool {
        self.rows.contains_key(&row)
    }

    /// Rows with something kept, whether it still holds or not.
    pub fn rows(&self) -> impl Iterator<Item = u32> + '_ {
        self.rows.keys().copied()
    }
}
