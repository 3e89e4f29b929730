//! The error catalog: one folder per code with the smallest file that shows it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::LazyLock;

use bordereau_spreadsheets::{
    CheckSettings, Code, Issue, Mapping, ReadOptions, Review, SentKeys, Severity, propose_mapping, read,
};
use bordereau_tax::{LocalTables, RuleBook};
use chrono::NaiveDate;

/// On 1 March 2026, by the built-in rules.
pub fn check_settings(sent: &SentKeys, threads: usize) -> CheckSettings<'_> {
    static LOCAL: LazyLock<LocalTables> = LazyLock::new(LocalTables::default);
    static ATTACHED: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    CheckSettings {
        today: NaiveDate::from_ymd_opt(2026, 3, 1).expect("a date"),
        book: RuleBook::builtin(),
        local: &LOCAL,
        fee_charged_by: None,
        sent,
        attached: &ATTACHED,
        threads,
    }
}

/// A fixture of one code.
pub struct Fixture {
    code: Code,
}

impl Fixture {
    pub fn of(code: Code) -> Fixture {
        Fixture { code }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/errors");
        root.join(self.code.code()).join(name)
    }

    fn json<T: serde::de::DeserializeOwned>(&self, name: &str) -> Option<T> {
        let text = std::fs::read_to_string(self.path(name)).ok()?;
        Some(serde_json::from_str(&text).expect("the fixture's JSON"))
    }

    /// Every issue of the fixture's file.
    pub fn issues(&self) -> Vec<Issue> {
        // A text file hides no rows.
        let name = ["input.csv", "input.xml"].into_iter().find(|name| self.path(name).exists());
        let name = name.expect("every code has a fixture");
        let bytes = std::fs::read(self.path(name)).expect("a fixture can be read");
        let source = read(name, bytes, &ReadOptions::default()).expect("a fixture is a table");
        let proposed = propose_mapping(&source, &[]).mapping;
        let mapping = match self.json::<Mapping>("mapping.json") {
            Some(own) if own.columns.is_empty() => Mapping { columns: proposed.columns, ..own },
            Some(own) => own,
            None => proposed,
        };
        let mut sent = SentKeys::default();
        for entry in self.json::<Vec<BTreeMap<String, String>>>("sent.json").unwrap_or_default() {
            sent.add(&entry["id"], None, &entry["day"]);
        }
        let review = Review::new(source, mapping, &check_settings(&sent, 1));
        review.findings().iter().map(|finding| review.describe_finding(finding)).collect()
    }

    /// What `expected.json` has to say: the issues with what was found shortened, as the catalog shows it.
    pub fn expected_text(&self) -> String {
        let mut issues = self.issues();
        for issue in &mut issues {
            issue.location.found = issue.location.found.chars().take(100).collect();
        }
        serde_json::to_string_pretty(&issues).expect("issues are data") + "\n"
    }
}

/// The text of `docs/errors.md`.
pub fn catalog() -> String {
    let mut text = String::from(
        "# Issues of an import\n\n\
         Generated from `crates/spreadsheets/tests/fixtures/errors`, one folder per code; do not edit. \
         `cargo xtask codegen` writes it, and a test fails when it is stale.\n\n\
         Every message says where, what was found, what was expected and what to do. *Certain* repairs can be \
         done for all rows at once. An error keeps a row from being sent with the valid ones; with a warning \
         the service takes it.\n\n\
         | Code | Severity | What it is | Repair |\n|---|---|---|---|\n",
    );
    let mut details = String::new();
    for code in Code::ALL {
        let issues = Fixture::of(*code).issues();
        let issue = issues.iter().find(|i| i.code == *code).expect("the fixture shows its code");
        let severity = match code.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let repair = match &issue.fix {
            Some(fix) if fix.certain => format!("{} (certain)", fix.label),
            Some(fix) => fix.label.clone(),
            None => "by hand".to_owned(),
        };
        text += &format!(
            "| [`{code}`](#{code}) | {severity} | {title} | {repair} |\n",
            code = code.code(),
            title = code.title()
        );
        let message = issue.message.replace('|', "\\|");
        details += &format!("\n## {}\n\n{}.\n\n> {message}\n", code.code(), code.title());
    }
    text + &details
}
