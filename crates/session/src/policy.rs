//! The administrator's policy for every desk of a computer, in one file that only administrators can change.

use std::path::PathBuf;

use bordereau_rules::PublicKey;
use serde::Deserialize;

use crate::web_address::check_address;
use bordereau_api::{BoundaryError, ErrorCode};

/// The policy; without a file the person decides everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// Newer versions of the application.
    pub updates: UpdatePolicy,
    /// Rules packs.
    pub rules: RulesPolicy,
    /// Profiles.
    pub profiles: ProfilePolicy,
    /// Connections to addresses in the policy and the settings.
    pub network: NetworkPolicy,
    /// Path of the file; empty without one.
    #[serde(skip)]
    pub place: String,
    /// Why an existing file isn't used, as a sentence; empty where it is used or there is none.
    #[serde(skip)]
    pub fault: String,
}

/// Newer versions of the application.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UpdatePolicy {
    /// Whether anything may check for them.
    pub check: bool,
    /// Address of the list of versions, instead of the one in the settings.
    pub address: String,
    /// Whether a newer version may be installed from the window.
    pub install: bool,
    /// Keys trusted for packages besides the project's own.
    pub keys: Vec<PublicKey>,
}

/// Rules packs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RulesPolicy {
    /// Whether packs are used at all.
    pub packs: bool,
    /// Address of the newest pack, instead of the one in the settings.
    pub address: String,
    /// Keys trusted besides the project's own.
    pub keys: Vec<PublicKey>,
}

/// Profiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ProfilePolicy {
    /// Whether the Practice profile exists.
    pub practice: bool,
    /// Whether profiles for live filings can be used.
    pub production: bool,
}

/// Connections to addresses in policy and settings: the list of versions, packages, rules packs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NetworkPolicy {
    /// PEM file of an authority trusted there besides the system's.
    pub authority: PathBuf,
    /// Its content.
    #[serde(skip)]
    pub authority_pem: String,
}

impl Default for UpdatePolicy {
    fn default() -> Self {
        UpdatePolicy { check: true, address: String::new(), install: true, keys: Vec::new() }
    }
}

impl Default for RulesPolicy {
    fn default() -> Self {
        RulesPolicy { packs: true, address: String::new(), keys: Vec::new() }
    }
}

impl Default for ProfilePolicy {
    fn default() -> Self {
        ProfilePolicy { practice: true, production: true }
    }
}

impl Policy {
    /// The policy where its file can't be used: nothing is fetched from an address and no pack is accepted, since
    /// the administrator's decision is unknown.
    pub(crate) fn unusable(place: String, fault: String) -> Policy {
        Policy {
            updates: UpdatePolicy { check: false, install: false, ..UpdatePolicy::default() },
            rules: RulesPolicy { packs: false, ..RulesPolicy::default() },
            place,
            fault,
            ..Policy::default()
        }
    }

    pub(crate) fn read(text: &str) -> Result<Policy, String> {
        let policy: Policy = toml::from_str(text).map_err(|error| error.to_string())?;
        for address in [&policy.updates.address, &policy.rules.address] {
            if !address.is_empty() {
                check_address(address)?;
            }
        }
        Ok(policy)
    }

    /// Its effects, one sentence each.
    pub(crate) fn sentences(&self) -> Vec<String> {
        let mut said = Vec::new();
        let mut add = |is_set: bool, text: &str| said.extend(is_set.then(|| text.to_owned()));
        add(!self.updates.check, "Newer versions aren't looked for.");
        add(self.updates.check && !self.updates.install, "Newer versions aren't installed from the window.");
        add(!self.rules.packs, "Rules packs aren't used.");
        if !self.network.authority.as_os_str().is_empty() {
            let file = self.network.authority.display();
            add(
                true,
                &format!("Versions and rules packs also come from servers whose certificates {file} signed."),
            );
        }
        add(!self.profiles.practice, "There is no Practice profile.");
        add(!self.profiles.production, "Production profiles can't be used.");
        let places = [
            (self.updates.check, "Newer versions are listed at", &self.updates.address),
            (self.rules.packs, "Rules packs come from", &self.rules.address),
        ];
        let named = places.into_iter().filter(|(is_on, _, address)| *is_on && !address.is_empty());
        said.extend(named.map(|(_, text, address)| format!("{text} {address}.")));
        if self.rules.packs {
            said.extend(
                self.rules.keys.iter().map(|key| format!("Rules packs signed with {key} are trusted.")),
            );
        }
        if self.updates.check && self.updates.install {
            said.extend(
                self.updates.keys.iter().map(|key| format!("Packages signed with {key} are trusted.")),
            );
        }
        said
    }
}

/// The error where the administrator switched something off.
pub(crate) fn switched_off(code: ErrorCode, what: &str) -> BoundaryError {
    BoundaryError::with_code(code, format!("{what} by the policy of this computer. Ask its administrator."))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";

    #[test]
    fn what_is_set_is_said_and_the_rest_is_as_without() {
        assert_eq!(Policy::read("").unwrap(), Policy::default());
        assert!(Policy::default().sentences().is_empty());
        let text = format!(
            "[updates]\naddress = \"https://files.example/versions.json\"\n[rules]\nkeys = [\"{KEY}\"]\n\
             [profiles]\npractice = false\nproduction = false\n"
        );
        let said = Policy::read(&text).unwrap().sentences();
        assert_eq!(
            said,
            [
                "There is no Practice profile.".to_owned(),
                "Production profiles can't be used.".to_owned(),
                "Newer versions are listed at https://files.example/versions.json.".to_owned(),
                format!("Rules packs signed with {KEY} are trusted."),
            ]
        );
        let told = Policy::read(&format!("[updates]\ninstall = false\nkeys = [\"{KEY}\"]\n")).unwrap();
        assert_eq!(told.sentences(), ["Newer versions aren't installed from the window."]);
        let trusting = Policy::read(&format!("[updates]\nkeys = [\"{KEY}\"]\n")).unwrap();
        assert_eq!(trusting.sentences(), [format!("Packages signed with {KEY} are trusted.")]);
        let off = Policy::read("[updates]\ncheck = false\n[rules]\npacks = false\n").unwrap();
        assert_eq!(off.sentences(), ["Newer versions aren't looked for.", "Rules packs aren't used."]);
    }

    #[test]
    fn what_nobody_knows_is_refused() {
        for text in [
            "nonsense",
            "[update]\ncheck = false",
            "[updates]\nchecks = false",
            "[updates]\ncheck = \"no\"",
            "[updates]\naddress = \"http://files.example/versions.json\"",
            "[updates]\naddress = \"https://user:word@files.example/versions.json\"",
            "[rules]\nkeys = [\"short\"]",
            "[updates]\nkeys = [\"short\"]",
            "place = \"/tmp\"",
        ] {
            assert!(Policy::read(text).is_err(), "{text}");
        }
        let unusable = Policy::unusable("/etc/policy".into(), "It is wrong.".into());
        assert!(!unusable.updates.check && !unusable.updates.install && !unusable.rules.packs);
    }
}
