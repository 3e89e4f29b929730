//! Sends one transaction entered by hand. The answer comes at once, and counts only where it names the transaction.

use bordereau_api::{BatchState, RowState, StageEvidence};
use bordereau_client::{ClientError, TransactionLookup};
use bordereau_contract::{ImportResult, ImportTransaction, RecordMatch, match_asked_record};
use bordereau_session::profile::ServiceWords;

use super::job::Service;
use super::match_results::match_outcomes;
use super::outcome::RowOutcome;
use super::transition::{NamedRow, OpenPart, PartChange};

pub(super) const QUESTION: &str = "import of the transaction";

/// Shown while the answer doesn't prove anything.
const UNPROVEN: &str = "The service's answer has neither this transaction nor its number. Bordereau looks it up before anything is sent again.";

/// Sends it and interprets the answer.
pub(super) async fn send_single(
    service: &Service,
    part: &OpenPart,
    (row, sent): (i64, &ImportTransaction),
) -> Result<PartChange, ClientError> {
    let result = service.client.import_single(sent).await?;
    if let Some(outcome) = named_outcome(row, sent, &result, &service.words) {
        let evidence = outcome.evidence.clone();
        return Ok(PartChange {
            outcomes: vec![(row, outcome)],
            evidence,
            ..PartChange::to(BatchState::Processed)
        });
    }
    // A number without our id or policy: the record under it shows whether it is this transaction.
    // The answer may be the record itself, with that number as its id.
    let own = Some(result.id.trim()).filter(|id| *id != sent.id.trim());
    let number = result.transaction_id.or_else(|| own?.parse().ok()).filter(|number| *number > 0);
    if let Some(number) = number {
        let lookup = TransactionLookup::TransactionId(number);
        // If this request fails, the import still counts as unanswered and is looked up.
        if let Ok(Some(record)) = service.client.transaction_status(&lookup).await
            && record.id == number
            && match_asked_record(&record, sent, part.sent_ms) == RecordMatch::Same
        {
            let question = "transaction by the number that its import was answered with";
            let outcome = service.row_outcome(&record, question);
            return Ok(PartChange {
                outcomes: vec![(row, outcome)],
                ..PartChange::to(BatchState::Processed)
            });
        }
    }
    let answer = match (number, result.status_message.as_deref()) {
        (Some(number), _) => format!("transaction {number}, which does not name this one"),
        (None, Some(text)) => text.to_owned(),
        (None, None) => "no number of a transaction".to_owned(),
    };
    Ok(PartChange {
        trouble: UNPROVEN.to_owned(),
        evidence: Some(StageEvidence::of(QUESTION, answer)),
        ..PartChange::to(BatchState::Unknown)
    })
}

/// The outcome in an answer that has a status and names the transaction. A refusal needs no name, because nothing
/// was received.
fn named_outcome(
    row: i64,
    sent: &ImportTransaction,
    result: &ImportResult,
    words: &ServiceWords,
) -> Option<RowOutcome> {
    // An unknown status counts as none.
    let status = words.ended_status(result)?;
    let direct = RowOutcome::of_result(result, Some(status), QUESTION);
    if direct.state == RowState::Error && direct.transaction_id.is_none() && result.id.trim().is_empty() {
        return Some(direct);
    }
    let named = NamedRow {
        row,
        own_id: sent.id.clone(),
        policy_number: sent.policy_number.clone().unwrap_or_default(),
    };
    let outcomes = match_outcomes(&[named], std::slice::from_ref(result), words, QUESTION);
    outcomes.into_iter().map(|(_, outcome)| outcome).find(|outcome| outcome.state != RowState::Pending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_answer_that_names_the_transaction_is_its_outcome() {
        let sent = ImportTransaction {
            id: "own-1".into(),
            policy_number: Some("P-1".into()),
            ..ImportTransaction::default()
        };
        let cases = [
            (
                r#"{"id":"own-1","policy_number":"P-1","transaction_id":7,"status":0}"#,
                Some(RowState::Accepted),
            ),
            (r#"{"policy_number":"P-1","transaction_id":7,"status":0}"#, Some(RowState::Accepted)),
            (
                r#"{"id":"own-1","transaction_id":7,"status":0,"warnings":{"total":["Look"]}}"#,
                Some(RowState::Warning),
            ),
            (r#"{"id":"own-1","status":1,"errors":{"premium":["No"]}}"#, Some(RowState::Error)),
            (r#"{"status":1,"status_message":"Refused"}"#, Some(RowState::Error)),
            (r#"{"id":"own-1","transaction_id":7,"status":2}"#, Some(RowState::SavedIncomplete)),
            // Without a number, without a name, with another name, or without a final status.
            (r#"{"id":"own-1","status":0}"#, None),
            (r#"{"transaction_id":7,"status":0}"#, None),
            (r#"{"id":"own-2","transaction_id":7,"status":0}"#, None),
            (r#"{"id":"own-1","policy_number":"P-2","transaction_id":7,"status":0}"#, None),
            (r#"{"id":"own-1","transaction_id":7}"#, None),
            (r#"{"message":"Transaction not found"}"#, None),
        ];
        for (answer, expected) in cases {
            let result: ImportResult = serde_json::from_str(answer).unwrap();
            assert_eq!(
                named_outcome(0, &sent, &result, &ServiceWords::default()).map(|outcome| outcome.state),
                expected,
                "{answer}"
            );
        }
    }
}
