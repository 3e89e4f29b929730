//! Settings of the application, and its status line.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Environment;

/// Appearance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// As the system says.
    #[default]
    System,
    Light,
    Dark,
    /// High contrast.
    Contrast,
}

/// Days before a due date on which the desktop can show a notice; 0 is the day itself.
pub const DUE_NOTICE_DAYS: [u32; 4] = [30, 15, 3, 0];

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Settings {
    /// Appearance.
    pub theme: Theme,
    /// Percent: 80 to 200.
    pub zoom: u32,
    /// Name of the agency, printed on quotes.
    pub agency: String,
    /// Its address, lines.
    pub agency_address: String,
    pub agency_license: String,
    /// Its logo, a PNG or JPEG in Base64; empty for none.
    pub agency_logo: String,
    /// Name of the client's sheet's template that was chosen last; empty for the standard one.
    pub sheet_template: String,
    /// Columns of the table of transactions by name; empty for the usual ones.
    pub transaction_columns: Vec<String>,
    /// The view that the window opens with, by its name in the window; empty for Today.
    pub first_view: String,
    /// The first steps aren't shown anymore.
    pub first_steps_hidden: bool,
    /// How many days before a due date the desktop shows a notice, of those of `DUE_NOTICE_DAYS`.
    pub due_notice_days: Vec<u32>,
    /// Where the newest rules pack is, an `https://` address; empty for none.
    pub rules_address: String,
    /// Where the list of versions of the application is, an `https://` address; empty for none.
    pub updates_address: String,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            theme: Theme::System,
            zoom: 100,
            agency: String::new(),
            agency_address: String::new(),
            agency_license: String::new(),
            agency_logo: String::new(),
            sheet_template: String::new(),
            transaction_columns: Vec::new(),
            first_view: String::new(),
            first_steps_hidden: false,
            due_notice_days: DUE_NOTICE_DAYS.to_vec(),
            rules_address: String::new(),
            updates_address: String::new(),
        }
    }
}

/// What the status line shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Status {
    /// Name of the active profile.
    pub profile: String,
    pub environment: Environment,
    /// `ready`, `offline`, `starting`, `needs_credentials`.
    pub service: ServiceState,
    /// The service refused the key, the sign-in or the account when something was last sent.
    pub is_refused: bool,
    /// Milliseconds of the last answer, or null.
    pub last_ms: Option<u32>,
    /// Requests made in the current minute.
    pub used_this_minute: u32,
    /// Most requests a minute.
    pub limit_per_minute: u32,
}

/// State of the service as last seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ServiceState {
    /// The service answers.
    Ready,
    /// Does not answer.
    Offline,
    /// Being started.
    Starting,
    /// A key or a sign-in is missing.
    NeedsCredentials,
}

/// Ask for a file with the open dialog (own lines, Kentucky rates, CA).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChooseFile {
    /// The purpose, which decides title and filter.
    pub purpose: FilePurpose,
}

/// The purpose for which a file is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FilePurpose {
    /// Lines of business, CSV.
    Lines,
    /// Kentucky local rates, CSV.
    KentuckyRates,
    /// CA certificate, PEM.
    CaFile,
    /// Certificate that signs in to an office database, PEM.
    OfficeCertificate,
    /// Its key, PEM.
    OfficeKey,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChosenFile {
    /// Its handle; empty when the person canceled.
    pub handle: String,
    /// Its name, without its folder.
    pub name: String,
}

/// Open an address of a source in the system's browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OpenAddress {
    /// `https://` only; must be one of the sources the rules name.
    pub url: String,
}
