//! `cargo xtask house`: how the sources stand against the figures that they are to reach.

pub mod import_cycles;
pub mod ratchet;
pub mod rust_source;
pub mod tree_measures;
pub mod wording;

use std::collections::BTreeMap;

use crate::arguments::Arguments;
use crate::command::TaskFailure;
use crate::repository;
use crate::tree::SourceTree;
use ratchet::Ratchet;
use tree_measures::TreeMeasures;

/// Tests in the sources when the figures were set: none may be lost.
const TESTS_AT_LEAST: [usize; 4] = [753, 94, 57, 19];

/// One line of the table.
struct HouseFigure {
    name: &'static str,
    now: String,
    goal: String,
    is_reached: bool,
}

/// `cargo xtask house [--write-ratchet]`.
pub fn run_house(mut arguments: Arguments) -> Result<(), TaskFailure> {
    let writes = arguments.switch("--write-ratchet");
    arguments.ensure_empty()?;
    let tree = SourceTree::of_the_repository();
    let measured = TreeMeasures::from_tree(&tree);
    if writes {
        return write_ratchet(&measured);
    }
    print_table(&measure_figures(&measured));
    Ok(())
}

fn write_ratchet(measured: &TreeMeasures<'_>) -> Result<(), TaskFailure> {
    let path = repository::repository_path(ratchet::PATH);
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    let text = Ratchet::parse(&before)
        .map_err(TaskFailure::new)?
        .lowered_text(measured)
        .map_err(|complaints| TaskFailure::new(complaints.join("\n       ")))?;
    if text == before {
        println!("{} is as low as it can be", ratchet::PATH);
        return Ok(());
    }
    std::fs::write(&path, text).map_err(|why| TaskFailure::new(format!("{}: {why}", ratchet::PATH)))?;
    println!("{} written", ratchet::PATH);
    Ok(())
}

fn measure_figures(measured: &TreeMeasures<'_>) -> Vec<HouseFigure> {
    let lines = measured.crate_lines();
    let (impl_files, cycles) = (measured.impl_files(), measured.import_cycles());
    let mut figures = vec![
        at_most("largest crate, production lines", largest_count(&lines), 9_000),
        at_most("methods on one type", largest_count(&measured.count_methods()), 40),
        at_most("files its impl is in", largest_count(&impl_files), 6),
        at_most("largest import cycle of files", largest_count(&cycles), 3),
        at_most("files with SQL outside the store", (measured.sql_outside_store().len(), ""), 0),
    ];
    for (name, words, goal) in [
        ("files to change for a field of the record", &["field", "record"][..], 4),
        ("files to change for a webhook event", &["webhook", "event"], 4),
        ("files to change for a view", &["view"], 2),
    ] {
        let found = measured.places_to_touch(words);
        figures.push(match found {
            Some(count) => at_most(name, (count, "by ARCHITECTURE.md"), goal),
            None => {
                let now = "not in the table of ARCHITECTURE.md".into();
                HouseFigure { name, now, goal: goal.to_string(), is_reached: false }
            }
        });
    }
    figures.extend([
        share_at_most("one-word type names", measured.one_word_types(), 200),
        share_at_most("bare participles as type names", measured.participle_types(), 0),
        share_at_most("one-word function names", measured.one_word_functions(), 400),
        at_most("production lines, Rust", (lines.values().sum(), ""), 66_000),
        at_most("production lines, TypeScript and CSS", (measured.ui_lines(), ""), 19_000),
        at_most("ARCHITECTURE.md lines", (measured.file_lines("ARCHITECTURE.md"), ""), 150),
    ]);
    let names = ["tests in Rust", "tests of the UI", "flows", "tests of the window"];
    for ((name, now), least) in names.into_iter().zip(measured.count_tests()).zip(TESTS_AT_LEAST) {
        let goal = format!("{} or more", group_thousands(least));
        figures.push(HouseFigure { name, now: group_thousands(now), goal, is_reached: now >= least });
    }
    figures
}

fn largest_count(counts: &BTreeMap<String, usize>) -> (usize, &str) {
    counts.iter().map(|(name, count)| (*count, name.as_str())).max().unwrap_or_default()
}

fn at_most(name: &'static str, (now, whose): (usize, &str), goal: usize) -> HouseFigure {
    let whose = if whose.is_empty() { String::new() } else { format!(" ({whose})") };
    HouseFigure {
        name,
        now: format!("{}{whose}", group_thousands(now)),
        goal: group_thousands(goal),
        is_reached: now <= goal,
    }
}

/// Shares are in thousandths.
fn share_at_most(name: &'static str, now: usize, goal: usize) -> HouseFigure {
    let percent = |share: usize| format!("{}.{}%", share / 10, share % 10);
    HouseFigure { name, now: percent(now), goal: percent(goal), is_reached: now <= goal }
}

/// 28212 as 28,212.
fn group_thousands(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn print_table(figures: &[HouseFigure]) {
    let width =
        |cell: fn(&HouseFigure) -> &str| figures.iter().map(|f| cell(f).chars().count()).max().unwrap_or(0);
    let (name, now) = (width(|f| f.name), width(|f| &f.now));
    println!("| {:name$} | {:now$} | to reach |", "figure", "now");
    println!("|-{}-|-{}-|----------|", "-".repeat(name), "-".repeat(now));
    for figure in figures {
        let verdict = if figure.is_reached { "yes" } else { "no" };
        println!("| {:name$} | {:now$} | {}: {verdict} |", figure.name, figure.now, figure.goal);
    }
}
