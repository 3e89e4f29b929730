//! Repairs of one issue or a whole group: shown first, done as one step.

use std::collections::{BTreeMap, BTreeSet};

use bordereau_spreadsheets::{
    Code, Field, Finding, RepairKind, is_in_group, set_value, shown_text, text_as_shown,
};

use super::acknowledgement::{kept_finding, kept_message};
use super::session::ReviewSession;
use super::step::UndoStep;
use bordereau_api::{BoundaryError, ErrorCode, FixChange, ReviewFix, to_u32};

/// Changes shown of a repair.
const SHOWN_MAX: usize = 100;

/// What a repair would do.
pub struct RepairPlan {
    pub step: UndoStep,
    pub total: u32,
    pub changes: Vec<FixChange>,
}

pub fn plan_repair(session: &ReviewSession, request: &ReviewFix) -> Result<RepairPlan, BoundaryError> {
    let refused = |why: &str| BoundaryError::with_code(ErrorCode::Validation, why);
    let kind =
        request.fix.parse().map_err(|_| refused("There is no such repair. Choose one that is offered."))?;
    if kind == RepairKind::MatchValues {
        return Err(refused("These values have to be matched to codes one by one: choose a code for each."));
    }
    let (texts, rows) = collect_texts(session, request, kind)?;
    let step = if rows.is_empty() {
        let count = texts.keys().map(|(row, _)| row).collect::<BTreeSet<_>>().len();
        let texts = texts.into_iter().map(|((row, column), text)| (row, column, text));
        session.edits(kind.group_label(count), texts)?
    } else {
        session.exclusions(rows, true)
    };
    let total = step.cells.len() + step.excluded.len();
    let changes = repair_changes(session, &step);
    Ok(RepairPlan { step, total: to_u32(total), changes })
}

type Texts = BTreeMap<(usize, usize), String>;

fn collect_texts(
    session: &ReviewSession,
    request: &ReviewFix,
    kind: RepairKind,
) -> Result<(Texts, Vec<usize>), BoundaryError> {
    let review = session.review();
    let (mut texts, mut rows, mut blank) = (Texts::new(), Vec::new(), Vec::<&Finding>::new());
    let is_asked = |row: usize| request.row.is_none_or(|asked| asked as usize == row);
    let plain = request.code.split(':').next().unwrap_or_default();
    for finding in review.findings() {
        let row = finding.row();
        let is_in = finding.code().code() == plain
            && is_asked(row)
            && !review.is_excluded(row)
            // A kept warning stays, unless its row is repaired alone.
            && (request.row.is_some() || kept_finding(session, finding).is_none())
            // Of one row the code may come without its field.
            && (is_in_group(finding, &request.code) || (request.row.is_some() && request.code == plain));
        if !is_in {
            continue;
        }
        if matches!(kind, RepairKind::FillPolicyNumber | RepairKind::FillId) {
            let filled = finding.field().and_then(|field| fill_from_policy(session, field, row));
            texts.extend(filled.map(|(column, text)| ((row, column), text)));
            continue;
        }
        if kind == RepairKind::SetValue {
            blank.push(finding);
            continue;
        }
        let Some(fix) = review.describe_finding(finding).fix else { continue };
        if fix.kind != kind || !(fix.kind.is_offered(fix.certain) || request.row.is_some()) {
            continue;
        }
        rows.extend(fix.exclude);
        for change in fix.changes {
            // Several words in one cell: the second repair starts from the text of the first.
            let merged = match texts.get(&(change.row, change.column)) {
                Some(text) if matches!(finding.code(), Code::ValueMapped | Code::InsurerNumberUnlikely) => {
                    replace_text(finding.text(), text)
                }
                _ => change.text,
            };
            texts.insert((change.row, change.column), merged);
        }
    }
    if kind == RepairKind::UseCalculated {
        texts.extend(service_texts(session, request));
    }
    if kind == RepairKind::SetValue {
        let set = set_value(review, &blank, &request.value);
        let set = set.map_err(|why| BoundaryError::invalid_field("/value", why))?;
        texts.extend(set.into_iter().map(|change| ((change.row, change.column), change.text)));
    }
    Ok((texts, rows))
}

fn replace_text(data: &str, text: &str) -> String {
    match data.rsplit_once('=') {
        Some((word, code)) => text.replacen(word, code, 1),
        None => data.to_owned(),
    }
}

/// An invoice number that is the policy's, or an id of policy number and line.
fn fill_from_policy(session: &ReviewSession, field: Field, row: usize) -> Option<(usize, String)> {
    let layout = session.review().layout();
    let table = &session.review().source().table;
    let number = table.text_at(row, usize::from(layout.column_of(Field::PolicyNumber))).trim().to_owned();
    if number.is_empty() {
        return None;
    }
    let text = match field {
        Field::Id => format!("{number}-{}", session.line(row)),
        Field::InvoiceNumber => number,
        _ => return None,
    };
    Some((usize::from(layout.column_of(field)), text))
}

fn service_texts(session: &ReviewSession, request: &ReviewFix) -> Texts {
    let mut texts = Texts::new();
    for row in session.draft.messages.keys().map(|row| *row as usize) {
        if session.review().is_excluded(row) || request.row.is_some_and(|asked| asked as usize != row) {
            continue;
        }
        for (column, message) in session.messages(row) {
            if request.row.is_none() && kept_message(session, row, column, message).is_some() {
                continue;
            }
            if let (Some(column), Some(calculated), true) =
                (column, &message.calculated, message.group() == request.code)
            {
                texts.insert((row, column), calculated.clone());
            }
        }
    }
    texts
}

/// The first changes of a step, for the preview.
pub fn repair_changes(session: &ReviewSession, step: &UndoStep) -> Vec<FixChange> {
    let review = session.review();
    let table = &review.source().table;
    let cells = step.cells.iter().map(|cell| {
        let (row, column) = (cell.row as usize, cell.column as usize);
        FixChange {
            line: session.line(row),
            // As the grid names the column: a file may have the contract's names.
            header: match review.layout().field_of(column) {
                Some(field) => field.title().to_owned(),
                None => review.layout().header_of(column).to_owned(),
            },
            before: shown_text(review, row, column).into_owned(),
            after: text_as_shown(
                review,
                column,
                cell.after.as_deref().unwrap_or(table.original_cell(row, column).text),
            )
            .into_owned(),
        }
    });
    let rows = step.excluded.iter().map(|(row, _)| FixChange {
        line: session.line(*row as usize),
        header: String::new(),
        before: String::new(),
        after: String::new(),
    });
    cells.chain(rows).take(SHOWN_MAX).collect()
}
