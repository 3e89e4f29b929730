//! Dialects: the ways in which another provider reads the same specification. The practice service speaks those
//! that were chosen, alone or together, so that a client is tried against all of them.
//!
//! Most rows of [`dialects`] change the JSON of an answer before it is sent. What a row cannot do to an answer the
//! service does, before or after the request reaches its handler.

mod answer_changes;
mod operation;
mod record_changes;
mod table;

pub use answer_changes::records;
pub use operation::ServiceEndpoint;
pub use table::{Dialect, DialectChange, dialects};

use std::collections::HashSet;

use parking_lot::{Mutex, RwLock};

/// Dialects by their names, `a,b`; an empty text is none.
///
/// # Errors
/// A sentence that names the one nobody knows.
pub fn parse_dialects(names: &str) -> Result<Vec<&'static Dialect>, String> {
    names.split(',').map(str::trim).filter(|name| !name.is_empty()).map(dialect).collect()
}

fn dialect(name: &str) -> Result<&'static Dialect, String> {
    let found = dialects().iter().find(|dialect| dialect.name == name);
    found.ok_or_else(|| format!("There is no dialect \"{name}\"."))
}

/// The dialects that are spoken now.
#[derive(Default)]
pub struct SpokenDialects {
    names: RwLock<HashSet<&'static str>>,
    /// Downloads that were refused once.
    refused_downloads: Mutex<HashSet<String>>,
}

impl SpokenDialects {
    /// Speaks these and no others.
    pub fn replace(&self, dialects: &[&'static Dialect]) {
        *self.names.write() = dialects.iter().map(|dialect| dialect.name).collect();
        self.refused_downloads.lock().clear();
    }

    /// Whether this dialect is spoken.
    pub fn speaks(&self, name: &str) -> bool {
        self.names.read().contains(name)
    }

    /// In the order of the table, which is the order in which they change an answer.
    pub fn spoken(&self) -> Vec<&'static Dialect> {
        let names = self.names.read();
        if names.is_empty() {
            return Vec::new();
        }
        dialects().iter().filter(|dialect| names.contains(dialect.name)).collect()
    }

    /// Whether this download is the first of its address, which `download-unavailable-once` refuses.
    pub fn is_first_download(&self, address: &str) -> bool {
        self.refused_downloads.lock().insert(address.to_owned())
    }
}
