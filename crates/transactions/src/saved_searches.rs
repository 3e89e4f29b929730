//! Searches under a name, of the profile they were made for.

use crate::search::search_key;
use bordereau_api::*;
use bordereau_session::Context;
use bordereau_session::profile::active_profile;
use bordereau_store::saved_searches::{list_searches, remove_search, store_search};

/// Characters of a name, and searches of a profile \[ours].
const NAME_MAX: usize = 80;
const SEARCHES_MAX: usize = 200;

/// All saved searches of the profile in use, by name.
pub async fn searches_list(ctx: &Context, _request: Nothing) -> Result<SavedSearches, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let searches = ctx.store().with_connection(move |db| list_searches(db, &profile.id)).await?;
    Ok(SavedSearches { searches })
}

/// Saves a search under its name, in place of an earlier one of that name.
///
/// # Errors
/// [`ErrorCode::Validation`] where the name is missing or too long; [`ErrorCode::Storage`].
pub async fn search_save(ctx: &Context, request: SavedSearch) -> Result<SavedSearches, BoundaryError> {
    let mut request = request;
    request.name = request.name.split_whitespace().collect::<Vec<_>>().join(" ");
    if request.name.is_empty() || request.name.chars().count() > NAME_MAX {
        let message = format!("Give the search a name of at most {NAME_MAX} characters.");
        return Err(BoundaryError::invalid_field("/name", message));
    }
    search_key(ctx, &request.search)?;
    super::columns::choose_columns(&request.columns)?;
    let others = searches_list(ctx, Nothing {}).await?.searches;
    if others.len() >= SEARCHES_MAX && !others.iter().any(|other| other.name == request.name) {
        let message = format!("There are {SEARCHES_MAX} saved searches. Remove one first.");
        return Err(BoundaryError::with_code(ErrorCode::Validation, message));
    }
    (request.search.from, request.search.count) = (0, 0);
    let profile = active_profile(ctx).await?.id;
    ctx.store().with_connection(move |db| store_search(db, &profile, &request)).await?;
    searches_list(ctx, Nothing {}).await
}

/// Removes a saved search.
pub async fn search_remove(ctx: &Context, request: SearchName) -> Result<SavedSearches, BoundaryError> {
    let profile = active_profile(ctx).await?.id;
    ctx.store().with_connection(move |db| remove_search(db, &profile, &request.name)).await?;
    searches_list(ctx, Nothing {}).await
}
