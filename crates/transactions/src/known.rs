//! Records of the index for what has to be done with them.

use bordereau_calendar::Calendar;
use bordereau_contract::TransactionRecord;
use chrono::{Months, NaiveDate};
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::Index;
use super::row::held;
use bordereau_store::StoreError;

/// Records looked at; a person with more open transactions than that sees those with the smallest numbers first.
const RECORDS_MAX: u32 = 200_000;

/// Records, and how many there are altogether.
pub struct Known {
    pub records: Vec<TransactionRecord>,
    /// Records of the index.
    pub total: u32,
}

impl Index {
    /// Records of which something may still have to be done: open ones, and those whose period has a report or
    /// an affidavit that no record tells of.
    pub async fn records_with_duties(&self, today: NaiveDate) -> Result<Known, StoreError> {
        let since = today.checked_sub_months(Months::new(18)).unwrap_or(today).to_string();
        self.read(move |db, _| {
            let states: Vec<&str> = Calendar::builtin()
                .iter()
                .filter(|state| state.duties.iter().any(|duty| !duty.kind.is_on_record()))
                .map(|state| state.state.code())
                .collect();
            let clause = format!(
                "f.open = 1 OR (f.state IN ({}) AND f.transaction_effective >= ?)",
                vec!["?"; states.len()].join(", ")
            );
            let mut values: Vec<Value> = states.into_iter().map(|code| code.to_owned().into()).collect();
            values.push(since.into());
            known(db, &clause, values)
        })
        .await
    }

    /// Records that are not filed.
    pub async fn unfiled_records(&self) -> Result<Known, StoreError> {
        self.read(|db, _| known(db, "f.filed IS NULL", Vec::new())).await
    }

    /// A record by the service's number.
    pub async fn record(&self, id: i64) -> Result<Option<TransactionRecord>, StoreError> {
        self.read(move |db, _| Ok(held(db, id)?.map(|held| held.record))).await
    }

    /// A record by its invoice number; the newest where it has several.
    pub async fn record_of_invoice(&self, invoice: String) -> Result<Option<TransactionRecord>, StoreError> {
        self.read(move |db, _| {
            let sql = "SELECT id FROM bodies WHERE invoice = ?1 ORDER BY id DESC LIMIT 1";
            let found: Option<i64> = rusqlite::OptionalExtension::optional(
                db.prepare_cached(sql)?.query_row([invoice], |row| row.get(0)),
            )?;
            match found {
                Some(id) => Ok(held(db, id)?.map(|held| held.record)),
                None => Ok(None),
            }
        })
        .await
    }
}

fn known(db: &Connection, clause: &str, values: Vec<Value>) -> Result<Known, StoreError> {
    let total: u32 = db.query_row("SELECT count(*) FROM facts", [], |row| row.get(0))?;
    let sql = format!(
        "SELECT b.body FROM facts f JOIN bodies b ON b.id = f.id WHERE {clause} ORDER BY f.id LIMIT {RECORDS_MAX}"
    );
    let mut statement = db.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut records = Vec::new();
    while let Some(row) = rows.next()? {
        records.push(serde_json::from_str(row.get_ref(0)?.as_str().unwrap_or_default())?);
    }
    Ok(Known { records, total })
}
