//! `cargo xtask house`: how the sources stand against the figures that they are to reach.

pub mod import_cycles;
pub mod ratchet;
pub mod rust_source;
pub mod tree_measures;
pub mod wording;

use std::collections::BTreeMap;

use crate::arguments::Arguments;
use crate::command::Failure;
use crate::repository;
use crate::tree::Tree;
use ratchet::Ratchet;
use tree_measures::TreeMeasures;

/// Tests in the sources when the figures were set: none may be lost.
const TESTS_AT_LEAST: [usize; 4] = [753, 94, 57, 19];

/// One line of the table.
struct Figure {
    name: &'static str,
    now: String,
    goal: String,
    is_reached: bool,
}

/// `cargo xtask house [--write-ratchet]`.
pub fn run(mut arguments: Arguments) -> Result<(), Failure> {
    let writes = arguments.switch("--write-ratchet");
    arguments.finish()?;
    let tree = Tree::of_the_repository();
    let measured = TreeMeasures::of(&tree);
    if writes {
        return write_ratchet(&measured);
    }
    print_table(&figures(&measured));
    Ok(())
}

fn write_ratchet(measured: &TreeMeasures<'_>) -> Result<(), Failure> {
    let path = repository::at(ratchet::PATH);
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    let text = Ratchet::parse(&before)
        .map_err(Failure::new)?
        .lowered(measured)
        .map_err(|complaints| Failure::new(complaints.join("\n       ")))?;
    if text == before {
        println!("{} is as low as it can be", ratchet::PATH);
        return Ok(());
    }
    std::fs::write(&path, text).map_err(|why| Failure::new(format!("{}: {why}", ratchet::PATH)))?;
    println!("{} written", ratchet::PATH);
    Ok(())
}

fn figures(measured: &TreeMeasures<'_>) -> Vec<Figure> {
    let lines = measured.crate_lines();
    let (impl_files, cycles) = (measured.impl_files(), measured.import_cycles());
    let mut figures = vec![
        at_most("largest crate, production lines", largest(&lines), 9_000),
        at_most("methods on one type", largest(&measured.methods()), 40),
        at_most("files its impl is in", largest(&impl_files), 6),
        at_most("largest import cycle of files", largest(&cycles), 3),
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
                Figure { name, now, goal: goal.to_string(), is_reached: false }
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
    for ((name, now), least) in names.into_iter().zip(measured.tests()).zip(TESTS_AT_LEAST) {
        let goal = format!("{} or more", grouped(least));
        figures.push(Figure { name, now: grouped(now), goal, is_reached: now >= least });
    }
    figures
}

fn largest(counts: &BTreeMap<String, usize>) -> (usize, &str) {
    counts.iter().map(|(name, count)| (*count, name.as_str())).max().unwrap_or_default()
}

fn at_most(name: &'static str, (now, whose): (usize, &str), goal: usize) -> Figure {
    let whose = if whose.is_empty() { String::new() } else { format!(" ({whose})") };
    Figure { name, now: format!("{}{whose}", grouped(now)), goal: grouped(goal), is_reached: now <= goal }
}

/// Shares are in thousandths.
fn share_at_most(name: &'static str, now: usize, goal: usize) -> Figure {
    let percent = |share: usize| format!("{}.{}%", share / 10, share % 10);
    Figure { name, now: percent(now), goal: percent(goal), is_reached: now <= goal }
}

/// 28212 as 28,212.
fn grouped(count: usize) -> String {
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

fn print_table(figures: &[Figure]) {
    let width =
        |cell: fn(&Figure) -> &str| figures.iter().map(|f| cell(f).chars().count()).max().unwrap_or(0);
    let (name, now) = (width(|f| f.name), width(|f| &f.now));
    println!("| {:name$} | {:now$} | to reach |", "figure", "now");
    println!("|-{}-|-{}-|----------|", "-".repeat(name), "-".repeat(now));
    for figure in figures {
        let verdict = if figure.is_reached { "yes" } else { "no" };
        println!("| {:name$} | {:now$} | {}: {verdict} |", figure.name, figure.now, figure.goal);
    }
}
