//! What is to be filed and paid by when: the rules of `crates/calendar` applied to the known transactions.

mod entries;
mod ics;
mod notices;
mod operations;
mod subject;

pub use notices::due_notices;
pub use operations::{due_export_ics, due_ics, due_list, due_mark};
pub use subject::{duty_subject, filing_due};
