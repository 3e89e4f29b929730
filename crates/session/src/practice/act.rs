//! Converts the panel's actions into the service's, and the service's answers into sentences.

use bordereau_contract::{
    Jurisdiction, PracticeAction, PracticeAnswer, STAMP_WORDING_CHARS_MAX, WhichTransactions, format_count,
    parse_instant, pluralize,
};

use bordereau_api::{BoundaryError, PracticeAct, PracticeFault};

const TIMES: std::ops::RangeInclusive<u32> = 1..=1_000;
const DELAY_MS_MAX: u32 = 600_000;

/// The actions for an act: one for each batch, and one for all transactions.
pub(super) fn actions_of(act: PracticeAct) -> Result<Vec<PracticeAction>, BoundaryError> {
    Ok(match act {
        PracticeAct::File { batches, transactions } => each_selection(&batches, &transactions)?
            .into_iter()
            .map(|which| PracticeAction::File { which, status: None, date: None })
            .collect(),
        PracticeAct::Pay { batches, transactions } => each_selection(&batches, &transactions)?
            .into_iter()
            .map(|which| PracticeAction::Pay { which, charges: Vec::new(), date: None, invoice_id: None })
            .collect(),
        PracticeAct::AssignNumbers { batches, transactions } => each_selection(&batches, &transactions)?
            .into_iter()
            .map(|which| PracticeAction::AssignNumber { which, number: None })
            .collect(),
        PracticeAct::FailBatch { batch } => vec![PracticeAction::FailBatch { batch_id: batch }],
        PracticeAct::StampWording { state, text } => vec![wording_action(&state, &text)?],
        PracticeAct::SimulateFailures { fault, times, delay_ms } => {
            vec![fault_action(fault, times, delay_ms)?]
        }
        PracticeAct::Dialects { names } => vec![PracticeAction::SetDialects { names }],
        PracticeAct::EndFailures {} => vec![PracticeAction::ClearFaults],
        PracticeAct::Speed { rows_per_second } => {
            let rows_per_second = rows_per_second.map(u64::from);
            vec![PracticeAction::SetSpeed { rows_per_second, seconds_per_batch: None }]
        }
        PracticeAct::NewKey {} => vec![PracticeAction::NewKey],
        PracticeAct::Role { role } => vec![PracticeAction::SetRole { role }],
        PracticeAct::MoveClock { seconds } => vec![PracticeAction::MoveClock { seconds: seconds.into() }],
    })
}

fn each_selection(
    batches: &[String],
    transactions: &[String],
) -> Result<Vec<WhichTransactions>, BoundaryError> {
    let of_batch =
        |id: &String| WhichTransactions { batch_id: Some(id.clone()), ..WhichTransactions::default() };
    let mut all: Vec<WhichTransactions> = batches.iter().map(of_batch).collect();
    let numbers: Result<Vec<i64>, _> = transactions.iter().map(|number| number.trim().parse()).collect();
    let numbers = numbers
        .map_err(|_| refuse_field("/transactions", "Enter the service's number of the transaction."))?;
    if !numbers.is_empty() {
        all.push(WhichTransactions { transaction_ids: numbers, ..WhichTransactions::default() });
    }
    if all.is_empty() {
        Err(refuse_field("/batches", "Choose a batch or enter a transaction's number."))
    } else {
        Ok(all)
    }
}

fn wording_action(state: &str, text: &str) -> Result<PracticeAction, BoundaryError> {
    let code = state.trim().to_ascii_uppercase();
    let state = code.parse::<Jurisdiction>().map_err(|_| refuse_field("/state", "Choose a state."))?;
    if text.chars().count() > STAMP_WORDING_CHARS_MAX {
        let most = format_count(STAMP_WORDING_CHARS_MAX as u64);
        return Err(refuse_field("/text", &format!("A wording has {most} characters at most.")));
    }
    let text = text.trim();
    Ok(PracticeAction::ChangeStampWording { state, text: (!text.is_empty()).then(|| text.to_owned()) })
}

fn fault_action(fault: PracticeFault, times: u32, delay_ms: u32) -> Result<PracticeAction, BoundaryError> {
    if !TIMES.contains(&times) {
        return Err(refuse_field("/times", "From 1 to 1,000 requests can fail."));
    }
    if delay_ms > DELAY_MS_MAX {
        return Err(refuse_field("/delay_ms", "An answer can be delayed by at most ten minutes."));
    }
    let kind = match fault {
        PracticeFault::Delay => "delay",
        PracticeFault::ErrorBefore => "error_before",
        PracticeFault::ErrorAfter => "error_after",
        PracticeFault::Cut => "cut",
        PracticeFault::RateLimit => "rate_limit",
        PracticeFault::Malformed => "malformed",
    };
    Ok(PracticeAction::AddFault {
        operation: "any".to_owned(),
        kind: kind.to_owned(),
        times,
        delay_ms: if fault == PracticeFault::Delay { delay_ms.into() } else { 0 },
    })
}

fn refuse_field(pointer: &str, message: &str) -> BoundaryError {
    BoundaryError::invalid_field(pointer, message)
}

/// Result of an action.
pub(super) enum ActOutcome {
    /// Transactions changed, and why the first of the others didn't.
    Changed(u32, Option<String>),
    /// A sentence.
    Text(String),
    /// A new API key, shown this once.
    Key(String),
}

pub(super) fn describe_answer(answer: PracticeAnswer) -> ActOutcome {
    match answer {
        PracticeAnswer::Transactions { changed, transactions } => {
            ActOutcome::Changed(changed, transactions.into_iter().find_map(|acted| acted.skipped))
        }
        PracticeAnswer::Clock { now, .. } => {
            let at = parse_instant(&now).map(|at| at.format("%Y-%m-%d %H:%M:%S UTC").to_string());
            ActOutcome::Text(format!("The service's clock shows {}.", at.unwrap_or(now)))
        }
        PracticeAnswer::Done { text } => ActOutcome::Text(text),
        PracticeAnswer::Key { api_key } => ActOutcome::Key(api_key),
        PracticeAnswer::Mail { .. }
        | PracticeAnswer::Queue { .. }
        | PracticeAnswer::Dialects { .. }
        | PracticeAnswer::Role { .. } => ActOutcome::Text(String::new()),
    }
}

/// Joins all results into a sentence or two.
pub(super) fn join_outcomes(all: Vec<ActOutcome>) -> String {
    let (mut changed, mut skipped, mut texts, mut counted) = (0u32, None, Vec::new(), false);
    for said in all {
        match said {
            ActOutcome::Changed(count, why) => {
                counted = true;
                changed += count;
                skipped = skipped.or(why);
            }
            ActOutcome::Text(text) => texts.push(text),
            ActOutcome::Key(_) => {
                texts.push("The account has a new API key; the old one no longer works.".to_owned());
            }
        }
    }
    if counted {
        texts.push(format!("{} changed.", pluralize(changed, "transaction")));
        texts.extend(skipped.map(|why| format!("Not changed: {}", crate::failure::end_sentence(&why))));
    }
    texts.retain(|text| !text.is_empty());
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_done_is_refused_before_anything_is() {
        let text = String::from;
        let bad = [
            PracticeAct::File { batches: vec![], transactions: vec![] },
            PracticeAct::Pay { batches: vec![], transactions: vec![text("TX-17")] },
            PracticeAct::StampWording { state: text("ZZ"), text: text("x") },
            PracticeAct::StampWording { state: text("TX"), text: "x".repeat(STAMP_WORDING_CHARS_MAX + 1) },
            PracticeAct::SimulateFailures { fault: PracticeFault::Cut, times: 0, delay_ms: 0 },
            PracticeAct::SimulateFailures { fault: PracticeFault::Delay, times: 1, delay_ms: 600_001 },
        ];
        for act in bad {
            assert!(actions_of(act.clone()).is_err(), "{act:?}");
        }
        let file = PracticeAct::File {
            batches: vec![text("a"), text("b")],
            transactions: vec![text("1"), text("2")],
        };
        assert_eq!(actions_of(file).map(|all| all.len()).ok(), Some(3));
    }

    #[test]
    fn several_answers_make_one_sentence() {
        let all = vec![ActOutcome::Changed(2, None), ActOutcome::Changed(1, Some("is filed already".into()))];
        assert_eq!(join_outcomes(all), "3 transactions changed. Not changed: is filed already.");
        assert_eq!(join_outcomes(vec![ActOutcome::Text("Done.".into())]), "Done.");
    }
}
