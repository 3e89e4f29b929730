//! The index of one profile, and what a record is filtered and found by.

use std::collections::HashSet;
use std::path::Path;

use bordereau_api::{TransactionSort, TransactionsFilter};
use bordereau_contract::{ServiceStatus, TransactionRecord};
use bordereau_store::StoreError;
use bordereau_store::data_key::DataKey;
use bordereau_transaction_index::TransactionIndex;
use bordereau_transaction_index::records::{
    IndexEntry, KnownRecords, NumberedRecord, RecordCounts, RecordSelection, find_numbered_records,
    find_record, find_record_of_invoice, select_records, store_records,
};
use bordereau_transaction_index::search::{SearchKey, find_ids};
use bordereau_transaction_index::search_words::list_words;
use chrono::{DateTime, Months, NaiveDate, Utc};

use super::facts::{record_facts, shown_sums};
use super::record_reading::RecordReading;

/// Rows written in one transaction: what a page of the service has, several times over.
const ROWS_AT_ONCE: usize = 1_000;

/// A text finds a status as it came, and by what it means.
fn make_entry(record: &TransactionRecord, reading: &RecordReading) -> IndexEntry {
    let status = &record.transaction_status;
    let own = if let ServiceStatus::Word(word) = status { word.as_str() } else { "" };
    let meaning = reading.words.status_meaning(status).unwrap_or_default();
    IndexEntry {
        facts: record_facts(record, reading.calendar()),
        words: list_words(record, &format!("{own} {meaning}"), shown_sums(record)),
    }
}

/// The index of one profile. Cheap to clone.
#[derive(Clone)]
pub struct ProfileIndex {
    pub(super) file: TransactionIndex,
    reading: RecordReading,
}

impl ProfileIndex {
    pub(super) fn open(
        path: &Path,
        key: Option<&DataKey>,
        reading: RecordReading,
    ) -> Result<ProfileIndex, StoreError> {
        ProfileIndex::with_reading(TransactionIndex::open(path, key)?, reading)
    }

    /// The same index with what the service's words mean now, and the rules in use.
    pub(super) fn with_reading(
        file: TransactionIndex,
        reading: RecordReading,
    ) -> Result<ProfileIndex, StoreError> {
        file.renew_entries(reading.table_number(), |record| make_entry(record, &reading))?;
        Ok(ProfileIndex { file, reading })
    }

    /// Whether its entries were made with these words and rules.
    pub(super) fn has_reading(&self, reading: &RecordReading) -> bool {
        self.reading.is_like(reading)
    }

    /// Stores a record that is shown where it can't be kept, too: it can be asked again.
    pub async fn keep_shown(&self, record: TransactionRecord, at: DateTime<Utc>) -> Result<(), StoreError> {
        match self.store_records(vec![record], at).await {
            Err(error) if error.write_obstacle().is_some() => {
                tracing::warn!(%error, "a transaction is not kept");
                Ok(())
            }
            stored => stored.map(drop),
        }
    }

    /// Stores records, each once by its id; `at` is when they were read.
    pub async fn store_records(
        &self,
        mut records: Vec<TransactionRecord>,
        at: DateTime<Utc>,
    ) -> Result<RecordCounts, StoreError> {
        let mut sum = RecordCounts::default();
        while !records.is_empty() {
            let rest = records.split_off(records.len().min(ROWS_AT_ONCE));
            let part = std::mem::replace(&mut records, rest);
            let reading = self.reading.clone();
            let make_entry = move |record: &TransactionRecord| make_entry(record, &reading);
            let counts = self.file.write(move |db| store_records(db, &part, at, make_entry)).await?;
            sum.new += counts.new;
            sum.changed += counts.changed;
        }
        Ok(sum)
    }

    /// Records of which something may still have to be done: open ones, and those whose period has a report or
    /// an affidavit that no record shows.
    pub async fn records_with_duties(&self, today: NaiveDate) -> Result<KnownRecords, StoreError> {
        let since = today.checked_sub_months(Months::new(18)).unwrap_or(today);
        let has_duty = self
            .reading
            .calendar()
            .iter()
            .filter(|state| state.duties.iter().any(|duty| !duty.kind.is_on_record()));
        let selection =
            RecordSelection::OpenOrOfStates(has_duty.map(|state| state.state.code()).collect(), since);
        self.file.read(move |db| select_records(db, selection)).await
    }

    /// The records that typed words find in the list of transactions; `None` where nothing was typed.
    pub async fn ids_with_words(&self, typed: &str) -> Result<Option<HashSet<i64>>, StoreError> {
        if typed.trim().is_empty() {
            return Ok(None);
        }
        let filter = TransactionsFilter { text: typed.to_owned(), ..TransactionsFilter::default() };
        let key = SearchKey { filter, sort: TransactionSort::Id, ascending: false, today: String::new() };
        let cache = self.file.cache();
        let (ids, _) = self.file.read(move |db| find_ids(db, &cache, &key)).await?;
        Ok(Some(ids.iter().copied().collect()))
    }

    /// Records that are not filed.
    pub async fn unfiled_records(&self) -> Result<KnownRecords, StoreError> {
        self.file.read(|db| select_records(db, RecordSelection::Unfiled)).await
    }

    /// A record by the service's number.
    pub async fn find_record(&self, id: i64) -> Result<Option<TransactionRecord>, StoreError> {
        self.file.read(move |db| Ok(find_record(db, id)?.map(|found| found.record))).await
    }

    /// A record by its invoice number; the newest where it has several.
    pub async fn record_of_invoice(&self, invoice: String) -> Result<Option<TransactionRecord>, StoreError> {
        self.file.read(move |db| find_record_of_invoice(db, &invoice)).await
    }

    /// Records with one of these words, which are in small letters and digits only.
    pub async fn numbered_records(&self, words: Vec<String>) -> Result<Vec<NumberedRecord>, StoreError> {
        self.file.read(move |db| find_numbered_records(db, &words)).await
    }
}
