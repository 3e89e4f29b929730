//! A record as a line of the table.

use bordereau_contract::TransactionRecord;
use bordereau_money::Usd;
use rusqlite::{Connection, OptionalExtension};

use super::facts::{Facts, day, fees, taxes};
use super::index::StatusWord;
use bordereau_api::TransactionRow;
use bordereau_store::StoreError;

/// The word for a status number: a guess is worse than the number.
pub(super) fn status_word(words: StatusWord, number: i64) -> String {
    if number == bordereau_contract::STATUS_NOT_TOLD {
        return "Not given".to_owned();
    }
    words(number).map_or_else(|| format!("Status {number}"), str::to_owned)
}

/// A record of the index, and when it was read.
pub(super) struct Held {
    pub(super) record: TransactionRecord,
    pub(super) seen_at: String,
}

/// A record by the service's number.
pub(super) fn held(db: &Connection, id: i64) -> Result<Option<Held>, StoreError> {
    let mut statement = db.prepare_cached("SELECT body, seen_at FROM bodies WHERE id = ?1")?;
    let found: Option<(String, String)> =
        statement.query_row([id], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    found.map(|(body, seen_at)| Ok(Held { record: serde_json::from_str(&body)?, seen_at })).transpose()
}

/// Those of the ids that are held, in their order.
pub(super) fn all_held(db: &Connection, ids: &[i64]) -> Result<Vec<Held>, StoreError> {
    ids.iter().filter_map(|id| held(db, *id).transpose()).collect()
}

/// As the table shows it; `today` is `yyyy-mm-dd`.
pub(super) fn row(held: &Held, words: StatusWord, today: &str) -> TransactionRow {
    let record = &held.record;
    let facts = Facts::of(record);
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let date = |text: &Option<String>| day(text.as_deref()).unwrap_or_default();
    let shown = |amount: Usd| amount.to_string();
    let (fees, taxes) = (fees(record), taxes(record));
    let total = Usd::checked_sum([record.premium.unwrap_or(Usd::ZERO), fees, taxes]).unwrap_or(Usd::MAX);
    let due = facts.due.filter(|_| facts.filed.is_none()).unwrap_or_default();
    TransactionRow {
        id: record.id.to_string(),
        policy_number: text(&record.policy_number),
        insured: text(&record.mailing_insured_name),
        state: facts.state,
        transaction_type: facts.kind,
        status: i32::try_from(record.transaction_status).unwrap_or(i32::MAX),
        status_word: status_word(words, record.transaction_status),
        invoice_number: text(&record.extra_invoice_number),
        policy_effective: date(&record.policy_effective_date),
        transaction_effective: date(&record.transaction_effective_date),
        date_filed: date(&record.date_filed),
        premium: record.premium.map(shown).unwrap_or_default(),
        fees: shown(fees),
        taxes: shown(taxes),
        total: shown(total),
        documents: u32::try_from(facts.documents).unwrap_or_default(),
        paid: facts.paid.word().to_owned(),
        overdue: !due.is_empty() && due.as_str() < today,
        due,
        state_number: text(&record.transaction_id_number),
        own_id: text(&record.unique_id),
        seen_at: held.seen_at.clone(),
        batch: None,
    }
}
