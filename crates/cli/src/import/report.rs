//! The report of a check, as text and as JSON.

use bordereau_contract::pluralize;
use bordereau_desk::api::{ColumnMatch, IssueView, ReviewTotals, ReviewView};
use serde_json::{Value, json};

use super::findings::{FoundGroup, ReviewFindings};
use bordereau_host::terminal_text::on_one_line;

/// For a person.
pub(crate) fn report_text(found: &ReviewFindings<'_>) -> String {
    let review = found.review;
    let counts = review.counts;
    let mut text = format!(
        "{}: {}, {}\n  {} ready, {} with errors, {} with warnings only\n\nRead as\n",
        on_one_line(&review.name),
        pluralize(counts.rows, "row"),
        pluralize(counts.transactions, "transaction"),
        counts.ready,
        pluralize(counts.errors, "row"),
        counts.warnings,
    );
    for detected in &review.detected {
        let value = detected.value.as_deref().unwrap_or("?");
        let known = detected.choices.iter().find(|choice| choice.code == value);
        let value = known.map_or(value, |choice| choice.name.as_str());
        text.push_str(&format!(
            "  {:<26} {:<28} {}\n",
            detected.title,
            on_one_line(value),
            on_one_line(&detected.evidence)
        ));
    }
    text.push_str(&columns_text(review));
    let left_out = review.left_out.iter();
    let left_out =
        left_out.map(|file| format!("  {}: {}\n", on_one_line(&file.name), on_one_line(&file.why)));
    add_section(&mut text, "Not read", left_out);
    add_section(&mut text, "Open questions", found.questions.iter().map(|q| format!("  {q}\n")));
    let of = |severity: &'static str| found.groups.iter().filter(move |g| g.group.severity == severity);
    add_section(&mut text, "Errors", of("error").map(group_text));
    add_section(&mut text, "Warnings", of("warning").map(group_text));
    text.push_str("\nRows without errors\n");
    text.push_str(&totals_text(&review.totals));
    text
}

/// A transaction's issues and amounts, without details of reading the file.
pub(crate) fn findings_text(found: &ReviewFindings<'_>) -> String {
    let of = |severity: &'static str| found.groups.iter().filter(move |g| g.group.severity == severity);
    let mut text = if found.groups.is_empty() { "No issues.\n".to_owned() } else { String::new() };
    add_section(&mut text, "Errors", of("error").map(group_text));
    add_section(&mut text, "Warnings", of("warning").map(group_text));
    text.push_str("\nAmounts\n");
    text.push_str(&totals_text(&found.review.totals));
    text
}

/// Errors only.
pub(crate) fn errors_text(found: &ReviewFindings<'_>) -> String {
    let mut text = String::new();
    let errors = found.groups.iter().filter(|found| found.group.severity == "error");
    add_section(&mut text, "Errors", errors.map(group_text));
    text
}

fn add_section(text: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let lines: String = lines.collect();
    if !lines.is_empty() {
        text.push_str(&format!("\n{title}\n{lines}"));
    }
}

fn columns_text(review: &ReviewView) -> String {
    let is_of_file = |reason: &str| !matches!(reason, "added" | "rule");
    let ReviewView { rules, .. } = review;
    let is_ignored = |column: &&ColumnMatch| column.field.is_none() && column.reason != "in_rule";
    let left_out: Vec<String> = review
        .columns
        .iter()
        .filter(is_ignored)
        .filter(|column| is_of_file(&column.reason) && !column.header.is_empty())
        .map(|column| format!("{} \"{}\"", column.letters, on_one_line(&column.header)))
        .collect();
    let matched = review.columns.iter().filter(|c| c.field.is_some() && is_of_file(&c.reason)).count();
    let mut text = format!("  {:<26} {matched} matched", "Columns");
    if !left_out.is_empty() {
        text.push_str(&format!("; ignored: {}", left_out.join(", ")));
    }
    text.push('\n');
    let by_rule = rules.defaults.len()
        + rules.splits.len()
        + rules.merges.len()
        + rules.charges.len()
        + rules.lines.len();
    if by_rule > 0 {
        let made = fields_of_rules(review);
        text.push_str(&format!("  {:<26} {by_rule}: {}\n", "Rules of the mapping", made.join(", ")));
    }
    let words = rules.charges.iter().flat_map(|charges| &charges.words).filter(|word| word.rows > 0);
    for word in words {
        let field = match &word.field {
            Some(field) => field,
            None if word.ignored => "not imported",
            None => "no field yet: give it one in a mapping, --mapping",
        };
        let rows = pluralize(word.rows, "row");
        text.push_str(&format!("  {:<26} {}, {rows}: {field}\n", "Charge", on_one_line(&word.word)));
    }
    text
}

/// Titles of the fields that rules make: splits, merges, values for every row, rows of charges.
pub(crate) fn fields_of_rules(review: &ReviewView) -> Vec<&str> {
    review.columns.iter().filter(|column| column.reason == "rule").map(|c| c.header.as_str()).collect()
}

fn group_text(found: &FoundGroup<'_>) -> String {
    let group = found.group;
    let mut text = format!("  {:>9}  {} [{}]", pluralize(group.rows, "row"), group.title, group.code);
    match group.fix.as_deref() {
        // Words are mapped one by one: in the window, or in a mapping.
        Some("match_values") => {
            text.push_str("; write the code, or map the word to one with import --mapping")
        }
        Some("set_value") | None => {}
        Some(fix) => text.push_str(&format!("; repair all: --repair {fix}")),
    }
    text.push('\n');
    for issue in &found.first {
        text.push_str(&format!("           {}\n", issue_place(issue)));
    }
    text
}

/// The message says where; on one line.
fn issue_place(issue: &IssueView) -> String {
    issue.message.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Totals by state, as a table.
pub(crate) fn totals_text(totals: &ReviewTotals) -> String {
    let mut text =
        format!("  {:<6} {:>8} {:>18} {:>16} {:>16}\n", "State", "Count", "Premium", "Taxes", "Stamping");
    let mut line = |state: &str, count: u32, premium: &str, taxes: &str, stamping: &str| {
        text.push_str(&format!("  {state:<6} {count:>8} {premium:>18} {taxes:>16} {stamping:>16}\n"));
    };
    for state in &totals.states {
        let name = if state.state.is_empty() { "?" } else { &state.state };
        line(name, state.count, &state.premium, &state.taxes, &state.stamping);
    }
    line("All", totals.count, &totals.premium, &totals.taxes, &totals.stamping);
    text
}

/// For a program.
pub(crate) fn report_json(found: &ReviewFindings<'_>) -> Value {
    let review = found.review;
    let group = |found: &FoundGroup<'_>| {
        json!({
            "code": found.group.code,
            "title": found.group.title,
            "severity": found.group.severity,
            "rows": found.group.rows,
            "summary": found.group.summary,
            "repair": found.group.fix,
            "first": found.first,
        })
    };
    json!({
        "name": review.name,
        "counts": review.counts,
        "detected": review.detected,
        "left_out": review.left_out,
        "columns": review.columns,
        "questions": found.questions,
        "groups": found.groups.iter().map(group).collect::<Vec<_>>(),
        "totals": review.totals,
    })
}
