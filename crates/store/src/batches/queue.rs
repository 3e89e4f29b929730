//! Queues a batch: stored as a whole, with its own ids, before anything is sent.

use bordereau_contract::{ImportTransaction, TRANSACTION_ID_CHARS_MAX};
use bordereau_database::{Connection, OptionalRow, params};
use bordereau_spreadsheets::SameTransaction;

use super::acknowledgments::AcknowledgedTransaction;
use super::documents::BatchFile;
use super::{acknowledgments, bump_revision, wire_sha256};
use crate::assignments::pass_to_batch;
use crate::stored_files::set_aside;
use crate::{Store, StoreError, Word, audit, bound_address, fresh_id, place};
use bordereau_api::totals::{compute_totals, signed_premium};
use bordereau_api::{BatchState, KeptWarning, Profile, ReviewTotals};
use bordereau_contract::{format_money_text, pluralize};

/// Bytes of a part's rows and documents; the contract's limit for a body is 64 MiB.
const PART_BYTES_MAX: usize = 24 * 1024 * 1024;

/// A transaction for the outbox.
#[derive(Clone, Debug, Default)]
pub struct OutgoingTransaction {
    /// In wire form, without documents. Without its own id it gets one that stays the same.
    pub transaction: ImportTransaction,
    /// Line of the file it came from.
    pub line: u32,
    /// The file or sheet, where the batch is of several; else empty.
    pub source: String,
    /// Its row in the source, from 0: the basis of its own id where it has none.
    pub row: u32,
    /// Its documents, once they are read.
    pub documents: Vec<BatchFile>,
    /// Number of its documents.
    pub document_count: u32,
    /// The review finds an error in it.
    pub has_error: bool,
    /// Key that recognizes a duplicate.
    pub key: Option<SameTransaction>,
    /// Warnings kept with a reason.
    pub kept: Vec<KeptWarning>,
}

/// A batch to be stored.
#[derive(Clone, Debug)]
pub struct NewBatch {
    /// Name of the file.
    pub name: String,
    /// The review it comes from.
    pub review: String,
    /// The batch it corrects.
    pub corrects: Option<String>,
    /// One transaction, sent as a single import.
    pub is_single: bool,
    /// The profile it is sent with.
    pub profile: Profile,
    /// The person who sends it.
    pub by: String,
    /// RFC 3339, UTC.
    pub at: String,
    /// Day in the person's calendar.
    pub day: String,
    /// Its rows.
    pub rows: Vec<OutgoingTransaction>,
    /// Rows of the batch it corrects that stay as they are.
    pub kept_back: Vec<AcknowledgedTransaction>,
    /// Transactions of a part, at most.
    pub part_rows: usize,
}

/// Result of storing a batch.
pub enum QueueOutcome {
    /// It is stored under this id.
    As(String),
    /// Everything in it was sent before.
    Nothing,
    /// The totals aren't the confirmed ones.
    OtherTotals,
}

impl NewBatch {
    /// Gives every row its own id: the row's, or one made from the review and its place, the same each time.
    pub fn assign_ids(&mut self) {
        let source = &self.review;
        for row in &mut self.rows {
            if row.transaction.id.trim().is_empty() {
                row.transaction.id = format!("{source}-{:06}", row.row);
            }
            debug_assert!(source.len() + 12 < TRANSACTION_ID_CHARS_MAX);
        }
    }

    /// Removes rows that were sent already and are unchanged. One that was refused is sent by another review: what the
    /// service asked for may be there now, such as a carrier.
    pub fn exclude_already_sent(&mut self, connection: &Connection) -> Result<(), StoreError> {
        let mut statement = connection.prepare_cached(
            "SELECT r.wire,
             CASE WHEN r.row_state = 'error' AND r.transaction_id IS NULL AND b.review <> ?3
                 THEN 'not_sent' ELSE r.row_state END, r.sha256,
             (SELECT count(*) FROM batch_documents d WHERE d.batch = r.batch AND d.row = r.row)
             FROM batch_rows r JOIN batches b ON b.seq = r.batch
             WHERE r.own_id = ?1 AND b.profile_id = ?2 ORDER BY r.batch DESC LIMIT 1",
        )?;
        let mut kept = Vec::with_capacity(self.rows.len());
        for row in std::mem::take(&mut self.rows) {
            let last: Option<(String, String, String, u32)> = statement
                .query_row([&row.transaction.id, &self.profile.id, &self.review], |found| found.try_into())
                .optional()?;
            let is_sent = match last {
                Some((wire, state, sha256, documents)) => {
                    let now = serde_json::to_string(&row.transaction)?;
                    // Of expired rows only the hash is left.
                    let is_same = wire == now || (wire.is_empty() && sha256 == wire_sha256(&now, &[]));
                    state != "not_sent" && row.document_count <= documents && is_same
                }
                None => false,
            };
            if !is_sent {
                kept.push(row);
            }
        }
        self.rows = kept;
        Ok(())
    }

    /// Writes documents that are too large for an office's database to its place, before they are stored.
    pub async fn set_aside_documents(&mut self, store: &Store) -> Result<(), StoreError> {
        for file in self.rows.iter_mut().flat_map(|row| &mut row.documents).filter(|_| store.office.is_some())
        {
            let stored = set_aside(store, file.content.clone()).await?;
            (file.place, file.stored_name) = (stored.place, stored.name);
        }
        Ok(())
    }

    /// Totals of its rows.
    pub fn compute_totals(&self) -> ReviewTotals {
        compute_totals(self.rows.iter().map(|row| &row.transaction))
    }

    /// The part of each row, in order.
    pub fn part_numbers(&self) -> Result<Vec<i64>, StoreError> {
        let (mut part, mut rows, mut bytes) = (0i64, 0usize, 0usize);
        let mut parts = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let documents: usize = row.documents.iter().map(|file| file.content.len().div_ceil(3) * 4).sum();
            let size = serde_json::to_string(&row.transaction)?.len() + documents;
            if rows > 0 && (rows >= self.part_rows.max(1) || bytes + size > PART_BYTES_MAX) {
                part += 1;
                (rows, bytes) = (0, 0);
            }
            rows += 1;
            bytes += size;
            parts.push(part);
        }
        Ok(parts)
    }

    /// Stores it, all or nothing, and only if its totals are the confirmed ones.
    pub fn store_batch(
        mut self,
        connection: &mut Connection,
        confirmed: &ReviewTotals,
    ) -> Result<QueueOutcome, StoreError> {
        // Locked for writing at once: of two sends of the same rows the second one sees the first.
        let transaction = connection.transaction()?;
        let id = fresh_id(&transaction)?;
        self.assign_ids();
        self.exclude_already_sent(&transaction)?;
        if self.rows.is_empty() && self.kept_back.is_empty() {
            return Ok(QueueOutcome::Nothing);
        }
        let totals = self.compute_totals();
        if *confirmed != totals {
            return Ok(QueueOutcome::OtherTotals);
        }
        let corrected = self.corrects.clone().unwrap_or_default();
        if !self.kept_back.is_empty() {
            acknowledgments::settle_rows(&transaction, &corrected, &self.kept_back)?;
            let how = format!("Kept as they are in batch {corrected}, not sent again");
            let rows = self.kept_back.iter().map(|row| (row.line, row.kept.as_slice()));
            acknowledgments::log_acknowledgments(&transaction, &self.at, &self.by, &how, rows)?;
        }
        if self.rows.is_empty() {
            bump_revision(&transaction)?;
            transaction.commit()?;
            return Ok(QueueOutcome::As(corrected));
        }
        self.insert(&transaction, &id, &totals)?;
        pass_to_batch(&transaction, &self.review, &id)?;
        let (count, name, profile) = (totals.count, &self.name, &self.profile.name);
        let kind: &str = self.profile.environment.into();
        let corrects =
            self.corrects.as_ref().map_or(String::new(), |batch| format!(", correcting batch {batch}"));
        let text = format!(
            "Send \"{name}\" as batch {id} to profile \"{profile}\" ({kind}): {}, premium {}, taxes {}{corrects}.",
            pluralize(count, "transaction"),
            format_money_text(&totals.premium),
            format_money_text(&totals.taxes)
        );
        audit::append_entry(&transaction, &self.at, &self.by, &text)?;
        let kept = self.rows.iter().map(|row| (row.line, row.kept.as_slice()));
        acknowledgments::log_acknowledgments(
            &transaction,
            &self.at,
            &self.by,
            &format!("Kept in batch {id}"),
            kept,
        )?;
        bump_revision(&transaction)?;
        transaction.commit()?;
        Ok(QueueOutcome::As(id))
    }

    fn insert(&self, connection: &Connection, id: &str, totals: &ReviewTotals) -> Result<(), StoreError> {
        let (state, trouble) = place::first_state(connection)?;
        let batch: i64 = connection.query_row(
            "INSERT INTO batches (id, name, review, corrects, profile_id, profile_name, environment, state, totals,
             sent_by, created_at, day, address, trouble, single)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?13, ?8, ?9, ?10, ?11, ?12, ?14, ?15) RETURNING seq",
            params![
                id,
                self.name,
                self.review,
                self.corrects,
                self.profile.id,
                self.profile.name,
                serde_json::to_string(&self.profile.environment)?,
                serde_json::to_string(totals)?,
                self.by,
                self.at,
                self.day,
                bound_address(&self.profile),
                Word(state),
                trouble,
                self.is_single,
            ],
            |row| row.get(0),
        )?;
        let parts = self.part_numbers()?;
        for part in 0..=parts.last().copied().unwrap_or_default() {
            connection.execute(
                "INSERT INTO batch_parts (batch, part, state, copied) VALUES (?1, ?2, ?3, ?4)",
                params![batch, part, Word(state), state == BatchState::Unknown],
            )?;
        }
        for ((number, row), part) in (0i64..).zip(&self.rows).zip(parts) {
            insert_row(connection, batch, number, part, row)?;
        }
        Ok(())
    }
}

fn insert_row(
    connection: &Connection,
    batch: i64,
    number: i64,
    part: i64,
    row: &OutgoingTransaction,
) -> Result<(), StoreError> {
    let sent = &row.transaction;
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let wire = serde_json::to_string(sent)?;
    connection
        .prepare_cached(
            "INSERT INTO batch_rows (batch, row, part, own_id, line, policy_number, insured, state_code,
             transaction_type, premium, same_key, wire, kept, sha256, source, row_state)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, 'pending')",
        )?
        .execute(params![
            batch,
            number,
            part,
            sent.id,
            row.line,
            text(&sent.policy_number),
            text(&sent.mailing_insured_name),
            text(&sent.physical_state),
            text(&sent.transaction_type),
            signed_premium(sent).to_string(),
            row.key.as_ref().map(serde_json::to_string).transpose()?,
            wire,
            serde_json::to_string(&row.kept)?,
            wire_sha256(&wire, &row.documents),
            row.source,
        ])?;
    for (at, file) in (0i64..).zip(&row.documents) {
        let content = if file.place > 0 { &[] } else { file.content.as_slice() };
        connection.execute(
            "INSERT INTO batch_documents (batch, row, number, name, code, file_name, content, place, stored_name)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            params![batch, number, at, file.name, file.code, file.file_name, content, file.place, file.stored_name],
        )?;
    }
    Ok(())
}
