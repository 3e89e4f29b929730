//! What the calculator and the loader refuse, each by name.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod asking;

use asking::{later, new_policy, usd, with_fees};
use bordereau_tax::{
    KentuckyTable, LinesTable, LocalTables, QuoteInput, RuleBook, RuleProblem, SeriesProblem, check_rule_file,
};

const TEXAS: &str = include_str!("../rules/tx.toml");

/// A small complete file; the tests break it in one place each.
const GOOD: &str = r#"
state = "TX"
checked_on = "2026-11-21"
[fees.agency]
taxed = true
text = "Taxable."
checked = { level = "confirmed", text = "confirmed 2026" }
source = [ { title = "34 TAC 3.822", url = "https://example.org/a" } ]
[fees.inspection]
taxed = true
text = "Taxable."
checked = { level = "confirmed", text = "confirmed 2026" }
source = [ { title = "34 TAC 3.822", url = "https://example.org/a" } ]
[[charge]]
kind = "premium_tax"
field = "sl_tax"
basis = "premium_and_taxable_fees"
basis_text = "premium and taxable fees"
dated_by = "policy effective date"
[[charge.rate]]
from = "2020-01-01"
until = "2024-12-31"
rate = "0.05"
status = "enacted"
checked = { level = "older", text = "older" }
source = [ { title = "a bulletin", url = "https://example.org/a" } ]
[[charge.rate]]
from = "2025-01-01"
rate = "0.04"
status = "announced"
checked = { level = "confirmed", text = "confirmed 2026" }
source = [ { title = "a bulletin", url = "https://example.org/b" } ]
"#;

#[test]
fn a_complete_file_is_accepted() {
    check_rule_file(GOOD).unwrap();
    check_rule_file(TEXAS).unwrap();
}

#[test]
fn the_loader_refuses_what_is_not_complete() {
    let broken = |from: &str, to: &str| {
        assert!(GOOD.contains(from), "{from}");
        check_rule_file(&GOOD.replacen(from, to, 1)).unwrap_err()
    };
    let series = |problem| matches!(problem, RuleProblem::Series { .. });
    assert!(matches!(
        broken("kind = \"premium_tax\"", "kind = \"premium_tax\"\nsurprise = 1"),
        RuleProblem::Format(_)
    ));
    assert!(matches!(
        broken("until = \"2024-12-31\"\n", ""),
        RuleProblem::Series { problem: SeriesProblem::Open(1), .. }
    ));
    assert!(matches!(
        broken("2024-12-31", "2024-12-30"),
        RuleProblem::Series { problem: SeriesProblem::Gap { .. }, .. }
    ));
    assert!(matches!(
        broken("2024-12-31", "2025-01-01"),
        RuleProblem::Series { problem: SeriesProblem::Overlap(_), .. }
    ));
    assert!(matches!(
        broken("2024-12-31", "2019-12-31"),
        RuleProblem::Series { problem: SeriesProblem::Reversed { .. }, .. }
    ));
    assert!(series(broken("from = \"2025-01-01\"\n", "")));
    assert!(matches!(
        broken("source = [ { title = \"a bulletin\", url = \"https://example.org/b\" } ]", "source = []"),
        RuleProblem::Source { .. }
    ));
    assert!(matches!(broken("https://example.org/b", "somewhere"), RuleProblem::Source { .. }));
    assert!(matches!(broken("title = \"a bulletin\"", "title = \" \""), RuleProblem::Source { .. }));
    assert!(matches!(
        broken("source = [ { title = \"34 TAC 3.822\", url = \"https://example.org/a\" } ]", ""),
        RuleProblem::Format(_)
    ));
    assert!(matches!(broken("rate = \"0.04\"", "rate = \"4\""), RuleProblem::Format(_)));
    assert!(matches!(broken("rate = \"0.04\"", "flat = \"4.00\""), RuleProblem::Value { .. }));
    assert!(matches!(broken("rate = \"0.04\"\n", ""), RuleProblem::Value { .. }));
    for most in ["-1.00", "0.005"] {
        let at_most = format!("rate = \"0.04\"\nat_most = \"{most}\"");
        assert!(matches!(broken("rate = \"0.04\"", &at_most), RuleProblem::Value { .. }), "{most}");
    }
    assert!(matches!(broken("status = \"announced\"\n", ""), RuleProblem::Format(_)));
    assert!(matches!(broken("state = \"TX\"", "state = \"XX\""), RuleProblem::Format(_)));
    assert!(matches!(broken("2026-11-21", "21.11.2026"), RuleProblem::Value { .. }));
    assert!(matches!(
        broken("dated_by = ", "classes = [\"nonsense\"]\ndated_by = "),
        RuleProblem::Value { .. }
    ));
    // Where a source first shows a value is no start by itself, only after a declared gap.
    let shown = GOOD.replacen("from = \"2025-01-01\"", "known_from = \"2025-01-01\"", 1);
    assert!(check_rule_file(&shown).is_err_and(series));
    let gap = "until = \"2024-06-30\"\ngap_after = true";
    check_rule_file(&shown.replacen("until = \"2024-12-31\"", gap, 1)).unwrap();
    // A gap may be declared.
    check_rule_file(&GOOD.replacen("until = \"2024-12-31\"", "until = \"2024-06-30\"\ngap_after = true", 1))
        .unwrap();
}

fn problems(input: &QuoteInput) -> Vec<(&'static str, Option<usize>)> {
    let problems = RuleBook::builtin().calculate(input, &LocalTables::default()).unwrap_err();
    problems.into_iter().map(|problem| (problem.field, problem.line)).collect()
}

#[test]
fn questions_are_refused_by_field() {
    const LINES: &str = "transaction_line_of_business_list";
    const PREMIUMS: &str = "transaction_line_of_business_coverage";
    let good = || new_policy("TX", "GEN-1002=100 | GEN-1003=50", "2026-03-01");
    let with = |change: &dyn Fn(&mut QuoteInput)| {
        let mut input = good();
        change(&mut input);
        problems(&input)
    };
    assert_eq!(with(&|i| i.lines[1].premium = usd("-1")), [(PREMIUMS, Some(1))]);
    assert_eq!(with(&|i| i.lines[0].premium = usd("1.005")), [(PREMIUMS, Some(0))]);
    assert_eq!(with(&|i| i.lines.clear()), [(LINES, None)]);
    assert_eq!(with(&|i| i.lines[1].code = "GEN-9999".into()), [(LINES, Some(1))]);
    assert_eq!(with(&|i| i.lines[0].code = "x".repeat(10_000)), [(LINES, Some(0))]);
    assert_eq!(with(&|i| i.lines = vec![i.lines[0].clone(); 101]), [(LINES, None)]);
    assert_eq!(with(&|i| i.agency_fee = usd("-0.01")), [("agency_fee", None)]);
    assert_eq!(with(&|i| i.inspection_fee = usd("0.001")), [("inspection_fee", None)]);
    assert_eq!(with(&|i| i.admitted = true), [("admitted", None)]);
    assert_eq!(with(&|i| i.lines[0].premium = bordereau_money::Usd::MAX), [(PREMIUMS, None)]);
    let dates = |policy: &str, transaction: &str| {
        problems(&later(new_policy("TX", "GEN-1002=100", policy), "APE", transaction))
    };
    assert_eq!(dates("2026-03-02", "2026-03-01"), [("transaction_effective_date", None)]);
    assert_eq!(dates("1989-12-31", "1990-01-01"), [("policy_effective_date", None)]);
    assert_eq!(dates("2026-01-01", "2101-01-01"), [("transaction_effective_date", None)]);
    let zero = later(with_fees(good(), "10", "0"), "ZPE", "2026-04-01");
    assert_eq!(problems(&zero), [(PREMIUMS, Some(0)), (PREMIUMS, Some(1))]);
}

#[test]
fn tables_name_the_row_at_fault() {
    let lines =
        |text: &str| LinesTable::from_csv(text).unwrap_err().into_iter().map(|p| p.row).collect::<Vec<_>>();
    assert_eq!(lines(""), [1]);
    assert_eq!(lines("code,name\nA,B\n"), [1]);
    assert_eq!(lines("code,name,class,xx\nA,B,cyber,1\n"), [1]);
    assert_eq!(lines("code,name,class\nA,B,nonsense\nA2,,cyber\nA3,C,cyber\nA3,C,cyber\n"), [2, 3, 5]);
    assert_eq!(lines("code,name,class\n\"A,B,cyber\n"), [2]);
    let kentucky = |text: &str| {
        KentuckyTable::from_csv(text).unwrap_err().into_iter().map(|p| p.row).collect::<Vec<_>>()
    };
    assert_eq!(kentucky("jurisdiction,category\n"), [1]);
    assert_eq!(kentucky("jurisdiction,category,rate\nA,all,7\nB,nonsense,0.07\n,all,0.07\n"), [2, 3, 4]);
    assert_eq!(kentucky("jurisdiction,category,rate\nA,vehicle,0.07\nA,vehicle,0.06\n"), [1]);
}

#[test]
fn the_samples_are_read() {
    let lines = LinesTable::from_csv(include_str!("../../../samples/lines-of-business.csv")).unwrap();
    assert_eq!(lines.iter().count(), LinesTable::builtin().iter().count());
    let kentucky =
        KentuckyTable::from_csv(include_str!("../../../samples/kentucky-local-rates.csv")).unwrap();
    assert_eq!(kentucky.iter().count(), 2);
    assert_eq!(KentuckyTable::builtin().iter().filter(|m| &*m.name == "Lexington-Fayette").count(), 1);
    let semicolons =
        LinesTable::from_csv("code;name;class;IL\n\"A\";\"B; \"\"b\"\"\";cyber;\"77\"\n").unwrap();
    let line = semicolons.find("77", asking::state("IL")).unwrap();
    assert_eq!((&*line.code, &*line.name), ("A", "B; \"b\""));
}

#[test]
fn the_fixed_codes_are_what_the_contract_says() {
    let fixed = [
        ("GEN-1001", "commercial_property"),
        ("GEN-1002", "general_liability"),
        ("GEN-1003", "allied_lines"),
        ("GEN-1004", "commercial_multi_peril"),
        ("GEN-1005", "homeowners"),
        ("GEN-1006", "professional_liability"),
        ("GEN-1007", "inland_marine"),
        ("GEN-1008", "umbrella_excess"),
        ("GEN-1009", "earthquake"),
        ("GEN-1010", "products_liability"),
        ("GEN-1011", "medical_malpractice"),
        ("GEN-1012", "legal_professional"),
    ];
    let table = LinesTable::builtin();
    for (code, class) in fixed {
        assert_eq!(table.find(code, asking::state("TX")).unwrap().class.name(), class, "{code}");
    }
    assert!(table.iter().count() >= 60);
}
