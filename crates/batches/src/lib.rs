//! Reviews: a file or a paste becomes rows with issues, repaired in place, stored as a draft at every step.

mod acknowledged_warnings;
mod acknowledgement;
mod area_changes;
mod cell_date;
mod cell_figures;
mod changes;
mod chunk;
mod column_answers;
mod column_rules;
mod command_drafts;
mod correction;
mod document_content;
mod document_target;
mod documents;
mod draft;
mod explanation;
mod find;
mod folder;
mod group;
mod load;
mod mapping;
mod new_transaction;
mod operations;
mod prepare;
mod rejects;
mod repair;
mod replace;
mod row_filter;
mod row_index;
mod saved_mappings;
mod send;
mod send_review;
mod sent_before;
mod session;
mod slots;
mod source_reading;
mod step;
mod view;
mod watch_work;
mod watched_folder;

pub use bordereau_spreadsheets::{FileChunk, ReadOptions};
pub use bordereau_store::WatchedFile;

pub use bordereau_session::grid_layout::{grid_layout, grid_layout_save};
pub use chunk::{chunk_mapping, find_chunk_duplicates, record_chunk, start_chunk};
pub use column_rules::rules_by_column;
pub use command_drafts::ResumedDraft;
pub use command_drafts::{hand_over_draft, read_files_as, remove_abandoned, resume_draft, work_unattended};
pub use documents::review_documents;
pub use draft::AttachedDocument;
pub use folder::file_paths as found_files;
pub use mapping::{mapping_open, mapping_save, review_match};
pub use new_transaction::quote_filing;
pub use operations::{
    review_areas, review_close, review_date, review_edge, review_edit, review_exclude, review_figures,
    review_find, review_fix, review_issues, review_keep, review_list, review_read_again, review_redo,
    review_replace, review_rows, review_start, review_state, review_undo, review_values,
};
pub use rejects::rejects_save;
pub use saved_mappings::{
    mapping_add, mapping_copy, mapping_export, mapping_remove, mapping_restore, mapping_versions,
};
pub use send::{review_refresh, review_transactions};
pub use send_review::{review_send, review_send_preview, send_chunk};
pub use slots::{Reviews, accept_pipes};
pub use watch_work::{begin_watch, watch_choose, watch_end, watch_state};
pub use watched_folder::{
    FolderLook, FolderWatch, WATCH_EVERY, WatchedContent, look_up_watched, record_watched,
};
