//! Saved quotes, and the last twenty asked.

use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};

use super::profiles::fresh_id;
use super::{Store, StoreError};
use bordereau_api::{QuoteAnswer, QuoteList, QuoteRequest, QuoteSummary, SavedQuote};

/// How many quotes asked are kept beside the saved ones.
const RECENT_MAX: u32 = 20;

/// A quote to be kept.
pub struct Kept {
    /// Empty for a new one.
    pub id: String,
    /// The name a person gave it.
    pub name: String,
    /// What was asked.
    pub request: QuoteRequest,
    /// What was answered.
    pub answer: Option<QuoteAnswer>,
    /// RFC 3339, UTC.
    pub at: String,
}

impl Store {
    /// Saves a quote: new without an id, in place with one. A recent quote becomes a saved one.
    pub async fn save_quote(&self, kept: Kept) -> Result<SavedQuote, StoreError> {
        self.run(move |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let id = if kept.id.is_empty() {
                insert(&transaction, &kept, true)?
            } else {
                update(&transaction, &kept)?;
                kept.id
            };
            transaction.commit()?;
            let Kept { name, request, answer, at, .. } = kept;
            Ok(SavedQuote { id, name, request, answer, saved_at: at })
        })
        .await
    }

    /// Remembers a quote asked; the same question moves to the top instead of standing there twice.
    pub async fn remember_quote(&self, kept: Kept) -> Result<(), StoreError> {
        self.run(move |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let request = serde_json::to_string(&kept.request)?;
            transaction.execute("DELETE FROM quotes WHERE saved = 0 AND request = ?1", [&request])?;
            insert(&transaction, &kept, false)?;
            transaction.execute(
                "DELETE FROM quotes WHERE saved = 0 AND id NOT IN
                 (SELECT id FROM quotes WHERE saved = 0 ORDER BY turn DESC LIMIT ?1)",
                [RECENT_MAX],
            )?;
            transaction.commit()?;
            Ok(())
        })
        .await
    }

    /// Saved and recent quotes, newest first.
    pub async fn quotes(&self) -> Result<QuoteList, StoreError> {
        self.run(|connection| {
            Ok(QuoteList { saved: summaries(connection, true)?, recent: summaries(connection, false)? })
        })
        .await
    }

    /// A saved or recent quote.
    pub async fn quote(&self, id: &str) -> Result<SavedQuote, StoreError> {
        let id = id.to_owned();
        self.run(move |connection| {
            let row: Option<(String, String, Option<String>, String)> = connection
                .query_row("SELECT name, request, answer, at FROM quotes WHERE id = ?1", [&id], |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
                })
                .optional()?;
            let (name, request, answer, saved_at) = row.ok_or(StoreError::Missing("quote"))?;
            let request = serde_json::from_str(&request)?;
            let answer = answer.map(|text| serde_json::from_str(&text)).transpose()?;
            Ok(SavedQuote { id, name, request, answer, saved_at })
        })
        .await
    }

    /// Removes a saved or recent quote.
    pub async fn remove_quote(&self, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.run(move |connection| match connection.execute("DELETE FROM quotes WHERE id = ?1", [&id])? {
            0 => Err(StoreError::Missing("quote")),
            _ => Ok(()),
        })
        .await
    }
}

fn insert(connection: &Connection, kept: &Kept, saved: bool) -> Result<String, StoreError> {
    let id = fresh_id(connection)?;
    connection.execute(
        "INSERT INTO quotes (id, saved, name, request, answer, state, transaction_type, total, at, turn)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, (SELECT coalesce(max(turn), 0) + 1 FROM quotes))",
        params![
            id,
            saved,
            kept.name,
            serde_json::to_string(&kept.request)?,
            answer_text(kept)?,
            kept.request.state,
            kept.request.transaction_type,
            total(kept),
            kept.at
        ],
    )?;
    Ok(id)
}

fn update(connection: &Connection, kept: &Kept) -> Result<(), StoreError> {
    let changed = connection.execute(
        "UPDATE quotes SET saved = 1, name = ?2, request = ?3, answer = ?4, state = ?5, transaction_type = ?6,
         total = ?7, at = ?8, turn = (SELECT coalesce(max(turn), 0) + 1 FROM quotes) WHERE id = ?1",
        params![
            kept.id,
            kept.name,
            serde_json::to_string(&kept.request)?,
            answer_text(kept)?,
            kept.request.state,
            kept.request.transaction_type,
            total(kept),
            kept.at
        ],
    )?;
    if changed == 0 { Err(StoreError::Missing("quote")) } else { Ok(()) }
}

fn answer_text(kept: &Kept) -> Result<Option<String>, StoreError> {
    Ok(kept.answer.as_ref().map(serde_json::to_string).transpose()?)
}

fn total(kept: &Kept) -> Option<&str> {
    kept.answer.as_ref().map(|answer| answer.total.as_str())
}

fn summaries(connection: &Connection, saved: bool) -> Result<Vec<QuoteSummary>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT id, name, saved, state, transaction_type, total, at FROM quotes WHERE saved = ?1 ORDER BY turn DESC",
    )?;
    let rows = statement.query_map([saved], summary)?;
    rows.map(|row| Ok(row?)).collect()
}

fn summary(row: &Row<'_>) -> rusqlite::Result<QuoteSummary> {
    Ok(QuoteSummary {
        id: row.get(0)?,
        name: row.get(1)?,
        saved: row.get(2)?,
        state: row.get(3)?,
        transaction_type: row.get(4)?,
        total: row.get(5)?,
        at: row.get(6)?,
    })
}
