//! Profiles as the person added them; never a secret.

use rusqlite::{Connection, OptionalExtension};

use super::{Store, StoreError};
use bordereau_api::Profile;

impl Store {
    /// All profiles in the order they were added.
    pub async fn profiles(&self) -> Result<Vec<Profile>, StoreError> {
        self.run(|connection| {
            let mut statement = connection.prepare_cached("SELECT body FROM profiles ORDER BY added, id")?;
            let bodies = statement.query_map([], |row| row.get::<_, String>(0))?;
            bodies.map(|body| Ok(serde_json::from_str(&body?)?)).collect()
        })
        .await
    }

    /// One profile.
    pub async fn profile(&self, id: &str) -> Result<Option<Profile>, StoreError> {
        let id = id.to_owned();
        self.run(move |connection| {
            let body: Option<String> = connection
                .query_row("SELECT body FROM profiles WHERE id = ?1", [&id], |row| row.get(0))
                .optional()?;
            body.map(|body| Ok(serde_json::from_str(&body)?)).transpose()
        })
        .await
    }

    /// Keeps a profile; one without an id gets one.
    pub async fn keep_profile(&self, mut profile: Profile) -> Result<Profile, StoreError> {
        self.run(move |connection| {
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
        })
        .await
    }

    /// Removes a profile.
    pub async fn remove_profile(&self, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.run(move |connection| match connection.execute("DELETE FROM profiles WHERE id = ?1", [&id])? {
            0 => Err(StoreError::Missing("profile")),
            _ => {
                connection.execute("DELETE FROM saved_searches WHERE profile = ?1", [&id])?;
                Ok(())
            }
        })
        .await
    }
}

/// 16 hexadecimal digits from SQLite's own generator.
pub fn fresh_id(connection: &Connection) -> Result<String, StoreError> {
    Ok(connection.query_row("SELECT lower(hex(randomblob(8)))", [], |row| row.get(0))?)
}
