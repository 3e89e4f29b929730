//! The table `saved_searches`: named searches of a profile.

use bordereau_api::SavedSearch;
use bordereau_database::{Connection, params};
use serde_json::Value;

use crate::{StoreError, list_rows};

/// The step of the schema that made it.
pub(crate) const CREATE_SAVED_SEARCHES: &str = include_str!("saved_searches.sql");

/// All saved searches of a profile, by name.
pub fn list_searches(connection: &Connection, profile: &str) -> Result<Vec<SavedSearch>, StoreError> {
    let sql = "SELECT body FROM saved_searches WHERE profile = ?1 ORDER BY lower(name), name";
    let bodies: Vec<String> = list_rows(connection, sql, [profile], |row| row.get(0))?;
    bodies.iter().map(|body| read_search(body)).collect()
}

/// A saved search; an earlier version saved statuses as numbers.
fn read_search(body: &str) -> Result<SavedSearch, StoreError> {
    let mut value: Value = serde_json::from_str(body)?;
    if let Some(Value::Array(statuses)) = value.pointer_mut("/search/filter/statuses") {
        statuses
            .iter_mut()
            .filter(|status| status.is_number())
            .for_each(|number| *number = number.to_string().into());
    }
    Ok(serde_json::from_value(value)?)
}

/// Saves a search, replacing one of the same name.
pub fn store_search(connection: &Connection, profile: &str, search: &SavedSearch) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO saved_searches (profile, name, body) VALUES (?1, ?2, ?3)
         ON CONFLICT (profile, name) DO UPDATE SET body = excluded.body",
        params![profile, search.name, serde_json::to_string(search)?],
    )?;
    Ok(())
}

/// Removes a saved search.
pub fn remove_search(connection: &Connection, profile: &str, name: &str) -> Result<(), StoreError> {
    connection.execute("DELETE FROM saved_searches WHERE profile = ?1 AND name = ?2", [profile, name])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_saved_as_numbers_are_read_as_words() {
        let search = SavedSearch {
            name: "Filed".into(),
            ..read_search(r#"{"name":"","search":{},"columns":[]}"#).unwrap()
        };
        let body = serde_json::to_string(&search)
            .unwrap()
            .replace(r#""statuses":[]"#, r#""statuses":[4,"Complete"]"#);
        assert_eq!(read_search(&body).unwrap().search.filter.statuses, ["4", "Complete"]);
    }
}
