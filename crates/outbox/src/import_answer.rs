//! The answer to an import: what it accepts, what it refuses, and what it says of single rows.

use std::collections::HashSet;

use bordereau_api::{BatchState, RowState, StageEvidence, parse_message};
use bordereau_client::ClientError;
use bordereau_contract::{
    FieldProblem, ImportAccepted, ImportTransaction, batch_numbers, format_count, pluralize,
};
use bordereau_session::failure::end_sentence;
use bordereau_store::Store;
use bordereau_store::batches::transition::SERVICE_NOTE;

use super::job::{Service, ServiceTrouble};
use super::outcome::RowOutcome;
use super::part_lookup::is_number;
use super::row_lookup::{LookupResult, look_up};
use super::transition::{OpenPart, PartChange, RemoteNumber, waiting_rows};

pub(super) const QUESTION: &str = "import of the batch";

pub(super) const NO_NUMBER: &str =
    "The service didn't return a batch number. Bordereau looks the batch up before anything is sent again.";

/// Reasons of a refusal that are shown with its batch; those of a row are on the row.
const DETAILS_MAX: usize = 3;

/// The change after the service accepted the batch, with the number in its answer. What it says of single rows is put
/// on them; they wait for the results all the same.
pub(super) fn accepted_change(
    accepted: &ImportAccepted,
    rows: &[i64],
    sent: &[ImportTransaction],
) -> PartChange {
    let number = accepted.batch_id.trim();
    // An answer about one of the rows isn't about the batch.
    let is_id = |number: &str| sent.iter().any(|transaction| transaction.id == number);
    let evidence = |answer: String| Some(StageEvidence::of(QUESTION, answer));
    if !is_number(number) || (accepted.is_named_id && batch_numbers(number).any(is_id)) {
        return PartChange {
            trouble: NO_NUMBER.to_owned(),
            evidence: evidence("no number of a batch".to_owned()),
            ..PartChange::to(BatchState::Unknown)
        };
    }
    let (mut outcomes, mut notes) = refused_rows(accepted, rows, sent);
    let total = usize::try_from(accepted.total_items).unwrap_or(usize::MAX);
    let (is_partial, refused) = (total > 0 && total != sent.len(), outcomes.len());
    let waits = RowOutcome::from_state(RowState::Pending);
    notes.extend(add_messages(&mut outcomes, &accepted.warnings, "warning", &waits, rows, sent));
    if (is_partial || refused > 0 || !notes.is_empty()) && !accepted.message.is_empty() {
        notes.insert(0, accepted.message.clone());
    }
    let took = format!("{} of {}", format_count(accepted.total_items), pluralize(sent.len(), "row"));
    let note = notes.iter().map(|note| end_sentence(note)).collect::<Vec<_>>().join(" ");
    let of = if is_partial { format!(", {took}") } else { String::new() };
    let (audit, trouble) = match (note.is_empty(), is_partial) {
        (true, false) => (String::new(), String::new()),
        (true, true) if total.saturating_add(refused) == sent.len() => {
            (String::new(), format!("The service accepted {took}; the others show why it didn't."))
        }
        (true, true) => {
            let looks = "Bordereau looks up the rows that the results don't list; nothing is sent again automatically.";
            (String::new(), format!("The service accepted {took}. {looks}"))
        }
        (false, _) => {
            let counted = if is_partial { format!(" It accepted {took}.") } else { String::new() };
            (format!("was accepted; the service says: {note}"), format!("{SERVICE_NOTE}{note}{counted}"))
        }
    };
    PartChange {
        remote_id: RemoteNumber::Known(number.to_owned()),
        evidence: evidence(format!("batch {number}{of}")),
        outcomes,
        trouble,
        audit,
        ..PartChange::to(BatchState::Accepted)
    }
}

/// The waiting rows that the answer to an import refuses, with the reasons; and the messages about no row.
pub(super) fn refused_rows(
    accepted: &ImportAccepted,
    rows: &[i64],
    sent: &[ImportTransaction],
) -> (Vec<(i64, RowOutcome)>, Vec<String>) {
    let mut outcomes = Vec::new();
    let waits = RowOutcome::from_state(RowState::Pending);
    let notes = add_messages(&mut outcomes, &accepted.problems, "error", &waits, rows, sent);
    let total = usize::try_from(accepted.total_items).unwrap_or(usize::MAX);
    // A row that the service counts among those it accepted is not refused by what is said of it.
    if total == 0 || total.saturating_add(outcomes.len()) <= sent.len() {
        for (_, outcome) in &mut outcomes {
            let reason = outcome.messages.first().map_or("", |message| message.text.as_str());
            let question = refusal_question(accepted.batch_id.trim());
            outcome.evidence = Some(StageEvidence::of(question, format!("refused: {reason}")));
        }
    }
    (outcomes, notes)
}

/// What a row is refused by that the answer to the import of a batch names.
fn refusal_question(number: &str) -> String {
    format!("import of batch {number}").trim_end().to_owned()
}

/// Rows that the answer to the import refused, once their batch has ended without them. One that a lookup finds, or
/// that may be there, stays unknown.
pub(super) async fn rows_refused_at_import(
    store: &Store,
    part: &OpenPart,
    service: &Service,
    number: &str,
    named: &[(i64, RowOutcome)],
) -> Result<Vec<(i64, RowOutcome)>, ServiceTrouble> {
    let (question, named) = (refusal_question(number), named.iter().map(|(row, _)| *row));
    let named: HashSet<i64> = named.collect();
    let mut refused = Vec::new();
    for row in waiting_rows(store, part, false).await? {
        let is_refused = row.evidence.as_ref().is_some_and(|evidence| evidence.question == question);
        if !is_refused || named.contains(&row.row) {
            continue;
        }
        let may_be_there = match look_up(store, service, part, &row).await? {
            LookupResult::Absent(_) => false,
            LookupResult::Unclear(hint) => !hint.is_empty(),
            LookupResult::Here(..) => true,
        };
        if !may_be_there {
            refused.push((row.row, RowOutcome::from_state(RowState::Error)));
        }
    }
    Ok(refused)
}

/// The change after the service refused the batch, with the rows at fault.
pub(super) fn refused_change(
    error: &ClientError,
    rows: &[i64],
    sent: &[ImportTransaction],
    question: &str,
) -> PartChange {
    let ClientError::Rejected { problems, text, status } = error else {
        return PartChange::to(BatchState::Failed);
    };
    let (mut details, mut why) = (problems.iter().map(|problem| problem.detail.as_str()), text.clone());
    if why.is_empty() {
        why = details.by_ref().take(DETAILS_MAX).collect::<Vec<_>>().join("; ");
    }
    let evidence = StageEvidence::of(question, format!("refused with status {status}: {why}"));
    let refused = RowOutcome {
        evidence: Some(evidence.clone()),
        is_result: true,
        ..RowOutcome::from_state(RowState::Error)
    };
    let mut outcomes = Vec::new();
    let rest = add_messages(&mut outcomes, problems, "error", &refused, rows, sent);
    // Reasons that are put on no row are shown with the batch.
    let rest: Vec<&str> =
        rest.iter().map(String::as_str).filter(|reason| !why.contains(*reason)).take(DETAILS_MAX).collect();
    if !rest.is_empty() {
        why = format!("{} {}", end_sentence(&why), rest.join("; "));
    }
    let others = sent.len() - outcomes.len();
    let trouble = match (question == QUESTION, outcomes.len()) {
        (false, _) => "The service refused the transaction".to_owned(),
        (true, 0) => "The service refused it".to_owned(),
        (true, n) => format!("The service refused it because of {}", pluralize(n, "row")),
    };
    let said = match why.as_str() {
        "" => "and did not say why.".to_owned(),
        why => format!("and says: {}", end_sentence(why)),
    };
    let advice = match *status {
        413 if sent.len() > 1 => " Set fewer transactions per request in the profile and send them again.",
        404 | 405 => " The paths of imports are settings of the profile: check them.",
        _ if others > 0 && others < sent.len() => " The others weren't accepted; they can be sent again.",
        _ => "",
    };
    let trouble = format!("{trouble} {said}{advice}");
    PartChange { outcomes, trouble, evidence: Some(evidence), ..PartChange::to(BatchState::Failed) }
}

/// Adds the messages about rows to them, and returns those about no row.
fn add_messages(
    outcomes: &mut Vec<(i64, RowOutcome)>,
    problems: &[FieldProblem],
    severity: &str,
    base: &RowOutcome,
    rows: &[i64],
    sent: &[ImportTransaction],
) -> Vec<String> {
    let mut rest = Vec::new();
    for problem in problems {
        let Some((row, field)) = named_row(problem, rows, sent) else {
            rest.push(problem.detail.clone());
            continue;
        };
        let message = parse_message(severity, &field, &problem.detail);
        match outcomes.iter_mut().rfind(|(at, _)| *at == row) {
            Some((_, outcome)) => outcome.messages.push(message),
            None => outcomes.push((row, RowOutcome { messages: vec![message], ..base.clone() })),
        }
    }
    rest
}

/// The row that a problem is about, and the field: by the row's own id, or by its place.
fn named_row(problem: &FieldProblem, rows: &[i64], sent: &[ImportTransaction]) -> Option<(i64, String)> {
    let named = |sent: &ImportTransaction| {
        let rest = problem.pointer.strip_prefix('/')?.strip_prefix(sent.id.as_str())?;
        (rest.is_empty() || rest.starts_with('/')).then(|| rest.trim_start_matches('/').to_owned())
    };
    let by_id = sent.iter().zip(rows).find_map(|(sent, row)| Some((*row, named(sent)?)));
    if by_id.is_some() {
        return by_id;
    }
    let Some(rest) = problem.pointer.strip_prefix("/transactions/") else {
        // A single import is refused by its own field names.
        let field = problem.pointer.trim_start_matches('/').trim_start_matches("transaction/");
        return match rows {
            [row] => Some((*row, field.to_owned())),
            _ => None,
        };
    };
    let (number, field) = rest.split_once('/').unwrap_or((rest, ""));
    Some((*rows.get(number.parse::<usize>().ok()?)?, field.to_owned()))
}
