//! Saved mappings as a person manages them: copied, renamed, removed, saved as a file, put back to what they were.

use bordereau_api::{
    BoundaryError, ErrorCode, FileOutcome, MappingAdd, MappingAdded, MappingCopy, MappingName,
    MappingRestore, MappingVersion, MappingVersions, Nothing,
};
use bordereau_session::Context;
use bordereau_session::dropped_files::dropped_path;
use bordereau_session::grid_layout::copy_layout;
use bordereau_spreadsheets::{Mapping, mapping_changes};
use bordereau_store::MappingRevision;

use super::changes::LABEL_MAX;
use super::mapping::{filter, read_mapping, save_mapping_file, unreadable_mapping};

/// Copies a mapping, or gives it another name.
///
/// # Errors
/// [`ErrorCode::Validation`] for a name that is empty, too long or another mapping's; [`ErrorCode::NotFound`].
pub async fn mapping_copy(ctx: &Context, request: MappingCopy) -> Result<Nothing, BoundaryError> {
    let to = request.to.trim();
    let refuse = |words: &str| Err(BoundaryError::with_code(ErrorCode::Validation, words));
    if to.is_empty() || to.chars().count() > LABEL_MAX {
        return refuse("Type a name of at most 80 characters.");
    }
    if ctx.store().mapping_names().await?.iter().any(|name| name == to) {
        return refuse("Another mapping has this name. Type another one.");
    }
    let mapping = load(ctx, &request.name).await?;
    let copy = Mapping { name: to.to_owned(), ..mapping };
    ctx.store().save_mapping(to, "", copy.to_file(), ctx.now_text()).await?;
    copy_layout(ctx, &request.name, Some(to), request.moves).await?;
    if request.moves {
        ctx.store().move_mapping_versions(&request.name, to).await?;
        ctx.store().remove_mapping(&request.name).await?;
    }
    Ok(Nothing {})
}

/// Removes a saved mapping. Drafts and batches that were made with it stay as they are.
///
/// # Errors
/// [`ErrorCode::NotFound`].
pub async fn mapping_remove(ctx: &Context, request: MappingName) -> Result<Nothing, BoundaryError> {
    ctx.store().remove_mapping(&request.name).await?;
    copy_layout(ctx, &request.name, None, true).await?;
    Ok(Nothing {})
}

/// Saves a saved mapping as a file for others, and for `bordereau import --mapping FILE`.
///
/// # Errors
/// [`ErrorCode::NotFound`].
pub async fn mapping_export(ctx: &Context, request: MappingName) -> Result<FileOutcome, BoundaryError> {
    let mapping = load(ctx, &request.name).await?;
    save_mapping_file(ctx, &request.name, &mapping).await
}

/// Saves the mapping of a file; one of the same name becomes an earlier version.
///
/// # Errors
/// [`ErrorCode::Validation`] when it is no mapping; [`ErrorCode::Storage`].
pub async fn mapping_add(ctx: &Context, request: MappingAdd) -> Result<MappingAdded, BoundaryError> {
    let path = match request.handle.as_str() {
        "" => ctx.ports().dialogs.open("Choose a mapping file".into(), filter()).await,
        handle => Some(dropped_path(ctx, handle)?),
    };
    let Some(path) = path else { return Ok(MappingAdded::default()) };
    let mapping = read_mapping(&path).await?;
    let replaces = ctx.store().mapping_names().await?.contains(&mapping.name);
    if !request.preview {
        ctx.store().save_mapping(&mapping.name, "", mapping.to_file(), ctx.now_text()).await?;
    }
    Ok(MappingAdded { name: mapping.name, replaces })
}

/// What a saved mapping was before it was saved again, and what restoring that would change.
///
/// # Errors
/// [`ErrorCode::NotFound`].
pub async fn mapping_versions(ctx: &Context, request: MappingName) -> Result<MappingVersions, BoundaryError> {
    let now = load(ctx, &request.name).await?;
    let stored = ctx.store().mapping_versions(&request.name).await?;
    // One that a newer program wrote is not offered.
    let version = |revision: MappingRevision| {
        let mapping = Mapping::from_file(&revision.body).ok()?;
        Some(MappingVersion {
            number: revision.number,
            replaced_at: revision.at,
            changes: mapping_changes(&now, &mapping),
        })
    };
    Ok(MappingVersions { versions: stored.into_iter().filter_map(version).collect() })
}

/// Puts an earlier version into the place of a mapping, which becomes a version itself.
///
/// # Errors
/// [`ErrorCode::NotFound`].
pub async fn mapping_restore(ctx: &Context, request: MappingRestore) -> Result<Nothing, BoundaryError> {
    load(ctx, &request.name).await?;
    let text = ctx.store().load_mapping_version(&request.name, request.number).await?;
    let mapping = Mapping::from_file(&text).map_err(unreadable_mapping)?;
    let restored = Mapping { name: request.name.clone(), ..mapping };
    ctx.store().save_mapping(&request.name, "", restored.to_file(), ctx.now_text()).await?;
    Ok(Nothing {})
}

async fn load(ctx: &Context, name: &str) -> Result<Mapping, BoundaryError> {
    let text = ctx.store().load_mapping(name).await?;
    Mapping::from_file(&text).map_err(unreadable_mapping)
}
