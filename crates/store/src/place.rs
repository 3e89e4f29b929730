//! The table `store_place`: whether this data folder is the original, or a copy of it.
//!
//! A copy or a restored backup may hold rows as unsent that were sent elsewhere. So the store knows which file it is
//! in, and the number of sends is also kept outside of it. If either doesn't match, everything that waits is looked
//! up at the service before it is sent, until a person confirms that no other copy sends.

use std::path::Path;

use bordereau_api::BatchState;
use bordereau_database::Connection;
use bordereau_sealing::private_files::numbered_files;

use crate::StoreError;

/// The step of the schema that made it.
pub(crate) const CREATE_STORE_PLACE: &str = include_str!("place.sql");

/// Why waiting jobs of a copy are looked up first, as the start of a sentence.
pub const fn copy_reason(is_office: bool) -> &'static str {
    if is_office {
        "The office database was restored, or is another one"
    } else {
        "This data folder is a copy, or was restored"
    }
}

/// The message on a waiting job of a copy.
pub(crate) fn looked_up_first(is_office: bool) -> String {
    format!("{}: it is looked up at the service before anything is sent.", copy_reason(is_office))
}

/// `desk.sends-000000000012`: the number of sends, as the name of an empty file. Copying older files over newer ones
/// doesn't remove it.
pub(crate) const WITNESS: &str = "desk.sends-";

/// Whether and since when the store is a copy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoreCopy {
    /// When it was noticed that this is a copy; empty where it isn't.
    pub noticed_at: String,
}

/// Whether this store is a copy.
pub fn store_copy(connection: &Connection) -> Result<StoreCopy, StoreError> {
    let noticed_at = connection.query_row("SELECT copied_at FROM store_place", [], |row| row.get(0))?;
    Ok(StoreCopy { noticed_at })
}

/// The first state of a new job: queued, or in a copy to be looked up first; with its message.
pub(crate) fn first_state(connection: &Connection) -> Result<(BatchState, String), StoreError> {
    let is_copy = !store_copy(connection)?.noticed_at.is_empty();
    Ok(if is_copy {
        (BatchState::Unknown, looked_up_first(connection.is_office()))
    } else {
        (BatchState::Queued, String::new())
    })
}

/// Counts a send, within the transaction that records it; returns the count for the witness file.
pub(crate) fn count_send(connection: &Connection) -> Result<Option<i64>, StoreError> {
    let sql = "UPDATE store_place SET sends = sends + 1 RETURNING sends";
    let sends = connection.query_row(sql, [], |row| row.get(0))?;
    Ok((!connection.is_office()).then_some(sends))
}

/// Writes the number of sends beside the store before the first byte is sent, if the disk allows: the file that the
/// store is bound to reveals most copies without it.
pub(crate) fn leave_witness(folder: &Path, sends: i64) {
    let path = folder.join(format!("{WITNESS}{sends:012}"));
    if let Err(error) = std::fs::File::create(path) {
        tracing::warn!(%error, "how often something was sent could not be kept");
        return;
    }
    for (older, number) in numbered_files::<i64>(folder, WITNESS) {
        if number < sends {
            let _ = std::fs::remove_file(older);
        }
    }
}
