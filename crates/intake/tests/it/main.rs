//! Intake from bytes to rows and issues.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod catalogue;
mod dialects;
mod fixture;
mod hostile;
mod hostile_archives;
mod incremental;
mod large;
mod looks;
mod mappings;
mod readers;
mod reviews;
mod samples;
mod workbooks;
