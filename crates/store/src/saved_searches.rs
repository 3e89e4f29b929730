//! The table `saved_searches`: searches under a name, of the profile they were made for.

use bordereau_api::SavedSearch;
use rusqlite::{Connection, params};

use crate::StoreError;

/// The step of the schema that made it.
pub(crate) const CREATE_SAVED_SEARCHES: &str = "
    CREATE TABLE saved_searches (
        profile TEXT NOT NULL,
        name TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (profile, name)
    ) STRICT;
";

/// All saved searches of a profile, by name.
pub fn list_searches(connection: &Connection, profile: &str) -> Result<Vec<SavedSearch>, StoreError> {
    let mut statement = connection
        .prepare_cached("SELECT body FROM saved_searches WHERE profile = ?1 ORDER BY name COLLATE NOCASE")?;
    let bodies = statement.query_map([profile], |row| row.get::<_, String>(0))?;
    bodies.map(|body| Ok(serde_json::from_str(&body?)?)).collect()
}

/// Saves a search under its name, in place of an earlier one of that name.
pub fn store_search(connection: &Connection, profile: &str, search: &SavedSearch) -> Result<(), StoreError> {
    connection.execute(
        "INSERT OR REPLACE INTO saved_searches VALUES (?1, ?2, ?3)",
        params![profile, search.name, serde_json::to_string(search)?],
    )?;
    Ok(())
}

/// Removes a saved search.
pub fn remove_search(connection: &Connection, profile: &str, name: &str) -> Result<(), StoreError> {
    connection.execute("DELETE FROM saved_searches WHERE profile = ?1 AND name = ?2", [profile, name])?;
    Ok(())
}
