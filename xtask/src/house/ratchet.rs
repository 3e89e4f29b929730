//! What is not yet as the rules want it, with its figure: figures that only fall (`xtask/tests/tidy/ratchet.toml`).

use std::collections::BTreeMap;
use std::fmt::Write;

use super::tree_measures::TreeMeasures;

/// Path of the file.
pub const PATH: &str = "xtask/tests/tidy/ratchet.toml";

const HEAD: &str = "\
# What is not yet as the rules of the house want it. A figure may fall and never rise. Written by
#     cargo xtask house --write-ratchet
# after something got better or was moved; it refuses to write a section whose sum has risen.
";

/// A rule with a bound; what is over the bound today is listed in the file.
pub struct HouseRule {
    /// Name of its part of the file.
    pub section: &'static str,
    /// What is measured, and what to do about it.
    pub advice: &'static str,
    bound: usize,
    measure: fn(&TreeMeasures<'_>) -> BTreeMap<String, usize>,
}

/// Every rule, in the order of the file.
pub const RULES: &[HouseRule] = &[
    HouseRule {
        section: "crate_lines",
        advice: "a crate has at most 9,000 lines: cut it where its parts need little of each other",
        bound: 9_000,
        measure: |m| m.crate_lines(),
    },
    HouseRule {
        section: "methods",
        advice: "a type has at most 40 methods: make them functions over what they need",
        bound: 40,
        measure: |m| m.count_methods(),
    },
    HouseRule {
        section: "impl_files",
        advice: "the impl of a type is in at most 6 files: make what only one file needs functions there",
        bound: 6,
        measure: |m| m.impl_files(),
    },
    HouseRule {
        section: "import_cycle",
        advice: "at most 3 files import each other in a circle: let one side own the data and the other borrow it",
        bound: 3,
        measure: |m| m.import_cycles(),
    },
    HouseRule {
        section: "sql_outside_store",
        advice: "SQL is in the store alone, one file for each table",
        bound: 0,
        measure: |m| m.sql_outside_store(),
    },
    HouseRule {
        section: "participle_names",
        advice: "a type, file or module is a noun of the field, not a bare participle: docs/glossary.md",
        bound: 0,
        measure: |m| m.participle_names(),
    },
    HouseRule {
        section: "british_spellings",
        advice: "American English: license, color, canceled, authorized, phone",
        bound: 0,
        measure: |m| m.british_spellings(),
    },
    HouseRule {
        section: "banned_phrases",
        advice: "say it as a colleague would: docs/glossary.md has the words we do not use",
        bound: 0,
        measure: |m| m.banned_phrases(),
    },
];

impl HouseRule {
    /// The rule of a section.
    ///
    /// # Panics
    /// When there is none.
    pub fn for_section(section: &str) -> &'static HouseRule {
        RULES.iter().find(|rule| rule.section == section).expect("a section of the list")
    }

    /// What is over the bound.
    fn find_offenders(&self, measured: &TreeMeasures<'_>) -> BTreeMap<String, usize> {
        (self.measure)(measured).into_iter().filter(|(_, count)| *count > self.bound).collect()
    }

    /// What is worse than the file allows, and what the file allows and nothing needs any more.
    pub fn list_complaints(&self, measured: &TreeMeasures<'_>, ratchet: &Ratchet) -> Vec<String> {
        let (offenders, allowed) = (self.find_offenders(measured), ratchet.section(self.section));
        let worse = offenders.iter().filter_map(|(name, count)| {
            let before = allowed.get(name).copied().unwrap_or(self.bound);
            (*count > before).then(|| format!("{name}: {count}, at most {before}; {}", self.advice))
        });
        let spent = allowed.keys().filter(|name| !offenders.contains_key(*name)).map(|name| {
            format!(
                "{name} is no longer needed in {PATH}, [{}]: cargo xtask house --write-ratchet",
                self.section
            )
        });
        worse.chain(spent).collect()
    }
}

/// The file: by section, what is allowed.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Ratchet(BTreeMap<String, BTreeMap<String, usize>>);

impl Ratchet {
    /// Reads `[section]` and `"name" = 3`.
    pub fn parse(text: &str) -> Result<Ratchet, String> {
        let mut ratchet = Ratchet::default();
        let mut section = None;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                section = Some(ratchet.0.entry(name.to_owned()).or_default());
                continue;
            }
            let entry = line.split_once(" = ").and_then(|(name, count)| Some((name, count.parse().ok()?)));
            match (&mut section, entry) {
                (Some(section), Some((name, count))) => {
                    section.insert(name.trim_matches('"').to_owned(), count);
                }
                _ => return Err(format!("{PATH}: \"{line}\" is neither [section] nor \"name\" = number")),
            }
        }
        Ok(ratchet)
    }

    fn section(&self, name: &str) -> BTreeMap<String, usize> {
        self.0.get(name).cloned().unwrap_or_default()
    }

    /// The file as it may be written now.
    ///
    /// # Errors
    /// The sections that got worse, each with what rose.
    pub fn lowered_text(&self, measured: &TreeMeasures<'_>) -> Result<String, Vec<String>> {
        let (mut text, mut complaints) = (HEAD.to_owned(), Vec::new());
        for rule in RULES {
            let now = rule.find_offenders(measured);
            let before = self.0.get(rule.section);
            if let Some(before) = before
                && now.values().sum::<usize>() > before.values().sum()
            {
                let rose = now.iter().filter(|(name, count)| before.get(*name).is_none_or(|b| b < count));
                let names: Vec<String> = rose.map(|(name, count)| format!("{name} {count}")).collect();
                complaints.push(format!(
                    "[{}] has risen: {}; {}",
                    rule.section,
                    names.join(", "),
                    rule.advice
                ));
            }
            let _ = write!(text, "\n# {}\n[{}]\n", rule.advice, rule.section);
            for (name, count) in now {
                let _ = writeln!(text, "\"{name}\" = {count}");
            }
        }
        if complaints.is_empty() { Ok(text) } else { Err(complaints) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::SourceTree;

    #[test]
    fn figures_fall_and_never_rise() {
        let tree = SourceTree::from_samples(&[("crates/desk/src/kept.rs", "// its colour, its colour\n")]);
        let measured = TreeMeasures::from_tree(&tree);
        let rule = HouseRule::for_section("british_spellings");
        let allowing = |entries: &str| Ratchet::parse(&format!("[british_spellings]\n{entries}")).unwrap();
        let file = |count| format!("\"crates/desk/src/kept.rs\" = {count}");
        for (entries, complaints, may_be_written) in [
            (file(1), 1, false),
            (file(2), 0, true),
            (file(3), 0, true),
            (String::new(), 1, false),
            // Moved to another file: the sum is what it was.
            ("\"crates/desk/src/old.rs\" = 2".to_owned(), 2, true),
            (format!("{}\n\"crates/desk/src/old.rs\" = 1", file(2)), 1, true),
        ] {
            let ratchet = allowing(&entries);
            assert_eq!(rule.list_complaints(&measured, &ratchet).len(), complaints, "{entries}");
            assert_eq!(ratchet.lowered_text(&measured).is_ok(), may_be_written, "{entries}");
        }
        let first = Ratchet::default().lowered_text(&measured).unwrap();
        let again = Ratchet::parse(&first).unwrap();
        assert_eq!(again.section("british_spellings"), allowing(&file(2)).section("british_spellings"));
        assert_eq!(again.lowered_text(&measured).unwrap(), first);
        assert!(Ratchet::parse("\"no section\" = 1").is_err());
        assert!(Ratchet::parse("[a]\nno number").is_err());
    }
}
