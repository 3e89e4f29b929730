//! The workspace of an office, from the command line: made, looked at, checked, and a desk's data copied in and back.

use std::path::PathBuf;
use std::sync::Arc;

use bordereau_api::BoundaryError;
use bordereau_store::StoreError;
use bordereau_store::workspace;
pub use bordereau_store::workspace::{
    CopiedTables, OfficeDatabase, OfficeProof, OfficeTrust, WorkspaceStatus,
};

use crate::Context;
use crate::data_key::find_folder_key;
use crate::secrets::{AsyncSecrets, SecretStore};

/// Makes the workspace and its roles, or brings an older one to this version.
pub async fn create_workspace(database: OfficeDatabase) -> Result<(), BoundaryError> {
    off_thread(move || workspace::create_workspace(&database)).await
}

/// Who is signed in, and what is in the workspace.
pub async fn workspace_status(database: OfficeDatabase) -> Result<WorkspaceStatus, BoundaryError> {
    off_thread(move || workspace::workspace_status(&database)).await
}

/// Checks the audit log; how many entries it has.
///
/// # Errors
/// [`bordereau_api::ErrorCode::StoreDamaged`] where an entry was changed, removed or put in between.
pub async fn check_workspace(database: OfficeDatabase) -> Result<usize, BoundaryError> {
    off_thread(move || workspace::check_workspace(&database)).await
}

/// Copies everything of this data folder into an empty workspace. The folder stays as it is.
pub async fn copy_to_office(ctx: &Context, database: OfficeDatabase) -> Result<CopiedTables, BoundaryError> {
    let store = ctx.store().clone();
    off_thread(move || workspace::copy_to_office(store.folder(), store.data_key(), &database)).await
}

/// Copies everything of a workspace into a new data folder, encrypted as a new one is. The workspace stays as it is.
pub async fn copy_from_office(
    database: OfficeDatabase,
    folder: PathBuf,
    secrets: Arc<dyn SecretStore>,
) -> Result<CopiedTables, BoundaryError> {
    let key = find_folder_key(&folder, &AsyncSecrets::new(secrets))?;
    off_thread(move || workspace::copy_from_office(&database, &folder, key)).await
}

async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, BoundaryError> {
    let done = tokio::task::spawn_blocking(work).await;
    Ok(done.map_err(|_| StoreError::Interrupted)??)
}
