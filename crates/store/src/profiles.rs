//! The table `profiles`: profiles as they were added; never a secret.

use bordereau_api::Profile;
use bordereau_database::{Connection, OptionalRow};

use crate::StoreError;

/// The step of the schema that made it.
pub(crate) const CREATE_PROFILES: &str = include_str!("profiles.sql");

/// The step that added the files of an office's profiles.
pub(crate) const CREATE_PROFILE_FILES: &str = include_str!("profile_files.sql");

/// Stores a file of a profile for the other desks of the office.
pub fn store_profile_file(connection: &Connection, name: &str, content: &str) -> Result<(), StoreError> {
    let sql = "INSERT INTO profile_files (name, content) VALUES (?1, ?2) ON CONFLICT (name) DO NOTHING";
    connection.execute(sql, [name, content])?;
    Ok(())
}

/// A file of a profile that a desk of the office stored.
pub fn load_profile_file(connection: &Connection, name: &str) -> Result<Option<String>, StoreError> {
    let sql = "SELECT content FROM profile_files WHERE name = ?1";
    Ok(connection.query_row(sql, [name], |row| row.get(0)).optional()?)
}

/// All profiles in the order they were added.
pub fn list_profiles(connection: &Connection) -> Result<Vec<Profile>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT body FROM profiles ORDER BY added, id")?;
    let bodies = statement.query_map([], |row| row.get::<String>(0))?;
    bodies.map(|body| Ok(serde_json::from_str(&body?)?)).collect()
}

/// One profile.
pub fn find_profile(connection: &Connection, id: &str) -> Result<Option<Profile>, StoreError> {
    let sql = "SELECT body FROM profiles WHERE id = ?1";
    let body: Option<String> = connection.query_row(sql, [id], |row| row.get(0)).optional()?;
    body.map(|body| Ok(serde_json::from_str(&body)?)).transpose()
}

/// Stores a profile; one without an id gets one.
pub fn store_profile(connection: &Connection, mut profile: Profile) -> Result<Profile, StoreError> {
    if profile.id.is_empty() {
        profile.id = fresh_id(connection)?;
    }
    connection.execute(
        "INSERT INTO profiles (id, body, added)
         VALUES (?1, ?2, (SELECT coalesce(max(added), 0) + 1 FROM profiles))
         ON CONFLICT (id) DO UPDATE SET body = excluded.body",
        [&profile.id, &serde_json::to_string(&profile)?],
    )?;
    Ok(profile)
}

/// Removes a profile with its saved searches.
pub fn remove_profile(connection: &Connection, id: &str) -> Result<(), StoreError> {
    if connection.execute("DELETE FROM profiles WHERE id = ?1", [id])? == 0 {
        return Err(StoreError::Missing("profile"));
    }
    crate::unread_answers::clear_unread(connection, id)?;
    connection.execute("DELETE FROM saved_searches WHERE profile = ?1", [id])?;
    Ok(())
}

/// 16 hexadecimal digits from the engine's own generator.
pub fn fresh_id(connection: &Connection) -> Result<String, StoreError> {
    let sql = if connection.is_office() { "SELECT fresh_id()" } else { "SELECT lower(hex(randomblob(8)))" };
    Ok(connection.query_row(sql, [], |row| row.get(0))?)
}
