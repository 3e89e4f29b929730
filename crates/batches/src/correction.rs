//! Rows of a batch to be corrected, with the service's messages on them.

use std::collections::BTreeMap;

use bordereau_spreadsheets::{Field, Mapping, ReadOptions, SOURCE_COLUMN, transaction_cells};

use super::draft::DraftState;
use super::load::{Input, start_review};
use super::sent_before::correction_rows;
use bordereau_api::{BoundaryError, ReviewView, to_u32};
use bordereau_session::Context;
use bordereau_spreadsheets::csv_line;
use bordereau_store::batches::rows::BatchCorrection;

/// A review of the open rows of a batch, each with what the service said of it. Only rows that are changed are sent
/// again.
pub async fn review_of_batch(ctx: &Context, batch: &str) -> Result<ReviewView, BoundaryError> {
    let correction = correction_rows(ctx, batch).await?;
    let (mapping, rows) = as_table(&correction, &file_mapping(ctx, &correction).await);
    // Line 1 has the headers; the rows of the table are counted with it.
    let lines = std::iter::once(1).chain(correction.rows.iter().map(|row| row.line)).collect();
    let said = correction.rows.iter().enumerate().filter(|(_, row)| !row.messages.is_empty());
    let at = |row: usize| to_u32(row + 1);
    let draft = DraftState {
        batch: Some(correction.batch.clone()),
        is_unchanged: true,
        is_single: correction.is_single,
        lines,
        messages: said.map(|(row, said)| (at(row), said.messages.clone())).collect(),
        uploaded: correction
            .rows
            .iter()
            .enumerate()
            .map(|(row, sent)| (at(row), sent.uploaded.clone()))
            .collect(),
        ..DraftState::default()
    };
    let name = format!("Correction of {}", correction.name.trim_start_matches("Correction of "));
    start_own_table(ctx, name, (mapping, rows), draft).await
}

/// Starts the review of a table that was written here: nothing of it has to be detected or matched.
pub async fn start_own_table(
    ctx: &Context,
    name: String,
    (mapping, rows): (Mapping, Vec<Vec<String>>),
    draft: DraftState,
) -> Result<ReviewView, BoundaryError> {
    let mut text = csv_line(mapping.columns.iter().map(|column| column.header.as_str()));
    rows.iter().for_each(|row| text.push_str(&csv_line(row.iter().map(String::as_str))));
    let options = ReadOptions {
        encoding: Some("UTF-8".into()),
        delimiter: Some(','),
        header: Some(Some(0)),
        ..ReadOptions::default()
    };
    let draft = DraftState { options, mapping: Some(mapping), matched: true, ..draft };
    start_review(ctx, Input::Correction { name, bytes: text.into_bytes(), draft: Box::new(draft) }).await
}

/// How the columns of the file were matched; nothing of a transaction by hand, or where the draft is gone.
pub async fn file_mapping(ctx: &Context, correction: &BatchCorrection) -> Mapping {
    let Some(review) = correction.review.as_ref().filter(|_| !correction.is_single) else {
        return Mapping::default();
    };
    let body = ctx.store().load_review(review).await.map(|(kept, _)| kept.body).unwrap_or_default();
    serde_json::from_str::<DraftState>(&body).ok().and_then(|draft| draft.mapping).unwrap_or_default()
}

/// Transactions as a table: the file's columns under its own headings and in its order, then the other fields that
/// any of them has under their titles.
pub fn as_table(correction: &BatchCorrection, of_file: &Mapping) -> (Mapping, Vec<Vec<String>>) {
    let cells: Vec<BTreeMap<Field, String>> =
        correction.rows.iter().map(|row| transaction_cells(&row.transaction)).collect();
    let place = |field: Field| of_file.columns.iter().position(|column| column.field == Some(field));
    let is_used =
        |field: &&Field| place(**field).is_some() || cells.iter().any(|row| row.contains_key(field));
    let mut fields: Vec<Field> = Field::ALL.iter().filter(is_used).copied().collect();
    fields.sort_by_key(|field| place(*field).unwrap_or(usize::MAX));
    let row = |row: &BTreeMap<Field, String>| -> Vec<String> {
        fields.iter().map(|field| row.get(field).cloned().unwrap_or_default()).collect()
    };
    let mut rows: Vec<Vec<String>> = cells.iter().map(row).collect();
    let mut columns: Vec<(String, Option<Field>)> = Vec::new();
    for field in fields {
        let own = place(field).map_or(field.title(), |at| of_file.columns[at].header.as_str());
        let is_free = !own.is_empty() && columns.iter().all(|(header, _)| !header.eq_ignore_ascii_case(own));
        columns.push((if is_free { own } else { field.name() }.to_owned(), Some(field)));
    }
    if correction.rows.iter().any(|row| !row.source.is_empty()) {
        columns.push((SOURCE_COLUMN.to_owned(), None));
        rows.iter_mut().zip(&correction.rows).for_each(|(row, of)| row.push(of.source.clone()));
    }
    (Mapping::of_own_table(columns), rows)
}
