//! Reviews: a file or a paste becomes rows with issues, repaired in place, kept as a draft at every step.

mod arriving;
mod correction;
mod documents;
mod find;
mod folder;
mod group;
mod index;
mod keep;
mod mapping;
mod matched;
mod matching;
mod open;
mod operations;
mod reading;
mod rejects;
mod repair;
mod send;
mod sent_before;
mod sight;
mod slots;
mod step;
mod unattended;
mod view;
mod why;
mod widths;

pub use documents::Attached;
pub use documents::review_documents;
pub use folder::file_paths as found_files;
pub use keep::review_keep;
pub use mapping::{mapping_open, mapping_save, review_match};
pub use operations::{
    review_close, review_edit, review_exclude, review_find, review_fix, review_issues, review_list,
    review_redo, review_rows, review_start, review_state, review_undo,
};
pub use rejects::rejects_save;
pub use send::{review_refresh, review_transactions};
pub use slots::Reviews;
pub use unattended::TakenUp;
pub use unattended::{leave_draft, remove_left_behind, take_up, work_unattended};
pub use widths::{column_widths, column_widths_save};
