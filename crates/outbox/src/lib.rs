//! The outbox: sends batches and records their results. Nothing is lost, nothing is sent twice.
//!
//! Rows are in the store with their own ids before the first byte is sent. Each step of a part is a state in the
//! store, committed before the next step; however this process ends, the next one continues from there. A part whose
//! answer was lost is sent again only where a lookup has proven that the service doesn't have it; where nothing can
//! be proven, a person decides.

mod batch_lookup;
mod decision;
mod import_answer;
pub mod job;
mod lost_answer;
mod match_results;
mod operations;
mod pace;
mod part_lookup;
mod row_lookup;
mod schedule;
mod search_lookup;
mod single_import;
mod step;
mod worker;

use bordereau_store::batches::{lookup_keys, outcome, transition, view};
pub use pace::OutboxPace;
pub use part_lookup::adopt_named;
pub use worker::{LOCK, ensure_worker};
pub use worker::{Outbox, WorkSignal};

pub use batch_lookup::batch_lookup;
pub use decision::batch_decide;
pub use lost_answer::look_for;
pub use operations::{batch_cancel, batch_causes, batch_list, batch_rows, batch_show, outbox_status};
pub use part_lookup::{lost_reason, not_there_audit};
pub use schedule::run_under_lock;
pub use step::ask_part;
pub use worker::set_outbox_pace;
