//! Intake from bytes to rows and issues.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use bordereau_spreadsheets::{IssueRepair, RepairKind, Review};

/// A day of a test.
fn date(year: i32, month: u32, day: u32) -> chrono::NaiveDate {
    chrono::NaiveDate::from_ymd_opt(year, month, day).unwrap()
}

mod catalog;
mod charge_rows;
mod column_rules;
mod date_order;
mod dialects;
mod fixture;
mod grouped_rows;
mod hostile;
mod hostile_archives;
mod incremental;
mod joined_columns;
mod large;
mod mappings;
mod markup;
mod number_formats;
mod readers;
mod report_lines;
mod reviews;
mod samples;
mod several_sources;
mod stamping_fees;
mod state_columns;
mod unknown_taxes;
mod workbook_writers;
mod workbooks;

/// Every certain repair of one kind.
fn certain_repairs(review: &Review, kind: RepairKind) -> Vec<IssueRepair> {
    let fixes = review.findings().iter().filter_map(|finding| review.describe_finding(finding).fix);
    fixes.filter(|fix| fix.certain && fix.kind == kind).collect()
}
