//! Chunks of a file that is too long to be read at once: each is a review of its own, read and matched as the first one
//! was, and compared with what came before it through the store.

use std::sync::Arc;

use bordereau_api::{BoundaryError, ErrorCode, ReviewView};
use bordereau_session::Context;
use bordereau_spreadsheets::{FileChunk, Mapping, RowGrouping, TransactionKey};
use bordereau_store::StoreError;
use bordereau_store::import_runs::{ImportChunk, find_import_duplicates, record_import_chunk};

use super::changes::{DraftChange, change_and_view, slot_with_rows};
use super::draft::DraftState;
use super::load::{Input, start_review};
use super::session::ReviewSession;
use super::slots::{blocking, with_session};

/// Starts the review of a chunk with the mapping of the first one; empty for that itself.
///
/// # Errors
/// As of [`super::review_start`].
pub async fn start_chunk(
    ctx: &Context,
    name: String,
    chunk: FileChunk,
    mapping: &str,
) -> Result<ReviewView, BoundaryError> {
    let mapping: Option<Mapping> = match mapping {
        "" => None,
        text => Some(serde_json::from_str(text).map_err(StoreError::from)?),
    };
    let matched = mapping.is_some();
    let draft = DraftState { options: chunk.options, mapping, matched, ..DraftState::default() };
    let bytes = chunk.text.into_bytes();
    start_review(ctx, Input::Correction { name, bytes, draft: Box::new(draft) }).await
}

/// The mapping of the first chunk with everything that was detected in it: all others are read in the same way.
///
/// # Errors
/// [`ErrorCode::Validation`] where rows are grouped, which chunks could part.
pub async fn chunk_mapping(ctx: &Context, review: &str) -> Result<String, BoundaryError> {
    let mapping = read_session(ctx, review, |session| {
        let (values, mapping) = (session.review().values(), session.review().mapping().clone());
        Mapping {
            date_order: mapping.date_order.or(values.date_order.value),
            decimal_mark: Some(values.decimal_mark.value),
            ..mapping
        }
    })
    .await?;
    if mapping.grouping != RowGrouping::None {
        let message = "Several rows of this file make one transaction, and the file is too long to be read \
             at once: in chunks, a transaction could be split. Split it into files of at most \
             1,000,000 rows, or read each row as its own transaction.";
        return Err(BoundaryError::with_code(ErrorCode::Validation, message));
    }
    Ok(serde_json::to_string(&mapping).map_err(StoreError::from)?)
}

/// Finds transactions of a chunk that an earlier chunk of the run has, or that were sent before.
pub async fn find_chunk_duplicates(
    ctx: &Context,
    run: &str,
    chunk: u32,
    review: &str,
) -> Result<ReviewView, BoundaryError> {
    let found = find_import_duplicates(ctx.store(), run, chunk, chunk_keys(ctx, review).await?).await?;
    change_and_view(ctx, review, None, move |session| {
        if found.is_empty() {
            return Ok(DraftChange::Nothing);
        }
        session.check_context.sent = Arc::new(found);
        session.check_again();
        Ok(DraftChange::State)
    })
    .await
}

/// Records a chunk that was checked, before anything of it is sent.
pub async fn record_chunk(
    ctx: &Context,
    run: &str,
    chunk: u32,
    review: &str,
    report: String,
) -> Result<(), BoundaryError> {
    let keys = chunk_keys(ctx, review).await?;
    let chunk = ImportChunk { chunk, review: review.to_owned(), report, ..ImportChunk::default() };
    Ok(record_import_chunk(ctx.store(), run, chunk, keys).await?)
}

async fn chunk_keys(ctx: &Context, review: &str) -> Result<Vec<TransactionKey>, BoundaryError> {
    read_session(ctx, review, |session| session.review().transaction_keys()).await
}

async fn read_session<T: Send + 'static>(
    ctx: &Context,
    review: &str,
    work: impl FnOnce(&ReviewSession) -> T + Send + 'static,
) -> Result<T, BoundaryError> {
    let slot = slot_with_rows(ctx, review).await?;
    blocking(move || with_session(&slot, |session| Ok(work(session)))).await?
}
