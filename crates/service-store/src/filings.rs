//! Transactions as the service keeps them: exactly one for each account and own id.
//!
//! `transaction` is a word of SQL, so the table is called `filing`.

use bordereau_contract::PaidCharge;
use rusqlite::types::Type;
use rusqlite::{Connection, Error, OptionalExtension, Result, Row, params, params_from_iter};
use serde::{Deserialize, Serialize};

/// A transaction to be kept.
pub struct NewFiling<'a> {
    /// Whose it is.
    pub account_id: &'a str,
    /// The caller's id for it.
    pub own_id: &'a str,
    /// Which import brought it.
    pub batch_seq: i64,
    /// SHA-256 of the transaction as it came, hexadecimal.
    pub content_hash: &'a str,
    /// Number of a `TransactionStatus`.
    pub status: i64,
    /// By which it can be looked up too.
    pub invoice_number: Option<&'a str>,
    /// `yyyy-mm-dd`, for the search.
    pub policy_effective_date: Option<&'a str>,
    /// `yyyy-mm-dd`, for the search.
    pub transaction_effective_date: Option<&'a str>,
    /// The transaction as it came, JSON, without its documents.
    pub body: &'a str,
    /// Seconds since 1970.
    pub now: i64,
}

/// What is known of a transaction that is there already.
pub struct KnownFiling {
    /// The service's number.
    pub id: i64,
    /// Which import brought its present version.
    pub batch_seq: i64,
    /// SHA-256 of the transaction as it came, hexadecimal.
    pub content_hash: String,
    /// Number of a `TransactionStatus`.
    pub status: i64,
}

/// A transaction as it is kept.
pub struct Filing {
    /// The service's number.
    pub id: i64,
    /// The caller's id for it.
    pub own_id: String,
    /// Number of a `TransactionStatus`.
    pub status: i64,
    /// `yyyy-mm-dd`.
    pub date_ready_to_file: Option<String>,
    /// `yyyy-mm-dd`.
    pub date_filed: Option<String>,
    /// What the state has done with it.
    pub progress: StateProgress,
    /// The transaction as it came, JSON, without its documents.
    pub body: String,
    /// Seconds since 1970.
    pub created_at: i64,
}

/// What the state has done with a transaction, in the record's own names: kept as one JSON object, so that a new
/// member needs no new column.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "the fields carry the contract's own names, described in section 8")]
pub struct StateProgress {
    pub sl_tax_paid_date: Option<String>,
    pub stamping_fee_paid_date: Option<String>,
    pub other_taxes_paid_date: Option<String>,
    pub sl_tax_invoice_id: Option<String>,
    pub stamping_fee_invoice_id: Option<String>,
    pub transaction_id_number: Option<String>,
    pub gl_moved_date: Option<String>,
}

impl StateProgress {
    /// The day a charge was paid.
    pub fn paid_date(&self, charge: PaidCharge) -> Option<&str> {
        match charge {
            PaidCharge::SlTax => self.sl_tax_paid_date.as_deref(),
            PaidCharge::StampingFee => self.stamping_fee_paid_date.as_deref(),
            PaidCharge::OtherTaxes => self.other_taxes_paid_date.as_deref(),
        }
    }

    /// Marks a charge as paid. Other taxes have no invoice of their own in the record.
    pub fn mark_paid(&mut self, charge: PaidCharge, day: &str, invoice_id: &str) {
        let (day, invoice_id) = (Some(day.to_owned()), Some(invoice_id.to_owned()));
        match charge {
            PaidCharge::SlTax => (self.sl_tax_paid_date, self.sl_tax_invoice_id) = (day, invoice_id),
            PaidCharge::StampingFee => {
                (self.stamping_fee_paid_date, self.stamping_fee_invoice_id) = (day, invoice_id);
            }
            PaidCharge::OtherTaxes => self.other_taxes_paid_date = day,
        }
    }
}

/// Adds a transaction: its number; `None` if the account has one with this own id.
pub fn add(db: &Connection, new: &NewFiling<'_>) -> Result<Option<i64>> {
    let added = db
        .prepare_cached(
            "INSERT INTO filing (account_id, own_id, batch_seq, content_hash, status, invoice_number, \
             policy_effective_date, transaction_effective_date, body, created_at, updated_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
             ON CONFLICT (account_id, own_id) DO NOTHING",
        )?
        .execute(params![
            new.account_id,
            new.own_id,
            new.batch_seq,
            new.content_hash,
            new.status,
            new.invoice_number,
            new.policy_effective_date,
            new.transaction_effective_date,
            new.body,
            new.now,
            new.now
        ])?;
    Ok((added == 1).then(|| db.last_insert_rowid()))
}

/// What is there under an own id.
pub fn find_known(db: &Connection, account_id: &str, own_id: &str) -> Result<KnownFiling> {
    db.prepare_cached(
        "SELECT id, batch_seq, content_hash, status FROM filing WHERE account_id = $1 AND own_id = $2",
    )?
    .query_row(params![account_id, own_id], row_as!(KnownFiling: id, batch_seq, content_hash, status))
}

/// Puts a new version in place of the old one; the number stays.
pub fn replace_filing(db: &Connection, id: i64, new: &NewFiling<'_>) -> Result<()> {
    db.prepare_cached(
        "UPDATE filing SET batch_seq = $1, content_hash = $2, status = $3, invoice_number = $4, \
         policy_effective_date = $5, transaction_effective_date = $6, body = $7, updated_at = $8 WHERE id = $9",
    )?
    .execute(params![
        new.batch_seq,
        new.content_hash,
        new.status,
        new.invoice_number,
        new.policy_effective_date,
        new.transaction_effective_date,
        new.body,
        new.now,
        id
    ])?;
    Ok(())
}

const COLUMNS: &str = "id, own_id, status, date_ready_to_file, date_filed, body, created_at, progress";

fn read(row: &Row<'_>) -> Result<Filing> {
    let progress: String = row.get(7)?;
    Ok(Filing {
        id: row.get(0)?,
        own_id: row.get(1)?,
        status: row.get(2)?,
        date_ready_to_file: row.get(3)?,
        date_filed: row.get(4)?,
        body: row.get(5)?,
        created_at: row.get(6)?,
        progress: serde_json::from_str(&progress)
            .map_err(|error| Error::FromSqlConversionFailure(7, Type::Text, Box::new(error)))?,
    })
}

/// An account's transaction by the service's number.
pub fn by_id(db: &Connection, account_id: &str, id: i64) -> Result<Option<Filing>> {
    db.prepare_cached(&format!("SELECT {COLUMNS} FROM filing WHERE account_id = $1 AND id = $2"))?
        .query_row(params![account_id, id], read)
        .optional()
}

/// Transactions by the service's numbers, in their order; at most a page of them.
pub(crate) fn by_ids(db: &Connection, ids: &[i64]) -> Result<Vec<Filing>> {
    let places = super::search::numbered_parameters(ids.len());
    db.prepare_cached(&format!("SELECT {COLUMNS} FROM filing WHERE id IN ({places}) ORDER BY id"))?
        .query_map(params_from_iter(ids), read)?
        .collect()
}

/// By the caller's own id.
pub fn by_own_id(db: &Connection, account_id: &str, own_id: &str) -> Result<Option<Filing>> {
    db.prepare_cached(&format!("SELECT {COLUMNS} FROM filing WHERE account_id = $1 AND own_id = $2"))?
        .query_row(params![account_id, own_id], read)
        .optional()
}

/// By the invoice; of several the newest.
pub fn by_invoice(db: &Connection, account_id: &str, number: &str) -> Result<Option<Filing>> {
    db.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM filing WHERE account_id = $1 AND invoice_number = $2 ORDER BY id DESC LIMIT 1"
    ))?
    .query_row(params![account_id, number], read)
    .optional()
}

/// An own id as it is listed.
pub struct OwnId {
    /// The caller's id.
    pub id: String,
    /// How often it is stored.
    pub count: i64,
    /// The highest `TransactionStatus` of those.
    pub status: i64,
}

/// How many transactions an account has, and its own ids in order with the number of each.
pub fn own_ids(db: &Connection, account_id: &str, after: &str, limit: i64) -> Result<(i64, Vec<OwnId>)> {
    let count =
        db.query_row("SELECT COUNT(*) FROM filing WHERE account_id = $1", params![account_id], |r| r.get(0))?;
    let mut statement = db.prepare_cached(
        "SELECT own_id, COUNT(*), MAX(status) FROM filing WHERE account_id = $1 AND own_id > $2 \
         GROUP BY own_id ORDER BY own_id LIMIT $3",
    )?;
    let ids = statement
        .query_map(params![account_id, after, limit], row_as!(OwnId: id, count, status))?
        .collect::<Result<_>>()?;
    Ok((count, ids))
}

/// Sets the status of a transaction, with the day where it becomes ready or filed. False if there is none.
pub fn set_status(db: &Connection, account_id: &str, own_id: &str, status: i64, day: &str) -> Result<bool> {
    let changed = db
        .prepare_cached(
            "UPDATE filing SET status = $1, \
         date_ready_to_file = CASE WHEN $1 < 2 THEN NULL ELSE COALESCE(date_ready_to_file, $2) END, \
         date_filed = CASE WHEN $1 < 4 THEN NULL ELSE COALESCE(date_filed, $2) END \
         WHERE account_id = $3 AND own_id = $4",
        )?
        .execute(params![status, day, account_id, own_id])?;
    Ok(changed == 1)
}

/// Writes what the state has done with a transaction.
pub fn set_progress(db: &Connection, id: i64, progress: &StateProgress, now: i64) -> Result<()> {
    let progress =
        serde_json::to_string(progress).map_err(|error| Error::ToSqlConversionFailure(Box::new(error)))?;
    db.prepare_cached("UPDATE filing SET progress = $1, updated_at = $2 WHERE id = $3")?
        .execute(params![progress, now, id])?;
    Ok(())
}
