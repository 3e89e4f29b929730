//! What is to be filed and paid by when: the rules of `crates/calendar` on the transactions this desk has seen.

mod entries;
mod ics;
mod operations;
mod subject;

pub use operations::{due_export_ics, due_ics, due_list, due_mark};
pub use subject::{filing_due, subject};
