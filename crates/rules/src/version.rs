//! Which rules are newer.

use std::fmt;
use std::str::FromStr;

use bordereau_contract::parse_calendar_day;
use bordereau_tax::RuleChange;
use chrono::NaiveDate;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The day of the newest entry in the changelog of the rules and how many entries that day has: `2026-11-22.34`. So
/// every change that is written down makes a newer version, and nobody has to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RulesVersion {
    day: NaiveDate,
    entries: u32,
}

impl RulesVersion {
    /// That of a changelog; `None` where it has no entry.
    #[must_use]
    pub fn from_changes(changes: &[RuleChange]) -> Option<RulesVersion> {
        let newest = changes.iter().map(|change| change.published.as_str()).max()?;
        let entries = changes.iter().filter(|change| change.published == newest).count();
        Some(RulesVersion { day: parse_calendar_day(newest)?, entries: u32::try_from(entries).ok()? })
    }

    /// The day of the newest change.
    #[must_use]
    pub fn day(self) -> NaiveDate {
        self.day
    }
}

impl fmt::Display for RulesVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.day, self.entries)
    }
}

/// It is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a version of the rules is expected, such as 2026-11-22.34")]
pub struct VersionProblem;

impl FromStr for RulesVersion {
    type Err = VersionProblem;

    fn from_str(text: &str) -> Result<RulesVersion, VersionProblem> {
        let (day, entries) = text.split_once('.').ok_or(VersionProblem)?;
        let version = RulesVersion {
            day: parse_calendar_day(day).ok_or(VersionProblem)?,
            entries: entries.parse().map_err(|_| VersionProblem)?,
        };
        // One version has one spelling.
        if version.to_string() == text { Ok(version) } else { Err(VersionProblem) }
    }
}

impl Serialize for RulesVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RulesVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RulesVersion, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_in_order_and_have_one_spelling() {
        let read = |text: &str| text.parse::<RulesVersion>();
        let order =
            ["2025-12-31.9", "2026-11-22.2", "2026-11-22.10", "2026-11-23.1"].map(|text| read(text).unwrap());
        assert!(order.is_sorted());
        for text in [
            "",
            "2026-11-22",
            "2026-11-22.",
            "2026-11-22.01",
            "2026-11-22.+1",
            "2026-2-3.1",
            "x.1",
            "2026-11-22.-1",
        ] {
            assert_eq!(read(text), Err(VersionProblem), "{text}");
        }
    }
}
