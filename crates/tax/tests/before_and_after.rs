//! 2,000 questions answered before and after a change of the rules: an amount that changed is in the changelog
//! of the rules (`rules/CHANGES.md`), and a change of an amount that is in the changelog is seen.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod grid;

use std::collections::{BTreeMap, BTreeSet};

use bordereau_contract::{EntityType, Jurisdiction, TransactionType};
use bordereau_tax::{Class, LinesTable, RuleChange, rule_changes};
use grid::Question;

const BEFORE: &str = include_str!("data/amounts_before.csv");

const FIELDS: &[&str] = &[
    "sl_tax",
    "stamping_fee",
    "sl_service_charge",
    "fm_tax",
    "empa_tax",
    "municipal_fee",
    "county_fee",
    "collection_fee",
    "premium_tax",
    "premium_tax_life",
    "premium",
    "agency_fee",
    "inspection_fee",
    "refused",
];

/// What an entry says in its brackets: `sl_tax, stamping_fee; with agency_fee; types PN, PR`.
#[derive(Debug, Default)]
struct Claim {
    fields: Vec<String>,
    with: Option<String>,
    types: Vec<String>,
    insured: Vec<String>,
    lines: Vec<String>,
    classes: Vec<String>,
    flags: Vec<String>,
}

impl Claim {
    fn parse(text: &str) -> Result<Claim, String> {
        let mut parts = text.split(';').map(str::trim);
        let mut claim = Claim {
            fields: known(parts.next().unwrap_or_default(), |f| FIELDS.contains(&f))?,
            ..Claim::default()
        };
        for part in parts {
            let (word, rest) = part.split_once(' ').unwrap_or((part, ""));
            match word {
                "with" if ["agency_fee", "inspection_fee", "fees"].contains(&rest) => {
                    claim.with = Some(rest.into())
                }
                "types" => claim.types = known(rest, |code| code.parse::<TransactionType>().is_ok())?,
                "entities" => claim.insured = known(rest, |code| code.parse::<EntityType>().is_ok())?,
                "lines" => {
                    claim.lines =
                        known(rest, |code| LinesTable::builtin().find(code, Jurisdiction::Wa).is_some())?;
                }
                "classes" => claim.classes = known(rest, |class| class.parse::<Class>().is_ok())?,
                "exempt" | "rpg" => claim.flags.push(word.into()),
                _ => return Err(format!("\"{part}\" is not known in [{text}]")),
            }
        }
        Ok(claim)
    }

    /// Whether the question is one of those concerned.
    fn concerns(&self, question: &Question) -> bool {
        let any = |list: &[String], word: &str| list.is_empty() || list.iter().any(|one| one == word);
        let (agency, inspection) = (!question.agency_fee.is_empty(), !question.inspection_fee.is_empty());
        let with = match self.with.as_deref() {
            Some("agency_fee") => agency,
            Some("inspection_fee") => inspection,
            Some(_) => agency || inspection,
            None => true,
        };
        let lines = self.lines.is_empty() && self.classes.is_empty()
            || question.lines.split('|').filter_map(|line| line.split_once('=')).any(|(code, _)| {
                let table = LinesTable::builtin();
                let class = table.find(code, question.state.parse().unwrap()).unwrap().class.name();
                self.lines.iter().any(|one| one == code) || self.classes.iter().any(|one| one == class)
            });
        with && lines
            && any(&self.types, &question.transaction_type)
            && any(&self.insured, &question.insured)
            && self.flags.iter().all(|wanted| question.flags.split(' ').any(|flag| flag == wanted))
    }
}

fn known(list: &str, is_known: impl Fn(&str) -> bool) -> Result<Vec<String>, String> {
    let words: Vec<String> = list.split(',').map(|word| word.trim().to_owned()).collect();
    match words.iter().find(|word| !is_known(word)) {
        Some(word) => Err(format!("\"{word}\" is not known in \"{list}\"")),
        None => Ok(words),
    }
}

/// Whether one of the question's dates lies in those of the entry.
fn is_within(change: &RuleChange, question: &Question) -> bool {
    let within = |day: &str| {
        change.from.as_deref().is_none_or(|from| day >= from)
            && change.until.as_deref().is_none_or(|until| day <= until)
    };
    within(&question.policy) || (!question.transaction.is_empty() && within(&question.transaction))
}

fn by_field(amounts: &str) -> BTreeMap<&str, &str> {
    amounts.split_whitespace().map(|amount| amount.split_once('=').unwrap()).collect()
}

/// What is wrong between the answers before and after and the changelog. Each row is a question, the amounts
/// before, and the amounts after.
fn complaints(rows: &[(Question, String, String)], changes: &[RuleChange]) -> Result<Vec<String>, String> {
    let claims: Vec<(&RuleChange, Claim)> = changes
        .iter()
        .filter_map(|change| change.claim.as_deref().map(|claim| Ok((change, Claim::parse(claim)?))))
        .collect::<Result<_, String>>()?;
    let mut shown: BTreeSet<(usize, Jurisdiction, &str)> = BTreeSet::new();
    let mut complaints = Vec::new();
    for (question, before, after) in rows {
        let (before, after) = (by_field(before), by_field(after));
        let state: Jurisdiction = question.state.parse().unwrap();
        let mut differ: Vec<&str> =
            before.keys().chain(after.keys()).copied().filter(|f| before.get(f) != after.get(f)).collect();
        differ.sort_unstable();
        differ.dedup();
        if before.contains_key("refused") != after.contains_key("refused") {
            differ = vec!["refused"];
        }
        if differ != ["total"] {
            differ.retain(|field| *field != "total");
        }
        for field in differ {
            let mut covered = false;
            for (at, (change, claim)) in claims.iter().enumerate() {
                let names = change.states.contains(&state) && claim.fields.iter().any(|one| one == field);
                if names && is_within(change, question) && claim.concerns(question) {
                    covered = true;
                    shown.insert((at, state, FIELDS.iter().find(|one| **one == field).unwrap()));
                }
            }
            if !covered {
                let amount =
                    |amounts: &BTreeMap<&str, &str>| (*amounts.get(field).unwrap_or(&"none")).to_owned();
                let (before, after) = (amount(&before), amount(&after));
                complaints
                    .push(format!("{field} was {before} and is {after}, in no entry: {}", question.row()));
            }
        }
    }
    for (at, (change, claim)) in claims.iter().enumerate() {
        for state in &change.states {
            for field in claim.fields.iter().filter(|field| !shown.contains(&(at, *state, field))) {
                complaints
                    .push(format!("no question shows {field} changed in {state}, as said: {}", change.text));
            }
        }
    }
    Ok(complaints)
}

#[test]
fn nothing_changed_its_amount_unless_the_changelog_says_so() {
    let mut lines = BEFORE.lines();
    let base = lines.next().unwrap().split_whitespace().find(|word| word.starts_with("20")).unwrap();
    let base = base.trim_end_matches([';', ',', '.']);
    assert_eq!(lines.next().unwrap(), grid::HEADER);
    let rows: Vec<(Question, String, String)> = lines
        .map(|row| {
            let (question, before) = Question::read(row);
            let after = question.amounts();
            (question, before.to_owned(), after)
        })
        .collect();
    assert_eq!(rows.len(), 2_000);
    let states: BTreeSet<&str> = rows.iter().map(|(question, ..)| question.state.as_str()).collect();
    assert_eq!(states.len(), 53);
    let changes: Vec<RuleChange> =
        rule_changes().into_iter().filter(|change| change.published.as_str() > base).collect();
    let complaints = complaints(&rows, &changes).unwrap();
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn the_comparison_bites() {
    let row = "WA,APE,2025-03-01,2026-02-01,GEN-1002=1000|GEN-1025=10,50,,commercial,exempt,";
    let (question, _) = Question::read(row);
    let check = |after: &str, entry: &str| {
        let changes = RuleChange::parse_all(&format!("Words.\n\n## 2026-11-22\n{entry}")).unwrap();
        let rows = [(question.clone(), "sl_tax=20.00 total=1020.00".to_owned(), after.to_owned())];
        complaints(&rows, &changes)
    };
    let (more, other) = ("sl_tax=30.00 total=1030.00", "total=1000.00 stamping_fee=1.00");
    #[rustfmt::skip]
    let cases: &[(&str, &str, usize)] = &[
        ("sl_tax=20.00 total=1020.00", "", 0),
        ("sl_tax=20.00 total=1021.00", "- WA: Words. [sl_tax]", 2),
        (more, "", 1),
        (more, "- WA: Words.", 1),
        (more, "- WA: Words. [sl_tax]", 0),
        (more, "- OR, all dates: Words. [sl_tax]", 2),
        (more, "- OR, WA: Words.\n  More words. [sl_tax]", 1),
        (more, "- WA: Words. [sl_tax, fm_tax]", 1),
        (more, "- WA: Words. [stamping_fee]", 2),
        (more, "- WA, from 2026-01-01: Words. [sl_tax]", 0),
        (more, "- WA, from 2025-04-01 to 2026-01-31: Words. [sl_tax]", 2),
        (more, "- WA, until 2025-03-01: Words. [sl_tax]", 0),
        (more, "- WA: Words. [sl_tax; with agency_fee; types PN, APE; entities commercial; exempt]", 0),
        (more, "- WA: Words. [sl_tax; rpg]", 2),
        (more, "- WA: Words. [sl_tax; with inspection_fee]", 2),
        (more, "- WA: Words. [sl_tax; with fees]", 0),
        (more, "- WA: Words. [sl_tax; types PN]", 2),
        (more, "- WA: Words. [sl_tax; entities governmental]", 2),
        (more, "- WA: Words. [sl_tax; lines GEN-1001; classes ocean_marine]", 0),
        (more, "- WA: Words. [sl_tax; lines GEN-1001]", 2),
        (more, "- WA: One. [sl_tax; lines GEN-1002]\n- WA: Two. [sl_tax]", 0),
        (other, "- WA: Words. [sl_tax]", 1),
        ("refused=yes", "- WA: Words. [refused]", 0),
        ("refused=yes", "- WA: Words. [sl_tax]", 2),
    ];
    for (after, entry, count) in cases {
        let found = check(after, entry).unwrap();
        assert_eq!(found.len(), *count, "{after} with {entry}: {found:?}");
    }
    for entry in
        ["- WA: Words. [sl_taxes]", "- WA: Words. [sl_tax; lines GEN-1]", "- WA: Words. [sl_tax; mostly]"]
    {
        assert!(check(more, entry).is_err(), "{entry}");
    }
}

#[test]
fn a_changelog_that_cannot_be_read_says_where() {
    for text in [
        "- WA: no date above.",
        "## soon\n- WA: text.",
        "## 2026-11-22\n- Washington: text.",
        "## 2026-11-22\n- from 2025-01-01: no state.",
        "## 2026-11-22\n- WA, from 2025-1-1: text.",
        "## 2026-11-22\n- WA text without a colon",
        "## 2026-11-22\n- WA: text.\nnot indented",
    ] {
        assert!(RuleChange::parse_all(text).is_err(), "{text}");
    }
    let read = RuleChange::parse_all(
        "# Title\n\nWords.\n\n## 2026-11-22\n\n- CT, OR, from 2019-01-01 to 2029-12-31: First: a\n  second line. [sl_tax; exempt]\n",
    )
    .unwrap();
    let [change] = &read[..] else { panic!("{read:?}") };
    assert_eq!(change.states, [Jurisdiction::Ct, Jurisdiction::Or]);
    assert_eq!((change.from.as_deref(), change.until.as_deref()), (Some("2019-01-01"), Some("2029-12-31")));
    assert_eq!(
        (change.text.as_str(), change.claim.as_deref()),
        ("First: a second line.", Some("sl_tax; exempt"))
    );
}
