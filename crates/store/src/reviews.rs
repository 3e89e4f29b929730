//! Drafts of reviews: the source once, then each step as it is made. A crash loses no answer.

use std::sync::Arc;

use bordereau_database::{Connection, OptionalRow, params};

use super::list_rows;
use super::mapping_versions::keep_version;
use super::profiles::fresh_id;
use super::{Store, StoreError};
use crate::assignments::{forget_removed, list_assignments};
use crate::stored_files::{StoredContent, read_contents, set_aside};
use bordereau_api::{QuoteFiling, ReviewSummary, WorkKind};

/// Bytes of the source in one row, so that other work gets its turn in between.
const PART_BYTES: usize = 4 * 1024 * 1024;
/// Mappings remembered without a name.
const HISTORY_MAX: u32 = 200;

/// Transactions of a draft that are in a batch; of several rows that are one transaction a batch has one.
pub(crate) const SENT_COUNT: &str = "(SELECT count(DISTINCT r.own_id) FROM batch_rows r
     JOIN batches b ON b.seq = r.batch WHERE b.review = reviews.id AND r.row_state <> 'not_sent')";

/// The step of the schema that made them.
pub(crate) const CREATE_REVIEWS: &str = include_str!("reviews.sql");

/// The step that added drafts of commands.
pub(crate) const ADD_UNATTENDED: &str = "
    -- A draft that a command works on; it is no draft of the person's before the command leaves it to them.
    ALTER TABLE reviews ADD COLUMN unattended INTEGER NOT NULL DEFAULT 0 CHECK (unattended IN (0, 1));
";

/// The step that added the count of excluded rows; an older draft has none until it is stored again.
pub(crate) const ADD_EXCLUDED_COUNT: &str = "
    ALTER TABLE reviews ADD COLUMN excluded_count INTEGER NOT NULL DEFAULT 0;
";

/// The step that added the count of rows joined to a row before them; an older draft has none until it is stored again.
pub(crate) const ADD_JOINED_COUNT: &str =
    "ALTER TABLE reviews ADD COLUMN joined_count INTEGER NOT NULL DEFAULT 0";

/// The stored state of a draft, beside its source and its steps.
#[derive(Clone, Debug, Default)]
pub struct StoredReview {
    /// Id of the review.
    pub id: String,
    /// Name of its file.
    pub name: String,
    /// JSON, made and read by the review.
    pub body: String,
    /// Number of steps applied; later ones can be redone.
    pub position: u32,
    /// Rows of the file.
    pub rows: u32,
    /// Rows with errors.
    pub errors: u32,
    /// Rows that are excluded.
    pub excluded: u32,
    /// Rows that belong to the transaction of a row before them.
    pub joined: u32,
    /// RFC 3339, UTC.
    pub at: String,
}

fn find_turn(connection: &Connection, id: &str) -> Result<i64, StoreError> {
    let found = connection.query_row("SELECT turn FROM reviews WHERE id = ?1", [id], |row| row.get(0));
    found.optional()?.ok_or(StoreError::Missing("review"))
}

/// Change of the steps when a draft's state is stored.
pub enum StepChange {
    /// No step.
    None,
    /// A new step of this number, counted from 0; steps from that number on are dropped.
    New(u32, String),
    /// Drop all steps.
    Clear,
}

/// Drafts that were only opened, of which the newest stay: they may be on a screen.
const UNCHANGED: &str = "json_extract(body, '$.is_unchanged') IS NOT NULL";

impl Store {
    /// Starts a draft and returns its id; an unattended one belongs to a command.
    pub async fn begin_review(&self, kept: StoredReview, unattended: bool) -> Result<String, StoreError> {
        let turns = Arc::clone(&self.draft_turns);
        self.with_connection(move |connection| {
            // In a transaction: a statement alone answers before it is stored, so that a full disk goes unnoticed.
            let transaction = connection.transaction()?;
            let id = fresh_id(&transaction)?;
            transaction.execute(&format!("DELETE FROM reviews WHERE {UNCHANGED} AND id NOT IN
                (SELECT id FROM reviews WHERE {UNCHANGED} ORDER BY turn DESC LIMIT 100)"), [])?;
            let turn = transaction.query_row(
                "INSERT INTO reviews (id, body, position, name, row_count, error_count, at, unattended, turn)
                 VALUES (?1, ?2, 0, ?3, 0, 0, ?4, ?5, (SELECT coalesce(max(turn), 0) + 1 FROM reviews)) RETURNING turn",
                params![id, kept.body, kept.name, kept.at, unattended],
                |row| row.get(0),
            )?;
            transaction.commit()?;
            turns.lock().insert(id.clone(), turn);
            Ok(id)
        })
        .await
    }

    /// Stores the bytes a draft is read from.
    pub async fn save_source(&self, id: &str, source: &[u8]) -> Result<(), StoreError> {
        for (part, bytes) in source.chunks(PART_BYTES).enumerate() {
            self.save_source_part(id, part, bytes.to_vec()).await?;
        }
        Ok(())
    }

    async fn save_source_part(&self, id: &str, part: usize, bytes: Vec<u8>) -> Result<(), StoreError> {
        let (review, stored) = (id.to_owned(), set_aside(self, bytes).await?);
        self.with_connection(move |connection| {
            let part = i64::try_from(part).unwrap_or(i64::MAX);
            connection.execute(
                "INSERT INTO review_sources (review, part, bytes, place, stored_name) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (review, part) DO UPDATE SET bytes = excluded.bytes, place = excluded.place,
                 stored_name = excluded.stored_name",
                params![review, part, stored.bytes, stored.place, stored.name],
            )?;
            Ok(())
        })
        .await
    }

    /// Stores the state of a draft and its newest step, both or neither.
    ///
    /// # Errors
    /// [`StoreError::ChangedElsewhere`] where someone else changed it since it was opened here: nothing is stored.
    pub async fn save_review(&self, kept: StoredReview, step: StepChange) -> Result<(), StoreError> {
        let turns = Arc::clone(&self.draft_turns);
        self.with_connection(move |connection| {
            let transaction = connection.transaction()?;
            let known = turns.lock().get(&kept.id).copied();
            let found = find_turn(&transaction, &kept.id)?;
            if known.is_some_and(|known| known != found) {
                return Err(StoreError::ChangedElsewhere);
            }
            let turn: i64 = transaction.query_row(
                "UPDATE reviews SET body = ?2, position = ?3, name = ?4, row_count = ?5, error_count = ?6, at = ?7,
                 excluded_count = ?8, joined_count = ?9, turn = (SELECT coalesce(max(turn), 0) + 1 FROM reviews) WHERE id = ?1 RETURNING turn",
                params![
                    kept.id,
                    kept.body,
                    kept.position,
                    kept.name,
                    kept.rows,
                    kept.errors,
                    kept.at,
                    kept.excluded,
                    kept.joined
                ],
                |row| row.get(0),
            )?;
            match step {
                StepChange::None => {}
                StepChange::New(number, body) => {
                    transaction.execute(
                        "DELETE FROM review_steps WHERE review = ?1 AND number >= ?2",
                        params![kept.id, number],
                    )?;
                    transaction.execute(
                        "INSERT INTO review_steps (review, number, body) VALUES (?1, ?2, ?3)",
                        params![kept.id, number, body],
                    )?;
                }
                StepChange::Clear => {
                    transaction.execute("DELETE FROM review_steps WHERE review = ?1", [&kept.id])?;
                }
            }
            transaction.commit()?;
            if known.is_some() {
                turns.lock().insert(kept.id, turn);
            }
            Ok(())
        })
        .await
    }

    /// A draft and its steps, opened for work.
    pub async fn open_review(&self, id: &str) -> Result<(StoredReview, Vec<String>), StoreError> {
        let (review, turns) = (id.to_owned(), Arc::clone(&self.draft_turns));
        // A later change is noticed when the draft is saved.
        let remember = move |connection: &mut Connection| {
            let turn = find_turn(connection, &review)?;
            turns.lock().insert(review, turn);
            Ok(())
        };
        self.with_connection(remember).await?;
        self.load_review(id).await
    }

    /// Whether someone else changed a draft since it was opened here.
    pub async fn was_review_changed(&self, id: &str) -> Result<bool, StoreError> {
        let (id, turns) = (id.to_owned(), Arc::clone(&self.draft_turns));
        self.with_connection(move |connection| {
            let known = turns.lock().get(&id).copied();
            // A file refused while it was read has no stored draft and still shows why; while the database can't be
            // reached, an open draft can still be read.
            Ok(find_turn(connection, &id).is_ok_and(|found| known.is_some_and(|known| known != found)))
        })
        .await
    }

    /// A draft and its steps.
    pub async fn load_review(&self, id: &str) -> Result<(StoredReview, Vec<String>), StoreError> {
        let id = id.to_owned();
        self.with_connection(move |connection| {
            let kept = connection
                .query_row(
                    "SELECT id, name, body, position, row_count, error_count, at, excluded_count, joined_count FROM reviews WHERE id = ?1",
                    [&id],
                    row_as!(StoredReview: id, name, body, position, rows, errors, at, excluded, joined),
                )
                .optional()?
                .ok_or(StoreError::Missing("review"))?;
            let sql = "SELECT body FROM review_steps WHERE review = ?1 ORDER BY number";
            let steps = list_rows(connection, sql, [&id], |row| row.get(0))?;
            Ok((kept, steps))
        })
        .await
    }

    /// The bytes a draft was read from.
    pub async fn review_source(&self, id: &str) -> Result<Vec<u8>, StoreError> {
        let id = id.to_owned();
        let find = move |connection: &mut Connection| {
            let sql = "SELECT bytes, place, stored_name FROM review_sources WHERE review = ?1 ORDER BY part";
            list_rows(connection, sql, [&id], StoredContent::of_row)
        };
        read_contents(self, self.with_connection(find).await?).await
    }

    /// Turns a command's draft into one of the person's.
    pub async fn hand_over_review(&self, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        let sql = "UPDATE reviews SET unattended = 0 WHERE id = ?1";
        self.with_connection(move |connection| match connection.execute(sql, [&id])? {
            0 => Err(StoreError::Missing("review")),
            _ => Ok(()),
        })
        .await
    }

    /// Removes all but the newest drafts of commands; returns how many.
    pub async fn remove_unattended(&self, keep: u32) -> Result<usize, StoreError> {
        let sql = "DELETE FROM reviews WHERE unattended = 1 AND id NOT IN
                   (SELECT id FROM reviews WHERE unattended = 1 ORDER BY turn DESC LIMIT ?1)";
        self.with_connection(move |connection| Ok(connection.execute(sql, [keep])?)).await
    }

    /// The drafts of commands under this name, newest first.
    pub async fn unattended_reviews(&self, name: &str) -> Result<Vec<String>, StoreError> {
        let name = name.to_owned();
        let sql = "SELECT id FROM reviews WHERE unattended = 1 AND name = ?1 ORDER BY turn DESC";
        self.with_connection(move |connection| list_rows(connection, sql, [&name], |row| row.get(0))).await
    }

    /// Drafts of the person that have rows to send, newest first; not those that were only opened.
    pub async fn review_summaries(&self) -> Result<Vec<ReviewSummary>, StoreError> {
        self.with_connection(|connection| {
            let sql = format!(
                "SELECT id, name, row_count - CASE sent WHEN 0 THEN 0 ELSE sent + joined_count END, error_count, at,
                        row_count > 0 AND excluded_count = row_count FROM (SELECT reviews.*, {SENT_COUNT} AS sent FROM reviews
                 WHERE unattended = 0 AND NOT {UNCHANGED}) d WHERE row_count = 0 OR row_count - joined_count > sent ORDER BY turn DESC"
            );
            let mut assigned = list_assignments(connection, WorkKind::Draft, "")?;
            list_rows(connection, &sql, [], |row| {
                let id: String = row.get(0)?;
                Ok(ReviewSummary {
                    assigned: assigned.remove(&id),
                    id,
                    name: row.get(1)?,
                    rows: row.get(2)?,
                    errors: row.get(3)?,
                    stored_at: row.get(4)?,
                    excluded: row.get(5)?,
                })
            })
        })
        .await
    }

    /// The person's newest draft with this mark of a quote, and when it was last sent.
    pub async fn review_of_quote(&self, mark: String) -> Result<Option<QuoteFiling>, StoreError> {
        let sql = "SELECT id, (SELECT max(b.created_at) FROM batches b WHERE b.review = reviews.id
                   AND b.state <> 'canceled') FROM reviews
                   WHERE unattended = 0 AND json_extract(body, '$.quote') = ?1 ORDER BY turn DESC LIMIT 1";
        self.with_connection(move |connection| {
            Ok(list_rows(connection, sql, [&mark], row_as!(QuoteFiling: draft, sent_at))?.pop())
        })
        .await
    }

    /// Removes a draft with its source.
    pub async fn remove_review(&self, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.with_connection(move |connection| {
            match connection.execute("DELETE FROM reviews WHERE id = ?1", [&id])? {
                0 => Err(StoreError::Missing("review")),
                _ => forget_removed(connection),
            }
        })
        .await
    }

    /// Saves a mapping under a name, keeping its earlier version; without a name, in the history of these headers.
    pub async fn save_mapping(
        &self,
        name: &str,
        headers: &str,
        body: String,
        at: String,
    ) -> Result<(), StoreError> {
        let (name, headers) = (name.to_owned(), headers.to_owned());
        self.with_connection(move |connection| {
            let connection = connection.transaction()?;
            if !name.is_empty() {
                keep_version(&connection, &name, &body, &at)?;
            }
            connection.execute(
                "INSERT INTO review_mappings (name, headers, body, turn)
                 VALUES (?1, ?2, ?3, (SELECT coalesce(max(turn), 0) + 1 FROM review_mappings))
                 ON CONFLICT (name, headers) DO UPDATE SET body = excluded.body, turn = excluded.turn",
                [&name, &headers, &body],
            )?;
            forget_old(&connection)?;
            Ok(connection.commit()?)
        })
        .await
    }

    /// Remembered mappings, last used first; those of the same headers before the others.
    pub async fn list_mappings(&self, headers: &str) -> Result<Vec<String>, StoreError> {
        let headers = headers.to_owned();
        let sql = "SELECT body FROM review_mappings ORDER BY headers = ?1 DESC, turn DESC";
        self.with_connection(move |connection| list_rows(connection, sql, [&headers], |row| row.get(0))).await
    }

    /// A mapping by its name.
    pub async fn load_mapping(&self, name: &str) -> Result<String, StoreError> {
        let name = name.to_owned();
        self.with_connection(move |connection| {
            connection
                .query_row(
                    "SELECT body FROM review_mappings WHERE name = ?1 AND name <> '' ORDER BY turn DESC LIMIT 1",
                    [&name],
                    |row| row.get(0),
                )
                .optional()?
                .ok_or(StoreError::Missing("mapping"))
        })
        .await
    }

    /// Removes a saved mapping.
    pub async fn remove_mapping(&self, name: &str) -> Result<(), StoreError> {
        let name = name.to_owned();
        self.with_connection(move |connection| {
            match connection.execute("DELETE FROM review_mappings WHERE name = ?1 AND name <> ''", [&name])? {
                0 => Err(StoreError::Missing("mapping")),
                _ => {
                    connection.execute("DELETE FROM mapping_versions WHERE name = ?1", [&name])?;
                    Ok(())
                }
            }
        })
        .await
    }

    /// Names of saved mappings.
    pub async fn mapping_names(&self) -> Result<Vec<String>, StoreError> {
        self.with_connection(|connection| {
            let sql = "SELECT DISTINCT name FROM review_mappings WHERE name <> '' ORDER BY name";
            list_rows(connection, sql, [], |row| row.get(0))
        })
        .await
    }
}

fn forget_old(connection: &Connection) -> Result<(), StoreError> {
    connection.execute(
        "DELETE FROM review_mappings WHERE name = '' AND turn NOT IN
         (SELECT turn FROM review_mappings WHERE name = '' ORDER BY turn DESC LIMIT ?1)",
        [HISTORY_MAX],
    )?;
    Ok(())
}
