//! Single values: settings, the draft, the active profile.

use bordereau_api::Conflict;
use bordereau_database::{Connection, OptionalRow};
use serde::Serialize;
use serde::de::DeserializeOwned;
use strum::IntoStaticStr;

use super::{Store, StoreError};

/// The step of the schema that made it.
pub(crate) const CREATE_VALUES: &str = include_str!("kept_values.sql");

/// Names of the single values.
#[derive(Clone, Copy, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ValueName {
    /// Settings of the application.
    Settings,
    /// The quote that is being typed.
    Draft,
    /// Id of the profile in use.
    ActiveProfile,
    /// Who charges the agency fee, as the practice profile remembers it.
    PracticeFeeChargedBy,
    /// How long data of the practice profile stays.
    PracticeRetention,
    /// The arrangement of the grid's columns; named after what was stored first.
    ColumnWidths,
    /// How events are received.
    Events,
    /// The template of the client's sheet.
    SheetTemplate,
    /// By profile: the day up to which notices about due dates were shown.
    DueNotices,
    /// When the data file was last checked from end to end.
    CheckedAt,
    /// The watched folder, and its files that aren't new.
    WatchedFolder,
    /// The key whose recovery key was saved: the start of its hash.
    RecoveryKeySaved,
    /// The host that each profile's secrets are for.
    SecretHosts,
    /// The database of the office that this computer works on.
    Office,
}

impl ValueName {
    /// Whether the whole office shares it; else each computer has its own.
    const fn is_shared(self) -> bool {
        matches!(self, ValueName::SheetTemplate)
    }
}

impl Store {
    /// The value, and when it was saved.
    pub async fn load_value<T: DeserializeOwned + Send + 'static>(
        &self,
        value: ValueName,
    ) -> Result<Option<(T, String)>, StoreError> {
        let find = move |connection: &mut Connection| find_value(connection, value);
        if value.is_shared() {
            self.with_connection(find).await
        } else {
            self.with_own_connection(find).await
        }
    }

    /// A value of this computer, read before anything else is opened.
    pub fn read_own_value<T: DeserializeOwned>(&self, value: ValueName) -> Result<Option<T>, StoreError> {
        Ok(find_value(&self.own.connection.lock(), value)?.map(|(value, _)| value))
    }

    /// Saves a value of this computer, replacing the earlier one.
    pub async fn save_value<T: Serialize>(
        &self,
        value: ValueName,
        content: &T,
        at: String,
    ) -> Result<(), StoreError> {
        let text = serde_json::to_string(content)?;
        self.with_own_connection(move |connection| write(connection, value, &text, &at)).await
    }
}

/// Changes a value that an office shares, in one transaction with what is there.
///
/// # Errors
/// [`StoreError::Conflict`] where `change` finds that someone else changed it: nothing is saved.
pub async fn change_shared_value<T: DeserializeOwned, U: Serialize>(
    store: &Store,
    value: ValueName,
    at: String,
    change: impl FnOnce(Option<T>) -> Result<U, Conflict> + Send + 'static,
) -> Result<(), StoreError> {
    let replace = move |connection: &mut Connection| {
        let transaction = connection.transaction()?;
        let changed = change(find_value(&transaction, value)?.map(|(value, _)| value))?;
        write(&transaction, value, &serde_json::to_string(&changed)?, &at)?;
        Ok(transaction.commit()?)
    };
    store.with_connection(replace).await
}

fn write(connection: &Connection, value: ValueName, text: &str, at: &str) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO kept_values (name, value, at) VALUES (?1, ?2, ?3)
         ON CONFLICT (name) DO UPDATE SET value = excluded.value, at = excluded.at",
        [value.into(), text, at],
    )?;
    Ok(())
}

/// The value, and when it was saved.
pub fn find_value<T: DeserializeOwned>(
    connection: &Connection,
    value: ValueName,
) -> Result<Option<(T, String)>, StoreError> {
    let found: Option<(String, String)> = connection
        .query_row("SELECT value, at FROM kept_values WHERE name = ?1", [<&str>::from(value)], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?;
    found.map(|(text, at)| Ok((serde_json::from_str(&text)?, at))).transpose()
}
