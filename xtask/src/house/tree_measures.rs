//! What the tree measures: the figures of the table and the offenders of each rule.

use std::collections::{BTreeMap, BTreeSet};

use super::import_cycles::largest_cycles;
use super::rust_source::RustSource;
use super::wording::{banned_phrases, british_spellings, is_bare_participle, words_of};
use crate::tree::SourceTree;

/// Where SQL belongs: the store of the desk with the index of transactions, and that of the practice service. How a
/// transaction begins is said by the connection itself.
const SQL_AT_HOME: &[&str] = &[
    "crates/store/",
    "crates/transaction-index/",
    "crates/service-store/",
    "crates/database/src/connection.rs",
];

/// Texts that are about the words themselves, made from other texts, or what others write in their own files.
const NOT_PROSE: &[&str] = &[
    "docs/glossary.md",
    "docs/rates.md",
    "docs/errors.md",
    "ui/src/bindings/",
    "crates/mapping/data/",
    "xtask/src/house/",
    "xtask/tests/tidy/",
];

const PROSE: &[&str] = &[".rs", ".ts", ".tsx", ".css", ".md", ".toml", ".html"];

/// The sources of the tree, read once.
pub struct TreeMeasures<'t> {
    tree: &'t SourceTree,
    /// Rust of the product: no tests, benches, examples, fuzz targets, nor `#[cfg(test)]` items.
    pub sources: Vec<RustSource>,
}

/// A part of a whole, in thousandths.
pub fn share_of(part: usize, whole: usize) -> usize {
    (part * 1000 + whole / 2).checked_div(whole).unwrap_or_default()
}

impl<'t> TreeMeasures<'t> {
    /// Reads the sources.
    pub fn from_tree(tree: &'t SourceTree) -> TreeMeasures<'t> {
        let is_product = |path: &str| {
            let top = path.split('/').next().unwrap_or_default();
            ["crates", "src-tauri", "xtask"].contains(&top)
                && !path.split('/').any(|part| ["tests", "benches", "examples", "fixtures"].contains(&part))
                && !path.ends_with("_tests.rs")
        };
        let sources = tree
            .list_files("", &[".rs"])
            .filter(|(path, _)| is_product(path))
            .map(|(path, text)| RustSource::read(path, &text))
            .collect();
        TreeMeasures { tree, sources }
    }

    /// Lines of each crate, comments and blank lines included.
    pub fn crate_lines(&self) -> BTreeMap<String, usize> {
        let mut lines = BTreeMap::new();
        for source in &self.sources {
            *lines.entry(source.crate_name().to_owned()).or_default() += source.lines;
        }
        lines
    }

    /// Inherent methods of each type, by crate and name.
    pub fn count_methods(&self) -> BTreeMap<String, usize> {
        let mut methods = BTreeMap::new();
        for source in &self.sources {
            for block in source.impl_blocks() {
                *methods.entry(format!("{}::{}", source.crate_name(), block.type_name)).or_default() +=
                    block.methods;
            }
        }
        methods
    }

    /// Files in which the inherent `impl` blocks of each type are.
    pub fn impl_files(&self) -> BTreeMap<String, usize> {
        let mut files: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for source in &self.sources {
            for block in source.impl_blocks() {
                let name = format!("{}::{}", source.crate_name(), block.type_name);
                files.entry(name).or_default().insert(&source.path);
            }
        }
        files.into_iter().map(|(name, files)| (name, files.len())).collect()
    }

    /// Files in the largest import cycle of each crate.
    pub fn import_cycles(&self) -> BTreeMap<String, usize> {
        largest_cycles(&self.sources).into_iter().map(|(name, files)| (name, files.len())).collect()
    }

    /// Files with SQL outside the store, and how many statements or parts of them.
    pub fn sql_outside_store(&self) -> BTreeMap<String, usize> {
        let outside = self.sources.iter().filter(|source| {
            source.path.starts_with("crates/")
                && !SQL_AT_HOME.iter().any(|folder| source.path.starts_with(folder))
        });
        sum_counts(
            outside.map(|source| {
                (source.path.clone(), source.strings.iter().filter(|text| is_sql(text)).count())
            }),
        )
    }

    fn unique_type_names(&self) -> BTreeSet<&str> {
        self.sources.iter().flat_map(RustSource::type_names).collect()
    }

    /// Types that are called by one word, in thousandths of all type names.
    pub fn one_word_types(&self) -> usize {
        let names = self.unique_type_names();
        share_of(names.iter().filter(|name| words_of(name).len() == 1).count(), names.len())
    }

    /// Types that are called by a bare participle, in thousandths of all type names.
    pub fn participle_types(&self) -> usize {
        let names = self.unique_type_names();
        share_of(names.iter().filter(|name| is_bare_participle(name)).count(), names.len())
    }

    /// Functions that are called by one word, in thousandths of all functions.
    pub fn one_word_functions(&self) -> usize {
        let names: Vec<&str> = self.sources.iter().flat_map(RustSource::function_names).collect();
        share_of(names.iter().filter(|name| !name.trim_matches('_').contains('_')).count(), names.len())
    }

    /// Types, files and folders of sources called by a bare participle, and how often.
    pub fn participle_names(&self) -> BTreeMap<String, usize> {
        let types = self.sources.iter().flat_map(RustSource::type_names).map(str::to_owned);
        let paths: BTreeSet<String> =
            self.sources.iter().flat_map(|source| path_stems(&source.path[source.root.len()..])).collect();
        sum_counts(types.chain(paths).filter(|name| is_bare_participle(name)).map(|name| (name, 1)))
    }

    /// British spellings in each file of code and text.
    pub fn british_spellings(&self) -> BTreeMap<String, usize> {
        self.in_prose(|line| british_spellings(line).len())
    }

    /// Banned phrases in each file of code and text, and in the names of functions: `take_back`.
    pub fn banned_phrases(&self) -> BTreeMap<String, usize> {
        let in_name = |name: &str| banned_phrases(&name.replace('_', " ")).len();
        let in_names = self
            .sources
            .iter()
            .map(|source| (source.path.clone(), source.function_names().map(in_name).sum()));
        sum_counts(self.in_prose(|line| banned_phrases(line).len()).into_iter().chain(in_names))
    }

    fn in_prose(&self, count: impl Fn(&str) -> usize) -> BTreeMap<String, usize> {
        let is_prose = |path: &str| !NOT_PROSE.iter().any(|other| path.starts_with(other));
        sum_counts(
            self.tree
                .list_files("", PROSE)
                .filter(|(path, _)| is_prose(path))
                .map(|(path, text)| (path.to_owned(), text.lines().map(&count).sum())),
        )
    }

    /// Lines of TypeScript and CSS of the product.
    pub fn ui_lines(&self) -> usize {
        self.tree
            .list_files("ui/src/", &[".ts", ".tsx", ".css"])
            .filter(|(path, _)| !path.starts_with("ui/src/bindings/") && !path.contains(".test."))
            .map(|(_, text)| text.lines().count())
            .sum()
    }

    /// Lines of a file; none where there is no such file.
    pub fn file_lines(&self, path: &str) -> usize {
        self.tree.read_text(path).unwrap_or_default().lines().count()
    }

    /// Tests written in the sources, where a table of cases counts once: Rust, UI, flows, window.
    pub fn count_tests(&self) -> [usize; 4] {
        let count = |folder: &str, endings: &[&str], is_test: fn(&str) -> bool| -> usize {
            let files = self.tree.list_files(folder, endings);
            files.map(|(_, text)| text.lines().filter(|line| is_test(line.trim_start())).count()).sum()
        };
        let rust = |line: &str| line.starts_with("#[test]") || line.starts_with("#[tokio::test");
        let typescript =
            |line: &str| ["test(", "it(", "test.each(", "it.each("].iter().any(|call| line.starts_with(call));
        let window = count("tests/window/", &[".rs"], rust);
        [
            count("", &[".rs"], rust) - window,
            count("ui/src/", &[".test.ts", ".test.tsx"], typescript),
            count("ui/flows/", &[".spec.ts"], typescript),
            window,
        ]
    }

    /// How many places the table "To change X, touch Y" of ARCHITECTURE.md names for each kind of change whose
    /// row contains these words; `None` where there is no row.
    pub fn places_to_touch(&self, words: &[&str]) -> Option<usize> {
        let text = self.tree.read_text("ARCHITECTURE.md")?;
        let table = text.lines().skip_while(|line| !(line.starts_with('#') && line.contains("touch")));
        let row = table.filter(|line| line.starts_with('|')).find(|line| {
            let change = line.split('|').nth(1).unwrap_or_default().to_ascii_lowercase();
            words.iter().all(|word| change.contains(word))
        })?;
        Some(row.split('|').nth(2).unwrap_or_default().matches('`').count() / 2)
    }
}

fn sum_counts(found: impl Iterator<Item = (String, usize)>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for (name, count) in found.filter(|(_, count)| *count > 0) {
        *counts.entry(name).or_default() += count;
    }
    counts
}

/// Folders and file of a path, without the ending.
fn path_stems(path: &str) -> Vec<String> {
    path.trim_end_matches(".rs").split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

fn is_sql(text: &str) -> bool {
    const BEGINNINGS: &[&str] = &[
        "SELECT ",
        "INSERT ",
        "UPDATE ",
        "DELETE FROM ",
        "REPLACE INTO ",
        "CREATE ",
        "ALTER TABLE ",
        "DROP ",
        "WITH ",
        "PRAGMA ",
        "BEGIN;",
        "BEGIN IMMEDIATE",
        "COMMIT;",
        "ROLLBACK;",
        "SAVEPOINT ",
        "VACUUM",
    ];
    const PARTS: &[&str] =
        &[" FROM ", " WHERE ", " ORDER BY ", " GROUP BY ", " LIMIT ", " JOIN ", " EXISTS (SELECT "];
    let text = text.trim_start_matches(['\\', ' ', '\n']);
    BEGINNINGS.iter().any(|word| text.starts_with(word)) || PARTS.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_measured() {
        let tree = SourceTree::from_samples(&[
            (
                "crates/desk/src/heard.rs",
                "pub struct Kept;\nimpl Kept { fn a(&self) {} }\nfn b_c() { run(\"SELECT 1\") }\n// its colour stands\n",
            ),
            ("crates/desk/src/more.rs", "struct KeptRow;\nimpl crate::heard::Kept { fn d() {} }\n"),
            ("crates/desk/tests/a.rs", "struct Told;\n#[test]\nfn x() {}\n"),
            ("crates/service-store/src/a.rs", "const A: &str = \"SELECT 1\";\n"),
            ("crates/desk/src/more_tests.rs", "struct Told;\n"),
            ("tests/window/a.rs", "#[test]\n#[tokio::test(flavor = \"x\")]\n"),
            ("ui/src/a.ts", "one\ntwo\n"),
            ("ui/src/a.test.ts", "test('a', () => {})\n  it.each([1])\n"),
            (
                "ARCHITECTURE.md",
                "| A view | `x` |\n## To change X, touch Y\n| Change | Touch |\n|---|---|\n| A webhook event | `a.rs`, `b.rs` |\n",
            ),
        ]);
        let measured = TreeMeasures::from_tree(&tree);
        let map = |pairs: &[(&str, usize)]| pairs.iter().map(|(k, v)| ((*k).to_owned(), *v)).collect();
        assert_eq!(measured.crate_lines(), map(&[("desk", 6), ("service-store", 1)]));
        assert_eq!(measured.count_methods(), map(&[("desk::Kept", 2)]));
        assert_eq!(measured.impl_files(), map(&[("desk::Kept", 2)]));
        assert_eq!(measured.sql_outside_store(), map(&[("crates/desk/src/heard.rs", 1)]));
        assert_eq!(measured.participle_names(), map(&[("Kept", 1), ("heard", 1)]));
        assert_eq!((measured.one_word_types(), measured.participle_types()), (500, 500));
        assert_eq!(measured.one_word_functions(), 667);
        assert_eq!(measured.british_spellings(), map(&[("crates/desk/src/heard.rs", 1)]));
        assert_eq!(measured.banned_phrases(), map(&[("crates/desk/src/heard.rs", 1)]));
        assert_eq!((measured.ui_lines(), measured.file_lines("ARCHITECTURE.md")), (2, 5));
        assert_eq!(measured.count_tests(), [1, 2, 0, 2]);
        assert_eq!(measured.places_to_touch(&["webhook", "event"]), Some(2));
        assert_eq!(measured.places_to_touch(&["view"]), None);
    }
}
