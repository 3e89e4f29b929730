//! Warnings that a person keeps, each with a reason: a step like any other, stored with the draft, undone and
//! done again, and told in the audit log when the rows are sent.

use std::collections::BTreeMap;

use bordereau_spreadsheets::{Finding, Severity};
use serde::{Deserialize, Serialize};

use super::correction::group_of;
use super::group::group_key;
use super::open::{Open, grouped};
use super::operations::acted;
use super::step::Step;
use crate::review::operations::changed;
use bordereau_api::{BoundaryError, ErrorCode, FieldError, KeptWarning, ReviewKeep, ReviewView, RowMessage};
use bordereau_session::Context;

/// Characters of a reason.
const REASON_MAX: usize = 300;
/// The group of what was kept, for the filter.
pub const KEPT: &str = "kept";

/// A reason, and what the warning said when it was given: a warning that says something else is a new one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    pub about: String,
    pub text: String,
}

/// One warning before and after; `None` is a warning that is not kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeepStep {
    pub row: u32,
    pub column: Option<u32>,
    /// Code of its group.
    pub code: String,
    pub before: Option<Reason>,
    pub after: Option<Reason>,
}

struct Kept {
    column: Option<u32>,
    code: String,
    reason: Reason,
}

/// What is kept in a review, by row.
#[derive(Default)]
pub struct KeptWarnings {
    rows: BTreeMap<u32, Vec<Kept>>,
}

impl KeptWarnings {
    /// As the steps say, in order.
    pub fn apply(&mut self, steps: &[KeepStep]) {
        for step in steps {
            let row = self.rows.entry(step.row).or_default();
            row.retain(|kept| kept.column != step.column || kept.code != step.code);
            if let Some(reason) = &step.after {
                row.push(Kept { column: step.column, code: step.code.clone(), reason: reason.clone() });
            }
            if row.is_empty() {
                self.rows.remove(&step.row);
            }
        }
    }

    fn at(&self, row: u32, column: Option<u32>, code: &str) -> Option<&Reason> {
        let kept = self.rows.get(&row)?.iter().find(|kept| kept.column == column && kept.code == code)?;
        Some(&kept.reason)
    }

    /// Rows with something kept, whether it still holds or not.
    pub fn rows(&self) -> impl Iterator<Item = u32> + '_ {
        self.rows.keys().copied()
    }
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn cell(open: &Open, row: usize, column: Option<usize>) -> &str {
    column.map_or("", |column| open.review().source().table.text_at(row, column))
}

fn about(open: &Open, finding: &Finding) -> String {
    let amounts = finding
        .amounts()
        .map_or_else(String::new, |(provided, calculated)| format!("{provided} {calculated}"));
    format!("{}\u{1f}{}\u{1f}{amounts}", cell(open, finding.row(), finding.column()), finding.text())
}

fn about_message(open: &Open, row: usize, column: Option<usize>, message: &RowMessage) -> String {
    format!("{}\u{1f}{}", cell(open, row, column), message.text)
}

impl Open {
    /// Why this finding is kept; `None` when it is open.
    pub fn kept_finding(&self, finding: &Finding) -> Option<&str> {
        let row = small(finding.row());
        if finding.severity() != Severity::Warning || !self.kept.rows.contains_key(&row) {
            return None;
        }
        let reason = self.kept.at(row, finding.column().map(small), &group_key(finding))?;
        (reason.about == about(self, finding)).then_some(reason.text.as_str())
    }

    /// Why this message of the service is kept; `None` when it is open.
    pub fn kept_message(&self, row: usize, column: Option<usize>, message: &RowMessage) -> Option<&str> {
        if message.severity == "error" || !self.kept.rows.contains_key(&small(row)) {
            return None;
        }
        let reason = self.kept.at(small(row), column.map(small), &group_of(message))?;
        (reason.about == about_message(self, row, column, message)).then_some(reason.text.as_str())
    }

    /// What is kept of a row, in words.
    pub fn kept_of_row(&self, row: usize) -> Vec<KeptWarning> {
        if !self.kept.rows.contains_key(&small(row)) {
            return Vec::new();
        }
        let review = self.review();
        let own = review.findings_of(row).iter().filter_map(|finding| {
            let reason = self.kept_finding(finding)?;
            let title = match finding.field() {
                Some(field) => format!("{} ({})", finding.code().title(), field.title()),
                None => finding.code().title().to_owned(),
            };
            Some(KeptWarning { warning: title, reason: reason.to_owned() })
        });
        let told = self.messages(row).filter_map(|(column, message)| {
            let reason = self.kept_message(row, column, message)?;
            Some(KeptWarning { warning: message.text.clone(), reason: reason.to_owned() })
        });
        own.chain(told).collect()
    }

    /// Rows of which something is kept and still holds.
    pub fn kept_rows(&self) -> Vec<u32> {
        self.kept.rows().filter(|row| !self.kept_of_row(*row as usize).is_empty()).collect()
    }
}

fn reason(request: &ReviewKeep) -> Result<Option<String>, BoundaryError> {
    if !request.keep {
        return Ok(None);
    }
    let text = request.reason.split_whitespace().collect::<Vec<_>>().join(" ");
    let fault = if text.is_empty() {
        "Say in a few words why it is right as it is, such as \"agreed with the state\". The reason goes into the audit log."
            .to_owned()
    } else if text.chars().count() > REASON_MAX {
        format!("The reason is longer than {REASON_MAX} characters. Shorten it.")
    } else {
        return Ok(Some(text));
    };
    Err(BoundaryError::fields(vec![FieldError::at("/reason", fault)]))
}

/// The step that keeps the warnings asked for, or takes that back.
fn keeping(open: &Open, request: &ReviewKeep) -> Result<Step, BoundaryError> {
    let reason = reason(request)?;
    let mut kept = Vec::new();
    let mut is_error = false;
    let mut put = |row: usize, column: Option<usize>, code: String, about: String, is_warning: bool| {
        if open.review().is_excluded(row) {
            return;
        }
        is_error |= !is_warning;
        let before = open.kept.at(small(row), column.map(small), &code).cloned();
        let after = reason.clone().filter(|_| is_warning).map(|text| Reason { about, text });
        if before != after {
            kept.push(KeepStep { row: small(row), column: column.map(small), code, before, after });
        }
    };
    let is_column = |column: Option<usize>| request.column.is_none() || request.column == column.map(small);
    let plain = request.code.split(':').next().unwrap_or_default();
    let review = open.review();
    let findings = match request.row {
        Some(row) => review.findings_of(row as usize),
        None => review.findings(),
    };
    for finding in findings.iter().filter(|finding| is_column(finding.column())) {
        let key = group_key(finding);
        if key == request.code || (request.row.is_some() && finding.code().code() == plain) {
            let is_warning = finding.severity() == Severity::Warning;
            put(finding.row(), finding.column(), key, about(open, finding), is_warning);
        }
    }
    let told: Vec<u32> = match request.row {
        Some(row) => vec![row],
        None => open.body.messages.keys().copied().collect(),
    };
    for row in told.into_iter().map(|row| row as usize) {
        for (column, message) in open.messages(row).filter(|(column, _)| is_column(*column)) {
            if group_of(message) == request.code {
                let about = about_message(open, row, column, message);
                put(row, column, group_of(message), about, message.severity != "error");
            }
        }
    }
    if kept.is_empty() && is_error {
        return Err(BoundaryError::of(
            ErrorCode::Validation,
            "Only warnings can be kept. An error has to be repaired, or its row left out.",
        ));
    }
    let label = match (request.keep, kept.len()) {
        (true, 1) => "Keep a warning".to_owned(),
        (true, n) => format!("Keep {} warnings", grouped(n)),
        (false, 1) => "Open a kept warning again".to_owned(),
        (false, n) => format!("Open {} kept warnings again", grouped(n)),
    };
    Ok(Step { label, kept, ..Step::default() })
}

/// Keeps warnings as they are, with a reason; or takes that back.
///
/// # Errors
/// [`ErrorCode::Validation`] without a reason, and for errors, which cannot be kept.
pub async fn review_keep(ctx: &Context, request: ReviewKeep) -> Result<ReviewView, BoundaryError> {
    changed(ctx, &request.id.clone(), move |open| {
        let step = keeping(open, &request)?;
        Ok(acted(open, step))
    })
    .await
}
