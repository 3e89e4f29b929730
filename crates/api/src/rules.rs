//! The rules in use, rules packs, newer versions of the application, and the policy of the computer.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A value that the rules of a pack have and the built-in ones have not, or the other way around.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RuleDifferenceView {
    /// Two letters.
    pub state: String,
    /// Whether the pack has it; else only the built-in rules do.
    pub is_new: bool,
    /// The value in words.
    pub text: String,
}

/// Which rules are in use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RulesView {
    /// Version of the rules in use, `2026-11-22.34`.
    pub version: String,
    /// Day of their newest change, `yyyy-mm-dd`.
    pub day: String,
    pub builtin_version: String,
    /// Whether they come from a rules pack.
    pub from_pack: bool,
    /// The key that signed the pack; empty for built-in rules.
    pub signed_by: String,
    /// What the pack has that the built-in rules have not, and the other way around, by state.
    pub differences: Vec<RuleDifferenceView>,
    /// Keys that a pack may be signed with; without one no pack is used.
    pub trusted_keys: Vec<String>,
    /// Where the newest pack is fetched from; empty for nowhere.
    pub address: String,
    /// Whether the policy of this computer names that address.
    pub address_by_policy: bool,
    /// Whether the profile in use names it.
    pub address_by_profile: bool,
    /// Why no pack can be used here; empty where one can.
    pub obstacle: String,
    /// Why the pack that was taken before isn't used now; empty where it is, or there is none.
    pub unused: String,
}

/// Use the rules of a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct InstallRules {
    /// Handle of the file; empty to ask with the open dialog.
    pub handle: String,
}

/// Whether there is a newer version of the application.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct UpdateView {
    /// Version that runs.
    pub version: String,
    /// The newest version of the list, where it is newer; else empty.
    pub newer: String,
    /// Day it was published, `yyyy-mm-dd`; may be empty.
    pub published: String,
    /// The page that tells how to get it; may be empty.
    pub page: String,
    /// When the list was read, RFC 3339 UTC; empty where it wasn't.
    pub checked_at: String,
    /// Where the list is; empty for nowhere.
    pub address: String,
    /// Whether the policy of this computer names that address.
    pub address_by_policy: bool,
    /// Why nothing is looked for; empty where it is.
    pub obstacle: String,
    /// Why a newer version can't be installed from here; empty where it can.
    pub install_obstacle: String,
}

/// Install a version that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct InstallUpdate {
    /// As the list of versions has it.
    pub version: String,
}

/// What the policy of this computer sets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PolicyView {
    /// Its file; empty without a policy.
    pub place: String,
    /// Why the file isn't used; empty where it is.
    pub fault: String,
    /// What it sets, one sentence each.
    pub sets: Vec<String>,
}
