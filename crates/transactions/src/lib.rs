//! Transactions: the service's records, stored so that they are found at once and offline.
//!
//! Each profile has an index of its own (`index`): records by their number, words to find them by, facts to
//! filter and sum. It holds nothing that cannot be fetched again. A refresh asks only for days that were not
//! fetched, or may have changed since.

mod auto_refresh;
mod change_detection;
mod columns;
mod compare_amounts;
mod coverage;
mod detail;
pub mod due;
mod erase;
mod export;
mod export_watch;
mod facts;
mod index;
mod overview;
mod record_reading;
mod refresh;
mod refresh_job;
mod row;
mod saved_searches;
mod search;
mod summary;
mod transaction_indexes;
mod units;

pub use auto_refresh::begin_auto_refresh;
pub use detail::{sent_last, store_records, transaction_detail, transaction_status};
pub use erase::{data_erase, data_erase_preview};
pub use export::{transactions_export, transactions_export_cancel, transactions_export_state};
pub use facts::is_all_paid;
pub use index::ProfileIndex;
pub use overview::{transactions_overview, transactions_visit};
pub use refresh::{
    transactions_refresh, transactions_refresh_cancel, transactions_refresh_state, transactions_refresh_wait,
};
pub use saved_searches::{search_remove, search_save, searches_list};
pub use search::{transactions_search, transactions_sum, transactions_summary};
pub use transaction_indexes::{
    ReadObserver, TransactionIndexes, active_index, forget_profile, observe_reads,
};
