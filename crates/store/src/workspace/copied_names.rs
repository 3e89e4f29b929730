//! Chooses names for a desk's items in a workspace that has names of its own.

use std::collections::{HashMap, HashSet};

use bordereau_api::{CopiedName, Profile};
use bordereau_database::Connection;
use serde_json::Value;

use crate::{StoreError, list_rows, profiles};

/// The built-in profile: each computer has its own service behind it.
const PRACTICE: &str = "practice";

/// Profiles, mappings and searches by their names in the source.
#[derive(Default)]
pub(super) struct CopiedNames {
    /// Ids of profiles.
    profiles: HashMap<String, String>,
    /// Their bodies, by their old id.
    bodies: HashMap<String, String>,
    mappings: HashMap<String, NewName>,
    /// By the profile's old id, and the name.
    searches: HashMap<(String, String), NewName>,
    renamed: Vec<CopiedName>,
}

/// The name of an item in the target.
struct NewName {
    name: String,
    /// An equal item exists already under this name.
    is_there: bool,
}

impl CopiedNames {
    /// `log` names the folder that is copied into a workspace; `None` for a copy into a folder.
    pub(super) fn read(
        source: &Connection,
        target: &Connection,
        log: Option<&str>,
    ) -> Result<CopiedNames, StoreError> {
        let mut names = CopiedNames::default();
        if let Some(folder) = log.and_then(|log| log.get(..8)) {
            names.profiles.insert(PRACTICE.to_owned(), format!("{PRACTICE}-{folder}"));
        }
        names.match_profiles(source, target)?;
        names.match_mappings(source, target)?;
        names.match_searches(source, target)?;
        Ok(names)
    }

    /// The same id is the same profile, and so is the same name for the same service. Any other profile is added.
    fn match_profiles(&mut self, source: &Connection, target: &Connection) -> Result<(), StoreError> {
        let mut there = profiles::list_profiles(target)?;
        for mut profile in profiles::list_profiles(source)? {
            // Whose own it was is a person of another database.
            profile.owner.clear();
            let (id, name) = (profile.id.clone(), profile.name.clone());
            let same = there.iter().find(|other| other.id == id);
            if let Some(same) = same.or_else(|| there.iter().find(|other| is_same_service(other, &profile))) {
                self.profiles.insert(id.clone(), same.id.clone());
                profile.id.clone_from(&same.id);
                profile.name.clone_from(&same.name);
            } else {
                let is_taken = |name: &str| there.iter().any(|other| other.name.eq_ignore_ascii_case(name));
                profile.name = candidates(&name).find(|name| !is_taken(name)).unwrap_or_else(|| name.clone());
                self.note("profile", &name, &profile.name);
                there.push(profile.clone());
            }
            self.bodies.insert(id, profiles::content_of(&profile)?.to_string());
        }
        Ok(())
    }

    fn match_mappings(&mut self, source: &Connection, target: &Connection) -> Result<(), StoreError> {
        let sql = "SELECT name, headers || '\u{1}' || body FROM review_mappings WHERE name <> ''";
        let (own, there) = (read_named(source, sql)?, read_named(target, sql)?);
        for (name, contents) in own {
            let found = find_name(&name, &contents, |name| there.get(name));
            self.note("mapping", &name, &found.name);
            self.mappings.insert(name, found);
        }
        Ok(())
    }

    fn match_searches(&mut self, source: &Connection, target: &Connection) -> Result<(), StoreError> {
        let sql = "SELECT profile || '\u{1}' || name, body FROM saved_searches";
        let (own, there) = (read_named(source, sql)?, read_named(target, sql)?);
        for (place, contents) in own {
            let Some((profile, name)) = place.split_once('\u{1}') else { continue };
            let new_profile = self.profiles.get(profile).map_or(profile, String::as_str).to_owned();
            let found = find_name(name, &contents, |name| there.get(&format!("{new_profile}\u{1}{name}")));
            self.note("search", name, &found.name);
            self.searches.insert((profile.to_owned(), name.to_owned()), found);
        }
        Ok(())
    }

    fn note(&mut self, kind: &str, name: &str, new_name: &str) {
        if name != new_name {
            let (kind, name, new_name) = (kind.to_owned(), name.to_owned(), new_name.to_owned());
            self.renamed.push(CopiedName { kind, name, new_name });
        }
    }

    /// Items that got another name.
    pub(super) fn into_renamed(self) -> Vec<CopiedName> {
        self.renamed
    }

    /// The columns of a row whose text differs in the target.
    pub(super) fn changes<'r>(
        &self,
        table: &str,
        value_of: impl Fn(&str) -> Result<&'r str, StoreError>,
    ) -> Result<Vec<(&'static str, String)>, StoreError> {
        let mut changes = Vec::new();
        let profile_column = match table {
            "profiles" => "id",
            "saved_searches" | "unread_answers" | "import_runs" => "profile",
            _ => "profile_id",
        };
        let profile = value_of(profile_column)?;
        if let Some(new) = self.profiles.get(profile) {
            changes.push((profile_column, new.clone()));
        }
        let new_name = match table {
            "profiles" => {
                changes.extend(self.bodies.get(profile).map(|body| ("body", body.clone())));
                None
            }
            "review_mappings" | "mapping_versions" => self.mappings.get(value_of("name")?),
            "saved_searches" => self.searches.get(&(profile.to_owned(), value_of("name")?.to_owned())),
            _ => None,
        };
        if let Some(NewName { name, .. }) = new_name
            && name != value_of("name")?
        {
            changes.push(("body", rename_body(value_of("body")?, name)));
            changes.push(("name", name.clone()));
        }
        Ok(changes)
    }

    /// Whether these rows aren't copied because they belong to a mapping that exists already.
    pub(super) fn is_there(&self, table: &str, name: &str) -> bool {
        table == "mapping_versions" && self.mappings.get(name).is_some_and(|found| found.is_there)
    }
}

fn is_same_service(there: &Profile, own: &Profile) -> bool {
    let address = |profile: &Profile| profile.base_url.trim_end_matches('/').to_ascii_lowercase();
    there.name.eq_ignore_ascii_case(&own.name)
        && there.environment == own.environment
        && address(there) == address(own)
}

/// `Name`, `Name (2)`, `Name (3)` and so on.
fn candidates(name: &str) -> impl Iterator<Item = String> {
    let further = (2..=u32::MAX).map(move |number| format!("{name} ({number})"));
    std::iter::once(name.to_owned()).chain(further)
}

/// All contents under a name.
fn read_named(connection: &Connection, sql: &str) -> Result<HashMap<String, HashSet<String>>, StoreError> {
    let rows: Vec<(String, String)> = list_rows(connection, sql, [], |row| row.try_into())?;
    let mut named: HashMap<String, HashSet<String>> = HashMap::new();
    for (name, content) in rows {
        named.entry(name).or_default().insert(content);
    }
    Ok(named)
}

/// The first name that is free or has an equal item.
fn find_name<'t>(
    name: &str,
    contents: &HashSet<String>,
    there: impl Fn(&str) -> Option<&'t HashSet<String>>,
) -> NewName {
    let under = |candidate: &str| -> HashSet<String> {
        let rename = |content: &String| match content.split_once('\u{1}') {
            Some((headers, body)) => format!("{headers}\u{1}{}", rename_body(body, candidate)),
            None => rename_body(content, candidate),
        };
        if candidate == name { contents.clone() } else { contents.iter().map(rename).collect() }
    };
    for candidate in candidates(name) {
        match there(&candidate) {
            None => return NewName { name: candidate, is_there: false },
            Some(found) if under(&candidate).is_subset(found) => {
                return NewName { name: candidate, is_there: true };
            }
            Some(_) => {}
        }
    }
    NewName { name: name.to_owned(), is_there: true }
}

/// Renames a mapping or a search in its body.
fn rename_body(body: &str, name: &str) -> String {
    let mut content: Value = serde_json::from_str(body).unwrap_or_default();
    match content.get_mut("name") {
        Some(named) => {
            *named = name.into();
            content.to_string()
        }
        None => body.to_owned(),
    }
}
