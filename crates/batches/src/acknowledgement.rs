//! Which problems are kept as they are with a reason, and the step that does so.

use bordereau_api::{BoundaryError, ErrorCode, KeptWarning, ReviewKeep, RowMessage, to_u32};
use bordereau_contract::pluralize;
use bordereau_spreadsheets::{Finding, Severity, finding_group};

use super::acknowledged_warnings::{AcknowledgementStep, WarningReason};
use super::session::ReviewSession;
use super::step::UndoStep;

/// The group of what was kept with a reason.
pub const KEPT: &str = "kept";

/// Characters of a reason.
const REASON_MAX: usize = 300;

fn cell_text(session: &ReviewSession, row: usize, column: Option<usize>) -> &str {
    column.map_or("", |column| session.review().source().table.text_at(row, column))
}

fn finding_text(session: &ReviewSession, finding: &Finding) -> String {
    let amounts = finding
        .amounts()
        .map_or_else(String::new, |(provided, calculated)| format!("{provided} {calculated}"));
    format!("{}\u{1f}{}\u{1f}{amounts}", cell_text(session, finding.row(), finding.column()), finding.text())
}

fn about_message(session: &ReviewSession, row: usize, column: Option<usize>, message: &RowMessage) -> String {
    format!("{}\u{1f}{}", cell_text(session, row, column), message.text)
}

/// Why this finding is kept; `None` when it is open.
pub fn kept_finding<'s>(session: &'s ReviewSession, finding: &Finding) -> Option<&'s str> {
    let row = to_u32(finding.row());
    if finding.severity() != Severity::Warning || !session.acknowledged.has_row(row) {
        return None;
    }
    let reason = session.acknowledged.reason(row, finding.column().map(to_u32), &finding_group(finding))?;
    (reason.about == finding_text(session, finding)).then_some(reason.text.as_str())
}

/// What the checks found of what this message is about: one card has both, and a reason is for both.
pub fn same_finding<'s>(
    session: &'s ReviewSession,
    row: usize,
    column: Option<usize>,
    message: &RowMessage,
) -> Option<&'s Finding> {
    let (document, calculated) = (message.field.strip_prefix("documents."), message.calculated.as_deref());
    session.review().findings_of(row).iter().find(|finding| {
        (document.is_some() || (column.is_some() && finding.column() == column))
            && finding.has_same_cause(document, calculated)
            && (finding.severity() == Severity::Error || message.severity != "error")
    })
}

/// Why this message of the service is kept; `None` when it is open.
pub fn kept_message<'s>(
    session: &'s ReviewSession,
    row: usize,
    column: Option<usize>,
    message: &RowMessage,
) -> Option<&'s str> {
    if message.severity == "error" || !session.acknowledged.has_row(to_u32(row)) {
        return None;
    }
    let reason = session.acknowledged.reason(to_u32(row), column.map(to_u32), &message.group())?;
    (reason.about == about_message(session, row, column, message)).then_some(reason.text.as_str())
}

pub fn kept_of_row(session: &ReviewSession, row: usize) -> Vec<KeptWarning> {
    if !session.acknowledged.has_row(to_u32(row)) {
        return Vec::new();
    }
    let review = session.review();
    let own = review.findings_of(row).iter().filter_map(|finding| {
        let reason = kept_finding(session, finding)?;
        Some(KeptWarning { warning: finding.title(), reason: reason.to_owned() })
    });
    let told = session.messages(row).filter_map(|(column, message)| {
        let reason = kept_message(session, row, column, message)?;
        Some(KeptWarning { warning: message.text.clone(), reason: reason.to_owned() })
    });
    own.chain(told).collect()
}

/// Rows of which something is kept and still holds.
pub fn kept_rows(session: &ReviewSession) -> Vec<u32> {
    session.acknowledged.rows().filter(|row| !kept_of_row(session, *row as usize).is_empty()).collect()
}

fn reason(request: &ReviewKeep) -> Result<Option<String>, BoundaryError> {
    if !request.keep {
        return Ok(None);
    }
    let text = request.reason.split_whitespace().collect::<Vec<_>>().join(" ");
    let fault = if text.is_empty() {
        "Give a short reason why the value is right, such as \"agreed with the state\". The reason goes into the audit log."
            .to_owned()
    } else if text.chars().count() > REASON_MAX {
        format!("The reason is longer than {REASON_MAX} characters. Shorten it.")
    } else {
        return Ok(Some(text));
    };
    Err(BoundaryError::invalid_field("/reason", fault))
}

/// The step that keeps the warnings asked for, or takes that back.
pub fn acknowledge_warnings(
    session: &ReviewSession,
    request: &ReviewKeep,
) -> Result<UndoStep, BoundaryError> {
    let reason = reason(request)?;
    let mut kept = Vec::new();
    let mut is_error = false;
    let mut put = |row: usize, column: Option<usize>, code: String, about: String, is_warning: bool| {
        if session.review().is_excluded(row) {
            return;
        }
        is_error |= !is_warning;
        let before = session.acknowledged.reason(to_u32(row), column.map(to_u32), &code).cloned();
        let after = reason.clone().filter(|_| is_warning).map(|text| WarningReason { about, text });
        if before != after {
            kept.push(AcknowledgementStep {
                row: to_u32(row),
                column: column.map(to_u32),
                code,
                before,
                after,
            });
        }
    };
    let is_column = |column: Option<usize>| request.column.is_none() || request.column == column.map(to_u32);
    let plain = request.code.split(':').next().unwrap_or_default();
    let review = session.review();
    let findings = match request.row {
        Some(row) => review.findings_of(row as usize),
        None => review.findings(),
    };
    for finding in findings.iter().filter(|finding| is_column(finding.column())) {
        let key = finding_group(finding);
        if key == request.code || (request.row.is_some() && finding.code().code() == plain) {
            let is_warning = finding.severity() == Severity::Warning;
            put(finding.row(), finding.column(), key, finding_text(session, finding), is_warning);
        }
    }
    let told: Vec<u32> = match request.row {
        Some(row) => vec![row],
        None => session.draft.messages.keys().copied().collect(),
    };
    for row in told.into_iter().map(|row| row as usize) {
        for (column, message) in session.messages(row).filter(|(column, _)| is_column(*column)) {
            let same = same_finding(session, row, column, message).map(finding_group);
            if message.group() == request.code || same.as_ref() == Some(&request.code) {
                let about = about_message(session, row, column, message);
                put(row, column, message.group(), about, message.severity != "error");
            }
        }
    }
    if kept.is_empty() && is_error {
        return Err(BoundaryError::with_code(
            ErrorCode::Validation,
            "Only warnings can be kept. An error has to be repaired, or its row excluded.",
        ));
    }
    let (verb, what) = if request.keep { ("Keep", "warning") } else { ("Reopen", "kept warning") };
    let label = format!("{verb} {}", pluralize(kept.len(), what));
    Ok(UndoStep { label, kept, ..UndoStep::default() })
}
