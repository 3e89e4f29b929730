//! The tables `bodies`, `facts` and `words`: each record as received, its values, and the words that find it.

use std::collections::HashSet;

use bordereau_contract::{TransactionRecord, format_instant, parse_calendar_day};
use chrono::{DateTime, NaiveDate, Utc};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, Statement, params, params_from_iter};

use crate::facts::RecordFacts;
use bordereau_store::StoreError;

/// Records read at once for what has to be done with them; beyond, those with the smallest numbers come first.
const RECORDS_MAX: u32 = 200_000;
/// Records read for one word of a file name; a year is in many.
const PER_WORD_MAX: u32 = 2_000;

const RECORD: &str = "SELECT body, seen_at FROM bodies WHERE id = ?1";

/// The step from version 2: what it had in the columns is made again from the records.
const STATUS_AS_TEXT: &str = "
    ALTER TABLE facts DROP COLUMN status;
    ALTER TABLE facts ADD COLUMN status TEXT NOT NULL DEFAULT '';
    ALTER TABLE facts ADD COLUMN lacks_amounts INTEGER NOT NULL DEFAULT 0;
";

/// What writing records did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordCounts {
    /// Records that were not known.
    pub new: u32,
    /// Records that differ from what was known.
    pub changed: u32,
}

/// What the index has of a record beside itself.
pub struct IndexEntry {
    /// To filter and sum.
    pub facts: RecordFacts,
    /// To find it by.
    pub words: String,
}

/// A record of the index, and when it was read.
pub struct StoredRecord {
    /// As it came.
    pub record: TransactionRecord,
    /// RFC 3339, UTC.
    pub seen_at: String,
}

/// Records, and how many there are altogether.
pub struct KnownRecords {
    /// Those selected.
    pub records: Vec<TransactionRecord>,
    /// Records of the index.
    pub total: u32,
}

/// The numbers that people know a record by.
pub struct NumberedRecord {
    /// The service's number.
    pub id: i64,
    /// As it came, or empty.
    pub policy_number: String,
    /// As it came, or empty.
    pub invoice_number: String,
}

/// Which records are read.
pub enum RecordSelection {
    /// Those that may still change, and those of some states since a day.
    OpenOrOfStates(Vec<&'static str>, NaiveDate),
    /// Those that are not filed.
    Unfiled,
}

/// Stores records, each once by its id; `at` is when they were read. What is indexed is made of changed ones only.
pub fn store_records(
    connection: &Connection,
    records: &[TransactionRecord],
    at: DateTime<Utc>,
    make_entry: impl Fn(&TransactionRecord) -> IndexEntry,
) -> Result<RecordCounts, StoreError> {
    let mut counts = RecordCounts::default();
    let seen_at = format_instant(at);
    for record in records {
        let body = serde_json::to_string(record)?;
        let mut known = connection.prepare_cached("SELECT body FROM bodies WHERE id = ?1")?;
        let known: Option<String> = known.query_row([record.id], |row| row.get(0)).optional()?;
        if known.as_deref() == Some(&body) {
            connection
                .prepare_cached("UPDATE bodies SET seen_at = ?2 WHERE id = ?1")?
                .execute(params![record.id, seen_at])?;
            continue;
        }
        if known.is_some() {
            connection.prepare_cached("DELETE FROM words WHERE rowid = ?1")?.execute([record.id])?;
            counts.changed += 1;
        } else {
            counts.new += 1;
        }
        store_record(connection, record, &body, &seen_at, at.timestamp(), &make_entry(record))?;
    }
    if counts != RecordCounts::default() {
        connection.execute("UPDATE revision SET number = number + 1", [])?;
    }
    Ok(counts)
}

/// Makes the entries again from the stored records, with this table of words.
pub fn renew_entries(
    connection: &mut Connection,
    table: i32,
    make_entry: impl Fn(&TransactionRecord) -> IndexEntry,
) -> Result<(), StoreError> {
    let transaction = connection.transaction()?;
    if crate::index_version(&transaction)? < 3 {
        transaction.execute_batch(STATUS_AS_TEXT)?;
    }
    let rows: Vec<(String, String, i64)> = transaction
        .prepare("SELECT bodies.body, bodies.seen_at, facts.changed_at FROM bodies JOIN facts USING (id)")?
        .query_map([], |row| row.try_into())?
        .collect::<Result<_, _>>()?;
    for (body, seen_at, changed_at) in rows {
        let record: TransactionRecord = serde_json::from_str(&body)?;
        transaction.prepare_cached("DELETE FROM words WHERE rowid = ?1")?.execute([record.id])?;
        store_record(&transaction, &record, &body, &seen_at, changed_at, &make_entry(&record))?;
    }
    transaction.execute("UPDATE revision SET number = number + 1", [])?;
    transaction.pragma_update(None, "user_version", crate::VERSION)?;
    transaction.pragma_update(None, "application_id", table)?;
    Ok(transaction.commit()?)
}

fn store_record(
    connection: &Connection,
    record: &TransactionRecord,
    body: &str,
    seen_at: &str,
    changed_at: i64,
    IndexEntry { facts, words }: &IndexEntry,
) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO facts (id, state, kind, status, documents, paid, due, open, policy_effective,
             transaction_effective, filed, premium, fees, taxes, total, lacks_amounts, changed_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
        )?
        .execute(params![
            record.id,
            facts.state,
            facts.kind,
            facts.status,
            facts.documents,
            facts.paid as i64,
            facts.due,
            facts.open,
            facts.policy_effective,
            facts.transaction_effective,
            facts.filed,
            facts.premium,
            facts.fees,
            facts.taxes,
            facts.total,
            facts.lacks_amounts,
            changed_at
        ])?;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    connection.prepare_cached("INSERT OR REPLACE INTO bodies VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?.execute(
        params![
            record.id,
            text(&record.policy_number),
            text(&record.mailing_insured_name),
            text(&record.extra_invoice_number),
            text(&record.unique_id),
            seen_at,
            body
        ],
    )?;
    connection
        .prepare_cached("INSERT INTO words (rowid, text) VALUES (?1, ?2)")?
        .execute(params![record.id, words])?;
    Ok(())
}

/// A record by the service's number.
pub fn find_record(connection: &Connection, id: i64) -> Result<Option<StoredRecord>, StoreError> {
    let mut statement = connection.prepare_cached(RECORD)?;
    read_record(&mut statement, id)
}

fn read_record(statement: &mut Statement<'_>, id: i64) -> Result<Option<StoredRecord>, StoreError> {
    let mut rows = statement.query([id])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let body = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
    Ok(Some(StoredRecord { record: serde_json::from_str(body)?, seen_at: row.get(1)? }))
}

/// Those of the ids that are there, in their order.
pub fn find_records(connection: &Connection, ids: &[i64]) -> Result<Vec<StoredRecord>, StoreError> {
    let mut statement = connection.prepare_cached(RECORD)?;
    ids.iter().filter_map(|id| read_record(&mut statement, *id).transpose()).collect()
}

/// As [`find_records`]; one that cannot be read any more was never known.
pub fn find_readable_records(
    connection: &Connection,
    ids: &[i64],
) -> Result<Vec<TransactionRecord>, StoreError> {
    let readable = |id: &i64| match find_record(connection, *id) {
        Ok(found) => found.map(|found| Ok(found.record)),
        Err(StoreError::Content(_)) => None,
        Err(error) => Some(Err(error)),
    };
    ids.iter().filter_map(readable).collect()
}

/// A record by its invoice number; the newest where it has several.
pub fn find_record_of_invoice(
    connection: &Connection,
    invoice: &str,
) -> Result<Option<TransactionRecord>, StoreError> {
    let sql = "SELECT id FROM bodies WHERE invoice = ?1 ORDER BY id DESC LIMIT 1";
    let id: Option<i64> =
        connection.prepare_cached(sql)?.query_row([invoice], |row| row.get(0)).optional()?;
    let Some(id) = id else { return Ok(None) };
    Ok(find_record(connection, id)?.map(|found| found.record))
}

/// Records with one of these words, which are in small letters and digits only; the newest of each word first.
pub fn find_numbered_records(
    connection: &Connection,
    words: &[String],
) -> Result<Vec<NumberedRecord>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT b.id, b.policy_number, b.invoice FROM words CROSS JOIN bodies b ON b.id = words.rowid
         WHERE words MATCH ?1 ORDER BY words.rowid DESC LIMIT ?2",
    )?;
    let read = |row: &Row<'_>| {
        Ok(NumberedRecord { id: row.get(0)?, policy_number: row.get(1)?, invoice_number: row.get(2)? })
    };
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    for word in words {
        for record in statement.query_map(params![format!("\"{word}\""), PER_WORD_MAX], read)? {
            let record = record?;
            if seen.insert(record.id) {
                found.push(record);
            }
        }
    }
    Ok(found)
}

/// The records of a selection.
pub fn select_records(
    connection: &Connection,
    selection: RecordSelection,
) -> Result<KnownRecords, StoreError> {
    let (clause, values) = match selection {
        RecordSelection::OpenOrOfStates(states, since) => {
            let marks = vec!["?"; states.len()].join(", ");
            let values = states.into_iter().map(|code| Value::from(code.to_owned()));
            (
                format!("f.open = 1 OR (f.state IN ({marks}) AND coalesce(f.transaction_effective >= ?, 1))"),
                values.chain([since.to_string().into()]).collect(),
            )
        }
        RecordSelection::Unfiled => ("f.filed IS NULL".to_owned(), Vec::new()),
    };
    let mut statement = connection.prepare_cached(&format!(
        "SELECT b.body FROM facts f JOIN bodies b ON b.id = f.id WHERE {clause} ORDER BY f.id LIMIT {RECORDS_MAX}"
    ))?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut records = Vec::new();
    while let Some(row) = rows.next()? {
        records.push(serde_json::from_str(row.get_ref(0)?.as_str().unwrap_or_default())?);
    }
    Ok(KnownRecords { records, total: count_records(connection)?.0 })
}

/// How many records there are, and how many of them may still change.
pub fn count_records(connection: &Connection) -> Result<(u32, u32), StoreError> {
    let sql = "SELECT count(*), coalesce(sum(open), 0) FROM facts";
    Ok(connection.query_row(sql, [], |row| row.try_into())?)
}

/// Numbers of records that may still change, with their effective days where these can be read; none older than
/// `since`.
pub fn list_open_records(
    connection: &Connection,
    since: NaiveDate,
) -> Result<Vec<(i64, Option<NaiveDate>)>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT id, transaction_effective FROM facts WHERE open AND coalesce(transaction_effective >= ?1, 1)",
    )?;
    let read = |row: &Row<'_>| {
        let day: Option<String> = row.get(1)?;
        Ok((row.get(0)?, day.as_deref().and_then(parse_calendar_day)))
    };
    Ok(statement.query_map([since.to_string()], read)?.collect::<Result<_, _>>()?)
}

/// Those of the ids that the index does not have, each once, in their order.
pub fn list_missing_records(connection: &Connection, ids: &[i64]) -> Result<Vec<i64>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT value FROM json_each(?1) WHERE NOT EXISTS (SELECT 1 FROM facts WHERE id = value)",
    )?;
    let mut seen = HashSet::new();
    let missing = statement.query_map([serde_json::to_string(ids)?], |row| row.get(0))?;
    missing.filter(|id| id.as_ref().map_or(true, |id| seen.insert(*id))).map(|id| Ok(id?)).collect()
}
