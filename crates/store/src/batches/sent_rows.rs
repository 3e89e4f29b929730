//! Finds the rows of batches in which a transaction was sent.

use bordereau_api::{SentRow, TransactionRow};
use bordereau_contract::{ImportTransaction, parse_calendar_day};
use bordereau_database::{Connection, Row, params};
use chrono::NaiveDate;

use crate::{StoreError, Word, list_parsed, list_rows};

/// A row of a batch with what was sent.
pub struct SentTransaction {
    /// The row, and its batch.
    pub row: SentRow,
    /// As it was sent; `None` once it was removed.
    pub wire: Option<ImportTransaction>,
}

/// Everything sent under an own id, or that became the service's transaction of this number, newest first.
pub fn list_sent_rows(
    connection: &Connection,
    profile_id: &str,
    own_id: &str,
    number: i64,
) -> Result<Vec<SentTransaction>, StoreError> {
    let sql =
        "SELECT b.id, b.name, r.own_id, r.line, r.row_state, b.created_at, b.sent_by, r.messages, r.wire
         FROM batch_rows r JOIN batches b ON b.seq = r.batch
         WHERE (r.own_id = ?1 OR r.transaction_id = ?3) AND b.profile_id = ?2 ORDER BY r.batch DESC LIMIT 50";
    list_parsed(connection, sql, params![own_id, profile_id, number], read_sent_row)
}

fn read_sent_row(row: &Row<'_>) -> Result<SentTransaction, StoreError> {
    Ok(SentTransaction {
        row: SentRow {
            batch: row.get(0)?,
            batch_name: row.get(1)?,
            own_id: row.get(2)?,
            line: row.get(3)?,
            row_state: row.get::<Word<_>>(4)?.0,
            sent_at: row.get(5)?,
            by: row.get(6)?,
            messages: serde_json::from_str(row.get_ref(7)?.as_str().unwrap_or("[]"))?,
        },
        wire: match row.get_ref(8)?.as_str().unwrap_or_default() {
            "" => None,
            wire => Some(serde_json::from_str(wire)?),
        },
    })
}

/// Sets, on each row that this desk sent, the batch that sent it last.
pub fn mark_sent_rows(
    connection: &Connection,
    profile_id: &str,
    rows: &mut [TransactionRow],
) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT b.id FROM batch_rows r JOIN batches b ON b.seq = r.batch
         WHERE (r.own_id = ?1 OR r.transaction_id = ?3) AND b.profile_id = ?2 ORDER BY r.batch DESC LIMIT 1",
    )?;
    for row in rows.iter_mut() {
        let mut found = statement.query(params![row.own_id, profile_id, row.id.parse::<i64>().ok()])?;
        row.batch = found.next_row()?.map(|found| found.get(0)).transpose()?;
    }
    Ok(())
}

/// Numbers of the transactions that this desk sent with a profile, the newest batch first; `since` leaves out what
/// was sent before that day.
pub fn list_sent_numbers(
    connection: &Connection,
    profile_id: &str,
    since: Option<NaiveDate>,
) -> Result<Vec<i64>, StoreError> {
    let sql = "SELECT r.transaction_id FROM batch_rows r JOIN batches b ON b.seq = r.batch
         WHERE b.profile_id = ?1 AND b.day >= ?2 AND r.transaction_id IS NOT NULL
         ORDER BY r.batch DESC, r.transaction_id";
    list_rows(connection, sql, params![profile_id, since.unwrap_or_default().to_string()], |row| row.get(0))
}

/// Their effective dates as sent last, where they can be read; without those whose content the retention rules removed.
pub fn find_sent_days(
    connection: &Connection,
    profile_id: &str,
    numbers: &[i64],
) -> Result<Vec<(i64, Option<NaiveDate>)>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT coalesce(json_extract(r.wire, '$.transaction_effective_date'),
         json_extract(r.wire, '$.policy_effective_date'))
         FROM batch_rows r JOIN batches b ON b.seq = r.batch
         WHERE r.transaction_id = ?2 AND b.profile_id = ?1 AND r.wire <> '' ORDER BY r.batch DESC LIMIT 1",
    )?;
    let mut days = Vec::with_capacity(numbers.len());
    for number in numbers {
        let mut found = statement.query(params![profile_id, *number])?;
        if let Some(row) = found.next_row()? {
            let day: Option<String> = row.get(0)?;
            days.push((*number, day.and_then(|day| parse_calendar_day(day.trim()))));
        }
    }
    Ok(days)
}
