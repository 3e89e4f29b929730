//! Searches under a name, of the profile they were made for.

use rusqlite::params;

use crate::Desk;
use crate::api::*;

/// Characters of a name, and searches of a profile [ours].
const NAME_MAX: usize = 80;
const SEARCHES_MAX: usize = 200;

impl Desk {
    /// All saved searches of the profile in use, by name.
    ///
    /// # Errors
    /// [`ErrorCode::Storage`].
    pub async fn searches_list(&self, _request: Nothing) -> Result<SavedSearches, BoundaryError> {
        let profile = self.active_profile().await?;
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
        Ok(self.inner.store.run(list).await?)
    }

    /// Saves a search under its name, in place of an earlier one of that name.
    ///
    /// # Errors
    /// [`ErrorCode::Validation`] where the name is missing or too long; [`ErrorCode::Storage`].
    pub async fn search_save(&self, request: SavedSearch) -> Result<SavedSearches, BoundaryError> {
        let mut request = request;
        request.name = request.name.split_whitespace().collect::<Vec<_>>().join(" ");
        if request.name.is_empty() || request.name.chars().count() > NAME_MAX {
            let message = format!("Give the search a name of at most {NAME_MAX} characters.");
            return Err(BoundaryError::fields(vec![FieldError::at("/name", message)]));
        }
        self.asked(&request.search)?;
        super::columns::chosen(&request.columns)?;
        let others = self.searches_list(Nothing {}).await?.searches;
        if others.len() >= SEARCHES_MAX && !others.iter().any(|other| other.name == request.name) {
            let message = format!("There are {SEARCHES_MAX} saved searches. Remove one first.");
            return Err(BoundaryError::of(ErrorCode::Validation, message));
        }
        (request.search.from, request.search.count) = (0, 0);
        let (profile, body) = (self.active_profile().await?.id, serde_json::to_string(&request));
        let body = body.map_err(|_| BoundaryError::internal("keeping a search"))?;
        let keep = move |db: &mut rusqlite::Connection| {
            db.execute(
                "INSERT OR REPLACE INTO saved_searches VALUES (?1, ?2, ?3)",
                params![profile, request.name, body],
            )?;
            Ok(())
        };
        self.inner.store.run(keep).await?;
        self.searches_list(Nothing {}).await
    }

    /// Removes a saved search.
    ///
    /// # Errors
    /// [`ErrorCode::Storage`].
    pub async fn search_remove(&self, request: SearchName) -> Result<SavedSearches, BoundaryError> {
        let profile = self.active_profile().await?.id;
        let remove = move |db: &mut rusqlite::Connection| {
            db.execute(
                "DELETE FROM saved_searches WHERE profile = ?1 AND name = ?2",
                params![profile, request.name],
            )?;
            Ok(())
        };
        self.inner.store.run(remove).await?;
        self.searches_list(Nothing {}).await
    }
}
