//! Runs over a file that is sent in chunks: if a run was stopped, the next one with the same file continues.

use bordereau_api::BoundaryError;
use bordereau_session::Context;
use bordereau_session::profile::active_profile;
use bordereau_store::import_runs::{self, ImportChunk, ImportRun};

/// Unfinished runs of the profile in use that send.
pub async fn unfinished_runs(ctx: &Context) -> Result<Vec<ImportRun>, BoundaryError> {
    let profile = active_profile(ctx).await?.id;
    Ok(import_runs::unfinished_imports(ctx.store(), &profile).await?)
}

/// Starts a run with the profile in use and returns its id.
pub async fn begin_run(ctx: &Context, run: ImportRun) -> Result<String, BoundaryError> {
    let run = ImportRun { profile: active_profile(ctx).await?.id, at: ctx.now_text(), ..run };
    Ok(import_runs::begin_import(ctx.store(), run).await?)
}

/// Stores the mapping from the first chunk.
pub async fn keep_run_mapping(ctx: &Context, run: &str, mapping: String) -> Result<(), BoundaryError> {
    Ok(import_runs::keep_import_mapping(ctx.store(), run, mapping).await?)
}

/// The checked chunks, each with its batch.
pub async fn run_chunks(ctx: &Context, run: &str) -> Result<Vec<ImportChunk>, BoundaryError> {
    Ok(import_runs::import_chunks(ctx.store(), run).await?)
}

/// Marks a chunk as done: everything that can be sent was sent, and its draft is dealt with.
pub async fn finish_chunk(ctx: &Context, run: &str, chunk: u32) -> Result<(), BoundaryError> {
    Ok(import_runs::finish_import_chunk(ctx.store(), run, chunk).await?)
}

/// Removes a chunk of which nothing was sent, so that it is checked again.
pub async fn forget_chunk(ctx: &Context, run: &str, chunk: u32) -> Result<(), BoundaryError> {
    Ok(import_runs::forget_import_chunk(ctx.store(), run, chunk).await?)
}

/// Removes a run; what it sent stays.
pub async fn remove_run(ctx: &Context, run: &str) -> Result<(), BoundaryError> {
    Ok(import_runs::remove_import(ctx.store(), run).await?)
}
