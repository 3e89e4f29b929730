//! A record as a line of the table.

use bordereau_money::Usd;

use super::facts::{date_day, missing_amounts, payment_title, record_facts, shown_sums, shown_taxes};
use super::record_reading::RecordReading;
use bordereau_api::TransactionRow;
use bordereau_transaction_index::records::StoredRecord;

/// As the table shows it; `today` is `yyyy-mm-dd`.
pub(super) fn table_row(stored: &StoredRecord, reading: &RecordReading, today: &str) -> TransactionRow {
    let record = &stored.record;
    let facts = record_facts(record, reading.calendar());
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let date = |text: &Option<String>| date_day(text.as_deref()).unwrap_or_default();
    let shown = |amount: Usd| amount.to_string();
    let [fees, _, total] = shown_sums(record);
    let due = facts.due.unwrap_or_default();
    TransactionRow {
        id: record.id.to_string(),
        policy_number: text(&record.policy_number),
        insured: text(&record.mailing_insured_name),
        state: facts.state,
        transaction_type: facts.kind,
        status: record.transaction_status.to_string(),
        status_word: reading.words.status_title(&record.transaction_status),
        invoice_number: text(&record.extra_invoice_number),
        policy_effective: date(&record.policy_effective_date),
        transaction_effective: date(&record.transaction_effective_date),
        date_filed: date(&record.date_filed),
        premium: record.signed_premium().map(shown).unwrap_or_default(),
        fees: shown(fees),
        taxes: shown_taxes(record).map(shown).unwrap_or_default(),
        total: shown(total),
        missing_amounts: missing_amounts(record).into_iter().map(str::to_owned).collect(),
        documents: u32::try_from(facts.documents).unwrap_or_default(),
        paid: <&str>::from(facts.paid).to_owned(),
        paid_word: payment_title(facts.paid).to_owned(),
        overdue: facts.filed.is_none() && !due.is_empty() && due.as_str() < today,
        due,
        state_number: text(&record.transaction_id_number),
        own_id: text(&record.unique_id),
        seen_at: stored.seen_at.clone(),
        batch: None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bordereau_api::Profile;
    use bordereau_contract::TransactionRecord;
    use bordereau_rules::RuleSet;
    use bordereau_session::profile::ServiceWords;

    use super::*;
    use crate::columns::{ColumnValue, choose_columns, table_columns};

    #[test]
    fn every_column_of_the_table_is_in_its_rows() {
        let words = ServiceWords::from_profile(&Profile::default());
        let reading = RecordReading { words, rules: Arc::new(RuleSet::builtin()) };
        let stored = StoredRecord { record: TransactionRecord::default(), seen_at: String::new() };
        let row = serde_json::to_value(table_row(&stored, &reading, "2026-01-01")).unwrap();
        for column in table_columns() {
            assert!(row.get(&column.name).is_some(), "TransactionRow has no {}", column.name);
        }
        // A filed one shows until when it had to be filed, as the export does, and is not overdue.
        let day = || Some("2025-02-23".to_owned());
        let filed = TransactionRecord {
            transaction_type: Some("PN".into()),
            physical_state: Some("TX".into()),
            policy_effective_date: day(),
            transaction_effective_date: day(),
            date_filed: day(),
            ..TransactionRecord::default()
        };
        let due = choose_columns(&["due".to_owned()]).unwrap()[0].value_of(&filed, &reading);
        let shown =
            table_row(&StoredRecord { record: filed, seen_at: String::new() }, &reading, "2026-01-01");
        assert_eq!((due, shown.overdue), (ColumnValue::Date(shown.due.clone()), false), "{shown:?}");
        // Nothing is added up where the service gave none of it, neither in the table nor in an export.
        let taxes = choose_columns(&["taxes".to_owned()]).unwrap()[0].value_of(&stored.record, &reading);
        assert_eq!((row["taxes"].as_str(), taxes), (Some(""), ColumnValue::Empty));
    }
}
