//! Reviews: a file or a paste becomes rows with issues, repaired in place, kept as a draft at every step.

mod arriving;
mod correction;
mod documents;
mod dropped;
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

pub(crate) use correction::{Correction, CorrectionRow};
pub(crate) use documents::Attached;
pub(crate) use dropped::Dropped;
pub use dropped::DroppedFile;
pub(crate) use folder::file_paths as found_files;
pub(crate) use rejects::{csv_line, harmless};
pub(crate) use send::PreparedKept;
pub(crate) use slots::Reviews;
pub use unattended::TakenUp;
