//! A part whose answer was lost. It is looked for over some time and taken up where it is found; it is sent again
//! only where a look-up has proven that it is not there. Where nothing can be proven, a person decides.
//!
//! "Not found" proves nothing by itself: a service that does not know the question answers the same. So the service
//! is asked for something it is known to have, and only where it finds that does "not found" count. The practice
//! service is ours, and known to answer.

use std::time::Duration;

use bordereau_client::{Client, ClientError, TransactionLookup};
use bordereau_contract::{ImportResults, TransactionRecord};

use super::known::is_remote_known;
use super::known::known_rows;
use super::known::telling_rows;
use super::known::{KnownRow, WaitingRow, is_same};
use super::outcome::RowOutcome;
use super::step::{Memory, Progress, Trouble};
use super::transition::OpenPart;
use super::transition::keep_trouble;
use super::transition::land;
use super::transition::move_part;
use super::transition::waiting_rows;
use crate::outbox::Outbox;
use crate::outbox::step::client_of;
use bordereau_api::BatchState;
use bordereau_session::Context;
use bordereau_store::batches::decision::{ask_person, send_once_more};
use bordereau_store::clock;

/// Rows of a part that stand for all of it where it is looked for as a whole.
const LOOKED_UP: usize = 3;
/// Transactions that the service is asked for because it is known to have them.
const KNOWN: u32 = 3;

/// What asking for a row tells.
pub(super) enum Seen {
    /// It is there.
    Here(Box<TransactionRecord>),
    /// The service says that there is none, where it was asked in this way.
    Absent(Asked),
    /// The service cannot be asked for it.
    Unclear,
}

/// In which ways a service answered that there is none; or in which it can be asked at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Asked {
    /// By the caller's own id.
    own_id: bool,
    /// By the invoice number.
    invoice: bool,
}

impl Asked {
    const fn any(self) -> bool {
        self.own_id || self.invoice
    }

    const fn and(self, other: Asked) -> Asked {
        Asked { own_id: self.own_id && other.own_id, invoice: self.invoice && other.invoice }
    }
}

/// What all questions together tell of a part.
enum Proof {
    /// It is not there.
    NotThere,
    /// It is, under this number.
    Batch(String),
    /// Some of it is.
    Found(Vec<(i64, RowOutcome)>),
    /// Nothing is proven.
    Open,
}

pub(super) fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// Looks for a part whose answer was lost: first as a whole, then by its rows.
pub(super) async fn look_for(
    ctx: &Context,
    part: &OpenPart,
    memory: &mut Memory,
) -> Result<Progress, Trouble> {
    let store = &ctx.store();
    let (client, is_practice) = client_of(ctx, part).await?;
    let telling = telling_rows(store, part).await?;
    let waiting = waiting_rows(store, part, false).await?;
    let Some(first) = waiting.first() else {
        land(store, part, Vec::new(), BatchState::Processed, String::new(), ctx.moment()).await?;
        return Ok(Progress::Moved);
    };
    if let Some(found) = newest_batch(&client, &first.transaction.id, is_practice).await?
        && (is_practice || names(&found, &first.transaction.id))
        && !is_remote_known(store, &found.batch_id).await?
    {
        move_part(store, part, BatchState::Accepted, Some(found.batch_id), ctx.moment()).await?;
        memory.not_found = 0;
        return Ok(Progress::Moved);
    }
    for at in sample(telling.len()) {
        if let Some(row) = telling.get(at)
            && matches!(look_up(&client, row, is_practice).await?, Seen::Here(_))
        {
            return adopt_rows(ctx, part, &client, &telling, is_practice).await;
        }
    }
    memory.not_found += 1;
    if is_practice {
        if memory.not_found <= Outbox::of(ctx).pace().rechecks {
            return Ok(Progress::Recheck);
        }
        memory.not_found = 0;
        return not_there(ctx, part).await;
    }
    let until = part.lost_ms.unwrap_or_else(|| ctx.moment().ms) + millis(Outbox::of(ctx).pace().settles);
    if memory.not_found <= Outbox::of(ctx).pace().rechecks || ctx.moment().ms < until {
        keep_trouble(store, part.batch, looked_for(until)).await?;
        return Ok(Progress::Waits);
    }
    memory.not_found = 0;
    match proof(ctx, part, &client, &waiting, &telling).await? {
        Proof::NotThere => not_there(ctx, part).await,
        Proof::Batch(number) => {
            move_part(store, part, BatchState::Accepted, Some(number), ctx.moment()).await?;
            Ok(Progress::Moved)
        }
        Proof::Found(outcomes) => {
            land(store, part, outcomes, part.state, looked_for(until), ctx.moment()).await?;
            Ok(Progress::Moved)
        }
        Proof::Open => {
            let text = question(first, waiting.len(), part.lost_ms);
            ask_person(store, part, text, ctx.moment()).await?;
            Ok(Progress::Moved)
        }
    }
}

/// It is proven that the service does not have it: once more, with the same ids.
async fn not_there(ctx: &Context, part: &OpenPart) -> Result<Progress, Trouble> {
    let text = "was looked for after its answer was lost, and the service does not have it: it is sent again";
    send_once_more(ctx.store(), part, text, ctx.moment()).await?;
    Ok(Progress::Moved)
}

/// By its own id, then by its invoice number.
pub(super) async fn look_up(client: &Client, row: &WaitingRow, is_practice: bool) -> Result<Seen, Trouble> {
    let mut absent = Asked::default();
    let by_id = TransactionLookup::OwnId(row.transaction.id.clone());
    match transaction(client, &by_id, is_practice).await? {
        Answer::Record(record) if is_same(&record, &row.transaction) => return Ok(Seen::Here(record)),
        Answer::None => absent.own_id = true,
        Answer::Record(_) | Answer::NoSuchQuestion => {}
    }
    let invoice = row.transaction.invoice_number.clone().filter(|number| !number.trim().is_empty());
    if let Some(invoice) = invoice {
        match transaction(client, &TransactionLookup::InvoiceNumber(invoice), is_practice).await? {
            Answer::Record(record) if is_same(&record, &row.transaction) => {
                return Ok(Seen::Here(record));
            }
            Answer::None => absent.invoice = true,
            // One invoice may have several transactions, of which one is answered.
            Answer::Record(_) | Answer::NoSuchQuestion => {}
        }
    }
    Ok(if absent.any() { Seen::Absent(absent) } else { Seen::Unclear })
}

/// The service has some of the rows and names no batch of them. The practice service takes a batch whole, so
/// that the others are sent again; another one may still be at work on them, so that they are looked for on.
async fn adopt_rows(
    ctx: &Context,
    part: &OpenPart,
    client: &Client,
    rows: &[WaitingRow],
    is_practice: bool,
) -> Result<Progress, Trouble> {
    let mut outcomes = Vec::new();
    for row in rows {
        if let Seen::Here(record) = look_up(client, row, is_practice).await? {
            outcomes.push((row.row, RowOutcome::of_record(&record, is_practice)));
        }
    }
    let to = if is_practice { BatchState::Queued } else { part.state };
    land(ctx.store(), part, outcomes, to, String::new(), ctx.moment()).await?;
    Ok(Progress::Moved)
}

/// Whether it is proven that a part is not there.
async fn proof(
    ctx: &Context,
    part: &OpenPart,
    client: &Client,
    waiting: &[WaitingRow],
    telling: &[WaitingRow],
) -> Result<Proof, Trouble> {
    let known = known_rows(ctx.store(), part, KNOWN).await?;
    if knows_batches(client, &known).await? {
        for row in sample(waiting.len()).into_iter().filter_map(|at| waiting.get(at)) {
            // One that this desk does not know of: a service that knows the question means this one.
            if let Some(found) = newest_batch(client, &row.transaction.id, false).await?
                && !is_remote_known(ctx.store(), &found.batch_id).await?
            {
                return Ok(Proof::Batch(found.batch_id));
            }
        }
        return Ok(Proof::NotThere);
    }
    let can_be_asked = knows_transactions(client, &known).await?;
    // A row that was sent before is found whether or not it came once more.
    let mut is_proven = can_be_asked.any() && waiting.len() == telling.len();
    let mut outcomes = Vec::new();
    if !can_be_asked.any() {
        return Ok(Proof::Open);
    }
    for row in telling {
        match look_up(client, row, false).await? {
            Seen::Here(record) => outcomes.push((row.row, RowOutcome::of_record(&record, false))),
            Seen::Absent(absent) => is_proven &= absent.and(can_be_asked).any(),
            Seen::Unclear => is_proven = false,
        }
    }
    Ok(match (outcomes.is_empty(), is_proven) {
        (false, _) => Proof::Found(outcomes),
        (true, true) => Proof::NotThere,
        (true, false) => Proof::Open,
    })
}

/// The newest batch with a transaction of this id, where the service knows the question; one that does not may
/// answer with any batch.
async fn newest_batch(
    client: &Client,
    own_id: &str,
    is_practice: bool,
) -> Result<Option<ImportResults>, Trouble> {
    match client.import_results_with(own_id).await {
        Ok(found) => Ok(found),
        Err(error) if is_no_such_question(&error, is_practice) => Ok(None),
        Err(error) => Err(Trouble::of(&error)),
    }
}

fn names(found: &ImportResults, own_id: &str) -> bool {
    found.transactions.iter().any(|result| result.id == own_id)
}

/// What the service says to a question about one transaction.
enum Answer {
    Record(Box<TransactionRecord>),
    None,
    NoSuchQuestion,
}

async fn transaction(
    client: &Client,
    lookup: &TransactionLookup,
    is_practice: bool,
) -> Result<Answer, Trouble> {
    match client.transaction_status(lookup).await {
        Ok(Some(record)) => Ok(Answer::Record(Box::new(record))),
        Ok(None) => Ok(Answer::None),
        Err(error) if is_no_such_question(&error, is_practice) => Ok(Answer::NoSuchQuestion),
        Err(error) => Err(Trouble::of(&error)),
    }
}

/// Whether an answer means that the service does not know what it was asked. The practice service knows all of it:
/// what it answers otherwise is trouble that passes.
fn is_no_such_question(error: &ClientError, is_practice: bool) -> bool {
    match error {
        ClientError::Rejected { status: 400 | 422, .. } => true,
        ClientError::Rejected { status, .. } => !is_practice && *status != 408,
        ClientError::NotPermitted { .. }
        | ClientError::Unreadable { .. }
        | ClientError::ServiceFailed { status: 501, .. } => !is_practice,
        _ => false,
    }
}

/// Whether the service names the batch of a transaction that it has.
async fn knows_batches(client: &Client, known: &[KnownRow]) -> Result<bool, Trouble> {
    for row in known {
        let found = newest_batch(client, &row.own_id, false).await?;
        if found.is_some_and(|found| {
            names(&found, &row.own_id) && row.remote_id.as_ref() == Some(&found.batch_id)
        }) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// In which ways the service finds transactions that it has.
async fn knows_transactions(client: &Client, known: &[KnownRow]) -> Result<Asked, Trouble> {
    let mut asked = Asked::default();
    for row in known {
        let is_it = |answer| matches!(answer, Answer::Record(record) if record.id == row.transaction_id);
        let by_id = TransactionLookup::OwnId(row.own_id.clone());
        asked.own_id |= is_it(transaction(client, &by_id, false).await?);
        if let Some(invoice) = row.invoice_number.clone() {
            let by_invoice = TransactionLookup::InvoiceNumber(invoice);
            asked.invoice |= is_it(transaction(client, &by_invoice, false).await?);
        }
    }
    Ok(asked)
}

/// First, middle, last: what was taken in part is found by one of them.
fn sample(count: usize) -> Vec<usize> {
    let mut places: Vec<usize> = match count {
        0 => Vec::new(),
        _ => (0..LOOKED_UP).map(|nth| nth * (count - 1) / (LOOKED_UP - 1)).collect(),
    };
    places.dedup();
    places
}

fn looked_for(until_ms: i64) -> String {
    format!(
        "The answer was lost. The batch is looked for until {}, since a service may show it late; until then nothing is sent again.",
        clock(until_ms)
    )
}

/// What the person is asked.
fn question(first: &WaitingRow, count: usize, lost_ms: Option<i64>) -> String {
    let sent = &first.transaction;
    let policy = sent.policy_number.as_deref().filter(|text| !text.trim().is_empty());
    let invoice = sent.invoice_number.as_deref().filter(|text| !text.trim().is_empty());
    let what = match (policy, invoice) {
        (Some(policy), Some(invoice)) => format!("policy {policy} (invoice {invoice})"),
        (Some(policy), None) => format!("policy {policy}"),
        (None, Some(invoice)) => format!("invoice {invoice}"),
        (None, None) => format!("id {}", sent.id),
    };
    let others = match count {
        0 | 1 => String::new(),
        2 => " and 1 more transaction".to_owned(),
        many => format!(" and {} more transactions", many - 1),
    };
    let when = lost_ms.map_or_else(String::new, |ms| format!(", sent {}", clock(ms)));
    format!(
        "The answer was lost and the service cannot be asked. Look in its portal for {what}{others}{when}; then choose: it arrived, or send again. Until then nothing is sent again."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_and_the_middle_are_looked_up() {
        for (count, expected) in
            [(0, vec![]), (1, vec![0]), (2, vec![0, 1]), (3, vec![0, 1, 2]), (1000, vec![0, 499, 999])]
        {
            assert_eq!(sample(count), expected, "{count}");
        }
    }

    #[test]
    fn the_question_names_what_can_be_found_in_a_portal() {
        use bordereau_contract::ImportTransaction;
        let cases = [
            (
                Some("P-1"),
                Some("I-1"),
                3,
                "policy P-1 (invoice I-1) and 2 more transactions, sent 1970-01-01 00:00 UTC;",
            ),
            (Some("P-1"), Some(" "), 1, "policy P-1, sent"),
            (None, Some("I-1"), 2, "invoice I-1 and 1 more transaction, sent"),
            (None, None, 1, "id own-1, sent"),
        ];
        for (policy, invoice, count, expected) in cases {
            let transaction = ImportTransaction {
                id: "own-1".into(),
                policy_number: policy.map(str::to_owned),
                invoice_number: invoice.map(str::to_owned),
                ..ImportTransaction::default()
            };
            let text = question(&WaitingRow { row: 0, transaction }, count, Some(0));
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn only_the_practice_service_is_known_to_know_every_question() {
        let rejected = |status| ClientError::Rejected { status, text: String::new(), problems: Vec::new() };
        let failed = |status| ClientError::ServiceFailed { status, text: String::new() };
        let cases = [
            (rejected(400), true, true),
            (rejected(422), true, true),
            (rejected(405), false, true),
            (rejected(408), false, false),
            (failed(501), false, true),
            (failed(500), false, false),
        ];
        for (error, practice, others) in cases {
            assert_eq!(is_no_such_question(&error, true), practice, "{error}");
            assert_eq!(is_no_such_question(&error, false), others, "{error}");
        }
    }
}
