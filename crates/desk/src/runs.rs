//! Runs over a file that is sent in chunks: where a run was stopped, the next one with the same file goes on.

use bordereau_api::BoundaryError;
use bordereau_session::Context;
use bordereau_session::profile::active_profile;
use bordereau_store::import_runs::{self, ImportChunk, ImportRun};

/// Runs of the profile in use that send and have not come to their end.
pub async fn unfinished_runs(ctx: &Context) -> Result<Vec<ImportRun>, BoundaryError> {
    let profile = active_profile(ctx).await?.id;
    Ok(import_runs::unfinished_imports(ctx.store(), &profile).await?)
}

/// Begins a run with the profile in use and gives its id.
pub async fn begin_run(ctx: &Context, run: ImportRun) -> Result<String, BoundaryError> {
    let run = ImportRun { profile: active_profile(ctx).await?.id, at: ctx.now_text(), ..run };
    Ok(import_runs::begin_import(ctx.store(), run).await?)
}

/// Keeps the mapping that the first chunk was read with.
pub async fn keep_run_mapping(ctx: &Context, run: &str, mapping: String) -> Result<(), BoundaryError> {
    Ok(import_runs::keep_import_mapping(ctx.store(), run, mapping).await?)
}

/// The chunks that were checked, each with the batch that was made of it.
pub async fn run_chunks(ctx: &Context, run: &str) -> Result<Vec<ImportChunk>, BoundaryError> {
    Ok(import_runs::import_chunks(ctx.store(), run).await?)
}

/// A chunk was sent as far as it can be, and its draft is settled.
pub async fn finish_chunk(ctx: &Context, run: &str, chunk: u32) -> Result<(), BoundaryError> {
    Ok(import_runs::finish_import_chunk(ctx.store(), run, chunk).await?)
}

/// Forgets a chunk of which nothing was sent: it is checked again.
pub async fn forget_chunk(ctx: &Context, run: &str, chunk: u32) -> Result<(), BoundaryError> {
    Ok(import_runs::forget_import_chunk(ctx.store(), run, chunk).await?)
}

/// Forgets a run; what was sent of it stays.
pub async fn remove_run(ctx: &Context, run: &str) -> Result<(), BoundaryError> {
    Ok(import_runs::remove_import(ctx.store(), run).await?)
}
