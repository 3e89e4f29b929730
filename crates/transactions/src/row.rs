//! A record as a line of the table.

use bordereau_money::Usd;

use super::facts::{day, fees, record_facts, taxes};
use super::index::StatusWord;
use bordereau_api::TransactionRow;
use bordereau_store::transaction_index::records::StoredRecord;

/// The word for a status number: a guess is worse than the number.
pub(super) fn status_word(words: StatusWord, number: i64) -> String {
    if number == bordereau_contract::STATUS_NOT_TOLD {
        return "Not given".to_owned();
    }
    words(number).map_or_else(|| format!("Status {number}"), str::to_owned)
}

/// As the table shows it; `today` is `yyyy-mm-dd`.
pub(super) fn table_row(stored: &StoredRecord, words: StatusWord, today: &str) -> TransactionRow {
    let record = &stored.record;
    let facts = record_facts(record);
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
        paid: <&str>::from(facts.paid).to_owned(),
        overdue: !due.is_empty() && due.as_str() < today,
        due,
        state_number: text(&record.transaction_id_number),
        own_id: text(&record.unique_id),
        seen_at: stored.seen_at.clone(),
        batch: None,
    }
}
