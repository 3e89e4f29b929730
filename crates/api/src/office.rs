//! The database of an office.

use serde::{Deserialize, Serialize};
use strum::{EnumIter, IntoStaticStr};
use ts_rs::TS;

/// Whom this computer trusts to be the database of its office.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum OfficeTrustKind {
    /// Whom the system trusts.
    #[default]
    System,
    /// One authority alone.
    Authority,
    /// No one: the database is on this computer, and nothing is encrypted on the way.
    ThisComputer,
}

/// What proves who signs in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum OfficeSignIn {
    /// A password, in the keychain.
    #[default]
    Password,
    /// A password in a file, for servers.
    PasswordFile,
    /// A certificate, with its key in a file.
    Certificate,
    /// Nothing: the server knows by the account on this computer.
    Nothing,
}

/// The database of an office, as this computer keeps it; never a secret.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OfficeSettings {
    /// Its host; several after commas, of which the one that can be written is used.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// Name of the database.
    pub database: String,
    /// Name of the workspace in it.
    pub workspace: String,
    /// The person's name there.
    pub user: String,
    /// What proves who they are.
    pub sign_in: OfficeSignIn,
    /// Whom this computer trusts.
    pub trust: OfficeTrustKind,
    /// The authority that is trusted, PEM.
    pub authority: String,
    /// The certificate that proves who signs in, PEM.
    pub certificate: String,
    /// Where the key of the certificate is, or the password.
    pub secret_file: String,
}

/// The database of an office to be tried or used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OfficeRequest {
    /// Where it is; files are taken from the handles below.
    pub settings: OfficeSettings,
    /// The password; empty for the one that is kept.
    pub password: String,
    /// Handle of the authority's file; empty for the one that is kept.
    pub authority_file: String,
    /// Handle of the certificate's file; empty for the one that is kept.
    pub certificate_file: String,
    /// Handle of the file with the certificate's key; empty for the one that is kept.
    pub key_file: String,
}

/// Where the data is that this computer works on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OfficeView {
    /// The database of the office; none for this computer's own data.
    pub office: Option<OfficeSettings>,
    /// Whether it takes effect when Bordereau is started again.
    pub restart: bool,
    /// Why this office couldn't be used when Bordereau was started, in a sentence: until it can, nothing else is shown.
    pub trouble: String,
    /// The role there; empty while this computer's own data is in use.
    pub role: String,
    /// Batches, drafts and saved quotes among this computer's own data.
    pub own_work: u32,
    /// Where larger files of the office are, in a sentence; empty while this computer's own data is in use.
    pub files: String,
    /// Whether each computer needs a key for them.
    pub files_need_key: bool,
}

/// This computer's key for the file storage of its office.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OfficeFilesKey {
    /// The access key ID, a colon, and the secret access key.
    pub key: String,
}

/// What of a data folder was copied into a workspace, or of a workspace into a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OfficeCopy {
    /// Tables that were copied and found equal.
    pub tables: u32,
    /// Rows that were not there yet.
    pub rows: u32,
    /// Rows that were there already, from an earlier copy or of the same thing.
    pub present: u32,
    /// Those of them that are different there, and stay so.
    pub different: u32,
    /// Entries of the audit log that were not there yet.
    pub log_entries: u32,
    /// What is called otherwise there, since its name was taken.
    pub renamed: Vec<CopiedName>,
}

/// A name that was taken where something was copied to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CopiedName {
    /// `profile`, `mapping` or `search`.
    pub kind: String,
    /// Its name where it comes from.
    pub name: String,
    /// Its name there.
    pub new_name: String,
}

/// What a database of an office answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OfficeTest {
    /// Who the database says is signed in.
    pub user: String,
    /// The highest of the workspace's roles that they have.
    pub role: String,
    /// Version of the server.
    pub server: String,
    /// Batches in the workspace.
    #[ts(type = "number")]
    pub batches: i64,
}

/// What of an office's workspace others may have changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, EnumIter, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum OfficeRoom {
    /// Batches, their parts and rows.
    Batches,
    /// Uploads of documents.
    Documents,
    /// Files in review.
    Drafts,
    /// Saved mappings.
    Mappings,
    Events,
    /// Saved quotes.
    Quotes,
    Profiles,
    /// What was done about due dates.
    DueDates,
    /// Saved searches.
    Searches,
    AuditLog,
    /// Who does what.
    Assignments,
}

/// Ask what others changed; answered when they did, at the latest after the time given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OfficeNewsRequest {
    /// `turn` of the last answer, 0 at first.
    pub known: u32,
    /// Milliseconds to wait; at most 25,000.
    pub wait_ms: u32,
}

/// What others changed in the office.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OfficeNews {
    /// Grows with each change; null while this computer's own data is in use.
    pub turn: Option<u32>,
    /// What changed since the turn that was known.
    pub changed: Vec<OfficeRoom>,
}
