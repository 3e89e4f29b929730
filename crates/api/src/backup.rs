//! Backups of the data folder, checks of it, and everything in it as open files.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BackupView {
    pub name: String,
    /// When it was made; RFC 3339, UTC.
    pub made_at: String,
    /// Its size.
    pub bytes: u64,
    /// Whether it is sealed with a key from the keychain.
    pub sealed: bool,
}

/// Whether a data folder is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FolderEncryption {
    Off,
    On,
    /// From the next start on at which nothing else has the folder open.
    BeginsNext,
    /// Until then.
    EndsNext,
}

/// What keeps the data safe, and what endangers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DataSafety {
    /// Newest first.
    pub backups: Vec<BackupView>,
    /// Whether backups are sealed, in a sentence.
    pub sealing: String,
    pub encryption: FolderEncryption,
    /// Whether the data folder is encrypted, in a sentence.
    pub encryption_text: String,
    /// Whether a keychain keeps the key that backups are sealed with.
    pub has_keychain: bool,
    /// When the recovery key was saved; empty where it was not.
    pub recovery_key_saved_at: String,
    /// When the data file was last checked from end to end; empty where it was not yet.
    pub checked_at: String,
    /// The data file is damaged: what to do, in a sentence. Empty where it is sound.
    pub damage: String,
    /// The data folder cannot be written: why, in a sentence. Empty where it can.
    pub obstacle: String,
    /// Who else on this computer can open the data folder, in a sentence; empty where nobody can.
    pub exposure: String,
    /// Since when it is known that this data folder is a copy, or was restored; empty where it is not.
    pub copied_at: String,
    /// A backup is restored when Bordereau is closed and opened again.
    pub staged: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BackupName {
    pub name: String,
}

/// The recovery key of a backup; empty for the key in the keychain.
#[derive(Clone, PartialEq, Eq, Deserialize, TS)]
pub struct RecoveryKey {
    /// The key: goes in, never comes out.
    pub key: String,
}

/// A backup that was checked from end to end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CheckedBackup {
    pub name: String,
    pub batches: u32,
    pub rows: u32,
    /// Documents in it that wait to be uploaded.
    pub documents: u32,
}

/// Everything as open files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DataExport {
    /// Whether it was written; the person may have canceled.
    pub saved: bool,
    pub folder_name: String,
    /// Tables, each as CSV and JSON.
    pub tables: u32,
    pub rows: u64,
    /// Documents, each as a file.
    pub documents: u32,
}
