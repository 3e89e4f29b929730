//! Searches under a name, of the profile they were made for.

use rusqlite::params;

use crate::search::asked;
use bordereau_api::*;
use bordereau_session::Context;
use bordereau_session::profile::active_profile;

/// Characters of a name, and searches of a profile [ours].
const NAME_MAX: usize = 80;
const SEARCHES_MAX: usize = 200;

/// All saved searches of the profile in use, by name.
///
/// # Errors
/// [`ErrorCode::Storage`].
pub async fn searches_list(ctx: &Context, _request: Nothing) -> Result<SavedSearches, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let list = move |db: &mut rusqlite::Connection| {
        let mut statement = db.prepare_cached(
            "SELECT body FROM saved_searches WHERE profile = ?1 ORDER BY name COLLATE NOCASE",
        )?;
        let mut rows = statement.query([&profile.id])?;
        let mut searches = Vec::new();
        while let Some(row) = rows.next()? {
            searches.push(serde_json::from_str(row.get_ref(0)?.as_str().unwrap_or_default())?);
        }
        Ok(SavedSearches { searches })
    };
    Ok(ctx.store().run(list).await?)
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
        return Err(BoundaryError::fields(vec![FieldError::at("/name", message)]));
    }
    asked(ctx, &request.search)?;
    super::columns::chosen(&request.columns)?;
    let others = searches_list(ctx, Nothing {}).await?.searches;
    if others.len() >= SEARCHES_MAX && !others.iter().any(|other| other.name == request.name) {
        let message = format!("There are {SEARCHES_MAX} saved searches. Remove one first.");
        return Err(BoundaryError::of(ErrorCode::Validation, message));
    }
    (request.search.from, request.search.count) = (0, 0);
    let (profile, body) = (active_profile(ctx).await?.id, serde_json::to_string(&request));
    let body = body.map_err(|_| BoundaryError::internal("keeping a search"))?;
    let keep = move |db: &mut rusqlite::Connection| {
        db.execute(
            "INSERT OR REPLACE INTO saved_searches VALUES (?1, ?2, ?3)",
            params![profile, request.name, body],
        )?;
        Ok(())
    };
    ctx.store().run(keep).await?;
    searches_list(ctx, Nothing {}).await
}

/// Removes a saved search.
///
/// # Errors
/// [`ErrorCode::Storage`].
pub async fn search_remove(ctx: &Context, request: SearchName) -> Result<SavedSearches, BoundaryError> {
    let profile = active_profile(ctx).await?.id;
    let remove = move |db: &mut rusqlite::Connection| {
        db.execute(
            "DELETE FROM saved_searches WHERE profile = ?1 AND name = ?2",
            params![profile, request.name],
        )?;
        Ok(())
    };
    ctx.store().run(remove).await?;
    searches_list(ctx, Nothing {}).await
}
