//! The table `quotes`: saved quotes, and the twenty most recent ones of each person.

use bordereau_database::{Connection, DatabaseError, OptionalRow, Row, params};

use serde_json::Value;

use super::profiles::fresh_id;
use crate::{StoreError, list_rows};
use bordereau_api::{Conflict, QuoteAnswer, QuoteList, QuoteRequest, QuoteSummary, SavedQuote, revision_of};

/// Recent quotes of a person kept besides the saved ones.
const RECENT_MAX: u32 = 20;
/// Whose recent quotes a person sees: their own, and those from before each had their own.
const OWN_RECENT: &str = "saved = 0 AND by_whom IN (?1, '')";

/// The step that gave each person their own recent quotes.
pub(crate) const ADD_AUTHOR: &str = "ALTER TABLE quotes ADD COLUMN by_whom TEXT NOT NULL DEFAULT '';";

/// A quote to be stored.
pub struct NewQuote {
    /// Empty for a new one.
    pub id: String,
    /// The name a person gave it.
    pub name: String,
    /// The request.
    pub request: QuoteRequest,
    /// The answer.
    pub answer: Option<QuoteAnswer>,
    /// RFC 3339, UTC.
    pub at: String,
    /// The person of an office; empty in a data folder.
    pub by: String,
    /// The revision that was changed; `None` replaces whatever is there.
    pub revision: Option<String>,
}

/// The step of the schema that made it.
pub(crate) const CREATE_QUOTES: &str = include_str!("quotes.sql");

/// Saves a quote: new without an id, in place with one. A recent quote becomes a saved one.
///
/// # Errors
/// [`StoreError::Conflict`] where someone else changed it since it was read: nothing is saved.
pub fn save_quote(connection: &mut Connection, quote: NewQuote) -> Result<SavedQuote, StoreError> {
    let transaction = connection.transaction()?;
    let mut id = quote.id.clone();
    if id.is_empty() {
        id = fresh_id(&transaction)?;
    } else {
        ensure_unchanged(&transaction, &quote)?;
    }
    store_quote(&transaction, &id, &quote, true)?;
    transaction.commit()?;
    let revision = revision_of(&content_of(&quote.name, &quote.request, quote.answer.as_ref())?);
    let NewQuote { name, request, answer, at, .. } = quote;
    Ok(SavedQuote { id, name, request, answer, saved_at: at, revision })
}

/// Remembers a recent quote; the same request moves to the top.
pub fn remember_quote(connection: &mut Connection, quote: &NewQuote) -> Result<(), StoreError> {
    let transaction = connection.transaction()?;
    store_quote(&transaction, &fresh_id(&transaction)?, quote, false)?;
    transaction.execute(
        &format!(
            "DELETE FROM quotes WHERE {OWN_RECENT} AND id NOT IN
             (SELECT id FROM quotes WHERE {OWN_RECENT} ORDER BY turn DESC LIMIT ?2)"
        ),
        params![quote.by, RECENT_MAX],
    )?;
    Ok(transaction.commit()?)
}

/// Saved quotes and a person's recent ones, newest first.
pub fn list_quotes(connection: &Connection, by: &str) -> Result<QuoteList, StoreError> {
    let list = |which: &str| {
        let columns = "id, name, saved, state, transaction_type, total, at";
        let sql = format!("SELECT {columns} FROM quotes WHERE {which} ORDER BY turn DESC");
        list_rows(connection, &sql, [by], read_summary)
    };
    Ok(QuoteList { saved: list("saved = 1 AND ?1 = ?1")?, recent: list(OWN_RECENT)? })
}

/// A saved or recent quote.
pub fn find_quote(connection: &Connection, id: &str) -> Result<SavedQuote, StoreError> {
    let sql = "SELECT name, request, answer, at FROM quotes WHERE id = ?1";
    let row: Option<(String, String, Option<String>, String)> =
        connection.query_row(sql, [id], |row| row.try_into()).optional()?;
    let (name, request, answer, saved_at) = row.ok_or(StoreError::Missing("quote"))?;
    let request = serde_json::from_str(&request)?;
    let answer = answer.map(|text| serde_json::from_str(&text)).transpose()?;
    let revision = revision_of(&content_of(&name, &request, answer.as_ref())?);
    Ok(SavedQuote { id: id.to_owned(), name, request, answer, saved_at, revision })
}

/// What people change of a quote: its fields, its name and what came out.
fn content_of(name: &str, request: &QuoteRequest, answer: Option<&QuoteAnswer>) -> Result<Value, StoreError> {
    let mut content = serde_json::to_value(request)?;
    content["name"] = name.into();
    content["total"] = answer.map(|answer| answer.total.as_str()).into();
    Ok(content)
}

/// Removes a saved or recent quote.
pub fn remove_quote(connection: &Connection, id: &str) -> Result<(), StoreError> {
    match connection.execute("DELETE FROM quotes WHERE id = ?1", [id])? {
        0 => Err(StoreError::Missing("quote")),
        _ => Ok(()),
    }
}

/// Stores it under an id. The recent quote of the same request goes: the two would be listed as two.
fn store_quote(connection: &Connection, id: &str, quote: &NewQuote, saved: bool) -> Result<(), StoreError> {
    let request = serde_json::to_string(&quote.request)?;
    let same = format!("DELETE FROM quotes WHERE {OWN_RECENT} AND request = ?2");
    connection.execute(&same, [&quote.by, &request])?;
    connection.execute(
        "INSERT INTO quotes (id, saved, name, request, answer, state, transaction_type, total, at, turn, by_whom)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, (SELECT coalesce(max(turn), 0) + 1 FROM quotes), ?10)
         ON CONFLICT (id) DO UPDATE SET saved = excluded.saved, name = excluded.name, request = excluded.request,
         answer = excluded.answer, state = excluded.state, transaction_type = excluded.transaction_type,
         total = excluded.total, at = excluded.at, turn = excluded.turn, by_whom = excluded.by_whom",
        params![
            id,
            saved,
            quote.name,
            request,
            quote.answer.as_ref().map(serde_json::to_string).transpose()?,
            quote.request.state,
            quote.request.transaction_type,
            quote.answer.as_ref().map(|answer| answer.total.as_str()),
            quote.at,
            quote.by
        ],
    )?;
    Ok(())
}

fn ensure_unchanged(connection: &Connection, quote: &NewQuote) -> Result<(), StoreError> {
    let theirs = find_quote(connection, &quote.id)?;
    let sql =
        "SELECT coalesce((SELECT name FROM people WHERE role = by_whom), by_whom) FROM quotes WHERE id = ?1";
    let by: String = connection.query_row(sql, [&quote.id], |row| row.get(0))?;
    let theirs = content_of(&theirs.name, &theirs.request, theirs.answer.as_ref())?;
    let mine = content_of(&quote.name, &quote.request, quote.answer.as_ref())?;
    Ok(Conflict::ensure_none("quote", &by, quote.revision.as_deref(), &theirs, &mine)?)
}

fn read_summary(row: &Row<'_>) -> Result<QuoteSummary, DatabaseError> {
    row_as!(QuoteSummary: id, name, saved, state, transaction_type, total, at)(row)
}
