//! The table `fetched`: which days were fetched when.

use bordereau_api::FetchedDays;
use bordereau_contract::{format_instant, parse_calendar_day, parse_instant};
use chrono::{DateTime, NaiveDate, Utc};
use rusqlite::{Connection, params};
use strum::IntoStaticStr;

use bordereau_store::StoreError;

/// Lines of the list of what was fetched.
const LISTED: u32 = 200;

/// The date of a record that a search goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum SearchDate {
    /// Day of the filing.
    Filed,
    /// Effective day of the policy.
    PolicyEffective,
    /// Effective day of the transaction.
    TransactionEffective,
}

/// First and last day, both included.
pub type Days = (NaiveDate, NaiveDate);

/// What was fetched by one date: its days, and when.
pub fn list_fetches(
    connection: &Connection,
    by: SearchDate,
) -> Result<Vec<(Days, DateTime<Utc>)>, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT first_day, last_day, at FROM fetched WHERE by_date = ?1")?;
    let mut rows = statement.query([<&str>::from(by)])?;
    let mut fetches = Vec::new();
    while let Some(row) = rows.next()? {
        let text = |at: usize| row.get::<_, String>(at);
        let days = parse_calendar_day(&text(0)?).zip(parse_calendar_day(&text(1)?));
        fetches.extend(days.zip(parse_instant(&text(2)?)));
    }
    Ok(fetches)
}

/// Notes that these days were fetched now; older notes within them go.
pub fn note_fetch(
    connection: &Connection,
    by: SearchDate,
    (first, last): Days,
    at: DateTime<Utc>,
) -> Result<(), StoreError> {
    let (by, first, last) = (<&str>::from(by), first.to_string(), last.to_string());
    connection.execute(
        "DELETE FROM fetched WHERE by_date = ?1 AND first_day >= ?2 AND last_day <= ?3",
        params![by, first, last],
    )?;
    connection.execute(
        "INSERT INTO fetched VALUES (?1, ?2, ?3, ?4)",
        params![by, first, last, format_instant(at)],
    )?;
    Ok(())
}

/// What was fetched when, newest first.
pub fn list_fetched_days(connection: &Connection) -> Result<Vec<FetchedDays>, StoreError> {
    let sql =
        "SELECT by_date, first_day, last_day, at FROM fetched ORDER BY at DESC, first_day DESC LIMIT ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let days = statement.query_map([LISTED], |row| {
        Ok(FetchedDays { by: row.get(0)?, from: row.get(1)?, to: row.get(2)?, at: row.get(3)? })
    })?;
    Ok(days.collect::<Result<_, _>>()?)
}
